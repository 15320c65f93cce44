"""Folding: the letters and digits of a text, by which quotes are searched."""

from __future__ import annotations

import unicodedata

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


FOLDS = _Folds()


def fold(text: str) -> str:
    """Return the folded letters and digits of a text, including those of its noise."""
    return text.translate(FOLDS)
