"""The part of a page that is shown: `Frame`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Frame:
    """The part of a page that is shown, in the file's own coordinates.

    Attributes:
        left: Where it starts.
        bottom: Where it starts, from below.
        right: Where it ends.
        top: Where it ends.
        turns: Quarter turns with the clock that it is turned by when it is shown.
    """

    left: float
    bottom: float
    right: float
    top: float
    turns: int

    def size(self, turns: int) -> tuple[float, float]:
        """Return how wide and how high it is, after quarter turns."""
        width, height = self.right - self.left, self.top - self.bottom
        return (height, width) if turns % 2 else (width, height)

    def along(self, turns: int, x: Floats, y: Floats) -> Floats:
        """Return how far places are from the left, for a reader who is turned against the clock."""
        return (x - self.left, y - self.bottom, self.right - x, self.top - y)[turns]

    def down(self, turns: int, x: Floats, y: Floats) -> Floats:
        """Return how far places are from above, for that reader."""
        return (self.top - y, x - self.left, y - self.bottom, self.right - x)[turns]
