r"""The table of scripts: their code points, and the properties that depend on them.

Names in capitals are insides of regular-expression classes: `re.compile(f"[{IDEOGRAPHS}]")`.
Ranges are whole Unicode blocks, unassigned code points included.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

HAN = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3400-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
KANA = "\u3031-\u3035\u303c\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f\U0001aff0-\U0001b16f"
HANGUL = "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff\uffa0-\uffdc"
THAI = "\u0e01-\u0e7f"
LAO = "\u0e80-\u0eff"
# Characters without width that no script needs; the joiners are letters in some languages.
ZERO_WIDTH = "\u200b\u200e\u200f\u2060\ufeff"
BURMESE = "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f"
KHMER = "\u1780-\u17ff"
# Bopomofo, kanbun, strokes, enclosed and squared forms; Tangut, Khitan, Nushu.
_OTHER_WIDE = "\u3100-\u312f\u3190-\u31ef\u3200-\u33ff\U00016fe0-\U00018dff\U0001b170-\U0001b2ff"

IDEOGRAPHS = HAN + KANA
"""The characters of Chinese and Japanese: each stands for a word or a syllable."""

UNSPACED = IDEOGRAPHS + THAI + LAO + BURMESE + KHMER
"""The characters of scripts without spaces between words."""

WIDE = IDEOGRAPHS + HANGUL + _OTHER_WIDE
"""Characters that are syllables or words: two of them say as much as four letters."""

FULLWIDTH = "\u3000-\u303f\uff00-\uff65\uffe0-\uffef"
"""Punctuation of Chinese and Japanese, and full-width forms of Latin letters, digits and signs."""

_UNSPACED, _FIRST_UNSPACED = re.compile(f"[{UNSPACED}]"), "\u0e01"
_WIDE, _FIRST_WIDE = re.compile(f"[{WIDE}]"), "\u1100"


LETTER_SPACED = re.compile(r"(?<![^\W_])[^\W\d_](?:[ \u00a0-][^\W\d_]){2,}(?![^\W_])")
"""A word whose letters are written apart: "n o t", "n-o-t"."""


def is_unspaced(char: str) -> bool:
    """Return whether a character is of a script without spaces, such as Chinese and Thai."""
    # The comparison spares most characters the search.
    return char >= _FIRST_UNSPACED and _UNSPACED.match(char) is not None


def is_wide(char: str) -> bool:
    """Return whether a character is a syllable or a word: an ideograph, kana, hangul."""
    return char >= _FIRST_WIDE and _WIDE.match(char) is not None


def is_overlay(char: str) -> bool:
    """Return whether a combining character strikes through or encloses the one before it."""
    return unicodedata.combining(char) == 1 or unicodedata.category(char) == "Me"


class CharacterTable(dict[int, "str | None"]):
    """A table for `str.translate`, filled as characters occur: all of Unicode would take a second.

    Args:
        fold: Returns what takes the place of a character; `None` omits it much faster than "".
    """

    def __init__(self, fold: Callable[[str], str | None]) -> None:
        super().__init__()
        self._fold = fold

    def __missing__(self, point: int) -> str | None:
        """Return what takes the place of a character, and keep it."""
        self[point] = self._fold(chr(point))
        return self[point]
