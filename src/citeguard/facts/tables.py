"""The tables of English words under `data/`, read on first use.

A class is a list of groups. Words of one group mean nearly the same; words of two groups of a class
exclude each other: "rise" and "fall", "Monday" and "Tuesday", "French" and "German".
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import resources
from typing import Literal, NamedTuple

from citeguard.language import lexicon
from citeguard.language.grammar import irregular_verbs
from citeguard.language.terms import stem

ClassKind = Literal["opposite", "exclusive", "loose"]


class Membership(NamedTuple):
    """The place of a word in a class.

    Attributes:
        name: The class; each line of opposites is one class.
        group: The index of the group in its class.
        kind: `loose` for classes whose words can be true together, such as professions.
        cased: Whether the word counts only if it is written with a capital.
    """

    name: str
    group: int
    kind: ClassKind
    cased: bool


_Entry = tuple[str, Membership]
_MOST_STEMS = 100_000
# With a capital these are names, without one common words: "Turkey" and "turkey".
_CASED = frozenset(("indian ocean", "won", "fall", "second"))


def has_capital_sense(word: str) -> bool:
    """Return whether a word in lower case is another one with a capital, or in capitals."""
    return word in lexicon.english("names") or word in lexicon.english("acronyms")


def lines(name: str) -> list[str]:
    """Return the lines of a table without its comments."""
    text = resources.files("citeguard.facts").joinpath(f"data/{name}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@cache
def irregular_plurals() -> frozenset[str]:
    """Return the plurals that do not end in "s" or change more than that: "men", "lives"."""
    return frozenset(line.split()[1] for line in lines("plurals"))


@cache
def irregular_forms() -> dict[str, str]:
    """Return the base form of each irregular form that differs from it: "fall" for "fell"."""
    rows = [*irregular_verbs(), *map(str.split, lines("plurals"))]
    return {form: row[0] for row in rows for form in row[1:] if form != row[0]}


@lru_cache(maxsize=_MOST_STEMS)
def root(word: str) -> str:
    """Return what the forms of an English word, also irregular ones, have in common.

    Examples:
        >>> root("fallen") == root("falls"), root("won")
        (True, 'win')
    """
    plain = word.removesuffix("'s")
    return stem(irregular_forms().get(plain, plain))


@cache
def countries() -> dict[str, str]:
    """Return, for each name and adjective of a country in lower case, its first name."""
    rows = (line.split(", ") for line in lines("countries"))
    return {_plain(form): row[0] for row in rows for form in row}


@cache
def short_names() -> dict[str, frozenset[int]]:
    """Return the families of given names for each name: "bill" and "william" share one."""
    families: dict[str, set[int]] = {}
    for number, line in enumerate(lines("given_names")):
        for name in line.lower().split():
            families.setdefault(name, set()).add(number)
    return {name: frozenset(numbers) for name, numbers in families.items()}


@cache
def memberships() -> dict[str, tuple[Membership, ...]]:
    """Return the memberships of each stem, or of each phrase joined by "_"."""
    found: dict[str, list[Membership]] = {}
    for entries in (_opposites(), _exclusive(), _of_countries()):
        for word, membership in entries:
            known = found.setdefault(_joined(word), [])
            if not any(other.name == membership.name for other in known):
                known.append(membership)
    return {word: tuple(known) for word, known in found.items()}


def _opposites() -> Iterator[_Entry]:
    for number, line in enumerate(lines("opposites")):
        for group, words in enumerate(line.split(" / ")):
            for word in words.split():
                yield word, Membership(f"opposite {number}", group, "opposite", cased=False)


def _exclusive() -> Iterator[_Entry]:
    for line in lines("exclusive"):
        name, _, members = line.partition(": ")
        kind: ClassKind = "loose" if name.endswith("?") else "exclusive"
        for group, words in enumerate(members.split(" / ")):
            for word in words.split(", "):
                yield word, Membership(name.rstrip("?"), group, kind, _is_cased(word))


def _of_countries() -> Iterator[_Entry]:
    for group, line in enumerate(lines("countries")):
        for word in line.split(", "):
            yield word, Membership("country", group, "exclusive", _is_cased(word))


def _is_cased(word: str) -> bool:
    return word[0].isupper() and (word.lower() in _CASED or has_capital_sense(word.lower()))


def _plain(word: str) -> str:
    """Return a word of the tables as it is tokenized: "U.S." is two tokens."""
    return word.lower().replace(".", " ").replace("-", " ").strip().replace("  ", " ")


def _joined(word: str) -> str:
    keys = _plain(word).split()
    country = countries().get(" ".join(keys))
    if country is not None and (len(keys) > 1 or word[0].isupper()):
        return country.lower().replace(" ", "_")
    return root(keys[0]) if len(keys) == 1 else "_".join(map(root, keys))
