"""The differences of fact between a statement and one passage."""

from __future__ import annotations

from itertools import islice

from citeguard.facts.names import name_contrasts
from citeguard.facts.negation import negation_contrasts
from citeguard.facts.numbers import number_contrasts
from citeguard.facts.qualifiers import qualifier_contrasts
from citeguard.facts.reading import (
    MOST_THINGS,
    Contrast,
    Pair,
    Reading,
    Slice,
    contrast,
    read,
)
from citeguard.facts.words import word_contrasts

_RULES = (
    negation_contrasts,
    number_contrasts,
    name_contrasts,
    word_contrasts,
    qualifier_contrasts,
)
_MOST_AROUND = 4  # words on either side of two that are the same
_LONGEST = 6_000  # characters read of either text; statements and passages are shorter


def contrasts(statement: str, passage: str) -> tuple[Contrast, ...]:
    """Return where a statement and a passage differ in a fact, in the order of the statement.

    The statement may be a paraphrase. Words, numbers and names are compared where the words around
    them are similar in both texts, and by tables of English words. An empty result does not prove
    that the texts agree. The kinds:

    - `negation`: one text denies what the other says ("no longer", "failed to", "un-"); two
      denials cancel. Apart from `number`, the only kind found in languages other than English.
    - `number`: a different number, unit, currency, sign or date for the same thing, or two numbers
      that are exchanged. Rounded numbers, ranges, bounds ("over 500"), number words, shares
      ("half") and units of one dimension are compared by their meaning.
    - `name`: a different name in its place, or, with `found` empty, a name that the passage lacks
      although it has nearly everything else.
    - `opposite`, `exclusive`: words of which only one can be true ("rise" and "fall", "Monday" and
      "Tuesday").
    - `quantity`: the statement claims more: "all" for "some", "only", or "both" for "either".
    - `modality`: the statement claims more certainty: it states as a fact what "may" be, is planned
      or alleged, omits an "unless", an "if", an "only" or who said it, has another connective, or
      "must" for "may".
    - `roles`: the statement exchanges those who act and those acted on, or what is compared with
      what.

    No model is called. Only the first 6,000 characters of a text and a dozen places of a word are
    read; there are at most a few hundred contrasts. An empty text has none.

    Args:
        statement: One claim.
        passage: One sentence, or a few.

    Examples:
        >>> found = contrasts("The drug was not approved.", "The drug was approved in May.")
        >>> [(contrast.kind, contrast.stated, contrast.found) for contrast in found]
        [('negation', 'not approved', 'approved')]
    """
    pair = Pair(read(statement[:_LONGEST]), read(passage[:_LONGEST]))
    found = {_shown(pair, each) for rule in _RULES for each in islice(rule(pair), MOST_THINGS)}
    return tuple(
        sorted(found, key=lambda each: (each.start, each.end, each.kind, each.passage_start))
    )


def _shown(pair: Pair, found: Contrast) -> Contrast:
    """Return a contrast between the same words with the words around them, so that it is seen."""
    sides = (
        (pair.statement, found.start, found.end),
        (pair.passage, found.passage_start, found.passage_end),
    )
    for reach in range(_MOST_AROUND + 1):
        stated, passage = (_widened(*side, reach) for side in sides)
        if stated.text.casefold() != passage.text.casefold():
            return found if not reach else contrast(found.kind, stated, passage)
    return found


def _widened(reading: Reading, start: int, end: int, reach: int) -> Slice:
    if start == end:
        return reading.between(start, end)
    first, last = reading.place_at(start), reading.place_at(end - 1)
    sentence = reading.sentence(first)
    return reading.slice(
        max(sentence.start, first - reach), max(last, min(sentence.stop - 1, last + reach))
    )
