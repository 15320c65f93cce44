"""What fails and what passes: `Policy`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from citeguard.errors import CiteguardError
from citeguard.sources import Rules
from citeguard.validators import ExactQuote, FuzzyQuote

_CHOICES = {"uncited": ("fail", "pass"), "empty": ("fail", "pass"), "denied": ("flag", "fail")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy(Rules):
    """The rules that an answer is held to; the defaults are the strict ones.

    It decides nothing about data that is wrong in form, and needs no model.

    Attributes:
        quote: The rule for the quotes of every `Citation`. Its `source_field` is not used there: a
            citation names its source in `source_id`.
        uncited: Whether a statement without citations fails (`statement_uncited`).
        empty: Whether an answer without statements fails (`answer_empty`).
        denied: Whether a quote whose own sentence denies it fails (`quote_denied`), or is only
            flagged, as `Citation.denied`.

    Raises:
        CiteguardError: a choice that does not exist.

    Examples:
        >>> Policy(uncited="pass")
        Policy(quote=FuzzyQuote(source_field=None, min_length=4), uncited='pass', empty='fail', \
denied='flag')
    """

    quote: ExactQuote | FuzzyQuote = field(default_factory=FuzzyQuote)
    uncited: Literal["fail", "pass"] = "fail"
    empty: Literal["fail", "pass"] = "fail"
    denied: Literal["flag", "fail"] = "flag"

    def __post_init__(self) -> None:
        """Refuse a misspelt choice: it would let through what it was meant to stop."""
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise CiteguardError(
                    f"Policy({name}=...) must be one of {', '.join(map(repr, choices))}, "
                    f"not {getattr(self, name)!r}"
                )
        if not isinstance(self.quote, (ExactQuote, FuzzyQuote)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise CiteguardError(
                f"Policy(quote=...) must be an ExactQuote() or a FuzzyQuote(), not {self.quote!r}"
            )
