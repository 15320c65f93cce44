"""How well a threshold tells supported statements from others, with the guard and without."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean

from citeguard.judges.similarity import Similarity
from citeguard.judges.verdicts import Evidence, SupportQuestion

from ..tables import table
from .material import Item, embedder, items

DEVELOPMENT = ("ragtruth_sent", "fever_symmetric", "q2_wow", "nli_negation", "summedits", "wice")
HELD_OUT = (
    "attributionbench",
    "factcheck_gpt",
    "fm2",
    "scifact_abs",
    "storysumm",
    "nli_breaking",
    "nli_conj",
)
THRESHOLDS = [number / 100 for number in range(35, 90, 5)]
_LARGE = {"wice": 150, "nli_negation": 1_500, "summedits": 1_000}
_LARGE |= {"attributionbench": 250, "factcheck_gpt": 600}  # long texts
_CHANGES = ("negation", "number", "entity", "word")

Judged = tuple[bool, float, bool]
"""Whether it is supported, the cosine of the nearest window, and whether the guard objects."""


def lines(folder: Path, model: str) -> Iterator[str]:
    """Write the curve over thresholds, and the figures of every data set."""
    judged = {
        name: _judged(model, items(folder, name, _LARGE.get(name)))
        for name in (*DEVELOPMENT, *HELD_OUT)
    }
    yield from table(
        "Mean balanced accuracy by threshold",
        ("threshold", "development", "without guard", "held out", "without guard"),
        ((f"{at:.2f}", *_means(judged, at)) for at in THRESHOLDS),
    )
    default = Similarity(embedder(model)).threshold
    yield from table(
        f"By data set, at {default:.2f}",
        ("set", "items", "AUC", "balanced", "without guard", "supported passed", "others passed"),
        ([name, *_figures(found, default)] for name, found in judged.items()),
    )


def polarity_lines(folder: Path, model: str) -> Iterator[str]:
    """Write how often a source sentence with one change of meaning passes."""
    made = items(folder, "quotes_synth")
    rows = [(kind, _judged(model, _changed(made, kind))) for kind in (*_CHANGES, "exact")]
    default = Similarity(embedder(model)).threshold
    yield from table(
        "Sentences of a source with one change: share judged similar",
        ("change", "items", "with guard", "without guard"),
        ([kind, len(found), *_shares(found, default)] for kind, found in rows),
    )


def _changed(made: Sequence[Item], kind: str) -> list[Item]:
    return [
        item | {"context": [c for c in item["context"] if c["id"] == item["meta"]["cited"]]}
        for item in made
        if item["meta"]["kind"] == kind
    ]


def _judged(model: str, data: Sequence[Item]) -> list[Judged]:
    """Judge with a threshold that all reach: the verdict is then the guard's."""
    check = Similarity(embedder(model), threshold=1e-9)
    verdicts = check.judge([_question(item) for item in data])
    return [
        (item["label"] == "supported", verdict.score, verdict.outcome == "unsupported")
        for item, verdict in zip(data, verdicts, strict=True)
        if verdict.score is not None
    ]


def _question(item: Item) -> SupportQuestion:
    evidence = tuple(Evidence(text=part["text"]) for part in item["context"])
    return SupportQuestion(statement=item["statement"], evidence=evidence)


def _means(judged: dict[str, list[Judged]], threshold: float) -> Iterator[str]:
    for names in (DEVELOPMENT, HELD_OUT):
        for passes in (_guarded, _unguarded):
            values = [balanced(judged[name], threshold, passes) for name in names]
            yield f"{fmean(values):.3f}"


def _figures(found: Sequence[Judged], threshold: float) -> Iterator[object]:
    yield len(found)
    yield f"{_auc(found):.3f}"
    yield f"{balanced(found, threshold, _guarded):.3f}"
    yield f"{balanced(found, threshold, _unguarded):.3f}"
    for label in (True, False):
        yield f"{_passed([each for each in found if each[0] is label], threshold, _guarded):.0%}"


def _shares(found: Sequence[Judged], threshold: float) -> Iterator[str]:
    for passes in (_guarded, _unguarded):
        yield f"{_passed(found, threshold, passes):.1%}"


def _guarded(judged: Judged, threshold: float) -> bool:
    return judged[1] >= threshold and not judged[2]


def _unguarded(judged: Judged, threshold: float) -> bool:
    return judged[1] >= threshold


def balanced(
    found: Sequence[Judged], threshold: float, passes: Callable[[Judged, float], bool]
) -> float:
    """Return the mean of the shares that are right among the supported, and among the others."""
    supported = [each for each in found if each[0]]
    others = [each for each in found if not each[0]]
    return (_passed(supported, threshold, passes) + 1 - _passed(others, threshold, passes)) / 2


def _passed(
    found: Sequence[Judged], threshold: float, passes: Callable[[Judged, float], bool]
) -> float:
    return fmean(passes(each, threshold) for each in found)


def _auc(found: Sequence[Judged]) -> float:
    """Return the share of pairs of a supported and another statement that the cosine ranks so."""
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score([each[0] for each in found], [each[1] for each in found]))
