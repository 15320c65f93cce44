"""The differences of fact between a statement and one passage."""

from __future__ import annotations

from itertools import islice

from citeguard.facts.names import name_contrasts
from citeguard.facts.negation import negation_contrasts
from citeguard.facts.numbers import number_contrasts
from citeguard.facts.qualifiers import qualifier_contrasts
from citeguard.facts.reading import MOST_THINGS, Contrast, Pair, read
from citeguard.facts.words import word_contrasts

_RULES = (
    negation_contrasts,
    number_contrasts,
    name_contrasts,
    word_contrasts,
    qualifier_contrasts,
)
_LONGEST = 6_000  # characters of either text that are read; statements and passages are shorter


def contrasts(statement: str, passage: str) -> tuple[Contrast, ...]:
    """Return where a statement and a passage differ in a fact, in the order of the statement.

    The statement may be a paraphrase. Words, numbers and names are compared where the words around
    them are alike in both texts, and by tables of English words; a difference that is not found is
    no proof that there is none. The kinds:

    - `negation`: one text denies what the other says ("no longer", "failed to", "un-"); two
      denials cancel. The only kind, beside `number`, that reads other languages than English.
    - `number`: another number, unit, currency, sign or date for the same thing, or two numbers that
      have changed places. Rounded numbers, ranges, bounds ("over 500"), number words, shares
      ("half") and units of one dimension are compared by what they mean.
    - `name`: another name in its place, two names that have changed places around a verb, or, with
      `found` empty, a name that the passage lacks although it has nearly all else.
    - `opposite`, `exclusive`: words of which only one can be true there ("rise" and "fall",
      "Monday" and "Tuesday"), or the two sides of a "than" that have changed places.
    - `quantity`: the statement claims more of a thing: "all" for "some", "only", "both" for "or",
      or a number that may be worked out of several.
    - `modality`: the statement claims more certainty: as a fact what "may" be, is planned or
      alleged, without "unless" or under another connective, "must" for "may", or with those who
      act and those acted on in each other's places.

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
    return tuple(sorted(found, key=lambda each: (each.start, each.end, each.kind)))
