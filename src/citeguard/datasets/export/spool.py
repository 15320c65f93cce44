"""Samples on disk until it is known into which split each goes: `Spool`."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, cast

from citeguard.datasets.export.folder import name_of, written
from citeguard.datasets.export.splits import SourceGroups, Split


@dataclass(frozen=True, slots=True)
class Exported:
    """A sample as it is written, and what says where it belongs."""

    line: bytes
    length: int
    documents: list[bytes]
    group: str | None


@dataclass
class Spool:
    """Samples as they are written, before it is known into which split each goes.

    Attributes:
        path: The file that they stay in meanwhile.
        folder: What errors name.
        stack: What closes the files.
        groups: Which samples belong together.
        longest: The longest sample, in characters.
        fingerprint: Tells what was written, and into which split, from anything else.
    """

    path: Path
    folder: Path
    stack: ExitStack
    groups: SourceGroups = field(default_factory=SourceGroups)
    longest: int = 0
    fingerprint: str = ""
    _nodes: array[int] = field(default_factory=lambda: array("q"))
    _lines: set[bytes] = field(default_factory=set[bytes])

    def __post_init__(self) -> None:
        """Open the file."""
        self._file = self._opened(self.path, "wb")

    @property
    def count(self) -> int:
        """How many samples there are."""
        return len(self._nodes)

    @property
    def duplicates(self) -> int:
        """How many of them are the same as an earlier one."""
        return self.count - len(self._lines)

    def add(self, exported: Exported) -> None:
        """Take a sample."""
        self._nodes.append(self.groups.add(exported.documents, exported.group))
        self._lines.add(hashlib.blake2b(exported.line, digest_size=16).digest())
        self.longest = max(self.longest, exported.length)
        with written(self.folder):
            self._file.write(exported.line)

    def distribute(self, to: Path, splits: Mapping[int, Split]) -> dict[Split, tuple[int, int]]:
        """Write each sample into the file of its split; return their counts and sizes."""
        sizes: dict[Split, tuple[int, int]] = {}
        files: dict[Split, IO[bytes]] = {}
        fingerprint = hashlib.blake2b(digest_size=8)
        with written(self.folder):
            self._file.close()
            with self.path.open("rb") as lines:
                for node, line in zip(self._nodes, lines, strict=True):
                    split = splits[self.groups.root(node)]
                    if split not in files:
                        files[split] = self._opened(to / name_of(split), "wb")
                    files[split].write(line)
                    fingerprint.update(f"{split} ".encode() + line)
                    count, size = sizes.get(split, (0, 0))
                    sizes[split] = count + 1, size + len(line)
            for file in files.values():
                file.close()
            self.path.unlink()
        self.fingerprint = fingerprint.hexdigest()
        return sizes

    def _opened(self, path: Path, mode: str) -> IO[bytes]:
        with written(self.folder):
            file = cast("IO[bytes]", path.open(mode))
        self.stack.callback(_let_go, file)
        return file


def _let_go(file: IO[bytes]) -> None:
    """Close a file that may be closed already; what cannot be written has been told before."""
    with suppress(OSError):
        file.close()
