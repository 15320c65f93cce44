"""Places where a quote may stand in one piece, each compared with the quote by the guard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from rapidfuzz.distance import Levenshtein

from citeguard.language.tokens import to_word_borders
from citeguard.quotes.borders import clipped, negator_after, widen
from citeguard.quotes.bridge import bridged_intervals
from citeguard.quotes.canonical import search_letters
from citeguard.quotes.edits import Edit, left_out
from citeguard.quotes.guard import Passage, compare
from citeguard.quotes.index import PreparedText
from citeguard.quotes.quote import Found, Grade, Interval, QuoteForm

_SLIPS = frozenset(["spelling"])  # harmless edits that make a match fuzzy, not merely normalized
_STOP = re.compile("[.!?;]")
# Candidates of one kind that the guard looks at, and the characters of quote it reads for them: a
# very long quote is compared with fewer places.
_MOST_JUDGED, _MOST_READ = 32, 40_000


@dataclass(frozen=True, slots=True)
class Scope:
    """A text, and the part of it, from `offset` on, in which to look."""

    text: str
    part: PreparedText
    offset: int = 0


def scope_of(source: PreparedText) -> Scope:
    """Return the scope that is a whole text."""
    return Scope(source.text, source)


def most_judged(quote: QuoteForm) -> int:
    """Return how many candidates of one kind to compare with a quote."""
    return max(1, min(_MOST_JUDGED, _MOST_READ // max(1, len(quote.text))))


def folded_places(quote: QuoteForm, scope: Scope) -> Iterator[Found]:
    """Yield the places where a quote's own letters stand, judged, in the text's order."""
    return (_judge(quote, scope, letters) for letters in scope.part.places(quote.letters))


def other_places(quote: QuoteForm, scope: Scope) -> Iterator[Found]:
    """Yield the places where a quote may stand with edits or with lines in between, judged.

    The likelier ones come first.
    """
    seen: set[Interval] = set()
    most = most_judged(quote)
    for reading in quote.readings[1:]:
        for letters in islice(scope.part.places(reading), most):
            yield _judge(quote, scope, letters)
    for reading in quote.readings:
        for candidate in islice(scope.part.near_places(reading), most):
            if candidate.distance:
                seen.add((candidate.start, candidate.end))
                yield _judge(quote, scope, (candidate.start, candidate.end), whole_tokens=True)
    for reading in quote.readings:
        for letters in islice(bridged_intervals(reading, scope.part), most):
            if letters not in seen:
                yield _judge(quote, scope, letters)


def _judge(
    quote: QuoteForm, scope: Scope, letters: Interval, *, whole_tokens: bool = False
) -> Found:
    """Compare a quote with an interval of the text's letters, in the originals."""
    start, end = (place + scope.offset for place in scope.part.form.interval(*letters))
    if whole_tokens:  # an edit at the quote's end leaves open where the interval ends
        start, end = to_word_borders(scope.text, start, end)
    start, end = widen(scope.text, start, end, *quote.outside)
    edits = compare(quote.text, Passage(scope.text, start, end))
    if torn := clipped(scope.text, start, end) or _negator_stopped_at(quote, scope.text, end):
        edits = (*edits, left_out(torn, "clipped"))
    return Found(
        intervals=((start, end),),
        grade=_grade(quote.text, scope.text[start:end], edits),
        similarity=_similarity(quote.letters, _without_furniture(scope.text[start:end], edits)),
        edits=edits,
    )


def _negator_stopped_at(quote: QuoteForm, text: str, end: int) -> str:
    """Return the negator that a quote puts its own full stop in the place of, or ""."""
    stops = text[end - 1].isalnum() and _STOP.search(quote.outside[1])
    return negator_after(text, end) if stops else ""


def _grade(quote: str, words: str, edits: tuple[Edit, ...]) -> Grade:
    if any(edit.reason in _SLIPS for edit in edits):
        return "fuzzy"
    return "exact" if quote == words else "normalized"


def _without_furniture(words: str, edits: tuple[Edit, ...]) -> str:
    for edit in edits:
        if edit.reason == "page furniture":
            words = words.replace(edit.source, "", 1)
    return words


def _similarity(letters: str, words: str) -> float:
    return max(0.0, 1 - Levenshtein.distance(letters, search_letters(words)) / len(letters))
