"""The service under load and under attack: errors, latencies, memory.

    python -m tests.benchmarks.server

Starts `citeguard serve` on loopback. Prints how long each kind of request takes with 50 clients at
once, how much memory the service and its processes have after so many requests, and how long a
client waits while others send what is hostile.
"""

import asyncio
import re
import statistics
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil

# The hostile files are imported as pytest finds them.
sys.path.insert(0, str(Path(__file__).parents[2]))

from ..tables import write
from .attacks import ATTACKS, Attack
from .requests import Ask, ask, audit_json, audit_pdf

AT_ONCE = 50
_REQUESTS = (200, 1_000, 2_000)  # after which the memory is looked at
PROGRAM = "import sys; from citeguard.cli import main; main(sys.argv[1:])"
_MEGABYTE = 1_000_000
_MEASURED_SECONDS = 12.0


@contextmanager
def service() -> Generator[tuple[str, psutil.Process]]:
    """Start the service; return its address and its process."""
    command = [sys.executable, "-c", PROGRAM, "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        address = next(
            found[0] for line in process.stderr if (found := re.search(r"http\S+", line))
        )
        try:
            yield address, psutil.Process(process.pid)
        finally:
            process.terminate()


def memory(process: psutil.Process) -> str:
    """Return how much memory the service has of its own, and each of its processes."""
    own, *others = (
        each.memory_full_info().uss / _MEGABYTE for each in (process, *_workers(process))
    )
    return f"server {own:.0f} MB, processes {', '.join(f'{each:.0f}' for each in others)} MB"


def _workers(process: psutil.Process) -> Iterator[psutil.Process]:
    for child in process.children():
        if "resource_tracker" not in " ".join(child.cmdline()):
            yield child


async def sent(client: httpx.AsyncClient, each: Ask) -> tuple[int, float]:
    """Send a request; return the status of the reply, and the seconds until its end."""
    start = time.perf_counter()
    reply = await client.post(each.path, **each.arguments)
    status = 599 if "event: error" in reply.text[-500:] else reply.status_code
    return status, time.perf_counter() - start


async def load(client: httpx.AsyncClient, first: int, count: int) -> None:
    """Send requests of all kinds, 50 at once, and print what came of them."""
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    statuses: Counter[int] = Counter()
    numbers = iter(range(first, first + count))

    async def work() -> None:
        for number in numbers:
            each = ask(number)
            status, took = await sent(client, each)
            statuses[status] += 1
            seconds[each.kind].append(took)

    start = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(AT_ONCE)))
    rate = count / (time.perf_counter() - start)
    write([f"{count} requests, {AT_ONCE} at once: {rate:.1f}/s, replies {dict(statuses)}"])
    for kind, took in sorted(seconds.items()):
        write([f"  {kind:18} {_spread(took)}"])


def _spread(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    p95 = ordered[int(0.95 * (len(ordered) - 1))]
    return f"p50 {statistics.median(ordered):.3f} s, p95 {p95:.3f} s, max {ordered[-1]:.3f} s"


async def waits(
    client: httpx.AsyncClient, made: Callable[[int], Ask], attack: Attack | None = None
) -> str:
    """Return how long a client waits that sends one request after the other, during an attack."""
    attacking = asyncio.create_task(attack.run(client)) if attack else None
    took: list[float] = []
    statuses: Counter[int] = Counter()
    stop = time.perf_counter() + _MEASURED_SECONDS
    while time.perf_counter() < stop:
        status, seconds = await sent(client, made(100_000 + len(took)))
        statuses[status] += 1
        took.append(seconds)
    if attacking:
        attacking.cancel()
        await asyncio.gather(attacking, return_exceptions=True)
    hostile = f"; replies to the attack {dict(attack.statuses)}" if attack else ""
    return f"{len(took)} requests {dict(statuses)}, {_spread(took)}{hostile}"


async def main() -> None:
    """Measure all."""
    limits = httpx.Limits(max_connections=None)
    with service() as (address, process):
        async with httpx.AsyncClient(base_url=address, timeout=120, limits=limits) as client:
            write([f"at the start: {memory(process)}"])
            done = 0
            for upto in _REQUESTS:
                await load(client, done, upto - done)
                done = upto
                write([f"after {done}: {memory(process)}"])
            for name, made in (("JSON", audit_json), ("a small PDF", audit_pdf)):
                write([f"{name}, alone: {await waits(client, made)}"])
                for kind, attack in ATTACKS.items():
                    write([f"{name}, during {kind}: {await waits(client, made, attack())}"])
            write([f"at the end: {memory(process)}"])


if __name__ == "__main__":
    asyncio.run(main())
