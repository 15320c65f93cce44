"""`citeguard mcp`: the checks as tools of the Model Context Protocol."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from citeguard.cli.arguments import SOURCE_FILES, JudgeOptions, option, with_judge
from citeguard.cli.output import ExitStatus
from citeguard.cli.searching import WebOptions, with_web
from citeguard.cli.serve import (
    FACT_PAGES,
    FACT_SEARCHES,
    JUDGE_SHARE,
    fact_limit,
    facts_of,
    host_names,
    warn_if_reachable,
)
from citeguard.server.limits import Limits
from citeguard.sources.collection import Sources

_DEFAULTS = Limits()
_WORKERS = 2  # a desktop client has one user, and starts the command for each of its windows
_limit = partial(option, "N", group="Limits of a call", min=1)


@with_web
@with_judge
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
        option(
            "ADDRESS:PORT",
            "Serve over streamable HTTP at /mcp, instead of standard input and output: "
            "127.0.0.1:8000, or port 0 for any free one.",
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        option(
            "NAME",
            "With --http, a host name to accept in requests, besides those of this machine; may "
            "be given several times. Without it, on an address that others can reach, any name is "
            "allowed.",
        ),
    ] = None,
    workers: Annotated[
        int, option("N", "Processes that work on calls, one call each.", min=1)
    ] = _WORKERS,
    max_text: Annotated[int, _limit("Characters of the text.")] = _DEFAULTS.text_characters,
    max_sources: Annotated[
        int, _limit("Characters of all sources in a call.")
    ] = _DEFAULTS.source_characters,
    max_seconds: Annotated[
        float, _limit("Seconds to check it.", min=0.1)
    ] = _DEFAULTS.judging_seconds,
    max_waiting: Annotated[int, _limit("Calls that wait.")] = _DEFAULTS.waiting,
    fact_searches: Annotated[int | None, fact_limit("Searches.")] = FACT_SEARCHES,
    fact_pages: Annotated[int | None, fact_limit("Pages that are asked for.")] = FACT_PAGES,
    web: WebOptions | None = None,
    judge: JudgeOptions | None = None,
) -> int:
    """Offer the checks to language models, as tools of the Model Context Protocol.

        citeguard mcp

        citeguard mcp handbook.pdf faq.md papers/

        citeguard mcp handbook.pdf --http 127.0.0.1:8000

    The tools are check_quote, check, audit and search. A call contains the texts
    to check against; one without them uses the sources given here. Clients cannot name files. If an
    option says where to look for pages, there is fact_check, too, which finds and reads them;
    clients cannot name addresses to open.

    It needs the extra mcp. Clients start it themselves and talk to it over standard input and
    output. With --http it has no passwords and no TLS: where others can reach it, put a proxy in
    front that has both.

    Exit status:

          0  the client has closed the connection, or stopped (SIGTERM)
          2  it could not start
        130  interrupted
    """
    from citeguard.server.mcp import PATH, ToolService
    from citeguard.server.running import serve

    limits = Limits(
        text_characters=max_text,
        source_characters=max_sources,
        judging_seconds=max_seconds,
        workers=workers,
        waiting=max_waiting,
    )
    facts = facts_of(web, judge, fact_searches, fact_pages, limits.judging_seconds)
    if judge is not None:
        judge = judge.within(limits.judging_seconds * JUDGE_SHARE)
        judge()  # now: a worker could not say on one line what is wrong with it
    address = None if http is None else _address(http)
    known = Sources.from_paths(sources) if sources else None
    service = ToolService(known, judge, limits=limits, facts=facts)
    if address is None:
        service.serve_stdio()
        return ExitStatus.PASSED
    host, port = address
    warn_if_reachable(host)
    app = service.http_app(host_names(host, allow_host or []))

    def announce(url: str) -> None:
        typer.echo(f"citeguard: listening on {url}{PATH} (stop with Ctrl-C)", err=True)

    serve(app, host, port, grace=0, on_ready=announce)
    return ExitStatus.PASSED


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not (host and colon and port.isascii() and port.isdigit() and int(port) <= 65_535):
        raise typer.BadParameter(f"--http: expected ADDRESS:PORT, got {text}")
    return host.removeprefix("[").removesuffix("]"), int(port)
