"""Files: finding them in folders, checking their formats, and reading them as text or JSON.

Packed files, which are ZIP archives of parts, must be whole, and not unpack to too much.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from io import BytesIO
from os import PathLike, fspath
from pathlib import Path, PurePath
from typing import Any
from zipfile import ZipFile

from citeguard.errors import CiteguardError, InvalidSourcesError, foreign_code
from citeguard.sources.layout import SUFFIXES, Fields

_PDF = "a PDF file; its name must end in .pdf"
_HTML = "an HTML page; its name must end in .html"
_WORD = "a Word document; its name must end in .docx"
_SLIDES = "a PowerPoint presentation; its name must end in .pptx"
_SHEETS = "an Excel workbook; its name must end in .xlsx"
_BOOK = "an e-book (EPUB); its name must end in .epub"
_OFFICE = "; export it as PDF, HTML or text"
_IMAGE = ", which has no text to quote; run text recognition (OCR) first"

_ZIP = b"PK\x03\x04"
# An archive has the names of its parts uncompressed.
_ZIPPED = (
    (b"word/document.xml", _WORD),
    (b"xl/workbook.xml", _SHEETS),
    (b"ppt/presentation.xml", _SLIDES),
    (b"application/epub+zip", _BOOK),
    (b"application/vnd.oasis.opendocument", f"an OpenDocument file{_OFFICE}"),
)
_SIGNATURES = (
    (b"%PDF-", _PDF),
    (b"{\\rtf", f"an RTF document{_OFFICE}"),
    (b"%!PS-Adobe", "a PostScript file; convert it to PDF"),
    # The container of .doc, .xls and .ppt, and of newer files with a password.
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", f"an old or encrypted Office document{_OFFICE}"),
    (_ZIP, "a ZIP archive; unpack it"),
    (b"\x1f\x8b", "a gzip archive; unpack it"),
    (b"\x89PNG\r\n", f"a PNG image{_IMAGE}"),
    (b"\xff\xd8\xff", f"a JPEG image{_IMAGE}"),
)
TEXTS = ("text", "markdown", "html", "table", "transcript")
"""The kinds of files that are text."""
Watcher = Callable[[str, int, int], None]
"""Called with the name of the file that is read, the page, and how many pages it has or 0."""
_watcher: ContextVar[Watcher | None] = ContextVar("citeguard_watcher", default=None)
_EXPECTED = {"pdf": _PDF, "word": _WORD, "slides": _SLIDES, "sheets": _SHEETS, "book": _BOOK}
_HTML_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)\b", re.IGNORECASE)
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


@contextmanager
def watching(watcher: Watcher) -> Generator[None]:
    """Call a function for each file, and each page of a PDF file, that is read in the block.

    Only in the thread that enters the block.
    """
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


def reached(name: str, page: int = 0, pages: int = 0) -> None:
    """Report that a file, or a page of it from 1, is about to be read."""
    if (watcher := _watcher.get()) is not None:
        watcher(name, page, pages)


def find_files(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    outside: dict[str, str] | None = None,
) -> Iterator[Path]:
    """Yield the files that paths name, and the readable files in and below each folder.

    In a folder these are the files whose names end in one of `SUFFIXES`, sorted by path. Other
    files, hidden files and folders, and links to folders are ignored. A path that is not a folder
    is yielded unchanged, whether or not the file exists.

    Args:
        paths: Files and folders.
        outside: Takes each file of a folder that is a link out of it, with what is wrong; without
            this, such a file is an error.

    Raises:
        InvalidSourcesError: a path is empty, or a pipe, device or socket; a folder has no such
            file, or one of its files is a link out of it.
        CiteguardError: a folder cannot be read.
    """
    for given in [paths] if isinstance(paths, (str, PathLike)) else paths:
        if not fspath(given):  # as a `Path` it would be the current directory
            raise InvalidSourcesError("the path of a source is empty")
        path = Path(given)
        if not path.is_dir():
            if os.path.exists(path) and not os.path.isfile(path):  # a pipe might never end
                raise InvalidSourcesError(f"{path}: only regular files and folders are read")
            yield path
            continue
        root = os.path.realpath(path)
        for file in _files_below(path):
            target = os.path.realpath(file)
            if Path(target).is_relative_to(root):
                yield file
                continue
            wrong = f"{file}: leads out of the folder, to {target}; name that file"
            if outside is None:
                raise InvalidSourcesError(wrong)
            outside[file.as_posix()] = wrong


def _files_below(folder: Path) -> list[Path]:
    files: list[Path] = []

    def fail(error: OSError) -> None:
        raise CiteguardError(f"{error.filename}: {_reason(error)}") from error

    for parent, folders, names in os.walk(folder, onerror=fail):
        folders[:] = [name for name in folders if not name.startswith(".")]
        paths = (Path(parent, name) for name in names if not name.startswith("."))
        # A broken link is kept, so that it is reported; a pipe or a device would block.
        files += (path for path in paths if path.is_file() or not path.exists())
    files = [path for path in files if path.suffix.lower() in SUFFIXES]
    if not files:
        kinds = ", ".join(SUFFIXES)
        raise InvalidSourcesError(
            f"{folder}: the folder has no files that are read as sources ({kinds})"
        )
    return sorted(files, key=lambda path: path.parts)


def kind_of(name: str) -> str:
    """Return the kind of a file by the suffix of its name.

    Raises:
        InvalidSourcesError: the name ends in none of `SUFFIXES`.

    Examples:
        >>> kind_of("reports/2024.PDF")
        'pdf'
    """
    kind = SUFFIXES.get(PurePath(name).suffix.lower())
    if kind is None:
        kinds = ", ".join(SUFFIXES)
        raise InvalidSourcesError(f"{name}: not a kind of file that is read as sources ({kinds})")
    return kind


def check_content(content: bytes, name: str) -> None:
    """Reject an empty file, and content that is plainly of another kind than the name says.

    Damaged content is left to the reader of its kind.

    Raises:
        InvalidSourcesError: the file is empty, or seems to be something else; the message starts
            with its name and says what to do.
        InvalidSourcesError: the name ends in none of `SUFFIXES`.

    Examples:
        >>> check_content(b"%PDF-1.7 ...", "notes.txt")
        Traceback (most recent call last):
        citeguard.errors.InvalidSourcesError: notes.txt: seems to be a PDF file; its name must \
end in .pdf
    """
    kind = kind_of(name)
    if kind == "json":  # the JSON parser reports its own errors
        return
    if not content:
        raise InvalidSourcesError(f"{name}: is empty")
    actual = next((found for sign, found in _SIGNATURES if content.startswith(sign)), None)
    if content.startswith(_ZIP):
        actual = next((found for sign, found in _ZIPPED if sign in content), actual)
    if actual is None and kind != "html":
        if _HTML_START.match(content):
            actual = _HTML
        elif kind in TEXTS and content.startswith(_UTF16_MARKS):
            actual = "text in UTF-16; save it as UTF-8"
        elif kind in TEXTS and b"\x00" in content:
            actual = "binary data, not text: it contains NUL bytes"
    if actual is not None and actual != _EXPECTED.get(kind):
        raise InvalidSourcesError(f"{name}: seems to be {actual}")


def read_bytes(path: Path) -> bytes:
    """Return the content of a file.

    Raises:
        CiteguardError: the file cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise CiteguardError(f"{path}: {_reason(error)}") from error


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def read_text(path: Path) -> str:
    """Return the text of a file, without a byte-order mark.

    Raises:
        CiteguardError: the file cannot be read, or is not UTF-8.
    """
    return decode(read_bytes(path), str(path))


def decode(content: bytes, name: str) -> str:
    """Return UTF-8 bytes as text, without a byte-order mark.

    Raises:
        CiteguardError: the bytes are not UTF-8; the message starts with `name`.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CiteguardError(
            f"{name}: not UTF-8: {error.reason} at byte {error.start:,}; save it as UTF-8"
        ) from error


def parse_json(text: str, name: str) -> Any:
    """Return the value of a JSON text; an object with a repeated key is an error.

    Raises:
        CiteguardError: the text is not JSON; the message starts with `name`.
    """

    def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        parsed = dict(pairs)
        if len(parsed) < len(pairs):
            key, _ = Counter(key for key, _ in pairs).most_common(1)[0]
            raise ValueError(f"the key {key!r} appears twice in one object")
        return parsed

    try:
        return json.loads(text, object_pairs_hook=distinct)
    except RecursionError as error:
        raise CiteguardError(f"{name}: not JSON: nested too deeply") from error
    except ValueError as error:
        raise CiteguardError(f"{name}: not JSON: {error}") from error


# The most bytes, unpacked, of an XML part of a file, and of all parts together.
_LARGEST_PART, _LARGEST_FILE = 64_000_000, 600_000_000
_TEXTS = (".xml", ".rels", ".opf", ".html", ".htm", ".xhtml")


class ContentError(InvalidSourcesError):
    """What is wrong with the content of a file, without the file's name."""


@contextmanager
def unpacked(content: bytes, name: str, kind: str) -> Generator[ZipFile]:
    """Reject a file that unpacks to too much, and turn what its reader raises into one error.

    Raises:
        InvalidSourcesError: the file is damaged, unpacks to too much, or has entities.
    """
    with (
        foreign_code(lambda _: InvalidSourcesError(f"{name}: is damaged: no {kind}")),
        ZipFile(BytesIO(content)) as packed,
    ):
        parts = packed.infolist()
        texts = (part for part in parts if part.filename.lower().endswith(_TEXTS))
        largest = max((part.file_size for part in texts), default=0)
        if largest > _LARGEST_PART or sum(part.file_size for part in parts) > _LARGEST_FILE:
            raise InvalidSourcesError(f"{name}: unpacks to more than is read of a {kind}")
        try:
            yield packed
        except ContentError as error:
            raise InvalidSourcesError(f"{name}: {error}") from None


def fields_of(facts: Any) -> Fields:
    """Return what the core properties of an Office file say: of openpyxl, python-docx or -pptx."""
    creator = getattr(facts, "creator", None) or getattr(facts, "author", None) or ""
    abstract = getattr(facts, "description", None) or getattr(facts, "comments", None)
    return Fields(
        authors=tuple(each.strip() for each in creator.split(";") if each.strip()),
        date=None if facts.created is None else facts.created.date().isoformat(),
        abstract=abstract or None,
    )
