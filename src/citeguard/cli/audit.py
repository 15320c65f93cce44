"""`citeguard audit`: what a text says, claim by claim, against source files."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import typer

from citeguard.cli.arguments import (
    STANDARD_STREAM,
    HowUnseen,
    JudgeOptions,
    Quiet,
    argument,
    flag,
    option,
    read_sources,
    read_text_source,
    sources_option,
)
from citeguard.cli.factcheck import FetchOptions
from citeguard.cli.output import STATUSES, ExitStatus, ReportFiles, require_outputs
from citeguard.datasets.progress_bar import shown_progress
from citeguard.datasets.readers import errors_naming
from citeguard.documents.files import find_files
from citeguard.errors import optional_packages
from citeguard.language.excerpts import counted_as

if TYPE_CHECKING:
    from citeguard.auditing.links import LinkChecker
    from citeguard.reports.report import Report

_LINE_EVERY = 10.0  # seconds; a log has no moving bar, and few want a line for every claim


_web_flag = partial(flag, group="The links of the text")


def audit_command(
    text: Annotated[
        str,
        argument(
            "TEXT", "A text, Markdown, Word, PowerPoint, PDF or HTML file; - is standard input."
        ),
    ],
    sources: Annotated[list[str] | None, sources_option(after="TEXT")] = None,
    *,
    links: Annotated[
        bool,
        _web_flag(
            "--links", "Read the pages, DOIs and arXiv numbers that the text links to, as sources."
        ),
    ] = False,
    wayback: Annotated[
        bool, _web_flag("--wayback", "Ask the Wayback Machine for copies of dead pages.")
    ] = False,
    min_trust: Annotated[
        float | None,
        option(
            "N",
            "Pass if N % of the claims or more are supported, and 80 % decided.",
            min=0.0,
            max=100.0,
        ),
    ] = None,
    min_coverage: Annotated[
        float | None,
        option("N", "Pass if N % of the claims or more are decided.", min=0.0, max=100.0),
    ] = None,
    baseline: Annotated[
        Path | None,
        option("FILE", "The JSON of an earlier audit: show what is new, mended and dismissed."),
    ] = None,
    annotated: Annotated[
        str | None,
        option("FILE", "A copy of TEXT, a Word or PDF file, with a note at each problem."),
    ] = None,
    unseen: HowUnseen = "omit",
    quiet: Quiet = False,
    reading: FetchOptions,
    files: ReportFiles,
    judge: JudgeOptions,
) -> int:
    """Check what a text says against its sources, claim by claim.

        citeguard audit answer.txt --sources handbook.txt faq.md

        citeguard audit - --sources docs/*.txt --html report.html < answer.txt

        citeguard audit report.docx --sources papers/*.pdf --annotated notes.docx

        citeguard audit report.md --links --contact me@example.org

    A list of references in the text says which source a mark such as [17] names. A text fails if a
    claim is contradicted or unsupported, or if a mark names no source or the wrong one; with
    --links also if a link is dead, or its page does not say what it is cited for. A page that could
    not be read counts as an undecided claim does.

    Exit status:

          0  nothing failed; with --min-trust, --min-coverage: both are N or
             higher
          1  something failed; with these, a score is lower
          3  nothing failed, but some claim is undecided, or some link could not
             be read; or there is no claim to check; with --min-trust, fewer
             than 80 % of the claims could be decided
    """
    if not sources and not links:
        raise typer.BadParameter("give --sources PATH, or --links to read what the text links to")
    if not links and (reading or wayback):
        raise typer.BadParameter("--contact, --allow, --cache and --wayback need --links")
    earlier = None if baseline is None else _read_baseline(baseline)
    paths = [*find_files(sources or [])]
    files.require([text, *map(str, paths)])
    if annotated is not None:
        require_outputs({"annotated": annotated}, [text, *map(str, paths)])
        if {Path(each).suffix.lower() for each in (text, annotated)} not in ({".docx"}, {".pdf"}):
            message = "--annotated: TEXT and FILE must both end in .docx, or in .pdf"
            raise typer.BadParameter(message)
    from citeguard.auditing.run import audit
    from citeguard.reports.wording import title_of

    said = read_text_source(text, unseen=unseen, quiet=quiet)
    loaded = read_sources(sources, unseen=unseen, quiet=quiet) if sources else None
    with shown_progress(quiet=quiet, every=_LINE_EVERY) as show_line:

        def show_counts(noun: str, done: int, total: int) -> None:
            what = f"{counted_as(total, noun)} {'read' if noun == 'link' else 'checked'}"
            show_line(f"{done:,} of {what}", done, total)

        checker = None
        if links:
            shown = partial(show_counts, "link")
            checker = _link_checker(reading, wayback=wayback, progress=shown)
        report = audit(
            said,
            loaded,
            links=checker,
            policy=judge() if judge else None,
            progress=partial(show_counts, "claim"),
        )
    report = report if earlier is None else report.since(earlier)
    checked = "Text" if text == STANDARD_STREAM else Path(text).name
    title = title_of(checked, [path.name for path in paths] or ["its links"], date.today())
    path = Path("text" if text == STANDARD_STREAM else text)
    # Relative if the path is. By its bytes, as a file's name need not be UTF-8.
    uri = path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))
    files.write(report, title=title, uri=uri)
    if annotated is not None:
        with errors_naming(annotated):
            report.annotate(text, annotated)
    return _status(report, min_trust, min_coverage)


def _read_baseline(path: Path) -> Report:
    from citeguard.reports.report import Report

    try:
        return Report.model_validate_json(path.read_bytes())
    except OSError as error:
        message = f"--baseline: {path}: {error.strerror}"
    except ValueError:
        message = f"--baseline: {path} is no report; write one with --json"
    raise typer.BadParameter(message)


def _link_checker(
    reading: FetchOptions, *, wayback: bool, progress: Callable[[int, int], None]
) -> LinkChecker:
    with optional_packages("reading links"):
        from citeguard.auditing.links import LinkChecker
        from citeguard.web import Registries

        fetcher = reading.fetcher()
    contact = reading.contact or ""
    return LinkChecker(
        fetcher=fetcher,
        registries=Registries(mailto=contact if "@" in contact else ""),
        wayback=wayback,
        progress=progress,
    )


def _status(report: Report, min_trust: float | None, min_coverage: float | None) -> ExitStatus:
    if min_trust is not None or min_coverage is not None:
        trust = report.trust
        if trust is None or (min_trust is not None and trust.value is None):
            return ExitStatus.UNDECIDED
        enough = (trust.value or 0) >= (min_trust or 0) and trust.coverage >= (min_coverage or 0)
        return ExitStatus.PASSED if enough else ExitStatus.FAILED
    return STATUSES[report.outcome]
