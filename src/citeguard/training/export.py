"""Export of a trained entailment model to ONNX, in whole numbers of eight bits: `export_onnx`."""

# The types of torch and of what builds on it are partly unknown.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import json
import os
import shutil
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from sentence_transformers import CrossEncoder
from torch import Tensor, nn

from citeguard.entailment.onnx import (
    CONFIGURATION,
    INPUTS,
    LABELS,
    MODEL,
    SETTINGS,
    TOKENIZER,
    is_onnx,
)
from citeguard.errors import CiteguardError
from citeguard.training.encoders import labels_of, load_encoder


class _Logits(nn.Module):
    """A classifier that takes and gives tensors alone, as ONNX needs it."""

    def __init__(self, classifier: nn.Module, names: list[str]) -> None:
        super().__init__()
        self.classifier = classifier
        self.names = names

    def forward(self, *given: Tensor) -> Tensor:
        return self.classifier(**dict(zip(self.names, given, strict=True))).logits


def export_onnx(model: str | os.PathLike[str], output: str | os.PathLike[str]) -> Path:
    """Write a cross-encoder as `model.onnx` and `tokenizer.json`, a folder that `Entailment` loads.

    Weights and activations become whole numbers: the file has a quarter of the size, a processor
    needs about half the time, and probabilities differ by about a hundredth. `train_entailment` can
    go on from the folder, with the weights as they are there.

    Args:
        model: The name or folder of a cross-encoder with the outputs of an entailment model.
        output: The folder to write to; it is made if there is none.

    Returns:
        The folder.

    Raises:
        CiteguardError: The model cannot be loaded, its outputs have no meaning, or it is exported
            already.
    """
    folder = Path(output)
    if is_onnx(Path(model)):
        raise CiteguardError(f"{os.fspath(model)} is in the ONNX format already")
    encoder = load_encoder(model, device="cpu")
    labels = labels_of(encoder)
    configuration: Any = encoder.config
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch:
        whole = Path(scratch, "whole.onnx")
        _trace(encoder, whole)
        exported = onnx.load(whole)
        kept: dict[str, Any] = {
            name: str(each) for name, each in encoder.tokenizer.special_tokens_map.items()
        }
        for name in ("model_max_length", "model_input_names"):
            kept[name] = getattr(encoder.tokenizer, name)
        onnx.helper.set_model_props(
            exported,
            {
                LABELS: " ".join(labels),
                CONFIGURATION: json.dumps(configuration.to_diff_dict()),
                SETTINGS: json.dumps(kept),
                "onnx.quant.pre_process": "onnxruntime.quant",  # else it logs that it might be
            },
        )
        # Seven bits: with eight, processors without VNNI overflow, and their results differ. With
        # one scale for a whole matrix, probabilities differ by .047 on the mean instead of .009.
        quantize_dynamic(
            exported,
            folder / MODEL,
            weight_type=QuantType.QInt8,
            reduce_range=True,
            per_channel=True,
        )
        encoder.tokenizer.save_pretrained(scratch)
        shutil.copyfile(Path(scratch, TOKENIZER), folder / TOKENIZER)
    return folder


def _trace(encoder: CrossEncoder, file: Path) -> None:
    read: Any = encoder.tokenizer(["A premise."], ["Some words."], return_tensors="pt")
    names = [name for name in INPUTS if name in read]
    classifier = _Logits(cast("nn.Module", encoder.model), names).eval().float()
    with warnings.catch_warnings():
        # It warns that it is deprecated, and of its own work. Its successor needs another package.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            classifier,
            tuple(read[name] for name in names),
            str(file),
            input_names=names,
            output_names=["logits"],
            dynamic_axes={name: {0: "pairs", 1: "tokens"} for name in names},
            dynamo=False,
        )
