"""`citeguard audit`: what a text says, claim by claim, against source files."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

from citeguard.cli.arguments import (
    STANDARD_STREAM,
    JudgeOptions,
    Quiet,
    flag,
    option,
    read_input,
    sources_option,
    with_judge,
)
from citeguard.cli.output import ExitStatus, plain_console, require_outputs, write_output
from citeguard.documents.files import find_files
from citeguard.errors import optional_packages
from citeguard.language.excerpts import counted_as
from citeguard.sources.collection import Sources

if TYPE_CHECKING:
    from citeguard.auditing.links import LinkChecker
    from citeguard.reports.report import Report

_LINE_EVERY = 10.0  # seconds; a log has no moving bar, and few want a line for every claim


_web = partial(option, group="The links of the text")
_web_flag = partial(flag, group="The links of the text")
_output = partial(option, "FILE", group="Files to write; - is standard output")


@with_judge
def audit_command(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A file; - reads standard input.")],
    sources: Annotated[list[str] | None, sources_option(after="TEXT")] = None,
    *,
    links: Annotated[
        bool,
        _web_flag(
            "--links",
            "Read the pages that the text links to, and look up the DOIs and arXiv numbers in it. "
            "What was read is a source of the claims beside it.",
        ),
    ] = False,
    contact: Annotated[
        str, _web("ADDRESS", "Your e-mail address, for the servers that are asked.")
    ] = "",
    allow: Annotated[
        list[str] | None,
        _web("HOST:PORT", "A server of yours with a private address. May be repeated."),
    ] = None,
    cache: Annotated[str | None, _web("FOLDER", "Where pages are kept for the next run.")] = None,
    wayback: Annotated[
        bool, _web_flag("--wayback", "Ask the Wayback Machine for copies of dead pages.")
    ] = False,
    cite: Annotated[
        list[str] | None,
        option(
            "KEY=FILE",
            "The source that a citation mark names: 17=paper.pdf for [17]. It is read if it is not "
            "one of the sources. May be repeated.",
        ),
    ] = None,
    min_trust: Annotated[
        float | None,
        option(
            "N",
            "Pass or fail by the share of claims that is supported, in percent, alone: it must be "
            "N or higher, of claims of which at least 80 % could be decided.",
            min=0.0,
            max=100.0,
        ),
    ] = None,
    min_coverage: Annotated[
        float | None,
        option(
            "N",
            "The same by the coverage, the share of claims that were decided, in percent.",
            min=0.0,
            max=100.0,
        ),
    ] = None,
    quiet: Quiet = False,
    html: Annotated[str | None, _output("A page to read and share.")] = None,
    as_json: Annotated[str | None, _output("The whole report, for programs.", "--json")] = None,
    markdown: Annotated[str | None, _output("A comment for a pull request, or a summary.")] = None,
    sarif: Annotated[
        str | None, _output("Results in the text, for code scanning and editors.")
    ] = None,
    junit: Annotated[str | None, _output("Each claim as a test, for test reports.")] = None,
    judge: JudgeOptions | None = None,
) -> int:
    """Check what a text says against its sources, claim by claim.

        citeguard audit answer.txt --sources handbook.txt faq.md

        citeguard audit - --sources docs/*.txt --html report.html < answer.txt

        citeguard audit answer.txt --sources docs/*.txt --judge openai/gpt-5-mini

        citeguard audit paper.md --sources papers/*.pdf --cite 17=scan.pdf

        citeguard audit report.md --links --contact me@example.org

    A list of references in the text says which source a mark such as [17] names, by its title, its
    author, its DOI or its address; --cite says it where the list does not.

    A text fails if one of its claims is contradicted or unsupported, or if a citation mark names no
    source or the wrong one. Missing and redundant marks, and labels such as
    "Table 3" that are elsewhere or nowhere, are shown, but are not failures. With --links, a text
    also fails if a link is dead, or its page does not say what it is cited for; a page that could
    not be read counts as an undecided claim does. A file written to standard output replaces the
    table.

    Exit status:

          0  nothing failed; with --min-trust, --min-coverage: both are N or
             higher
          1  something failed; with these, a score is lower
          2  the audit could not run, or a file could not be written
          3  nothing failed, but some claim is undecided, or some link could not
             be read; or there is no claim to check; with --min-trust, fewer
             than 80 % of the claims could be decided
        130  interrupted
    """
    given = {"html": html, "json": as_json, "markdown": markdown, "sarif": sarif, "junit": junit}
    outputs = {kind: path for kind, path in given.items() if path is not None}
    keys = dict(_key_and_file(each) for each in cite or ())
    if not sources and not links:
        raise typer.BadParameter("give --sources PATH, or --links to read what the text links to")
    if not links and (contact or allow or cache or wayback):
        raise typer.BadParameter("--contact, --allow, --cache and --wayback need --links")
    files = [*find_files(sources or [])]
    present = {path.resolve() for path in files}
    named = {Path(path) for path in keys.values() if Path(path).is_file()}
    more = sorted(path for path in named if path.resolve() not in present)
    files += more
    require_outputs(outputs, [text, *map(str, files)])
    from citeguard.auditing.run import audit

    said, paths = read_input(text, "the text"), [*(sources or ()), *map(str, more)]
    loaded = Sources.from_paths(paths) if paths else None
    cited = {key: _id_of(path, files, loaded) for key, path in keys.items()}
    with _shown_progress(not quiet) as progress:
        checker = None
        if links:
            checker = _link_checker(contact, allow or (), cache, wayback=wayback, shown=progress)
        report = audit(
            said,
            loaded,
            links=checker,
            policy=None if judge is None else judge(),
            progress=progress and partial(progress, "claim"),
            cite=cited,
        )
    title = _title(text, [path.name for path in files] or ["its links"])
    for kind, path in outputs.items():
        render = getattr(report, f"to_{kind}")
        options = {"sarif": {"uri": _uri_of(text)}, "html": {"title": title}}.get(kind, {})
        content = render(**options)
        write_output(path, content.rstrip("\n") + "\n")
    if STANDARD_STREAM not in outputs.values():
        show(report)
    return _status(report, min_trust, min_coverage)


def _title(text: str, sources: Sequence[str]) -> str:
    """Return the title of a page: what was checked, against which files, and the day."""
    from citeguard.reports.wording import title_of

    checked = "Text" if text == STANDARD_STREAM else Path(text).name
    return title_of(checked, sources, date.today())


def _key_and_file(given: str) -> tuple[str, str]:
    key, sign, path = given.partition("=")
    if not (key.strip(" []") and sign and path):
        raise typer.BadParameter(f"--cite: expected KEY=FILE, such as 17=paper.pdf, got {given}")
    return key.strip(" []"), path


def _link_checker(
    contact: str,
    allow: Sequence[str],
    cache: str | None,
    *,
    wayback: bool,
    shown: Callable[[str, int, int], None] | None,
) -> LinkChecker:
    """Return what reads the links of the text, as the options say."""
    with optional_packages("reading links"):
        from citeguard.auditing.links import LinkChecker
        from citeguard.web import Fetcher, Registries

    return LinkChecker(
        fetcher=Fetcher(contact=contact, allow=tuple(allow), cache=cache),
        registries=Registries(mailto=contact if "@" in contact else ""),
        wayback=wayback,
        progress=shown and partial(shown, "link"),
    )


def _id_of(path: str, files: Iterable[Path], loaded: Sources | None) -> str:
    """Return the id of the source that was read from a file, or that is called so."""
    same = (each for each in files if each.resolve() == Path(path).resolve())
    called = [path, *(name for each in same for name in (each.as_posix(), each.stem))]
    for source_id in called:
        if loaded is not None and source_id in loaded:
            return source_id
    these = "" if loaded is None else f"; these are {loaded!r}"
    raise typer.BadParameter(f"--cite: {path} is no file and no source{these}")


def show(report: Report) -> None:
    """Print how much is supported, the text with its claims marked, and what needs attention."""
    from citeguard.reports.terminal import as_renderable

    plain_console().print(as_renderable(report))


def _uri_of(text: str) -> str:
    """Return the URI of a text, relative if its path is."""
    path = Path("text" if text == STANDARD_STREAM else text)
    return path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))


def _status(report: Report, min_trust: float | None, min_coverage: float | None) -> ExitStatus:
    from citeguard.reports.report import FAILING, FAILING_PROBLEMS, UNDECIDED_PROBLEMS

    if min_trust is not None or min_coverage is not None:
        trust = report.trust
        if trust is None or (min_trust is not None and trust.value is None):
            return ExitStatus.UNDECIDED
        enough = (trust.value or 0) >= (min_trust or 0) and trust.coverage >= (min_coverage or 0)
        return ExitStatus.PASSED if enough else ExitStatus.FAILED
    problems = {finding.problem for finding in report.findings}
    if report.with_verdict(*FAILING) or problems & FAILING_PROBLEMS:
        return ExitStatus.FAILED
    if report.with_verdict("undecided") or problems & UNDECIDED_PROBLEMS:
        return ExitStatus.UNDECIDED
    if not report.with_verdict("supported"):
        return ExitStatus.UNDECIDED
    return ExitStatus.PASSED


@contextmanager
def _shown_progress(wanted: bool) -> Generator[Callable[[str, int, int], None] | None]:
    """Show how many links are read, then how many claims are checked, on standard error.

    In a terminal that is a bar, or else lines. What it yields is called with "link" or "claim", how
    many are done, and how many there are.
    """
    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    if not wanted:
        yield None
    elif console.is_terminal:
        columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn())
        with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as progress:
            task = progress.add_task("looking for claims", total=None)
            yield lambda noun, done, total: progress.update(
                task, description=_counted(noun, done, total), completed=done, total=total
            )
    else:
        printed = time.monotonic()

        def print_line(noun: str, done: int, total: int) -> None:
            nonlocal printed
            if time.monotonic() - printed >= _LINE_EVERY:
                printed = time.monotonic()
                console.print(_counted(noun, done, total), soft_wrap=True)

        yield print_line


def _counted(noun: str, done: int, total: int) -> str:
    return f"{done:,} of {counted_as(total, noun)} {'read' if noun == 'link' else 'checked'}"
