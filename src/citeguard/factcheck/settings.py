"""What a check of facts may take and how it works: `FactBudget` and `FactPolicy`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from citeguard.errors import check_whole
from citeguard.judges.usage import Budget
from citeguard.retrieval.search import Retriever
from citeguard.web.search import SearchQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class FactBudget(Budget):
    """What a check of a text may take; `None` means no limit.

    When something is spent, statements that the pages read so far do not decide are `undecided`,
    with the cause `budget`. Verdicts and pages from a cache cost nothing but their time; pages
    count all the same.

    Attributes:
        calls: The most calls of models that are not local.
        tokens: No further call is made once this many tokens are used.
        seconds: The most seconds on the clock, from the start of the check; then everything that is
            under way is cancelled.
        cost: No further call is made once the tokens cost this much, by the prices of the judges.
        searches: The most searches that are sent, over all statements and providers.
        pages: The most pages that are asked for, over all statements.

    Raises:
        CiteguardError: A number below 0.
    """

    searches: int | None = None
    pages: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FactPolicy:
    """How statements are checked.

    Attributes:
        limit: The most pages that are read for one query.
        passages: The most passages that are judged for one query, and for the statement.
        retriever: Finds passages in pages; by default BM25, without references and navigation.
        domains: If there are any, only pages of these domains are searched for.
        not_domains: No pages of these domains are searched for.
        since: If given, only pages published on that day or later are searched for, where a
            provider knows the day.
        language: The language of the pages, as an ISO 639-1 code.

    Raises:
        CiteguardError: A number is too small.
    """

    limit: int = 3
    passages: int = 4
    retriever: Retriever | None = None
    domains: Sequence[str] = ()
    not_domains: Sequence[str] = ()
    since: date | None = None
    language: str = "en"

    def __post_init__(self) -> None:
        """Validate the numbers."""
        check_whole("FactPolicy(limit=...)", self.limit, 1)
        check_whole("FactPolicy(passages=...)", self.passages, 1)

    def query(self, text: str, context: str = "") -> SearchQuery:
        """Return what a provider is asked."""
        return SearchQuery(
            text=text,
            limit=self.limit,
            domains=tuple(self.domains),
            not_domains=tuple(self.not_domains),
            since=self.since,
            language=self.language,
            context=context,
        )
