"""A report on a terminal: `as_renderable`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.style import Style
from rich.text import Text

from citeguard.language.citations import ReadableText
from citeguard.language.excerpts import LIMIT, counted_as, shown
from citeguard.reports.report import (
    ATTENTION,
    FAILING_PROBLEMS,
    CheckedClaim,
    Place,
    Report,
    Shown,
)
from citeguard.reports.wording import (
    ASCII_ICONS,
    ICONS,
    headline,
    label_of,
    not_searched,
    opened,
    places_shown,
    source_and_place,
    spent_text,
    title_of_finding,
)

_STYLES: dict[Shown, str] = {
    "supported": "green",
    "contradicted": "bold red",
    "unsupported": "magenta",
    "set_aside": "dim",
    "undecided": "cyan",
}
_WORDS_LIMIT = 300
_INDENT = 4
_MOST_UNREAD = 5


def as_renderable(report: Report) -> RenderableType:
    """Return what `rich` prints of a report, as wide as the console.

    First the headline; then the text, each claim after its icon and number; then the claims that
    need attention, in a fact check all of them. Control characters of the text and its sources are
    written out. A console that cannot encode the icons gets those in ASCII.

    Examples:
        >>> from citeguard import Report
        >>> report = Report(text="Hello!", sources=(), claims=())
        >>> Console(width=60).print(as_renderable(report))
        Nothing to check
        <BLANKLINE>
        Hello!
    """
    return _Shown(report)


@dataclass(frozen=True, slots=True)
class _Shown:
    report: Report

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        report, icons = self.report, ASCII_ICONS if options.ascii_only else ICONS
        yield Text(headline(report.trust), f"bold {_style_of_score(report)}".rstrip())
        yield from (Text(f"Judge {shown(str(stage), LIMIT)}", "dim") for stage in report.models)
        text = ReadableText(report.text)
        yield Text()
        yield _marked(report, text, icons)
        for claim in report.claims if report.spent is not None else report.urgent:
            yield Text()
            title = f"{icons[claim.shown]} {claim.number} {label_of(claim)}"
            yield Text.assemble((title, _STYLES[claim.shown]), f": {shown(claim.text, LIMIT)}")
            for line in _lines(claim):
                # A link is not wrapped: it could not be opened.
                rows = [line] if line.no_wrap else line.wrap(console, options.max_width - _INDENT)
                for row in rows:
                    row.rstrip()
                    yield Text(" " * _INDENT, no_wrap=line.no_wrap, overflow="ignore") + row
        yield from _remarks(report, text)


def _remarks(report: Report, text: ReadableText) -> Iterator[Text]:
    """Yield what is wrong with citations, what was not examined, and what was not read."""
    if report.findings or report.uncovered or report.spent is not None:
        yield Text()
    for finding in report.findings:
        colour = "red" if finding.problem in FAILING_PROBLEMS else "yellow"
        message = f": {shown(finding.message, LIMIT)}"
        yield Text.assemble((title_of_finding(finding), f"bold {colour}"), (message, colour))
    for sentence in report.uncovered:
        words = shown(text[sentence.start : sentence.end], _WORDS_LIMIT)
        yield Text.assemble(("No claim in", "cyan"), f" “{words}”")
    for search in report.failed_searches:
        yield Text(shown(not_searched(search), LIMIT), "yellow")
    for page in report.unread[:_MOST_UNREAD]:
        yield Text(f"Not read: {shown(page.url, LIMIT)}: {shown(page.reason, LIMIT)}", "yellow")
    if (more := len(report.unread) - _MOST_UNREAD) > 0:
        yield Text(f"and {counted_as(more, 'other page')} not read", "yellow")
    if report.spent is not None:
        yield Text(spent_text(report.spent), "dim")


def _style_of_score(report: Report) -> str:
    """Return the colour of the headline, by the verdicts: no threshold is right for everyone."""
    if report.trust is None:
        return ""
    if report.with_verdict("contradicted"):
        return "red"
    return "yellow" if report.with_verdict(*ATTENTION) else "green"


def _marked(report: Report, text: ReadableText, icons: dict[Shown, str]) -> Text:
    """Return the text with every claim after its icon and number, in the colour of its verdict."""
    marked, done = Text(), 0
    for claim in sorted(report.claims, key=lambda claim: claim.start):
        marked.append(_written_out(text[done : claim.start]))
        marked.append(f"({icons[claim.shown]}{claim.number}) ", _STYLES[claim.shown])
        words = text[max(done, claim.start) : claim.end]
        marked.append(_written_out(words), _STYLES[claim.shown])
        done = max(done, claim.end)
    marked.append(_written_out(text[done:]))
    marked.rstrip()
    return marked


def _written_out(text: str) -> str:
    """Return a text in its lines, with control characters written out."""
    spaced = re.sub(r"[^\S\n]", " ", text)
    return re.sub(r"\S+", lambda run: shown(run.group(), sys.maxsize), spaced)


def _lines(claim: CheckedClaim) -> Iterator[Text]:
    yield Text(shown(claim.explanation, LIMIT))
    opening, places = places_shown(claim)
    if opening:
        yield Text(opening, "dim")
    for place in places:
        yield from _place(place)
    if claim.correction is not None:
        yield Text.assemble(("Correction", "green"), f": {shown(claim.correction.claim, LIMIT)}")


def _place(place: Place) -> Iterator[Text]:
    against = "contradicts: " if place.outcome == "contradicted" else ""
    words = f": “{shown(place.text, _WORDS_LIMIT)}”"
    yield Text.assemble((against, "red"), (source_and_place(place), "cyan"), words)
    if (link := opened(place.url)) is not None:
        here = f"{Path.cwd().as_uri()}/"
        # Of a file below the working folder, its path is easier to read.
        name = unquote(link.partition("#")[0].removeprefix(here)) if link.startswith(here) else link
        yield Text(name, Style(dim=True, link=link), no_wrap=True, overflow="ignore")
