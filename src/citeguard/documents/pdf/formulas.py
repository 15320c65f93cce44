"""Formulas as linear text: `(a + b)/c`, `√(x)`, and sums with their limits.

What is above and below a bar, under the line of a root, and beside or around a large sign becomes
one piece on the baseline of its line.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

import numpy as np

from citeguard.documents.pdf.characters import AXIS, OPERATORS
from citeguard.documents.pdf.lines import SMALL, Line, Piece, gaps_before, in_order, runs
from citeguard.documents.pdf.pdfium import Floats
from citeguard.language.formulas import lowered, raised

# In parts of the font's size.
_LEVEL = 0.15  # the most that a bar is above or below the axis of what is beside it
_ABOVE, _BELOW = 0.9, 1.3  # the farthest baselines of what is above a bar and below it
_SCRIPT = 0.6  # a raised or lowered sign is farther by so much
_REACH = 0.5  # the same from the bar to the edge of a fraction or root above or below it
_BEYOND = 0.2  # what is above or below sticks out no more
_NARROWER = 0.6  # and both are narrower by no more
_BESIDE = 1.5  # what is level with the bar is so near
_GAP = 1.0  # cells of a table have wider ones
_LONGEST = 40.0  # bar
_LIMIT = 0.55, 1.9  # least and most from the baseline of a large sign to those of its limits
_CENTRED = 0.3  # the most that limits are beside its middle
_TOUCHING = 0.1  # scripts beside a large sign, and a root and its line
_OF_ROOT = 0.35  # from the top of the sign of a root to its line
_SAME = 0.3  # baselines that differ by less are level

_NAMED = frozenset("lim max min sup inf".split())  # have limits below them, as large signs do

# As in "(a)(b)" and "(a)x".
_NEXT_FACTOR = re.compile(r"[)\]]\s?[\w(]")

_baseline = attrgetter("baseline")
_left = attrgetter("left")
_SIGNS = "+−-=·±×"


def with_formulas(pieces: Sequence[Piece], rules: Floats) -> list[Piece]:
    """Return pieces with one for each fraction, root, and large sign with limits.

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
        # The shortest first: a fraction in another one is a part of it.
        for left, top, right, bottom in flat[np.argsort(flat[:, 2] - flat[:, 0])].tolist()
    ]
    reach = 2 * max((each.size for each in found), default=0.0)
    levels = sorted(found, key=_baseline)
    for left, right, bar in (*bars, *bars):  # a fraction may be all that is beside another one
        low, high = (bisect_left(levels, bar + step, key=_baseline) for step in (-reach, reach))
        near = levels[low:high]
        if right - left > _LONGEST * reach / 2 or not near:
            continue
        parts = {each: [each] for each in near}
        joined = _root(near, left, right, bar)
        # The ruled line below a head has nothing level with it.
        if joined is None and _is_level(near, left, right, bar):
            parts = {each: _cut(each, left, right) for each in near}
            joined = _fraction([part for each in near for part in parts[each]], left, right, bar)
        if joined is None:
            continue
        whole, taken = joined
        gone = {each for each in near if not set(taken).isdisjoint(parts[each])}
        left_over = {part for each in gone for part in parts[each]}.difference(taken)
        first = next(at for at, each in enumerate(found) if each in gone)
        rest = (each for each in found[first:] if each not in gone)
        found = [*found[:first], whole, *sorted(left_over, key=_left), *rest]
        levels = sorted(found, key=_baseline)
    return found


_Joined = tuple[Piece, Sequence[Piece]]  # and what it is in place of


def _with_limits(pieces: Sequence[Piece]) -> list[Piece]:
    """Return pieces with those for large signs in place of the signs and what belongs to them.

    These are the limits above and below a sign, or the scripts beside it.
    """
    found = list(pieces)
    for main in pieces:
        has_limits = main.text in OPERATORS or main.text in _NAMED
        if not has_limits and not (main.font.is_extension and main.text in ")]}⟩|‖"):
            continue
        small = [
            each
            for each in found
            if each.size < SMALL * main.size and abs(each.baseline - main.baseline) < 4 * main.size
        ]
        lower, upper = (_limits(small, main, side) if has_limits else [] for side in (1, -1))
        if not lower and not upper:
            beside = _beside(small, main)
            level = main.baseline - _TOUCHING * main.size
            lower = [each for each in beside if each.baseline > level]
            upper = [each for each in beside if each.baseline <= level]
        parts = [(main.text, Line([main], 0))]
        for script, own in ((lowered, lower), (raised, upper)):
            if own:
                parts.append((script(_line(own).text), _line(own)))
        if len(parts) > 1:
            found[found.index(main)] = _joined(parts, main, main.baseline)
            found = [each for each in found if each not in lower and each not in upper]
    return found


def _limits(small: Sequence[Piece], main: Piece, side: int) -> list[Piece]:
    """Return what is centred below a sign, or above it (-1)."""
    low, high = (step * main.size for step in _LIMIT)
    level = [each for each in small if low < side * (each.baseline - main.baseline) < high]
    for run in runs(sorted(level, key=_left), _touches):
        middle = (run[0].left + max(each.right for each in run)) / 2
        if abs(middle - main.middle) < _CENTRED * main.size:
            return run
    return []


def _touches(run: Sequence[Piece], piece: Piece) -> bool:
    return piece.left < max(each.right for each in run) + _SAME * piece.size


def _beside(small: Sequence[Piece], main: Piece) -> list[Piece]:
    """Return the scripts at the right of a sign."""
    end = main.right + _TOUCHING * main.size
    start = main.right - (_SCRIPT if main.text in OPERATORS else _TOUCHING) * main.size
    reach = _REACH * main.size
    run: list[Piece] = []
    for piece in sorted(small, key=_left):
        level = main.top - reach < piece.baseline < main.bottom + reach
        if level and start < piece.left < end:
            run.append(piece)
            end = max(end, piece.right + _TOUCHING * main.size)
    return run


def _root(pieces: Sequence[Piece], left: float, right: float, bar: float) -> _Joined | None:
    """Return a root as one piece, if a line is that over what it is taken of."""
    for sign in pieces:
        size = sign.size
        top = min(abs(sign.top - bar), abs(sign.baseline - bar))
        if sign.text == "√" and abs(sign.right - left) < _SAME * size and top < _OF_ROOT * size:
            below = [each for each in _inside(pieces, left, right) if each is not sign]
            depth = max(bar + _BELOW * size, sign.bottom)
            if own := [each for each in below if bar < each.baseline < depth]:
                line = _line(own)
                text = f"({line.text})" if len(line.text) > 1 else line.text
                parts = [("√", Line([sign], 0)), (text, line)]
                return _joined(parts, _largest(own), _largest(own).baseline), [sign, *own]
    return None


def _fraction(pieces: Sequence[Piece], left: float, right: float, bar: float) -> _Joined | None:
    """Return a fraction as one piece, level with its bar, if this is one; sums are in brackets."""
    inside = _inside(pieces, left, right)
    above = _near_bar([each for each in inside if each.baseline < bar], bar, -1, _ABOVE)
    below = _near_bar([each for each in inside if each.baseline > bar], bar, 1, _BELOW)
    if not above or not below:
        return None
    main = _largest([*above, *below])
    if max(_width(above), _width(below)) < right - left - _NARROWER * main.size:
        return None
    one, other = _line(above), _line(below)
    # "(a + b)/c", but "a/c".
    numerator = f"({one.text})" if _is_sum(above) else one.text
    is_product = _is_sum(below) or _is_product(below)
    denominator = f"/({other.text})" if is_product else f"/{other.text}"
    baseline = bar + AXIS * main.size
    return _joined([(numerator, one), (denominator, other)], main, baseline), [*above, *below]


def _is_level(pieces: Sequence[Piece], left: float, right: float, bar: float) -> bool:
    """Return whether a bar has something level with it beside it."""
    return any(
        abs(each.baseline - AXIS * each.size - bar) < _LEVEL * each.size
        and max(each.left - right, left - each.right) < _BESIDE * each.size
        for each in pieces
    )


def _inside(pieces: Sequence[Piece], left: float, right: float) -> list[Piece]:
    return [
        each
        for each in pieces
        if left - _BEYOND * each.size < each.left
        and each.right < right + _BEYOND * each.size
        and left < each.middle < right
    ]


def _near_bar(pieces: Sequence[Piece], bar: float, side: int, most: float) -> list[Piece]:
    """Return what is on one side of a bar as near as the parts of a fraction, with its scripts.

    The limits of a sum may be all that is so near: what is level with the sum belongs to it.
    """
    if not pieces:
        return []
    size = max(each.size for each in pieces)

    def is_near(each: Piece) -> bool:
        far = side * (each.baseline - bar)
        edge = each.top - bar if side > 0 else bar - each.bottom
        script = _SCRIPT if each.size < SMALL * size else 0.0
        return far < (most + script) * size or edge < _REACH * size

    near = [each for each in pieces if is_near(each)]
    full = [each.baseline for each in near if each.size >= SMALL * size]
    if any(side * (baseline - bar) < most * size for baseline in full):
        return near
    return [
        each
        for each in pieces
        if each in near or any(abs(each.baseline - one) < _SAME * size for one in full)
    ]


def _cut(piece: Piece, left: float, right: float) -> list[Piece]:
    """Return the parts of a piece before, at, and after a bar, if it has gaps at its ends."""
    parts = [piece]
    for edge in (left, right):
        last = parts[-1]
        near = _TOUCHING * last.size
        at = int(np.searchsorted(last.lefts, edge - near))
        if last.font.is_extension or last.left > edge - near or not 0 < at < len(last.text):
            continue
        if last.rights[at - 1] < edge + near and (start := last.part(0, at)):
            parts[-1:] = [start, *filter(None, [last.part(at, len(last.text))])]
    return parts


def _width(pieces: Sequence[Piece]) -> float:
    """Return the width of pieces that are one run; 0 if a wide gap is between them."""
    if any(gap > _GAP * piece.size for gap, piece in gaps_before(pieces)):
        return 0
    return max(each.right for each in pieces) - min(each.left for each in pieces)


def _largest(pieces: Sequence[Piece]) -> Piece:
    """Return the piece whose look and baseline are those of all."""
    size = SMALL * max(each.size for each in pieces)
    return max((each for each in pieces if each.size >= size), key=lambda each: len(each.text))


def _level_texts(pieces: Sequence[Piece]) -> list[str]:
    """Return the texts of pieces on the baseline, from the left."""
    main = _largest(pieces)
    near = [
        each
        for each in pieces
        if abs(each.baseline - main.baseline) < _LEVEL * main.size
        and each.size >= SMALL * main.size
    ]
    return [each.text for each in sorted(near, key=_left)]


def _is_sum(pieces: Sequence[Piece]) -> bool:
    """Return whether a sign that adds or compares is outside of all brackets and bars."""
    depth, bars = 0, 0
    for at, sign in enumerate("".join(_level_texts(pieces))):
        depth += (sign in "([") - (sign in ")]")
        bars += sign == "|"
        if at and sign in _SIGNS and not depth and not bars % 2:
            return True
    return False


def _is_product(pieces: Sequence[Piece]) -> bool:
    """Return whether there are several factors, and no d or ∂ before a variable."""
    level = _level_texts(pieces)
    texts = [text for text in level if text[0].isalnum()]
    # "df/dx" needs no brackets.
    if not texts or texts[0][0] in "d∂δ":
        return False
    if len(texts) > 1 or _NEXT_FACTOR.search("".join(level)):
        return True
    # "2x" below a bar does: "a/(2x)".
    return texts[0][0].isdecimal() and any(map(str.isalpha, texts[0]))


def _line(pieces: Sequence[Piece]) -> Line:
    main = _largest(pieces)
    return Line(in_order(sorted(pieces, key=_left), main), 0, main=main)


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
