"""The characters of a page: which each is, where it is, and what a reader sees of them.

`CharacterReader` asks PDFium; `clean` then drops what is invisible and joins accents and letters.
"""

from __future__ import annotations

import ctypes
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citeguard.documents.document import KEPT, Decision, Reason
from citeguard.documents.office.symbols import symbol
from citeguard.documents.pdf import pdfium
from citeguard.documents.pdf.pdfium import Floats, Frame, OpenPage, TickBox
from citeguard.documents.pdf.unseen import (
    UNMAPPED,
    UNSEEN,
    Findings,
    findings,
    is_faint,
    is_private,
    mark_gaps,
)
from citeguard.language.tokens import PDFIUM_HYPHENS

Flags = NDArray[np.bool_]
Places = NDArray[np.int64]

SOFT_HYPHEN = 0xAD
AXIS = 0.25  # of the size: from the baseline of a line up to the bars and the signs in it
OPERATORS = "∑∏∐∫⋃⋂"
"""Large signs, with limits above and below."""
SAME_BASELINE = 0.12  # of the size: baselines that differ by less are the same

_SPACES = (0x20, 0xA0, 0x1680, *range(0x2000, 0x200C), 0x202F, 0x205F, 0x3000, 0xFEFF)
_HYPHENS = tuple(map(ord, PDFIUM_HYPHENS))
_UNKNOWN = 0xFFFD
_SYMBOL_BULLET = 0xF0B7  # the bullet of the font Symbol, in the private use area
# Where Adobe's list of glyphs has signs that Unicode did not have then.
_PIECES = dict(zip(range(0xF8E6, 0xF8FF), "⏐⎯®©™⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭", strict=True))
CORK = dict(zip((*range(0x10, 0x17), *range(0x1B, 0x20)), "“”„«»–—ﬀﬁﬂﬃﬄ", strict=True))
"""What the codes of control characters are in TeX's T1 encoding, where the file does not say."""
_EXTENDED = "{}⟨⟩∮∮∑∏∫⋃⋂∑∏∫⋃⋂∐∐ˆˆˆ˜˜˜[]⌊⌋⌈⌉{}√√√√√"
_OF_A_PRESS = dict(zip(b"\x02\x03\xbc\xc0\xc1\xc2\xde\xf0\xfe", "−×=−·×)(+", strict=True))
SIGN_FONTS = {
    "CMEX": {
        **dict(
            zip(range(0x30), "()[]⌊⌋⌈⌉{}⟨⟩|‖/\\()()[]⌊⌋⌈⌉{}⟨⟩/\\()[]⌊⌋⌈⌉{}⟨⟩/\\/\\", strict=True)
        ),
        **dict(zip(map(ord, "<=DEHIPQRSTXYZ[\\`abcdefghijklmnopqrst"), _EXTENDED, strict=True)),
    },
    "CMMI": {0x0F: "ϵ", ord("%"): "ϱ", ord("`"): "ℓ"},
    "CMSY": dict(
        zip(
            b"0123489:;>?!'pqrsbcdefghijk^_[\\\xa6",  # some files name ⊤ the broken bar
            "′∞∈∋△∀∃¬∅⊤⊥→≃√∐∇∫⌊⌋⌈⌉{}⟨⟩|‖∧∨∪∩⊤",
            strict=True,
        )
    ),
    # Of a publisher's typesetters, whose files have the names of the letters at these places.
    "AdvMacMthSyN": _OF_A_PRESS,
    "AdvP4C4E74": _OF_A_PRESS,
    "AdvEls-ent5": {ord("1"): "°"},
    "AdvPi1": {ord("m"): "μ"},
}
"""What these codes are in fonts of signs, TeX's above all, where no other names are for them."""
_RARE = [*b"%`>'", *_OF_A_PRESS]  # signs among the characters of another font
_OF_FORMULAS = "\u0302\u0303\u0304\u0305\u0307\u20d7\u0338"  # combine already
_ACCENTS = dict(  # spacing accents, and the characters that combine with a letter
    zip(
        map(ord, pdfium.ACCENTS + _OF_FORMULAS),
        "\u0308\u0301\u0300\u0302\u0302\u0303\u0303\u0304\u0306\u0307\u030a\u0327\u030c\u0328\u030b"
        + _OF_FORMULAS,
        strict=True,
    )
)
_ACCENT_CODES = list(_ACCENTS)
_DOTLESS = {0x131: "i", 0x237: "j"}
_SLASHES, _SIGNS = [*map(ord, "/⁄∕")], [*map(ord, "-−–+")]
_MOST_ACCENTS = 1_000  # of a page: each is compared with all of its characters

_FORCED_BOLD = 1 << 18  # a flag of PDF's font descriptors
# As "CMMI10" of TeX and "CambriaMath" of Word.
_OF_VARIABLES = re.compile(r"CMMI|(?:MT|[px]|xb|sf)mi|Math(?!Symbols|Extension|RM)", re.IGNORECASE)
# Latin Modern, the successor of Computer Modern, has its signs at the same places.
_TEX_NAMES = {"LMMathExtension": "CMEX", "LMMathItalic": "CMMI", "LMMathSymbols": "CMSY"}
_SUCCESSORS = re.compile("|".join(_TEX_NAMES))
_TEX_VARIABLES = re.compile("CMMI|LMMath")
_MISNAMED = {ord("´"): "β", ord("¶"): "δ", ord("É"): "ω"}  # by Ghostscript; "Ã" is σ and π
_IN_FORMULAS = [*map(ord, "±×÷·¬µ")]
# As "Times-Bold", "CMBX12", and "NimbusRomNo9L-Medi", which is the bold Nimbus.
_BOLD_NAME = re.compile(
    r"bold|black|heavy|demi|(?<![a-z])(?:cm|sf|ec)[a-z]?bx|lmb|medi\b", re.IGNORECASE
)
_LONGEST_NAME = 128  # bytes of a font's name

# A change by these parts of the height starts a new run of characters.
_RAISED = 0.12
_RESIZED = 0.08
_JUMP = 1.0
# A font's size and the height of its characters agree within this factor, or the size is nonsense.
_LIKELY_HEIGHT = 2.5
_STRAIGHT = 0.1  # radians by which the direction of a line may differ from the page's

# In parts of the font's size.
_TOUCHING = 0.1  # characters so close touch
_ASCENT, _DESCENT = 0.9, 0.25  # where the font's own cannot be asked for
_BESIDE = 0.5  # characters so close are neighbours
_UNDERSCORE = 0.5  # its width is less
_FLAT, _SMALL_DIGIT, _DIGIT = 0.2, 0.5, 0.66  # heights: of a sign, a small digit, a usual one
_RAISED_DIGIT, _LOWERED_DIGIT = 0.2, 0.3  # the ink of a raised one begins, of a lowered one ends
_LOWERED = 1.1 * SAME_BASELINE  # at least
_RAISED_SIGN = 0.4  # the middle of a minus with them
_ON_LINE, _FEW_LETTERS = 0.1, 50  # letters of a font end where its lines are
_ACCENT_OVERLAP = 0.5  # of its width: an accent so much over a letter belongs to it


@dataclass(frozen=True, slots=True)
class Font:
    """The look of characters.

    Attributes:
        name: The font's name in the file.
        bold: Whether its name or its flags say that it is bold.
        weight: The weight of its strokes by the file; 0 or less if unknown.
    """

    name: str
    bold: bool
    weight: int

    @property
    def signs(self) -> Mapping[int, str]:
        """What its codes are, if it is a font of signs."""
        name = self.tex_name
        return next((signs for font, signs in SIGN_FONTS.items() if font in name), dict[int, str]())

    @property
    def is_extension(self) -> bool:
        """Whether it is TeX's font of large signs, which do not stand on a baseline."""
        return "CMEX" in self.tex_name

    @property
    def tex_name(self) -> str:
        """Its name, or that of TeX's first fonts if it is their successor, with the same places."""
        return _SUCCESSORS.sub(lambda name: _TEX_NAMES[name[0]], self.name)

    @property
    def is_mathematical(self) -> bool:
        """Whether it is a font of variables, of TeX or of an office program."""
        return _OF_VARIABLES.search(self.name) is not None


@dataclass(slots=True)
class Characters:
    """Characters of one page in one direction, without spaces, in the file's order.

    Places are in points from the upper left corner of the page, turned so that the characters
    are upright.

    Attributes:
        turns: Counterclockwise quarter turns from the direction of the page to theirs.
        width: Of the turned page.
        height: Of the turned page.
        codes: Code points.
        lefts: Left edges.
        rights: Right edges.
        tops: Upper edges, from above.
        bottoms: Lower edges.
        baselines: Baselines.
        sizes: Font sizes.
        fonts: Indices into the list of fonts.
        spaced: Whether the file has a space before each.
        gapped: Whether PDFium takes the gap before each for a space.
        doubts: Why each may be another one, an index into `unseen.DOUBTS`.
        rules: The straight lines of the page: left, top, right and bottom of each.
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
    gapped: Flags
    doubts: NDArray[np.uint8]
    rules: Floats

    def __len__(self) -> int:
        """Return the number of characters."""
        return len(self.codes)

    def where(self, chosen: NDArray[Any]) -> Characters:
        """Return the characters that an array of indices or flags selects."""
        arrays = {name: getattr(self, name)[chosen] for name in _ARRAYS}
        page = {"width": self.width, "height": self.height, "rules": self.rules}
        return Characters(turns=self.turns, **page, **arrays)


_ARRAYS = "codes lefts rights tops bottoms baselines sizes fonts spaced gapped doubts".split()


@dataclass(slots=True)
class _Runs:
    """What the characters of each run share; `turns` is -1 for a slanting run."""

    origins: Floats
    turns: Places
    sizes: Floats
    fonts: Places


class CharacterReader:
    """Reads the characters of pages, and collects the fonts of all of them."""

    def __init__(self, decision: Decision) -> None:
        self._decision = decision
        self.fonts: list[Font] = []
        self._known: dict[tuple[bytes, int, int], int] = {}
        self._name = ctypes.create_string_buffer(_LONGEST_NAME)
        self._flags = ctypes.c_int()

    def read(self, shown: OpenPage, frame: Frame, *, layered: bool) -> list[Characters]:
        """Return the characters of a page by direction, as they are in the file.

        Its boxes are characters, too. With `layered`, pictures and forms may be in layers.
        """
        text_page = shown.text
        page = ctypes.cast(text_page, ctypes.c_void_p).value
        count = pdfium.raw.FPDFText_CountChars(text_page)
        if count <= 0:
            return []
        edges = pdfium.structures_of(pdfium.loose_box, page, range(count), 4)
        boxes = edges[:, [0, 3, 2, 1]]  # written as left, top, right and bottom
        codes = self._codes(text_page, page, count)
        found = findings(shown, frame, codes, boxes, layered=layered)
        codes, opened, closed = self._without_unseen(codes, found)
        kept, spaced, gapped = _without_spaces(codes, boxes)
        if not len(kept):
            return []
        codes, boxes = codes[kept], boxes[kept]
        starts = _run_starts(kept, boxes)
        runs = self._runs(page, kept, starts, boxes)
        of_run = np.repeat(np.arange(len(starts)), np.diff([*starts, len(kept)]))
        self._name_signs(page, kept, codes, runs.fonts[of_run])
        self._doubt_variables(page, kept, codes, found.doubts)
        across = runs.turns[of_run] == 0
        others = np.concatenate([boxes[~across], found.drawings])
        mark_gaps(found, frame, kept[across], boxes[across], others)
        by_direction: list[Characters] = []
        for turns in np.unique(runs.turns[runs.turns >= 0]).tolist():
            chosen = np.flatnonzero(runs.turns[of_run] == turns)
            run = of_run[chosen]
            places = _places(page, kept[chosen], boxes[chosen], runs.sizes[run], frame, turns)
            width, height = frame.size(turns)
            characters = Characters(
                turns=(turns - frame.turns) % 4,
                width=width,
                height=height,
                codes=codes[chosen],
                **places,
                baselines=frame.down(turns, *runs.origins[run].T),
                sizes=runs.sizes[run],
                fonts=runs.fonts[run],
                spaced=spaced[chosen],
                gapped=gapped[chosen],
                doubts=found.doubts[kept[chosen]],
                rules=frame.turned(turns, found.rules),
            )
            self._level(page, kept[chosen], characters, frame, turns)
            _place_scripts(page, kept[chosen], characters, frame, turns)
            if self._decision.keeps:
                characters = _with_brackets(characters, opened[kept[chosen]], closed[kept[chosen]])
            if not characters.turns:
                characters = _with_boxes(characters, shown.boxes, frame)
            by_direction.append(characters)
        return by_direction

    def _codes(self, text_page: Any, page: int | None, count: int) -> NDArray[np.uint32]:
        """Return the code point of each character."""
        units = np.empty(count + 1, np.uint16)
        pointer = units.ctypes.data_as(ctypes.POINTER(ctypes.c_ushort))
        written = pdfium.raw.FPDFText_GetText(text_page, 0, count, pointer)
        if written == count + 1 and not np.any((units >= 0xD800) & (units < 0xE000)):
            codes = units[:count].astype(np.uint32)
        else:  # some characters have no unit in the text, or two
            codes = np.fromiter(map(pdfium.unicode, repeat(page), range(count)), np.uint32, count)
            for high in np.flatnonzero(codes[:-1] >> 10 == 0xD800 >> 10).tolist():
                pair = codes[high : high + 2].astype("<u2").tobytes().decode("utf-16-le", "replace")
                codes[high] = ord(unicodedata.normalize("NFKC", pair)[0])  # 𝑓 is f
        # PDFium's own signs for a hyphen at the end of a line.
        codes[np.isin(codes, _HYPHENS)] = ord("-")
        codes[codes == _SYMBOL_BULLET] = ord("•")
        # Fonts of signs, such as Wingdings, have them in the private use area.
        for index in np.flatnonzero(is_private(codes)).tolist():
            code = int(codes[index])
            name = self.fonts[self._font(page, index)].name
            sign = ord(_PIECES.get(code) or symbol(code, name))
            codes[index] = code if sign == _UNKNOWN else sign
        # Fonts of TeX have quotation marks and ligatures at codes of control characters.
        for index in np.flatnonzero(codes <= 0x20).tolist():
            code = int(codes[index])
            if pdfium.unmapped(page, index) if code else _has_ink(page, index):
                sign = self._sign(page, index, code) or CORK.get(code)
                codes[index] = ord(sign) if sign else code or _UNKNOWN
            elif not code:
                codes[index] = ord(" ")
        codes[(codes >= 0xFE00) & (codes <= 0xFE0F)] = 0  # variants of the sign before, as of "∑"
        # Fonts draw a soft hyphen as a hyphen; one that draws nothing is not seen.
        for index in np.flatnonzero(codes == SOFT_HYPHEN).tolist():
            if is_faint(page, index):
                codes[index] = 0
        return codes

    def _sign(self, page: int | None, index: int, code: int) -> str | None:
        """Return what a code is in the font of a character, if that is one of signs."""
        return self.fonts[self._font(page, index)].signs.get(code)

    def _name_signs(
        self, page: int | None, kept: Places, codes: NDArray[np.uint32], fonts: Places
    ) -> None:
        """Replace the codes of signs by characters, where the file has no names for them."""
        of_signs = np.array([bool(font.signs) for font in self.fonts])[fonts]
        for place in np.flatnonzero(of_signs | np.isin(codes, _RARE)).tolist():
            index = int(kept[place])
            code = pdfium.unicode(page, index)  # that of a named sign may be another one's
            if chr(code).isalnum() or code > 0x7F or pdfium.unmapped(page, index):
                codes[place] = ord(self._sign(page, index, code) or chr(codes[place]))

    def _doubt_variables(
        self, page: int | None, kept: Places, codes: NDArray[np.uint32], doubts: NDArray[np.uint8]
    ) -> None:
        """Mark what TeX's fonts of variables do not have: the file's map of them is wrong."""
        # "Ã" is no variable: the file's map has it in place of "σ" or "π".
        foreign = (codes > 0xA0) & (codes < 0x100) & ~np.isin(codes, _IN_FORMULAS)
        for place in np.flatnonzero(foreign).tolist():
            index = int(kept[place])
            if _TEX_VARIABLES.search(self.fonts[self._font(page, index)].name):
                doubts[index] = UNMAPPED
                codes[place] = ord(_MISNAMED.get(int(codes[place])) or chr(codes[place]))

    def _level(
        self, page: int | None, indices: Places, characters: Characters, frame: Frame, turns: int
    ) -> None:
        """Put the large signs of TeX on the baseline of their line: they hang from a higher one."""
        hanging = np.array([font.is_extension for font in self.fonts])[characters.fonts]
        hanging |= np.isin(characters.codes, [*map(ord, OPERATORS)])
        # The wide accents of that font belong over letters, not on the line.
        hanging &= ~np.isin(characters.codes, _ACCENT_CODES)
        tops, bottoms = _ink(page, indices[hanging], frame, turns)
        characters.tops[hanging], characters.bottoms[hanging] = tops, bottoms
        characters.baselines[hanging] = (tops + bottoms) / 2 + AXIS * characters.sizes[hanging]

    def _without_unseen(
        self, codes: NDArray[np.uint32], found: Findings
    ) -> tuple[NDArray[np.uint32], Flags, Flags]:
        """Blank unseen characters, or mark them; return where they start and end, too."""
        unseen = found.hidden | found.struck | found.artifact
        inked = codes > 0x20
        edges = np.diff(np.concatenate(([False], unseen & inked, [False])).astype(np.int8))
        starts, ends = edges[:-1] == 1, edges[1:] == -1
        if not unseen.any():
            return codes, starts, ends
        if self._decision.keeps:
            found.doubts[unseen] = UNSEEN
            return codes, starts, ends
        reasons: list[tuple[Reason, Flags]] = [
            ("struck out", found.struck),
            ("hidden", found.hidden & ~found.struck),
            ("artifact", found.artifact & ~found.struck & ~found.hidden),
        ]
        for reason, flags in reasons:
            if count := int((flags & inked).sum()):
                self._decision.left_out[reason] += count
        return np.where(unseen, np.uint32(ord(" ")), codes), starts, ends

    def _runs(self, page: int | None, kept: Places, starts: Places, boxes: Floats) -> _Runs:
        """Ask PDFium about the first character of each run, and for the font the last one too."""
        first = kept[starts].tolist()
        last = kept[np.append(starts[1:], len(kept)) - 1].tolist()
        a, b, c, d, _, _ = pdfium.structures_of(pdfium.character_matrix, page, first, 6).T
        sizes = np.array([pdfium.font_size(page, start) for start in first]) * np.hypot(c, d)
        pairs = zip(first, last, strict=True)
        fonts = np.array([lighter(self.fonts, *(self._font(page, e) for e in p)) for p in pairs])
        angles = np.arctan2(b, a)
        turns = np.rint(angles / (np.pi / 2))
        # Text at an angle is not read (docs/limits.md).
        turns[np.abs(angles - turns * np.pi / 2) > _STRAIGHT] = np.nan
        heights = np.maximum.reduceat(boxes[:, 3] - boxes[:, 1], starts)
        unlikely = (turns == 0) & (
            (sizes * _LIKELY_HEIGHT < heights) | (sizes > heights * _LIKELY_HEIGHT)
        )
        # The large signs of TeX are rightly much higher than the size of their font.
        unlikely &= ~np.array([font.is_extension for font in self.fonts])[fonts]
        sizes[unlikely] = heights[unlikely]
        sizes = np.maximum(sizes, 0.1)
        origins = pdfium.numbers_of(pdfium.origin, page, first, (0, 1))
        return _Runs(origins, np.where(np.isnan(turns), -1, turns % 4).astype(int), sizes, fonts)

    def _font(self, page: int | None, index: int) -> int:
        length = pdfium.font_info(page, index, self._name, _LONGEST_NAME, ctypes.byref(self._flags))
        raw = self._name.raw[: length - 1] if 0 < length <= _LONGEST_NAME else b""
        key = (raw, self._flags.value, pdfium.font_weight(page, index))
        if key not in self._known:
            self._known[key] = len(self.fonts)
            name = raw.decode("utf-8", "replace")
            bold = bool(_BOLD_NAME.search(name)) or bool(self._flags.value & _FORCED_BOLD)
            self.fonts.append(Font(name, bold, key[2]))
        return self._known[key]


def lighter(fonts: list[Font], one: int, other: int) -> int:
    """Return the index of the lighter font: a run that starts or ends in plain type is plain."""
    less_bold = fonts[one].bold and not fonts[other].bold
    return other if less_bold or fonts[other].weight < fonts[one].weight else one


def _has_ink(page: int | None, index: int) -> bool:
    left, bottom, right, top = pdfium.tight_boxes(page, [index])[0]
    return bool(right > left and top > bottom)


def _ink(page: int | None, indices: Places, frame: Frame, turns: int) -> tuple[Floats, Floats]:
    """Return the upper and lower edges of what is drawn of characters."""
    _, tops, _, bottoms = frame.turned(turns, pdfium.tight_boxes(page, indices.tolist())).T
    return tops, bottoms


def _place_scripts(
    page: int | None, indices: Places, characters: Characters, frame: Frame, turns: int
) -> None:
    """Put digits that a font itself draws small and raised, or lowered, where their ink is.

    Those of a fraction with a slash stay on the line, apart from a number before them.
    """
    codes, sizes, baselines = characters.codes, characters.sizes, characters.baselines
    is_digit = (codes >= ord("0")) & (codes <= ord("9"))

    def edges(asked: Places) -> tuple[Floats, Floats]:
        tops, bottoms = _ink(page, indices[asked], frame, turns)
        line, size = baselines[asked], sizes[asked]
        return (line - tops) / size, (line - bottoms) / size

    # So Typst sets the marks of notes: digits by their codes, small and raised by their glyphs.
    digits = np.flatnonzero(is_digit)
    tops, bottoms = edges(digits)
    small = (tops - bottoms > _FLAT) & (tops - bottoms < _SMALL_DIGIT)
    away = digits[small & ((bottoms > _RAISED_DIGIT) | (tops < _LOWERED_DIGIT))]
    low = {*digits[small].tolist()}
    for font in np.unique(characters.fonts[away]).tolist():
        letters = np.flatnonzero((characters.fonts == font) & (codes > ord("@")))[:_FEW_LETTERS]
        # Where a font's letters do not stand on the line either, its digits say nothing.
        if len(letters) and abs(np.median(edges(letters)[1])) > _ON_LINE:
            away = away[characters.fonts[away] != font]
    over = -1  # the slash of a fraction
    for run in np.split(away, np.flatnonzero(np.diff(away) > 1) + 1) if len(away) else ():
        first, after = int(run[0]), int(run[-1]) + 1
        if first == over + 1 > 0:
            continue
        # "5³/₂₀", as fonts draw fractions, is "5 3/20", not 5 to the power of 3.
        if after + 1 in low and codes[after] in _SLASHES:
            over = after
            characters.spaced[first] |= first > 0 and is_digit[first - 1]
            continue
        top, bottom = (float(np.median(each)) for each in edges(run))
        # The minus of "10⁻³" is raised with its digit.
        if first and codes[first - 1] in _SIGNS and sum(edges(run[:1] - 1)) > 2 * _RAISED_SIGN:
            first -= 1
        rise = bottom if bottom > 0 else min(bottom, -_LOWERED)
        baselines[first:after] -= rise * sizes[after - 1]
        sizes[first:after] *= (top - bottom) / _DIGIT


def _without_spaces(codes: NDArray[np.uint32], boxes: Floats) -> tuple[Places, Flags, Flags]:
    """Return the indices of the characters that are not spaces.

    With them come flags for a space of the file, and one that PDFium adds, before each.
    """
    space = np.isin(codes, _SPACES)
    drawn = boxes[:, 3] > boxes[:, 1]  # spaces that PDFium adds have no height
    surrogate = (codes >= 0xD800) & (codes < 0xE000)
    kept = np.flatnonzero(~space & (codes > 0x20) & ~surrogate & (codes <= 0x10FFFF))
    real = np.concatenate(([0], np.cumsum(space & drawn)))[kept]
    added = np.concatenate(([0], np.cumsum(space & ~drawn)))[kept]
    return kept, np.diff(real, prepend=0) > 0, np.diff(added, prepend=0) > 0


def _run_starts(kept: Places, boxes: Floats) -> Places:
    left, bottom, right, top = boxes.T
    height = np.maximum(top - bottom, 0.1)
    tall = np.maximum(height[1:], height[:-1])
    jumps = (
        (np.abs(np.diff(bottom)) > _RAISED * tall)
        | (np.abs(np.diff(height)) > _RESIZED * tall)
        | (np.abs(left[1:] - right[:-1]) > _JUMP * tall)
        | (np.diff(kept) > 2)  # a line break of PDFium's, or more than a space
    )
    return np.concatenate(([0], np.flatnonzero(jumps) + 1))


def _with_brackets(characters: Characters, opened: Flags, closed: Flags) -> Characters:
    """Put ⟦ before characters and ⟧ after others, each as wide as nothing."""
    first, last = np.flatnonzero(opened), np.flatnonzero(closed)
    opening, closing = characters.where(first), characters.where(last)
    opening.codes[:], closing.codes[:] = map(ord, KEPT)
    opening.rights, closing.lefts = opening.lefts, closing.rights
    for each, unspaced in ((characters, first), (closing, slice(None))):
        each.spaced[unspaced] = each.gapped[unspaced] = False
    return _inserted(characters, np.concatenate((last + 0.5, first - 0.5)), closing, opening)


def _with_boxes(characters: Characters, boxes: Sequence[TickBox], frame: Frame) -> Characters:
    """Add check boxes, each on the line of the character beside it, as its label is."""
    if not boxes:
        return characters
    at = np.array([each[1:] for each in boxes])
    places = frame.turned(frame.turns, at)
    beside: list[int] = []
    for left, top, right, bottom in places.tolist():
        away = np.maximum(characters.lefts - right, left - characters.rights)
        level = (characters.tops < bottom) & (characters.bottoms > top)
        beside.append(int(np.argmin(np.where(level, np.abs(away), np.inf))))
    added = characters.where(np.array(beside))
    added.codes[:] = [ord("☐☑"[each.ticked]) for each in boxes]
    added.lefts, added.rights = places[:, 0], places[:, 2]
    added.spaced[:] = True
    added.doubts[:] = 0
    return _inserted(characters, np.array(beside) - 0.5, added)


def _inserted(characters: Characters, places: NDArray[Any], *added: Characters) -> Characters:
    """Return characters with others, whose places are between those of these."""
    order = np.argsort(np.concatenate((np.arange(len(characters)), places)), kind="stable")
    arrays = {
        name: np.concatenate([getattr(each, name) for each in (characters, *added)])[order]
        for name in _ARRAYS
    }
    return replace(characters, **arrays)


def _places(
    page: int | None, indices: Places, boxes: Floats, sizes: Floats, frame: Frame, turns: int
) -> dict[str, Floats]:
    """Return the edges of characters for a reader to whom they are upright."""
    if turns == 0:
        lefts, tops, rights, bottoms = frame.turned(0, boxes).T
        return {"lefts": lefts, "rights": rights, "tops": tops, "bottoms": bottoms}
    # The boxes of PDFium are those of upright text: for other text, origins and ink tell more.
    asked = indices.tolist()
    origins = pdfium.numbers_of(pdfium.origin, page, asked, (0, 1)).T
    lefts, baselines = frame.along(turns, *origins), frame.down(turns, *origins)
    drawn = frame.turned(turns, pdfium.tight_boxes(page, asked))
    rights = np.maximum(drawn[:, 2], lefts)
    # Ink ends before the next letter begins; within a word, letters touch.
    touching = (lefts[1:] > rights[:-1]) & (lefts[1:] - rights[:-1] < _TOUCHING * sizes[1:])
    rights[:-1][touching] = lefts[1:][touching]
    return {
        "lefts": lefts,
        "rights": rights,
        "tops": baselines - _ASCENT * sizes,
        "bottoms": baselines + _DESCENT * sizes,
    }


def clean(characters: Characters) -> Characters:
    """Return characters as a reader sees them, with their accents.

    The letters that PDFium makes of one ligature share its box. Soft hyphens within a line are
    hyphens: they are drawn as such. TeX draws underscores as lines.
    """
    for step in (_split_boxes, _with_hyphens, _with_accents, _with_underscores):
        if len(characters):
            characters = step(characters)
    return characters


def _split_boxes(characters: Characters) -> Characters:
    lefts, rights = characters.lefts, characters.rights
    same = (lefts[1:] == lefts[:-1]) & (rights[1:] == rights[:-1])
    same &= characters.baselines[1:] == characters.baselines[:-1]
    accents = np.isin(characters.codes, _ACCENT_CODES)  # may be as wide as the letter below
    same &= ~(accents[1:] | accents[:-1])
    if same.any():
        starts = np.flatnonzero(np.concatenate(([True], ~same)))
        counts = np.diff(np.append(starts, len(lefts)))
        order = np.arange(len(lefts)) - np.repeat(starts, counts)
        widths = (rights - lefts) / np.repeat(counts, counts)
        characters.lefts = lefts + widths * order
        characters.rights = characters.lefts + widths
    return characters


def _with_hyphens(characters: Characters) -> Characters:
    """Return characters with the soft hyphens within a line as hyphens."""
    soft = np.flatnonzero(characters.codes[:-1] == SOFT_HYPHEN)
    sizes = characters.sizes[soft]
    apart = np.abs(characters.lefts[soft + 1] - characters.rights[soft])
    level = np.abs(characters.baselines[soft + 1] - characters.baselines[soft])
    characters.codes[soft[(apart < _BESIDE * sizes) & (level < SAME_BASELINE * sizes)]] = ord("-")
    return characters


def _with_accents(characters: Characters) -> Characters:
    """Compose each accent with the letter that it is drawn over.

    Where there is no composed character, a combining accent follows the letter.
    """
    accents = np.flatnonzero(np.isin(characters.codes, _ACCENT_CODES))
    if not len(accents):
        return characters
    order = np.arange(len(characters), dtype=np.float64)
    for place in accents[:_MOST_ACCENTS].tolist():
        left, right = characters.lefts[place], characters.rights[place]
        size = characters.sizes[place]
        common = np.minimum(right, characters.rights) - np.maximum(left, characters.lefts)
        depth = characters.baselines - characters.baselines[place]
        common[(depth < -SAME_BASELINE * size) | (depth > _BESIDE * size)] = 0
        common[place] = 0
        letter = int(np.argmax(common))
        if common[letter] <= _ACCENT_OVERLAP * (right - left) or np.isnan(order[letter]):
            continue
        # Where the accent comes first in the file, the space before it is its letter's.
        characters.spaced[letter] |= characters.spaced[place] and letter == place + 1
        code = int(characters.codes[letter])
        accent = _ACCENTS[int(characters.codes[place])]
        # "ı" with an acute accent over it is "í".
        composed = unicodedata.normalize("NFC", _DOTLESS.get(code, chr(code)) + accent)
        if len(composed) == 1:
            characters.codes[letter] = ord(composed)
            order[place] = np.nan
        elif chr(code).isalpha():
            for name in ("rights", "tops", "bottoms", "baselines", "sizes", "fonts"):
                places = getattr(characters, name)
                places[place] = places[letter]
            characters.lefts[place] = characters.rights[letter]
            characters.codes[place] = ord(accent)
            characters.spaced[place] = characters.gapped[place] = False
            order[place] = letter + 0.5
    kept = np.flatnonzero(~np.isnan(order))
    return characters.where(kept[np.argsort(order[kept], kind="stable")])


def _with_underscores(characters: Characters) -> Characters:
    """Return characters with an underscore for each line that fills a gap on their baseline."""
    left, top, right, bottom = characters.rules.T
    size = float(characters.sizes.max())
    short = (right - left < _UNDERSCORE * size) & (bottom - top < _TOUCHING * size)
    baselines, sizes = characters.baselines, characters.sizes
    # Some programs draw an underscore twice.
    lines: dict[int, int] = {}  # by the character before each
    for line in np.flatnonzero(short)[:_MOST_ACCENTS].tolist():
        near = np.abs(characters.rights - left[line]) < _TOUCHING * sizes
        near &= np.abs(baselines - bottom[line]) < _TOUCHING * sizes
        for place in np.flatnonzero(near[:-1]).tolist():
            after = abs(characters.lefts[place + 1] - right[line]) < _TOUCHING * sizes[place]
            if after and baselines[place] == baselines[place + 1]:
                lines[place] = line
    if not lines:
        return characters
    before, drawn = np.array([*lines]), [*lines.values()]
    added = characters.where(before)
    added.codes[:] = ord("_")
    added.lefts, added.rights = left[drawn], right[drawn]
    added.doubts[:] = 0
    added.spaced[:] = added.gapped[:] = False
    characters.spaced[before + 1] = characters.gapped[before + 1] = False
    return _inserted(characters, before + 0.5, added)
