"""Run the benchmark of filtering.

    python -m tests.benchmarks.filtering DATA_FOLDER [--only PART] [--most NUMBER]

Prints Markdown tables. The part `memory` takes a quarter of an hour with a million samples.
"""

from collections.abc import Callable, Iterator
from itertools import chain

from ..tables import command, write
from .material import samples
from .memory import memory_lines
from .rates import Samples, rate_lines, worker_lines

_PARTS: dict[str, Callable[[Samples, int], Iterator[str]]] = {
    "rate": lambda sets, most: rate_lines(sets),
    "workers": lambda sets, most: worker_lines(sets),
    "memory": lambda sets, most: memory_lines([*chain(*sets.values())], most),
}

if __name__ == "__main__":
    parser = command("filtering", __doc__)
    parser.add_argument("--only", choices=_PARTS, nargs="+", default=[*_PARTS], help="run these")
    parser.add_argument("--most", type=int, default=1_000_000, help="the most samples for memory")
    options = parser.parse_args()
    sets = samples(options.data)
    for part in options.only:
        write(_PARTS[part](sets, options.most))
