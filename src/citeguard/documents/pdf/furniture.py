"""Page furniture: running heads and feet, page numbers, and the line numbers of manuscripts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from operator import attrgetter
from statistics import median

from citeguard.documents.document import roman
from citeguard.documents.pdf.lines import Piece, runs
from citeguard.documents.pdf.paragraphs import Body

Pages = Sequence[Sequence[Piece]]

# Running heads and feet. Distances between rows are in units of the file's usual one.
_ROWS = 5  # rows at an edge that are looked at
_MOVED = 3.0  # points that a head may move from page to page
_ONE_ROW = 0.5  # of the size: pieces with closer baselines are one row
_LONGEST_NUMBER = 40  # characters of a row that is only a page number
_MOST_NUMBERS = 6  # in a row that are compared with those of other pages
_APART = 1.25  # the least distance from a head or foot to the text
_FAR_APART = 1.6  # the least for a row that only looks like a head
_LONGEST = 100  # characters of a head that only looks like one

_ROMAN = {roman(number): number for number in range(1, 500)}  # a file has fewer such pages
_NUMBER = re.compile(r"\d{1,6}")
# As "12", "– 12 –", "Page 12 of 40", "S. 12" and "xii".
_PAGE_NUMBER = re.compile(
    r"\W*(?:(?:page|seite|página|pagina|pag|pg|p|s)\b)?\W*(?:\d{1,5}|[ivxlc]{1,8})"
    r"(?:\W*(?:of|von|de|sur|di|/|\||[-–.])\W*\d{1,5})?\W*",
    re.IGNORECASE | re.ASCII,
)

# Line numbers.
_STEPS = (1, 2, 5, 10)  # every such line has a number
_LONGEST_LINE_NUMBER = 5  # digits
_FEWEST_OF_PAGE = 4  # numbers below each other
_FEWEST = 12  # numbers of a file
_MOSTLY = 0.8  # of the numbers of a column count on
_ALIGNED = 2.0  # points
_MARGIN = 0.5  # of the size: the least from a number to the text
_ACROSS = 0.05  # of the pieces of a page, such as its head, may reach into the margin
_BLANKS = 2  # lines of a head, or empty ones, before the first number
_COUNTED = 5  # the least step by which lines are counted
_COUNTED_LINE = 5.0  # times the size: the least width of a line that is counted
_LONG = 15.0  # times the size: a line of text is longer than a table's cell
_LONG_LINES = 0.5  # times the numbers: as many such lines are beside them


@dataclass(eq=False)
class _Row:
    """The pieces side by side at an edge of a page, over its full width."""

    page: int
    upper: bool
    level: int  # its distance from the edge, in steps of a few points
    pieces: list[Piece]
    apart: float  # from the next row inwards, in units of the file's usual distance

    @cached_property
    def text(self) -> str:
        return " ".join(piece.text for piece in self.pieces)

    @cached_property
    def words(self) -> str:
        """Its words with `#` for each number, for comparison."""
        words = re.findall(r"\w+", self.text.casefold())
        return " ".join("#" if _number(word) is not None else word for word in words)

    @cached_property
    def offsets(self) -> list[int]:
        """The differences of its numbers from the page's."""
        numbers = list(_NUMBER.finditer(self.text))[:_MOST_NUMBERS]
        return [int(number[0]) - self.page for number in numbers] + self.outer_offsets

    @cached_property
    def outer_offsets(self) -> list[int]:
        """The same of the numbers that it begins and ends with."""
        words = re.findall(r"\w+", self.text)
        values = map(_number, (words[0], words[-1])) if words else ()
        return [value - self.page for value in values if value is not None]

    @property
    def is_page_number(self) -> bool:
        return len(self.text) <= _LONGEST_NUMBER and _PAGE_NUMBER.fullmatch(self.text) is not None

    @property
    def levels(self) -> tuple[int, int, int]:
        """Its level and those beside it."""
        return self.level - 1, self.level, self.level + 1

    @property
    def look(self) -> tuple[str, float]:
        """The font of most of it, and its size."""
        longest = max(self.pieces, key=lambda piece: len(piece.text))
        return longest.font.name, round(longest.size, 1)


def without_heads_and_feet(pages: Pages, heights: Sequence[float], body: Body) -> list[list[Piece]]:
    """Return the pieces of each page without running heads and feet, and page numbers.

    These are the rows at an edge of the page with the same text as others at their level on other
    pages, or that count the pages; and those that look like them, at a level where others look so
    too. A row as close to the text as the rows of the text to each other is text.

    Args:
        pages: The pieces of each page.
        heights: The heights of the pages.
        body: The look of the file's text.
    """
    rows = [_rows(page, body.size) for page in pages]
    usual = _median(distance for page in rows for distance in _distances(page))
    edges = [
        [
            _at_edge(page, page_rows, height, max(usual, body.size), upper=upper)
            for page, (page_rows, height) in enumerate(zip(rows, heights, strict=True), start=1)
        ]
        for upper in (True, False)
    ]
    found = _Search(edges, body).furniture()
    # Rows that are most of the text of their page stay, unless a page with more text has them.
    lengths = {
        number: sum(len(piece.text) for piece in page) for number, page in enumerate(pages, start=1)
    }
    for row in found:
        lengths[row.page] -= 2 * sum(len(piece.text) for piece in row.pieces)
    words = {row.words for row in found if lengths[row.page] > 0}
    dropped = {piece for row in found if row.words in words for piece in row.pieces}
    return [[piece for piece in page if piece not in dropped] for page in pages]


def _rows(pieces: Sequence[Piece], size: float) -> list[list[Piece]]:
    """Return the pieces of a page row by row, from above, whatever their column."""
    from_above = sorted(pieces, key=lambda piece: piece.baseline)
    return runs(
        from_above,
        lambda row, piece: piece.baseline - row[0].baseline < _ONE_ROW * min(piece.size, size),
    )


def _distances(rows: Sequence[Sequence[Piece]]) -> list[float]:
    return [after[0].baseline - before[0].baseline for before, after in pairwise(rows)]


def _median(distances: Iterable[float]) -> float:
    return median([*distances] or [0])


def _at_edge(
    page: int, rows: Sequence[Sequence[Piece]], height: float, usual: float, *, upper: bool
) -> list[_Row]:
    """Return the rows at the upper or lower edge of a page, from the edge inwards."""
    distances = _distances(rows)
    inwards = slice(_ROWS) if upper else slice(None, -_ROWS - 1, -1)
    # The innermost row is as far from what follows, which is nothing, as from the row before it.
    beyond = [*distances, *(distances[-1:] or [height])]
    if not upper:
        beyond = [*(distances[:1] or [height]), *distances]
    return [
        _Row(
            page,
            upper,
            round((row[0].baseline if upper else height - row[0].baseline) / _MOVED),
            sorted(row, key=lambda piece: piece.left),
            distance / usual,
        )
        for row, distance in zip(rows[inwards], beyond[inwards], strict=True)
    ]


def _number(word: str) -> int | None:
    """Return the value of an Arabic or Roman number; `None` for another word."""
    if word.isdecimal():
        return int(word) if len(word) < 7 else None
    return _ROMAN.get(word.lower())


class _Search:
    """The search for heads and feet in the rows at both edges of the pages of a file.

    Args:
        edges: The rows at the upper and at the lower edge of each page, from the edge inwards.
        body: The look of the file's text.
    """

    def __init__(self, edges: Sequence[Sequence[Sequence[_Row]]], body: Body) -> None:
        self._edges, self._body = edges, body
        self._same: dict[tuple[object, ...], set[int]] = defaultdict(set)
        for row in chain.from_iterable(page for pages in edges for page in pages):
            for sign in _signs(row):
                self._same[row.upper, row.level, *sign].add(row.page)
            if row.apart >= _FAR_APART:
                self._same[row.upper, row.level, row.look].add(row.page)
        self._looks: set[tuple[str, float]] = set()

    def furniture(self) -> list[_Row]:
        """Return the rows that are not text: those that recur, and those that look like them."""
        self._looks = {row.look for row in self._outermost(self._recurs)}
        # By the look of most of the text, no row can be told from it.
        self._looks.discard((self._body.font, self._body.size))
        return self._outermost(lambda row: self._recurs(row) or self._looks_like_head(row))

    def _outermost(self, is_head: Callable[[_Row], bool]) -> list[_Row]:
        """Return the rows from the edge of each page on for which a test holds."""
        found: list[_Row] = []
        for rows in chain.from_iterable(self._edges):
            count = 0
            while count < len(rows) and is_head(rows[count]):
                count += 1
            # A table that goes on repeats its head, too, but as near as its rows are.
            while count and rows[count - 1].apart < _APART:
                count -= 1
            found += rows[:count]
        return found

    def _recurs(self, row: _Row) -> bool:
        return any(self._pages_with(row, *sign) > 1 for sign in _signs(row))

    def _looks_like_head(self, row: _Row) -> bool:
        """Return whether a row looks like what recurs, at a level where others look so too."""
        fits = row.apart >= _FAR_APART and len(row.text) <= _LONGEST and row.look in self._looks
        return fits and self._pages_with(row, row.look) > 1

    def _pages_with(self, row: _Row, *sign: object) -> int:
        """Return the number of pages that have such a row at about its level."""
        found = (self._same.get((row.upper, level, *sign), ()) for level in row.levels)
        return len({page for pages in found for page in pages})


def _signs(row: _Row) -> Iterator[tuple[object, ...]]:
    """Yield what a head or foot shares with those of other pages."""
    yield "text", *sorted(piece.text for piece in row.pieces)
    for offset in row.offsets:
        yield "numbered", row.words, offset
    if row.is_page_number or not row.pieces[0].font.bold:  # "2 Methods" at the top is a heading
        for offset in row.outer_offsets:
            yield "outer", offset


def without_line_numbers(pages: Pages) -> list[list[Piece]]:
    """Return the pieces of each page without line numbers.

    These are below each other in the margin, or between two columns, with no text above or below
    them, and count up from line to line: a dozen or more in a file, or as many lines of text from
    one to the next as they say.
    """
    columns = [[*_line_numbers(page)] for page in pages]
    enough = sum(len(column) for page in columns for column, _ in page) >= _FEWEST
    found, bands, due = set[Piece](), set[tuple[float, float, int]](), 0
    for page, on_page in zip(pages, columns, strict=True):
        for column, step in on_page:
            is_due = int(column[0].text) == due  # after those of the page before
            # Those in a margin may be years (2000, 2005) or doses (5, 10).
            if enough or (step and (is_due or _begins_at_its_line(column, page))):
                found.update(column)
                if step:
                    due = int(column[-1].text) + step
                    last = column[-1]
                    bands.add((last.left - _ALIGNED, last.right + _ALIGNED, step))
    # The last page may have one number, too few to be a column, and numbers may be centred.
    for page in pages if bands else ():
        others = [piece for piece in page if piece not in found]
        found.update(
            piece
            for piece in _numbers(others)
            if _is_alone([piece], others)
            and any(
                left < piece.left and piece.right < right and int(piece.text) % step == 0
                for left, right, step in bands
            )
        )
    return [[piece for piece in page if piece not in found] for page in pages]


def _numbers(page: Sequence[Piece]) -> list[Piece]:
    return [
        piece
        for piece in page
        if piece.text.isdecimal() and len(piece.text) <= _LONGEST_LINE_NUMBER
    ]


def _line_numbers(page: Sequence[Piece]) -> Iterator[tuple[list[Piece], int]]:
    """Yield each column of numbers that may be those of lines, and by how many it counts these.

    That is 0 if it is only beside lines.
    """
    numbers = _numbers(page)
    # Below each other are the last digits of numbers, or the first ones.
    for column in chain(_aligned(numbers, "right"), _aligned(numbers, "left")):
        steps = [int(after.text) - int(before.text) for before, after in pairwise(column)]
        step = next((n for n in _STEPS if steps.count(n) >= _MOSTLY * max(len(steps), 1)), None)
        if step and _is_alone(column, page):
            if step >= _COUNTED and _counts_lines(column, page, step):
                yield column, step
            elif len(column) >= _FEWEST_OF_PAGE and _is_beside_lines(column, page, step):
                yield column, 0


def _lines(page: Sequence[Piece]) -> list[int]:
    """Return the baselines of the lines of text on a page, from above."""
    long = (piece for piece in page if piece.width > _COUNTED_LINE * piece.size)
    return sorted({round(piece.baseline) for piece in long})


def _begins_at_its_line(column: Sequence[Piece], page: Sequence[Piece]) -> bool:
    """Return whether the first number is that of its line on the page, but for a head or a gap."""
    count = sum(line <= column[0].baseline + 1 for line in _lines(page))
    return -_BLANKS <= count - int(column[0].text) <= _BLANKS


def _counts_lines(column: Sequence[Piece], page: Sequence[Piece], step: int) -> bool:
    """Return whether there are as many lines from one number to the next as these say."""
    lines = _lines(page)
    usual = step * _median(after - before for before, after in pairwise(lines))
    counted = [
        abs(after.baseline - before.baseline - usual) < _ALIGNED  # with empty lines
        or step == sum(before.baseline + 1 < line <= after.baseline + 1 for line in lines)
        for before, after in pairwise(column)
    ]
    are_multiples = all(int(piece.text) % step == 0 for piece in column)
    return are_multiples and sum(counted) >= _MOSTLY * len(counted)


def _aligned(numbers: Sequence[Piece], edge: str) -> Iterator[list[Piece]]:
    """Yield the numbers whose edges are below each other, from above."""
    place: Callable[[Piece], float] = attrgetter(edge)
    for column in runs(
        sorted(numbers, key=place), lambda column, each: place(each) - place(column[-1]) <= _ALIGNED
    ):
        yield sorted(column, key=lambda piece: piece.baseline)


def _without(column: Sequence[Piece], page: Sequence[Piece]) -> list[Piece]:
    numbers = set(column)
    return [piece for piece in page if piece not in numbers]


def _is_alone(column: Sequence[Piece], page: Sequence[Piece]) -> bool:
    """Return whether next to nothing of a page is above, below or close to numbers."""
    apart = _MARGIN * column[0].size
    left = min(piece.left for piece in column) - apart
    right = max(piece.right for piece in column) + apart
    others = _without(column, page)
    across = sum(piece.left < right and piece.right > left for piece in others)
    return across <= _ACROSS * len(others)


def _is_beside_lines(column: Sequence[Piece], page: Sequence[Piece], step: int) -> bool:
    """Return whether a column of numbers is beside long lines.

    The rows of a table have numbers, too, but their cells several lines.
    """
    others = _without(column, page)
    top, bottom = column[0].top, column[-1].bottom
    beside = [piece for piece in others if top < piece.baseline <= bottom]
    long = [piece for piece in beside if piece.width > _LONG * piece.size]
    numbered = {round(piece.baseline) for piece in column}
    bare = {round(piece.baseline) for piece in long} - numbered
    return len(long) > _LONG_LINES * len(column) and (step > 1 or len(bare) < len(column) / 2)
