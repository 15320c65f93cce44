"""The commands that serve the checks: `citeguard serve` over HTTP, and `citeguard mcp` as tools."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields
from functools import partial
from ipaddress import ip_address
from typing import TYPE_CHECKING, Annotated, Any

import typer

from citeguard.cli.arguments import (
    SOURCE_FILES,
    HowUnseen,
    JudgeOptions,
    check_base_url,
    client_of,
    option,
    read_sources,
)
from citeguard.cli.asking import opened_library
from citeguard.cli.factcheck import WebOptions, fact_checking
from citeguard.cli.output import ExitStatus, visible
from citeguard.errors import CiteguardError, check_number
from citeguard.server.limits import Limits

if TYPE_CHECKING:
    from citeguard.library.answering import Answerer
    from citeguard.server.factchecks import FactChecking

_LONGEST_GRACE = 86_400.0  # seconds: a day
# The types of its values say how the text of an option is read.
_DEFAULTS = Limits()
_MCP_WORKERS = 2  # a desktop client has one user, and starts the command for each of its windows
# A model has this share of the time for a request. The rest is for the reply, so that a slow model
# ends as undecided, not as an error.
_MODEL_SHARE = 0.75
_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
_EXTRACTIVE = "extractive"  # the name of answers that no language model writes

_library = partial(option, group="Documents to ask")

_FACT_SEARCHES, _FACT_PAGES = 60, 120  # enough for a page of text


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceOptions:
    """Who may use a service, and what requests may take, as the options say."""

    allow_host: Annotated[
        list[str] | None,
        option(
            "NAME", "A host name to accept in requests besides those of this machine; repeatable."
        ),
    ] = None
    token: Annotated[
        str,
        option(
            "TOKEN",
            "What requests must have as their bearer token or password. Without one, only "
            "addresses of this machine can be listened on.",
            envvar="CITEGUARD_TOKEN",
        ),
    ] = ""
    limit: Annotated[
        list[str] | None,
        option("NAME=N", "A limit of citeguard.server.Limits: pages=50; repeatable."),
    ] = None
    fact_searches: Annotated[int, option("N", "The most searches of a fact check.", min=1)] = (
        _FACT_SEARCHES
    )
    fact_pages: Annotated[int, option("N", "The most pages that a fact check asks for.", min=1)] = (
        _FACT_PAGES
    )

    def limits(self, **defaults: int) -> Limits:
        """Return the limits that options name: `pages=50`."""
        values: dict[str, Any] = {**defaults}
        for each in self.limit or ():
            name, _, number = each.partition("=")
            try:
                values[name] = type(getattr(_DEFAULTS, name))(number)
            except (AttributeError, ValueError, TypeError):
                names = ", ".join(field.name for field in fields(Limits))
                message = f"--limit: expected NAME=N, got {visible(each)}. The names are {names}."
                raise typer.BadParameter(message) from None
        return Limits(**values)

    def hosts(self, host: str) -> list[str]:
        """Return the host names that requests may have; none if any will do."""
        if not self.token.strip() and not _is_loopback(host):
            raise CiteguardError(
                f"others can reach {visible(host)}: give --token TOKEN, or set CITEGUARD_TOKEN; "
                "without one, the service listens on addresses of this machine only, such as "
                "127.0.0.1"
            )
        if not self.allow_host and not _is_loopback(host):
            return []
        shown = f"[{host}]" if ":" in host else host
        return [each.lower() for each in (*_LOOPBACK_NAMES, shown, *(self.allow_host or ()))]

    def facts(
        self, web: WebOptions, judge: JudgeOptions, seconds: float
    ) -> Callable[[], FactChecking] | None:
        """Return how facts are checked, or `None` if no option says where to look for pages."""
        if not web:
            return None
        most = {"searches": self.fact_searches, "pages": self.fact_pages}
        facts = partial(fact_checking, web, judge, **most, seconds=_MODEL_SHARE * seconds)
        facts()  # a worker process could not say on one line what is wrong
        return facts


def serve_command(
    *,
    host: Annotated[str, option("ADDRESS", "The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, option("N", "The port; 0 for any free one.", min=0, max=65_535)] = 8000,
    grace: Annotated[
        float, option("SECONDS", "How long running requests may take after a stop.", min=0)
    ] = 30.0,
    library: Annotated[
        str | None, _library("FILE", "A library, whose documents clients may ask.")
    ] = None,
    embedder: Annotated[
        str | None, _library("FOLDER", "The embedding model of the library, if any.")
    ] = None,
    uploads: Annotated[
        bool, _library(None, "Whether clients may add files to the library.", "--uploads")
    ] = False,
    model: Annotated[
        list[str] | None,
        _library(
            "MODEL",
            "A language model that may write answers; repeatable, the first is the default.",
        ),
    ] = None,
    model_url: Annotated[
        str | None, _library("URL", "The address of their endpoint, if not the provider's own.")
    ] = None,
    service: ServiceOptions,
    web: WebOptions,
    judge: JudgeOptions,
) -> int:
    """Serve the checks over HTTP: a form at /, POST /audit, POST /check, and /docs.

        citeguard serve

        citeguard serve --host 0.0.0.0 --allow-host checks.example --token SECRET

        citeguard serve --judge openai/gpt-5-mini --judge-calls 20

        citeguard serve --library papers.db --model openai/gpt-5-mini

    If an option says where to look for pages, it also checks facts, at /fact-check. With a library,
    clients can ask its documents, at /ask: questions and answers are kept in the library's file,
    and a browser can read those that it asked. With --uploads, clients may also add files to it.

    It needs the extra server. It has no TLS: where others can reach it, it requires a token (or
    CITEGUARD_TOKEN), and a proxy in front should have TLS.

    Exit status:

          0  stopped (SIGTERM)
    """
    check_number("--grace", grace, 0, _LONGEST_GRACE)
    hosts, limits = service.hosts(host), service.limits()
    if library is None and (model or uploads):
        raise typer.BadParameter(f"{'--model' if model else '--uploads'} needs --library.")
    if model_url is not None and not model:
        raise typer.BadParameter("--model-url needs --model.")
    from citeguard.server.running import serve

    facts = service.facts(web, judge, limits.fact_seconds)
    policy = _policy_of(judge, limits)
    # Before the imports that take seconds, too.
    loading = "the reader" if library is None else f"the reader and {library}"
    typer.echo(visible(f"citeguard: starting: loading {loading}"), err=True)
    from citeguard.server.app import create_app
    from citeguard.server.chats import Chatting

    with ExitStack() as stack:
        # citeguard's loggers are silent unless a program listens.
        log, handler = logging.getLogger("citeguard"), logging.StreamHandler()
        log.addHandler(handler)
        stack.callback(log.removeHandler, handler)
        chatting: Chatting | None = None
        if library is not None:
            answerers = _answerers_of(model or (), model_url, limits.chat_seconds)
            opened = stack.enter_context(opened_library(library, embedder, new=uploads))
            chatting = Chatting(library=opened, answerers=answerers, uploads=uploads)
        app = create_app(
            policy,
            limits=limits,
            hosts=hosts,
            token=service.token,
            facts=facts,
            library=chatting,
        )
        serve(app, host, port, grace=grace, on_ready=_announce)
    return ExitStatus.PASSED


def mcp_command(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SOURCE]...",
            help=f"The sources of calls that contain none. {SOURCE_FILES}",
            show_default=False,
        ),
    ] = None,
    *,
    http: Annotated[
        str | None,
        option("ADDRESS:PORT", "Serve over HTTP at /mcp, instead of standard input and output."),
    ] = None,
    unseen: HowUnseen = "omit",
    service: ServiceOptions,
    web: WebOptions,
    judge: JudgeOptions,
) -> int:
    """Offer the checks to language models, as tools of the Model Context Protocol.

        citeguard mcp

        citeguard mcp handbook.pdf faq.md papers/

        citeguard mcp handbook.pdf --http 127.0.0.1:8000

    The tools are check, check_quote, audit and search. A call contains the texts to check against;
    one without them uses the sources given here. If an option says where to look for pages, there
    is fact_check, too. Clients can name neither files nor addresses to open.

    It needs the extra mcp. Clients start it themselves and talk to it over standard input and
    output. With --http it has no TLS, and requires a token if others can reach it.

    Exit status:

          0  the client has closed the connection, or stopped (SIGTERM)
    """
    from citeguard.server.mcp import PATH, ToolService
    from citeguard.server.running import serve

    limits = service.limits(workers=_MCP_WORKERS)
    facts = service.facts(web, judge, limits.judging_seconds)
    policy = _policy_of(judge, limits)
    host, port = ("localhost", "") if http is None else _address(http)
    hosts = service.hosts(host)
    known = read_sources(sources, unseen=unseen) if sources else None
    tools = ToolService(known, policy, limits=limits, facts=facts)
    if http is None:
        tools.serve_stdio()
        return ExitStatus.PASSED
    app = tools.http_app(hosts, service.token)
    # The SDK writes a line for each session that it refuses. Anybody could fill the pipe that
    # nobody reads, and so stop the service.
    logging.getLogger("mcp").addHandler(logging.NullHandler())
    serve(app, host, int(port), grace=0, on_ready=lambda url: _announce(f"{url}{PATH}"))
    return ExitStatus.PASSED


def _policy_of(judge: JudgeOptions, limits: Limits) -> JudgeOptions | None:
    """Return the judge with a limit of time, or `None` if there is none."""
    if not judge:
        return None
    judge = judge.within(limits.judging_seconds * _MODEL_SHARE)
    judge()  # a worker process could not say on one line what is wrong
    return judge


def _answerers_of(models: Sequence[str], url: str | None, seconds: float) -> dict[str, Answerer]:
    """Return who may write answers, by name."""
    from citeguard.library.answering import ExtractiveAnswerer, LLMAnswerer

    check_base_url(url, "--model-url")
    answerers: dict[str, Answerer] = {
        model: LLMAnswerer(client_of(model, url, streams=True), timeout=_MODEL_SHARE * seconds)
        for model in models
    }
    return {**answerers, _EXTRACTIVE: ExtractiveAnswerer()}


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _address(text: str) -> tuple[str, str]:
    host, colon, port = text.rpartition(":")
    if not (host and colon and port.isascii() and port.isdigit() and int(port) <= 65_535):
        raise typer.BadParameter(f"--http: expected ADDRESS:PORT, got {text}")
    return host.removeprefix("[").removesuffix("]"), port


def _announce(address: str) -> None:
    typer.echo(f"citeguard: listening on {address} (stop with Ctrl-C)", err=True)
