"""What people read in a fact check: the words for outcomes, and a few sentences.

Examples:
    >>> LABELS["contradicted"], PAGE_LABELS["paywalled"]
    ('Contradicted', 'behind a paywall')
"""

from __future__ import annotations

import re
from collections import Counter

from citeguard.factcheck.report import (
    CheckedPassage,
    FactCheck,
    FactFlag,
    FactReport,
    ReadPage,
    Search,
    Spent,
)
from citeguard.judges.verdicts import Outcome
from citeguard.language.excerpts import counted_as, excerpt
from citeguard.sources.links import web_url
from citeguard.web.page import PageOutcome
from citeguard.web.search import SearchFailure

Shown = Outcome | FactFlag
"""An outcome, or the flag in its place."""

LABELS: dict[Shown, str] = {
    "supported": "Supported",
    "contradicted": "Contradicted",
    "unsupported": "Unsupported",
    "undecided": "Undecided",
    "conflicting": "Disputed",
    "not_checkable": "Not checkable",
}
"""A verdict in a few words. It says what the pages say, and no more."""

ICONS: dict[Shown, str] = {
    "supported": "✓",
    "contradicted": "✕",
    "unsupported": "?",
    "undecided": "…",
    "conflicting": "≠",
    "not_checkable": "–",
}
"""One column wide each."""

ASCII_ICONS: dict[Shown, str] = dict(zip(ICONS, "+x?.!-", strict=True))
"""For what cannot encode `ICONS`."""

MEANINGS: dict[Shown, str] = {
    "supported": "Pages that were read say so.",
    "contradicted": "Pages that were read say otherwise.",
    "unsupported": "Pages were read, and none of them says so or otherwise.",
    "undecided": "It could not be decided: this does not mean that it is false.",
    "conflicting": "Some pages say so, and others say otherwise.",
    "not_checkable": "No page can decide it.",
}

PAGE_LABELS: dict[PageOutcome, str] = {
    "fetched": "read",
    "dead": "no such page",
    "blocked": "may not be read",
    "paywalled": "behind a paywall",
    "too_large": "too large",
    "unsupported_type": "cannot be read",
    "unreachable": "no answer",
    "refused": "not opened",
}

FAILURE_LABELS: dict[SearchFailure, str] = {
    "auth": "the key is wrong",
    "quota": "the key is used up",
    "rate_limited": "too many searches at a time",
    "outage": "no answer",
    "bad_reply": "the answer cannot be read",
    "refused": "the query was refused",
}

FAILING: tuple[Outcome, ...] = ("contradicted", "unsupported")
"""The outcomes of statements that fail a check."""

_FILE = re.compile(r"file:///[^/\\\s][^\x00-\x20\x7f-\x9f\\]*\Z")
_DECISIVE = ("supported", "contradicted")
_ENOUGH = 40  # characters of words that can be understood alone
_QUOTED = 300
_MOST_NEAREST = 2  # passages shown of a statement that none decides


def deciding(check: FactCheck) -> list[CheckedPassage]:
    """Return the passages that decide, each page once; empty if none does."""
    seen: dict[tuple[str, str | None], CheckedPassage] = {}
    for passage in check.passages:
        if passage.outcome in _DECISIVE:
            seen.setdefault((passage.url, passage.outcome), passage)
    return list(seen.values())


def nearest(check: FactCheck) -> list[CheckedPassage]:
    """Return the passages that come closest to a statement that no passage decides."""
    return [] if deciding(check) else list(check.passages[:_MOST_NEAREST])


def unread(check: FactCheck) -> list[ReadPage]:
    """Return the pages that were found, and could not be read."""
    return [page for page in check.pages if page.outcome != "fetched"]


def failed_searches(check: FactCheck) -> list[Search]:
    """Return the searches that failed, or that only a part of the engines answered."""
    return [search for search in check.searches if search.failure is not None or search.partial]


def origins_text(check: FactCheck) -> str:
    """Return how many independent origins decide, as a sentence; empty if none does.

    Examples:
        >>> check = FactCheck(
        ...     statement="It rained.", outcome="undecided", origins_for=2, origins_against=1
        ... )
        >>> origins_text(check)
        '2 independent origins support it, 1 contradicts it.'
    """
    parts: list[str] = []
    for count, one, several in (
        (check.origins_for, "supports", "support"),
        (check.origins_against, "contradicts", "contradict"),
    ):
        if count:
            noun = "" if parts else " origin" if count == 1 else " independent origins"
            parts.append(f"{count:,}{noun} {one if count == 1 else several} it")
    return f"{', '.join(parts)}." if parts else ""


def page_text(page: ReadPage) -> str:
    """Return what became of a page: "behind a paywall (402): the page asks for a subscription"."""
    status = "" if page.status is None or page.outcome == "fetched" else f" ({page.status})"
    reason = f": {page.reason}" if page.reason else ""
    return f"{PAGE_LABELS[page.outcome]}{status}{reason}"


def search_text(search: Search) -> str:
    """Return what came of a search: "3 pages found", or why it failed."""
    if search.failure is not None:
        return search.reason or FAILURE_LABELS[search.failure]
    found = f"{counted_as(len(search.results), 'page')} found"
    notes = [search.reason] if search.reason else []
    notes = notes or (["some engines did not answer"] if search.partial else [])
    return ": ".join([found, *notes])


def spent_text(spent: Spent) -> str:
    """Return what a check took, on one line.

    Examples:
        >>> spent_text(Spent(searches=1, pages=4))
        '1 search, 4 pages'
    """
    searches = "1 search" if spent.searches == 1 else f"{spent.searches:,} searches"
    parts = [searches, counted_as(spent.pages, "page")]
    if spent.calls:
        parts += [counted_as(spent.calls, "call"), counted_as(spent.tokens, "token")]
    if spent.cost:
        parts.append(f"cost {spent.cost:.4f}")
    return ", ".join(parts)


def shown_as(check: FactCheck) -> Shown:
    """Return how a check is shown: by its flag, if it has one, or else by its outcome."""
    return check.flag or check.outcome


def counts(report: FactReport) -> list[tuple[Shown, int]]:
    """Return how many statements are shown in each way, in the order of `LABELS`, without zeros."""
    counted = Counter(map(shown_as, report.checks))
    return [(shown, counted[shown]) for shown in LABELS if counted[shown]]


def summary(report: FactReport) -> str:
    """Return the counts on one line.

    Examples:
        >>> summary(FactReport(text="", checks=()))
        'Nothing to check'
    """
    if not report.checks:
        return "Nothing to check"
    listed = ", ".join(f"{count:,} {LABELS[outcome].lower()}" for outcome, count in counts(report))
    return f"{counted_as(len(report.checks), 'statement')}: {listed}"


def why(check: FactCheck) -> str:
    """Return why a statement has its outcome."""
    return check.reason or origins_text(check) or MEANINGS[shown_as(check)]


def name_of(title: str, url: str) -> str:
    """Return the title of a page or, without one, its address."""
    return title if title.strip() else url


def place_of(passage: CheckedPassage) -> str:
    """Return the title of a passage's page, and the heading that it is under.

    Examples:
        >>> place = {"url": "https://example.org", "text": "It rained.", "start": 0, "end": 10}
        >>> place_of(CheckedPassage(title="Rain in May", heading="Floods", **place))
        'Rain in May, Floods'
    """
    title, heading = name_of(passage.title, passage.url), passage.heading.strip()
    return title if not heading or heading in title else f"{title}, {heading}"


def address_of(passage: CheckedPassage) -> str | None:
    """Return a link to a passage, of the web or to a file of this machine; `None` if it is neither.

    Not to a file of another machine: to open one can tell that machine who opens it.

    Examples:
        >>> passage = CheckedPassage(url="javascript:alert(1)", text="", start=0, end=0)
        >>> print(address_of(passage))
        None
    """
    return opened(passage.link or passage.url)


def opened(url: str) -> str | None:
    """Return an address if it can be a link, or `None`; see `address_of`."""
    return url if web_url(url) or _FILE.match(url) else None


def quoted(passage: CheckedPassage) -> str:
    """Return the words of a passage that decide or, if they are few, with what is around them."""
    before, words, _ = around(passage)
    if len(words) >= _ENOUGH:
        return words
    start = len(before) if words else 0
    return excerpt(passage.text, _QUOTED, start, start + len(words))


def around(passage: CheckedPassage) -> tuple[str, str, str]:
    """Return a passage as what precedes the words that decide, those words, and what follows.

    The second is empty if no words decide.
    """
    before, words, after = passage.text.partition(passage.words) if passage.words else ("", "", "")
    return (before, words, after) if words else (passage.text, "", "")
