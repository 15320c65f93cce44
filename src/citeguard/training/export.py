"""Export of a trained entailment model to ONNX, in whole numbers of eight bits."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from sentence_transformers.cross_encoder import CrossEncoder
from torch import Tensor, nn

from citeguard.entailment.onnx import MODEL, TOKENIZER

_NAMES = ("input_ids", "attention_mask", "token_type_ids")


class _Logits(nn.Module):
    """A classifier that takes and gives tensors alone, as ONNX needs it."""

    def __init__(self, classifier: nn.Module) -> None:
        super().__init__()
        self.classifier = classifier

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        given: dict[str, Any] = {
            "input_ids": input_ids,
            "attention_mask": attention_mask,
            "token_type_ids": token_type_ids,
        }
        return self.classifier(**given).logits


def export_onnx(model: str | os.PathLike[str], output: str | os.PathLike[str]) -> Path:
    """Write a trained cross-encoder as `model.onnx` and `tokenizer.json`, which `Entailment` loads.

    Weights and activations become whole numbers of eight bits: a quarter of the size, about twice as
    fast on a processor, and probabilities that differ by about a hundredth.

    Args:
        model: The folder of the cross-encoder.
        output: The folder to write to; it is made if there is none.

    Returns:
        The folder.
    """
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    encoder = CrossEncoder(os.fspath(model))
    classifier = _Logits(encoder.model).eval().float()
    read: Any = encoder.tokenizer(
        ["A premise."], ["A hypothesis of some words."], return_tensors="pt"
    )
    with TemporaryDirectory() as scratch:
        whole = Path(scratch, "whole.onnx")
        torch.onnx.export(
            classifier,
            tuple(read[name] for name in _NAMES),
            str(whole),
            input_names=list(_NAMES),
            output_names=["logits"],
            dynamic_axes={name: {0: "pairs", 1: "tokens"} for name in _NAMES},
            dynamo=False,
        )
        # Seven bits: with eight, processors without VNNI overflow, and their results differ.
        quantize_dynamic(whole, folder / MODEL, weight_type=QuantType.QInt8, reduce_range=True)
        encoder.tokenizer.save_pretrained(scratch)
        shutil.copyfile(Path(scratch, TOKENIZER), folder / TOKENIZER)
    return folder
