"""The facts in which a claim and the words that decide on it differ: `differing_facts`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from citeguard.auditing.report import DifferingFact, FactKind
from citeguard.facts import Contrast, ContrastKind, contrasts
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
    "roles": "roles",
}
_DAYS_AND_MONTHS = frozenset((*MONTH_NAMES, *WEEKDAYS))
_RELATIVE = frozenset(("today", "yesterday", "tomorrow"))
_YEAR = re.compile(r"(?<![\w.,])(?:1[0-9]|2[01])[0-9]{2}(?![\w]|[.,][0-9])")
_WORD = re.compile(r"[^\W\d_]+")


def differences(claim: str, words: str) -> tuple[Contrast, ...]:
    """Return the contrasts that count against a claim, the conflicts first."""
    found = contrasts(claim, words)
    conflicts = _disjoint(filter(is_conflict, found))
    return (*conflicts, *(each for each in found if each.kind in CLAIMS_MORE))


def _disjoint(found: Iterable[Contrast]) -> tuple[Contrast, ...]:
    """Return contrasts of which no two overlap in the claim; the longest ones are kept."""
    kept: list[Contrast] = []
    # Of two about the same words, one of names is more precise than one of exclusive words.
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
    """Return the kind of fact in which the two sides of a contrast differ."""
    kind = _KINDS[contrast.kind]
    if kind in ("number", "word") and is_date(contrast.stated) and is_date(contrast.found):
        return "date"
    return kind


def is_date(words: str) -> bool:
    """Return whether words name a year, a month or a day."""
    return _YEAR.search(words) is not None or any(
        (word.lower() in _DAYS_AND_MONTHS and word[0].isupper()) or word in _RELATIVE
        for word in _WORD.findall(words)
    )
