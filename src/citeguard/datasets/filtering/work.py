"""What is done with a chunk of samples, in whatever process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from citeguard.datasets.checking import Checking
from citeguard.datasets.chunks import Chunk, Record
from citeguard.datasets.filtering.outputs import Output
from citeguard.datasets.filtering.summary import FilterSummary
from citeguard.datasets.reading import malformed
from citeguard.datasets.samples import CheckedSample, SampleChecker


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a chunk.

    Attributes:
        summary: What became of its samples.
        pieces: What each output grows by.
    """

    summary: FilterSummary
    pieces: tuple[bytes, ...]


class Filtering:
    """Checks the samples of a chunk, and writes them for each output.

    Args:
        checker: Who checks them.
        outputs: Where they go.
        strict: Whether a sample that cannot be read is an error.
        name: What that error calls the samples.
    """

    def __init__(
        self, checker: SampleChecker, outputs: Sequence[Output], *, strict: bool, name: str
    ) -> None:
        self._checking = Checking(checker)
        self._outputs = outputs
        self._strict = strict
        self._name = name

    def __call__(self, chunk: Chunk) -> Done:
        """Return what came of a chunk.

        Raises:
            CiteguardError: the set-up is wrong, or `strict` and a sample cannot be read.
        """
        if self._strict:
            self._require_readable(chunk)
        checked = self._checking(chunk)
        annotations = {
            index: annotation_of(each, record)
            for index, (each, record) in enumerate(zip(checked, chunk.records, strict=True))
            if each.outcome != "kept"
        }
        pieces = (_piece(output, chunk, checked, annotations) for output in self._outputs)
        return Done(_summary_of(checked), tuple(pieces))

    def _require_readable(self, chunk: Chunk) -> None:
        for record in chunk.records:
            if record.fault is not None:
                raise malformed(self._name, record)


def annotation_of(checked: CheckedSample, record: Record) -> dict[str, Any]:
    """Return what is written beside a sample that was not kept."""
    annotation: dict[str, Any] = {
        "outcome": checked.outcome,
        "number": record.number,
        "problems": [asdict(problem) for problem in checked.problems],
    }
    return annotation if record.raw is None else {**annotation, "raw": record.raw}


def _piece(
    output: Output,
    chunk: Chunk,
    checked: Sequence[CheckedSample],
    annotations: Mapping[int, Mapping[str, Any]],
) -> bytes:
    picked = [index for index, each in enumerate(checked) if each.outcome in output.outcomes]
    needed = {index: annotations[index] for index in picked if index in annotations}
    return output.encode(chunk, picked, needed)


def _summary_of(checked: Sequence[CheckedSample]) -> FilterSummary:
    outcomes = Counter(each.outcome for each in checked)
    codes = Counter(code for each in checked for code in each.codes)
    problems = [problem for each in checked for problem in each.problems]
    return FilterSummary(
        read=len(checked),
        kept=outcomes["kept"],
        rejected=outcomes["rejected"],
        undecided=outcomes["undecided"],
        codes=codes,
        examples={problem.code: problem.message for problem in reversed(problems)},
    )
