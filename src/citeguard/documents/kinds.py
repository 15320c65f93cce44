"""What kind a file is: by its name, and whether its content agrees."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Literal

from citeguard.errors import InvalidSourcesError
from citeguard.sources.layout import FileKind

_KINDS: dict[str, FileKind | Literal["json"]] = {
    ".txt": "text",
    ".text": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".htm": "html",
    ".html": "html",
    ".xhtml": "html",
    ".pdf": "pdf",
    ".json": "json",
}

SUFFIXES = tuple(_KINDS)
"""What the names of files end in, in either case, that are read as sources."""

_PDF = "a PDF file; its name must end in .pdf"
_HTML = "an HTML page; its name must end in .html"
_OFFICE = "; export it as PDF, HTML or text"
_PACKED = "; unpack it"
_IMAGE = ", which has no text to quote; recognise its text first"

_ZIPPED = (
    (b"word/document.xml", f"a Word document{_OFFICE}"),
    (b"xl/workbook.xml", f"an Excel workbook{_OFFICE}"),
    (b"ppt/presentation.xml", f"a PowerPoint presentation{_OFFICE}"),
    (b"application/epub+zip", f"an e-book (EPUB){_OFFICE}"),
    (b"application/vnd.oasis.opendocument", f"an OpenDocument file{_OFFICE}"),
)
_SIGNATURES = (
    (b"%PDF-", _PDF),
    (b"{\\rtf", f"an RTF document{_OFFICE}"),
    (b"%!PS-Adobe", "a PostScript file; convert it to PDF"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", f"a document of an old Microsoft Office{_OFFICE}"),
    (b"PK\x03\x04", f"a ZIP archive{_PACKED}"),
    (b"\x1f\x8b", f"a gzip archive{_PACKED}"),
    (b"BZh91AY&SY", f"a bzip2 archive{_PACKED}"),
    (b"\xfd7zXZ\x00", f"an xz archive{_PACKED}"),
    (b"\x28\xb5\x2f\xfd", f"a zstd archive{_PACKED}"),
    (b"7z\xbc\xaf\x27\x1c", f"a 7z archive{_PACKED}"),
    (b"Rar!\x1a\x07", f"a RAR archive{_PACKED}"),
    (b"\x89PNG\r\n", f"a PNG image{_IMAGE}"),
    (b"\xff\xd8\xff", f"a JPEG image{_IMAGE}"),
    (b"GIF87a", f"a GIF image{_IMAGE}"),
    (b"GIF89a", f"a GIF image{_IMAGE}"),
    (b"II*\x00", f"a TIFF image{_IMAGE}"),
    (b"MM\x00*", f"a TIFF image{_IMAGE}"),
)
_HTML_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)\b", re.IGNORECASE)
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def kind_of(name: str) -> FileKind | Literal["json"]:
    """Return what kind a file is by the end of its name.

    Raises:
        InvalidSourcesError: the name ends in none of `SUFFIXES`.

    Examples:
        >>> kind_of("reports/2024.PDF")
        'pdf'
    """
    kind = _KINDS.get(PurePath(name).suffix.lower())
    if kind is None:
        kinds = ", ".join(SUFFIXES)
        raise InvalidSourcesError(f"{name}: not a kind of file that is read as sources ({kinds})")
    return kind


def check_content(content: bytes, name: str) -> None:
    """Refuse an empty file, and what is plainly not what its name says.

    What is no longer plain, such as a damaged PDF file, is left to the reader.

    Raises:
        InvalidSourcesError: the file is empty, or seems to be something else; the message starts
            with its name, and says what to do.
        InvalidSourcesError: the name ends in none of `SUFFIXES`.

    Examples:
        >>> check_content(b"%PDF-1.7 ...", "notes.txt")
        Traceback (most recent call last):
        citeguard.errors.InvalidSourcesError: notes.txt: seems to be a PDF file; its name must \
end in .pdf
    """
    kind = kind_of(name)
    if kind == "json":  # what is none says so when it is parsed
        return
    if not content:
        raise InvalidSourcesError(f"{name}: is empty")
    seems = _signed(content) or (None if kind == "html" else _unsigned(content, kind))
    if seems is not None and not (kind == "pdf" and seems == _PDF):
        raise InvalidSourcesError(f"{name}: seems to be {seems}")


def _signed(content: bytes) -> str | None:
    """Return what a file is by its first bytes, and for a ZIP archive by what is in it."""
    seems = next((told for sign, told in _SIGNATURES if content.startswith(sign)), None)
    if content.startswith(b"PK\x03\x04"):
        return next((told for sign, told in _ZIPPED if sign in content), seems)
    return seems


def _unsigned(content: bytes, kind: FileKind) -> str | None:
    if _HTML_START.match(content):
        return _HTML
    if kind == "pdf":
        return None
    if content.startswith(_UTF16_MARKS):
        return "text in UTF-16; save it as UTF-8"
    return "no text but binary data: it holds NUL bytes" if b"\x00" in content else None
