"""Where samples come from: files, tables, datasets and iterables, each as a `Reader`."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import re
import zlib
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import IO, Any, Protocol, cast

from citeguard.datasets.chunks import RAW_LIMIT, Chunk, Lines, Record
from citeguard.datasets.table_readers import ParquetReader, reader_of_table
from citeguard.errors import CiteguardError

JSON_LINES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
PARQUET = (".parquet",)
"""What the names of files of samples end in, in either case."""

CHUNK_SIZE = 64
"""Samples that are read at a time."""

_LONGEST_LINE = 64 * 1024 * 1024
_DIGESTED = 64 * 1024
_DIGESTED_ITEMS = 64
_DAMAGED = (EOFError, zlib.error, gzip.BadGzipFile)


class Reader(Protocol):
    """Reads samples, always the same in the same order.

    Attributes:
        name: What errors call it.
        identity: What tells it from others, in JSON: a run is only resumed with an equal one.
    """

    name: str

    @property
    def identity(self) -> Mapping[str, Any]:
        """What tells it from others; to be asked for before anything is read."""
        ...

    def chunks(self, size: int, skip: int) -> Iterator[Chunk]:
        """Read the samples after the first `skip`, `size` at a time; `size` divides `skip`.

        Raises:
            CiteguardError: they cannot be read.
        """
        ...

    def share_read(self) -> float | None:
        """Return how much has been read, from 0 to 1; `None` if nobody knows how much there is."""
        ...


def reader_of(samples: Any) -> Reader:
    """Return what reads the samples.

    Args:
        samples: The path of a file of JSON lines, plain or compressed by gzip, or of a Parquet
            file; an open binary file of JSON lines; a `Dataset` of the library datasets; a frame of
            pandas or polars, or any other object that hands out Arrow data; or an iterable of
            objects.

    Raises:
        CiteguardError: it is none of that, or the file cannot be read.
    """
    if isinstance(samples, (str, PathLike)):
        return _reader_of_file(Path(cast("str", samples)))
    if isinstance(samples, io.TextIOBase):
        raise CiteguardError("samples must be a file that is open in binary mode")
    if isinstance(samples, io.IOBase):
        return _LinesOfStream(cast("IO[bytes]", samples))
    if (reader := reader_of_table(samples)) is not None:
        return reader
    if isinstance(samples, Mapping) or not isinstance(samples, Iterable):
        told = f"samples must be a path, a table or an iterable, not {type(samples).__name__}"  # pyright: ignore[reportUnknownArgumentType]
        raise CiteguardError(told)
    return _Items(cast("Iterable[Any]", samples))


def read_samples(samples: Any) -> Iterator[Any]:
    """Read samples one by one, from whatever `reader_of` takes.

    Raises:
        CiteguardError: they cannot be read, or one of them is malformed.
    """
    reader = reader_of(samples)
    for chunk in reader.chunks(CHUNK_SIZE, 0):
        for record in chunk.records:
            if record.fault is not None:
                raise malformed(reader.name, record)
            yield record.sample


def malformed(name: str, record: Record) -> CiteguardError:
    """Return the error that a sample cannot be read.

    Args:
        name: What errors call the reader.
        record: The sample.
    """
    return CiteguardError(f"{name}:{record.number}: {record.fault}")


def _reader_of_file(path: Path) -> Reader:
    name = path.name.lower()
    if name.endswith(JSON_LINES):
        return _LinesOfFile(path)
    if name.endswith(PARQUET):
        return ParquetReader(path, _file_identity(path))
    kinds = ", ".join((*JSON_LINES, *PARQUET))
    raise CiteguardError(f"{path}: not a kind of file that samples are read from ({kinds})")


@contextmanager
def errors_naming(name: str) -> Generator[None, None, None]:
    """Turn what goes wrong with a file into an error that names it."""
    try:
        yield
    except _DAMAGED as error:
        raise CiteguardError(f"{name}: the file is damaged or cut off: {error}") from error
    except OSError as error:
        raise CiteguardError(f"{name}: {(error.strerror or str(error)).lower()}") from error


def _file_identity(path: Path) -> dict[str, Any]:
    """Return a file's size, and a digest of how it starts and ends; not when it was written."""
    with errors_naming(str(path)), path.open("rb") as file:
        return _identity_of(file)


def _identity_of(file: IO[bytes]) -> dict[str, Any]:
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _DIGESTED))
    end = file.read()
    file.seek(0)
    digest = hashlib.sha256(file.read(_DIGESTED) + end).hexdigest()[:16]
    return {"bytes": size, "digest": digest}


class _LinesOfFile:
    """A file of JSON lines, plain or compressed."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self.identity: Mapping[str, Any] = _file_identity(path)
        self._path = path
        self._raw: IO[bytes] | None = None

    def chunks(self, size: int, skip: int) -> Iterator[Chunk]:
        with errors_naming(self.name), self._path.open("rb") as self._raw:
            lines: IO[bytes] = self._raw
            if self._path.name.lower().endswith(".gz"):
                lines = cast("IO[bytes]", gzip.GzipFile(fileobj=self._raw))
            yield from _chunks_of_lines(_lines(lines), size, skip)
            if _identity_of(self._raw) != self.identity:
                raise CiteguardError(f"{self.name}: the file has changed while it was read")

    def share_read(self) -> float | None:
        if self._raw is None or self._raw.closed:
            return None
        return min(1.0, self._raw.tell() / max(1, self.identity["bytes"]))


class _LinesOfStream:
    """An open file of JSON lines."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.name = str(getattr(stream, "name", "the stream"))
        self._numbered = _Peekable(_lines(stream))

    @property
    def identity(self) -> Mapping[str, Any]:
        """A digest of the first lines."""
        with errors_naming(self.name):
            return {"digest": _digest_of_items(self._numbered.first())}

    def chunks(self, size: int, skip: int) -> Iterator[Chunk]:
        with errors_naming(self.name):
            yield from _chunks_of_lines(self._numbered, size, skip)

    def share_read(self) -> float | None:
        return None


def _chunks_of_lines(lines: Iterable[Any], size: int, skip: int) -> Iterator[Chunk]:
    for numbered in _batched(islice(lines, skip, None), size):
        yield Lines(numbered)


def _lines(lines: IO[bytes]) -> Iterator[tuple[int, bytes | Record]]:
    """Yield the lines that are not blank, without their ends, each with its number."""
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


class _Peekable:
    """An iterator whose first items can be looked at before they are read."""

    def __init__(self, items: Iterable[Any]) -> None:
        self._rest = iter(items)

    def __iter__(self) -> Iterator[Any]:
        return self._rest

    def first(self) -> list[Any]:
        """Return the first items; call it before anything is read."""
        first = list(islice(self._rest, _DIGESTED_ITEMS))
        self._rest = chain(first, self._rest)
        return first


def _digest_of_items(items: Sequence[Any]) -> str:
    shown = re.sub(" at 0x[0-9a-fA-F]+", "", repr(items))
    return hashlib.sha256(shown.encode("utf-8", "surrogatepass")).hexdigest()[:16]


class _Items:
    """Objects that a program hands over."""

    name = "sample"

    def __init__(self, items: Iterable[Any]) -> None:
        self._items = _Peekable(items)
        self._total = len(cast("Any", items)) if hasattr(items, "__len__") else None
        self._read = 0

    @property
    def identity(self) -> Mapping[str, Any]:
        """How many there are, if they say so, and a digest of the first ones."""
        return {"items": self._total, "digest": _digest_of_items(self._items.first())}

    def chunks(self, size: int, skip: int) -> Iterator[Chunk]:
        for numbered in _batched(islice(enumerate(self._items, 1), skip, None), size):
            self._read = numbered[-1][0]
            yield Chunk(numbered)

    def share_read(self) -> float | None:
        return self._read / self._total if self._total else None
