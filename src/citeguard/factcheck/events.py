"""What happens in a fact check while it runs: typed events, in the order in which they happen."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from citeguard.reports.report import CheckedClaim, CheckedLink, Part, Place, Report, Search


class StatementFound(Part):
    """A statement of the text was found. If it is not checkable, its verdict follows at once.

    Attributes:
        number: Its place among the statements, from 1.
        statement: Its words.
        start: Where they start in the text, in code points.
        end: Where they end, exclusive.
        checkable: Whether pages can decide it.
        reason: Why not, in a sentence.
    """

    event: Literal["statement"] = "statement"
    number: int
    statement: str
    start: int
    end: int
    checkable: bool = True
    reason: str = ""


class QueriesWritten(Part):
    """What will be searched for."""

    event: Literal["queries"] = "queries"
    number: int
    queries: tuple[str, ...]


class SearchEnded(Part):
    """A search has ended, with results or without."""

    event: Literal["results"] = "results"
    number: int
    search: Search


class PageRead(Part):
    """A page was fetched, or could not be."""

    event: Literal["page"] = "page"
    number: int
    page: CheckedLink


class PassagesChosen(Part):
    """The passages that will be judged, the best first."""

    event: Literal["passages"] = "passages"
    number: int
    passages: tuple[Place, ...]


class VerdictReached(Part):
    """A statement has been checked."""

    event: Literal["verdict"] = "verdict"
    number: int
    claim: CheckedClaim


class CheckEnded(Part):
    """The last event: all of it."""

    event: Literal["report"] = "report"
    report: Report


FactEvent = Annotated[
    StatementFound
    | QueriesWritten
    | SearchEnded
    | PageRead
    | PassagesChosen
    | VerdictReached
    | CheckEnded,
    Field(discriminator="event"),
]
"""An event of a fact check.

For each statement the events come in the order statement, queries, results, page, passages,
verdict; those of several statements are interleaved.
"""
