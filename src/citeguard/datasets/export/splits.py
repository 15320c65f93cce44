"""Splits that share no document, `split_by_source`, and the folder that they are written to."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import sys
import unicodedata
from array import array
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Literal, NamedTuple, cast, get_args

from citeguard.datasets.readers import errors_naming
from citeguard.errors import CiteguardError, check_number, check_whole

Split = Literal["train", "validation", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)

_NO_DOCUMENT = b""
# Characters that some readers of files keep and others drop: soft hyphens, joiners, byte order
# marks.
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """How large the splits should be, as shares of the groups; `train` is the rest."""

    validation: float = 0.1
    test: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        """Reject shares that leave nothing to train on."""
        check_number("validation", self.validation, 0, 1)
        check_number("test", self.test, 0, 1)
        check_whole("seed", self.seed, 0)
        if self.validation + self.test >= 1:
            raise CiteguardError(
                "validation and test must be below 1 together, or nothing is left for train; they "
                f"are {self.validation} and {self.test}"
            )

    def of(self, split: Split) -> float:
        """Return the share of one split, from 0 to 1."""
        shares = {"validation": self.validation, "test": self.test}
        return shares.get(split, 1 - self.validation - self.test)


def split_by_source(
    documents: Iterable[Iterable[str]], *, validation: float = 0.1, test: float = 0.0, seed: int = 0
) -> list[Split]:
    """Return a split for each sample, such that no document is in two of them.

    Samples that share a document form a group, and so do those that are connected through others:
    if one has A and B, the next B and C, all samples with A, B or C stay together. Documents are
    the same if their texts are, apart from white space, Unicode normalization and invisible
    characters. Those without a letter or digit are ignored; samples without any document form one
    group. A near copy is a different document.

    The split of a group depends on the seed and its texts only: not on the order of the samples,
    nor on how many share a document. A group keeps its split when other groups are added, except in
    the smallest data sets. The shares are shares of groups, drawn one by one, so they are met
    approximately: of `n` groups of the same size, a share `p` is met within
    `2 * sqrt(p * (1 - p) / n)` in 19 of 20 cases, 0.06 for a tenth of a hundred groups; groups of
    different sizes make it worse. If there are enough groups, no split with a share is empty; with
    one group, everything is in train.

    Needs some 200 bytes of memory for each different document, whatever its length.

    Args:
        documents: The texts of each sample's documents, or whatever else names the groups.
        validation: The share of groups to validate with, from 0 to below 1.
        test: The share of groups to test with, from 0 to below 1.
        seed: Determines the splits.

    Raises:
        CiteguardError: a share or a seed out of range.

    Examples:
        >>> split_by_source([["tea"], ["rum"], ["rum ", "gin"], ["tea", "milk"]], validation=0.5)
        ['train', 'validation', 'validation', 'train']
    """
    shares, groups = Shares(validation=validation, test=test, seed=seed), SourceGroups()
    nodes = [groups.add(map(digest_of, each)) for each in documents]
    splits = groups.splits(shares)
    return [splits[groups.root(node)] for node in nodes]


def digest_of(document: str) -> bytes:
    """Return a digest that ignores the encoding of a document and its line breaks.

    It is empty if the text has no letter or digit: such documents identify nothing.
    """
    if not any(map(str.isalnum, document)):
        return _NO_DOCUMENT
    if not document.isascii():
        document = unicodedata.normalize("NFC", document.translate(_INVISIBLE))
    normalized = " ".join(document.split()).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(normalized, digest_size=16).digest()


class SourceGroups:
    """Groups samples that share a document: a union-find over the digests of documents."""

    def __init__(self) -> None:
        self._nodes: dict[bytes, int] = {}
        self._parents: list[int] = []
        self._least: list[bytes] = []
        self._in_named_groups: dict[bytes, set[int]] = {}

    def add(self, documents: Iterable[bytes], group: str | None = None) -> int:
        """Add a sample by the digests of its documents, and return a node of its group.

        If a `group` is given, it alone determines the group; the documents are only counted.
        """
        digests = {digest for digest in documents if digest != _NO_DOCUMENT}
        if group is None:
            return self._join(digests or {_NO_DOCUMENT})
        node = self._join({b"group " + digest_of(f"group {group}")})
        for digest in digests:
            self._in_named_groups.setdefault(digest, set()).add(node)
        return node

    def root(self, node: int) -> int:
        """Return the node that represents the group of a node."""
        parents = self._parents
        while parents[node] != node:
            parents[node] = parents[parents[node]]
            node = parents[node]
        return node

    def splits(self, shares: Shares) -> dict[int, Split]:
        """Return the split of each group, by its root."""
        roots = [node for node, parent in enumerate(self._parents) if node == parent]
        places = {root: self._place(root, shares.seed) for root in roots}
        ordered = sorted(places, key=lambda root: (places[root], self._least[root]))
        validation, test = _bounds([places[root] for root in ordered], shares)
        return {
            root: "validation" if rank < validation else "test" if rank < test else "train"
            for rank, root in enumerate(ordered)
        }

    def document_counts(self, splits: Mapping[int, Split]) -> tuple[Counter[Split], int]:
        """Return how many documents each split has, and how many are in several splits."""
        counts: Counter[Split] = Counter()
        shared = 0
        for roots in self._roots_of_documents():
            found: set[Split] = {splits[root] for root in roots}
            shared += len(found) > 1
            counts.update(found)
        return counts, shared

    def _roots_of_documents(self) -> Iterator[set[int]]:
        for nodes in self._in_named_groups.values():
            yield {self.root(node) for node in nodes}
        for digest, node in self._nodes.items():
            if digest and not digest.startswith(b"group "):
                yield {self.root(node)}

    def _join(self, digests: set[bytes]) -> int:
        first, *others = map(self._node, digests)
        root = self.root(first)
        for other in map(self.root, others):
            if other != root:
                self._parents[other] = root
                self._least[root] = min(self._least[root], self._least[other])
        return root

    def _node(self, digest: bytes) -> int:
        node = self._nodes.setdefault(digest, len(self._parents))
        if node == len(self._parents):
            self._parents.append(node)
            self._least.append(digest)
        return node

    def _place(self, root: int, seed: int) -> float:
        """Return a number from 0 to 1 that depends on the seed and the group's texts."""
        drawn = hashlib.blake2b(b"%d " % seed + self._least[root], digest_size=8).digest()
        return int.from_bytes(drawn) / 2**64


def _bounds(places: list[float], shares: Shares) -> tuple[int, int]:
    """Return the ranks at which `validation` and `test` end; neither is empty if possible."""
    count = len(places)
    has_validation = shares.validation > 0 and count > 1
    has_test = shares.test > 0 and count > 1 + has_validation
    validation = sum(place < shares.validation for place in places) if has_validation else 0
    test = sum(place < shares.validation + shares.test for place in places)
    validation = min(max(validation, has_validation), count - 1 - has_test) if count else 0
    if not has_test:
        return validation, validation
    return validation, min(max(test, validation + 1), count - 1)


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
    if sys.platform == "win32" and path.is_dir():  # there, a folder cannot be opened
        return
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


class ExportedSample(NamedTuple):
    """A sample as it is written, and what determines its split: its documents, unless a group."""

    line: bytes
    length: int
    documents: list[bytes]
    group: str | None


@dataclass
class SplitWriter:
    """Writes samples to one buffer file, and then each to the file of its split.

    Which split a sample belongs to is known only when all have been read. Errors name the
    `folder`, and the `stack` closes the files. The `longest` sample is in characters, and the
    `fingerprint` a digest of what was written, and to which split.
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
        """Write each sample to the file of its split; return how many samples and bytes it has."""
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
