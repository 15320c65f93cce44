"""What runs in a worker process: `main` takes jobs from the server and sends back events.

Jobs arrive on standard input as pickles. Events leave on standard output, each after its length.
"""

from __future__ import annotations

import gc
import json
import logging
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from importlib import import_module
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Literal, cast

from tqdm import tqdm

from citeguard.auditing.claims import ClaimExtractor
from citeguard.auditing.run import audit
from citeguard.documents import read_sources
from citeguard.documents.document import Document, data_of_document
from citeguard.errors import UndecidedError, UnknownSourceError, logger
from citeguard.factcheck.events import FactEvent, StatementFound, VerdictReached
from citeguard.judges.verdicts import shows_details
from citeguard.language.excerpts import LIMIT, shown
from citeguard.reports.report import CheckedClaim, Report
from citeguard.reports.terminal import as_paragraphs
from citeguard.reports.wording import day_of, title_of
from citeguard.server.errors import ServiceError, internal_error, not_configured, out_of_memory
from citeguard.server.factchecks import FactChecking, check_facts
from citeguard.server.limits import Limits
from citeguard.server.requests import PASTED, R, read_fields, read_request, sources_of
from citeguard.server.schemas import (
    AuditRequest,
    CheckRequest,
    FactCheckRequest,
    QuoteRequest,
    SearchRequest,
)
from citeguard.server.tool_texts import answer_text, joined, passages_text, quote_text
from citeguard.sources.collection import Sources
from citeguard.sources.layout import Layout
from citeguard.validation.examine import (
    MalformedAnswerError,
    as_data,
    citation_data,
    examine,
    examine_citation,
    passages_data,
)
from citeguard.validation.policy import Policy

Action = Literal["audit", "check", "fact_check", "quote", "search", "ask", "read"]
"""The work: audit free text, check an answer's citations, check facts on pages, find a quote,
search passages, answer a question, which no worker does, or read a file for a library."""

ReplyFormat = Literal["json", "events", "html", "tool"]
"""The format of the reply.

One JSON object, server-sent events, the report as a page, or the result of a tool: JSON without
texts that the client has already, and text for a language model. Quotes and searches have only the
last.
"""

LENGTH_BYTES = 8
"""Size of the length, a big-endian integer, before each event."""

# Events that only the server sees.
READY = "ready"  # the worker has started
READING = "reading"  # the name of the file that is read next
READ = "read"  # everything was read, as `sources` says for clients
WORKING = "working"  # nothing has happened for a while
DONE = "done"  # the worker waits for its next job
SPENT = b"spent"  # data of `DONE`: the worker should be replaced

_log = logger("citeguard.server")

# Caches and fragmentation grow with the texts seen; a new process costs seconds of one core.
_MAX_JOBS = 500
_MAX_IDLE_MEMORY = 400_000_000  # bytes
_NICENESS = 5  # of 0 to 19: a contended core gives such a process about a quarter
_STATM = Path("/proc/self/statm")  # Linux: memory of this process, in pages

# Of a report: neither texts that the client has, nor the boxes of every line of a PDF page.
_TOOL_PARTS = {"trust", "claims", "findings", "models"}
_FACT_PARTS = {"links", "searches", "spent"}
_NO_BOXES = {
    "claims": {
        "__all__": {
            "evidence": {"__all__": {"boxes"}},
            "deciding": {"boxes"},
            "further": {"__all__": {"boxes"}},
        }
    },
}

_SAMPLE_PAGE = b"""<!doctype html><html><head><title>Lunch</title></head><body><main><article>
<h1>Lunch</h1>
<p>Lunch is free for all employees of the institute on weekdays, and guests pay nine euros.</p>
<p>It is served in the canteen beside the main gate, from half past eleven until two.</p>
</article></main></body></html>"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A request, as a worker gets it."""

    action: Action
    reply_format: ReplyFormat
    content_type: str
    page: bool = False  # whether the events end with the report as a page
    body: bytes = b""  # empty while it waits in a file
    owner: str = ""  # the secret of the browser that asks, for its chats
    name: str = ""  # of the file that is the body


@dataclass(frozen=True, slots=True)
class Event:
    """A message from a worker, which is not pickled."""

    # Not pickled, as unpickling runs code: a hostile file may have taken over the worker.
    # Clients get `sources`, `claim`, `progress`, `statement`, those of `FactEvent`, and last
    # `report`, `result`, `html`, `tool_result` or `error`; only the server sees those above.
    name: str
    data: bytes = b""  # JSON in ASCII; HTML in UTF-8 if the reply is a page

    @classmethod
    def of(cls, name: str, data: Any) -> Event:
        """Return an event with data as JSON."""
        return cls(name, json.dumps(data).encode())

    def as_bytes(self) -> bytes:
        """Return the event as bytes, for a pipe."""
        return self.name.encode() + b"\0" + self.data

    @classmethod
    def from_bytes(cls, data: bytes) -> Event:
        """Return the event that `as_bytes` wrote."""
        name, _, data = data.partition(b"\0")
        return cls(name.decode(), data)


Emit = Callable[[Event], object]
"""Sends an event to the client."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings for every job."""

    policy: Policy
    extractor: ClaimExtractor | None
    limits: Limits
    sources: Sources | None = None  # of requests that have none; without it, they are rejected
    facts: FactChecking | None = None


class _JobCancelledError(BaseException):
    """The server has cancelled the current job. Not an `Exception`: judges may catch those."""


class _ServerPipes:
    """The connection to the server; the process exits when the server closes its end."""

    def __init__(self) -> None:
        self._input = os.fdopen(os.dup(0), "rb")
        self._output = os.fdopen(os.dup(1), "wb")
        # What a library reads or prints must not get between the messages.
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()

    def read_rules(self) -> Rules:
        """Return the rules: the server first sends a function that returns them."""
        return pickle.load(self._input)()

    def next_job(self) -> Job:
        """Wait for a job."""
        while (job := self._jobs.get()) is None:
            pass  # the job to be cancelled had already ended
        return job

    def send(self, event: Event) -> None:
        """Send an event; wait while the pipe is full."""
        message = event.as_bytes()
        try:
            self._output.write(len(message).to_bytes(LENGTH_BYTES, "big"))
            self._output.write(message)
            self._output.flush()
        except BrokenPipeError:
            os._exit(0)

    def emit(self, event: Event) -> None:
        """Send an event of the current job, or raise `_JobCancelledError`."""
        # During a job, the server sends nothing but the `None` that cancels it.
        if not self._jobs.empty():
            self._jobs.get()
            raise _JobCancelledError
        self.send(event)

    def listen(self) -> None:
        """Take messages from the server until it closes the pipe."""
        try:
            while True:
                self._jobs.put(pickle.load(self._input))
        finally:  # the server has closed the pipe, or memory is too short for the message
            os._exit(0)


def main(*, documents: bool) -> None:
    """Work on jobs until the server closes the pipes.

    Reading documents may take long: a process that may get some has a lower priority.
    """
    for number in (signal.SIGINT, signal.SIGTERM):  # meant for the server, which ends its workers
        signal.signal(number, signal.SIG_IGN)
    logging.getLogger().addHandler(logging.NullHandler())  # readers warn about clients' files
    logging.getLogger("citeguard").addHandler(logging.StreamHandler())
    if documents and sys.platform != "win32":
        os.nice(_NICENESS)
    # By default tqdm shares a lock between processes, which a killed process would never release.
    cast("Any", tqdm).set_lock(threading.RLock())
    pipes = _ServerPipes()
    rules = pipes.read_rules()
    warm_up(rules, documents=documents)
    # Importing leaves no garbage; until here, none was looked for, which takes time.
    gc.freeze()
    gc.enable()
    _limit_memory(rules.limits.memory_bytes)
    # A cancelled job and the end of the server are noticed while the main thread works.
    threading.Thread(target=pipes.listen, daemon=True).start()
    pipes.send(Event(READY))
    for number in count(1):
        _run(pipes.next_job(), rules, pipes.emit)
        is_spent = number >= _MAX_JOBS or _memory() > _MAX_IDLE_MEMORY
        pipes.send(Event(DONE, SPENT if is_spent else b""))


def _run(job: Job, rules: Rules, emit: Emit) -> None:
    with suppress(_JobCancelledError):
        try:
            work_on(job, rules, emit)
        except ServiceError as error:
            emit(Event("error", error.as_json()))
        except MemoryError:
            emit(Event("error", out_of_memory().as_json()))
        except Exception:  # of judges and readers, which must not end the worker
            _log.exception("a request failed")
            emit(Event("error", internal_error().as_json()))


def _limit_memory(most: int) -> None:
    """Make allocations beyond a limit fail, in Python with a `MemoryError`."""
    if sys.platform == "linux":
        import resource

        # Data, not addresses: libraries reserve far more addresses than they use.
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _memory() -> int:
    """Return the memory of this process in bytes; 0 where the system does not say."""
    if sys.platform != "linux" or not _STATM.exists():
        return 0
    # The second number is the resident pages (proc(5)).
    return int(_STATM.read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def warm_up(rules: Rules, *, documents: bool) -> None:
    """Load the modules and models that jobs need; call no judge, as that could cost money."""
    if documents:
        import_module("citeguard.documents.pdf.reader")
        read_sources([("a.html", _SAMPLE_PAGE), ("a.md", b"# Lunch")])
    audit("Lunch is free.", "Lunch is free for all.").to_html()
    # Without statements no judge is asked, but what validation needs is loaded.
    examine({"statements": []}, Sources("Lunch is free."), replace(rules.policy, empty="pass"))


def work_on(job: Job, rules: Rules, emit: Emit) -> None:
    """Work on a job, and emit events on the way.

    The first event, `sources` or `READ`, says that everything was read. The last is the reply:
    `report`, `result`, `html` or `tool_result`. Claims, statements and what happens in a fact check
    are emitted only for `reply_format="events"`.
    """
    # What an endpoint replies may repeat the key, which belongs to whoever runs the service.
    token = shows_details.set(False)
    try:
        _WORK[job.action](job, rules, emit)
    except UndecidedError as error:
        raise ServiceError("undecided", str(error).partition("\n")[0]) from error
    finally:
        shows_details.reset(token)


def _audit(job: Job, rules: Rules, emit: Emit) -> None:
    files: list[str] = []

    def on_claim(claim: CheckedClaim) -> None:
        emit(Event.of("claim", claim.model_dump(mode="json")))

    request, sources = _read(AuditRequest, "text", job, rules, emit, files)
    report = audit(
        request.text,
        sources,
        policy=rules.policy,
        extractor=rules.extractor,
        progress=lambda done, total: emit(Event.of("progress", {"done": done, "total": total})),
        on_claim=on_claim if job.reply_format == "events" else None,
    )
    if job.reply_format in ("json", "events"):
        emit(Event.of("report", report.model_dump(mode="json")))
    given = (each.title or each.id for each in request.sources)
    names = [*files, *("pasted text" if name == PASTED else name for name in given)]
    _send_forms(report, title_of("Text", names, date.today()), job, emit)


def _check(job: Job, rules: Rules, emit: Emit) -> None:
    request, sources = _read(CheckRequest, "answer", job, rules, emit)
    policy = rules.policy if request.support else replace(rules.policy, support=(), alignment=None)
    if request.support and not policy.support:
        policy = replace(policy, support=Policy.fast().support)
    try:
        examined = examine(request.answer, sources, policy)
    except MalformedAnswerError as error:
        raise ServiceError("invalid", str(error)) from error
    checked = as_data(examined, sources)
    if job.reply_format == "tool":
        emit(_tool_result(checked, answer_text(examined, sources)))
        return
    if job.reply_format == "events":
        for statement in checked["statements"]:
            emit(Event.of("statement", statement))
    emit(Event.of("result", checked))


def _fact_check(job: Job, rules: Rules, emit: Emit) -> None:
    if rules.facts is None:
        raise not_configured("facts")
    request = read_fields(FactCheckRequest, job.body, job.content_type, rules.limits)
    _require_length("text", request.text, rules.limits)
    emit(Event(READ))
    statements: set[int] = set()
    verdicts = 0

    def on_event(event: FactEvent) -> None:
        nonlocal verdicts
        if job.reply_format == "events":
            emit(Event.of(event.event, event.model_dump(mode="json")))
        elif job.reply_format == "tool" and isinstance(event, StatementFound | VerdictReached):
            statements.add(event.number)
            verdicts += isinstance(event, VerdictReached)
            emit(Event.of("progress", {"done": verdicts, "total": len(statements)}))
        else:
            emit(Event(WORKING))  # or learn that the client has left

    report = check_facts(
        request.text, rules.facts, on_event=on_event, on_wait=lambda: emit(Event(WORKING))
    )
    if job.reply_format == "json":
        emit(Event.of("report", report.model_dump(mode="json")))
    _send_forms(report, f"Fact check on {day_of(date.today())}", job, emit)


def _send_forms(report: Report, title: str, job: Job, emit: Emit) -> None:
    """Emit a report as the result of a tool, or as a page, if the job is for one."""
    if job.reply_format == "tool":
        parts = _TOOL_PARTS if report.spent is None else {*_TOOL_PARTS, *_FACT_PARTS}
        data = report.model_dump(mode="json", include=parts, exclude=_NO_BOXES)
        emit(_tool_result(data, joined(*as_paragraphs(report))))
    elif job.reply_format == "html":
        emit(Event("html", report.to_html(title=title).encode()))
    elif job.page:
        emit(Event.of("html", {"html": report.to_html(title=title)}))


def _quote(job: Job, rules: Rules, emit: Emit) -> None:
    request, sources = _read(QuoteRequest, "quote", job, rules, emit)
    given = {"quote": request.quote, "source_id": request.source_id}
    checked = examine_citation(given, sources, rules.policy)
    emit(_tool_result(citation_data(checked, sources), quote_text(checked, sources)))


def _search(job: Job, rules: Rules, emit: Emit) -> None:
    request, sources = _read(SearchRequest, "query", job, rules, emit)
    try:
        passages = sources.search(
            request.query,
            k=request.k,
            retriever=rules.policy.retriever,
            source_ids=request.source_id,
        )
    except UnknownSourceError as error:
        raise ServiceError("invalid", f"source_id: {shown(str(error), LIMIT)}") from error
    listed = passages_data(passages, sources)
    emit(_tool_result({"passages": listed}, passages_text(passages, sources)))


def _read_file(job: Job, rules: Rules, emit: Emit) -> None:
    def on_file(name: str) -> None:
        emit(Event(READING, name.encode()))

    for source in sources_of((), [(job.name, job.body)], rules.limits, on_file):
        layout = source.layout or Layout("text", len(source.text))
        document = Document(text=source.text, layout=layout, title=source.title, url=source.url)
        data = {"id": source.id, "document": data_of_document(document).decode()}
        emit(Event.of("document", data))


_WORK: dict[Action, Callable[[Job, Rules, Emit], None]] = {
    "audit": _audit,
    "check": _check,
    "fact_check": _fact_check,
    "quote": _quote,
    "search": _search,
    "read": _read_file,
}


def _read(
    kind: type[R],
    field: str,
    job: Job,
    rules: Rules,
    emit: Emit,
    files: list[str] | None = None,
) -> tuple[R, Sources]:
    """Return a request, whose field has what is checked, and its sources; list its files."""

    def on_file(name: str) -> None:
        if files is not None:
            files.append(name)
        emit(Event(READING, name.encode()))

    limits, default = rules.limits, rules.sources
    request, sources = read_request(
        kind, job.body, job.content_type, limits, on_file=on_file, default=default
    )
    given = getattr(request, field)
    # Characters as the client counts them, not escapes.
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    _require_length(field, text, limits)
    listed = [{"id": it.id, "title": it.title, "characters": len(it.text)} for it in sources]
    emit(Event.of("sources", {"sources": listed}))
    return request, sources


def _require_length(name: str, text: str, limits: Limits) -> None:
    if len(text) > (most := limits.text_characters):
        raise ServiceError("text_too_long", f"the {name} has more than {most:,} characters")


def _tool_result(data: Any, text: str) -> Event:
    return Event.of("tool_result", {"data": data, "text": text})
