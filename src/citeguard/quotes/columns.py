"""The columns and pages of a text that was printed for the eye, in the order of reading.

`pdftotext -layout` prints side notes and the next column on the lines of a sentence, and heads,
feet and notes between its pages. A gutter is a column of characters that is blank on several lines
one below another.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median

from citeguard.language.lexicon import union
from citeguard.language.sentences import Interval

# Characters for each interval: a text with fewer is prose, and an index of what remains of it costs
# as much again as that of the text.
SPARSEST = 2_000

_WIDEST = 400  # columns of a printed line; one with more is a paragraph
_CONTEXT = 5  # lines on either side that show whether there is a gutter
_FEWEST_LINES = 4  # of these with text beside it, but not across it
_WIDE = 3  # blanks of a gutter that few lines need to have text on both sides of, such as notes
# Blanks of a narrower one, over all lines: those between words meet by chance in up to 6 lines.
_FEWEST_BLANKS = 10
_MOST_COLUMNS = 4
_NARROWEST = 8  # columns between two gutters: notes may be narrow
_SHORTEST_PROSE = 20  # characters of a line
_MOST_CROSSING = 8  # one line in so many may cross a gutter of its page
_SHORTEST_PART = 12  # characters of a column of two lines
_STOPS = (".", "!", "?", "…", "。", "؟", "।", ":")
_MOST_CELLS, _MOST_CAPITALS = 12, 0.7  # lines, and the share of them that begin so, of prose
_FEWEST_JOINED = 3  # lines of a column that another may go on
_TEXT = re.compile(r"\S+")


class _Line:
    """A line, as a half-open interval of the text."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.start, self.end = start, end
        self._words = text[start:end]
        self.has_gap = "   " in self._words and "   " in self._words.rstrip()

    def part(self, low: int, high: int) -> str:
        """Return what is in some columns, without the white space around it."""
        return self._words[low:high].strip()

    @cached_property
    def wide_gaps(self) -> int:
        """The columns at which a wide gap between words begins or goes on, as bits."""
        if not self.has_gap:
            return 0
        lead = _lowest(self.bits)
        blank = ~(self.bits >> lead) & _mask(0, self.bits.bit_length() - lead)
        return (blank & blank >> 1 & blank >> 2) << lead

    @cached_property
    def bits(self) -> int:
        """The columns that have text, as bits."""
        if len(self._words) > _WIDEST:
            return _mask(0, _WIDEST)
        bits = 0
        for match in _TEXT.finditer(self._words):
            bits |= _mask(*match.span())
        return bits


@dataclass(slots=True)
class _Column:
    """The lines of a column, with a barrier between two of which none is above the other."""

    lines: list[Interval]
    last: Interval = (0, _WIDEST)

    def add(self, place: Interval, origin: int) -> None:
        low, high = place[0] - origin, place[1] - origin
        if not (low < self.last[1] and self.last[0] < high):
            self.lines.append((place[0], place[0]))
        self.last = low, high
        self.lines.append(place)


def stripped(text: str, start: int, end: int) -> Interval | None:
    """Return an interval without the white space at its ends; `None` if it has nothing else."""
    part = text[start:end]
    if not part.strip():
        return None
    return end - len(part.lstrip()), start + len(part.rstrip())


def find_columns(text: str) -> list[list[Interval]]:
    """Return the lines of each column of a text, those of one page below another, and of all.

    Several lines one below another that are blank in one column have a gutter there. Blanks between
    the words of a text are not aligned. Heads, feet and notes of pages are left out.
    """
    if "   " not in text and "\f" not in text:
        return []
    ordered: list[Interval] = []
    widest: list[Interval] = []
    pages = list(_pages(text))
    bodies = list(_bodies(text, pages))
    cut = [_cut(page) for page in bodies]
    # Lines that are cut or left out.
    changed = sum(map(len, pages)) - sum(len(parts) == 1 for page in cut for parts in page)
    if not changed or changed * SPARSEST < len(text):
        return []
    for page, parts_of in zip(bodies, cut, strict=True):
        columns = [_Column([]) for _ in range(_MOST_COLUMNS)]
        wide = _Column([])
        for i, (line, parts) in enumerate(zip(page, parts_of, strict=True)):
            places = [(k, place) for k, part in parts for place in _place(text, line, part)]
            for k, place in places:
                columns[min(k, _MOST_COLUMNS - 1)].add(place, line.start)
            if len(parts) > 1:
                context = _context(page, i)
                column, _ = max(parts, key=lambda part: _coverage(part[1], context))
                places = [place for place in places if place[0] == column]
            for _, place in places:
                wide.add(place, line.start)
        for column in columns:
            _go_on(text, ordered, column.lines)
        _go_on(text, widest, wide.lines)
    return [ordered, widest]


def _context(page: Sequence[_Line], i: int) -> Sequence[_Line]:
    return page[max(0, i - _CONTEXT) : i + _CONTEXT + 1]


def _cut(page: Sequence[_Line]) -> list[list[tuple[int, Interval]]]:
    """Return the parts of each line between the gutters around it."""
    is_near = bytearray(len(page) + 1)  # lines near enough to a wide gap that there may be a gutter
    for i, line in enumerate(page):
        if line.has_gap:
            low, high = max(0, i - 4 * _CONTEXT), min(len(page), i + 4 * _CONTEXT)
            is_near[low:high] = b"\1" * (high - low)
    parts: list[list[tuple[int, Interval]]] = []
    gutters: list[Interval] = []
    for i, line in enumerate(page):
        if not is_near[i]:
            parts.append([(0, (0, max(0, line.end - line.start)))])
            continue
        if not (i % _CONTEXT and is_near[i - 1]):
            first = i - i % _CONTEXT
            gutters = _gutters_of(page[max(0, first - 3 * _CONTEXT) : first + 4 * _CONTEXT])
        near = page[max(0, i - 2 * _CONTEXT) : i + 2 * _CONTEXT]
        parts.append(_parts(line, _moved(gutters, _own_gutters(page, i)), near))
    return parts


def _own_gutters(page: Sequence[_Line], i: int) -> list[Interval]:
    """Return the wide gaps that a line has in common with two of those next to it, or with one.

    Two lines have a gutter if what is on either side of it goes on from the one to the other.
    """
    if not page[i].wide_gaps:
        return []
    common = 0
    for first in range(max(0, i - 2), min(i, len(page) - 3) + 1):
        one, two, three = page[first : first + 3]
        common |= one.wide_gaps & two.wide_gaps & three.wide_gaps
    gaps = [(low, high + _WIDE - 1) for low, high in _runs(common)]
    if gaps:
        return gaps
    pairs = pairwise(page[max(0, i - 1) : i + 2])
    of_two = (_gutters_of_two(one, two) for one, two in pairs)
    return next(filter(None, of_two), gaps)


def _gutters_of_two(one: _Line, two: _Line) -> list[Interval]:
    """Return the wide gaps of two lines between columns of which each is a text of two lines."""
    if two.start - one.end > len("\r\n"):
        return []
    gaps = [(low, high + _WIDE - 1) for low, high in _runs(one.wide_gaps & two.wide_gaps)]
    if not gaps:
        return []
    borders = [0, *(place for gap in gaps for place in gap), _WIDEST]
    columns = zip(borders[::2], borders[1::2], strict=True)
    begins_below = all(bits >> high & 1 for bits in (one.bits, two.bits) for _, high in gaps)
    return gaps if begins_below and all(_goes_on(one, two, *each) for each in columns) else []


def _goes_on(one: _Line, two: _Line, low: int, high: int) -> bool:
    """Return whether a column of two lines is one text, by its case and its stops."""
    first, second = one.part(low, high), two.part(low, high)
    if min(len(first), len(second)) < _SHORTEST_PART or first.endswith(_STOPS):
        return False
    return second[0].islower() or (second.endswith(_STOPS[:-1]) and first[0].isupper())


def _moved(gutters: Sequence[Interval], own: Sequence[Interval]) -> list[Interval]:
    """Return the gutters of a page as they are on a line that has gaps of its own."""
    if not gutters:
        return list(own)
    moved = [
        next(
            (gap for gap in own if gap[0] < high + _NARROWEST and low < gap[1] + _NARROWEST),
            (low, high),
        )
        for low, high in gutters
    ]
    return moved if len({*moved}) == len(moved) else list(gutters)


def _go_on(text: str, places: list[Interval], column: list[Interval]) -> None:
    """Add a column to those before it, behind a barrier if one of both has no running text."""
    if not column:
        return
    if places and not (
        _is_prose(column) and _is_prose(places[-_EDGE:]) and not _are_cells(text, places)
    ):
        places.append((column[0][0], column[0][0]))
    places += column


def _are_cells(text: str, lines: Sequence[Interval]) -> bool:
    """Return whether the last lines are of a table: too few, a label, or each begins anew."""
    last: list[Interval] = []
    for place in reversed(lines[-_MOST_CELLS:]):
        if place[0] == place[1]:
            break
        last.append(place)
    capitals = sum(text[start].isupper() for start, _ in last)
    return (
        len(last) < _FEWEST_JOINED
        or text[last[0][1] - 1] in ":："
        or capitals > len(last) * _MOST_CAPITALS
    )


def _is_prose(lines: Sequence[Interval]) -> bool:
    """Return whether most lines are long, unlike those of notes and of the columns of a table."""
    return median(end - start for start, end in lines if start < end) >= _SHORTEST_PROSE


def _place(text: str, line: _Line, part: Interval) -> list[Interval]:
    low, high = (min(line.start + column, line.end) for column in part)
    place = stripped(text, low, high)
    return [place] if place else []


def _pages(text: str) -> Iterator[list[_Line]]:
    """Yield the lines of each page that are not blank."""
    page: list[_Line] = []
    for match in re.compile(r"[^\n\f]+|\f").finditer(text):
        if match[0] == "\f":
            yield page
            page = []
        elif match[0].strip():
            page.append(_Line(text, *match.span()))
    yield page


_EDGE = 3  # lines of a head or foot
_WIDE_GAP = re.compile(r"\s{3,}")
_DIGITS = re.compile(r"\d+")
# "12", "- 12 -", "Page 12", "3 von 9"
_PAGE = re.compile(r"\W*(?:[^\W\d_]{1,8}\W{0,2})?(\d{1,4})(?:\W{1,3}[^\W\d_]{0,4}\W?\d{1,4})?\W*")


def _bodies(text: str, pages: Sequence[list[_Line]]) -> Iterator[list[_Line]]:
    """Yield the lines of each page without its head and foot.

    A line is of a head or foot if other pages have a part of it too, figures aside, or if a part is
    a number that counts the pages.
    """
    edges = [[*page[:_EDGE], *page[-_EDGE:]] for page in pages]
    keys = Counter(key for edge in edges for key in {k for line in edge for k in _keys(text, line)})
    counts = Counter(
        number - i
        for i, edge in enumerate(edges)
        for number in {n for line in edge for n in _page_numbers(text, line)}
    )
    first, agreeing = counts.most_common(1)[0] if counts else (0, 0)

    def is_outside(line: _Line, number: int) -> bool:
        numbered = agreeing > 1 and first + number in _page_numbers(text, line)
        return numbered or any(keys[key] > 1 for key in _keys(text, line))

    for i, page in enumerate(pages):
        start, end = 0, len(page)
        while start < min(_EDGE, end) and is_outside(page[start], i):
            start += 1
        while end > max(start, len(page) - _EDGE) and is_outside(page[end - 1], i):
            end -= 1
        yield _without_notes(text, page[start:end])


def _cells(text: str, line: _Line) -> list[str]:
    """Return the parts of a line between wide gaps."""
    return _WIDE_GAP.split(text[line.start : line.end].strip())


def _keys(text: str, line: _Line) -> list[str]:
    """Return the parts of a line that have letters and deny nothing, figures aside."""
    cells = (_DIGITS.sub("0", cell) for cell in _cells(text, line))
    return [
        cell
        for cell in cells
        if any(map(str.isalpha, cell)) and union("negators").isdisjoint(cell.lower().split())
    ]


def _page_numbers(text: str, line: _Line) -> list[int]:
    return [int(match[1]) for cell in _cells(text, line) if (match := _PAGE.fullmatch(cell))]


# A mark at the beginning of a note, and behind a word or stop of the text.
_NOTE = re.compile(r"\[?(\d{1,3}|[*†‡§¶]{1,3})[\].]?(?:\s+|(?=[^\W\d_])|$)")
# What is before the mark is looked at last: a pattern is ten times as fast if a class begins it.
_NOTED = re.compile(
    r"[\[\d*†‡§¶](?<=(?:[^\W\d_]|[.,;:!?)\]\"'”’»]).)"
    r"(?:(?<=\[)(?:\d{1,3}|[*†‡§¶]{1,3})|(?<=\d)\d{0,2}|(?<=[*†‡§¶])[*†‡§¶]{0,2})\]?(?![\w*†‡§¶])"
)
_MOST_NOTES = 20  # lines of the notes of a page


def _without_notes(text: str, page: list[_Line]) -> list[_Line]:
    """Return the lines of a page without the notes at its foot that go across its columns.

    Their marks are above them.
    """
    lines = [(line.start, min(line.end, line.start + _WIDEST)) for line in page]
    lines[-_MOST_NOTES:] = (stripped(text, *line) or line for line in lines[-_MOST_NOTES:])
    above: set[str] = set()
    read = 0
    for i in range(max(1, len(lines) - _MOST_NOTES), len(lines)):
        if not _NOTE.match(text, *lines[i]):
            continue
        marks = [match[1] for line in lines[i:] if (match := _NOTE.match(text, *line))]
        if not _is_ascending(marks):
            continue
        for line in lines[read:i]:
            above.update(match[0].strip("[]") for match in _NOTED.finditer(text, *line))
        read = i
        if above.issuperset(marks):
            return page if any("   " in text[slice(*line)] for line in lines[i:]) else page[:i]
    return page


def _is_ascending(marks: Sequence[str]) -> bool:
    numbers = [int(mark) for mark in marks if mark.isdecimal()]
    return all(other == one + 1 for one, other in pairwise(numbers))


def _mask(start: int, end: int) -> int:
    return (1 << end) - (1 << start)


def _gutters_of(context: Sequence[_Line]) -> list[Interval]:
    """Return the gutters of some lines, if any of them has a wide gap; most have none."""
    for line in context:
        if line.has_gap:
            return _gutters(context, max(1, len(context) // _MOST_CROSSING))
    return []


def _gutters(context: Sequence[_Line], most: int) -> list[Interval]:
    """Return the gutters of some lines, as half-open intervals of columns, in order.

    A few lines may have text across a gutter, such as a heading.
    """
    taken = [0] * (most + 1)  # the columns that one line has text in, two, and so on
    for line in context:
        bits = line.bits
        for level in range(most + 1):
            taken[level], bits = taken[level] | bits, taken[level] & bits
    gutters: list[Interval] = []
    for level in taken:
        for low, high in _blank_runs(level):
            apart = all(
                low >= end + _NARROWEST or start >= high + _NARROWEST for start, end in gutters
            )
            if apart and _is_gutter(low, high, context):
                gutters.append((low, high))
    return sorted(gutters)


def _blank_runs(bits: int) -> Iterator[Interval]:
    """Yield the runs of columns without text, but for that after the last text."""
    column, length = 0, bits.bit_length()
    while column < length:
        column += _lowest(~(bits >> column))
        width = _lowest(bits >> column) if bits >> column else 0
        if width:
            yield column, column + width
        column += max(1, width)


def _runs(bits: int) -> Iterator[Interval]:
    """Yield the runs of columns with text."""
    column = 0
    while bits >> column:
        column += _lowest(bits >> column)
        width = _lowest(~(bits >> column))
        yield column, column + width
        column += width


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


def _is_gutter(start: int, end: int, context: Sequence[_Line]) -> bool:
    beside = [line.bits for line in context if not line.bits & _mask(start, end)]
    left = [bits & _mask(0, start) != 0 for bits in beside]
    right = [bits >> end != 0 for bits in beside]
    both = sum(map(bool.__and__, left, right))
    if len(beside) < _FEWEST_LINES or not any(left) or not any(right):
        return False
    # The blank behind the bullets of a list is no gutter.
    is_margin = start < _NARROWEST
    return end - start >= _WIDE or (not is_margin and both * (end - start) >= _FEWEST_BLANKS)


def _parts(
    line: _Line, gutters: Sequence[Interval], near: Sequence[_Line]
) -> list[tuple[int, Interval]]:
    """Return the parts of each line between the gutters that it has no text in, and their columns.

    Where one blank is all the gutter that a line has, others show that a column begins there.
    """
    parts: list[tuple[int, Interval]] = []
    column = start = 0
    for i, (low, high) in enumerate(gutters, 1):
        if not line.bits & _mask(low, high) and not _is_one_text(line, low, high, near):
            parts.append((column, (start, low)))
            column, start = i, high
    return [*parts, (column, (start, max(start, line.end - line.start)))]


def _is_one_text(line: _Line, low: int, high: int, near: Sequence[_Line]) -> bool:
    """Return whether the words on both sides of a narrow gutter are of one column on a line."""
    left, begin = _around(line, low, high)
    if not left or begin is None or begin - left > 1:
        return False
    sides = (_around(other, low, high) for other in near if other is not line)
    return all(
        abs(place - begin) > 1 or place - end <= 1 for end, place in sides if place is not None
    )


def _around(line: _Line, low: int, high: int) -> tuple[int, int | None]:
    """Return the column where the text before a gutter ends, and where that behind it begins."""
    behind = line.bits >> high
    return (line.bits & _mask(0, low)).bit_length(), high + _lowest(behind) if behind else None


def _coverage(part: Interval, context: Sequence[_Line]) -> float:
    """Return how many lines have text in a column of the page, on average."""
    covered = sum((line.bits & _mask(*part)).bit_count() for line in context)
    return covered / max(1, part[1] - part[0])
