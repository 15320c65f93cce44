"""Samples that stand side by side, as they travel from a reader to a worker: `Chunk`.

A chunk holds samples as they were read, so that reading is cheap and workers do the rest. It writes
those of them that were picked, in the form in which they came where that is possible.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, to_json, to_jsonable_python

from citeguard.datasets import tables
from citeguard.documents.files import decode, parse_json
from citeguard.errors import CiteguardError

RAW_LIMIT = 10_000
"""The most characters that are kept of what could not be read."""

_LINE = "line"
# A map has a key twice; a date is out of range.
_NO_PYTHON = (KeyError, ValueError, OverflowError)
# Pydantic writes JSON down to some 250 levels, and validators of one's own may call themselves.
_DEEPEST = 200

Annotations = Mapping[int, Mapping[str, Any]]
"""What is written beside samples, by their index in the chunk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One sample as it was read.

    Attributes:
        number: Its line in the file, or its place in the table or iterable, from 1.
        sample: The sample; `None` if it could not be read.
        fault: Why it could not be read.
        raw: What could not be read, cut to 10,000 characters.
    """

    number: int
    sample: Any = None
    fault: str | None = None
    raw: str | None = None


class Chunk:
    """Objects of a program's own; texts among them are taken for lines of JSON.

    Args:
        numbered: The objects, each with its number.

    Attributes:
        unit: What is numbered.
    """

    unit = "sample"

    def __init__(self, numbered: Sequence[tuple[int, Any]]) -> None:
        self._numbered = numbered

    def __len__(self) -> int:
        """Count the samples."""
        return len(self._numbered)

    @cached_property
    def records(self) -> Sequence[Record]:
        """The samples, in their order."""
        return [_record(number, given) for number, given in self._numbered]

    def as_lines(self, picked: Iterable[int], annotations: Annotations) -> bytes:
        """Write the samples with these indexes as JSON, a line each.

        Raises:
            CiteguardError: one of them cannot be written as JSON.
        """
        return b"".join(_line(self.records[i], annotations.get(i)) for i in picked)

    def as_table(self, picked: Sequence[int], annotations: Annotations) -> tables.Table:
        """Write the samples with these indexes as an Arrow table.

        Raises:
            CiteguardError: one of their columns would hold values of several types.
        """
        return tables.of_rows([_annotated(self.records[i], annotations.get(i)) for i in picked])


class Lines(Chunk):
    """Lines of JSON; they are written as they stand, with annotations at their ends."""

    unit = "line"

    def as_lines(self, picked: Iterable[int], annotations: Annotations) -> bytes:
        """Write the picked lines."""
        return b"".join(self._line(i, annotations.get(i)) for i in picked)

    def _line(self, index: int, annotation: Mapping[str, Any] | None) -> bytes:
        if annotation is None:
            return self._numbered[index][1] + b"\n"
        sample = self.records[index].sample
        if not sample or tables.ANNOTATION in sample:
            return _line(self.records[index], annotation)
        # What JSON cannot tell, such as 1.10 from 1.1, stays as it was written.
        opened = self._numbered[index][1].removesuffix(b"}")
        return opened + b"," + _line(Record(number=index), annotation).removeprefix(b"{")


class TableRows(Chunk):
    """Rows of an Arrow table, whose types are kept where a table is written."""

    unit = "row"

    def __init__(self, first: int, table: tables.Table) -> None:
        self._numbers = range(first, first + table.num_rows)
        self._stream = tables.to_stream(table)

    def __len__(self) -> int:
        """Count the samples."""
        return len(self._numbers)

    @cached_property
    def records(self) -> Sequence[Record]:
        """The rows, in their order."""
        return records_of(self._table, self._numbers.start)

    def as_table(self, picked: Sequence[int], annotations: Annotations) -> tables.Table:
        """Write the picked rows, with the types that they have."""
        return tables.annotated(self._table.take(picked), [annotations.get(i) for i in picked])

    @cached_property
    def _table(self) -> tables.Table:
        return tables.read_stream(self._stream)


def records_of(table: tables.Table | tables.Batch, first: int = 1) -> list[Record]:
    """Return the rows of a table, numbered from `first` on."""
    try:
        rows = tables.rows_of(table)
    except _NO_PYTHON:
        parts = enumerate(table.slice(i, 1) for i in range(table.num_rows))
        return [_record_of_row(first + i, row) for i, row in parts]
    return [Record(number=number, sample=row) for number, row in enumerate(rows, first)]


def _record_of_row(number: int, row: tables.Table | tables.Batch) -> Record:
    try:
        [sample] = tables.rows_of(row)
    except _NO_PYTHON as error:
        fault = f"a value that Python cannot hold: {error}"
        return Record(number=number, fault=fault, raw=str(row)[:RAW_LIMIT])
    return Record(number=number, sample=sample)


def _record(number: int, given: Any) -> Record:
    if isinstance(given, Record):
        return given
    if isinstance(given, BaseModel):
        return Record(number=number, sample=given.model_dump())
    if isinstance(given, Mapping):
        return Record(number=number, sample=given)
    if not isinstance(given, (str, bytes)):
        fault = f"a sample is an object, not {type(given).__name__}"
        return Record(number=number, fault=fault, raw=_shown(given))
    try:
        text = decode(given, _LINE) if isinstance(given, bytes) else given
        sample = parse_json(text, _LINE)
    except CiteguardError as error:
        raw = given if isinstance(given, str) else given.decode("utf-8", "backslashreplace")
        fault = str(error).removeprefix(f"{_LINE}: ")
        return Record(number=number, fault=fault, raw=raw[:RAW_LIMIT])
    if not isinstance(sample, dict):
        return Record(number=number, fault="not a JSON object", raw=text[:RAW_LIMIT])
    # There are no more levels than brackets.
    if text.count("{") + text.count("[") > _DEEPEST and _is_deep(sample):
        fault = f"nested more than {_DEEPEST} levels deep"
        return Record(number=number, fault=fault, raw=text[:RAW_LIMIT])
    return Record(number=number, sample=cast("dict[str, Any]", sample))


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        level = [each for container in level for each in _contents(container)]
    return bool(level)


def _contents(container: Any) -> list[Any]:
    held: Any = container.values() if isinstance(container, dict) else container  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return [each for each in held if isinstance(each, (dict, list))]


def _shown(given: Any) -> str:
    """Return what is no sample, as JSON as far as that goes."""
    return json.dumps(given, default=lambda value: type(value).__name__)[:RAW_LIMIT]


def _annotated(record: Record, annotation: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return a sample as it is written: an object, with what became of it if that is asked for."""
    sample = dict(record.sample or {})
    return sample if annotation is None else {**sample, tables.ANNOTATION: annotation}


def _line(record: Record, annotation: Mapping[str, Any] | None) -> bytes:
    written = _annotated(record, annotation)
    try:
        return to_json(written, inf_nan_mode="null", bytes_mode="base64") + b"\n"
    except PydanticSerializationError:
        return _escaped(record, written) + b"\n"


def _escaped(record: Record, written: Mapping[str, Any]) -> bytes:
    """Write lone surrogates, which UTF-8 has not, as escapes."""
    try:
        plain = to_jsonable_python(written, inf_nan_mode="null", bytes_mode="base64")
        return json.dumps(plain, separators=(",", ":")).encode()
    except PydanticSerializationError as error:
        told = f"sample {record.number:,} cannot be written as JSON: {error}"
        raise CiteguardError(told) from error
