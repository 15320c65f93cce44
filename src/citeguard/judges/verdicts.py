"""What a judge is asked, `SupportQuestion` and `AlignmentQuestion`, and its answer, a `Verdict`."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field, replace
from numbers import Real
from typing import Any, Literal, get_args

from citeguard.language.tables import Piece, source_of
from citeguard.sources.collection import Span

Outcome = Literal["supported", "contradicted", "unsupported", "undecided"]


class InvalidVerdictError(ValueError):
    """An outcome that does not exist, or an attribute of another type."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether evidence supports a statement, and why.

    `undecided` means that no judge could decide; it does not mean "no". `Policy.undecided` says
    what follows from it.

    Attributes:
        outcome: `supported`, `contradicted` (the evidence says otherwise), `unsupported` (the
            evidence does not say), or `undecided`.
        reason: Why, in a sentence.
        score: How well the statement is supported, 0 to 1, higher is better; `None` when the judge
            does not grade.
        words: The words of the evidence that decide, verbatim; empty if there are none.
        span: Where those words are in a source; `None` if the evidence is from no source.
        judge: The judge's name.

    Raises:
        ValueError: An unknown outcome, a score outside 0 to 1, or an attribute of another type.

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
        """Reject values that only look like a verdict.

        As a `ValueError`, because Pydantic reports these: they may be data, such as the JSON of an
        answer, or what a cache returned. Inside a judge, an unknown outcome and another type are a
        mistake in its code; a number out of range makes it `undecided`.
        """
        for name in ("reason", "words", "judge"):
            if not isinstance(getattr(self, name), str):
                raise InvalidVerdictError(f"a verdict's {name} must be a str")
        if self.outcome not in get_args(Outcome):
            raise InvalidVerdictError(
                f"a verdict's outcome must be one of {', '.join(get_args(Outcome))}, "
                f"not {self.outcome!r}"
            )
        span: Any = self.span
        if span is not None and not isinstance(span, Span):
            raise InvalidVerdictError(f"a verdict's span must be a Span, not {span!r}")
        score: Any = self.score
        if score is not None and not isinstance(score, Real):
            raise InvalidVerdictError(f"a verdict's score must be a number, not {score!r}")
        if score is not None and not 0 <= float(score) <= 1:  # such as NaN: its model has failed
            raise ValueError(f"a verdict's score must be a number from 0 to 1, not {score!r}")
        if score is not None:  # of any numeric library: it must be written as JSON
            object.__setattr__(self, "score", float(score))

    @property
    def decided(self) -> bool:
        """Whether the judge could decide."""
        return self.outcome != "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A passage for a judge to read.

    Attributes:
        text: The passage.
        source_id: The id of its source; `None` if it is from no source.
        start: Where in that source it starts, in code points.
        pieces: Where its pieces come from, if the source has a table or a record there: these are
            read as sentences, for judges that run on this machine. Empty if the text is that of the
            source.
        written: The source's own text of the passage, if there are pieces.
        title: What stands over the passage in its document: the title, the headings before it.

    Examples:
        >>> Evidence(text="Notice is one month.", source_id="handbook", start=40).span(10, 19)
        Span(source_id='handbook', start=50, end=59)
    """

    text: str
    source_id: str | None = None
    start: int = 0
    pieces: tuple[Piece, ...] = field(default=(), repr=False)
    written: str = field(default="", repr=False)
    title: str = field(default="", repr=False)

    def span(self, start: int, end: int) -> Span | None:
        """Return where a part of the text is in the source; `None` without a source.

        Args:
            start: Where the part starts in the text, in code points.
            end: Where it ends, exclusive.
        """
        if self.source_id is None:
            return None
        if self.pieces:
            return Span(self.source_id, *source_of(self.pieces, start, end))
        return Span(self.source_id, self.start + start, self.start + end)

    def as_written(self) -> Evidence:
        """Return the passage in the source's own words."""
        return replace(self, text=self.written, pieces=(), written="") if self.pieces else self

    def part(self, start: int, end: int) -> Evidence:
        """Return a part of the passage."""
        pieces = tuple(
            piece._replace(start=max(0, piece.start - start), end=piece.end - start)
            if piece.start >= start or not piece.verbatim
            else piece._replace(start=0, end=piece.end - start, low=piece.low + start - piece.start)
            for piece in self.pieces
            if piece.start < end and start < piece.end
        )
        return replace(self, text=self.text[start:end], start=self.start + start, pieces=pieces)


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportQuestion:
    """Does this evidence, all of it together, support this statement?"""

    statement: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentQuestion:
    """Do these statements answer the question, and does each agree with what it cites?

    Attributes:
        question: The user's question, if it is known.
        statements: All statements, in order. One without evidence is context only.
        unanswerable: What the answer says is not in the sources, if it says so.
        passages: The passages of the sources that match the question best, if `unanswerable`.
    """

    question: str | None
    statements: tuple[SupportQuestion, ...]
    unanswerable: str | None = None
    passages: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """A judge's verdicts on an answer as a whole.

    Attributes:
        answer: Whether the statements together answer the question, or rightly leave it open:
            `supported` if they do, `unsupported` if they do not, or only in part; `supported` if no
            question is known.
        statements: A verdict for each statement, in order, and `None` for one without evidence;
            empty if the judge does not judge statements.
    """

    answer: Verdict
    statements: tuple[Verdict | None, ...] = ()

    @property
    def decided(self) -> bool:
        """Whether the judge could decide on the answer and on every statement."""
        return self.answer.decided and all(v.decided for v in self.statements if v is not None)
