"""Places of an elided quote: its segments, in order, each near the one before."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice, pairwise

from citeguard.quotes.edits import left_out
from citeguard.quotes.elision import MOST_SWALLOWED, swallowed
from citeguard.quotes.index import PreparedText
from citeguard.quotes.quote import Found, Interval, QuoteForm
from citeguard.quotes.whole import Scope, folded_places, most_judged, other_places, scope_of

_MOST_SEGMENTS = 20
_MOST_ANCHORS = 4  # places of the longest segment from which the others are looked for
_LONGEST = 4_000  # letters; a longer quote is quoted in full or not at all
_MARGIN = 40  # characters that a segment's place may be longer than twice the segment


def elided_places(quote: QuoteForm, source: PreparedText) -> Iterator[Found]:
    """Yield the places where the segments between a quote's ellipses stand, judged together."""
    segments = quote.segments
    if not 1 < len(segments) <= _MOST_SEGMENTS or len(quote.text) > _LONGEST:
        return
    longest = max(range(len(segments)), key=lambda i: len(segments[i].letters))
    for anchor in islice(_places(segments[longest], scope_of(source)), _MOST_ANCHORS):
        before = _chain(segments[:longest][::-1], source, anchor, backwards=True)
        after = _chain(segments[longest + 1 :], source, anchor, backwards=False)
        if before is not None and after is not None:
            yield _joined([*before[::-1], anchor, *after], source.text)
    yield from _scattered(segments, source)


def _places(segment: QuoteForm, scope: Scope) -> Iterator[Found]:
    folded = islice(folded_places(segment, scope), most_judged(segment))
    return chain(folded, other_places(segment, scope))


def _chain(
    segments: list[QuoteForm], source: PreparedText, anchor: Found, *, backwards: bool
) -> list[Found] | None:
    """Find each segment next to the one before it, a passage away at most; `None` if one is not."""
    chained: list[Found] = []
    for segment in segments:
        start, end = (chained[-1] if chained else anchor).intervals[0]
        room = MOST_SWALLOWED + 2 * len(segment.text) + _MARGIN
        low, high = (max(0, start - room), start) if backwards else (end, end + room)
        scope = Scope(source.text, PreparedText(source.text[low:high]), low)
        found = _nearest_good(segment, scope, backwards=backwards)
        if found is None:
            return None
        chained.append(found)
    return chained


def _nearest_good(segment: QuoteForm, scope: Scope, *, backwards: bool) -> Found | None:
    """Return the place of fewest material edits that is nearest to where the scope begins."""
    founds = list(islice(_places(segment, scope), most_judged(segment)))
    if not founds:
        return None
    fewest = min(found.rank[0] for found in founds)
    good = [found for found in founds if found.rank[0] == fewest]
    return (max if backwards else min)(good, key=lambda found: found.intervals)


def _joined(parts: list[Found], text: str) -> Found:
    gaps = [(a.intervals[0][1], b.intervals[0][0]) for a, b in pairwise(parts)]
    hidden = (edit for gap in gaps if (edit := swallowed(text, *gap)))
    return Found(
        intervals=tuple(part.intervals[0] for part in parts),
        grade="elided",
        similarity=sum(part.similarity for part in parts) / len(parts),
        edits=(*(edit for part in parts for edit in part.edits), *hidden),
    )


def _scattered(segments: list[QuoteForm], source: PreparedText) -> Iterator[Found]:
    """The segments each stand in the text, but in another order or in different passages."""
    scope = scope_of(source)
    intervals: list[Interval] = []
    for segment in segments:
        place = next((found for found in _places(segment, scope) if found.accepted), None)
        if place is None:
            return
        intervals.append(place.intervals[0])
    reason = "different passages" if intervals == sorted(intervals) else "order"
    edits = (left_out("…", reason),)
    yield Found(intervals=tuple(sorted(intervals)), grade="elided", similarity=0.0, edits=edits)
