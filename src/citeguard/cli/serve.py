"""`citeguard serve`: the checks as an HTTP service."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Annotated, Any

import typer

from citeguard.cli.statuses import ExitStatus
from citeguard.errors import CiteguardError, check_number
from citeguard.server.limits import Limits

_LIMITS = "Limits of a request"
_MEGABYTE = 1_000_000
_LONGEST_GRACE = 86_400.0  # seconds: a day
_DEFAULTS = Limits()
_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


def _limit(name: str, told: str, least: float) -> Any:
    return typer.Option(name, metavar="N", min=least, rich_help_panel=_LIMITS, help=told)


def serve_command(
    *,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="The address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            "--port", metavar="N", min=0, max=65_535, help="The port; 0 is any that is free."
        ),
    ] = 8000,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host",
            metavar="NAME",
            help="A name that the service may be asked for under, besides those of this machine; "
            "can be given several times. Without it, on another address than this machine's own, "
            "any name will do.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            metavar="N",
            min=1,
            help="Processes for texts, and as many for documents; one for each core by default.",
        ),
    ] = None,
    grace: Annotated[
        float,
        typer.Option(
            "--grace", metavar="SECONDS", min=0, help="For requests under way, when it is to stop."
        ),
    ] = 30.0,
    max_megabytes: Annotated[int, _limit("--max-megabytes", "All of a request.", 1)] = (
        _DEFAULTS.body_bytes // _MEGABYTE
    ),
    max_pages: Annotated[int, _limit("--max-pages", "Pages of a PDF file.", 1)] = _DEFAULTS.pages,
    max_text: Annotated[int, _limit("--max-text", "Characters of the text.", 1)] = (
        _DEFAULTS.text_characters
    ),
    max_sources: Annotated[
        int, _limit("--max-sources", "Characters of all sources.", 1)
    ] = _DEFAULTS.source_characters,
    max_seconds: Annotated[
        float | None,
        _limit(
            "--max-seconds",
            f"To read it, and again to check it; {_DEFAULTS.reading_seconds:g} and "
            f"{_DEFAULTS.judging_seconds:g} by default.",
            0.1,
        ),
    ] = None,
    max_waiting: Annotated[int, _limit("--max-waiting", "Requests that wait.", 1)] = (
        _DEFAULTS.waiting
    ),
) -> int:
    """Serve the checks over HTTP: a form at /, POST /verify, POST /check, and /docs.

        citeguard serve

        citeguard serve --host 0.0.0.0 --port 80 --allow-host checks.example.org

    It needs the extra "server". It has no passwords and no TLS: put a proxy that has both before it
    where others can reach it. Nothing is kept of a request after its reply.

    Exit status:

          0  it was told to stop (SIGTERM)
          2  it could not start
        130  interrupted; what was under way was finished
    """
    try:
        from citeguard.server.app import create_app
        from citeguard.server.running import serve
    except ImportError as error:
        raise CiteguardError(
            f'the service needs {error.name}: pip install "pydantic-citeguard[server]"'
        ) from error
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
    )
    app = create_app(limits=limits, hosts=_hosts(host, allow_host or []))
    if not _is_loopback(host):
        typer.echo(
            "citeguard: whoever can reach this address can use the service: it has no passwords",
            err=True,
        )
    serve(app, host, port, grace=grace, on_ready=_tell)
    return ExitStatus.PASSED


def _tell(address: str) -> None:
    typer.echo(f"citeguard: listening on {address} (stop with Ctrl-C)", err=True)


def _hosts(host: str, allowed: list[str]) -> list[str]:
    """Return the names the service may be asked for under; none where any will do."""
    if not allowed and not _is_loopback(host):
        return []
    shown = f"[{host}]" if ":" in host else host
    return [each.lower() for each in (*_LOOPBACK_NAMES, shown, *allowed)]


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
