"""`citeguard serve` as a process: how it starts, and how it stops."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import psutil
import pytest

from server.serving import code_of

PROGRAM = "import sys; from citeguard.cli import main; main(sys.argv[1:])"
LONG = {"text": "Lunch is free. " * 1_500, "sources": {"canteen": "Lunch is free for all."}}


def started(*arguments: str, start_new_session: bool = False) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PROGRAM, "serve", "--port", "0", "--limit", "workers=1"]
    return subprocess.Popen(
        [*command, *arguments],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=start_new_session,
    )


@pytest.fixture
def process() -> Iterator[subprocess.Popen[str]]:
    with started() as process:
        yield process
        process.kill()


def address_of(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r"http://\S+", line):
            return found[0]
    raise AssertionError("it did not start")


@pytest.mark.slow
class TestStopping:
    @pytest.mark.parametrize(
        ("number", "status"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)], ids=["TERM", "INT"]
    )
    def test_finishes_current_requests(
        self, process: subprocess.Popen[str], number: signal.Signals, status: int
    ) -> None:
        address = address_of(process)
        workers = psutil.Process(process.pid).children()
        with ThreadPoolExecutor(1) as pool:
            reply = pool.submit(httpx.post, f"{address}/audit", json=LONG, timeout=60)
            while httpx.get(f"{address}/health").json()["running"] == 0:
                assert not reply.done()
            process.send_signal(number)
            assert reply.result().status_code == 200
        assert process.wait(30) == status
        assert psutil.wait_procs(workers, timeout=10)[1] == []

    def test_rejects_waiting_requests_at_once(self, process: subprocess.Popen[str]) -> None:
        address = address_of(process)
        with ThreadPoolExecutor(2) as pool:
            running = pool.submit(httpx.post, f"{address}/audit", json=LONG, timeout=60)
            while (health := httpx.get(f"{address}/health").json())["running"] == 0:
                assert not running.done()
            waiting = pool.submit(httpx.post, f"{address}/audit", json=LONG, timeout=60)
            while (health := httpx.get(f"{address}/health").json())["waiting"] == 0:
                assert health["running"] == 1
            process.terminate()
            assert code_of(waiting.result()) == (503, "unavailable")
            assert not running.done()
            assert running.result().status_code == 200
        assert process.wait(30) == 0

    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["TERM", "INT"])
    def test_takes_no_time_when_idle(
        self, process: subprocess.Popen[str], number: signal.Signals
    ) -> None:
        with httpx.Client(base_url=address_of(process)) as client:  # whose connection stays open
            assert client.get("/health").json()["running"] == 0
            process.send_signal(number)
            process.wait(2)

    @pytest.mark.parametrize(
        ("number", "status"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)], ids=["TERM", "INT"]
    )
    def test_during_start_is_at_once(self, number: signal.Signals, status: int) -> None:
        with started(start_new_session=True) as process:
            assert process.stderr is not None
            assert process.stderr.readline() == "citeguard: starting: loading the reader\n"
            while len(workers := psutil.Process(process.pid).children()) < 2:
                assert process.poll() is None
            for worker in workers:  # which would never be ready
                worker.suspend()
            os.killpg(process.pid, number)  # as a terminal does
            _, errors = process.communicate(timeout=20)
        assert process.returncode == status
        assert errors == ("" if status == 0 else "citeguard: interrupted\n")
        assert psutil.wait_procs(workers, timeout=10)[1] == []

    def test_rejects_requests_that_do_not_end_in_time(self) -> None:
        with started("--grace", "0.1") as process:
            address = address_of(process)
            sources = {"canteen": " ".join(f"Lunch {n} is free." for n in range(20_000))}
            long = {**LONG, "sources": sources}
            with ThreadPoolExecutor(1) as pool:
                reply = pool.submit(httpx.post, f"{address}/audit", json=long, timeout=60)
                while httpx.get(f"{address}/health").json()["running"] == 0:
                    assert not reply.done()
                process.terminate()
                assert process.wait(30) == 0
                assert code_of(reply.result()) == (503, "unavailable")
            assert process.stderr is not None
            assert process.stderr.read() == ""
