"""A filter's check as a step of a pipeline on a cluster: `BatchChecker`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import asdict
from typing import Any, TypeVar, cast

from citeguard.datasets import arrow
from citeguard.datasets.chunks import Record, records_of
from citeguard.datasets.fields import Fields
from citeguard.datasets.samples import SampleChecker
from citeguard.errors import CiteguardError
from citeguard.validation.models import Answer
from citeguard.validation.policy import Policy

Batch = TypeVar("Batch")


class BatchChecker:
    """Checks every sample of a batch, and adds three columns with the results.

    Ray's `map_batches`, Spark's `mapInPandas` and `mapInArrow`, and `Dataset.map` of Hugging Face
    take one. A batch is a table: a `Table` or `RecordBatch` of pyarrow, a `DataFrame` of pandas, or
    a mapping from names to columns, which may be lists or arrays. The result is of the same type,
    with the same rows in the same order and the other columns unchanged.

    The columns are strings, and never null, so that every batch has the same types, whichever
    engine has to infer them:

    - `citeguard_outcome`: `kept`, `rejected` or `undecided`.
    - `citeguard_codes`: the codes of its problems, without duplicates, joined by commas; empty if
      kept.
    - `citeguard_problems`: the problems as JSON, a list of objects with `code`, `message`, `path`
      and `score`; `[]` if kept.

    Columns of the batch with these names are replaced, and are not part of the samples.

    A checker can be pickled if its model and its policy can. Use it from one thread at a time.

    The arguments are those of `filter_samples`. A policy that is a function is called with the
    first sample, in each process. In `fields`, columns are keys. The `prefix` of the columns' names
    distinguishes two checks of one table.

    Examples:
        >>> check = BatchChecker(sources={"handbook": "Notice is one month."})
        >>> quotes = "Notice is one month.", "Notice is not one month."
        >>> statements = [[{"text": "A month.", "citations": [{"quote": q}]}] for q in quotes]
        >>> checked = check({"statements": statements})
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
        self.columns = tuple(f"{prefix}_{fact}" for fact in ("outcome", "codes", "problems"))

    def __call__(self, batch: Batch) -> Batch:
        """Return a batch with the three columns.

        Raises:
            CiteguardError: the setup is wrong, or this is not a batch.
        """
        records: list[Record] = []
        for each in _records_in(batch):
            # The results of an earlier check are not part of a sample: a model may forbid them.
            given: dict[str, Any] = each.sample or {}
            sample = {name: given[name] for name in given if name not in self.columns}
            records.append(Record(number=each.number, sample=sample, fault=each.fault))
        facts: list[tuple[str, str, str]] = []
        for checked in self._checker.check_records(records, unit="row"):
            problems = [asdict(problem) for problem in checked.problems]
            # A lone surrogate, which no table can hold, becomes its escape, which JSON can read.
            encoded = json.dumps(problems, ensure_ascii=False).encode("utf-8", "backslashreplace")
            facts.append((checked.outcome, ",".join(checked.codes), encoded.decode()))
        columns = {name: [each[i] for each in facts] for i, name in enumerate(self.columns)}
        return _with_columns(batch, columns)


def _records_in(batch: Any) -> list[Record]:
    """Return the rows of a batch.

    Raises:
        CiteguardError: it is not a batch.
    """
    rows: Iterable[Any]
    if isinstance(batch, Mapping):
        # A copy: Hugging Face's batch remembers which columns were read, and infers their types
        # anew. NaN is how numpy marks a missing value.
        read: Any = copy(cast("Any", batch))
        columns = [[None if each != each else each for each in _plain(read[name])] for name in read]
        rows = (dict(zip(read, row, strict=True)) for row in zip(*columns, strict=True))
    elif _is_arrow(batch):
        return records_of(batch)
    elif type(batch).__module__.partition(".")[0] == "pandas" and hasattr(batch, "columns"):
        present = batch.astype(object).where(batch.notna(), None)
        rows = map(_plain, present.to_dict("records"))
    else:
        raise CiteguardError(
            "a batch must be a table of pyarrow, a frame of pandas or a mapping of columns, not "
            f"{type(batch).__name__}"
        )
    return [Record(number=number, sample=row) for number, row in enumerate(rows, start=1)]


def _with_columns(batch: Any, columns: Mapping[str, list[str]]) -> Any:
    """Return a batch with more columns, in place of those with the same names."""
    if isinstance(batch, Mapping):
        extended: Any = copy(cast("Any", batch))
        for name, values in columns.items():
            extended[name] = values
        return extended
    if not _is_arrow(batch):
        return batch.assign(**columns)
    batch = batch.drop_columns([name for name in columns if name in batch.schema.names])
    for name, values in columns.items():
        column = arrow.pyarrow().array(values, type=arrow.pyarrow().string())
        batch = batch.append_column(name, column)
    return batch


def _is_arrow(batch: Any) -> bool:
    library = type(batch).__module__.partition(".")[0]
    return library == "pyarrow" and hasattr(batch, "append_column")


def _plain(value: Any) -> Any:
    """Return a value with Python's own types instead of arrays, at every depth."""
    for method in ("to_pylist", "tolist"):
        if hasattr(value, method):
            value = getattr(value, method)()
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in cast("Sequence[Any]", value)]
    return value
