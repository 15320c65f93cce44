"""Files as sources: `load_sources` reads paths, `read_sources` what was read or sent already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import PurePath
from typing import Any, cast

from citeguard.documents.document import Document
from citeguard.documents.files import decode, parse_json, read_bytes
from citeguard.documents.folders import find_files
from citeguard.documents.kinds import check_content, kind_of
from citeguard.documents.text import read_text_file
from citeguard.errors import InvalidSourcesError
from citeguard.sources.collection import Source, Sources


def load_sources(paths: str | PathLike[str] | Iterable[str | PathLike[str]]) -> Sources:
    """Read files into sources, in the order given.

    A folder stands for the files in it and below whose names end in one of `SUFFIXES`, sorted by
    path; others, hidden ones, and links to folders are left out. A JSON file holds one object,
    `{"id": "text"}`, of any number of sources; any other file is one source. Its id is the file's
    name without the suffix, or the path where that name is taken.

    Raises:
        InvalidSourcesError: a file has no text, or is not what its name says; a path is empty; an
            id is given twice; the name of a file that is given itself ends in none of `SUFFIXES`;
            or a folder has no file that is read.
        CiteguardError: a file or folder cannot be read.
    """
    return read_sources((path.as_posix(), read_bytes(path)) for path in find_files(paths))


def read_sources(files: Iterable[tuple[str, bytes]], *, max_pages: int | None = None) -> Sources:
    """Read files that are there already, each with its name, into sources, as `load_sources` does.

    Args:
        files: Pairs of a name or path, and what the file holds.
        max_pages: The most pages of a PDF file.

    Raises:
        InvalidSourcesError: see `load_sources`.
        PageLimitError: a PDF file has more pages.
        CiteguardError: a file cannot be read.
    """
    read = [entry for name, content in files for entry in _read(name, content, max_pages)]
    taken = Counter(source_id for _, source_id, _ in read)
    return Sources(
        [
            _source(path if path is not None and taken[source_id] > 1 else source_id, document)
            for path, source_id, document in read
        ]
    )


def read_document(content: bytes, name: str, *, max_pages: int | None = None) -> Document:
    r"""Return the text of a file that is no JSON, and where it stands in the file.

    Args:
        content: What the file holds.
        name: Its name or path; its end says what kind of file it is, and messages start with it.
        max_pages: The most pages of a PDF file.

    Raises:
        InvalidSourcesError: the file has no letter or digit, is not what its name says, or its
            name ends in none of `SUFFIXES`.
        PageLimitError: a PDF file has more pages.
        CiteguardError: the file cannot be read.

    Examples:
        >>> read_document(b"# Pay\n\nPay is *monthly*.", "handbook.md").text
        'Pay\n\nPay is monthly.'
    """
    check_content(content, name)
    document = _read_as(kind_of(name), content, name, max_pages)
    if not any(map(str.isalnum, document.text)):
        raise InvalidSourcesError(f"{name}: has no text, no letter or digit")
    return document


def _read_as(kind: str, content: bytes, name: str, max_pages: int | None) -> Document:
    """Call the reader of a kind. Each loads what it needs, and no other what it does not."""
    if kind == "markdown":
        from citeguard.documents.markdown import read_markdown

        return read_markdown(content, name)
    if kind == "html":
        from citeguard.documents.html import read_html

        return read_html(content, name)
    if kind == "pdf":
        from citeguard.documents.pdf import read_pdf

        return read_pdf(content, name, max_pages=max_pages)
    return read_text_file(content, name)


def _read(
    name: str, content: bytes, max_pages: int | None
) -> Iterator[tuple[str | None, str, str | Document]]:
    if kind_of(name) == "json":
        yield from ((None, *pair) for pair in _mapping(content, name).items())
    else:
        yield name, PurePath(name).stem, read_document(content, name, max_pages=max_pages)


def _source(source_id: str, document: str | Document) -> Source:
    if isinstance(document, str):
        return Source(source_id, document)
    return Source(source_id, document.text, document.title, document.url, document.layout)


def _mapping(content: bytes, name: str) -> dict[str, str]:
    parsed = parse_json(decode(content, name), name)
    if not isinstance(parsed, dict):
        raise InvalidSourcesError(f"{name}: sources in JSON are one object, {{id: text}}")
    mapping = cast("dict[str, Any]", parsed)
    for source_id, text in mapping.items():
        if not isinstance(text, str):
            raise InvalidSourcesError(f"{name}: the text of source {source_id!r} is not a string")
    return mapping
