"""The sources of a report, with pictures of the pages that claims rest on: `audited_sources`."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from citeguard.auditing.report import BY_URGENCY, AuditedClaim, AuditedPage, AuditedSource
from citeguard.documents.pdf.pictures import page_picture
from citeguard.sources.collection import Source, Sources
from citeguard.sources.layout import Layout, Page

_MOST_PICTURES = 40
"""Pages that a report shows: some 4 MB of pictures, which take a second or two to draw."""

_PagesById = Collection[tuple[str, int]]
"""The ids of sources with the numbers of pages."""


def audited_sources(sources: Sources, claims: Iterable[AuditedClaim]) -> tuple[AuditedSource, ...]:
    """Return sources as the report has them, with pictures of the pages that claims rest on.

    At most 40 pages are drawn: those of the most urgent claims.

    Args:
        sources: The sources.
        claims: The report's claims.

    Raises:
        CiteguardError: a page of a PDF file cannot be drawn.
    """
    shown = frozenset(islice(_pages_by_urgency(claims), _MOST_PICTURES))
    return tuple(
        AuditedSource(
            id=each.id,
            text=each.text,
            title=each.title,
            url=each.url,
            pages=() if each.layout is None else tuple(_pages(each, each.layout, shown)),
        )
        for each in sources
    )


def _pages_by_urgency(claims: Iterable[AuditedClaim]) -> Iterable[tuple[str, int]]:
    """Return the pages with the foremost words of claims, each once, most urgent first."""
    ordered = sorted(claims, key=lambda claim: BY_URGENCY.index(claim.verdict))
    places = filter(None, (claim.foremost for claim in ordered))
    return dict.fromkeys((place.source_id, box.page) for place in places for box in place.boxes)


def _pages(source: Source, layout: Layout, shown: _PagesById) -> Iterator[AuditedPage]:
    starts: dict[int, int] = {}
    for line in layout.printed:
        starts.setdefault(line.page, line.start)
    for page in layout.pages:
        yield AuditedPage(
            number=page.number,
            label=page.label,
            width=page.width,
            height=page.height,
            start=starts.get(page.number),
            picture=_picture(layout, page) if (source.id, page.number) in shown else "",
        )


def _picture(layout: Layout, page: Page) -> str:
    drawn = None if layout.file is None else page_picture(layout.file, page.number)
    return "" if drawn is None else b64encode(drawn).decode()
