"""An entailment model in the ONNX format, which needs neither torch nor a network."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citeguard.entailment.cross_encoder import EntailmentLabel, Pair, read_labels, to_probabilities
from citeguard.errors import CiteguardError, foreign_code, optional_packages

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MODEL, TOKENIZER = "model.onnx", "tokenizer.json"
LABELS, CONFIGURATION, SETTINGS = "labels", "configuration", "tokenizer"
"""The names under which `export_onnx` adds to a model what its outputs stand for, its shape, and
the settings of its tokenizer."""
OUTPUTS: tuple[EntailmentLabel, ...] = ("entailment", "neutral", "contradiction")
"""What the outputs of a trained model stand for, in order."""
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_LONGEST = 512  # tokens of a pair
# Tokens of a batch, with what fills the shorter pairs up: what a core's cache holds. Batches of
# 4,096 take 1.7 times as long.
_BATCH = 512


class OnnxModel:
    """A cross-encoder that `export_onnx` wrote; loaded when called.

    Args:
        folder: The folder with `model.onnx` and `tokenizer.json`, as `export_onnx` writes it.
        threads: How many threads compute: one by default, for there may be many processes.

    Raises:
        CiteguardError: At the first call, if the packages or the files are missing.
    """

    def __init__(self, folder: str | os.PathLike[str], *, threads: int = 1) -> None:
        self._folder = Path(folder)
        self._threads = threads

    def __repr__(self) -> str:
        """Name the folder."""
        return f"OnnxModel({str(self._folder)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what it is made from: what is loaded belongs to this process."""
        return _restored, (self._folder, self._threads)

    @property
    def name(self) -> str:
        """The name of the folder."""
        return self._folder.name

    @cached_property
    def version(self) -> str:
        """Changes with the weights."""
        with open(self._folder / MODEL, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:12]

    def __call__(self, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        """Return the probabilities, shape (n, 3); NaN for a pair of more than 512 tokens."""
        import numpy as np

        tokenizer, session, labels = self._loaded
        read = tokenizer.encode_batch(list(pairs))
        names = {each.name for each in session.get_inputs()}
        probabilities = np.full((len(pairs), 3), np.nan)
        for places in _batches([len(each.ids) for each in read]):
            length = max(len(read[place].ids) for place in places)
            given = np.zeros((3, len(places), length), np.int64)
            for row, place in enumerate(places):
                encoded = read[place]
                given[0, row, : len(encoded.ids)] = encoded.ids
                given[1, row, : len(encoded.ids)] = 1
                given[2, row, : len(encoded.ids)] = encoded.type_ids
            tensors = zip(INPUTS, given, strict=True)
            (logits,) = session.run(None, {name: each for name, each in tensors if name in names})
            probabilities[places] = to_probabilities(logits, labels)
        return probabilities

    @cached_property
    def _loaded(self) -> tuple[Any, Any, tuple[EntailmentLabel, ...]]:
        with optional_packages("the entailment model"):
            onnxruntime: Any = import_module("onnxruntime")
            tokenizers: Any = import_module("tokenizers")
        for name in (MODEL, TOKENIZER):
            if not (self._folder / name).is_file():
                raise CiteguardError(f"{self._folder} has no {name}")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.log_severity_level = 3
        with foreign_code(lambda error: CiteguardError(f"{self._folder}: {error}")):
            tokenizer = tokenizers.Tokenizer.from_file(str(self._folder / TOKENIZER))
            session = onnxruntime.InferenceSession(
                str(self._folder / MODEL), options, providers=["CPUExecutionProvider"]
            )
        tokenizer.no_truncation()
        tokenizer.no_padding()
        written = session.get_modelmeta().custom_metadata_map.get(LABELS, " ".join(OUTPUTS))
        return tokenizer, session, read_labels(written.split())


def _restored(folder: Path, threads: int) -> OnnxModel:
    return OnnxModel(folder, threads=threads)


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the places of pairs of similar length together, without those that are too long."""
    places = [place for place, length in enumerate(lengths) if length <= _LONGEST]
    places.sort(key=lambda place: -lengths[place])
    while places:
        count = max(1, _BATCH // lengths[places[0]])
        yield places[:count]
        places = places[count:]


def is_onnx(folder: Path) -> bool:
    """Return whether a folder holds a model in the ONNX format."""
    return (folder / MODEL).is_file()
