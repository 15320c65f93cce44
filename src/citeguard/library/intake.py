"""Documents on their way into a library: what was given, as ids, versions, and sources to read."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypeGuard, cast

from citeguard.documents.files import SUFFIXES, find_files, read_bytes
from citeguard.documents.loading import read_sources
from citeguard.errors import CiteguardError, InvalidSourcesError
from citeguard.language.excerpts import as_json
from citeguard.sources.collection import Source, as_sources

_LONGEST_SHOWN = 80  # characters of what is no path


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenDocument:
    """A document that was given.

    Attributes:
        source_id: The id that it has in the library.
        version: The SHA-256 of its content, in hexadecimal.
        origin: The path of its file, absolute and without links; `None` without one.
        read: Returns the document; reading a file takes long.
    """

    source_id: str
    version: str
    origin: str | None
    read: Callable[[], Source]


class KnownDocuments:
    """The ids that documents have, by which a new version of one is told from another document.

    What is read from a file keeps the id that it got first. No document takes the id of another
    one, unless that one's file is gone and it has the same content: then it was moved.
    """

    def __init__(self) -> None:
        self._by_id: dict[str, tuple[str, str | None]] = {}
        self._of_file: dict[str, str] = {}

    def note(self, source_id: str, version: str, origin: str | None) -> None:
        """Remember that a document has an id."""
        self._by_id[source_id] = version, origin
        if origin is not None:
            self._of_file[origin] = source_id

    def has(self, given: GivenDocument) -> bool:
        """Return whether a document is known with the same content."""
        return self._by_id.get(given.source_id, ("",))[0] == given.version

    def is_below(self, path: str | PathLike[str]) -> bool:
        """Return whether a document was read from a file, or from one in or below a folder."""
        return any(_is_below(origin, path) for origin in self._of_file)

    def id_of_file(self, path: Path, version: str, origin: str) -> str:
        """Return the id of the document in a file: that which it has, its name, or its path."""
        kept = self._of_file.get(origin)
        return kept or self._free([path.stem, Path(origin).as_posix()], version, origin)

    def id_within(self, source_id: str, version: str, origin: str) -> str:
        """Return the id of one of several documents in a file: its own, or the path with it."""
        names = [source_id, f"{Path(origin).as_posix()}#{source_id}"]
        kept = (name for name in names if self._by_id.get(name, ("", None))[1] == origin)
        return next(kept, None) or self._free(names, version, origin)

    def _free(self, names: Sequence[str], version: str, origin: str) -> str:
        for name in names:
            if name not in self._by_id:
                return name
            kept, place = self._by_id[name]
            if kept == version and is_lost(place):
                return name
        raise CiteguardError(
            f"{origin}: the library has other documents with the ids {names[0]!r} and {names[1]!r}"
        )


def given_documents(
    documents: Any, known: KnownDocuments, failed: dict[str, str], *, strict: bool = True
) -> Iterator[GivenDocument]:
    """Yield what was given: a path or several, or anything that `Sources` accepts.

    Args:
        documents: What was given.
        known: The documents that the library has, and gets.
        failed: Gets the files of a folder that cannot be read, with the reason.
        strict: Whether one that was named is an error; otherwise it is in `failed`, too.

    Raises:
        CiteguardError: A file that was named cannot be read.
        InvalidSourcesError: Neither paths nor sources.
    """
    paths = paths_in(documents)
    if paths is None:
        for source in as_sources(documents):
            yield _of_source(source, source.id)
        return
    for path in paths:
        try:
            files = _files(path, known)
        except CiteguardError as error:
            if strict:
                raise
            failed[fspath(path)] = str(error)
            continue
        for file in files:
            try:
                found = [
                    each if known.has(each) else _read_now(each) for each in _of_file(file, known)
                ]
            except CiteguardError as error:
                if strict and not os.path.isdir(path):
                    raise
                failed[file.as_posix()] = str(error)
                continue
            for each in found:
                known.note(each.source_id, each.version, each.origin)
                yield each


def documents_in(documents: Any) -> Any:
    """Return documents that can be read more than once."""
    return list(documents) if isinstance(documents, Iterator) else documents  # pyright: ignore[reportUnknownVariableType,reportUnknownArgumentType]


def paths_in(documents: Any) -> list[str | PathLike[str]] | None:
    """Return the paths that were given; `None` if something else was."""
    if isinstance(documents, (str, PathLike)):
        return [cast("str | PathLike[str]", documents)]
    if isinstance(documents, Mapping) or not isinstance(documents, Iterable):
        return None
    listed = list(cast("Iterable[Any]", documents)) if isinstance(documents, (list, tuple)) else []
    return listed if listed and all(isinstance(each, (str, PathLike)) for each in listed) else None


def is_lost(origin: str | None) -> TypeGuard[str]:
    """Return whether a document was read from a file that is no longer there."""
    return origin is not None and not os.path.isfile(origin)


def is_gone(origin: str | None, folders: Iterable[str | PathLike[str]]) -> bool:
    """Return whether a file was in or below one of some folders, and no longer is."""
    if not is_lost(origin):
        return False
    return any(os.path.isdir(folder) and _is_below(origin, folder) for folder in folders)


def _is_below(origin: str, path: str | PathLike[str]) -> bool:
    return Path(origin).is_relative_to(os.path.realpath(path))


def _files(path: str | PathLike[str], known: KnownDocuments) -> list[Path]:
    name = fspath(path)
    if name and not os.path.lexists(path):
        is_short = len(name) <= _LONGEST_SHOWN and name.isprintable()
        shown = name if is_short else as_json(name, _LONGEST_SHOWN)
        if "\0" not in name and known.is_below(path):
            raise CiteguardError(f"{shown}: no such file; remove its documents by their ids")
        is_text = len(name.split()) > 1 and not name.lower().endswith(tuple(SUFFIXES))
        advice = "; a text is added as {'id': text}" if is_text else " or folder"
        raise CiteguardError(f"{shown}: no such file{advice}")
    try:
        return list(find_files(path))
    except InvalidSourcesError as error:
        if os.path.isdir(path) and known.is_below(path):
            # It may be a disk that is not mounted.
            raise InvalidSourcesError(
                f"{error}; if all of them are gone, remove their documents by their ids"
            ) from error
        raise


def _read_now(given: GivenDocument) -> GivenDocument:
    source = given.read()
    return replace(given, read=lambda: source)


def _of_source(source: Source, source_id: str, origin: str | None = None) -> GivenDocument:
    return GivenDocument(
        source_id=source_id,
        version=_version_of(source),
        origin=origin,
        read=lambda: _renamed(source, source_id),
    )


def _of_file(path: Path, known: KnownDocuments) -> Iterator[GivenDocument]:
    content, origin = read_bytes(path), os.path.realpath(path)
    if path.suffix.lower() == ".json":  # one object with any number of sources
        for source in read_sources([(path.as_posix(), content)]):
            source_id = known.id_within(source.id, _version_of(source), origin)
            yield _of_source(source, source_id, origin)
        return
    version = _digest(content)
    source_id = known.id_of_file(path, version, origin)
    yield GivenDocument(
        source_id=source_id,
        version=version,
        origin=origin,
        read=partial(_read, path, content, source_id),
    )


def _read(path: Path, content: bytes, source_id: str) -> Source:
    [source] = read_sources([(path.as_posix(), content)])
    return _renamed(source, source_id)


def _renamed(source: Source, source_id: str) -> Source:
    if source.id == source_id:
        return source
    return Source(source_id, source.text, source.title, source.url, source.layout)


def _version_of(source: Source) -> str:
    return _digest(json.dumps([source.text, source.title, source.url]).encode())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
