"""Tables: the rows and cells of a page, between ruled lines or in aligned columns.

A row of a table becomes one piece that is as wide as the table (`Piece.row`), so that the order of
reading and the paragraphs see lines of text that nothing runs beside.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np

from citeguard.documents.pdf.lines import (
    CellLines,
    Columns,
    Line,
    Piece,
    Row,
    gaps_before,
    gather_lines,
    runs,
    without_leaders,
)
from citeguard.documents.pdf.pdfium import Floats
from citeguard.language.tables import is_figure

# Points.
_SAME_ENDS = 3.0  # ruled lines whose ends differ by less are the edges of one table
_MET = 2.5  # lines so close meet
_HIGHEST_HEAD = 100.0  # above the first ruled line over the whole width
_SHORTEST = 20.0  # of the ruled lines that are the edges of a table
# In parts of the font's size.
_NARROWEST_STRIP = 0.25  # that is empty between two columns
_BESIDE = 0.7  # pieces with less between them are in one cell
_ONE_ROW = 0.5  # baselines that differ by less are of one row
_BETWEEN = 0.9  # the same of cells that are not below each other
_TIGHT = 1.5  # lines of one cell are nearer
_NEARER = 0.8  # of the least distance between two rows: lines of one row are nearer
_FAR = 3.0  # rows of a table without ruled lines are nearer to each other, and lines of any row
_SAME_COLUMNS = 2.0  # the edges of columns on two pages differ by less
_MOST_AMID = 6  # lines of a name in a column of its own, until the next row
_LARGER = 1.1  # lines above are not the names of a part of the table, but headings
_COMMON_GAP = 0.6  # that two rows have in common
# In parts of something else.
_SAME_PITCH = 0.1  # of the width of a typewriter's characters: their places differ by less
_SHORTEST_TYPED = 5  # characters of a line, and so many are looked at first
_FULL_WIDTH = 0.9  # of the table: longer ruled lines are between rows
_HALF = 0.5  # of the table: an upright line so long is before a column of cells, not one of them
_WIDE = 0.6  # of the table: a longer line is no name of a row
_THROUGH = 0.6  # of a band: an upright line so long is between columns
_CROSSED = 0.12  # of the rows of a table may have a cell that reaches over a strip
_RULED = 0.33  # ruled lines for each line of text: there is one between any two rows
_FILLED, _FILLED_RULED = 0.7, 0.4  # of the cells of rows, between ruled lines or without
_ALIGNED = 0.7  # of the cells of a column
_NEAR = 0.6  # of the size: edges that differ by less are aligned, as a bracket stands out

_FIRST_LINES = 3  # of a table, below its head: the name of a part may be the first
_DOTS = 3  # more lead to what is beside them
_LONG = 6  # words: a line of a column of prose has as many
_LONG_LINES = 0.3  # of the lines between two ruled lines: there are columns of prose
_PROSE = 6  # lines that may be columns of prose

BULLETS = "•●▪■◦○‣∙⁃➢✓◆"
"""The signs that only mark items of lists."""
# As "• ", "– ", "(a) ", "iv. " and "[12] ".
ITEM = re.compile(
    rf"[{BULLETS}·–—-]\s|(?:\(?(?:\d{{1,3}}|[a-z]|[ivx]{{1,5}})[.)]|\[\d{{1,3}}\])\s", re.IGNORECASE
)
"""Begins an item of a list."""
# As "Figure 3", "Tabelle 2", "Tableau IV", "Tabella 1" and "Abb. 4".
_CAPTION = re.compile(
    r"(?:fig(?:ure|\.|ura)?|tab(?:le|\.|elle|leau|ella)?|abb(?:ildung|\.)|algorithm|listing|chart"
    r"|plate|scheme|exhibit|box)\s*(?:[A-Z]?\d[\w.-]*|[IVX]+\b)",
    re.IGNORECASE,
)
# "Table 2: Results" and "Table 2 Results", but not the sentence "Table 2 shows the results".
_AFTER_NUMBER = re.compile(r"[.:|–—)]|\s*$|\s+[^\W\d_a-z]")
# The number of a formula: "(3a)".
_NUMBERED = re.compile(r"\(\d+[a-z]?\)")
# Accounts have these signs in columns of their own, beside the figures: "$ | 410" and "(35 | )".
_BEFORE, _AFTER = re.compile(r"[$€£¥(]{1,2}"), re.compile(r"[)%]{1,2}")

_Stroke = tuple[float, float, float]  # where it starts and ends, and the place across


def with_ruled_tables(
    pieces: Sequence[Piece], rules: Floats, page: int, turns: int
) -> Sequence[Piece]:
    """Return the pieces of a page with a piece for each row of its ruled tables.

    Args:
        pieces: The pieces in one direction.
        rules: The ruled lines: left, top, right, bottom of each, seen in that direction.
        page: The number of the page.
        turns: See `Line`.
    """
    if len(rules) < 2:
        return pieces
    flat, upright = _strokes(rules), _strokes(rules[:, [1, 0, 3, 2]])
    for edges in _edges(flat, upright):
        frame = _Frame(edges, flat, upright)
        for bands in frame.tables(pieces):
            lines = gather_lines([p for band in bands for p in band.pieces], page, turns)
            levels = [bands[0].top, *(band.bottom for band in bands)]
            rows = _Reading(lines, levels, frame.over, frame.between(levels)).rows()
            if rows:
                taken = {id(piece) for band in bands for piece in band.pieces}
                pieces = [piece for piece in pieces if id(piece) not in taken] + rows
    return pieces


def with_aligned_rows(lines: Sequence[Line], rules: Floats) -> list[Line]:
    """Return the lines of a block with rows in place of those whose gaps are aligned.

    Args:
        lines: The lines of a column from above.
        rules: See `with_ruled_tables`.
    """
    placed: list[Line] = []
    place = 0
    for start, end, borders in _typed_runs(lines):
        run = lines[start:end]
        walls = [(run[0].top, run[-1].bottom, x) for x in borders]
        rows = [piece for piece in _Reading(run, [], [], walls).rows() if piece.row]
        values = [cell for piece in rows for cell in (piece.row.cells if piece.row else ())[1:]]
        if 2 * sum(is_figure(cell.lines[0].text) for cell in values) > len(values):
            placed += _with_aligned(lines[place:start], rules)
            placed += [Line([piece], run[0].page, run[0].turns) for piece in rows]
            place = end
    return [*placed, *_with_aligned(lines[place:], rules)]


def _typed_runs(lines: Sequence[Line]) -> Iterator[tuple[int, int, list[float]]]:
    """Yield the runs of lines in a typewriter's font that leave columns blank, and these."""
    left = min((line.left for line in lines), default=0.0)
    pitches = map(_pitch, lines)
    typed = [(p, _inked(line, left, p) if p else 0) for line, p in zip(lines, pitches, strict=True)]
    start = 0
    while start < len(lines):
        # A line of text above a table may end the run amid the table.
        last, _ = _typed_run(lines, typed, start)
        runs = [(at, *_typed_run(lines, typed, at)) for at in range(start, last)]
        start, end, borders = max(runs, key=lambda run: (run[1] - run[0]) * run[2].bit_count())
        # "Coefficients:" above the first row has no ink beyond the first border.
        cells = [at for at in range(start, end) if borders and typed[at][1] > borders & -borders]
        if len(cells) > 2:
            places = [at for at in range(borders.bit_length()) if borders >> at & 1]
            yield cells[0], cells[-1] + 1, [left + (at + 0.5) * typed[start][0] for at in places]
        start = max(end, start + 1)


def _typed_run(
    lines: Sequence[Line], typed: Sequence[tuple[float, int]], start: int
) -> tuple[int, int]:
    """Return where the run of lines that begins with one ends, and the columns that are blank.

    Args:
        lines: The lines.
        typed: The pitch of each line, and the columns that it has ink in.
        start: The number of the first one.
    """
    (pitch, covered), end = typed[start], start + 1
    borders = _blank(covered)
    while pitch and end < len(lines) and abs(typed[end][0] - pitch) < _SAME_PITCH * pitch / 2:
        common = _blank(covered | typed[end][1])
        if not common or lines[end].baseline - lines[end - 1].baseline > _TIGHT * lines[end].size:
            break
        covered, borders, end = covered | typed[end][1], common, end + 1
    return end, borders


def _pitch(line: Line) -> float:
    """Return the distance of the characters of a line; 0 if they are not on a grid."""
    if line.row is not None or len(line.text) < _SHORTEST_TYPED:
        return 0.0
    first, lefts = line.lefts[0], line.main.lefts[:_SHORTEST_TYPED].tolist()
    pitch = (lefts[-1] - lefts[0]) / (len(lefts) - 1) if len(lefts) > 1 else 0.0
    if pitch < _SAME_PITCH * line.size or any(
        abs(x - lefts[0] - at * pitch) > _SAME_PITCH * pitch for at, x in enumerate(lefts)
    ):
        return 0.0
    places = (
        (x - first) / pitch for x, sign in zip(line.lefts, line.text, strict=True) if sign != " "
    )
    return pitch if all(abs(place - round(place)) < 2 * _SAME_PITCH for place in places) else 0.0


def _inked(line: Line, left: float, pitch: float) -> int:
    """Return the columns of characters that a line has ink in, as the bits of a number."""
    edges = zip(line.text, line.lefts, strict=True)
    return sum({1 << round((x - left) / pitch) for sign, x in edges if sign != " "})


def _blank(covered: int) -> int:
    """Return the last of the blank columns side by side, between columns with ink, as bits."""
    # A bit that is 0 below a 1, and above the lowest 1: what is left of all ink is the margin.
    return ~covered & covered >> 1 & -(covered & -covered)


def _with_aligned(lines: Sequence[Line], rules: Floats) -> list[Line]:
    placed: list[Line] = []
    place = 0
    flat: list[_Stroke] | None = None
    for start, end in _runs(lines):
        run = lines[start:end]
        flat = _strokes(rules) if flat is None else flat
        top, bottom = run[0].top - run[0].size, run[-1].bottom + run[-1].size
        full = _FULL_WIDTH * (max(line.right for line in run) - min(line.left for line in run))
        near = [each for each in flat if top < each[2] < bottom and each[1] - each[0] < full]
        rows = [
            Line([piece], run[0].page, run[0].turns) for piece in _Reading(run, [], near, []).rows()
        ]
        placed += [*lines[place:start], *(rows or run)]
        place = end
    return [*placed, *lines[place:]]


def join_over_pages(lines: Sequence[Line]) -> None:
    """Make rows that begin a page those of the table that ends the page before.

    Args:
        lines: The first lines of all paragraphs; each row is one. They are changed.
    """
    joined: dict[Columns, tuple[Columns, int]] = {}
    heads: set[tuple[Columns, str]] = set()
    for before, line in pairwise(lines):
        row, above = line.row, before.row
        if row is None or above is None:
            continue
        edges = list(zip(row.table.edges, above.table.edges, strict=False))
        if len(edges) > 3:  # the outer ones are those of the text
            edges = edges[1:-1]
        if (
            row.table is not above.table
            and line.page == before.page + 1
            and len(row.table.edges) == len(above.table.edges)
            and all(abs(one - other) < _SAME_COLUMNS * line.size for one, other in edges)
        ):
            joined[row.table] = above.table, above.number
        if above.is_head:
            heads.add((above.table, before.text))
        if row.table in joined:
            row.table, count = joined[row.table]
            row.number += count
            # The names of columns may stand again at the top of a page; another row is no head.
            row.is_head = (row.table, line.text) in heads


def is_caption(text: str) -> bool:
    """Return whether a line begins as captions of figures and tables do.

    Examples:
        >>> is_caption("Table 2: Results"), is_caption("Table 2 shows the results")
        (True, False)
    """
    start = _CAPTION.match(text)
    if start is None:
        return False
    return start[0].endswith(".") or _AFTER_NUMBER.match(text, start.end()) is not None


def share_gap(before: Line, after: Line) -> bool:
    """Return whether a gap of a line is one of the next line, too: both may be rows of a table."""
    return any(
        min(end, stop) - max(start, begin) > _COMMON_GAP * before.size
        for start, end in _gaps_of_cells(before)
        for begin, stop in _gaps_of_cells(after)
    )


def _gaps_of_cells(line: Line) -> list[tuple[float, float]]:
    """Return the wide gaps of a line, except for the one after a list mark."""
    mark = line.pieces[0].text  # or the prompt of a shell
    marked = ITEM.fullmatch(mark + " ") is not None or not any(map(str.isalnum, mark))
    return line.gaps[1:] if marked else line.gaps


def _strokes(rules: Floats) -> list[_Stroke]:
    """Return the lines along the first axis; those that meet end to end are one."""
    along = rules[:, 2] - rules[:, 0] > rules[:, 3] - rules[:, 1]
    lines: list[tuple[float, float, float, float]] = rules[along].tolist()
    strokes: list[_Stroke] = []
    for start, low, end, high in sorted(lines, key=lambda line: (round(line[1]), line[0])):
        place = (low + high) / 2
        if strokes and abs(strokes[-1][2] - place) < 1 and start < strokes[-1][1] + _MET:
            strokes[-1] = strokes[-1][0], max(end, strokes[-1][1]), strokes[-1][2]
        else:
            strokes.append((start, end, place))
    return strokes


def _edges(flat: Sequence[_Stroke], upright: Sequence[_Stroke]) -> list[list[_Stroke]]:
    """Return the long lines with the same ends, two and more, the narrowest first."""
    groups: list[list[_Stroke]] = []
    for line in flat:
        if line[1] - line[0] < _SHORTEST:
            continue
        for group in groups:
            start, end, _ = group[0]
            if abs(start - line[0]) < _SAME_ENDS and abs(end - line[1]) < _SAME_ENDS:
                group.append(line)
                break
        else:
            groups.append([line])
    frames = [group for group in groups if len(group) > 1]
    whole = (g for g in frames if not any(_has_inside(each, g, upright) for each in frames))
    # A table stands in a column, and a column between the lines at the head and foot of the page.
    return sorted(whole, key=lambda group: group[0][1] - group[0][0])


def _has_inside(
    frame: Sequence[_Stroke], group: Sequence[_Stroke], upright: Sequence[_Stroke]
) -> bool:
    """Return whether lines with the same ends are only over some columns of a wider frame.

    Lines of the frame are between them, or upright lines go on from both their ends to these.
    """
    (start, end, _), (left, right, _) = group[0], frame[0]
    if end - start > right - left - _SAME_ENDS:
        return False
    at_side = abs(start - left) < _SAME_ENDS or abs(end - right) < _SAME_ENDS
    within = left - _SAME_ENDS < start and end < right + _SAME_ENDS
    if not (at_side and within):
        return False
    top, bottom = group[0][2], group[-1][2]
    if sum(top < y < bottom for _, _, y in frame) > 1:
        return True
    above = max((y for _, _, y in frame if y < top), default=-math.inf)
    below = min((y for _, _, y in frame if y > bottom), default=math.inf)
    return all(
        any(
            abs(x - edge) < _SAME_ENDS and first < above + _MET and last > below - _MET
            for first, last, x in upright
        )
        for edge in (start, end)
    )


@dataclass(slots=True)
class _Band:
    """What is between two ruled lines over the whole width."""

    top: float
    bottom: float
    pieces: list[Piece]
    kind: str = ""  # "cells", "text", or "either"


class _Frame:
    """The ruled lines with the same ends, and what is between them."""

    def __init__(
        self, edges: Sequence[_Stroke], flat: Sequence[_Stroke], upright: Sequence[_Stroke]
    ) -> None:
        self.left, self.right = edges[0][0], edges[0][1]
        width = self.right - self.left
        self.top, self.bottom = edges[0][2], edges[-1][2]
        flat = [
            line
            for line in flat
            if line[0] > self.left - _SAME_ENDS
            and line[1] < self.right + _SAME_ENDS
            and self.top - _HIGHEST_HEAD < line[2] < self.bottom + _MET
        ]
        self._sides = [
            line
            for line in upright
            if min(abs(line[2] - self.left), abs(line[2] - self.right)) < _MET
        ]
        self._upright = [line for line in upright if self.left + _MET < line[2] < self.right - _MET]
        self._levels: list[float] = []
        self.over = [line for line in flat if line[1] - line[0] < _FULL_WIDTH * width]
        for line in flat:
            is_full = line not in self.over and line[2] > self.top - _MET
            if is_full and (not self._levels or line[2] - self._levels[-1] > _MET):
                self._levels.append(line[2])
        self._levels = sorted((*self._levels, *self._open_edges(flat)))

    def _open_edges(self, flat: Sequence[_Stroke]) -> list[float]:
        """Return where lines between columns end that go on beyond the ruled lines they meet.

        A first or last row may have no line at its edge.
        """
        levels, ends = self._levels, list[float]()
        for start, end, _ in self._upright:
            first, after = bisect_right(levels, start - _MET), bisect_left(levels, end + _MET)
            if first < after:
                reached = (start, levels[first]), (end, levels[after - 1])
                ends += [edge for edge, level in reached if abs(edge - level) < _HIGHEST_HEAD]
        places, found = sorted(y for *_, y in flat), list[float]()
        for edge in sorted(ends):
            at = bisect_left(places, edge)
            beside = *places[max(0, at - 1) : at + 1], *found[-1:]
            if min(abs(edge - each) for each in beside) > _MET:
                found.append(edge)
        return found

    def tables(self, pieces: Sequence[Piece]) -> Iterator[list[_Band]]:
        """Yield the runs of bands that hold the cells of a table."""
        bands = self._bands(pieces)
        for is_text, group in groupby(bands, lambda band: band.kind == "text"):
            run = list(group)
            while run and run[0].kind != "cells":
                run.pop(0)
            while run and run[-1].kind != "cells":
                run.pop()
            if run and not is_text:
                yield run

    def _bands(self, pieces: Sequence[Piece]) -> list[_Band]:
        """Return what is between the ruled lines over the whole width, and above them a head.

        Where most bands have upright lines at their sides, the others are no part of a table.
        """
        inside = [
            piece
            for piece in pieces
            if self.left - piece.size < piece.left
            and piece.middle < self.right  # a cell may be too narrow
        ]
        heads = set(self._heads(inside))
        levels = sorted({*self._levels, *heads})
        bands = [_Band(top, bottom, []) for top, bottom in pairwise(levels)]
        for piece in inside:
            place = bisect_left(levels, piece.level) - 1
            if 0 <= place < len(bands):
                bands[place].pieces.append(piece)
        closed = [self._closes(band) for band in bands]
        boxed = 2 * sum(closed) > sum(bool(band.pieces) for band in bands)
        # Two open ones below each other may be another table.
        opened = [bool(band.pieces) and not shut for band, shut in zip(bands, closed, strict=True)]
        for band, is_closed, before, after in zip(
            bands, closed, (False, *opened), (*opened[1:], False), strict=False
        ):
            is_aside = boxed and not is_closed and not (band.pieces and (before or after))
            if band.bottom in heads or is_aside:
                band.kind = "text"
            elif band.top in heads:
                band.kind = "cells"
            else:
                kind = self._kind(band)
                band.kind = "cells" if boxed and kind == "either" and band.pieces else kind
        return bands

    def _heads(self, pieces: Sequence[Piece]) -> Iterator[float]:
        """Yield the highest lines over the columns of heads, where none is over the whole width.

        Without one, a line of cells right above the first ruled line is a head of those below.
        """
        over = sorted(y for _, end, y in self.over if abs(end - self.right) < _SAME_ENDS)
        for at, (top, bottom) in enumerate(pairwise([self.top - _HIGHEST_HEAD, *self._levels])):
            if at == 1 or (at and self._closes(_Band(top, bottom, []))):  # a line is over it
                continue
            for y in over:
                below = [piece.text for piece in pieces if y < piece.level < bottom]
                if top + _MET < y < bottom - _MET and below and not any(map(is_figure, below)):
                    yield y
                    break
            else:
                if at == 0 and (head := self._head_above(pieces)):
                    yield head.top - _MET

    def _head_above(self, pieces: Sequence[Piece]) -> Line | None:
        """Return a line right above the first ruled line whose gaps are those of cells below it."""
        near = [p for p in pieces if p.level < self.top and p.bottom > self.top - _TIGHT * p.size]
        below = [piece for piece in pieces if piece.level > self.top]
        if not near or not below:
            return None
        head, lines = gather_lines(near, 0)[-1], gather_lines(below, 0)[:_FIRST_LINES]
        is_over = any(len(line.gaps) >= len(head.gaps) and share_gap(head, line) for line in lines)
        has_figures = any(is_figure(piece.text) for piece in head.pieces)
        return head if is_over and not has_figures and not _has_prose(head) else None

    def _closes(self, band: _Band) -> bool:
        """Return whether an upright line is at a side of a band."""
        return any(_crosses(line, band) for line in self._sides)

    def between(self, levels: Sequence[float]) -> list[_Stroke]:
        """Return the upright lines between two levels."""
        return [
            line
            for line in self._upright
            if line[0] < levels[-1] - _MET and line[1] > levels[0] + _MET
        ]

    def _kind(self, band: _Band) -> str:
        if not band.pieces:
            return "either"
        if any(piece.row is not None for piece in band.pieces):
            return "text"  # a page that has a table
        left, right = (min(p.left for p in band.pieces), max(p.right for p in band.pieces))
        if any(_crosses(line, band) and left < line[2] < right for line in self._upright):
            return "cells"
        lines = gather_lines(band.pieces, 0)
        if any(is_caption(line.text) for line in lines):
            return "text"  # between two tables
        several = [line for line in lines if line.gaps]
        is_wide = any(
            not line.gaps and line.right - line.left > _WIDE * (self.right - self.left)
            for line in lines
        )
        if not several and (is_wide or not _are_beside(band.pieces)):
            return "text" if is_wide and len(lines) > 2 else "either"
        # Two columns of text between the lines at the head and foot of a page are no cells.
        beside = sum(map(_has_prose, several))
        few = len(several) < 3 and 2 * len(several) < len(lines)
        if (few and is_wide) or (len(lines) >= _PROSE and beside > _LONG_LINES * len(lines)):
            return "text"
        return "cells"


def _are_beside(pieces: Sequence[Piece]) -> bool:
    """Return whether an empty strip is between pieces, as between columns of cells."""
    return any(gap > piece.size for gap, piece in gaps_before(pieces))


def _crosses(line: _Stroke, band: _Band) -> bool:
    """Return whether an upright line goes through most of a band."""
    common = min(line[1], band.bottom) - max(line[0], band.top)
    return common > _THROUGH * (band.bottom - band.top)


def _runs(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Yield the runs of lines whose gaps are below each other."""
    start = 0
    while start < len(lines) - 1:
        end = start + 1
        while True:
            # Lines without gaps may be before a row: the name of a part, the rest of a name.
            stops = range(end, min(end + _MOST_AMID, len(lines)))
            after = next((stop for stop in stops if _follow(lines[end - 1 : stop + 1])), None)
            if after is None:
                break
            end = after + 1
        rows = [line for line in lines[start:end] if line.gaps]
        prose = sum(map(_has_prose, rows)) > _LONG_LINES * len(rows)
        if len(rows) > 2 and not prose:
            # The name of the last row may go on, on lines nearer than any row is to the one before.
            near = _NEARER * min(
                line.baseline - before.baseline
                for before, line in pairwise(lines[start:end])
                if line.gaps
            )
            while (
                end < len(lines)
                and lines[end].right < rows[-1].gaps[0][1]
                and lines[end].baseline - lines[end - 1].baseline < near
            ):
                end += 1
            yield start, end
        start = end


def _follow(lines: Sequence[Line]) -> bool:
    """Return whether the first and the last of these lines are rows of one table."""
    before, *amid, after = lines
    if any(line.row is not None for line in lines) or any(
        low.baseline - high.baseline > _FAR * before.size for high, low in pairwise(lines)
    ):
        return False
    if not share_gap(before, after):
        return False
    figures = map(str.isdigit, "".join(piece.text for piece in before.pieces[1:]))
    # One line amid may be the name of a part, over all columns; several are a name in its column.
    edge = before.right if len(amid) < 2 else before.gaps[0][1]
    return not amid or (
        any(figures)
        and not any(line.gaps or line.right > edge for line in amid)
        # Larger type is a heading, and another table follows it.
        and amid[0].size < _LARGER * before.size
    )


def _has_prose(line: Line) -> bool:
    """Return whether a line has two columns of prose beside each other."""
    return sum(len(piece.text.split()) >= _LONG for piece in line.pieces) > 1


class _Found:
    """Pieces of one line that are in one cell, or in a part of it."""

    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = pieces
        self.left = min(piece.left for piece in pieces)
        self.right = max(piece.right for piece in pieces)
        self.size = max(piece.size for piece in pieces)
        self.text = " ".join(piece.text for piece in pieces)
        self.middle = (self.left + self.right) / 2
        self.column, self.columns = 0, 1


def _found_in(line: Line, upright: Sequence[float]) -> list[_Found]:
    """Return the pieces of a line by cell, with the signs that belong to figures."""
    parts = [part for piece in line.pieces for part in _split(piece, upright)]
    return [
        _Found(cell)
        for cell in runs(parts, lambda cell, piece: _goes_on(_Found(cell), piece, upright))
    ]


def _goes_on(cell: _Found, piece: Piece, upright: Sequence[float]) -> bool:
    """Return whether a piece is in a cell before it: beside it, or one is the sign of a figure."""
    ruled = any(cell.right - 1 < x < piece.left + 1 for x in upright)
    beside = piece.left - cell.right < _BESIDE * max(piece.size, cell.size) and not ruled
    # A dollar before words is a cell of its own.
    is_sum = _BEFORE.fullmatch(cell.text) and not any(map(str.isalpha, piece.text))
    return beside or bool(is_sum or _AFTER.fullmatch(piece.text))


def _split(piece: Piece, upright: Sequence[float]) -> list[Piece]:
    """Return the parts of a piece between ruled lines, without dots that lead to the next one."""
    piece = without_leaders(piece)
    # Nothing but dots, which lead from "Sales" to "410".
    if piece.text.count(".") > _DOTS and not piece.text.strip(" ."):
        return []
    for x in upright:
        if piece.left + 1 < x < piece.right - 1:
            cut = int(np.searchsorted((piece.lefts + piece.rights) / 2, x))
            if " " in piece.text[max(cut - 1, 0) : cut + 1]:
                ends = piece.part(0, cut), piece.part(cut, len(piece.text))
                return [each for end in ends if end for each in _split(end, upright)]
    return [piece]


class _Reading:
    """The reading of one table.

    Args:
        lines: The lines from above, each over the whole width of the table.
        levels: The ruled lines over the whole width, from above.
        short: The shorter ones.
        upright: The places of ruled lines between columns.
    """

    def __init__(
        self,
        lines: Sequence[Line],
        levels: Sequence[float],
        short: Sequence[_Stroke],
        upright: Sequence[_Stroke],
    ) -> None:
        places = sorted({round(x, 1) for _, _, x in upright})
        cells = ((line, _found_in(line, places)) for line in lines)
        self._lines = [(line, found) for line, found in cells if found]
        self._left = min(line.left for line in lines)
        self._right = max(line.right for line in lines)
        self._levels = levels
        self._short = short
        self._size = float(np.median([line.size for line in lines]))
        self._borders = self._find_borders(places)
        walls = [[each for each in upright if abs(each[2] - x) < 1] for x in self._borders]
        height = lines[-1].bottom - lines[0].top
        self._walls = [
            wall if sum(end - start for start, end, _ in wall) > _HALF * height else []
            for wall in walls
        ]
        # "1 | clean the walls | 225" begins a row; "and the ducts" below it goes on.
        self._apart = min(
            (
                (line.baseline - before.baseline) / self._size
                for (before, _), (line, found) in pairwise(self._lines)
                if len(found) > 2 and is_figure(found[-1].text)
            ),
            default=0.0,
        )
        self._framed = 2 * sum(map(bool, self._walls)) >= len(self._borders)

    def rows(self) -> list[Piece]:
        """Return the rows as pieces; none without two rows and two columns."""
        if len(self._lines) < 2 or not self._borders:
            return []
        extents = self._extents()
        for line, found in self._lines:
            for each in found:
                self._place(each, extents)
            self._widen(line, found, extents)
        head = self._head()
        rest = self._lines[len(head) :]
        if not self._framed and not self._is_certain([found for _, found in rest]):
            return []
        names = list(self._head_rows(head))
        body = self._body_rows(rest)
        rows = [*names, *body]
        several = sum(len(row) > 1 for row in rows)
        if several < (2 if names else 3):
            return []
        table = Columns([self._left, *self._borders, self._right])
        pieces: list[Piece] = []
        until: dict[int, int] = {}  # the last row that a cell of each column goes on in
        for number, row in enumerate(rows, 1):
            covered = frozenset(column for column, last in until.items() if last >= number)
            pieces.append(self._as_piece(Row(table, number, number <= len(names), row, covered)))
            for cell in row:
                columns = range(cell.column, cell.column + cell.columns)
                until |= dict.fromkeys(columns, number + cell.rows - 1)
        return pieces

    def _head(self) -> list[tuple[Line, list[_Found]]]:
        """Return the lines of the head, if ruled lines over the whole width say where it ends."""
        head: list[tuple[Line, list[_Found]]] = []
        for top, bottom in pairwise(self._levels[:-1]):
            band = [pair for pair in self._lines if top < pair[0].main.level < bottom]
            first = band[0][1][0] if band else None
            # It goes on below a title, "all parameters", and a name over columns, "January".
            if not all(len(found) == 1 and found[0].columns > 1 for _, found in head) and (
                first is None or first.column == 0 or not _has_spans(head[-1][1])
            ):
                break
            head += band
        return head

    def _is_certain(self, rows: Sequence[Sequence[_Found]]) -> bool:
        """Return whether cells without ruled lines between them surely are below each other.

        Formulas, tables of contents and text with wide gaps are not.
        """
        several = [found for found in rows if len(found) > 1]
        count = len(self._borders) + 1
        if len(several) < 2:
            return bool(self._levels)
        filled = sum(len(found) for found in several) / (count * len(several))
        if filled < (_FILLED_RULED if self._levels else _FILLED):
            return False
        columns = [[e for f in rows for e in f if e.column == n] for n in range(count)]
        last = [each.text for each in columns[-1]]
        if not self._levels and count == 2 and 2 * sum(map(is_figure, last)) < len(last):
            return False  # a list with its marks, or the ends of lines of text
        if all(map(_NUMBERED.fullmatch, last)):  # of formulas
            return False
        # Between ruled lines, the names of rows may be indented.
        indented = self._levels and 2 * sum(map(is_figure, last)) > len(last)
        return all(_is_aligned(column, self._size) for column in columns[bool(indented) :])

    def _find_borders(self, upright: Sequence[float]) -> list[float]:
        """Return the places between columns: ruled lines, and strips that are hardly crossed."""
        several = [found for _, found in self._lines if len(found) > 1]
        if not several:
            return []
        width = int(2 * (self._right - self._left)) + 3
        change = np.zeros(width + 1)
        # Names over several columns cross what is between them.
        most = max(map(len, several))
        rich = [found for found in several if 4 * len(found) > 3 * most]
        if 2 * len(rich) < len(several):
            rich = [found for found in several if 2 * len(found) > most]
        # Names of several rows may be between their lines.
        first = min(found[0].left for found in rich)
        rich += [found[:1] for _, found in self._lines if found[0].right < first]
        for each in (each for found in rich for each in found):
            change[int(np.ceil(2 * (each.left - self._left)))] += 1
            change[int(2 * (each.right - self._left))] -= 1
        # Ruled lines already separate columns whose cells are of many widths.
        free = np.cumsum(change)[:width] <= (0 if upright else int(_CROSSED * len(rich)))
        strips: list[tuple[float, float]] = []
        place = 0
        for is_free, run in groupby(free.tolist()):
            length = len(list(run))
            if is_free and place and place + length < width - 3:
                strips.append((self._left + place / 2, self._left + (place + length) / 2))
            place += length
        borders = sorted(
            {x for x in upright if self._left < x < self._right}
            | {
                (start + end) / 2
                for start, end in strips
                if end - start > _NARROWEST_STRIP * self._size
                and not any(start - 2 < x < end + 2 for x in upright)
            }
        )
        # A column that is empty is the other half of a wide strip, or the space of a double line.
        kept: list[float] = []
        for border in borders:
            edge = kept[-1] if kept else self._left - 1
            middles = [each.middle for _, found in self._lines for each in found]
            if any(edge < x < border for x in middles) and any(x > border for x in middles):
                kept.append(border)
        return kept

    def _extents(self) -> list[tuple[float, float]]:
        """Return the left and right edges of what is in each column."""
        edges = [-np.inf, *self._borders, np.inf]
        extents: list[tuple[float, float]] = []
        for left, right in pairwise(edges):
            inside = [
                each
                for _, found in self._lines
                for each in found
                if each.left > left - 1 and each.right < right + 1
            ]
            low = min((each.left for each in inside), default=max(left, self._left))
            high = max((each.right for each in inside), default=min(right, self._right))
            extents.append((low, high))
        return extents

    def _place(self, each: _Found, extents: Sequence[tuple[float, float]]) -> None:
        """Give what was found its column, or the columns whose middles it is over."""
        over = [
            i for i, (low, high) in enumerate(extents) if each.left < (low + high) / 2 < each.right
        ]
        if len(over) < 2:
            common = [min(high, each.right) - max(low, each.left) for low, high in extents]
            over = [int(np.argmax(common))]
        each.column, each.columns = over[0], over[-1] - over[0] + 1

    def _widen(
        self, line: Line, found: Sequence[_Found], extents: Sequence[tuple[float, float]]
    ) -> None:
        """Give cells of a line the columns beside them that they are over, by the ruled lines.

        A line right below a cell is over these columns, or none is before them, only further below.
        """
        middle = line.main.level
        columns = [(low + high) / 2 for low, high in extents]
        for start, end, y in self._short if middle < max(self._levels[1:2], default=0.0) else ():
            over = [each for each in found if start < each.middle < end]
            if over and line.baseline < y < line.baseline + _TIGHT * line.size:
                nearest = [
                    min(over, key=lambda each, x=x: abs(each.middle - x))
                    if start < x < end
                    else None
                    for x in columns
                ]
                for each in over:
                    own = [at for at, one in enumerate(nearest) if one is each]
                    if each.column in own:
                        each.column, each.columns = own[0], len(own)
        taken = {at for each in found for at in range(each.column, each.column + each.columns)}
        for each in found:
            for step in (-1, 1):
                while True:
                    border = each.column - 1 if step < 0 else each.column + each.columns - 1
                    beside = border if step < 0 else border + 1
                    walls = self._walls[border] if 0 <= border < len(self._walls) else ()
                    if not walls or beside in taken or any(a < middle < b for a, b, _ in walls):
                        break
                    each.column, each.columns = min(each.column, beside), each.columns + 1

    def _head_rows(self, head: Sequence[tuple[Line, list[_Found]]]) -> Iterator[list[CellLines]]:
        """Yield the rows of a head, which ruled lines are between."""
        first, last = (head[at][0].main.level for at in (0, -1)) if head else (0.0, 0.0)
        ruled = (*(line[2] for line in self._short), *self._levels)
        inner = sorted({round(level) for level in ruled if first < level < last})
        for _, lines in groupby(head, lambda pair: int(np.searchsorted(inner, pair[0].main.level))):
            row: list[CellLines] = []
            for line, found in lines:
                for each in found:
                    _add(row, each, line)
            yield row

    def _body_rows(self, lines: Sequence[tuple[Line, list[_Found]]]) -> list[list[CellLines]]:
        bands = [int(np.searchsorted(self._levels, line.main.level)) for line, _ in lines]
        ruled = len({*bands}) > 1 and len({*bands}) >= _RULED * len(lines)
        rows: list[list[CellLines]] = []
        before: tuple[int, float] | None = None
        columns: set[int] = set()  # of the line before
        parted: set[int] = set()  # bands
        for (line, found), band in zip(lines, bands, strict=True):
            # "Adults" is beside "Entry", "Lunch" and "Tea", which shorter ruled lines part.
            if band not in parted and (inner := self._rules_within(band)):
                parted.add(band)
                group = [pair for pair, of in zip(lines, bands, strict=True) if of == band]
                rows += _rows_between(inner, group)
                before = None
            if band in parted:
                continue
            row: list[CellLines] = []
            for each in found:
                _add(row, each, line)
            apart = (line.baseline - before[1]) / line.size if before else math.inf
            own = {cell.column for cell in row}
            same = before is not None and band == before[0]
            # Figures are level with the middle of a name of two lines.
            taken = columns | {cell.column for row in rows[-1:] for cell in row if cell.column > 1}
            level = same and apart < (_ONE_ROW if own & taken else _BETWEEN)
            new = not (rows and same) or (_has_values(row) and _has_values(rows[-1]))
            nears = apart < _NEARER * self._apart and not any(
                _is_value(c.lines[0].text) for c in row
            )
            if (
                not self._framed
                and not nears
                and apart > _TIGHT
                and {1} in (own, {cell.column for cell in (rows or [row])[-1]})
            ):
                new = True
            if level or (not new and (ruled or nears or self._goes_on(rows[-1], row, apart))):
                for cell in row:
                    _join(rows[-1], cell)
            else:
                rows.append(row)
            before, columns = (band, line.baseline), own
        return rows

    def _rules_within(self, band: int) -> list[tuple[float, set[int]]]:
        """Return the ruled lines that part only some cells of a band, and the columns of these.

        They run from one upright line, or the edge of the table, to another.
        """
        if not 0 < band < len(self._levels):
            return []
        top, bottom = self._levels[band - 1 : band + 1]
        edges = [self._left, *self._borders, self._right]
        walls = [x for x, wall in zip(self._borders, self._walls, strict=True) if wall]
        found: list[tuple[float, set[int]]] = []
        for start, end, y in sorted(self._short, key=lambda line: line[2]):
            is_closed = all(
                is_out or any(abs(edge - x) < _MET for x in walls)
                for edge, is_out in ((start, start < self._left), (end, end > self._right))
            )
            if not (is_closed and top + _MET < y < bottom - _MET):
                continue
            columns = {
                at for at, (x, to) in enumerate(pairwise(edges)) if start < (x + to) / 2 < end
            }
            if found and y - found[-1][0] < _MET:
                found[-1][1].update(columns)
            else:
                found.append((y, columns))
        return found

    def _goes_on(self, before: Sequence[CellLines], row: Sequence[CellLines], apart: float) -> bool:
        """Return whether a line without a ruled line above it only goes on with cells above."""
        own = {cell.column: cell for cell in before}
        if {*own} == {1} == {cell.column for cell in row[:1]} and apart < _TIGHT:
            return row[0].lines[0].text[:1].islower()
        has_own = any(is_figure(cell.lines[0].text) or cell.column not in own for cell in row)
        if has_own or apart > _FAR or len(row) >= max(2, len(own)):
            return False
        edges = [*self._borders, self._right]
        for cell in row:
            above, line = own[cell.column].lines[-1], cell.lines[0]
            word = len(line.text.split(" ")[0]) / len(line.text) * (line.right - line.left)
            # Where its first word had room on the line above, a row begins.
            is_full = (
                above.right + word + 0.3 * line.size > edges[cell.column - 1] - 0.5 * line.size
            )
            if not (line.text[:1].islower() or is_full):
                return False
        return True

    def _as_piece(self, row: Row) -> Piece:
        lines = [line for cell in row.cells for line in cell.lines]
        main = max(lines, key=lambda line: len(line.text)).main
        text = " | ".join(" ".join(line.text for line in cell.lines) for cell in row.cells)
        # As wide as the table: nothing is beside it for the order of reading.
        edges = np.linspace(self._left, self._right, len(text) + 1)
        return Piece(
            text=text,
            lefts=edges[:-1],
            rights=edges[1:],
            left=self._left,
            right=self._right,
            top=min(line.top for line in lines),
            bottom=max(line.bottom for line in lines),
            baseline=min(line.baseline for line in lines),
            size=main.size,
            font=main.font,
            doubts=np.zeros(len(text), np.uint8),
            row=row,
        )


def _is_aligned(column: Sequence[_Found], size: float) -> bool:
    """Return whether most cells of a column have the same left edge, right edge or middle."""
    cells = [each for each in column if each.columns == 1]
    near = size * _NEAR
    places = (
        sorted(each.left for each in cells),
        sorted(each.right for each in cells),
        sorted((each.left + each.right) / 2 for each in cells),
    )
    needed = math.ceil(_ALIGNED * len(cells))
    return not cells or any(
        any(after - before < near for before, after in zip(xs, xs[needed - 1 :], strict=False))
        for xs in places
    )


def _has_values(row: Sequence[CellLines]) -> bool:
    """Return whether a row has a name, and figures or marks: no line that goes on has both."""
    texts = [cell.lines[-1].text for cell in row[1:]]
    return bool(row) and row[0].column == 1 and any(map(_is_value, texts))


def _has_spans(found: Sequence[_Found]) -> bool:
    return any(each.column > 0 and each.columns > 1 for each in found)


def _is_value(text: str) -> bool:
    return is_figure(text) or not any(map(str.isalnum, text))


def _rows_between(
    rules: Sequence[tuple[float, set[int]]], lines: Sequence[tuple[Line, list[_Found]]]
) -> list[list[CellLines]]:
    """Return the rows that ruled lines over some columns part; cells beside these go on in them."""
    rows: list[list[CellLines]] = [[] for _ in range(len(rules) + 1)]
    ends: list[tuple[CellLines, int, int]] = []
    for line, found in lines:
        for each in found:
            middle = each.pieces[0].level
            own = [(at, y) for at, (y, columns) in enumerate(rules) if each.column in columns]
            first = max((at + 1 for at, y in own if y < middle), default=0)
            last = min((at for at, y in own if y > middle), default=len(rules))
            _add(rows[first], each, line)
            ends += [(c, first, last) for c in rows[first] if c.column == each.column + 1]
    for cell, first, last in ends:
        cell.rows = sum(map(bool, rows[first : last + 1]))
    return [row for row in rows if row]


def _add(row: list[CellLines], each: _Found, line: Line) -> None:
    _join(row, CellLines([Line(each.pieces, line.page, line.turns)], each.column + 1, each.columns))


def _join(row: list[CellLines], cell: CellLines) -> None:
    for other in row:
        if other.column == cell.column:
            other.lines += cell.lines
            other.columns = max(other.columns, cell.columns)
            return
    row.append(cell)
    row.sort(key=lambda cell: cell.column)
