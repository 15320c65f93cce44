"""Columns: the order in which the pieces of a page are read.

A gutter is an empty strip with lines of text on both sides, which the columns of a table are not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from statistics import median

import numpy as np

from citeguard.documents.pdf.lines import Piece, runs
from citeguard.documents.pdf.pdfium import Floats
from citeguard.language.tables import is_figure

_FEWEST_LINES = 3  # in which a gap must show
_FEWEST_UNALIGNED = 2  # if the lines of one side are between those of the other
_FEW_LINES = 6
_DEEPEST = 12  # cuts within cuts: three columns with a dozen figures across them take fewer
_MOST_STRETCHES = 10_000  # a page with more is a drawing, and has no columns
_CANDIDATES = 4  # places at which a cut is tried
_NEIGHBOURHOOD = 12  # points around a place that was tried

# In parts of the font's size.
_NARROWEST_GUTTER = 0.55
_GUTTER_OF_FEW = 1.2  # beside fewer than six lines: these may have wide gaps by chance
_CROSSING = 0.8  # what reaches so far over both sides of a gutter crosses it
_SHALLOWEST = 0.7  # fewer lines at a gutter than beside it
_TOUCHING = 0.6  # a wider gap may be a gutter
_NARROWEST_COLUMN = 7.0  # a narrower one holds no sentences
_NARROWEST_ASIDE = 4.5  # but beside a picture or in a box it may
_BEFORE_NOTE = 0.8  # the least between a text and a note in its margin
_SHORT = 3.0  # a line that ends so far from the others' ends may be the last of a paragraph
_LEVEL_TOPS = 2.0  # the tops of two columns differ by less
_ONE_LINE = 0.3  # baselines that differ by less are one line of a side

_UNALIGNED = 0.5  # of the lines of text beside other text have none beside them, ...
_ALIGNED = 0.8  # ... and of those of a table most have one
_ALL_ALIGNED = 0.95  # of the lines of one side
_FLUSH, _MOSTLY_FLUSH = 0.15, 0.6  # of the size: edges so near are one; of the lines beside it
_FEW_WORDS, _FEW_FIGURES = 4, 0.2  # in the usual line of a narrow column of text, and of its parts
_SAME_LEVEL = 1.5  # points by which the baselines of one row differ at most
_FIGURES = 0.5  # of what is on one side of a gutter: a table has so many
_SEVERAL = 1.5  # cells in each line of a side
_MOST_WORDS = 2  # of the usual cell of a table without figures
_LONG = 6  # words: a line of prose has as many
_PROSE, _MUCH_PROSE = 0.3, 0.5  # of the lines
_NOTE = 0.5  # of the lines of a text: a note beside it has fewer
_SMALL_TYPE = 0.92  # of the size of a text
_TOGETHER = 1.8  # of the size: the lines of one note
_USUAL_GAP = 1.3  # of the usual distance between lines: more is between paragraphs
_ENDS = ".!?:;…”)"  # of a sentence
_STICKING_OUT = 0.05  # of the lines of a column may reach into the gutter


class _Stretch:
    """Pieces side by side without a gap: a word and the raised mark after it."""

    __slots__ = ("baseline", "left", "middle", "pieces", "right", "size", "text", "width")

    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = pieces
        main = max(pieces, key=lambda piece: piece.size)
        self.left = min(piece.left for piece in pieces)
        self.right = max(piece.right for piece in pieces)
        self.width = self.right - self.left
        self.baseline, self.size = main.baseline, main.size
        self.text = "".join(piece.text for piece in pieces)
        self.middle = main.level


@dataclass(slots=True)
class _Cut:
    """What is on the two sides of a gutter, above it and below it."""

    above: list[_Stretch]
    left: list[_Stretch]
    right: list[_Stretch]
    below: list[_Stretch]

    @property
    def area(self) -> float:
        """How much text is on both sides of the gutter."""
        return sum(each.width * each.size for each in (*self.left, *self.right))


def in_reading_order(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Return the blocks of a page, columns and what spans them, in reading order.

    What crosses a gutter ends the columns above it. The rows of a table stay together.
    """
    stretches = [_Stretch(run) for run in runs(pieces, lambda run, piece: _touch(run[-1], piece))]
    blocks = _blocks(stretches, _DEEPEST if len(stretches) <= _MOST_STRETCHES else 0)
    return [[piece for stretch in block for piece in stretch.pieces] for block in blocks]


def _touch(one: Piece, other: Piece) -> bool:
    """Return whether two pieces that follow each other in the file are side by side."""
    size = max(one.size, other.size)
    return (
        abs(other.left - one.right) < _TOUCHING * size
        and other.baseline - other.size < one.baseline
        and one.baseline - one.size < other.baseline
    )


def _blocks(stretches: list[_Stretch], depth: int) -> Iterator[list[_Stretch]]:
    cuts: list[_Cut] = []
    if depth and len(stretches) > _FEWEST_LINES:
        size = median(stretch.size for stretch in stretches)
        for place in _gutters(stretches, size):
            cuts += _cuts(stretches, place, size)
    if cuts:
        # The cut with most text on both sides first; what is left is cut in the same way.
        cut = max(cuts, key=lambda cut: cut.area)
        for part in (cut.above, cut.left, cut.right, cut.below):
            yield from _blocks(part, depth - 1)
    elif stretches:
        yield stretches


def _gutters(stretches: Sequence[_Stretch], size: float) -> list[float]:
    """Return places from the left at which fewer lines of text run than on both sides."""
    start = min(stretch.left for stretch in stretches)
    width = int(max(stretch.right for stretch in stretches) - start) + 2
    lefts = np.array([stretch.left for stretch in stretches]) - start
    rights = np.array([stretch.right for stretch in stretches]) - start
    heights = np.array([stretch.size for stretch in stretches])
    change = np.zeros(width + 1)
    # Unlike `change[places] += heights`, this adds up what begins at the same place.
    np.add.at(change, np.ceil(lefts).astype(int).clip(0, width), heights)
    np.add.at(change, np.floor(rights).astype(int).clip(0, width), -heights)
    covered = np.cumsum(change)[:width]
    return [start + place for place in _valleys(covered, _SHALLOWEST * size)]


def _valleys(covered: Floats, depth: float) -> Iterator[float]:
    before = np.maximum.accumulate(covered)
    after = np.maximum.accumulate(covered[::-1])[::-1]
    depths = np.minimum(before, after) - covered
    for _ in range(_CANDIDATES):
        place = int(np.argmax(depths))
        if depths[place] < depth:
            return
        end = place
        while end < len(depths) and abs(covered[end] - covered[place]) < 1e-3 and depths[end] > 0:
            end += 1
        yield (place + end - 1) / 2 + 0.5
        depths[max(place - _NEIGHBOURHOOD, 0) : end + _NEIGHBOURHOOD] = 0


def _cuts(stretches: Sequence[_Stretch], place: float, size: float) -> Iterator[_Cut]:
    """Yield the runs of stretches, from above, that leave a gutter free at a place."""
    across = {stretch for stretch in stretches if _crosses(stretch, place, size)}
    in_order = sorted(stretches, key=lambda stretch: stretch.middle)
    runs = [(crosses, list(run)) for crosses, run in groupby(in_order, key=across.__contains__)]
    for number, (crosses, run) in enumerate(runs):
        if not crosses and len(run) > 1:
            left = [stretch for stretch in run if (stretch.left + stretch.right) / 2 < place]
            right = [stretch for stretch in run if (stretch.left + stretch.right) / 2 >= place]
            if _are_columns(left, right, size):
                above = [stretch for _, other in runs[:number] for stretch in other]
                below = [stretch for _, other in runs[number + 1 :] for stretch in other]
                column = _without_foot(left, right)
                foot = [stretch for stretch in left if stretch not in column]
                yield _Cut(above, column, right, foot + below)


def _without_foot(left: list[_Stretch], right: Sequence[_Stretch]) -> list[_Stretch]:
    """Return a column without a sentence that stands below both, if its own goes on beside it.

    Such lines are apart from those above them, or end before them.
    """
    in_order = sorted(left, key=lambda stretch: (stretch.baseline, stretch.left))
    baselines = np.array([stretch.baseline for stretch in in_order])
    lowest = max(stretch.baseline for stretch in right) + _SAME_LEVEL
    gaps = np.diff(baselines)
    usual = _USUAL_GAP * float(np.median([*gaps[gaps > _SAME_LEVEL], math.inf]))
    wide = np.flatnonzero((gaps > usual) & (baselines[1:] > lowest))
    at = int(wide[-1]) + 1 if len(wide) else int(np.searchsorted(baselines, lowest))
    column, foot = in_order[:at], in_order[at:]
    if not (column and foot):
        return left
    first = min(right, key=lambda stretch: (stretch.baseline, stretch.left))
    edge = max(stretch.right for stretch in column) - _SHORT * column[-1].size
    is_apart = len(wide) > 0 or max(stretch.right for stretch in foot) < edge
    is_sentence = foot[-1].text[-1] in _ENDS and _Side(foot).has_words
    goes_on = first.text[0].islower() and column[-1].text[-1] not in _ENDS
    return column if is_apart and is_sentence and goes_on else left


def _crosses(stretch: _Stretch, place: float, size: float) -> bool:
    return stretch.left < place - _CROSSING * size and stretch.right > place + _CROSSING * size


class _Side:
    """The lines on one side of a strip."""

    def __init__(self, stretches: Sequence[_Stretch]) -> None:
        out = int(len(stretches) * _STICKING_OUT)
        self.left = sorted(stretch.left for stretch in stretches)[out]
        self.right = sorted(stretch.right for stretch in stretches)[-1 - out]
        self.size = median(stretch.size for stretch in stretches)
        lines = runs(
            sorted(stretches, key=lambda stretch: stretch.baseline),
            lambda line, after: after.baseline - line[0].baseline < _ONE_LINE * after.size,
        )
        self.baselines = [line[0].baseline for line in lines]
        self.lefts = [min(stretch.left for stretch in line) for line in lines]
        self.rights = [max(stretch.right for stretch in line) for line in lines]
        widths = [sum(stretch.width for stretch in line) for line in lines]
        self.levels = np.sort([stretch.baseline for stretch in stretches])
        self.lines = len(lines)
        self._texts = [stretch.text for stretch in stretches]
        self.usual_width = median(widths)
        self.several = len(stretches) >= _SEVERAL * len(lines)

    @cached_property
    def words(self) -> list[int]:
        """The number of words of each stretch, without dots that lead to a number."""
        return [sum(word.strip(".") != "" for word in text.split()) for text in self._texts]

    @property
    def is_number(self) -> bool:
        """Whether it is one, such as that of a page of another edition."""
        return len(self._texts) == 1 and self._texts[0].isdecimal()

    @property
    def has_words(self) -> bool:
        """Whether it has several words, which a mark or a part of a formula has not."""
        words = " ".join(self._texts).split()
        return sum(len(word) > 1 and word.isalpha() for word in words) > 1

    @cached_property
    def figures(self) -> float:
        """The part of its stretches that are figures."""
        return sum(map(is_figure, self._texts)) / len(self._texts)

    @property
    def prose(self) -> float:
        """The stretches with as many words as a line of prose, for each line."""
        return sum(count >= _LONG for count in self.words) / self.lines

    def aligned_with(self, other: _Side) -> float:
        """Return the part of its lines that have a line of the other side beside them."""
        places = np.searchsorted(other.levels, self.levels)
        after = np.abs(other.levels[places.clip(0, len(other.levels) - 1)] - self.levels)
        before = np.abs(other.levels[(places - 1).clip(0)] - self.levels)
        return float(np.mean(np.minimum(after, before) < _SAME_LEVEL))


def _are_columns(left: Sequence[_Stretch], right: Sequence[_Stretch], size: float) -> bool:
    """Return whether the two sides of a strip are columns of text.

    Args:
        left: The stretches on the left side.
        right: Those on the right side.
        size: The font's size of most of the text.
    """
    if not left or not right:
        return False
    one, other = _Side(left), _Side(right)
    gutter = other.left - one.right
    if gutter < _NARROWEST_GUTTER * size:
        return False
    aligned = max(one.aligned_with(other), other.aligned_with(one))
    narrower = min(one.usual_width, other.usual_width)
    shorter, longer = sorted((one, other), key=lambda side: side.lines)
    if gutter >= _BEFORE_NOTE * size and _is_note(shorter, longer):
        return True
    if aligned < _UNALIGNED:  # no word gaps of one line after another, nor cells of a row
        return shorter.lines >= _FEWEST_UNALIGNED and narrower > _NARROWEST_ASIDE * size
    if longer.lines < _FEWEST_LINES:
        return False
    if narrower < _NARROWEST_COLUMN * size:
        return False
    # Justified columns may be short, and near each other.
    is_straight = _is_straight(one, other)
    if longer.lines < _FEW_LINES and gutter < _GUTTER_OF_FEW * size and not is_straight:
        return False
    if shorter.lines < _FEWEST_LINES:
        # A column of a line or two has just begun, beside another one.
        level = shorter.baselines[0] < longer.baselines[0] + _LEVEL_TOPS * size
        return level and longer.lines > _FEWEST_LINES
    return is_straight or not _are_cells(one, other, aligned)


def _is_straight(one: _Side, other: _Side) -> bool:
    """Return whether most lines of text end at the left edge of a strip or begin at its right one.

    Gaps between words that are below each other by chance do not.
    """
    ends = sum(right > one.right - _FLUSH * one.size for right in one.rights)
    starts = sum(left < other.left + _FLUSH * other.size for left in other.lefts)
    return (
        min(ends / one.lines, starts / other.lines) > _MOSTLY_FLUSH
        and min(sum(one.words) / one.lines, sum(other.words) / other.lines) >= _FEW_WORDS
        and max(one.figures, other.figures) < _FEW_FIGURES
    )


def _is_note(side: _Side, text: _Side) -> bool:
    """Return whether a few lines beside prose are a note in its margin, and no cells of its rows.

    They are in smaller type, or begin beside the middle of a paragraph.
    """
    is_number = side.is_number
    is_column = side.figures > _FIGURES and not is_number
    if text.prose < _MUCH_PROSE or is_column or side.lines >= text.lines:
        return False
    apart = np.diff(side.baselines).max(initial=0)
    if side.size < _SMALL_TYPE * text.size and side.has_words:
        return bool(apart < _TOGETHER * side.size)  # else they are beside rows
    if text.lines < _FEWEST_LINES or side.lines > _NOTE * text.lines:
        return False
    gaps = np.diff(text.baselines)
    usual = float(np.median(gaps))
    first = int(np.searchsorted(text.baselines, side.baselines[0] - _ONE_LINE * text.size))
    inside = 0 < first < text.lines and gaps[first - 1] < _USUAL_GAP * usual
    is_whole = is_number or (side.lines > 1 and apart < _USUAL_GAP * usual)
    return bool(inside and is_whole and text.rights[first - 1] > text.right - _SHORT * text.size)


def _are_cells(one: _Side, other: _Side, aligned: float) -> bool:
    """Return whether two sides of a strip are cells of the same rows."""
    prose = sorted((one.prose, other.prose))
    level = one.lines == other.lines or prose[1] < _MUCH_PROSE
    if (aligned > _ALL_ALIGNED or (aligned >= _ALIGNED and level)) and prose[0] < _PROSE:
        words = max(median(one.words), median(other.words))
        several = (one.several or other.several) and words <= _MOST_WORDS
        return several or max(one.figures, other.figures) >= _FIGURES
    return False
