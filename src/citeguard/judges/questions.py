"""The two types of question, `SUPPORT` and `ALIGNMENT`: how each is asked, split and answered.

Long evidence is split over several questions, and the verdicts on them are combined into one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import zip_longest
from typing import Any, TypeVar

from citeguard.judges.verdicts import (
    Alignment,
    AlignmentQuestion,
    Evidence,
    SupportQuestion,
    Verdict,
)
from citeguard.language.sentences import sentence_intervals

_OVERLAP = 8  # a part repeats up to 1/8 of the one before, so that no fact is cut in two
_SOURCES_KEPT = 16
_BLANK = re.compile(r"(?<=\s)|(?=\s)")
# Where a sentence that is too long is cut, best first: at a blank; at a sign, but not of a number;
# at any sign.
_BORDERS = (_BLANK, re.compile(r"(?<!\d)(?!\d)(?:(?<!\w)|(?!\w))"), re.compile(r"(?<!\w)|(?!\w)"))

T = TypeVar("T")
Part = tuple[Evidence, ...]


class _Support:
    """Questions about one statement.

    Attributes:
        name: The name in keys of a cache.
        method: The judge's method.
        answer: The type of its answers.
        batched: Whether the method takes several questions, and returns as many answers.
    """

    name, method, answer, batched = "support", "judge", Verdict, True

    def length(self, question: SupportQuestion) -> int:
        """Count the characters of evidence."""
        return _size(question.evidence)

    def split(self, question: SupportQuestion, limit: int) -> list[SupportQuestion]:
        """Split a question into some with at most `limit` characters of evidence each."""
        return [replace(question, evidence=part) for part in _parts(question.evidence, limit)]

    def as_written(self, question: SupportQuestion) -> SupportQuestion:
        """Return a question with its evidence in the words of the sources."""
        if not any(each.pieces for each in question.evidence):
            return question
        written = tuple(each.as_written() for each in question.evidence)
        return replace(question, evidence=tuple(dict.fromkeys(written)))

    def combine(self, answers: Sequence[Verdict]) -> Verdict:
        """Combine the answers to the parts of a question."""
        # One part that supports the statement is enough, and a contradiction takes precedence over
        # silence; but a part that nobody could judge might support it.
        order = ("supported", "undecided", "contradicted", "unsupported")
        return min(answers, key=lambda verdict: order.index(verdict.outcome))

    def undecided(self, question: SupportQuestion, reason: str, judge: str) -> Verdict:
        """Return the answer that nothing is decided."""
        return Verdict("undecided", reason=reason, judge=judge)

    def fits(self, question: SupportQuestion, answer: object) -> bool:
        """Return whether an object answers a question."""
        return isinstance(answer, Verdict)


class _Alignment:
    """Questions about a whole answer; attributes and methods are those of questions of support."""

    name, method, answer, batched = "alignment", "align", Alignment, False

    def length(self, question: AlignmentQuestion) -> int:
        return _size(question.passages) + sum(map(SUPPORT.length, question.statements))

    def split(self, question: AlignmentQuestion, limit: int) -> list[AlignmentQuestion]:
        """Split a question into some that show all statements, and the evidence of a few."""
        loads = [
            (place, part)
            for place, statement in enumerate(question.statements)
            if statement.evidence
            for part in _parts(statement.evidence, limit)
        ]
        # Two parts of one statement's evidence never meet: the second is there for want of room.
        groups = batches(loads, lambda load: _size(load[1]), most=None, limit=limit)
        parts = [
            replace(
                question,
                statements=tuple(
                    replace(statement, evidence=evidence.get(place, ()))
                    for place, statement in enumerate(question.statements)
                ),
            )
            for evidence in map(dict, groups)
        ]
        return parts or [question]

    def as_written(self, question: AlignmentQuestion) -> AlignmentQuestion:
        return replace(
            question,
            statements=tuple(map(SUPPORT.as_written, question.statements)),
            passages=tuple(each.as_written() for each in question.passages),
        )

    def combine(self, answers: Sequence[Alignment]) -> Alignment:
        # Every part shows the whole answer, so the first decided verdict is about all of it.
        verdicts = [alignment.answer for alignment in answers]
        return Alignment(
            answer=next((verdict for verdict in verdicts if verdict.decided), verdicts[0]),
            statements=tuple(
                SUPPORT.combine(column) if column else None for column in by_statement(answers)
            ),
        )

    def undecided(self, question: AlignmentQuestion, reason: str, judge: str) -> Alignment:
        verdict = Verdict("undecided", reason=reason, judge=judge)
        return Alignment(
            answer=verdict,
            statements=tuple(verdict if each.evidence else None for each in question.statements),
        )

    def fits(self, question: AlignmentQuestion, answer: object) -> bool:
        """Return whether it has a verdict, and one per statement with evidence, or none."""
        if not isinstance(answer, Alignment) or not isinstance(answer.answer, Verdict):  # pyright: ignore[reportUnnecessaryIsInstance]
            return False
        given: Any = answer.statements
        if not isinstance(given, (tuple, list)) or len(given) not in (0, len(question.statements)):  # pyright: ignore[reportUnknownArgumentType]
            return False
        return all(
            isinstance(verdict, Verdict) or (verdict is None and not statement.evidence)
            for statement, verdict in zip(question.statements, given, strict=False)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        )


SUPPORT = _Support()
ALIGNMENT = _Alignment()
QuestionType = _Support | _Alignment


def type_of(question: SupportQuestion | AlignmentQuestion) -> QuestionType:
    """Return the type of a question."""
    return SUPPORT if isinstance(question, SupportQuestion) else ALIGNMENT


PENDING = Verdict("undecided", reason="not judged yet")
"""The verdict while questions are only collected."""


def pending_answer(question: Any) -> Any:
    """Return the answer to a question until a judge has been asked."""
    return type_of(question).undecided(question, PENDING.reason, PENDING.judge)


def batches(
    questions: Sequence[T], length: Callable[[T], int], *, most: int | None, limit: int | None
) -> list[list[T]]:
    """Group questions, in order, for calls of a judge.

    Args:
        questions: What to group.
        length: Counts the characters of evidence of a question.
        most: The most questions in a group; `None` for no limit.
        limit: The most characters of evidence in a group, unless one question alone has more;
            `None` for no limit.
    """
    groups: list[list[T]] = []
    room = 0
    for question in questions:
        size = length(question)
        if not groups or len(groups[-1]) == most or size > room:
            groups.append([])
            room = sys.maxsize if limit is None else limit
        groups[-1].append(question)
        room -= size
    return groups


def by_statement(alignments: Sequence[Alignment]) -> list[list[Verdict]]:
    """Return, for each statement, the verdicts on it."""
    columns = zip_longest(*(alignment.statements for alignment in alignments))
    return [[verdict for verdict in column if verdict is not None] for column in columns]


def _parts(evidence: Part, limit: int) -> list[Part]:
    if _size(evidence) <= limit:
        return [evidence]
    pieces = [piece for passage in evidence for piece in _cut(passage, limit)]
    groups = batches(pieces, lambda piece: len(piece.text), most=None, limit=limit)
    return [tuple(group) for group in groups]


def _size(part: Part) -> int:
    return sum(len(evidence.text) for evidence in part)


# Many statements may cite one long source, and finding its sentences takes a while.
@lru_cache(maxsize=_SOURCES_KEPT)
def _cut(passage: Evidence, limit: int) -> tuple[Evidence, ...]:
    """Return pieces of a passage of at most `limit` characters, which overlap."""
    text, start, done = passage.text, 0, 0
    if len(text) <= limit:
        return (passage,)
    pieces: list[Evidence] = []
    ends = [end for _, end in sentence_intervals(text)]
    while True:
        fitting = [end for end in ends if done < end <= start + limit]
        if not fitting:
            start = done  # no room for an overlap
            fitting = [end for end in ends if done < end <= start + limit]
        if fitting:
            end = fitting[-1]
        else:
            # A sentence that is longer than a piece is cut where the piece ends.
            end = min(len(text), start + limit)
            places = (_borders(border, text, start, end) for border in _BORDERS)
            end = end if end == len(text) else next(filter(None, places), [end])[-1]
        pieces.append(passage.part(start, end))
        if not text[end:].strip():
            return tuple(pieces)
        repeated = [past for past in ends if max(start, end - limit // _OVERLAP) <= past < end]
        if not fitting:
            repeated = _borders(_BLANK, text, max(start, end - 1 - limit // _OVERLAP), end - 1)
        start = repeated[0] if repeated and repeated[0] > start else end
        done = end


def _borders(border: re.Pattern[str], text: str, start: int, end: int) -> list[int]:
    """Return the borders after `start` and up to `end`."""
    matches = border.finditer(text, start + 1, end + 1)  # with a character to look ahead to
    return [match.start() for match in matches if match.start() <= end]
