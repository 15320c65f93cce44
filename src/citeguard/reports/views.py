"""What the page of a report shows: its text, its sources, and pages of files with marked places.

Here text is cut into blocks and made safe for HTML; `html` fills it into the templates.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, count, groupby, pairwise
from typing import Literal, NamedTuple, TypeVar, cast

from markupsafe import Markup, escape

from citeguard.language.citations import ReadableText
from citeguard.language.sentences import Interval
from citeguard.reports.report import (
    CheckedClaim,
    CheckedSource,
    CitationFinding,
    Place,
    Report,
    SourcePage,
    Uncovered,
)
from citeguard.reports.wording import opened, words_of_finding
from citeguard.sources.layout import Box, FileKind, Heading
from citeguard.sources.links import page_url, text_fragment_url, web_url

Owner = TypeVar("Owner")

BLOCK = 2_000
"""The fewest characters of a block; it ends with the line."""

Form = Literal["h1", "h2", "h3", "h4", "h5", "h6", "item", "head", "row"]
"""How a line of a document is shown: as a heading, an item of a list, or a row of a table."""

_LONGEST_FORM = 2_000  # characters of a line that is shown in a form
_LINE = re.compile(r"[^\n]+")
_ITEM = re.compile(r"[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]+\S")
_HEADING = re.compile(r"(#{1,6})[ \t]+\S")
_CELL_END = re.compile(r" \| ")
# Of HTML that is escaped; a part of it may be all that a claim or a passage has.
_STRONG = re.compile(r"(\*\*)(?=[^\s*])([^*\n<>]*[^\s*<>])\1(?!\*)")
_CODE = re.compile(r"(`+)([^`\n<>]+)\1(?!`)")
_HASHES = re.compile(r"#{1,6}[ \t]+")

_LONGEST_NAME = 240  # characters of the name of a place
_LONGEST_LABEL = 40  # characters of that of a page, between words
_LONGEST_LINE = 10_000  # characters after which a block ends even if its line does not


def blocks(text: str, kept: Sequence[Interval] = ()) -> list[Interval]:
    r"""Split a text into blocks of whole lines, of some 2,000 characters each.

    A line is split only after 10,000 characters. The blocks cover the text, in order; an empty text
    has none.

    Args:
        text: The text.
        kept: Intervals that no cut falls into, in order, that do not overlap.
    """
    cuts = [0]
    while len(text) - cuts[-1] > BLOCK:
        cuts.append(_cut(text, cuts[-1], kept))
    cuts += [len(text)] if cuts[-1] < len(text) else []
    return list(pairwise(cuts))


def stretches(
    start: int, end: int, owned: Iterable[tuple[int, int, Owner]]
) -> list[tuple[int, int, Owner | None]]:
    """Split an interval into stretches: those that have an owner, and those between them.

    The part of a stretch outside the interval, or inside an earlier one, is cut off.

    Args:
        start: Where the interval starts.
        end: Where it ends, exclusive.
        owned: Start, end and owner of each stretch, in the order of their starts.
    """
    cut: list[tuple[int, int, Owner | None]] = []
    at = start
    for low, high, owner in owned:
        low, high = max(low, at), min(high, end)
        if low >= high:
            continue
        if at < low:
            cut.append((at, low, None))
        cut.append((low, high, owner))
        at = high
    return [*cut, (at, end, None)] if at < end else cut


def _cut(text: str, start: int, kept: Sequence[Interval]) -> int:
    """Return where the block that starts at `start` ends."""
    last = start + _LONGEST_LINE
    at = start + BLOCK
    while at < last:
        found = text.find("\n", at, last)
        if found < 0:
            break
        at = found + 1
        if (free := _after_kept(at, kept)) == at:
            return at
        at = free
    blank = text.find(" ", max(at, last), last + _LONGEST_LINE)
    return min(len(text), _after_kept(blank + 1 if blank >= 0 else max(at, last), kept))


def _after_kept(at: int, kept: Sequence[Interval]) -> int:
    index = bisect_right(kept, at, key=lambda interval: interval[0]) - 1
    return kept[index][1] if index >= 0 and kept[index][0] < at < kept[index][1] else at


def forms(
    text: str, kind: FileKind | None = None, headings: Sequence[Heading] = ()
) -> list[tuple[int, int, Form]]:
    r"""Return the lines that are shown in a form, with the line breaks after them.

    The marks of items are part of their lines. So are those of headings in text that came from no
    file; the headings of a file are given. Cells are separated by " | ".

    Args:
        text: The text.
        kind: The kind of file that it was read from; `None` for text that came from no file, and
            that may be Markdown.
        headings: Its headings.

    Examples:
        >>> forms("# Pay\n\nIt is:\n- monthly")
        [(0, 7, 'h1'), (14, 23, 'item')]
    """
    # A heading starts after its number.
    levels = {text.rfind("\n", 0, each.start) + 1: each.level for each in headings}
    found: list[tuple[int, int, Form]] = []
    for line in _LINE.finditer(text):
        form = _form(text, line.start(), line.end(), kind, levels)
        if form is None or line.end() - line.start() > _LONGEST_FORM:
            continue
        end = next((at for at in range(line.end(), len(text)) if text[at] != "\n"), len(text))
        after_row = bool(found) and found[-1][1] == line.start() and found[-1][2] in ("head", "row")
        if form == "row" and not after_row and kind == "markdown":
            form = "head"
        found.append((line.start(), end, form))
    return found


def _form(
    text: str, start: int, end: int, kind: FileKind | None, levels: Mapping[int, int]
) -> Form | None:
    """Return the form of a line; `None` if it has none."""
    if start in levels:
        return cast("Form", f"h{levels[start]}")
    if kind is None and (match := _HEADING.match(text, start, end)):
        return cast("Form", f"h{len(match[1])}")
    if kind in ("text", "pdf"):  # their lines mean something else
        return None
    if _ITEM.match(text, start, end):
        return "item"
    return "row" if kind is not None and _CELL_END.search(text, start, end) else None


def marked_up(html: Markup) -> Markup:
    """Return escaped text with what Markdown makes strong or code shown so, its marks hidden.

    Examples:
        >>> print(marked_up(Markup("**No**")))
        <span class="syntax">**</span><strong>No</strong><span class="syntax">**</span>
    """
    marked = _STRONG.sub(rf"{_SYNTAX}<strong>\2</strong>{_SYNTAX}", str(html))
    return Markup(_CODE.sub(rf"{_SYNTAX}<code>\2</code>{_SYNTAX}", marked))


_SYNTAX = r'<span class="syntax">\1</span>'

# Characters without a glyph that may reorder, hide or break the text around them: controls
# (but tab and line breaks), the bidi controls of UAX #9, line and paragraph separators, lone
# surrogates (no UTF-8) and tag characters, with which text is hidden in text.
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
    r"\ud800-\udfff\U000e0000-\U000e007f]+"
)


def visible(text: str) -> Markup:
    r"""Return text as HTML, escaped, in which characters that cannot be seen are named.

    Line breaks are kept as they are; a carriage return before one is dropped.
    """
    escaped = escape(text.replace("\r", ""))
    if _UNSEEN.search(escaped) is None:
        return escaped
    return Markup(_UNSEEN.sub(lambda run: f'<span class="unseen">{_names(run[0])}</span>', escaped))


def plain(text: str) -> str:
    r"""Return text, not escaped, in which characters that cannot be seen are named.

    Its lines end in line feeds, and it always encodes to UTF-8.
    """
    return _UNSEEN.sub(lambda run: _names(run[0]), with_line_feeds(text).replace("\r", ""))


def with_line_feeds(text: str) -> str:
    r"""Return text of the same length in which a carriage return stands only before a line feed."""
    return re.sub(r"\r(?!\n)", "\n", text) if "\r" in text else text


def shortened(text: str, most: int) -> str:
    """Return text of at most so many characters; one that is cut ends in an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _names(run: str) -> str:
    groups = ((character, len(list(group))) for character, group in groupby(run))
    return "".join(
        f"⟨U+{ord(character):04X}{f' ×{count}' if count > 1 else ''}⟩"
        for character, count in groups
    )


_LONGEST_CLAIM = 10_000  # characters of a claim that is laid out at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Words of a passage.

    Attributes:
        html: The words, escaped.
        finding: The problem with them, if they are a citation mark.
        number: The number of the finding, from 1; 0 for words after the first ones of a mark.
    """

    html: Markup
    finding: CitationFinding | None = None
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A claim, a sentence without one, or the text between them.

    Attributes:
        start: Where it starts in the audited text, in code points.
        end: Where it ends, exclusive.
        claim: The claim.
        uncovered: The sentence of which no claim was made.
        continued: Whether it continues a claim that is too long for one block.
        uncited: Whether the claim should have a citation, and has none.
        words: All of its words, in order.
        opens: The form of a line that begins with it.
        closes: Whether such a line ends with it.
    """

    start: int
    end: int
    claim: CheckedClaim | None = None
    uncovered: Uncovered | None = None
    continued: bool = False
    uncited: bool = False
    words: tuple[Words, ...]
    opens: Form | None = None
    closes: bool = False


def text_blocks(report: Report) -> list[list[Stretch]]:
    """Return the audited text in stretches, by blocks; every character is in one of them.

    Words lack the marks that are for programs; where one has a problem, it shows what it names.
    """
    text = with_line_feeds(report.text)
    readable = ReadableText(text)
    owners = sorted((*report.claims, *report.uncovered), key=lambda owner: owner.start)
    owned = stretches(0, len(text), [(owner.start, owner.end, owner) for owner in owners])
    starts = [start for start, _, owner in owned if owner]
    ends = [end for _, end, owner in owned if owner]
    # A line that a claim goes on after has no form.
    lines: dict[int, tuple[int, Form]] = {
        start: (end, form)
        for start, end, form in forms(text)
        if all(bisect_left(starts, at) == bisect_right(ends, at) for at in (start, end))
    }
    parts = _cut_at(owned, sorted({at for start, (end, _) in lines.items() for at in (start, end)}))
    kept = [(start, end) for start, end, owner in owned if owner and end - start <= _LONGEST_CLAIM]
    kept = sorted([*kept, *((start, end) for start, (end, _) in lines.items())])
    closing = {end for end, _ in lines.values()}
    marks = _marks(len(text), report.findings)
    uncited = {
        number
        for finding in report.findings
        if finding.problem == "uncited"
        for number in finding.claims
    }
    found: list[list[Stretch]] = []
    for low, high in blocks(text, kept):
        row: list[Stretch] = []
        for start, end, owner in _overlapping(parts, low, high):
            first, last = max(start, low), min(end, high)
            claim = owner if isinstance(owner, CheckedClaim) else None
            row.append(
                Stretch(
                    start=first,
                    end=last,
                    claim=claim,
                    uncovered=owner if isinstance(owner, Uncovered) else None,
                    continued=start < low,
                    uncited=claim is not None and claim.number in uncited,
                    words=tuple(_words(readable, text, first, last, marks)),
                    opens=lines[first][1] if first in lines else None,
                    closes=last in closing,
                )
            )
        found.append(row)
    return found


def _cut_at(
    parts: Sequence[tuple[int, int, Owner | None]], borders: Sequence[int]
) -> list[tuple[int, int, Owner | None]]:
    """Return parts, in order, cut at borders."""
    return [
        (low, high, owner)
        for start, end, owner in parts
        for low, high in pairwise(
            [start, *borders[bisect_right(borders, start) : bisect_left(borders, end)], end]
        )
    ]


_Mark = tuple[int, CitationFinding, int]
"""The number of a finding, the finding, and where its words start."""


def _overlapping(
    parts: Sequence[tuple[int, int, Owner]], low: int, high: int
) -> Iterator[tuple[int, int, Owner]]:
    """Yield the stretches that overlap an interval; they are in order, and no two overlap."""
    for at in range(bisect_right(parts, low, key=lambda part: part[1]), len(parts)):
        if parts[at][0] >= high:
            return
        yield parts[at]


def _words(
    readable: ReadableText,
    text: str,
    start: int,
    end: int,
    marks: Sequence[tuple[int, int, _Mark]],
) -> Iterator[Words]:
    for low, high, mark in stretches(start, end, _overlapping(marks, start, end)):
        shown = readable[low:high]
        if mark is None:
            yield Words(html=_without_hashes(marked_up(visible(shown)), text, low))
            continue
        number, finding, first = mark
        if low == first and not shown:
            shown = f" {words_of_finding(finding, readable)}"
        html = _without_hashes(marked_up(visible(shown)), text, low)
        yield Words(html=html, finding=finding, number=number if low == first else 0)


def _without_hashes(html: Markup, text: str, start: int) -> Markup:
    """Return words with the mark of a heading hidden, if they begin with one."""
    if start and text[start - 1] != "\n":
        return html
    hashes = _HASHES.match(html)
    if hashes is None:
        return html
    return Markup(f'<span class="syntax">{hashes[0]}</span>{html[hashes.end() :]}')


def _marks(length: int, findings: Sequence[CitationFinding]) -> list[tuple[int, int, _Mark]]:
    """Return the intervals of the marks with a problem; no two overlap."""
    placed = sorted(
        (finding.start, finding.end, number)
        for number, finding in enumerate(findings, 1)
        if finding.problem != "uncited"
    )
    owned = stretches(0, length, placed)
    return [
        (low, high, (number, findings[number - 1], low))
        for low, high, number in owned
        if number is not None
    ]


class Segment(NamedTuple):
    """Words of a source that the same places cover.

    Attributes:
        html: The words, escaped.
        number: Its number in the page, from 1; 0 for words that no place covers.
        begins: The name of the page of its file that begins with it; empty if none does.
        opens: The form of a line that begins with it.
        closes: The form of a line that ends with it.
        separates: Whether it separates two cells of a row.
        decides: Whether words that decide about a claim are among it.
    """

    html: Markup
    number: int
    begins: str
    opens: Form | None = None
    closes: Form | None = None
    separates: bool = False
    decides: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceView:
    """A source as a page shows it: its text in segments, by blocks.

    Attributes:
        number: Which source of the report it is, from 1.
        source: The source.
        url: Its address on the web; `None` if it has none.
        places: How many places of it claims rest on.
        blocks: Its text.
    """

    number: int
    source: CheckedSource
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
            return opened(self.place.url)
        if self.place.page is not None:
            return page_url(self.address, self.place.page)
        return text_fragment_url(self.address, self.words)


class SourceViews:
    """The sources of a report as its page shows them, and every place that a claim rests on."""

    def __init__(self, report: Report) -> None:
        self.sources: list[SourceView] = []
        self._views: dict[Place, PlaceView] = {}
        self._segments = count(1)
        self._foremost = dict.fromkeys(claim.foremost for claim in report.claims)
        deciding = [place for claim in report.claims for place in claim.decisive]
        self._deciding = frozenset(deciding)
        evidence = (place for claim in report.claims for place in claim.evidence)
        by_source: dict[str, dict[Place, None]] = {}
        for place in (*deciding, *evidence):
            by_source.setdefault(place.source_id, {})[place] = None
        for source in report.sources:
            self._add(source, by_source.get(source.id, ()))
        for place in (place for places in by_source.values() for place in places):
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

    def _add(self, source: CheckedSource, places: Iterable[Place]) -> None:
        """Cut a source at the borders of places, of pages and of blocks."""
        text = with_line_feeds(source.text)
        placed = [place for place in places if 0 <= place.start < place.end <= len(text)]
        pages = {
            page.start: shortened(page.name, _LONGEST_LABEL)
            for page in source.pages
            if page.start is not None and 0 <= page.start < len(text)
        }
        formed = forms(text, source.kind, source.headings)
        lines: dict[int, tuple[int, Form]] = {start: (end, form) for start, end, form in formed}
        closing = dict(lines.values())
        cells = {
            cell.start(): cell.end()
            for start, (end, form) in lines.items()
            if form in ("head", "row")
            for cell in _CELL_END.finditer(text, start, end)
        }
        cut = blocks(text, [(start, end) for start, (end, _) in lines.items()])
        covering = _covering(placed)
        deciding = _covering(place for place in placed if place in self._deciding)
        borders = sorted(
            {
                *covering,
                *pages,
                *lines,
                *closing,
                *cells,
                *cells.values(),
                *(border for block in cut for border in block),
            }
        )
        covered = accumulate(covering[border] for border in borders)
        decided = dict(zip(borders, accumulate(deciding[at] for at in borders), strict=True))
        numbers = {
            border: next(self._segments)
            for border, places_here in zip(borders, covered, strict=True)
            if places_here
        }
        view = SourceView(
            number=len(self.sources) + 1,
            source=source,
            url=web_url(source.url),
            places=len(placed),
            blocks=[
                [
                    Segment(
                        visible(text[low:high])
                        if source.kind is not None
                        else _without_hashes(marked_up(visible(text[low:high])), text, low),
                        numbers.get(low, 0),
                        pages.get(low, ""),
                        opens=lines[low][1] if low in lines else None,
                        closes=closing.get(high),
                        separates=cells.get(low) == high,
                        decides=decided[low] > 0,
                    )
                    for low, high in pairwise(
                        borders[bisect_left(borders, start) : bisect_right(borders, end)]
                    )
                ]
                for start, end in cut
            ],
        )
        self.sources.append(view)
        starts = list(numbers)
        pictured = {page.number for page in source.pages if page.picture}
        for place in placed:
            shown = dict.fromkeys(box.page for box in place.boxes if box.page in pictured)
            self._views[place] = PlaceView(
                number=len(self._views),
                place=place,
                source=view.number,
                name=view.name,
                first=numbers[place.start],
                last=numbers[starts[bisect_left(starts, place.end) - 1]],
                words=text[place.start : place.end],
                address=view.url,
                sheets=tuple(_sheet_id(view.number, page) for page in shown)
                if place in self._foremost
                else (),
            )


def _covering(places: Iterable[Place]) -> Counter[int]:
    """Return by how many more places the words from each offset on are covered."""
    change: Counter[int] = Counter()
    for place in places:
        change[place.start] += 1
        change[place.end] -= 1
    return change


def _sheet_id(source: int, page: int) -> str:
    """Return the id of the picture of a page of a source, by their numbers."""
    return f"p{source}-{page}"


class Marking(NamedTuple):
    """The boxes of a place that are on a sheet, and whether the place starts there."""

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
    page: SourcePage = field(repr=False)
    markings: tuple[Marking, ...]
    claims: tuple[int, ...]


def sheets(report: Report, views: SourceViews) -> Iterator[Sheet]:
    """Yield the pages with pictures that claims of a report rest on, by source."""
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
            sheet = _sheet_id(source.number, page.number)
            if shown := by_sheet.get(sheet):
                markings = (
                    Marking(
                        view.number,
                        view.sheets[0] == sheet,
                        tuple(box for box in view.place.boxes if box.page == page.number),
                    )
                    for view in shown
                )
                yield Sheet(
                    id=sheet,
                    source=source.name,
                    page=page,
                    markings=tuple(markings),
                    claims=tuple(sorted({each for view in shown for each in claims[view.number]})),
                )
