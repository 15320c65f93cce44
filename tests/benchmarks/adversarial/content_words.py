"""Content words and names, swapped, lost or gained."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random

from .cases import Candidates, Edit
from .corpus import Corpus

_FILLERS = [
    "new",
    "former",
    "national",
    "illegal",
    "private",
    "secret",
    "public",
    "foreign",
    "temporary",
    "fake",
    "failed",
    "dangerous",
    "modern",
    "religious",
    "wooden",
    "expensive",
    "independent",
    "annual",
    "senior",
    "local",
    "military",
    "royal",
    "digital",
    "young",
    "rural",
    "commercial",
    "unofficial",
    "retired",
    "wealthy",
    "experimental",
    "abandoned",
    "popular",
    "minor",
]


class ContentWords:
    """Changes of plain content words and of names, judged by the corpus."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        common = [
            w
            for w, n in sorted(corpus.spellings.items())
            if w.islower()
            and w.isascii()
            and w.isalpha()
            and 20 <= n <= 2000
            and 5 <= len(w) <= 11
            and corpus.is_common(w)
        ]
        self.by_ending = {
            ending: [w for w in common if w.endswith(ending)]
            for ending in (
                "ing",
                "ed",
                "ly",
                "tion",
                "s",
                "al",
                "ity",
                "er",
                "ment",
                "ive",
                "ous",
                "y",
                "t",
                "n",
                "e",
                "r",
                "l",
                "h",
                "m",
                "d",
                "g",
                "k",
            )
        }
        self.names = [
            w
            for w, n in sorted(corpus.spellings.items())
            if 4 <= len(w) <= 10 and n >= 6 and w.isascii() and w.isalpha() and corpus.is_name(w)
        ]

    def swapped(self, text: str, rng: Random) -> list[Edit]:
        """Find content words, each to be replaced by another of the same ending."""
        edits: list[Edit] = []
        for m in re.finditer(r"(?<=[a-z,] )[a-z]{5,}\b(?![-’'])", text):
            word = m.group()
            ending = next((e for e in self.by_ending if word.endswith(e)), None)
            if ending and self.corpus.is_common(word):
                other = rng.choice(self.by_ending[ending])
                if other[:4] != word[:4] and other not in text.lower():
                    edits.append((*m.span(), other))
        return edits

    def added(self, text: str, rng: Random) -> list[Edit]:
        """Find nouns after an article, which a new word can qualify."""
        places = re.finditer(r"(?<=\bthe )(?=[a-z]{4})|(?<=\b(?:of|in) )(?=[a-z]{4,}s\b)", text)
        return [(m.start(), m.start(), rng.choice(_FILLERS) + " ") for m in places]

    def lost(self, text: str, rng: Random) -> list[Edit]:
        """Find content words inside a sentence, to be left out."""
        places = re.finditer(r"(?<=[a-z] )([a-z]{5,}) (?=[a-z]{3})", text)
        return [(m.start(), m.end(), "") for m in places if self.corpus.is_common(m[1])]

    def lost_several(self, text: str, rng: Random) -> list[Edit]:
        """Find runs of two to five words inside a sentence, to be left out silently."""
        places = re.finditer(r"(?<=[a-z] )(?:[a-z]{4,} (?:[a-z]+ ){1,4})(?=[a-z]{3})", text)
        return [(*m.span(), "") for m in places]

    def renamed(self, text: str, rng: Random) -> list[Edit]:
        """Find names, each to be replaced by another name."""
        found = [
            m
            for m in re.finditer(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b", text)
            if self.corpus.is_name(m.group())
        ]
        return [(*m.span(), rng.choice([n for n in self.names if n not in text])) for m in found]

    def respelled(self, text: str, rng: Random) -> list[Edit]:
        """Find names, each to be written with one letter another way."""
        found = [
            m
            for m in re.finditer(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b", text)
            if self.corpus.is_name(m.group())
        ]
        return [(*m.span(), _one_letter(m.group(), rng)) for m in found]

    def unnamed(self, text: str, rng: Random) -> list[Edit]:
        """Find first or last names beside another name, to be left out."""
        found = re.finditer(r"(?<=[a-z,] )([A-Z][a-z]{3,}) (?=[A-Z][a-z]{3,}\b)", text)
        return [(*m.span(), "") for m in found if self.corpus.is_name(m[1])]

    def exchanged(self, text: str, rng: Random) -> list[Edit]:
        """Find two names of a sentence, to change places; one edit spans both."""
        found = [
            m
            for m in re.finditer(r"(?<![A-Z][a-z] )(?<=[a-z,] )[A-Z][a-z]{3,}\b(?! [A-Z])", text)
            if self.corpus.is_name(m.group())
        ]
        edits: list[Edit] = []
        for a, b in pairwise(found):
            between = text[a.end() : b.start()]
            if a.group() != b.group() and not re.fullmatch(r",? (?:and|or|&) |, ", between):
                edits.append((a.start(), b.end(), b.group() + between + a.group()))
        return edits

    def initials(self, text: str, rng: Random) -> list[Edit]:
        """Find initials of names, to be changed."""
        found = re.finditer(
            r"(?<=[a-z,] )[A-Z](?=\. [A-Z][a-z]+)|(?<=[A-Z][a-z]{3} )[A-Z](?=\. [A-Z][a-z]+)", text
        )
        return [
            (*m.span(), rng.choice([c for c in "ABCDEFGHJKLMPRSTW" if c != m.group()]))
            for m in found
        ]

    def table(self) -> dict[str, Candidates]:
        """Return the changes by category."""
        return {
            "word_swapped": self.swapped,
            "word_added": self.added,
            "word_lost": self.lost,
            "words_lost": self.lost_several,
            "name_swapped": self.renamed,
            "name_letter": self.respelled,
            "name_lost": self.unnamed,
            "name_exchanged": self.exchanged,
            "name_initial": self.initials,
        }


def _one_letter(name: str, rng: Random) -> str:
    """Change one letter of a name, or leave it out, or write it twice."""
    at = rng.randint(1, len(name) - 1)
    vowels = "aeiou"
    if name[at] in vowels:
        return name[:at] + rng.choice([v for v in vowels if v != name[at]]) + name[at + 1 :]
    other = rng.choice([c for c in "bcdfgklmnprstv" if c != name[at]])
    options = (
        name[:at] + other + name[at + 1 :],
        name[:at] + name[at + 1 :],
        name[: at + 1] + name[at:],
    )
    return rng.choice(options)
