"""The reader as a network of torch: from the weights of a folder, and back to them."""

# The types of torch and of what builds on it are partly unknown.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import json
import os
import shutil
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import onnx
import torch
from onnx.numpy_helper import to_array
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import BertConfig, BertModel

from citeguard.errors import CiteguardError, foreign_code
from citeguard.reader.model import INPUTS, MODEL, SETTINGS, TOKENIZER, Head, is_reader

_CONFIGURATION = "configuration"


class Network(nn.Module):
    """An encoder with two heads.

    Attributes:
        encoder: The encoder, whose pooled output both heads read.
        entails: Three logits: supported, contradicted, neither.
        answers: One logit.
    """

    def __init__(self, configuration: BertConfig) -> None:
        super().__init__()
        self.encoder = BertModel(configuration)
        self.entails = nn.Linear(configuration.hidden_size, 3)
        self.answers = nn.Linear(configuration.hidden_size, 1)

    def forward(self, *given: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits of both heads, shapes (n, 3) and (n, 1)."""
        pooled: Any = self.encoder(**dict(zip(INPUTS, given, strict=True))).pooler_output
        return self.entails(pooled), self.answers(pooled)


def load(folder: str | os.PathLike[str]) -> tuple[Network, Tokenizer]:
    """Return the network and the tokenizer of a reader's folder, its weights as real numbers.

    Raises:
        CiteguardError: It is not the folder of a reader, or a file is damaged.
    """
    if not is_reader(folder):
        raise CiteguardError(f"{os.fspath(folder)} is not the folder of a reader")

    def failure(error: Exception) -> CiteguardError:
        return CiteguardError(f"{os.fspath(folder)} cannot be loaded: {error}")

    with foreign_code(failure):
        exported = onnx.load(Path(folder) / MODEL)
        written = {each.key: each.value for each in exported.metadata_props}
        network = Network(BertConfig(**json.loads(written[_CONFIGURATION])))
        names = [name for name, _ in network.named_parameters()]
        network.load_state_dict({**network.state_dict(), **_weights(exported.graph, names)})
        return network, Tokenizer.from_file(str(Path(folder) / TOKENIZER))


def save(
    network: Network,
    tokenizer: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    settings: Mapping[str, Any],
) -> Path:
    """Write a reader's folder: weights in whole numbers of eight bits, a scale for each channel.

    The file has a quarter of the size, and a processor needs about half the time; probabilities
    differ by about a hundredth.

    Args:
        network: The network.
        tokenizer: The folder with its `tokenizer.json`.
        folder: The folder to write to; it is made if there is none.
        settings: What was fitted, for `reader.json`.
    """
    output = Path(folder)
    output.mkdir(parents=True, exist_ok=True)
    tokens = torch.ones((2, 8), dtype=torch.long)
    with TemporaryDirectory() as scratch:
        whole = Path(scratch, MODEL)
        with warnings.catch_warnings():
            # It warns of its own deprecation and work. Its successor needs another package.
            warnings.simplefilter("ignore")
            torch.onnx.export(
                network.eval().float(),
                (tokens, tokens, torch.zeros_like(tokens)),
                str(whole),
                input_names=list(INPUTS),
                output_names=list(get_args(Head)),
                dynamic_axes={name: {0: "pairs", 1: "tokens"} for name in INPUTS},
                dynamo=False,
            )
        exported = onnx.load(whole)
        onnx.helper.set_model_props(
            exported,
            {
                _CONFIGURATION: json.dumps(network.encoder.config.to_diff_dict()),
                "onnx.quant.pre_process": "onnxruntime.quant",  # else it logs that it might be
            },
        )
        # Seven bits: with eight, processors without VNNI overflow, and their results differ. With
        # one scale for a whole matrix, probabilities differ by .047 on the mean instead of .009.
        quantize_dynamic(
            exported,
            output / MODEL,
            weight_type=QuantType.QInt8,
            reduce_range=True,
            per_channel=True,
        )
    if Path(tokenizer).resolve() != output.resolve():
        shutil.copyfile(Path(tokenizer) / TOKENIZER, output / TOKENIZER)
    (output / SETTINGS).write_text(json.dumps(settings, indent=1) + "\n", "utf-8")
    return output


def _weights(graph: Any, names: Sequence[str]) -> dict[str, Tensor]:
    """Return the parameters of an exported network by the names that they had.

    Embeddings, biases and norms keep their names. A matrix that something is multiplied with has
    none, but the multiplication has that of its layer: `/encoder/layer.0/query/MatMul_quant`.
    """
    stored = {each.name: to_array(each) for each in graph.initializer}
    # Of equal constants, one is stored, and the others are made from it.
    same = {node.output[0]: node.input[0] for node in graph.node if node.op_type == "Identity"}

    def real(name: str) -> Any:
        name = same.get(name, name)
        if (whole := stored.get(f"{name}_quantized")) is None:
            return stored.get(name)
        zero = stored[f"{name}_zero_point"].astype("int32")
        return ((whole.astype("int32") - zero) * stored[f"{name}_scale"]).astype("float32")

    layers: dict[str, Any] = {}
    for node in graph.node:
        if node.op_type in ("MatMulInteger", "MatMul", "Gemm"):
            place = ".".join(node.name.strip("/").split("/")[:-1])
            matrix = real(node.input[1].removesuffix("_quantized"))
            if matrix is not None:
                turned = node.op_type == "Gemm" and any(
                    each.name == "transB" and each.i for each in node.attribute
                )
                layers[f"{place}.weight"] = matrix if turned else matrix.T
    found: dict[str, Tensor] = {}
    for name in names:
        value = real(name)
        value = layers.get(name) if value is None else value
        if value is None:
            raise CiteguardError(f"the exported network has no weights for {name}")
        found[name] = torch.tensor(value)
    return found
