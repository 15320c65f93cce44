"""The texts to search and the quotes to search for: real prose, the same in every run."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random

from ..data import rows

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_LONG_WORD = re.compile(r"\b[a-z]{6,}\b")


class Prose:
    """English text of any length, and further text that is no part of it.

    Attributes:
        unseen: text from elsewhere, for quotes that do not stand in `first`.
    """

    def __init__(self, folder: Path) -> None:
        read = rows(folder / "wice.jsonl.gz")
        pieces = dict.fromkeys(each["text"] for row in read for each in row["context"])
        sentences = [s for piece in pieces for s in _SENTENCE.split(piece) if s]
        held_out = len(sentences) // 5
        self._sentences = sentences[held_out:]
        seen = set(self._sentences)
        self.unseen = " ".join(s for s in sentences[:held_out] if s not in seen)

    def first(self, length: int) -> str:
        """Return that many characters; sentences come again, shuffled, once all are used."""
        text, random = " ".join(self._sentences), Random(length)
        while len(text) < length:
            text += " ".join(random.sample(self._sentences, len(self._sentences)))
        return text[:length]


def curly(text: str) -> str:
    """Set a text with typographic quotation marks."""
    return re.sub(r'(?<=\s)"', "“", text).replace('"', "”").replace("'", "’")


def passage(text: str, near: int, length: int) -> str:
    """Return about that many characters from between words, at or after a place."""
    start = text.index(" ", min(near, len(text) - 2 * length - 100)) + 1
    return text[start : text.index(" ", start + length - 1)].strip()


Change = Callable[[str], str | None]
"""Turns a passage into a quote of it; `None` where it cannot."""


def quotes(text: str, change: Change, length: int, count: int) -> list[str]:
    """Return changed passages from all over a text."""
    return list(islice(_changed(text, change, length), count))


def _changed(text: str, change: Change, length: int) -> Iterator[str]:
    random = Random(length)
    for _ in range(100_000):
        quote = change(passage(text, random.randrange(len(text)), length))
        if quote:
            yield quote


def verbatim(words: str) -> str:
    """Leave the words as they are."""
    return words


def typographic(words: str) -> str | None:
    """Use curly quotation marks and other line ends."""
    if not re.search("['\"]", words):
        return None
    changed = curly(" ".join(words.split()))
    return re.sub(r"(.{30,50}) ", r"\1\n", changed)


def misspelled(words: str) -> str | None:
    """Swap two letters of one long word."""
    return _misspelled(words, 1)


def three_edits(words: str) -> str | None:
    """Swap two letters of one long word, and leave out one of another."""
    swapped = _misspelled(words, 2)
    found = list(_LONG_WORD.finditer(swapped)) if swapped else []
    if swapped is None or len(found) < 2:
        return None
    cut = found[-1].start() + 3
    return swapped[:cut] + swapped[cut + 1 :]


def _misspelled(words: str, long_words: int) -> str | None:
    found = [m for m in _LONG_WORD.finditer(words) if words[m.start() + 2] != words[m.start() + 3]]
    if len(found) < long_words:
        return None
    at = found[(len(found) - 1) // 2].start() + 2
    return words[:at] + words[at + 1] + words[at] + words[at + 2 :]


def without_not(words: str) -> str | None:
    """Leave out "not"."""
    inside = words[5:-5]
    return words.replace(" not ", " ", 1) if " not " in inside else None
