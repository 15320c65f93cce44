"""Where samples come from: files, tables, datasets and iterables, each with a `Reader`.

Consecutive samples travel from a reader to a worker process as a `Chunk`. It holds samples as they
were read, so that reading is cheap and workers parse. It also writes those of its samples that are
selected, in their original form if possible.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import re
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import IO, Any, cast

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, to_json, to_jsonable_python

from citeguard.datasets import arrow
from citeguard.datasets.fields import ANNOTATION
from citeguard.documents.files import decode, parse_json
from citeguard.errors import CiteguardError, foreign_code

RAW_LIMIT = 10_000
"""How many characters of an unreadable sample are kept."""

_LINE = "line"
# Pydantic writes JSON down to some 250 levels, and users' validators may be recursive.
_DEEPEST = 200

Annotations = Mapping[int, Mapping[str, Any]]
"""What is written in the field `citeguard` of samples, by their index in the chunk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One sample as it was read, with its line or place, from 1.

    If it could not be read, the fault says why, and `raw` is its text, cut to 10,000 characters.
    """

    number: int
    sample: Any = None
    fault: str | None = None
    raw: str | None = None


class Chunk:
    """Numbered Python objects; strings and bytes among them are lines of JSON."""

    unit = "sample"  # what is numbered

    def __init__(self, numbered: Sequence[tuple[int, Any]]) -> None:
        self._numbered = numbered

    @cached_property
    def records(self) -> Sequence[Record]:
        """The samples, in their order."""
        return [_record(number, given) for number, given in self._numbered]

    def as_lines(self, selected: Sequence[int], annotations: Annotations) -> bytes:
        """Return the samples with these indexes as lines of JSON."""
        return b"".join(self._line(i, annotations.get(i)) for i in selected)

    def as_table(self, selected: Sequence[int], annotations: Annotations) -> arrow.Table:
        """Return the samples with these indexes as an Arrow table."""
        return arrow.table_of([_annotated(self.records[i], annotations.get(i)) for i in selected])

    def _line(self, index: int, annotation: Mapping[str, Any] | None) -> bytes:
        return _line(self.records[index], annotation)


class LineChunk(Chunk):
    """Lines of JSON; they are written byte for byte, with annotations at their ends."""

    unit = "line"

    def _line(self, index: int, annotation: Mapping[str, Any] | None) -> bytes:
        if annotation is None:
            return self._numbered[index][1] + b"\n"
        sample = self.records[index].sample
        if not sample or ANNOTATION in sample:
            return _line(self.records[index], annotation)
        # Not written anew: a number such as 1.10 would become 1.1.
        opened = self._numbered[index][1].removesuffix(b"}")
        return opened + b"," + _line(Record(number=index), annotation).removeprefix(b"{")


class TableChunk(Chunk):
    """Rows of an Arrow table, whose types are kept if a table is written."""

    unit = "row"

    def __init__(self, first: int, table: arrow.Table) -> None:
        self._first = first
        self._stream = arrow.to_stream(table)

    @cached_property
    def records(self) -> Sequence[Record]:
        """The rows, in their order."""
        return _rows(self._table, self._first)

    def as_table(self, selected: Sequence[int], annotations: Annotations) -> arrow.Table:
        """Return the selected rows, with their types."""
        rows = self._table.take(selected)
        return arrow.annotated(rows, [annotations.get(i) for i in selected])

    @cached_property
    def _table(self) -> arrow.Table:
        return arrow.pyarrow().ipc.open_stream(self._stream).read_all()


def _rows(table: arrow.Table, first: int) -> list[Record]:
    """Return the rows of a table, numbered from `first` on."""
    try:
        rows = arrow.rows_of(table)
    except (KeyError, ValueError, OverflowError) as error:
        # A map with a duplicate key, or a date out of range: only its own row is unreadable.
        if table.num_rows > 1:
            slices = [table.slice(i, 1) for i in range(table.num_rows)]
            return [each for i, row in enumerate(slices, first) for each in _rows(row, i)]
        fault = f"a value that Python cannot represent: {error}"
        return [Record(number=first, fault=fault, raw=str(table)[:RAW_LIMIT])]
    return [Record(number=number, sample=row) for number, row in enumerate(rows, first)]


def _record(number: int, given: Any) -> Record:
    if isinstance(given, Record):
        return given
    if isinstance(given, BaseModel):
        return Record(number=number, sample=given.model_dump())
    if isinstance(given, Mapping):
        return Record(number=number, sample=given)
    if isinstance(given, bytes):
        raw = given.decode("utf-8", "backslashreplace")
    elif isinstance(given, str):
        raw = given
    else:
        raw = json.dumps(given, default=lambda value: type(value).__name__)
        fault = f"a sample is an object, not {type(given).__name__}"
        return Record(number=number, fault=fault, raw=raw[:RAW_LIMIT])
    try:
        sample = parse_json(decode(given, _LINE) if isinstance(given, bytes) else given, _LINE)
        if not isinstance(sample, dict):
            raise CiteguardError("not a JSON object")
        # There are no more levels than brackets, and brackets are counted faster.
        if raw.count("{") + raw.count("[") > _DEEPEST and _is_deep(sample):
            raise CiteguardError(f"nested more than {_DEEPEST} levels deep")
    except CiteguardError as error:
        fault = str(error).removeprefix(f"{_LINE}: ")
        return Record(number=number, fault=fault, raw=raw[:RAW_LIMIT])
    return Record(number=number, sample=sample)


def _is_deep(value: Any) -> bool:
    level: list[Any] = [value]
    for _ in range(_DEEPEST):
        parts: Any = [each.values() if isinstance(each, dict) else each for each in level]
        level = [each for part in parts for each in part if isinstance(each, (dict, list))]
    return bool(level)


def _annotated(record: Record, annotation: Mapping[str, Any] | None) -> dict[str, Any]:
    sample = dict(record.sample or {})
    return sample if annotation is None else {**sample, ANNOTATION: annotation}


def _line(record: Record, annotation: Mapping[str, Any] | None) -> bytes:
    sample = _annotated(record, annotation)
    # A lone surrogate, which UTF-8 cannot encode, is written as its escape, below.
    with suppress(PydanticSerializationError):
        return to_json(sample, inf_nan_mode="null", bytes_mode="base64") + b"\n"
    try:
        plain = to_jsonable_python(sample, inf_nan_mode="null", bytes_mode="base64")
        return json.dumps(plain, separators=(",", ":")).encode() + b"\n"
    except ValueError as error:  # also of a circle, and of an integer too long to be written
        message = f"sample {record.number:,} cannot be written as JSON: {error}"
        raise CiteguardError(message) from error


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


class Reader:
    """Reads samples, each time the same in the same order; errors call it by its `name`.

    `share` is how much has been read, 0 to 1, or `None` if the total is unknown.
    """

    name: str
    share: float | None = None
    _identity: Mapping[str, Any]

    def identity(self) -> Mapping[str, Any]:
        """Return what distinguishes it from others, in JSON; call it before anything is read.

        A run resumes only with an equal one.
        """
        return self._identity

    def chunks(self, size: int, skip: int) -> Iterator[Chunk]:
        """Read the samples after the first `skip`, `size` at a time; `size` divides `skip`."""
        raise NotImplementedError


def reader_of(samples: Any) -> Reader:
    """Return a reader of whatever `filter_samples` takes."""
    if isinstance(samples, (str, PathLike)):
        path = Path(cast("str", samples))
        return _parquet_reader(path) if is_parquet(path, "read from") else _LineReader(path)
    if isinstance(samples, io.TextIOBase):
        raise CiteguardError("samples must be a file that is open in binary mode")
    if isinstance(samples, io.IOBase):
        stream = cast("IO[bytes]", samples)
        name = str(getattr(stream, "name", "the stream"))
        return _ItemReader(name, _numbered_lines(stream), LineChunk)
    if (reader := _table_reader(samples)) is not None:
        return reader
    if isinstance(samples, Mapping) or not isinstance(samples, Iterable):
        kind = type(samples).__name__  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        raise CiteguardError(f"samples must be a path, a table or an iterable, not {kind}")
    total = len(cast("Any", samples)) if hasattr(cast("Any", samples), "__len__") else None
    return _ItemReader("sample", enumerate(cast("Iterable[Any]", samples), 1), Chunk, total)


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
    """Raise the fault of the first unreadable record of a chunk, with `name` and its number."""
    for record in chunk.records:
        if record.fault is not None:
            raise CiteguardError(f"{name}:{record.number}: {record.fault}")


@contextmanager
def errors_naming(name: str) -> Generator[None]:
    """Turn errors of the file system, and of damaged files, into errors that name the file."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CiteguardError(f"{name}: the file is damaged or cut off: {error}") from error
    except OSError as error:
        raise CiteguardError(f"{name}: {(error.strerror or str(error)).lower()}") from error


def is_parquet(path: Path, used: str) -> bool:
    """Return whether samples are a Parquet file rather than JSON lines, by the suffix.

    Any other suffix is an error, which says how the file would be `used`.
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
    return {"bytes": size, "digest": _digest_of(file.read(_DIGESTED_BYTES) + end)}


def _digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


class _LineReader(Reader):
    """A file of JSON lines, plain or gzipped."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._path = path
        with errors_naming(self.name), path.open("rb") as file:
            self._identity = _identity_of(file)

    def chunks(self, size: int, skip: int) -> Iterator[Chunk]:
        with errors_naming(self.name), self._path.open("rb") as file:
            is_gzipped = self.name.lower().endswith(".gz")
            # The packed file stays at hand, as only of its bytes it is known how many are read.
            lines = gzip.GzipFile(fileobj=file) if is_gzipped else file
            for batch in _batched(_numbered_lines(cast("IO[bytes]", lines)), size, skip):
                self.share = min(1.0, file.tell() / max(1, self._identity["bytes"]))
                yield LineChunk(batch)
            if _identity_of(file) != self._identity:
                raise CiteguardError(f"{self.name}: the file has changed while it was read")


class _ItemReader(Reader):
    """Numbered objects, in memory or from a generator, or the lines of an open file."""

    def __init__(
        self,
        name: str,
        numbered: Iterable[tuple[int, Any]],
        chunk: Callable[[list[tuple[int, Any]]], Chunk],
        total: int | None = None,
    ) -> None:
        self.name = name
        self._numbered = iter(numbered)
        self._chunk = chunk
        self._total = total

    def identity(self) -> Mapping[str, Any]:
        with errors_naming(self.name):
            first = list(islice(self._numbered, _DIGESTED_ITEMS))
        self._numbered = chain(first, self._numbered)
        with foreign_code(lambda error: CiteguardError(f"{self.name}: {error}")):
            shown = repr(first)
        # They differ in each process, and a run resumes in another one.
        without_addresses = re.sub(" at 0x[0-9a-fA-F]+", "", shown)
        digest = _digest_of(without_addresses.encode("utf-8", "surrogatepass"))
        return {"items": self._total, "digest": digest}

    def chunks(self, size: int, skip: int) -> Iterator[Chunk]:
        for batch in _batched(self._numbered, size, skip):
            self.share = batch[-1][0] / self._total if self._total else None
            yield self._chunk(batch)


def _numbered_lines(lines: IO[bytes]) -> Iterator[tuple[int, bytes | Record]]:
    """Yield the lines that are not blank, stripped, each with its number."""
    number = 0
    while line := lines.readline(_LONGEST_LINE):
        number += 1
        if number == 1:
            # Windows programs begin a file of UTF-8 so; `json` rejects it.
            line = line.removeprefix(b"\xef\xbb\xbf")
        if len(line) == _LONGEST_LINE and not line.endswith(b"\n"):
            raw = line[:RAW_LIMIT].decode("utf-8", "backslashreplace")
            # The rest of the line, a part at a time: what follows it can still be read.
            while (line := lines.readline(_LONGEST_LINE)) and not line.endswith(b"\n"):
                pass
            fault = f"the line has {_LONGEST_LINE:,} bytes or more"
            yield number, Record(number=number, fault=fault, raw=raw)
        elif stripped := line.strip():
            yield number, stripped


def _batched(items: Iterable[Any], size: int, skip: int) -> Iterator[list[Any]]:
    rest = islice(items, skip, None)
    while batch := list(islice(rest, size)):
        yield batch


class _TableReader(Reader):
    """A table; `batches` reads its rows as Arrow batches, given how many to skip."""

    def __init__(
        self,
        batches: Callable[[int], Iterable[arrow.Batch]],
        rows: int | None,
        identity: Mapping[str, Any],
        *,
        name: str = "row",
    ) -> None:
        self.name = name
        self._batches = batches
        self._rows = rows
        self._identity = {"rows": rows, **identity}

    def chunks(self, size: int, skip: int) -> Iterator[Chunk]:
        read = skip
        with arrow.arrow_errors(f"{self.name}: the table cannot be read"), errors_naming(self.name):
            for table in arrow.rebatched(self._batches(skip), size):
                chunk = TableChunk(read + 1, table)
                read += table.num_rows
                self.share = read / self._rows if self._rows else None
                yield chunk


def _parquet_reader(path: Path) -> Reader:
    """Return a reader of a Parquet file, which reads a batch at a time."""
    arrow.pyarrow()
    from pyarrow.parquet import ParquetFile  # pyright: ignore[reportMissingTypeStubs]

    opened = partial(cast("Any", ParquetFile), path, pre_buffer=False)

    def batches(skip: int) -> Iterator[arrow.Batch]:
        with opened() as file:
            yield from _without_rows(file.iter_batches(batch_size=_ROWS_AT_ONCE), skip)

    name = str(path)
    with errors_naming(name), path.open("rb") as file:
        identity = _identity_of(file)
    message = f"{name}: the table cannot be read"
    with arrow.arrow_errors(message), errors_naming(name), opened() as file:
        return _TableReader(batches, file.metadata.num_rows, identity, name=name)


def _table_reader(samples: Any) -> Reader | None:
    """Return a reader of a frame or a dataset, or `None` if the samples are not one."""
    library = type(samples).__module__.partition(".")[0]
    is_dataset = library == "datasets" and hasattr(samples, "column_names")
    # A stream may not know its features; then its rows are read as objects.
    if is_dataset and getattr(samples, "features", None) is None:
        return None
    if library == "polars" and hasattr(samples, "to_arrow"):
        from polars import CompatLevel

        # pyarrow cannot select rows of polars' newer type of text.
        samples = samples.to_arrow(compat_level=CompatLevel.oldest())
    if not is_dataset and not hasattr(samples, "__arrow_c_stream__"):
        return None
    pa = arrow.pyarrow()
    if library == "pandas":
        with arrow.arrow_errors("the frame has a column that Arrow cannot hold"):
            samples = pa.Table.from_pandas(samples, preserve_index=False)
    rows = len(samples) if hasattr(samples, "__len__") else None
    identity: dict[str, Any] = {"columns": samples.column_names} if is_dataset else {}
    # A stream can perhaps be read only once.
    if rows is not None and (is_dataset or isinstance(samples, pa.Table)):
        table = samples.with_format("arrow") if is_dataset else samples
        starts = 0, max(0, rows - _DIGESTED_ITEMS)
        ends = (table[start : start + _DIGESTED_ITEMS] for start in starts)
        if not is_dataset:
            ends = (table.slice(start, _DIGESTED_ITEMS) for start in starts)
        identity["digest"] = _digest_of(b"".join(map(arrow.to_stream, ends)))

    def batches(skip: int) -> Iterable[arrow.Batch]:
        if not is_dataset:
            return _without_rows(pa.RecordBatchReader.from_stream(samples), skip)
        tables = samples.skip(skip).with_format("arrow").iter(batch_size=_ROWS_AT_ONCE)
        return chain.from_iterable(table.to_batches() for table in tables)

    return _TableReader(batches, rows, identity)


def _without_rows(batches: Iterable[arrow.Batch], skip: int) -> Iterator[arrow.Batch]:
    for batch in batches:
        yield batch.slice(min(skip, batch.num_rows))
        skip = max(0, skip - batch.num_rows)
