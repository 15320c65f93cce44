"""Code points: which character each glyph of a page is."""

from __future__ import annotations

import ctypes
from importlib import import_module
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citeguard.documents.pdf import functions

_pdfium: Any = import_module("pypdfium2.raw")  # it has no types

_HYPHEN = ord("-")
_BULLET = ord("•")
_UNKNOWN = 0xFFFD
_PDFIUM_HYPHENS = (0x02, 0xFFFE)  # what PDFium makes of a hyphen at the end of a line
_SYMBOL_BULLET = 0xF0B7  # the bullet of the font Symbol, in the private use area
_UNMAPPED = {  # codes of TeX's fonts, where a file does not say which characters they are
    **dict(zip(range(0x0B, 0x10), ("ff", "fi", "fl", "ffi", "ffl"), strict=True)),
    **dict(zip(range(0x10, 0x17), "“”„«»–—", strict=True)),
    **dict(zip(range(0x1B, 0x20), ("ff", "fi", "fl", "ffi", "ffl"), strict=True)),
}
_UNMAPPED_CODES = np.array(list(_UNMAPPED), np.uint32)


def read_codes(
    text_page: Any, page: int | None, boxes: NDArray[np.float64]
) -> tuple[NDArray[np.uint32], dict[int, str]]:
    """Return the code point of each character; of a ligature the first, with all its letters.

    Args:
        text_page: The page's text.
        page: Its address.
        boxes: Of the characters: left, top, right, bottom, from below.
    """
    count = len(boxes)
    units = np.empty(count + 1, np.uint16)
    pointer = units.ctypes.data_as(ctypes.POINTER(ctypes.c_ushort))
    written = _pdfium.FPDFText_GetText(text_page, 0, count, pointer)
    if written == count + 1 and not np.any((units >= 0xD800) & (units < 0xE000)):
        codes = units[:count].astype(np.uint32)
    else:  # some characters have no unit in the text, or two
        codes = np.fromiter(map(functions.unicode, repeat(page), range(count)), np.uint32, count)
    codes[np.isin(codes, _PDFIUM_HYPHENS)] = _HYPHEN
    codes[codes == _SYMBOL_BULLET] = _BULLET
    for index in np.flatnonzero(codes == 0).tolist():
        codes[index] = _UNKNOWN if _shows(page, index) else ord(" ")
    ligatures: dict[int, str] = {}
    drawn = boxes[:, 1] > boxes[:, 3]  # line breaks that PDFium makes up have no height
    for index in np.flatnonzero(np.isin(codes, _UNMAPPED_CODES) & drawn).tolist():
        if _shows(page, index):
            letters = _UNMAPPED[int(codes[index])]
            codes[index] = ord(letters[0])
            ligatures[index] = letters
    return codes, {index: letters for index, letters in ligatures.items() if len(letters) > 1}


def _shows(page: int | None, index: int) -> bool:
    """Tell whether there is anything to see of a character."""
    box = (ctypes.c_double * 4)()  # left, right, bottom, top
    start = ctypes.addressof(box)
    functions.tight_box(page, index, start, start + 8, start + 16, start + 24)
    return box[1] > box[0] and box[3] > box[2]
