"""The scripted answers: statements about a report, three of them wrong at the first attempt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

STATEMENTS = 20
CHANGED = frozenset({3, 9, 15})

_PLANT = re.compile(r"plant (\d+)-(\d+)")
_REPORT = re.compile(r"report (\d+)")
_PARAGRAPH = 4  # facts
_FILLER = (
    "The neighbours were asked about noise and dust, and the board took note of what they said in "
    "a session of its own."
)


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of a report, and what an answer makes of it."""

    report: int
    number: int

    @property
    def sentence(self) -> str:
        """What the report says."""
        return (
            f"In the second half of the year, plant {self.report}-{self.number} melted "
            f"{self._tonnes} tonnes of scrap and sold all that it could not use by itself."
        )

    @property
    def statement(self) -> str:
        """What the report bears out."""
        return f"From July on, plant {self.report}-{self.number} melted {self._tonnes} tonnes."

    @property
    def wrong_statement(self) -> str:
        """What it contradicts."""
        return f"From July on, plant {self.report}-{self.number} melted {self._tonnes + 5} tonnes."

    @property
    def _tonnes(self) -> int:
        return 1_000 + 100 * self.report + 3 * self.number


def source(report: int) -> str:
    """Return the text of a report, in paragraphs."""
    sentences = [f"{fact.sentence} {_FILLER}" for fact in _facts(report)]
    paragraphs = (sentences[at : at + _PARAGRAPH] for at in range(0, STATEMENTS, _PARAGRAPH))
    return "\n\n".join(map(" ".join, paragraphs))


def question(report: int) -> str:
    """Return a question about a report."""
    return f"How much scrap did each plant of report {report} melt?"


def answer_to(asked: str, *, attempt: int) -> dict[str, Any]:
    """Return the answer to a question, as the language model gives it at an attempt."""
    found = _REPORT.search(asked)
    if found is None:
        raise ValueError(f"no report is named in {asked!r:.80}")
    return answer(int(found[1]), attempt=attempt)


def answer(report: int, *, attempt: int) -> dict[str, Any]:
    """Return an answer about a report, right from the second attempt on."""
    return {"statements": [_statement(fact, attempt) for fact in _facts(report)]}


def is_wrong(statement: str) -> bool:
    """Tell whether the report contradicts a statement."""
    found = _PLANT.search(statement)
    return found is not None and statement != Fact(int(found[1]), int(found[2])).statement


def _facts(report: int) -> list[Fact]:
    return [Fact(report, number) for number in range(STATEMENTS)]


def _statement(fact: Fact, attempt: int) -> dict[str, Any]:
    wrong = attempt == 1 and fact.number in CHANGED
    return {
        "text": fact.wrong_statement if wrong else fact.statement,
        "citations": [{"quote": fact.sentence, "source_id": f"report-{fact.report}"}],
    }
