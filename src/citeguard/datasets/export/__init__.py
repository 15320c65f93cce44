"""Samples written to train with: JSONL for each split, split by source, and a card."""

from citeguard.datasets.export.card import Card
from citeguard.datasets.export.recorder import RetryRecorder
from citeguard.datasets.export.rendering import AnswerKind, Form, PromptKind
from citeguard.datasets.export.run import export_samples
from citeguard.datasets.export.splits import Split, split_by_source
from citeguard.datasets.export.summary import (
    ExportSummary,
    FilterCounts,
    NothingExportedError,
    SplitFacts,
)

__all__ = [
    "AnswerKind",
    "Card",
    "ExportSummary",
    "FilterCounts",
    "Form",
    "NothingExportedError",
    "PromptKind",
    "RetryRecorder",
    "Split",
    "SplitFacts",
    "export_samples",
    "split_by_source",
]
