"""Training of an entailment model: `train_entailment`."""

from __future__ import annotations

import hashlib
import json
import math
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import torch
from sentence_transformers.base.sampler import DefaultBatchSampler
from sentence_transformers.cross_encoder import (
    CrossEncoder,
    CrossEncoderTrainer,
    CrossEncoderTrainingArguments,
)
from torch import Tensor, nn
from torch.nn.functional import log_softmax
from transformers import TrainerCallback
from transformers.trainer_callback import PrinterCallback
from transformers.trainer_utils import get_last_checkpoint

from citeguard.errors import CiteguardError, check_number, check_whole
from citeguard.training.pairs import LABELS, EntailmentPair, check_pair
from datasets import Dataset

OUTPUTS = ("entailment", "neutral", "contradiction")
"""What the outputs of a trained model stand for, in order."""

_SORTED_TOGETHER = 50  # batches whose pairs are sorted by length
_CLASSES: Mapping[str, int] = {label: place for place, label in enumerate(LABELS)}


class PartialCrossEntropy(nn.Module):
    """The cross-entropy of pairs of which some are only known not to be entailed.

    For those it is the logarithm of the probability of both other classes together.
    """

    def __init__(self, model: CrossEncoder) -> None:
        super().__init__()
        self.model = model

    def forward(self, inputs: Sequence[Sequence[str]], labels: Tensor, **_: object) -> Tensor:
        """Return the mean over a batch of two columns of texts, and a column of class numbers."""
        pairs = list(zip(*inputs, strict=True))
        features: Any = self.model.preprocess(pairs)
        features = {
            name: value.to(self.model.device) if isinstance(value, Tensor) else value
            for name, value in features.items()
        }
        logits: Tensor = self.model(features)["scores"].float()
        logs = log_softmax(logits, dim=-1)
        either = torch.logsumexp(logs[:, 1:], dim=-1, keepdim=True)
        return -torch.cat([logs, either], dim=1).gather(1, labels.view(-1, 1)).mean()


class _ByLength(DefaultBatchSampler):
    """Batches of pairs of similar length, in random order, the same for one seed and epoch."""

    def __init__(self, dataset: Any, **settings: Any) -> None:
        super().__init__(dataset, **settings)
        self._lengths: list[int] = [
            len(premise) + len(hypothesis)
            for premise, hypothesis in zip(dataset["premise"], dataset["hypothesis"], strict=True)
        ]

    def __iter__(self) -> Iterator[list[int]]:
        random = Random(f"{self.seed} {self.epoch}")
        places = list(range(len(self._lengths)))
        random.shuffle(places)
        reach = self.batch_size * _SORTED_TOGETHER
        batches: list[list[int]] = []
        for start in range(0, len(places), reach):
            chunk = sorted(places[start : start + reach], key=self._lengths.__getitem__)
            batches += [
                chunk[first : first + self.batch_size]
                for first in range(0, len(chunk), self.batch_size)
            ]
        random.shuffle(batches)
        yield from batches

    def __len__(self) -> int:
        return math.ceil(len(self._lengths) / self.batch_size)


def train_entailment(
    pairs: Iterable[EntailmentPair],
    base: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    epochs: float = 1,
    learning_rate: float = 1.5e-4,
    batch_size: int = 48,
    longest: int = 256,
    freeze_embeddings: bool = True,
    checkpoint_every: int = 200,
    seed: int = 0,
    show: Callable[[str], object] = print,
) -> Path:
    """Train a cross-encoder that says whether a premise entails a hypothesis.

    It has three outputs, `OUTPUTS`. Training goes on from the last checkpoint in `output` if it
    was stopped there before with the same pairs and settings. On a processor that knows bfloat16
    it computes in it; it uses a GPU where there is one.

    Args:
        pairs: What it learns from; `not_supported` counts as neutral or contradicted together.
        base: The name or folder of the model to start from: an encoder, or a trained model.
        output: The folder for the trained model, which `Entailment` loads, with `training.json`,
            which says from what it was made; and for checkpoints, in its folder `checkpoints`.
        epochs: How often each pair is read.
        learning_rate: The highest; it rises over the first 5 % of the steps, and falls to 0.
        batch_size: Pairs of a step.
        longest: Tokens of a pair that are read; longer premises are cut.
        freeze_embeddings: Whether the vectors of tokens stay as they are, which saves time.
        checkpoint_every: Steps after which the state is saved.
        seed: Of the order and of the first weights.
        show: Called with lines of progress.

    Returns:
        The folder.

    Raises:
        CiteguardError: No pairs, something that is no pair, or a number out of range.
    """
    rows = [check_pair(pair) for pair in pairs]
    if not rows:
        raise CiteguardError("train_entailment() needs pairs to learn from")
    check_number("train_entailment(epochs=...)", epochs, 0, 1_000, above=True)
    check_number("train_entailment(learning_rate=...)", learning_rate, 0, 1, above=True)
    for name, whole in {"batch_size": batch_size, "longest": longest}.items():
        check_whole(f"train_entailment({name}=...)", whole, 1)
    folder = Path(output)
    torch.manual_seed(seed)
    settings = {
        "base": os.fspath(base),
        "epochs": epochs,
        "learning_rate": learning_rate,
        "batch_size": batch_size,
        "longest": longest,
        "freeze_embeddings": freeze_embeddings,
        "seed": seed,
    }
    made_from = {"pairs": len(rows), "sha256": _fingerprint(rows), **settings}
    checkpoints = folder / "checkpoints" / _fingerprint([made_from])[:12]
    encoder = _encoder(base, longest, freeze_embeddings=freeze_embeddings)
    arguments = CrossEncoderTrainingArguments(
        output_dir=str(checkpoints),
        num_train_epochs=epochs,
        per_device_train_batch_size=batch_size,
        learning_rate=learning_rate,
        weight_decay=0.01,
        warmup_steps=0.05,
        lr_scheduler_type="linear",
        use_cpu=not torch.cuda.is_available(),
        bf16=_has_bfloat16(),
        save_steps=checkpoint_every,
        save_total_limit=1,
        logging_steps=50,
        batch_sampler=_ByLength,
        seed=seed,
        report_to="none",
        disable_tqdm=True,
    )
    trainer = CrossEncoderTrainer(
        model=encoder,
        args=arguments,
        train_dataset=_dataset(rows),
        loss=PartialCrossEntropy(encoder),
        callbacks=[_Progress(show)],
    )
    trainer.remove_callback(PrinterCallback)
    last = get_last_checkpoint(str(checkpoints)) if checkpoints.is_dir() else None
    started = time.monotonic()
    trainer.train(resume_from_checkpoint=last)
    encoder.save_pretrained(str(folder), create_model_card=False)
    made_from |= {"seconds": round(time.monotonic() - started), "torch": torch.__version__}
    (folder / "training.json").write_text(
        json.dumps({**made_from, "log": trainer.state.log_history}, indent=1) + "\n", "utf-8"
    )
    return folder


def _encoder(
    base: str | os.PathLike[str], longest: int, *, freeze_embeddings: bool
) -> CrossEncoder:
    encoder = CrossEncoder(os.fspath(base), num_labels=len(OUTPUTS), max_length=longest)
    encoder.config.id2label = dict(enumerate(OUTPUTS))
    encoder.config.label2id = {name: place for place, name in enumerate(OUTPUTS)}
    for (
        layer
    ) in encoder.modules():  # each pair is read about once, and it costs a third of the time
        if isinstance(layer, nn.Dropout):
            layer.p = 0.0
    if freeze_embeddings:
        encoder.model.get_input_embeddings().requires_grad_(False)
    return encoder


def _dataset(rows: Sequence[EntailmentPair]) -> Dataset:
    return Dataset.from_dict(
        {
            "premise": [row.premise for row in rows],
            "hypothesis": [row.hypothesis for row in rows],
            "label": [_CLASSES[row.label] for row in rows],
        }
    )


def _fingerprint(values: Iterable[Any]) -> str:
    digest = hashlib.sha256()
    for value in values:
        digest.update(json.dumps(value).encode())
    return digest.hexdigest()


def _has_bfloat16() -> bool:
    """Whether computing in bfloat16 is faster here than in float32."""
    if torch.cuda.is_available():
        return torch.cuda.is_bf16_supported()
    return bool(torch.cpu.get_capabilities().get("avx512_bf16"))


class _Progress(TrainerCallback):
    """Shows how far training is, and how long it will take."""

    def __init__(self, show: Callable[[str], object]) -> None:
        self._show = show
        self._started, self._first = time.monotonic(), 0

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        self._started, self._first = time.monotonic(), state.global_step

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
        if logs and "loss" in logs and state.global_step > self._first:
            each = (time.monotonic() - self._started) / (state.global_step - self._first)
            left = each * (state.max_steps - state.global_step) / 60
            self._show(
                f"step {state.global_step} of {state.max_steps}: loss {float(logs['loss']):.3f}, "
                f"{left:.0f} minutes left"
            )
