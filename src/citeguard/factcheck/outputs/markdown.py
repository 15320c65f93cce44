"""A fact check as Markdown, for a comment or a summary: `as_markdown`."""

from __future__ import annotations

from collections.abc import Iterator

from citeguard.factcheck.outputs.wording import (
    ICONS,
    LABELS,
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
from citeguard.language.excerpts import LIMIT, as_paragraph, counted_as, escaped
from citeguard.sources.links import web_url

LONGEST = 65_536
"""The most characters that GitHub takes as a comment."""

_WORDS_LIMIT = 300
_MOST_PASSAGES = 4
_NOTE_ROOM = 200  # characters, for how much is missing and what all of it took


def as_markdown(report: FactReport) -> str:
    """Return a fact check as GitHub-flavoured Markdown of at most `LONGEST` characters.

    Markup, references and mentions in statements and pages have no effect, and addresses become
    links only if they are `http` or `https`. What does not fit is counted.

    Examples:
        >>> as_markdown(FactReport(text="", checks=())).splitlines()[0]
        '## Fact check: nothing to check'
    """
    title = summary(report)
    page = f"## Fact check: {title[0].lower()}{title[1:]}\n"
    for number, check in enumerate(report.checks):
        section = "".join(f"\n{part}\n" for part in _parts(check))
        if len(page) + len(section) > LONGEST - _NOTE_ROOM:
            missing = counted_as(len(report.checks) - number, "statement")
            page += f"\n**{missing} omitted here**: the page would be too long.\n"
            break
        page += section
    return f"{page}\n{spent_text(report.spent)}\n"


def _parts(check: FactCheck) -> Iterator[str]:
    yield f"### {ICONS[shown_as(check)]} {LABELS[shown_as(check)]}"
    yield f"> {as_paragraph(check.statement)}"
    yield as_paragraph(why(check))
    passages = deciding(check) or nearest(check)
    if passages:
        yield "\n".join(map(_passage, passages[:_MOST_PASSAGES]))
    problems = [*_problems(check)]
    if problems:
        yield "\n".join(problems)


def _passage(passage: CheckedPassage) -> str:
    words = escaped(quoted(passage), _WORDS_LIMIT)
    against = "contradicts: " if passage.outcome == "contradicted" else ""
    return f"- {against}“{words}” ({_linked(passage)})"


def _linked(passage: CheckedPassage) -> str:
    title = escaped(place_of(passage), _WORDS_LIMIT)
    link = web_url(passage.link or passage.url)
    if link is None:
        return title
    # In angle brackets only these end an address; a backslash is none of its characters.
    address = link.replace("<", "%3C").replace(">", "%3E")
    return f"[{title}](<{address}>)"


def _problems(check: FactCheck) -> Iterator[str]:
    for search in failed_searches(check):
        what = "Not searched" if search.failure is not None else "Searched in part"
        query = escaped(search.query, _WORDS_LIMIT)
        yield f"- {what}: “{query}”: {escaped(search_text(search), LIMIT)}"
    for page in unread(check):
        yield f"- Not read: {escaped(page.url, LIMIT)}: {escaped(page_text(page), LIMIT)}"
