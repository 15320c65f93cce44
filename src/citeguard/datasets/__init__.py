"""Datasets of answers: filtered, exported to train with, measured, and made wrong on purpose.

`filter_samples` writes samples to files by outcome, `check_samples` yields the results one by one,
and `SampleChecker` is the check itself; `Fields` describes where samples keep their answers,
questions and sources. `export_samples` writes files to train with,
`evaluate_samples` measures, and `synthesize` makes wrong quotes and statements from true ones.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.datasets.evaluation import Evaluation, LabelQuality, evaluate_samples
    from citeguard.datasets.exporting import (
        ExportSummary,
        NothingExportedError,
        SplitFacts,
        export_samples,
    )
    from citeguard.datasets.fields import Fields
    from citeguard.datasets.filter_files import FilterSummary
    from citeguard.datasets.filtering import check_samples, filter_samples
    from citeguard.datasets.formats import recording
    from citeguard.datasets.readers import read_samples
    from citeguard.datasets.samples import CheckedSample, SampleChecker, SampleProblem
    from citeguard.datasets.splits import split_by_source
    from citeguard.datasets.synthesis import Negative, negatives, sample_of, synthesize, true_quotes

__all__ = [
    "CheckedSample",
    "Evaluation",
    "ExportSummary",
    "Fields",
    "FilterSummary",
    "LabelQuality",
    "Negative",
    "NothingExportedError",
    "SampleChecker",
    "SampleProblem",
    "SplitFacts",
    "check_samples",
    "evaluate_samples",
    "export_samples",
    "filter_samples",
    "negatives",
    "read_samples",
    "recording",
    "sample_of",
    "split_by_source",
    "synthesize",
    "true_quotes",
]

_HOMES = {
    "evaluation": "Evaluation LabelQuality evaluate_samples",
    "exporting": "ExportSummary NothingExportedError SplitFacts export_samples",
    "fields": "Fields",
    "filtering": "check_samples filter_samples",
    "formats": "recording",
    "filter_files": "FilterSummary",
    "readers": "read_samples",
    "samples": "CheckedSample SampleChecker SampleProblem",
    "splits": "split_by_source",
    "synthesis": "Negative negatives sample_of synthesize true_quotes",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)
