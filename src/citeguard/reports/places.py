"""Sources as a report has them, and places in them: `checked_sources`, `place_of`."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from itertools import islice

from citeguard.documents.pdf.pictures import page_picture
from citeguard.judges.verdicts import Outcome
from citeguard.reports.report import (
    BY_URGENCY,
    CheckedClaim,
    CheckedSource,
    Place,
    Report,
    SourcePage,
)
from citeguard.sources.collection import Source, Sources, Span
from citeguard.sources.layout import Box, Layout

# Pages that a report shows, which take a few seconds to draw.
_MOST_PICTURES = 40

# The room for pictures, for each page of the sources, but at least for 100 pages. So a report on
# 100 pages takes a megabyte: half of it is pictures in Base64, and half is words.
_BYTES_PER_PAGE = 3_500

# Pictures by the ids of sources and the numbers of pages.
_Pictures = dict[tuple[str, int], bytes]


def checked_sources(sources: Sources, claims: Iterable[CheckedClaim]) -> tuple[CheckedSource, ...]:
    """Return sources as the report has them, with pictures of the pages that claims rest on.

    At most 40 pages are drawn, of at most 350 kB, or 3.5 kB for each page that there is: those of
    the most urgent claims. A page that cannot be drawn is a `CiteguardError`.
    """
    ordered = sorted(claims, key=lambda claim: BY_URGENCY.index(claim.shown))
    places = filter(None, (claim.foremost for claim in ordered))
    pages = dict.fromkeys((place.source_id, box.page) for place in places for box in place.boxes)
    files = {each.id: None if each.layout is None else each.layout.file for each in sources}
    there = sum(len(each.layout.pages) for each in sources if each.layout is not None)
    pictures, room = _Pictures(), _BYTES_PER_PAGE * max(100, there)
    for source_id, number in islice(pages, _MOST_PICTURES):
        file = files.get(source_id)
        drawn = None if file is None else page_picture(file, number, form="WEBP")
        # The most urgent come first, so what is left out matters least.
        if (room := room - len(drawn or b"")) < 0:
            break
        pictures[source_id, number] = drawn or b""
    return tuple(
        CheckedSource(
            id=each.id,
            text=each.text,
            title=each.title,
            url=each.url,
            kind=None if each.layout is None else each.layout.kind,
            headings=tuple(() if each.layout is None else each.layout.headings),
            pages=() if each.layout is None else tuple(_pages(each.id, each.layout, pictures)),
        )
        for each in sources
    )


def _pages(source_id: str, layout: Layout, pictures: _Pictures) -> Iterator[SourcePage]:
    starts: dict[int, int] = {}
    for line in layout.printed:
        starts.setdefault(line.page, line.start)
    for page in layout.pages:
        yield SourcePage(
            number=page.number,
            label=page.label,
            width=page.width,
            height=page.height,
            start=starts.get(page.number),
            picture=b64encode(pictures.get((source_id, page.number), b"")).decode(),
        )


def place_of(span: Span, sources: Sources, outcome: Outcome | None = None) -> Place:
    """Return words of a source as a report has them; see `Place.outcome`."""
    found, source = sources.location_of(span), sources[span.source_id]
    return Place(
        source_id=span.source_id,
        start=span.start,
        end=span.end,
        line=found.line,
        text=sources.slice(span),
        title=(source.title or "") if "://" in source.id else "",
        url=found.url or source.url or "",
        outcome=outcome,
        headings=found.headings,
        page=found.page,
        page_label=found.page_label,
        # In tenths of points, finer than any screen shows, and shorter to write.
        boxes=tuple(
            Box(each.page, *(round(e, 1) for e in (each.left, each.top, each.right, each.bottom)))
            for each in found.boxes
        ),
        detail=found.detail,
        doubts=tuple(dict.fromkeys(each.reason for each in source.doubts_in(span.start, span.end))),
    )


def with_places(report: Report, source: Source) -> Report:
    """Return the report of a text, whose claims say where they are in the file that it is from."""
    if not report.claims:
        return report
    sources = Sources([source])
    spans = [Span(source.id, claim.start, claim.end) for claim in report.claims]
    claims = (
        claim.model_copy(update={"place": str(sources.location_of(span))})
        for claim, span in zip(report.claims, spans, strict=True)
    )
    return report.model_copy(update={"claims": tuple(claims)})
