"""The facts in which a claim and the words that decide on it differ: `differing_facts`."""

from __future__ import annotations

from collections.abc import Iterable

from citeguard.auditing.results import DifferingFact, FactKind
from citeguard.facts import Contrast, ContrastKind, contrasts
from citeguard.facts.reading import read
from citeguard.language.quantities import MONTH_NAMES, WEEKDAYS
from citeguard.verifier.differences import CLAIMS_MORE, is_conflict

_KINDS: dict[ContrastKind, FactKind] = {
    "negation": "negation",
    "number": "number",
    "name": "name",
    "opposite": "word",
    "exclusive": "word",
    "quantity": "quantity",
    "modality": "certainty",
}
_OF_DATES = frozenset((*MONTH_NAMES, *WEEKDAYS))
_RELATIVE = frozenset(("today", "yesterday", "tomorrow"))
_YEARS = range(1000, 2200)


def differences(claim: str, words: str) -> tuple[Contrast, ...]:
    """Return the contrasts with which a claim should not pass unread, the conflicts first."""
    found = contrasts(claim, words)
    conflicts = _apart(filter(is_conflict, found))
    return (*conflicts, *(each for each in found if each.kind in CLAIMS_MORE))


def _apart(found: Iterable[Contrast]) -> tuple[Contrast, ...]:
    """Return contrasts of which no two are about the same words of the claim, the longest first."""
    kept: list[Contrast] = []
    # Of two about the same words, one of names says more than that they exclude each other.
    ordered = sorted(found, key=lambda each: (each.start - each.end, each.kind == "exclusive"))
    for each in ordered:
        if all(each.end <= other.start or other.end <= each.start for other in kept):
            kept.append(each)
    return tuple(sorted(kept, key=lambda each: each.start))


def differing_facts(found: Iterable[Contrast]) -> tuple[DifferingFact, ...]:
    """Return contrasts as facts for people, each once."""
    facts = (
        DifferingFact(kind=kind_of(each), stated=each.stated, found=each.found) for each in found
    )
    return tuple(dict.fromkeys(facts))


def kind_of(contrast: Contrast) -> FactKind:
    """Return in what kind of fact the sides of a contrast differ.

    Examples:
        >>> [found] = contrasts("It opened in May 2020.", "It opened in June 2020.")
        >>> kind_of(found)
        'date'
    """
    kind = _KINDS[contrast.kind]
    if kind in ("number", "word") and is_date(contrast.stated) and is_date(contrast.found):
        return "date"
    return kind


def is_date(words: str) -> bool:
    """Tell whether words name a year, a month or a day.

    Examples:
        >>> is_date("June 1984"), is_date("1,984 rooms")
        (True, False)
    """
    return any(_tells_a_date(word.text) for word in read(words).words)


def _tells_a_date(word: str) -> bool:
    is_year = len(word) == 4 and word.isascii() and word.isdigit() and int(word) in _YEARS
    return is_year or (word.lower() in _OF_DATES and word[:1].isupper()) or word in _RELATIVE
