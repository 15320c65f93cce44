"""English words by class: auxiliaries, pronouns, determiners, prepositions, irregular verbs.

All words are in lower case, with `'` as the apostrophe.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import NamedTuple

FINITE_BE = frozenset("is are was were am 's 're 'm".split())
BE = FINITE_BE | frozenset(("be", "been", "being"))
FINITE_HAVE = frozenset("has have had 've".split())
HAVE = FINITE_HAVE | {"having"}
DO = frozenset("do does did".split())
MODALS = frozenset(
    "will would can could may might must shall should cannot ca wo 'll 'd".split()
)  # fmt: skip
AUXILIARIES = FINITE_BE | FINITE_HAVE | DO | MODALS
"""Verbs that are finite wherever they are verbs."""

SUBJECT_PRONOUNS = frozenset("i you he she it we they".split())
OBJECT_PRONOUNS = frozenset("me him her us them".split())
POSSESSIVES = frozenset("my your his her its our their".split())
DEMONSTRATIVES = frozenset("this that these those".split())
PRONOMINAL = DEMONSTRATIVES | frozenset(
    "some any each another all both several many few such most more".split()
)
"""Determiners that can be subjects by themselves: "both died", "this works"."""
DETERMINERS = frozenset(("a", "an", "the", "no", "every")) | POSSESSIVES | PRONOMINAL - {"that"}
PREPOSITIONS = frozenset(
    "of in on at by for from with as into onto about against during through between among since"
    " until after before despite without within across per via than like under over near around"
    " behind above below toward towards throughout upon to".split()
)
NOUN_MARKERS = frozenset("a an the any this these those".split()) | POSSESSIVES
"""What a noun phrase begins with."""
DENIALS = frozenset(
    "not no never none nobody nothing nowhere neither nor without cannot n't ain't hardly scarcely"
    " barely rarely seldom non".split()
)
"""What denies whatever follows; `negators` of the English lexicon also has verbs such as "fail"."""


class Verb(NamedTuple):
    """The forms of an irregular verb, of which some may be equal."""

    plain: str
    past: str
    participle: str


@cache
def irregular_verbs() -> tuple[Verb, ...]:
    """Return the irregular verbs of English, without auxiliaries."""
    text = resources.files("citeguard.language").joinpath("data/irregular.txt").read_text("utf-8")
    rows = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    return tuple(Verb(row[0], row[1], row[2] if len(row) > 2 else row[1]) for row in rows)


@cache
def _past_forms() -> frozenset[str]:
    return frozenset(verb.past for verb in irregular_verbs() if verb.past != verb.plain)


def is_finite(word: str) -> bool:
    """Return whether an English word, in lower case, may be a finite verb: "is", "rose", "denied".

    Of the present only auxiliaries count: "rises" may be a noun.
    """
    return word in AUXILIARIES or word in _past_forms() or word.endswith("ed")
