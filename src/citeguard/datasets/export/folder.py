"""The folder of an export: it appears when it is complete, or not at all."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from array import array
from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, cast

from citeguard.datasets.export.splits import SPLITS, SourceGroups, Split
from citeguard.datasets.readers import errors_naming
from citeguard.errors import CiteguardError

CARD = "README.md"


def name_of(split: str) -> str:
    """Return the name of a split's file."""
    return f"{split}.jsonl"


_OWN_FILES = frozenset({CARD, *map(name_of, SPLITS)})


@contextmanager
def new_folder(to: Path, *, overwrite: bool) -> Generator[Path, None, None]:
    """Yield a hidden folder beside `to`, and rename it to `to` when the block is done.

    If the block fails, the hidden folder is deleted. Only a process that is killed leaves it
    behind, under a name that ends in ".partial".

    Raises:
        CiteguardError: the folder exists and is not to be overwritten, or is not an export; or it
            cannot be written.
    """
    to = to.resolve()
    _check_replaceable(to, overwrite=overwrite)
    partial = to.parent / f".{to.name}.{secrets.token_hex(4)}.partial"
    with errors_writing(to):
        to.parent.mkdir(parents=True, exist_ok=True)
        partial.mkdir()
    try:
        yield partial
        with errors_writing(to):
            _check_replaceable(to, overwrite=overwrite)
            for path in [*partial.iterdir(), partial]:
                _flush(path)
            _replace(to, partial)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def errors_writing(to: Path) -> AbstractContextManager[None]:
    """Turn errors of the file system into errors that name the folder."""
    return errors_naming(f"{to}: cannot be written")


def _check_replaceable(to: Path, *, overwrite: bool) -> None:
    with errors_writing(to):
        if not to.name:
            raise CiteguardError(f"{to}: name a folder to write to")
        if not to.is_dir():
            if to.exists():
                raise CiteguardError(f"{to}: already exists, and is not a folder")
            return
        names = {path.name for path in to.iterdir()}
    if names and not overwrite:
        raise CiteguardError(
            f"{to}: already exists; overwrite it (overwrite=True, --overwrite), or name another "
            "folder"
        )
    if others := sorted(names - _OWN_FILES):
        raise CiteguardError(
            f"{to}: contains {others[0]!r}, which no export wrote; it is not replaced"
        )


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _replace(to: Path, partial: Path) -> None:
    if not to.is_dir() or not any(to.iterdir()):
        if to.is_dir():
            to.rmdir()  # not every system can rename to an empty folder
        partial.rename(to)
        return
    old = partial.with_suffix(".old")
    to.rename(old)
    try:
        partial.rename(to)
    except OSError:
        old.rename(to)
        raise
    shutil.rmtree(old, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class ExportedSample:
    """A sample as it is written, and what determines its split.

    Attributes:
        line: The line of JSON, encoded.
        length: Its length in characters.
        documents: The digests of its sources' texts.
        group: What names its group; `None` if its documents do.
    """

    line: bytes
    length: int
    documents: list[bytes]
    group: str | None


@dataclass
class SplitWriter:
    """Writes samples to one buffer file, and then each to the file of its split.

    Which split a sample belongs to is known only when all have been read.

    Attributes:
        buffer: The file with all samples.
        folder: What errors name.
        stack: Closes the files.
        groups: Which samples belong together.
        longest: The longest sample, in characters.
        fingerprint: A digest of what was written, and to which split.
    """

    buffer: Path
    folder: Path
    stack: ExitStack
    groups: SourceGroups = field(default_factory=SourceGroups)
    longest: int = 0
    fingerprint: str = ""
    # Flat memory: eight bytes for each sample, and a digest for each different line.
    _nodes: array[int] = field(default_factory=lambda: array("q"))
    _digests: set[bytes] = field(default_factory=set[bytes])

    def __post_init__(self) -> None:
        """Open the buffer file."""
        self._file = self._open(self.buffer)

    @property
    def count(self) -> int:
        """How many samples there are."""
        return len(self._nodes)

    @property
    def duplicates(self) -> int:
        """How many of them equal an earlier one."""
        return self.count - len(self._digests)

    def add(self, sample: ExportedSample) -> None:
        """Write a sample to the buffer."""
        self._nodes.append(self.groups.add(sample.documents, sample.group))
        self._digests.add(hashlib.blake2b(sample.line, digest_size=16).digest())
        self.longest = max(self.longest, sample.length)
        with errors_writing(self.folder):
            self._file.write(sample.line)

    def distribute(self, to: Path, splits: Mapping[int, Split]) -> dict[Split, tuple[int, int]]:
        """Write each sample to the file of its split.

        Returns:
            The number of samples and of bytes of each split that has any.
        """
        sizes: dict[Split, tuple[int, int]] = {}
        files: dict[Split, IO[bytes]] = {}
        fingerprint = hashlib.blake2b(digest_size=8)
        with errors_writing(self.folder):
            self._file.close()
            with self.buffer.open("rb") as lines:
                for node, line in zip(self._nodes, lines, strict=True):
                    split = splits[self.groups.root(node)]
                    if split not in files:
                        files[split] = self._open(to / name_of(split))
                    files[split].write(line)
                    fingerprint.update(f"{split} ".encode() + line)
                    count, size = sizes.get(split, (0, 0))
                    sizes[split] = count + 1, size + len(line)
            for file in files.values():
                file.close()
            self.buffer.unlink()
        self.fingerprint = fingerprint.hexdigest()
        return sizes

    def _open(self, path: Path) -> IO[bytes]:
        with errors_writing(self.folder):
            file = cast("IO[bytes]", path.open("wb"))
        self.stack.callback(_close_quietly, file)
        return file


def _close_quietly(file: IO[bytes]) -> None:
    # What cannot be written has been raised before; closing would raise it again.
    with suppress(OSError):
        file.close()
