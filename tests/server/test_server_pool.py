"""Which worker runs which job, and for how long: with fake workers, and one real one."""

import asyncio
import pickle
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from citeguard.errors import CiteguardError
from citeguard.server import create_app, pool, service
from citeguard.server.bodies import Body, BodyReceiver
from citeguard.server.errors import ServiceError
from citeguard.server.limits import Limits
from citeguard.server.pool import Pool, RunningJob, Shutdown, Worker
from citeguard.server.worker import DONE, READING, SPENT, Event, Job, Rules
from citeguard.validation.policy import DEFAULT_POLICY
from fixture_types import Captured, MonkeyPatch

TESTS = Path(__file__).parents[1]
JOB = Job(action="audit", reply_format="json", page=False, content_type="application/json")
MORE_THAN_A_PIPE_HOLDS = b" " * 5_000_000


class FakeWorker(Worker):
    """A worker that sends scripted events, or raises them, and then hangs."""

    def __init__(self, *events: Event | BaseException) -> None:
        super().__init__(b"", documents=False)
        self.events = list(events) or [Event("sources"), Event("report", b"{}"), Event(DONE)]
        self.after_cancel: Event | Exception | None = Event(DONE)
        self.left: list[Event | BaseException | None] = []
        self.alive = self.closed = False
        self.jobs = self.cancels = 0

    async def start(self) -> None:
        await asyncio.sleep(0)
        self.alive = True

    def send(self, job: Job) -> None:
        self.jobs += 1
        self.left = list(self.events)

    async def next_event(self) -> Event:
        event = self.left.pop(0) if self.left else None
        if isinstance(event, BaseException):
            raise event
        event = event or await asyncio.Future()
        self.is_spent = event == Event(DONE, SPENT)
        return event

    async def cancel_job(self) -> None:
        self.cancels += 1
        self.left = [self.after_cancel]
        await self.next_event()

    def is_alive(self) -> bool:
        return self.alive

    async def close(self) -> None:
        self.alive = False
        self.closed = True


class Factory:
    """Returns the given workers, then others, and remembers them."""

    def __init__(self, *workers: FakeWorker) -> None:
        self.coming = list(workers)
        self.made: list[FakeWorker] = []

    def __call__(self) -> FakeWorker:
        self.made.append(self.coming.pop(0) if self.coming else FakeWorker())
        return self.made[-1]


async def started(
    *workers: FakeWorker,
    stop: Shutdown | None = None,
    shutdown: Shutdown | None = None,
    **limits: float,
) -> tuple[Pool, list[FakeWorker]]:
    factory = Factory(*workers)
    given = Limits(**{"workers": 1, **limits})  # type: ignore[arg-type]
    new = Pool(factory, given, stop or Shutdown(), shutdown or Shutdown())
    await new.start()
    return new, factory.made


def running(pool: Pool) -> RunningJob:
    return RunningJob(pool, JOB, Body(BodyReceiver(Limits())))


async def error_of(job: RunningJob) -> ServiceError:
    event = await job.next_event()
    assert event is not None
    return ServiceError.from_json(event.data)


async def names(pool: Pool) -> list[str]:
    """Run a job; return the names of its events, or the code of an error."""
    job, found = running(pool), []
    while (event := await job.next_event()) is not None:
        is_error = event.name == "error"
        found.append(ServiceError.from_json(event.data).code if is_error else event.name)
    return found


async def cancelled(pool: Pool) -> None:
    job = running(pool)
    await job.next_event()
    await job.stop()


def reading(file: str) -> Event:
    return Event(READING, file.encode())


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


class TestPool:
    async def test_replaces_a_worker_that_reads_too_long(self) -> None:
        workers, made = await started(FakeWorker(Event("nothing")), reading_seconds=0.01)
        assert await names(workers) == ["nothing", "too_slow"]
        assert await names(workers) == ["sources", "report"]
        assert [worker.alive for worker in made] == [False, True]

    async def test_replaces_a_worker_that_crashed(self) -> None:
        workers, _ = await started(FakeWorker(EOFError()))
        assert await names(workers) == ["too_much_memory"]
        assert await names(workers) == ["sources", "report"]

    async def test_names_the_file_at_which_a_worker_crashed(self) -> None:
        workers, _ = await started(FakeWorker(*map(reading, "ab"), EOFError()))
        error = await error_of(running(workers))
        assert (error.code, error.message[:18]) == ("unreadable", "b: cannot be read:")

    async def test_sends_nothing_to_a_worker_that_is_gone(self) -> None:
        workers, made = await started()
        made[0].alive = False
        assert await names(workers) == ["sources", "report"]
        assert [worker.jobs for worker in made] == [0, 1]

    async def test_stops_a_job_whose_client_has_gone(self) -> None:
        workers, made = await started(FakeWorker(Event("sources")))
        await cancelled(workers)
        made[0].events = [Event("report"), Event(DONE)]
        assert await names(workers) == ["report"]
        assert [worker.cancels for worker in made] == [1]

    @pytest.mark.parametrize("after", [None, EOFError()], ids=["hangs", "ends"])
    async def test_replaces_a_worker_that_does_not_stop(
        self, monkeypatch: MonkeyPatch, after: Exception | None
    ) -> None:
        monkeypatch.setattr(pool, "_CANCEL_SECONDS", 0.01)
        worker = FakeWorker(Event("sources"))
        worker.after_cancel = after
        workers, made = await started(worker)
        await cancelled(workers)
        assert await names(workers) == ["sources", "report"]
        assert [worker.alive for worker in made] == [False, True]

    async def test_replaces_a_spent_worker(self) -> None:
        workers, made = await started(FakeWorker(Event("sources"), Event(DONE, SPENT)))
        assert await names(workers) == ["sources"]
        assert await names(workers) == ["sources", "report"]
        assert [worker.jobs for worker in made] == [1, 1]
        assert [worker.closed for worker in made] == [True, False]

    async def test_replaces_a_spent_worker_whose_client_has_gone(self) -> None:
        worker = FakeWorker(Event("sources"))
        worker.after_cancel = Event(DONE, SPENT)
        workers, made = await started(worker)
        await cancelled(workers)
        await settled()
        assert [worker.alive for worker in made] == [False, True]

    async def test_rejects_a_job_when_too_many_wait(self) -> None:
        workers, _ = await started(FakeWorker(Event("sources")), waiting=1)
        jobs = [running(workers) for _ in range(2)]
        await settled()
        assert (workers.running, workers.waiting) == (1, 1)
        assert await names(workers) == ["busy"]
        for job in jobs:
            await job.stop()

    async def test_starts_workers_until_one_starts(self, monkeypatch: MonkeyPatch) -> None:
        class Failing(FakeWorker):
            async def start(self) -> None:
                raise CiteguardError("it cannot start")

        monkeypatch.setattr(pool, "_RETRY_SECONDS", 0)
        workers, made = await started(FakeWorker(EOFError()), Failing(), Failing())
        assert await names(workers) == ["too_much_memory"]
        assert await names(workers) == ["sources", "report"]
        assert len(made) == 4

    async def test_ends_all_workers_when_it_closes(self) -> None:
        workers, made = await started(FakeWorker(EOFError()), workers=3)
        await names(workers)  # and so starts another in the background
        await workers.close()
        assert not any(worker.alive for worker in made)
        assert all(worker.closed for worker in made)

    async def test_rejects_waiting_jobs_when_it_stops(self) -> None:
        stop = Shutdown()
        pool, _ = await started(FakeWorker(Event("sources")), stop=stop)
        current, waiting = running(pool), running(pool)
        await current.next_event()
        stop.begin()
        assert (await error_of(waiting)).code == "unavailable"
        assert (await error_of(running(pool))).code == "unavailable"
        assert pool.running == 1
        await current.stop()
        await pool.close()

    async def test_rejects_all_jobs_at_shutdown(self) -> None:
        shutdown = Shutdown()
        workers, made = await started(FakeWorker(Event("sources")), shutdown=shutdown)
        first, second = running(workers), running(workers)
        event = await first.next_event()
        assert event == Event("sources")
        shutdown.begin()
        assert [(await error_of(job)).code for job in (first, second)] == ["unavailable"] * 2
        assert await names(workers) == ["unavailable"]
        await settled()
        assert (made[0].alive, len(made)) == (False, 1)


class UnsteadyWorker(Worker):
    """A worker that crashes, is spent, hangs or cannot start, as chance wills."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(b"", documents=False)
        self.chance, self.alive = chance, False
        self.left = self.jobs = 0

    async def start(self) -> None:
        await asyncio.sleep(0)
        if self.chance.random() < 0.1:
            raise CiteguardError("it cannot start")
        self.alive = True

    def send(self, job: Job) -> None:
        self.jobs += 1
        assert self.jobs == 1
        self.left = self.chance.randrange(4)

    async def next_event(self) -> Event:
        await asyncio.sleep(self.chance.choice((0, 0, 0.001, 0.01)))
        if self.chance.random() < 0.05:
            self.alive = False
            raise EOFError
        self.left -= 1
        if self.left >= 0:
            return Event("claim", b"{}")
        self.is_spent, self.jobs = self.chance.random() < 0.1, 0
        return Event(DONE, SPENT if self.is_spent else b"")

    async def cancel_job(self) -> None:
        while (await self.next_event()).name != DONE:
            pass

    def is_alive(self) -> bool:
        return self.alive

    async def close(self) -> None:
        self.alive = False


def test_under_stress_no_worker_is_lost_or_shared(monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_RETRY_SECONDS", 0)
    monkeypatch.setattr(pool, "_CANCEL_SECONDS", 0.01)
    limits = Limits(workers=3, waiting=9, waiting_seconds=0.01, reading_seconds=0.01)

    async def one(workers: Pool, chance: random.Random) -> None:
        await asyncio.sleep(chance.random() / 10)
        job = running(workers)
        with suppress(TimeoutError):
            async with asyncio.timeout(chance.choice((None, 0, 0.001, 0.01))):
                while await job.next_event() is not None:
                    pass
        await job.stop()

    async def many(seed: int) -> tuple[int, ...]:
        chance, loop = random.Random(seed), asyncio.get_running_loop()
        unheard: list[object] = []
        loop.set_exception_handler(lambda _, context: unheard.append(context))
        workers = Pool(lambda: UnsteadyWorker(chance), limits, Shutdown(), Shutdown())
        while True:
            with suppress(CiteguardError):
                await workers.start()
                break
            await workers.close()
            workers = Pool(lambda: UnsteadyWorker(chance), limits, Shutdown(), Shutdown())
        await asyncio.gather(*(one(workers, chance) for _ in range(200)))
        async with asyncio.timeout(30):
            while workers.idle < 3:
                await asyncio.sleep(0.001)
        state = workers.idle, workers.alive, workers.running, workers.waiting, len(unheard)
        await workers.close()
        return state

    # Several event loops at once, as programs with a service in a thread have them.
    with ThreadPoolExecutor(4) as threads:
        states = [*threads.map(lambda seed: asyncio.run(many(seed)), range(8))]
    assert states == [(3, 3, 0, 0, 0)] * 8


class TestRunningJob:
    async def test_makes_a_worker_wait_for_a_slow_client(self, monkeypatch: MonkeyPatch) -> None:
        monkeypatch.setattr(pool, "_MAX_PENDING", 10)
        claims = [Event("claim", b"123456")] * 5
        workers, made = await started(FakeWorker(*claims, Event(DONE)))
        job = running(workers)
        await settled()
        assert len(made[0].left) == 3  # of six: two are taken, and one waits
        assert [await job.next_event() for _ in claims] == claims
        assert await job.next_event() is None

    async def test_gives_back_the_room_of_a_body_that_never_began(self) -> None:
        receiver = BodyReceiver(Limits(held_bytes=10))
        workers, _ = await started()
        for _ in range(3):
            body = Body(receiver)
            body.write(b"12345678")
            await RunningJob(workers, JOB, body).stop()


class TestWorker:
    async def test_runs_a_job_of_any_size_after_one_that_was_cancelled(self) -> None:
        rules = Rules(policy=DEFAULT_POLICY, extractor=None, limits=Limits())
        worker = Worker(pickle.dumps(_Return(rules)), documents=False)
        await worker.start()
        try:
            body = b'{"text": "Ten.", "sources": {"a": "Ten."}}' + MORE_THAN_A_PIPE_HOLDS
            job = replace(JOB, body=body)
            worker.send(job)
            await worker.cancel_job()
            worker.send(job)
            assert (await worker.next_event()).name == "sources"
        finally:
            await worker.close()
        assert not worker.is_alive()

    async def test_says_that_it_cannot_start(self, capfd: Captured) -> None:
        worker = Worker(pickle.dumps(None), documents=False)
        with pytest.raises(CiteguardError, match="cannot start; see its error output"):
            await worker.start()
        await worker.close()
        assert "'NoneType' object is not callable" in capfd.readouterr().err


class _Return:
    """A function that returns the same each time, and can be pickled."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def __call__(self) -> Rules:
        return self.rules


class TestService:
    @pytest.mark.parametrize(("length", "jobs"), [(100_000, [1, 0]), (100_001, [0, 1])])
    async def test_queues_large_bodies_with_the_documents(
        self, monkeypatch: MonkeyPatch, length: int, jobs: list[int]
    ) -> None:
        workers = {False: FakeWorker(), True: FakeWorker()}
        monkeypatch.setattr(service, "Worker", lambda _, documents: workers[documents])
        app = create_app(limits=Limits(workers=1))
        transport = httpx.ASGITransport(app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://test") as client,
        ):
            headers = {"Content-Type": "application/json"}
            reply = await client.post("/audit", content=b" " * length, headers=headers)
        assert reply.json() == {}
        assert [workers[documents].jobs for documents in (False, True)] == jobs

    async def test_keeps_the_connection_of_a_silent_job_alive(
        self, monkeypatch: MonkeyPatch
    ) -> None:
        monkeypatch.setattr(service, "_KEEP_ALIVE_SECONDS", 0.01)
        workers, _ = await started(FakeWorker())
        stream = service.EventStream(Event("sources", b"{}"), job := running(workers))
        messages = stream.body_iterator
        assert await anext(messages) == b"event: sources\ndata: {}\n\n"
        assert await job.next_event() == Event("sources")
        assert await anext(messages) == b"event: report\ndata: {}\n\n"
        with pytest.raises(StopAsyncIteration):
            await anext(messages)

        workers, _ = await started(FakeWorker(Event("sources")))
        stream = service.EventStream(Event("sources", b"{}"), job := running(workers))
        messages = stream.body_iterator
        assert [await anext(messages) for _ in range(3)][2] == b": still working\n\n"
        await job.stop()

    async def test_is_not_healthy_without_workers(self) -> None:
        with pytest.raises(ServiceError) as raised:
            await service.Service(b"", Limits()).health()
        assert raised.value.code == "unavailable"

    @pytest.mark.slow
    def test_takes_a_policy_of_a_script(self) -> None:
        """Workers do not import the script, so that it needs no `if __name__ == "__main__"`."""
        script = """
import asyncio
from citeguard.validation.policy import Policy
from citeguard.server import Limits, create_app
from server.serving import working

def policy():
    return Policy.fast()

async def main():
    app = create_app(policy, limits=Limits(workers=1))
    async with app.router.lifespan_context(app):
        print("started")

with working(texts=True):
    asyncio.run(main())
"""
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, cwd=TESTS
        )
        assert (done.stdout, done.stderr) == ("started\n", "")
