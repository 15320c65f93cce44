"""Contrasts of kind `modality` between "may", "should" and "must"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from citeguard.facts.certainty import leaves_open
from citeguard.facts.pair import Contrast, Pair, contrast
from citeguard.facts.reading.denials import denials
from citeguard.facts.reading.words import LIGHT, Reading, Word, kept

_Force = Literal["leave", "advice", "duty", "future"]
_WORDS: dict[_Force, str] = {
    "leave": "may can could might allowed permitted optional voluntary free",
    "advice": "should ought recommended advised advisable encouraged suggested",
    "duty": "must required mandatory compulsory obligatory obliged necessary",
    "future": "will shall",
}
_FORCES: dict[str, _Force] = {
    word: force for force, words in _WORDS.items() for word in words.split()
}
_TO = frozenset("have has had need needs needed".split())  # duties before "to"
_DIFFERENT: frozenset[tuple[_Force, _Force]] = frozenset(
    (
        ("duty", "leave"),
        ("duty", "advice"),
        ("advice", "duty"),
        ("leave", "duty"),
        ("advice", "leave"),
        ("future", "leave"),
        ("future", "advice"),
    )
)
_REACH = 4  # words from such a word to its verb, or to its subject
_LEAST_LIKENESS = 0.8
_LEAST_COVERAGE = 0.6


class _Modal(NamedTuple):
    force: _Force
    place: int
    verb: int


def obligation_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield where one text says that something must be and the other that it may or should."""
    if pair.coverage < _LEAST_COVERAGE:
        return
    for one in _modals(pair.statement):
        stem = pair.statement.words[one.verb].stem
        found = [m for m in _modals(pair.passage) if pair.passage.words[m.verb].stem == stem]
        if any(other.force == one.force for other in found) or (
            one.force == "future" and leaves_open(pair.statement)
        ):
            continue
        for other in found:
            if (one.force, other.force) in _DIFFERENT and (
                pair.likeness(one.verb, other.verb) >= _LEAST_LIKENESS
            ):
                yield contrast(
                    "modality",
                    pair.statement.slice(*sorted((one.place, one.verb))),
                    pair.passage.slice(*sorted((other.place, other.verb))),
                )


@kept
def _modals(reading: Reading) -> tuple[_Modal, ...]:
    """Return the words that oblige or allow, with their verbs; not those that are denied."""
    denied = denials(reading).parity
    found = _all_modals(reading.words)
    return tuple(each for each in found if denied.keys().isdisjoint((each.place, each.verb)))


def _all_modals(words: tuple[Word, ...]) -> Iterator[_Modal]:
    for i, word in enumerate(words):
        if word.key in _FORCES or word.key in _TO:
            force, verb = _force(words, i), _verb(words, i)
            if force is not None and verb is not None:
                yield _Modal(force, i, verb)


def _force(words: tuple[Word, ...], i: int) -> _Force | None:
    key = words[i].key
    if key in _TO and i + 1 < len(words) and words[i + 1].key == "to":
        return "duty"
    return None if words[i].text[0].isupper() and key in ("may", "will") else _FORCES.get(key)


def _verb(words: tuple[Word, ...], i: int) -> int | None:
    """Return the verb after a modal, or the subject before "is required"."""
    after = words[i + 1].key if i + 1 < len(words) else ""
    if words[i].content and after != "to" and words[i].key not in _TO:
        step = range(i - 1, max(-1, i - 1 - _REACH), -1)
    else:
        step = range(i + 1, min(i + 1 + _REACH, len(words)))
    for k in step:
        if _is_verb(words[k]):
            return k
    return None


def _is_verb(word: Word) -> bool:
    return (
        word.content
        and word.stem not in LIGHT
        and word.key not in _FORCES
        and not word.key.endswith("ly")
    )
