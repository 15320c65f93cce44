"""Clipped quotes: cut through a number or a denial, or before what limits the statement."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from citeguard.datasets.synthesis.material import Material
from citeguard.datasets.synthesis.passages import Edit, Passage, Rewrite

_LEAST_KEPT = 4  # words
_LEAST_CUT = 2
_LIMIT = re.compile(
    r"(?<!\bor)(?<!\bthat)(?<!\bas)(?<!\beven)(?<!\bonly)(?<!\bknow)(?<!\bask)"
    r"(?<!\basked)(?<!\bsee),? (?:unless|except|excluding"
    r"|provided that|as long as|so long as|only if|but only|but not"
    r"|other than|with the exception of|if(?! (?:ever|any|not|necessary|possible)\b)) "
)
_DENIED = re.compile(
    r"(?:it is (?:false|not true|untrue|a myth|a misconception) that|(?:he|she|they|[A-Z]\w+)"
    r" (?:denied|denies|rejected|refuted|disputed|doubted)(?: claims| reports| the claim)? that"
    r"|(?:there is|there was) no evidence that)\s+",
    re.IGNORECASE,
)
_ALLEGED = re.compile(
    r"(?:\b(?:claimed that|alleged that"
    r"|suggests that|suggested that|believe[sd]? that|argue[sd]? that|speculated that)\s+)",
    re.IGNORECASE,
)
_MAGNITUDE = frozenset("million billion trillion hundred thousand percent".split())
_DENYING = frozenset("not never cannot hardly rarely seldom barely".split())
_HEDGING = frozenset("allegedly reportedly supposedly purportedly formerly almost nearly".split())


def find_cuts(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield cuts by which a quote misleads; the order is drawn.

    `torn number` cuts a number in two, or from its magnitude or sign. `hidden denial` leaves a
    "not" out at an ellipsis, and `hidden hedge` an "allegedly". `lost denial` and
    `lost source` leave out by what a sentence is denied or ascribed, and `lost condition` what
    limits it; these three stand in the source word by word.
    """
    torn = list(_torn(passage))
    if not material.document.passage.is_english:
        yield from random.sample(torn, len(torn))
        return
    ways = [*torn, *_hidden(passage), *_introduced(passage), *_limited(passage)]
    yield from random.sample(ways, len(ways))


def _torn(passage: Passage) -> Iterator[Rewrite]:
    for i, word in enumerate(passage.words):
        if not word.is_figure:
            continue
        if passage.key(i + 1) in _MAGNITUDE and i >= _LEAST_KEPT:
            yield Rewrite("torn number", (_ending(passage, word.end),))
        if "," in word.text[:-3] and len(passage.words) - i > _LEAST_KEPT:
            yield Rewrite("torn number", (_beginning(word.start + word.text.index(",") + 1),))
        elif _is_after_sign(passage, i) and len(passage.words) - i > _LEAST_KEPT:
            yield Rewrite("torn number", (_beginning(word.start),))
        if "." in word.text[1:-1] and i >= _LEAST_KEPT and word.text.count(".") == 1:
            yield Rewrite("torn number", (_ending(passage, word.start + word.text.index(".")),))


def _is_after_sign(passage: Passage, i: int) -> bool:
    return passage.key(i - 1) in ("$", "€", "£") and passage.words[i].glued


def _beginning(at: int) -> Edit:
    return Edit(0, at, "")


def _ending(passage: Passage, at: int) -> Edit:
    return Edit(at, len(passage.text), "")


def _hidden(passage: Passage) -> Iterator[Rewrite]:
    """Make "It … apply" of "It does not apply", and "He … went" of "He allegedly went"."""
    for i, word in enumerate(passage.words):
        if word.key not in _DENYING | _HEDGING or not 2 <= i < len(passage.words) - 2:
            continue
        after = passage.words[i + 1]
        if after.glued or after.key in ("and", "or", "but"):  # "not-for-profit", "he did not and"
            continue
        first = i - 1 if passage.key(i - 1) in ("does", "do", "did") else i
        last = i + 1 if passage.key(i + 1) in ("longer", "necessarily") else i
        variant = "hidden denial" if word.key in _DENYING else "hidden hedge"
        yield Rewrite(variant, (passage.edit(first, last, "…"),))


def _introduced(passage: Passage) -> Iterator[Rewrite]:
    for variant, pattern in (("lost denial", _DENIED), ("lost source", _ALLEGED)):
        for found in pattern.finditer(passage.text):
            rest = passage.text[found.end() :]
            if len(rest.split()) > _LEAST_KEPT:
                yield Rewrite(variant, (_beginning(found.end()),))


def _limited(passage: Passage) -> Iterator[Rewrite]:
    for found in _LIMIT.finditer(passage.text):
        before, after = passage.text[: found.start()], passage.text[found.end() :]
        whole = len(before.split()) >= _LEAST_KEPT and len(after.split()) >= _LEAST_CUT
        if whole and _has_verb(before):
            yield Rewrite("lost condition", (_ending(passage, found.start()),))


def _has_verb(text: str) -> bool:
    """Tell whether a text is likely to be a clause: it has a common verb form in it."""
    verbs = "is are was were has have had can may must will should would could does do did"
    return not frozenset(text.lower().split()).isdisjoint(verbs.split())
