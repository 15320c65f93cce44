"""What a fact check says: `FactReport`, a `FactCheck` for each statement, and what it rests on."""

from __future__ import annotations

import json
from datetime import datetime
from os import PathLike
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from citeguard.judges.verdicts import Outcome
from citeguard.reports.report import Part, written
from citeguard.web.page import PageOutcome
from citeguard.web.search import SearchFailure

if TYPE_CHECKING:
    from rich.console import RenderableType

FactOutcome = Literal[
    "supported",
    "contradicted",
    "partly",
    "conflicting",
    "unsupported",
    "undecided",
    "not_checkable",
]
"""What the pages say of a statement.

`supported`, `contradicted`: a passage of a page that was read says so. `partly`: the statement has
parts, and the pages do not say the same of all of them. `conflicting`: some pages support it, and
some contradict it. `unsupported`: pages were read, nothing failed, and none of them says so
or otherwise. `undecided`: no page decides it, and something failed, a budget ran out, or nothing
was found, so that others might. `not_checkable`: an opinion, a question or another statement that
no page can decide.
"""

UndecidedCause = Literal[
    "budget", "search_failed", "page_unread", "nothing_found", "judge_failed", "ambiguous"
]
"""Why a check is `undecided`: a budget ran out; a search failed; a page that was found could not be
read; no page was found; a judge could not decide; a name can mean several things."""


class FoundPage(Part):
    """A result of a search, as the provider shows it. It is not evidence.

    Attributes:
        url: The page's address.
        title: Its title.
        snippet: What the provider shows of it.
        rank: Its place among the results, from 1.
    """

    url: str
    title: str = ""
    snippet: str = ""
    rank: int = 1


class Search(Part):
    """A search: what was asked of whom, and what came back.

    Attributes:
        query: The words that were searched for.
        provider: The provider's name.
        results: The pages that it found, the best first.
        partial: Whether something that was to be searched did not answer.
        failure: Why the search failed; `None` if it did not.
        reason: What a reader should know of it, in a sentence; empty if there is nothing.
        ambiguous: Names that can mean several things, a sentence each.
    """

    query: str
    provider: str = ""
    results: tuple[FoundPage, ...] = ()
    partial: bool = False
    failure: SearchFailure | None = None
    reason: str = ""
    ambiguous: tuple[str, ...] = ()


class ReadPage(Part):
    """A page that was asked for, and what became of it.

    Attributes:
        url: The address that was asked for.
        final_url: The address that answered in the end.
        title: Its title.
        outcome: What became of it.
        reason: Why it was not fetched, in a sentence; empty if it was.
        status: The HTTP status; `None` without an answer.
        content_type: What the server calls it.
        sha256: Of its decoded body, in hexadecimal.
        fetched_at: When the answer came, in UTC.
        origin: A number that it shares with its copies and with pages of the same domain; `None`
            if it was not fetched.
    """

    url: str
    final_url: str = ""
    title: str = ""
    outcome: PageOutcome
    reason: str = ""
    status: int | None = None
    content_type: str = ""
    sha256: str = ""
    fetched_at: datetime | None = None
    origin: int | None = None


class CheckedPassage(Part):
    """A passage of a page, and what it says of the statement.

    Attributes:
        url: The page's address: the `url` of a `ReadPage`.
        title: The page's title.
        heading: The heading that the passage is under; empty without one.
        text: The passage, verbatim.
        start: Where it starts in the page's text, in code points.
        end: Where it ends, exclusive.
        link: The page's address with a text fragment, by which browsers highlight the words that
            decide, or else the passage.
        outcome: What the judge says of the statement, having read this passage; `None` if it was
            not asked.
        score: How well the passage supports the statement, 0 to 1; `None` if the judge gives none.
        words: The words that decide, verbatim; empty if there are none.
        reason: Why, in a sentence.
        judge: The judge's name.
        origin: The `origin` of its page.
    """

    url: str
    title: str = ""
    heading: str = ""
    text: str
    start: int
    end: int
    link: str = ""
    outcome: Outcome | None = None
    score: float | None = None
    words: str = ""
    reason: str = ""
    judge: str = ""
    origin: int | None = None


class Spent(Part):
    """What a check took.

    Attributes:
        searches: Searches that were sent.
        pages: Pages that were asked for, those from the cache included.
        calls: Calls of models that are not local.
        tokens: Their tokens.
        cost: What they cost, in the currency of their prices.
        seconds: Seconds on the clock.
    """

    searches: int = 0
    pages: int = 0
    calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0


class CheckedPart(Part):
    """A part of a statement that says several things, and what the pages say of it.

    Attributes:
        text: The part, in words that can be read alone.
        outcome: What the pages say of it.
    """

    text: str
    outcome: FactOutcome


class FactCheck(Part):
    """What the pages say of a statement.

    Attributes:
        number: Its place among the statements of the text, from 1.
        statement: The statement.
        start: Where its words start in the text, in code points.
        end: Where they end, exclusive.
        outcome: What the pages say of it.
        reason: Why, in a sentence.
        causes: Why it is undecided; empty if it is not.
        score: How well the best passage supports it, 0 to 1; `None` without one.
        origins_for: How many independent origins support it.
        origins_against: How many contradict it.
        searches: The searches, in the order in which they were sent.
        pages: The pages that were asked for, in the order of the results.
        passages: The passages that were judged, those that decide first.
        parts: Its parts, if it has several and they were judged one by one.
        dropped_facts: How many facts a language model claimed to have read in the pages, with a
            quote that their text does not have; see `FactReader`.
        spent: What it took. Searches and pages that several statements need count for the first.
    """

    number: int = 1
    statement: str
    start: int = 0
    end: int = 0
    outcome: FactOutcome
    reason: str = ""
    causes: tuple[UndecidedCause, ...] = ()
    score: float | None = None
    origins_for: int = 0
    origins_against: int = 0
    searches: tuple[Search, ...] = ()
    pages: tuple[ReadPage, ...] = ()
    passages: tuple[CheckedPassage, ...] = ()
    parts: tuple[CheckedPart, ...] = ()
    dropped_facts: int = 0
    spent: Spent = Field(default_factory=Spent)


class FactReport(Part):
    """What the pages say of a text, statement by statement.

    Attributes:
        text: The text.
        checks: Its statements, in the order of the text.
        spent: What all of it took.
    """

    text: str
    checks: tuple[FactCheck, ...]
    spent: Spent = Field(default_factory=Spent)

    def to_html(self, path: str | PathLike[str] | None = None, *, title: str | None = None) -> str:
        """Return the report as one page without script, and write it to a file if a path is given.

        The page loads nothing from outside, and everything in it is escaped.

        Args:
            path: A file to write, as UTF-8.
            title: The page's title.

        Raises:
            OSError: The file cannot be written.
        """
        from citeguard.factcheck.outputs.html import as_html

        return written(as_html(self, title=title), path)

    def to_json(self, path: str | PathLike[str] | None = None) -> str:
        """Return all of the report as JSON in ASCII, whatever characters the pages have.

        `FactReport.model_validate_json` reads it.

        Args:
            path: A file to write.

        Raises:
            OSError: The file cannot be written.
        """
        return written(json.dumps(self.model_dump(mode="json"), indent=2), path)

    def to_markdown(self, path: str | PathLike[str] | None = None) -> str:
        """Return the report as Markdown, for a comment on a change or the summary of a CI run.

        Args:
            path: A file to write, as UTF-8.

        Raises:
            OSError: The file cannot be written.
        """
        from citeguard.factcheck.outputs.markdown import as_markdown

        return written(as_markdown(self), path)

    def __rich__(self) -> RenderableType:
        """Show the report in a terminal, with `rich.print`."""
        from citeguard.factcheck.outputs.terminal import as_renderable

        return as_renderable(self)
