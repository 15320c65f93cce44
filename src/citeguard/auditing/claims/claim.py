"""A claim of a text, and what finds claims: `Claim`, `Extraction`, `ClaimExtractor`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, get_args, runtime_checkable

from citeguard.errors import CiteguardError
from citeguard.language.sentences import Interval
from citeguard.reports.report import SetAside


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One thing that a text says, in words that can be read alone.

    Attributes:
        text: What is claimed, with its subject, and without citation marks.
        start: Where its own words start in the text, in code points.
        end: Where they end, exclusive. The own words of two claims never overlap.
        sentence: The half-open interval of its sentence in the text.
        set_aside: Why it is not checkable; `None` if it is.
        context: The words before it that a pronoun in it refers to, or that introduce it; empty if
            none do.
    """

    text: str
    start: int
    end: int
    sentence: Interval
    set_aside: SetAside | None = None
    context: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """The claims of a text.

    Attributes:
        claims: All of them, in the order of the text, those set aside among them.
        uncovered: The half-open intervals of sentences without a claim, in order.
    """

    claims: tuple[Claim, ...]
    uncovered: tuple[Interval, ...] = ()


@runtime_checkable
class ClaimExtractor(Protocol):
    """Anything that finds the claims of texts."""

    def extract(self, texts: Sequence[str], /) -> Sequence[Extraction]:
        """Return the claims of each text, in order."""
        ...


def require_fit(extraction: Extraction, text: str) -> None:
    """Raise if claims do not fit a text, since the audit relies on their places.

    Raises:
        CiteguardError: it is not an extraction, a reason does not exist, a claim is empty or
            outside the text, or two claims overlap or are out of order.
    """
    if not isinstance(extraction, Extraction):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CiteguardError(f"an extractor must return an Extraction, not {extraction!r}")
    done = 0
    for claim in extraction.claims:
        if not done <= claim.start < claim.end <= len(text):
            raise CiteguardError(f"a claim must lie in its text, after the one before: {claim!r}")
        if claim.set_aside not in (None, *get_args(SetAside)):
            raise CiteguardError(f"a claim is set aside for no known reason: {claim!r}")
        if not claim.text.strip():
            raise CiteguardError(f"a claim must not be empty: {claim!r}")
        done = claim.end
    for start, end in extraction.uncovered:
        if not 0 <= start < end <= len(text):
            raise CiteguardError(f"what is uncovered must lie in the text: {(start, end)}")
