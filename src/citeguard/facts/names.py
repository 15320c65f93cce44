"""Contrasts of kind `name`: a name of the statement that the passage has not, or has otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from citeguard.facts.copies import IN_PLACE, replacements
from citeguard.facts.pair import Contrast, Pair, contrast
from citeguard.facts.reading.denials import denials
from citeguard.facts.reading.names import (
    TITLES,
    Name,
    acronym,
    are_alike,
    has_short_form,
    names,
    stems,
)
from citeguard.facts.reading.tables import memberships
from citeguard.facts.reading.words import STOP, Reading, Word, kept
from citeguard.language.spelling import is_english_word

# Chosen on development data: below it, two names stand in different places.
_LEAST_LIKENESS = 1.5
# Where even the words right before and after are the same, a name elsewhere is no excuse.
_SAME_PLACE, _SAME_SIDE, _MARGIN = 1.6, 1.8, 0.6
_ABSENT_COVERAGE = 0.6
_SHORTEST_ACRONYM = 3  # letters that may be a part of a longer acronym
_LIST_WORDS = frozenset(("and", "or"))


def name_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield the contrasts of kind `name`, one for each name of the statement at most."""
    for name in names(pair.statement).runs:
        places = range(name.first, name.last + 1)
        if _is_left_open(pair.statement, name):
            continue
        absent = [i for i in places if not _is_present(pair, i, name)]
        found = _partner(pair, absent) or _rival(pair, name, absent) or _displaced(pair, name)
        stated = pair.statement.slice(name.first, name.last)
        if found is not None:
            yield contrast("name", stated, pair.passage.slice(found.first, found.last))
        elif len(absent) == len(places) and _is_missed(pair, name):
            yield contrast("name", stated)


def exchanged_names(pair: Pair) -> Iterator[Contrast]:
    """Yield where a statement that is nearly a copy of the passage has one name for another."""
    for replaced in replacements(pair):
        stated = _named(pair.statement, replaced.first, replaced.last)
        found = _named(pair.passage, replaced.found, replaced.found_last)
        if stated and found and not _may_be_same(pair, stated, found):
            least = IN_PLACE if _is_elsewhere(pair, stated) else 0.0
            if replaced.copied >= least:
                yield contrast(
                    "name",
                    pair.statement.slice(stated.first, stated.last),
                    pair.passage.slice(found.first, found.last),
                )


def _named(reading: Reading, first: int, last: int) -> Name | None:
    """Return the content words from one to another if they all have a capital, as a name."""
    places = [i for i in range(first, last + 1) if reading.words[i].content]
    if not places or not all(reading.words[i].text[0].isupper() for i in places):
        return None
    return Name(places[0], places[-1]) if reading.words[places[0]].gap < STOP else None


def _may_be_same(pair: Pair, stated: Name, found: Name) -> bool:
    """Tell whether two names have a word in common, or one is short for the other.

    Days, countries and the like are compared as words that exclude each other.
    """
    ones = pair.statement.words[stated.first : stated.last + 1]
    others = pair.passage.words[found.first : found.last + 1]
    one, other = ({m.name for m in memberships().get(w[0].stem, ())} for w in (ones, others))
    if one & other:
        return True
    if any(are_alike(one, other) for one in ones for other in others):
        return True
    short = acronym(pair.passage, found), acronym(pair.statement, stated)
    return _is_short(ones[0], short[0]) or _is_short(others[0], short[1])


def _is_elsewhere(pair: Pair, name: Name) -> bool:
    """Tell whether the passage has a name somewhere."""
    return any(stem in pair.shared for stem in stems(pair.statement, name))


def _is_left_open(reading: Reading, name: Name) -> bool:
    """Tell whether a name is denied, or one of several that "or" leaves open."""
    words = reading.words
    around = words[max(0, name.first - 1) : name.first] + words[name.last + 1 : name.last + 2]
    return any(word.key == "or" for word in around) or denials(reading).is_denied(name.first)


def _is_missed(pair: Pair, name: Name) -> bool:
    """Tell whether the passage would have a name if it meant it, and not a pronoun instead."""
    is_subject = name.first <= 1
    pronouns = names(pair.passage).has_pronouns
    return pair.coverage >= _ABSENT_COVERAGE and not is_subject and not pronouns


def _partner(pair: Pair, absent: list[int]) -> Name | None:
    """Return what the passage has beside the shared part of a name: "Bill" for "Hillary"."""
    for i in absent:
        for step in (1, -1):
            if pair.statement.words[i].key in TITLES or not _joined(pair.statement, i, step):
                continue
            for place in pair.passage.places.get(pair.statement.stem_at(i + step), ()):
                j = place - step
                if _joined(pair.passage, j, step) and j in _new(pair) and _is_sure(pair, j):
                    return Name(j, j)
    return None


def _is_sure(pair: Pair, j: int) -> bool:
    """Tell whether a word has its capital for another reason than to begin a sentence."""
    word = pair.passage.words[j]
    return word.gap < STOP or not is_english_word(word.key)


def _joined(reading: Reading, i: int, step: int) -> bool:
    """Tell whether a word and the next one in a direction belong to one name."""
    low, high = min(i, i + step), max(i, i + step)
    return any(run.first <= low and high <= run.last for run in names(reading).runs)


@kept
def _new(pair: Pair) -> frozenset[int]:
    """Return the words of the passage's names that the statement has in no form."""
    return frozenset(j for j in names(pair.passage).words if _is_new(pair, j))


def _is_new(pair: Pair, j: int) -> bool:
    word = pair.passage.words[j]
    if len(word.text) == 1 or word.key in TITLES or word.stem in pair.shared:
        return False
    alike = pair.statement.by_initial.get(word.key[0], ())
    if any(are_alike(other, word) for other in alike) or has_short_form(word, pair.statement):
        return False
    return not any(word.key in found for found in names(pair.statement).acronyms)


def _rival(pair: Pair, name: Name, absent: list[int]) -> Name | None:
    """Return the name that the passage has in the place of one that it has nowhere."""
    if len(absent) <= name.last - name.first:
        return None
    rated = [
        (pair.likeness(name.first, run.first, name.last, run.last), run)
        for run in names(pair.passage).runs
        if not _new(pair).isdisjoint(range(run.first, run.last + 1))
        and stems(pair.statement, name).isdisjoint(stems(pair.passage, run))
        and acronym(pair.passage, run) != pair.statement.words[name.first].key
    ]
    likeness, found = max(rated, default=(0.0, None))
    return found if likeness >= _LEAST_LIKENESS else None


def _displaced(pair: Pair, name: Name) -> Name | None:
    """Return the word that the passage has in the very place of one that it has elsewhere."""
    for i in range(name.first, name.last + 1):
        rated = [
            (pair.likeness(i, j), j)
            for j in names(pair.passage).words
            if _has_same_neighbour(pair, i, j) and _may_replace(pair, i, j)
        ]
        likeness, j = max(rated, default=(0.0, 0))
        least = _SAME_PLACE if _are_neighbours_same(pair, i, j) else _SAME_SIDE
        if likeness >= least and likeness - _likeness_elsewhere(pair, i, j) >= _MARGIN:
            return Name(j, j)
    return None


def _may_replace(pair: Pair, i: int, j: int) -> bool:
    """Tell whether a word of the passage is another name; in a list, one that is new."""
    if _is_acronym(pair.statement.words[i].key, names(pair.passage).acronyms) or _is_acronym(
        pair.passage.words[j].key, names(pair.statement).acronyms
    ):
        return False
    if j in _new(pair):
        return True
    words = pair.statement.words[i : i + 2]
    around = {word.key for word in pair.statement.words[max(0, i - 1) : i + 2]}
    listed = any(word.gap for word in words) or not around.isdisjoint(_LIST_WORDS)
    return not (listed or are_alike(pair.statement.words[i], pair.passage.words[j]))


def _has_same_neighbour(pair: Pair, i: int, j: int) -> bool:
    one, other = pair.statement, pair.passage
    if one.words[i].stem in (other.stem_at(j - 1), other.stem_at(j + 1)):
        return False  # "Ann Lee" is "Ann Mary Lee"
    return _is_same(pair, i - 1, j - 1) or _is_same(pair, i + 1, j + 1)


def _are_neighbours_same(pair: Pair, i: int, j: int) -> bool:
    return _is_same(pair, i - 1, j - 1) and _is_same(pair, i + 1, j + 1)


def _is_same(pair: Pair, i: int, j: int) -> bool:
    return pair.statement.stem_at(i) == pair.passage.stem_at(j) != ""


def _likeness_elsewhere(pair: Pair, i: int, j: int) -> float:
    """Return the likeness of the likest other place of either of two words."""
    stated, found = pair.statement, pair.passage
    others = [(i, place) for place in found.places.get(stated.words[i].stem, ())]
    others += [(place, j) for place in stated.places.get(found.words[j].stem, ())]
    return max((pair.likeness(one, other) for one, other in others), default=0.0)


def _is_present(pair: Pair, i: int, name: Name) -> bool:
    """Tell whether the passage has a word of a name, in some form of it."""
    word = pair.statement.words[i]
    if word.stem in pair.passage.places or len(word.text) == 1 or word.key in TITLES:
        return True
    alike = pair.passage.by_initial.get(word.key[0], ())
    if any(are_alike(word, other) for other in alike) or has_short_form(word, pair.passage):
        return True
    if _is_acronym(word.key, names(pair.passage).acronyms):
        return True
    short = acronym(pair.statement, name)
    others = pair.passage.by_initial.get(short[:1], ())
    return any(_is_short(each, short) and each.text[:-1].isupper() for each in others)


def _is_short(word: Word, short: str) -> bool:
    """Tell whether a word is an acronym, or its plural: "DNNs"."""
    return bool(short) and word.key in (short, f"{short}s")


def _is_acronym(key: str, acronyms: tuple[str, ...]) -> bool:
    if len(key) < _SHORTEST_ACRONYM:
        return key in acronyms
    return any(key in found or key == f"{found}s" for found in acronyms)
