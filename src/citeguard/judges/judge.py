"""What a judge is (`Judge`, `AlignmentJudge`), and how it wants to be asked (`JudgeSettings`)."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from traceback import format_exception_only
from typing import Any, Protocol, cast, runtime_checkable

from citeguard.errors import CiteguardError, check_number, check_whole, described
from citeguard.judges.cache import MemoryCache, VerdictCache
from citeguard.judges.verdicts import Alignment, AlignmentQuestion, SupportQuestion, Verdict
from citeguard.language.excerpts import shown

_LONGEST_DETAIL = 300


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
            same verdict to the same question. Its calls and tokens are not part of `Usage.calls`
            and `Usage.tokens`, only of its `Stage`. It is asked even when the budget of calls or
            tokens is spent. Its `undecided` verdicts with a score are cached too: it has read the
            evidence and would decide the same again.
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

    Args:
        options: What verdicts depend on besides the question and the model: the versions of the
            algorithms, and the judge's options. Without them, a cache on disk would serve verdicts
            of another release.
        model: The model's name; `None` if it has none.
        cache: As in `JudgeSettings`; `None` for a cache of the judge's own.
        timeout: As in `JudgeSettings`.
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


def check_judge(argument: str, value: object, protocol: type = Judge) -> None:
    """Reject a value that is not a judge.

    Raises:
        CiteguardError: It is not.

    Examples:
        >>> check_judge("Policy(support=...)", 3)
        Traceback (most recent call last):
        citeguard.errors.CiteguardError: Policy(support=...): expected a Judge, got int
    """
    if not is_judge(value, protocol):
        article = "an" if protocol.__name__[0] in "AEIOU" else "a"
        expected = f"{article} {protocol.__name__}"
        raise CiteguardError(f"{argument}: expected {expected}, got {described(value)}")


def listed(argument: str, judges: object) -> tuple[Any, ...]:
    """Return a list of judges, or one judge, as a tuple.

    Raises:
        CiteguardError: It is neither.
    """
    if is_judge(judges):
        return (judges,)
    if isinstance(judges, str) or not isinstance(judges, Sequence):
        raise CiteguardError(
            f"{argument}: expected a judge or a list of judges, got {described(judges)}"
        )
    return tuple(cast("Sequence[Any]", judges))


def settings_of(judge: object) -> JudgeSettings:
    """Return how a judge wants to be asked.

    Raises:
        CiteguardError: Its `settings` are not a `JudgeSettings`.
    """
    settings: Any = getattr(judge, "settings", _DEFAULT)
    if not isinstance(settings, JudgeSettings):
        raise CiteguardError(f"settings: expected a JudgeSettings, got {described(settings)}")
    return settings


def name_of(judge: object) -> str:
    """Return a judge's name in verdicts and messages: its `name`, or that of its class."""
    return str(getattr(judge, "name", type(judge).__name__))


def explain(error: BaseException) -> str:
    """Return why a judge failed: what happened in the first line, details in a second."""
    if isinstance(error, JudgeFailedError):
        return str(error)
    # On a line of its own: the language model is shown the first line only.
    detail = shown("".join(format_exception_only(error)), _LONGEST_DETAIL)
    return f"raised {type(error).__name__}\n{detail}"
