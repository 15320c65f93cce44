"""Train the model of `GroundingVerifier`, and write the file that the package ships.

    python -m tests.benchmarks.grounding.train DATA_FOLDER [--out FILE]

Seeded: the same data and the same versions of numpy and LightGBM give the same file.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import citeguard.verifier.model as model_module

from .training import calibrate, held_out, material, shipped

SHIPPED = Path(model_module.__file__).with_name(model_module.FILE)


def main(arguments: list[str] | None = None) -> int:
    """Train on everything, calibrate on what was held out, and write the file."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.grounding.train")
    parser.add_argument("data", type=Path, help="folder with the *.jsonl.gz data sets")
    parser.add_argument("--out", type=Path, default=SHIPPED, help="where to write the model")
    options = parser.parse_args(arguments)
    measured = material(options.data)
    calibration = calibrate(measured, held_out(measured))
    options.out.write_bytes(shipped(measured, calibration))
    sys.stdout.write(f"{calibration}\n{options.out}: {options.out.stat().st_size} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
