"""`citeguard audit`: what a text says, claim by claim, against sources in files."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

from citeguard.cli.arguments import read_input, sources_option
from citeguard.cli.display import plain_console
from citeguard.cli.statuses import ExitStatus
from citeguard.documents.files import find_files
from citeguard.errors import CiteguardError
from citeguard.fitting import counted_as
from citeguard.sources import Sources

if TYPE_CHECKING:
    from citeguard.auditing.report import AuditReport

_STANDARD = "-"
_OUTPUTS = "Files to write; - is standard output"
_LINE_EVERY = 10.0  # seconds


def _output(name: str, told: str) -> Any:
    return typer.Option(name, metavar="FILE", rich_help_panel=_OUTPUTS, help=told)


def audit_command(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A file; - reads standard input.")],
    sources: Annotated[list[str], sources_option(after="TEXT")],
    *,
    min_trust: Annotated[
        float | None,
        typer.Option(
            "--min-trust",
            metavar="N",
            min=0.0,
            max=100.0,
            help="Tell good from bad by the trust score alone: it must be N, 0 to 100, or higher.",
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
    html: Annotated[str | None, _output("--html", "A page to read and share.")] = None,
    as_json: Annotated[str | None, _output("--json", "Everything, for programs.")] = None,
    markdown: Annotated[
        str | None, _output("--markdown", "A comment for a pull request, or a summary.")
    ] = None,
    sarif: Annotated[
        str | None, _output("--sarif", "Results in the text, for code scanning and editors.")
    ] = None,
    junit: Annotated[
        str | None, _output("--junit", "Each claim as a test, for test reports.")
    ] = None,
) -> int:
    """Check what a text says against its sources, claim by claim.

        citeguard audit answer.txt --sources handbook.txt faq.md

        citeguard audit - --sources docs/*.txt --html report.html < answer.txt

    A text fails if a claim of it is contradicted, not found or only partly supported, or if a
    citation mark names no source or the wrong one. Marks that are missing or redundant are shown,
    but nothing fails with them. A file written to standard output is printed instead of the table.

    Exit status:

          0  nothing failed; with --min-trust, the score is N or higher
          1  something failed; with --min-trust, the score is lower
          2  the audit could not run, or a file could not be written
          3  nothing failed, but some claim is undecided; or no claim to check;
             with --min-trust, there is no score
        130  interrupted
    """
    given = {"html": html, "json": as_json, "markdown": markdown, "sarif": sarif, "junit": junit}
    outputs = {kind: path for kind, path in given.items() if path is not None}
    _require_outputs(outputs, [text, *map(str, find_files(sources))])
    report = _audited(read_input(text, "the text"), sources, quiet=quiet)
    for kind, path in outputs.items():
        _write(path, _rendered(report, kind, uri=_uri_of(text)))
    if _STANDARD not in outputs.values():
        show(report)
    return _status(report) if min_trust is None else _status_by_trust(report, min_trust)


def show(report: AuditReport) -> None:
    """Print the trust score, the text with its claims marked, and what needs attention."""
    from citeguard.auditing.outputs.terminal import as_renderable

    plain_console().print(as_renderable(report))


def _audited(text: str, sources: Iterable[str], *, quiet: bool) -> AuditReport:
    from citeguard.auditing.run import audit

    loaded = Sources.from_paths(sources)
    with _shown_progress(not quiet) as progress:
        return audit(text, loaded, progress=progress)


def _require_outputs(outputs: Mapping[str, str], inputs: Iterable[str]) -> None:
    """Stop before a long audit at what could not be written after it, or would destroy its input.

    Raises:
        typer.BadParameter: an output is one of the inputs, or that of another option.
        CiteguardError: a path is that of no file, or in no folder.
    """
    taken = {_identity(path): path for path in inputs if path and path != _STANDARD}
    for kind, path in outputs.items():
        if (identity := _identity(path)) in taken:
            raise typer.BadParameter(f"--{kind}: {path} is read or written already.")
        taken[identity] = path
        if path != _STANDARD:
            _require_writable(path)


def _identity(path: str) -> Path | None:
    return None if path == _STANDARD else Path(path).resolve()


def _require_writable(path: str) -> None:
    if not path:
        raise CiteguardError("the path of a file to write is empty")
    if Path(path).is_dir():
        raise CiteguardError(f"{path}: is a directory")
    if not Path(path).parent.is_dir():
        raise CiteguardError(f"{path}: no such directory as {Path(path).parent}")


def _rendered(report: AuditReport, kind: str, *, uri: str) -> str:
    renderers: dict[str, Callable[[], str]] = {
        "html": report.to_html,
        "json": report.to_json,
        "markdown": report.to_markdown,
        "sarif": lambda: report.to_sarif(uri=uri),
        "junit": report.to_junit,
    }
    return renderers[kind]().rstrip("\n") + "\n"


def _uri_of(text: str) -> str:
    """Return where a text is as a URI, relative if its path is."""
    path = Path("text" if text == _STANDARD else text)
    return path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))


def _write(path: str, content: str) -> None:
    if path == _STANDARD:
        typer.echo(content, nl=False)
        return
    try:
        Path(path).write_bytes(content.encode("utf-8", "backslashreplace"))
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise CiteguardError(f"{path}: cannot be written: {reason}") from error


def _status(report: AuditReport) -> ExitStatus:
    from citeguard.auditing.labels import FAILING, FAILING_PROBLEMS

    problems = {finding.problem for finding in report.findings}
    if report.with_verdict(*FAILING) or problems & FAILING_PROBLEMS:
        return ExitStatus.FAILED
    if report.with_verdict("undecided") or not report.with_verdict("supported"):
        return ExitStatus.UNDECIDED
    return ExitStatus.PASSED


def _status_by_trust(report: AuditReport, least: float) -> ExitStatus:
    if report.trust is None:
        return ExitStatus.UNDECIDED
    return ExitStatus.PASSED if report.trust.value >= least else ExitStatus.FAILED


_Report = Callable[[int, int], None]


@contextmanager
def _shown_progress(wanted: bool) -> Generator[_Report | None, None, None]:
    """Show on standard error how many claims are checked: a bar, or without a terminal lines."""
    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    if not wanted:
        yield None
    elif console.is_terminal:
        with _bar(console) as report:
            yield report
    else:
        yield _Lines(console)


@contextmanager
def _bar(console: Console) -> Generator[_Report, None, None]:
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn())
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as progress:
        task = progress.add_task("looking for claims", total=None)

        def report(done: int, total: int) -> None:
            progress.update(task, description=_told(done, total), completed=done, total=total)

        yield report


class _Lines:
    """Prints a line now and then."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._printed = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        if time.monotonic() - self._printed >= _LINE_EVERY:
            self._printed = time.monotonic()
            self._console.print(_told(done, total), soft_wrap=True)


def _told(done: int, total: int) -> str:
    return f"{done:,} of {counted_as(total, 'claim')} checked"
