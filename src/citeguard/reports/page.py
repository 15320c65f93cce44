"""A report as a self-contained HTML page: `as_html`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import count, groupby
from typing import Literal, NamedTuple

from markupsafe import Markup

from citeguard.language.citations import ReadableText
from citeguard.language.excerpts import shortened
from citeguard.reports import wording
from citeguard.reports.cutting import Piece, Tag, cut, tags
from citeguard.reports.html import (
    asset,
    digest,
    filled,
    rendered,
    visible,
    with_line_feeds,
)
from citeguard.reports.report import (
    BY_URGENCY,
    PROBLEMS,
    CheckedClaim,
    CheckedSource,
    CitationFinding,
    Place,
    Report,
    SourcePage,
    Uncovered,
)
from citeguard.sources.links import page_url, text_fragment_url, web_url

LARGE = 100_000
"""Characters of text and sources from which a browser lays out only what is in view."""

LISTED = 1_000
"""The most entries in each list of a page; nobody reads or prints more."""

_OPEN_SOURCES = 6  # sources that are unfolded when the page opens, if there are no more
_LONGEST_LABEL = 40  # characters of that of a page, between words


def as_html(report: Report, *, title: str | None = None) -> str:
    r"""Return a report as one HTML page that loads nothing from outside.

    Everything of the report is escaped, and a content security policy lets only the page's own
    script run. The page can be read without that script, and printed; it then has a list of all
    claims, at most 1,000: the most urgent ones, and how many more there are. Characters
    that cannot be seen (controls, bidi marks, lone surrogates) are named, so that the page always
    encodes to UTF-8. Addresses of sources become links only if they are `http` or `https`. Without
    a title, its heading names the sources.

    Examples:
        >>> from citeguard.reports.report import Report
        >>> page = as_html(Report(text="<script>", sources=(), claims=()), title="My text")
        >>> "<title>My text</title>" in page, "&lt;script&gt;" in page
        (True, True)
    """
    views = SourceViews(report)
    names = [each.title or each.id for each in report.sources]
    urgent = sorted(report.claims, key=lambda claim: BY_URGENCY.index(claim.shown))
    findings_of = defaultdict[int, list[CitationFinding]](list)
    for finding in report.findings:
        for number in finding.claims:
            findings_of[number].append(finding)
    failing = (each for each in report.open_findings if PROBLEMS[each.problem].effect == "failed")
    wanting = {each.number for each in report.urgent}.union(*(each.claims for each in failing))
    corrected = report.corrected_text if report.corrections else ""
    style, script = _inlined()
    style_policy, script_policy = policies()
    return rendered(
        "page.html",
        report=report,
        text=(text := ReadableText(report.text)),
        title=title or wording.title_of("Text", names),
        blocks=text_blocks(report),
        views=views,
        sheets=list(sheets(report, views)),
        opened=len(views.sources) <= _OPEN_SOURCES,
        large=len(report.text) + sum(len(source.text) for source in report.sources) > LARGE,
        listed=urgent[:LISTED],
        unlisted=urgent[LISTED:],
        others=_others(report, text),
        findings_of=findings_of,
        wanting=wanting,
        most=LISTED,
        ticks=_ticks(report),
        # For people: without the marks that are for programs.
        corrected=ReadableText(corrected)[: len(corrected)],
        changes_of=changes_of,
        shortened=shortened,
        wording=wording,
        problems=PROBLEMS,
        style=style,
        script=script,
        policy=Markup(f"style-src {style_policy}; script-src {script_policy}"),
    )


@cache
def _inlined() -> tuple[Markup, Markup]:
    return asset("base.css") + asset("page.css"), asset("peek.js") + asset("page.js")


@cache
def policies() -> tuple[str, str]:
    """Return the digests of the style and of the script of the page."""
    style, script = _inlined()
    return digest(style), digest(script)


def _ticks(report: Report) -> list[tuple[CheckedClaim, float, float]]:
    """Return each checkable claim with where it starts in the text, and its length, in per cent."""
    percent = 100 / max(len(report.text), 1)
    return [
        (claim, claim.start * percent, (claim.end - claim.start) * percent)
        for claim in report.claims
        if claim.verdict
    ]


def _others(report: Report, text: ReadableText) -> list[tuple[str, str, str, str]]:
    """Return what a list has besides claims: an id in the page, a label, a message, words.

    They are the marks with a problem that belong to no claim, and the sentences without a claim.
    """
    marks = (
        (f"f{n}", PROBLEMS[each.problem].label, each.message, wording.words_of_finding(each, text))
        for n, each in enumerate(report.findings, 1)
        if not each.claims
    )
    why = "No claim was found in this sentence, so nothing in it was checked."
    sentences = (
        (f"u{each.start}", "Not examined", why, text[each.start : each.end])
        for each in report.uncovered
    )
    return [*marks, *sentences]


Change = tuple[Literal["kept", "removed", "added"], str]
"""Words of a corrected sentence."""


def changes_of(text: str | ReadableText, claim: CheckedClaim) -> list[Change]:
    """Return the sentence of a claim with its correction, as words kept, removed and added."""
    replacements = claim.correction.replacements if claim.correction else ()
    at = min([claim.sentence_start, *(swap.start for swap in replacements)])
    changes: list[Change] = []
    for swap in replacements:
        changes.append(("kept", text[at : swap.start]))
        changes.append(("removed", text[swap.start : swap.end]))
        changes.append(("added", swap.text))
        at = swap.end
    changes.append(("kept", text[at : claim.sentence_end]))
    return [change for change in changes if change[1]]


# The text


class Words(NamedTuple):
    """Words of the text, as HTML, and the problem of which they are the mark."""

    html: Markup
    finding: CitationFinding | None
    number: int  # of the problem whose mark begins here


Owner = CheckedClaim | Uncovered
_Mark = tuple[int, CitationFinding]


class Stretch(NamedTuple):
    """A claim, a sentence without one, or words between them, in pieces."""

    owner: Owner | None
    uncited: bool  # it should have a citation, and has none
    pieces: list[Piece[Owner | _Mark | Tag]]
    words: list[Words]  # of each piece
    is_rest: bool = False  # another cell of a claim than its longest one, which links to it

    @property
    def claim(self) -> CheckedClaim | None:
        """The claim, if it is one."""
        return self.owner if isinstance(self.owner, CheckedClaim) else None


def text_blocks(report: Report) -> list[list[Stretch]]:
    """Return the audited text in stretches, by blocks; every character is in one of them.

    Words lack the marks that are for programs; where one has a problem, it shows what it names.
    """
    text = filled(with_line_feeds(report.text))
    readable = ReadableText(text)
    findings = list(enumerate(report.findings, 1))
    uncited = {n for _, each in findings if each.problem == "uncited" for n in each.claims}
    owned = [(each.start, each.end, each) for each in (*report.claims, *report.uncovered)]
    marks = [
        (each[1].start, each[1].end, each) for each in findings if each[1].problem != "uncited"
    ]

    def owner_of(piece: Piece[Owner | _Mark | Tag]) -> Owner | None:
        return next((each for each in piece.over if not isinstance(each, tuple | str)), None)

    def words_of(piece: Piece[Owner | _Mark | Tag]) -> Words:
        shown = readable[piece.start : piece.end]
        number, finding = next((each for each in piece.over if isinstance(each, tuple)), (0, None))
        is_first = finding is not None and piece.start == max(finding.start, 0)
        if finding is not None and is_first and not shown:
            shown = f" {wording.words_of_finding(finding, readable)}"
        html = _tagged(visible(shown), piece.over)
        return Words(html, finding, number if is_first else 0)

    def stretches(block: list[Piece[Owner | _Mark | Tag]]) -> Iterator[Stretch]:
        for owner, group in groupby(block, owner_of):
            pieces = [*group]
            is_uncited = isinstance(owner, CheckedClaim) and owner.number in uncited
            # No line with a form begins or ends within a claim, but it may have several cells.
            cells = [[*cell] for _, cell in groupby(pieces, lambda piece: piece.separates)]
            longest = max(cells, key=lambda cell: cell[-1].end - cell[0].start)
            for part in cells if owner else [[piece] for piece in pieces]:
                is_rest = owner is not None and part is not longest
                yield Stretch(owner, is_uncited, part, [*map(words_of, part)], is_rest)

    whole = [(start, end) for start, end, _ in owned if start < end]
    laid = cut(text, [*owned, *marks, *tags(text)], whole=whole)
    return [[*stretches(block)] for block in laid]


def _tagged(html: Markup, over: Iterable[object]) -> Markup:
    for tag in over:
        if tag == "syntax":
            html = Markup('<span class="syntax">{}</span>').format(html)
        elif isinstance(tag, str):
            html = Markup("<{0}>{1}</{0}>").format(Markup(tag), html)
    return html


# The sources


class Segment(NamedTuple):
    """A piece of a source, as HTML."""

    piece: Piece[int | Tag]
    html: Markup
    number: int  # in the page, from 1; 0 for words that no place covers
    begins: str  # the name of the page of its file that begins with it


class SourceView(NamedTuple):
    """A source as a page shows it: its text in segments, by blocks."""

    number: int  # in the report, from 1
    source: CheckedSource
    name: str
    url: str | None  # on the web
    read_on: str  # the day on which it was read, if it is a page of the web
    places: int  # how many of its words decide
    blocks: list[list[Segment]]


class PlaceView(NamedTuple):
    """A place as a page shows it."""

    number: int  # in the page, from 0
    place: Place
    name: str  # of its source
    first: int = 0  # the number of its first segment; 0 if the source does not have the place
    last: int = 0
    url: str | None = None  # opens its source at the page, or scrolls to the words
    sheets: tuple[str, ...] = ()  # the ids of the pictures of pages on which it is marked


class SourceViews:
    """The sources of a report as its page shows them, and every place that a claim rests on."""

    def __init__(self, report: Report) -> None:
        self.sources: list[SourceView] = []
        self.places: dict[Place, PlaceView] = {}
        self._segments = count(1)
        self._foremost = dict.fromkeys(claim.foremost for claim in report.claims)
        self._read = {link.source_id: link.fetched_at for link in report.links}
        self._decisive = {place: None for claim in report.claims for place in claim.decisive}
        evidence = (place for claim in report.claims for place in claim.evidence)
        by_source: dict[str, dict[Place, None]] = {}
        for place in (*self._decisive, *evidence):
            by_source.setdefault(place.source_id, {})[place] = None
        for source in report.sources:
            self._add(source, [*by_source.get(source.id, ())])
        for place in (place for places in by_source.values() for place in places):
            if place not in self.places:  # no source of the report has it
                number = len(self.places)
                self.places[place] = PlaceView(
                    number=number,
                    place=place,
                    name=place.source_id,
                    url=wording.opened(place.url),
                )

    def __getitem__(self, place: Place) -> PlaceView:
        """Return the view of a place that a claim of the report rests on."""
        return self.places[place]

    def _add(self, source: CheckedSource, places: Sequence[Place]) -> None:
        text = with_line_feeds(source.text)
        placed = [place for place in places if 0 <= place.start < place.end <= len(text)]
        pages = {
            page.start: shortened(page.name, _LONGEST_LABEL)
            for page in source.pages
            if page.start is not None and 0 <= page.start < len(text)
        }
        first, last = dict[int, int](), dict[int, int]()

        def segment(piece: Piece[int | Tag]) -> Segment:
            places = [each for each in piece.over if isinstance(each, int)]
            number = next(self._segments) if places else 0
            first.update({each: number for each in places if each not in first})
            last.update(dict.fromkeys(places, number))
            words = text[piece.start : piece.end]
            html = _tagged(visible(words), piece.over)
            return Segment(piece, html, number, pages.get(piece.start, ""))

        intervals: list[tuple[int, int, int | Tag]] = [
            (place.start, place.end, each) for each, place in enumerate(placed)
        ]
        # Text that came from no file may be Markdown; files are read without their markup.
        if source.kind is None:
            intervals += tags(text)
        cut_text = cut(text, intervals, kind=source.kind, headings=source.headings, borders=pages)
        view = SourceView(
            number=len(self.sources) + 1,
            source=source,
            name=source.title or source.id,
            url=web_url(source.url),
            read_on=wording.day_of(read) if (read := self._read.get(source.id)) else "",
            places=sum(place in self._decisive for place in placed),
            blocks=[[*map(segment, block)] for block in cut_text],
        )
        self.sources.append(view)
        pictured = {page.number for page in source.pages if page.picture}
        for each, place in enumerate(placed):
            shown = dict.fromkeys(box.page for box in place.boxes if box.page in pictured)
            self.places[place] = PlaceView(
                number=len(self.places),
                place=place,
                name=view.name,
                first=first[each],
                last=last[each],
                url=_link(view.url, place, text),
                sheets=tuple(_sheet_id(view.number, page) for page in shown)
                if place in self._foremost
                else (),
            )


def _link(address: str | None, place: Place, text: str) -> str | None:
    if address is None:
        return wording.opened(place.url)
    # A PDF viewer knows no fragments of text, only pages.
    if place.page is not None:
        return page_url(address, place.page)
    return text_fragment_url(address, text, place.start, place.end)


def _sheet_id(source: int, page: int) -> str:
    """Return the id of the picture of a page of a source, by their numbers."""
    return f"p{source}-{page}"


class Sheet(NamedTuple):
    """A page of a PDF file with its picture, and the places on it that claims rest on."""

    id: str
    source: str  # what it is called
    page: SourcePage
    places: list[PlaceView]
    claims: list[int]  # the numbers of those that rest on these places


def sheets(report: Report, views: SourceViews) -> Iterator[Sheet]:
    """Yield the pages with pictures that claims of a report rest on, by source."""
    claims = defaultdict[int, list[int]](list)
    for claim in report.claims:
        if claim.foremost is not None:
            claims[views[claim.foremost].number].append(claim.number)
    for source in views.sources:
        for page in source.source.pages:
            sheet = _sheet_id(source.number, page.number)
            shown = [view for view in views.places.values() if sheet in view.sheets]
            if shown:
                numbers = sorted({each for view in shown for each in claims[view.number]})
                yield Sheet(sheet, source.name, page, shown, numbers)
