"""Negators that deny nothing where they stand, and words at which what they deny ends."""

from __future__ import annotations

import re
from collections.abc import Sequence

from citeguard.facts.reading.tables import root
from citeguard.facts.reading.words import STOP, Reading, Word

_COULD = frozenset(("couldn't", "can't"))
_COMPARED = frozenset("more better happier prouder clearer".split())
_REACH = 3  # words from "couldn't" to "more"
_DETERMINERS = frozenset("the a an any his her its their our my".split())
_NEGATORS = frozenset("not never no neither cannot".split())
_SENTENCE = 16  # words
_ENDS = re.compile(r"[.?!\n]")
FACTIVE = frozenset(map(root, "know realize realise notice remember understand aware".split()))
"""What is said after them is so, although somebody does not know it."""

_OPENERS = frozenset("and but so or".split())
_PREPOSITIONS = frozenset("on in at after before during".split())
_PRONOUNS = frozenset("him her them it us me you".split())


def is_empty(reading: Reading, i: int) -> bool:
    """Tell whether a negator denies nothing of what follows.

    "Couldn't be more glad" says that somebody is glad, "wouldn't he have known?" that he would have
    known; and in "did not name the guard, nor the officer" the officer is not denied, but a name.
    """
    words = reading.words
    return _is_superlative(words, i) or _is_question(reading, i) or _goes_on(words, i)


def is_parted(words: Sequence[Word], negator: int, place: int) -> bool:
    """Tell whether a word is beyond what a negator denies: "did not know that", "without him in".

    Nor is denied what more should have been done for: "not doing more to".
    """
    word, before = words[place], words[place - 1]
    if word.key == "that":
        return before.stem in FACTIVE
    if words[negator].key == "without" and place == negator + 2:
        return before.key in _PRONOUNS and word.key in _PREPOSITIONS
    return word.key == "to" and before.key in ("more", "enough") and place > negator + 2


def is_of_another(words: Sequence[Word], first: int, end: int) -> bool:
    """Tell whether "rather than" names what something else does: "..., as whitetails do"."""
    if words[first].key not in ("rather", "instead"):
        return False
    after = words[end : end + _SENTENCE]
    parted = next((word for word in after if word.gap), None)
    return parted is not None and parted.gap < STOP and parted.key in ("as", "like", "unlike")


def _is_superlative(words: Sequence[Word], i: int) -> bool:
    could = words[i].key in _COULD or (i > 0 and words[i - 1].key in ("could", "can"))
    after = [word.key for word in words[i + 1 : i + 1 + _REACH]]
    return (
        could
        and after[:1] == ["be"]
        and not _COMPARED.isdisjoint(after)
        and "than" not in [word.key for word in words[i + 1 : i + 2 + 2 * _REACH]]
    )


def _is_question(reading: Reading, i: int) -> bool:
    """Tell whether a question begins with a negator, so that it suggests what it asks."""
    word = reading.words[i]
    begins = word.gap or i == 0 or reading.words[i - 1].key in _OPENERS
    if not begins or not word.key.endswith("n't") or word.key == "don't":
        return False
    end = _ENDS.search(reading.text, word.end)
    return end is not None and end.group() == "?"


def _goes_on(words: Sequence[Word], i: int) -> bool:
    """Tell whether "nor" only adds a thing to those that a verb before it is denied of."""
    if words[i].key != "nor" or i + 1 >= len(words) or words[i + 1].key not in _DETERMINERS:
        return False
    for k in range(i - 1, max(-1, i - 1 - _SENTENCE), -1):
        if words[k].key in _NEGATORS or words[k].key.endswith("n't"):
            return words[k].key != "neither"
        if words[k].gap == STOP:
            return False
    return False
