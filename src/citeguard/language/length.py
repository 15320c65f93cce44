"""How long a text is, in letters and digits: what makes a quote of it telling."""

from __future__ import annotations

# Scripts whose characters are syllables or words: a quote of two is as telling as four letters.
_WIDE = (
    ("\u1100", "\u11ff"),
    ("\u2e80", "\u9fff"),
    ("\ua960", "\ua97f"),
    ("\uac00", "\ud7ff"),
    ("\uf900", "\ufaff"),
    ("\uff66", "\uffdc"),
    ("\U00016fe0", "\U00018dff"),
    ("\U0001aff0", "\U0001b2ff"),
    ("\U00020000", "\U0003ffff"),
)


def has_words(text: str) -> bool:
    """Tell whether a text has any letter or digit."""
    return any(map(str.isalnum, text))


def length_of(text: str) -> int:
    """Count letters and digits; ideographs, kana and hangul count double.

    Examples:
        >>> length_of("4 Uhr!"), length_of("四時")
        (4, 4)
    """
    return sum(map(_weight, text))


def is_long_enough(text: str, least: int) -> bool:
    """Tell whether a text has a letter or digit, and `least` of them; reads no more than needed."""
    length = 0
    for character in text:
        length += _weight(character)
        if length and length >= least:
            return True
    return False


def _weight(character: str) -> int:
    if not character.isalnum():
        return 0
    return 1 if character < _WIDE[0][0] else 1 + any(a <= character <= b for a, b in _WIDE)
