"""The one report of checked statements, and its forms: page, Markdown, terminal, SARIF, JUnit.

A `Report` has a text, its sources, and what they say about each claim of the text.
"""

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
