"""Where samples come from: files, tables, datasets and iterables, each with a `Reader`."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import re
import zlib
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import IO, Any, Protocol, cast

from citeguard.datasets import arrow
from citeguard.datasets.chunks import RAW_LIMIT, Chunk, LineChunk, Record, TableChunk
from citeguard.errors import CiteguardError

JSON_LINES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
PARQUET = (".parquet",)
"""The suffixes of files of samples, in either case."""

CHUNK_SIZE = 64
"""How many samples are read at a time."""

_LONGEST_LINE = 64 * 1024 * 1024  # bytes; a file without line ends must not fill the memory
_ROWS_AT_ONCE = 1_024
# How much of either end of a file, and of other samples, the identity of a reader is made of.
_DIGESTED_BYTES = 64 * 1024
_DIGESTED_ITEMS = 64
_DAMAGED = (EOFError, zlib.error, gzip.BadGzipFile)


class Reader(Protocol):
    """Reads samples, each time the same in the same order; errors call it by its `name`."""

    name: str

    @property
    def identity(self) -> Mapping[str, Any]:
        """What distinguishes it from others, in JSON; ask for it before anything is read.

        A run resumes only with an equal one.
        """
        ...

    def chunks(self, size: int, skip: int) -> Iterator[Chunk]:
        """Read the samples after the first `skip`, `size` at a time; `size` divides `skip`.

        Raises:
            CiteguardError: they cannot be read.
        """
        ...

    def progress(self) -> float | None:
        """Return the share that has been read, 0 to 1, or `None` if the total is unknown."""
        ...


def reader_of(samples: Any) -> Reader:
    """Return a reader of whatever `filter_samples` takes.

    Raises:
        CiteguardError: it is none of these, or the file cannot be read.
    """
    if isinstance(samples, (str, PathLike)):
        return _file_reader(Path(cast("str", samples)))
    if isinstance(samples, io.TextIOBase):
        raise CiteguardError("samples must be a file that is open in binary mode")
    if isinstance(samples, io.IOBase):
        return _StreamReader(cast("IO[bytes]", samples))
    if (reader := _table_reader(samples)) is not None:
        return reader
    if isinstance(samples, Mapping) or not isinstance(samples, Iterable):
        kind = type(samples).__name__  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        raise CiteguardError(f"samples must be a path, a table or an iterable, not {kind}")
    return _ItemReader(cast("Iterable[Any]", samples))


def read_samples(samples: Any) -> Iterator[Any]:
    """Read samples one by one, from whatever `filter_samples` takes.

    Raises:
        CiteguardError: they cannot be read, or one of them is malformed.
    """
    reader = reader_of(samples)
    for chunk in reader.chunks(CHUNK_SIZE, 0):
        require_readable(reader.name, chunk)
        yield from (record.sample for record in chunk.records)


def require_readable(name: str, chunk: Chunk) -> None:
    """Raise the fault of the first unreadable record of a chunk.

    Raises:
        CiteguardError: there is one; the message starts with `name` and its number.
    """
    for record in chunk.records:
        if record.fault is not None:
            raise CiteguardError(f"{name}:{record.number}: {record.fault}")


@contextmanager
def errors_naming(name: str) -> Generator[None, None, None]:
    """Turn errors of the file system, and of damaged files, into errors that name the file."""
    try:
        yield
    except _DAMAGED as error:
        raise CiteguardError(f"{name}: the file is damaged or cut off: {error}") from error
    except OSError as error:
        raise CiteguardError(f"{name}: {(error.strerror or str(error)).lower()}") from error


def _file_reader(path: Path) -> Reader:
    parquet = is_parquet(path, "read from")
    with errors_naming(str(path)), path.open("rb") as file:
        identity = _identity_of(file)
    return _ParquetReader(path, identity) if parquet else _LineReader(path, identity)


def is_parquet(path: Path, used: str) -> bool:
    """Return whether samples are a Parquet file rather than JSON lines, by the suffix.

    Raises:
        CiteguardError: another suffix; the message says how the file would be `used`.
    """
    name, suffixes = path.name.lower(), (*JSON_LINES, *PARQUET)
    if not name.endswith(suffixes):
        kinds = ", ".join(suffixes)
        raise CiteguardError(f"{path}: not a kind of file that samples are {used} ({kinds})")
    return name.endswith(PARQUET)


def _identity_of(file: IO[bytes]) -> dict[str, Any]:
    # Not the time of the last change, which a copy loses.
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _DIGESTED_BYTES))
    end = file.read()
    file.seek(0)
    digest = hashlib.sha256(file.read(_DIGESTED_BYTES) + end).hexdigest()[:16]
    return {"bytes": size, "digest": digest}


class _LineReader:
    """A file of JSON lines, plain or gzipped."""

    def __init__(self, path: Path, identity: Mapping[str, Any]) -> None:
        self.name = str(path)
        self.identity = identity
        self._path = path
        self._raw: IO[bytes] | None = None

    def chunks(self, size: int, skip: int) -> Iterator[Chunk]:
        with errors_naming(self.name), self._path.open("rb") as self._raw:
            lines: IO[bytes] = self._raw
            if self._path.name.lower().endswith(".gz"):
                lines = cast("IO[bytes]", gzip.GzipFile(fileobj=self._raw))
            yield from _line_chunks(_numbered_lines(lines), size, skip)
            if _identity_of(self._raw) != self.identity:
                raise CiteguardError(f"{self.name}: the file has changed while it was read")

    def progress(self) -> float | None:
        if self._raw is None or self._raw.closed:
            return None
        return min(1.0, self._raw.tell() / max(1, self.identity["bytes"]))


class _StreamReader:
    """An open file of JSON lines."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.name = str(getattr(stream, "name", "the stream"))
        self._lines = _Peekable(_numbered_lines(stream))

    @property
    def identity(self) -> Mapping[str, Any]:
        with errors_naming(self.name):
            return {"digest": self._lines.digest()}

    def chunks(self, size: int, skip: int) -> Iterator[Chunk]:
        with errors_naming(self.name):
            yield from _line_chunks(self._lines, size, skip)

    def progress(self) -> float | None:
        return None


class _ItemReader:
    """Objects in memory, or from a generator."""

    name = "sample"

    def __init__(self, items: Iterable[Any]) -> None:
        self._items = _Peekable(items)
        self._total = len(cast("Any", items)) if hasattr(items, "__len__") else None
        self._read = 0

    @property
    def identity(self) -> Mapping[str, Any]:
        return {"items": self._total, "digest": self._items.digest()}

    def chunks(self, size: int, skip: int) -> Iterator[Chunk]:
        for numbered in _batched(islice(enumerate(self._items, 1), skip, None), size):
            self._read = numbered[-1][0]
            yield Chunk(numbered)

    def progress(self) -> float | None:
        return self._read / self._total if self._total else None


class _Peekable:
    """An iterator whose first items can be digested before they are read."""

    def __init__(self, items: Iterable[Any]) -> None:
        self._rest = iter(items)

    def __iter__(self) -> Iterator[Any]:
        return self._rest

    def digest(self) -> str:
        """Return a digest of the first items; call it before anything is read."""
        first = list(islice(self._rest, _DIGESTED_ITEMS))
        self._rest = chain(first, self._rest)
        without_addresses = re.sub(" at 0x[0-9a-fA-F]+", "", repr(first))
        return _digest_of(without_addresses.encode("utf-8", "surrogatepass"))


def _line_chunks(lines: Iterable[Any], size: int, skip: int) -> Iterator[Chunk]:
    return map(LineChunk, _batched(islice(lines, skip, None), size))


def _numbered_lines(lines: IO[bytes]) -> Iterator[tuple[int, bytes | Record]]:
    """Yield the lines that are not blank, stripped, each with its number."""
    number = 0
    while line := lines.readline(_LONGEST_LINE):
        number += 1
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if len(line) == _LONGEST_LINE and not line.endswith(b"\n"):
            raw = line[:RAW_LIMIT].decode("utf-8", "backslashreplace")
            while (line := lines.readline(_LONGEST_LINE)) and not line.endswith(b"\n"):
                pass
            fault = f"the line has {_LONGEST_LINE:,} bytes or more"
            yield number, Record(number=number, fault=fault, raw=raw)
        elif stripped := line.strip():
            yield number, stripped


def _batched(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def _digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


class _TableReader(ABC):
    """What the readers of tables share; each yields its rows as Arrow batches."""

    name = "row"
    rows: int | None = None
    identity: Mapping[str, Any]
    _read = 0

    def chunks(self, size: int, skip: int) -> Iterator[Chunk]:
        first = skip + 1
        with _table_errors(self.name):
            for table in arrow.rebatched(self.batches(skip), size):
                yield TableChunk(first, table)
                first += table.num_rows
                self._read = first - 1

    def progress(self) -> float | None:
        return self._read / self.rows if self.rows else None

    @abstractmethod
    def batches(self, skip: int) -> Iterator[arrow.Batch]:
        """Read the rows after the first `skip`."""


class _ParquetReader(_TableReader):
    """A Parquet file, read a batch at a time."""

    def __init__(self, path: Path, identity: Mapping[str, Any]) -> None:
        self.name = str(path)
        self.identity = identity
        self._path = path
        with _table_errors(self.name), self._open() as file:
            self.rows = file.metadata.num_rows

    def batches(self, skip: int) -> Iterator[arrow.Batch]:
        with self._open() as file:
            # Row groups that are skipped whole are never read.
            before, groups = 0, list(range(file.num_row_groups))
            while groups and before + (rows := file.metadata.row_group(groups[0]).num_rows) <= skip:
                before += rows
                del groups[0]
            batches = file.iter_batches(batch_size=_ROWS_AT_ONCE, row_groups=groups)
            yield from _skip_rows(batches, skip - before)

    def _open(self) -> Any:
        arrow.pyarrow()
        from pyarrow.parquet import ParquetFile  # pyright: ignore[reportMissingTypeStubs]

        return ParquetFile(self._path, pre_buffer=False)


class _ArrowReader(_TableReader):
    """An object that exports its rows as an Arrow stream."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self.rows = len(table) if hasattr(table, "__len__") else None
        self.identity = {"rows": self.rows}
        if isinstance(table, arrow.pyarrow().Table):  # a stream can perhaps be read only once
            last = table.slice(max(0, table.num_rows - _DIGESTED_ITEMS))
            self.identity |= {"digest": _digest_of_tables(table.slice(0, _DIGESTED_ITEMS), last)}

    def batches(self, skip: int) -> Iterator[arrow.Batch]:
        yield from _skip_rows(arrow.pyarrow().RecordBatchReader.from_stream(self._table), skip)


class _DatasetReader(_TableReader):
    """A `Dataset` or an `IterableDataset` of the library datasets."""

    def __init__(self, dataset: Any) -> None:
        arrow.pyarrow()
        self._dataset = dataset
        self.rows = len(dataset) if hasattr(dataset, "__len__") else None
        self.identity = {"rows": self.rows, "columns": dataset.column_names}
        if self.rows is not None:
            tables = dataset.with_format("arrow")
            last = tables[max(0, self.rows - _DIGESTED_ITEMS) :]
            self.identity |= {"digest": _digest_of_tables(tables[:_DIGESTED_ITEMS], last)}

    def batches(self, skip: int) -> Iterator[arrow.Batch]:
        tables = self._dataset.skip(skip).with_format("arrow").iter(batch_size=_ROWS_AT_ONCE)
        for table in tables:
            yield from table.to_batches()


def _table_reader(samples: Any) -> _TableReader | None:
    """Return a reader of a table, or `None` if the samples are not a table.

    Raises:
        CiteguardError: several tables, of which one must be named, or rows that Arrow cannot hold.
    """
    library = type(samples).__module__.partition(".")[0]
    if library == "datasets" and isinstance(samples, dict):
        names = ", ".join(map(repr, cast("dict[str, Any]", samples)))
        raise CiteguardError(f"samples must be one split of a DatasetDict, one of {names}")
    if library == "datasets" and hasattr(samples, "column_names"):
        # A stream may not know its features; then its rows are read as objects.
        return None if getattr(samples, "features", None) is None else _DatasetReader(samples)
    if library == "polars" and hasattr(samples, "collect"):
        raise CiteguardError("samples must be a frame, not a LazyFrame: collect() it")
    if library in ("pandas", "polars") and not hasattr(samples, "columns"):
        raise CiteguardError(f"samples must be a frame, not a {type(samples).__name__}")
    if library == "pandas":
        return _ArrowReader(_from_pandas(samples))
    if library == "polars":
        from polars import CompatLevel

        # pyarrow cannot select rows of polars' newer type of text.
        return _ArrowReader(samples.to_arrow(compat_level=CompatLevel.oldest()))
    return _ArrowReader(samples) if hasattr(samples, "__arrow_c_stream__") else None


def _from_pandas(frame: Any) -> Any:
    pa = arrow.pyarrow()
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowException, TypeError, ValueError) as error:  # ValueError: duplicate names
        raise CiteguardError(f"the frame has a column that Arrow cannot hold: {error}") from error


@contextmanager
def _table_errors(name: str) -> Generator[None, None, None]:
    """Turn errors of pyarrow into errors that name the table."""
    try:
        yield
    except arrow.pyarrow().ArrowException as error:
        raise CiteguardError(f"{name}: the table cannot be read: {error}") from error
    except OSError as error:
        raise CiteguardError(f"{name}: {error.strerror or error}") from error


def _digest_of_tables(*tables: arrow.Table) -> str:
    return _digest_of(b"".join(map(arrow.to_stream, tables)))


def _skip_rows(batches: Any, skip: int) -> Iterator[arrow.Batch]:
    for batch in batches:
        yield batch.slice(min(skip, batch.num_rows))
        skip = max(0, skip - batch.num_rows)
