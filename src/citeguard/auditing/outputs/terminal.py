"""An audit on a terminal: `as_renderable`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from citeguard.auditing.explanations import (
    ASCII_ICONS,
    ICONS,
    LABELS,
    NO_SCORE,
    source_and_place,
    title_of_finding,
)
from citeguard.auditing.report import (
    ATTENTION,
    FAILING_PROBLEMS,
    AuditedClaim,
    AuditReport,
    AuditVerdict,
    CitationFinding,
    TrustScore,
)
from citeguard.language.citations import ReadableText
from citeguard.language.excerpts import LIMIT, counted_as, shown

_STYLES: dict[AuditVerdict, str] = {
    "supported": "green",
    "partly_supported": "yellow",
    "contradicted": "bold red",
    "not_found": "magenta",
    "not_checkable": "dim",
    "undecided": "cyan",
}
_WORDS_LIMIT = 300

# In a narrower terminal, two columns have too few words on a line to be readable.
_NARROWEST_TWO_COLUMNS = 64
_WIDEST_METER = 40
_NARROWEST_METER = 10


def as_renderable(report: AuditReport) -> RenderableType:
    """Return what `rich` prints of an audit, as wide as the console.

    First the trust score; then the text, each claim after its icon and number; then the claims that
    need attention. Control characters of the text and its sources are written out. A console that
    cannot encode the icons gets those in ASCII.

    Examples:
        >>> from citeguard import AuditReport
        >>> report = AuditReport(text="Hello!", sources=(), claims=())
        >>> Console(width=60).print(as_renderable(report))
        No trust score: no claim could be decided
        0 claims
        <BLANKLINE>
        Hello!
    """
    return _Audit(report)


@dataclass(frozen=True, slots=True)
class _Audit:
    report: AuditReport

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from _parts(self.report, ASCII_ICONS if options.ascii_only else ICONS, options)


_Icons = dict[AuditVerdict, str]


def _parts(report: AuditReport, icons: _Icons, options: ConsoleOptions) -> Iterator[RenderableType]:
    yield _trust(report, options.max_width)
    yield _counts(report, icons)
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


def _trust(report: AuditReport, width: int) -> RenderableType:
    trust = report.trust
    if trust is None:
        return Text(NO_SCORE, "bold")
    style = _style_of_score(report)
    label = Text(f"Truth {trust.value:g} of 100, coverage {trust.coverage:g}%", f"bold {style}")
    room = min(_WIDEST_METER, width - len(label) - 1)
    return label if room < _NARROWEST_METER else _with_meter(label, trust, room, style)


def _with_meter(label: Text, trust: TrustScore, width: int, style: str) -> RenderableType:
    line = Table.grid(padding=(0, 1, 0, 0))
    bar = ProgressBar(
        total=100,
        completed=trust.value,
        width=width,
        complete_style=style,
        finished_style=style,
    )
    line.add_row(label, bar)
    return line


def _style_of_score(report: AuditReport) -> str:
    """Return the colour of a score, by the verdicts: no threshold is right for everyone."""
    if report.with_verdict("contradicted"):
        return "red"
    return "yellow" if report.with_verdict(*ATTENTION) else "green"


def _counts(report: AuditReport, icons: _Icons) -> Text:
    counts = [
        Text(f"{icons[verdict]} {count:,} {LABELS[verdict].lower()}", _STYLES[verdict])
        for verdict, count in report.counts.items()
        if count
    ]
    counted = counted_as(len(report.claims), "claim")
    return Text.assemble(f"{counted}{': ' if counts else ''}", Text(", ").join(counts))


def _marked(report: AuditReport, text: ReadableText, icons: _Icons) -> Text:
    """Return the text with every claim after its icon and number, in the colour of its verdict."""
    marked, done = Text(), 0
    for claim in sorted(report.claims, key=lambda claim: claim.start):
        marked.append(_written_out(text[done : claim.start]))
        marked.append(f"({icons[claim.verdict]}{claim.number}) ", _STYLES[claim.verdict])
        words = text[max(done, claim.start) : claim.end]
        marked.append(_written_out(words), _STYLES[claim.verdict])
        done = max(done, claim.end)
    marked.append(_written_out(text[done:]))
    marked.rstrip()
    return marked


def _table(claims: Iterable[AuditedClaim], icons: _Icons, *, wide: bool) -> Table:
    table = Table(show_lines=True, expand=wide)
    table.add_column("Claim" if wide else "Claim and sources", ratio=2, overflow="fold")
    if wide:
        table.add_column("What the sources say", ratio=3, overflow="fold")
    for claim in claims:
        words, sources = _claim_text(claim, icons), _sources_text(claim)
        table.add_row(*([words, sources] if wide else [Text("\n\n").join([words, sources])]))
    return table


def _claim_text(claim: AuditedClaim, icons: _Icons) -> Text:
    sure = "" if claim.confidence is None else f" ({claim.confidence:.2f})"
    title = f"{icons[claim.verdict]} {claim.number} {LABELS[claim.verdict]}{sure}"
    return Text.assemble((title, _STYLES[claim.verdict]), "\n", shown(claim.text, LIMIT))


def _sources_text(claim: AuditedClaim) -> Text:
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
