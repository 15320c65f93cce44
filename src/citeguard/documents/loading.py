"""Files as sources: `load_sources` reads paths, `read_sources` what was read or sent already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from os import PathLike, fspath
from pathlib import Path, PurePath
from typing import Any, cast

from citeguard.documents.document import Document
from citeguard.documents.files import decode, parse_json, read_bytes
from citeguard.documents.text import read_text_file
from citeguard.errors import InvalidSourcesError
from citeguard.sources import Source, Sources

_READERS: dict[str, Callable[[bytes, str], Document]] = {
    ".txt": read_text_file,
    ".md": read_text_file,
    ".markdown": read_text_file,
}
_JSON = ".json"

SUFFIXES = (*_READERS, _JSON)
"""What the names of files end in, in either case, that are read as sources."""


def load_sources(paths: str | PathLike[str] | Iterable[str | PathLike[str]]) -> Sources:
    """Read files into sources, in the order given; of a folder, those in it and below.

    A JSON file holds one object, `{"id": "text"}`, of any number of sources; any other file is one
    source. Its id is the file's name without the suffix, or the path where that name is taken.

    Raises:
        InvalidSourcesError: a file has no text, or is not what its name says; a path is empty; an
            id is given twice; or the name of a file ends in none of `SUFFIXES`.
        CiteguardError: a file cannot be read.
    """
    listed = [paths] if isinstance(paths, (str, PathLike)) else paths
    return read_sources((str(path), read_bytes(path)) for path in map(_path, listed))


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
    read = [entry for name, content in files for entry in _read(name, content)]
    taken = Counter(source_id for _, source_id, _ in read)
    return Sources(
        [
            _source(path if path is not None and taken[source_id] > 1 else source_id, document)
            for path, source_id, document in read
        ]
    )


def _path(given: str | PathLike[str]) -> Path:
    if not fspath(given):  # as a `Path` it would be the current directory
        raise InvalidSourcesError("the path of a source is empty")
    return Path(given)


def _read(name: str, content: bytes) -> Iterator[tuple[str | None, str, str | Document]]:
    path = PurePath(name)
    suffix = path.suffix.lower()
    if suffix == _JSON:
        yield from ((None, *pair) for pair in _mapping(content, name).items())
    elif suffix in _READERS:
        yield name, path.stem, _READERS[suffix](content, name)
    else:
        kinds = ", ".join(SUFFIXES)
        raise InvalidSourcesError(f"{name}: not a kind of file that is read as sources ({kinds})")


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
