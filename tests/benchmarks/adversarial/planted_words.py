"""Sentences in which either of two words fits that differ by a small edit; both are words."""

from __future__ import annotations

FRAMES = (
    ("The {} with the supplier ended in the spring.", "contact", "contract"),
    ("The {} through the forest was closed for a month.", "trail", "trial"),
    ("The authors describe a {} link between the two events.", "causal", "casual"),
    ("The new law will {} the use of the drug in schools.", "prescribe", "proscribe"),
    ("The change did not {} any lasting improvement.", "effect", "affect"),
    ("She gave {} to the board for more than ten years.", "counsel", "council"),
    ("The {} of the school spoke first.", "principal", "principle"),
    ("The troops crossed the {} before the rains came.", "desert", "dessert"),
    ("His {} was praised in every letter.", "moral", "morale"),
    ("The {} was blown down by the storm.", "statue", "statute"),
    ("The firm hired more {} in the summer.", "personnel", "personal"),
    ("They plan to {} the rules to their own needs.", "adapt", "adopt"),
    ("Her {} remarks pleased the whole audience.", "complimentary", "complementary"),
    ("The {} general gave a short speech.", "eminent", "imminent"),
    ("His family {} in the year of the famine.", "emigrated", "immigrated"),
    ("The answers were meant to {} a response.", "elicit", "illicit"),
    ("The island is run by a {} government.", "martial", "marital"),
    ("The museum keeps the {} in a glass case.", "angel", "angle"),
    ("The {} of the river has changed since then.", "course", "coarse"),
    ("The doctors were worried about {} pressure.", "hypotension", "hypertension"),
    ("The nurse noted signs of {} in the chart.", "hyperglycemia", "hypoglycemia"),
    ("The drug reaches the {} space within an hour.", "intracellular", "intercellular"),
    ("The gas is held back by {} on the surface.", "adsorption", "absorption"),
    ("The {} nerves were damaged in the fall.", "afferent", "efferent"),
    ("The company was ordered to {} the money at once.", "disburse", "disperse"),
    ("The editor was told to {} the report.", "censor", "censure"),
    ("The witness could not {} the story.", "corroborate", "collaborate"),
    ("The rebels were {} by the new regime.", "prosecuted", "persecuted"),
    ("The group works for the {} of the coast.", "conservation", "conversation"),
    ("The {} said that the harvest had been poor.", "farmer", "former"),
    ("The bridge was {} in the last year of the war.", "rebuilt", "rebuffed"),
    ("The judge was known to be {} in such matters.", "disinterested", "uninterested"),
    ("The plan was seen as {} by most members.", "economic", "economical"),
    ("The city had to {} its claim to the land.", "waive", "wave"),
    ("The soldiers were {} near the old mill.", "buried", "burned"),
    ("The children were {} by the noise.", "scared", "scarred"),
    ("The judges {} the first proposal.", "rejected", "respected"),
    ("The {} of the lake is protected by law.", "shore", "shape"),
    ("The singer was {} in a small mountain town.", "raised", "praised"),
    ("The new road will {} the old port.", "replace", "replicate"),
    ("The committee will {} the results in June.", "revise", "review"),
    ("The village lies on the {} side of the hill.", "sunny", "funny"),
    ("The bank agreed to {} the debt.", "defer", "deter"),
    ("Nobody could explain the sudden {} of interest.", "lack", "leak"),
    ("The mine was the largest {} of tin in the region.", "source", "sauce"),
    ("The treaty put an end to the {} between the two towns.", "feud", "food"),
    ("The vaccine was tested on {} of both sexes.", "mice", "mites"),
    ("The storm left the {} without a roof.", "stable", "table"),
)
"""A sentence with a gap, and the two words."""


def word_entries() -> tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...]:
    """Write the sentences as entries of a table: no other spelling says the same."""
    return tuple((frame, one, (other,), ()) for frame, one, other in FRAMES)
