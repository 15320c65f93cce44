"""Find a quote in one text: candidates from the search form, judged by the guard, best first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, pairwise
from typing import Literal

from rapidfuzz.distance import Levenshtein

from citeguard.text.borders import clipped, to_word_borders, widen
from citeguard.text.canonical import SearchForm
from citeguard.text.edits import Edit
from citeguard.text.elision import MOST_SWALLOWED, split_at_ellipses, swallowed
from citeguard.text.guard import Passage, compare
from citeguard.text.index import PreparedText

Grade = Literal["exact", "normalized", "elided", "fuzzy"]
Interval = tuple[int, int]  # half-open, code points of the original text

_GRADES: tuple[Grade, ...] = ("exact", "normalized", "elided", "fuzzy")
_SLIPS = frozenset(["spelling"])  # harmless edits that make a match fuzzy, not merely normalized
_MOST_JUDGED = 32  # candidates of one kind that the guard looks at
_BRIDGE_END = 16  # letters at either end of a quote that a bridge across inserted lines stands on
_BRACKETS = re.compile(r"\[[^\[\]]{2,80}\]")
_SHORTEST_BRIDGE_END = 2
_LONGEST_BRIDGE = 600  # letters that may stand in between
_MOST_BRIDGES = 4
_MOST_SEGMENTS = 20
_MOST_PLACES = 1_000  # places of a quote's search form that the guard looks at
_MOST_COMPARED = 8  # equally good places that are compared for their typography


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A place where a quote, or an altered form of it, stands in a text.

    Attributes:
        intervals: where; several only when the quote is elided.
        grade: how near the quote's wording is to the source's.
        similarity: 1 minus edits per letter of the quote, 0 to 1.
        edits: the differences, harmless and material.
    """

    intervals: tuple[Interval, ...]
    grade: Grade
    similarity: float
    edits: tuple[Edit, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether no difference is material."""
        return not any(edit.material for edit in self.edits)

    @property
    def rank(self) -> tuple[int, int, float]:
        """Sorts the better find first."""
        material = sum(edit.material for edit in self.edits)
        return material, _GRADES.index(self.grade), -self.similarity


class QuoteForm:
    """A quote and what is derived from it, once for all the texts it is sought in."""

    def __init__(self, quote: str) -> None:
        self.text = quote.strip()

    @cached_property
    def form(self) -> SearchForm:
        """The quote's search form, and where each letter stands in the quote."""
        return SearchForm(self.text)

    @property
    def letters(self) -> str:
        """The letters of the quote's search form."""
        return self.form.letters

    @cached_property
    def outside(self) -> tuple[str, str]:
        """What stands before the quote's first letter and after its last: punctuation and marks."""
        start, end = self.form.interval(0, len(self.letters))
        return self.text[:start], self.text[end:]

    @cached_property
    def readings(self) -> list[str]:
        """The search forms to look for: the quote's, and that without its editorial brackets."""
        bare = _BRACKETS.sub(" ", self.text) if "[" in self.text else self.text
        return [self.letters] if bare == self.text else [self.letters, SearchForm(bare).letters]

    @cached_property
    def segments(self) -> list[QuoteForm]:
        """The quote's segments between ellipses; fewer than two when there is no ellipsis."""
        return [QuoteForm(segment) for segment in split_at_ellipses(self.text)]


def find_verbatim(quote: QuoteForm, source: PreparedText) -> Found | None:
    """Return the first place where a quote stands to the character, not cut through a token."""
    for start, end in verbatim_intervals(quote.text, source.text):
        if not clipped(source.text, start, end):
            return Found(intervals=((start, end),), grade="exact", similarity=1.0)
    return None


def verbatim_intervals(quote: str, text: str) -> Iterator[Interval]:
    """Yield where a quote stands character by character, one place a token at most."""
    start = text.find(quote) if quote else -1
    while start >= 0:
        yield start, start + len(quote)
        start = text.find(quote, _next_token(text, start))


def _next_token(text: str, position: int) -> int:
    # Within one run of letters every later occurrence is clipped as well: "aaaa" in "a" * 100_000.
    step = position + 1
    while step < len(text) and text[step - 1].isalnum() and text[step].isalnum():
        step += 1
    return step


@dataclass(frozen=True, slots=True)
class _Scope:
    """A text, and the part of it, from `offset` on, in which to look."""

    text: str
    part: PreparedText
    offset: int = 0

    def interval(self, letters: Interval) -> Interval:
        start, end = self.part.form.interval(*letters)
        return start + self.offset, end + self.offset


def find_quote(quote: QuoteForm, source: PreparedText) -> Found | None:
    """Return the best place of a quote in a text, accepted or altered, or `None`."""
    if (best := _most_alike(quote, source)) is not None:
        return best
    scope = _Scope(source.text, source)
    for found in chain(_whole(quote, scope), _elided(quote, source)):
        if best is None or found.rank < best.rank:
            best = found
        if found.accepted:
            break
    return best


def _most_alike(quote: QuoteForm, source: PreparedText) -> Found | None:
    """Of the places where a quote stands but for typography, return the most alike."""

    def likeness(found: Found) -> float:
        start, end = found.intervals[0]
        return Levenshtein.normalized_similarity(quote.text, source.text[start:end])

    places = list(islice(accepted_places(quote, source), _MOST_COMPARED))
    return max(places, key=likeness) if len(places) > 1 else next(iter(places), None)


def folded_intervals(letters: str, source: PreparedText) -> Iterator[Interval]:
    """Yield where the search form of a quote stands in that of a text, in letters."""
    start = source.form.letters.find(letters) if letters else -1
    while start >= 0:
        yield start, start + len(letters)
        start = source.form.letters.find(letters, start + 1)


def accepted_places(quote: QuoteForm, source: PreparedText) -> Iterator[Found]:
    """Yield every place where a quote stands but for its typography, in the text's order."""
    scope = _Scope(source.text, source)
    for letters in islice(folded_intervals(quote.letters, source), _MOST_PLACES):
        found = _judge(quote, scope, letters)
        if found.accepted:
            yield found


def _whole(quote: QuoteForm, scope: _Scope) -> Iterator[Found]:
    """Every place where the quote may stand in one piece, judged; the likelier ones first."""
    for stage in (folded_intervals, _approximate, _bridged):
        for reading in quote.readings:
            for letters in islice(stage(reading, scope.part), _MOST_JUDGED):
                yield _judge(quote, scope, letters, whole_tokens=stage is _approximate)


def _approximate(letters: str, source: PreparedText) -> Iterator[Interval]:
    return ((c.start, c.end) for c in source.pieces.find(letters) if c.distance)


def _bridged(letters: str, source: PreparedText) -> Iterator[Interval]:
    """Where the text has more in the midst of the quote than the budget allows: a page break.

    From every place of the quote's beginning as far as it goes, then on to the rest of the quote a
    little later; and the same from its end, backwards.
    """
    reach = min(_BRIDGE_END, len(letters) // 3)
    if reach < _SHORTEST_BRIDGE_END:
        return iter(())
    text = source.form.letters
    spans = {
        *_bridges(letters, text, reach),
        *((len(text) - e, len(text) - s) for s, e in _bridges(letters[::-1], text[::-1], reach)),
    }
    return iter(sorted(spans, key=lambda span: span[1] - span[0]))


def _common_prefix(letters: str, text: str, start: int) -> int:
    """Return how many letters stand in the text from a place on, by bisection."""
    low, high = 0, len(letters)
    while low < high:
        middle = (low + high + 1) // 2
        met = text.startswith(letters[low:middle], start + low)
        low, high = (middle, high) if met else (low, middle - 1)
    return low


def _bridges(letters: str, text: str, reach: int) -> Iterator[Interval]:
    start = text.find(letters[:reach])
    for _ in range(_MOST_BRIDGES):
        if start < 0:
            return
        met = _common_prefix(letters, text, start)
        rest = letters[met:]
        for wanted in (rest, rest[-reach:]):
            end = text.find(wanted, start + met, start + len(letters) + _LONGEST_BRIDGE)
            for _ in range(_MOST_BRIDGES if end >= 0 else 0):
                yield start, end + len(wanted)
                end = text.find(wanted, end + 1, start + len(letters) + _LONGEST_BRIDGE)
                if end < 0:
                    break
        start = text.find(letters[:reach], start + 1)


def _judge(
    quote: QuoteForm, scope: _Scope, letters: Interval, *, whole_tokens: bool = False
) -> Found:
    """Compare a quote with an interval of the text's letters, in the originals."""
    start, end = scope.interval(letters)
    if whole_tokens:  # an edit at the quote's end leaves open where the interval ends
        start, end = to_word_borders(scope.text, start, end)
    start, end = widen(scope.text, start, end, *quote.outside)
    edits = compare(quote.text, Passage(scope.text, start, end))
    if torn := clipped(scope.text, start, end):
        edits = (*edits, _left_out(torn, "clipped"))
    slips = any(edit.reason in _SLIPS for edit in edits)
    distance = Levenshtein.distance(quote.letters, scope.part.form.letters[slice(*letters)])
    return Found(
        intervals=((start, end),),
        grade="fuzzy" if slips else _typographic_grade(quote.text, scope.text[start:end]),
        similarity=max(0.0, 1 - distance / len(quote.letters)),
        edits=edits,
    )


def _typographic_grade(quote: str, words: str) -> Grade:
    return "exact" if quote == words else "normalized"


def _left_out(words: str, reason: str) -> Edit:
    return Edit(operation="delete", quoted="", source=words, material=True, reason=reason)


def _elided(quote: QuoteForm, source: PreparedText) -> Iterator[Found]:
    """The segments of an elided quote, in order, each near the one before."""
    segments = quote.segments
    if not 1 < len(segments) <= _MOST_SEGMENTS:
        return
    longest = max(range(len(segments)), key=lambda i: len(segments[i].letters))
    anchors = list(islice(_whole(segments[longest], _Scope(source.text, source)), _MOST_JUDGED))
    for anchor in anchors:
        before = _chain(segments[:longest][::-1], source, anchor, backwards=True)
        after = _chain(segments[longest + 1 :], source, anchor, backwards=False)
        if before is not None and after is not None:
            yield _joined([*before[::-1], anchor, *after], source.text)
    yield from _scattered(segments, source)


def _chain(
    segments: list[QuoteForm], source: PreparedText, anchor: Found, *, backwards: bool
) -> list[Found] | None:
    """Find each segment next to the one before it, a passage away at most; `None` if one is not."""
    chained: list[Found] = []
    for segment in segments:
        start, end = (chained[-1] if chained else anchor).intervals[0]
        room = MOST_SWALLOWED + 2 * len(segment.text) + 40
        low, high = (max(0, start - room), start) if backwards else (end, end + room)
        scope = _Scope(source.text, PreparedText(source.text[low:high]), low)
        found = _nearest_good(
            list(islice(_whole(segment, scope), _MOST_JUDGED)), backwards=backwards
        )
        if found is None:
            return None
        chained.append(found)
    return chained


def _nearest_good(founds: list[Found], *, backwards: bool) -> Found | None:
    if not founds:
        return None
    fewest = min(found.rank[0] for found in founds)
    good = [found for found in founds if found.rank[0] == fewest]
    return (max if backwards else min)(good, key=lambda found: found.intervals)


def _joined(parts: list[Found], text: str) -> Found:
    edits = [edit for part in parts for edit in part.edits]
    gaps = [(a.intervals[0][1], b.intervals[0][0]) for a, b in pairwise(parts)]
    edits.extend(edit for gap in gaps if (edit := swallowed(text, *gap)))
    return Found(
        intervals=tuple(part.intervals[0] for part in parts),
        grade="elided",
        similarity=sum(part.similarity for part in parts) / len(parts),
        edits=tuple(edits),
    )


def _scattered(segments: list[QuoteForm], source: PreparedText) -> Iterator[Found]:
    """The segments each stand in the text, but in another order or in different passages."""
    scope = _Scope(source.text, source)
    places = [next((f for f in _whole(segment, scope) if f.accepted), None) for segment in segments]
    found = [place for place in places if place is not None]
    if len(found) == len(segments):
        intervals = [place.intervals[0] for place in found]
        ordered = intervals == sorted(intervals)
        edit = _left_out("…", "different passages" if ordered else "order")
        yield Found(
            intervals=tuple(sorted(intervals)), grade="elided", similarity=0.0, edits=(edit,)
        )
