"""What is put to judges: a `Case`, of one of two kinds, `SUPPORT` and `ALIGNMENT`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from citeguard.judges import parts
from citeguard.judges.verdicts import Alignment, AlignmentQuestion, SupportQuestion, Verdict

Q = TypeVar("Q", bound=SupportQuestion | AlignmentQuestion)
A = TypeVar("A", bound=Verdict | Alignment)


@dataclass(frozen=True, slots=True)
class Kind(Generic[Q, A]):
    """What differs between the kinds of question: how one is put, cut up and answered.

    Attributes:
        name: What the kind is called, in keys of a cache.
        method: The judge's method that is asked.
        answer: What it returns.
        fits: Whether an object is an answer to a question.
        length: Counts the characters of its evidence.
        split: Cuts a question with long evidence into parts.
        combine: Makes one answer of those to the parts.
        undecided: Makes the answer of a judge that failed, from a reason and the judge's name.
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

    @property
    def misfit(self) -> str:
        """What to say of a judge whose answer does not fit its question."""
        return f"gave what is not the {self.answer.__name__} that it was asked for"


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A question, and the judges to ask one after the other until one of them can tell."""

    kind: Kind[Any, Any]
    judges: tuple[Any, ...]
    question: Any

    @property
    def key(self) -> tuple[Any, ...]:
        """What two cases have in common that are the same."""
        return (*self.bench, self.question)

    @property
    def pending(self) -> Any:
        """The answer until the judges have been asked: that nobody can tell yet."""
        return self.kind.undecided(self.question, PENDING.reason, PENDING.judge)

    @property
    def bench(self) -> tuple[Any, ...]:
        """What two cases have in common that can be judged together."""
        # By identity: a judge need not be hashable. The case holds on to it.
        return (self.kind.name, *map(id, self.judges))


def _is_verdict(_: object, answer: object) -> bool:
    return isinstance(answer, Verdict)


def _is_alignment(question: AlignmentQuestion, answer: object) -> bool:
    """Tell whether an answer has its verdict, and all statements with evidence theirs, or none."""
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


PENDING = Verdict("undecided", reason="not judged yet")
"""What is said while questions are only collected."""

SUPPORT: Kind[SupportQuestion, Verdict] = Kind(
    name="support",
    method="judge",
    answer=Verdict,
    fits=_is_verdict,
    length=parts.support_length,
    split=parts.split_support,
    combine=parts.combine_support,
    undecided=_undecided_verdict,
    batched=True,
)
ALIGNMENT: Kind[AlignmentQuestion, Alignment] = Kind(
    name="alignment",
    method="align",
    answer=Alignment,
    fits=_is_alignment,
    length=parts.alignment_length,
    split=parts.split_alignment,
    combine=parts.combine_alignment,
    undecided=_undecided_alignment,
    batched=False,
)
