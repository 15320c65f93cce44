"""The place in a region of a search form that is nearest to a quote: `nearest_in`."""

from __future__ import annotations

from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

from citeguard.quotes.budget import Region, edit_budget
from citeguard.quotes.levenshtein import nearest_substring


@dataclass(frozen=True, slots=True)
class Candidate:
    """A half-open interval of a search form, and its distance from the quote's in edits."""

    start: int
    end: int
    distance: int


def nearest_in(letters: str, region: Region, quote: str) -> Candidate | None:
    """Return the place in a region nearest to a quote; `None` if none is within the budget."""
    budget, text = edit_budget(len(quote)), letters[region[0] : region[1]]
    # Cheap and certain: within the budget, at least so many letters stand in common order.
    needed = len(quote) - budget
    if LCSseq.similarity(quote, text, score_cutoff=needed) < needed:
        return None
    found = nearest_substring(quote, text, most=budget)
    return found and Candidate(region[0] + found[0], region[0] + found[1], found[2])
