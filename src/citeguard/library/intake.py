"""Documents on their way into a library: what was given, as ids, versions, and sources to read."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import Any, cast

from citeguard.documents.files import find_files, read_bytes
from citeguard.documents.loading import read_sources
from citeguard.errors import CiteguardError
from citeguard.sources.collection import Source, as_sources


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenDocument:
    """A document that was given.

    Attributes:
        source_id: The id that it has in the library.
        version: The SHA-256 of its content, in hexadecimal.
        origin: The path of its file; `None` without one.
        read: Returns the document; reading a file takes long.
    """

    source_id: str
    version: str
    origin: str | None
    read: Callable[[], Source]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownDocument:
    """What a library knows of a document that it has."""

    version: str
    origin: str | None


def given_documents(
    documents: Any, known: Mapping[str, KnownDocument], failed: dict[str, str]
) -> Iterator[GivenDocument]:
    """Yield what was given: a path or several, or anything that `Sources` accepts.

    Args:
        documents: What was given.
        known: The documents that the library has, by id.
        failed: Gets the files of a folder that cannot be read, with the reason.

    Raises:
        CiteguardError: A file that was named cannot be read.
        InvalidSourcesError: Neither paths nor sources.
    """
    paths = paths_in(documents)
    if paths is None:
        yield from map(_of_source, as_sources(documents))
        return
    taken = dict(known)
    for path in paths:
        for file in find_files(path):
            try:
                found = [
                    each if _is_known(each, taken) else _read_now(each)
                    for each in _of_file(file, taken)
                ]
            except CiteguardError as error:
                if not os.path.isdir(path):
                    raise
                failed[file.as_posix()] = str(error)
                continue
            for each in found:
                taken[each.source_id] = KnownDocument(version=each.version, origin=each.origin)
                yield each


def paths_in(documents: Any) -> list[str | PathLike[str]] | None:
    """Return the paths that were given; `None` if something else was."""
    if isinstance(documents, (str, PathLike)):
        return [cast("str | PathLike[str]", documents)]
    if isinstance(documents, Mapping) or not isinstance(documents, Iterable):
        return None
    listed = list(cast("Iterable[Any]", documents)) if isinstance(documents, (list, tuple)) else []
    return listed if listed and all(isinstance(each, (str, PathLike)) for each in listed) else None


def is_gone(origin: str | None, folders: Iterable[str | PathLike[str]]) -> bool:
    """Return whether a file was in or below one of some folders, and no longer is."""
    if origin is None or os.path.exists(origin):
        return False
    return any(
        os.path.isdir(folder) and Path(origin).is_relative_to(Path(folder).absolute())
        for folder in folders
    )


def _is_known(given: GivenDocument, taken: Mapping[str, KnownDocument]) -> bool:
    known = taken.get(given.source_id)
    return known is not None and known.version == given.version


def _read_now(given: GivenDocument) -> GivenDocument:
    source = given.read()
    return replace(given, read=lambda: source)


def _of_source(source: Source) -> GivenDocument:
    content = json.dumps([source.text, source.title, source.url])
    return GivenDocument(
        source_id=source.id, version=_digest(content.encode()), origin=None, read=lambda: source
    )


def _of_file(path: Path, taken: Mapping[str, KnownDocument]) -> Iterator[GivenDocument]:
    content = read_bytes(path)
    if path.suffix.lower() == ".json":  # one object with any number of sources
        yield from map(_of_source, read_sources([(path.as_posix(), content)]))
        return
    version, origin = _digest(content), fspath(path.absolute())
    source_id = _id_of(path, version, origin, taken)
    yield GivenDocument(
        source_id=source_id,
        version=version,
        origin=origin,
        read=partial(_read, path, content, source_id),
    )


def _id_of(path: Path, version: str, origin: str, taken: Mapping[str, KnownDocument]) -> str:
    """Return the id of a file: that which it has, else its name, else its path."""
    for source_id, known in taken.items():
        if known.origin == origin:
            return source_id
    named = taken.get(path.stem)
    return path.stem if named is None or named.version == version else path.as_posix()


def _read(path: Path, content: bytes, source_id: str) -> Source:
    [source] = read_sources([(path.as_posix(), content)])
    return Source(source_id, source.text, source.title, source.url, source.layout)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
