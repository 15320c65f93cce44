"""How two lines of a paragraph are joined: with a space, without, or without the hyphen."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from citeguard.language.spelling import is_english_word

HYPHENS = "-\u2010\u00ad"
"""What a word that is broken at the end of a line ends with there."""

_SOFT_HYPHEN = "\u00ad"
_OPEN_ENDS = "/—"  # no space follows them at the end of a line
_DASH_IN_RANGE = re.compile(r"\w[–—]$")
_WORD = re.compile(r"[^\W\d_]+")
_WORDS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LAST_WORD = re.compile(r"([^\W_]+)[-\u2010\u00ad]$")
_FIRST_WORD = re.compile(r"[^\W_]+")
_EAST_ASIAN = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
_ENGLISH = ("the", "and", "of")
_LONGEST_WORD = 60  # letters before a hyphen that are looked at
_SHORTEST_WORD = 2  # letters of a part of a compound


class Joiner:
    """Knows how lines are joined, by the words of their document.

    Args:
        lines: The lines of the document.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._words = _words_in(lines)
        self._english = all(word in self._words for word in _ENGLISH)

    def join(self, line: str, after: str) -> tuple[int, str]:
        """Return how many characters end the line for nothing, and what joins it to the next.

        A hyphen stays in a compound, before a capital, and beside a digit or an acronym.

        Examples:
            >>> joiner = Joiner(["the example of a well-known compound and"])
            >>> joiner.join("an exam-", "ple"), joiner.join("a well-", "known one")
            ((1, ''), (0, ''))
        """
        if line.endswith(_SOFT_HYPHEN):
            return 1, ""
        if line[-1:] in HYPHENS:
            return self._join_at_hyphen(line, after)
        if line[-1:] in _OPEN_ENDS and not line[-2:-1].isspace():
            return 0, ""
        if _DASH_IN_RANGE.search(line) and after[:1].isalnum():
            return 0, ""
        return 0, "" if _EAST_ASIAN.match(line[-1:]) and _EAST_ASIAN.match(after) else " "

    def _join_at_hyphen(self, line: str, after: str) -> tuple[int, str]:
        one, other = _LAST_WORD.search(line[-_LONGEST_WORD:]), _FIRST_WORD.match(after)
        if one is None:
            return 0, " " if len(line) == 1 or line[-2:-1].isspace() else ""
        if other is None:
            return 0, "" if after[:1] in "([" else " "
        return (0 if self._is_compound(one[1], other[0]) else 1), ""

    def _is_compound(self, one: str, other: str) -> bool:
        whole, compound = (one + other).lower(), f"{one}-{other}".lower()
        if not (one.isalpha() and other.isalpha()):
            return True
        if compound in self._words:
            return whole not in self._words
        if self._is_word(whole):
            return other[0].isupper() and not one.isupper()
        if other[0].isupper() or (one.isupper() and len(one) > 1):
            return True
        return self._english and all(
            len(part) >= _SHORTEST_WORD and is_english_word(part.lower()) for part in (one, other)
        )

    def _is_word(self, word: str) -> bool:
        return word in self._words or (self._english and is_english_word(word))


def _without_broken_word(line: str) -> str:
    return line.rpartition(" ")[0] if line[-1:] in HYPHENS else line


def _words_in(lines: Iterable[str]) -> Collection[str]:
    """Return the words of lines, but for those that are broken at their ends."""
    text = " ".join(map(_without_broken_word, lines)).lower()
    compounds = set(_WORDS.findall(text))
    return compounds.union(*(_WORD.findall(word) for word in compounds if "-" in word))
