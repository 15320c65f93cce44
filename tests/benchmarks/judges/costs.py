"""What judging costs the processor when nobody has to be waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from functools import partial
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import instructor
from openai.types.chat import ChatCompletion

from benchmarks.speed.timing import best_in_turns, seconds
from citeguard import Answer, DiskCache, LLMJudge, MemoryCache, Policy, Sources, averify, guard
from citeguard.judges.judge import JudgeSettings, VerdictCache
from citeguard.testing import ScriptedJudge

from ..speed.texts import Prose
from ..tables import table
from . import answers
from .served import scripted_reply
from .ways import MODEL, sources_of

_ROUNDS = 15
_COLD_ROUNDS = 3
_ATTEMPT = 2  # the one that passes
_REPORTS = 14  # taken in turns, as new sources each time, so that nothing is known of them
_LENGTHS = (5_000, 20_000, 100_000, 200_000)


def machinery_lines() -> Iterator[str]:
    """Report what one attempt costs beyond the same attempt without judges."""
    with asyncio.Runner() as runner:
        cases = {name: partial(_run, runner, make) for name, make in _machinery().items()}
        for case in cases.values():
            for _ in range(_REPORTS):
                case()  # makes the replies, which is the server's work
        times = dict(zip(cases, best_in_turns(list(cases.values()), _ROUNDS), strict=True))
    yield from table(
        f"One attempt at {answers.STATEMENTS} new statements that all pass, without any latency; "
        f"minimum of {_ROUNDS} rounds",
        ("case", "time", "per statement", "compared with", "added per statement"),
        (_machinery_row(name, beside, times) for name, beside in _BESIDE.items()),
    )


_PARSE = "`Answer` without judges"
_UNGUARDED = "instructor, unguarded, without judges"
_BESIDE = {
    _PARSE: None,
    '`averify`, instant judge, `evidence="quote"`': _PARSE,
    '`averify`, instant judge, `evidence="sentence"`': _PARSE,
    "`averify`, instant judge, and `alignment`": _PARSE,
    "`averify`, `LLMJudge`, instant replies": _PARSE,
    _UNGUARDED: None,
    "`guard`, without judges": _UNGUARDED,
    "`guard`, instant judge": _UNGUARDED,
    "`guard`, `LLMJudge`, instant replies": _UNGUARDED,
}


def _machinery() -> dict[str, Callable[[], Coroutine[Any, Any, object]]]:
    instant, everything = [_instant()], Policy(support=[_instant()], alignment=_instant())
    policies = (
        Policy(),
        Policy(support=instant, evidence="quote"),
        Policy(support=instant),
        everything,
    )
    plain = instructor.AsyncInstructor(client=None, create=instructor.patch(create=_reply))
    guarded = guard(plain)
    return dict(
        zip(
            _BESIDE,
            (
                *(partial(_verify_next, policy) for policy in policies),
                _verify_next_with_llm,
                partial(_create, plain, Policy()),
                partial(_create, guarded, Policy()),
                partial(_create, guarded, Policy(support=instant)),
                partial(_create_with_llm, guarded),
            ),
            strict=True,
        )
    )


def _run(runner: asyncio.Runner, make: Callable[[], Coroutine[Any, Any, object]]) -> None:
    runner.run(make())


def _instant() -> ScriptedJudge:
    return ScriptedJudge(settings=JudgeSettings(batch_size=5))


def _llm_judge(cache: VerdictCache | None = None) -> LLMJudge:
    """Return a judge whose language model replies at once, and who remembers nothing yet."""
    create = instructor.patch(create=_reply)
    return LLMJudge(
        instructor.AsyncInstructor(client=None, create=create), model=MODEL, cache=cache
    )


_replies: dict[str, ChatCompletion] = {}


async def _reply(**request: Any) -> ChatCompletion:
    # To make a reply is the server's work, so that it is not to be measured: each is made once.
    asked = request["messages"][-1]["content"]
    if asked not in _replies:
        made = scripted_reply(request, attempt=_ATTEMPT)
        _replies[asked] = ChatCompletion.model_validate(made)
    return _replies[asked]


_SOURCES = Sources({"report-1": answers.source(1)})
_DATA = answers.answer(1, attempt=_ATTEMPT)


async def _verify(policy: Policy, sources: Sources = _SOURCES) -> Answer:
    return await averify(Answer, _DATA, sources=sources, policy=policy)


_reports = cycle(range(_REPORTS))


async def _verify_next(policy: Policy) -> None:
    report = next(_reports)
    data = answers.answer(report, attempt=_ATTEMPT)
    await averify(Answer, data, sources=sources_of(report), policy=policy)


async def _verify_next_with_llm() -> None:
    await _verify_next(Policy(support=[_llm_judge()]))


async def _create(client: Any, policy: Policy) -> None:
    report = next(_reports)
    await client.create(
        model=MODEL,
        response_model=Answer,
        messages=[{"role": "user", "content": answers.question(report)}],
        context=sources_of(report).as_context(policy=policy),
        max_retries=0,
    )


async def _create_with_llm(client: Any) -> None:
    await _create(client, Policy(support=[_llm_judge()]))


def _machinery_row(name: str, beside: str | None, times: dict[str, float]) -> Sequence[object]:
    time = times[name]
    added = "" if beside is None else seconds((time - times[beside]) / answers.STATEMENTS)
    each = seconds(time / answers.STATEMENTS)
    return (name, seconds(time), each, beside or "", added)


def source_lines(prose: Prose) -> Iterator[str]:
    """Report what it takes to put a whole source to a judge for each statement that cites it."""
    with asyncio.Runner() as runner:
        rows = [_source_row(runner, prose, length) for length in _LENGTHS]
    yield from table(
        f'`averify` of {answers.STATEMENTS} statements that cite one source, `evidence="source"`, '
        f"`LLMJudge` with instant replies; minimum of {_COLD_ROUNDS} rounds",
        ("characters of the source", "calls", "time", "per call"),
        rows,
    )


def _source_row(runner: asyncio.Runner, prose: Prose, length: int) -> Sequence[object]:
    text = f"{answers.source(1)}\n\n{prose.first(length)}"[:length]
    times: list[float] = []
    calls = 0
    for _ in range(_COLD_ROUNDS):
        policy = Policy(support=[_llm_judge()], evidence="source")
        start = perf_counter()
        answer = runner.run(_verify(policy, Sources({"report-1": text})))
        times.append(perf_counter() - start)
        calls = answer.usage.calls if answer.usage else 0
    took = min(times)
    return (f"{length:,}", calls, seconds(took), seconds(took / calls))


def cache_lines() -> Iterator[str]:
    """Report what verdicts from a cache take, and keeping them."""
    with TemporaryDirectory() as folder, asyncio.Runner() as runner:
        caches = {
            "`MemoryCache`": MemoryCache(),
            "`DiskCache`": DiskCache(Path(folder, "verdicts.sqlite")),
        }
        rows = [_cache_row(runner, name, cache) for name, cache in caches.items()]
    yield from table(
        f"{answers.STATEMENTS} verdicts; minimum of {_ROUNDS} rounds",
        ("cache", "`put`", "`get`", "`averify`, all cached", "beyond `averify` without judges"),
        rows,
    )


def _cache_row(runner: asyncio.Runner, name: str, cache: VerdictCache) -> Sequence[object]:
    kept = _Recording(cache)
    policy = Policy(support=[_llm_judge(kept)])
    runner.run(_verify(policy))  # fills the cache
    judge = _llm_judge(cache)
    cached = Policy(support=[judge], evidence="quote")
    runner.run(_verify(cached))
    keys = list(kept.entries)
    put, got, verified, plain = best_in_turns(
        (
            lambda: cache.put(kept.entries),
            lambda: cache.get(keys),
            lambda: runner.run(_verify(cached)),
            lambda: runner.run(_verify(Policy())),
        ),
        _ROUNDS,
    )
    return (name, *map(seconds, (put, got, verified, verified - plain)))


class _Recording:
    """A cache that remembers what was put into it."""

    def __init__(self, cache: VerdictCache) -> None:
        self._cache = cache
        self.entries: dict[str, str] = {}

    def get(self, keys: Sequence[str], /) -> Any:
        return self._cache.get(keys)

    def put(self, entries: Any, /) -> None:
        self.entries |= entries
        self._cache.put(entries)
