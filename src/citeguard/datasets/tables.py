"""Arrow tables: how frames, datasets and Parquet files are read and written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from io import BytesIO
from itertools import chain
from typing import Any, TypeAlias

from citeguard.errors import CiteguardError, optional_packages

# pyarrow comes without types of its own.
Table: TypeAlias = Any
"""A `pyarrow.Table`."""
Batch: TypeAlias = Any
"""A `pyarrow.RecordBatch`."""

ANNOTATION = "citeguard"
"""The key, or column, that says what became of a sample."""


def arrow() -> Any:
    """Return the package `pyarrow`.

    Raises:
        CiteguardError: it is not installed; the message names the extra.
    """
    with optional_packages("tables and Parquet files"):
        import pyarrow  # pyright: ignore[reportMissingTypeStubs]

        return pyarrow


@cache
def annotation_type() -> Any:
    """Return the type of the column that says what became of a sample."""
    pa = arrow()
    problem = [
        ("code", pa.string()),
        ("message", pa.string()),
        ("path", pa.string()),
        ("score", pa.float64()),
    ]
    facts = [
        ("outcome", pa.string()),
        ("number", pa.int64()),
        ("problems", pa.list_(pa.struct(problem))),
        ("raw", pa.string()),
    ]
    return pa.struct(facts)


def annotated(table: Table, annotations: Sequence[Mapping[str, Any] | None]) -> Table:
    """Return a table with the annotations as its last column; the same one if there are none."""
    if not any(annotations):
        return table
    column = arrow().array(annotations, type=annotation_type())
    if ANNOTATION in table.column_names:
        table = table.drop_columns([ANNOTATION])
    return table.append_column(ANNOTATION, column)


def rows_of(table: Table | Batch) -> list[dict[str, Any]]:
    """Return the rows of a table as Python's own values; maps, as Spark writes them, are dicts.

    Raises:
        KeyError: a map has a key twice.
    """
    # Only where there are maps: with this option, pyarrow is slower.
    has_maps = any("map<" in str(column) for column in table.schema.types)
    return table.to_pylist(maps_as_pydicts="strict") if has_maps else table.to_pylist()


def of_rows(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return rows as a table; a row without a key has null there.

    Raises:
        CiteguardError: a column would hold values of several types.
    """
    names = dict.fromkeys(chain.from_iterable(rows))
    columns = {str(name): _column(name, [row.get(name) for row in rows]) for name in names}
    return arrow().table(columns)


def _column(name: str, values: Sequence[Any]) -> Any:
    pa = arrow()
    try:
        return pa.array(values, type=annotation_type() if name == ANNOTATION else None)
    except (pa.ArrowException, OverflowError, UnicodeEncodeError) as error:
        told = f"column {name!r} holds what a table cannot: {error}; write JSON lines instead"
        raise CiteguardError(told) from error


def to_stream(table: Table) -> bytes:
    """Return a table as an Arrow stream, with nothing of what it may be a slice of.

    Raises:
        CiteguardError: it is nested too deeply.
    """
    pa = arrow()
    sink = BytesIO()
    try:
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
    except pa.ArrowException as error:
        told = f"the samples cannot be a table: {error}; write JSON lines instead"
        raise CiteguardError(told) from error
    return sink.getvalue()


def read_stream(stream: bytes) -> Table:
    """Return the table that a stream holds."""
    return arrow().ipc.open_stream(stream).read_all()


def of_size(batches: Iterable[Batch], size: int) -> Iterator[Table]:
    """Cut batches, however long they are, into tables of `size` rows; the last may be shorter.

    Raises:
        CiteguardError: a column has values of several types.
    """
    waiting: list[Any] = []
    rows = 0
    for batch in batches:
        waiting.append(batch)
        rows += batch.num_rows
        if rows >= size:
            table = _joined(waiting)
            whole = rows - rows % size
            yield from (table.slice(start, size) for start in range(0, whole, size))
            waiting = table.slice(whole).to_batches()
            rows -= whole
    if rows:
        yield _joined(waiting)


def _joined(batches: Sequence[Batch]) -> Table:
    """Return batches as one table; a column that only some have is null in the others."""
    pa = arrow()
    parts = [pa.Table.from_batches([batch]) for batch in batches]
    try:
        return pa.concat_tables(parts, promote_options="permissive")
    except pa.ArrowException as error:
        raise CiteguardError(f"a column has values of several types: {error}") from error
