"""What a judge is (`Judge`, `AlignmentJudge`), and how it wants to be asked (`JudgeSettings`)."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from traceback import format_exception_only
from typing import Any, Protocol, runtime_checkable

from citeguard.errors import CiteguardError, check_whole
from citeguard.judges.cache import MemoryCache, VerdictCache
from citeguard.judges.verdicts import Alignment, AlignmentQuestion, SupportQuestion, Verdict
from citeguard.language.excerpts import shown

_LONGEST_DETAIL = 300


@runtime_checkable
class Judge(Protocol):
    """Whoever can tell whether evidence supports a statement.

    The method may be a coroutine function or a plain one; a plain one is run in a thread of its
    own, so it may block, and must be safe to call from several. What it raises makes the verdicts
    `undecided`, except a `CiteguardError`, which says that the set-up is wrong and gets through.

    How many questions are put at a time, how many calls may be under way, and how long one may
    take, is said by an attribute `settings`, a `JudgeSettings`; without one its defaults hold: one
    question at a time, sixteen calls side by side.
    """

    def judge(
        self, questions: Sequence[SupportQuestion], /
    ) -> Sequence[Verdict] | Awaitable[Sequence[Verdict]]:
        """Return a verdict for each question, in order."""
        ...


@runtime_checkable
class AlignmentJudge(Protocol):
    """Whoever can tell whether an answer, as a whole, fits its question and its sources.

    What is said of `Judge` holds here too.
    """

    def align(self, question: AlignmentQuestion, /) -> Alignment | Awaitable[Alignment]:
        """Return the verdicts on the answer and on its statements."""
        ...


class AsksOthers:
    """What a judge is that only asks other judges: they are counted and timed, it is not."""


class JudgeFailedError(Exception):
    """Raised by a judge that cannot tell; its text becomes the reason of the `undecided` verdict.

    Any other exception does the same, with a less readable reason.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSettings:
    """How a judge is to be asked.

    Attributes:
        batch_size: The most questions in one call; `None` for all of them.
        concurrency: The most calls under way at a time, in one event loop; `None` for any number.
            Calls from synchronous code, of all threads, share one loop. A plain method that is
            still at work after its time is up does not count any more.
        timeout: Seconds that one call may take, from its start; `None` for ever.
        evidence_limit: The most characters of evidence in one call; longer evidence of one question
            is put part by part. `None` for any length.
        version: Names all that the verdicts depend on, besides the question: the model, the prompt.
            `None`: verdicts are not kept beyond one answer.
        cache: Where verdicts are kept.
        local: Says that the judge works on this machine and costs nothing but time, and that the
            same question always has the same verdict. Its calls and tokens are not in
            `Usage.calls` and `Usage.tokens`, only in its `Stage`; it is asked though the budget of
            calls or tokens is spent; and an `undecided` with a score is kept, too: it has read
            the evidence, and would say the same again. One without a score is not.
        price: What a million tokens cost, in any currency, for `Usage.cost`.

    Raises:
        CiteguardError: a number below 1, a time that is not above 0, a price below 0, or a cache
            that is none.
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
        """Refuse a number with which nothing would ever be asked."""
        for name in ("batch_size", "concurrency", "evidence_limit"):
            value = getattr(self, name)
            if value is not None:
                check_whole(name, value, 1)
        if not all(callable(getattr(self.cache, name, None)) for name in ("get", "put")):
            raise CiteguardError(f"a cache must have the methods get and put, not {self.cache!r}")
        timeout: Any = self.timeout
        if timeout is not None and not (_is_number(timeout) and timeout > 0):
            raise CiteguardError(f"timeout must be a number of seconds above 0, not {timeout!r}")
        price: Any = self.price
        if not (_is_number(price) and 0 <= price < float("inf")):
            raise CiteguardError(f"price must be a number from 0 on, not {price!r}")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_DEFAULT = JudgeSettings()


def local_settings(
    *said: object, model: str | None, cache: VerdictCache | None, timeout: float | None = None
) -> JudgeSettings:
    """Return how a judge is to be asked that works on this machine: once for an answer.

    Args:
        said: What verdicts depend on besides the question and the model: the versions of the
            algorithms, and the options. Without them, a cache on disk would serve verdicts of
            another release.
        model: Names the model, if it can be named. Verdicts of one that cannot are kept in a cache
            of its own only, which never meets another model.
        cache: Where verdicts are kept; `None` for a cache of its own.
        timeout: Seconds that one answer may take; `None` for ever.

    Raises:
        CiteguardError: as for `JudgeSettings`.
    """
    known = "own" if model is None and cache is None else model
    return JudgeSettings(
        batch_size=None,
        concurrency=1,
        timeout=timeout,
        version=None if known is None else repr((known, *said)),
        cache=MemoryCache() if cache is None else cache,
        local=True,
    )


def can(protocol: type, judge: object) -> bool:
    """Tell whether an object is a judge of a kind, and not a class of which it could be made."""
    return isinstance(judge, protocol) and not isinstance(judge, type)


def settings_of(judge: object) -> JudgeSettings:
    """Return how a judge wants to be asked.

    Raises:
        CiteguardError: its `settings` are none.
    """
    settings: Any = getattr(judge, "settings", _DEFAULT)
    if not isinstance(settings, JudgeSettings):
        raise CiteguardError(f"a judge's settings must be a JudgeSettings(...), not {settings!r}")
    return settings


def name_of(judge: object) -> str:
    """Return what a judge is called in verdicts and messages: its `name`, or that of its class."""
    return str(getattr(judge, "name", type(judge).__name__))


def explain(error: BaseException) -> str:
    """Say why a judge failed: what happened in the first line, and details in a second."""
    if isinstance(error, JudgeFailedError):
        return str(error)
    # On a line of its own: it is not for the language model that is told the first one.
    detail = shown("".join(format_exception_only(error)), _LONGEST_DETAIL)
    return f"raised {type(error).__name__}\n{detail}"
