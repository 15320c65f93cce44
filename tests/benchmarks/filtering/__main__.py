"""Measure how quickly datasets are filtered, with one process and several, in how much memory.

    python -m tests.benchmarks.filtering DATA_FOLDER

Prints Markdown tables; a million samples take a quarter of an hour.
"""

from itertools import chain

from ..tables import command, write
from .material import samples
from .memory import memory_lines
from .rates import rate_lines, worker_lines

if __name__ == "__main__":
    sets = samples(command("filtering", __doc__).parse_args().data)
    write(chain(rate_lines(sets), worker_lines(sets), memory_lines([*chain(*sets.values())])))
