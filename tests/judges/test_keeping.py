from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from citeguard import (
    Alignment,
    AlignmentQuestion,
    DiskCache,
    Evidence,
    JudgeSettings,
    MemoryCache,
    SupportQuestion,
    Verdict,
    VerdictCache,
)
from citeguard.judges import keeping
from citeguard.judges.asking import Seat, keep, recall, recall_at_once
from citeguard.judges.questions import ALIGNMENT, SUPPORT
from citeguard.testing import ScriptedJudge

QUESTION = SupportQuestion(
    statement="It takes a month.",
    evidence=(Evidence(text="Notice is one month.", source_id="handbook"),),
)
OTHER = replace(QUESTION, statement="It takes a year.")
LONG = replace(QUESTION, evidence=(Evidence(text="Notice is one month. " * 5_000),))
WHOLE = AlignmentQuestion(question="How long?", statements=(QUESTION,))
SAID = Verdict("supported", reason="So it stands there.", words="one month", judge="script")


def seat(cache: VerdictCache, version: str | None = "1", *, kind: Any = SUPPORT) -> Seat:
    """Return a judge's seat; it wants at most 30 characters of evidence in one call."""
    settings = JudgeSettings(version=version, cache=cache, evidence_limit=30)
    return Seat(kind, ScriptedJudge(settings=settings))


class Noting(MemoryCache):
    """Remembers which threads have used it."""

    def __init__(self) -> None:
        super().__init__()
        self.threads: list[threading.Thread] = []

    def get(self, keys: Sequence[str], /) -> dict[str, str]:
        self.threads.append(threading.current_thread())
        return super().get(keys)


class Own:
    """A cache of somebody's own, of whatever make."""

    def __init__(self) -> None:
        self.kept = Noting()

    def get(self, keys: Sequence[str], /) -> Mapping[str, str]:
        return self.kept.get(keys)

    def put(self, entries: Mapping[str, str], /) -> None:
        self.kept.put(entries)


class Failing(MemoryCache):
    """A cache that cannot be used."""

    def get(self, keys: Sequence[str], /) -> Any:
        raise OSError("the disk is on fire")

    def put(self, entries: Mapping[str, str], /) -> None:
        raise OSError("the disk is on fire")


class TestRecall:
    async def test_says_what_was_kept(self) -> None:
        cache = MemoryCache()
        await keep(seat(cache), {QUESTION: SAID})
        assert await recall(seat(cache), [OTHER, QUESTION]) == {QUESTION: SAID}

    async def test_of_a_judge_that_keeps_nothing(self) -> None:
        """Without a version nobody knows whether it would say the same again."""
        assert await recall(seat(Failing(), version=None), [QUESTION]) == {}

    @pytest.mark.parametrize(
        "text",
        [
            pytest.param("", id="nothing"),
            pytest.param('{"outcome": "supp', id="cut off"),
            pytest.param("[]", id="no verdict"),
            pytest.param('{"outcome": "perhaps"}', id="an outcome of another version"),
            pytest.param('{"outcome": "supported", "score": 7}', id="a score out of range"),
        ],
    )
    async def test_not_of_what_cannot_be_read(self, text: str) -> None:
        cache, this = MemoryCache(), seat(MemoryCache())
        cache.put({this.keys([QUESTION])[0]: text})
        assert await recall(seat(cache), [QUESTION]) == {}

    async def test_not_of_what_does_not_fit_the_question(self) -> None:
        """A whole answer of two statements says nothing of one statement's answer."""
        cache = MemoryCache()
        this = seat(cache, kind=ALIGNMENT)
        await keep(this, {WHOLE: Alignment(answer=SAID, statements=(SAID, SAID))})
        assert await recall(this, [WHOLE]) == {}
        await keep(this, {WHOLE: Alignment(answer=SAID, statements=(SAID,))})
        assert await recall(this, [WHOLE]) == {WHOLE: Alignment(answer=SAID, statements=(SAID,))}

    async def test_of_a_cache_that_fails_warns(self) -> None:
        with pytest.warns(
            RuntimeWarning, match="the verdict cache of script failed: raised OSError"
        ):
            assert await recall(seat(Failing()), [QUESTION]) == {}

    async def test_of_a_cache_that_is_slow_does_not_wait_for_it(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        released = threading.Event()

        class Slow(Own):
            def get(self, keys: Sequence[str], /) -> Mapping[str, str]:
                released.wait(60)
                return super().get(keys)

        monkeypatch.setattr(keeping, "_PATIENCE", 0.05)
        with pytest.warns(RuntimeWarning, match="the verdict cache of script failed"):
            assert await recall(seat(Slow()), [QUESTION]) == {}
        released.set()

    async def test_holds_up_no_loop(self) -> None:
        """Keys of much evidence take their time, and so does a cache that is not in memory."""
        memory, own = Noting(), Own()
        await recall(seat(memory), [QUESTION])
        await recall(seat(memory), [LONG])
        await recall(seat(own), [QUESTION])
        here = threading.current_thread()
        assert [thread is here for thread in memory.threads] == [True, False]
        assert [thread is here for thread in own.kept.threads] == [False]


class TestRecallAtOnce:
    def test_says_what_was_kept(self) -> None:
        cache = MemoryCache()
        asyncio.run(keep(seat(cache), {QUESTION: SAID}))
        assert recall_at_once(seat(cache), [OTHER, QUESTION]) == {QUESTION: SAID}

    def test_leaves_long_questions_to_those_who_wait(self) -> None:
        cache = MemoryCache()
        asyncio.run(keep(seat(cache), {QUESTION: SAID, LONG: SAID}))
        assert recall_at_once(seat(cache), [QUESTION, LONG]) == {QUESTION: SAID}
        assert asyncio.run(recall(seat(cache), [QUESTION, LONG])) == {QUESTION: SAID, LONG: SAID}

    @pytest.mark.parametrize("kind", ["disk", "own"])
    def test_opens_no_other_cache_than_that_in_memory(self, kind: str, tmp_path: Path) -> None:
        cache: Any = Own() if kind == "own" else DiskCache(tmp_path / "verdicts.sqlite")
        asyncio.run(keep(seat(cache), {QUESTION: SAID}))
        assert recall_at_once(seat(cache), [QUESTION]) == {}
        assert asyncio.run(recall(seat(cache), [QUESTION])) == {QUESTION: SAID}

    def test_of_a_judge_that_keeps_nothing(self) -> None:
        assert recall_at_once(seat(Failing(), version=None), [QUESTION]) == {}

    def test_of_a_cache_that_fails_warns(self) -> None:
        with pytest.warns(
            RuntimeWarning, match="the verdict cache of script failed: raised OSError"
        ):
            assert recall_at_once(seat(Failing()), [QUESTION]) == {}


class TestKeep:
    async def test_under_the_version_of_the_judge(self) -> None:
        cache = MemoryCache()
        await keep(seat(cache), {QUESTION: SAID})
        assert await recall(seat(cache, version="2"), [QUESTION]) == {}

    async def test_nothing_of_a_judge_without_a_version(self) -> None:
        cache = MemoryCache()
        await keep(seat(cache, version=None), {QUESTION: SAID})
        assert len(cache) == 0

    async def test_no_answers_use_no_cache(self) -> None:
        await keep(seat(Failing()), {})

    async def test_words_that_are_no_utf_8(self) -> None:
        cache, said = MemoryCache(), replace(SAID, words="\ud800 \x00")
        await keep(seat(cache), {QUESTION: said})
        assert await recall(seat(cache), [QUESTION]) == {QUESTION: said}

    async def test_in_a_cache_that_fails_warns(self) -> None:
        with pytest.warns(
            RuntimeWarning, match="the verdict cache of script failed: raised OSError"
        ):
            await keep(seat(Failing()), {QUESTION: SAID})
