"""What fails and what passes: `Policy`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from citeguard.checks.judge import AlignmentJudge, Judge, can
from citeguard.checks.usage import Budget
from citeguard.errors import CiteguardError
from citeguard.sources import Rules
from citeguard.validators import ExactQuote, FuzzyQuote

_CHOICES = {
    "uncited": ("fail", "pass"),
    "empty": ("fail", "pass"),
    "denied": ("flag", "fail"),
    "evidence": ("quote", "sentence", "source"),
    "undecided": ("fail", "pass", "raise"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy(Rules):
    """The rules that an answer is held to; the defaults are the strict ones.

    It decides nothing about data that is wrong in form. Unless it names judges, no model is needed.

    Attributes:
        quote: The rule for the quotes of every `Citation`. Its `source_field` is not used there: a
            citation names its source in `source_id`.
        uncited: Whether a statement without citations fails (`statement_uncited`).
        empty: Whether an answer without statements fails (`answer_empty`).
        denied: Whether a quote whose own sentence denies it fails (`quote_denied`), or is only
            flagged, as `Citation.denied`.
        support: Who is asked whether what a statement cites supports it. The first one's verdict
            stands if it is decided; else the next is asked, so put the cheap ones first. Nobody is
            asked about statements without citations.
        alignment: Who is asked whether the answer as a whole answers the question and agrees with
            what it cites.
        evidence: What of a cited source the judges are shown: the `quote` alone, the whole
            `sentence` or sentences that it stands in, or all of the `source`.
        undecided: What happens when no judge could tell: the answer fails (`undecided`), passes
            with the verdict on it, or validation raises an `UndecidedError`, which no retry hides.
        budget: What the judges of one answer may cost.

    Raises:
        CiteguardError: a choice that does not exist, or a judge that is none.

    Examples:
        >>> Policy(uncited="pass")
        Policy(quote=FuzzyQuote(source_field=None, min_length=4), uncited='pass', empty='fail', \
denied='flag', support=(), alignment=None, evidence='sentence', undecided='fail', \
budget=Budget(calls=None, tokens=None, seconds=None))
    """

    quote: ExactQuote | FuzzyQuote = field(default_factory=FuzzyQuote)
    uncited: Literal["fail", "pass"] = "fail"
    empty: Literal["fail", "pass"] = "fail"
    denied: Literal["flag", "fail"] = "flag"
    support: Sequence[Judge] = ()
    alignment: AlignmentJudge | None = None
    evidence: Literal["quote", "sentence", "source"] = "sentence"
    undecided: Literal["fail", "pass", "raise"] = "fail"
    budget: Budget = field(default_factory=Budget)

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
        if not isinstance(self.budget, Budget):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise CiteguardError(f"Policy(budget=...) must be a Budget(...), not {self.budget!r}")
        object.__setattr__(self, "support", _listed(self.support))
        if self.alignment is not None and not can(AlignmentJudge, self.alignment):
            raise CiteguardError(
                f"Policy(alignment=...) must be a judge of answers, not {self.alignment!r}"
            )


def _listed(support: Any) -> tuple[Judge, ...]:
    if isinstance(support, str) or not isinstance(support, Sequence):
        raise CiteguardError(f"Policy(support=...) must be a list of judges, not {support!r}")
    judges: tuple[Any, ...] = tuple(support)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    for judge in judges:
        if not can(Judge, judge):
            raise CiteguardError(
                f"Policy(support=...) must be a list of judges, and {judge!r} is none"
            )
    return judges
