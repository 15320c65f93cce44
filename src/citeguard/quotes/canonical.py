"""The search form of a text: only its letters and digits, folded, with a map to their offsets.

It has nothing typographic: no case, accents, spaces, line breaks, punctuation, quotation marks,
dashes, hyphenation, emphasis, ligatures or width. So nearly every faithful quote is a plain
substring of it. Some differences of meaning are folded away too (a minus sign, `wurde`/`würde`).
Therefore nothing is accepted on the search form alone: `differences` compares the originals.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, Literal

from citeguard.language.markup import Noise, find_noise
from citeguard.language.sentences import Interval
from citeguard.quotes.printed import MAY_BE_INSERTED, find_readings, find_speech, names_speaker
from citeguard.quotes.search import FOLDS, Candidate, nearest_in, occurrences, scanned_regions

if TYPE_CHECKING:
    from citeguard.language.tables import Table
    from citeguard.quotes.framing import Framing
    from citeguard.quotes.pieces import PieceIndex

Reading = Literal["words", "marks", "all"]
# Characters between two entries of the offset map, a power of two. Folded by themselves, as Python
# folds ASCII ten times as fast as a text that has one other character.
_BLOCK = 256
_MOST_CACHED = 10_000  # sentences, or framings, in a prepared text
_BARRIER = "\U00012031"  # a letter of cuneiform, which is in no quote
_LONG = 50_000  # letters from which the index is faster than scanning the text


def search_letters(text: str, reading: Reading = "words") -> str:
    """Return the letters of a text's search form, without the map to their offsets."""
    return "".join(block.translate(FOLDS) for _, block, _ in _parts(text, reading))


class SearchForm:
    r"""The folded letters and digits of a text, and where in the text each comes from.

    Attributes:
        letters: The search form.

    Args:
        text: The text.
        reading: What counts: the words, their citation marks too, or all that is written, markup
            included.

    Examples:
        >>> form = SearchForm("Well-\nknown")
        >>> form.letters, form.interval(4, 6)
        ('wellknown', (6, 8))
    """

    __slots__ = ("_origins", "_replaced", "_starts", "_text", "letters")

    def __init__(self, text: str, reading: Reading = "words") -> None:
        blocks = list(_blocks(_parts(text, reading)))
        folded = [block.translate(FOLDS) for _, block, _ in blocks]
        self._text, self.letters = text, "".join(folded)
        self._origins = array("I", [origin for origin, _, _ in blocks])
        self._starts = array("I", accumulate(map(len, folded), initial=0))
        self._replaced = {
            i: noise.end for i, (_, _, noise) in enumerate(blocks) if noise is not None
        }

    @property
    def has_noise(self) -> bool:
        """Whether something in the text is no part of its words."""
        return bool(self._replaced)

    def interval(self, start: int, end: int) -> tuple[int, int]:
        """Return the half-open interval of the original text that `letters[start:end]` come from.

        The interval must not be empty.
        """
        return self._character(start)[0], self._character(end - 1)[1]

    def _character(self, index: int) -> tuple[int, int]:
        """Return the half-open interval of the character that a letter comes from."""
        block = bisect_right(self._starts, index) - 1
        position, rest, step = self._origins[block], index - self._starts[block], _BLOCK
        if block in self._replaced:
            return position, self._replaced[block]
        # By halving, as only folding half a block shows how many letters it has.
        while step := step // 2:
            width = len(self._text[position : position + step].translate(FOLDS))
            if width <= rest:
                position, rest = position + step, rest - width
        return position, position + 1


def outer_letters(text: str) -> tuple[int, int]:
    """Return where the first letter of a text's search form starts and where the last one ends.

    The search form must not be empty.
    """
    if find_noise(text):
        form = SearchForm(text)
        return form.interval(0, len(form.letters))
    first = next(i for i, char in enumerate(text) if FOLDS[ord(char)])
    last = next(i for i in range(len(text) - 1, -1, -1) if FOLDS[ord(text[i])])
    return first, last + 1


_Part = tuple[int, str, Noise | None]


def _parts(text: str, reading: Reading) -> Iterator[_Part]:
    """Yield (offset, text to fold, the noise in place of which it is; `None` if it is the text)."""
    position = 0
    for noise in () if reading == "all" else find_noise(text):
        if noise.kind == "mark" and reading == "marks":
            continue
        yield position, text[position : noise.start], None
        yield noise.start, noise.replacement, noise
        position = noise.end
    yield position, text[position:], None


def _blocks(parts: Iterable[_Part]) -> Iterator[_Part]:
    """Yield the parts; those of the text are cut into blocks."""
    for offset, part, noise in parts:
        if noise is not None:
            yield offset, part, noise
            continue
        for start in range(0, len(part), _BLOCK):
            yield offset + start, part[start : start + _BLOCK], None


class PreparedText:
    """A text with its search form and its index. Safe to share between threads.

    Attributes:
        text: The text.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._sentences: dict[Interval, Interval] = {}
        self._framings: dict[Interval, Framing | None] = {}
        self._other_forms: dict[Reading, SearchForm] = {}

    @cached_property
    def form(self) -> SearchForm:
        """The letters and digits of the text, folded."""
        return SearchForm(self.text)

    def form_as(self, reading: Reading) -> SearchForm:
        """Return the form with the letters of citation marks, or those of markup too; cached."""
        if reading not in self._other_forms:
            has_noise = self.form.has_noise
            self._other_forms[reading] = SearchForm(self.text, reading) if has_noise else self.form
        return self._other_forms[reading]

    @cached_property
    def cleared(self) -> tuple[ClearedText, ...]:
        """The text without what a tool inserted, such as side notes, in the order of reading."""
        if not MAY_BE_INSERTED.search(self.text):
            return ()
        return tuple(ClearedText(self.text, parts) for parts in find_readings(self.text))

    @cached_property
    def spoken(self) -> tuple[ClearedText, ...]:
        """The text without hesitation, repeated words and false starts, if it has any."""
        parts = find_speech(self.text)
        return (ClearedText(self.text, parts),) if parts else ()

    def part(self, start: int, end: int) -> PreparedText:
        """Return a part of the text, cleared as the whole text is."""
        part = PreparedText(self.text[start:end])
        part.cleared = tuple(each.within(start, end) for each in self.cleared)
        return part

    @cached_property
    def pieces(self) -> PieceIndex:
        """The index for approximate search."""
        from citeguard.quotes.pieces import PieceIndex  # verbatim quotes do not need numpy

        return PieceIndex(self.form.letters)

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The tables and records of the text, by `find_tables`."""
        from citeguard.language.tables import find_tables

        return find_tables(self.text)

    # What is around a place is cached: an answer is validated twice, and looked up twice more if it
    # is judged as a whole.

    def sentences_at(self, start: int, end: int) -> Interval:
        """Return the interval of the sentences that an interval overlaps, by `whole_sentences`."""
        from citeguard.language.sentences import whole_sentences

        if (start, end) not in self._sentences:
            _shorten(self._sentences)
            self._sentences[start, end] = whole_sentences(self.text, start, end)
        return self._sentences[start, end]

    def passage_at(self, start: int, end: int) -> Interval:
        """Return the interval of the rows of a table, or else sentences, that one overlaps."""
        low, high = self.text.rfind("\n", 0, start) + 1, self.text.find("\n", end)
        high = len(self.text) if high < 0 else high
        # The rows of a table end in no stop, so that a sentence would be all of it.
        is_row = all("|" in line for line in self.text[low:high].split("\n"))
        first, last = self.sentences_at(start, end)
        return (max(first, low), min(last, high)) if is_row else (first, last)

    def framing_at(self, start: int, end: int) -> Framing | None:
        """Return what the sentence around an interval does to it, by `find_framing`."""
        from citeguard.quotes.framing import find_framing

        if (start, end) not in self._framings:
            _shorten(self._framings)
            self._framings[start, end] = find_framing(self.text, start, end)
        return self._framings[start, end]

    def line_at(self, position: int) -> int:
        """Return the number of the line that a position is on, from 1."""
        return bisect_left(self._line_ends, position) + 1

    @cached_property
    def _line_ends(self) -> list[int]:
        return [match.start() for match in re.finditer("\n", self.text)]

    def near_places(self, letters: str) -> list[Candidate]:
        """Return where the search form contains some letters within the edit budget.

        Nearest first. Unchanged occurrences need not be among them: `places` finds those.
        """
        regions = scanned_regions(letters, self.form.letters)
        if regions is None:
            return self.pieces.find(letters)
        nearest = (nearest_in(self.form.letters, region, letters) for region in regions)
        return [candidate for candidate in nearest if candidate]

    def places(self, letters: str) -> Iterator[tuple[int, int]]:
        """Yield the half-open intervals of the search form that are exactly these letters."""
        text = self.form.letters
        is_short = len(text) < _LONG
        starts = occurrences(letters, text) if is_short else self.pieces.places(letters)
        return ((start, start + len(letters)) for start in starts)


def _shorten(cache: dict[Interval, Any]) -> None:
    if len(cache) > _MOST_CACHED:
        cache.clear()


class ClearedText(PreparedText):
    """Parts of another text, in the order of reading, a line each.

    Attributes:
        text: The parts, joined.
    """

    def __init__(self, text: str, parts: Sequence[Interval]) -> None:
        lines = [text[low:high] or _BARRIER for low, high in parts]
        # Between two speakers there is more than the end of a line.
        ends = ["\n"]
        for (_, end), (start, _) in pairwise(parts):
            ends.append("—" if names_speaker(text, end, start) else "\n")
        super().__init__("".join(map("".join, zip(ends, lines, strict=False)))[1:])
        self.cleared = self.spoken = ()  # it is
        self._whole, self._parts = text, parts
        self._starts = array("I", accumulate((len(line) + 1 for line in lines), initial=0))

    def within(self, start: int, end: int) -> ClearedText:
        """Return what this is of a part of the other text."""
        cut = [
            (max(low, start) - start, min(high, end) - start)
            for low, high in self._parts
            if (low < end and start < high) or start <= low == high <= end
        ]
        return ClearedText(self._whole[start:end], cut)

    def joins(self, start: int, end: int) -> bool:
        """Return whether an interval has words of several parts."""
        return bisect_right(self._starts, start) != bisect_right(self._starts, end - 1)

    def original(self, start: int, end: int) -> tuple[Interval, list[Interval]]:
        """Return the interval of the other text that has these words, and what to leave out of it.

        Words that go on at the head of the next column are an interval from there to here.
        """
        first, last = (bisect_right(self._starts, place) - 1 for place in (start, end - 1))
        parts = self._parts[first : last + 1]
        low = parts[0][0] + start - self._starts[first]
        high = parts[-1][0] + end - self._starts[last]
        kept = sorted(
            [(low, high)]
            if first == last
            else [(low, parts[0][1]), *parts[1:-1], (parts[-1][0], high)]
        )
        gaps = ((one[1], other[0]) for one, other in pairwise(kept))
        left_out = [gap for gap in gaps if self._whole[slice(*gap)].strip()]
        return (kept[0][0], max(end for _, end in kept)), left_out
