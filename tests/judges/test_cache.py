import asyncio
import json
import multiprocessing
import sqlite3
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

from citeguard import CiteguardError, Evidence, JudgeSettings, SupportQuestion, Usage, Verdict
from citeguard.judges import DiskCache, MemoryCache, VerdictCache
from citeguard.judges.cascade import Limits
from citeguard.judges.cascade import ask as ask_judge
from citeguard.judges.usage import UsageCounter
from citeguard.testing import ScriptedJudge
from rows import each_row

PASSAGE = Evidence(text="Notice is one month.", source_id="handbook", start=7)
QUESTION = SupportQuestion(statement="It takes a month.", evidence=(PASSAGE,))
OTHER = replace(QUESTION, statement="It takes a year.")


def kept_by(cache: VerdictCache, version: str | None = "model 1, prompt 1") -> JudgeSettings:
    return JudgeSettings(version=version, cache=cache)


def ask(judge: Any, *questions: SupportQuestion) -> tuple[list[Verdict], Usage]:
    counter = UsageCounter()

    async def put() -> dict[SupportQuestion, Verdict]:
        return await ask_judge(judge, questions, Limits.of(counter))

    answers = asyncio.run(put())
    return [answers[question] for question in questions], counter.usage


def write_and_read(path: str, writer: int, entries: int) -> None:
    """Write entries one by one, and read each back, and those of the others meanwhile."""
    cache = DiskCache(path)
    for number in range(entries):
        key = f"{writer}/{number}"
        cache.put({key: key, "shared": "x" * 1_000})
        assert cache.get([key, "shared"]) == {key: key, "shared": "x" * 1_000}


class TestMemoryCache:
    def test_forgets_what_was_used_longest_ago(self) -> None:
        cache = MemoryCache(size=2)
        cache.put({"a": "1", "b": "2"})
        cache.get(["a"])
        cache.put({"c": "3"})
        assert cache.get(["a", "b", "c"]) == {"a": "1", "c": "3"}

    def test_refuses_a_size_that_holds_nothing(self) -> None:
        for size in (0, -1, 1.5, "5", None):
            with pytest.raises(CiteguardError) as caught:
                MemoryCache(size=size)  # type: ignore[arg-type]
            said = f"MemoryCache(size=...) must be an integer of at least 1, not {size!r}"
            assert str(caught.value) == said


class TestDiskCache:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        return tmp_path / "verdicts.sqlite"

    def test_survives(self, path: Path) -> None:
        DiskCache(path).put({"a": "1"})
        assert DiskCache(path).get(["a"]) == {"a": "1"}

    @pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
    def test_is_shared_by_processes(self, path: Path) -> None:
        context, writers = multiprocessing.get_context("fork"), 4
        processes = [
            context.Process(target=write_and_read, args=(str(path), writer, 40), daemon=True)
            for writer in range(writers)
        ]
        for process in processes:
            process.start()
        for process in processes:
            process.join(60)
        assert [process.exitcode for process in processes] == [0] * writers
        assert len(DiskCache(path)) == writers * 40 + 1

    def test_refuses_a_folder_that_does_not_exist(self) -> None:
        with pytest.raises(CiteguardError) as caught:
            DiskCache("no/such/folder/verdicts.sqlite")
        assert str(caught.value) == snapshot(
            "cannot keep verdicts in no/such/folder/verdicts.sqlite: unable to open database file"
        )

    def test_refuses_a_file_that_is_no_database(self, path: Path) -> None:
        path.write_text("verdicts: none\n" * 100)
        with pytest.raises(CiteguardError, match="file is not a database"):
            DiskCache(path)
        assert path.read_text().startswith("verdicts: none")


class TestKeptVerdicts:
    @pytest.fixture(params=["memory", "disk"])
    def cache(self, request: pytest.FixtureRequest, tmp_path: Path) -> MemoryCache | DiskCache:
        if request.param == "memory":
            return MemoryCache()
        return DiskCache(tmp_path / "verdicts.sqlite")

    def test_are_found_by_their_keys(self, cache: MemoryCache | DiskCache) -> None:
        cache.put({"a": "1", "b": "2"})
        assert cache.get(["b", "a", "none"]) == {"a": "1", "b": "2"}
        assert len(cache) == 2

    def test_are_not_asked_for_again(self, cache: MemoryCache | DiskCache) -> None:
        first, second = (ScriptedJudge(settings=kept_by(cache)) for _ in range(2))
        assert ask(first, QUESTION, OTHER)[1].calls == 2
        verdicts, usage = ask(second, QUESTION, OTHER)
        assert [verdict.outcome for verdict in verdicts] == ["supported"] * 2
        assert (usage.calls, usage.cached) == (0, 2)
        assert second.asked == []

    def test_are_never_undecided(self, cache: MemoryCache | DiskCache) -> None:
        said = {OTHER.statement: RuntimeError("down")}
        judge = ScriptedJudge(said, otherwise="undecided", settings=kept_by(cache))
        ask(judge, QUESTION, OTHER)
        ask(judge, QUESTION, OTHER)
        assert len(judge.asked) == 4
        assert len(cache) == 0

    def test_without_a_version_there_are_none(self, cache: MemoryCache | DiskCache) -> None:
        judge = ScriptedJudge(settings=kept_by(cache, version=None))
        ask(judge, QUESTION)
        assert len(cache) == 0
        assert ask(judge, QUESTION)[1].cached == 0


class TestKey:
    """What a verdict is kept under, told by what finds it again."""

    @each_row(
        ("version", "question"),
        [
            ("model 2, prompt 1", QUESTION),
            ("model 1, prompt 2", QUESTION),
            ("model 1, prompt 1", OTHER),
            *(
                ("model 1, prompt 1", replace(QUESTION, evidence=evidence))
                for evidence in (
                    (replace(PASSAGE, text="No."),),
                    (replace(PASSAGE, source_id="faq"),),
                    (replace(PASSAGE, start=8),),
                    (PASSAGE, PASSAGE),
                    (),
                )
            ),
        ],
    )
    def test_holds(self, version: str, question: SupportQuestion) -> None:
        cache = MemoryCache()
        ask(ScriptedJudge(settings=kept_by(cache)), QUESTION)
        judge = ScriptedJudge(settings=kept_by(cache, version))
        assert ask(judge, question)[1].cached == 0
        assert judge.asked == [question]


class FailingCache:
    """A cache whose methods raise."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def get(self, keys: Sequence[str], /) -> Mapping[str, str]:
        raise self._error

    def put(self, entries: Mapping[str, str], /) -> None:
        raise self._error


class FixedCache:
    """A cache that finds what it is told to find, whatever it is asked for."""

    def __init__(self, found: Any) -> None:
        self._found = found
        self.put_entries: dict[str, str] = {}

    def get(self, keys: Sequence[str], /) -> Any:
        return self._found(keys)

    def put(self, entries: Mapping[str, str], /) -> None:
        self.put_entries |= entries


class TestCacheThatFails:
    @each_row("error", [OSError("disk full"), ValueError("no"), sqlite3.OperationalError("locked")])
    def test_warns_and_the_verdict_stands(self, error: Exception) -> None:
        judge = ScriptedJudge(settings=kept_by(FailingCache(error)))
        with pytest.warns(RuntimeWarning) as warned:
            verdicts, usage = ask(judge, QUESTION)
        assert verdicts[0].outcome == "supported"
        assert usage.calls == 1
        assert len(warned) == 2

    @each_row(
        "text",
        [
            *("", "{", "null", "[]", '{"reason": "no outcome"}', '{"outcome": "maybe"}'),
            '{"outcome": "supported", "score": 7}',
            '{"outcome": "supported", "score": "NaN"}',
            '{"outcome": "supported", "span": {"start": 1}}',
        ],
    )
    def test_reads_nothing_into_an_entry_that_is_damaged(self, text: str) -> None:
        cache = FixedCache(lambda keys: dict.fromkeys(keys, text))
        judge = ScriptedJudge(settings=kept_by(cache))
        verdicts, usage = ask(judge, QUESTION)
        assert verdicts[0].outcome == "supported"
        assert (usage.calls, usage.cached) == (1, 0)
        assert json.loads(*cache.put_entries.values())["outcome"] == "supported"

    def test_is_used_where_it_blocks_nobody(self) -> None:
        threads: list[str] = []

        def found(keys: Sequence[str]) -> dict[str, str]:
            threads.append(threading.current_thread().name)
            return {}

        ask(ScriptedJudge(settings=kept_by(FixedCache(found))), QUESTION)
        assert threading.current_thread().name not in threads
