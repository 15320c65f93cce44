"""Datasets of answers: good samples told from bad ones, exported, measured, made wrong on purpose.

`filter_samples` parts samples file by file, `check_samples` tells of them one by one, and
`BatchChecker` checks them in frameworks that spread work over machines; `Fields` says where samples
keep their answers, questions and sources. `export_samples` writes files to train with,
`evaluate_samples` measures, and `synthesize` makes wrong quotes and statements from true ones.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.datasets.batches import BatchChecker
    from citeguard.datasets.evaluation.labels import LabelQuality
    from citeguard.datasets.evaluation.result import Evaluation
    from citeguard.datasets.evaluation.run import evaluate_samples
    from citeguard.datasets.export.card import Card
    from citeguard.datasets.export.recorder import RetryRecorder
    from citeguard.datasets.export.run import export_samples
    from citeguard.datasets.export.splits import split_by_source
    from citeguard.datasets.export.summary import (
        ExportSummary,
        FilterCounts,
        NothingExportedError,
        SplitFacts,
    )
    from citeguard.datasets.fields import Fields
    from citeguard.datasets.filtering.record import read_summary
    from citeguard.datasets.filtering.run import check_samples, filter_samples
    from citeguard.datasets.filtering.summary import FilterSummary
    from citeguard.datasets.reading import read_samples
    from citeguard.datasets.samples import CheckedSample, SampleChecker, SampleProblem
    from citeguard.datasets.synthesis.making import negatives, synthesize, synthetic_samples
    from citeguard.datasets.synthesis.negative import (
        Change,
        Negative,
        label_of,
        original_sample_of,
        sample_of,
    )
    from citeguard.datasets.synthesis.quotes import true_quotes

__all__ = [
    "BatchChecker",
    "Card",
    "Change",
    "CheckedSample",
    "Evaluation",
    "ExportSummary",
    "Fields",
    "FilterCounts",
    "FilterSummary",
    "LabelQuality",
    "Negative",
    "NothingExportedError",
    "RetryRecorder",
    "SampleChecker",
    "SampleProblem",
    "SplitFacts",
    "check_samples",
    "evaluate_samples",
    "export_samples",
    "filter_samples",
    "label_of",
    "negatives",
    "original_sample_of",
    "read_samples",
    "read_summary",
    "sample_of",
    "split_by_source",
    "synthesize",
    "synthetic_samples",
    "true_quotes",
]

_HOMES = {
    "batches": ["BatchChecker"],
    "evaluation.labels": ["LabelQuality"],
    "evaluation.result": ["Evaluation"],
    "evaluation.run": ["evaluate_samples"],
    "export.card": ["Card"],
    "export.recorder": ["RetryRecorder"],
    "export.run": ["export_samples"],
    "export.splits": ["split_by_source"],
    "export.summary": ["ExportSummary", "FilterCounts", "NothingExportedError", "SplitFacts"],
    "fields": ["Fields"],
    "filtering.record": ["read_summary"],
    "filtering.run": ["check_samples", "filter_samples"],
    "filtering.summary": ["FilterSummary"],
    "reading": ["read_samples"],
    "samples": ["CheckedSample", "SampleChecker", "SampleProblem"],
    "synthesis.making": ["negatives", "synthesize", "synthetic_samples"],
    "synthesis.negative": ["Change", "Negative", "label_of", "original_sample_of", "sample_of"],
    "synthesis.quotes": ["true_quotes"],
}
__getattr__, __dir__ = lazily(__name__, _HOMES)
