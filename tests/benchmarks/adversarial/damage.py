"""Damage that reading a page does, and writers' typos."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from .cases import Candidates, Edit
from .corpus import Corpus
from .noise import Noise
from .typography import matches

_NEIGHBOURS = {
    "a": "sq",
    "b": "vn",
    "c": "xv",
    "d": "sf",
    "e": "wr",
    "f": "dg",
    "g": "fh",
    "h": "gj",
    "i": "uo",
    "k": "jl",
    "l": "k",
    "m": "n",
    "n": "bm",
    "o": "ip",
    "p": "o",
    "r": "et",
    "s": "ad",
    "t": "ry",
    "u": "yi",
    "v": "cb",
    "w": "qe",
    "y": "tu",
}
_SPACING_ACCENTS = {
    "é": "´e",
    "è": "`e",
    "ü": "¨u",
    "ö": "¨o",
    "ä": "¨a",
    "á": "´a",
    "í": "´ı",
    "ó": "´o",
    "ñ": "˜n",
    "ç": "c¸",
    "ú": "´u",
    "ã": "˜a",
    "ô": "ˆo",
    "ê": "ˆe",
    "ï": "¨ı",
    "ë": "¨e",
    "à": "`a",
    "č": "ˇc",
    "š": "ˇs",
    "ž": "ˇz",
}
_TYPED = re.compile(r"(?<![\w’'-])[a-z]{7,}(?![\w’'-])")
_LONG = re.compile(r"(?<![\w’'-])[a-z]{9,}(?![\w’'-])")


class Typos:
    """Misspellings of common words that no text of the corpus has as a word."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus

    def _in(self, word: str, changed: str) -> bool:
        """Tell whether a word is one and its changed form is none."""
        return changed != word and self.corpus.is_common(word) and not self.corpus.is_word(changed)

    def each(self, pattern: re.Pattern[str], change: Callable[[str, Random], str]) -> Candidates:
        """Make a finder of words that a function misspells into no word."""

        def candidates(text: str, rng: Random) -> list[Edit]:
            edits: list[Edit] = []
            for m in pattern.finditer(text):
                changed = change(m.group(), rng)
                if self._in(m.group(), changed) and changed.isascii():
                    edits.append((*m.span(), changed))
            return edits

        return candidates

    def split(self, text: str, rng: Random) -> list[Edit]:
        """Find words that a stray space cuts into two parts of which at least one is no word."""
        edits: list[Edit] = []
        for m in _TYPED.finditer(text):
            at = rng.randint(2, len(m.group()) - 2)
            parts = m.group()[:at], m.group()[at:]
            if not all(map(self.corpus.is_word, parts)):
                edits.append((m.start() + at, m.start() + at, " "))
        return edits

    def joined(self, text: str, rng: Random) -> list[Edit]:
        """Find spaces whose loss joins two words into no word."""
        pairs = re.finditer(r"(?<=\b)([a-z]{2,}) ([a-z]{3,})\b", text)
        return [
            (m.end(1), m.end(1) + 1, "")
            for m in pairs
            if not self.corpus.is_word(m[1] + m[2]) and not m[1].endswith(("no", "un", "non", "in"))
        ]


def transposed(word: str, rng: Random) -> str:
    """Exchange two neighbouring letters inside a word."""
    at = rng.randint(1, len(word) - 3)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def dropped(word: str, rng: Random) -> str:
    """Leave out a letter inside a word."""
    at = rng.randint(2, len(word) - 3)
    return word if word[at] in (word[at - 1], word[at + 1]) else word[:at] + word[at + 1 :]


def doubled(word: str, rng: Random) -> str:
    """Write a letter inside a word twice."""
    at = rng.randint(1, len(word) - 3)
    return word[: at + 1] + word[at:]


def mistyped(word: str, rng: Random) -> str:
    """Hit the key beside the right one."""
    at = rng.randint(2, len(word) - 3)
    return word[:at] + rng.choice(_NEIGHBOURS.get(word[at], "x")) + word[at + 1 :]


def damages(corpus: Corpus) -> dict[str, Noise]:
    """Return every kind of damage by category; words are judged by the corpus."""
    typos = Typos(corpus)
    accents = matches(
        "[" + "".join(_SPACING_ACCENTS) + "]", lambda m, r: _SPACING_ACCENTS[m.group()]
    )
    lost_glyphs = matches(r"(?<!\d)(?<!\d )[\u00c0-\u024f‘’“”–—](?! ?\d)", lambda m, r: "�")
    return {
        "typo_transposed": Noise(typos.each(_TYPED, transposed), 0, most=1),
        "typo_dropped": Noise(typos.each(_LONG, dropped), 0, most=1),
        "typo_doubled": Noise(typos.each(_TYPED, doubled), 0, most=1),
        "typo_neighbour_key": Noise(typos.each(_TYPED, mistyped), 0, most=1),
        "ocr_accents": Noise(accents, 1.0, sides=("source",)),
        "ocr_replacement_char": Noise(lost_glyphs, 1.0, sides=("source",), inner=True),
        "ws_split_word": Noise(typos.split, 0, most=1, sides=("source",)),
        "ws_joined_words": Noise(typos.joined, 0.02, most=2),
    }
