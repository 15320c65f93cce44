"""The material differences of fact between a statement and one passage."""

from __future__ import annotations

from itertools import islice

from citeguard.facts.alternatives import alternative_contrasts
from citeguard.facts.certainty import certainty_contrasts
from citeguard.facts.conditions import condition_contrasts
from citeguard.facts.degrees import degree_contrasts
from citeguard.facts.names import exchanged_names, name_contrasts
from citeguard.facts.negation import negation_contrasts
from citeguard.facts.numbers import number_contrasts
from citeguard.facts.obligations import obligation_contrasts
from citeguard.facts.order import order_contrasts
from citeguard.facts.pair import Contrast, ContrastKind, Pair
from citeguard.facts.reading.words import MOST_THINGS, read
from citeguard.facts.words import word_contrasts

__all__ = ["Contrast", "ContrastKind", "contrasts"]

_RULES = (
    negation_contrasts,
    number_contrasts,
    name_contrasts,
    exchanged_names,
    degree_contrasts,
    alternative_contrasts,
    certainty_contrasts,
    obligation_contrasts,
    condition_contrasts,
    order_contrasts,
    word_contrasts,
)
_LONGEST = 6_000  # characters of either text that are read; statements and passages are shorter


def contrasts(statement: str, passage: str) -> tuple[Contrast, ...]:
    """Return where a statement and a passage differ in a fact, in the order of the statement.

    The statement may be a paraphrase. Words, numbers and names are compared where what stands
    around them is alike in both texts, wherever that is, and by tables of English words; so a
    difference that is not found is no proof that there is none. The kinds:

    - `negation`: one text denies what the other says ("no longer", "failed to", "un-"); two
      denials cancel. The only kind, beside `number`, that reads other languages than English.
    - `number`: another number, unit, currency or sign for the same thing, or two numbers or months
      in each other's places. Rounded numbers, ranges, bounds ("over 500"), number words, shares
      ("half"), dates and units of one dimension are taken for what they mean.
    - `name`: another name in its place, the same names in each other's places around a verb, or,
      with `found` empty, a name that the passage lacks although it has nearly all else.
    - `opposite`, `exclusive`: words of which only one can be true there ("rise" and "fall",
      "Monday" and "Tuesday"), or the two sides of a "than" in each other's places.
    - `quantity`: the statement claims more of a thing: "all" for "some", "only", "and" for "or", or
      a number that may be worked out of several.
    - `modality`: the statement says otherwise how a thing is so: as a fact what "may" be or what
      somebody is "accused of", without "unless" or under another connective, "must" for "may", or
      with those who do it and to whom it is done in each other's places.

    No model is called. Of longer texts the first 6,000 characters are read, and of one word a dozen
    places; there are a few hundred contrasts at most. An empty text has none.

    Args:
        statement: One claim.
        passage: One sentence, or a few.

    Examples:
        >>> found = contrasts("The drug was not approved.", "The drug was approved in May.")
        >>> [(contrast.kind, contrast.stated, contrast.found) for contrast in found]
        [('negation', 'not approved', 'approved')]
    """
    pair = Pair(read(statement[:_LONGEST]), read(passage[:_LONGEST]))
    found = {each for rule in _RULES for each in islice(rule(pair), MOST_THINGS)}
    return tuple(sorted(found, key=lambda contrast: (contrast.start, contrast.end, contrast.kind)))
