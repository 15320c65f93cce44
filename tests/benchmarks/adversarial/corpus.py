"""Natural sentences of real texts: what every case is made from."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from .cases import Draft, Interval, whole

Item = TypeVar("Item")

DATASETS = (
    "quotesum",
    "clapnq",
    "xquad_en",
    "ragtruth",
    "wice",
    "attributionbench",
    "bump",
    "summedits",
    "scifact_abs",
    "factcheck_gpt",
    "halueval_qa",
    "storysumm",
)
TEXTS_PER_DATASET = 150
LONGEST = 6000
SHORTEST = 250

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SENTENCE = re.compile(
    r"(?:(?<=^)|(?<=[.!?]\s)|(?<=[.!?][\"”’]\s)|(?<=\n))([A-Z\"“][^\n]*?[.!?])(?=\s|$)"
)
_ABBREVIATION = re.compile(
    r"(?:\b[A-Z]|\b(?:Mr|Mrs|Ms|Dr|St|Jr|Sr|No|vs|etc|al|cf|Fig|e\.g|i\.e|U\.S|Inc|Co|Ltd|Corp|Gen|Lt|Col|Rep|Sen|Prof|Rev|Mt|Ft|ca|approx|Jan|Feb|Mar|Apr|Aug|Sept|Oct|Nov|Dec|p|pp|Vol|Art))\.$"
)
_STOPWORDS = frozenset(
    [
        "the",
        "of",
        "and",
        "to",
        "in",
        "a",
        "is",
        "was",
        "for",
        "that",
        "with",
        "as",
        "on",
        "by",
        "it",
        "are",
        "were",
        "from",
        "an",
        "be",
        "at",
        "has",
        "have",
        "had",
    ]
)


@dataclass(frozen=True, slots=True)
class Text:
    """One real text with its data set and the sentences found in it."""

    name: str
    dataset: str
    body: str
    sentences: tuple[Interval, ...]

    def draft(self, index: int) -> Draft:
        """Draft a verbatim quote of one sentence."""
        return whole(self.body, *self.sentences[index])

    def sentence(self, index: int) -> str:
        """Return one sentence's words."""
        start, end = self.sentences[index]
        return self.body[start:end]


def listed(words: str) -> frozenset[str]:
    """Read words that spaces set apart."""
    return frozenset(words.split())


TextMaker = Callable[[Text, int, Random], Draft | None]
"""Makes a draft of one sentence of a text, given its number; `None` where it cannot."""


class Corpus:
    """Real texts and the words that stand in them.

    Reads every data set once; the same folder always gives the same texts in the same order.
    """

    def __init__(
        self, folder: Path, datasets: Sequence[str] = DATASETS, longest: int = LONGEST
    ) -> None:
        self.folder = folder
        self.texts = list(_interleaved([list(_texts(folder, name, longest)) for name in datasets]))

    @cached_property
    def spellings(self) -> Counter[str]:
        """How often each spelling stands in any text or statement, letter case kept."""
        counter: Counter[str] = Counter()
        for name in (*DATASETS, "fm2", "q2_wow", "nli_negation", "nli_breaking", "fever_symmetric"):
            for row in rows(self.folder, name):
                for context in row["context"]:
                    counter.update(_WORD.findall(context["text"]))
                counter.update(_WORD.findall(row["statement"] or ""))
        return counter

    @cached_property
    def words(self) -> Counter[str]:
        """How often each word stands in any text or statement, letter case folded."""
        counter: Counter[str] = Counter()
        for word, count in self.spellings.items():
            counter[word.lower().replace("’", "'")] += count
        return counter

    @cached_property
    def tokenised(self) -> list[Text]:
        """The texts whose punctuation stands apart from the words, as treebanks write it."""
        return [text for text in self.texts if text.body.count(" , ") >= 2]

    @cached_property
    def natural(self) -> list[Text]:
        """The texts with ordinary spacing and at least one usable sentence."""
        return [t for t in self.texts if t.sentences and " , " not in t.body and " ." not in t.body]

    @cached_property
    def sentences(self) -> list[tuple[Text, int]]:
        """Every usable sentence as its text and number, texts taken in turns."""
        return list(
            _interleaved([[(text, i) for i in range(len(text.sentences))] for text in self.natural])
        )

    def shuffled(self, seed: str) -> list[tuple[Text, int]]:
        """Return the sentences in an order of one category's own: one of each text first."""
        rng = Random(seed)
        return list(
            _interleaved(
                [
                    rng.sample([(text, i) for i in range(len(text.sentences))], len(text.sentences))
                    for text in rng.sample(self.natural, len(self.natural))
                ]
            )
        )

    def is_word(self, letters: str) -> bool:
        """Tell whether any text has this word."""
        return self.words[letters.lower().replace("’", "'")] > 0

    def is_common(self, word: str) -> bool:
        """Tell whether a lower-case word is certainly a word and no name."""
        return self.spellings[word] >= 8 and self.spellings[word] > self.spellings[word.title()]

    def is_name(self, word: str) -> bool:
        """Tell whether a capitalised word is hardly ever written small."""
        written_small = self.spellings[word.lower()]
        return (
            word[:1].isupper() and word[1:].islower() and written_small * 10 < self.spellings[word]
        )


def rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """Read one data set's rows."""
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _texts(folder: Path, name: str, longest: int) -> Iterator[Text]:
    """Read the different texts of one data set, long ones cut at a sentence's end."""
    seen: dict[str, None] = {}
    for row in rows(folder, name):
        seen.update(dict.fromkeys(context["text"] for context in row["context"]))
    long_enough = sorted(body for body in seen if len(body) >= SHORTEST)
    chosen = Random(name).sample(long_enough, min(TEXTS_PER_DATASET, len(long_enough)))
    for number, body in enumerate(chosen):
        cut = _shortened(body, longest)
        yield Text(f"{name}-{number}", name, cut, tuple(usable_sentences(cut)))


def _shortened(body: str, longest: int) -> str:
    """Cut a long text after a sentence."""
    if len(body) <= longest:
        return body
    cut = body.rfind(". ", 0, longest)
    return body[: cut + 1] if cut > SHORTEST else body[:longest]


def usable_sentences(body: str) -> Iterator[Interval]:
    """Find plain English sentences of 7 to 45 words that stand once in a text."""
    for found in _SENTENCE.finditer(body):
        start, end = found.span(1)
        if _is_usable(body, start, end):
            yield start, end


def _is_usable(body: str, start: int, end: int) -> bool:
    """Tell whether an interval is one plain sentence that stands once in its text."""
    sentence = body[start:end]
    words = sentence.split()
    inside = sentence[len(sentence) // 5 : -len(sentence) // 5]
    return (
        7 <= len(words) <= 45
        and not _ABBREVIATION.search(sentence)
        and not _ABBREVIATION.search(body[:start].rstrip()[-6:])
        and sum(word.lower() in _STOPWORDS for word in words) >= 2
        and sentence.count('"') % 2 == 0
        and sentence.count("(") == sentence.count(")")
        and not re.search(r"https?:|\(meta data\)|[<>{}|�]|  ", sentence)
        and stands_once(inside, body)
    )


def stands_once(words: str, body: str) -> bool:
    """Tell whether words stand once in a text, marks, spaces and letter case left aside."""
    return letters_and_digits(body).count(letters_and_digits(words)) == 1


@lru_cache(maxsize=4096)
def letters_and_digits(text: str) -> str:
    """Fold a text to its letters and digits."""
    return "".join(char for char in text.casefold() if char.isalnum())


def _interleaved(lists: list[list[Item]]) -> Iterator[Item]:
    """Take one of each list in turns until all are empty."""
    for turn in range(max(map(len, lists), default=0)):
        yield from (items[turn] for items in lists if turn < len(items))
