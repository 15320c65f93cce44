"""The audited text as a page shows it: `text_blocks`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from citeguard.auditing.page.cutting import blocks, stretches
from citeguard.auditing.page.display import visible, with_line_feeds
from citeguard.auditing.results import AuditedClaim, AuditResult, CitationFinding, Uncovered
from citeguard.language.sentences import Interval

_LONGEST = 10_000  # characters of a claim that is laid out at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Words of a passage.

    Attributes:
        html: The words, escaped.
        finding: What is wrong with them, if they are a citation mark.
        number: The number of the finding, from 1; 0 for words after the first ones of a mark.
    """

    html: Markup
    finding: CitationFinding | None = None
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A claim, a sentence without one, or what stands between them.

    Attributes:
        start: Where it starts in the audited text, in code points.
        end: Where it ends, exclusive.
        claim: The claim.
        uncovered: The sentence of which no claim was made.
        continued: Whether it is the rest of a claim that is too long for one block.
        uncited: Whether the claim has no citation, and should have one.
        words: All of its words, in order.
    """

    start: int
    end: int
    claim: AuditedClaim | None = None
    uncovered: Uncovered | None = None
    continued: bool = False
    uncited: bool = False
    words: tuple[Words, ...]


def text_blocks(report: AuditResult) -> list[list[Passage]]:
    """Return the audited text in passages, by blocks; every character stands in one passage.

    Examples:
        >>> from citeguard.auditing.report import AuditReport
        >>> report = AuditReport(text="Nothing < claimed.", sources=(), claims=())
        >>> [passage.words[0].html for [passage] in text_blocks(report)]
        [Markup('Nothing &lt; claimed.')]
    """
    text = with_line_feeds(report.text)
    owners = sorted((*report.claims, *report.uncovered), key=lambda owner: owner.start)
    parts = stretches(0, len(text), [(owner.start, owner.end, owner) for owner in owners])
    kept = [(start, end) for start, end, owner in parts if owner and end - start <= _LONGEST]
    cutter = _Cutter(text, report.findings)
    waiting = iter(parts)
    return [list(cutter.passages(block, waiting)) for block in blocks(text, kept)]


class _Cutter:
    """Cuts a text into passages, in order."""

    def __init__(self, text: str, findings: Sequence[CitationFinding]) -> None:
        self._text = text
        self._uncited = {
            number
            for finding in findings
            if finding.problem == "uncited"
            for number in finding.claims
        }
        self._marks = _marks(len(text), findings)
        self._next = 0
        self._rest: tuple[int, int, AuditedClaim | Uncovered | None] | None = None

    def passages(
        self, block: Interval, waiting: Iterator[tuple[int, int, AuditedClaim | Uncovered | None]]
    ) -> Iterator[Passage]:
        at, last = block
        while at < last:
            continued = self._rest is not None
            start, end, owner = self._rest or next(waiting)
            self._rest = (last, end, owner) if end > last else None
            at = min(end, last)
            yield self._passage(start, at, owner, continued)

    def _passage(
        self, start: int, end: int, owner: AuditedClaim | Uncovered | None, continued: bool
    ) -> Passage:
        claim = owner if isinstance(owner, AuditedClaim) else None
        return Passage(
            start=start,
            end=end,
            claim=claim,
            uncovered=owner if isinstance(owner, Uncovered) else None,
            continued=continued,
            uncited=claim is not None and claim.number in self._uncited,
            words=tuple(self._words(start, end)),
        )

    def _words(self, start: int, end: int) -> Iterator[Words]:
        for low, high, mark in stretches(start, end, self._marks_of(start, end)):
            html = visible(self._text[low:high])
            if mark is None:
                yield Words(html=html)
            else:
                number, finding, first = mark
                yield Words(html=html, finding=finding, number=number if low == first else 0)

    def _marks_of(self, start: int, end: int) -> Iterable[tuple[int, int, _Mark]]:
        """Return the marks that reach into an interval; the intervals come in order."""
        while self._next < len(self._marks) and self._marks[self._next][1] <= start:
            self._next += 1
        at = self._next
        while at < len(self._marks) and self._marks[at][0] < end:
            yield self._marks[at]
            at += 1


_Mark = tuple[int, CitationFinding, int]
"""The number of a finding, the finding, and where its words start."""


def _marks(length: int, findings: Sequence[CitationFinding]) -> list[tuple[int, int, _Mark]]:
    """Return where the marks stand that something is wrong with; no two overlap."""
    placed = sorted(
        (finding.start, finding.end, number)
        for number, finding in enumerate(findings, 1)
        if finding.problem != "uncited"
    )
    owned = stretches(0, length, placed)
    return [
        (low, high, (number, findings[number - 1], low))
        for low, high, number in owned
        if number is not None
    ]
