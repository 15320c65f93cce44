"""What came of a filter: `FilterSummary`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from citeguard.datasets.codes import most_frequent_first
from citeguard.language.excerpts import counted_as


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterSummary:
    """How many samples were read, and what became of them; `read` is the sum of the other three.

    Attributes:
        read: How many samples.
        kept: How many passed.
        rejected: How many did not.
        undecided: Of how many nobody could tell.
        codes: How many samples had an error with this code; the most frequent one comes first.
        examples: The first message of each code, in the same order.

    Examples:
        >>> print(FilterSummary(read=4, kept=3, rejected=1, codes={"quote_altered": 1}))
        4 samples: 3 kept, 1 rejected (25.0 %), 0 undecided
          quote_altered: 1
    """

    read: int = 0
    kept: int = 0
    rejected: int = 0
    undecided: int = 0
    codes: Mapping[str, int] = field(default_factory=dict[str, int])
    examples: Mapping[str, str] = field(default_factory=dict[str, str])

    def __add__(self, other: FilterSummary) -> FilterSummary:
        """Add what came of the samples that follow."""
        counts = Counter(self.codes)
        counts.update(other.codes)
        codes = most_frequent_first(counts)
        examples = {**other.examples, **self.examples}
        return FilterSummary(
            read=self.read + other.read,
            kept=self.kept + other.kept,
            rejected=self.rejected + other.rejected,
            undecided=self.undecided + other.undecided,
            codes=codes,
            examples={code: examples[code] for code in codes if code in examples},
        )

    def __str__(self) -> str:
        """Say it in a line, and a line for each code."""
        share = f" ({100 * self.rejected / self.read:.1f} %)" if self.read else ""
        told = (
            f"{counted_as(self.read, 'sample')}: {self.kept:,} kept, "
            f"{self.rejected:,} rejected{share}, {self.undecided:,} undecided"
        )
        return "\n".join([told, *(f"  {code}: {count:,}" for code, count in self.codes.items())])
