"""Consecutive samples, as they travel from a reader to a worker process: `Chunk`.

A chunk holds samples as they were read, so that reading is cheap and workers parse. It also writes
those of its samples that are selected, in their original form if possible.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, to_json, to_jsonable_python

from citeguard.datasets import arrow
from citeguard.datasets.fields import ANNOTATION
from citeguard.documents.files import decode, parse_json
from citeguard.errors import CiteguardError

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
        fault = None if isinstance(sample, dict) else "not a JSON object"
        # There are no more levels than brackets, and brackets are counted faster.
        if fault is None and raw.count("{") + raw.count("[") > _DEEPEST and _is_deep(sample):
            fault = f"nested more than {_DEEPEST} levels deep"
    except CiteguardError as error:
        sample, fault = None, str(error).removeprefix(f"{_LINE}: ")
    if fault is not None:
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
    try:
        return to_json(sample, inf_nan_mode="null", bytes_mode="base64") + b"\n"
    except PydanticSerializationError:
        pass  # a lone surrogate, which UTF-8 cannot encode, is written as its escape
    try:
        plain = to_jsonable_python(sample, inf_nan_mode="null", bytes_mode="base64")
    except PydanticSerializationError as error:
        message = f"sample {record.number:,} cannot be written as JSON: {error}"
        raise CiteguardError(message) from error
    return json.dumps(plain, separators=(",", ":")).encode() + b"\n"
