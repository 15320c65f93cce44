"""Two numbers or months of which a statement gives each to what the passage gives the other."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from citeguard.facts.agreement import agree, may_be_one
from citeguard.facts.pair import Pair
from citeguard.facts.reading.figures import Number, build_number, month_of
from citeguard.facts.reading.numbers import numbers
from citeguard.facts.reading.words import LIGHT, MOST_THINGS, Reading, kept

# What parts the halves of "12 % in 2019 and 15 % in 2020", as a comma does.
_PARTING = frozenset("and while but whereas versus against then".split())


class Exchange(NamedTuple):
    """A number of the statement, and the one that the passage has for the same thing."""

    stated: Number
    found: Number


def find_exchanges(pair: Pair) -> Iterator[Exchange]:
    """Yield the first two numbers that stand in each other's places, if there are any.

    The texts are cut at "and", commas and the like. Two numbers that each stand alone of their kind
    in a part are exchanged if each shares words with the part of the other one, and none with its
    own.
    """
    stated, found = _items(pair.statement), _items(pair.passage)
    for one, other in _neighbours(stated) if len(found) > 1 else ():
        here, there = _only(one, found), _only(other, found)
        if here and there and not agree(one, other):
            own = _bound(pair, pair.statement, (one, other))
            others = _bound(pair, pair.passage, (here, there))
            if own and others and _are_crossed(own, others):
                yield from (Exchange(one, there), Exchange(other, here))
                return


@kept
def _items(reading: Reading) -> list[Number]:
    """Return the numbers of a text, and its months without a day."""
    found = numbers(reading)
    taken = {place for n in found for place in range(n.whole[0], n.whole[1] + 1)}
    months = (
        build_number(reading.words, month_of(word), i, i, kind="month")
        for i, word in enumerate(reading.words)
        if i not in taken and month_of(word)
    )
    items = [*found, *islice(months, MOST_THINGS)]
    return sorted(items, key=lambda number: number.first)


def _neighbours(items: Sequence[Number]) -> Iterator[tuple[Number, Number]]:
    """Yield the numbers of one kind that follow each other."""
    for kind in dict.fromkeys(item.kind for item in items):
        yield from pairwise(item for item in items if item.kind == kind)


def _only(number: Number, found: Sequence[Number]) -> Number | None:
    """Return the one number of the passage that agrees with a number; `None` if there are more."""
    agreeing = [other for other in found if may_be_one(number, other) and agree(number, other)]
    alone = len(agreeing) == 1 and agreeing[0].kind == number.kind
    return agreeing[0] if alone else None


@kept
def _parts(reading: Reading) -> list[int]:
    """Return for each word the number of its part."""
    part, parts = 0, list[int]()
    for word in reading.words:
        part += bool(word.gap) or word.key in _PARTING
        parts.append(part)
    return parts


def _bound(
    pair: Pair, reading: Reading, two: tuple[Number, Number]
) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the shared words that stand in the part of each of two numbers, and not in both.

    None if another number of their kind stands beside one of them.
    """
    parts = _parts(reading)
    taken = [parts[item.first] for item in _items(reading) if item.kind == two[0].kind]
    if any(taken.count(parts[number.first]) > 1 for number in two):
        return None
    one, other = (_beside(pair, reading, number) for number in two)
    return one - other, other - one


def _beside(pair: Pair, reading: Reading, number: Number) -> frozenset[str]:
    parts, (begin, end) = _parts(reading), number.whole
    first, after = bisect_left(parts, parts[begin]), bisect_right(parts, parts[end])
    words = [*reading.words[first:begin], *reading.words[end + 1 : after]]
    return frozenset(word.stem for word in words if word.stem in pair.shared) - LIGHT


def _are_crossed(
    own: tuple[frozenset[str], frozenset[str]], others: tuple[frozenset[str], frozenset[str]]
) -> bool:
    crossed = own[0] & others[1] and own[1] & others[0]
    return bool(crossed) and not (own[0] & others[0] or own[1] & others[1])
