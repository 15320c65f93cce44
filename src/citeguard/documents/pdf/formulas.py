"""Fractions of formulas: what is above and below a bar becomes one piece, `(a + b)/c`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from citeguard.documents.pdf.lines import Line, Piece, gather_lines
from citeguard.documents.pdf.pdfium import Floats

# In parts of the font's size.
_AXIS = 0.25  # from the baseline of a line up to the bars in it
_LEVEL = 0.15  # the most that a bar is above or below that
_ABOVE, _BELOW = 0.9, 1.3  # the farthest baselines of what is above a bar and below it
_BEYOND = 0.3  # the most that what is above or below is wider, or both are narrower
_BESIDE = 1.5  # what is level with the bar is so near
_GAP = 1.0  # cells of a table have wider ones
_LONGEST = 30.0  # bar

_OPERATORS = " +−-=·±"


def with_fractions(pieces: Sequence[Piece], rules: Floats) -> list[Piece]:
    """Return pieces with one for each fraction in place of those above and below its bar.

    A bar has something level with it beside it, as no ruled line of a table has.

    Args:
        pieces: The pieces of a page in one direction, in the file's order.
        rules: The ruled lines: left, top, right, bottom of each, seen in that direction.
    """
    found = list(pieces)
    widths = rules[:, 2] - rules[:, 0]
    flat = rules[widths > rules[:, 3] - rules[:, 1]]
    bars = [
        (left, right, (top + bottom) / 2)
        for left, top, right, bottom in flat[np.argsort(flat[:, 2] - flat[:, 0])].tolist()
    ]
    for _ in range(2):  # a fraction may be all that is beside another one
        for bar in bars:
            if sides := _sides(found, *bar):
                taken = {id(each) for side in sides for each in side}
                first = next(at for at, each in enumerate(found) if id(each) in taken)
                found[first] = _fraction(*sides, bar[2])
                found = [each for each in found if id(each) not in taken]
    return found


def _sides(
    pieces: Sequence[Piece], left: float, right: float, bar: float
) -> tuple[list[Piece], list[Piece]] | None:
    """Return what is above a bar and below it, if it is that of a fraction."""
    near = [each for each in pieces if abs(each.baseline - bar) < 2 * each.size]
    size = max((each.size for each in near), default=0.0)
    beyond = _BEYOND * size
    inside = [each for each in near if left - beyond < each.left and each.right < right + beyond]
    above = [each for each in inside if bar - _ABOVE * size < each.baseline < bar]
    below = [each for each in inside if bar < each.baseline < bar + _BELOW * size]
    if not above or not below or right - left > _LONGEST * size:
        return None
    if max(_width(above), _width(below)) < right - left - 2 * beyond:
        return None
    is_level = any(
        abs(each.baseline - _AXIS * each.size - bar) < _LEVEL * each.size
        and max(each.left - right, left - each.right) < _BESIDE * each.size
        for each in near
        if each not in inside
    )
    return (above, below) if is_level else None


def _width(pieces: Sequence[Piece]) -> float:
    """Return the width of pieces that are one run; 0 if a wide gap is between them."""
    ordered = sorted(pieces, key=lambda piece: piece.left)
    if any(after.left - before.right > _GAP * before.size for before, after in pairwise(ordered)):
        return 0
    return max(each.right for each in pieces) - ordered[0].left


def _fraction(above: Sequence[Piece], below: Sequence[Piece], bar: float) -> Piece:
    """Return a fraction as one piece, level with its bar; sums are in brackets."""
    main = max((*above, *below), key=lambda piece: piece.size)
    text, doubts = "", bytearray()
    lefts: list[float] = []
    rights: list[float] = []
    for side in (above, below):
        line = Line([piece for row in gather_lines(side, 0) for piece in row.pieces], 0)
        opened, closed = "()" if any(each in line.text for each in _OPERATORS) else ("", "")
        before = f"/{opened}" if text else opened
        text += before + line.text + closed
        start, end = [line.left] * len(before), [line.right] * len(closed)
        lefts += [*start, *line.lefts, *end]
        rights += [*start, *line.rights, *end]
        doubts += bytes(len(before)) + line.doubts + bytes(len(closed))
    return Piece(
        text=text,
        lefts=np.array(lefts),
        rights=np.array(rights),
        left=min(lefts),
        right=max(rights),
        top=min(piece.top for piece in above),
        bottom=max(piece.bottom for piece in below),
        baseline=bar + _AXIS * main.size,
        size=main.size,
        font=main.font,
        doubts=np.frombuffer(bytes(doubts), np.uint8),
    )
