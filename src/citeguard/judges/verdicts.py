"""What a judge is asked, `SupportQuestion` and `AlignmentQuestion`, and what it says: `Verdict`."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from numbers import Real
from typing import Any, Literal, get_args

from citeguard.sources.collection import Span

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

    Examples:
        >>> Evidence(text="Notice is one month.", source_id="handbook", start=40).span(10, 19)
        Span(source_id='handbook', start=50, end=59)
    """

    text: str
    source_id: str | None = None
    start: int = 0

    def span(self, start: int, end: int) -> Span | None:
        """Return where a part of the text stands in the source; `None` if it is from none.

        Args:
            start: Where the part starts in the text, in code points.
            end: Where it ends, exclusive.
        """
        if self.source_id is None:
            return None
        return Span(self.source_id, self.start + start, self.start + end)


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
class Stage:
    """What became of statements at one stage of a cascade, and what that cost.

    The judges of `Policy.support` are its stages, in their order; so is the judge of a rule on a
    field. The judge of a whole answer is none.

    Attributes:
        place: Which stage, from 0.
        judge: The judge's name.
        asked: Statements that came to this judge: all to the first, to the next ones what those
            before left undecided. One that comes again, in a later attempt or twice in an answer
            with the same evidence, counts once; it counts, too, where the judge was not called for
            want of budget.
        decided: Those of them that it decided.
        calls: How often it, or a judge that it asks, was called.
        tokens: Tokens read and written by language models, as their endpoints count them.
        cached: Verdicts that were found in a cache.
        seconds: Time spent waiting for it.
        cost: What the tokens cost, by `JudgeSettings.price`.

    Examples:
        >>> Stage(place=0, judge="cheap", asked=8, decided=6).share
        0.75
    """

    place: int
    judge: str
    asked: int = 0
    decided: int = 0
    calls: int = 0
    tokens: int = 0
    cached: int = 0
    seconds: float = 0.0
    cost: float = 0.0

    @property
    def share(self) -> float:
        """The share decided of what came to it, 0 to 1; 0 when nothing came."""
        return self.decided / self.asked if self.asked else 0.0

    def __add__(self, other: Stage) -> Stage:
        """Add each count to its like; the place and the judge are those of this stage."""
        return Stage(
            place=self.place,
            judge=self.judge,
            asked=self.asked + other.asked,
            decided=self.decided + other.decided,
            calls=self.calls + other.calls,
            tokens=self.tokens + other.tokens,
            cached=self.cached + other.cached,
            seconds=self.seconds + other.seconds,
            cost=self.cost + other.cost,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What the judges of an answer have cost so far.

    Attributes:
        calls: How often a judge was called that is not `local`. What a client sends again by itself
            is not counted.
        tokens: Tokens read and written by such judges, as their endpoints count them.
        cached: Verdicts that were found in a cache, those of local judges included.
        seconds: Time spent waiting for judges; those that work side by side count once.
        cost: What the tokens cost, by `JudgeSettings.price`, in the currency of that; 0.0 where no
            judge names a price.
        stages: What became of statements at each stage of the cascade, in order.
    """

    calls: int = 0
    tokens: int = 0
    cached: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    stages: tuple[Stage, ...] = ()

    def __add__(self, other: Usage) -> Usage:
        """Add each cost to its like, and each stage to that of the same place and judge."""
        return Usage(
            calls=self.calls + other.calls,
            tokens=self.tokens + other.tokens,
            cached=self.cached + other.cached,
            seconds=self.seconds + other.seconds,
            cost=self.cost + other.cost,
            stages=_merged(self.stages, other.stages),
        )


def _merged(some: tuple[Stage, ...], more: tuple[Stage, ...]) -> tuple[Stage, ...]:
    if not (some and more):
        return some or more
    merged: dict[tuple[int, str], Stage] = {}
    for stage in (*some, *more):
        key = (stage.place, stage.judge)
        merged[key] = merged[key] + stage if key in merged else stage
    return tuple(merged[key] for key in sorted(merged))
