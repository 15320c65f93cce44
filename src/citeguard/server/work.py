"""What a worker process does with a request: `work_on`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from citeguard.auditing.claims.claim import ClaimExtractor
from citeguard.auditing.results import AuditedClaim
from citeguard.auditing.run import audit
from citeguard.documents import read_sources
from citeguard.errors import CiteguardError, UndecidedError
from citeguard.server.jobs import READING, Event, Job
from citeguard.server.limits import Limits
from citeguard.server.reading import read_request
from citeguard.server.refusals import RefusedError
from citeguard.server.schemas import CheckRequest, VerifyRequest
from citeguard.sources.collection import Sources
from citeguard.validation.examine import as_data, examine
from citeguard.validation.policy import Policy

Emit = Callable[[Event], object]
"""Takes what is to be told to the client."""


_PAGE = """<!doctype html><html><head><title>Lunch</title></head><body><main><article>
<h1>Lunch</h1>
<p>Lunch is free for all employees of the institute on weekdays, and guests pay nine euros.</p>
<p>It is served in the canteen beside the main gate, from half past eleven until two.</p>
</article></main></body></html>"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What holds for every request.

    Attributes:
        policy: Who judges, and what the citations of answers are held to.
        extractor: Who finds the claims of free text.
        limits: What a request may bring.
    """

    policy: Policy
    extractor: ClaimExtractor | None
    limits: Limits


def work_on(job: Job, rules: Rules, emit: Emit) -> None:
    """Do what a client asks for, and tell of it as it goes.

    The first event, `sources`, says that all was read. The last is the reply: `report` or `result`,
    or a `page`. Claims and statements are told only with `form="events"`.

    Raises:
        RefusedError: the request is not served.
    """
    try:
        (_verify if job.action == "verify" else _check)(job, rules, emit)
    except UndecidedError as error:
        raise RefusedError("undecided", str(error)) from error


def warm_up(rules: Rules, *, documents: bool) -> None:
    """Load what requests need, so that none has to wait for it.

    No judge of the policy is asked: it could cost something.

    Args:
        rules: What holds for the requests.
        documents: Whether there are documents among them.
    """
    if documents:
        import_module("citeguard.documents.pdf.reader")
        read_sources([("a.html", _PAGE.encode()), ("a.md", b"# Lunch")])
    report = audit("Lunch is free.", "Lunch is free for all.")
    report.to_html()
    examine({"statements": []}, Sources("Lunch is free."), replace(rules.policy, empty="pass"))


def _verify(job: Job, rules: Rules, emit: Emit) -> None:
    request, sources = read_request(job, VerifyRequest, rules.limits, _file_teller(emit))
    _require_length("the text", request.text, rules.limits)
    emit(_sources_event(sources))
    telling = _Telling(emit)
    report = audit(
        request.text,
        sources,
        policy=rules.policy,
        extractor=rules.extractor,
        progress=telling.progress,
        on_claim=telling.claim if job.form == "events" else None,
    )
    if job.form != "html":
        emit(_event("report", report.model_dump(mode="json")))
    if job.form == "html" or job.page:
        emit(Event("page", report.to_html().encode()))


def _check(job: Job, rules: Rules, emit: Emit) -> None:
    request, sources = read_request(job, CheckRequest, rules.limits, _file_teller(emit))
    answer: Any = request.answer
    _require_length("the answer", json.dumps(answer, ensure_ascii=False), rules.limits)
    emit(_sources_event(sources))
    policy = rules.policy if request.support else replace(rules.policy, support=(), alignment=None)
    if request.support and not policy.support:
        policy = replace(policy, support=Policy.fast().support)
    try:
        checked = as_data(examine(answer, sources, policy), sources)
    except UndecidedError:
        raise
    except CiteguardError as error:
        raise RefusedError("invalid", str(error)) from error
    if job.form == "events":
        for statement in checked["statements"]:
            emit(_event("statement", statement))
    emit(_event("result", checked))


def _file_teller(emit: Emit) -> Callable[[str], object]:
    return lambda name: emit(Event(READING, name.encode()))


def _require_length(name: str, text: str, limits: Limits) -> None:
    if len(text) > (most := limits.text_characters):
        raise RefusedError("text_too_long", f"{name} has more than {most:,} characters")


class _Telling:
    """Tells of an audit as it goes."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit

    def claim(self, claim: AuditedClaim) -> None:
        self._emit(_event("claim", claim.model_dump(mode="json")))

    def progress(self, done: int, total: int) -> None:
        self._emit(_event("progress", {"done": done, "total": total}))


def _sources_event(sources: Sources) -> Event:
    listed = [
        {"id": source.id, "title": source.title, "characters": len(source.text)}
        for source in sources
    ]
    return _event("sources", {"sources": listed})


def _event(name: str, data: Any) -> Event:
    return Event(name, json.dumps(data).encode())
