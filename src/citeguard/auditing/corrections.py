"""A claim with the source's facts instead of its own: `proposed`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from citeguard.auditing.claims.claim import Claim
from citeguard.facts.aligned import Difference
from citeguard.language.citations import without_machine_marks
from citeguard.language.tokens import to_word_borders
from citeguard.reports.report import Replacement

_MOST_REPLACED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A corrected claim that is still to be judged.

    Attributes:
        claim: The claim's words, corrected.
        sentence: Those of its sentence in the text, without marks for programs.
        replacements: The replacements in the text, in order.
    """

    claim: str
    sentence: str
    replacements: tuple[Replacement, ...]


def proposed(text: str, claim: Claim, found: Sequence[Difference]) -> Proposal | None:
    """Return a claim with the facts of the source in the place of its own; `None` if unclear.

    It is unclear with more than three differences, with two at one place, and if the text does not
    have the stated words exactly once among the claim's own words.

    Args:
        text: The audited text.
        claim: The claim.
        found: The facts in which it differs from its source, in order.
    """
    if not 0 < len(found) <= _MOST_REPLACED:
        return None
    own, replacements = text[claim.start : claim.end], list[Replacement]()
    corrected, done = list[str](), 0
    for each in found:
        start = own.find(each.stated)
        if each.start < done or start < 0 or own.find(each.stated, start + 1) >= 0:
            return None
        start += claim.start
        if to_word_borders(text, start, start + len(each.stated)) != (
            start,
            start + len(each.stated),
        ):
            return None
        put = each.found
        if each.start == 0 and each.kind != "name":
            put = put[:1].upper() + put[1:]
        corrected += [claim.text[done : each.start], put]
        done = each.end
        replacements.append(Replacement(start=start, end=start + len(each.stated), text=put))
    replacements.sort(key=lambda each: each.start)
    at, sentence = claim.sentence[0], list[str]()
    for each in replacements:
        sentence += [text[at : each.start], each.text]
        at = each.end
    return Proposal(
        claim="".join([*corrected, claim.text[done:]]),
        sentence=without_machine_marks("".join([*sentence, text[at : claim.sentence[1]]])),
        replacements=tuple(replacements),
    )
