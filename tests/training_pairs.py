"""Pairs and questions that a tiny reader learns in seconds, and that reader."""

import json
from pathlib import Path
from random import Random
from typing import Any

from citeguard.reader.model import SETTINGS
from citeguard.training import AnswerPair, EntailmentPair
from tiny_entailment import MINILM

_LABELS: dict[str, Any] = {
    "confirmed": "supported",
    "denied": "contradicted",
    "long": "neutral",
    "delayed": "not_supported",
}
_THINGS = "plan tax law road city bank river".split()


def plans(count: int, *, seed: int = 0) -> list[EntailmentPair]:
    """Return pairs whose label hangs on one word."""
    random = Random(seed)
    words = random.choices(list(_LABELS), k=count)
    things = random.choices(_THINGS, k=count)
    return [
        EntailmentPair(f"The {thing} was {word}.", f"The {thing} passed.", _LABELS[word])
        for word, thing in zip(words, things, strict=True)
    ]


def questions(count: int) -> list[AnswerPair]:
    """Return questions that are answered where a year is given."""
    return [
        AnswerPair(f"When was the {thing}?", f"The {thing} was {when}.", answers=when == "1990")
        for thing in _THINGS
        for when in ("1990", "long")
    ][:count]


def save_reader(folder: Path) -> Path:
    """Save a reader of one layer with random weights."""
    import torch
    from transformers import BertConfig

    from citeguard.training.network import Network, save

    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=30_522,
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        initializer_range=0.3,
    )
    settings = {
        "entails": {
            "supported": [0.0, 0.5, 0.3, 0.2, 0.0, 0.0, 0.0, 0.0, -1.0],
            "contradicted": [0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 1.0],
            "thresholds": {
                "supported_from": 0.7,
                "contradicted_from": 0.7,
                "unsupported_below": 0.3,
            },
        },
        "answers": {"weights": [0.0, 1.0, 0.0, 0.0], "thresholds": {"answered_from": 0.8}},
    }
    return save(Network(config), MINILM, folder, settings)


def settings_of(folder: Path) -> dict[str, Any]:
    """Return what a reader's folder says was fitted."""
    return json.loads((folder / SETTINGS).read_text("utf-8"))
