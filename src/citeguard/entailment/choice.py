"""The entailment model that a user names: `entailment_model`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from citeguard.entailment.cross_encoder import CrossEncoderModel, EntailmentModel
from citeguard.entailment.onnx import OnnxModel, is_onnx
from citeguard.errors import CiteguardError, described
from citeguard.retrieval.models import is_instance, is_of_package


def entailment_model(
    model: Any, *, labels: Sequence[str] | None = None, batch_size: int = 32
) -> EntailmentModel:
    """Return the entailment model that an argument stands for; loads nothing.

    Args:
        model: The name or folder of a cross-encoder, a folder that `export_onnx` wrote, a
            `CrossEncoder`, or an `EntailmentModel`.
        labels: The labels of a cross-encoder, as for `CrossEncoderModel`.
        batch_size: How many pairs a cross-encoder reads at once.

    Raises:
        CiteguardError: It stands for none, or labels are given for what is no cross-encoder.
    """
    named = _named(model)
    chosen: Any = model
    if named is not None and is_onnx(Path(named)):
        chosen = OnnxModel(named)
    elif named is not None or is_instance(model, "CrossEncoder"):
        return CrossEncoderModel(model, labels=labels, batch_size=batch_size)
    elif isinstance(model, type) or not callable(model) or is_of_package(model):
        raise CiteguardError(
            "Entailment(model): expected the name or folder of a cross-encoder, a CrossEncoder, or "
            f"a function of pairs that returns an array, got {described(model)}"
        )
    if labels is not None:
        raise CiteguardError(
            "labels= is for cross-encoders; an exported model has its own, and your own function "
            "returns entailment, neutral and contradiction, in this order"
        )
    return chosen


def _named(model: Any) -> str | None:
    return os.fspath(model) if isinstance(model, (str, os.PathLike)) else None  # pyright: ignore[reportUnknownArgumentType]
