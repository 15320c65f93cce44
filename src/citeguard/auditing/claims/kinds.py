"""What a claim is about."""

from __future__ import annotations

from collections.abc import Sequence

from citeguard.auditing.claims.claim import ClaimKind
from citeguard.auditing.claims.word_list import BE, FINITE, HAVE
from citeguard.auditing.claims.words import Word
from citeguard.language.lexicon import NUMBER_WORDS
from citeguard.language.quantities import MONTH_NAMES, WEEKDAYS

_TIMES = frozenset((*MONTH_NAMES, *WEEKDAYS)) - {"may"}
# These are numbers only beside another one: "one of them", "the second", "a quarter of a mile".
_LOOSE = frozenset("one first second third half quarter once single double 一".split())


def kind_of(words: Sequence[Word]) -> ClaimKind:
    """Return what a claim is about, by its words; the first kind that fits.

    Examples:
        >>> from citeguard.auditing.claims.words import read_words
        >>> kind_of(read_words("Anna won two prizes."))
        'numerical'
    """
    if any(_is_number(word) or _is_may(words, at) for at, word in enumerate(words)):
        return "numerical"
    if any(word.tag == "QUOTE" for word in words):
        return "quote"
    named = any(map(_is_name, words))
    if named and _has_event(words):
        return "event"
    return "entity" if named else "other"


def _is_number(word: Word) -> bool:
    if word.tag in ("QUOTE", "BRACKET"):
        return any(map(str.isdigit, word.text))
    if any(map(str.isdigit, word.text)) or word.key == "%":
        return True
    return word.key in NUMBER_WORDS - _LOOSE or (word.key in _TIMES and word.text[0].isupper())


def _is_may(words: Sequence[Word], at: int) -> bool:
    """Tell whether a word is the month: "in May", "May 5"."""
    if words[at].text != "May":
        return False
    around = words[max(0, at - 1) : at + 2]
    return any(
        word.key in ("in", "of", "since", "until", "by") or word.tag == "CD" for word in around
    )


def _is_name(word: Word) -> bool:
    return word.tag in ("NNP", "NNPS") and word.text[:1].isupper()


def _has_event(words: Sequence[Word]) -> bool:
    """Tell whether something is done or happens, and is not only so."""
    return any(
        (word.tag in FINITE and word.tag != "MD" and word.key not in BE | HAVE)
        or (word.tag == "VBN" and at and words[at - 1].key in BE | HAVE)
        for at, word in enumerate(words)
    )
