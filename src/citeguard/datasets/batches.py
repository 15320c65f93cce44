"""A filter's step on a cluster: samples that come as a batch of columns, `BatchChecker`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import asdict
from typing import Any, TypeVar, cast

from citeguard.datasets import tables
from citeguard.datasets.checking import at_their_places, readable
from citeguard.datasets.chunks import Record, records_of
from citeguard.datasets.fields import Fields
from citeguard.datasets.samples import SIDE_BY_SIDE, CheckedSample, SampleChecker
from citeguard.errors import CiteguardError
from citeguard.validation.models import Answer
from citeguard.validation.policy import Policy

Batch = TypeVar("Batch")

_FACTS = ("outcome", "codes", "problems")


class BatchChecker:
    """Tells of every sample of a batch what became of it, in three more columns of the batch.

    It is what Ray's `map_batches`, Spark's `mapInPandas` and `mapInArrow`, and `Dataset.map` of
    Hugging Face take. A batch is a table, and comes back as one of its kind, with its rows, their
    order and its other columns untouched: a `Table` or `RecordBatch` of pyarrow, a `DataFrame` of
    pandas, or a mapping from names to columns, which may be lists or arrays.

    The columns are texts, and never null. So every batch has the same types, even one without a
    problem, and one without rows, whoever has to guess its types; and every engine can compare
    texts:

    - `citeguard_outcome`: `kept`, `rejected` or `undecided`.
    - `citeguard_codes`: the codes of its problems, each once, with commas between; empty if kept.
    - `citeguard_problems`: the problems as JSON, a list of objects with `code`, `message`, `path`
      and `score`; `[]` if kept.

    Columns that the batch has under these names are replaced, and no part of the samples.

    It can be sent to other processes if its model and its policy can, and keeps what it prepares,
    a policy that was given as a function among it, as long as it lives. It may be used from one
    thread at a time.

    Args:
        model: `Answer`, or any model of yours, that the samples' answers are validated as.
        sources: What all samples share, as `Sources` takes it; else each sample has its own.
        policy: What fails; the default policy when absent. Or a function that returns it, called
            with the first sample, in each process: for judges with connections or large models.
        fields: Where samples keep what. Columns are keys.
        prefix: What the names of the columns begin with, to tell two checks of one batch apart.

    Raises:
        CiteguardError: arguments of the wrong type.

    Examples:
        >>> check = BatchChecker(sources={"handbook": "Notice is one month."})
        >>> quotes = "Notice is one month.", "Notice is not one month."
        >>> said = [[{"text": "A month.", "citations": [{"quote": each}]}] for each in quotes]
        >>> batch = {"statements": said}
        >>> checked = check(batch)
        >>> checked["citeguard_outcome"], checked["citeguard_codes"]
        (['kept', 'rejected'], ['', 'quote_altered'])
    """

    def __init__(
        self,
        model: Any = Answer,
        *,
        sources: Any = None,
        policy: Policy | Callable[[], Policy] | None = None,
        fields: Fields | None = None,
        prefix: str = "citeguard",
    ) -> None:
        self._checker = SampleChecker(model, sources=sources, policy=policy, fields=fields)
        self._prefix = prefix

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the three columns, in their order; all hold texts."""
        return tuple(f"{self._prefix}_{fact}" for fact in _FACTS)

    def __call__(self, batch: Batch) -> Batch:
        """Return a batch with the three columns.

        Raises:
            CiteguardError: the set-up is wrong, or this is no batch.
        """
        kind = _kind_of(batch)
        facts = [_facts_of(checked) for checked in self._check(kind.rows(batch))]
        columns = {name: [each[i] for each in facts] for i, name in enumerate(self.columns)}
        return kind.extended(batch, columns)

    def _check(self, rows: Sequence[Record]) -> list[CheckedSample]:
        own = set(self.columns)
        samples = [{key: row[key] for key in row if key not in own} for row in readable(rows)]
        return at_their_places(rows, self._check_samples(samples), unit="row")

    def _check_samples(self, samples: Sequence[Any]) -> Iterator[CheckedSample]:
        size = SIDE_BY_SIDE if samples and self._checker.asks_judges else len(samples) or 1
        for start in range(0, len(samples), size):
            yield from self._checker.check_all(samples[start : start + size])


def _facts_of(checked: CheckedSample) -> tuple[str, str, str]:
    problems = json.dumps([asdict(problem) for problem in checked.problems], ensure_ascii=False)
    # A lone surrogate, which no table can hold, becomes its escape, which JSON can read.
    written = problems.encode("utf-8", "backslashreplace").decode()
    return checked.outcome, ",".join(checked.codes), written


class _Arrow:
    """Tables and record batches of pyarrow."""

    @staticmethod
    def rows(batch: Any) -> list[Record]:
        return records_of(batch)

    @staticmethod
    def extended(batch: Any, columns: Mapping[str, list[str]]) -> Any:
        pa = tables.arrow()
        batch = batch.drop_columns([name for name in columns if name in batch.schema.names])
        for name, values in columns.items():
            batch = batch.append_column(name, pa.array(values, type=pa.string()))
        return batch


class _Frame:
    """Frames of pandas."""

    @staticmethod
    def rows(batch: Any) -> list[Record]:
        present = batch.astype(object).where(batch.notna(), None)
        return _numbered(map(_plain, present.to_dict("records")))

    @staticmethod
    def extended(batch: Any, columns: Mapping[str, list[str]]) -> Any:
        return batch.assign(**columns)


class _Columns:
    """Mappings from names to columns."""

    @staticmethod
    def rows(batch: Any) -> list[Record]:
        # A copy, as Hugging Face's batch remembers what was looked at, and types that anew.
        read = copy(batch)
        columns = [list(map(_present, _plain(read[name]))) for name in read]
        return _numbered(dict(zip(read, row, strict=True)) for row in zip(*columns, strict=True))

    @staticmethod
    def extended(batch: Any, columns: Mapping[str, list[str]]) -> Any:
        extended = copy(batch)
        for name, values in columns.items():
            extended[name] = values
        return extended


_Kind = type[_Arrow] | type[_Frame] | type[_Columns]


def _kind_of(batch: Any) -> _Kind:
    library = type(batch).__module__.partition(".")[0]
    if isinstance(batch, Mapping):
        return _Columns
    if library == "pyarrow" and hasattr(batch, "append_column"):
        return _Arrow
    if library == "pandas" and hasattr(batch, "columns"):
        return _Frame
    raise CiteguardError(
        "a batch must be a table of pyarrow, a frame of pandas or a mapping of columns, not "
        f"{type(batch).__name__}"
    )


def _numbered(rows: Iterable[Any]) -> list[Record]:
    return [Record(number=number, sample=row) for number, row in enumerate(rows, start=1)]


def _present(value: Any) -> Any:
    """Return what a column holds; `None` for NaN, which is how numpy says that it is missing."""
    return None if isinstance(value, float) and value != value else value


def _plain(value: Any) -> Any:
    """Return a value with Python's own types in the place of arrays', at every depth."""
    for method in ("to_pylist", "tolist"):
        if hasattr(value, method):
            value = getattr(value, method)()
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in cast("Sequence[Any]", value)]
    return value
