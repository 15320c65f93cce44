"""Sources and pages as a report's page shows them, with the places that claims rest on."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from markupsafe import Markup

from citeguard.auditing.outputs.html.text import blocks, shortened, visible, with_line_feeds
from citeguard.auditing.report import AuditedPage, AuditedSource, AuditReport, Place
from citeguard.sources.layout import Box
from citeguard.sources.links import page_url, text_fragment_url, web_url

_LONGEST_NAME = 240  # characters of the name of a place
_LONGEST_LABEL = 40  # characters of that of a page, between words


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """Words of a source that the same places cover.

    Attributes:
        html: The words, escaped.
        number: Its number in the page, from 1; 0 for words that no place covers.
        begins: The name of the page of its file that begins with it; empty if none does.
    """

    html: Markup
    number: int = 0
    begins: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceView:
    """A source as a page shows it.

    Attributes:
        number: Which source of the report it is, from 1.
        source: The source.
        url: Its address on the web; `None` if it has none.
        places: How many places of it claims rest on.
        blocks: Its text in segments, by blocks.
    """

    number: int
    source: AuditedSource
    url: str | None
    places: int
    blocks: list[list[Segment]] = field(repr=False)

    @property
    def name(self) -> str:
        """Its title, or its id if it has none."""
        return self.source.title or self.source.id


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceView:
    """A place as a page shows it.

    Attributes:
        number: Its number in the page, from 0.
        place: The place.
        source: The number of its source; 0 if the report does not have it.
        name: What its source is called.
        first: The number of its first segment; 0 if the source does not have the place.
        last: The number of its last segment.
        words: The words of the source at the place.
        address: The address of its source on the web; `None` if it has none.
        sheets: The ids of the pictures of pages on which it is marked.
    """

    number: int
    place: Place
    source: int = 0
    name: str
    first: int = 0
    last: int = 0
    words: str
    address: str | None = None
    sheets: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """Where in its source it is: `p. 4, Results`, or `line 12`; empty if that is not known."""
        return shortened(self.place.name, _LONGEST_NAME)

    @property
    def url(self) -> str | None:
        """A link that opens its source at the page, or scrolls to the words."""
        if self.address is None:
            return None
        if self.place.page is not None:
            return page_url(self.address, self.place.page)
        return text_fragment_url(self.address, self.words)


def sheet_id(source: int, page: int) -> str:
    """Return the id of the picture of a page of a source, by their numbers."""
    return f"p{source}-{page}"


class SourceViews:
    """The sources of a report as its page shows them, and every place that a claim rests on.

    Examples:
        >>> from citeguard.auditing import AuditedSource
        >>> from citeguard import AuditReport
        >>> source = AuditedSource(id="faq", text="Lunch is free.")
        >>> views = SourceViews(AuditReport(text="", sources=(source,), claims=()))
        >>> [view.name for view in views.sources]
        ['faq']
    """

    def __init__(self, report: AuditReport) -> None:
        """Cut the sources of a report at the borders of all places."""
        places = _places(report)
        by_source: dict[str, list[Place]] = {}
        for place in places:
            by_source.setdefault(place.source_id, []).append(place)
        foremost = dict.fromkeys(claim.foremost for claim in report.claims)
        self.sources: list[SourceView] = []
        self._views: dict[Place, PlaceView] = {}
        numbering = 1
        for number, source in enumerate(report.sources, 1):
            cut = _CutSource(source, by_source.pop(source.id, ()), numbering)
            numbering += cut.count
            self.sources.append(cut.view(number))
            for place in cut.places:
                self._views[place] = cut.place_view(
                    place, number, len(self._views), foremost=place in foremost
                )
        for place in places:
            if place not in self._views:  # no source of the report has it
                self._views[place] = PlaceView(
                    number=len(self._views), place=place, name=place.source_id, words=place.text
                )

    @property
    def places(self) -> list[PlaceView]:
        """All places, by number."""
        return list(self._views.values())

    def __getitem__(self, place: Place) -> PlaceView:
        """Return the view of a place that a claim of the report rests on."""
        return self._views[place]


def _places(report: AuditReport) -> list[Place]:
    deciding = (claim.deciding for claim in report.claims if claim.deciding is not None)
    return list(dict.fromkeys((*deciding, *(p for c in report.claims for p in c.evidence))))


class _CutSource:
    """A source cut at the borders of places and of blocks."""

    def __init__(self, source: AuditedSource, places: Sequence[Place], numbering: int) -> None:
        self.source = source
        self._url = web_url(source.url)
        text = self._text = with_line_feeds(source.text)
        self.places = [place for place in places if 0 <= place.start < place.end <= len(text)]
        self._blocks = blocks(text)
        self._pages = {
            page.start: shortened(page.name, _LONGEST_LABEL)
            for page in source.pages
            if page.start is not None and 0 <= page.start < len(text)
        }
        self._pictured = {page.number for page in source.pages if page.picture}
        covering: Counter[int] = Counter()
        for place in self.places:
            covering.update({place.start: 1})
            covering.subtract({place.end: 1})
        block_borders = (border for block in self._blocks for border in block)
        borders = sorted({*covering, *block_borders, *self._pages})
        self._segments = list(_numbered(borders, covering, numbering))
        self._numbers = {start: number for start, _, number in self._segments if number}
        self._starts = sorted(self._numbers)
        self.count = len(self._numbers)

    def view(self, number: int) -> SourceView:
        return SourceView(
            number=number,
            source=self.source,
            url=self._url,
            places=len(self.places),
            blocks=[self._block(*block) for block in self._blocks],
        )

    def place_view(self, place: Place, source: int, number: int, *, foremost: bool) -> PlaceView:
        last = self._starts[bisect_left(self._starts, place.end) - 1]
        return PlaceView(
            number=number,
            place=place,
            source=source,
            name=self.source.title or self.source.id,
            first=self._numbers[place.start],
            last=self._numbers[last],
            words=self._text[place.start : place.end],
            address=self._url,
            sheets=tuple(self._sheets(place, source)) if foremost else (),
        )

    def _sheets(self, place: Place, source: int) -> Iterator[str]:
        for page in dict.fromkeys(box.page for box in place.boxes):
            if page in self._pictured:
                yield sheet_id(source, page)

    def _block(self, start: int, end: int) -> list[Segment]:
        low = bisect_left(self._segments, start, key=lambda segment: segment[0])
        high = bisect_left(self._segments, end, key=lambda segment: segment[0])
        return [
            Segment(
                html=visible(self._text[first:last]),
                number=number,
                begins=self._pages.get(first, ""),
            )
            for first, last, number in self._segments[low:high]
        ]


def _numbered(
    borders: Sequence[int], covering: Mapping[int, int], numbering: int
) -> Iterator[tuple[int, int, int]]:
    """Yield segments with the number of each that a place covers, and 0 for the others.

    Args:
        borders: Where segments start and end, in order.
        covering: How many more places cover the text after a border than before it.
        numbering: The first number.
    """
    places = 0
    for start, end in pairwise(borders):
        places += covering.get(start, 0)
        yield start, end, numbering if places else 0
        numbering += places > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Marking:
    """The part of a place that is on a sheet.

    Attributes:
        place: The number of the place.
        first: Whether the place starts here, and not on an earlier sheet.
        boxes: The rectangles that it covers, line by line.
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


def sheets(report: AuditReport, views: SourceViews) -> Iterator[Sheet]:
    """Yield the pages with pictures that claims of a report rest on, by source.

    Examples:
        >>> from citeguard import AuditReport
        >>> list(sheets(report := AuditReport(text="", sources=(), claims=()), SourceViews(report)))
        []
    """
    claims: dict[int, list[int]] = {}
    for claim in report.claims:
        if claim.foremost is not None:
            claims.setdefault(views[claim.foremost].number, []).append(claim.number)
    by_sheet: dict[str, list[PlaceView]] = {}
    for view in views.places:
        for sheet in view.sheets:
            by_sheet.setdefault(sheet, []).append(view)
    for source in views.sources:
        for page in source.source.pages:
            sheet = sheet_id(source.number, page.number)
            if shown := by_sheet.get(sheet):
                yield Sheet(
                    id=sheet,
                    source=source.name,
                    page=page,
                    markings=tuple(
                        Marking(
                            place=view.number,
                            first=view.sheets[0] == sheet,
                            boxes=tuple(b for b in view.place.boxes if b.page == page.number),
                        )
                        for view in shown
                    ),
                    claims=tuple(sorted({each for view in shown for each in claims[view.number]})),
                )
