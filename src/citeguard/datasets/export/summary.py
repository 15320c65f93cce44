"""What came of an export: `ExportSummary`, and `NothingExportedError` where nothing did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from citeguard.datasets.export.splits import Split
from citeguard.errors import CiteguardError
from citeguard.language.excerpts import counted_as


class FilterCounts(Protocol):
    """What a card tells of the filter that the samples came through, as its summary has it."""

    @property
    def read(self) -> int:
        """How many samples were read."""
        ...

    @property
    def kept(self) -> int:
        """How many passed."""
        ...

    @property
    def rejected(self) -> int:
        """How many did not."""
        ...

    @property
    def undecided(self) -> int:
        """Of how many nobody could tell."""
        ...

    @property
    def codes(self) -> Mapping[str, int]:
        """How many samples had an error with this code."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitFacts:
    """What a split holds.

    Attributes:
        samples: How many samples.
        documents: How many different documents these were checked against.
        bytes: How large the file is.
    """

    samples: int
    documents: int
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSummary:
    """How many samples were read, and what became of them; `read` is the sum of the next three.

    Attributes:
        folder: Where they were written to.
        read: How many samples.
        exported: How many were written.
        refused: How many were not, as something is wrong with them.
        undecided: How many were not, as nobody could tell.
        codes: How many samples had an error with this code; the most frequent one comes first.
        examples: A message for each code: the first one.
        splits: What each split holds; those that are empty are left out.
        groups: How many groups of samples there are that share no document.
        duplicates: How many of the exported samples are the same as an earlier one.
        longest: The longest sample in characters, with all its messages.
        fingerprint: Another one for any other samples or splits; the card has it, too.
        warnings: What you should know before you train with it.
    """

    folder: Path
    read: int = 0
    exported: int = 0
    refused: int = 0
    undecided: int = 0
    codes: Mapping[str, int] = field(default_factory=dict[str, int])
    examples: Mapping[str, str] = field(default_factory=dict[str, str])
    splits: Mapping[Split, SplitFacts] = field(default_factory=dict[Split, SplitFacts])
    groups: int = 0
    duplicates: int = 0
    longest: int = 0
    fingerprint: str = ""
    warnings: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Say it in a line, and a line for each split, code and warning."""
        told = (
            f"{self.read:,} read: {self.exported:,} exported, {self.refused:,} refused, "
            f"{self.undecided:,} undecided"
        )
        splits = [
            f"  {split}: {counted_as(facts.samples, 'sample')}, "
            f"{counted_as(facts.documents, 'document')}"
            for split, facts in self.splits.items()
        ]
        codes = [f"  {code}: {count:,}" for code, count in self.codes.items()]
        return "\n".join([told, *splits, *codes, *(f"  ! {each}" for each in self.warnings)])


class NothingExportedError(CiteguardError):
    """No sample could be exported, and nothing was written.

    Attributes:
        summary: What became of the samples.
    """

    def __init__(self, summary: ExportSummary) -> None:
        codes = ", ".join(f"{code} {count:,}" for code, count in summary.codes.items())
        told = f"none of {summary.read:,} samples could be exported ({codes})"
        super().__init__(told if summary.read else "there are no samples to export")
        self.summary = summary
