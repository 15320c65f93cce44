from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

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
from citeguard.judges import asking
from citeguard.judges.asking import JudgeCaller, Limits
from citeguard.judges.questions import ALIGNMENT, SUPPORT
from citeguard.judges.usage import UsageCounter
from citeguard.testing import ScriptedJudge
from rows import each_row

QUESTION = SupportQuestion(
    statement="It takes a month.",
    evidence=(Evidence(text="Notice is one month.", source_id="handbook"),),
)
OTHER = replace(QUESTION, statement="It takes a year.")
LONG = replace(QUESTION, evidence=(Evidence(text="Notice is one month. " * 5_000),))
WHOLE = AlignmentQuestion(question="How long?", statements=(QUESTION,))
SAID = Verdict("supported", reason="So it stands there.", words="one month", judge="script")


def caller(cache: VerdictCache, version: str | None = "1", *, kind: Any = SUPPORT) -> JudgeCaller:
    """Return a caller of a judge that takes at most 30 characters of evidence in one call."""
    settings = JudgeSettings(version=version, cache=cache, evidence_limit=30)
    return JudgeCaller(ScriptedJudge(settings=settings), kind, Limits(UsageCounter()))


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
        await caller(cache).keep({QUESTION: SAID})
        assert await caller(cache).recall([OTHER, QUESTION]) == {QUESTION: SAID}

    async def test_of_a_judge_that_keeps_nothing(self) -> None:
        """Without a version nobody knows whether it would say the same again."""
        assert await caller(Failing(), version=None).recall([QUESTION]) == {}

    @each_row(
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
        cache, this = MemoryCache(), caller(MemoryCache())
        cache.put({this.keys([QUESTION])[0]: text})
        assert await caller(cache).recall([QUESTION]) == {}

    async def test_not_of_what_does_not_fit_the_question(self) -> None:
        """A whole answer of two statements says nothing of one statement's answer."""
        cache = MemoryCache()
        this = caller(cache, kind=ALIGNMENT)
        await this.keep({WHOLE: Alignment(answer=SAID, statements=(SAID, SAID))})
        assert await this.recall([WHOLE]) == {}
        await this.keep({WHOLE: Alignment(answer=SAID, statements=(SAID,))})
        assert await this.recall([WHOLE]) == {WHOLE: Alignment(answer=SAID, statements=(SAID,))}

    async def test_of_a_cache_that_fails_warns(self) -> None:
        with pytest.warns(
            RuntimeWarning, match="the verdict cache of script failed: raised OSError"
        ):
            assert await caller(Failing()).recall([QUESTION]) == {}

    async def test_of_a_cache_that_is_slow_does_not_wait_for_it(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        released = threading.Event()

        class Slow(Own):
            def get(self, keys: Sequence[str], /) -> Mapping[str, str]:
                released.wait(60)
                return super().get(keys)

        monkeypatch.setattr(asking, "_CACHE_TIMEOUT", 0.05)
        with pytest.warns(RuntimeWarning, match="the verdict cache of script failed"):
            assert await caller(Slow()).recall([QUESTION]) == {}
        released.set()

    async def test_holds_up_no_loop(self) -> None:
        """Keys of much evidence take their time, and so does a cache that is not in memory."""
        memory, own = Noting(), Own()
        await caller(memory).recall([QUESTION])
        await caller(memory).recall([LONG])
        await caller(own).recall([QUESTION])
        here = threading.current_thread()
        assert [thread is here for thread in memory.threads] == [True, False]
        assert [thread is here for thread in own.kept.threads] == [False]


class TestRecallAtOnce:
    def test_says_what_was_kept(self) -> None:
        cache = MemoryCache()
        asyncio.run(caller(cache).keep({QUESTION: SAID}))
        assert caller(cache).recall_at_once([OTHER, QUESTION]) == {QUESTION: SAID}

    def test_leaves_long_questions_to_those_who_wait(self) -> None:
        cache = MemoryCache()
        asyncio.run(caller(cache).keep({QUESTION: SAID, LONG: SAID}))
        assert caller(cache).recall_at_once([QUESTION, LONG]) == {QUESTION: SAID}
        assert asyncio.run(caller(cache).recall([QUESTION, LONG])) == {QUESTION: SAID, LONG: SAID}

    @pytest.mark.parametrize("kind", ["disk", "own"])
    def test_opens_no_other_cache_than_that_in_memory(self, kind: str, tmp_path: Path) -> None:
        cache: Any = Own() if kind == "own" else DiskCache(tmp_path / "verdicts.sqlite")
        asyncio.run(caller(cache).keep({QUESTION: SAID}))
        assert caller(cache).recall_at_once([QUESTION]) == {}
        assert asyncio.run(caller(cache).recall([QUESTION])) == {QUESTION: SAID}

    def test_of_a_judge_that_keeps_nothing(self) -> None:
        assert caller(Failing(), version=None).recall_at_once([QUESTION]) == {}

    def test_uses_no_subclass(self) -> None:
        """It may do, and raise, anything."""
        assert caller(Failing()).recall_at_once([QUESTION]) == {}


class TestKeep:
    async def test_under_the_version_of_the_judge(self) -> None:
        cache = MemoryCache()
        await caller(cache).keep({QUESTION: SAID})
        assert await caller(cache, version="2").recall([QUESTION]) == {}

    async def test_nothing_of_a_judge_without_a_version(self) -> None:
        cache = MemoryCache()
        await caller(cache, version=None).keep({QUESTION: SAID})
        assert len(cache) == 0

    async def test_no_answers_use_no_cache(self) -> None:
        await caller(Failing()).keep({})

    async def test_words_that_are_no_utf_8(self) -> None:
        cache, said = MemoryCache(), replace(SAID, words="\ud800 \x00")
        await caller(cache).keep({QUESTION: said})
        assert await caller(cache).recall([QUESTION]) == {QUESTION: said}

    async def test_in_a_cache_that_fails_warns(self) -> None:
        with pytest.warns(
            RuntimeWarning, match="the verdict cache of script failed: raised OSError"
        ):
            await caller(Failing()).keep({QUESTION: SAID})


LONG_TEXT = "The notice period is one month. " * 100

texts = st.one_of(
    st.text(max_size=5),
    st.sampled_from([LONG_TEXT, LONG_TEXT[1:], hashlib.sha256(LONG_TEXT.encode()).hexdigest()]),
)
evidences = st.builds(
    Evidence, text=texts, source_id=st.none() | st.text(max_size=2), start=st.integers(0, 3)
)
questions = st.builds(
    SupportQuestion, statement=texts, evidence=st.lists(evidences, max_size=2).map(tuple)
)


class TestKeys:
    @given(questions, questions)
    def test_differ_with_the_question(self, one: SupportQuestion, other: SupportQuestion) -> None:
        assume(one != other)
        first, second = caller(MemoryCache()).keys([one, other])
        assert first != second

    @given(questions)
    def test_are_the_same_for_the_same(self, question: SupportQuestion) -> None:
        assert caller(MemoryCache()).keys([question]) == caller(MemoryCache()).keys([question])

    def test_differ_with_the_kind_of_question(self) -> None:
        question = SupportQuestion(statement="a", evidence=())
        whole = AlignmentQuestion(question=None, statements=(question,))
        assert caller(MemoryCache()).keys([question]) != caller(MemoryCache(), kind=ALIGNMENT).keys(
            [whole]
        )

    @each_row("text", ["\ud800", "\ud800" * 1_000, "", LONG_TEXT], ids=ascii)
    def test_are_there_for_any_text(self, text: str) -> None:
        question = SupportQuestion(statement=text, evidence=(Evidence(text=text),))
        (key,) = caller(MemoryCache()).keys([question])
        assert len(key) == 64
