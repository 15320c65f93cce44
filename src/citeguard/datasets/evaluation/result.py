"""What was measured of samples: `Evaluation`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from citeguard.datasets.evaluation.labels import LabelQuality
from citeguard.metrics.citations import CitationQuality
from citeguard.metrics.overlap import CitationOverlap
from citeguard.metrics.shares import Share


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """How good the citations of samples are, and, with labels, how good the verdicts on them.

    Attributes:
        read: How many samples were read.
        unreadable: How many could not be measured, by the code of what is wrong with them: their
            shape, or their sources. They are no part of what follows.
        examples: For each of these codes the first message.
        samples: Those that pass the filter: all quotes stand, all statements are supported.
        quotes: The quotes that stand in their source.
        statements: The statements that pass: their quotes stand, and support them.
        problems: How many quotes and statements have a problem with this code; the most frequent
            one comes first.
        citations: What the citations are worth, by the judge; a quote that stands nowhere supports
            nothing.
        labels: How the verdicts agree with labels, if there are any.
        gold: How far the citations are the gold ones, if there are any.
        without_gold: How many samples have no gold citations; they are no part of `gold`.
    """

    read: int
    unreadable: Mapping[str, int]
    examples: Mapping[str, str]
    samples: Share
    quotes: Share
    statements: Share
    problems: Mapping[str, int]
    citations: CitationQuality
    labels: LabelQuality | None = None
    gold: CitationOverlap | None = None
    without_gold: int = 0

    def as_data(self) -> dict[str, Any]:
        """Return it as JSON-like data; what is not defined is `None`."""
        return {
            "read": self.read,
            "unreadable": [
                {"code": code, "samples": count, "example": self.examples[code]}
                for code, count in self.unreadable.items()
            ],
            "samples": _share_data(self.samples),
            "quotes": _share_data(self.quotes),
            "statements": _share_data(self.statements),
            "problems": dict(self.problems),
            "citations": _citation_data(self.citations),
            "labels": None if self.labels is None else self.labels.as_data(),
            "gold": None if self.gold is None else _gold_data(self.gold, self.without_gold),
        }


def _share_data(share: Share) -> dict[str, Any]:
    return {
        "value": share.value,
        "yes": share.yes,
        "no": share.no,
        "undecided": share.undecided,
    }


def _citation_data(found: CitationQuality) -> dict[str, Any]:
    return {
        "recall": _share_data(found.recall),
        "precision": _share_data(found.precision),
        "redundancy": _share_data(found.redundancy),
        "mean_recall": found.mean_recall,
        "mean_precision": found.mean_precision,
    }


def _gold_data(found: CitationOverlap, without: int) -> dict[str, Any]:
    return {
        "without": without,
        "predicted": found.predicted,
        "gold": found.gold,
        "missing": found.missing,
        "spurious": found.spurious,
        "exact_source": found.exact_source,
        "rouge_l": found.rouge_l,
        "combined": found.combined,
    }
