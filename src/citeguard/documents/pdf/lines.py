"""Lines: characters become pieces, pieces become lines, and a `Joiner` knows how lines are joined.

A piece is characters side by side, with the spaces between words. A line is the pieces of one
column on one baseline, with superscripts and subscripts.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, groupby, pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from citeguard.documents.pdf.characters import (
    OPERATORS,
    SAME_BASELINE,
    SOFT_HYPHEN,
    Characters,
    Flags,
    Font,
    Places,
    lighter,
)
from citeguard.documents.pdf.pdfium import Floats
from citeguard.documents.pdf.unseen import UNSEEN
from citeguard.language import citations
from citeguard.language.formulas import SUBSCRIPTS, SUPERSCRIPTS, lowered, note_mark, raised
from citeguard.language.scripts import FULLWIDTH, IDEOGRAPHS
from citeguard.language.spelling import is_english_word

_T = TypeVar("_T")

HYPHENS = f"-\u2010{SOFT_HYPHEN:c}"
"""The hyphens of a word that is broken at the end of a line."""

# All of these are parts of the font's size.
_GAP = 0.7  # what is so far apart may be in two columns
_BACK = 0.5  # what steps back so far continues elsewhere
_WORD_GAP = 0.2  # between words where the file has no spaces, ...
_MADE_GAP = 0.06  # ... and where PDFium, too, takes the gap for a space
_INITIAL, _BESIDE_INITIAL = 1.8, 1.5  # times the size of lines, and from it to these
_UNDER_INITIAL, _SAME_TYPE = 0.6, 0.05  # of their size: the lines below begin where it does
_SPACED_WORD_GAP = 0.25  # between words where the file has spaces
_FIGURE_GAP, _EVEN = 0.17, 0.5  # between two figures, and of it the gap of characters spaced out
_PIECE_GAP = 0.13  # between two pieces that are words
_REAL_GAP = -0.05  # below it a space of the file is invisible
_RAISED_TO_MIDDLE = 0.3  # of a letter above its baseline
_RISE, _DEPTH = 0.7, 0.2  # how far letters reach above the baseline and below
_NEAR = 0.15  # a small mark so near to a letter touches it
_OVERLAP = 0.3  # the most that pieces of one line overlap
SMALL = 0.85  # of the line's size: what is smaller may be raised or lowered
_RAISED, _LOWERED = 0.18, -0.08
_RAISED_IN_SIZE = 0.25  # for what is no smaller than its line
_WIDE_GAP = 1.0  # a gap that may separate the cells of a table

_SPACED = 0.03  # spaces per character: a page with more has its spaces in the file
_SHARED = 0.5  # of the lower height: two pieces that share more are on one line
_TOUCHED = 0.2  # the same, for a small mark that touches the letters of a line
_LONGEST_MARK = 3  # characters
_MOST_NEAR = 30  # lines above a piece, and below it, that it may belong to

_ALONE = [*map(ord, OPERATORS), ord("√")]  # are pieces of their own, as they have limits and lines
# "Ships . . . ." and "Ships ....." before a page number, as in a table of contents.
_LEADERS = re.compile(r"(?:(?:^\.)?(?:\s\.)+|\s*\.{4,})$")
_OPEN_ENDS = "/—"  # no space follows them at the end of a line
# "2019–" before "2020".
_DASH_IN_RANGE = re.compile(r"\w[–—]$")
_WORD = re.compile(r"[^\W\d_]+")
_COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LAST_WORD = re.compile(rf"([^\W_]+)[{HYPHENS}]$")
_FIRST_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(rf"[{IDEOGRAPHS}{FULLWIDTH}]")
# A document with all of these is in English: a list of English words decides about hyphens.
_ENGLISH = ("the", "and", "of")
_LONGEST_WORD = 60  # letters before a hyphen that are looked at
# "Mean" with a raised "b" has a note, "x" with one an exponent.
_LETTERS_OF_NOTES = "abcdefgh"
_WORD_BEFORE = re.compile(r"[^\W\d_]{3}$")  # no variable
_SHORTEST_PART = 2  # letters of a part of a compound


@dataclass(slots=True, eq=False)
class Piece:
    """Characters side by side on one line, with no gap as wide as between columns.

    Places are in points from the upper left, for a reader to whom the piece is upright.

    Attributes:
        text: The characters, with a space between words.
        lefts: The left edge of each character.
        rights: The right edge of each.
        left: The left edge of the piece.
        right: The right edge.
        top: The upper edge, from above.
        bottom: The lower edge.
        baseline: The baseline of its line.
        size: The size of its font.
        font: The look of its characters.
        doubts: Why each character may be another one, indices into `unseen.DOUBTS`.
        row: The row of a table that it stands for, see `with_ruled_tables`.
    """

    text: str
    lefts: Floats
    rights: Floats
    left: float
    right: float
    top: float
    bottom: float
    baseline: float
    size: float
    font: Font
    doubts: NDArray[np.uint8]
    row: Row | None = None

    @property
    def width(self) -> float:
        """The width of the piece."""
        return self.right - self.left

    @property
    def middle(self) -> float:
        """The place half-way between its edges."""
        return (self.left + self.right) / 2

    @property
    def level(self) -> float:
        """The middle of its letters, from above."""
        return self.baseline - _RAISED_TO_MIDDLE * self.size

    def part(self, start: int, end: int) -> Piece | None:
        """Return some of its characters, without spaces around them; `None` for only spaces."""
        start += len(self.text[start:end]) - len(self.text[start:end].lstrip())
        end = start + len(self.text[start:end].rstrip())
        if start >= end:
            return None
        lefts, rights = self.lefts[start:end], self.rights[start:end]
        return replace(
            self,
            text=self.text[start:end],
            lefts=lefts,
            rights=rights,
            left=float(lefts.min()),
            right=float(rights.max()),
            doubts=self.doubts[start:end],
        )

    def spelled(self, text: str) -> Piece:
        """Return the piece with another text for its characters."""
        edges = np.linspace(self.left, self.right, len(text) + 1)
        # Characters are no longer known one by one: the doubt about one is about all.
        doubts = np.full(len(text), self.doubts.max(), np.uint8)
        return replace(self, text=text, lefts=edges[:-1], rights=edges[1:], doubts=doubts)


def runs(items: Iterable[_T], goes_on: Callable[[list[_T], _T], bool]) -> list[list[_T]]:
    """Return items in lists: each follows those that it goes on with, or begins a list.

    Examples:
        >>> runs([1, 2, 5, 6], lambda run, number: number == run[-1] + 1)
        [[1, 2], [5, 6]]
    """
    found: list[list[_T]] = []
    for item in items:
        if found and goes_on(found[-1], item):
            found[-1].append(item)
        else:
            found.append([item])
    return found


def gaps_before(pieces: Iterable[Piece]) -> Iterator[tuple[float, Piece]]:
    """Yield pieces from the left, but the first, each with the gap between all before and it."""
    ordered = sorted(pieces, key=lambda piece: piece.left)
    ends = accumulate((piece.right for piece in ordered), max)
    for piece, end in zip(ordered[1:], ends, strict=False):
        yield piece.left - end, piece


def without_leaders(piece: Piece) -> Piece:
    """Return a piece without the row of dots at its end that leads to what is beside it."""
    leaders = _LEADERS.search(piece.text) if piece.text.endswith(".") else None
    return piece if leaders is None else piece.part(0, leaders.start()) or piece


def cut_into_pieces(characters: Characters, fonts: list[Font]) -> list[Piece]:
    """Return the pieces that characters form, in the file's order."""
    larger = np.maximum(characters.sizes[1:], characters.sizes[:-1])
    gaps = (characters.lefts[1:] - characters.rights[:-1]) / larger
    extension = np.array([font.is_extension for font in fonts])[characters.fonts]
    alone = extension | np.isin(characters.codes, _ALONE)
    elsewhere = (
        alone[1:]
        | alone[:-1]
        | (np.abs(np.diff(characters.baselines)) > SAME_BASELINE * larger)
        | (gaps > _GAP)
        | (gaps < -_BACK)
    )
    starts = np.concatenate(([0], np.flatnonzero(elsewhere) + 1))
    return list(_pieces(characters, fonts, starts, _word_starts(characters, gaps, starts)))


def _word_starts(characters: Characters, gaps: Floats, starts: Places) -> Flags:
    gaps = np.concatenate(([np.inf], gaps))
    gaps[starts] = 0
    in_file = characters.spaced & (gaps > _REAL_GAP)
    if characters.spaced.sum() > _SPACED * len(characters):
        words = in_file | (gaps > _SPACED_WORD_GAP)
    else:
        # As in files of TeX, which have gaps and no spaces.
        made = characters.gapped & (gaps > _MADE_GAP)
        words = in_file | (gaps > _WORD_GAP) | made
    digit = (characters.codes >= ord("0")) & (characters.codes <= ord("9"))
    # A smaller gap parts two figures, unless all characters there are spaced out.
    apart = np.zeros(len(gaps), bool)
    apart[1:] = (gaps[1:] > _FIGURE_GAP) & digit[:-1] & digit[1:]
    for place in np.flatnonzero(apart & ~words).tolist():
        first = int(np.searchsorted(starts, place, "right")) - 1
        end = starts[first + 1] if first + 1 < len(starts) else len(gaps)
        within = gaps[starts[first] + 1 : end]
        words[place] = np.median(within[~words[starts[first] + 1 : end]]) < _EVEN * gaps[place]
    words[starts] = False
    # Digits that are set below each other by their points: "467 .9".
    words[1:-1] &= ~((characters.codes[1:-1] == ord(".")) & digit[:-2] & digit[2:])
    return words


def _pieces(
    characters: Characters, fonts: list[Font], starts: Places, words: Flags
) -> Iterator[Piece]:
    count = len(characters)
    places = np.arange(count) + np.cumsum(words)
    total = count + int(words.sum())
    codes = np.full(total, ord(" "), np.uint32)
    lefts, rights = np.empty(total), np.empty(total)
    codes[places], lefts[places], rights[places] = (
        characters.codes,
        characters.lefts,
        characters.rights,
    )
    doubts = np.zeros(total, np.uint8)
    doubts[places] = characters.doubts
    after = np.flatnonzero(words)
    edges = np.sort(np.stack((characters.rights[after - 1], characters.lefts[after])), axis=0)
    lefts[places[after] - 1], rights[places[after] - 1] = edges
    text = codes.astype("<u4").tobytes().decode("utf-32-le")
    ends = np.append(starts[1:], count)
    first_fonts, last_fonts = characters.fonts[starts], characters.fonts[ends - 1]
    fonts_of_ends = zip(first_fonts.tolist(), last_fonts.tolist(), strict=True)
    intervals = [
        slice(*pair)
        for pair in zip(places[starts].tolist(), (places[ends - 1] + 1).tolist(), strict=True)
    ]
    yield from map(
        Piece,
        [text[interval] for interval in intervals],
        [lefts[interval] for interval in intervals],
        [rights[interval] for interval in intervals],
        np.minimum.reduceat(characters.lefts, starts).tolist(),
        np.maximum.reduceat(characters.rights, starts).tolist(),
        np.minimum.reduceat(characters.tops, starts).tolist(),
        np.maximum.reduceat(characters.bottoms, starts).tolist(),
        characters.baselines[starts].tolist(),
        characters.sizes[(starts + ends - 1) // 2].tolist(),
        [fonts[lighter(fonts, *pair)] for pair in fonts_of_ends],
        [doubts[interval] for interval in intervals],
    )


class Line:
    """A line of one column of a page, upright to its reader.

    Places are in points from the upper left corner of the page, turned so that the line is upright.

    Attributes:
        pieces: Its pieces in reading order.
        page: The number of the page, from 1.
        turns: Counterclockwise quarter turns from the direction of the page to the line's.
        main: The longest piece, whose look and place are the line's; none that is small, as the
            index in "x_average = 2" is, if the others are more.
        size: The size of its font.
        baseline: Its baseline.
        left: Its left edge.
        right: Its right edge.
        top: Its upper edge, from above.
        bottom: Its lower edge.
        text: Its words, separated by spaces, with raised and lowered digits as such.
        lefts: The left edge of each character of the text.
        rights: The right edge of each.
        doubts: Why each may be another one, indices into `unseen.DOUBTS`.
    """

    def __init__(
        self, pieces: list[Piece], page: int, turns: int = 0, main: Piece | None = None
    ) -> None:
        self.pieces, self.page, self.turns = pieces, page, turns
        main = main or _main(pieces)
        self.main, self.row = main, main.row
        self.size, self.baseline = main.size, main.baseline
        self.left = min(piece.left for piece in pieces)
        self.right = max(piece.right for piece in pieces)
        self.top = min(piece.top for piece in pieces)
        self.bottom = max(piece.bottom for piece in pieces)
        self.doubts = bytearray()
        self.text, self.lefts, self.rights = self._join_pieces()

    @cached_property
    def bold(self) -> bool:
        """Whether all its words are bold."""
        return all(piece.font.bold for piece in self.pieces if len(piece.text) > 1)

    @cached_property
    def gaps(self) -> list[tuple[float, float]]:
        """The left and right edges of its wide gaps."""
        wide = _WIDE_GAP * self.size
        return [
            (before.right, after.left)
            for before, after in pairwise(self.pieces)
            if after.left - before.right > wide
        ]

    @property
    def spaces(self) -> list[float]:
        """The widths of its spaces."""
        edges = zip(self.text, self.lefts, self.rights, strict=True)
        return [right - left for character, left, right in edges if character == " "]

    def _join_pieces(self) -> tuple[str, array[float], array[float]]:
        texts: list[str] = []
        lefts, rights = array("f"), array("f")
        is_apart = True
        pieces = self._with_scripts()
        for place, piece in enumerate(pieces):
            text = self._text_of(piece)
            if place:
                before = pieces[place - 1]
                is_marked = is_apart and self._is_raised_letter(before)
                # The mark of a note that begins the line, "¹", is apart from its first word.
                is_marked |= place == 1 and texts[0][-1] in citations.SUPERSCRIPTS
                gap = max(before.left, piece.left) - min(before.right, piece.right)
                is_apart = gap > _PIECE_GAP * max(before.size, piece.size)
                if not is_apart and self._is_raised_letter(piece):
                    if text in _LETTERS_OF_NOTES and _WORD_BEFORE.search(before.text):
                        text = note_mark(text)
                    piece = piece.spelled(text)
                if is_marked or is_apart:
                    texts.append(" ")
                    lefts.append(min(before.right, piece.left))
                    rights.append(max(before.right, piece.left))
                    self.doubts.append(0)
            texts.append(text)
            self.doubts += piece.doubts.tobytes()
            lefts.frombytes(piece.lefts.astype("f").tobytes())
            rights.frombytes(piece.rights.astype("f").tobytes())
        return "".join(texts), lefts, rights

    def _with_scripts(self) -> list[Piece]:
        """Return the pieces with one for each exponent and index of a formula, with its sign."""
        if not any(piece.font.is_mathematical for piece in self.pieces):
            return self.pieces
        found: list[Piece] = []
        levels = [self._level(piece) for piece in self.pieces]
        for level, group in groupby(zip(levels, self.pieces, strict=True), lambda pair: pair[0]):
            run = [piece for _, piece in group]
            before = found[-1] if found else run[0]
            near = run[0].left - before.right < _PIECE_GAP * self.size
            of_formula = any(piece.font.is_mathematical for piece in (before, *run))
            # "h" with a small "n" above it is "h^n".
            if level and near and of_formula and before is not run[0]:
                text = "".join(piece.text for piece in run)
                whole = replace(
                    run[0],
                    right=max(piece.right for piece in run),
                    doubts=np.concatenate([piece.doubts for piece in run]),
                )
                run = [whole.spelled(raised(text) if level > 0 else lowered(text))]
            elif _is_index(before) and near and run[0].text[0].isalpha():  # "w_i r_i"
                found[-1] = before.spelled(before.text + " ")
            found += run
        return found

    def _level(self, piece: Piece) -> int:
        """Return 1 for a small piece above the baseline, -1 for one below it, and else 0."""
        shift = (self.baseline - piece.baseline) / self.size
        if piece is self.main or piece.size >= SMALL * self.size:
            return 0
        return (shift > _RAISED) - (shift < _LOWERED)

    def _is_raised_letter(self, piece: Piece) -> bool:
        """Return whether a piece is a letter by itself above the others: a note's, an exponent."""
        return len(piece.text) == 1 and piece.text.isalpha() and self._level(piece) > 0

    def _text_of(self, piece: Piece) -> str:
        is_written = piece.text[:1] in ("^", "_")  # as an exponent or index already
        if piece is self.main or is_written or not any(map(str.isdecimal, piece.text)):
            return piece.text
        shift = (self.baseline - piece.baseline) / self.size
        small = piece.size < SMALL * self.size
        if shift > (_RAISED if small else _RAISED_IN_SIZE):
            return piece.text.translate(SUPERSCRIPTS)
        if small and shift < _LOWERED:
            return piece.text.translate(SUBSCRIPTS)
        return piece.text


@dataclass(slots=True)
class CellLines:
    """The lines of a cell, with its first column from 1, and the columns and rows it spans."""

    lines: list[Line]
    column: int
    columns: int = 1
    rows: int = 1


@dataclass(slots=True, eq=False)
class Columns:
    """The columns of a table: their edges, from the left one of the table to its right one."""

    edges: list[float]


@dataclass(slots=True, eq=False)
class Row:
    """A row of a table: its number from 1, and its cells by column.

    Attributes:
        table: The columns that the rows of a table share.
        number: Its number in the table, from 1.
        is_head: Whether ruled lines say that it names columns.
        cells: Its cells by column.
        covered: The columns in which cells of rows above go on.
    """

    table: Columns
    number: int
    is_head: bool
    cells: list[CellLines]
    covered: frozenset[int]


def with_initials(pieces: Sequence[Piece]) -> list[Piece]:
    """Return pieces with a large letter or digit beside lines before the first of these.

    A letter is in the word that it begins if the paragraph goes on below it. Else it may be that of
    a glossary, and a digit that of a step: what may be the rest of a word or number is in doubt.
    """
    placed = [*pieces]
    for initial in pieces:
        # It may have a quotation mark: “W.
        if not initial.text[-1:].isalnum() or len(initial.text.strip("\"“”„«‹‘’'¿¡")) != 1:
            continue
        beside = [
            piece
            for piece in placed
            if _INITIAL * piece.size < initial.size
            and -piece.size < piece.left - initial.right < _BESIDE_INITIAL * piece.size
            and initial.top < piece.baseline < initial.baseline + SAME_BASELINE * piece.size
        ]
        beside.sort(key=lambda piece: piece.baseline)
        # A large first letter reaches down two lines or more.
        if not beside or beside[-1].baseline - beside[0].baseline < beside[0].size:
            continue
        first = beside[0]
        word = first.text.split(" ")[0]
        is_number = initial.text[-1].isdecimal()
        # "N" before "ever", or before "EVER" in capitals.
        is_word = word[:1].islower() or (len(word) > 1 and word.isupper())
        is_one = word[:1].isdecimal() if is_number else is_word
        is_whole = is_one and not is_number and _goes_on_below(initial, beside, placed)
        glue = "" if is_whole else " "
        ends = [initial.rights[-1:]] * len(glue)
        doubts = first.doubts.copy()
        # "2" beside "10 minutes" is the number of a step, or the first digit of "210".
        if is_one and not is_whole:
            doubts[: len(word)] = UNSEEN
        placed[placed.index(first)] = replace(
            first,
            text=initial.text + glue + first.text,
            lefts=np.concatenate([initial.lefts, *ends, first.lefts]),
            rights=np.concatenate([initial.rights, *ends, first.rights]),
            left=initial.left,
            doubts=np.concatenate([initial.doubts, np.zeros(len(glue), np.uint8), doubts]),
        )
        placed.remove(initial)
    return placed


def _goes_on_below(initial: Piece, beside: Sequence[Piece], pieces: Sequence[Piece]) -> bool:
    """Return whether the lines beside a large letter go on below it, from its left edge."""
    last, size = beside[-1], beside[-1].size
    above = (p.baseline for p in beside if p.baseline < last.baseline - size / 2)
    leading = last.baseline - max(above, default=last.baseline)
    alike = [piece for piece in pieces if abs(piece.size - size) < _SAME_TYPE * size]
    for piece in sorted(alike, key=lambda piece: piece.baseline):
        if 0 < piece.baseline - last.baseline - leading + size / 4 < size / 2:
            if abs(piece.left - initial.left) < _UNDER_INITIAL * size:
                # Below the end of a sentence, another paragraph may begin.
                return last.text[-1] not in ".!?:;。！？"
            if abs(piece.left - last.left) < _UNDER_INITIAL * size:
                last = piece  # its top may still be beside it
    return False


def gather_lines(pieces: Sequence[Piece], page: int, turns: int = 0) -> list[Line]:
    """Return the lines that the pieces of one column form, from above."""
    whole = [Line([piece], page, turns) for piece in pieces if piece.row is not None]
    if whole:
        pieces = [piece for piece in pieces if piece.row is None]
        lines = gather_lines(pieces, page, turns) if pieces else []
        return sorted(lines + whole, key=lambda line: line.baseline)
    usual = _usual_size(pieces)
    rows = _Rows()
    # Small pieces come last, to join the lines of the large ones that they belong to.
    for large in (True, False):
        chosen = (piece for piece in pieces if (piece.size >= SMALL * usual) == large)
        for piece in sorted(chosen, key=lambda piece: (piece.baseline, piece.left)):
            rows.add(piece)
    return [Line(row, page, turns) for row in rows.in_order()]


def _is_index(piece: Piece) -> bool:
    return piece.text[0] == "_" and piece.text[-1].isalpha()


def _main(pieces: list[Piece]) -> Piece:
    """Return the longest piece, or one of larger ones that it is a script of."""
    longest = max(pieces, key=_length)
    larger = [each for each in pieces if longest.size < SMALL * each.size]
    few = 2 * sum(map(_length, larger)) <= sum(map(_length, pieces))
    return longest if few or longest is pieces[0] else max(larger, key=_length)


def _length(piece: Piece) -> int:
    return len(piece.text)


def _baseline(row: _Row) -> float:
    return row.baseline


def in_order(pieces: list[Piece], main: Piece) -> list[Piece]:
    """Return pieces of a line from the left with what is lowered before what is raised above it.

    Args:
        pieces: The pieces from the left.
        main: One on the baseline.
    """
    if len(pieces) < 3:
        return pieces
    placed: list[Piece] = []
    for small, group in groupby(pieces, lambda piece: piece.size < SMALL * main.size):
        scripts = list(group)
        # "h" with "ij" below a raised 2 is "hij²".
        if small and any(after.left < before.right for before, after in pairwise(scripts)):
            scripts.sort(key=lambda piece: piece.baseline < main.baseline)
        placed += scripts
    return placed


def _usual_size(pieces: Iterable[Piece]) -> float:
    """Return the median size of all characters."""
    sizes = sorted((piece.size, len(piece.text)) for piece in pieces)
    half = sum(length for _, length in sizes) / 2
    passed = accumulate(length for _, length in sizes)
    return next(size for (size, _), count in zip(sizes, passed, strict=True) if count >= half)


class _Rows:
    """Pieces grouped by line."""

    def __init__(self) -> None:
        self._rows: list[_Row] = []  # from above

    def add(self, piece: Piece) -> None:
        place = bisect_left(self._rows, piece.baseline, key=_baseline)
        nearest = self._rows[max(place - _MOST_NEAR, 0) : place + _MOST_NEAR]
        reach = [
            row for row in nearest if abs(row.baseline - piece.baseline) < row.size + piece.size
        ]
        near = [(row, row.shared(piece)) for row in reach]
        rows = [pair for pair in near if pair[1] >= _SHARED and pair[0].has_room(piece)]
        # A raised mark shares less of the height of a line than letters do.
        if not rows and len(piece.text) <= _LONGEST_MARK:
            rows = [pair for pair in near if pair[1] > _TOUCHED and pair[0].touches(piece)]
        if rows:
            max(rows, key=lambda pair: pair[1])[0].add(piece)
        else:
            insort(self._rows, _Row(piece), key=_baseline)

    def in_order(self) -> Iterator[list[Piece]]:
        return (in_order(row.pieces, row.first) for row in self._rows)


class _Row:
    def __init__(self, piece: Piece) -> None:
        self.pieces = [piece]
        self.first = piece
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
        """Return whether a piece no larger than the row is beside or among its letters."""
        return piece.size <= self.size and any(
            other.left - _NEAR * self.size < piece.right
            and piece.left < other.right + _NEAR * self.size
            for other in self.pieces
        )

    def shared(self, piece: Piece) -> float:
        """Return the part of the lower height that the letters of both share."""
        top = max(self.baseline - _RISE * self.size, piece.baseline - _RISE * piece.size)
        bottom = min(self.baseline + _DEPTH * self.size, piece.baseline + _DEPTH * piece.size)
        return (bottom - top) / ((_RISE + _DEPTH) * min(self.size, piece.size))


class Joiner:
    """Joins the lines of a paragraph, by the words of the document.

    Args:
        lines: The lines of the document.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        # A word broken at the end of a line does not say how it is written.
        whole = (line.rpartition(" ")[0] if line[-1:] in HYPHENS else line for line in lines)
        compounds = set(_COMPOUND.findall(" ".join(whole).lower()))
        self._words = compounds.union(*(_WORD.findall(word) for word in compounds if "-" in word))
        self._english = all(word in self._words for word in _ENGLISH)

    def join(self, line: str, after: str) -> tuple[int, str]:
        """Return how many characters to cut off the line, and what joins it to the next line.

        A hyphen stays in a compound, before a capital, and beside a digit or an acronym.

        Examples:
            >>> joiner = Joiner(["the example of a well-known compound and"])
            >>> joiner.join("an exam-", "ple"), joiner.join("a well-", "known one")
            ((1, ''), (0, ''))
        """
        if line.endswith(chr(SOFT_HYPHEN)):
            return 1, ""
        if line[-1:] in HYPHENS:
            one, other = _LAST_WORD.search(line[-_LONGEST_WORD:]), _FIRST_WORD.match(after)
            if one is None:
                # A dash between words, "a pause -", keeps its space.
                return 0, " " if len(line) == 1 or line[-2:-1].isspace() else ""
            if other is None:
                return 0, "" if after[:1] in "([" else " "
            return (0 if self._is_compound(one[1], other[0]) else 1), ""
        if line[-1:] in _OPEN_ENDS and not line[-2:-1].isspace():
            return 0, ""
        if _DASH_IN_RANGE.search(line) and after[:1].isalnum():
            return 0, ""
        return 0, "" if _UNSPACED.match(line[-1:]) and _UNSPACED.match(after) else " "

    def _is_compound(self, one: str, other: str) -> bool:
        whole, compound = (one + other).lower(), f"{one}-{other}".lower()
        # "COVID-" before "19".
        if not (one.isalpha() and other.isalpha()):
            return True
        # The document has "co-operation" elsewhere, and no "cooperation".
        if compound in self._words:
            return whole not in self._words
        if whole in self._words or (self._english and is_english_word(whole)):
            # "EXAM-" before "PLE" is a word in capitals, not a compound as "Anglo-" before "Saxon".
            return other[0].isupper() and not one.isupper()
        if other[0].isupper():
            return True
        # "decision-" before "making" keeps its hyphen; "Zwyfel-" before "barth" does not.
        return self._english and all(
            len(part) >= _SHORTEST_PART and is_english_word(part.lower()) for part in (one, other)
        )
