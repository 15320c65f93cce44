"""A fact check on a terminal: `as_renderable`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.style import Style
from rich.text import Text

from citeguard.factcheck.outputs.wording import (
    ASCII_ICONS,
    ICONS,
    LABELS,
    Shown,
    address_of,
    deciding,
    failed_searches,
    nearest,
    page_text,
    place_of,
    quoted,
    search_text,
    shown_as,
    spent_text,
    summary,
    unread,
    why,
)
from citeguard.factcheck.report import CheckedPassage, FactCheck, FactReport
from citeguard.language.excerpts import LIMIT, counted_as, shown

STYLES: dict[Shown, str] = {
    "supported": "green",
    "contradicted": "bold red",
    "conflicting": "yellow",
    "unsupported": "magenta",
    "undecided": "cyan",
    "not_checkable": "dim",
}
"""The colour of each outcome."""

_INDENT = 4
_WORDS_LIMIT = 300  # characters of a passage
_MOST_PASSAGES = 4  # of each statement
_MOST_UNREAD = 5


def as_renderable(report: FactReport) -> RenderableType:
    """Return what `rich` prints of a fact check, as wide as the console.

    Each statement with its verdict, how many independent origins decide it, the words that decide
    with the page's title and a link to them, and what could not be read. Control characters of
    pages are written out. A console that cannot encode the icons gets those in ASCII.

    Examples:
        >>> Console(width=60).print(as_renderable(FactReport(text="Hello!", checks=())))
        Nothing to check
        0 searches, 0 pages
    """
    return _Report(report)


@dataclass(frozen=True, slots=True)
class _Report:
    report: FactReport

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        icons = ASCII_ICONS if options.ascii_only else ICONS
        for check in self.report.checks:
            yield _headline(check, icons)
            for line in _lines(check):
                # A link is not wrapped: it could not be opened.
                rows = [line] if line.no_wrap else line.wrap(console, options.max_width - _INDENT)
                for row in rows:
                    row.rstrip()
                    yield Text(" " * _INDENT, no_wrap=line.no_wrap, overflow="ignore") + row
            yield Text()
        yield Text(summary(self.report), "bold")
        yield Text(spent_text(self.report.spent), "dim")


def _headline(check: FactCheck, icons: dict[Shown, str]) -> Text:
    kind = shown_as(check)
    label = f"{icons[kind]} {LABELS[kind]}"
    return Text.assemble((label, STYLES[kind]), f": {shown(check.statement, LIMIT)}")


def _lines(check: FactCheck) -> Iterator[Text]:
    yield Text(shown(why(check), LIMIT))
    passages = deciding(check) or nearest(check)
    if passages and not deciding(check):
        yield Text("The nearest that was found:", "dim")
    for passage in passages[:_MOST_PASSAGES]:
        yield from _passage(passage)
    if (more := len(passages) - _MOST_PASSAGES) > 0:
        yield Text(f"and {counted_as(more, 'other passage')}", "dim")
    yield from _problems(check)


def _passage(passage: CheckedPassage) -> Iterator[Text]:
    against = "contradicts: " if passage.outcome == "contradicted" else ""
    yield Text.assemble((against, "red"), f"“{shown(quoted(passage), _WORDS_LIMIT)}”")
    link, place = address_of(passage), place_of(passage)
    if link is None or place != passage.url:  # a page without a title has only its address
        yield Text(shown(place, _WORDS_LIMIT), "cyan")
    if link is not None:
        yield Text(_short(link), Style(dim=True, link=link), no_wrap=True, overflow="ignore")


def _short(link: str) -> str:
    """Return a link as it is printed: for a file below the working folder, its path."""
    here = f"{Path.cwd().as_uri()}/"
    return unquote(link.partition("#")[0].removeprefix(here)) if link.startswith(here) else link


def _problems(check: FactCheck) -> Iterator[Text]:
    for search in failed_searches(check):
        what = "Not searched" if search.failure is not None else "Searched in part"
        line = f"{what}: “{shown(search.query, _WORDS_LIMIT)}”: {shown(search_text(search), LIMIT)}"
        yield Text(line, "yellow")
    pages = unread(check)
    for page in pages[:_MOST_UNREAD]:
        yield Text(f"Not read: {shown(page.url, LIMIT)}: {shown(page_text(page), LIMIT)}", "yellow")
    if (more := len(pages) - _MOST_UNREAD) > 0:
        yield Text(f"and {counted_as(more, 'other page')} not read", "yellow")
