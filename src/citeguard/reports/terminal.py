"""A report in words, for a terminal or a language model: `as_renderable`, `as_paragraphs`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.style import Style
from rich.text import Text

from citeguard.language.citations import ReadableText
from citeguard.language.excerpts import LIMIT, in_lines, shown
from citeguard.reports.html import filled
from citeguard.reports.report import CheckedClaim, Report, Shown
from citeguard.reports.wording import (
    UNCERTAIN,
    VERDICTS,
    doubt_text,
    facts_of,
    headline,
    label_of,
    opened,
    remarks_of,
    since_text,
    source_and_place,
    spent_text,
    where_and_url,
)

_WORDS_LIMIT = 300
_INDENT = " " * 4
_REMARKS = {"citation": "yellow", "unread": "yellow", "uncovered": "cyan"}


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


def as_paragraphs(report: Report) -> Iterator[str]:
    """Yield what a language model should read of a report: what needs attention, then the rest.

    Control characters are written out, except in addresses.
    """
    yield f"{headline(report)}."
    for claim in report.urgent:
        facts = (fact.line(_cut, where_and_url) for fact in facts_of(claim))
        yield "\n".join([_claim(claim), claim.explanation, *facts])
    yield from (shown(f"{each.title}: {each.text}", LIMIT) for each in remarks_of(report))
    for claim in report.settled:
        place = f" ({where_and_url(claim.deciding)})" if claim.deciding else ""
        yield f"{_claim(claim)}{place}"


def _claim(claim: CheckedClaim) -> str:
    place = f" ({shown(claim.place, LIMIT)})" if claim.place else ""
    return f"{label_of(claim)}, claim {claim.number}{place}: “{_cut(claim.text)}”"


def _cut(words: str) -> str:
    return shown(words, _WORDS_LIMIT)


@dataclass(frozen=True, slots=True)
class _Shown:
    report: Report

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        report, ascii_only = self.report, options.ascii_only
        icons: dict[Shown, str] = {
            name: look.plain_icon if ascii_only else look.icon for name, look in VERDICTS.items()
        }

        def wrapped(text: Text, indent: str = "") -> Iterator[Text]:
            # A link is not wrapped: it could not be opened.
            rows = [text] if text.no_wrap else text.wrap(console, options.max_width - len(indent))
            for row in rows:
                row.rstrip()
                yield Text(indent, no_wrap=text.no_wrap, overflow="ignore") + row

        yield from wrapped(Text(headline(report), f"bold {_style_of(report)}".rstrip()))
        if compared := since_text(report):
            yield Text(compared)
            yield from (
                Text(f"Mended: {shown(each, LIMIT)}", "green") for each in report.mended or ()
            )
        yield from (Text(f"Judge {shown(str(stage), LIMIT)}", "dim") for stage in report.models)
        yield Text()
        yield from wrapped(_marked(report, icons))
        for claim in report.claims if report.spent is not None else report.urgent:
            yield Text()
            title = f"{icons[claim.shown]} {claim.number} {label_of(claim)}"
            place = f" ({shown(claim.place, LIMIT)})" if claim.place else ""
            words = f": {shown(claim.text, LIMIT)}"
            style = VERDICTS[claim.shown].style
            yield from wrapped(Text.assemble((title, style), (place, "cyan"), words))
            for line in _lines(claim):
                yield from wrapped(line, _INDENT)
        remarks = [*remarks_of(report)]
        if remarks or report.spent is not None:
            yield Text()
        for remark in remarks:
            colour = "red" if remark.is_failure else _REMARKS[remark.kind]
            yield from wrapped(
                Text.assemble((remark.title, colour), f": {shown(remark.text, LIMIT)}")
            )
        if report.spent is not None:
            yield Text(spent_text(report.spent), "dim")


def _style_of(report: Report) -> str:
    """Return the colour of the headline, by the worst of the report."""
    failing = any(remark.is_failure for remark in remarks_of(report))
    if failing or any(claim.verdict == "contradicted" for claim in report.urgent):
        return "red"
    if report.findings or report.urgent:
        return "yellow"
    return "" if report.trust is None else "green"


def _marked(report: Report, icons: dict[Shown, str]) -> Text:
    """Return the text with every claim after its icon and number, in the colour of its verdict."""
    marked, done, text = Text(), 0, ReadableText(filled(report.text))
    for claim in sorted(report.claims, key=lambda claim: claim.start):
        style = VERDICTS[claim.shown].style
        marked.append(in_lines(text[done : claim.start]))
        marked.append(f"({icons[claim.shown]}{claim.number}) ", style)
        marked.append(in_lines(text[max(done, claim.start) : claim.end]), style)
        done = max(done, claim.end)
    marked.append(in_lines(text[done:]))
    marked.rstrip()
    return marked


def _lines(claim: CheckedClaim) -> Iterator[Text]:
    yield Text(shown(claim.explanation, LIMIT))
    for label, words, place in facts_of(claim):
        if place is None:
            yield Text.assemble((label, "green"), f": {shown(words, LIMIT)}")
            continue
        before = "" if label == "Source" else f"{label}: "
        named = (source_and_place(place), "cyan")
        yield Text.assemble(
            (before, "red" if label == "Contradicts" else "dim"),
            named,
            f": “{shown(words, _WORDS_LIMIT)}”",
        )
        if place.doubts:
            badge = (f"{UNCERTAIN.icon} {UNCERTAIN.label}", UNCERTAIN.style)
            yield Text.assemble(badge, f": {doubt_text(place)}")
        if (link := opened(place.url)) is not None:
            here = f"{Path.cwd().as_uri()}/"
            # Of a file below the working folder, its path is easier to read.
            path = unquote(link.partition("#")[0].removeprefix(here))
            name = path if link.startswith(here) else link
            yield Text(name, Style(dim=True, link=link), no_wrap=True, overflow="ignore")
