"""Fact checks made by hand, and the events of one, for tests of what shows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from citeguard.factcheck.events import (
    CheckEnded,
    FactEvent,
    PageRead,
    PassagesChosen,
    QueriesWritten,
    SearchEnded,
    StatementFound,
    VerdictReached,
)
from citeguard.factcheck.report import (
    CheckedPassage,
    FactCheck,
    FactReport,
    FoundPage,
    ReadPage,
    Search,
    Spent,
)

STATEMENT = "The bridge opened in 1937."
OPENED = "The bridge opened to traffic in May 1937, after four years of work."


def page(number: int = 1, **fields: Any) -> ReadPage:
    """Return a page that was read, or what the fields say became of it."""
    given: dict[str, Any] = {
        "outcome": "fetched",
        "status": 200,
        "origin": number,
        "title": f"Page {number}",
    }
    return ReadPage(url=f"https://example{number}.org/bridge", **{**given, **fields})


def passage(number: int = 1, **fields: Any) -> CheckedPassage:
    """Return a passage that supports the statement, or what the fields say."""
    given: dict[str, Any] = {
        "title": f"Page {number}",
        "text": OPENED,
        "start": 0,
        "end": len(OPENED),
        "link": f"https://example{number}.org/bridge#:~:text=opened%20to%20traffic",
        "outcome": "supported",
        "score": 0.9,
        "words": "opened to traffic in May 1937",
        "origin": number,
    }
    return CheckedPassage(url=f"https://example{number}.org/bridge", **{**given, **fields})


def search(**fields: Any) -> Search:
    """Return a search that found a page."""
    found = FoundPage(url="https://example1.org/bridge", title="Page 1", snippet="A bridge.")
    given: dict[str, Any] = {"query": STATEMENT, "provider": "Scripted", "results": (found,)}
    return Search(**{**given, **fields})


def check(outcome: Any = "supported", **fields: Any) -> FactCheck:
    """Return a check with an outcome, by default with a page that supports the statement."""
    given: dict[str, Any] = {
        "statement": STATEMENT,
        "end": len(STATEMENT),
        "searches": (search(),),
        "pages": (page(),),
        "passages": (passage(),),
        "origins_for": 1,
        "spent": Spent(searches=1, pages=1, seconds=0.5),
    }
    return FactCheck(outcome=outcome, **{**given, **fields})


def report(*checks: FactCheck) -> FactReport:
    """Return a report on these checks, or on one that is supported."""
    text = " ".join(each.statement for each in checks)
    spent = Spent(searches=len(checks), pages=len(checks), seconds=0.5)
    return FactReport(text=text, checks=checks, spent=spent)


CONTRADICTED = check(
    "contradicted",
    number=2,
    statement="The bridge opened in 1938.",
    origins_for=0,
    origins_against=2,
    reason="The source says 1937, not 1938.",
    passages=(passage(1, outcome="contradicted"), passage(2, outcome="contradicted")),
    pages=(page(1), page(2), page(3, outcome="paywalled", status=402, origin=None, reason="Pay.")),
)
UNDECIDED = check(
    "undecided",
    number=3,
    statement="It is painted red.",
    origins_for=0,
    causes=("search_failed",),
    reason="No search engine answered.",
    searches=(search(results=(), failure="outage"),),
    pages=(),
    passages=(),
)
OPINION = check(
    "undecided",
    flag="not_checkable",
    number=4,
    statement="I like it.",
    origins_for=0,
    searches=(),
    pages=(),
    passages=(),
    reason="This is an opinion, which no source can support.",
)
DISPUTED = check(
    "undecided",
    flag="conflicting",
    number=5,
    statement="The bridge has a toll.",
    reason="1 origin supports it, 1 origin contradicts it.",
    passages=(passage(1), passage(2, outcome="contradicted")),
)
ALL = report(check(), CONTRADICTED, UNDECIDED, OPINION, DISPUTED)

EVIL = "<img src=x onerror=alert(1)>\x1b[31m\u202e"
HOSTILE = report(
    check(
        "contradicted",
        statement=f"{EVIL} ![a](b)",
        reason=EVIL,
        origins_for=0,
        origins_against=1,
        searches=(search(query=EVIL, provider=EVIL, reason=EVIL, partial=True),),
        pages=(
            page(1, title=EVIL, final_url="javascript:alert(1)"),
            ReadPage(url="javascript:alert(2)", outcome="refused", reason=EVIL),
        ),
        passages=(
            passage(
                1,
                outcome="contradicted",
                title=EVIL,
                heading=EVIL,
                text=f"before {EVIL} after",
                words=EVIL,
                link="javascript:alert(3)",
            ),
        ),
    )
)
"""A report on pages that try to get out of whatever shows it."""


def events_of(checked: FactReport) -> Iterator[FactEvent]:
    """Yield the events of a check with this report, in their order."""
    for each in checked.checks:
        number = each.number
        yield StatementFound(
            number=number,
            statement=each.statement,
            start=each.start,
            end=each.end,
            checkable=each.flag != "not_checkable",
            reason=each.reason if each.flag == "not_checkable" else "",
        )
        if each.flag != "not_checkable":
            yield QueriesWritten(number=number, queries=tuple(one.query for one in each.searches))
            yield from (SearchEnded(number=number, search=one) for one in each.searches)
            yield from (PageRead(number=number, page=one) for one in each.pages)
            yield PassagesChosen(number=number, passages=each.passages)
        yield VerdictReached(number=number, check=each)
    yield CheckEnded(report=checked)
