"""What the service does with requests for work: `Service`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version
from typing import Annotated

from fastapi import Query, Request, Response

from citeguard.server.courses import Course
from citeguard.server.ending import Ending
from citeguard.server.events import EventStream
from citeguard.server.jobs import Action, Event, Job
from citeguard.server.lanes import Lane
from citeguard.server.limits import Limits
from citeguard.server.pages.rendering import Page
from citeguard.server.reading import FORMS, JSON, media_type_of
from citeguard.server.receiving import Desk
from citeguard.server.refusals import RefusedError
from citeguard.server.replies import json_reply, page_reply, wanted_form
from citeguard.server.schemas import Health
from citeguard.server.workers import Worker

# Bytes of a body above which it is as much work as documents are: seconds, where others take none.
_LARGE_BODY = 100_000
_REPORT_POLICY = "frame-ancestors 'none'"  # the report page brings the rest of its own

WithPage = Annotated[bool, Query(description="Whether the events end with the report as a page.")]


class Service:
    """Takes requests for work, and has processes do it: some for texts, others for documents.

    What is large goes to the latter, so that small texts do not wait for it.

    Args:
        made: What makes the rules of the processes, pickled: a function without arguments.
        limits: What a request may bring, and how many there may be.
    """

    def __init__(self, made: bytes, limits: Limits) -> None:
        self._ending = Ending()
        self._texts = Lane(partial(Worker, made, documents=False), limits, self._ending)
        self._documents = Lane(partial(Worker, made, documents=True), limits, self._ending)
        self._desk = Desk(limits)

    @asynccontextmanager
    async def lifespan(self, _: object) -> AsyncGenerator[None]:
        """Have the processes while an application runs.

        Raises:
            CiteguardError: they cannot start.
        """
        lanes = (self._texts, self._documents)
        try:
            await asyncio.gather(*(lane.start() for lane in lanes))
            yield
        finally:
            await asyncio.gather(*(lane.close() for lane in lanes))

    async def verify(self, request: Request, *, page: WithPage = False) -> Response:
        """Check free text claim by claim.

        Raises:
            RefusedError: the request is not served.
        """
        return await self._reply("verify", request, page=page)

    async def check(self, request: Request) -> Response:
        """Check an answer with citations.

        Raises:
            RefusedError: the request is not served.
        """
        return await self._reply("check", request)

    async def health(self) -> Health:
        """Tell that the service is there, and how much it has to do.

        Raises:
            RefusedError: there is no process for texts, or none for documents.
        """
        lanes = (self._texts, self._documents)
        if not all(lane.alive for lane in lanes):
            raise RefusedError("unavailable", "there is no process for some of the requests")
        return Health(
            status="ok",
            version=version("pydantic-citeguard"),
            processes=sum(lane.alive for lane in lanes),
            idle=sum(lane.idle for lane in lanes),
            running=sum(lane.running for lane in lanes),
            waiting=sum(lane.waiting for lane in lanes),
        )

    def end_requests(self) -> None:
        """Refuse all requests under way, and all that still come: the service stops."""
        self._ending.come()

    async def _reply(self, action: Action, request: Request, *, page: bool = False) -> Response:
        content_type = request.headers.get("content-type", "")
        media_type = media_type_of(content_type)
        if media_type not in (JSON, *FORMS):
            told = f"the body must be {JSON} or {FORMS[0]}, not {media_type or 'without a type'}"
            raise RefusedError("media_type", told)
        job = Job(
            action=action,
            form=wanted_form(request, action),
            page=page,
            content_type=content_type,
        )
        async with self._ending.awaited():
            body = await self._desk.receive(request)
        is_large = media_type == FORMS[0] or body.length > _LARGE_BODY
        lane = self._documents if is_large else self._texts
        return await _replied(Course(lane, job, body), job)


async def _replied(course: Course, job: Job) -> Response:
    """Return the reply to a job once its first event is there, or its last.

    Raises:
        RefusedError: it came to an error before anything could be told.
    """
    try:
        first = await course.first_event()
        if job.form == "events" and first.name != "error":
            return EventStream(first, course)  # which ends the course itself
        last = await _last_event(first, course)
    except BaseException:
        await course.stop()
        raise
    if last.name == "error":
        raise RefusedError.from_json(last.data)
    if last.name == "page":
        return page_reply(Page(last.data.decode(), _REPORT_POLICY))
    return json_reply(last.data)


async def _last_event(event: Event, course: Course) -> Event:
    while (following := await course.next_event()) is not None:
        event = following
    return event
