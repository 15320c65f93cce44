"""Clipped quotes: cut through a number or a denial, or before what limits the statement."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from citeguard.datasets.synthesis.english import plain_of_past, plain_of_third_person
from citeguard.datasets.synthesis.material import Material
from citeguard.datasets.synthesis.passages import Edit, Passage, Rewrite, is_balanced

_LEAST_KEPT = 4  # words
_LEAST_CUT = 2
_LIMIT = re.compile(
    r"(?<!\bor)(?<!\bthat)(?<!\bas)(?<!\beven)(?<!\bonly)(?<!\bknow)(?<!\bask)"
    r"(?<!\basked)(?<!\bsee),? (?:unless|except|excluding"
    r"|(?<=, )provided that|as long as|so long as|only if|but only|but not"
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
_MEASURING = frozenset("of by than about at over under nearly almost around is was $ € £".split())
_UNENDED = (" for", " of", " to", " by", " in", " with", " and", " a", " the")
_DENYING = frozenset("not never cannot hardly rarely seldom barely".split())
_BOUND = re.compile(r"\b(?:but|any|anymore|ever|either)\b")  # to the "not" before them
_AUXILIARIES = frozenset(
    "is are was were has have had can may must will should would could does do did".split()
)
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
        edits = [_ending(passage, at) for at in _ends(passage, i)]
        if "," in word.text[:-3] and not word.text.partition(",")[2].startswith("0"):
            edits.append(_beginning(word.start + word.text.index(",") + 1))
        elif passage.key(i - 1) in ("$", "€", "£") and word.glued:
            edits.append(_beginning(word.start))
        yield from (Rewrite("torn number", (edit,)) for edit in edits if _is_clause(passage, edit))


def _ends(passage: Passage, i: int) -> Iterator[int]:
    """Yield where a number can be cut off so that a smaller one is left: "25" of "25 million"."""
    word = passage.words[i]
    if passage.key(i - 1) not in _MEASURING:
        return
    if passage.key(i + 1) in _MAGNITUDE and "." not in word.text:
        yield word.end
    if word.text.count(".") == 1 and "." in word.text[1:-1]:
        yield word.start + word.text.index(".")


def _is_clause(passage: Passage, edit: Edit) -> bool:
    """Tell whether what is left is long enough, and seems to have a verb."""
    left = f"{passage.text[: edit.start]}{passage.text[edit.end :]}"
    return len(left.split()) > _LEAST_KEPT and _has_verb(left) and is_balanced(left)


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
        if passage.key(i - 1) in ("(", "if") or _BOUND.search(passage.text, word.end):
            continue
        if after.glued or after.key in (
            "and",
            "or",
            "only",
            "just",
            "limited",
        ):  # "not-for-profit", "he did not and"
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
        ends = not before.endswith(_UNENDED) and is_balanced(before)
        if whole and ends and _has_verb(before) and " would " not in before:
            yield Rewrite("lost condition", (_ending(passage, found.start()),))


def _has_verb(text: str) -> bool:
    """Tell whether a text is likely to be a clause: it has a common verb form in it."""
    words = text.lower().split()
    common = (plain_of_past(word) or plain_of_third_person(word) for word in words)
    return not _AUXILIARIES.isdisjoint(words) or any(common)
