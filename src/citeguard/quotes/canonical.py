"""The search form of a text: only its letters and digits, folded, with a map to their offsets.

It has nothing typographic: no case, accents, spaces, line breaks, punctuation, quotation marks,
dashes, hyphenation, emphasis, ligatures or width. So nearly every faithful quote is a plain
substring of it. Some differences of meaning are folded away too (a minus sign, `wurde`/`würde`).
Therefore nothing is accepted on the search form alone: `differences` compares the originals.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Literal

from citeguard.language.noise import find_noise
from citeguard.quotes.insertions import Interval, find_readings
from citeguard.quotes.search import Candidate, nearest_in, occurrences, scanned_regions

if TYPE_CHECKING:
    from citeguard.quotes.pieces import PieceIndex

# Letters that Unicode does not decompose, and letters of Arabic and Persian that are used in place
# of each other.
_LETTERS = {
    "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ł": "l", "ı": "i",
    "ŋ": "ng", "ŧ": "t",
    "ة": "ه", "ى": "ي", "ی": "ي", "ک": "ك", "ٱ": "ا", "ہ": "ه", "ھ": "ه",
}  # fmt: skip
_DROPPED = frozenset("™®©℠ـªº⁰¹²³⁴⁵⁶⁷⁸⁹")
# Letters beyond the basic plane fold into its private use area, so that no search form takes more
# than two bytes a character. Two letters may fold to one: `differences` compares the originals.
_PRIVATE_START, _PRIVATE_SIZE = 0xE000, 0x1900
# What counts: the words, their citation marks too, or all that is written, markup included.
Reading = Literal["words", "marks", "all"]
_BLOCK = 32  # characters between two entries of the offset map: less memory, slower look-ups
_MOST_SENTENCES = 10_000  # cached in a prepared text
_BARRIER = "\U00012031"  # a letter of cuneiform, which is in no quote
_LONG = 50_000  # letters from which the index is faster than scanning the text


def _is_dropped(char: str) -> bool:
    return char in _DROPPED or "ʰ" <= char <= "˿"  # modifier letters, the apostrophe among them


def _fold_decomposed(char: str) -> str:
    if _is_dropped(char):
        return ""
    if char in _LETTERS:
        return _LETTERS[char]
    category = unicodedata.category(char)
    if category == "Nd":
        return str(unicodedata.digit(char))
    if category[0] not in "LN":
        return ""
    return char if char < "\U00010000" else chr(_PRIVATE_START + ord(char) % _PRIVATE_SIZE)


def fold_character(char: str) -> str:
    """Return the letters and digits that one character contributes to the search form.

    Examples:
        >>> [fold_character(char) for char in ("É", "ﬁ", "7", "½", "-")]
        ['e', 'fi', '7', '12', '']
    """
    if _is_dropped(char):
        return ""
    folded = unicodedata.normalize("NFKD", char).casefold()
    return "".join(map(_fold_decomposed, unicodedata.normalize("NFKD", folded)))


class _Folds(dict[int, str | None]):
    """The folds of the characters seen so far: folding all of Unicode would take a second.

    A character that folds to nothing maps to `None`, which makes `translate` many times faster.
    """

    def __missing__(self, point: int) -> str | None:
        self[point] = fold_character(chr(point)) or None
        return self[point]


_FOLDS = _Folds()


def fold(text: str) -> str:
    """Return the folded letters and digits of a text, including those of its noise."""
    return text.translate(_FOLDS)


def search_letters(text: str, reading: Reading = "words") -> str:
    """Return the letters of a text's search form, without the map to their offsets."""
    return "".join(block.translate(_FOLDS) for _, block, _ in _parts(text, reading))


class SearchForm:
    r"""The folded letters and digits of a text, and where in the text each comes from.

    Attributes:
        letters: The search form.

    Args:
        text: The text.
        reading: What is omitted.

    Examples:
        >>> form = SearchForm("Well-\nknown")
        >>> form.letters, form.interval(4, 6)
        ('wellknown', (6, 8))
    """

    __slots__ = ("_map", "_reading", "_text", "letters")

    def __init__(self, text: str, reading: Reading = "words") -> None:
        self._text = text
        self._reading: Reading = reading
        self._map: _Map | None = None  # built on first use: most texts do not contain the quote
        self.letters = search_letters(text, reading)

    def interval(self, start: int, end: int) -> tuple[int, int]:
        """Return the half-open interval of the original text that `letters[start:end]` come from.

        The interval must not be empty.
        """
        if self._map is None:
            self._map = _Map(self._text, _blocks(self._text, self._reading))
        return self._map.character(start)[0], self._map.character(end - 1)[1]


class _Map:
    """Where in a text each letter of its search form comes from."""

    __slots__ = ("_origins", "_replaced", "_starts", "_text")

    def __init__(self, text: str, parts: Iterable[_Part]) -> None:
        blocks = list(parts)
        lengths = (len(block.translate(_FOLDS)) for _, block, _ in blocks)
        self._text = text
        self._origins = array("I", [origin for origin, _, _ in blocks])
        self._starts = array("I", accumulate(lengths, initial=0))
        self._replaced = {i: end for i, (_, _, end) in enumerate(blocks) if end is not None}

    def character(self, index: int) -> tuple[int, int]:
        """Return the half-open interval of the character that a letter comes from."""
        block = bisect_right(self._starts, index) - 1
        position, folded = self._origins[block], self._starts[block]
        if block in self._replaced:
            return position, self._replaced[block]
        while (folded := folded + len(_FOLDS[ord(self._text[position])] or "")) <= index:
            position += 1
        return position, position + 1


def outer_letters(text: str) -> tuple[int, int]:
    """Return where the first letter of a text's search form starts and where the last one ends.

    The search form must not be empty.
    """
    if find_noise(text):
        form = SearchForm(text)
        return form.interval(0, len(form.letters))
    first = next(i for i, char in enumerate(text) if _FOLDS[ord(char)])
    last = next(i for i in range(len(text) - 1, -1, -1) if _FOLDS[ord(text[i])])
    return first, last + 1


_Part = tuple[int, str, int | None]


def _parts(text: str, reading: Reading) -> Iterator[_Part]:
    """Yield (offset, text to fold, end of what it replaces; `None` if it replaces nothing)."""
    position = 0
    for noise in () if reading == "all" else find_noise(text):
        if noise.kind == "mark" and reading == "marks":
            continue
        yield position, text[position : noise.start], None
        if noise.replacement:
            yield noise.start, noise.replacement, noise.end
        position = noise.end
    yield position, text[position:], None


def _blocks(text: str, reading: Reading) -> Iterator[_Part]:
    """Yield the parts; those that are no replacements are cut into blocks."""
    for offset, part, end in _parts(text, reading):
        if end is not None:
            yield offset, part, end
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
        self._sentences: dict[tuple[int, int], tuple[int, int]] = {}

    @cached_property
    def form(self) -> SearchForm:
        """The letters and digits of the text, folded."""
        return SearchForm(self.text)

    @cached_property
    def cleared(self) -> tuple[ClearedText, ...]:
        """The text without what a tool inserted, such as side notes, in the order of reading."""
        return tuple(ClearedText(self.text, parts) for parts in find_readings(self.text))

    @cached_property
    def other_forms(self) -> dict[Reading, SearchForm]:
        """The forms with citation marks, and with the markup as well, if the text has any."""
        kinds = {noise.kind for noise in find_noise(self.text)}
        readings: list[Reading] = []
        if kinds:
            readings = ["marks", "all"] if "mark" in kinds else ["all"]
        return {reading: SearchForm(self.text, reading) for reading in readings}

    @cached_property
    def pieces(self) -> PieceIndex:
        """The index for approximate search."""
        from citeguard.quotes.pieces import PieceIndex  # verbatim quotes do not need numpy

        return PieceIndex(self.form.letters)

    def sentences_at(self, start: int, end: int) -> tuple[int, int]:
        """Return the interval of the sentences that an interval overlaps, by `whole_sentences`.

        Cached, because an answer is validated twice, and looked up twice more if judged as a whole.
        """
        from citeguard.language.sentences import whole_sentences

        if len(self._sentences) > _MOST_SENTENCES:
            self._sentences.clear()
        known = self._sentences.get((start, end))
        if known is None:
            known = self._sentences[start, end] = whole_sentences(self.text, start, end)
        return known

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


class ClearedText(PreparedText):
    """Parts of another text, in the order of reading, a line each.

    Attributes:
        text: The parts, joined.
    """

    def __init__(self, text: str, parts: Sequence[Interval]) -> None:
        lines = [text[low:high] or _BARRIER for low, high in parts]
        super().__init__("\n".join(lines))
        self.cleared = ()  # it is
        self._whole, self._parts = text, parts
        self._starts = array("I", accumulate((len(line) + 1 for line in lines), initial=0))

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
