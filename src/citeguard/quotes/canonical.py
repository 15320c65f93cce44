"""The search form of a text: its letters and digits alone, folded, with a map back.

Everything typographic is gone from it: case, accents, spaces, line wraps, punctuation, quotation
marks, dashes, hyphenation, emphasis, ligatures, width. So nearly every faithful quote is a plain
substring of it. It folds meaning away too (a minus sign, `wurde`/`würde`); that is the guard's to
see, which compares the originals. Nothing is accepted on the search form.
"""

from __future__ import annotations

import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from citeguard.language.noise import find_noise

# Letters that Unicode does not decompose, and letters of Arabic and Persian that are written for
# one another. Read from left to right.
_LETTERS = {
    "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ł": "l", "ı": "i",
    "ŋ": "ng", "ŧ": "t",
    "ة": "ه", "ى": "ي", "ی": "ي", "ک": "ك", "ٱ": "ا", "ہ": "ه", "ھ": "ه",
}  # fmt: skip
_DROPPED = frozenset("™®©℠ـªº⁰¹²³⁴⁵⁶⁷⁸⁹")
# Letters beyond the basic plane fold into its private use area, so that no search form takes more
# than two bytes a character. Two of them may meet there: the guard compares the originals.
_PRIVATE_START, _PRIVATE_SIZE = 0xE000, 0x1900
_BLOCK = 32  # characters between two entries of the offset map: its size against a look-up's time


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
    """The folds of the characters met so far: all of Unicode at once would take a second.

    A character that folds to nothing has `None`, with which `translate` is many times faster.
    """

    def __missing__(self, point: int) -> str | None:
        self[point] = fold_character(chr(point)) or None
        return self[point]


_FOLDS = _Folds()


def fold(text: str) -> str:
    """Return the folded letters and digits of a text, its noise included."""
    return text.translate(_FOLDS)


def search_letters(text: str) -> str:
    """Return the letters of a text's search form, without the map back."""
    return "".join(block.translate(_FOLDS) for _, block, _ in _parts(text))


class SearchForm:
    r"""The folded letters and digits of a text, and the place in the text each came from.

    Attributes:
        letters: the search form.

    Examples:
        >>> form = SearchForm("Well-\nknown")
        >>> form.letters, form.interval(4, 6)
        ('wellknown', (6, 8))
    """

    __slots__ = ("_map", "_text", "letters")

    def __init__(self, text: str) -> None:
        self._text = text
        self._map: _Map | None = None  # built when first asked: most texts hold nothing of a quote
        self.letters = search_letters(text)

    def interval(self, start: int, end: int) -> tuple[int, int]:
        """Return the half-open interval of the original text that gave `letters[start:end]`.

        The interval must not be empty.
        """
        if self._map is None:
            self._map = _Map(self._text)
        return self._map.character(start)[0], self._map.character(end - 1)[1]


class _Map:
    """Where in a text each letter of its search form comes from."""

    __slots__ = ("_origins", "_replaced", "_starts", "_text")

    def __init__(self, text: str) -> None:
        blocks = list(_blocks(text))
        lengths = (len(block.translate(_FOLDS)) for _, block, _ in blocks)
        self._text = text
        self._origins = array("I", [origin for origin, _, _ in blocks])
        self._starts = array("I", accumulate(lengths, initial=0))
        self._replaced = {i: end for i, (_, _, end) in enumerate(blocks) if end is not None}

    def character(self, index: int) -> tuple[int, int]:
        """Return the half-open interval of the character that gave a letter."""
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


_Block = tuple[int, str, int | None]


def _parts(text: str) -> Iterator[_Block]:
    """Yield (offset, what to fold, end in the text when that is a replacement) in order."""
    position = 0
    for noise in find_noise(text):
        yield position, text[position : noise.start], None
        if noise.replacement:
            yield noise.start, noise.replacement, noise.end
        position = noise.end
    yield position, text[position:], None


def _blocks(text: str) -> Iterator[_Block]:
    """Yield the parts, those that stand for themselves cut into blocks."""
    for offset, part, end in _parts(text):
        if end is not None:
            yield offset, part, end
            continue
        for start in range(0, len(part), _BLOCK):
            yield offset + start, part[start : start + _BLOCK], None
