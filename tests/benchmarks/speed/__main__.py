"""Run the speed benchmark.

    python -m tests.benchmarks.speed DATA_FOLDER

Prints one Markdown table.
"""

from collections.abc import Iterator
from dataclasses import astuple

from ..tables import command, table, write
from . import importing, searching, validating
from .texts import Prose


def _rows(prose: Prose) -> Iterator[tuple[str, ...]]:
    yield from map(astuple, searching.verbatim_rows(prose))
    yield from map(astuple, searching.rapidfuzz_rows(prose))
    yield from map(astuple, validating.rows(prose))
    yield from map(astuple, importing.rows())
    yield from map(astuple, searching.edlib_rows(prose))  # last: it needs an extra


if __name__ == "__main__":
    options = command("speed", __doc__).parse_args()
    columns = ("case", "citeguard", "peer", "peer's time", "ratio")
    write(table("Speed", columns, _rows(Prose(options.data))))
