"""Find a quote in one text: verbatim, or by its search form, each place judged by the guard.

Quotes with an ellipsis are found segment by segment; what the ellipsis omits is judged, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, pairwise
from typing import Literal

from rapidfuzz.distance import Levenshtein

from citeguard.language import lexicon, quantities
from citeguard.language.abbreviations import ends_in_abbreviation
from citeguard.language.scripts import is_unspaced
from citeguard.language.tokens import to_word_borders, tokenize
from citeguard.quotes.borders import clipped, negator_after, widen
from citeguard.quotes.canonical import PreparedText, outer_letters, search_letters
from citeguard.quotes.differences import Edit, Passage, compare, left_out

_ELLIPSIS = re.compile(
    r"\s*(?:[\[(]\s*(?:\.\s?\.\s?\.|…|⋯|snip|omitted)\s*\.?\s*[\])]|(?:\.\s?){2,}\.|…+|⋯+)\s*"
)
_FEWEST_DOTS, _SIGNS = 3, ("…", "⋯", "snip", "omitted")  # without these there is no ellipsis
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_SENTENCE_END = re.compile(r"[.!?][\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z0-9])|[。！？]|\n[ \t]*\n")
_LOOK_BACK, _LOOK_AHEAD = 20, 4  # characters read around a gap to tell where a sentence ends
_STOPS = tuple(".!?。！？")
MOST_SWALLOWED = 500  # characters between two segments: two or three sentences, one passage
_NEGATORS = lexicon.NEGATORS - {"non"}  # a prefix denies its own word, left out with it

_HEDGES = lexicon.HEDGES | lexicon.PHRASES


def split_at_ellipses(quote: str) -> list[str]:
    """Return the segments of a quote between its ellipses, blank ones left out.

    Examples:
        >>> split_at_ellipses("The drug [...] was safe…")
        ['The drug', 'was safe']
    """
    # The pattern is costly; most quotes have nothing like it.
    if quote.count(".") < _FEWEST_DOTS and not any(sign in quote for sign in _SIGNS):
        return [quote] if any(map(str.isalnum, quote)) else []
    return [part for part in _ELLIPSIS.split(quote) if any(map(str.isalnum, part))]


def without_ellipses(text: str) -> str:
    """Return a text with a blank for each of its ellipses."""
    return _ELLIPSIS.sub(" ", text)


def swallowed(text: str, start: int, end: int) -> Edit | None:
    """Return the material edit that an ellipsis hides in `text[start:end]`, or `None`.

    Only the sentences that the ellipsis breaks open count: a sentence left out whole is left out
    openly. A gap across paragraphs, or a longer one than a passage, is one in itself, and so is
    one from the midst of a sentence to the midst of another: it makes a third sentence of two.
    """
    gap = text[start:end]
    if len(gap) > MOST_SWALLOWED or _PARAGRAPH.search(gap):
        return left_out(gap.strip(), "different passages")
    parts = _broken_sentences(text, start, end)
    if len(parts) > 1 and all(any(map(str.isalnum, part)) for part in parts):
        return left_out(gap.strip(), "two sentences joined")
    keys = [[token.key for token in tokenize(part)] for part in parts]
    for part, tokens in zip(parts, keys, strict=True):
        if hidden := next((key for key in tokens if key in _NEGATORS or key.endswith("n't")), None):
            return left_out(hidden, "negation")
        if hidden := _hedge_in(part, tokens):
            return left_out(hidden, "qualifier")
    first, last = keys[0], keys[-1]
    if first and first[0] in quantities.MAGNITUDE_WORDS:  # "ten … dollars" hides "million"
        return left_out(first[0], "number")
    quantifier = (last[:-1] if last[-1:] == ["of"] else last)[-1:]
    if quantifier and quantifier[0] in lexicon.QUANTIFIERS:
        return left_out(quantifier[0], "qualifier")
    return None


def _hedge_in(part: str, tokens: list[str]) -> str | None:
    """Return the first hedge among some words, or in a text of a script without spaces."""
    pairs = (" ".join(pair) for pair in pairwise(tokens))
    found = (key for key in (*tokens, *pairs) if key in _HEDGES)
    unspaced = (phrase for phrase in lexicon.PHRASES if is_unspaced(phrase[0]) and phrase in part)
    return next(chain(found, unspaced), None)


def _broken_sentences(text: str, start: int, end: int) -> list[str]:
    """Return the parts of a gap that belong to the sentence before it or to the one after it."""
    # The sentence before may end with the segment's last character: look back over it.
    ends = [
        match.end()
        for match in _SENTENCE_END.finditer(text, max(0, start - _LOOK_BACK), end + _LOOK_AHEAD)
        if start <= match.end() <= end and not _is_abbreviation(text, match)
    ]
    if not ends:
        return [text[start:end]]
    whole = text[:start].endswith(_STOPS)
    return ["" if whole else text[start : ends[0]], text[ends[-1] : end]]


def _is_abbreviation(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - _LOOK_BACK) : match.start() + 1]
    return ends_in_abbreviation(before)


Grade = Literal["exact", "normalized", "elided", "fuzzy"]
Interval = tuple[int, int]  # half-open; of code points, or of letters of a search form

_GRADES: tuple[Grade, ...] = ("exact", "normalized", "elided", "fuzzy")
_BRACKETS = re.compile(r"\[[^\[\]]{2,80}\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A place where a quote, or an altered form of it, stands in a text.

    Attributes:
        intervals: where, in code points; several only when the quote is elided.
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
    def letters(self) -> str:
        """The letters of the quote's search form."""
        return search_letters(self.text)

    @cached_property
    def outside(self) -> tuple[str, str]:
        """What stands before the quote's first letter and after its last: punctuation and marks."""
        start, end = outer_letters(self.text)
        return without_ellipses(self.text[:start]), without_ellipses(self.text[end:])

    @cached_property
    def readings(self) -> list[str]:
        """The search forms to look for: the quote's, and that without its editorial brackets."""
        bare = _BRACKETS.sub(" ", self.text) if "[" in self.text else self.text
        return [self.letters] if bare == self.text else [self.letters, search_letters(bare)]

    @cached_property
    def segments(self) -> list[QuoteForm]:
        """The quote's segments between ellipses; fewer than two when there is no ellipsis."""
        return [QuoteForm(segment) for segment in split_at_ellipses(self.text)]


# Bridges: a page break puts heads, feet and numbers into a sentence, and a quote may omit a clause.
# From every place where the quote's beginning is found, follow it as far as it goes, then look for
# the rest a little later; and the same from its end, backwards. The guard judges what lies between.
_END, _SHORTEST_END = 16, 2  # letters at either end of a quote that a bridge starts from
_LONGEST_BRIDGE = 600  # letters that may lie in between
_MOST = 4  # places of an end, and of the rest after each, that are tried


def bridged_intervals(letters: str, source: PreparedText) -> list[Interval]:
    """Return the intervals of a search form that begin and end as a quote does, shortest first."""
    end = min(_END, len(letters) // 3)
    if end < _SHORTEST_END:
        return []
    text, reach = source.form.letters, len(letters) + _LONGEST_BRIDGE
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
