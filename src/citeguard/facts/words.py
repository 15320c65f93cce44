"""Contrasts of kind `opposite` and `exclusive`, and `roles` where the sides of a "than" differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from citeguard.facts.names import widened
from citeguard.facts.negation import denials
from citeguard.facts.reading import IN_PLACE, Contrast, Pair, Reading, contrast, kept
from citeguard.facts.tables import ClassKind, memberships

_Found = tuple[int, int, ClassKind]
# Chosen on development data: below these, two words are in different places.
_LEAST_LIKENESS: dict[ClassKind, float] = {"opposite": 1.2, "exclusive": 0.7, "loose": 1.0}
_THAN_REACH = 4  # words from a comparative to its "than"
_COMPARATIVES = frozenset("more less fewer better worse".split())
_NO_COMPARATIVES = frozenset("rather other after never over under".split())


def word_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield the contrasts of words that exclude each other, at most one for each word."""
    yield from _exchanged(pair)
    seen: set[int] = set()
    for i, j, kind in (*_replaced(pair), *_candidates(pair)):
        if i in seen or (kind == "opposite" and _is_converse(pair, i, j)):
            continue
        seen.add(i)
        shown: ClassKind = "opposite" if kind == "opposite" else "exclusive"
        yield contrast(shown, pair.statement.slice(i, i), pair.passage.slice(j, j))


def _replaced(pair: Pair) -> Iterator[_Found]:
    """Yield words that exclude each other where the statement is otherwise a copy."""
    table = memberships()
    for replaced in pair.replaced:
        i = _only_content(pair.statement, replaced.first, replaced.last)
        j = _only_content(pair.passage, replaced.found, replaced.found_last)
        if i is None or j is None or replaced.copied < IN_PLACE:
            continue
        groups = {member.name: member for member in table.get(pair.passage.words[j].stem, ())}
        for member in table.get(pair.statement.words[i].stem, ()):
            if member.name in groups and groups[member.name].group != member.group:
                yield i, j, member.kind
                break


def _only_content(reading: Reading, first: int, last: int) -> int | None:
    places = [i for i in range(first, last + 1) if reading.words[i].content]
    return places[0] if len(places) == 1 else None


def _candidates(pair: Pair) -> list[_Found]:
    """Return the places of two words that exclude each other, most similar places first."""
    stated, found = pair.statement.classes, pair.passage.classes
    names = stated.keys() & found.keys()
    same = {  # in some class they mean the same
        (i, j)
        for name in names
        for i, one in stated[name]
        for j, other in found[name]
        if one.group == other.group
    }
    rated: list[tuple[float, int, int, ClassKind]] = [
        (pair.likeness(i, j), i, j, one.kind)
        for name in names
        for i, one in stated[name]
        for j, other in found[name]
        if pair.statement.words[i].stem not in pair.shared
        if pair.passage.words[j].stem not in pair.shared
        if one.group != other.group and (i, j) not in same
        # "Not high" does not contradict "low".
        if denials(pair.statement).is_denied(i) == denials(pair.passage).is_denied(j)
        if not (_is_of_number(pair.statement, i) and _is_of_number(pair.passage, j))
    ]
    ordered = sorted(rated, key=lambda each: (-each[0], each[1:]))
    return [(i, j, kind) for alike, i, j, kind in ordered if alike >= _LEAST_LIKENESS[kind]]


def _is_of_number(reading: Reading, i: int) -> bool:
    """Return whether a word is part of a number or its unit: "two days" are "48 hours"."""
    start = reading.words[i].start
    return any(number.whole[0] <= start < number.whole[1] for number in reading.numbers)


# Comparatives: "A is older than B"


class _Compared(NamedTuple):
    """The two sides of a "than": their own stems, and the first and the last place of these."""

    before: frozenset[str]
    after: frozenset[str]
    first: int
    last: int


@kept
def _compared(reading: Reading) -> dict[int, _Compared]:
    """Return the sides of each "than", by the place of its comparative."""
    found: dict[int, _Compared] = {}
    for i, word in enumerate(reading.words):
        places = reading.sentence(i) if word.key == "than" else range(0)
        for k in range(i - 1, max(places.start, i - 1 - _THAN_REACH), -1) if places else ():
            key = reading.key_at(k)
            if (key.endswith("er") and key not in _NO_COMPARATIVES) or key in _COMPARATIVES:
                found.setdefault(
                    k, _sides(reading, range(places.start, k), range(i + 1, places.stop))
                )
                break
    return found


def _sides(reading: Reading, left: range, right: range) -> _Compared:
    stems = {m: reading.words[m].stem for m in (*left, *right) if reading.words[m].content}
    before, after = (frozenset(stems[m] for m in side if m in stems) for side in (left, right))
    first = next((m for m in left if m in stems and stems[m] not in after), left.start)
    last = next((m for m in reversed(right) if m in stems and stems[m] not in before), right.start)
    return _Compared(before - after, after - before, first, last)


def _is_converse(pair: Pair, i: int, j: int) -> bool:
    """Return whether two opposites mean the same: "A is older than B", "B is younger than A"."""
    stated, found = _compared(pair.statement).get(i), _compared(pair.passage).get(j)
    return stated is not None and found is not None and _are_crossed(stated, found)


def _are_crossed(one: _Compared, other: _Compared) -> bool:
    return bool(one.before & other.after and one.after & other.before)


def _exchanged(pair: Pair) -> Iterator[Contrast]:
    """Yield where the two sides of a "than" are exchanged."""
    for i, stated in _compared(pair.statement).items():
        for j, found in _compared(pair.passage).items():
            is_same = pair.statement.stem_at(i) == pair.passage.stem_at(j)
            if is_same and _are_crossed(stated, found):
                yield contrast(
                    "roles",
                    pair.statement.slice(*widened(pair.statement, stated.first, stated.last)),
                    pair.passage.slice(*widened(pair.passage, found.first, found.last)),
                )
