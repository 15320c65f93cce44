"""Pairs that a tiny encoder learns in seconds, and that encoder."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from citeguard.training import EntailmentPair
from tiny_entailment import MINILM

_LABELS: dict[str, Any] = {
    "confirmed": "supported",
    "denied": "contradicted",
    "long": "neutral",
    "delayed": "not_supported",
}


def plans(count: int, *, seed: int = 0) -> list[EntailmentPair]:
    """Return pairs whose label hangs on one word."""
    random = Random(seed)
    words = random.choices(list(_LABELS), k=count)
    things = random.choices("plan tax law road city bank river".split(), k=count)
    return [
        EntailmentPair(f"The {thing} was {word}.", f"The {thing} passed.", _LABELS[word])
        for word, thing in zip(words, things, strict=True)
    ]


def save_encoder(folder: Path, labels: list[str] | None = None) -> Path:
    """Save a BERT of one layer with random weights; with labels, as a cross-encoder with these."""
    import torch
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification, BertModel

    torch.manual_seed(0)
    tokenizer: Any = AutoTokenizer.from_pretrained(MINILM)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        initializer_range=0.3,
        **({"id2label": dict(enumerate(labels))} if labels else {}),
    )
    network: Any = (BertForSequenceClassification if labels else BertModel)(config)
    network.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
