"""Measure `GroundingVerifier` on data sets that it was not trained on.

    python -m tests.benchmarks.grounding DATA_FOLDER [--cosine MODEL_FOLDER] [--entailment FOLDER]

With `--entailment`, what an exported entailment model says becomes features of the trees.
Trains as many models as there are data sets, each without one of them.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from citeguard.entailment.onnx import OnnxModel
from citeguard.judges.entailment import PairScores

from .baselines import Cosine
from .speed import speed_table
from .tables import curve_table, held_out_table, polarity_table
from .training import held_out, material
from .written import written_tables


def main(arguments: list[str] | None = None) -> int:
    """Write the tables to standard output."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.grounding")
    parser.add_argument("data", type=Path, help="folder with the *.jsonl.gz data sets")
    parser.add_argument(
        "--cosine", type=Path, help="folder of a SentenceTransformer to compare with"
    )
    parser.add_argument("--entailment", type=Path, help="folder of an exported entailment model")
    options = parser.parse_args(arguments)
    entails = None if options.entailment is None else PairScores(OnnxModel(options.entailment))
    measured = material(options.data, entails)
    scores = held_out(measured)
    cosine = None if options.cosine is None else Cosine(options.cosine)
    lines = [
        *held_out_table(measured, scores, cosine),
        *curve_table(measured, scores),
        *polarity_table(measured.kept),
        *written_tables(),
        *speed_table(measured.items["wice"]),
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
