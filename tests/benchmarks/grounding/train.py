"""Train the model of `GroundingVerifier`, and write the file that the package ships.

    python -m tests.benchmarks.grounding.train DATA_FOLDER [--entailed] [--out FILE]

With `--entailed` it is the model that also weighs what the entailment model says. Seeded: the same data and the same versions of numpy and LightGBM give the same file.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import citeguard.verifier.model as model_module
from citeguard.entailment.onnx import shipped_weights
from citeguard.judges.entailment import PairScores

from .training import calibrate, held_out, material, shipped

_FOLDER = Path(model_module.__file__).parent


def main(arguments: list[str] | None = None) -> int:
    """Train on everything, calibrate on what was held out, and write the file."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.grounding.train")
    parser.add_argument("data", type=Path, help="folder with the *.jsonl.gz data sets")
    parser.add_argument("--entailed", action="store_true", help="with the entailment model")
    parser.add_argument("--out", type=Path, help="where to write the model")
    options = parser.parse_args(arguments)
    weights = shipped_weights(required=options.entailed)
    measured = material(options.data, None if weights is None else PairScores(weights))
    calibration = calibrate(measured, held_out(measured))
    name = model_module.ENTAILED_FILE if options.entailed else model_module.FILE
    out = options.out or _FOLDER / name
    out.write_bytes(shipped(measured, calibration))
    sys.stdout.write(f"{calibration}\n{out}: {out.stat().st_size} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
