"""Check what a language model says against the sources it was given, as the answer is parsed.

The public names are loaded when they are first used, as Pydantic does with its own: `import
citeguard` alone costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from citeguard.context import use_sources
    from citeguard.errors import (
        CiteguardError,
        InvalidSourcesError,
        MissingSourcesError,
        UnknownSourceError,
    )
    from citeguard.matches import Edit, Grade, Match, locate
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

_HOMES = {
    "context": ["use_sources"],
    "errors": [
        "CiteguardError",
        "InvalidSourcesError",
        "MissingSourcesError",
        "UnknownSourceError",
    ],
    "matches": ["Edit", "Grade", "Match", "locate"],
    "models": ["Answer", "Citation", "Statement"],
    "policy": ["Policy"],
    "sources": ["Source", "Sources", "Span"],
    "validators": ["ExactQuote", "FuzzyQuote"],
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Load a public name from its module."""
    if name not in _HOME:
        raise AttributeError(f"module 'citeguard' has no attribute {name!r}")
    value = getattr(import_module(f"citeguard.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *__all__})
