"""Contrasts of kind `modality` between clauses: under another connective, or without one."""

from __future__ import annotations

from collections.abc import Iterator

from citeguard.facts.pair import Contrast, Pair, contrast
from citeguard.facts.reading.connectives import Link, links
from citeguard.facts.reading.denials import denials
from citeguard.facts.reading.words import Reading

_LEAST_COVERAGE = 0.6
_SAME = 0.6  # share of the shorter of two clauses that shows them to be the same
_SAID = 0.75  # share of a main clause that shows that a statement says it
_FEWEST = 2  # content words of a main clause that can be told again
_EXCEPT = ("exception", 0)
_NO_LIMIT = frozenset(
    ("when", "whenever", "even", "regardless", "whether", "excluding", "apart", "other")
)


def condition_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield where a clause depends on another in one text and not, or otherwise, in the other."""
    if pair.coverage < _LEAST_COVERAGE:
        return
    for link in links(pair.passage):
        partners = [other for other in links(pair.statement) if _are_of_one_class(other, link)]
        for other in partners:
            if _differ(pair, other, link):
                stated = pair.statement.slice(other.first, other.end)
                yield contrast("modality", stated, pair.passage.slice(link.first, link.end))
        if not partners and _is_dropped(pair, link):
            yield _without(pair, link)


def _without(pair: Pair, link: Link) -> Contrast:
    """The contrast of a main clause, or its last word that both texts have, with a limited one."""
    i = max(i for stem in link.main & pair.shared for i in pair.statement.places[stem])
    first, last = min(link.first, link.near), max(link.near, link.end)
    return contrast("modality", pair.statement.slice(i, i), pair.passage.slice(first, last))


def _are_of_one_class(one: Link, other: Link) -> bool:
    return any(one.is_of(name) for name, _ in other.groups)


def _differ(pair: Pair, one: Link, other: Link) -> bool:
    """Tell whether two connectives join the same clauses in another way."""
    if one.excludes(other):
        return (
            _is_same(one.clause, other.clause)
            and _is_same(one.main, other.main)
            and _denied(pair.statement, one) == _denied(pair.passage, other)
        )
    if not one.groups & other.groups or _is_same(one.clause, other.clause):
        return False
    return _is_same(one.clause, other.main) and _is_same(one.main, other.clause)


def _denied(reading: Reading, link: Link) -> bool:
    """Tell whether one clause is denied: "unless" is "if not", "not until" is "only after"."""
    return sum(link.begin <= i <= link.finish for i in denials(reading).plain) % 2 == 1


def _is_same(one: frozenset[str], other: frozenset[str]) -> bool:
    fewest = min(len(one), len(other))
    return fewest > 0 and len(one & other) >= _SAME * fewest


def _is_dropped(pair: Pair, link: Link) -> bool:
    """Tell whether a statement says a main clause without the limit that the passage sets to it."""
    if not (link.is_of("condition") or _EXCEPT in link.groups) or link.key in _NO_LIMIT:
        return False
    stated = pair.statement.places.keys()
    said = len(link.main) >= _FEWEST and len(link.main & stated) >= _SAID * len(link.main)
    return said and link.clause.isdisjoint(stated)
