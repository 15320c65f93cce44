"""Long evidence, put to a judge part by part: real texts of 100 to 200,000 characters."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from benchmarks.speed.timing import seconds
from citeguard.judges.llm import support_data
from citeguard.judges.questions import SUPPORT, batches
from citeguard.judges.verdicts import Evidence, SupportQuestion
from citeguard.language.sentences import sentence_intervals

from ..tables import table

_QUESTIONS = 40
_SHORTEST, _LONGEST = 100, 200_000
_DATA_SETS = ("wice", "attributionbench", "clapnq", "scifact_abs", "ragtruth", "citecheck")
_LIMITS = (20_000, 2_000, 500)
_BATCH_SIZE = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class _Split:
    """A question, and what it was split into.

    Attributes:
        question: The question.
        parts: The questions that are put instead.
        whole: How many sentences stand whole in a part.
        cut: How many that would fit into one do not.
        too_long: How many are longer than a part may be.
        seconds: What the splitting took.
    """

    question: SupportQuestion
    parts: list[SupportQuestion]
    whole: int
    cut: int
    too_long: int
    seconds: float


def lines(folder: Path | None) -> Iterator[str]:
    """Report how questions with evidence of every length are split."""
    if folder is None:
        yield "long evidence: needs the data folder"
        return
    questions = list(_questions(folder))
    yield from table(
        f"{_QUESTIONS} questions with {_SHORTEST:,} to {_LONGEST:,} characters of evidence, in one "
        "passage and in several",
        (
            "`evidence_limit`",
            "parts",
            "most for one",
            "longest part",
            "sentences whole",
            "cut",
            "too long",
            "lost chars",
            "read twice %",
            f"calls at `batch_size={_BATCH_SIZE}`",
            "longest data of a call",
            "splitting, median",
            "worst",
        ),
        (_row(limit, [_split(question, limit) for question in questions]) for limit in _LIMITS),
    )


def _row(limit: int, splits: Sequence[_Split]) -> Sequence[object]:
    given = sum(_size(split.question) for split in splits)
    put = sum(_size(part) for split in splits for part in split.parts)
    calls = [call for split in splits for call in _calls(split.parts, limit)]
    longest = max(_size(part) for split in splits for part in split.parts)
    return (
        f"{limit:,}",
        sum(len(split.parts) for split in splits),
        max(len(split.parts) for split in splits),
        f"{longest:,}" if longest <= limit else f"**{longest:,}**",
        f"{sum(split.whole for split in splits):,}",
        sum(split.cut for split in splits),
        sum(split.too_long for split in splits),
        sum(_lost(split) for split in splits),
        f"{100 * (put / given - 1):.1f}",
        len(calls),
        f"{max(len(json.dumps(support_data(call), ensure_ascii=False)) for call in calls):,}",
        seconds(median(split.seconds for split in splits)),
        seconds(max(split.seconds for split in splits)),
    )


def _calls(parts: list[SupportQuestion], limit: int) -> list[list[SupportQuestion]]:
    return batches(parts, SUPPORT.length, most=_BATCH_SIZE, limit=limit)


def _size(question: SupportQuestion) -> int:
    return sum(len(evidence.text) for evidence in question.evidence)


def _split(question: SupportQuestion, limit: int) -> _Split:
    start = perf_counter()
    parts = SUPPORT.split(question, limit)
    took = perf_counter() - start
    shown = [evidence for part in parts for evidence in part.evidence]
    places = [place for passage in question.evidence for place in _sentences(passage)]
    fitting = [place for place in places if place.end - place.start <= limit]
    whole = sum(any(place.stands_in(evidence) for evidence in shown) for place in fitting)
    return _Split(
        question=question,
        parts=parts,
        whole=whole,
        cut=len(fitting) - whole,
        too_long=len(places) - len(fitting),
        seconds=took,
    )


@dataclass(frozen=True, slots=True)
class _Sentence:
    source_id: str | None
    start: int
    end: int
    text: str

    def stands_in(self, evidence: Evidence) -> bool:
        """Tell whether all of it is there, where the evidence says that it is."""
        if evidence.source_id != self.source_id or evidence.start > self.start:
            return False
        start, end = self.start - evidence.start, self.end - evidence.start
        return evidence.text[start:end] == self.text


def _sentences(passage: Evidence) -> Iterator[_Sentence]:
    for start, end in sentence_intervals(passage.text):
        yield _Sentence(
            passage.source_id, passage.start + start, passage.start + end, passage.text[start:end]
        )


def _lost(split: _Split) -> int:
    """Count the characters, white space apart, that no part shows."""
    shown: dict[str | None, set[int]] = {}
    for part in split.parts:
        for evidence in part.evidence:
            places = range(evidence.start, evidence.start + len(evidence.text))
            shown.setdefault(evidence.source_id, set()).update(places)
    return sum(
        not char.isspace() and place not in shown.get(passage.source_id, ())
        for passage in split.question.evidence
        for place, char in enumerate(passage.text, passage.start)
    )


def _questions(folder: Path) -> Iterator[SupportQuestion]:
    """Yield questions with ever longer evidence, every other one with it in one passage.

    A question has the passages of its own item first, and those of other items of its data set
    behind, until there is enough.
    """
    random = Random(1)
    items = {name: _items(folder, name) for name in _DATA_SETS}
    growth = (_LONGEST / _SHORTEST) ** (1 / (_QUESTIONS - 1))
    for number, name in zip(range(_QUESTIONS), cycle(_DATA_SETS), strict=False):
        length = round(_SHORTEST * growth**number)
        statement, own = random.choice(items[name])
        others = [
            text for _, texts in random.sample(items[name], len(items[name])) for text in texts
        ]
        texts = _enough([*own, *others], length)
        if number // len(_DATA_SETS) % 2:
            texts = ["\n".join(texts)[:length]]
        yield SupportQuestion(
            statement=statement,
            evidence=tuple(
                Evidence(text=text, source_id=f"{name}-{place}") for place, text in enumerate(texts)
            ),
        )


def _items(folder: Path, name: str) -> list[tuple[str, list[str]]]:
    """Read the statements of a data set, and the texts they are to be judged by."""
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as rows:
        read = [json.loads(row) for row in rows]
    return [
        (row["statement"], [each["text"] for each in row["context"]])
        for row in read
        if row["statement"]
    ]


def _enough(texts: Sequence[str], length: int) -> list[str]:
    """Return the first texts, cut so that they have that many characters together."""
    taken: list[str] = []
    left = length
    for text in dict.fromkeys(texts):
        if left <= 0:
            break
        taken.append(text[:left])
        left -= len(taken[-1])
    return taken
