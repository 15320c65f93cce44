"""Arrow streams, one after the other in a file, made into a Parquet file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from citeguard.datasets import tables
from citeguard.errors import CiteguardError

_ROWS_OF_GROUP = 8_192


def write_parquet(partial: Path, whole: Path) -> None:
    """Write what a file of Arrow streams holds into a Parquet file, in constant memory.

    The same streams give the same bytes.

    Raises:
        CiteguardError: a column has values of several types.
        OSError: the file cannot be written.
    """
    tables.arrow()
    from pyarrow.parquet import ParquetWriter  # pyright: ignore[reportMissingTypeStubs]

    schema = _schema_of(partial)
    batches = (
        batch for table in _tables_in(partial) for batch in _cast(table, schema).to_batches()
    )
    writer = cast("Any", ParquetWriter(whole, schema))
    with writer:
        for table in tables.of_size(batches, _ROWS_OF_GROUP):
            writer.write_table(table, row_group_size=_ROWS_OF_GROUP)


def _schema_of(partial: Path) -> Any:
    """Return a schema that all streams fit, in one pass."""
    pa = tables.arrow()
    schema: Any = None
    for table in _tables_in(partial):
        # The first one's metadata stay, such as the features of Hugging Face.
        schemas = [table.schema] if schema is None else [schema, table.schema]
        try:
            schema = pa.unify_schemas(schemas, promote_options="permissive")
        except pa.ArrowException as error:
            told = f"{partial}: a column has values of several types: {error}; write JSON lines"
            raise CiteguardError(told) from error
    return pa.schema([]) if schema is None else schema


def _tables_in(partial: Path) -> Iterator[tables.Table]:
    pa = tables.arrow()
    with partial.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        while file.tell() < size:
            yield pa.ipc.open_stream(file).read_all()


def _cast(table: tables.Table, schema: Any) -> tables.Table:
    """Return a table with all columns of a schema; those it has not are null."""
    pa = tables.arrow()
    missing = [field for field in schema if field.name not in table.column_names]
    for field in missing:
        table = table.append_column(field, pa.nulls(table.num_rows, field.type))
    return table.select(schema.names).cast(schema)
