"""An audit on a terminal: `as_renderable`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from citeguard.language.citations import ReadableText
from citeguard.language.excerpts import LIMIT, shown
from citeguard.reports.report import (
    ATTENTION,
    FAILING_PROBLEMS,
    CheckedClaim,
    CitationFinding,
    Report,
    Shown,
)
from citeguard.reports.wording import (
    ASCII_ICONS,
    ICONS,
    LABELS,
    headline,
    source_and_place,
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

# In a narrower terminal, two columns have too few words on a line to be readable.
_NARROWEST_TWO_COLUMNS = 64


def as_renderable(report: Report) -> RenderableType:
    """Return what `rich` prints of an audit, as wide as the console.

    First the headline; then the text, each claim after its icon and number; then the claims that
    need attention. Control characters of the text and its sources are written out. A console that
    cannot encode the icons gets those in ASCII.

    Examples:
        >>> from citeguard import Report
        >>> report = Report(text="Hello!", sources=(), claims=())
        >>> Console(width=60).print(as_renderable(report))
        Nothing to check
        <BLANKLINE>
        Hello!
    """
    return _Audit(report)


@dataclass(frozen=True, slots=True)
class _Audit:
    report: Report

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from _parts(self.report, ASCII_ICONS if options.ascii_only else ICONS, options)


_Icons = dict[Shown, str]


def _parts(report: Report, icons: _Icons, options: ConsoleOptions) -> Iterator[RenderableType]:
    yield Text(headline(report.trust), f"bold {_style_of_score(report)}".rstrip())
    yield from (Text(f"Judge {shown(str(stage), LIMIT)}", "dim") for stage in report.models)
    yield Text()
    text = ReadableText(report.text)
    yield _marked(report, text, icons)
    if claims := report.urgent:
        yield Text()
        yield _table(claims, icons, wide=options.max_width >= _NARROWEST_TWO_COLUMNS)
    yield from map(_finding_text, report.findings)
    for sentence in report.uncovered:
        words = shown(text[sentence.start : sentence.end], _WORDS_LIMIT)
        yield Text.assemble(("No claim in", "cyan"), f" “{words}”")


def _style_of_score(report: Report) -> str:
    """Return the colour of the headline, by the verdicts: no threshold is right for everyone."""
    if report.trust is None:
        return ""
    if report.with_verdict("contradicted"):
        return "red"
    return "yellow" if report.with_verdict(*ATTENTION) else "green"


def _marked(report: Report, text: ReadableText, icons: _Icons) -> Text:
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


def _table(claims: Iterable[CheckedClaim], icons: _Icons, *, wide: bool) -> Table:
    table = Table(show_lines=True, expand=wide)
    table.add_column("Claim" if wide else "Claim and sources", ratio=2, overflow="fold")
    if wide:
        table.add_column("What the sources say", ratio=3, overflow="fold")
    for claim in claims:
        words, sources = _claim_text(claim, icons), _sources_text(claim)
        table.add_row(*([words, sources] if wide else [Text("\n\n").join([words, sources])]))
    return table


def _claim_text(claim: CheckedClaim, icons: _Icons) -> Text:
    title = f"{icons[claim.shown]} {claim.number} {LABELS[claim.shown]}"
    return Text.assemble((title, _STYLES[claim.shown]), "\n", shown(claim.text, LIMIT))


def _sources_text(claim: CheckedClaim) -> Text:
    lines = [Text(shown(claim.explanation, LIMIT))]
    if (place := claim.deciding) is not None:
        words = shown(place.text, _WORDS_LIMIT)
        lines.append(Text.assemble((source_and_place(place), "cyan"), f": “{words}”"))
    if claim.correction is not None:
        lines.append(
            Text.assemble(("Correction", "green"), f": {shown(claim.correction.claim, LIMIT)}")
        )
    return Text("\n").join(lines)


def _finding_text(finding: CitationFinding) -> Text:
    colour = "red" if finding.problem in FAILING_PROBLEMS else "yellow"
    message = f": {shown(finding.message, LIMIT)}"
    return Text.assemble((title_of_finding(finding), f"bold {colour}"), (message, colour))


def _written_out(text: str) -> str:
    """Return a text in its lines, with control characters written out."""
    return re.sub(r"\S+", _shown_whole, re.sub(r"[^\S\n]", " ", text))


def _shown_whole(run: re.Match[str]) -> str:
    return shown(run.group(), sys.maxsize)
