import asyncio
import subprocess
import sys
import threading
from contextvars import ContextVar
from typing import NoReturn

import pytest
from inline_snapshot import snapshot

from citeguard import CiteguardError
from citeguard.judges.loops import in_background, in_background_loop, in_thread, run_sync, together

LONG = 60.0
"""Seconds after which something counts as hanging."""

marker: ContextVar[str] = ContextVar("marker", default="none")


async def here() -> str:
    return threading.current_thread().name


async def forever() -> NoReturn:
    await asyncio.Event().wait()
    raise AssertionError


def run_script(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        capture_output=True,
        text=True,
        timeout=LONG,
        check=False,
    )


class TestRunSync:
    def test_runs_what_several_threads_wait_for_side_by_side(self) -> None:
        barrier = asyncio.Barrier(4)

        async def meet() -> int:
            async with asyncio.timeout(LONG):
                return await barrier.wait()

        met: list[int] = []
        threads = [threading.Thread(target=lambda: met.append(run_sync(meet()))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(met) == [0, 1, 2, 3]

    async def test_within_a_running_loop(self) -> None:
        assert run_sync(here()) == "citeguard-loop"

    def test_takes_context_variables_along(self) -> None:
        async def read() -> str:
            return marker.get()

        token = marker.set("here")
        try:
            assert run_sync(read()) == "here"
        finally:
            marker.reset(token)
        assert run_sync(read()) == "none"

    def test_refuses_to_wait_for_itself(self) -> None:
        async def wait() -> None:
            run_sync(here())

        with pytest.raises(CiteguardError) as caught:
            run_sync(wait())
        assert str(caught.value) == snapshot(
            "an async judge may not validate with judges of its own; await averify(...) instead"
        )

    def test_that_is_interrupted_leaves_no_task(self) -> None:
        done = run_script("""
import asyncio, os, signal
from citeguard.judges.loops import run_sync

# A process that a shell put into the background starts with the signal ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
ended = []

async def forever():
    asyncio.get_running_loop().call_later(0.05, os.kill, os.getpid(), signal.SIGINT)
    try:
        await asyncio.Event().wait()
    finally:
        ended.append(True)

async def tasks():
    await asyncio.sleep(0)
    return len(asyncio.all_tasks()) - 1

try:
    run_sync(forever())
except KeyboardInterrupt:
    print("interrupted", run_sync(tasks()), ended)
""")
        assert (done.stdout, done.stderr, done.returncode) == ("interrupted 0 [True]\n", "", 0)

    def test_works_in_a_forked_process(self) -> None:
        done = run_script("""
import asyncio, os, sys
from citeguard.judges.loops import run_sync

assert run_sync(asyncio.sleep(0, "parent")) == "parent"
sys.stdout.flush()
child = os.fork()
if not child:
    print(run_sync(asyncio.sleep(0, "child")), flush=True)
    grandchild = os.fork()
    # One write, as two processes write at the same time.
    os.write(1, run_sync(asyncio.sleep(0, b"after another fork\\n")))
    if grandchild:
        os.waitpid(grandchild, 0)
    sys.exit()
_, status = os.waitpid(child, 0)
print(status, run_sync(asyncio.sleep(0, "parent")))
""")
        assert done.stdout == "child\n" + "after another fork\n" * 2 + "0 parent\n"
        assert done.stderr == ""


class TestInThread:
    async def test_that_is_cancelled_leaves_the_function_to_itself(self) -> None:
        started, released, ended = (threading.Event() for _ in range(3))

        def work() -> None:
            started.set()
            released.wait(LONG)
            ended.set()

        task = asyncio.create_task(in_thread(work))
        while not started.is_set():
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not ended.is_set()
        released.set()
        assert ended.wait(LONG)
        await asyncio.sleep(0.01)


class TestInBackground:
    async def test_runs_in_the_background_loop_with_the_context(self) -> None:
        async def seen() -> tuple[bool, str]:
            return in_background_loop(), marker.get()

        marker.set("mine")
        assert await in_background(seen()) == (True, "mine")


class TestTogether:
    async def test_ends_with_the_first_failure(self) -> None:
        cancelled: list[str] = []

        async def wait(name: str) -> None:
            try:
                await forever()
            except asyncio.CancelledError:
                cancelled.append(name)
                raise

        async def fail() -> None:
            await asyncio.sleep(0)
            raise ValueError("first")

        with pytest.raises(ValueError, match="first"):
            await together([wait("a"), fail(), wait("b")])
        assert cancelled == ["a", "b"]
        assert len(asyncio.all_tasks()) == 1


class TestEndOfTheProgram:
    def test_waits_for_no_judge(self) -> None:
        """Be it in a thread at work, in one that waits, or amid code of an extension."""
        script = """
import asyncio, threading, time
from typing import Annotated
from pydantic import AfterValidator, TypeAdapter
from citeguard import Answer, JudgeSettings, Policy, Verdict, averify, verify

adapter = TypeAdapter(list[Annotated[int, AfterValidator(lambda n: sum(range(n)))]])

class Blocking:
    settings = JudgeSettings(timeout=0.1)

    def judge(self, questions):
        time.sleep(3600)

class Validating:
    settings = JudgeSettings(timeout=0.1)

    def judge(self, questions):
        while True:
            adapter.validate_python([1000] * 100)

class Waiting:
    settings = JudgeSettings(timeout=None)

    async def judge(self, questions):
        waiting.set()
        await asyncio.sleep(3600)

waiting = threading.Event()
text = "Notice is one month."
data = {"statements": [{"text": "It is.", "citations": [{"quote": text}]}]}
arguments = dict(sources=text, policy=Policy(support=[Waiting()]))
threading.Thread(target=verify, args=(Answer, data), kwargs=arguments, daemon=True).start()
waiting.wait(60)
for judge in (Blocking(), Validating()):
    policy = Policy(support=[judge], undecided="pass")
    verify(Answer, data, sources=text, policy=policy)
answer = asyncio.run(averify(Answer, data, sources=text, policy=policy))
print(answer.statements[0].verdict.outcome)
"""
        done = run_script(script)
        assert (done.stdout, done.stderr, done.returncode) == ("undecided\n", "", 0)
