"""Functions of PDFium that are called for every character, bound so that a call costs little."""

from __future__ import annotations

import ctypes
from importlib import import_module
from itertools import repeat
from typing import Any

_pdfium: Any = import_module("pypdfium2.raw")  # it has no types


def _bind(name: str, result: Any, *arguments: Any) -> Any:
    """Return a function of PDFium that takes addresses as numbers, and keeps Python's lock.

    There are several calls for every character: letting go of the lock takes longer than the call.
    """
    address = ctypes.cast(getattr(_pdfium, name), ctypes.c_void_p).value
    prototype: Any = ctypes.PYFUNCTYPE(result, *arguments)
    return prototype(address)


_ADDRESS, _INT = ctypes.c_void_p, ctypes.c_int
loose_box = _bind("FPDFText_GetLooseCharBox", _INT, _ADDRESS, _INT, _ADDRESS)
tight_box = _bind("FPDFText_GetCharBox", _INT, _ADDRESS, _INT, *repeat(_ADDRESS, 4))
origin = _bind("FPDFText_GetCharOrigin", _INT, _ADDRESS, _INT, _ADDRESS, _ADDRESS)
unicode = _bind("FPDFText_GetUnicode", ctypes.c_uint, _ADDRESS, _INT)
font_size = _bind("FPDFText_GetFontSize", ctypes.c_double, _ADDRESS, _INT)
font_weight = _bind("FPDFText_GetFontWeight", _INT, _ADDRESS, _INT)
matrix = _bind("FPDFText_GetMatrix", _INT, _ADDRESS, _INT, _ADDRESS)
font_info = _bind(
    "FPDFText_GetFontInfo", ctypes.c_ulong, _ADDRESS, _INT, _ADDRESS, ctypes.c_ulong, _ADDRESS
)
