"""`citeguard serve` as a process: how it starts, and how it stops."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import psutil
import pytest

from server.serving import code_of

PROGRAM = """
import json, sys
from citeguard.cli import main
from server.serving import working
_, works, *arguments = sys.argv
with working(**json.loads(works)):
    main(arguments)
"""
TESTS = Path(__file__).parents[1]
LONG = {"text": "Lunch is free. " * 1_500, "sources": {"canteen": "Lunch is free for all."}}
BY_SIGNAL = pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)], ids=["TERM", "INT"]
)


@contextmanager
def started(*arguments: str, **works: bool) -> Iterator[subprocess.Popen[str]]:
    """Start the service; where a test fails, end it rather than wait for it."""
    command = [sys.executable, "-c", PROGRAM, json.dumps(works), "serve", "--port", "0"]
    path = os.pathsep.join([str(TESTS), str(TESTS.parent / "src")])
    with subprocess.Popen(
        [*command, "--limit", "workers=1", *arguments],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    ) as process:
        try:
            yield process
        finally:
            with suppress(psutil.NoSuchProcess):
                for worker in workers_of(process):
                    worker.kill()
            process.kill()


def workers_of(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """Return its workers that run their own program.

    A process that was created, but does not yet run another program, must not be suspended: until
    then, its parent cannot handle a signal.
    """
    children = psutil.Process(process.pid).children()
    return [each for each in children if "citeguard.server.worker" in " ".join(each.cmdline())]


def address_of(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r"http://\S+", line):
            return found[0]
    raise AssertionError("it did not start")


@pytest.mark.slow
class TestStopping:
    @BY_SIGNAL
    def test_finishes_running_requests_and_rejects_waiting_ones(
        self, number: signal.Signals, status: int
    ) -> None:
        with started(texts=True) as process, ThreadPoolExecutor(2) as pool:
            address, workers = address_of(process), workers_of(process)
            running = pool.submit(httpx.post, f"{address}/audit", json=LONG, timeout=60)
            while (health := httpx.get(f"{address}/health").json())["running"] == 0:
                assert not running.done()
            waiting = pool.submit(httpx.post, f"{address}/audit", json=LONG, timeout=60)
            while (health := httpx.get(f"{address}/health").json())["waiting"] == 0:
                assert health["running"] == 1
            process.send_signal(number)
            assert code_of(waiting.result()) == (503, "unavailable")
            assert not running.done()
            assert running.result().status_code == 200
            assert process.wait(60) == status
            assert psutil.wait_procs(workers, timeout=30)[1] == []

    def test_takes_no_time_when_idle(self) -> None:
        with (
            started("--grace", "600") as process,
            httpx.Client(base_url=address_of(process)) as client,  # whose connection stays open
        ):
            assert client.get("/health").json()["running"] == 0
            process.terminate()
            process.wait(60)

    @BY_SIGNAL
    def test_during_start_is_at_once(self, number: signal.Signals, status: int) -> None:
        with started(texts=True, documents=True) as process:
            assert process.stderr is not None
            assert process.stderr.readline() == "citeguard: starting: loading the reader\n"
            while len(workers := workers_of(process)) < 2:
                assert process.poll() is None
            for worker in workers:
                assert os.getpgid(worker.pid) == worker.pid  # Ctrl-C in a terminal ends none
                worker.suspend()  # so that it will never be ready
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
        assert process.returncode == status
        assert errors == ("" if status == 0 else "citeguard: interrupted\n")
        assert psutil.wait_procs(workers, timeout=30)[1] == []

    def test_rejects_requests_that_do_not_end_in_time(self) -> None:
        with started("--grace", "0.1", documents=True) as process:
            address = address_of(process)
            sources = {"canteen": " ".join(f"Lunch {n} is free." for n in range(20_000))}
            long = {**LONG, "sources": sources}
            with ThreadPoolExecutor(1) as pool:
                reply = pool.submit(httpx.post, f"{address}/audit", json=long, timeout=60)
                while httpx.get(f"{address}/health").json()["running"] == 0:
                    assert not reply.done()
                process.terminate()
                assert process.wait(60) == 0
                assert code_of(reply.result()) == (503, "unavailable")
            assert process.stderr is not None
            assert process.stderr.read() == ""
