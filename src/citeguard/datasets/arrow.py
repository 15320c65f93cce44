"""Arrow tables: how frames, datasets and Parquet files are read and written."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
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
_AS_LINES = "; write JSON lines instead"


def pyarrow() -> Any:
    """Return the package `pyarrow`, or raise an error that names the extra."""
    with optional_packages("tables and Parquet files"):
        import pyarrow  # pyright: ignore[reportMissingTypeStubs]

        return pyarrow


@contextmanager
def arrow_errors(message: str, hint: str = "") -> Generator[None]:
    """Turn errors of pyarrow into errors that start with a message and end with a hint."""
    try:
        yield
    except (pyarrow().ArrowException, OverflowError, TypeError, ValueError) as error:
        raise CiteguardError(f"{message}: {error}{hint}") from error


@cache
def annotation_type() -> Any:
    """Return the type of the column of annotations."""
    pa = pyarrow()
    text = pa.string()
    problem = {"code": text, "message": text, "path": text, "score": pa.float64()}
    problems = pa.list_(pa.struct([*problem.items()]))
    kept = {"outcome": text, "number": pa.int64(), "problems": problems, "raw": text}
    return pa.struct([*kept.items()])


def annotated(table: Table, annotations: Sequence[Mapping[str, Any] | None]) -> Table:
    """Return a table with the annotations as its last column, or unchanged if there are none."""
    if not any(annotations):
        return table
    if ANNOTATION in table.column_names:
        table = table.drop_columns([ANNOTATION])
    return table.append_column(ANNOTATION, pyarrow().array(annotations, type=annotation_type()))


def rows_of(table: Table) -> list[dict[str, Any]]:
    """Return the rows of a table as Python values; maps, as Spark writes them, become dicts.

    A duplicate key of a map is a `KeyError`.
    """
    # Only where there are maps: with this option, pyarrow is slower.
    has_maps = any("map<" in str(column) for column in table.schema.types)
    return table.to_pylist(maps_as_pydicts="strict") if has_maps else table.to_pylist()


def table_of(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return rows as a table; a key that a row lacks is null there."""
    columns: dict[str, Any] = {}
    for name in dict.fromkeys(chain.from_iterable(rows)):
        with arrow_errors(f"column {name!r} has values that a table cannot hold", _AS_LINES):
            given = annotation_type() if name == ANNOTATION else None
            columns[str(name)] = pyarrow().array([row.get(name) for row in rows], type=given)
    return pyarrow().table(columns)


def to_stream(table: Table) -> bytes:
    """Return a table as an Arrow stream, without the rest of what it may be a slice of."""
    sink, message = BytesIO(), "the samples cannot be written as a table"
    with arrow_errors(message, _AS_LINES), pyarrow().ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def rebatched(batches: Iterable[Batch], size: int) -> Iterator[Table]:
    """Yield the rows of batches as tables of `size` rows; the last may be shorter."""
    rest: Any = None
    for batch in batches:
        table = pyarrow().Table.from_batches([batch])
        if rest is not None:
            with arrow_errors("a column has values of several types"):
                table = pyarrow().concat_tables([rest, table], promote_options="permissive")
        whole = table.num_rows - table.num_rows % size
        yield from (table.slice(start, size) for start in range(0, whole, size))
        rest = table.slice(whole)
    if rest is not None and rest.num_rows:
        yield rest


def write_parquet(streams: Path, to: Path) -> None:
    """Convert a file of concatenated Arrow streams to a Parquet file, in constant memory.

    The same streams give the same bytes.
    """
    pa = pyarrow()
    from pyarrow.parquet import ParquetWriter  # pyright: ignore[reportMissingTypeStubs]

    def tables() -> Iterator[Table]:
        with streams.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            while file.tell() < size:
                yield pa.ipc.open_stream(file).read_all()

    # Read twice: what types the columns have is known only when all has been read.
    schema: Any = None
    for table in tables():
        # The metadata of the first one is kept, such as the features of Hugging Face.
        schemas = [table.schema if schema is None else schema, table.schema]
        with arrow_errors(f"{streams}: a column has values of several types", _AS_LINES):
            schema = pa.unify_schemas(schemas, promote_options="permissive")
    schema = pa.schema([]) if schema is None else schema

    def batches() -> Iterator[Batch]:
        for table in tables():
            for field in schema:
                if field.name not in table.column_names:
                    table = table.append_column(field, pa.nulls(table.num_rows, field.type))
            yield from table.select(schema.names).cast(schema).to_batches()

    with cast("Any", ParquetWriter(to, schema)) as writer:
        for table in rebatched(batches(), _ROWS_PER_GROUP):
            writer.write_table(table, row_group_size=_ROWS_PER_GROUP)
