"""A report as Markdown, for a comment or a summary: `as_markdown`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate

from citeguard.language.excerpts import LIMIT, as_paragraph, counted_as, escaped
from citeguard.reports.report import CheckedClaim, Place, Report
from citeguard.reports.wording import (
    VERDICTS,
    facts_of,
    headline,
    label_of,
    remarks_of,
    since_text,
    source_and_place,
    spent_text,
)
from citeguard.sources.links import web_url

LONGEST = 65_536
"""The most characters that GitHub takes as a comment."""

_WORDS_LIMIT = 300
_FRAME_LIMIT = 300  # of a section without its items


def as_markdown(report: Report) -> str:
    """Return a report as GitHub-flavoured Markdown: what needs attention first, the rest folded.

    Markup, references, mentions and links in the text, its sources and their names have no effect,
    and control characters are written out. Long texts are cut, which `[…]` shows.
    If it exceeds `LONGEST`, each part is cut at its end, and says how much is missing.

    Examples:
        >>> from citeguard import Report
        >>> report = Report(text="", sources=(), claims=())
        >>> as_markdown(report).splitlines()[0]
        '## Nothing to check'
    """
    sections = [section for section in _sections(report) if section.items]
    page = _head(report)
    # Each leaves room for the frames of those behind it, so that all say how much they omit.
    for later, section in zip(reversed(range(len(sections))), sections, strict=True):
        page += section.fitted(LONGEST - len(page) - later * _FRAME_LIMIT)
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
        f"| {VERDICTS[shown].icon} {VERDICTS[shown].label} | {count:,} |\n"
        for shown, count in report.counts.items()
    )
    judges = "".join(f"\nJudge {escaped(str(stage), _WORDS_LIMIT)}\n" for stage in report.models)
    spent = "" if report.spent is None else f"\n{spent_text(report.spent)}\n"
    since = f"\n{since_text(report)}\n" if report.mended is not None else ""
    head = f"## {headline(report)}\n{since}{spent}\n"
    return f"{head}| Verdict | Claims |\n| :-- | --: |\n{rows}{judges}"


def _sections(report: Report) -> Iterator[_Section]:
    claims = [*map(_urgent, report.urgent)]
    yield _Section(opening="\n### Needs attention\n", items=claims, noun="claim")
    remarks = {kind: list[str]() for kind in ("citation", "unread", "uncovered")}
    for each in remarks_of(report):
        remarks[each.kind].append(f"- **{each.title}**: {escaped(each.text, LIMIT)}\n")
    yield _Section(opening="\n### Citations\n\n", items=remarks["citation"], noun="finding")
    yield _Section(opening="\n### Not read\n\n", items=remarks["unread"], noun="page")
    rest = [*map(_row, report.settled)]
    head = "| Claim | Verdict | Source |\n| :-- | :-- | :-- |\n"
    yield _folded("Supported, or nothing to check", rest, above=head, noun="claim")
    yield _folded("Sentences without a claim", remarks["uncovered"], noun="sentence")


def _folded(summary: str, items: Sequence[str], *, above: str = "", noun: str) -> _Section:
    opening = f"\n<details>\n<summary>{summary} ({len(items):,})</summary>\n\n{above}"
    return _Section(opening=opening, items=items, closing="\n</details>\n", noun=noun)


def _urgent(claim: CheckedClaim) -> str:
    title = f"{VERDICTS[claim.shown].icon} Claim {claim.number}: {label_of(claim).lower()}"
    title += f" ({escaped(claim.place)})" if claim.place else ""
    quoted = partial(escaped, limit=_WORDS_LIMIT)
    facts = "\n".join(f"- {fact.line(quoted, _linked)}" for fact in facts_of(claim))
    parts = [
        f"#### {title}",
        f"> {as_paragraph(claim.text)}",
        as_paragraph(claim.explanation),
        facts,
    ]
    return "".join(f"\n{part}\n" for part in parts if part)


def _linked(place: Place) -> str:
    """Return where words are, as a link if their source is of the web."""
    named, link = escaped(source_and_place(place)), web_url(place.url)
    if link is None:
        return named
    # In angle brackets only these end an address; a backslash is none of its characters.
    return f"[{named}](<{link.replace('<', '%3C').replace('>', '%3E')}>)"


def _row(claim: CheckedClaim) -> str:
    words = f"{claim.number}: {escaped(claim.text, _WORDS_LIMIT)}"
    verdict = f"{VERDICTS[claim.shown].icon} {VERDICTS[claim.shown].label}"
    why = claim.set_aside or ("" if claim.deciding is None else _linked(claim.deciding))
    return f"| {words} | {verdict} | {why} |\n"
