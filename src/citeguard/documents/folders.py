"""Folders of files: which of the files in them are sources."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from os import PathLike, fspath
from pathlib import Path

from citeguard.documents.files import reason
from citeguard.documents.kinds import SUFFIXES
from citeguard.errors import CiteguardError, InvalidSourcesError


def find_files(paths: str | PathLike[str] | Iterable[str | PathLike[str]]) -> Iterator[Path]:
    """Yield the files that paths stand for: a folder for the files in it and below.

    Of a folder these are the files whose names end in one of `SUFFIXES`, sorted by path; others,
    hidden ones, and what is in hidden folders are left out. A link to a folder is not followed
    there. A path that is no folder is yielded as it is, whether or not there is such a file.

    Raises:
        InvalidSourcesError: a path is empty, or a folder has no such file.
        CiteguardError: a folder cannot be read.
    """
    for given in [paths] if isinstance(paths, (str, PathLike)) else paths:
        if not fspath(given):  # as a `Path` it would be the current directory
            raise InvalidSourcesError("the path of a source is empty")
        path = Path(given)
        yield from _files_of(path) if path.is_dir() else [path]


def _files_of(folder: Path) -> list[Path]:
    found = [path for path in _below(folder) if path.suffix.lower() in SUFFIXES]
    if not found:
        kinds = ", ".join(SUFFIXES)
        raise InvalidSourcesError(
            f"{folder}: the folder has no files that are read as sources ({kinds})"
        )
    return sorted(found, key=lambda path: path.parts)


def _below(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, and links that lead nowhere; no pipes or devices."""
    for parent, folders, names in os.walk(folder, onerror=_refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for path in (Path(parent, name) for name in names if not name.startswith(".")):
            if path.is_file() or not path.exists():
                yield path


def _refuse(error: OSError) -> None:
    raise CiteguardError(f"{error.filename}: {reason(error)}") from error
