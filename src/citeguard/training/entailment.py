"""Training of an entailment model: `train_entailment`."""

# The types of torch and of what builds on it are partly unknown.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
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

from citeguard.entailment.onnx import OUTPUTS
from citeguard.errors import check_number, check_whole
from citeguard.training.encoders import load_encoder, put_in_order
from citeguard.training.pairs import EntailmentPair, fingerprint, numbered, read_given
from datasets import Dataset

RECORD = "training.json"
_SORTED_TOGETHER = 50  # batches whose pairs are sorted by length
_MEASURED = 4  # batches, before training starts


def partial_losses(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the cross-entropy of each pair, shape (n, 1).

    Of a pair that is only known not to be entailed, it is the logarithm of the probability of both
    other classes together.

    Args:
        logits: Of `OUTPUTS`, shape (n, 3).
        labels: Places in `LABELS`, shape (n,).
    """
    logs = log_softmax(logits, dim=-1)
    either = torch.logsumexp(logs[:, 1:], dim=-1, keepdim=True)
    return -torch.cat([logs, either], dim=1).gather(1, labels.view(-1, 1))


class PartialCrossEntropy(nn.Module):
    """The mean of `partial_losses` over a batch."""

    def __init__(self, model: CrossEncoder) -> None:
        super().__init__()
        self.model = model

    def forward(self, inputs: Sequence[Sequence[str]], labels: Tensor, **_: object) -> Tensor:
        """Return it for two columns of texts, and a column of places in `LABELS`."""
        features: Any = self.model.preprocess(list(zip(*inputs, strict=True)))
        device: Any = self.model.device
        features = {
            name: value.to(device) if isinstance(value, Tensor) else value
            for name, value in features.items()
        }
        logits: Tensor = self.model(features)["scores"].float()
        return partial_losses(logits, labels).mean()


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

    It has three outputs: entailment, neutral and contradiction. It is trained on a GPU if there is
    one, and computes in bfloat16 where that is faster. Before it starts, `show` says so, and about
    how long it will take, measured on a few batches.

    If it was stopped before, with the same pairs and settings, it goes on from its last checkpoint,
    to the same result. The same pairs, settings, machine and packages give the same weights.

    Args:
        pairs: What it learns from; `not_supported` counts as neutral or contradicted together.
        base: The model to start from: the name or folder of an encoder, of a cross-encoder whose
            three outputs are those, or a folder that `export_onnx` wrote.
        output: The folder for the trained model, which `Entailment` loads, with `training.json`,
            which says from what it was made; and for checkpoints, in its folder `checkpoints`,
            which is not needed once it is done.
        epochs: How often each pair is read; above 0.
        learning_rate: The highest; it rises over the first 5 % of the steps, and falls to 0. For a
            model that knows entailment already, a few hundredths of a thousandth.
        batch_size: Pairs of a step.
        longest: Tokens of a pair that are read; longer premises are cut.
        freeze_embeddings: Whether the vectors of tokens stay as they are, which saves time.
        checkpoint_every: Steps after which the state is saved.
        seed: Of the order and of the first weights.
        show: Called with lines of progress.

    Returns:
        The folder.

    Raises:
        CiteguardError: No pairs, something that is no pair, a number out of range, or a base that
            cannot be loaded.
    """
    rows = read_given("train_entailment", pairs)
    check_number("train_entailment(epochs=...)", epochs, 0, 1_000, above=True)
    check_number("train_entailment(learning_rate=...)", learning_rate, 0, 1, above=True)
    wholes = {"batch_size": batch_size, "longest": longest, "checkpoint_every": checkpoint_every}
    for name, whole in wholes.items():
        check_whole(f"train_entailment({name}=...)", whole, 1)
    check_whole("train_entailment(seed=...)", seed, 0)
    folder = Path(output)
    torch.manual_seed(seed)
    encoder = _encoder(base, longest, freeze_embeddings=freeze_embeddings)
    made_from = {
        "pairs": len(rows),
        "sha256": fingerprint(rows),
        "base": os.fspath(base),
        "epochs": epochs,
        "learning_rate": learning_rate,
        "batch_size": batch_size,
        "longest": longest,
        "freeze_embeddings": freeze_embeddings,
        "seed": seed,
    }
    checkpoints = folder / "checkpoints" / fingerprint([made_from])[:12]
    last = get_last_checkpoint(str(checkpoints)) if checkpoints.is_dir() else None
    steps = math.ceil(math.ceil(len(rows) / batch_size) * epochs)
    done = int(last.rpartition("-")[2]) if last else 0
    steps_left = f"{steps:,}" if not done else f"{steps - done:,} of {steps:,}"
    time_left = _span(_seconds(encoder, rows, batch_size) * (steps - done))
    show(f"{_computer()}: {steps_left} steps of {batch_size} pairs, about {time_left}")
    trainer = CrossEncoderTrainer(
        model=encoder,
        args=CrossEncoderTrainingArguments(
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
            logging_steps=max(1, min(50, steps // 20)),
            batch_sampler=_ByLength,
            dataloader_pin_memory=torch.cuda.is_available(),
            seed=seed,
            report_to="none",
            disable_tqdm=True,
        ),
        train_dataset=_dataset(rows),
        loss=PartialCrossEntropy(encoder),
        callbacks=[_Progress(show)],
    )
    trainer.remove_callback(PrinterCallback)
    started = time.monotonic()
    trainer.train(resume_from_checkpoint=last)
    encoder.save_pretrained(str(folder), create_model_card=False)
    record = {
        **made_from,
        "computer": _computer(),
        "seconds": round(time.monotonic() - started),
        "torch": torch.__version__,
        "log": trainer.state.log_history,
    }
    (folder / RECORD).write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    return folder


def _encoder(
    base: str | os.PathLike[str], longest: int, *, freeze_embeddings: bool
) -> CrossEncoder:
    encoder = load_encoder(base, num_labels=len(OUTPUTS), max_length=longest)
    put_in_order(encoder)
    # Most pairs are read once, and are not learnt by heart; dropout costs a third of the time.
    for layer in encoder.modules():
        if isinstance(layer, nn.Dropout):
            layer.p = 0.0
    if freeze_embeddings:
        network: Any = encoder.model
        network.get_input_embeddings().requires_grad_(False)
    return encoder


def _dataset(rows: Sequence[EntailmentPair]) -> Dataset:
    return Dataset.from_dict(
        {
            "premise": [row.premise for row in rows],
            "hypothesis": [row.hypothesis for row in rows],
            "label": numbered(rows),
        }
    )


def _seconds(encoder: CrossEncoder, rows: Sequence[EntailmentPair], batch_size: int) -> float:
    """Return about how long a step takes, from batches of all lengths; no weight changes."""
    ordered = sorted(rows, key=lambda row: len(row.premise) + len(row.hypothesis))
    last = max(0, len(ordered) - batch_size)
    firsts = [last * place // _MEASURED for place in range(1, _MEASURED)]
    loss = PartialCrossEntropy(encoder)
    device: Any = encoder.device
    times: list[float] = []
    with torch.random.fork_rng():
        for first in (firsts[0], *firsts):  # the first batch prepares, and takes longer
            batch = ordered[first : first + batch_size]
            columns = [row.premise for row in batch], [row.hypothesis for row in batch]
            started = time.perf_counter()
            with torch.autocast(device.type, torch.bfloat16, enabled=_has_bfloat16()):
                value = loss(columns, torch.tensor(numbered(batch), device=device))
            value.backward()
            value.detach().item()  # waits for a GPU
            times.append(time.perf_counter() - started)
    encoder.zero_grad(set_to_none=True)
    return sum(times[1:]) / len(firsts)


def _computer() -> str:
    where = f"{torch.get_num_threads()} cores of a processor"
    if torch.cuda.is_available():
        where = f"a GPU ({torch.cuda.get_device_name()})"
    return f"on {where} in {'bfloat16' if _has_bfloat16() else 'float32'}"


def _span(seconds: float) -> str:
    if seconds < 100:
        return f"{max(1, seconds):.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 6_000 else f"{seconds / 3600:.1f} hours"


def _has_bfloat16() -> bool:
    """Return whether computing in bfloat16 is faster here than in float32."""
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
            left = _span(each * (state.max_steps - state.global_step))
            done, loss = f"step {state.global_step:,} of {state.max_steps:,}", float(logs["loss"])
            self._show(f"{done}: loss {loss:.3f}, {left} left")
