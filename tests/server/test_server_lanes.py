"""Which process does which job: with processes that are only played."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from citeguard.errors import CiteguardError
from citeguard.server import courses, create_app, lanes, service
from citeguard.server.courses import Course
from citeguard.server.ending import Ending
from citeguard.server.jobs import READING, Event, Job
from citeguard.server.lanes import Lane
from citeguard.server.limits import Limits
from citeguard.server.process import DONE, SPENT
from citeguard.server.receiving import Body, Desk
from citeguard.server.refusals import RefusedError

JOB = Job(action="verify", form="json", page=False, content_type="application/json")


class Played:
    """Plays a worker: tells what it is given to tell, then that it is done, or is killed."""

    def __init__(self, *told: Event | BaseException) -> None:
        self.told = list(told) or [Event("sources"), Event("report", b"{}"), Event(DONE)]
        self.is_tired = self.is_relieved = False
        self.alive = False
        self.closed = False
        self.at_stop: Event | Exception | None = Event(DONE)
        self.jobs = self.stops = 0

    async def start(self) -> None:
        await asyncio.sleep(0)
        self.alive = True

    async def send(self, job: Job, body: Body) -> None:
        self.jobs += 1
        self.left = list(self.told)

    async def next_event(self) -> Event:
        told = self.left.pop(0) if self.left else await asyncio.Future()
        if isinstance(told, BaseException):
            raise told
        return told

    async def stop(self) -> Event:
        self.stops += 1
        if isinstance(self.at_stop, Exception):
            raise self.at_stop
        return await asyncio.Future() if self.at_stop is None else self.at_stop

    def is_alive(self) -> bool:
        return self.alive

    def kill(self) -> None:
        self.alive = False

    async def close(self) -> None:
        self.closed = True


class Cast:
    """Makes played workers, one after the other, and remembers them."""

    def __init__(self, *workers: Played) -> None:
        self.coming = list(workers)
        self.made: list[Played] = []

    def __call__(self) -> Played:
        self.made.append(self.coming.pop(0) if self.coming else Played())
        return self.made[-1]


async def started(cast: Cast, **limits: float) -> Lane:
    lane = Lane(cast, Limits(**{"workers": 1, **limits}), Ending())  # type: ignore[arg-type]
    await lane.start()
    return lane


async def told(lane: Lane) -> list[str]:
    course = Course(lane, JOB, Body(Desk(Limits())))
    names = []
    while (event := await course.next_event()) is not None:
        names.append(
            event.name if event.name != "error" else RefusedError.from_json(event.data).code
        )
    return names


async def stopped(lane: Lane) -> None:
    course = Course(lane, JOB, Body(Desk(Limits())))
    await course.first_event()
    await course.stop()


def reading(file: str) -> Event:
    return Event(READING, file.encode())


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


class TestLane:
    async def test_tells_what_a_process_tells(self) -> None:
        assert await told(await started(Cast())) == ["sources", "report"]

    async def test_ends_a_process_that_reads_too_long(self) -> None:
        cast = Cast(Played(Event("nothing")))
        lane = await started(cast, reading_seconds=0.01)
        assert await told(lane) == ["nothing", "too_slow"]
        assert await told(lane) == ["sources", "report"]
        assert [worker.alive for worker in cast.made] == [False, True]

    async def test_ends_a_process_that_judges_too_long(self) -> None:
        lane = await started(Cast(Played(Event("sources"))), judging_seconds=0.01)
        assert await told(lane) == ["sources", "too_slow"]

    async def test_replaces_a_process_that_crashed(self) -> None:
        lane = await started(Cast(Played(EOFError())))
        assert await told(lane) == ["too_much_memory"]
        assert await told(lane) == ["sources", "report"]

    async def test_names_the_file_at_which_a_process_crashed(self) -> None:
        lane = await started(Cast(Played(*map(reading, "ab"), EOFError())))
        course = Course(lane, JOB, Body(Desk(Limits())))
        error = RefusedError.from_json((await course.first_event()).data)
        assert (error.code, error.message[:18]) == ("unreadable", "b: cannot be read:")

    async def test_blames_no_file_that_was_read(self) -> None:
        lane = await started(Cast(Played(reading("a"), Event("sources"), EOFError())))
        assert await told(lane) == ["sources", "too_much_memory"]

    async def test_sends_nothing_to_a_process_that_is_gone(self) -> None:
        cast = Cast()
        lane = await started(cast)
        cast.made[0].kill()
        assert await told(lane) == ["sources", "report"]
        assert [worker.jobs for worker in cast.made] == [0, 1]

    async def test_stops_a_process_whose_client_has_gone(self) -> None:
        cast = Cast(Played(Event("sources")))
        lane = await started(cast)
        await stopped(lane)
        cast.made[0].told = [Event("report"), Event(DONE)]
        assert await told(lane) == ["report"]
        assert [worker.stops for worker in cast.made] == [1]

    async def test_ends_a_process_that_does_not_stop(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(lanes, "_PATIENCE_SECONDS", 0.01)
        cast = Cast(Played(Event("sources")))
        cast.coming[0].at_stop = None
        lane = await started(cast)
        await stopped(lane)
        assert await told(lane) == ["sources", "report"]
        assert [worker.alive for worker in cast.made] == [False, True]

    @pytest.mark.parametrize("error", [EOFError(), BrokenPipeError(), ValueError("unforeseen")])
    async def test_renews_a_process_that_cannot_be_stopped(
        self, error: Exception, caplog: pytest.LogCaptureFixture
    ) -> None:
        cast = Cast(Played(Event("sources")))
        cast.coming[0].at_stop = error
        lane = await started(cast)
        await stopped(lane)
        assert await told(lane) == ["sources", "report"]
        assert [worker.alive for worker in cast.made] == [False, True]
        assert ("unforeseen" in caplog.text) == isinstance(error, ValueError)

    async def test_relieves_a_process_that_is_spent_when_it_stops(self) -> None:
        cast = Cast(Played(Event("sources")))
        cast.coming[0].at_stop = Event(DONE, SPENT)
        lane = await started(cast)
        await stopped(lane)
        await settled()
        assert [worker.alive for worker in cast.made] == [False, True]

    async def test_counts_its_processes(self) -> None:
        cast = Cast()
        lane = await started(cast, workers=3)
        cast.made[0].kill()
        assert (lane.idle, lane.alive) == (3, 2)

    async def test_frees_the_body_of_a_job_that_never_began(self) -> None:
        desk = Desk(Limits(held_bytes=10))
        lane = await started(Cast())
        for _ in range(3):
            body = Body(desk)
            body.write(b"12345678")
            await Course(lane, JOB, body).stop()

    async def test_has_a_spent_process_work_until_another_is_there(self) -> None:
        cast = Cast(Played(Event("sources"), Event(DONE, SPENT)))
        lane = await started(cast)
        assert await told(lane) == ["sources"]
        assert await told(lane) == ["sources"]
        await settled()
        assert await told(lane) == ["sources", "report"]
        assert [worker.jobs for worker in cast.made] == [2, 1]
        assert [worker.closed for worker in cast.made] == [True, False]

    async def test_refuses_what_would_wait_behind_too_many(self) -> None:
        lane = await started(Cast(Played(Event("sources"))), waiting=1)
        courses = [Course(lane, JOB, Body(Desk(Limits()))) for _ in range(2)]
        await settled()
        assert (lane.running, lane.waiting) == (1, 1)
        assert await told(lane) == ["busy"]
        for course in courses:
            await course.stop()

    async def test_refuses_what_has_waited_too_long(self) -> None:
        lane = await started(Cast(Played(Event("sources"))), waiting_seconds=0.01)
        course = Course(lane, JOB, Body(Desk(Limits())))
        assert await told(lane) == ["busy"]
        await course.stop()

    async def test_starts_processes_until_one_starts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Failing(Played):
            async def start(self) -> None:
                raise CiteguardError("it cannot start")

        monkeypatch.setattr(lanes, "_AGAIN_SECONDS", 0)
        cast = Cast(Played(EOFError()), Failing(), Failing())
        lane = await started(cast)
        assert await told(lane) == ["too_much_memory"]
        assert await told(lane) == ["sources", "report"]
        assert len(cast.made) == 4

    async def test_ends_all_processes_when_it_closes(self) -> None:
        cast = Cast()
        lane = await started(cast, workers=3)
        await lane.close()
        assert [worker.alive for worker in cast.made] == [False] * 3
        assert all(worker.closed for worker in cast.made)

    async def test_refuses_all_when_the_ending_comes(self) -> None:
        cast, ending = Cast(Played(Event("sources"))), Ending()
        lane = Lane(cast, Limits(workers=1), ending)  # type: ignore[arg-type]
        await lane.start()
        running, waiting = (Course(lane, JOB, Body(Desk(Limits()))) for _ in range(2))
        assert (await running.first_event()).name == "sources"
        ending.come()
        for course in (running, waiting):
            error = RefusedError.from_json((await course.first_event()).data)
            assert error.code == "unavailable"
        assert await told(lane) == ["unavailable"]
        assert (cast.made[0].alive, len(cast.made)) == (False, 1)


class TestCourse:
    async def test_lets_a_process_wait_for_a_slow_client(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(courses, "_MOST_UNTAKEN", 10)
        claims = [Event("claim", b"123456")] * 5
        cast = Cast(Played(*claims, Event(DONE)))
        course = Course(await started(cast), JOB, Body(Desk(Limits())))
        await settled()
        assert len(cast.made[0].left) == 3  # of six: two are told, and one waits
        assert [await course.next_event() for _ in claims] == claims
        assert await course.next_event() is None

    async def test_ends_a_job_whose_client_takes_nothing_in_its_time(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(courses, "_MOST_UNTAKEN", 1)
        cast = Cast(Played(Event("sources", b"1"), Event("claim"), Event(DONE)))
        lane = await started(cast, judging_seconds=0.01)
        course = Course(lane, JOB, Body(Desk(Limits())))
        assert await told(lane) == ["sources", "report"]  # with the next process
        assert [(await course.first_event()).name] == ["sources"]
        error = await course.first_event()
        assert RefusedError.from_json(error.data).code == "too_slow"


class TestService:
    @pytest.mark.parametrize(("length", "jobs"), [(100_000, [1, 0]), (100_001, [0, 1])])
    async def test_has_large_bodies_wait_with_the_documents(
        self, monkeypatch: pytest.MonkeyPatch, length: int, jobs: list[int]
    ) -> None:
        played = {False: Played(), True: Played()}
        monkeypatch.setattr(service, "Worker", lambda _, documents: played[documents])
        app = create_app(limits=Limits(workers=1))
        transport = httpx.ASGITransport(app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://test") as client,
        ):
            headers = {"Content-Type": "application/json"}
            reply = await client.post("/verify", content=b" " * length, headers=headers)
        assert reply.json() == {}
        assert [played[documents].jobs for documents in (False, True)] == jobs

    async def test_is_not_well_without_processes(self) -> None:
        with pytest.raises(RefusedError) as refused:
            await service.Service(b"", Limits()).health()
        assert refused.value.code == "unavailable"
