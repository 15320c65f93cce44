from __future__ import annotations

import asyncio
import json
import multiprocessing
import pickle
import sqlite3
import threading
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from citeguard import (
    Alignment,
    AlignmentQuestion,
    Budget,
    CiteguardError,
    DiskCache,
    Evidence,
    JudgeSettings,
    MemoryCache,
    Span,
    SupportQuestion,
    Usage,
    Verdict,
    VerdictCache,
)
from citeguard.judges import cache as cache_module
from citeguard.judges.asking import Limits
from citeguard.judges.asking import ask as ask_judge
from citeguard.judges.usage import UsageCounter
from citeguard.testing import ScriptedJudge
from rows import each_row

QUESTION = SupportQuestion(
    statement="It takes a month.",
    evidence=(Evidence(text="Notice is one month.", source_id="handbook", start=7),),
)
OTHER = replace(QUESTION, statement="It takes a year.")


def kept_by(cache: VerdictCache, version: str | None = "model 1, prompt 1") -> JudgeSettings:
    return JudgeSettings(version=version, cache=cache)


def ask(judge: Any, *questions: SupportQuestion) -> tuple[list[Verdict], Usage]:
    counter = UsageCounter()

    async def put() -> dict[SupportQuestion, Verdict]:
        return await ask_judge(judge, questions, Limits.of(counter))

    answers = asyncio.run(put())
    return [answers[question] for question in questions], counter.usage


async def align(judge: Any, question: AlignmentQuestion) -> Alignment:
    return (await ask_judge(judge, [question]))[question]


def write_and_read(path: str, writer: int, entries: int) -> None:
    """Write entries one by one, and read each back, and those of the others meanwhile."""
    cache = DiskCache(path)
    for number in range(entries):
        key = f"{writer}/{number}"
        cache.put({key: key, "shared": "x" * 1_000})
        assert cache.get([key, "shared"]) == {key: key, "shared": "x" * 1_000}


def make(path: str, together: Barrier) -> None:
    """Make a cache at the same time as others do."""
    together.wait(60)
    DiskCache(path).put({"a": "1"})


class TestMemoryCache:
    def test_keeps(self) -> None:
        cache = MemoryCache()
        cache.put({"a": "1", "b": "2"})
        assert cache.get(["b", "a", "none"]) == {"a": "1", "b": "2"}
        assert len(cache) == 2

    def test_keeps_what_was_put_last(self) -> None:
        cache = MemoryCache()
        cache.put({"a": "1"})
        cache.put({"a": "2"})
        assert cache.get(["a"]) == {"a": "2"}

    def test_forgets_what_was_used_longest_ago(self) -> None:
        cache = MemoryCache(size=2)
        cache.put({"a": "1", "b": "2"})
        cache.get(["a"])
        cache.put({"c": "3"})
        assert cache.get(["a", "b", "c"]) == {"a": "1", "c": "3"}

    def test_a_new_text_is_a_use(self) -> None:
        cache = MemoryCache(size=2)
        cache.put({"a": "1", "b": "2"})
        cache.put({"a": "1"})
        cache.put({"c": "3"})
        assert cache.get(["a", "b", "c"]) == {"a": "1", "c": "3"}

    @given(st.integers(1, 5), st.lists(st.text("abcdefgh", min_size=1, max_size=1)))
    def test_keeps_the_last_that_fit(self, size: int, keys: list[str]) -> None:
        cache = MemoryCache(size=size)
        for key in keys:
            cache.put({key: key.upper()})
        last = list(dict.fromkeys(reversed(keys)))[:size]
        assert cache.get("abcdefgh") == {key: key.upper() for key in last}
        assert len(cache) == len(last)

    def test_more_at_once_than_it_holds(self) -> None:
        cache = MemoryCache(size=2)
        cache.put({str(number): "x" for number in range(5)})
        assert cache.get(list("01234")) == {"3": "x", "4": "x"}

    @each_row("size", [0, -1, 1.5, "5", None], ids=repr)
    def test_refuses_a_size_that_holds_nothing(self, size: Any) -> None:
        with pytest.raises(CiteguardError) as caught:
            MemoryCache(size=size)
        assert (
            str(caught.value)
            == f"MemoryCache(size=...) must be an integer of at least 1, not {size!r}"
        )

    def test_arrives_empty_in_another_process(self) -> None:
        cache = MemoryCache(size=2)
        cache.put({"a": "1"})
        arrived = pickle.loads(pickle.dumps(cache))
        assert len(arrived) == 0
        arrived.put({"a": "1", "b": "2", "c": "3"})
        assert len(arrived) == 2

    def test_is_shared_by_threads(self) -> None:
        cache = MemoryCache(size=50)
        failed: list[BaseException] = []

        def use(thread: int) -> None:
            try:
                for number in range(2_000):
                    key = str((thread * 7 + number) % 90)
                    cache.put({key: key})
                    assert cache.get([key, "1", "2"]).get(key, key) == key
            except BaseException as error:
                failed.append(error)

        threads = [threading.Thread(target=use, args=(thread,)) for thread in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []
        assert len(cache) == 50


class TestDiskCache:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        return tmp_path / "verdicts.sqlite"

    def test_keeps(self, path: Path) -> None:
        cache = DiskCache(path)
        cache.put({"a": "1", "b": "2"})
        assert cache.get(["b", "a", "none"]) == {"a": "1", "b": "2"}
        assert len(cache) == 2

    def test_keeps_what_was_put_last(self, path: Path) -> None:
        cache = DiskCache(path)
        cache.put({"a": "1"})
        cache.put({"a": "2"})
        assert cache.get(["a"]) == {"a": "2"}

    def test_nothing(self, path: Path) -> None:
        cache = DiskCache(path)
        cache.put({})
        assert cache.get([]) == {}
        assert len(cache) == 0

    def test_more_keys_than_a_statement_takes(self, path: Path) -> None:
        cache = DiskCache(path)
        entries = {str(number): str(-number) for number in range(2_501)}
        cache.put(entries)
        assert cache.get(["none", *entries]) == entries

    def test_takes_a_path_as_text(self, path: Path) -> None:
        DiskCache(str(path)).put({"a": "1"})
        assert path.exists()

    def test_survives(self, path: Path) -> None:
        DiskCache(path).put({"a": "1"})
        assert DiskCache(path).get(["a"]) == {"a": "1"}

    def test_starts_anew_without_its_file(self, path: Path) -> None:
        cache = DiskCache(path)
        cache.put({"a": "1"})
        path.unlink()
        assert cache.get(["a"]) == {}
        cache.put({"a": "2"})
        assert DiskCache(path).get(["a"]) == {"a": "2"}

    def test_leaves_one_file(self, path: Path) -> None:
        cache = DiskCache(path)
        cache.put({"a": "1"})
        cache.get(["a"])
        assert [file.name for file in path.parent.iterdir()] == [path.name]

    @pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
    @pytest.mark.parametrize("times", [4, pytest.param(20, marks=pytest.mark.slow)])
    def test_is_made_by_several_processes_at_once(self, tmp_path: Path, times: int) -> None:
        # SQLite does not wait by itself there; without our waiting about one file in ten fails.
        context = multiprocessing.get_context("fork")
        for number in range(times):
            together = context.Barrier(4)
            arguments = (str(tmp_path / f"{number}.sqlite"), together)
            makers = [context.Process(target=make, args=arguments, daemon=True) for _ in range(4)]
            for maker in makers:
                maker.start()
            for maker in makers:
                maker.join(60)
            assert [maker.exitcode for maker in makers] == [0] * 4

    def test_does_not_wait_for_ever(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cache_module, "_PATIENCE", 0.05)
        with closing(sqlite3.connect(path)) as other:
            other.execute("BEGIN EXCLUSIVE")
            with pytest.raises(CiteguardError, match="database is locked"):
                DiskCache(path)

    @pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
    @pytest.mark.parametrize(("method", "writers"), [("spawn", 2), ("fork", 4)])
    def test_is_shared_by_processes(self, method: str, writers: int, path: Path) -> None:
        context = multiprocessing.get_context(method)
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

    def test_is_shared_by_threads(self, path: Path) -> None:
        cache = DiskCache(path)
        threads = [
            threading.Thread(target=cache.put, args=({str(number): "x"},)) for number in range(20)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(cache) == 20

    def test_can_be_opened_by_many_at_once(self, path: Path) -> None:
        failed: list[BaseException] = []

        def make() -> None:
            try:
                DiskCache(path)
            except BaseException as error:
                failed.append(error)

        threads = [threading.Thread(target=make) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []

    def test_refuses_a_folder_that_does_not_exist(self) -> None:
        with pytest.raises(CiteguardError) as caught:
            DiskCache("no/such/folder/verdicts.sqlite")
        assert str(caught.value) == snapshot(
            "cannot keep verdicts in no/such/folder/verdicts.sqlite: unable to open database file"
        )

    @pytest.mark.parametrize("path", ["", ":memory:"])
    def test_refuses_what_would_not_last(self, path: str) -> None:
        with pytest.raises(CiteguardError) as caught:
            DiskCache(path)
        assert str(caught.value) == snapshot(
            "a DiskCache needs a file; use MemoryCache to keep verdicts in memory"
        )

    def test_refuses_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(CiteguardError, match="unable to open database file"):
            DiskCache(tmp_path)

    def test_refuses_a_file_that_is_no_database(self, path: Path) -> None:
        path.write_text("verdicts: none\n" * 100)
        with pytest.raises(CiteguardError, match="file is not a database"):
            DiskCache(path)
        assert path.read_text().startswith("verdicts: none")

    def test_refuses_a_damaged_file(self, path: Path) -> None:
        DiskCache(path).put({str(number): "x" * 500 for number in range(100)})
        path.write_bytes(b"\0" * 100 + path.read_bytes()[100:])
        with pytest.raises(CiteguardError, match="file is not a database"):
            DiskCache(path)


class TestKeptVerdicts:
    @pytest.fixture(params=["memory", "disk"])
    def cache(self, request: pytest.FixtureRequest, tmp_path: Path) -> MemoryCache | DiskCache:
        if request.param == "memory":
            return MemoryCache()
        return DiskCache(tmp_path / "verdicts.sqlite")

    def test_are_not_asked_for_again(self, cache: MemoryCache | DiskCache) -> None:
        first, second = (ScriptedJudge(settings=kept_by(cache)) for _ in range(2))
        assert ask(first, QUESTION, OTHER)[1].calls == 2
        verdicts, usage = ask(second, QUESTION, OTHER)
        assert [verdict.outcome for verdict in verdicts] == ["supported"] * 2
        assert (usage.calls, usage.cached) == (0, 2)
        assert second.asked == []

    def test_are_the_verdicts_that_were_given(self, cache: MemoryCache | DiskCache) -> None:
        verdict = Verdict(
            "contradicted",
            reason="“two” months\n",
            score=0.25,
            words="one month",
            span=Span("handbook", 17, 26),
            judge="Jürgen",
        )
        judge = ScriptedJudge(otherwise=verdict, settings=kept_by(cache))
        assert ask(judge, QUESTION)[0] == ask(judge, QUESTION)[0] == [verdict]
        assert len(judge.asked) == 1

    def test_on_whole_answers_too(self, cache: MemoryCache | DiskCache) -> None:
        judge = ScriptedJudge(settings=kept_by(cache))
        uncited = SupportQuestion(statement="So be it.", evidence=())
        question = AlignmentQuestion(question="How long?", statements=(QUESTION, uncited))
        first, second = (asyncio.run(align(judge, question)) for _ in range(2))
        assert first == second
        assert second.statements[1] is None
        assert len(judge.aligned) == 1

    def test_do_not_count_against_the_budget(self, cache: MemoryCache | DiskCache) -> None:
        judge = ScriptedJudge(settings=kept_by(cache))
        ask(judge, QUESTION)
        counter = UsageCounter(Budget(calls=0, tokens=0, seconds=0))

        async def put() -> dict[SupportQuestion, Verdict]:
            return await ask_judge(judge, [QUESTION, OTHER], Limits.of(counter))

        answers = asyncio.run(put())
        assert answers[QUESTION].outcome == "supported"
        assert answers[OTHER].outcome == "undecided"

    def test_leave_nothing_to_ask_in_one_call(self, cache: MemoryCache | DiskCache) -> None:
        settings = JudgeSettings(batch_size=None, version="1", cache=cache)
        judge = ScriptedJudge(settings=settings)
        ask(judge, QUESTION, OTHER)
        assert ask(judge, QUESTION, OTHER)[1].cached == 2

    def test_are_never_undecided(self, cache: MemoryCache | DiskCache) -> None:
        said = {OTHER.statement: RuntimeError("down")}
        judge = ScriptedJudge(said, otherwise="undecided", settings=kept_by(cache))
        ask(judge, QUESTION, OTHER)
        ask(judge, QUESTION, OTHER)
        assert len(judge.asked) == 4
        assert len(cache) == 0

    def test_of_an_answer_are_kept_when_all_are_decided(
        self, cache: MemoryCache | DiskCache
    ) -> None:
        judge = ScriptedJudge({OTHER.statement: "undecided"}, settings=kept_by(cache))
        question = AlignmentQuestion(question=None, statements=(QUESTION, OTHER))
        asyncio.run(align(judge, question))
        assert len(cache) == 0

    def test_without_a_version_there_are_none(self, cache: MemoryCache | DiskCache) -> None:
        judge = ScriptedJudge(settings=kept_by(cache, version=None))
        ask(judge, QUESTION)
        assert len(cache) == 0
        assert ask(judge, QUESTION)[1].cached == 0

    @pytest.mark.parametrize(
        "words", ["\ud800", "a\udfffb", "\x00", "\U0001f600"], ids=["high", "low", "null", "emoji"]
    )
    def test_with_any_words(self, words: str, cache: MemoryCache | DiskCache) -> None:
        verdict = Verdict("supported", words=words)
        judge = ScriptedJudge(otherwise=verdict, settings=kept_by(cache))
        assert ask(judge, QUESTION)[0] == [verdict]
        assert ask(judge, QUESTION)[0] == [verdict]


class TestKey:
    """What a verdict is kept under, told by what finds it again."""

    @each_row(
        ("version", "question"),
        [
            pytest.param("model 2, prompt 1", QUESTION, id="model"),
            pytest.param("model 1, prompt 2", QUESTION, id="prompt"),
            pytest.param("model 1, prompt 1", OTHER, id="statement"),
            pytest.param(
                "model 1, prompt 1",
                replace(QUESTION, evidence=(replace(QUESTION.evidence[0], text="No."),)),
                id="evidence",
            ),
            pytest.param(
                "model 1, prompt 1",
                replace(QUESTION, evidence=(replace(QUESTION.evidence[0], source_id="faq"),)),
                id="source",
            ),
            pytest.param(
                "model 1, prompt 1",
                replace(QUESTION, evidence=(replace(QUESTION.evidence[0], start=8),)),
                id="place",
            ),
            pytest.param(
                "model 1, prompt 1", replace(QUESTION, evidence=QUESTION.evidence * 2), id="more"
            ),
            pytest.param("model 1, prompt 1", replace(QUESTION, evidence=()), id="none"),
        ],
    )
    def test_holds(self, version: str, question: SupportQuestion) -> None:
        cache = MemoryCache()
        ask(ScriptedJudge(settings=kept_by(cache)), QUESTION)
        judge = ScriptedJudge(settings=kept_by(cache, version))
        assert ask(judge, question)[1].cached == 0
        assert judge.asked == [question]

    def test_holds_the_type_of_the_judge(self) -> None:
        class Other(ScriptedJudge):
            pass

        settings = kept_by(MemoryCache())
        ask(ScriptedJudge(settings=settings), QUESTION)
        assert ask(Other(settings=settings), QUESTION)[1].cached == 0

    def test_holds_the_name_of_the_judge(self) -> None:
        class Named(ScriptedJudge):
            name = "first"

        settings = kept_by(MemoryCache())
        first, second, third = (Named(settings=settings) for _ in range(3))
        second.name = "second"  # type: ignore[misc]
        cached = [ask(judge, QUESTION)[1].cached for judge in (first, second, third)]
        assert cached == [0, 0, 1]

    def test_holds_the_kind_of_question(self) -> None:
        cache = MemoryCache()
        judge = ScriptedJudge(settings=kept_by(cache))
        ask(judge, QUESTION)
        question = AlignmentQuestion(question=None, statements=(QUESTION,))
        asyncio.run(align(judge, question))
        assert (len(judge.asked), len(judge.aligned)) == (1, 1)

    def test_holds_the_question_of_an_answer(self) -> None:
        judge = ScriptedJudge(settings=kept_by(MemoryCache()))
        for asked in ("How long?", "How often?", None, "How long?"):
            asyncio.run(align(judge, AlignmentQuestion(question=asked, statements=(QUESTION,))))
        assert [question.question for question in judge.aligned] == [
            "How long?",
            "How often?",
            None,
        ]

    def test_holds_the_part_of_long_evidence(self) -> None:
        cache = MemoryCache()
        text = "Notice is one month. Lunch is free for all. Wine is not served here."
        question = replace(QUESTION, evidence=(Evidence(text=text),))
        settings = replace(kept_by(cache), evidence_limit=25)
        ask(ScriptedJudge(otherwise="unsupported", settings=settings), question)
        assert len(cache) == 3

    @given(st.text(), st.text())
    def test_tells_any_two_statements_apart(self, one: str, other: str) -> None:
        cache = MemoryCache()
        questions = [replace(QUESTION, statement=text) for text in (one, other)]
        ask(ScriptedJudge(settings=kept_by(cache)), *questions)
        assert len(cache) == len({one, other})


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

    def test_says_whose_it_is_and_why(self) -> None:
        judge = ScriptedJudge(settings=kept_by(FailingCache(OSError("disk full"))))
        with pytest.warns(RuntimeWarning) as warned:
            ask(judge, QUESTION)
        assert str(warned[0].message) == snapshot(
            """\
the verdict cache of script failed: raised OSError
OSError: disk full\
"""
        )

    def test_whose_file_was_damaged_meanwhile(self, tmp_path: Path) -> None:
        path = tmp_path / "verdicts.sqlite"
        judge = ScriptedJudge(settings=kept_by(DiskCache(path)))
        path.write_bytes(b"nothing of the kind" * 500)
        with pytest.warns(RuntimeWarning, match="the verdict cache of script failed"):
            assert ask(judge, QUESTION)[0][0].outcome == "supported"

    @each_row(
        "text",
        [
            pytest.param("", id="nothing"),
            pytest.param("{", id="cut off"),
            pytest.param("null", id="null"),
            pytest.param("[]", id="a list"),
            pytest.param('{"reason": "no outcome"}', id="no outcome"),
            pytest.param('{"outcome": "maybe"}', id="an unknown outcome"),
            pytest.param('{"outcome": "supported", "score": 7}', id="a score out of range"),
            pytest.param('{"outcome": "supported", "score": "NaN"}', id="no number"),
            pytest.param('{"outcome": "supported", "span": {"start": 1}}', id="half a span"),
        ],
    )
    def test_reads_nothing_into_an_entry_that_is_damaged(self, text: str) -> None:
        cache = FixedCache(lambda keys: dict.fromkeys(keys, text))
        judge = ScriptedJudge(settings=kept_by(cache))
        verdicts, usage = ask(judge, QUESTION)
        assert verdicts[0].outcome == "supported"
        assert (usage.calls, usage.cached) == (1, 0)
        assert json.loads(*cache.put_entries.values())["outcome"] == "supported"

    @each_row(
        "found",
        [
            pytest.param(lambda _: {}, id="nothing"),
            pytest.param(lambda keys: dict.fromkeys(keys), id="None for every key"),
            pytest.param(
                lambda _: {"another": '{"outcome":"contradicted"}'}, id="what nobody asked for"
            ),
        ],
    )
    def test_finds_nothing(self, found: Any) -> None:
        verdicts, usage = ask(ScriptedJudge(settings=kept_by(FixedCache(found))), QUESTION)
        assert verdicts[0].outcome == "supported"
        assert (usage.calls, usage.cached) == (1, 0)

    @each_row(
        "found",
        [
            pytest.param(lambda _: None, id="None"),
            pytest.param(lambda keys: ["{}" for _ in keys], id="a list"),
            pytest.param(lambda _: 7, id="a number"),
            pytest.param(lambda keys: dict.fromkeys(keys, 7), id="a number for every key"),
        ],
    )
    def test_finds_what_are_no_texts(self, found: Any) -> None:
        judge = ScriptedJudge(settings=kept_by(FixedCache(found)))
        with pytest.warns(RuntimeWarning, match="the verdict cache of script failed"):
            verdicts, usage = ask(judge, QUESTION)
        assert verdicts[0].outcome == "supported"
        assert (usage.calls, usage.cached) == (1, 0)

    def test_is_used_where_it_blocks_nobody(self) -> None:
        threads: list[str] = []

        def found(keys: Sequence[str]) -> dict[str, str]:
            threads.append(threading.current_thread().name)
            return {}

        ask(ScriptedJudge(settings=kept_by(FixedCache(found))), QUESTION)
        assert threading.current_thread().name not in threads
