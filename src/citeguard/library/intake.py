"""Documents on their way into a library: what was given, as ids, versions, and sources to read."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any, cast

from citeguard.documents.files import SUFFIXES, find_files, read_bytes
from citeguard.documents.loading import read_sources
from citeguard.errors import CiteguardError, InvalidSourcesError
from citeguard.language.excerpts import as_json
from citeguard.library.catalogue import DocumentInfo
from citeguard.sources.collection import Source, as_sources

_LONGEST_SHOWN = 80  # characters of a text that was taken for a path


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenDocument:
    """A document that was given, with the id that it has in the library."""

    source_id: str
    version: str  # the SHA-256 of its content, in hexadecimal
    origin: str | None  # the path of its file, absolute and without links, if there is one
    read: Callable[[], Source]  # which takes long for a file


class Intake:
    """Gives ids to documents, by which a new version of one is distinguished from another document.

    What is read from a file keeps the id that it got first. No document takes the id of another
    one, unless that one's file is gone and it has the same content: then it was moved.
    """

    def __init__(self, known: Iterable[DocumentInfo], given: Any) -> None:
        self.failed: dict[str, str] = {}  # the files that could not be read, with the reason
        # It is gone through twice: once for its paths, once for its documents.
        self._given = list(cast("Any", given)) if isinstance(given, Iterator) else given
        self.paths = _paths_in(self._given)  # that were given; `None` if something else was
        self._by_id: dict[str, tuple[str, str | None]] = {}
        self._of_file: dict[str, str] = {}
        for each in known:
            self._note(each.source_id, each.version, each.origin)

    def given(self, *, strict: bool) -> Iterator[GivenDocument]:
        """Yield what was given: a path or several, or anything that `Sources` accepts.

        A file that was named and cannot be read is an error if `strict`; otherwise it is in
        `failed`, as files of folders are.
        """
        if self.paths is None:
            for source in as_sources(self._given):
                yield _of_source(source, source.id)
            return
        for path in self.paths:
            try:
                files = self._files(path)
            except CiteguardError as error:
                if strict:
                    raise
                self.failed[fspath(path)] = str(error)
                continue
            for file in files:
                try:
                    found = list(self._of_path(file))
                except CiteguardError as error:
                    if strict and not os.path.isdir(path):
                        raise
                    self.failed[file.as_posix()] = str(error)
                    continue
                for each in found:
                    self._note(each.source_id, each.version, each.origin)
                    yield each

    def _note(self, source_id: str, version: str, origin: str | None) -> None:
        self._by_id[source_id] = version, origin
        if origin is not None:
            self._of_file[origin] = source_id

    def _files(self, path: str | PathLike[str]) -> list[Path]:
        name = fspath(path)
        is_known = "\0" not in name and any(_is_below(each, path) for each in self._of_file)
        if name and not os.path.lexists(path):
            is_short = len(name) <= _LONGEST_SHOWN and name.isprintable()
            shown = name if is_short else as_json(name, _LONGEST_SHOWN)
            if is_known:
                raise CiteguardError(f"{shown}: no such file; remove its documents by their ids")
            is_text = len(name.split()) > 1 and not name.lower().endswith(tuple(SUFFIXES))
            advice = "; a text is added as {'id': text}" if is_text else " or folder"
            raise CiteguardError(f"{shown}: no such file{advice}")
        try:
            return list(find_files(path, outside=self.failed))
        except InvalidSourcesError as error:
            if os.path.isdir(path) and is_known:
                # It may be a disk that is not mounted.
                raise InvalidSourcesError(
                    f"{error}; if all of them are gone, remove their documents by their ids"
                ) from error
            raise

    def _of_path(self, path: Path) -> Iterator[GivenDocument]:
        """Yield the documents in a file, read unless the library has them with this content."""
        # By whatever link a file is reached, it is one document.
        content, origin = read_bytes(path), os.path.realpath(path)
        place = Path(origin).as_posix()
        if path.suffix.lower() == ".json":  # one object with any number of sources
            for source in read_sources([(path.as_posix(), content)]):
                names = [source.id, f"{place}#{source.id}"]
                own = (each for each in names if self._by_id.get(each, ("", ""))[1] == origin)
                version = _version_of(source)
                source_id = next(own, None) or self._free(names, version, origin)
                yield _of_source(source, source_id, origin)
            return
        version = hashlib.sha256(content).hexdigest()
        source_id = self._of_file.get(origin) or self._free([path.stem, place], version, origin)
        source: Source | None = None
        # Here, as `given` reports files that cannot be read, and nobody does when `read` is called.
        if self._by_id.get(source_id, ("",))[0] != version:
            [source] = read_sources([(path.as_posix(), content)])

        def read() -> Source:
            [again] = [source] if source else read_sources([(path.as_posix(), content)])
            return replace(again, id=source_id)

        yield GivenDocument(source_id=source_id, version=version, origin=origin, read=read)

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


def _paths_in(documents: Any) -> list[str | PathLike[str]] | None:
    if isinstance(documents, (str, PathLike)):
        return [cast("str | PathLike[str]", documents)]
    if not isinstance(documents, (list, tuple)):
        return None
    listed = list(cast("Sequence[Any]", documents))
    return listed if listed and all(isinstance(each, (str, PathLike)) for each in listed) else None


def is_lost(origin: str | None) -> bool:
    """Return whether a document was read from a file that is no longer there."""
    return origin is not None and not os.path.isfile(origin)


def is_gone(origin: str | None, folders: Iterable[str | PathLike[str]]) -> bool:
    """Return whether a file was in or below one of some folders, and no longer is."""
    below = (each for each in folders if os.path.isdir(each) and _is_below(origin or "", each))
    return is_lost(origin) and any(below)


def _is_below(origin: str, path: str | PathLike[str]) -> bool:
    return Path(origin).is_relative_to(os.path.realpath(path))


def _of_source(source: Source, source_id: str, origin: str | None = None) -> GivenDocument:
    return GivenDocument(
        source_id=source_id,
        version=_version_of(source),
        origin=origin,
        read=lambda: replace(source, id=source_id),
    )


def _version_of(source: Source) -> str:
    facts = json.dumps([source.text, source.title, source.url])
    return hashlib.sha256(facts.encode()).hexdigest()
