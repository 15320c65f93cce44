"""Contrasts of kind `negation`: one text denies what the other says, or excepts it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product, takewhile
from typing import NamedTuple

from citeguard.facts.claimed import are_of_two_claims
from citeguard.facts.pair import Contrast, ContrastKind, Pair, contrast
from citeguard.facts.prefixes import (
    LEAST_LIKENESS,
    denial_contrast,
    is_prefixed,
    prefixed_contrasts,
    without_prefix,
)
from citeguard.facts.reading.connectives import links
from citeguard.facts.reading.denials import Denials, Turn, denials, is_denied_within, turns
from citeguard.facts.reading.tables import memberships
from citeguard.facts.reading.words import MOST_PLACES, MOST_THINGS, STOP, Reading, Word
from citeguard.facts.unspaced import unspaced_contrasts

# Chosen on development data. "Without" and "no" deny a thing, which may be said in another way.
_LEAST_LIKENESS_OF_THINGS, _REPLACED_LIKENESS = 1.2, 1.8
_DENY_THINGS = frozenset("without no lack lacks lacking lacked absence non".split())
_FEWEST_SHARED = 3  # content words around two verbs that show that they stand in one place
_TIED = 0.5  # likeness by which a second place is as likely
_OBJECT_REACH = 8  # words from a word to another that is denied in its stead
_BARELY = frozenset("hardly scarcely barely rarely seldom few little".split())
_UNTIL, _ONLY = frozenset(("unless", "until", "till")), frozenset(("only", "before"))
_CLAUSE = 10  # words from a negator to "until"
_LEAST_OF_MAIN = 0.6  # share of a clause that shows that it says what another one says
_JOINTS = frozenset("but while whereas although though".split())


def negation_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield the contrasts of kind `negation`, one for each word at most.

    What is said of an exception is of kind `modality`.
    """
    yield from prefixed_contrasts(pair)
    yield from unspaced_contrasts(pair)
    yield from _turned(pair)
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
            not _is_turned(pair, i, j)
            and _differ(pair, i, j, likeness)
            and likeness - _tie(pair, (i, stated), (j, found)) >= _TIED
        ):
            yield denial_contrast(pair, i, j)


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


class _Place(NamedTuple):
    """A word in its text."""

    reading: Reading
    number: int

    @property
    def is_denied(self) -> bool:
        return denials(self.reading).parity.get(self.number, False)

    @property
    def negator(self) -> int:
        return denials(self.reading).negator[self.number]

    def is_first(self) -> bool:
        """Tell whether a word is the first content word that its negator denies."""
        return denials(self.reading).depth[self.number] == 1

    def rest(self) -> list[str]:
        """Return the stems of what its negator denies after it."""
        scope = denials(self.reading).scope(self.negator)
        return [self.reading.words[k].stem for k in scope if k > self.number]


def _differ(pair: Pair, i: int, j: int, likeness: float) -> bool:
    """Tell whether a word is denied in one text only, and first in what is denied there."""
    stated, found = _Place(pair.statement, i), _Place(pair.passage, j)
    if stated.is_denied == found.is_denied:
        return False
    denied, other = (stated, found) if stated.is_denied else (found, stated)
    of_thing = denied.reading.words[denied.negator].key in _DENY_THINGS
    least = _LEAST_LIKENESS_OF_THINGS if of_thing else LEAST_LIKENESS
    if not denied.is_first() or likeness < least or _is_said_otherwise(pair, denied, other):
        return False
    rest = denied.rest()
    return sum(stem in pair.shared for stem in rest) * 2 >= len(rest)


def _is_said_otherwise(pair: Pair, denied: _Place, other: _Place) -> bool:
    """Tell whether the other text denies the same in other words."""
    negator, words = denied.reading.words[denied.negator], other.reading.words
    if negator.key in _BARELY and any(word.key in _BARELY for word in words):
        return True
    is_plain = denied.negator in denials(denied.reading).plain
    if not is_plain and (denials(other.reading).negators or negator.stem in pair.shared):
        return True  # "refuses to", "does not"
    if _says_when(denied) and any(word.key in _ONLY for word in words):
        return True
    if _is_in_exception(other) or _denies_object(other, denied.rest()):
        return True
    if denied.reading is pair.passage and _is_few(other):
        return True  # "few" says too much for "no", but it says no other thing
    return are_of_two_claims(denied.reading, denied.number, other.reading, other.number)


def _is_few(place: _Place) -> bool:
    before = [word.key for word in place.reading.words[max(0, place.number - 2) : place.number]]
    return before[-1:] == ["few"] and before[0] != "a"


def _says_when(denied: _Place) -> bool:
    """Tell whether a negator is that of "not until" or "not unless": "only after", "only if"."""
    clause = islice(denied.reading.words, denied.negator + 1, denied.negator + 1 + _CLAUSE)
    return any(word.key in _UNTIL for word in takewhile(lambda word: word.gap < STOP, clause))


def _is_in_exception(place: _Place) -> bool:
    """Tell whether a word stands in a clause with "unless": "unless it rains" is "if not"."""
    before = reversed(place.reading.words[max(0, place.number - _CLAUSE) : place.number + 1])
    return any(word.key == "unless" for word in takewhile(lambda word: word.gap < STOP, before))


def _denies_object(place: _Place, scope: list[str]) -> bool:
    """Tell whether a text denies the object of a verb instead: "found no evidence"."""
    words, parity = place.reading.words, denials(place.reading).parity
    nearby = range(place.number + 1, min(place.number + 1 + _OBJECT_REACH, len(words)))
    return any(parity.get(k, False) and words[k].stem in scope for k in nearby)


def _replaced(pair: Pair) -> Iterator[Contrast]:
    """Yield where one text denies another verb than the other text has in its place.

    "Has not created a stir" contradicts "has made a stir": all around the verbs is the same.
    """
    stated, found = denials(pair.statement), denials(pair.passage)
    for i in _denied_heads(pair.statement, stated, pair)[:MOST_PLACES]:
        j = _likest_of(pair, [i], _open(pair.passage, found, pair))
        if j:
            yield denial_contrast(pair, *j)
    for j in _denied_heads(pair.passage, found, pair)[:MOST_PLACES]:
        i = _likest_of(pair, _open(pair.statement, stated, pair), [j])
        if i:
            yield denial_contrast(pair, *i)


def _denied_heads(reading: Reading, denied: Denials, pair: Pair) -> list[int]:
    return [
        i
        for i, depth in denied.depth.items()
        if depth == 1
        and denied.parity[i]
        and denied.negator[i] in denied.plain
        and reading.words[i].stem not in pair.shared
    ]


def _open(reading: Reading, denied: Denials, pair: Pair) -> list[int]:
    """The content words that the other text has not and that are not denied."""
    return [
        i
        for i in reading.content
        if reading.words[i].stem not in pair.shared
        and i not in denied.parity
        and i not in denied.places
        and not reading.words[i].key.endswith("ly")
    ]


def _likest_of(pair: Pair, stated: list[int], found: list[int]) -> tuple[int, int] | None:
    some = islice(product(stated, found), MOST_THINGS**2)
    rated = [(pair.likeness(i, j), (i, j)) for i, j in some]
    likeness, places = max(rated, default=(0.0, None))
    if places is None or likeness < _REPLACED_LIKENESS or _are_opposites(pair, *places):
        return None
    shared = pair.statement.around[places[0]] & pair.passage.around[places[1]]
    return places if len(shared) >= _FEWEST_SHARED else None


def _are_opposites(pair: Pair, i: int, j: int) -> bool:
    """Tell whether one word is the opposite of another: "not disabled" is "enabled"."""
    one, other = pair.statement.words[i], pair.passage.words[j]
    groups = {m.name: m.group for m in memberships().get(one.stem, ()) if m.kind == "opposite"}
    if any(groups.get(m.name, m.group) != m.group for m in memberships().get(other.stem, ())):
        return True
    if is_prefixed(one.key) or is_prefixed(other.key):
        return True  # "not know" is "unaware"
    return other.stem in without_prefix(one.key) or one.stem in without_prefix(other.key)


def _turned(pair: Pair) -> Iterator[Contrast]:
    """Yield where one text says of a thing what the other excepts it from, or denies of it.

    "France signed the treaty" is denied by "Italy signed the treaty; France did not".
    """
    for turn in turns(pair.passage):
        for i in _otherwise(turn, pair.passage, pair.statement):
            last = pair.passage.slice(turn.first, turn.last)
            yield contrast(_kind_of(turn), pair.statement.slice(i, i), last)
    for turn in turns(pair.statement):
        for j in _otherwise(turn, pair.statement, pair.passage):
            first = pair.statement.slice(turn.first, turn.last)
            yield contrast(_kind_of(turn), first, pair.passage.slice(j, j))


def _kind_of(turn: Turn) -> ContrastKind:
    """What is said of the rest need not be false of an exception; mostly it is."""
    return "modality" if turn.is_exception else "negation"


def _otherwise(turn: Turn, reading: Reading, other: Reading) -> Iterator[int]:
    """Yield where the other text says of a thing, or what it says of it, what is turned here."""
    main = _stems(reading, turn.main) - turn.stems
    for thing in turn.things:
        (i, *_) = other.places.get(min(thing), (None,))
        here = i is not None and _said_of(thing, other, i)
        if i is None or not here or here.is_denied == turn.is_denied:
            continue
        said = _stems(other, here.main) - turn.stems
        is_same = len(said & main) >= _LEAST_OF_MAIN * max(1, min(len(said), len(main)))
        if is_same and turn.is_exception:
            yield max(k for k in here.main if other.words[k].stem in said & main)
        elif is_same and _is_subject(other, i, main):
            yield i


class _Said(NamedTuple):
    """What a text says of a thing: the places of the clause, and whether it is denied."""

    main: range
    is_denied: bool


def _said_of(thing: frozenset[str], reading: Reading, i: int) -> _Said | None:
    for turn in turns(reading):
        if thing <= turn.stems:
            return _Said(turn.main, turn.is_denied)
    clause = _clause_of(reading, i)
    if not thing <= _stems(reading, clause) or _is_excepted(reading, i):
        return None
    return _Said(clause, is_denied_within(reading, clause))


def _is_excepted(reading: Reading, i: int) -> bool:
    """Tell whether a thing stands after "excluding" or the like, which may be "besides"."""
    return any(link.is_of("exception") and link.last < i <= link.end for link in links(reading))


def _stems(reading: Reading, places: range) -> frozenset[str]:
    return frozenset(reading.words[k].stem for k in places if reading.words[k].content)


def _is_subject(reading: Reading, i: int, main: frozenset[str]) -> bool:
    """Tell whether a thing stands before what is said of it."""
    return not any(reading.words[k].stem in main for k in _clause_of(reading, i) if k < i)


def _clause_of(reading: Reading, i: int) -> range:
    """Return the places of the part of a sentence, up to a "but" or the like, that a word is in."""
    words, first, end = reading.words, i, i + 1
    while first > 0 and i - first < _CLAUSE and not _begins_clause(words[first]):
        first -= 1
    while end < len(words) and end - i <= _CLAUSE and not _begins_clause(words[end]):
        end += 1
    return range(first, end)


def _begins_clause(word: Word) -> bool:
    return word.gap == STOP or word.key in _JOINTS


def _is_turned(pair: Pair, i: int, j: int) -> bool:
    """Tell whether either of two words is in a clause that another one turns for some thing."""
    return _turns_for(pair.passage, j, pair.statement, i) or _turns_for(
        pair.statement, i, pair.passage, j
    )


def _turns_for(reading: Reading, j: int, other: Reading, i: int) -> bool:
    beside = [turn.stems for turn in turns(reading) if j in turn.main]
    stems = _stems(other, _clause_of(other, i)) if beside else frozenset[str]()
    return any(not stems.isdisjoint(things) for things in beside)
