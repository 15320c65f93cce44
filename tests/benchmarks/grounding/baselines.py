"""What the verifier is measured against: word coverage, and the cosine of sentence embeddings."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from citeguard.language.windows import sentence_windows
from citeguard.verifier.features import NAMES

from .data import Item
from .fitting import Floats, Rows

_WINDOW = 3  # sentences
_SAMPLE = 150  # items of a data set that are embedded: it takes minutes


def coverage(rows: Rows, feature: str) -> Floats:
    """Return one of the features as a score of each statement: that of its weakest sentence."""
    lowest = np.ones(len(rows.supported))
    np.minimum.at(lowest, rows.item, rows.features[:, NAMES.index(feature)])
    return lowest


class Cosine:
    """The cosine of a statement and the nearest window of three sentences of its evidence.

    Of each data set a sample is embedded; the score of the other items is NaN.
    """

    def __init__(self, model: Path) -> None:
        os.environ["HF_HUB_OFFLINE"] = "1"
        from sentence_transformers import SentenceTransformer

        self._model = SentenceTransformer(str(model), device="cpu")

    def __call__(self, items: Sequence[Item]) -> Floats:
        """Return the score of each statement of the sample."""
        sample = set(random.Random(0).sample(range(len(items)), min(_SAMPLE, len(items))))
        scores = np.full(len(items), np.nan)
        scores[sorted(sample)] = self._scores([items[place] for place in sorted(sample)])
        return scores

    def _scores(self, items: Sequence[Item]) -> Floats:
        windows = {text: _windows(text) for item in items for text in item.evidence}
        texts = [text for listed in windows.values() for text in listed]
        texts = list(dict.fromkeys([*texts, *(item.statement for item in items)]))
        vectors = self._model.encode(texts, batch_size=64, normalize_embeddings=True)
        row = {text: place for place, text in enumerate(texts)}
        return np.array(
            [
                max(
                    (
                        float(vectors[row[window]] @ vectors[row[item.statement]])
                        for text in item.evidence
                        for window in windows[text]
                    ),
                    default=0.0,
                )
                for item in items
            ]
        )


def _windows(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_windows(text, size=_WINDOW, overlap=1)]
