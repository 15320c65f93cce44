"""The names of a text, and contrasts of kind `name`: another name in its place, or none."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, takewhile
from typing import NamedTuple

from citeguard.facts.reading import (
    IN_PLACE,
    MOST_PLACES,
    MOST_THINGS,
    STOP,
    Contrast,
    Pair,
    Reading,
    Word,
    contrast,
    kept,
)
from citeguard.facts.tables import countries, memberships, short_names
from citeguard.language.abbreviations import TITLES
from citeguard.language.quantities import MONTH_NAMES, WEEKDAYS
from citeguard.language.spelling import is_english_word
from citeguard.language.terms import FUNCTION_WORDS

_BRACKETS = ("lrb", "rrb", "lsb", "rsb")  # of tokenized corpora
_NO_NAMES = frozenset((*WEEKDAYS, *MONTH_NAMES, *_BRACKETS))
_LIKE = 0.8  # least share of the common prefix of two forms of a name
_SHORTEST_PREFIX = 3  # letters, as "Con" of "Convention"
_ACRONYM_WORDS = range(2, 8)
# Chosen on development data: below it, two names are in different places.
_LEAST_LIKENESS = 1.5
# If even the words right before and after are the same, the name may be elsewhere in the passage.
_SAME_PLACE, _SAME_SIDE, _MARGIN = 1.6, 1.8, 0.6
_ABSENT_COVERAGE = 0.6


class Name(NamedTuple):
    """A name in a text: the places of its first and last word."""

    first: int
    last: int

    @property
    def places(self) -> range:
        """The places of its words."""
        return range(self.first, self.last + 1)


class Names(NamedTuple):
    """The names of a text.

    Attributes:
        runs: The names, in order.
        words: The places of all their words.
    """

    runs: tuple[Name, ...]
    words: frozenset[int]


@kept
def names(reading: Reading) -> Names:
    """Return the first few dozen names of a text."""
    runs = tuple(islice(_runs(reading), MOST_THINGS))
    return Names(runs, frozenset(i for run in runs for i in run.places))


def widened(reading: Reading, first: int, last: int) -> tuple[int, int]:
    """Return the places of two words, or of the first and last word of the names they are in."""
    for run in names(reading).runs:
        first = run.first if first in run.places else first
        last = run.last if last in run.places else last
    return first, last


def _runs(reading: Reading) -> Iterator[Name]:
    words, i = reading.words, 0
    currencies = {
        reading.place_at(start)
        for start, _ in (each.whole for each in reading.numbers if each.kind == "money")
    }
    while i < len(words):
        if not _is_name_word(words[i]) or i in currencies:  # "US$5"
            i += 1
            continue
        last = i
        ends = min(len(words), i + MOST_PLACES)
        while last + 1 < ends and _continues(words[last], words[last + 1]):
            last += 1
        if not _is_common(words, i, last):
            yield Name(i, last)
        i = last + 1


def _continues(word: Word, after: Word) -> bool:
    return not after.gap and not word.key.endswith("'s") and _is_name_word(after)


def _is_name_word(word: Word) -> bool:
    if word.kind != "word" or not word.content or not word.text[0].isupper():
        return False
    return word.key not in _NO_NAMES and not word.key.startswith("i'")  # "I'm"


def _is_common(words: tuple[Word, ...], first: int, last: int) -> bool:
    """Return whether a word has its capital only because it begins a sentence."""
    word = words[first]
    if first != last or word.gap < STOP or word.text[1:2].isupper():
        return False
    return is_english_word(word.key) and word.key not in countries()


def acronym(reading: Reading, name: Name) -> str:
    """Return the acronym of a name of several words, in lower case; "" for other names."""
    words = reading.words[name.first : name.last + 1]
    if len(words) not in _ACRONYM_WORDS:
        return ""
    parts = [part for word in words for part in word.text.lower().split()]
    return "".join(part[0] for part in parts if part not in FUNCTION_WORDS)


@kept
def acronyms(reading: Reading) -> frozenset[str]:
    """Return the acronyms of the names of several words, in lower case."""
    return frozenset(acronym(reading, run) for run in names(reading).runs) - {""}


# Spellings and forms of one name


def are_alike(one: Word, other: Word) -> bool:
    """Return whether two words are spellings or forms of one name."""
    if one.stem == other.stem:
        return True
    a, b = _plain(one.key), _plain(other.key)
    if a == b or _share_family(a, b):
        return True
    common = sum(1 for _ in takewhile(lambda two: two[0] == two[1], zip(a, b, strict=False)))
    return common >= max(_SHORTEST_PREFIX, _LIKE * min(len(a), len(b)))


@lru_cache(maxsize=100_000)
def _plain(key: str) -> str:
    """Return a name without its accents and apostrophes: "Noël" and "Noel" are one."""
    parts = unicodedata.normalize("NFD", key.removesuffix("'s").replace("'", ""))
    return "".join(char for char in parts if not unicodedata.combining(char))


def _share_family(one: str, other: str) -> bool:
    """Return whether two given names are short for one another."""
    families = short_names()
    return one in families and not families[one].isdisjoint(families.get(other, frozenset()))


def has_form(word: Word, reading: Reading) -> bool:
    """Return whether a text has a word, in this or another spelling or form of the name."""
    if any(are_alike(word, other) for other in reading.by_initial.get(word.key[0], ())):
        return True
    return word.key in short_names() and any(
        _share_family(word.key, reading.words[i].key) for i in reading.content
    )


# Contrasts


def name_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield the contrasts of kind `name`, at most one for each name of the statement."""
    for name in names(pair.statement).runs:
        absent = [i for i in name.places if not _is_present(pair, i, name)]
        found = _partner(pair, absent) or _rival(pair, name, absent)
        found = found or _displaced(pair, name, absent)
        stated = pair.statement.slice(name.first, name.last)
        if found is not None:
            other = widened(pair.passage, found.first, found.last)
            yield contrast("name", stated, pair.passage.slice(*other))
        # The passage has enough else that it would name who it means.
        elif len(absent) == len(name.places) and (
            name.first > 1 and pair.coverage >= _ABSENT_COVERAGE
        ):
            yield contrast("name", stated)
    yield from _replaced(pair)


def _is_present(pair: Pair, i: int, name: Name) -> bool:
    """Return whether the passage has a word of a name, in some form of the name."""
    word = pair.statement.words[i]
    if word.stem in pair.passage.places or len(word.text) == 1 or word.key in TITLES:
        return True
    if has_form(word, pair.passage) or word.key in acronyms(pair.passage):
        return True
    short = acronym(pair.statement, name)
    return bool(short) and any(other.key == short for other in pair.passage.words)


def _partner(pair: Pair, absent: list[int]) -> Name | None:
    """Return what the passage has beside the shared part of a name: "Bill" for "Hillary"."""
    for i in absent:
        for step in (1, -1):
            if not _joined(pair.statement, i, step):
                continue
            for place in pair.passage.places.get(pair.statement.stem_at(i + step), ()):
                j = place - step
                if _joined(pair.passage, j, step) and j in _new(pair):
                    word = pair.passage.words[j]  # its capital may only begin the sentence
                    if word.gap < STOP or not is_english_word(word.key):
                        return Name(j, j)
    return None


def _joined(reading: Reading, i: int, step: int) -> bool:
    """Return whether a word and the next one in a direction belong to one name."""
    low, high = min(i, i + step), max(i, i + step)
    return any(run.first <= low and high <= run.last for run in names(reading).runs)


@kept
def _new(pair: Pair) -> frozenset[int]:
    """Return the words of the passage's names that the statement does not have in any form."""
    return frozenset(j for j in names(pair.passage).words if _is_new(pair, j))


def _is_new(pair: Pair, j: int) -> bool:
    word = pair.passage.words[j]
    if len(word.text) == 1 or word.key in TITLES or word.stem in pair.shared:
        return False
    return not has_form(word, pair.statement)


def _rival(pair: Pair, name: Name, absent: list[int]) -> Name | None:
    """Return the name that the passage has in place of one that it does not have."""
    if len(absent) < len(name.places):
        return None
    rated = [
        (pair.likeness(name.first, run.first, name.last, run.last), run)
        for run in names(pair.passage).runs
        if not _new(pair).isdisjoint(run.places)
    ]
    likeness, found = max(rated, default=(0.0, None))
    return found if likeness >= _LEAST_LIKENESS else None


def _displaced(pair: Pair, name: Name, absent: list[int]) -> Name | None:
    """Return the word that the passage has exactly in place of one that it has elsewhere."""
    for i in name.places:
        if i not in absent and pair.statement.words[i].stem not in pair.shared:
            continue  # the passage has it in another form
        rated = [
            (pair.likeness(i, j), j)
            for j in names(pair.passage).words
            if _sides(pair, i, j) and _may_replace(pair, i, j)
        ]
        likeness, j = max(rated, default=(0.0, 0))
        least = _SAME_PLACE if _sides(pair, i, j) > 1 else _SAME_SIDE
        if likeness >= least and likeness - _elsewhere(pair, i, j) >= _MARGIN:
            return Name(j, j)
    return None


def _sides(pair: Pair, i: int, j: int) -> int:
    """Return on how many sides two words have the same word."""
    one, other = pair.statement, pair.passage
    before, after = one.stem_at(i - 1), one.stem_at(i + 1)
    return (before == other.stem_at(j - 1) != "") + (after == other.stem_at(j + 1) != "")


def _may_replace(pair: Pair, i: int, j: int) -> bool:
    """Return whether a word of the passage is another name; in a list, one that is new."""
    one, other = pair.statement.words[i], pair.passage.words[j]
    if j in _new(pair):
        return True
    around = pair.statement.words[max(0, i - 1) : i + 2]
    listed = any(word.gap for word in pair.statement.words[i : i + 2])
    listed = listed or any(word.key in ("and", "or") for word in around)
    return not listed and not are_alike(one, other)


def _elsewhere(pair: Pair, i: int, j: int) -> float:
    """Return the greatest likeness of another pair of places of either word."""
    stated, found = pair.statement, pair.passage
    others = [(i, place) for place in found.places.get(stated.words[i].stem, ())]
    others += [(place, j) for place in stated.places.get(found.words[j].stem, ())]
    return max((pair.likeness(one, other) for one, other in others), default=0.0)


def _replaced(pair: Pair) -> Iterator[Contrast]:
    """Yield where a statement that is nearly a copy of the passage replaces a name."""
    for replaced in pair.replaced:
        stated = _named(pair.statement, replaced.first, replaced.last)
        found = _named(pair.passage, replaced.found, replaced.found_last)
        if stated and found and not _may_be_same(pair, stated, found):
            elsewhere = any(pair.statement.stem_at(i) in pair.shared for i in stated.places)
            if replaced.copied >= (IN_PLACE if elsewhere else 0.0):
                slices = pair.statement.slice(*stated), pair.passage.slice(*found)
                yield contrast("name", *slices)


def _named(reading: Reading, first: int, last: int) -> Name | None:
    """Return the content words between two places as a name, if all have a capital."""
    places = [i for i in range(first, last + 1) if reading.words[i].content]
    if not places or not all(reading.words[i].text[0].isupper() for i in places):
        return None
    return Name(places[0], places[-1]) if reading.words[places[0]].gap < STOP else None


def _may_be_same(pair: Pair, stated: Name, found: Name) -> bool:
    """Return whether two names have a word in common.

    Also for two days, countries and so on: `word_contrasts` compares those.
    """
    ones = pair.statement.words[stated.first : stated.last + 1]
    others = pair.passage.words[found.first : found.last + 1]
    one, other = ({m.name for m in memberships().get(w[0].stem, ())} for w in (ones, others))
    return bool(one & other) or any(are_alike(one, other) for one in ones for other in others)
