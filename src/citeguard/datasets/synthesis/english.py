"""Forms of English verbs and nouns, for those in the table `verbs`."""

from __future__ import annotations

from functools import cache

from citeguard.datasets.synthesis.tables import lines
from citeguard.facts import tables

_VOWELS = "aeiou"
_SAME_IN_PAST = frozenset("cut put set let hit hurt cost shut spread quit split".split())
_DOUBLED = frozenset(
    "admit ban beg chop commit compel control drop equip fit grab grip hop occur omit permit plan"
    " prefer refer regret rob scan ship slip snap stop strip submit trap transfer wrap".split()
)


@cache
def verbs() -> frozenset[str]:
    """Return the plain forms of common verbs."""
    return frozenset(word for line in lines("verbs") for word in line.split())


@cache
def _irregular() -> dict[str, tuple[str, ...]]:
    rows = (tuple(line.split()) for line in tables.lines("irregular"))
    return {row[0]: row[1:] for row in rows if row[0] not in ("man", "woman")}


def past(verb: str) -> str:
    """Return the past tense of a plain form.

    Examples:
        >>> [past(verb) for verb in ("win", "stop", "carry", "create", "play")]
        ['won', 'stopped', 'carried', 'created', 'played']
    """
    if verb in ("have", "do"):
        return "had" if verb == "have" else "did"
    if verb in _SAME_IN_PAST:
        return verb
    if verb in _irregular():
        return _irregular()[verb][0]
    return f"{_before_ending(verb, 'e')}d" if verb.endswith("e") else f"{_regular_stem(verb)}ed"


def _before_ending(verb: str, letter: str) -> str:
    return verb.removesuffix(letter) + letter


def _regular_stem(verb: str) -> str:
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return f"{verb[:-1]}i"
    return verb + verb[-1] if verb in _DOUBLED else verb


def third_person(verb: str) -> str:
    """Return the form after "she".

    Examples:
        >>> [third_person(verb) for verb in ("win", "carry", "reach", "have", "do")]
        ['wins', 'carries', 'reaches', 'has', 'does']
    """
    if verb in ("have", "do"):
        return "has" if verb == "have" else "does"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{verb}s"


@cache
def _pasts() -> dict[str, str]:
    return {past(verb): verb for verb in verbs() if verb not in _SAME_IN_PAST}


@cache
def _thirds() -> dict[str, str]:
    return {third_person(verb): verb for verb in verbs()}


@cache
def participles() -> frozenset[str]:
    """Return the irregular participles."""
    return frozenset(forms[-1] for forms in _irregular().values()) | _SAME_IN_PAST | {"been"}


def plain_of_past(word: str) -> str | None:
    """Return the plain form of a common verb in the past tense; `None` of any other word.

    Examples:
        >>> plain_of_past("won"), plain_of_past("red")
        ('win', None)
    """
    return _pasts().get(word)


def plain_of_third_person(word: str) -> str | None:
    """Return the plain form of a common verb in the third person; `None` of any other word."""
    return _thirds().get(word)


def is_participle(word: str) -> bool:
    """Tell whether a word may be the participle of a verb."""
    return word.endswith("ed") or word in participles()


def is_plural(word: str) -> bool:
    """Tell whether a noun is probably a plural.

    Examples:
        >>> is_plural("weeks"), is_plural("glass"), is_plural("people")
        (True, False, True)
    """
    if word in ("people", "men", "women", "children", "percent"):
        return True
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "ics"))
