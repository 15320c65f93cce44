"""Splits in which no document stands on both sides: `split_by_source`."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from citeguard.errors import CiteguardError, check_number, check_whole

Split = Literal["train", "validation", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)

_NO_DOCUMENT = b""
# What one reader of files leaves in and another takes out: soft hyphens, joiners, byte order marks.
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """How large the splits are to be, as shares of the groups; `train` is what is left.

    Attributes:
        validation: From 0 (there is none) to below 1.
        test: From 0 (there is none) to below 1, and below 1 together with `validation`.
        seed: Another one gives other splits; any whole number from 0 on.

    Raises:
        CiteguardError: a share or a seed out of range.
    """

    validation: float = 0.1
    test: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse shares that leave nothing to train on."""
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
        wanted = {"validation": self.validation, "test": self.test}
        return wanted.get(split, 1 - self.validation - self.test)


def split_by_source(
    documents: Iterable[Iterable[str]], *, validation: float = 0.1, test: float = 0.0, seed: int = 0
) -> list[Split]:
    """Return a split for each sample, so that no document stands in two of them.

    Samples that share a document are a group, and so are those that are joined by others: if one
    has A and B, the next B and C, all samples with A, B or C go together. Documents are the same if
    their texts are, whatever whitespace is between the words, however accents are composed, and
    whatever cannot be seen. Those without a letter or digit count as none; samples without any
    document are one group. A near copy is another document.

    What a group's split is follows from the seed and its texts: neither the order of the samples
    nor how many there are of a document matters, and a group that stays as it is stays where it is
    when others come, but for the smallest data sets. The shares are shares of groups, drawn one by
    one, so they are met by and large: of `n` groups of the same size, the share of `p` is met
    within `2 * sqrt(p * (1 - p) / n)` in 19 of 20 cases, 0.06 for a tenth of a hundred groups;
    groups of unequal size make it worse. As long as there are groups enough, none of the splits
    asked for is empty; with one group, all goes to train.

    Memory is needed for each different document, some 200 bytes, and not for its text.

    Args:
        documents: For each sample the texts of its documents, or whatever else names the groups.
        validation: The share of groups to validate with, from 0 to below 1.
        test: The share of groups to test with, likewise.
        seed: Another one gives other splits.

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
    """Return what tells a document from others, however it was encoded and its lines were broken.

    Of a text without a letter or digit it is empty: such documents tell nothing apart.
    """
    if not any(map(str.isalnum, document)):
        return _NO_DOCUMENT
    if not document.isascii():
        document = unicodedata.normalize("NFC", document.translate(_INVISIBLE))
    normalized = " ".join(document.split()).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(normalized, digest_size=16).digest()


class SourceGroups:
    """Joins samples that share a document: a union-find over the digests of documents."""

    def __init__(self) -> None:
        self._nodes: dict[bytes, int] = {}
        self._parents: list[int] = []
        self._least: list[bytes] = []
        self._held: dict[bytes, set[int]] = {}

    def add(self, documents: Iterable[bytes], group: str | None = None) -> int:
        """Add a sample by the digests of its documents, and return a node of its group.

        With a `group`, that alone says what belongs together; its documents are only remembered.
        """
        digests = {digest for digest in documents if digest != _NO_DOCUMENT}
        if group is None:
            return self._join(digests or {_NO_DOCUMENT})
        node = self._join({b"group " + digest_of(f"group {group}")})
        for digest in digests:
            self._held.setdefault(digest, set()).add(node)
        return node

    def root(self, node: int) -> int:
        """Return the node that stands for the whole group of a node."""
        parents = self._parents
        while parents[node] != node:
            parents[node] = parents[parents[node]]
            node = parents[node]
        return node

    def roots(self) -> set[int]:
        """Return a node for each group."""
        return {node for node, parent in enumerate(self._parents) if node == parent}

    def documents(self) -> Iterator[set[int]]:
        """Yield for each document the roots of the groups that it stands in."""
        for nodes in self._held.values():
            yield {self.root(node) for node in nodes}
        for digest, node in self._nodes.items():
            if digest and not digest.startswith(b"group "):
                yield {self.root(node)}

    def splits(self, shares: Shares) -> dict[int, Split]:
        """Return the split of each group, by its root."""
        places = {root: self._place(root, shares.seed) for root in self.roots()}
        ordered = sorted(places, key=lambda root: (places[root], self._least[root]))
        validation, test = _bounds([places[root] for root in ordered], shares)
        return {
            root: "validation" if rank < validation else "test" if rank < test else "train"
            for rank, root in enumerate(ordered)
        }

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
        """Return where from 0 to 1 a group stands, which the seed and its texts decide."""
        drawn = hashlib.blake2b(b"%d " % seed + self._least[root], digest_size=8).digest()
        return int.from_bytes(drawn) / 2**64


def _bounds(places: list[float], shares: Shares) -> tuple[int, int]:
    """Return before which ranks `validation` and `test` end, so that none is empty without need."""
    count = len(places)
    has_validation = shares.validation > 0 and count > 1
    has_test = shares.test > 0 and count > 1 + has_validation
    validation = sum(place < shares.validation for place in places) if has_validation else 0
    test = sum(place < shares.validation + shares.test for place in places)
    validation = min(max(validation, has_validation), count - 1 - has_test) if count else 0
    if not has_test:
        return validation, validation
    return validation, min(max(test, validation + 1), count - 1)


def counts_of_documents(
    groups: SourceGroups, splits: Mapping[int, Split]
) -> tuple[Counter[Split], int]:
    """Return how many documents each split has, and how many stand in several of them."""
    counts: Counter[Split] = Counter()
    shared = 0
    for roots in groups.documents():
        found: set[Split] = {splits[root] for root in roots}
        shared += len(found) > 1
        for split in found:
            counts[split] += 1
    return counts, shared
