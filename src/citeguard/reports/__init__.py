"""The one report of checked statements, and its forms: page, Markdown, terminal, SARIF, JUnit.

A `Report` has a text, its sources, and what they say about each claim of the text.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.reports.report import (
        CheckedClaim,
        CheckedLink,
        CheckedSource,
        CitationFinding,
        Correction,
        DifferingFact,
        Place,
        Replacement,
        Report,
        Search,
        SourcePage,
        Spent,
        Trust,
        Uncovered,
        trust_of,
    )

__all__ = [
    "CheckedClaim",
    "CheckedLink",
    "CheckedSource",
    "CitationFinding",
    "Correction",
    "DifferingFact",
    "Place",
    "Replacement",
    "Report",
    "Search",
    "SourcePage",
    "Spent",
    "Trust",
    "Uncovered",
    "trust_of",
]

_HOMES = {
    "report": "CheckedClaim CheckedLink CheckedSource CitationFinding Correction DifferingFact "
    "Place Replacement Report Search SourcePage Spent Trust Uncovered trust_of",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)
