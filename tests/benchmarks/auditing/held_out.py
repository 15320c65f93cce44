"""The verifier's model, fitted without a data set: what to expect of texts of a new kind."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from citeguard.verifier.model import Model, read_model

from ..grounding.fitting import Floats
from ..grounding.training import Material, calibrate, held_out, material, shipped

TRAINED_AS = {"ragtruth": "ragtruth_sent"}
"""Data sets that were trained on under another name, cut into sentences."""


def models_without(folder: Path, names: Iterable[str]) -> dict[str, Model]:
    """Return for each data set a model that was fitted, calibrated too, without it."""
    known, scores = measured(folder)
    models: dict[str, Model] = {}
    for name in names:
        left_out = TRAINED_AS.get(name, name)
        calibration = calibrate(known, scores, without=left_out)
        packed = shipped(known, calibration, without=left_out)
        models[name] = read_model(json.loads(gzip.decompress(packed)))
    return models


@cache
def measured(folder: Path) -> tuple[Material, Mapping[str, Floats]]:
    """Return the data, measured once, and the held-out raw scores of each data set."""
    known = material(folder)
    return known, held_out(known)
