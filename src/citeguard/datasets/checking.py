"""Chunks of samples checked, with those that could not be read at their places: `Checking`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from citeguard.datasets.chunks import Chunk, Record
from citeguard.datasets.samples import CheckedSample, SampleChecker, unreadable


@dataclass(frozen=True, slots=True)
class Checking:
    """Checks the samples of a chunk."""

    checker: SampleChecker

    def __call__(self, chunk: Chunk) -> list[CheckedSample]:
        """Return the samples checked, in their order.

        Raises:
            CiteguardError: the set-up is wrong.
        """
        try:
            checked = self.checker.check_all(readable(chunk.records))
        except Exception as error:
            first, last = chunk.records[0].number, chunk.records[-1].number
            error.add_note(f"This was while samples {first:,} to {last:,} were checked.")
            raise
        return at_their_places(chunk.records, checked, unit=chunk.unit)


def readable(records: Iterable[Record]) -> list[Any]:
    """Return the samples that could be read."""
    return [record.sample for record in records if record.fault is None]


def at_their_places(
    records: Sequence[Record], checked: Iterable[CheckedSample], *, unit: str
) -> list[CheckedSample]:
    """Return what was found of every sample, also of those that could not be read.

    Args:
        records: The samples as they were read.
        checked: What was found of those that could be, in their order.
        unit: What is numbered: `"line"`.
    """
    rest = iter(checked)
    return [
        next(rest)
        if record.fault is None
        else unreadable(f"{unit} {record.number}: {record.fault}")
        for record in records
    ]
