"""The tables under `data/`, read on first use."""

from __future__ import annotations

from functools import cache
from importlib import resources

from citeguard.facts.tables import lines as text_lines

_ALSO_COUNTRIES = ("Britain", "Frenchman", "Irishman", "Brit", "Croat", "Finn", "Briton")


@cache
def lines(name: str) -> tuple[str, ...]:
    """Return the lines of a table, its comments left out."""
    path = resources.files("citeguard.datasets.synthesis").joinpath(f"data/{name}.txt")
    rows = path.read_text("utf-8").splitlines()
    return tuple(row for row in rows if row and not row.startswith("#"))


@cache
def groups(name: str) -> dict[str, frozenset[str]]:
    """Return the groups of a table: "name: one, two" lines, those of one name together."""
    found: dict[str, set[str]] = {}
    for line in lines(name):
        group, _, words = line.partition(": ")
        found.setdefault(group, set()).update(words.split(", "))
    return {group: frozenset(words) for group, words in found.items()}


@cache
def nations() -> dict[str, tuple[str, ...]]:
    """Return names of countries and adjectives of nations, each with the type of such a name."""
    rows = [line.split(", ") for line in text_lines("countries")]
    found = {row[0]: ("country", row[0]) for row in rows}
    return found | {
        row[k]: ("nation", row[0])
        for row in rows
        for k in range(1, len(row))
        if row[k].endswith(("n", "ese", "ish", "ch", "i", "ic"))
        and " " not in row[k]
        and row[k] not in _ALSO_COUNTRIES
    }
