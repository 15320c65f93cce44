"""The cross-encoder that ships: `Reader`, which reads whether a passage entails or answers.

One encoder of twelve layers with two heads. *Entails* says of a statement whether a passage
supports it, contradicts it, or says neither; *answers* says whether a passage answers a question.
It was trained on English. Its weights are whole numbers of eight bits, come with the package, and
need neither torch nor a network.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from citeguard.errors import CiteguardError, foreign_code, optional_packages
from citeguard.language.numbers import in_plain_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MODEL, TOKENIZER, SETTINGS = "model.onnx", "tokenizer.json", "reader.json"
"""The files of a reader's folder: network, tokenizer, and what was fitted after training."""

SHIPPED = Path(__file__).with_name("weights")
"""The folder of the reader that comes with the package."""

LONGEST = 384
"""Tokens of a pair that are read; a longer pair is not read at all, as a part would mislead."""

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
"""What the network takes, as the tokenizer gives it."""

_KEPT = 50_000  # pairs whose logits are kept, some 40 bytes each besides their digest

Pair = tuple[str, str]
"""A statement or a question, and the passage that is read for it."""

Head = Literal["entails", "answers"]
_WIDTHS: Mapping[Head, int] = {"entails": 3, "answers": 1}


class Reader:
    """Reads pairs of a statement or a question and a passage; loaded when first called.

    Deterministic: a pair has the same logits in any company. They are cached by a digest of its
    texts. Thread-safe.

    Args:
        folder: The folder of a reader, as `citeguard.training` writes it; by default the one that
            comes with the package.
        threads: How many threads compute; one by default, as there may be many processes.

    Raises:
        CiteguardError: At the first call, if the extra `reader` is not installed or a file of the
            folder is missing or damaged.
    """

    def __init__(self, folder: str | os.PathLike[str] = SHIPPED, *, threads: int = 1) -> None:
        self._folder, self._threads = Path(folder), threads
        self._kept: dict[Head, OrderedDict[bytes, tuple[float, ...]]] = {
            head: OrderedDict() for head in _WIDTHS
        }
        # Around tokenizer and session: two threads cannot use one tokenizer at a time.
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        """Name the folder, unless it is the shipped one."""
        return "Reader()" if self._folder == SHIPPED else f"Reader({str(self._folder)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what it is made from: the loaded network belongs to this process."""
        return _restored, (self._folder, self._threads)

    @property
    def name(self) -> str:
        """Its name in verdicts: `reader`, or the name of the folder."""
        return "reader" if self._folder == SHIPPED else self._folder.name

    @cached_property
    def version(self) -> str:
        """Changes with the weights."""
        with open(self._folder / MODEL, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:12]

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        """What was fitted after training, on texts that it was not trained on: see `calibrate`."""
        file = self._folder / SETTINGS
        if not file.is_file():
            raise CiteguardError(f"{self._folder} has no {SETTINGS}")
        return json.loads(file.read_text("utf-8"))

    def entails(self, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        """Return logits of shape (n, 3): supported, contradicted, neither; NaN for a pair too long.

        Args:
            pairs: Statements, each with the passage that is read for it.
        """
        return self._logits("entails", pairs)

    def answers(self, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        """Return logits of shape (n,): above 0, the passage rather answers the question.

        Args:
            pairs: Questions, each with the passage that is read for it; NaN for a pair too long.
        """
        return self._logits("answers", pairs)[:, 0]

    def _logits(self, head: Head, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        import numpy as np

        with self._lock:
            kept = self._kept[head]
            keys = [_digest(pair) for pair in pairs]
            new = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in kept}
            found = dict(zip(new, self._run(head, list(new.values())), strict=True))
            rows = np.array([found.get(key) or kept[key] for key in keys], np.float64)
            for key in keys:
                kept[key] = found.get(key) or kept[key]
                kept.move_to_end(key)
            while len(kept) > _KEPT:
                kept.popitem(last=False)
        return rows.reshape(len(pairs), _WIDTHS[head])

    def _run(self, head: Head, pairs: list[Pair]) -> list[tuple[float, ...]]:
        """Run the network, pair by pair."""
        # Its activations are quantized by the range that they have in a batch, so that a pair's
        # logits would differ by up to .3 with its company; and a batch is no faster on one core.
        import numpy as np

        tokenizer, session = self._loaded
        rows: list[tuple[float, ...]] = []
        # Lone surrogates, which a damaged text may have, become question marks.
        texts = [
            tuple(in_plain_words(each).encode(errors="replace").decode() for each in pair)
            for pair in pairs
        ]
        for read in tokenizer.encode_batch(texts):
            if len(read.ids) > LONGEST:
                rows.append((float("nan"),) * _WIDTHS[head])
                continue
            given = np.array([[read.ids], [[1] * len(read.ids)], [read.type_ids]], np.int64)
            (logits,) = session.run([head], dict(zip(INPUTS, given, strict=True)))
            rows.append(tuple(logits.ravel().tolist()))
        return rows

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        with optional_packages("the reader"):
            onnxruntime: Any = import_module("onnxruntime")
            tokenizers: Any = import_module("tokenizers")
        for name in (MODEL, TOKENIZER):
            if not (self._folder / name).is_file():
                raise CiteguardError(f"{self._folder} has no {name}")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        # Errors only: warnings would go to the user's standard error.
        options.log_severity_level = 3
        with foreign_code(lambda error: CiteguardError(f"{self._folder}: {error}")):
            tokenizer = tokenizers.Tokenizer.from_file(str(self._folder / TOKENIZER))
            # Other providers would compute other logits.
            session = onnxruntime.InferenceSession(
                str(self._folder / MODEL), options, providers=["CPUExecutionProvider"]
            )
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer, session


def _restored(folder: Path, threads: int) -> Reader:
    return Reader(folder, threads=threads)


def _digest(pair: Pair) -> bytes:
    # With a length, as ("ab", "c") is not ("a", "bc").
    read = f"{len(pair[0])} {pair[0]}{pair[1]}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(read, digest_size=16).digest()


def probability(weights: Sequence[float], measured: Sequence[float]) -> float:
    """Return what a fitted logistic model makes of what was measured, 0 to 1."""
    odds = sum(weight * value for weight, value in zip(weights, measured, strict=True))
    # Bounded: `exp` overflows from about 710 on.
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, odds))))


def is_reader(folder: str | os.PathLike[str]) -> bool:
    """Return whether a folder is that of a reader."""
    return all((Path(folder) / name).is_file() for name in (MODEL, TOKENIZER, SETTINGS))


@cache
def is_installed() -> bool:
    """Return whether the packages of the extra `reader` are installed."""
    return all(find_spec(package) for package in ("onnxruntime", "tokenizers"))


@cache
def shipped_reader() -> Reader:
    """Return the reader that comes with the package, one per process."""
    return Reader()
