"""Lines: pieces of one column that stand side by side, with what is raised and lowered."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

from citeguard.documents.pdf.pieces import REAL_GAP, Piece
from citeguard.language.spelling import is_english_word

_SUPERSCRIPTS = str.maketrans("0123456789+-−–=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾")
_RAISED_DIGITS = tuple("⁰¹²³⁴⁵⁶⁷⁸⁹")
_SUBSCRIPTS = str.maketrans("0123456789+-−–=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎")

# All of these are parts of the size of the font.
_RISE, _DEPTH = 0.7, 0.2  # how far letters reach above the baseline, and below
_SHARED = 0.5  # of the lower height: two pieces that share more stand on one line
_TOUCHED = 0.2  # the same, of a small mark that touches the letters of a line
_LONGEST_MARK = 3  # characters
_NEAR = 0.15
_OVERLAP = 0.3  # what stands on one line may overlap by this
_WORD_GAP = 0.13
_SMALL = 0.85  # of the size of the line: what is smaller may be raised or lowered
_RAISED, _LOWERED = 0.18, -0.08
_RAISED_IN_SIZE = 0.25  # for what is no smaller than its line
_INITIAL = 1.8  # an initial letter is so much larger than its line
_WIDE_GAP = 1.0  # a gap that may part the cells of a table

_LEFTWARD = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_MOST_NEAR = 30  # rows above a piece, and below it, that it may belong to
_ONE_LETTER_WORDS = ("A", "I", "O")
_LONGEST_INITIAL = 2  # characters: a letter, and a quotation mark before it


@dataclass(slots=True)
class PrintedText:
    """What stands on a line, and where each character starts and ends, from the left."""

    text: str
    lefts: array[float]
    rights: array[float]


class Line:
    """A line of one column of a page, upright to its reader.

    Places are in points from the upper left corner of the page, turned so that the line is upright.

    Attributes:
        pieces: What stands on it, in the order in which it is read.
        page: The number of the page, from 1.
        turns: Quarter turns, against the clock, from the direction of the page to the line's.
        main: The longest piece, whose look and place are the line's.
        size: Of its font.
        baseline: Where it runs.
        left: Where it starts.
        right: Where it ends.
        top: Where it starts, from above, raised and enlarged characters aside.
        bottom: Where it ends, from above.
        text: Its words, parted by spaces, with raised and lowered digits as such.
    """

    def __init__(self, pieces: list[Piece], page: int, turns: int = 0) -> None:
        self.pieces, self.page, self.turns = pieces, page, turns
        main = pieces[0] if len(pieces) == 1 else max(pieces, key=lambda piece: len(piece.text))
        self.main = main
        self.size, self.baseline = main.size, main.baseline
        self.left = min(piece.left for piece in pieces)
        self.right = max(piece.right for piece in pieces)
        usual = [piece for piece in pieces if piece.size < _INITIAL * main.size]
        self.top = min(piece.top for piece in usual)
        self.bottom = max(piece.bottom for piece in usual)
        self.printed = self._print()
        self.text = self.printed.text

    @cached_property
    def bold(self) -> bool:
        """Whether all its words are bold."""
        return all(piece.font.bold for piece in self.pieces if len(piece.text) > 1)

    @cached_property
    def gaps(self) -> list[tuple[float, float]]:
        """Where wide gaps start and end in it."""
        wide = _WIDE_GAP * self.size
        return [
            (before.right, after.left)
            for before, after in pairwise(self.pieces)
            if after.left - before.right > wide
        ]

    @property
    def spaces(self) -> list[float]:
        """How wide its spaces are."""
        printed = self.printed
        return [
            printed.rights[place] - printed.lefts[place]
            for place, character in enumerate(printed.text)
            if character == " "
        ]

    def write(self, start: int, end: int, words: str) -> None:
        """Let other words stand for those of an interval of its text, in the same place."""
        printed = self.printed
        left, right = min(printed.lefts[start:end]), max(printed.rights[start:end])
        for places, edge in ((printed.lefts, left), (printed.rights, right)):
            places[start:end] = array("f", [edge]) * len(words)
        self.text = printed.text = printed.text[:start] + words + printed.text[end:]

    def _print(self) -> PrintedText:
        texts: list[str] = []
        lefts, rights = array("f"), array("f")
        before: Piece | None = None
        for piece in self.pieces:
            if before is not None and (_parted(before, piece) or self._is_mark(before)):
                texts.append(" ")
                lefts.append(min(before.right, piece.left))
                rights.append(max(before.right, piece.left))
            texts.append(self._text(piece))
            lefts.frombytes(piece.lefts.astype("f").tobytes())
            rights.frombytes(piece.rights.astype("f").tobytes())
            before = piece
        return PrintedText("".join(texts), lefts, rights)

    def _is_mark(self, piece: Piece) -> bool:
        """Tell whether a piece is a raised mark at the start of the line, as a footnote has."""
        return piece is self.pieces[0] and self._text(piece)[-1:] in _RAISED_DIGITS

    def _text(self, piece: Piece) -> str:
        if piece is self.main or not any(map(str.isdecimal, piece.text)):
            return piece.text
        raised = (self.baseline - piece.baseline) / self.size
        small = piece.size < _SMALL * self.size
        if raised > (_RAISED if small else _RAISED_IN_SIZE):
            return piece.text.translate(_SUPERSCRIPTS)
        if small and raised < _LOWERED:
            return piece.text.translate(_SUBSCRIPTS)
        return piece.text


def gather_lines(pieces: Sequence[Piece], page: int, turns: int = 0) -> list[Line]:
    """Return the lines that the pieces of one column make up, from above."""
    if not pieces:
        return []
    usual = _usual_size(pieces)
    initials = [piece for piece in pieces if _may_be_initial(piece, usual)]
    rows = _Rows()
    for large in (True, False):
        chosen = (
            piece
            for piece in pieces
            if (piece.size >= _SMALL * usual) == large and piece not in initials
        )
        for piece in sorted(chosen, key=lambda piece: (piece.baseline, piece.left)):
            rows.add(piece)
    for piece in initials:
        rows.add_initial(piece)
    return [Line(list(row), page, turns) for row in rows.in_order()]


class _Rows:
    """Pieces by the lines that they stand on."""

    def __init__(self) -> None:
        self._baselines: list[float] = []
        self._rows: dict[float, _Row] = {}
        self._reach = 0.0  # the size of the largest piece

    def add(self, piece: Piece) -> None:
        near = [(row, row.shared(piece)) for row in self._near(piece)]
        rows = [pair for pair in near if pair[1] >= _SHARED and pair[0].has_room(piece)]
        if not rows and len(piece.text) <= _LONGEST_MARK:
            rows = [pair for pair in near if pair[1] > _TOUCHED and pair[0].touches(piece)]
        if rows:
            max(rows, key=lambda pair: pair[1])[0].add(piece)
        else:
            self._open(piece)

    def add_initial(self, piece: Piece) -> None:
        """Put an initial before the first of the lines that stand beside it."""
        beside = [
            row
            for row in self._near(piece)
            if row.pieces[0].left > piece.right - _OVERLAP * row.size
            and piece.baseline - piece.size < row.baseline <= piece.baseline + 0.5 * row.size
        ]
        if len(beside) > 1:
            beside[0].add(piece)
        else:
            self.add(piece)

    def in_order(self) -> Iterator[list[Piece]]:
        for baseline in self._baselines:
            yield self._rows[baseline].in_order()

    def _near(self, piece: Piece) -> list[_Row]:
        reach = max(self._reach, piece.size)
        place = bisect_left(self._baselines, piece.baseline)
        low = bisect_left(
            self._baselines, piece.baseline - reach, max(place - _MOST_NEAR, 0), place
        )
        high = bisect_left(self._baselines, piece.baseline + reach, place)
        high = min(high, place + _MOST_NEAR)
        return [self._rows[baseline] for baseline in self._baselines[low:high]]

    def _open(self, piece: Piece) -> None:
        key = piece.baseline
        while key in self._rows:  # another line, that has no room for it
            key += 1e-6
        insort(self._baselines, key)
        self._rows[key] = _Row(piece)
        self._reach = max(self._reach, piece.size)


class _Row:
    def __init__(self, piece: Piece) -> None:
        self.pieces = [piece]
        self.baseline, self.size = piece.baseline, piece.size

    def add(self, piece: Piece) -> None:
        insort(self.pieces, piece, key=lambda piece: piece.left)

    def has_room(self, piece: Piece) -> bool:
        place = bisect_left(self.pieces, piece.left, key=lambda piece: piece.left)
        allowed = _OVERLAP * min(self.size, piece.size)
        before = self.pieces[place - 1] if place else None
        after = self.pieces[place] if place < len(self.pieces) else None
        return (before is None or before.right - piece.left < allowed) and (
            after is None or piece.right - after.left < allowed
        )

    def touches(self, piece: Piece) -> bool:
        """Tell whether a piece stands beside or amid the letters of the row, and is no larger."""
        return piece.size <= self.size and any(
            other.left - _NEAR * self.size < piece.right
            and piece.left < other.right + _NEAR * self.size
            for other in self.pieces
        )

    def shared(self, piece: Piece) -> float:
        """Return which part of the lower height the letters of both share."""
        top = max(self.baseline - _RISE * self.size, piece.baseline - _RISE * piece.size)
        bottom = min(self.baseline + _DEPTH * self.size, piece.baseline + _DEPTH * piece.size)
        return (bottom - top) / ((_RISE + _DEPTH) * min(self.size, piece.size))

    def in_order(self) -> list[Piece]:
        leftward = sum(map(_runs_leftward, self.pieces))
        if 2 * leftward > len(self.pieces):
            return sorted(self.pieces, key=lambda piece: -piece.left)
        return self.pieces


def _usual_size(pieces: Iterable[Piece]) -> float:
    """Return the size in the middle of those of all characters."""
    sizes = sorted((piece.size, len(piece.text)) for piece in pieces)
    half = sum(length for _, length in sizes) / 2
    passed = accumulate(length for _, length in sizes)
    return next(size for (size, _), count in zip(sizes, passed, strict=True) if count >= half)


def _may_be_initial(piece: Piece, usual: float) -> bool:
    return len(piece.text) <= _LONGEST_INITIAL and piece.size > _INITIAL * usual


def _runs_leftward(piece: Piece) -> bool:
    return _LEFTWARD.search(piece.text) is not None


def _parted(before: Piece, piece: Piece) -> bool:
    """Tell whether a space belongs between two pieces of a line."""
    larger = max(before.size, piece.size)
    gap = (max(before.left, piece.left) - min(before.right, piece.right)) / larger
    if before.size > _INITIAL * piece.size and len(before.text) <= _LONGEST_INITIAL:
        return _is_word_of_its_own(before.text[-1], piece.text)
    return gap > _WORD_GAP or (piece.spaced and gap > REAL_GAP)


def _is_word_of_its_own(initial: str, text: str) -> bool:
    """Tell whether an initial letter is a word, and not the first letter of the next one."""
    word = re.match(r"[^\W\d_]*", text)
    rest = "" if word is None else word[0].lower()
    return (
        initial in _ONE_LETTER_WORDS
        and is_english_word(rest)
        and not is_english_word(initial.lower() + rest)
    )
