"""Numbers that are names, as in "Form 1040", and numbers that a line break has parted."""

from __future__ import annotations

from citeguard.facts.reading.words import STOP, Word
from citeguard.language.quantities import MONTHS

_PEOPLE = frozenset(("people", "men", "women", "children"))
_GROUP = 1_000.0


def label_of(words: tuple[Word, ...], first: int, last: int) -> str:
    """Return the stem of the name that a number belongs to; "" if it is a count of something."""
    before = words[first - 1] if first else None
    if before is None or words[first].gap or before.kind != "word" or before.key in MONTHS:
        return ""
    if before.end == words[first].start and before.text.isalpha():
        return before.stem  # "IPv4"
    if not before.content or not before.text[0].isupper() or _counts(words, last + 1):
        return ""
    return "" if before.gap == STOP and last + 1 < len(words) else before.stem


def rejoined(words: tuple[Word, ...], value: float, last: int) -> tuple[float, int]:
    """Return (value, place of its last word) with the "000" that a space or a line break parts."""
    while last + 1 < len(words) and words[last + 1].text == "000" and words[last + 1].gap:
        value, last = value * _GROUP, last + 1
    return value, last


def _counts(words: tuple[Word, ...], at: int) -> bool:
    """Tell whether a noun in the plural follows, of which there are so many."""
    if at >= len(words) or words[at].gap:
        return False
    key = words[at].key
    return key in _PEOPLE or (key.endswith("s") and words[at].content)
