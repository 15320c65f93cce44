"""What a judge is, what it is asked, what it answers, and how it wants to be asked.

`SupportQuestion` and `AlignmentQuestion` are asked, a `Verdict` and an `Alignment` answer them;
`SUPPORT` and `ALIGNMENT` say how each type is split and its answers are combined.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import lru_cache
from itertools import zip_longest
from numbers import Real
from traceback import format_exception_only
from typing import Any, Literal, Protocol, TypeVar, cast, get_args, runtime_checkable

from citeguard.errors import (
    CiteguardError,
    check_kind,
    check_number,
    check_whole,
    described,
    without_secrets,
)
from citeguard.judges.cache import MemoryCache, VerdictCache
from citeguard.language.excerpts import shown
from citeguard.language.sentences import sentence_intervals
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

        As a `ValueError`, which Pydantic reports: they may be data. Inside a judge, only a number
        out of range is no mistake in its code, and makes it `undecided`.
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
            # What was read out of a table comes from all of its cell, however it is cut.
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


# Judges, and how they want to be asked

_LONGEST_DETAIL = 300  # characters of an exception in a reason
shows_details = ContextVar("citeguard_details", default=True)
"""Whether reasons are for those who run the judge, and not for clients of a service."""


@runtime_checkable
class Judge(Protocol):
    """Anything that decides whether evidence supports a statement.

    The method may be a coroutine function or a plain one. A plain one runs in a thread of its own,
    so it may block, and must be safe to call from several threads. An exception makes the verdicts
    `undecided`, except a `CiteguardError`, which reports a misconfigured judge and is raised.

    An attribute `settings`, a `JudgeSettings`, says how many questions one call takes, how many
    calls may run at a time, and how long one may take. Without it the defaults apply: one question
    per call, sixteen calls at a time.
    """

    def judge(
        self, questions: Sequence[SupportQuestion], /
    ) -> Sequence[Verdict] | Awaitable[Sequence[Verdict]]:
        """Return a verdict for each question, in order."""
        ...


@runtime_checkable
class AlignmentJudge(Protocol):
    """Anything that decides whether an answer, as a whole, fits its question and its sources.

    All that `Judge` says of methods, exceptions and settings applies here too.
    """

    def align(self, question: AlignmentQuestion, /) -> Alignment | Awaitable[Alignment]:
        """Return the verdicts on the answer and on its statements."""
        ...


class JudgeFailedError(Exception):
    """Raised by a judge that cannot decide; its text becomes the reason of `undecided` verdicts.

    Any other exception has the same effect, with a less readable reason.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSettings:
    """How a judge is to be asked.

    Attributes:
        batch_size: The most questions in one call; `None` for all of them.
        concurrency: The most calls at a time in one event loop; `None` for no limit. Calls from
            synchronous code, in all threads, share one loop. A plain method that is still running
            after its timeout no longer counts.
        timeout: Seconds that one call may take, from its start; `None` for no limit.
        evidence_limit: The most characters of evidence in one call; longer evidence of one question
            is split over several calls. `None` for no limit.
        version: Names everything that the verdicts depend on besides the question, such as the
            model and the prompt. With `None`, verdicts are not kept beyond one answer.
        cache: Where verdicts are kept.
        local: Whether the judge runs on this machine, costs nothing but time, and always gives the
            same verdict to the same question. Its calls and tokens count for its `Stage` only, and
            it is asked even when their budget is spent. Its `undecided` verdicts with a score are
            cached, too.
        price: The price of a million tokens, in any currency, for `Usage.cost`.

    Raises:
        CiteguardError: A number below 1, a timeout that is not above 0, a price below 0, or a cache
            without the methods of a `VerdictCache`.
    """

    batch_size: int | None = 1
    concurrency: int | None = 16
    timeout: float | None = 60.0
    evidence_limit: int | None = None
    version: str | None = None
    cache: VerdictCache = field(default_factory=MemoryCache)
    local: bool = False
    price: float = 0.0

    def __post_init__(self) -> None:
        """Reject values with which no question would ever be asked."""
        for name in ("batch_size", "concurrency", "evidence_limit"):
            value = getattr(self, name)
            if value is not None:
                check_whole(name, value, 1)
        if not all(callable(getattr(self.cache, name, None)) for name in ("get", "put")):
            raise CiteguardError(f"cache: expected a VerdictCache, got {described(self.cache)}")
        if self.timeout is not None:
            check_number("timeout", self.timeout, 0, math.inf, above=True)
        check_number("price", self.price, 0, math.inf)


_DEFAULT = JudgeSettings()


def local_settings(
    *options: object, model: str | None, cache: VerdictCache | None, timeout: float | None = None
) -> JudgeSettings:
    """Return the settings of a judge that runs on this machine: one call per answer.

    The `options` are what verdicts depend on besides question and model, such as the versions of
    algorithms: without them, a cache on disk would serve verdicts of another release.
    """
    # Verdicts of a model without a name stay in the judge's own cache, which no other model shares.
    known = "own" if model is None and cache is None else model
    return JudgeSettings(
        batch_size=None,
        concurrency=1,
        timeout=timeout,
        version=None if known is None else repr((known, *options)),
        cache=MemoryCache() if cache is None else cache,
        local=True,
    )


def is_judge(value: object, protocol: type = Judge) -> bool:
    """Return whether a value is a judge, and not a class from which one could be made."""
    return isinstance(value, protocol) and not isinstance(value, type)


def listed(argument: str, judges: object) -> tuple[Any, ...]:
    """Return a list of judges, or one judge, as a tuple."""
    if is_judge(judges):
        return (judges,)
    # A name is a sequence, too.
    if isinstance(judges, str) or not isinstance(judges, Sequence):
        raise CiteguardError(
            f"{argument}: expected a judge or a list of judges, got {described(judges)}"
        )
    return tuple(cast("Sequence[Any]", judges))


def settings_of(judge: object) -> JudgeSettings:
    """Return how a judge wants to be asked."""
    settings: Any = getattr(judge, "settings", _DEFAULT)
    check_kind("settings", settings, JudgeSettings, required=True)
    return settings


def name_of(judge: object) -> str:
    """Return a judge's name in verdicts and messages: its `name`, or that of its class."""
    return str(getattr(judge, "name", type(judge).__name__))


def explain(error: BaseException) -> str:
    """Return why a judge failed: what happened in the first line, details in a second."""
    if isinstance(error, JudgeFailedError):
        return str(error)
    # On a line of its own: the language model is shown the first line only. Exceptions of clients
    # may repeat a key, so secrets are removed.
    detail = shown(without_secrets("".join(format_exception_only(error))), _LONGEST_DETAIL)
    return f"raised {type(error).__name__}" + (f"\n{detail}" if shows_details.get() else "")


# The two types of question: how each is split, and its answers are combined

_OVERLAP = 8  # a part repeats up to 1/8 of the one before, so that no fact is cut in two
_SOURCES_KEPT = 16  # cut into pieces; an answer cites few long ones
_BLANK = re.compile(r"(?<=\s)|(?=\s)")
# Where a sentence that is too long is cut, best first: at a blank; at a sign, but not of a number;
# at any sign.
_BORDERS = (_BLANK, re.compile(r"(?<!\d)(?!\d)(?:(?<!\w)|(?!\w))"), re.compile(r"(?<!\w)|(?!\w)"))

T = TypeVar("T")
Part = tuple[Evidence, ...]


class _Support:
    """Questions about one statement.

    `name` is in keys of caches, `method` is the judge's, `answer` the type of what it returns;
    `batched` says whether it takes several questions.
    """

    name, method, answer, batched = "support", "judge", Verdict, True

    def length(self, question: SupportQuestion) -> int:
        return _size(question.evidence)

    def split(self, question: SupportQuestion, limit: int) -> list[SupportQuestion]:
        return [replace(question, evidence=part) for part in _parts(question.evidence, limit)]

    def as_written(self, question: SupportQuestion) -> SupportQuestion:
        if not any(each.pieces for each in question.evidence):
            return question
        written = tuple(each.as_written() for each in question.evidence)
        return replace(question, evidence=tuple(dict.fromkeys(written)))

    def combine(self, answers: Sequence[Verdict]) -> Verdict:
        # One part that supports the statement is enough, and a contradiction takes precedence over
        # silence; but a part that nobody could judge might support it.
        order = ("supported", "undecided", "contradicted", "unsupported")
        return min(answers, key=lambda verdict: order.index(verdict.outcome))

    def undecided(self, question: SupportQuestion, reason: str, judge: str) -> Verdict:
        return Verdict("undecided", reason=reason, judge=judge)

    def fits(self, question: SupportQuestion, answer: object) -> bool:
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
    """Group questions, in order, for calls of a judge; `length` counts a question's evidence.

    A group has at most `most` questions and `limit` characters, unless one question alone has more.
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
    matches = border.finditer(text, start + 1, end + 1)  # with a character to look ahead to
    return [match.start() for match in matches if match.start() <= end]
