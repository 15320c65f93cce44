"""Files as sources: text and Markdown as they stand, JSON as a mapping of id to text."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from os import PathLike, fspath
from pathlib import Path
from typing import Any, cast

from citeguard.errors import CiteguardError, InvalidSourcesError
from citeguard.sources import Source, Sources

TEXT_SUFFIXES = (".txt", ".md", ".markdown")
"""What the name of a file ends in, in either case, when the whole file is one source."""


def load_sources(paths: Iterable[str | PathLike[str]]) -> Sources:
    """Read files into sources, in the order given.

    A text or Markdown file is one source. Its text is the file's, line ends included; only a
    byte-order mark at its start is left out, so offsets count the characters after it. Its id is
    the file's name without the suffix, or the path as given where that name is taken. A JSON file
    holds one object, `{"id": "text"}`, of any number of sources. Directories are not searched.

    Raises:
        InvalidSourcesError: no file has any text, a path is empty, an id is given twice, a JSON
            file holds something else, or the name of a file ends in none of `.txt`, `.md`,
            `.markdown`, `.json`.
        CiteguardError: a file cannot be read, or is not UTF-8, or not JSON.
    """
    documents = [document for path in paths for document in _read_documents(_path(path))]
    taken = Counter(source_id for _, source_id, _ in documents)
    return Sources(
        [
            Source(str(path) if path is not None and taken[source_id] > 1 else source_id, text)
            for path, source_id, text in documents
        ]
    )


def read_text(path: Path) -> str:
    """Return a file's text, without a byte-order mark.

    Raises:
        CiteguardError: the file cannot be read, or is not UTF-8.
    """
    try:
        return decode(path.read_bytes(), str(path))
    except OSError as error:
        raise CiteguardError(f"{path}: {_reason(error)}") from error


def decode(content: bytes, name: str) -> str:
    """Return UTF-8 bytes as text, without a byte-order mark.

    Raises:
        CiteguardError: they are not UTF-8; the message starts with `name`.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CiteguardError(
            f"{name}: not UTF-8: {error.reason} at byte {error.start:,}"
        ) from error


def parse_json(text: str, name: str) -> Any:
    """Return what a JSON text says. An object that has a key twice is refused, not cut down.

    Raises:
        CiteguardError: it is not JSON; the message starts with `name`.
    """
    try:
        return json.loads(text, object_pairs_hook=_object)
    except RecursionError as error:
        raise CiteguardError(f"{name}: not JSON that can be read: nested too deeply") from error
    except ValueError as error:
        raise CiteguardError(f"{name}: not JSON: {error}") from error


def _path(given: str | PathLike[str]) -> Path:
    if not fspath(given):  # as a `Path` it would be the current directory
        raise InvalidSourcesError("the path of a source is empty")
    return Path(given)


def _read_documents(path: Path) -> Iterator[tuple[Path | None, str, str]]:
    if path.suffix.lower() == ".json":
        yield from ((None, source_id, text) for source_id, text in _read_mapping(path).items())
    elif path.suffix.lower() in TEXT_SUFFIXES or path.is_dir():
        yield path, path.stem, read_text(path)
    else:
        kinds = ", ".join((*TEXT_SUFFIXES, ".json"))
        raise InvalidSourcesError(f"{path}: not a kind of file that is read as sources ({kinds})")


def _read_mapping(path: Path) -> dict[str, str]:
    content = parse_json(read_text(path), str(path))
    if not isinstance(content, dict):
        raise InvalidSourcesError(f"{path}: sources in JSON are one object, {{id: text}}")
    mapping = cast("dict[str, Any]", content)
    for source_id, text in mapping.items():
        if not isinstance(text, str):
            raise InvalidSourcesError(f"{path}: the text of source {source_id!r} is not a string")
    return mapping


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    parsed = dict(pairs)
    if len(parsed) < len(pairs):
        key, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ValueError(f"the key {key!r} stands twice in one object")
    return parsed


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
