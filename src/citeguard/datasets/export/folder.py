"""The folder of an export, which appears when it is complete: `new_folder`, `SplitWriter`."""

from __future__ import annotations

import hashlib
import secrets
import shutil
from array import array
from collections.abc import Generator, Iterable, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

from citeguard.datasets.export.splits import SPLITS, SourceGroups, Split
from citeguard.datasets.readers import errors_naming
from citeguard.errors import CiteguardError

CARD = "README.md"
_OWN_FILES = frozenset({CARD, *(f"{split}.jsonl" for split in SPLITS)})


@contextmanager
def new_folder(to: Path, *, overwrite: bool) -> Generator[Path]:
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
            old = partial.with_suffix(".old")
            if to.is_dir():
                to.rename(old)
            try:
                partial.rename(to)
            except OSError:
                if old.is_dir():
                    old.rename(to)
                raise
            shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def errors_writing(to: Path) -> AbstractContextManager[None]:
    """Turn errors of the file system into errors that name the folder."""
    return errors_naming(f"{to}: cannot be written")


def _check_replaceable(to: Path, *, overwrite: bool) -> None:
    with errors_writing(to):
        if not to.name:
            raise CiteguardError(f"{to}: name a folder to write to")
        if to.exists() and not to.is_dir():
            raise CiteguardError(f"{to}: already exists, and is not a folder")
        names = {path.name for path in to.iterdir()} if to.is_dir() else set[str]()
    if names and not overwrite:
        raise CiteguardError(
            f"{to}: already exists; overwrite it (overwrite=True, --overwrite), or name another "
            "folder"
        )
    if others := sorted(names - _OWN_FILES):
        raise CiteguardError(
            f"{to}: contains {others[0]!r}, which no export wrote; it is not replaced"
        )


class SplitWriter:
    """Writes samples to one buffer file, and then each to the file of its split.

    Which split a sample belongs to is known only when all have been read. Errors name the
    `folder`, and the `stack` closes the files.

    Attributes:
        groups: The groups of the samples, by their documents.
        count: How many samples there are.
        longest: The longest sample in characters.
        fingerprint: A digest of what was written, and to which split.
    """

    def __init__(self, partial: Path, folder: Path, stack: ExitStack) -> None:
        self.groups = SourceGroups()
        self.count = 0
        self.longest = 0
        self.fingerprint = ""
        self._partial = partial
        self._folder = folder
        self._stack = stack
        # Flat memory: eight bytes for each sample, and a digest for each different line.
        self._nodes = array("q")
        self._digests: set[bytes] = set()
        self._buffer = partial / "samples.buffer"
        self._file = self._open(self._buffer)

    @property
    def duplicates(self) -> int:
        """How many of them equal an earlier one."""
        return self.count - len(self._digests)

    def add(self, line: str, documents: Iterable[bytes], group: str | None) -> None:
        """Write a sample to the buffer; its documents, or its group, determine its split."""
        encoded = f"{line}\n".encode()
        self.count += 1
        self._nodes.append(self.groups.add(documents, group))
        self._digests.add(hashlib.blake2b(encoded, digest_size=16).digest())
        self.longest = max(self.longest, len(line))
        with errors_writing(self._folder):
            self._file.write(encoded)

    def distribute(self, splits: Mapping[int, Split]) -> dict[Split, int]:
        """Write each sample to the file of its split; return how many samples each has."""
        sizes: dict[Split, int] = {}
        files: dict[Split, IO[bytes]] = {}
        fingerprint = hashlib.blake2b(digest_size=8)
        with errors_writing(self._folder):
            self._file.close()
            with self._buffer.open("rb") as lines:
                for node, line in zip(self._nodes, lines, strict=True):
                    split = splits[self.groups.root(node)]
                    if split not in files:
                        files[split] = self._open(self._partial / f"{split}.jsonl")
                    files[split].write(line)
                    fingerprint.update(f"{split} ".encode() + line)
                    sizes[split] = sizes.get(split, 0) + 1
            for file in files.values():
                file.close()
            self._buffer.unlink()
        self.fingerprint = fingerprint.hexdigest()
        return sizes

    def _open(self, path: Path) -> IO[bytes]:
        with errors_writing(self._folder):
            file = path.open("wb")

        def close_quietly() -> None:
            # What cannot be written has been raised before; closing would raise it again.
            with suppress(OSError):
                file.close()

        self._stack.callback(close_quietly)
        return file
