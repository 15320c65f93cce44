"""Honest probabilities: the temperature of a trained entailment model."""

# The types of torch and of what builds on it are partly unknown.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from scipy.optimize import minimize_scalar
from torch import Tensor, nn

from citeguard.training.encoders import label_order, last_layer, load_encoder
from citeguard.training.entailment import RECORD, partial_losses
from citeguard.training.pairs import EntailmentPair, fingerprint, numbered, read_given

_MOST = math.log(20)  # a temperature beyond 20, or below its inverse, says that nothing was learnt


def calibrate_entailment(
    model: str | os.PathLike[str], pairs: Iterable[EntailmentPair], *, batch_size: int = 48
) -> float:
    """Divide a model's logits by the temperature with which its probabilities fit pairs best.

    So that of the pairs with a probability of 0.8, about 80 % are entailed. It changes no order of
    two pairs with two outputs, and few with three. The temperature minimizes the loss of training
    (Guo et al., 2017, "On Calibration of Modern Neural Networks", section 4.2), is folded into the
    weights of the last layer, in the folder, and added to its `training.json`. Once calibrated, a
    model has a temperature of 1.

    Use pairs like those to come, that the model was not trained on: it is surer of those.

    Args:
        model: The folder of a cross-encoder with the outputs entailment, neutral and contradiction,
            such as `train_entailment` writes; it is overwritten.
        pairs: A few hundred or more.
        batch_size: How many the model reads at once.

    Returns:
        The temperature: above 1 if the model was too sure, below 1 if not sure enough.

    Raises:
        CiteguardError: No pairs, something that is no pair, or no such model.
    """
    rows = read_given("calibrate_entailment", pairs)
    encoder = load_encoder(model)
    order = label_order(encoder)
    logits: Any = encoder.predict(
        [(row.premise, row.hypothesis) for row in rows],
        batch_size=batch_size,
        activation_fn=nn.Identity(),
        convert_to_tensor=True,
        show_progress_bar=False,
    )
    columns: Tensor = logits[:, order].double().cpu()
    labels = torch.tensor(numbered(rows))

    def loss(logarithm: float) -> float:
        return float(partial_losses(columns / math.exp(logarithm), labels).mean())

    found: Any = minimize_scalar(loss, bounds=(-_MOST, _MOST), method="bounded")
    temperature = math.exp(found.x)
    layer = last_layer(encoder)
    with torch.no_grad():
        for weights in (layer.weight, layer.bias):
            weights /= temperature
    encoder.save_pretrained(os.fspath(model), create_model_card=False)
    _record(Path(model) / RECORD, rows, temperature)
    return temperature


def _record(file: Path, rows: list[EntailmentPair], temperature: float) -> None:
    written: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    calibration = {"pairs": len(rows), "sha256": fingerprint(rows), "temperature": temperature}
    file.write_text(json.dumps({**written, "calibration": calibration}, indent=1) + "\n", "utf-8")
