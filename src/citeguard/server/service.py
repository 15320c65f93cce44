"""Serving requests: `Service` passes them to workers, and replies in the requested format."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from functools import partial
from importlib.metadata import version

from fastapi import Request, Response
from starlette.responses import HTMLResponse, StreamingResponse
from starlette.types import Receive, Scope, Send

from citeguard.server.bodies import BodyReceiver
from citeguard.server.chats import Chats, GivenLibrary, owner_of, remember
from citeguard.server.errors import ServiceError, not_configured
from citeguard.server.limits import Limits
from citeguard.server.pages import Page, error_page
from citeguard.server.pool import Pool, Runner, RunningJob, Shutdown, Worker
from citeguard.server.requests import file_name, media_type_of
from citeguard.server.schemas import JSON, MULTIPART, URLENCODED, DocumentReply, Health
from citeguard.server.worker import Action, Event, Job, ReplyFormat

HTML = "text/html"
EVENT_STREAM = "text/event-stream"

# Bytes of a body that takes seconds to check, as a document does, and not milliseconds.
_LARGE_BODY = 100_000
_REPORT_POLICY = "frame-ancestors 'none'"  # the report itself contains the rest of its policy
_KEEP_ALIVE_SECONDS = 10.0  # after which a proxy may take a silent connection for dead
# A line that begins with a colon is a comment, which clients pass over.
_KEEP_ALIVE = b": still working\n\n"
# Starlette does not parse `Accept`. RFC 9110, section 12.4.2.
_QUALITY = re.compile(r"q=[01](\.\d{0,3})?")
FORMATS: dict[Action, dict[str, ReplyFormat]] = {  # the first of those with equal weight wins
    "audit": {JSON: "json", HTML: "html", EVENT_STREAM: "events"},
    "check": {JSON: "json", EVENT_STREAM: "events"},
    "fact_check": {JSON: "json", HTML: "html", EVENT_STREAM: "events"},
    "ask": {JSON: "json", EVENT_STREAM: "events"},
}
"""The formats of the reply to each action, by media type; JSON is the default."""


class Service:
    """Pools of workers, and the replies made of their results.

    One pool is for texts, another for documents and large bodies, so that small texts do not wait
    for them, and a third for fact checks, which wait for other servers most of their time. Chats
    are answered in the event loop.

    `stop` rejects the requests that wait for a worker, and `shutdown` those that are being served,
    too.
    """

    def __init__(
        self,
        rules: bytes,
        limits: Limits,
        *,
        facts: bool = False,
        library: GivenLibrary | None = None,
    ) -> None:
        """Take a pickled function that returns the `Rules`, which say how to check facts or not."""
        self.stop, self.shutdown = Shutdown(), Shutdown()

        def pool(limits: Limits, *, documents: bool) -> Pool:
            new_worker = partial(Worker, rules, documents=documents)
            return Pool(new_worker, limits, self.stop, self.shutdown)

        self._texts, self._documents = pool(limits, documents=False), pool(limits, documents=True)
        # Workers, although a check mostly waits: it reads pages of strangers. The memory limit
        # holds for those, and a page that crashes or hangs its reader takes down one check.
        self._facts = pool(limits.of_fact_checks(), documents=True) if facts else None
        pools = (self._texts, self._documents, self._facts)
        self._pools = [each for each in pools if each is not None]
        self._receiver = BodyReceiver(limits)
        self._limits = limits
        self._questions = BodyReceiver(limits.of_chats())
        self.chats = Chats(library, limits, self.shutdown)

    @asynccontextmanager
    async def lifespan(self, _: object) -> AsyncGenerator[None]:
        """Run the workers while an application runs; a shutdown also interrupts their start."""
        try:
            with suppress(ServiceError):
                async with self.shutdown.interrupting():
                    pools = (pool.start() for pool in self._pools)
                    await asyncio.gather(self.chats.start(), *pools)
            yield
        finally:
            await asyncio.gather(self.chats.close(), *(pool.close() for pool in self._pools))

    async def health(self) -> Health:
        """Return the state of the service; raise a `ServiceError` if a pool has no worker."""
        if not all(pool.alive for pool in self._pools):
            raise ServiceError("unavailable", "no worker is running for some of the requests")
        return Health(
            status="ok",
            version=version("pydantic-citeguard"),
            processes=sum(pool.alive for pool in self._pools),
            idle=sum(pool.idle for pool in self._pools),
            running=sum(pool.running for pool in self._pools) + self.chats.questions.taken,
            waiting=sum(pool.waiting for pool in self._pools),
        )

    async def reply(self, action: Action, request: Request, *, page: bool = False) -> Response:
        """Return the reply to a request in the format that it prefers.

        `page` is whether events end with the report as a page.
        """
        if action == "fact_check" and self._facts is None:
            raise not_configured("facts")
        content_type = request.headers.get("content-type", "")
        media_type = media_type_of(content_type)
        allowed = (JSON,) if action == "ask" else (JSON, MULTIPART, URLENCODED)
        if media_type not in allowed:
            given = media_type or "without a media type"
            named = " or ".join(allowed[:2])
            raise ServiceError("media_type", f"the body must be {named}, not {given}")
        wanted = FORMATS[action][preferred(request, FORMATS[action])]
        job = Job(
            action=action,
            reply_format=wanted,
            page=page and wanted == "events",  # any other reply is one thing only
            content_type=content_type,
            owner=owner_of(request) if action == "ask" else "",
        )
        async with self.shutdown.interrupting():
            receiver = self._questions if action == "ask" else self._receiver
            body = await receiver.receive(request)
        is_large = media_type == MULTIPART or body.length > _LARGE_BODY
        runner: Runner = self._documents if is_large else self._texts
        if action == "ask":
            runner = self.chats
        elif action == "fact_check" and self._facts is not None:
            runner = self._facts
        async with AsyncExitStack() as stack:
            running = await stack.enter_async_context(RunningJob(runner, job, body))
            if wanted == "events":
                # Before the reply has a status: an error that comes first has its own.
                first = await anext(aiter(running))
                stack.pop_all()
                return remember(job.owner, EventStream(first, running))
            *_, last = [event async for event in running]
        if wanted == "html":
            return page_reply(Page(last.data.decode(), _REPORT_POLICY))
        return remember(job.owner, Response(last.data, media_type=JSON))

    async def add_document(self, name: str, request: Request) -> list[DocumentReply]:
        """Add the file that is a request's body to the library, and return its documents."""
        if not self.chats.chatting.uploads:
            raise not_configured("uploads")
        name = file_name(name.encode("utf-8", "replace"))
        async with self.shutdown.interrupting():
            body = await self._receiver.receive(request)
        job = Job(action="read", reply_format="json", content_type="", name=name)
        with closing(body):
            if body.length > (most := self._limits.file_bytes):
                raise ServiceError("file_too_large", f"{name}: has more than {most:,} bytes")
            content = body.read()
            async with RunningJob(self._documents, job, body) as running:
                read = [event.data async for event in running]
        return await self.chats.add(name, read, content)


class EventStream(StreamingResponse):
    """A reply that sends the events of a job as they come, and stops the job when it ends."""

    def __init__(self, first: Event, running: RunningJob) -> None:
        super().__init__(
            self._messages(first),
            media_type=EVENT_STREAM,
            headers={"X-Accel-Buffering": "no"},  # otherwise nginx collects the events
        )
        self._running = running

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the reply."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            # Here, not in `_messages`: a generator that was never started runs no `finally`.
            await self._running.stop()

    async def _messages(self, event: Event | None) -> AsyncIterator[bytes]:
        while event is not None:
            yield as_message(event)
            while True:
                try:
                    async with asyncio.timeout(_KEEP_ALIVE_SECONDS):
                        event = await self._running.next_event()
                    break
                except TimeoutError:
                    yield _KEEP_ALIVE


def as_message(event: Event) -> bytes:
    r"""Return a server-sent event. Its data is JSON in ASCII, so that it is on one line.

    Examples:
        >>> as_message(Event("progress", b'{"done": 1, "total": 2}'))
        b'event: progress\ndata: {"done": 1, "total": 2}\n\n'
    """
    return b"event: " + event.name.encode() + b"\ndata: " + event.data + b"\n\n"


def preferred(request: Request, media_types: Iterable[str]) -> str:
    """Return the media type with the greatest weight in the `Accept` headers of a request.

    Of equal ones it is the first.
    """
    weights: dict[str, float] = {}
    for each in ",".join(request.headers.getlist("accept")).lower().split(","):
        media_range, *parameters = (part.strip() for part in each.split(";"))
        quality = next((part for part in parameters if part.startswith("q=")), "q=1")
        weights[media_range] = float(quality[2:]) if _QUALITY.fullmatch(quality) else 0.0

    def weight(media_type: str) -> float:
        # The narrowest range that fits decides, even with a lesser weight (RFC 9110, 12.5.1).
        narrowest_first = (media_type, f"{media_type.partition('/')[0]}/*", "*/*")
        return next((weights[each] for each in narrowest_first if each in weights), 0.0)

    return max(media_types, key=weight)


def page_reply(page: Page, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a page as a reply, with its content security policy."""
    return HTMLResponse(
        page.html, status, {"Content-Security-Policy": page.policy, **(headers or {})}
    )


def error_reply(
    error: ServiceError, request: Request, headers: Mapping[str, str] | None = None
) -> Response:
    """Return the reply to a request that was rejected: JSON, or a page for a browser."""
    if preferred(request, (JSON, HTML)) == HTML:
        reply = page_reply(error_page(error, up=up_from(request)), error.status)
    else:
        reply = Response(error.as_json(), error.status, media_type=JSON)
    reply.headers.update({**error.headers, **(headers or {})})
    return reply


def up_from(request: Request) -> str:
    """Return what leads from the address of a request to that of the service, such as `"../"`."""
    # As the browser sees it: what is decoded may have more slashes.
    return "../" * (request.scope["raw_path"].count(b"/") - 1)
