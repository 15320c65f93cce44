"""The names of a text, and which spellings and forms stand for the same name."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, takewhile
from typing import NamedTuple

from rapidfuzz.distance import OSA

from citeguard.facts.reading.tables import countries, memberships, short_names
from citeguard.facts.reading.words import MOST_PLACES, MOST_THINGS, STOP, Reading, Word, kept
from citeguard.language.quantities import MONTH_NAMES, WEEKDAYS
from citeguard.language.spelling import is_english_word
from citeguard.language.terms import FUNCTION_WORDS

TITLES = frozenset(
    "mr mrs ms miss dr prof professor sir lord lady king queen prince princess president vice"
    " senator governor mayor judge justice chief general captain colonel major minister prime"
    " secretary st saint pope father sister brother jr sr ii iii iv chancellor emperor director"
    " chairman ceo officer police detective coach former".split()
)
_BRACKETS = ("lrb", "rrb", "lsb", "rsb")  # of tokenised corpora
_NO_NAMES = frozenset((*"i i'm i'd i've i'll a".split(), *WEEKDAYS, *MONTH_NAMES, *_BRACKETS))
_PRONOUNS = frozenset(
    "he she it they his her its their him them this these who i we you my our your that".split()
)
_LIKE = 0.8  # similarity of two spellings of a name, and share of a word that is its beginning
_SHORTEST_PREFIX = 3  # letters that "Con" and "Convention" share
_ONE_CASE = 0.9  # share of words with a capital from which a text is a headline
_FEWEST_WORDS = 5  # content words from which that can be told
_SHORTEST_ACRONYM, _LONGEST_ACRONYM = 2, 7  # words
_LONGEST_SHOUT = 5  # letters; longer words all in capitals are shouted


class Name(NamedTuple):
    """A name in a text: the places of its first and last word."""

    first: int
    last: int


class Names(NamedTuple):
    """The names of a text.

    Attributes:
        runs: each of them, in order.
        words: the places of all their words.
        acronyms: the acronyms that they would make, in small letters.
        has_pronouns: whether the text may name somebody by a pronoun.
    """

    runs: tuple[Name, ...]
    words: frozenset[int]
    acronyms: tuple[str, ...]
    has_pronouns: bool


@kept
def names(reading: Reading) -> Names:
    """Return the first few dozen names of a text; none of a headline, all in capitals."""
    runs = () if _is_headline(reading) else tuple(islice(_runs(reading), MOST_THINGS))
    words = frozenset(i for run in runs for i in range(run.first, run.last + 1))
    acronyms = tuple(filter(None, (acronym(reading, run) for run in runs)))
    pronouns = any(word.key in _PRONOUNS for word in reading.words)
    return Names(runs, words, acronyms, pronouns)


def stems(reading: Reading, name: Name) -> set[str]:
    """Return the stems of the words of a name."""
    return {reading.words[i].stem for i in range(name.first, name.last + 1)}


def acronym(reading: Reading, name: Name) -> str:
    """Return the acronym that a name of several words would make, in small letters."""
    words = reading.words[name.first : name.last + 1]
    if not _SHORTEST_ACRONYM <= len(words) <= _LONGEST_ACRONYM:
        return ""
    parts = [part for word in words for part in word.text.lower().split()]
    return "".join(part[0] for part in parts if part not in FUNCTION_WORDS)


def are_alike(one: Word, other: Word) -> bool:
    """Tell whether two words are spellings or forms of one name."""
    if one.stem == other.stem:
        return True
    a, b = _plain(one.key), _plain(other.key)
    if a == b or share_family(a, b):
        return True
    if a[:1] != b[:1] or (one.stem in memberships() and other.stem in memberships()):
        return False
    shorter = min(len(a), len(b))
    common = sum(1 for _ in takewhile(lambda two: two[0] == two[1], zip(a, b, strict=False)))
    if common >= max(_SHORTEST_PREFIX, _LIKE * shorter):
        return True
    return OSA.normalized_similarity(a, b) >= _LIKE


def has_short_form(word: Word, reading: Reading) -> bool:
    """Tell whether a text has a given name in another form: "Bill" for "William"."""
    return word.key in short_names() and any(
        share_family(word.key, reading.words[i].key) for i in reading.content
    )


def share_family(one: str, other: str) -> bool:
    """Tell whether two given names are short for one another."""
    families = short_names()
    return one in families and not families[one].isdisjoint(families.get(other, frozenset()))


@lru_cache(maxsize=100_000)
def _plain(key: str) -> str:
    """A name without its accents and apostrophes: "Noël" and "Noel" are one."""
    parts = unicodedata.normalize("NFD", key.removesuffix("'s").replace("'", ""))
    return "".join(char for char in parts if not unicodedata.combining(char))


def _is_headline(reading: Reading) -> bool:
    words = [reading.words[i].text for i in reading.content if reading.words[i].kind == "word"]
    capitals = sum(word[0].isupper() for word in words)
    return len(words) >= _FEWEST_WORDS and capitals > _ONE_CASE * len(words)


def _runs(reading: Reading) -> Iterator[Name]:
    words, i = reading.words, 0
    while i < len(words):
        if not _is_name_word(words[i]):
            i += 1
            continue
        last = i
        ends = min(len(words), i + MOST_PLACES)
        while last + 1 < ends and _goes_on(words[last], words[last + 1]):
            last += 1
        if not _is_common(reading, i, last):
            yield Name(i, last)
        i = last + 1


def _goes_on(word: Word, after: Word) -> bool:
    return not after.gap and not word.key.endswith("'s") and _is_name_word(after)


def _is_name_word(word: Word) -> bool:
    if word.kind != "word" or not word.content or not word.text[0].isupper():
        return False
    shouted = word.text.isupper() and len(word.text) > _LONGEST_SHOUT
    return word.key not in _NO_NAMES and not shouted


def _is_common(reading: Reading, first: int, last: int) -> bool:
    """Tell whether a word has its capital only because a sentence begins with it."""
    word = reading.words[first]
    if first != last or word.gap < STOP or word.text[1:2].isupper():
        return False
    return is_english_word(word.key) and word.key not in countries()
