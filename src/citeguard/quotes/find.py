"""Finds a quote in one text, verbatim or altered.

`find_verbatim` looks for the quote character by character. `find_quote` looks for its search form:
unchanged, then with edits, then with lines of the page in between, then segment by segment if it
has ellipses. Each place is compared with the quote in the originals, where a material difference
makes it an altered quote. For an ellipsis, what it omits is judged as well.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice, pairwise
from typing import Literal, get_args

from rapidfuzz.distance import Levenshtein, Prefix

from citeguard.language.formulas import formula_parts, raised_digits
from citeguard.language.number_words import NUMBER_WORDS
from citeguard.language.sentences import Interval
from citeguard.language.tokens import length_of, to_nearest_borders
from citeguard.quotes.borders import clipped, negator_after, widen
from citeguard.quotes.canonical import (
    ClearedText,
    PreparedText,
    Reading,
    SearchForm,
    outer_letters,
    search_letters,
)
from citeguard.quotes.differences import Edit, compare, omission
from citeguard.quotes.ellipsis import (
    FARTHEST,
    find_hidden,
    may_have_ellipsis,
    split_at_ellipses,
    without_ellipses,
)
from citeguard.quotes.equivalents import names_letter, other_letters, sign_named
from citeguard.quotes.framing import find_limit
from citeguard.quotes.search import LONGEST, occurrences, places_with_one_edit

Grade = Literal["exact", "normalized", "elided", "fuzzy", "equivalent", "uncertain"]

_GRADES: tuple[Grade, ...] = get_args(Grade)
# "^2", "^{-1}"
_TYPED_POWER = re.compile(r"\A\^\{?([-+−]?\d{1,3})\}?")
_BRACKETS = re.compile(r"\[[^\[\]]{2,80}\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    """A place in a text where a quote, or an altered form of it, appears.

    Attributes:
        intervals: The place, in code points; several intervals only if the quote is elided.
        grade: How near the quote's wording is to the source's.
        similarity: 1 minus edits per letter of the quote, 0 to 1.
        edits: The differences, harmless and material.
    """

    intervals: tuple[Interval, ...]
    grade: Grade
    similarity: float
    edits: tuple[Edit, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether no difference is material."""
        return not (self.edits and any(edit.material for edit in self.edits))

    @property
    def rank(self) -> tuple[int, int, float]:
        """A sort key; better occurrences have a lower one."""
        material = sum(edit.material for edit in self.edits)
        return material, _GRADES.index(self.grade), -self.similarity


class QuoteForm:
    """A quote and what is derived from it, once for all the texts in which it is looked for."""

    def __init__(self, quote: str, *, speech: bool = False) -> None:
        self.text = quote.strip()
        self.speech = speech  # whether it may leave out what a speaker does not mean to say

    @cached_property
    def letters(self) -> str:
        """The letters of the quote's search form."""
        return search_letters(self.text)

    @cached_property
    def outside(self) -> tuple[str, str]:
        """The punctuation and marks before the quote's first letter and after its last one."""
        start, end = outer_letters(self.text)
        parts = formula_parts(self.text, (0, start), (end, len(self.text)))
        plain = map(html.unescape, parts)
        outside = [each.replace("[x]", "☑").replace("[ ]", "☐") for each in plain]
        outside[1] = _TYPED_POWER.sub(lambda power: raised_digits(power[1]), outside[1])
        before, after = outside
        if may_have_ellipsis(self.text):
            before, after = map(without_ellipses, outside)
        # The source may have the sign.
        last = self.text[start:end].lower().split()[-1:]
        return before, "".join(map(sign_named, last)) + after

    @cached_property
    def variants(self) -> list[str]:
        """The search forms to look for: the quote's, and that without its editorial brackets."""
        bare = _BRACKETS.sub(" ", self.text) if "[" in self.text else self.text
        return [self.letters] if bare == self.text else [self.letters, search_letters(bare)]

    @cached_property
    def segments(self) -> list[QuoteForm]:
        """The quote's segments between ellipses; none if it has no ellipsis."""
        if not may_have_ellipsis(self.text):
            return []
        forms = (QuoteForm(each, speech=self.speech) for each in split_at_ellipses(self.text))
        return [each for each in forms if each.letters]  # not what is nothing but a mark


# Quotes with something in between: a page break puts heads, feet and numbers into a sentence, or
# the quote omits a clause without an ellipsis.

_END, _SHORTEST_END = 16, 2  # letters at either end of a quote from which a bridge starts
_LONGEST_BRIDGE = 600  # letters that may lie in between
_MOST = 4  # places of an end, and of the rest after each, that are tried


def _bridged_intervals(letters: str, source: PreparedText) -> list[Interval]:
    """Return the intervals of a search form that begin and end as a quote does, shortest first.

    From each place that has the quote's beginning, follows the quote as far as the text agrees and
    looks for the rest a little later; then the same from the quote's end, backwards.
    """
    end = min(_END, len(letters) // 3)
    if end < _SHORTEST_END:
        return []
    text, reach = source.form.letters, len(letters) + _LONGEST_BRIDGE
    spans: set[Interval] = set()
    for start, _ in islice(source.places(letters[:end]), _MOST):
        places = _ends(letters, text[start : start + reach], end)
        spans |= {(start, start + place) for place in places}
    for _, stop in islice(source.places(letters[-end:]), _MOST):
        backwards = text[max(0, stop - reach) : stop][::-1]
        spans |= {(stop - place, stop) for place in _ends(letters[::-1], backwards, end)}
    return sorted(spans, key=lambda span: span[1] - span[0])


def _ends(letters: str, text: str, end: int) -> Iterator[int]:
    """Yield, of a text that begins as the quote does, where it may end as the quote does."""
    common = Prefix.similarity(letters, text)
    rest = letters[common:]
    for wanted in {rest, rest[-end:]}:
        for place in islice(occurrences(wanted, text[common:]), _MOST):
            yield common + place + len(wanted)


# Quotes in one piece

_STOP = re.compile("[.!?;]")
ASKING = "?？؟"
# A quote that ends as a statement, and a source that asks: "It works." for "It works?".
_STATED = re.compile(f"[^{ASKING}]*[.。][^{ASKING}]*")
_ASKED = re.compile(rf"[*_]*\s?([{ASKING}])(?![\w.=&])")
# Candidates of one kind that are compared with a quote, and characters of the quote read for them:
# a very long quote is compared with fewer places.
_MOST_JUDGED, _MOST_READ = 32, 40_000


@dataclass(frozen=True, slots=True)
class _Scope:
    """A text, and the part of it, from `offset` on, in which to look."""

    text: str
    part: PreparedText
    offset: int = 0


def _whole(source: PreparedText) -> _Scope:
    return _Scope(source.text, source)


def _most_judged(quote: QuoteForm) -> int:
    return max(1, min(_MOST_JUDGED, _MOST_READ // max(1, len(quote.text))))


def _folded_places(quote: QuoteForm, scope: _Scope) -> Iterator[Occurrence]:
    """Yield the places that have all the quote's letters and digits, in the text's order."""
    return (_judge(quote, scope, letters) for letters in scope.part.places(quote.letters))


def _other_places(quote: QuoteForm, scope: _Scope) -> Iterator[Occurrence]:
    """Yield the places that may be the quote with edits or lines in between, likeliest first."""
    part = scope.part
    yield from islice(_raw_places(quote, scope), _most_judged(quote))
    for variant in quote.variants[1:]:
        yield from _judged(quote, scope, part.places(variant))
    seen: list[Interval] = []
    changed = ""
    for variant in quote.variants:
        near = [(each.start, each.end) for each in part.near_places(variant) if each.distance]
        seen += near[: _most_judged(quote)]
        for place in _judged(quote, scope, near, whole_tokens=True):
            yield place
            changed += "".join(f"{edit.quoted} {edit.source} " for edit in place.edits)
    short = places_with_one_edit(quote.letters, part.form.letters)
    yield from _judged(quote, scope, short, whole_tokens=True)
    for variant in quote.variants:
        bridged = (each for each in _bridged_intervals(variant, part) if each not in seen)
        for place in _judged(quote, scope, bridged):
            # Words of a short quote that are far apart show nothing.
            if place.accepted or place.similarity or length_of(variant) >= 2 * _END:
                yield place
    # What has other lengths: a number or a Greek letter, which may also be written in words.
    written = not NUMBER_WORDS.isdisjoint(changed.lower().replace("-", " ").split())
    unsure = not seen or written or names_letter(changed) or any(map(str.isdigit, changed))
    for letters in other_letters(quote.text) if unsure and len(quote.text) <= LONGEST else ():
        near = [(each.start, each.end) for each in part.near_places(letters)]
        yield from _judged(quote, scope, chain(part.places(letters), near), whole_tokens=True)
    for cleared in (*part.cleared, *(part.spoken if quote.speech else ())):
        other = _whole(cleared)
        places = chain(
            _judged(quote, other, cleared.places(quote.letters)), _other_places(quote, other)
        )
        yield from (_restored(place, cleared, scope) for place in places)


def _restored(place: Occurrence, cleared: ClearedText, scope: _Scope) -> Occurrence:
    """Return where a place of a cleared text is in the text itself."""
    (start, end), left_out = cleared.original(*place.intervals[0])
    words = (scope.part.text[low:high].strip() for low, high in left_out)
    edits = (
        Edit(operation="delete", quoted="", source=each, material=False, reason="page furniture")
        for each in words
    )
    interval = start + scope.offset, end + scope.offset
    return replace(place, intervals=(interval,), edits=(*edits, *place.edits))


def _judged(
    quote: QuoteForm, scope: _Scope, places: Iterable[Interval], *, whole_tokens: bool = False
) -> Iterator[Occurrence]:
    """Yield the likeliest places, compared; of a cleared text those that it joins."""
    part = scope.part
    for letters in islice(places, _most_judged(quote)):
        if not isinstance(part, ClearedText) or part.joins(*part.form.interval(*letters)):
            yield _judge(quote, scope, letters, whole_tokens=whole_tokens)


def _raw_places(quote: QuoteForm, scope: _Scope) -> Iterator[Occurrence]:
    """Yield the places that have all the quote's letters, those of marks and of markup included.

    What is a mark depends on what is around it. The same text must be found whatever it is read as.
    """
    readings: tuple[Reading, ...] = ("marks", "all")
    for reading in readings:
        letters, form = search_letters(quote.text, reading), scope.part.form_as(reading)
        if letters != quote.letters or form is not scope.part.form:
            for start in occurrences(letters, form.letters):
                yield _judge(quote, scope, (start, start + len(letters)), form=form)


def _judge(
    quote: QuoteForm,
    scope: _Scope,
    letters: Interval,
    *,
    form: SearchForm | None = None,
    whole_tokens: bool = False,
) -> Occurrence:
    """Compare a quote with an interval of the text's letters, in the originals."""
    form = form or scope.part.form
    start, end = (place + scope.offset for place in form.interval(*letters))
    if whole_tokens:  # with an edit at the quote's end, the interval may end inside a word
        start, end = to_nearest_borders(scope.text, start, end)
        if scope.text.startswith(";", end) and (cut := _ENTITY.search(scope.text, start, end)):
            end = cut.start()
    place = _judge_at(quote, scope, *widen(scope.text, start, end, *quote.outside))
    last = place.edits[-1] if place.edits else None
    if (
        last
        and last.material
        and last.operation == "insert"
        and quote.text.rstrip(_AFTER_WORDS).endswith(last.quoted.rstrip(_AFTER_WORDS))
    ):  # in place of the source's next words, which say what is wrong
        count = len(last.quoted.split())
        if more := re.compile(rf"(?:[ \t]*\n?[ \t]*\w+){{{count}}}\b").match(scope.text, end):
            return _judge_at(quote, scope, *widen(scope.text, start, more.end(), *quote.outside))
    if last and last.material and last.source and sign_named(last.quoted):
        # The source's sign, which approximate search does not look for, is before these words.
        rest = outer_letters(scope.text[start : end - len(last.source)])[1]
        return _judge_at(quote, scope, *widen(scope.text, start, start + rest, *quote.outside))
    return place


_ENTITY = re.compile(r"&#?\w{1,8}\Z")
_AFTER_WORDS = ".,;:!? \"'”’»)"


def _judge_at(quote: QuoteForm, scope: _Scope, start: int, end: int) -> Occurrence:
    """Compare a quote with an interval of the text, in code points."""
    words = scope.text[start:end]
    edits = compare(quote.text, scope.text, start, end)
    cut = clipped(scope.text, start, end)
    if not cut and scope.text[end - 1].isalnum() and _STOP.search(quote.outside[1]):
        cut = negator_after(scope.text, end)  # the quote has a full stop in place of "not"
    asked = _STATED.fullmatch(quote.outside[1]) and _ASKED.match(scope.text, end)
    if cut:
        edits = (*edits, omission(cut, "clipped"))
    elif limit := asked.span(1) if asked else find_limit(scope.text, start, end):
        edits = (*edits, omission(scope.text[slice(*limit)], "limit"))
    grade: Grade = "exact" if quote.text == words else _grade(edits, "normalized")
    for edit in edits:
        if edit.reason == "page furniture":
            words = words.replace(edit.source, "", 1)
    distance = Levenshtein.distance(quote.letters, search_letters(words))
    similarity = max(0.0, 1 - distance / len(quote.letters))
    return Occurrence(intervals=((start, end),), grade=grade, similarity=similarity, edits=edits)


def _grade(edits: tuple[Edit, ...], otherwise: Grade) -> Grade:
    reasons = {edit.reason for edit in edits}
    if "equivalent" in reasons:
        return "equivalent"
    return "fuzzy" if "spelling" in reasons and otherwise == "normalized" else otherwise


# Quotes with an ellipsis

_MOST_SEGMENTS = 20  # of which each is looked for in the whole text
_MOST_ANCHORS = 4  # places of the longest segment from which the others are looked for
_MARGIN = 40  # characters by which a segment's place may exceed twice the segment


def _elided_places(quote: QuoteForm, source: PreparedText) -> Iterator[Occurrence]:
    """Yield the places that have the segments between a quote's ellipses, judged together."""
    segments = quote.segments
    if not 1 < len(segments) <= _MOST_SEGMENTS or len(quote.text) > LONGEST:
        return
    longest = max(range(len(segments)), key=lambda i: len(segments[i].letters))
    anchors: list[Occurrence] = []
    for anchor in islice(_places(segments[longest], _whole(source)), _MOST_ANCHORS):
        anchors.append(anchor)
        before = _chain(segments[:longest][::-1], source, anchor, backwards=True)
        after = _chain(segments[longest + 1 :], source, anchor, backwards=False)
        if before is not None and after is not None:
            yield _joined([*before[::-1], anchor, *after], source.text)
    # Unless these were all places of the longest segment, and altered.
    if len(anchors) == _MOST_ANCHORS or any(anchor.accepted for anchor in anchors):
        yield from _scattered(segments, source)


def _places(segment: QuoteForm, scope: _Scope) -> Iterator[Occurrence]:
    folded = islice(_folded_places(segment, scope), _most_judged(segment))
    return chain(folded, _other_places(segment, scope))


def _chain(
    segments: list[QuoteForm], source: PreparedText, anchor: Occurrence, *, backwards: bool
) -> list[Occurrence] | None:
    """Return each segment's place, at most a passage from the one before, or `None`."""
    chained: list[Occurrence] = []
    for segment in segments:
        start, end = (chained[-1] if chained else anchor).intervals[0]
        room = FARTHEST + 2 * len(segment.text) + _MARGIN
        low, high = (max(0, start - room), start) if backwards else (end, end + room)
        scope = _Scope(source.text, source.part(low, high), low)
        nearest = _nearest_good(segment, scope, backwards=backwards)
        if nearest is None:
            return None
        chained.append(nearest)
    return chained


def _nearest_good(segment: QuoteForm, scope: _Scope, *, backwards: bool) -> Occurrence | None:
    """Return the place with the fewest material edits; of several, the one nearest the anchor."""
    most = _most_judged(segment)
    unchanged = [place for place in islice(_folded_places(segment, scope), most) if place.accepted]
    places = unchanged or list(islice(_places(segment, scope), most))
    fewest = min((place.rank[0] for place in places), default=0)
    good = [place for place in places if place.rank[0] == fewest]
    return (max if backwards else min)(good, key=lambda place: place.intervals, default=None)


def _joined(parts: list[Occurrence], text: str) -> Occurrence:
    gaps = [(a.intervals[0][1], b.intervals[0][0]) for a, b in pairwise(parts)]
    hidden = (edit for gap in gaps if (edit := find_hidden(text, *gap)))
    edits = (*(edit for part in parts for edit in part.edits), *hidden)
    return Occurrence(
        intervals=tuple(part.intervals[0] for part in parts),
        grade=_grade(edits, "elided"),
        similarity=sum(part.similarity for part in parts) / len(parts),
        edits=edits,
    )


def _scattered(segments: list[QuoteForm], source: PreparedText) -> Iterator[Occurrence]:
    """Yield the segments' places, if the text has all of them in another order or far apart."""
    scope = _whole(source)
    intervals: list[Interval] = []
    for segment in segments:
        place = next((place for place in _places(segment, scope) if place.accepted), None)
        if place is None:
            return
        intervals.append(place.intervals[0])
    reason = "different passages" if intervals == sorted(intervals) else "order"
    edits = (omission("…", reason),)
    intervals.sort()
    yield Occurrence(intervals=tuple(intervals), grade="elided", similarity=0.0, edits=edits)


# The best place

_HEAD = 64  # characters; CPython looks for much longer strings by a method that is slower here
_MOST_ALIKE = 8  # equally good places whose typography is compared


def find_verbatim(quote: QuoteForm, source: PreparedText) -> Occurrence | None:
    """Return the first place that has a quote character by character, not clipped, or `None`."""
    for start, end in _verbatim_intervals(quote.text, source.text):
        if not clipped(source.text, start, end) and not find_limit(source.text, start, end):
            return Occurrence(intervals=((start, end),), grade="exact", similarity=1.0)
    return None


def _verbatim_intervals(quote: str, text: str) -> Iterator[Interval]:
    """Yield where a text has a quote character by character, at most once in a token."""
    head = quote[:_HEAD]
    start = text.find(head) if quote else -1
    while start >= 0:
        if text.startswith(quote, start):
            yield start, start + len(quote)
            # Within one run of letters, later occurrences are clipped as well.
            while start + 1 < len(text) and text[start].isalnum() and text[start + 1].isalnum():
                start += 1
        start = text.find(head, start + 1)


def find_quote(quote: QuoteForm, source: PreparedText) -> Occurrence | None:
    """Return the best place of a quote in a text, accepted or altered, or `None`."""
    scope = _whole(source)
    folded = list(islice(_folded_places(quote, scope), _most_judged(quote)))
    if accepted := [place for place in folded if place.accepted][:_MOST_ALIKE]:

        def likeness(place: Occurrence) -> float:
            return Levenshtein.normalized_similarity(
                quote.text, source.text[slice(*place.intervals[0])]
            )

        return max(accepted, key=likeness) if len(accepted) > 1 else accepted[0]
    others: list[Occurrence] = []
    for place in _other_places(quote, scope):
        if place.accepted:
            return place
        others.append(place)
    if len(quote.segments) == 1 and quote.segments[0].text != quote.text:
        place = find_quote(quote.segments[0], source)  # without the ellipsis at its ends
        if place is not None and place.accepted:
            return place
    # Segments explain more than a poor match of the whole quote with its ellipses.
    elided: list[Occurrence] = []
    for place in _elided_places(quote, source):
        elided.append(place)
        if place.accepted:
            break
    return min((*folded, *(elided or others)), key=lambda place: place.rank, default=None)


def accepted_places(quote: QuoteForm, source: PreparedText) -> Iterator[Occurrence]:
    """Yield the places that differ from a quote in typography at most, in the text's order."""
    return (place for place in _folded_places(quote, _whole(source)) if place.accepted)
