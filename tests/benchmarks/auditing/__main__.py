"""How often alignment objects to true and to false statements: a table for each set.

    python -m tests.benchmarks.auditing DATA_FOLDER

A statement is compared with the sentence of its evidence that shares most of its words.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from citeguard.facts.aligned import differences
from citeguard.reader.windows import windows

from ..data import rows

SETS = ("nli_breaking", "fever_symmetric", "wice", "fm2", "attributionbench")


def nearest(folder: Path, name: str) -> Iterator[tuple[str, str, str]]:
    """Yield (statement, nearest sentence of its evidence, label)."""
    for row in rows(folder / f"{name}.jsonl.gz"):
        texts = [each["text"] for each in row["context"]]
        if found := windows(row["statement"], texts):
            yield row["statement"], found[-1].text, row["label"]


def main() -> None:
    """Print, for each set and label, how many statements differ in a fact."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    sys.stdout.write("| set | label | statements | objected to |\n|---|---|--:|--:|\n")
    for name in SETS:
        counts: dict[str, list[bool]] = defaultdict(list)
        for statement, sentence, label in nearest(folder, name):
            counts[label].append(bool(differences(statement, sentence)))
        for label, found in sorted(counts.items()):
            share = 100 * sum(found) / len(found)
            sys.stdout.write(f"| {name} | {label} | {len(found):,} | {share:.1f} % |\n")


if __name__ == "__main__":
    main()
