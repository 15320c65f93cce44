"""The audited text as a page shows it, and text made safe for a page: `text_blocks`, `visible`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TypeVar

from markupsafe import Markup, escape

from citeguard.auditing.report import AuditedClaim, AuditReport, CitationFinding, Uncovered
from citeguard.language.sentences import Interval

Owner = TypeVar("Owner")

BLOCK = 2_000
"""The fewest characters of a block; it ends with the line."""

_LONGEST_LINE = 10_000  # characters after which a block ends even if its line does not


def blocks(text: str, kept: Sequence[Interval] = ()) -> list[Interval]:
    r"""Split a text into blocks of whole lines, of some 2,000 characters each.

    A line is split only after 10,000 characters. The blocks cover the text, in order; an empty text
    has none.

    Args:
        text: The text.
        kept: Intervals that no cut falls into, in order, that do not overlap.

    Examples:
        >>> blocks("a line\n" * 300)
        [(0, 2002), (2002, 2100)]
    """
    cuts = [0]
    while len(text) - cuts[-1] > BLOCK:
        cuts.append(_cut(text, cuts[-1], kept))
    cuts += [len(text)] if cuts[-1] < len(text) else []
    return list(pairwise(cuts))


def stretches(
    start: int, end: int, owned: Iterable[tuple[int, int, Owner]]
) -> list[tuple[int, int, Owner | None]]:
    """Split an interval into stretches: those that have an owner, and those between them.

    The part of a stretch outside the interval, or inside an earlier one, is cut off.

    Args:
        start: Where the interval starts.
        end: Where it ends, exclusive.
        owned: Start, end and owner of each stretch, in the order of their starts.

    Examples:
        >>> stretches(0, 9, [(2, 4, "a"), (3, 7, "b")])
        [(0, 2, None), (2, 4, 'a'), (4, 7, 'b'), (7, 9, None)]
    """
    cut: list[tuple[int, int, Owner | None]] = []
    at = start
    for low, high, owner in owned:
        low, high = max(low, at), min(high, end)
        if low >= high:
            continue
        if at < low:
            cut.append((at, low, None))
        cut.append((low, high, owner))
        at = high
    return [*cut, (at, end, None)] if at < end else cut


def _cut(text: str, start: int, kept: Sequence[Interval]) -> int:
    """Return where the block that starts at `start` ends."""
    last = start + _LONGEST_LINE
    at = start + BLOCK
    while at < last:
        found = text.find("\n", at, last)
        if found < 0:
            break
        at = found + 1
        if (free := _after_kept(at, kept)) == at:
            return at
        at = free
    blank = text.find(" ", max(at, last), last + _LONGEST_LINE)
    return min(len(text), _after_kept(blank + 1 if blank >= 0 else max(at, last), kept))


def _after_kept(at: int, kept: Sequence[Interval]) -> int:
    index = bisect_right(kept, at, key=lambda interval: interval[0]) - 1
    return kept[index][1] if index >= 0 and kept[index][0] < at < kept[index][1] else at


# Characters without a glyph that may reorder, hide or break the text around them: controls
# (but tab and line breaks), the bidi controls of UAX #9, line and paragraph separators, lone
# surrogates (no UTF-8) and tag characters, with which text is hidden in text.
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
    r"\ud800-\udfff\U000e0000-\U000e007f]+"
)


def visible(text: str) -> Markup:
    r"""Return text as HTML, escaped, in which characters that cannot be seen are named.

    Line breaks are kept as they are; a carriage return before one is dropped.

    Examples:
        >>> print(visible("1 < 2"), visible("\u202e"))
        1 &lt; 2 <span class="unseen">⟨U+202E⟩</span>
    """
    escaped = escape(text.replace("\r", ""))
    if _UNSEEN.search(escaped) is None:
        return escaped
    return Markup(_UNSEEN.sub(lambda run: f'<span class="unseen">{_names(run[0])}</span>', escaped))


def plain(text: str) -> str:
    r"""Return text, not escaped, in which characters that cannot be seen are named.

    Its lines end in line feeds, and it always encodes to UTF-8.

    Examples:
        >>> plain("\ud800 and \x00\x00")
        '⟨U+D800⟩ and ⟨U+0000 ×2⟩'
    """
    return _UNSEEN.sub(lambda run: _names(run[0]), with_line_feeds(text).replace("\r", ""))


def with_line_feeds(text: str) -> str:
    r"""Return text of the same length in which a carriage return stands only before a line feed.

    Examples:
        >>> with_line_feeds("one\rtwo\r\nthree")
        'one\ntwo\r\nthree'
    """
    return re.sub(r"\r(?!\n)", "\n", text) if "\r" in text else text


def shortened(text: str, most: int) -> str:
    """Return text of at most so many characters; one that is cut ends in an ellipsis.

    Examples:
        >>> shortened("The notice period", 10)
        'The notic…'
    """
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _names(run: str) -> str:
    groups = ((character, len(list(group))) for character, group in groupby(run))
    return "".join(
        f"⟨U+{ord(character):04X}{f' ×{count}' if count > 1 else ''}⟩"
        for character, count in groups
    )


_LONGEST_CLAIM = 10_000  # characters of a claim that is laid out at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Words of a passage.

    Attributes:
        html: The words, escaped.
        finding: The problem with them, if they are a citation mark.
        number: The number of the finding, from 1; 0 for words after the first ones of a mark.
    """

    html: Markup
    finding: CitationFinding | None = None
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A claim, a sentence without one, or the text between them.

    Attributes:
        start: Where it starts in the audited text, in code points.
        end: Where it ends, exclusive.
        claim: The claim.
        uncovered: The sentence of which no claim was made.
        continued: Whether it continues a claim that is too long for one block.
        uncited: Whether the claim should have a citation, and has none.
        words: All of its words, in order.
    """

    start: int
    end: int
    claim: AuditedClaim | None = None
    uncovered: Uncovered | None = None
    continued: bool = False
    uncited: bool = False
    words: tuple[Words, ...]


def text_blocks(report: AuditReport) -> list[list[Passage]]:
    """Return the audited text in passages, by blocks; every character is in one passage.

    Examples:
        >>> from citeguard import AuditReport
        >>> report = AuditReport(text="Nothing < claimed.", sources=(), claims=())
        >>> [passage.words[0].html for [passage] in text_blocks(report)]
        [Markup('Nothing &lt; claimed.')]
    """
    text = with_line_feeds(report.text)
    owners = sorted((*report.claims, *report.uncovered), key=lambda owner: owner.start)
    parts = stretches(0, len(text), [(owner.start, owner.end, owner) for owner in owners])
    kept = [(start, end) for start, end, owner in parts if owner and end - start <= _LONGEST_CLAIM]
    marks = _marks(len(text), report.findings)
    uncited = {
        number
        for finding in report.findings
        if finding.problem == "uncited"
        for number in finding.claims
    }
    found: list[list[Passage]] = []
    for low, high in blocks(text, kept):
        passages: list[Passage] = []
        for start, end, owner in _overlapping(parts, low, high):
            first, last = max(start, low), min(end, high)
            claim = owner if isinstance(owner, AuditedClaim) else None
            passages.append(
                Passage(
                    start=first,
                    end=last,
                    claim=claim,
                    uncovered=owner if isinstance(owner, Uncovered) else None,
                    continued=start < low,
                    uncited=claim is not None and claim.number in uncited,
                    words=tuple(_words(text, first, last, marks)),
                )
            )
        found.append(passages)
    return found


_Mark = tuple[int, CitationFinding, int]
"""The number of a finding, the finding, and where its words start."""


def _overlapping(
    parts: Sequence[tuple[int, int, Owner]], low: int, high: int
) -> Iterator[tuple[int, int, Owner]]:
    """Yield the stretches that overlap an interval; they are in order, and no two overlap."""
    for at in range(bisect_right(parts, low, key=lambda part: part[1]), len(parts)):
        if parts[at][0] >= high:
            return
        yield parts[at]


def _words(
    text: str, start: int, end: int, marks: Sequence[tuple[int, int, _Mark]]
) -> Iterator[Words]:
    for low, high, mark in stretches(start, end, _overlapping(marks, start, end)):
        html = visible(text[low:high])
        if mark is None:
            yield Words(html=html)
        else:
            number, finding, first = mark
            yield Words(html=html, finding=finding, number=number if low == first else 0)


def _marks(length: int, findings: Sequence[CitationFinding]) -> list[tuple[int, int, _Mark]]:
    """Return the intervals of the marks with a problem; no two overlap."""
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
