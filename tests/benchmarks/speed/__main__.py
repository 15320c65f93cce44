"""Run the speed benchmark.

    python -m tests.benchmarks.speed [DATA_FOLDER] [--only PART]

Prints one Markdown table. edlib comes with the extra `benchmarks`; without it, a line says so.
"""

from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec

from ..tables import aimed, command, table, write
from . import importing, searching, validating
from .texts import Prose
from .timing import Row

_PARTS: dict[str, Callable[[Prose], Iterable[Row]]] = {
    "verbatim": searching.verbatim_rows,
    "rapidfuzz": searching.rapidfuzz_rows,
    "edlib": searching.edlib_rows,
    "validating": validating.rows,
    "importing": lambda _: importing.rows(),
}


def _rows(parts: Iterable[str], prose: Prose) -> Iterator[tuple[str, ...]]:
    for part in parts:
        if part == "edlib" and find_spec("edlib") is None:
            yield ("edlib: not installed; install the extra `benchmarks`", *[""] * 6)
            continue
        for row in _PARTS[part](prose):
            met = aimed(row.met, "yes" if row.met else "no")
            yield (row.case, row.ours, row.peer, row.theirs, row.ratio, row.aim, met)


if __name__ == "__main__":
    parser = command("speed", __doc__, nargs="?")
    parser.add_argument("--only", choices=_PARTS, nargs="+", default=[*_PARTS], help="run these")
    options = parser.parse_args()
    columns = ("case", "citeguard", "peer", "peer's time", "ratio", "aim", "met")
    write(table("Speed", columns, _rows(options.only, Prose(options.data))))
