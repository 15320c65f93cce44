"""Distinguishing slips of spelling from other words.

A slip is forgiven only if one of the two spellings is not a word: "recieve" for "receive", but not
"contract" for "contact". Words are those of an English list and of the source itself.
"""

from __future__ import annotations

import gzip
from functools import cache
from importlib import resources

from rapidfuzz.distance import OSA

from citeguard.language.lexicon import NEGATING_PREFIXES

_SHORTEST = 4  # letters; too many shorter words are one slip apart
_ENDINGS = frozenset(
    "ol al il yl an en in on ane ene yne ine one ate ite ide ase ose ous ese ize ise or er ar ee"
    " ed es ey ic ia ium ive ion ist ism ity ety ant ent ance ence".split()
)
_INFLECTIONS = frozenset(("s es d ed ing ly er est 's n en r y al").split())
_OPPOSITES = (
    "hyper/hypo inter/intra pre/post over/under macro/micro ante/anti in/ex up/down out/in"
    " mono/di di/tri bi/tri homo/hetero endo/exo pro/anti sub/super milli/micro im/em il/al"
    " meth/eth pro/pre ab/ad per/peri"
).split()
# Glyphs that optical character recognition confuses, each replaced by the second, in order.
_MISREAD = tuple(tuple(pair.split(">")) for pair in "0>o 1>l 5>s li>h i>l rn>m vv>w cl>d".split())


@cache
def _word_list() -> bytes:
    packed = (
        resources.files("citeguard.language").joinpath("data/english_words.txt.gz").read_bytes()
    )
    return b"\n" + gzip.decompress(packed)


@cache
def is_english_word(word: str) -> bool:
    """Return whether a word of lower-case letters is in the English list."""
    # Bisection in one string: a set of the words would take ten times the memory for few look-ups.
    words, sought = _word_list(), word.encode("utf-8", "replace")
    low, high = 0, len(words)
    while low < high:
        start = words.rfind(b"\n", 0, (low + high) // 2 + 1) + 1
        end = words.find(b"\n", start)
        found = words[start:end]
        if found == sought:
            return bool(word)
        low, high = (end + 1, high) if found < sought else (low, start - 1)
    return False


def is_slip(quoted: str, source: str, *, quoted_known: bool, source_known: bool) -> bool:
    """Return whether one of two different spellings is a slip for the other.

    Args:
        quoted: the quote's spelling, lower case.
        source: the source's spelling, lower case.
        quoted_known: whether the first is a word.
        source_known: whether the second is a word.

    Examples:
        >>> is_slip("recieve", "receive", quoted_known=False, source_known=True)
        True
        >>> is_slip("contract", "contact", quoted_known=True, source_known=True)
        False
    """
    if (quoted_known and source_known) or not (quoted.isalpha() and source.isalpha()):
        return False
    if (
        min(len(quoted), len(source)) < _SHORTEST
        or OSA.distance(quoted, source, score_cutoff=1) > 1
    ):
        return False
    if _changes_affix(quoted, source) or _changes_ending(quoted, source):
        return False
    return quoted_known or source_known or _is_keying_slip(quoted, source)


def _is_keying_slip(quoted: str, source: str) -> bool:
    """Return whether two unknown words differ only by a doubled letter or the order of letters."""
    # Technical terms that differ otherwise are often two terms.
    if sorted(quoted) == sorted(source):
        return True
    longer, shorter = sorted((quoted, source), key=len, reverse=True)
    return any(
        longer[i] == longer[i - 1] and longer[:i] + longer[i + 1 :] == shorter
        for i in range(1, len(longer))
    )


def _changes_ending(quoted: str, source: str) -> bool:
    """Return whether two words differ by their endings: "ethanol", "ethanal"."""
    return len(quoted) == len(source) and any(
        quoted[-width:] != source[-width:]
        and {quoted[-width:], source[-width:]} <= _ENDINGS
        and quoted[:-width] == source[:-width]
        for width in (2, 3)
    )


def _changes_affix(quoted: str, source: str) -> bool:
    longer, shorter = sorted((quoted, source), key=len, reverse=True)
    if longer.startswith(shorter) and longer[len(shorter) :] in _INFLECTIONS:
        return True
    if longer.endswith(shorter) and longer[: -len(shorter)] in NEGATING_PREFIXES:
        return True
    return any(
        quoted.removeprefix(one) == source.removeprefix(other)
        for one, other in _opposites().get(quoted[:2], ())
        if quoted.startswith(one) and source.startswith(other)
    )


@cache
def _opposites() -> dict[str, list[tuple[str, str]]]:
    """Return pairs of opposite prefixes, in both orders, by the first two letters of the first."""
    pairs: dict[str, list[tuple[str, str]]] = {}
    for one, _, other in (pair.partition("/") for pair in _OPPOSITES):
        pairs.setdefault(one[:2], []).append((one, other))
        pairs.setdefault(other[:2], []).append((other, one))
    return pairs


LIGATURES = ("ffi", "ffl", "fi", "fl", "ff")


def lost_ligature(letters: str, garbled: str) -> bool:
    """Return whether the second text is the first without some ligatures, as in "signicant".

    Examples:
        >>> lost_ligature("significant", "signicant"), lost_ligature("official", "oficial")
        (True, False)
    """
    if len(garbled) >= len(letters):
        return False
    reached = _past_ligatures(letters, 0)
    for char in garbled:
        reached = {
            end
            for place in reached
            if letters.startswith(char, place)
            for end in _past_ligatures(letters, place + 1)
        }
    return len(letters) in reached


def _past_ligatures(letters: str, place: int) -> set[int]:
    """Return a place and those behind the ligatures that begin there."""
    return {place, *(place + len(glyph) for glyph in LIGATURES if letters.startswith(glyph, place))}


def read_misread(letters: str) -> str:
    """Return letters with glyphs that are often confused made equal.

    Examples:
        >>> read_misread("c1inical") == read_misread("clinical")
        True
    """
    for glyphs, glyph in _MISREAD:
        letters = letters.replace(glyphs, glyph)
    return letters
