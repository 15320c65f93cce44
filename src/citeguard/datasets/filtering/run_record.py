"""What a run has done so far: `FilterSummary`, and the record from which a run resumes."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from inspect import isclass, isroutine
from os import PathLike
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from citeguard.datasets.filtering.outputs import Output
from citeguard.datasets.readers import Reader, errors_naming
from citeguard.datasets.samples import CheckedSample, SampleChecker, most_frequent_first
from citeguard.errors import CiteguardError
from citeguard.judges.usage import Stage, Usage
from citeguard.language.excerpts import counted_as

_START_OVER = "start over (restart=True, --restart)"

Settings = Mapping[str, Any]
"""What a run depends on, in JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterSummary:
    """How many samples were read, by outcome; `read` is the sum of the other three counts.

    Attributes:
        read: The number of samples.
        kept: How many passed.
        rejected: How many have an error.
        undecided: How many no judge could decide.
        codes: The number of samples with each error code, in descending order.
        examples: The first message of each code, in the same order.
        models: What each judge was asked that is not `local`, such as a language model; two
            summaries that differ in this only are equal.

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
    models: tuple[Stage, ...] = field(default=(), compare=False)

    def __add__(self, other: FilterSummary) -> FilterSummary:
        """Add the summary of the samples that follow."""
        codes = most_frequent_first(Counter(self.codes) + Counter(other.codes))
        examples = {**other.examples, **self.examples}
        return FilterSummary(
            read=self.read + other.read,
            kept=self.kept + other.kept,
            rejected=self.rejected + other.rejected,
            undecided=self.undecided + other.undecided,
            codes=codes,
            examples={code: examples[code] for code in codes if code in examples},
            models=(Usage(stages=self.models) + Usage(stages=other.models)).stages,
        )

    def __str__(self) -> str:
        """Return the counts on one line, and a line for each code."""
        share = f" ({100 * self.rejected / self.read:.1f} %)" if self.read else ""
        counts = (
            f"{counted_as(self.read, 'sample')}: {self.kept:,} kept, "
            f"{self.rejected:,} rejected{share}, {self.undecided:,} undecided"
        )
        return "\n".join([counts, *(f"  {code}: {count:,}" for code, count in self.codes.items())])


def summary_of(checked: Sequence[CheckedSample], models: tuple[Stage, ...] = ()) -> FilterSummary:
    """Return the counts of some samples, and what models were asked about them."""
    outcomes = Counter(each.outcome for each in checked)
    problems = [problem for each in checked for problem in each.problems]
    return FilterSummary(
        read=len(checked),
        kept=outcomes["kept"],
        rejected=outcomes["rejected"],
        undecided=outcomes["undecided"],
        codes=Counter(code for each in checked for code in each.codes),
        examples={problem.code: problem.message for problem in reversed(problems)},
        models=models,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """How far a run is.

    Attributes:
        settings: What it depends on.
        summary: The result for the samples so far.
        sizes: How many bytes of each partial file belong to these samples.
        all_read: Whether there are no further samples; then the files may be complete.
    """

    settings: Settings
    summary: FilterSummary = field(default_factory=FilterSummary)
    sizes: tuple[int, ...] = ()
    all_read: bool = False

    def save(self, path: Path) -> None:
        """Write the record, replacing an earlier one atomically.

        Raises:
            CiteguardError: it cannot be written.
        """
        new = path.with_name(f"{path.name}.new")
        with errors_naming(str(path)):
            new.write_text(json.dumps(asdict(self), indent=2) + "\n", encoding="utf-8")
            new.replace(path)


def begin(path: Path, outputs: Sequence[Output], settings: Settings, *, restart: bool) -> RunRecord:
    """Return the record to begin with: that of an earlier run, or a new one.

    Raises:
        CiteguardError: the earlier run had other settings, left files without a record, or has lost
            its files; or the record cannot be read.
    """
    new = RunRecord(settings=settings, sizes=(0,) * len(outputs))
    if restart:
        return new
    record = _load(path)
    if record is None:
        if existing := [str(path) for output in outputs for path in output.existing]:
            names = ", ".join(existing)
            raise CiteguardError(f"{names}: already exists; remove it, or {_START_OVER}")
        return new
    if record.settings != settings:
        names = dict.fromkeys((*record.settings, *settings))
        changed = [name for name in names if record.settings.get(name) != settings.get(name)]
        raise CiteguardError(
            f"{path}: this is the record of a run with other {' and '.join(changed)}; pass the "
            f"same, or {_START_OVER}"
        )
    for output in outputs:
        if record.all_read and not (output.path.exists() or output.partial.exists()):
            message = f"{output.path}: written by the run of {path}, and missing now"
            raise CiteguardError(f"{message}; {_START_OVER}")
    return record


def read_summary(path: str | PathLike[str]) -> FilterSummary:
    """Return the summary of a filter from the record that it left beside its first file.

    Args:
        path: The record, `NAME.run.json`.

    Raises:
        CiteguardError: there is no such file, it is not a record, or the run did not end.
    """
    record = _load(Path(path))
    if record is None:
        raise CiteguardError(f"{path}: no such file")
    if not record.all_read:
        raise CiteguardError(f"{path}: the filter has not finished: run it again to resume")
    return record.summary


def settings_of(
    reader: Reader, checker: SampleChecker, outputs: Iterable[Output], chunk: int
) -> Settings:
    """Return what the outputs of a run depend on, in JSON."""
    settings = {
        "citeguard": version("pydantic-citeguard"),
        "samples": dict(reader.identity),
        "model": _name_of(checker.model),
        "policy": _name_of(checker.given_policy),
        "sources": None,
        "fields": asdict(checker.fields),
        "outputs": {each.path.name: sorted(each.outcomes) for each in outputs},
        "chunk": chunk,
    }
    if checker.sources is not None:
        # A digest, as the record may be passed on with the data.
        texts = [(each.id, each.text, each.title, each.url) for each in checker.sources]
        settings["sources"] = hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:16]
    return json.loads(json.dumps(settings))


def _load(path: Path) -> RunRecord | None:
    if not path.exists():
        return None
    with errors_naming(str(path)):
        content = path.read_bytes()
    try:
        # Not Pydantic's JSON, which has no lone surrogates; names that are not UTF-8 have them.
        return TypeAdapter(RunRecord).validate_python(json.loads(content))
    except (ValueError, RecursionError) as error:
        message = f"{path}: not the record of a run; remove it, or {_START_OVER}"
        raise CiteguardError(message) from error


def _name_of(value: Any) -> str:
    if isclass(value) or isroutine(value):
        return f"{value.__module__}.{value.__qualname__}"
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))
