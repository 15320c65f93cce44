"""PDFium, which one thread at a time may use."""

from __future__ import annotations

from threading import Lock

PDFIUM_LOCK = Lock()
"""Held around every use of `pypdfium2`: PDFium is not safe to share between threads."""
