"""Files as sources: `load_sources` reads paths, `read_sources` files that are in memory."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from importlib import import_module
from os import PathLike
from pathlib import PurePath
from typing import Any, cast

from citeguard.documents.document import Decision, Document, Unseen
from citeguard.documents.files import (
    check_content,
    decode,
    find_files,
    kind_of,
    parse_json,
    reached,
    read_bytes,
)
from citeguard.errors import CiteguardError, InvalidSourcesError, optional_packages
from citeguard.sources.collection import Source, Sources
from citeguard.sources.layout import Layout, Ocr


def load_sources(
    *paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    unseen: Unseen = "omit",
    ocr: Ocr | None = None,
) -> Sources:
    """Read files into sources, in the order given; paths may also come in lists.

    A folder stands for the files in and below it whose names end in one of `SUFFIXES`, sorted by
    path; other files, hidden ones, and links to folders are ignored. A link to a file that is not
    in the folder is an error. A JSON file holds one object, `{"id": "text"}`, with any number of
    sources; every other file is one source. Its id is the file's name without the suffix, or the
    path if two files have the same name. Markdown, HTML, PDF, Office files, e-books and mails
    require the extra `documents`.

    Args:
        paths: Files and folders.
        unseen: What becomes of text that the readers of a file do not see, see
            `Sources.from_paths`.
        ocr: Recognises the text of pages of PDF files without a text layer, see
            `Sources.from_paths`.

    Raises:
        InvalidSourcesError: a file has no text, or its content does not match its suffix; a path is
            empty; an id is given twice; the name of a file given by itself ends in none of
            `SUFFIXES`; a folder has no file that can be read, or one that is a link out of it.
        CiteguardError: a file or folder cannot be read, or a package to read it is not installed.
            No file of a folder is skipped because of an error.
    """
    given = [
        path for each in paths for path in ([each] if isinstance(each, (str, PathLike)) else each)
    ]
    files = list(find_files(given))
    try:
        contents = ((path.as_posix(), read_bytes(path)) for path in files)
        return read_sources(contents, unseen=unseen, ocr=ocr)
    except CiteguardError as error:
        # That file is not just skipped, because quotes from it would be reported as wrong.
        if any(map(os.path.isdir, given)):
            error.add_note("To read only some files of a folder, name them instead of the folder.")
        raise


def read_sources(
    files: Iterable[tuple[str, bytes]],
    *,
    max_pages: int | None = None,
    unseen: Unseen = "omit",
    ocr: Ocr | None = None,
) -> Sources:
    """Read files that are in memory into sources, as `load_sources` does.

    Args:
        files: Pairs of a file's name or path and its content.
        max_pages: The maximum number of pages of a PDF file, or of slides, inclusive.
        unseen: What becomes of text that readers do not see, see `Sources.from_paths`.
        ocr: Recognises the text of pages without a text layer, see `Sources.from_paths`.

    Raises:
        InvalidSourcesError: see `load_sources`.
        PageLimitError: a file has more pages.
        CiteguardError: a file cannot be read, or a package to read it is not installed.
    """
    found: list[tuple[str, Source]] = []  # with the ids that replace those that are taken
    for name, content in files:
        if kind_of(name) == "json":
            for source_id, text in _sources_in(content, name).items():
                found.append((source_id, Source(source_id, text)))
        else:
            read = _read(content, name, max_pages, Decision(unseen, ocr))
            source_id = PurePath(name).stem
            found.append((name, Source(source_id, read.text, read.title, read.url, read.layout)))
    # Files in two folders may have the same name: then their paths are their ids.
    counts = Counter(source.id for _, source in found)
    return Sources(
        replace(source, id=path) if counts[source.id] > 1 else source for path, source in found
    )


def read_document(
    content: bytes, name: str, *, max_pages: int | None = None, unseen: Unseen = "omit"
) -> Document:
    r"""Return the text of a file that is not JSON, with a map back to the file.

    Args:
        content: The file's content.
        name: Its name or path; the suffix decides the kind of file, and messages start with it.
        max_pages: The maximum number of pages of a PDF file, or of slides, inclusive.
        unseen: What becomes of text that readers do not see, see `Sources.from_paths`.

    Raises:
        InvalidSourcesError: the file has no letter or digit, its content does not match its suffix,
            or its name ends in none of `SUFFIXES`.
        PageLimitError: a file has more pages.
        CiteguardError: the file cannot be read, or a package to read it is not installed.

    Examples:
        >>> read_document(b"# Pay\n\nPay is *monthly*.", "handbook.md").text
        'Pay\n\nPay is monthly.'
    """
    return _read(content, name, max_pages, Decision(unseen))


def _read(content: bytes, name: str, max_pages: int | None, decision: Decision) -> Document:
    check_content(content, name)
    reached(name)
    with optional_packages(f"reading {name}"):
        document = _read_as(kind_of(name), content, name, max_pages, decision)
    if not any(map(str.isalnum, document.text)):
        raise InvalidSourcesError(f"{name}: has no text, no letter or digit")
    return document


_READERS = {
    "markdown": "markdown:read_markdown",
    "html": "html.reader:read_html",
    "pdf": "pdf.reader:read_pdf",
    "word": "office.word:read_word",
    "slides": "office.slides:read_slides",
    "sheets": "office.sheets:read_sheets",
    "book": "books:read_book",
    "mail": "mail:read_mail",
    "table": "delimited:read_delimited",
    "transcript": "transcripts:read_captions",
}
"""The functions that read each kind of file but plain text, by their modules."""


def _read_as(
    kind: str, content: bytes, name: str, max_pages: int | None, decision: Decision
) -> Document:
    """Read a file as one kind; each reader is imported only here, with the packages it needs."""
    if kind not in _READERS:
        text = decode(content, name)
        return Document(text=text, layout=Layout("text", len(text)))
    module, function = _READERS[kind].split(":")
    read_kind: Any = getattr(import_module(f"citeguard.documents.{module}"), function)
    if kind == "mail":
        read = partial(_read, max_pages=max_pages, decision=decision)
        return read_kind(content, name, read, decision)
    options = {"max_pages": max_pages} if kind in ("pdf", "slides") else {}
    return read_kind(content, name, decision, **options)


def _sources_in(content: bytes, name: str) -> dict[str, str]:
    parsed = parse_json(decode(content, name), name)
    if not isinstance(parsed, dict):
        raise InvalidSourcesError(f"{name}: sources in JSON are one object, {{id: text}}")
    texts = cast("dict[str, Any]", parsed)
    for source_id, text in texts.items():
        if not isinstance(text, str):
            raise InvalidSourcesError(f"{name}: the text of source {source_id!r} is not a string")
    return texts
