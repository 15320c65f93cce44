"""English words by class: auxiliaries, pronouns, prepositions, irregular verbs, abbreviations.

All words are in lower case, with `'` as the apostrophe.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import NamedTuple

FINITE_BE = frozenset("is are was were am 's 're 'm".split())
FINITE_HAVE = frozenset("has have had 've".split())
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
DENYING_PICTURES = "✗✘❌❎✕✖🚫⛔⊘👎🙅"
"""Pictures that deny what they stand before."""
DENYING_SIGNS = f"☐☒⮽{DENYING_PICTURES}∄∉⊄⊈≠≢≁¬"
"""Symbols that deny what follows them, or say that it is not so."""

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


_FIRST_WORDS = 10  # of a clause, among which its verb is
_PARTICIPLES_FOLLOW = AUXILIARIES | {"be", "been", "being", "have"}


def is_past(clause: str) -> bool:
    """Return whether an English clause, in lower case, tells of the past by its first verbs."""
    words = re.findall(r"[a-z']+", clause)[:_FIRST_WORDS]
    return any(
        word in ("was", "were", "had", "did")
        or (word not in AUXILIARIES and is_finite(word) and before not in _PARTICIPLES_FOLLOW)
        for before, word in pairwise(["", *words])
    )


# Abbreviations

_BEFORE_NAMES = "Mr Mrs Ms Dr Prof St Sen Gen Gov Rep Lt Col Capt Sgt Maj Rev Hon Mt Ft".split()
_AFTER_NAMES = "Jr Sr Inc Ltd Co Corp".split()
_OTHERS = "vs No Nos Fig Figs Eq approx e.g i.e cf al".split()

ABBREVIATIONS = frozenset((*_BEFORE_NAMES, *_AFTER_NAMES, *_OTHERS))
"""Abbreviations without their last stop, in the case in which they are written.

"No" is one, "no" is a word; so compare with the case of the text.
"""

TITLES = frozenset(
    "mr mrs ms miss dr prof professor sir dame lord lady king queen prince princess president vice"
    " senator governor mayor judge justice chief general captain colonel major minister prime"
    " secretary st saint pope father sister brother jr sr chancellor emperor director chairman ceo"
    " officer police detective coach former".split()
)
"""Titles that stand beside a name and are no part of it, in small letters."""

_LISTED = "|".join(re.escape(each) for each in sorted(ABBREVIATIONS, key=len, reverse=True))

ABBREVIATED = rf"\b(?:[A-Z]|{_LISTED})"
"""The pattern of an abbreviation or an initial without its stop."""

_ENDING = re.compile(rf"{ABBREVIATED}\.\Z")


def ends_in_abbreviation(text: str) -> bool:
    """Return whether the full stop that a text ends in is that of an abbreviation or an initial.

    Examples:
        >>> [ends_in_abbreviation(text) for text in ("See Fig.", "by J.", "He said no.", "et al")]
        [True, True, False, False]
    """
    return _ENDING.search(text) is not None
