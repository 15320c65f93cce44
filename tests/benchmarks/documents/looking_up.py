"""Quotes looked up in sources, as a user does, and what came of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citeguard import Match, Sources, locate

_NUMBER = re.compile(r"\d+")
_NUMBER_WORDS: list[str] = (
    "two three four five six seven eight nine ten twelve twenty hundred".split()
)
_NUMBER_WORD = re.compile(rf"\b({'|'.join(_NUMBER_WORDS)})\b")
_NEGATIONS = (
    (re.compile(r"\bcan['’]t\b"), "can"),
    (re.compile(r" not\b| never\b|(?<!ca)(?<!wo)n['’]t\b"), ""),
)
_AUXILIARIES = (
    "is are was were has have had will would could should may might must does did".split()
)
_AUXILIARY = re.compile(rf"\b(?:{'|'.join(_AUXILIARIES)})\b(?! not|n)")

REFUSED = {"other number rejected": "number", "other polarity rejected": "negation"}
"""What is altered in quotes, by the heading of its column."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """A quote looked up, and the same quote with other meanings.

    Attributes:
        quote: The sentence.
        match: What was found; `None` if nothing was.
        accepted: The kinds of alteration that were taken for the source's words.
        refused: The kinds that were not.
    """

    quote: str
    match: Match | None
    accepted: tuple[str, ...]
    refused: tuple[str, ...]

    @property
    def found(self) -> bool:
        """Whether the quote stands in the source."""
        return self.match is not None and self.match.accepted

    def failures(self, place: str) -> Iterator[str]:
        """Yield a line on each thing that is wrong with a quote of a place."""
        if not self.found:
            yield f"- not found: {place}: {self.quote}"
        for kind in self.accepted:
            yield f"- another {kind} accepted: {place}: {self.quote}"


def look_up(quote: str, sources: Sources) -> Lookup:
    """Look a quote up, and what it becomes when its meaning is changed."""
    kinds = {kind: stands(changed, sources) for kind, changed in _alterations(quote)}
    return Lookup(
        quote,
        locate(quote, sources),
        accepted=tuple(kind for kind, stood in kinds.items() if stood),
        refused=tuple(kind for kind, stood in kinds.items() if not stood),
    )


def stands(quote: str, sources: Sources) -> bool:
    """Tell whether a quote stands in one of the sources."""
    match = locate(quote, sources)
    return match is not None and match.accepted


def share(part: int, whole: int) -> str:
    """Return a share in percent."""
    return f"{100 * part / whole:.1f} %" if whole else "–"


def refused_shares(lookups: Sequence[Lookup]) -> Iterator[str]:
    """Return the share of the altered quotes that were refused, for each kind of alteration."""
    for kind in REFUSED.values():
        refused = sum(kind in each.refused for each in lookups)
        whole = refused + sum(kind in each.accepted for each in lookups)
        yield f"{share(refused, whole)} of {whole}"


def _alterations(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the kinds of change that a sentence allows, each with the changed sentence."""
    for kind, change in (("number", _another_number), ("negation", _another_polarity)):
        changed = change(sentence)
        if changed != sentence:
            yield kind, changed


def _another_number(sentence: str) -> str:
    if _NUMBER.search(sentence):
        return _NUMBER.sub(lambda number: str(int(number[0]) + 1), sentence, count=1)
    return _NUMBER_WORD.sub(lambda word: _next_word(word[0]), sentence, count=1)


def _next_word(word: str) -> str:
    return _NUMBER_WORDS[(_NUMBER_WORDS.index(word) + 1) % len(_NUMBER_WORDS)]


def _another_polarity(sentence: str) -> str:
    for negation, without in _NEGATIONS:
        if negation.search(sentence):
            return negation.sub(without, sentence, count=1)
    return _AUXILIARY.sub(r"\g<0> not", sentence, count=1)
