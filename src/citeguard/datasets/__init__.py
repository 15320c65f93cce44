"""Datasets of answers: which samples are good, told, filtered, exported, and made wrong on purpose.

`filter_samples` parts good samples from bad ones, file by file, and `check_samples` one by one;
`evaluate_samples` measures them; `Fields` says where samples keep their answers, questions and sources. Names are loaded when they
are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from citeguard.datasets.evaluation.labels import LabelQuality
    from citeguard.datasets.evaluation.result import Evaluation
    from citeguard.datasets.evaluation.run import evaluate_samples
    from citeguard.datasets.fields import Fields
    from citeguard.datasets.filtering.run import check_samples, filter_samples
    from citeguard.datasets.filtering.summary import FilterSummary
    from citeguard.datasets.reading import read_samples
    from citeguard.datasets.samples import CheckedSample, SampleChecker, SampleProblem

__all__ = [
    "CheckedSample",
    "Evaluation",
    "Fields",
    "FilterSummary",
    "LabelQuality",
    "SampleChecker",
    "SampleProblem",
    "check_samples",
    "evaluate_samples",
    "filter_samples",
    "read_samples",
]

_HOMES = {
    "evaluation.labels": ["LabelQuality"],
    "evaluation.result": ["Evaluation"],
    "evaluation.run": ["evaluate_samples"],
    "fields": ["Fields"],
    "filtering.run": ["check_samples", "filter_samples"],
    "filtering.summary": ["FilterSummary"],
    "reading": ["read_samples"],
    "samples": ["CheckedSample", "SampleChecker", "SampleProblem"],
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Load a public name from its module."""
    if name not in _HOME:
        raise AttributeError(f"module 'citeguard.datasets' has no attribute {name!r}")
    value = getattr(import_module(f"citeguard.datasets.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *__all__})
