"""Contrasts of kind `negation`: one text denies what the other says."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from citeguard.text.contrast.denials import Denials, denials
from citeguard.text.contrast.reading import (
    MOST_PLACES,
    MOST_THINGS,
    Contrast,
    Pair,
    Reading,
    contrast,
)
from citeguard.text.contrast.unspaced import unspaced_contrasts

# Chosen on development data. "Without" and "no" deny a thing, which may be said in another way.
_LEAST_LIKENESS, _LEAST_LIKENESS_OF_THINGS, _REPLACED_LIKENESS = 0.75, 1.2, 1.8
_DENY_THINGS = frozenset("without no lack lacks lacking lacked absence non".split())
_FEWEST_SHARED = 3  # content words around two verbs that show that they stand in one place
_TIED = 0.5  # likeness by which a second place is as likely
_OBJECT_REACH = 4  # words from a verb to an object that is denied in its stead
_SHORTEST_DENIED = 4  # letters of a word that a prefix denies
_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis")


def negation_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield the contrasts of kind `negation`, one for each word at most."""
    yield from _prefixed(pair)
    yield from unspaced_contrasts(pair)
    stated, found = denials(pair.statement), denials(pair.passage)
    if not stated.negators and not found.negators:
        return
    for stem in sorted(pair.shared):
        yield from _of_word(pair, pair.statement.places[stem], pair.passage.places[stem])
    yield from _replaced(pair)


def _of_word(pair: Pair, stated: list[int], found: list[int]) -> Iterator[Contrast]:
    """Yield where a word that both texts have is denied in one of them only."""
    parities = denials(pair.statement).parity, denials(pair.passage).parity
    if not any(i in parities[0] for i in stated) and not any(j in parities[1] for j in found):
        return
    for i in stated:
        likeness, j = max((pair.likeness(i, j), j) for j in found)
        if (
            _differ(pair, i, j, likeness)
            and likeness - _tie(pair, (i, stated), (j, found)) >= _TIED
        ):
            yield _negation(pair, i, j)


def _tie(pair: Pair, stated: tuple[int, list[int]], found: tuple[int, list[int]]) -> float:
    """Return the likeness of the likest other place of either word, where nothing differs."""
    (i, ones), (j, others) = stated, found
    parity, other_parity = denials(pair.statement).parity, denials(pair.passage).parity
    places = [(one, j) for one in ones if one != i] + [(i, other) for other in others if other != j]
    same = (
        pair.likeness(one, other)
        for one, other in places
        if parity.get(one, False) == other_parity.get(other, False)
    )
    return max(same, default=0.0)


def _differ(pair: Pair, i: int, j: int, likeness: float) -> bool:
    """Tell whether a word is denied in one text only, and first in what is denied there."""
    stated, found = denials(pair.statement), denials(pair.passage)
    denied = stated.parity.get(i, False)
    if denied == found.parity.get(j, False):
        return False
    side, reading, place = (stated, pair.statement, i) if denied else (found, pair.passage, j)
    other, text, counterpart = (found, pair.passage, j) if denied else (stated, pair.statement, i)
    of_thing = reading.words[side.negator[place]].key in _DENY_THINGS
    if side.depth[place] > 1 or likeness < (
        _LEAST_LIKENESS_OF_THINGS if of_thing else _LEAST_LIKENESS
    ):
        return False
    scope = [reading.words[k].stem for k in side.scope(side.negator[place]) if k > place]
    if _denies_object(text, other, counterpart, scope):
        return False
    return sum(stem in pair.shared for stem in scope) * 2 >= len(scope)


def _denies_object(reading: Reading, denied: Denials, place: int, scope: list[str]) -> bool:
    """Tell whether a text denies the object of a verb instead: "found no evidence"."""
    nearby = range(place + 1, min(place + 1 + _OBJECT_REACH, len(reading.words)))
    return any(denied.parity.get(k, False) and reading.words[k].stem in scope for k in nearby)


def _replaced(pair: Pair) -> Iterator[Contrast]:
    """Yield where one text denies another verb than the other text has in its place.

    "Has not created a stir" contradicts "has made a stir": all around the verbs is the same.
    """
    stated, found = denials(pair.statement), denials(pair.passage)
    for i in _denied_heads(pair.statement, stated, pair)[:MOST_PLACES]:
        j = _likest_of(pair, [i], _open(pair.passage, found, pair))
        if j:
            yield _negation(pair, *j)
    for j in _denied_heads(pair.passage, found, pair)[:MOST_PLACES]:
        i = _likest_of(pair, _open(pair.statement, stated, pair), [j])
        if i:
            yield _negation(pair, *i)


def _denied_heads(reading: Reading, denied: Denials, pair: Pair) -> list[int]:
    return [
        i
        for i, depth in denied.depth.items()
        if depth == 1 and denied.parity[i] and reading.words[i].stem not in pair.shared
    ]


def _open(reading: Reading, denied: Denials, pair: Pair) -> list[int]:
    """The content words that the other text has not and that are not denied."""
    return [
        i
        for i in reading.content
        if reading.words[i].stem not in pair.shared
        and i not in denied.parity
        and not reading.words[i].key.endswith("ly")
    ]


def _likest_of(pair: Pair, stated: list[int], found: list[int]) -> tuple[int, int] | None:
    some = islice(product(stated, found), MOST_THINGS**2)
    rated = [(pair.likeness(i, j), (i, j)) for i, j in some]
    likeness, places = max(rated, default=(0.0, None))
    if places is None or likeness < _REPLACED_LIKENESS:
        return None
    shared = pair.statement.around[places[0]] & pair.passage.around[places[1]]
    return places if len(shared) >= _FEWEST_SHARED else None


def _likest(pair: Pair, stated: list[int], found: list[int]) -> tuple[int, int]:
    return max(((i, j) for i in stated for j in found), key=lambda places: pair.nearby(*places))


def _negation(pair: Pair, i: int, j: int) -> Contrast:
    """The contrast of two words, each with what denies it."""
    first = denials(pair.statement).negator.get(i, i)
    other = denials(pair.passage).negator.get(j, j)
    return contrast("negation", pair.statement.slice(first, i), pair.passage.slice(other, j))


def _prefixed(pair: Pair) -> Iterator[Contrast]:
    """Yield the contrasts of two words of which one is the other with "un-" or the like."""
    stated, found = (side.places for side in (pair.statement, pair.passage))
    for stem in stated.keys() - pair.shared:
        for other in _with_prefix(stem, found) or _without_prefix(stem, found):
            i, j = _likest(pair, stated[stem], found[other])
            denied = (
                denials(pair.statement).is_denied(i),
                denials(pair.passage).is_denied(j),
            )
            if denied[0] == denied[1] and pair.likeness(i, j) >= _LEAST_LIKENESS:
                yield _negation(pair, i, j)


def _with_prefix(stem: str, places: dict[str, list[int]]) -> list[str]:
    if len(stem) < _SHORTEST_DENIED:
        return []
    return [prefix + stem for prefix in _PREFIXES if prefix + stem in places]


def _without_prefix(stem: str, places: dict[str, list[int]]) -> list[str]:
    bare = (stem.removeprefix(prefix) for prefix in _PREFIXES if stem.startswith(prefix))
    return [word for word in bare if len(word) >= _SHORTEST_DENIED and word in places]
