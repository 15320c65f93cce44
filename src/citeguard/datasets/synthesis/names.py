"""Kinds of other names: `entity`, another name of the same type, and `role_swap`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise
from random import Random
from typing import NamedTuple

from citeguard.datasets.synthesis.passages import (
    Document,
    Edit,
    Material,
    Passage,
    Rewrite,
    drawn,
)
from citeguard.datasets.synthesis.values import Figure, find_figures, is_plural
from citeguard.datasets.synthesis.wording import data_lines, finite_forms
from citeguard.facts import tables
from citeguard.facts.names import Name, names
from citeguard.facts.reading import kept
from citeguard.language.abbreviations import TITLES
from citeguard.language.grammar import PREPOSITIONS
from citeguard.language.terms import FUNCTION_WORDS

_ADJECTIVE = re.compile(r"(?:(?<!hm)an|ese|ish)\Z")  # "German", not "Frenchman"
_PLACES = ("city", "state", "continent")
_NATION_LIKE = ("country", "nation", *_PLACES)
_LINKS = frozenset("de van von der del di da la al bin du saint new &".split())
_JOINTS = frozenset("-–/@#&(")  # "anti-German", "Paris-based", "Malaysia (listen)"
_MOST_PERSON_WORDS = 4
# What is named after persons.
_NO_SURNAMES = frozenset(
    "river lake bridge street road avenue square park island bay hospital church university college"
    " school library museum center centre hall house tower building stadium airport company party"
    " act award prize medal cup trophy foundation institute".split()
)
_MOST_OTHERS = 4  # other names tried for one


class Entity(NamedTuple):
    """A name of a known type; the offset of its first character; the places of its words.

    Only names of one type are exchanged. `article` is whether "the" comes before it.
    """

    text: str
    type: str
    start: int
    first: int
    last: int
    article: bool

    @property
    def words(self) -> frozenset[str]:
        """Its words in lower case, without function words."""
        return frozenset(self.text.lower().replace(".", " ").split()) - FUNCTION_WORDS

    def replaced(self, other: str) -> Edit:
        """Return the edit that puts another name in its place, and keeps its "'s"."""
        return Edit(self.start, self.start + len(self.text), other)


@cache
def _types() -> dict[str, str]:
    """Return the types of given names, places, countries and adjectives of nations."""
    found: dict[str, str] = {}
    for line in data_lines("names"):
        group, _, words = line.partition(": ")
        found |= dict.fromkeys(words.split(", "), group)
    for country, *others in (line.split(", ") for line in tables.lines("countries")):
        adjectives = [each for each in others if _ADJECTIVE.search(each)]
        found |= dict.fromkeys(adjectives, "nation")
        found[country] = "country"
    return found


@kept
def entities(passage: Passage) -> list[Entity]:
    """Return the names of a text that have a type, in order."""
    found = (_entity(passage, name) for name in names(passage).runs)
    return [entity for entity in found if entity is not None]


def _entity(passage: Passage, name: Name) -> Entity | None:
    words = passage.words[name.first : name.last + 1]
    start, end = words[0].start, words[-1].end - 2 * words[-1].key.endswith("'s")
    text = passage.text[start:end]
    before, after = passage.key_at(name.first - 1), passage.key_at(name.last + 1)
    linked = not _LINKS.isdisjoint((before, after)) or after[:1].isdecimal()  # "Windows 8"
    joined = not _JOINTS.isdisjoint(
        (*passage.text[:start].rstrip()[-1:], *passage.text[end : end + 2])
    )
    if "\n" in text or linked or joined or any(word.key in TITLES for word in words):
        return None
    kind = _type(passage, name, text)
    # "Dubrovnik, Croatia"
    follows_comma = words[0].gap == 1 and passage.words[name.first - 1].text[0].isupper()
    if kind is None or (kind in _NATION_LIKE and follows_comma):
        return None
    return Entity(text, kind, start, name.first, name.last, before == "the")


def _type(passage: Passage, name: Name, text: str) -> str | None:
    words = passage.words[name.first : name.last + 1]
    kind = _types().get(text)
    following = passage.words[name.last + 1 : name.last + 2]
    if kind == "nation":  # a language, as in "He speaks German.", has no other name for it
        return kind if following and following[0].text[0].islower() else None
    if kind in _NATION_LIKE:
        return kind
    sex = _types().get(words[0].text.removesuffix("'s"))
    if sex not in ("man", "woman") or len(words) > _MOST_PERSON_WORDS:
        return None
    if len(words) > 1:
        return None if words[-1].key in _NO_SURNAMES else f"person of {sex}"
    alone = passage.key_at(name.first - 1) not in PREPOSITIONS - {"by"} | {"the", "a", "an", "and"}
    return f"given name of {sex}" if alone else None


@kept
def _all_entities(document: Document) -> list[Entity]:
    return [entity for text in document.sentences for entity in entities(Passage(text))]


def find_names(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield, for each name, others of its type that the source has elsewhere."""
    own = entities(passage)
    places = sum(entity.type in _NATION_LIKE for entity in own)
    taken = frozenset[str]().union(*(each.words for each in own)) | passage.keys
    for entity in own:
        owner = passage.text[entity.start + len(entity.text) :][:1] in ("'", "’")
        # What is said of two places is often known: "Siberia is a part of Russia".
        if entity.type in _NATION_LIKE and (places > 1 or owner):
            continue
        others = {
            other.text
            for other in _all_entities(material.document)
            if other.type == entity.type
            and (other.article == entity.article or entity.type == "nation")
            and other.words.isdisjoint(taken)
        }
        for other in drawn(sorted(others), _MOST_OTHERS, random):
            yield Rewrite(entity.type, (entity.replaced(other),))


# Roles

# Whom one meets or marries does the same; so do words by which two names are one phrase.
_NOT_ONE_WAY = frozenset(
    "met married fought played shared joined faced resembled divorced followed and or nor but who"
    " which that with while when where as not including".split()
)
_INCLUDED = frozenset(("including", "of", "out"))  # of 20 there cannot be 30
_MOST_BETWEEN = 9  # words between two names, or two numbers
_MOST_TIMES = 8  # how many times as large as the other one a number is


def find_roles(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield exchanges of two names of one type, or two numbers, in different roles."""
    for one, other in combinations(entities(passage), 2):
        same = one.type == other.type and one.article == other.article and one.text != other.text
        if same and _is_one_way(passage, one.last + 1, other.first):
            edits = one.replaced(other.text), other.replaced(one.text)
            yield Rewrite("names", edits, preference=1)
    figures = [figure for figure in find_figures(passage) if figure.style != "ordinal word"]
    for one, other in pairwise(figures):
        if one.style == other.style and _count_different_things(passage, one, other):
            first, second = (passage.text[each.start : each.end].lower() for each in (one, other))
            edits = Edit(one.start, one.end, second), Edit(other.start, other.end, first)
            yield Rewrite("numbers", edits)


def _is_one_way(passage: Passage, first: int, last: int) -> bool:
    """Return whether the words between two names state what does not hold the other way round."""
    between = {passage.key_at(i) for i in range(first, last)}
    gaps = any(word.gap for word in passage.words[first : last + 1])
    if gaps or not 0 < last - first <= _MOST_BETWEEN or between & _NOT_ONE_WAY:
        return False
    return "than" in between or not between.isdisjoint(finite_forms())


def _count_different_things(passage: Passage, one: Figure, other: Figure) -> bool:
    """Return whether two numbers of about one size count two things: "24 points, 13 rebounds"."""
    i, k = passage.place_at(one.start), passage.place_at(other.start)
    nouns = passage.key_at(i + 1), passage.key_at(k + 1)
    between = {passage.key_at(m) for m in range(i, k)}
    if nouns[0] == nouns[1] or not all(map(is_plural, nouns)) or between & _INCLUDED:
        return False
    ratio = max(one.value, other.value) / min(one.value, other.value)
    return k - i <= _MOST_BETWEEN and 1 < ratio <= _MOST_TIMES
