"""Fine-tuning of the reader: `train_reader`."""

# The types of torch and of what builds on it are partly unknown.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from citeguard.errors import CiteguardError, check_number, check_whole
from citeguard.reader.model import SHIPPED, Reader
from citeguard.training.network import Network, load, save
from citeguard.training.pairs import LABELS, AnswerPair, EntailmentPair, fingerprint, read_given

CHECKPOINT = "checkpoint.pt"
_SORTED_TOGETHER = 40  # batches whose pairs are sorted by length
# Lengths are padded to a multiple: for each new shape oneDNN compiles its kernels anew, which took
# more time than the padding.
_PADDED_TO = 16
_WARM_UP = 0.05  # share of the steps in which the learning rate rises


class _Row(NamedTuple):
    """A pair as the network reads it: what is asked first, then the passage."""

    asked: str
    passage: str
    is_question: bool
    label: int


def train_reader(
    pairs: Iterable[EntailmentPair],
    output: str | os.PathLike[str],
    *,
    questions: Iterable[AnswerPair] = (),
    base: str | os.PathLike[str] = SHIPPED,
    epochs: float = 2,
    learning_rate: float = 5e-5,
    batch_size: int = 32,
    longest: int = 256,
    frozen_layers: int = 2,
    checkpoint_every: int = 200,
    seed: int = 0,
    show: Callable[[str], object] = print,
) -> Path:
    """Fine-tune a reader on labelled pairs, and write it as a folder that `ReaderJudge` loads.

    It goes on from the reader that ships. It uses a GPU if there is one, and bfloat16, which is
    twice as fast, on processors that have it. If it was stopped before, with the same pairs and
    settings, it goes on from its last checkpoint. What was fitted to the base, its thresholds among
    it, is kept; `calibrate_reader` fits it anew.

    Args:
        pairs: Statements with the passages read for them; `not_supported` counts as neutral or
            contradicted together.
        output: The folder for the reader.
        questions: Questions with passages that answer them or do not. Without any, the head that
            answers stays as it was, but the encoder below it changes: add some if you need it.
        base: The folder of the reader to start from.
        epochs: How often each pair is read; above 0.
        learning_rate: The highest; it rises over the first 5 % of the steps, and falls to 0.
        batch_size: Pairs of a step.
        longest: Tokens of a pair that are read; longer passages are cut.
        frozen_layers: How many of the lowest layers stay as they are, with the vectors of tokens.
        checkpoint_every: Steps after which the state is saved.
        seed: Of the order.
        show: Called with lines of progress.

    Returns:
        The folder.

    Raises:
        CiteguardError: No pairs, something that is no pair, a number out of range, or a base that
            cannot be loaded.
    """
    rows = _rows(pairs, questions)
    check_number("train_reader(epochs=...)", epochs, 0, 1_000, above=True)
    check_number("train_reader(learning_rate=...)", learning_rate, 0, 1, above=True)
    wholes = {"batch_size": batch_size, "longest": longest, "checkpoint_every": checkpoint_every}
    for name, whole in wholes.items():
        check_whole(f"train_reader({name}=...)", whole, 1)
    check_whole("train_reader(frozen_layers=...)", frozen_layers, 0)
    network, tokenizer = load(base)
    # What is asked is never cut.
    tokenizer.enable_truncation(longest, strategy="only_second")
    tokenizer.enable_padding(pad_to_multiple_of=_PADDED_TO)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network.to(device)
    _prepare(network, frozen_layers)
    trained = [each for each in network.parameters() if each.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=learning_rate, weight_decay=0.01, fused=True)
    batches = list(_batches(rows, batch_size, epochs, seed))
    made_from = {
        "pairs": sum(not row.is_question for row in rows),
        "questions": sum(row.is_question for row in rows),
        "sha256": fingerprint(rows),
        "base": "shipped" if Path(base) == SHIPPED else os.fspath(base),
        "epochs": epochs,
        "learning_rate": learning_rate,
        "batch_size": batch_size,
        "longest": longest,
        "frozen_layers": frozen_layers,
        "seed": seed,
    }
    checkpoint = Path(output, CHECKPOINT)
    done = _resumed(checkpoint, fingerprint([made_from]), network, optimizer)
    show(f"{device}: steps {done:,} to {len(batches):,} of {batch_size} pairs")
    started, reported = time.monotonic(), time.monotonic()
    for step in range(done, len(batches)):
        rate = _rate(step / len(batches)) * learning_rate
        for group in optimizer.param_groups:
            group["lr"] = rate
        with torch.autocast(device.type, torch.bfloat16, enabled=_has_bfloat16(device)):
            losses = _losses(network, tokenizer, batches[step], device)
        optimizer.zero_grad()
        losses.mean().backward()
        nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        if time.monotonic() - reported > 30:
            reported = time.monotonic()
            left = (reported - started) / (step + 1 - done) * (len(batches) - step - 1)
            show(f"step {step + 1:,}: loss {losses.mean().item():.3f}, {left / 60:.0f} min left")
        if (step + 1) % checkpoint_every == 0:
            _keep(checkpoint, fingerprint([made_from]), network, optimizer, step + 1)
    settings = {**Reader(base).settings, "trained": made_from}
    save(network.to("cpu"), base, output, settings)
    checkpoint.unlink(missing_ok=True)
    return Path(output)


def partial_losses(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the cross-entropy of each pair, shape (n,).

    Of a pair that is only known not to be supported, it is the logarithm of the probability of both
    other classes together.

    Args:
        logits: Supported, contradicted, neither; shape (n, 3).
        labels: Places in `LABELS`, shape (n,).
    """
    logs = torch.log_softmax(logits, dim=-1)
    either = torch.logsumexp(logs[:, 1:], dim=-1, keepdim=True)
    return -torch.cat([logs, either], dim=1).gather(1, labels.view(-1, 1)).squeeze(1)


def _rows(pairs: Iterable[EntailmentPair], questions: Iterable[AnswerPair]) -> list[_Row]:
    rows = [
        _Row(pair.hypothesis, pair.premise, False, LABELS.index(pair.label))
        for pair in read_given("train_reader", pairs)
    ]
    for each in questions:
        if not isinstance(each, AnswerPair):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise CiteguardError(f"train_reader(questions=...): expected AnswerPairs, got {each!r}")
        rows.append(_Row(each.question, each.passage, True, int(each.answers)))
    return rows


def _prepare(network: Network, frozen_layers: int) -> None:
    network.train()
    for module in network.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0  # most pairs are read a few times; it costs a third of the time
    layers: Any = network.encoder.encoder.layer
    for part in (network.encoder.embeddings, *layers[:frozen_layers]):
        part.requires_grad_(False)


def _batches(rows: Sequence[_Row], size: int, epochs: float, seed: int) -> Iterator[list[_Row]]:
    """Yield batches of one head and of similar length, in random order."""
    steps = max(1, round(epochs * len(rows) / size))
    made = 0
    for epoch in range(int(epochs) + 1):
        # Of the seed and the epoch alone, so that a run that goes on has the order that it had.
        random = Random(f"{seed} {epoch}")
        shuffled = random.sample(rows, len(rows))
        batches: list[list[_Row]] = []
        reach = size * _SORTED_TOGETHER
        for start in range(0, len(shuffled), reach):
            for is_question in (False, True):
                part = [
                    row for row in shuffled[start : start + reach] if row.is_question == is_question
                ]
                part.sort(key=lambda row: len(row.asked) + len(row.passage))
                batches += [part[first : first + size] for first in range(0, len(part), size)]
        random.shuffle(batches)
        yield from batches[: steps - made]
        made += len(batches)
        if made >= steps:
            return


def _losses(network: Network, tokenizer: Any, batch: list[_Row], device: torch.device) -> Tensor:
    read = tokenizer.encode_batch([(row.asked, row.passage) for row in batch])
    given = (
        torch.tensor([getattr(each, name) for each in read], device=device)
        for name in ("ids", "attention_mask", "type_ids")
    )
    entails, answers = network(*given)
    labels = torch.tensor([row.label for row in batch], device=device)
    if batch[0].is_question:
        return nn.functional.binary_cross_entropy_with_logits(
            answers.float().squeeze(1), labels.float(), reduction="none"
        )
    return partial_losses(entails.float(), labels)


def _has_bfloat16(device: torch.device) -> bool:
    """Return whether bfloat16 is faster than float32; where it is emulated, it is 20 times slower.

    Where torch is too old to tell, it is not used.
    """
    if device.type == "cuda":
        return True
    known: dict[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()
    return bool(known.get("avx512_bf16") or known.get("amx_bf16"))


def _rate(share: float) -> float:
    """Return the share of the highest learning rate after a share of the steps."""
    return min(share / _WARM_UP, (1 - share) / (1 - _WARM_UP)) if share else 0.01


def _keep(file: Path, made_from: str, network: Network, optimizer: Any, steps: int) -> None:
    state = {
        "made_from": made_from,
        "network": network.state_dict(),
        "optimizer": optimizer.state_dict(),
        "steps": steps,
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    scratch = file.with_suffix(".new")
    torch.save(state, scratch)
    os.replace(scratch, file)  # so that a stop while it writes loses nothing


def _resumed(file: Path, made_from: str, network: Network, optimizer: Any) -> int:
    """Return how many steps were done before, and restore the state after them."""
    if not file.is_file():
        return 0
    # A checkpoint is a pickle: one from elsewhere could run code.
    state: dict[str, Any] = torch.load(file, weights_only=True)
    if state["made_from"] != made_from:
        return 0
    network.load_state_dict(state["network"])
    optimizer.load_state_dict(state["optimizer"])
    return state["steps"]
