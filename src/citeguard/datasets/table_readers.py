"""Readers of tables: Parquet files, frames, and whatever else hands out Arrow data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from citeguard.datasets import tables
from citeguard.datasets.chunks import Chunk, TableRows
from citeguard.errors import CiteguardError

_ROWS_AT_ONCE = 1_024


class _TableReader:
    """What readers of tables have in common."""

    name = "row"
    identity: Mapping[str, Any]
    rows: int | None = None
    _read = 0

    def chunks(self, size: int, skip: int) -> Iterator[Chunk]:
        """Read the rows after the first `skip`, `size` at a time."""
        first = skip + 1
        for table in tables.of_size(self.batches(skip), size):
            yield TableRows(first, table)
            first += table.num_rows
            self._read = first - 1

    def share_read(self) -> float | None:
        """Return how much has been read, from 0 to 1; `None` if nobody knows how much there is."""
        return self._read / self.rows if self.rows else None

    def batches(self, skip: int) -> Iterator[tables.Batch]:
        """Read the rows after the first `skip`."""
        raise NotImplementedError


class ParquetReader(_TableReader):
    """A Parquet file, of which a batch at a time is in memory."""

    def __init__(self, path: Path, identity: Mapping[str, Any]) -> None:
        self.name = str(path)
        self.identity = identity
        self._path = path
        with self._open() as file:
            self.rows = file.metadata.num_rows

    def batches(self, skip: int) -> Iterator[tables.Batch]:
        """Read the rows after the first `skip`; groups of rows before it are not looked into."""
        with self._open() as file:
            before, groups = 0, list(range(file.num_row_groups))
            while groups and before + (rows := file.metadata.row_group(groups[0]).num_rows) <= skip:
                before += rows
                del groups[0]
            read = file.iter_batches(batch_size=_ROWS_AT_ONCE, row_groups=groups)
            yield from _without(read, skip - before)

    def _open(self) -> Any:
        pa = tables.arrow()
        from pyarrow.parquet import ParquetFile  # pyright: ignore[reportMissingTypeStubs]

        try:
            return ParquetFile(self._path, pre_buffer=False)
        except pa.ArrowInvalid as error:
            raise CiteguardError(f"{self.name}: no Parquet file: {error}") from error


class _ArrowReader(_TableReader):
    """An object that hands out its rows as an Arrow stream."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self.rows = len(table) if hasattr(table, "__len__") else None
        self.identity = {"rows": self.rows}

    def batches(self, skip: int) -> Iterator[tables.Batch]:
        """Read the rows after the first `skip`."""
        yield from _without(tables.arrow().RecordBatchReader.from_stream(self._table), skip)


class _DatasetReader(_TableReader):
    """A `Dataset` or an `IterableDataset` of the library datasets."""

    def __init__(self, dataset: Any) -> None:
        tables.arrow()
        self._dataset = dataset
        self.rows = len(dataset) if hasattr(dataset, "__len__") else None
        self.identity = {"rows": self.rows, "columns": dataset.column_names}

    def batches(self, skip: int) -> Iterator[tables.Batch]:
        """Read the rows after the first `skip`."""
        read = self._dataset.skip(skip).with_format("arrow").iter(batch_size=_ROWS_AT_ONCE)
        for table in read:
            yield from table.to_batches()


def reader_of_table(samples: Any) -> _TableReader | None:
    """Return what reads a table; `None` if the samples are no table.

    Raises:
        CiteguardError: several tables, where one is to be named, or rows that Arrow cannot hold.
    """
    library = type(samples).__module__.partition(".")[0]
    if library == "datasets" and isinstance(samples, dict):
        names = ", ".join(map(repr, cast("dict[str, Any]", samples)))
        raise CiteguardError(f"samples must be one split of a DatasetDict, one of {names}")
    if library == "datasets":
        return _DatasetReader(samples)
    if library == "pandas" and hasattr(samples, "columns"):
        return _ArrowReader(_of_frame(samples))
    if library == "polars" and hasattr(samples, "collect"):
        raise CiteguardError("samples must be a frame, not a LazyFrame: collect() it")
    return _ArrowReader(samples) if hasattr(samples, "__arrow_c_stream__") else None


def _of_frame(frame: Any) -> Any:
    pa = tables.arrow()
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowException, TypeError) as error:
        raise CiteguardError(f"the frame has a column that Arrow cannot hold: {error}") from error


def _without(batches: Any, skip: int) -> Iterator[tables.Batch]:
    """Leave out the first rows."""
    for batch in batches:
        yield batch.slice(min(skip, batch.num_rows))
        skip = max(0, skip - batch.num_rows)
