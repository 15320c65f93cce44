"""Readers of tables: Parquet files, frames, and whatever else hands out Arrow data."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from citeguard.datasets import tables
from citeguard.datasets.chunks import Chunk, TableRows
from citeguard.errors import CiteguardError

_ROWS_AT_ONCE = 1_024
_DIGESTED = 64


class _TableReader:
    """What readers of tables have in common."""

    name = "row"
    rows: int | None = None
    _read = 0

    @property
    def identity(self) -> Mapping[str, Any]:
        """How many rows it has, and a digest of the first and, where one can look, the last."""
        raise NotImplementedError

    def chunks(self, size: int, skip: int) -> Iterator[Chunk]:
        """Read the rows after the first `skip`, `size` at a time."""
        first = skip + 1
        with _readable(self.name):
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
        self._identity = identity
        self._path = path
        with _readable(self.name), self._open() as file:
            self.rows = file.metadata.num_rows

    @property
    def identity(self) -> Mapping[str, Any]:
        """What it was made with."""
        return self._identity

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
        tables.arrow()
        from pyarrow.parquet import ParquetFile  # pyright: ignore[reportMissingTypeStubs]

        return ParquetFile(self._path, pre_buffer=False)


class _ArrowReader(_TableReader):
    """An object that hands out its rows as an Arrow stream."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self.rows = len(table) if hasattr(table, "__len__") else None

    @property
    def identity(self) -> Mapping[str, Any]:
        """How many rows there are, and a digest of the first and the last of a whole table."""
        pa = tables.arrow()
        if not isinstance(self._table, pa.Table):
            return {"rows": self.rows}  # what it hands out, it may hand out only once
        read: Any = self._table
        ends = read.slice(0, _DIGESTED), read.slice(max(0, read.num_rows - _DIGESTED))
        return {"rows": self.rows, "digest": _digest_of(*ends)}

    def batches(self, skip: int) -> Iterator[tables.Batch]:
        """Read the rows after the first `skip`."""
        yield from _without(tables.arrow().RecordBatchReader.from_stream(self._table), skip)


class _DatasetReader(_TableReader):
    """A `Dataset` or an `IterableDataset` of the library datasets."""

    def __init__(self, dataset: Any) -> None:
        tables.arrow()
        self._dataset = dataset
        self.rows = len(dataset) if hasattr(dataset, "__len__") else None

    @property
    def identity(self) -> Mapping[str, Any]:
        """How many rows and which columns there are, and a digest of the first and the last."""
        columns = self._dataset.column_names
        if self.rows is None:
            return {"columns": columns}
        read = self._dataset.with_format("arrow")
        ends = read[:_DIGESTED], read[max(0, self.rows - _DIGESTED) :]
        return {"rows": self.rows, "columns": columns, "digest": _digest_of(*ends)}

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
    if library == "datasets" and hasattr(samples, "column_names"):
        # A stream may not know its features; then its rows are read as the objects that they are.
        return None if getattr(samples, "features", None) is None else _DatasetReader(samples)
    if library == "polars" and hasattr(samples, "collect"):
        raise CiteguardError("samples must be a frame, not a LazyFrame: collect() it")
    if library in ("pandas", "polars") and not hasattr(samples, "columns"):
        raise CiteguardError(f"samples must be a frame, not a {type(samples).__name__}")
    if library == "pandas":
        return _ArrowReader(_of_frame(samples))
    if library == "polars":
        return _ArrowReader(_of_polars(samples))
    return _ArrowReader(samples) if hasattr(samples, "__arrow_c_stream__") else None


def _of_frame(frame: Any) -> Any:
    pa = tables.arrow()
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowException, TypeError, ValueError) as error:  # ValueError: two of one name
        raise CiteguardError(f"the frame has a column that Arrow cannot hold: {error}") from error


def _of_polars(frame: Any) -> Any:
    from polars import CompatLevel

    # pyarrow cannot pick rows from the newer type of text.
    return frame.to_arrow(compat_level=CompatLevel.oldest())


@contextmanager
def _readable(name: str) -> Generator[None, None, None]:
    """Turn what goes wrong with a table into an error that names it."""
    try:
        yield
    except tables.arrow().ArrowException as error:
        raise CiteguardError(f"{name}: the table cannot be read: {error}") from error
    except OSError as error:
        raise CiteguardError(f"{name}: {error.strerror or error}") from error


def _digest_of(*ends: tables.Table) -> str:
    return hashlib.sha256(b"".join(map(tables.to_stream, ends))).hexdigest()[:16]


def _without(batches: Any, skip: int) -> Iterator[tables.Batch]:
    """Leave out the first rows."""
    for batch in batches:
        yield batch.slice(min(skip, batch.num_rows))
        skip = max(0, skip - batch.num_rows)
