"""Whether a reference that was kept still stands in today's documents: `state_of`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, Protocol

from citeguard.library.reply import Reference
from citeguard.sources.collection import Passage, Source, Sources
from citeguard.sources.matches import locate

ReferenceState = Literal[
    "stands",
    "source_changed",
    "source_removed",
    "quote_missing",
    "quote_on_other_page",
    "under_other_heading",
    "in_other_source",
]
"""What has become of a reference.

- `stands`: its document has the quote where it says.
- `source_changed`: the document is another than the one that was quoted.
- `source_removed`: the document is gone, and no other that was found has the quote.
- `quote_missing`: neither its document nor another that was found has the quote.
- `quote_on_other_page`, `under_other_heading`: its document has the quote elsewhere than it says.
- `in_other_source`: another document has the quote, and its own has not.
"""

_OTHERS = 4  # passages in which a quote is looked for, beside its own document


class Searchable(Protocol):
    """The documents in which references are looked up."""

    def __contains__(self, source_id: object) -> bool:
        """Return whether there is a document with this id."""
        ...

    def versioned(self, source_id: str, /) -> tuple[str, Source]:
        """Return the SHA-256 of a document's content, and the document."""
        ...

    def search(
        self, query: str, *, k: int, source_ids: Collection[str] | None = None
    ) -> list[Passage]:
        """Return the passages that match a query best."""
        ...


def state_of(reference: Reference, documents: Searchable) -> ReferenceState:
    """Return whether a reference stands in documents, and if not, why."""
    source_id = reference.source_id
    if source_id not in documents:
        return "in_other_source" if _elsewhere(reference, documents) else "source_removed"
    version, source = documents.versioned(source_id)
    if reference.version and reference.version != version:
        return "source_changed"
    sources = Sources(source)
    span = reference.span
    if span.source_id != source_id or sources.slice(span) != reference.quote:
        match = locate(reference.quote, sources)
        if match is None or not match.accepted:
            return "in_other_source" if _elsewhere(reference, documents) else "quote_missing"
        span = match.spans[0]
    place = sources.location_of(span)
    if reference.page is not None and reference.page != place.page:
        return "quote_on_other_page"
    if reference.heading and reference.heading != " › ".join(place.headings):
        return "under_other_heading"
    return "stands"


def _elsewhere(reference: Reference, documents: Searchable) -> bool:
    """Return whether another document has the quote, of those that a search finds."""
    found = documents.search(reference.quote, k=_OTHERS)
    others = {each.span.source_id for each in found} - {reference.source_id}
    for source_id in sorted(others):
        match = locate(reference.quote, documents.versioned(source_id)[1])
        if match is not None and match.accepted:
            return True
    return False
