"""The characters of a page: what each is, and where it stands."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citeguard.documents.pdf import functions
from citeguard.documents.pdf.codes import read_codes
from citeguard.documents.pdf.frame import Floats, Frame

Flags = NDArray[np.bool_]
Places = NDArray[np.int64]

_pdfium: Any = import_module("pypdfium2.raw")  # it has no types

_SPACES = (0x20, 0xA0, 0x1680, *range(0x2000, 0x200C), 0x202F, 0x205F, 0x3000, 0xFEFF)
_FORCED_BOLD = 1 << 18  # a flag of PDF's font descriptors
_BOLD_NAME = re.compile(
    r"bold|black|heavy|demi|(?<![a-z])(?:cm|sf|ec)[a-z]?bx|lmb|medi\b", re.IGNORECASE
)
_LONGEST_NAME = 128  # bytes of a font's name

# A change of these parts of the height starts a new run of characters.
_RAISED = 0.12
_RESIZED = 0.08
_JUMP = 1.0
# A font's size and the height of its characters agree within this factor, or the size is nonsense.
_LIKELY_HEIGHT = 2.5
_TOUCHING = 0.1  # of the size: what stands so close touches
_ASCENT, _DESCENT = 0.9, 0.25  # of the size, where the font's own cannot be asked for
_STRAIGHT = 0.1  # radians that the direction of a line may be off the page's


@dataclass(frozen=True, slots=True)
class Font:
    """How characters look.

    Attributes:
        name: What the file calls the font.
        bold: Whether its name or the file says so.
        weight: How heavy its strokes are, by the file; 0 or less if it says nothing.
    """

    name: str
    bold: bool
    weight: int


@dataclass(slots=True)
class Characters:
    """Characters of one page that run in one direction, without spaces, in the file's order.

    Places are in points, from the upper left corner of the page turned so that the characters
    stand upright.

    Attributes:
        turns: Quarter turns, against the clock, from the direction of the page as shown to theirs.
        width: Of the page, turned so.
        height: The same.
        codes: The code point of each.
        lefts: Where each starts.
        rights: Where it ends.
        tops: Where it starts, from above.
        bottoms: Where it ends.
        baselines: Where the line runs that it stands on.
        sizes: Of its font.
        fonts: The place of its font in the list of fonts.
        spaced: Whether a space stands before it in the file.
        parted: Whether PDFium takes the gap before it for a space.
    """

    turns: int
    width: float
    height: float
    codes: NDArray[np.uint32]
    lefts: Floats
    rights: Floats
    tops: Floats
    bottoms: Floats
    baselines: Floats
    sizes: Floats
    fonts: Places
    spaced: Flags
    parted: Flags

    def __len__(self) -> int:
        """Count them."""
        return len(self.codes)

    def where(self, chosen: NDArray[Any]) -> Characters:
        """Return those of an array of places or of flags."""
        arrays = {name: getattr(self, name)[chosen] for name in _ARRAYS}
        return Characters(turns=self.turns, width=self.width, height=self.height, **arrays)


_ARRAYS = "codes lefts rights tops bottoms baselines sizes fonts spaced parted".split()


class CharacterReader:
    """Reads the characters of pages; remembers the fonts it has met."""

    def __init__(self) -> None:
        self.fonts: list[Font] = []
        self._known: dict[tuple[bytes, int, int], int] = {}
        self._name = ctypes.create_string_buffer(_LONGEST_NAME)
        self._flags = ctypes.c_int()

    def read(self, text_page: Any, frame: Frame) -> list[Characters]:
        """Return the characters of a page, each direction by itself, without what is not shown."""
        page = ctypes.cast(text_page, ctypes.c_void_p).value
        count = _pdfium.FPDFText_CountChars(text_page)
        if count <= 0:
            return []
        boxes = _boxes(page, count)  # left, top, right, bottom, from below
        codes, ligatures = read_codes(text_page, page, boxes)
        kept, spaced, parted = _kept(codes, boxes, ligatures)
        if not len(kept):
            return []
        codes, boxes = codes[kept], boxes[kept]
        for index, letters in ligatures.items():
            place = int(np.searchsorted(kept, index))
            codes[place : place + len(letters)] = list(map(ord, letters))
        starts = _run_starts(kept, boxes)
        runs = self._runs(page, kept, starts, boxes)
        of_run = np.repeat(np.arange(len(starts)), np.diff([*starts, len(kept)]))
        found: list[Characters] = []
        for turns in np.unique(runs.turns[runs.turns >= 0]).tolist():
            chosen = np.flatnonzero(runs.turns[of_run] == turns)
            run = of_run[chosen]
            places = _places(page, kept[chosen], boxes[chosen], runs.sizes[run], frame, turns)
            x, y = runs.origins[run, 0], runs.origins[run, 1]
            width, height = frame.size(turns)
            characters = Characters(
                turns=(turns - frame.turns) % 4,
                width=width,
                height=height,
                codes=codes[chosen],
                **places,
                baselines=frame.down(turns, x, y),
                sizes=runs.sizes[run],
                fonts=runs.fonts[run],
                spaced=spaced[chosen],
                parted=parted[chosen],
            )
            found.append(characters)
        return found

    def _runs(self, page: int | None, kept: Places, starts: Places, boxes: Floats) -> _Runs:
        """Ask for what the characters of a run share, of its first; for its font, of its last too.

        A run is bold only if both are.
        """
        count = len(starts)
        first = kept[starts].tolist()
        last = kept[np.append(starts[1:], len(kept)) - 1].tolist()
        origins = np.empty((count, 2))
        matrices = np.zeros((count, 6), np.float32)
        at_origin, at_matrix = origins.ctypes.data, matrices.ctypes.data
        sizes = np.empty(count)
        fonts = np.empty(count, np.int64)
        for run, (start, end) in enumerate(zip(first, last, strict=True)):
            functions.origin(page, start, at_origin + 16 * run, at_origin + 16 * run + 8)
            functions.matrix(page, start, at_matrix + 24 * run)
            sizes[run] = functions.font_size(page, start)
            fonts[run] = self._lighter(self._font(page, start), self._font(page, end))
        a, b, c, d = matrices[:, :4].astype(np.float64).T
        sizes *= np.hypot(c, d)
        angles = np.arctan2(b, a)
        turns = np.rint(angles / (np.pi / 2))
        turns[np.abs(angles - turns * np.pi / 2) > _STRAIGHT] = np.nan
        heights = np.maximum.reduceat(boxes[:, 1] - boxes[:, 3], starts)
        unlikely = (turns == 0) & (
            (sizes * _LIKELY_HEIGHT < heights) | (sizes > heights * _LIKELY_HEIGHT)
        )
        sizes[unlikely] = heights[unlikely]
        sizes = np.maximum(sizes, 0.1)
        return _Runs(origins, np.where(np.isnan(turns), -1, turns % 4).astype(int), sizes, fonts)

    def _font(self, page: int | None, index: int) -> int:
        length = functions.font_info(
            page, index, self._name, _LONGEST_NAME, ctypes.byref(self._flags)
        )
        raw = self._name.raw[: length - 1] if 0 < length <= _LONGEST_NAME else b""
        key = (raw, self._flags.value, functions.font_weight(page, index))
        if key not in self._known:
            self._known[key] = len(self.fonts)
            name = raw.decode("utf-8", "replace")
            bold = bool(_BOLD_NAME.search(name)) or bool(self._flags.value & _FORCED_BOLD)
            self.fonts.append(Font(name, bold, key[2]))
        return self._known[key]

    def _lighter(self, one: int, other: int) -> int:
        bold = self.fonts[one].bold and not self.fonts[other].bold
        return other if bold or self.fonts[other].weight < self.fonts[one].weight else one


@dataclass(slots=True)
class _Runs:
    """What the characters of each run share; `turns` is -1 for one that runs askew."""

    origins: Floats
    turns: Places
    sizes: Floats
    fonts: Places


def _boxes(page: int | None, count: int) -> Floats:
    boxes = np.zeros((count, 4), np.float32)
    start = boxes.ctypes.data
    addresses = range(start, start + 16 * count, 16)
    for _ in map(functions.loose_box, repeat(page), range(count), addresses):
        pass
    return boxes.astype(np.float64)


def _kept(
    codes: NDArray[np.uint32], boxes: Floats, ligatures: Mapping[int, str]
) -> tuple[Places, Flags, Flags]:
    """Return which characters are no spaces, and before which of them a space or a gap stands.

    A ligature is there as often as it has letters.
    """
    space = np.isin(codes, _SPACES)
    drawn = boxes[:, 1] > boxes[:, 3]  # spaces that PDFium makes up have no height
    surrogate = (codes >= 0xD800) & (codes < 0xE000)
    counts = (~space & (codes > 0x20) & ~surrogate & (codes <= 0x10FFFF)).astype(np.int64)
    for index, letters in ligatures.items():
        counts[index] = len(letters)
    kept = np.repeat(np.arange(len(codes)), counts)
    real = np.concatenate(([0], np.cumsum(space & drawn)))[kept]
    made = np.concatenate(([0], np.cumsum(space & ~drawn)))[kept]
    return kept, np.diff(real, prepend=0) > 0, np.diff(made, prepend=0) > 0


def _run_starts(kept: Places, boxes: Floats) -> Places:
    """Return where the height, the place or the size of the characters jumps."""
    left, top, right, bottom = boxes.T
    height = np.maximum(top - bottom, 0.1)
    tall = np.maximum(height[1:], height[:-1])
    gap = left[1:] - right[:-1]
    jumps = (
        (np.abs(np.diff(bottom)) > _RAISED * tall)
        | (np.abs(np.diff(height)) > _RESIZED * tall)
        | (np.abs(gap) > _JUMP * tall)
        | (np.diff(kept) > 2)  # a line break of PDFium's, or more than a space
    )
    return np.concatenate(([0], np.flatnonzero(jumps) + 1))


def _places(
    page: int | None, indices: Places, boxes: Floats, sizes: Floats, frame: Frame, turns: int
) -> dict[str, Floats]:
    """Return where characters start and end, for a reader to whom they stand upright."""
    if turns == 0:
        left, top, right, bottom = boxes.T
        return {
            "lefts": left - frame.left,
            "rights": right - frame.left,
            "tops": frame.top - top,
            "bottoms": frame.top - bottom,
        }
    count = len(indices)
    boxes = np.zeros((count, 4))  # left, right, bottom, top
    origins = np.zeros((count, 2))
    at_box, at_origin = boxes.ctypes.data, origins.ctypes.data
    for place, index in enumerate(indices.tolist()):
        box = at_box + 32 * place
        functions.tight_box(page, index, box, box + 8, box + 16, box + 24)
        functions.origin(page, index, at_origin + 16 * place, at_origin + 16 * place + 8)
    one = frame.along(turns, boxes[:, 0], boxes[:, 2])
    other = frame.along(turns, boxes[:, 1], boxes[:, 3])
    lefts = frame.along(turns, origins[:, 0], origins[:, 1])
    rights = np.maximum(np.maximum(one, other), lefts)
    touching = (lefts[1:] > rights[:-1]) & (lefts[1:] - rights[:-1] < _TOUCHING * sizes[1:])
    rights[:-1][touching] = lefts[1:][touching]
    baselines = frame.down(turns, origins[:, 0], origins[:, 1])
    return {
        "lefts": lefts,
        "rights": rights,
        "tops": baselines - _ASCENT * sizes,
        "bottoms": baselines + _DESCENT * sizes,
    }
