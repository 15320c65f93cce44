"""Run the adversarial-quotes benchmark.

    python -m tests.benchmarks.adversarial DATA_FOLDER [--limit N] [--only CATEGORY]
        [--show CATEGORY] [--json OUT] [--peers [--sample N]]

Without --show or --peers it prints citeguard's errors by category.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from .everything import all_cases
from .report import as_json, failures, table
from .verdicts import citeguard_checker, outcomes


def main(arguments: list[str] | None = None) -> int:
    """Make the cases, check them, and write the report to standard output."""
    options = _parser().parse_args(arguments)
    cases = [
        c for c in all_cases(options.data, options.limit) if c.category.startswith(options.only)
    ]
    if options.peers:
        from .peers import markdown_table

        sys.stdout.write(markdown_table(cases, options.sample) + "\n")
        return 0
    found = list(outcomes(cases, citeguard_checker()))
    if options.json:
        options.json.write_text(json.dumps(as_json(found), indent=1, ensure_ascii=False), "utf-8")
    sys.stdout.write((failures(found, options.show) if options.show else table(found)) + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.adversarial", description=__doc__
    )
    parser.add_argument("data", type=Path, help="folder with the *.jsonl.gz data sets")
    parser.add_argument("--limit", type=int, default=60, help="most cases in a category")
    parser.add_argument("--only", default="", help="only categories whose name begins so")
    parser.add_argument("--peers", action="store_true", help="run the peers on the same cases")
    parser.add_argument("--sample", type=int, default=6, help="cases in a category for slow peers")
    parser.add_argument("--json", type=Path, help="write summaries and failing cases here")
    parser.add_argument("--show", help="print failing cases of categories whose name begins so")
    return parser


if __name__ == "__main__":
    sys.exit(main())
