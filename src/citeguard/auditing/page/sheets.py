"""Pages of PDF files as a page shows them, with the words marked that claims rest on: `sheets`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from citeguard.auditing.page.places import PlaceView, Shelf, sheet_id
from citeguard.auditing.places import AuditedPage
from citeguard.auditing.results import AuditResult
from citeguard.sources.layout import Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Marking:
    """What a place covers of a sheet.

    Attributes:
        place: The number of the place.
        first: Whether the place starts here; else it goes on from another sheet.
        boxes: What it covers, line by line.
    """

    place: int
    first: bool
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A page of a PDF file, with its picture.

    Attributes:
        id: What links to it name.
        source: What its source is called.
        page: The page.
        markings: The places on it that claims rest on.
        claims: The numbers of these claims, in order.
    """

    id: str
    source: str
    page: AuditedPage = field(repr=False)
    markings: tuple[Marking, ...]
    claims: tuple[int, ...]


def sheets(report: AuditResult, shelf: Shelf) -> Iterator[Sheet]:
    """Yield the pages that claims of a report rest on and that it has pictures of, by source.

    Examples:
        >>> from citeguard import AuditReport
        >>> list(sheets(report := AuditReport(text="", sources=(), claims=()), Shelf(report)))
        []
    """
    resting = _claims_by_place(report, shelf)
    by_sheet: dict[str, list[PlaceView]] = {}
    for view in shelf.places:
        for sheet in view.sheets:
            by_sheet.setdefault(sheet, []).append(view)
    for source in shelf.sources:
        for page in source.source.pages:
            sheet = sheet_id(source.number, page.number)
            if views := by_sheet.get(sheet):
                yield Sheet(
                    id=sheet,
                    source=source.name,
                    page=page,
                    markings=tuple(_marking(view, page, sheet) for view in views),
                    claims=tuple(sorted({each for view in views for each in resting[view.number]})),
                )


def _claims_by_place(report: AuditResult, shelf: Shelf) -> dict[int, list[int]]:
    resting: dict[int, list[int]] = {}
    for claim in report.claims:
        if claim.foremost is not None:
            resting.setdefault(shelf[claim.foremost].number, []).append(claim.number)
    return resting


def _marking(view: PlaceView, page: AuditedPage, sheet: str) -> Marking:
    boxes = tuple(box for box in view.place.boxes if box.page == page.number)
    return Marking(place=view.number, first=view.sheets[0] == sheet, boxes=boxes)
