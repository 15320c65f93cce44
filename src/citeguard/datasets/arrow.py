"""Arrow tables: how frames, datasets and Parquet files are read and written."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias, cast

from citeguard.datasets.fields import ANNOTATION
from citeguard.errors import CiteguardError, optional_packages

# pyarrow ships no types.
Table: TypeAlias = Any
"""A `pyarrow.Table`."""
Batch: TypeAlias = Any
"""A `pyarrow.RecordBatch`."""

_ROWS_PER_GROUP = 8_192  # which are held in memory until their group is written


def pyarrow() -> Any:
    """Return the package `pyarrow`.

    Raises:
        CiteguardError: it is not installed; the message names the extra.
    """
    with optional_packages("tables and Parquet files"):
        import pyarrow  # pyright: ignore[reportMissingTypeStubs]

        return pyarrow


@cache
def annotation_type() -> Any:
    """Return the type of the column of annotations."""
    pa = pyarrow()
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
    """Return a table with the annotations as its last column, or unchanged if there are none."""
    if not any(annotations):
        return table
    column = pyarrow().array(annotations, type=annotation_type())
    if ANNOTATION in table.column_names:
        table = table.drop_columns([ANNOTATION])
    return table.append_column(ANNOTATION, column)


def rows_of(table: Table | Batch) -> list[dict[str, Any]]:
    """Return the rows of a table as Python values; maps, as Spark writes them, become dicts.

    Raises:
        KeyError: a map has a duplicate key.
    """
    # Only where there are maps: with this option, pyarrow is slower.
    has_maps = any("map<" in str(column) for column in table.schema.types)
    return table.to_pylist(maps_as_pydicts="strict") if has_maps else table.to_pylist()


def table_of(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return rows as a table; a key that a row lacks is null there.

    Raises:
        CiteguardError: a column would hold values of several types.
    """
    names = dict.fromkeys(chain.from_iterable(rows))
    columns = {str(name): _column(name, [row.get(name) for row in rows]) for name in names}
    return pyarrow().table(columns)


def _column(name: str, values: Sequence[Any]) -> Any:
    pa = pyarrow()
    try:
        return pa.array(values, type=annotation_type() if name == ANNOTATION else None)
    except (pa.ArrowException, OverflowError, UnicodeEncodeError) as error:
        message = f"column {name!r} has values that a table cannot hold: {error}"
        raise CiteguardError(f"{message}; write JSON lines instead") from error


def to_stream(table: Table) -> bytes:
    """Return a table as an Arrow stream, without the rest of what it may be a slice of.

    Raises:
        CiteguardError: it is nested too deeply.
    """
    pa = pyarrow()
    sink = BytesIO()
    try:
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
    except pa.ArrowException as error:
        message = f"the samples cannot be written as a table: {error}; write JSON lines instead"
        raise CiteguardError(message) from error
    return sink.getvalue()


def read_stream(stream: bytes) -> Table:
    """Return the table in an Arrow stream."""
    return pyarrow().ipc.open_stream(stream).read_all()


def rebatched(batches: Iterable[Batch], size: int) -> Iterator[Table]:
    """Yield the rows of batches as tables of `size` rows; the last may be shorter.

    Raises:
        CiteguardError: a column has values of several types.
    """
    waiting: list[Any] = []
    rows = 0
    for batch in batches:
        waiting.append(batch)
        rows += batch.num_rows
        if rows >= size:
            table = _concatenated(waiting)
            whole = rows - rows % size
            yield from (table.slice(start, size) for start in range(0, whole, size))
            waiting = table.slice(whole).to_batches()
            rows -= whole
    if rows:
        yield _concatenated(waiting)


def _concatenated(batches: Sequence[Batch]) -> Table:
    pa = pyarrow()
    parts = [pa.Table.from_batches([batch]) for batch in batches]
    try:
        return pa.concat_tables(parts, promote_options="permissive")
    except pa.ArrowException as error:
        raise CiteguardError(f"a column has values of several types: {error}") from error


def write_parquet(streams: Path, to: Path) -> None:
    """Convert a file of concatenated Arrow streams to a Parquet file, in constant memory.

    The same streams give the same bytes.

    Raises:
        CiteguardError: a column has values of several types.
        OSError: the file cannot be written.
    """
    pyarrow()
    from pyarrow.parquet import ParquetWriter  # pyright: ignore[reportMissingTypeStubs]

    schema = _common_schema(streams)
    batches = (
        batch for table in _tables_in(streams) for batch in _cast(table, schema).to_batches()
    )
    with cast("Any", ParquetWriter(to, schema)) as writer:
        for table in rebatched(batches, _ROWS_PER_GROUP):
            writer.write_table(table, row_group_size=_ROWS_PER_GROUP)


def _common_schema(streams: Path) -> Any:
    pa = pyarrow()
    schema: Any = None
    for table in _tables_in(streams):
        # The metadata of the first one is kept, such as the features of Hugging Face.
        schemas = [table.schema] if schema is None else [schema, table.schema]
        try:
            schema = pa.unify_schemas(schemas, promote_options="permissive")
        except pa.ArrowException as error:
            message = f"{streams}: a column has values of several types: {error}; write JSON lines"
            raise CiteguardError(message) from error
    return pa.schema([]) if schema is None else schema


def _tables_in(streams: Path) -> Iterator[Table]:
    pa = pyarrow()
    with streams.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        while file.tell() < size:
            yield pa.ipc.open_stream(file).read_all()


def _cast(table: Table, schema: Any) -> Table:
    """Return a table with all columns of a schema; those that it lacks are null."""
    pa = pyarrow()
    for field in schema:
        if field.name not in table.column_names:
            table = table.append_column(field, pa.nulls(table.num_rows, field.type))
    return table.select(schema.names).cast(schema)
