"""Cross-encoders with three outputs to train: loading them, also from ONNX; their last layer."""

# The types of torch and of what builds on it are partly unknown.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import numpy as np
import torch
from sentence_transformers import CrossEncoder
from torch import Tensor, nn

from citeguard.entailment.cross_encoder import EntailmentLabel, read_labels
from citeguard.entailment.onnx import CONFIGURATION, MODEL, OUTPUTS, SETTINGS, TOKENIZER, is_onnx
from citeguard.errors import CiteguardError, foreign_code


def load_encoder(model: str | os.PathLike[str], **settings: Any) -> CrossEncoder:
    """Return a cross-encoder, on a GPU if there is one.

    Args:
        model: The name or folder of an encoder or a cross-encoder, or a folder that `export_onnx`
            wrote; what it lost there is lost.
        settings: As for `CrossEncoder`.

    Raises:
        CiteguardError: It cannot be loaded.
    """
    settings.setdefault("device", "cuda" if torch.cuda.is_available() else "cpu")

    def failure(error: Exception) -> CiteguardError:
        reason = str(error).strip().partition("\n")[0]
        return CiteguardError(
            f"{os.fspath(model)} cannot be loaded ({type(error).__name__}: {reason}). Give the "
            "name or the folder of an encoder or a cross-encoder"
        )

    with foreign_code(failure):
        if is_onnx(Path(model)):
            return _restored(Path(model), settings)
        return CrossEncoder(os.fspath(model), **settings)


def labels_of(encoder: CrossEncoder) -> tuple[EntailmentLabel, ...]:
    """Return what the outputs of a cross-encoder stand for, in their order.

    Raises:
        CiteguardError: Their names have no meaning.
    """
    configuration: Any = encoder.config
    named: dict[int, str] = configuration.id2label
    return read_labels([named[place] for place in sorted(named)])


def label_order(encoder: CrossEncoder) -> list[int]:
    """Return at which place each of `OUTPUTS` is among the outputs of a cross-encoder.

    Raises:
        CiteguardError: It has others.
    """
    labels = labels_of(encoder)
    if set(labels) != set(OUTPUTS):
        raise CiteguardError(
            f"expected a model with the outputs {', '.join(OUTPUTS)}; it has {', '.join(labels)}"
        )
    return [labels.index(name) for name in OUTPUTS]


def last_layer(encoder: CrossEncoder) -> nn.Linear:
    """Return the layer whose outputs are the logits.

    Raises:
        CiteguardError: There is none.
    """
    layers = [each for each in encoder.modules() if isinstance(each, nn.Linear)]
    if not layers or layers[-1].out_features != len(OUTPUTS):
        raise CiteguardError("the last layer of the model does not have three outputs")
    return layers[-1]


def put_in_order(encoder: CrossEncoder) -> None:
    """Make the outputs those of `OUTPUTS`, in this order; a trained head keeps what it knows."""
    configuration: Any = encoder.config
    if not any(re.fullmatch(r"LABEL_\d", name) for name in configuration.id2label.values()):
        order, layer = label_order(encoder), last_layer(encoder)
        with torch.no_grad():
            for weights in (layer.weight, layer.bias):
                weights.copy_(weights[order].clone())
    configuration.id2label = dict(enumerate(OUTPUTS))
    configuration.label2id = {name: place for place, name in enumerate(OUTPUTS)}


def _restored(folder: Path, settings: dict[str, Any]) -> CrossEncoder:
    """Return a cross-encoder with the weights of an exported one, made real numbers again."""
    import onnx
    from transformers import AutoModelForSequenceClassification, PreTrainedTokenizerFast
    from transformers.models.auto import CONFIG_MAPPING

    exported: Any = onnx.load(folder / MODEL)
    written = {each.key: each.value for each in exported.metadata_props}
    if CONFIGURATION not in written:
        raise CiteguardError(f"{folder / MODEL} was not written by this version of export_onnx")
    values: dict[str, Any] = json.loads(written[CONFIGURATION])
    configuration: Any = cast("Any", CONFIG_MAPPING)[values.pop("model_type")](**values)
    network: Any = AutoModelForSequenceClassification.from_config(configuration)
    weights = _weights(exported, [name for name, _ in network.named_parameters()])
    network.load_state_dict({**network.state_dict(), **weights})
    with TemporaryDirectory() as scratch:
        network.save_pretrained(scratch)
        PreTrainedTokenizerFast(
            tokenizer_file=str(folder / TOKENIZER), **json.loads(written[SETTINGS])
        ).save_pretrained(scratch)
        return CrossEncoder(scratch, **settings)


def _weights(exported: Any, names: Sequence[str]) -> dict[str, Tensor]:
    """Return the parameters of an exported classifier by the names that they had.

    Embeddings, biases and norms keep their names. A matrix that something is multiplied with has
    none, but the multiplication has that of its layer.
    """
    from onnx.numpy_helper import to_array

    stored: dict[str, Any] = {each.name: to_array(each) for each in exported.graph.initializer}

    # Of equal constants, one is stored, and the others are made from it.
    same = {
        each.output[0]: each.input[0] for each in exported.graph.node if each.op_type == "Identity"
    }

    def real(name: str) -> Any:
        name = same.get(name, name)
        if (whole := stored.get(f"{name}_quantized")) is None:
            return stored.get(name)
        zero = stored[f"{name}_zero_point"].astype(np.int32)
        return ((whole.astype(np.int32) - zero) * stored[f"{name}_scale"]).astype(np.float32)

    layers = dict(_of_operations(exported.graph, real))
    found: dict[str, Tensor] = {}
    for name in names:
        value = real(f"classifier.{name}")
        if value is None:
            value = layers.get(name)
        if value is None:
            raise CiteguardError(f"the exported model has no weights for {name}")
        found[name] = torch.tensor(value)
    return found


def _of_operations(graph: Any, real: Callable[[str], Any]) -> Iterator[tuple[str, Any]]:
    """Yield the matrices of multiplications by the names of their layers' parameters."""
    for node in graph.node:
        place = ".".join(node.name.strip("/").split("/")[1:-1])  # /classifier/encoder/query/MatMul
        is_product = node.op_type in ("MatMulInteger", "MatMul")
        matrix = real(node.input[1].removesuffix("_quantized")) if is_product else None
        if matrix is not None:
            yield f"{place}.weight", matrix.T
