"""Questions with right and wrong statements, of public data sets."""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from citeguard.judges.short_answers.compare import compare_answers
from citeguard.judges.short_answers.kinds import AnswerKind, asked_for
from citeguard.language.sentences import sentence_intervals

_ASKING = re.compile(
    r"\b(?:how (?:many|much|long|old|far|tall|often)|(?:in |on |at )?(?:what|which)(?: \w+)?"
    r"|who|whom|when|where)\b",
    re.IGNORECASE,
)
_CLAIM = re.compile(
    r"(.{3,60}?)\s(is|was|are|were|can|could|has|have|had|will|would|does|did|do)\s(.*?)\.?"
)
_DENIAL = re.compile(r"\b(?:not|never|no|none|neither)\b|n't")


@dataclass(frozen=True, slots=True)
class Case:
    """A statement in answer to a question, beside a passage, and whether it is right."""

    question: str
    statement: str
    passage: str
    right: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of XQuAD."""

    question: str
    answer: str
    start: int
    paragraph: str
    kind: AnswerKind

    @property
    def sentence(self) -> str:
        """The sentence of the paragraph that the answer stands in."""
        found = sentence_intervals(self.paragraph)
        inside = [self.paragraph[a:b] for a, b in found if a <= self.start < b]
        return inside[0] if inside else self.paragraph

    @property
    def asking(self) -> str:
        """The words that ask, in lower case: "how many", "what year"; empty if none is known."""
        match = _ASKING.search(self.question)
        return match[0].lower() if match else ""

    def stated(self, answer: str) -> str:
        """Return the question as a statement, with an answer in the place of what asks."""
        match = _ASKING.search(self.question)
        if match is None:
            return answer
        said = self.question.rstrip(" ?")
        return f"{said[: match.start()]}{answer}{said[match.end() :]}."

    def differs(self, other: Asked) -> bool:
        """Tell whether another question has another answer."""
        return compare_answers(other.answer, self.answer, self.kind) == "different"


def read(folder: Path, name: str) -> list[dict[str, Any]]:
    """Return the records of a data set."""
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def xquad(folder: Path) -> list[Asked]:
    """Return the questions of XQuAD (English)."""
    return [
        Asked(
            record["question"],
            record["statement"],
            record["meta"]["answer_start"],
            record["context"][0]["text"],
            asked_for(record["question"]).kind,
        )
        for record in read(folder, "xquad_en")
    ]


def by_paragraph(questions: list[Asked]) -> list[list[Asked]]:
    """Group questions by their paragraph."""
    groups: dict[str, list[Asked]] = defaultdict(list)
    for question in questions:
        groups[question.paragraph].append(question)
    return list(groups.values())


def xquad_cases(folder: Path, *, sentence: bool, bare: bool) -> Iterator[Case]:
    """Yield each question with its answer, with one of the same paragraph, and with one of another.

    Args:
        folder: where the data is.
        sentence: whether the passage is the answer's sentence only.
        bare: whether the statement is the answer only.
    """
    random, questions = Random(2), xquad(folder)
    for paragraph in by_paragraph(questions):
        for asked in paragraph:
            alike = [o for o in paragraph if o.kind == asked.kind and asked.differs(o)]
            strange = [
                o
                for o in random.sample(questions, 200)
                if o.kind == asked.kind and o.answer not in asked.paragraph and asked.differs(o)
            ]
            wrong = [random.choice(group) for group in (alike, strange) if group]
            passage = asked.sentence if sentence else asked.paragraph
            for other in (asked, *wrong):
                said = other.answer if bare else asked.stated(other.answer)
                yield Case(asked.question, said, passage, other is asked)


def halueval_cases(folder: Path) -> Iterator[Case]:
    """Yield the questions of HaluEval, with a right answer and with a made-up one."""
    for record in read(folder, "halueval_qa"):
        passage = record["context"][0]["text"]
        right = record["label"] == "supported"
        yield Case(record["question"], record["statement"], passage, right)


def yes_no_cases(folder: Path, name: str) -> Iterator[Case]:
    """Yield claims of a data set turned into questions, answered by yes and by no."""
    for record in read(folder, name):
        question = _turned(record["statement"])
        if record["label"] in ("supported", "contradicted") and question:
            passage = " ".join(each["text"] for each in record["context"])
            for said, yes in (("Yes.", True), ("No.", False)):
                yield Case(question, said, passage, yes == (record["label"] == "supported"))


def _turned(claim: str) -> str | None:
    match = _CLAIM.fullmatch(claim.strip())
    if match is None or _DENIAL.search(claim):
        return None
    subject, verb, rest = match.groups()
    if subject.split()[0] in ("The", "A", "An", "In"):
        subject = subject[0].lower() + subject[1:]
    question = f"{verb.capitalize()} {subject} {rest}?"
    return question if asked_for(question).kind == "yes_no" else None
