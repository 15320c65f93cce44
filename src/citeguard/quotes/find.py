"""Find a quote in one text: verbatim, or by its search form with the guard's word on each place."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rapidfuzz.distance import Levenshtein

from citeguard.quotes.borders import clipped
from citeguard.quotes.elided import elided_places
from citeguard.quotes.index import PreparedText
from citeguard.quotes.quote import Found, Interval, QuoteForm
from citeguard.quotes.whole import folded_places, most_judged, other_places, scope_of

_HEAD = 64  # characters; CPython looks for much longer strings by a method that is slower here
_MOST_ALIKE = 8  # equally good places that are compared for their typography


def find_verbatim(quote: QuoteForm, source: PreparedText) -> Found | None:
    """Return the first place where a quote stands to the character, not cut through a token."""
    for start, end in _verbatim_intervals(quote.text, source.text):
        if not clipped(source.text, start, end):
            return Found(intervals=((start, end),), grade="exact", similarity=1.0)
    return None


def _verbatim_intervals(quote: str, text: str) -> Iterator[Interval]:
    """Yield where a quote stands character by character, one place a token at most."""
    head = quote[:_HEAD]
    start = text.find(head) if quote else -1
    while start >= 0:
        if text.startswith(quote, start):
            yield start, start + len(quote)
            start = _next_token(text, start) - 1
        start = text.find(head, start + 1)


def _next_token(text: str, position: int) -> int:
    # Within one run of letters every later occurrence is clipped as well: "aaaa" in "a" * 100_000.
    step = position + 1
    while step < len(text) and text[step - 1].isalnum() and text[step].isalnum():
        step += 1
    return step


def find_quote(quote: QuoteForm, source: PreparedText) -> Found | None:
    """Return the best place of a quote in a text, accepted or altered, or `None`."""
    scope = scope_of(source)
    folded = list(islice(folded_places(quote, scope), most_judged(quote)))
    if accepted := [found for found in folded if found.accepted]:
        return _most_alike(quote, source, accepted[:_MOST_ALIKE])
    others: list[Found] = []
    for found in other_places(quote, scope):
        if found.accepted:
            return found
        others.append(found)
    # Of an elided quote that is nowhere in one piece, its segments tell more than a whole.
    elided = list(_up_to_accepted(elided_places(quote, source)))
    return min((*folded, *(elided or others)), key=lambda found: found.rank, default=None)


def _up_to_accepted(places: Iterator[Found]) -> Iterator[Found]:
    for found in places:
        yield found
        if found.accepted:
            return


def _most_alike(quote: QuoteForm, source: PreparedText, places: list[Found]) -> Found:
    """Of the places where a quote stands but for typography, return the most alike."""

    def likeness(found: Found) -> float:
        start, end = found.intervals[0]
        return Levenshtein.normalized_similarity(quote.text, source.text[start:end])

    return max(places, key=likeness) if len(places) > 1 else places[0]


def accepted_places(quote: QuoteForm, source: PreparedText) -> Iterator[Found]:
    """Yield every place where a quote stands but for its typography, in the text's order."""
    return (found for found in folded_places(quote, scope_of(source)) if found.accepted)
