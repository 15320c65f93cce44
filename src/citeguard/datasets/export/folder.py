"""A folder that appears when it is complete, or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from citeguard.datasets.export.splits import SPLITS
from citeguard.datasets.reading import errors_naming
from citeguard.errors import CiteguardError

CARD = "README.md"


def name_of(split: str) -> str:
    """Return the name of a split's file."""
    return f"{split}.jsonl"


OWN_FILES = frozenset({CARD, *map(name_of, SPLITS)})
"""What an export writes; a folder with anything else in it is never overwritten."""


def folder_named(to: str | os.PathLike[str]) -> Path:
    """Return the folder of that name; an empty name would be the folder that one stands in.

    Raises:
        CiteguardError: the name is empty.
    """
    if not os.fspath(to):
        raise CiteguardError("the path of the folder to write is empty")
    return Path(to)


@contextmanager
def appearing(to: Path, *, overwrite: bool) -> Generator[Path, None, None]:
    """Yield a hidden folder beside the one wanted, and give it its name when the block is done.

    If the block fails, the hidden folder is deleted. Only a process that is killed leaves it
    behind, under a name that ends in ".partial".

    Raises:
        CiteguardError: there is such a folder, and it is not to be overwritten or is no export; or
            it cannot be written.
    """
    to = to.resolve()
    _refuse(to, overwrite=overwrite)
    partial = to.parent / f".{to.name}.{secrets.token_hex(4)}.partial"
    with written(to):
        to.parent.mkdir(parents=True, exist_ok=True)
        partial.mkdir()
    try:
        yield partial
        with written(to):
            _refuse(to, overwrite=overwrite)
            _flush(partial)
            _rename(partial, to)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def written(to: Path) -> AbstractContextManager[None]:
    """Turn what goes wrong with files into an error that names the folder."""
    return errors_naming(f"{to}: cannot be written")


def _refuse(to: Path, *, overwrite: bool) -> None:
    with written(to):
        if not to.name:
            raise CiteguardError(f"{to}: name a folder to write to")
        if not to.is_dir():
            if to.exists():
                raise CiteguardError(f"{to}: is there already, and is no folder")
            return
        names = {path.name for path in to.iterdir()}
    if names and not overwrite:
        raise CiteguardError(
            f"{to}: is there already; ask to overwrite it (overwrite=True, --overwrite), or name "
            "another folder"
        )
    if others := sorted(names - OWN_FILES):
        raise CiteguardError(
            f"{to}: holds {others[0]!r}, which no export wrote; it is not replaced"
        )


def _flush(folder: Path) -> None:
    for path in [*folder.iterdir(), folder]:
        opened = os.open(path, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _rename(partial: Path, to: Path) -> None:
    if not to.is_dir() or not any(to.iterdir()):
        _in_place_of_nothing(partial, to)
        return
    old = partial.with_suffix(".old")
    to.rename(old)
    try:
        partial.rename(to)
    except OSError:
        old.rename(to)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _in_place_of_nothing(partial: Path, to: Path) -> None:
    if to.is_dir():
        to.rmdir()  # an empty one, which not every system would rename another to
    partial.rename(to)
