"""Quotes looked up in sources, as a user does, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citeguard import Match, Sources, locate

from .alterations import alterations

REFUSED = {"other number rejected": "number", "other polarity rejected": "negation"}
"""What is altered in quotes, by the heading of its column."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """A quote looked up, and the same quote with other meanings.

    Attributes:
        quote: The sentence.
        match: What was found; `None` if nothing was.
        accepted: The kinds of alteration that were taken for the source's words.
        refused: The kinds that were not.
    """

    quote: str
    match: Match | None
    accepted: tuple[str, ...]
    refused: tuple[str, ...]

    @property
    def found(self) -> bool:
        """Whether the quote stands in the source."""
        return self.match is not None and self.match.accepted

    def failures(self, place: str) -> Iterator[str]:
        """Yield a line on each thing that is wrong with a quote of a place."""
        if not self.found:
            yield f"- not found: {place}: {self.quote}"
        for kind in self.accepted:
            yield f"- another {kind} accepted: {place}: {self.quote}"


def look_up(quote: str, sources: Sources) -> Lookup:
    """Look a quote up, and what it becomes when its meaning is changed."""
    kinds = {kind: stands(changed, sources) for kind, changed in alterations(quote)}
    return Lookup(
        quote,
        locate(quote, sources),
        accepted=tuple(kind for kind, stood in kinds.items() if stood),
        refused=tuple(kind for kind, stood in kinds.items() if not stood),
    )


def stands(quote: str, sources: Sources) -> bool:
    """Tell whether a quote stands in one of the sources."""
    match = locate(quote, sources)
    return match is not None and match.accepted


def share(part: int, whole: int) -> str:
    """Return a share in percent."""
    return f"{100 * part / whole:.1f} %" if whole else "–"


def refused_shares(lookups: Sequence[Lookup]) -> Iterator[str]:
    """Return the share of the altered quotes that were refused, for each kind of alteration."""
    for kind in REFUSED.values():
        refused = sum(kind in each.refused for each in lookups)
        whole = refused + sum(kind in each.accepted for each in lookups)
        yield f"{share(refused, whole)} of {whole}"
