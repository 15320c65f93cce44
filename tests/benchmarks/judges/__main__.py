"""Run the benchmark of judges.

    python -m tests.benchmarks.judges [--runs N]

Prints a Markdown table; a figure that misses its aim is bold.
"""

import argparse
import sys
from pathlib import Path

# The scripted server and the other benchmarks are imported as pytest finds them.
sys.path.insert(0, str(Path(__file__).parents[2]))

from ..tables import write
from .waiting import way_lines

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.judges", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="how often each way runs")
    write(way_lines(parser.parse_args().runs))
