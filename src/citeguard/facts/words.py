"""Contrasts of words that exclude one another: opposites, and two members of one class."""

from __future__ import annotations

from collections.abc import Iterator

from citeguard.facts.copies import IN_PLACE, replacements
from citeguard.facts.order import are_converse
from citeguard.facts.pair import Contrast, Pair, contrast
from citeguard.facts.reading.connectives import links
from citeguard.facts.reading.denials import denials
from citeguard.facts.reading.numbers import numbers
from citeguard.facts.reading.tables import ClassKind, Membership, memberships
from citeguard.facts.reading.words import Reading
from citeguard.facts.senses import are_compatible

_Member = tuple[int, Membership]
_Found = tuple[int, int, ClassKind]
_TWIN_REACH = 5  # words between two opposites that cancel, one of which is a degree
_DEGREES = frozenset("more less fewer higher lower most least greater".split())
_JOINTS = frozenset(("and", "but", "or", "while"))
# Chosen on development data: below them, words stand in different places, not in each other's.
_LEAST_LIKENESS: dict[ClassKind, float] = {"opposite": 1.2, "exclusive": 0.7, "loose": 1.0}


def word_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield the contrasts of kind `opposite` and `exclusive`, one for each word at most."""
    found = list(_replaced(pair))
    seen = {i for i, _, _ in found}
    for i, j, kind in _candidates(pair):
        if i not in seen and pair.likeness(i, j) >= _LEAST_LIKENESS[kind]:
            seen.add(i)
            found.append((i, j, kind))
    for each in found:
        i, j, kind = each
        if kind == "opposite" and (_cancels(pair, i, j) or _has_twin(pair, each, found)):
            continue
        yield contrast(
            "opposite" if kind == "opposite" else "exclusive",
            pair.statement.slice(i, i),
            pair.passage.slice(j, j),
        )


def _replaced(pair: Pair) -> Iterator[_Found]:
    """Yield words that exclude each other where the statement is else a copy of the passage."""
    table = memberships()
    for replaced in replacements(pair):
        i = _only_content(pair.statement, replaced.first, replaced.last)
        j = _only_content(pair.passage, replaced.found, replaced.found_last)
        if i is None or j is None or replaced.copied < IN_PLACE or are_compatible(pair, i, j):
            continue
        groups = {member.name: member for member in table.get(pair.passage.words[j].stem, ())}
        for member in table.get(pair.statement.words[i].stem, ()):
            if member.name in groups and groups[member.name].group != member.group:
                yield i, j, member.kind
                break


def _only_content(reading: Reading, first: int, last: int) -> int | None:
    """Return the place of the only content word from one to another."""
    places = [i for i in range(first, last + 1) if reading.words[i].content]
    return places[0] if len(places) == 1 else None


def _candidates(pair: Pair) -> Iterator[tuple[int, int, ClassKind]]:
    """Yield the places of two words that exclude one another, the likest places first."""
    stated, found = pair.statement.classes, pair.passage.classes
    same = _same_groups(pair)
    pairs: list[tuple[int, int, ClassKind]] = [
        (i, j, one.kind)
        for name in stated.keys() & found.keys()
        for i, one in _unmatched(pair, stated[name], found[name], in_statement=True)
        for j, other in _unmatched(pair, found[name], stated[name], in_statement=False)
        if one.group != other.group and (i, j) not in same and _are_both_denied(pair, i, j)
        if not are_compatible(pair, i, j)
        if not (_is_of_number(pair.statement, i) and _is_of_number(pair.passage, j))
    ]
    return iter(sorted(pairs, key=lambda found: (-pair.likeness(found[0], found[1]), found)))


def _unmatched(
    pair: Pair, members: list[_Member], others: list[_Member], *, in_statement: bool
) -> list[_Member]:
    """The members whose group the other text has not, the words that both have left out."""
    sides = (pair.statement.words, pair.passage.words)
    words, other_words = sides if in_statement else sides[::-1]
    groups = {other.group for j, other in others if other_words[j].stem not in pair.shared}
    return [
        (i, member)
        for i, member in members
        if member.group not in groups and words[i].stem not in pair.shared
    ]


def _same_groups(pair: Pair) -> set[tuple[int, int]]:
    """The places of words that some class takes for the same."""
    stated, found = pair.statement.classes, pair.passage.classes
    return {
        (i, j)
        for name in stated.keys() & found.keys()
        for i, one in stated[name]
        for j, other in found[name]
        if one.group == other.group
    }


def _is_of_number(reading: Reading, i: int) -> bool:
    """Tell whether a word is the unit of a number: "two days" are "48 hours"."""
    return any(number.whole[0] <= i <= number.whole[1] for number in numbers(reading))


def _are_both_denied(pair: Pair, i: int, j: int) -> bool:
    """Tell whether both or neither is denied: "not high" does not contradict "low"."""
    stated, found = denials(pair.statement), denials(pair.passage)
    if stated.cancels(i) or found.cancels(j):
        return False
    return stated.is_denied(i) == found.is_denied(j)


def _cancels(pair: Pair, i: int, j: int) -> bool:
    """Tell whether two opposites say the same: "A is older than B" and "B is younger than A"."""
    stated = pair.statement.places.keys()
    if any(
        link.is_of("exception") and link.clause & stated and link.first != j
        for link in links(pair.passage)
    ):
        return True  # what is said of an exception is the opposite of what is said of the rest
    return are_converse(pair, i, j)


def _has_twin(pair: Pair, one: _Found, found: list[_Found]) -> bool:
    """Tell whether two opposites together say the same: "more are young", "fewer are old"."""
    return any(
        other != one
        and other[2] == "opposite"
        and not {pair.statement.words[place].key for place in (one[0], other[0])}.isdisjoint(
            _DEGREES
        )
        and _are_joined(pair.statement, one[0], other[0])
        and _are_joined(pair.passage, one[1], other[1])
        for other in found
    )


def _are_joined(reading: Reading, one: int, other: int) -> bool:
    """Tell whether two words are near each other, and not two items of a list."""
    first, last = sorted((one, other))
    between = reading.words[first + 1 : last]
    return len(between) <= _TWIN_REACH and all(word.key not in _JOINTS for word in between)
