"""Columns: the order in which a page is read."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median

import numpy as np
from numpy.typing import NDArray

from citeguard.documents.pdf.pieces import Piece
from citeguard.documents.pdf.sides import Side, Stretch, aligned_part, is_table

_FEWEST_LINES = 3  # in which a gap must show
_FEWEST_UNALIGNED = 2  # if the lines of the one side stand between those of the other
_FEW_LINES = 6
_DEEPEST = 12  # cuts within cuts: three columns with a dozen figures across them take fewer
_MOST_STRETCHES = 10_000  # a page of which more stand apart is a drawing, and has no columns
_CANDIDATES = 4  # places at which a cut is tried
_NEIGHBOURHOOD = 12  # points around a place that was tried

# In parts of the size of the font.
_NARROWEST_GUTTER = 0.55
_GUTTER_OF_FEW = 1.2  # beside fewer than six lines: these may have wide gaps by chance
_WIDEST_BESIDE_FIGURE = 4.0  # beside a column that has but one line
_RESIZED = 0.1  # type of two lines of a paragraph differs by less
_CROSSING = 0.8  # what reaches so far over both sides of a gutter crosses it
_SHORT = 6.0  # what is no longer may stand in the middle of a gutter, as a page number does
_LARGE = 1.12  # type of headings
_BALANCED = 2.5  # the last lines of the columns above a heading across them differ by less, ...
_BEGUN_TOGETHER = 1.1  # ... and so do the first lines below it
_NEXT_LINE = 1.7  # from one line of a paragraph to the next
_SHALLOWEST = 0.8  # fewer lines at a gutter than beside it
_TOUCHING = 0.6  # a wider gap may be a gutter
_NARROWEST_COLUMN = 7.0  # a narrower one holds no sentences
_NARROWEST_ASIDE = 4.5  # but beside a picture or in a box there are such

_AS_APART = 0.7  # of the gap in which a heading across both columns stands: that beside it
_APART = 1.2  # times that distance: the least to what follows the paragraph
_MOSTLY_FULL = 0.6  # of the lines of a column of text, beside one that has just begun
_LEVEL_TOPS = 2.0  # of the size: the tops of two columns differ by less
_UNALIGNED = 0.5  # of the lines of text beside other text have none beside them, ...
_ALIGNED = 0.8  # ... and of those of a table most have one


@dataclass(slots=True)
class _Cut:
    """A gutter, with what stands around it."""

    above: list[Stretch]
    left: list[Stretch]
    right: list[Stretch]
    below: list[Stretch]


def in_reading_order(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Return the blocks of a page, columns or what spans them, in the order in which it is read.

    A gutter is an empty strip with lines of text on both sides; what crosses it ends the columns
    above it. The columns of a table are none: their rows stay together.
    """
    stretches = list(_stretches(pieces))
    blocks = _blocks(stretches, _DEEPEST if len(stretches) <= _MOST_STRETCHES else 0)
    return [[piece for stretch in block for piece in stretch.pieces] for block in blocks]


def _stretches(pieces: Sequence[Piece]) -> Iterator[Stretch]:
    joined: list[Piece] = []
    for piece in pieces:
        if joined and not _touch(joined[-1], piece):
            yield Stretch(joined)
            joined = []
        joined.append(piece)
    if joined:
        yield Stretch(joined)


def _touch(one: Piece, other: Piece) -> bool:
    """Tell whether two pieces that follow each other in the file stand side by side."""
    size = max(one.size, other.size)
    return (
        abs(other.left - one.right) < _TOUCHING * size
        and other.baseline - other.size < one.baseline
        and one.baseline - one.size < other.baseline
    )


def _blocks(stretches: list[Stretch], depth: int) -> Iterator[list[Stretch]]:
    cut = _best_cut(stretches) if depth and len(stretches) > _FEWEST_LINES else None
    if cut is None:
        if stretches:
            yield stretches
        return
    for part in (cut.above, cut.left, cut.right, cut.below):
        yield from _blocks(part, depth - 1)


def _best_cut(stretches: list[Stretch]) -> _Cut | None:
    size = median(stretch.size for stretch in stretches)
    cuts = [cut for place in _gutters(stretches, size) for cut in _cuts(stretches, place, size)]
    return max(cuts, key=lambda cut: _weight(cut.left) + _weight(cut.right), default=None)


def _weight(stretches: Sequence[Stretch]) -> float:
    return sum(stretch.width * stretch.size for stretch in stretches)


def _gutters(stretches: Sequence[Stretch], size: float) -> list[float]:
    """Return places, from the left, where fewer lines of text run than on both sides of them."""
    start = min(stretch.left for stretch in stretches)
    width = int(max(stretch.right for stretch in stretches) - start) + 2
    lefts = np.array([stretch.left for stretch in stretches]) - start
    rights = np.array([stretch.right for stretch in stretches]) - start
    heights = np.array([stretch.size for stretch in stretches])
    change = np.zeros(width + 1)
    np.add.at(change, np.ceil(lefts).astype(int).clip(0, width), heights)
    np.add.at(change, np.floor(rights).astype(int).clip(0, width), -heights)
    covered = np.cumsum(change)[:width]
    return [start + place for place in _valleys(covered, _SHALLOWEST * size)]


def _valleys(covered: NDArray[np.float64], depth: float) -> Iterator[float]:
    before = np.maximum.accumulate(covered)
    after = np.maximum.accumulate(covered[::-1])[::-1]
    depths = np.minimum(before, after) - covered
    for _ in range(_CANDIDATES):
        place = int(np.argmax(depths))
        deepest = depths[place]
        if deepest < depth:
            return
        end = place
        while end < len(depths) and abs(covered[end] - covered[place]) < 1e-3 and depths[end] > 0:
            end += 1
        yield (place + end - 1) / 2 + 0.5
        depths[max(place - _NEIGHBOURHOOD, 0) : end + _NEIGHBOURHOOD] = 0


def _cuts(stretches: Sequence[Stretch], place: float, size: float) -> Iterator[_Cut]:
    """Yield the runs of stretches from above on that leave a gutter free at a place."""
    across = {stretch for stretch in stretches if _crosses(stretch, place, size)}
    for cut in _cuts_between(across, stretches, place, size):
        short = {*_headings_across(cut, size), *_last_line_across(cut, across, size)}
        if short:
            yield from _cuts_between(across | short, stretches, place, size)
        else:
            yield cut


def _cuts_between(
    across: Collection[Stretch], stretches: Sequence[Stretch], place: float, size: float
) -> Iterator[_Cut]:
    in_order = sorted(stretches, key=lambda stretch: stretch.middle)
    runs = [(crosses, list(run)) for crosses, run in groupby(in_order, key=across.__contains__)]
    for number, (crosses, run) in enumerate(runs):
        if not crosses and len(run) > 1:
            left = [stretch for stretch in run if (stretch.left + stretch.right) / 2 < place]
            right = [stretch for stretch in run if (stretch.left + stretch.right) / 2 >= place]
            amid = any(_follow(*pair, size) for pair in _borders(runs, number))
            if _are_columns(left, right, size, amid_text=amid):
                above = [stretch for _, other in runs[:number] for stretch in other]
                below = [stretch for _, other in runs[number + 1 :] for stretch in other]
                yield _Cut(above, left, right, below)


def _headings_across(cut: _Cut, size: float) -> Iterator[Stretch]:
    """Yield the headings in the left column of a cut that stand above both columns.

    The text above such a heading ends in both columns, and that below begins on one level. It is
    larger than both: a column may have larger type than the page.
    """
    left = sorted(cut.left, key=lambda stretch: stretch.baseline)
    right = sorted(stretch.baseline for stretch in cut.right)
    levels = [stretch.baseline for stretch in left]
    for heading in left:
        if heading.size > _LARGE * size:
            place = bisect_left(levels, heading.baseline - 0.5 * heading.size)
            after = bisect_right(levels, heading.baseline + 0.5 * heading.size)
            beside = bisect_left(right, heading.baseline)
            if place > 0 and after < len(left) and 0 < beside < len(right):
                end, start = left[place - 1], left[after]
                gap = right[beside] - right[beside - 1]
                larger = heading.size > _LARGE * max(end.size, start.size)
                balanced = abs(right[beside - 1] - end.baseline) < _BALANCED * size
                together = abs(right[beside] - start.baseline) < _BEGUN_TOGETHER * size
                apart = gap > _AS_APART * (start.baseline - end.baseline)
                if larger and balanced and together and apart:
                    yield heading


def _last_line_across(cut: _Cut, across: Collection[Stretch], size: float) -> Iterator[Stretch]:
    """Yield what stands at the top of the left column, but ends a paragraph across both."""
    before = max(
        (stretch for stretch in cut.above if stretch in across),
        key=lambda stretch: stretch.baseline,
        default=None,
    )
    first, *below = sorted(cut.left, key=lambda stretch: stretch.baseline)
    if before is None or not below:
        return
    distance = first.baseline - before.baseline
    if (
        abs(first.size - before.size) < _RESIZED * size
        and abs(first.left - before.left) < size
        and distance < _NEXT_LINE * size
        and below[0].baseline - first.baseline > _APART * distance
        and min(stretch.baseline for stretch in cut.right) > first.baseline + size
    ):
        yield first


def _crosses(stretch: Stretch, place: float, size: float) -> bool:
    if stretch.width < _SHORT * size:
        return stretch.left < place < stretch.right
    return stretch.left < place - _CROSSING * size and stretch.right > place + _CROSSING * size


def _borders(
    runs: Sequence[tuple[bool, Sequence[Stretch]]], number: int
) -> Iterator[tuple[Stretch, Stretch]]:
    """Yield what ends one run and begins the next, above a run and below it."""
    for (_, before), (_, after) in pairwise(runs[max(number - 1, 0) : number + 2]):
        yield before[-1], after[0]


def _follow(before: Stretch, after: Stretch, size: float) -> bool:
    """Tell whether two stretches stand on the same line, or on lines of one paragraph."""
    alike = abs(before.size - after.size) < _RESIZED * size
    return alike and after.baseline - before.baseline < _NEXT_LINE * size


def _are_columns(
    left: Sequence[Stretch], right: Sequence[Stretch], size: float, *, amid_text: bool
) -> bool:
    """Tell whether two sides of a strip are columns of text.

    Args:
        left: What stands on the left side.
        right: What stands on the right side.
        size: Of the font of most of the text.
        amid_text: Whether a line across the strip stands right above or below: a column of a line
            or two is then but the end of justified lines.
    """
    if not left or not right:
        return False
    one, other = Side(left), Side(right)
    lines, gutter = max(one.lines, other.lines), other.left - one.right
    if gutter < _NARROWEST_GUTTER * size:
        return False
    aligned, narrower = aligned_part(one, other), min(one.usual_width, other.usual_width)
    if aligned < _UNALIGNED:  # no word gaps of one line after another, nor cells of a row
        if other.lines < _FEWEST_UNALIGNED:  # beside a figure at the top of the left column
            wide = narrower > _NARROWEST_COLUMN * size and gutter < _WIDEST_BESIDE_FIGURE * size
            return wide and not amid_text and _is_begun(other, one, size)
        return one.lines >= _FEWEST_UNALIGNED and narrower > _NARROWEST_ASIDE * size
    if narrower < _NARROWEST_COLUMN * size:
        return False
    if lines < _FEWEST_LINES or (lines < _FEW_LINES and gutter < _GUTTER_OF_FEW * size):
        return False
    if min(one.lines, other.lines) < _FEWEST_LINES:
        shorter, longer = sorted((one, other), key=lambda side: side.lines)
        return not amid_text and _is_begun(shorter, longer, size)
    return aligned < _ALIGNED or not is_table(one, other)


def _is_begun(shorter: Side, longer: Side, size: float) -> bool:
    """Tell whether a side of a line or two is a column that has just begun, beside a full one."""
    level = shorter.baselines[0] < longer.baselines[0] + _LEVEL_TOPS * size
    return level and longer.lines > _FEWEST_LINES and longer.reaching >= _MOSTLY_FULL
