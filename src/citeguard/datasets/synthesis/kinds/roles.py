"""Roles: who did it and to whom it was done, exchanged."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise
from random import Random

from citeguard.datasets.synthesis.english import is_plural, past, third_person, verbs
from citeguard.datasets.synthesis.entities import Entity, find_entities
from citeguard.datasets.synthesis.kinds.figures import Figure, find_figures
from citeguard.datasets.synthesis.kinds.names import replaced
from citeguard.datasets.synthesis.material import Material
from citeguard.datasets.synthesis.passages import Edit, Passage, Rewrite

# Nobody does these to one who does them back in the same breath, as one meets or marries.
_ONE_WAY = frozenset(
    "accuse acquire appoint attack beat buy conquer contain control create defeat discover employ"
    " encourage establish follow form found hire inform influence inspire invade invite invent join"
    " kill lead occupy oppose own persuade praise precede produce protect publish pursue recommend"
    " reject replace require rule sell send serve succeed sue support surround teach tell urge warn"
    " outnumber exceed surpass overtake govern murder assassinate arrest criticize criticise"
    " endorse sign write design build lose win use cause include affect allow".split()
)
_BLOCKING = frozenset("and or nor but who which that with while when where as not".split())
_CONTRASTS = frozenset("while whereas but ;".split())
_LEAST_CLAUSE = 3  # words
_INCLUDED = frozenset("including of out whom with".split())  # of 20 there cannot be 30
_IN_ORDER = frozenset("first then later last finally ending".split())
_MOST_TIMES = 8  # how many times as large the larger one of two numbers is
_MOST_BETWEEN = 9  # words between two names
_ROLE_NOUNS = ("son", "daughter", "father", "mother", "brother-in-law", "nephew", "student")
_LONGEST_NP = 4


def find_roles(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield exchanges of two names of one type, of two nouns, or of two numbers; drawn order.

    The relation between them is one that does not hold both ways.
    """
    entities = find_entities(passage, material.document.known)
    ways = [*_name_ways(passage, entities), *_noun_ways(passage)]
    random.shuffle(ways)
    yield from ways
    yield from _figure_ways(passage)
    yield from _bracket_ways(passage)


def _name_ways(passage: Passage, entities: list[Entity]) -> Iterator[Rewrite]:
    for one, other in combinations(entities, 2):
        same = one.type == other.type and one.article == other.article
        if passage.words[one.last].key.endswith("'s"):
            continue
        if same and one.text != other.text and _are_apart(passage, one, other):
            edits = replaced(passage, one, other.text), replaced(passage, other, one.text)
            yield Rewrite("names", edits)


def _are_apart(passage: Passage, one: Entity, other: Entity) -> bool:
    """Tell whether two names have parts that cannot be exchanged."""
    if _is_one_way(passage, one.last + 1, other.first):
        return True
    before = passage.key(one.first - 1), passage.key(other.first - 1)
    after = passage.key(one.last + 1), passage.key(other.last + 1)
    if after == ("as", "as"):
        return passage.key(one.last + 2) != passage.key(other.last + 2)
    if before == ("by", "by"):
        return passage.key(one.first - 2) != passage.key(other.first - 2)
    begins = passage.clause_start(one.first) == one.first
    return begins and before[1] in _CONTRASTS and other.first - one.last > _LEAST_CLAUSE


def _is_one_way(passage: Passage, first: int, last: int) -> bool:
    """Tell whether the words between two names say what does not hold the other way round."""
    between = [passage.key(i) for i in range(first, last)]
    if not 0 < len(between) <= _MOST_BETWEEN or not _BLOCKING.isdisjoint(between):
        return False
    if any(key in ",;:.()–—" for key in between):
        return _is_kin(between)
    if between == ["to"] or "'s" in between:
        return between == ["to"] and passage.key(first - 2) == "from"
    return "than" in between or "over" in between or _is_kin(between) or _has_verb(between)


def _is_kin(between: list[str]) -> bool:
    return between[-1] == "of" and len(between) > 1 and between[-2] in _ROLE_NOUNS


def _has_verb(between: list[str]) -> bool:
    return not _forms().isdisjoint(between)


@cache
def _forms() -> frozenset[str]:
    return frozenset(form for verb in _ONE_WAY for form in (past(verb), third_person(verb)))


@cache
def _present_forms() -> frozenset[str]:
    return frozenset(map(third_person, verbs()))


def _noun_ways(passage: Passage) -> Iterator[Rewrite]:
    """Make "the director appointed the board" of "the board appointed the director"."""
    for i in range(2, len(passage.words) - 2):
        if passage.key(i) not in _forms() or passage.key(i + 1) == "by":
            continue
        subject, object_ = _phrase_before(passage, i), _phrase_after(passage, i)
        if subject is None or object_ is None:
            continue
        agrees = passage.key(i) not in _present_forms() or not is_plural(passage.key(object_[1]))
        if agrees:
            yield Rewrite("nouns", _exchanged(passage, subject, object_))


def _phrase_before(passage: Passage, i: int) -> tuple[int, int] | None:
    start = passage.clause_start(i)
    fits = 1 < i - start <= _LONGEST_NP and passage.key(start) == "the"
    plain = all(passage.words[k].text.islower() for k in range(start + 1, i))
    return (start, i - 1) if fits and plain and start in passage.starts else None


def _phrase_after(passage: Passage, i: int) -> tuple[int, int] | None:
    if passage.key(i + 1) != "the":
        return None
    for k in range(i + 2, min(i + 2 + _LONGEST_NP, len(passage.words))):
        word = passage.words[k]
        if word.key in (".", ",", ";", "in", "on", "at", "for", "from", "after", "when", "because"):
            return (i + 1, k - 1) if k > i + 2 else None
        if not word.text.islower() or not word.is_word:
            return None
    return None


def _between(passage: Passage, first: int, last: int) -> str:
    return passage.text[passage.words[first].start : passage.words[last].end]


def _exchanged(passage: Passage, one: tuple[int, int], other: tuple[int, int]) -> tuple[Edit, ...]:
    first = _between(passage, one[0] + 1, one[1])
    second = _between(passage, other[0] + 1, other[1])
    return (passage.edit(one[0] + 1, one[1], second), passage.edit(other[0] + 1, other[1], first))


def _figure_ways(passage: Passage) -> Iterator[Rewrite]:
    """Make "13 points and 24 rebounds" of "24 points and 13 rebounds"."""
    figures = [each for each in find_figures(passage) if each.value > 1]
    for one, other in pairwise(figures):
        if (
            one.style == other.style
            and one.style != "ordinal word"
            and _differ(passage, one, other)
        ):
            first, second = passage.words[one.place].text, passage.words[other.place].text
            edits = (
                passage.edit(one.place, one.place, second),
                passage.edit(other.place, other.place, first),
            )
            yield Rewrite("numbers", edits)


def _bracket_ways(passage: Passage) -> Iterator[Rewrite]:
    """Make "Hay (1931), Lime (1925)" of "Hay (1925), Lime (1931)"."""
    if not passage.keys.isdisjoint(_IN_ORDER):
        return
    places = [
        i
        for i in range(1, len(passage.words) - 1)
        if passage.words[i].is_figure and passage.key(i - 1) == "(" and passage.key(i + 1) == ")"
    ]
    for one, other in pairwise(places):
        first, second = passage.words[one].text, passage.words[other].text
        if first != second and len(first) == len(second) > 1:
            edits = passage.edit(one, one, second), passage.edit(other, other, first)
            yield Rewrite("numbers in brackets", edits)


def _differ(passage: Passage, one: Figure, other: Figure) -> bool:
    """Tell whether two numbers in one clause count two things."""
    nouns = passage.key(one.place + 1), passage.key(other.place + 1)
    between = {passage.key(k) for k in range(one.place, other.place)}
    if (one.value % 1 == 0) != (other.value % 1 == 0) or between & _INCLUDED:
        return False
    near = 1 < other.place - one.place <= _MOST_BETWEEN
    ratio = max(one.value, other.value) / max(1.0, min(one.value, other.value))
    counted = all(is_plural(noun) for noun in nouns)
    return near and counted and nouns[0] != nouns[1] and 1 < ratio <= _MOST_TIMES
