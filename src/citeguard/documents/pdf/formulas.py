"""Fractions of formulas: what is above and below a bar becomes one piece, `(a + b)/c`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter

import numpy as np

from citeguard.documents.document import subscript, superscript
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
_HANGS = 0.4, 1.2  # least and most from the baseline of a large operator to that of its line
_LIMIT = 0.7, 1.7  # the same from that to the baselines of its limits
_SMALL = 0.85  # limits are smaller

_baseline = attrgetter("baseline")
_LARGE = ("∑", "∏", "∫")
_OPERATORS = " +−-=·±"


def with_fractions(pieces: Sequence[Piece], rules: Floats) -> list[Piece]:
    """Return pieces with one for each fraction in place of those above and below its bar.

    A bar has something level with it beside it, as no ruled line of a table has.

    Args:
        pieces: The pieces of a page in one direction, in the file's order.
        rules: The ruled lines: left, top, right, bottom of each, seen in that direction.
    """
    found = _with_limits(pieces)
    widths = rules[:, 2] - rules[:, 0]
    flat = rules[widths > rules[:, 3] - rules[:, 1]]
    bars = [
        (left, right, (top + bottom) / 2)
        for left, top, right, bottom in flat[np.argsort(flat[:, 2] - flat[:, 0])].tolist()
    ]
    reach = 2 * max((each.size for each in found), default=0.0)
    levels = sorted(found, key=_baseline)
    for left, right, bar in (*bars, *bars):  # a fraction may be all that is beside another one
        low, high = (bisect_left(levels, bar + step, key=_baseline) for step in (-reach, reach))
        if sides := _sides(levels[low:high], left, right, bar):
            taken = {id(each) for side in sides for each in side}
            first = next(at for at, each in enumerate(found) if id(each) in taken)
            found[first] = _fraction(*sides, bar)
            found = [each for each in found if id(each) not in taken]
            levels = sorted(found, key=_baseline)
    return found


def _with_limits(pieces: Sequence[Piece]) -> list[Piece]:
    """Return pieces with the large operators of TeX level with their line, and with their limits.

    In the file they hang from a baseline that is higher than that of their line.
    """
    found = list(pieces)
    for main in [each for each in pieces if each.text in _LARGE and "CMEX" in each.font.name]:
        size = main.size
        beside = [
            each.baseline
            for each in found
            if _HANGS[0] < (each.baseline - main.baseline) / size < _HANGS[1]
            and 0 < max(each.left - main.right, main.left - each.right) < _BESIDE * size
        ]
        if not beside:
            continue
        level = beside[0]
        limits = [
            each
            for each in found
            if each.size < _SMALL * size
            and abs(each.left + each.right - main.left - main.right) < 2 * _BEYOND * size
            and _LIMIT[0] < abs(each.baseline - level) / size < _LIMIT[1]
        ]
        parts = [(main.text, Line([main], 0))]
        for side, script in ((1, subscript), (-1, superscript)):
            if own := [each for each in limits if side * (each.baseline - level) > 0]:
                parts.append((script(_line(own).text), _line(own)))
        found[found.index(main)] = _joined(parts, main, level)
        found = [each for each in found if each not in limits]
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
    one, other = _line(above), _line(below)
    parts = [(_bracketed(one.text), one), (f"/{_bracketed(other.text)}", other)]
    return _joined(parts, main, bar + _AXIS * main.size)


def _bracketed(text: str) -> str:
    return f"({text})" if any(sign in text for sign in _OPERATORS) else text


def _line(pieces: Sequence[Piece]) -> Line:
    return Line([piece for line in gather_lines(pieces, 0) for piece in line.pieces], 0)


def _joined(parts: Sequence[tuple[str, Line]], main: Piece, baseline: float) -> Piece:
    """Return lines as one piece with these texts for them; it looks like the main one."""
    edges = [np.linspace(line.left, line.right, len(text) + 1) for text, line in parts]
    doubts = b"".join(bytes([max(line.doubts)]) * len(text) for text, line in parts)
    lines = [line for _, line in parts]
    return replace(
        main,
        text="".join(text for text, _ in parts),
        lefts=np.concatenate([each[:-1] for each in edges]),
        rights=np.concatenate([each[1:] for each in edges]),
        left=min(line.left for line in lines),
        right=max(line.right for line in lines),
        top=min(line.top for line in lines),
        bottom=max(line.bottom for line in lines),
        baseline=baseline,
        doubts=np.frombuffer(doubts, np.uint8),
    )
