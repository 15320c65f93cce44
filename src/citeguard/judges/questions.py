"""The two types of question, `SUPPORT` and `ALIGNMENT`: how each is asked, split and answered.

Long evidence is split over several questions, and the verdicts on them are combined into one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest
from typing import Any, Generic, TypeVar

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

T = TypeVar("T")
Q = TypeVar("Q", bound=SupportQuestion | AlignmentQuestion)
A = TypeVar("A", bound=Verdict | Alignment)
Part = tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class QuestionType(Generic[Q, A]):
    """What differs between the types of question.

    Attributes:
        name: The name in keys of a cache.
        method: The judge's method.
        answer: The type of its answers.
        fits: Returns whether an object answers a question.
        length: Counts the characters of a question's evidence.
        split: Splits a question into parts with at most so many characters of evidence.
        combine: Combines the answers to the parts.
        undecided: Makes an answer from a reason and a judge's name.
        batched: Whether the method takes several questions, and returns as many answers.
    """

    name: str
    method: str
    answer: type[A]
    fits: Callable[[Q, object], bool]
    length: Callable[[Q], int]
    split: Callable[[Q, int], list[Q]]
    combine: Callable[[Sequence[A]], A]
    undecided: Callable[[Q, str, str], A]
    batched: bool


def type_of(question: SupportQuestion | AlignmentQuestion) -> QuestionType[Any, Any]:
    """Return the type of a question."""
    return SUPPORT if isinstance(question, SupportQuestion) else ALIGNMENT


def support_length(question: SupportQuestion) -> int:
    """Count the characters of evidence."""
    return _size(question.evidence)


def alignment_length(question: AlignmentQuestion) -> int:
    """Count the characters of evidence of all statements."""
    return sum(_size(statement.evidence) for statement in question.statements)


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


def split_support(question: SupportQuestion, limit: int) -> list[SupportQuestion]:
    """Split a question into some with at most `limit` characters of evidence each.

    Evidence is split between sentences where possible, and a part begins with the last sentences
    of the part before.
    """
    return [replace(question, evidence=part) for part in _parts(question.evidence, limit)]


def combine_support(verdicts: Sequence[Verdict]) -> Verdict:
    """Combine verdicts on the parts of the evidence.

    One part that supports the statement is enough. Failing that, the verdict is undecided if one
    part is; then a contradiction takes precedence over silence.
    """
    order = ("supported", "undecided", "contradicted", "unsupported")
    return min(verdicts, key=lambda verdict: order.index(verdict.outcome))


def split_alignment(question: AlignmentQuestion, limit: int) -> list[AlignmentQuestion]:
    """Split a question into some that show all statements, each with the evidence of some of them.

    None has more than `limit` characters of evidence.
    """
    loads = [
        (place, part)
        for place, statement in enumerate(question.statements)
        if statement.evidence
        for part in _parts(statement.evidence, limit)
    ]
    return [_only(question, dict(group)) for group in _grouped(loads, limit)] or [question]


def combine_alignment(alignments: Sequence[Alignment]) -> Alignment:
    """Combine verdicts on the parts of a question about an answer.

    Every part shows the whole answer, so the first decided verdict says whether it answers the
    question.
    """
    answers = [alignment.answer for alignment in alignments]
    return Alignment(
        answer=next((answer for answer in answers if answer.decided), answers[0]),
        statements=tuple(
            combine_support(verdicts) if verdicts else None for verdicts in by_statement(alignments)
        ),
    )


def by_statement(alignments: Sequence[Alignment]) -> list[list[Verdict]]:
    """Return, for each statement, the verdicts on it."""
    columns = zip_longest(*(alignment.statements for alignment in alignments))
    return [[verdict for verdict in column if verdict is not None] for column in columns]


def _only(question: AlignmentQuestion, evidence: dict[int, Part]) -> AlignmentQuestion:
    statements = (
        replace(statement, evidence=evidence.get(place, ()))
        for place, statement in enumerate(question.statements)
    )
    return replace(question, statements=tuple(statements))


def _grouped(loads: Sequence[tuple[int, Part]], limit: int) -> list[list[tuple[int, Part]]]:
    groups: list[list[tuple[int, Part]]] = []
    room = 0
    for place, part in loads:
        size = _size(part)
        # Two parts of one statement's evidence never meet in one question.
        if not groups or size > room or groups[-1][-1][0] == place:
            groups.append([])
            room = limit
        groups[-1].append((place, part))
        room -= size
    return groups


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
    return tuple(_pieces(passage, limit))


def _pieces(passage: Evidence, limit: int) -> Iterator[Evidence]:
    """Yield pieces of a passage of at most `limit` characters, which overlap."""
    text, start = passage.text, 0
    if len(text) <= limit:
        yield passage
        return
    ends = [end for _, end in sentence_intervals(text)]
    done = 0
    while True:
        # A sentence that is longer than a piece is cut where the piece ends.
        fitting = [end for end in ends if done < end <= start + limit]
        if not fitting:
            start = done  # no room for an overlap
            fitting = [end for end in ends if done < end <= start + limit]
        end = fitting[-1] if fitting else _between_words(text, start, start + limit)
        yield replace(passage, text=text[start:end], start=passage.start + start)
        if not text[end:].strip():
            return
        repeated = [past for past in ends if max(start, end - limit // _OVERLAP) <= past < end]
        if not fitting:
            places = range(max(start + 1, end - limit // _OVERLAP), end)
            repeated = [place for place in places if _is_at_blank(text, place)][:1]
        start = repeated[0] if repeated and repeated[0] > start else end
        done = end


def _between_words(text: str, start: int, end: int) -> int:
    """Return the last place up to `end`, and beyond `start`, that cuts no word or number.

    Prefers a blank, then a sign that is not part of a number, then any sign.
    """
    if end >= len(text):
        return len(text)
    for is_border in (_is_at_blank, _is_outside_number, _is_outside_word):
        for place in range(end, start, -1):
            if is_border(text, place):
                return place
    return end


def _is_at_blank(text: str, place: int) -> bool:
    return text[place - 1].isspace() or text[place].isspace()


def _is_outside_word(text: str, place: int) -> bool:
    return not (text[place - 1].isalnum() and text[place].isalnum())


def _is_outside_number(text: str, place: int) -> bool:
    return _is_outside_word(text, place) and not re.search(r"\d", text[place - 1 : place + 1])


def _is_verdict(_: object, answer: object) -> bool:
    return isinstance(answer, Verdict)


def _is_alignment(question: AlignmentQuestion, answer: object) -> bool:
    """Return whether an answer has a verdict, and one per statement with evidence, or none."""
    if not isinstance(answer, Alignment) or not _is_verdict(question, answer.answer):
        return False
    if not isinstance(answer.statements, (tuple, list)):  # pyright: ignore[reportUnnecessaryIsInstance]
        return False
    if not answer.statements:
        return True
    if len(answer.statements) != len(question.statements):
        return False
    pairs = zip(question.statements, answer.statements, strict=True)
    return all(
        _is_verdict(each, verdict) or (verdict is None and not each.evidence)
        for each, verdict in pairs
    )


def _undecided_verdict(_: SupportQuestion, reason: str, judge: str) -> Verdict:
    return Verdict("undecided", reason=reason, judge=judge)


def _undecided_alignment(question: AlignmentQuestion, reason: str, judge: str) -> Alignment:
    verdict = Verdict("undecided", reason=reason, judge=judge)
    return Alignment(
        answer=verdict,
        statements=tuple(verdict if each.evidence else None for each in question.statements),
    )


SUPPORT: QuestionType[SupportQuestion, Verdict] = QuestionType(
    name="support",
    method="judge",
    answer=Verdict,
    fits=_is_verdict,
    length=support_length,
    split=split_support,
    combine=combine_support,
    undecided=_undecided_verdict,
    batched=True,
)
ALIGNMENT: QuestionType[AlignmentQuestion, Alignment] = QuestionType(
    name="alignment",
    method="align",
    answer=Alignment,
    fits=_is_alignment,
    length=alignment_length,
    split=split_alignment,
    combine=combine_alignment,
    undecided=_undecided_alignment,
    batched=False,
)

PENDING = Verdict("undecided", reason="not judged yet")
"""The verdict while questions are only collected."""


def pending_answer(question: SupportQuestion | AlignmentQuestion) -> Any:
    """Return the answer to a question until a judge has been asked."""
    return type_of(question).undecided(question, PENDING.reason, PENDING.judge)
