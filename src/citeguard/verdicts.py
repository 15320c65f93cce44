"""What a judge is asked, `SupportQuestion` and `AlignmentQuestion`, and what it says: `Verdict`."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, fields
from numbers import Real
from typing import Any, Literal, get_args

from citeguard.sources import Span

Outcome = Literal["supported", "contradicted", "unsupported", "undecided"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether evidence bears a statement out, and why.

    `undecided` means that nobody could tell: it is no kind of "no". What to make of it is up to
    `Policy.undecided`.

    Attributes:
        outcome: `supported`, `contradicted` (the evidence says otherwise), `unsupported` (it does
            not say), or `undecided`.
        reason: Why, in a sentence.
        score: How well the statement is supported, 0 to 1, higher is better; `None` when the judge
            does not grade.
        words: The words of the evidence that decide, as they stand there; empty when none do.
        span: Where those words stand in a source, when the evidence is from one.
        judge: Who said so.

    Raises:
        ValueError: an outcome that does not exist, a score outside 0 to 1, or no text for a text.

    Examples:
        >>> Verdict("contradicted", reason="The source says two months.").decided
        True
    """

    outcome: Outcome
    _: KW_ONLY
    reason: str = ""
    score: float | None = None
    words: str = ""
    span: Span | None = None
    judge: str = ""

    def __post_init__(self) -> None:
        """Refuse what could be taken for a verdict and is none."""
        for name in ("reason", "words", "judge"):
            if not isinstance(getattr(self, name), str):
                raise ValueError(f"a verdict's {name} must be a text")
        if self.outcome not in get_args(Outcome):
            raise ValueError(f"{self.outcome!r} is no outcome of a verdict")
        span: Any = self.span
        if span is not None and not isinstance(span, Span):
            raise ValueError(f"a verdict's span must be a Span, not {span!r}")
        score: Any = self.score
        if score is not None and not (isinstance(score, Real) and 0 <= float(score) <= 1):
            raise ValueError(f"a verdict's score must be a number from 0 to 1, not {score!r}")
        if score is not None:  # of whatever library: it has to be written as JSON
            object.__setattr__(self, "score", float(score))

    @property
    def decided(self) -> bool:
        """Whether the judge could tell."""
        return self.outcome != "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A passage that a judge is to read.

    Attributes:
        text: The passage.
        source_id: The source it stands in, when it is from one.
        start: Where in that source it starts, in code points.
    """

    text: str
    source_id: str | None = None
    start: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportQuestion:
    """Does this evidence, all of it together, support this statement?"""

    statement: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentQuestion:
    """Do these statements answer the question, and does each agree with what it cites?

    Attributes:
        question: What was asked, when that is known.
        statements: All of them, in order. One without evidence is there to be read only.
    """

    question: str | None
    statements: tuple[SupportQuestion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """What a judge says of an answer as a whole.

    Attributes:
        answer: Whether the statements together answer the question: `supported` if they do,
            `unsupported` if not, or only in part. When no question is known, `supported`.
        statements: A verdict for each statement, in order, and `None` for one without evidence;
            empty if the judge says nothing of statements.
    """

    answer: Verdict
    statements: tuple[Verdict | None, ...] = ()

    @property
    def decided(self) -> bool:
        """Whether the judge could tell, of the answer and of every statement."""
        return self.answer.decided and all(v.decided for v in self.statements if v is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What the judges of an answer have cost so far.

    Attributes:
        calls: How often a judge was called. What a client sends again by itself is not counted.
        tokens: Tokens read and written by language models, as their endpoints count them.
        cached: Verdicts that were found in a cache.
        seconds: Time spent waiting for judges; those that work side by side count once.
    """

    calls: int = 0
    tokens: int = 0
    cached: int = 0
    seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        """Add each cost to its like."""
        return Usage(
            **{f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)}
        )
