"""A report as Markdown, for a comment or a summary: `as_markdown`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from citeguard.language.citations import ReadableText
from citeguard.language.excerpts import LIMIT, as_paragraph, counted_as, escaped
from citeguard.reports.report import CheckedClaim, CitationFinding, Place, Report
from citeguard.reports.wording import (
    ICONS,
    LABELS,
    headline,
    label_of,
    not_searched,
    places_shown,
    source_and_place,
    spent_text,
    title_of_finding,
)
from citeguard.sources.links import web_url

LONGEST = 65_536
"""The most characters that GitHub takes as a comment."""

SHORTEST = 2_000
"""What heads, tables and notes need before the first claim, with some room to spare."""

_WORDS_LIMIT = 300
_FRAME_LIMIT = 300  # of a section without its items


def as_markdown(report: Report, *, limit: int = LONGEST) -> str:
    """Return a report as GitHub-flavoured Markdown: what needs attention first, the rest folded.

    Markup, references, mentions and links in the text, its sources and their names have no effect,
    and control characters are written out. Long texts are cut, which `[…]` shows.
    If it exceeds `limit`, each part is cut at its end, and says how much is missing.

    Args:
        report: The report.
        limit: The most characters, in code points.

    Raises:
        ValueError: `limit` is below `SHORTEST`.

    Examples:
        >>> from citeguard import Report
        >>> report = Report(text="", sources=(), claims=())
        >>> as_markdown(report).splitlines()[0]
        '## Nothing to check'
    """
    if limit < SHORTEST:
        raise ValueError(f"limit must be at least {SHORTEST:,}, not {limit:,}")
    sections = [section for section in _sections(report) if section.items]
    page = _head(report)
    for later, section in zip(reversed(range(len(sections))), sections, strict=True):
        page += section.fitted(limit - len(page) - later * _FRAME_LIMIT)
    return page


@dataclass(frozen=True, slots=True, kw_only=True)
class _Section:
    opening: str
    items: Sequence[str]
    closing: str = ""
    noun: str

    def fitted(self, room: int) -> str:
        """Return it with as many items as there is room for, in characters."""
        everything = "".join([self.opening, *self.items, self.closing])
        if len(everything) <= room:
            return everything
        room -= _FRAME_LIMIT
        kept = sum(end <= room for end in accumulate(map(len, self.items)))
        omitted = counted_as(len(self.items) - kept, self.noun)
        note = f"\n**{omitted} omitted here**: the page would be too long.\n"
        return "".join([self.opening, *self.items[:kept], note, self.closing])


def _head(report: Report) -> str:
    rows = "".join(
        f"| {ICONS[shown]} {LABELS[shown]} | {count:,} |\n"
        for shown, count in report.counts.items()
    )
    judges = "".join(f"\nJudge {escaped(str(stage), _WORDS_LIMIT)}\n" for stage in report.models)
    title = headline(report.trust)
    spent = "" if report.spent is None else f"\n{spent_text(report.spent)}\n"
    return f"## {title}\n{spent}\n| Verdict | Claims |\n| :-- | --: |\n{rows}{judges}"


def _sections(report: Report) -> Iterator[_Section]:
    claims = [*map(_urgent, report.urgent)]
    yield _Section(opening="\n### Needs attention\n", items=claims, noun="claim")
    yield _Section(
        opening="\n### Citations\n\n", items=[*map(_finding, report.findings)], noun="finding"
    )
    unread = [
        *(not_searched(search) for search in report.failed_searches),
        *(f"Not read: {page.url}: {page.reason}" for page in report.unread),
    ]
    yield _Section(
        opening="\n### Not read\n\n",
        items=[f"- {escaped(each, LIMIT)}\n" for each in unread],
        noun="page",
    )
    rest = report.with_verdict("supported", "set_aside")
    yield _folded(
        f"Supported and not checkable ({len(rest):,})",
        map(_row, rest),
        above="| Claim | Verdict | Source |\n| :-- | :-- | :-- |\n",
        noun="claim",
    )
    text = ReadableText(report.text)
    words = (text[each.start : each.end] for each in report.uncovered)
    yield _folded(
        f"Sentences without a claim ({len(report.uncovered):,})",
        (f"- “{escaped(each, _WORDS_LIMIT)}”\n" for each in words),
        noun="sentence",
    )


def _folded(summary: str, items: Iterable[str], *, above: str = "", noun: str) -> _Section:
    return _Section(
        opening=f"\n<details>\n<summary>{summary}</summary>\n\n{above}",
        items=[*items],
        closing="\n</details>\n",
        noun=noun,
    )


def _urgent(claim: CheckedClaim) -> str:
    title = f"{ICONS[claim.shown]} Claim {claim.number}: {label_of(claim).lower()}"
    parts = [f"#### {title}", f"> {as_paragraph(claim.text)}", as_paragraph(claim.explanation)]
    if facts := "\n".join(_facts(claim)):
        parts.append(facts)
    return "".join(f"\n{part}\n" for part in parts)


def _facts(claim: CheckedClaim) -> Iterator[str]:
    opening, places = places_shown(claim)
    for place in places:
        kind = "Contradicts" if place.outcome == "contradicted" else "Source"
        words = escaped(place.text, _WORDS_LIMIT)
        yield f"- {'Nearest' if opening else kind}: “{words}” ({_linked(place)})"
    if claim.correction is not None:
        yield f"- Correction: {escaped(claim.correction.claim)}"


def _linked(place: Place) -> str:
    """Return where words are, as a link if their source is of the web."""
    named, link = escaped(source_and_place(place)), web_url(place.url)
    if link is None:
        return named
    # In angle brackets only these end an address; a backslash is none of its characters.
    return f"[{named}](<{link.replace('<', '%3C').replace('>', '%3E')}>)"


def _finding(finding: CitationFinding) -> str:
    return f"- **{title_of_finding(finding)}**: {escaped(finding.message)}\n"


def _row(claim: CheckedClaim) -> str:
    words = f"{claim.number}: {escaped(claim.text, _WORDS_LIMIT)}"
    verdict = f"{ICONS[claim.shown]} {LABELS[claim.shown]}"
    why = claim.set_aside or ("" if claim.deciding is None else _linked(claim.deciding))
    return f"| {words} | {verdict} | {why} |\n"
