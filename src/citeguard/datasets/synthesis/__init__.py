"""Controlled wrong quotes and statements, made from true ones: `negatives`, `synthesize`.

Each is labelled with what is wrong, where, and what stood there. They are made by rules, without a
model, and the same for the same seed. `true_quotes` draws what to start from.
"""

from citeguard.datasets.synthesis.drawing import true_quotes
from citeguard.datasets.synthesis.making import negatives, synthesize
from citeguard.datasets.synthesis.negative import KINDS, Change, Kind, Negative, Target
from citeguard.datasets.synthesis.samples import (
    Label,
    label_of,
    original_sample_of,
    sample_of,
)

__all__ = [
    "KINDS",
    "Change",
    "Kind",
    "Label",
    "Negative",
    "Target",
    "label_of",
    "negatives",
    "original_sample_of",
    "sample_of",
    "synthesize",
    "true_quotes",
]
