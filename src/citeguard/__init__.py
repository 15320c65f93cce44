"""Check what a language model says against the sources it was given, as the answer is parsed."""

from citeguard.context import use_sources
from citeguard.errors import (
    CiteguardError,
    InvalidSourcesError,
    MissingSourcesError,
    UnknownSourceError,
)
from citeguard.locate import Edit, Grade, Match, locate
from citeguard.models import Answer, Citation, Statement
from citeguard.policy import Policy
from citeguard.sources import Source, Sources, Span
from citeguard.validators import ExactQuote, FuzzyQuote

__all__ = [
    "Answer",
    "Citation",
    "CiteguardError",
    "Edit",
    "ExactQuote",
    "FuzzyQuote",
    "Grade",
    "InvalidSourcesError",
    "Match",
    "MissingSourcesError",
    "Policy",
    "Source",
    "Sources",
    "Span",
    "Statement",
    "UnknownSourceError",
    "locate",
    "use_sources",
]
