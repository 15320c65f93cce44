"""What a text denies: its negators, and the words in their scope."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from citeguard.text.contrast.reading import LIGHT, MOST_READINGS, Reading, Word
from citeguard.text.contrast.tables import root

_NEGATORS = frozenset(
    "not never no without nor neither cannot nobody nothing none nowhere hardly scarcely barely"
    " rarely seldom non".split()
)


def _roots(words: str) -> frozenset[str]:
    return frozenset(map(root, words.split()))


# Words that deny what follows them, by stem: at once, if "to" follows, if a clause follows.
_DENIERS = _roots("lack absence unable inability impossible unwilling refute disprove debunk")
_DENIERS_OF_DEEDS = _roots("fail failure refuse decline neglect unlikely")
_DENIERS_OF_CLAIMS = _roots(
    "deny reject dispute refute disprove debunk dismiss false untrue myth hoax unlikely"
    " misconception fallacy"
)
_CLAIMS = frozenset(
    "that claims claim allegations allegation reports suggestions rumors rumours".split()
)
_CLAIM_REACH = 3  # words from such a word to its clause
# "not only", "no doubt": no denial; by the negator and the word after it.
_EMPTY: dict[str, frozenset[str]] = {
    "not": frozenset(
        "only just merely simply solely least until unlike without less fewer alone mention".split()
    ),
    "no": frozenset("doubt matter later less fewer sooner other one".split()),
    "nothing": frozenset(("but",)),
    "none": frozenset(("other",)),
    "without": frozenset(("doubt",)),
    "never": frozenset(("mind",)),
}
_ENDS_SCOPE = frozenset(
    "but because although though while whereas which who whom whose until unless when however"
    " except than since and if so yet despite".split()
)
_TRANSPARENT = _roots(
    "yet now really even ever actually also longer any anymore very much least most more"
)
_LONGEST_SCOPE, _NEITHER_SCOPE = 8, 14  # words
_DEEPEST = 2  # content words of a scope that count as what is denied


class Denials(NamedTuple):
    """What a text denies.

    Attributes:
        parity: for each word in the scope of a negator, whether the negators are odd in number.
        depth: for each of them, its rank among the content words of the scope, from 1.
        negator: for each of them, the place of its negator.
        negators: how many there are.
    """

    parity: dict[int, bool]
    depth: dict[int, int]
    negator: dict[int, int]
    negators: int

    def is_denied(self, i: int) -> bool:
        """Tell whether a word is denied: it is among the first content words after a negator."""
        return self.parity.get(i, False) and self.depth[i] <= _DEEPEST

    def scope(self, negator: int) -> list[int]:
        """Return the places of the content words in the scope of a negator."""
        return [i for i, place in self.negator.items() if place == negator]


@lru_cache(maxsize=MOST_READINGS)
def denials(reading: Reading) -> Denials:
    """Return what a text denies; that of texts used last is kept."""
    return find_denials(reading)


def find_denials(reading: Reading) -> Denials:
    """Return what a text denies."""
    found = Denials({}, {}, {}, 0)
    negators = [i for i in range(len(reading.words)) if _denies(reading.words, i)]
    for negator in negators:
        _mark_scope(reading.words, negator, found)
    return found._replace(negators=len(negators))


def _denies(words: tuple[Word, ...], i: int) -> bool:
    word = words[i]
    after = words[i + 1].key if i + 1 < len(words) else ""
    if word.key in _NEGATORS or word.key.endswith("n't"):
        return after not in _EMPTY.get(word.key, ()) and not _is_alternative(words, i)
    if word.stem in _DENIERS or (word.stem in _DENIERS_OF_DEEDS and after == "to"):
        return True
    clause = (later.key for later in words[i + 1 : i + 1 + _CLAIM_REACH])
    return word.stem in _DENIERS_OF_CLAIMS and not _CLAIMS.isdisjoint(clause)


def _is_alternative(words: tuple[Word, ...], i: int) -> bool:
    """Tell whether a negator leaves both open: "whether or not", "may or may not"."""
    if words[i].key == "nor":
        return any(word.key == "neither" for word in words[max(0, i - _NEITHER_SCOPE) : i])
    before = [word.key for word in words[max(0, i - 2) : i]]
    return before[-1:] == ["or"] or (before[:1] == ["or"] and before[1] in ("may", "might", "can"))


def _mark_scope(words: tuple[Word, ...], negator: int, found: Denials) -> None:
    depth = 0
    longest = _NEITHER_SCOPE if words[negator].key == "neither" else _LONGEST_SCOPE
    for i in range(negator + 1, min(negator + 1 + longest, len(words))):
        word = words[i]
        if word.gap or word.key in _ENDS_SCOPE:
            return
        if word.content and word.stem not in _TRANSPARENT and not word.key.endswith("ly"):
            depth = 0 if words[i - 1].key == "nor" else depth
            found.parity[i] = not found.parity.get(i, False)
            found.depth[i] = depth + 1
            found.negator[i] = negator
            depth += word.stem not in LIGHT
