"""The two sides of a strip of a page: whether their lines are those of columns or of a table."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import numpy as np

from citeguard.documents.pdf.pieces import Piece

_LEVEL = 0.3  # baselines that differ by less are one line
_FULL = 0.7  # of the widest lines of a column: a line so wide fills it
_SHORT_BY = 0.2  # of its width: a line that ends no further from the edge reaches it
_FEWEST_FULL = 0.34  # of the lines of a column of text; a table's column has fewer
_HARDLY_FULL = 0.15  # of them, if the column beside is text
_SAME_LEVEL = 1.5  # points that the baselines of one line may differ by
_STICKING_OUT = 0.05  # of the lines of a column may stick out into the gutter


class Stretch:
    """Pieces that stand side by side without a gap: a word and the raised mark beside it."""

    __slots__ = ("baseline", "left", "middle", "pieces", "right", "size", "width")

    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = pieces
        main = max(pieces, key=lambda piece: piece.size)
        self.left = min(piece.left for piece in pieces)
        self.right = max(piece.right for piece in pieces)
        self.width = self.right - self.left
        self.baseline, self.size, self.middle = main.baseline, main.size, main.middle


class Side:
    """The lines of one side of a strip."""

    def __init__(self, stretches: Sequence[Stretch]) -> None:
        self.left = _usual_edge([stretch.left for stretch in stretches])
        self.right = -_usual_edge([-stretch.right for stretch in stretches])
        self.baselines: list[float] = []
        widths: list[float] = []
        for stretch in sorted(stretches, key=lambda stretch: stretch.baseline):
            if self.baselines and stretch.baseline - self.baselines[-1] < _LEVEL * stretch.size:
                widths[-1] += stretch.width
            else:
                self.baselines.append(stretch.baseline)
                widths.append(stretch.width)
        self.levels = np.sort([stretch.baseline for stretch in stretches])
        self.lines = len(widths)
        self.usual_width = median(widths)
        edge = self.right - _SHORT_BY * (self.right - self.left)
        self.reaching = sum(stretch.right > edge for stretch in stretches) / len(widths)
        wide = sorted(widths)[int(0.9 * len(widths))]
        self.full = sum(width > _FULL * wide for width in widths) / len(widths)


def _usual_edge(places: list[float]) -> float:
    """Return the smallest place, but for the few that stick out."""
    return sorted(places)[int(len(places) * _STICKING_OUT)]


def is_table(one: Side, other: Side) -> bool:
    """Tell whether two sides whose lines stand beside each other are columns of a table."""
    full = [side.full for side in (one, other)]
    return max(full) < _FEWEST_FULL or min(full) < _HARDLY_FULL


def aligned_part(one: Side, other: Side) -> float:
    """Return which part of the lines of a side have one beside them, of the side with more such."""
    return max(_beside(one, other), _beside(other, one))


def _beside(one: Side, other: Side) -> float:
    places = np.searchsorted(other.levels, one.levels)
    after = np.abs(other.levels[places.clip(0, len(other.levels) - 1)] - one.levels)
    before = np.abs(other.levels[(places - 1).clip(0)] - one.levels)
    return float(np.mean(np.minimum(after, before) < _SAME_LEVEL))
