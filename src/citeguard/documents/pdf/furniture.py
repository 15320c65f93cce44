"""Running heads and feet, and page numbers: what a page has at its edges and is no text."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from citeguard.documents.pdf.captions import is_caption
from citeguard.documents.pdf.edges import Row, at_edge, distances_of, rows_of, usual_distance
from citeguard.documents.pdf.pieces import Piece
from citeguard.documents.pdf.titles import comparable

_MOST_ROWS = 3  # of a head or foot
_APART = 1.25  # usual distances of two rows: the least from a head or foot to the text
_NEXT_ROW = 3.0  # the same, at most, from one row of a head to the next
_FAR_APART = 1.6  # the same, for what only looks like a head
_LARGE = 1.3  # of the size of the text: a head is no larger, unless most pages have it
_MOST_PAGES = 0.5  # of the pages of a file
_FEWEST_ALIKE = 4  # pages that have a row of one look at one level, whatever it says
_MANY_PAGES = 0.4  # of the pages of a file have such a row
_SMALLER = 0.96  # of the size of the text
_LONGEST = 100  # characters of a head that only looks like one
_HEADING_LARGER = 1.1  # times the size of the text: what counts pages and is a heading

_COUNTED_HEADING = re.compile(r"\w+(?: \w+)? #")  # "Chapter 2", "Exam Question 3"

Pages = Sequence[Sequence[Piece]]


@dataclass(frozen=True, slots=True)
class Body:
    """How the text of a file looks: the size of its font, and the font's name."""

    size: float
    font: str
    bold: bool


def usual_look(pages: Iterable[Iterable[Piece]]) -> Body:
    """Return how most of the text of a file looks."""
    counts: dict[tuple[float, str, bool], int] = defaultdict(int)
    sizes: dict[float, int] = defaultdict(int)
    for piece in (piece for page in pages for piece in page):
        size = round(piece.size * 4) / 4
        sizes[size] += len(piece.text)
        counts[size, piece.font.name, piece.font.bold] += len(piece.text)
    usual = max(sizes, key=sizes.__getitem__)
    size, font, bold = max((look for look in counts if look[0] == usual), key=counts.__getitem__)
    return Body(size, font, bold)


def without_furniture(
    pages: Pages, heights: Sequence[float], body: Body, titles: Sequence[Collection[str]]
) -> list[list[Piece]]:
    """Return the pieces of each page without running heads and feet, and page numbers.

    Of these are the rows at an edge of the page that say the same as others at their level on other
    pages, or count the pages; and those that look like them, and stand at a level where others look
    so too. A row that stands no further from the text than the text's rows from each other is text,
    and so is a heading that a bookmark of its page names, or that counts the pages in larger or
    bold type: "Chapter 2".

    Args:
        pages: The pieces of each page.
        heights: Of the pages.
        body: How the text of the file looks.
        titles: For each page, the headings that the file's bookmarks name.
    """
    rows = [rows_of(page, body.size) for page in pages]
    usual = usual_distance(distance for page in rows for distance in distances_of(page))
    edges = [
        [
            at_edge(page, page_rows, height, max(usual, body.size), upper=upper)
            for page, (page_rows, height) in enumerate(zip(rows, heights, strict=True), start=1)
        ]
        for upper in (True, False)
    ]
    rows_found = _without_filled_pages(_Search(edges, body, titles).furniture(), pages)
    found = {piece for row in rows_found for piece in row.pieces}
    return [[piece for piece in page if piece not in found] for page in pages]


def _without_filled_pages(found: Sequence[Row], pages: Pages) -> list[Row]:
    """Return rows that were found, but for those that are most of the text of their page.

    Of such pages too those are left that say what others say on pages with more text.
    """
    lengths = {number: _length(page) for number, page in enumerate(pages, start=1)}
    for row in found:
        lengths[row.page] -= 2 * _length(row.pieces)
    words = {row.words for row in found if lengths[row.page] > 0}
    return [row for row in found if row.words in words]


def _length(pieces: Iterable[Piece]) -> int:
    return sum(len(piece.text) for piece in pieces)


class _Search:
    """The search for heads and feet in the rows at both edges of the pages of a file.

    Args:
        edges: The rows at the upper and at the lower edge: of each page, from the edge inwards.
        body: How the text of the file looks.
        titles: For each page, the headings that the file's bookmarks name.
    """

    def __init__(
        self,
        edges: Sequence[Sequence[Sequence[Row]]],
        body: Body,
        titles: Sequence[Collection[str]],
    ) -> None:
        self._edges, self._body, self._titles = edges, body, titles
        self._filled = max(sum(map(bool, pages)) for pages in edges)
        self._same: dict[tuple[object, ...], set[int]] = defaultdict(set)
        for row in self._all_rows():
            for sign in _signs(row):
                self._same[row.upper, row.level, *sign].add(row.page)
            if row.is_page_number:
                for offset in row.outer_offsets:
                    self._same["page number", offset].add(row.page)
            if row.apart >= _FAR_APART:
                self._same[row.upper, row.level, row.look].add(row.page)
        self._looks: set[tuple[str, float]] = set()
        self._levels: set[tuple[object, ...]] = set()
        self._offsets: set[int] = set()

    def furniture(self) -> list[Row]:
        """Return the rows that are no text: first those that recur, then what looks like them."""
        found = self._outermost(self._recurs)
        offsets: Counter[int] = Counter()
        for row in found:
            self._levels.add((row.upper, row.level, row.look))
            self._looks.add(row.look)
            offsets.update(set(row.outer_offsets))
        self._offsets = {offset for offset, pages in offsets.items() if pages > 1}
        self._looks.discard((self._body.font, self._body.size))
        return self._outermost(lambda row: self._recurs(row) or self._looks_like_head(row))

    def _all_rows(self) -> Iterator[Row]:
        return (row for pages in self._edges for page in pages for row in page)

    def _outermost(self, is_head: Callable[[Row], bool]) -> list[Row]:
        """Return the rows, from the edge of each page on, that a test holds for."""
        found: list[Row] = []
        for rows in (page for pages in self._edges for page in pages):
            count = 0
            while count < len(rows) and is_head(rows[count]):
                count += 1
                if rows[count - 1].apart > _NEXT_ROW:
                    break
            if count > _MOST_ROWS:  # a form, filled in on every page
                count = int(rows[0].is_page_number)
            while count and not self._stands_apart(rows[count - 1], outermost=count == 1):
                count -= 1
            found += rows[:count]
        return found

    def _recurs(self, row: Row) -> bool:
        if is_caption(row.text):  # of a table that goes on for pages
            return False
        if self._is_heading(row):
            return False
        if self._counts_pages(row) or self._is_set_apart(row):
            return True
        pages = max((self._pages_with(row, *sign) for sign in _signs(row)), default=0)
        return pages > 1 and (
            row.size <= _LARGE * self._body.size or pages > max(_MOST_PAGES * self._filled, 2)
        )

    def _is_heading(self, row: Row) -> bool:
        """Tell whether a row at the upper edge stands out as a heading does, and is one by words.

        What a bookmark names has no like on other pages, as running heads have.
        """
        size, bold = row.size, all(piece.font.bold for piece in row.pieces)
        stands_out = size > _HEADING_LARGER * self._body.size or (bold and not self._body.bold)
        if not stands_out or not row.upper or row.is_page_number:
            return False
        if self._pages_with(row, *_same_text(row)) > 1:
            return False
        if comparable(row.text) in self._titles[row.page - 1]:
            return True
        return len(row.pieces) == 1 and _COUNTED_HEADING.fullmatch(row.words) is not None

    def _counts_pages(self, row: Row) -> bool:
        return row.is_page_number and any(
            offset in self._offsets or len(self._same["page number", offset]) > 1
            for offset in row.outer_offsets
        )

    def _is_set_apart(self, row: Row) -> bool:
        """Tell whether a row looks like those at its level on many pages, and unlike the text."""
        font, size = row.look
        other = size < _SMALLER * self._body.size or (
            font != self._body.font and size <= self._body.size and not row.pieces[0].font.bold
        )
        if not other or row.apart < _FAR_APART or len(row.text) > _LONGEST:
            return False
        return self._pages_with(row, row.look) >= max(_FEWEST_ALIKE, _MANY_PAGES * self._filled)

    def _looks_like_head(self, row: Row) -> bool:
        """Tell whether a row looks like what recurs, at a level where others look so too."""
        if self._is_heading(row) or row.apart < _FAR_APART or len(row.text) > _LONGEST:
            return False
        known = row.look in self._looks or any(
            (row.upper, level, row.look) in self._levels for level in row.levels
        )
        return known and self._pages_with(row, row.look) > 1

    def _stands_apart(self, row: Row, *, outermost: bool) -> bool:
        return row.apart >= _APART or (
            outermost
            and row.is_page_number
            and any(self._pages_with(row, "outer", offset) > 1 for offset in row.outer_offsets)
        )

    def _pages_with(self, row: Row, *sign: object) -> int:
        """Count the pages that have such a row at about its level."""
        found: set[int] = set()
        for level in row.levels:
            found |= self._same.get((row.upper, level, *sign), set())
        return len(found)


def _same_text(row: Row) -> tuple[object, ...]:
    return "text", *sorted(piece.text for piece in row.pieces)


def _signs(row: Row) -> Iterator[tuple[object, ...]]:
    """Yield what a head or foot shares with those of other pages."""
    yield _same_text(row)
    for offset in row.offsets:
        yield "numbered", row.words, offset
    if row.is_page_number or not row.pieces[0].font.bold:  # "2 Methods" at the top is a heading
        for offset in row.outer_offsets:
            yield "outer", offset
