"""Splits that share no document: `split_by_source`, and the groups of samples behind it."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Literal, get_args

from citeguard.errors import CiteguardError, check_number, check_whole

Split = Literal["train", "validation", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)

_NO_DOCUMENT = b""
_GROUP = b"group "  # before the digest of a named group
# What some readers of files keep and others drop: soft hyphens, joiners, byte order marks.
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
    nor on how many share a document. The shares are shares of groups, drawn one by one, so they are
    met approximately: of `n` groups of the same size, a share `p` is met within
    `2 * sqrt(p * (1 - p) / n)` in 19 of 20 cases. If there are enough groups, no split with a share
    is empty; with one group, everything is in train.

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


@lru_cache(maxsize=256)  # samples with the same documents are often neighbours
def digest_of(document: str) -> bytes:
    """Return a digest that ignores encoding and line breaks; empty without a letter or digit."""
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
        named = set[bytes]() if group is None else {_GROUP + digest_of(f"group {group}")}
        nodes: list[int] = []
        for digest in named or digests or [_NO_DOCUMENT]:
            nodes.append(self._nodes.setdefault(digest, len(self._parents)))
            if nodes[-1] == len(self._parents):
                self._parents.append(nodes[-1])
                self._least.append(digest)
        root = self.root(nodes[0])
        for node in nodes[1:]:
            other = self.root(node)
            self._parents[other] = root
            # A name that does not depend on the order of the samples.
            self._least[root] = min(self._least[root], self._least[other])
        if group is not None:
            for digest in digests:
                self._in_named_groups.setdefault(digest, set()).add(root)
        return root

    def root(self, node: int) -> int:
        """Return the node that represents the group of a node."""
        parents = self._parents
        while parents[node] != node:
            # Halves the path, so that the next search is short.
            parents[node] = parents[parents[node]]
            node = parents[node]
        return node

    def splits(self, shares: Shares) -> dict[int, Split]:
        """Return the split of each group, by its root; none with a share is empty if possible."""
        places: dict[int, float] = {}  # from 0 to 1, by the seed and the group's texts
        for root, parent in enumerate(self._parents):
            if root == parent:
                text = b"%d " % shares.seed + self._least[root]
                drawn = hashlib.blake2b(text, digest_size=8).digest()
                places[root] = int.from_bytes(drawn) / 2**64
        ordered = sorted(places, key=lambda root: (places[root], self._least[root]))
        count = len(ordered)
        needs_validation = shares.validation > 0 and count > 1
        needs_test = shares.test > 0 and count > 1 + needs_validation
        first = sum(place < shares.validation for place in places.values())
        both = sum(place < shares.validation + shares.test for place in places.values())
        # The ranks at which the two splits end.
        validation = max(first, 1) if needs_validation else 0
        validation = max(0, min(validation, count - 1 - needs_test))
        test = min(max(both, validation + 1), count - 1) if needs_test else validation
        return {
            root: "validation" if rank < validation else "test" if rank < test else "train"
            for rank, root in enumerate(ordered)
        }

    def document_counts(self, splits: Mapping[int, Split]) -> tuple[Counter[Split], int]:
        """Return how many documents each split has, and how many are in several splits."""
        counts: Counter[Split] = Counter()
        shared = 0
        alone = ({node} for key, node in self._nodes.items() if key and not key.startswith(_GROUP))
        for nodes in chain(self._in_named_groups.values(), alone):
            found: set[Split] = {splits[self.root(node)] for node in nodes}
            shared += len(found) > 1
            counts.update(found)
        return counts, shared
