"""Bridges: where a text has more in the midst of a quote than the edit budget allows.

A page break puts heads, feet and numbers into a sentence, and a quote may leave a clause out. From
every place where the quote's beginning stands, follow it as far as it goes, then look for the rest
a little later; and the same from its end, backwards. What lies between is the guard's to judge.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from citeguard.quotes.index import PreparedText
from citeguard.quotes.quote import Interval

_END, _SHORTEST_END = 16, 2  # letters at either end of a quote that a bridge stands on
_LONGEST = 600  # letters that may lie in between
_MOST = 4  # places of an end, and of the rest after each, that are tried


def bridged_intervals(letters: str, source: PreparedText) -> list[Interval]:
    """Return the intervals of a search form that begin and end as a quote does, shortest first."""
    end = min(_END, len(letters) // 3)
    if end < _SHORTEST_END:
        return []
    text, reach = source.form.letters, len(letters) + _LONGEST
    spans: set[Interval] = set()
    for start, _ in islice(source.places(letters[:end]), _MOST):
        for low, high in _rests(letters, text[start : start + reach], end):
            spans.add((start + low, start + high))
    for _, stop in islice(source.places(letters[-end:]), _MOST):
        backwards = text[max(0, stop - reach) : stop][::-1]
        for low, high in _rests(letters[::-1], backwards, end):
            spans.add((stop - high, stop - low))
    return sorted(spans, key=lambda span: span[1] - span[0])


def _rests(letters: str, text: str, end: int) -> Iterator[Interval]:
    """Yield how far a text, which begins as the quote does, goes until the quote's end."""
    met = _common_prefix(letters, text)
    rest = letters[met:]
    for wanted in {rest, rest[-end:]}:
        place = text.find(wanted, met) if wanted else -1
        for _ in range(_MOST):
            if place < 0:
                break
            yield 0, place + len(wanted)
            place = text.find(wanted, place + 1)


def _common_prefix(one: str, other: str) -> int:
    """Return how many characters two strings begin with alike, by bisection."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        met = other.startswith(one[low:middle], low)
        low, high = (middle, high) if met else (low, middle - 1)
    return low
