"""`citeguard serve`: the checks as an HTTP service."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from ipaddress import ip_address
from typing import TYPE_CHECKING, Annotated

import typer

from citeguard.cli.arguments import JudgeOptions, check_base_url, client_of, option, with_judge
from citeguard.cli.asking import opened_library
from citeguard.cli.output import ExitStatus
from citeguard.cli.searching import FactOptions, WebOptions, with_web
from citeguard.errors import check_number
from citeguard.server.limits import Limits

if TYPE_CHECKING:
    from citeguard.library.answering import Answerer

_MEGABYTE = 1_000_000
_LONGEST_GRACE = 86_400.0  # seconds: a day
_DEFAULTS = Limits()
JUDGE_SHARE = 0.75
"""The share of the time to check a request that a judge may take; what is left is undecided."""

_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
FACT_SEARCHES, FACT_PAGES = 60, 120
"""What a fact check of a client may take: enough for a page of text."""

fact_limit = partial(option, "N", group="Limits of a fact check", min=1)
_limit = partial(option, "N", group="Limits of a request", min=1)
_chat_limit = partial(option, "N", group="Limits of a chat", min=1)
_library_option = partial(option, group="Documents to ask")
EXTRACTIVE = "extractive"
"""The name of answers that no language model writes."""


@with_web
@with_judge
def serve_command(
    *,
    host: Annotated[str, option("ADDRESS", "The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, option("N", "The port; 0 for any free one.", min=0, max=65_535)] = 8000,
    allow_host: Annotated[
        list[str] | None,
        option(
            "NAME",
            "A host name to accept in requests, besides those of this machine; may be given "
            "several times. Without it, on an address that others can reach, any name is allowed.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        option(
            "N",
            "Processes for texts, and as many for documents; by default one for each core.",
            min=1,
        ),
    ] = None,
    grace: Annotated[
        float, option("SECONDS", "How long running requests may take after a stop.", min=0)
    ] = 30.0,
    max_megabytes: Annotated[int, _limit("Size of a request.")] = _DEFAULTS.body_bytes // _MEGABYTE,
    max_pages: Annotated[int, _limit("Pages of a PDF file.")] = _DEFAULTS.pages,
    max_text: Annotated[int, _limit("Characters of the text.")] = _DEFAULTS.text_characters,
    max_sources: Annotated[int, _limit("Characters of all sources.")] = _DEFAULTS.source_characters,
    max_seconds: Annotated[
        float | None,
        _limit(
            f"To read it, and again to check it; by default {_DEFAULTS.reading_seconds:g} and "
            f"{_DEFAULTS.judging_seconds:g}.",
            min=0.1,
        ),
    ] = None,
    max_waiting: Annotated[int, _limit("Requests that wait.")] = _DEFAULTS.waiting,
    fact_searches: Annotated[int | None, fact_limit("Searches.")] = FACT_SEARCHES,
    fact_pages: Annotated[int | None, fact_limit("Pages that are asked for.")] = FACT_PAGES,
    fact_seconds: Annotated[
        float, fact_limit("Seconds for all of it.", min=0.1)
    ] = _DEFAULTS.fact_seconds,
    fact_checks: Annotated[
        int, fact_limit("Fact checks at once, in a process each.")
    ] = _DEFAULTS.fact_checks,
    library: Annotated[
        str | None,
        _library_option(
            "FILE", "A library, whose documents clients may ask; citeguard library add makes one."
        ),
    ] = None,
    embedder: Annotated[
        str | None,
        _library_option("FOLDER", "The embedding model that the library was made with, if any."),
    ] = None,
    model: Annotated[
        list[str] | None,
        _library_option(
            "MODEL",
            "A language model that may write answers, such as openai/gpt-5-mini, or any other that "
            "instructor knows; its key comes from the environment. May be given several times: "
            "clients choose among these, and the first is the default. Without it, sentences of "
            "the documents are the answer.",
        ),
    ] = None,
    model_url: Annotated[
        str | None,
        _library_option("URL", "The address of their endpoint, if not the provider's own."),
    ] = None,
    chat_seconds: Annotated[
        float, _chat_limit("Seconds for an answer.", min=0.1)
    ] = _DEFAULTS.chat_seconds,
    chats: Annotated[int, _chat_limit("Questions that are answered at once.")] = _DEFAULTS.chats,
    web: WebOptions | None = None,
    judge: JudgeOptions | None = None,
) -> int:
    """Serve the checks over HTTP: a form at /, POST /audit, POST /check, and /docs.

        citeguard serve

        citeguard serve --host 0.0.0.0 --port 80 --allow-host checks.example.org

        citeguard serve --judge openai/gpt-5-mini --judge-calls 20

        citeguard serve --search searxng --url http://localhost:8888

    If an option says where to look for pages, it also checks facts: a form at /fact-check, which
    shows what is found as it comes, and POST /fact-check. Clients can name no address to open.

    With a library, clients can ask its documents: a page at /ask, and POST /ask. Questions and
    answers are kept in the library's file, and whoever can reach the service can read them.

        citeguard serve --library papers.db --model openai/gpt-5-mini

    It needs the extra server. It has no passwords and no TLS: where others can reach it, put a
    proxy in front that has both. Nothing from other requests is kept after the reply.

    Exit status:

          0  stopped (SIGTERM)
          2  it could not start
        130  interrupted; running requests were finished
    """
    from citeguard.server.app import create_app
    from citeguard.server.chats import Chatting
    from citeguard.server.running import serve

    check_number("--grace", grace, 0, _LONGEST_GRACE)
    limits = Limits(
        body_bytes=max_megabytes * _MEGABYTE,
        file_bytes=max_megabytes * _MEGABYTE,
        pages=max_pages,
        text_characters=max_text,
        source_characters=max_sources,
        reading_seconds=max_seconds or _DEFAULTS.reading_seconds,
        judging_seconds=max_seconds or _DEFAULTS.judging_seconds,
        waiting=max_waiting,
        workers=workers or _DEFAULTS.workers,
        fact_seconds=fact_seconds,
        fact_checks=fact_checks,
        chat_seconds=chat_seconds,
        chats=chats,
    )
    facts = facts_of(web, judge, fact_searches, fact_pages, fact_seconds)
    if judge is not None:
        judge = judge.within(limits.judging_seconds * JUDGE_SHARE)
        judge()  # now: a worker could not say on one line what is wrong with it
    hosts = host_names(host, allow_host or [])
    answerers = answerers_of(library, model or [], model_url, chat_seconds)

    def announce(address: str) -> None:
        typer.echo(f"citeguard: listening on {address} (stop with Ctrl-C)", err=True)

    with ExitStack() as stack:
        chatting: Chatting | None = None
        if library is not None:
            opened = stack.enter_context(opened_library(library, embedder, new=False))
            chatting = Chatting(library=opened, answerers=answerers)
        app = create_app(judge, limits=limits, hosts=hosts, facts=facts, library=chatting)
        warn_if_reachable(host)
        serve(app, host, port, grace=grace, on_ready=announce)
    return ExitStatus.PASSED


def answerers_of(
    library: str | None, models: Sequence[str], url: str | None, seconds: float
) -> dict[str, Answerer]:
    """Return who may write answers, by name; empty without a library.

    Args:
        library: The library's file; without one, there must be no models.
        models: The language models.
        url: The address of their endpoint.
        seconds: The most seconds for an answer.

    Raises:
        CiteguardError: A model cannot be set up.
    """
    if library is None and models:
        raise typer.BadParameter("--model needs --library.")
    if url is not None and not models:
        raise typer.BadParameter("--model-url needs --model.")
    if library is None:
        return {}
    from citeguard.library.answering import ExtractiveAnswerer, LLMAnswerer

    check_base_url(url, "--model-url")
    # What is left is for the reply, so that a slow model ends as undecided, not as an error.
    share = JUDGE_SHARE * seconds
    written: dict[str, Answerer] = {
        model: LLMAnswerer(client_of(model, url, option="--model", streams=True), timeout=share)
        for model in models
    }
    return {**written, EXTRACTIVE: ExtractiveAnswerer()}


def facts_of(
    web: WebOptions | None,
    judge: JudgeOptions | None,
    searches: int | None,
    pages: int | None,
    seconds: float,
) -> FactOptions | None:
    """Return how a service checks facts, or `None` if no option says where to look for pages.

    Raises:
        CiteguardError: It cannot be set up.
    """
    if web is None:
        return None
    # What is left is for the reply, so that a slow check ends as undecided, not as an error.
    share = JUDGE_SHARE * seconds
    facts = FactOptions(web=web, judge=judge, searches=searches, pages=pages, seconds=share)
    facts()  # now: a worker could not say on one line what is wrong with it
    return facts


def host_names(host: str, allowed: list[str]) -> list[str]:
    """Return the host names that requests may have; none if any will do."""
    if not allowed and not _is_loopback(host):
        return []
    shown = f"[{host}]" if ":" in host else host
    return [each.lower() for each in (*_LOOPBACK_NAMES, shown, *allowed)]


def warn_if_reachable(host: str) -> None:
    """Print a warning if others can reach an address."""
    if not _is_loopback(host):
        typer.echo(
            "citeguard: whoever can reach this address can use the service: it has no passwords",
            err=True,
        )


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
