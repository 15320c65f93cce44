"""Consecutive samples, as they travel from a reader to a worker process: `Chunk`.

A chunk holds samples as they were read, so that reading is cheap and workers parse. It also writes
those of its samples that are selected, in their original form if possible.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, to_json, to_jsonable_python

from citeguard.datasets import arrow
from citeguard.datasets.fields import ANNOTATION
from citeguard.documents.files import decode, parse_json
from citeguard.errors import CiteguardError

RAW_LIMIT = 10_000
"""How many characters of an unreadable sample are kept."""

_LINE = "line"
# A map with a duplicate key; a date out of range.
_CONVERSION_ERRORS = (KeyError, ValueError, OverflowError)
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

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self._numbered)

    @cached_property
    def records(self) -> Sequence[Record]:
        """The samples, in their order."""
        return [_record(number, given) for number, given in self._numbered]

    def as_lines(self, selected: Iterable[int], annotations: Annotations) -> bytes:
        """Return the samples with these indexes as lines of JSON."""
        return b"".join(_line(self.records[i], annotations.get(i)) for i in selected)

    def as_table(self, selected: Sequence[int], annotations: Annotations) -> arrow.Table:
        """Return the samples with these indexes as an Arrow table."""
        return arrow.table_of([_annotated(self.records[i], annotations.get(i)) for i in selected])


class LineChunk(Chunk):
    """Lines of JSON; they are written byte for byte, with annotations at their ends."""

    unit = "line"

    def as_lines(self, selected: Iterable[int], annotations: Annotations) -> bytes:
        """Return the selected lines."""
        return b"".join(self._line(i, annotations.get(i)) for i in selected)

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
        self._numbers = range(first, first + table.num_rows)
        self._stream = arrow.to_stream(table)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self._numbers)

    @cached_property
    def records(self) -> Sequence[Record]:
        """The rows, in their order."""
        return records_of(self._table, self._numbers.start)

    def as_table(self, selected: Sequence[int], annotations: Annotations) -> arrow.Table:
        """Return the selected rows, with their types."""
        rows = self._table.take(selected)
        return arrow.annotated(rows, [annotations.get(i) for i in selected])

    @cached_property
    def _table(self) -> arrow.Table:
        return arrow.read_stream(self._stream)


def records_of(table: arrow.Table | arrow.Batch, first: int = 1) -> list[Record]:
    """Return the rows of a table, numbered from `first` on."""
    try:
        rows = arrow.rows_of(table)
    except _CONVERSION_ERRORS:
        slices = enumerate(table.slice(i, 1) for i in range(table.num_rows))
        return [_record_of_row(first + i, row) for i, row in slices]
    return [Record(number=number, sample=row) for number, row in enumerate(rows, first)]


def _record_of_row(number: int, row: arrow.Table | arrow.Batch) -> Record:
    try:
        [sample] = arrow.rows_of(row)
    except _CONVERSION_ERRORS as error:
        fault = f"a value that Python cannot represent: {error}"
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
        raw = json.dumps(given, default=lambda value: type(value).__name__)
        return Record(number=number, fault=fault, raw=raw[:RAW_LIMIT])
    try:
        text = decode(given, _LINE) if isinstance(given, bytes) else given
        sample = parse_json(text, _LINE)
    except CiteguardError as error:
        raw = given if isinstance(given, str) else given.decode("utf-8", "backslashreplace")
        fault = str(error).removeprefix(f"{_LINE}: ")
        return Record(number=number, fault=fault, raw=raw[:RAW_LIMIT])
    if not isinstance(sample, dict):
        return Record(number=number, fault="not a JSON object", raw=text[:RAW_LIMIT])
    # There are no more levels than brackets, and brackets are counted faster.
    if text.count("{") + text.count("[") > _DEEPEST and _is_deep(sample):
        fault = f"nested more than {_DEEPEST} levels deep"
        return Record(number=number, fault=fault, raw=text[:RAW_LIMIT])
    return Record(number=number, sample=cast("dict[str, Any]", sample))


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        level = [each for container in level for each in _containers_in(container)]
    return bool(level)


def _containers_in(container: Any) -> list[Any]:
    held: Any = container.values() if isinstance(container, dict) else container  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return [each for each in held if isinstance(each, (dict, list))]


def _annotated(record: Record, annotation: Mapping[str, Any] | None) -> dict[str, Any]:
    sample = dict(record.sample or {})
    return sample if annotation is None else {**sample, ANNOTATION: annotation}


def _line(record: Record, annotation: Mapping[str, Any] | None) -> bytes:
    sample = _annotated(record, annotation)
    try:
        return to_json(sample, inf_nan_mode="null", bytes_mode="base64") + b"\n"
    except PydanticSerializationError:
        return _escaped(record.number, sample) + b"\n"


def _escaped(number: int, sample: Mapping[str, Any]) -> bytes:
    """Return a sample as JSON with lone surrogates, which UTF-8 cannot encode, as escapes."""
    try:
        plain = to_jsonable_python(sample, inf_nan_mode="null", bytes_mode="base64")
        return json.dumps(plain, separators=(",", ":")).encode()
    except PydanticSerializationError as error:
        raise CiteguardError(f"sample {number:,} cannot be written as JSON: {error}") from error
