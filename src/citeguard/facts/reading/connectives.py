"""Words that join two clauses: "unless", "even if", "after", and what stands on either side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple

from citeguard.facts.reading.tables import lines
from citeguard.facts.reading.words import LIGHT, MOST_PLACES, STOP, Reading, Word, kept

_REACH = 6  # content words on either side of a connective
_LONGEST = 24  # words of a clause
_Groups = frozenset[tuple[str, int]]


class Link(NamedTuple):
    """A connective with the clauses that it joins.

    Attributes:
        key: its first word.
        groups: the classes that it belongs to, with its groups in them.
        first: place of its first word.
        last: place of its last one.
        begin: place of the first word of both clauses.
        finish: place of the last one.
        near: place of the word of the main clause that is nearest to it.
        end: place of the last word of the clause that it begins.
        main: stems of the main clause.
        clause: stems of the clause that it begins.
    """

    key: str
    groups: _Groups
    first: int
    last: int
    begin: int
    finish: int
    near: int
    end: int
    main: frozenset[str]
    clause: frozenset[str]

    def is_of(self, name: str) -> bool:
        """Tell whether a connective belongs to a class."""
        return any(family == name for family, _ in self.groups)

    def excludes(self, other: Link) -> bool:
        """Tell whether two connectives are in a class in common and in no group of it."""
        families = {family for family, _ in self.groups} & {family for family, _ in other.groups}
        return bool(families) and self.groups.isdisjoint(other.groups)


@cache
def _connectives() -> dict[str, tuple[tuple[tuple[str, ...], _Groups], ...]]:
    """Return the connectives of the table by their first word, the longest first."""
    found: dict[tuple[str, ...], set[tuple[str, int]]] = {}
    for line in lines("connectives"):
        name, _, groups = line.partition(": ")
        for number, group in enumerate(groups.split(" / ")):
            for phrase in group.split(", "):
                found.setdefault(tuple(phrase.split()), set()).add((name, number))
    rows: dict[str, list[tuple[tuple[str, ...], _Groups]]] = {}
    for keys in sorted(found, key=len, reverse=True):
        rows.setdefault(keys[0], []).append((keys, frozenset(found[keys])))
    return {first: tuple(row) for first, row in rows.items()}


@kept
def links(reading: Reading) -> tuple[Link, ...]:
    """Return the connectives of a text in order, the first few of them."""
    return tuple(islice(_links(reading), MOST_PLACES))


def _links(reading: Reading) -> Iterator[Link]:
    words, table, i = reading.words, _connectives(), 0
    while i < len(words):
        found = _connective_at(words, i) if words[i].key in table else None
        if found:
            last, groups = found
            main, clause = sides(words, i, last)
            if main and clause:
                stems = (frozenset(words[k].stem for k in side) for side in (main, clause))
                span = min(main + clause), max(main + clause)
                yield Link(words[i].key, groups, i, last, *span, main[0], clause[-1], *stems)
            i = last
        i += 1


def _connective_at(words: Sequence[Word], i: int) -> tuple[int, _Groups] | None:
    rows = _connectives().get(words[i].key)
    for keys, groups in rows or ():
        if tuple(word.key for word in words[i : i + len(keys)]) == keys:
            return i + len(keys) - 1, groups
    return None


def sides(words: Sequence[Word], first: int, last: int) -> tuple[list[int], list[int]]:
    """Return the content words (of the main clause, of the other one) of a connective or "than".

    Those of the main clause that are nearest come first.
    """
    begins = words[first].gap == STOP
    clause = list(_following(words, last + 1, to_comma=begins))
    if not begins:
        return list(_preceding(words, first)), clause
    return list(_following(words, max(clause, default=last) + 1, to_comma=False)), clause


def _following(words: Sequence[Word], first: int, *, to_comma: bool) -> Iterator[int]:
    found = 0
    for i in range(first, min(first + _LONGEST, len(words))):
        if i > first and (words[i].gap == STOP or (words[i].gap and to_comma)):
            return
        if found == _REACH or (not to_comma and i > first and _is_joint(words, i)):
            return
        if words[i].content and words[i].stem not in LIGHT:
            found += 1
            yield i


def _preceding(words: Sequence[Word], first: int) -> Iterator[int]:
    lowest = max(0, first - _LONGEST)
    joints = (i + 1 for i in range(first - 1, lowest - 1, -1) if _is_joint(words, i))
    stops = (i for i in range(first, lowest - 1, -1) if words[i].gap == STOP)
    begin = max(next(joints, lowest), next(stops, lowest))
    content = (i for i in range(first - 1, begin - 1, -1) if words[i].content)
    return islice((i for i in content if words[i].stem not in LIGHT), _REACH)


def _is_joint(words: Sequence[Word], i: int) -> bool:
    """Tell whether a new clause begins at a word: another connective, or "and" after a comma."""
    word = words[i]
    return _connective_at(words, i) is not None or (bool(word.gap) and word.key in ("and", "but"))
