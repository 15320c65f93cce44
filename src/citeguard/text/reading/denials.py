"""What a text denies: its negators, and the words in their scope."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from citeguard.text import lexicon
from citeguard.text.reading.frames import frames
from citeguard.text.reading.tables import root
from citeguard.text.reading.words import LIGHT, Reading, Word, kept

# Without the first half of "ne … pas", and without what means something else elsewhere: German
# "noch" is "still", French "né" and "personne" are "born" and "person".
_FOREIGN = frozenset(
    word
    for language in lexicon.LEXICONS
    if language not in (lexicon.ENGLISH, lexicon.CHINESE, lexicon.JAPANESE)
    for word in language.negators
) - frozenset("ne ni né sin mai noch personne sans nada nem ما".split())
_NEGATORS = _FOREIGN | frozenset(
    "not never no without nor neither cannot nobody nothing none nowhere hardly scarcely barely"
    " rarely seldom non".split()
)


def _roots(words: str) -> frozenset[str]:
    return frozenset(map(root, words.split()))


# What a denial passes on to its clause: "no evidence that", "nobody believes that".
_REPORTS = _roots(
    "evidence proof sign indication reason idea notion claim belief theory suggestion rumor"
    " rumour allegation case true show prove suggest believe think indicate demonstrate mean imply"
    " attempt effort bid"
)
# "not only", "no doubt": no denial; by the negator and the word after it.
_EMPTY: dict[str, frozenset[str]] = {
    "not": frozenset(
        "only just merely simply solely least until unlike without less fewer alone mention".split()
    ),
    "no": frozenset("doubt matter later less fewer sooner other".split()),
    "nothing": frozenset(("but",)),
    "none": frozenset(("other",)),
    "without": frozenset(("doubt",)),
    "never": frozenset(("mind",)),
}
# They end a scope: what follows is another clause.
CLAUSE_WORDS = frozenset(
    "but because although though while whereas whether which who whom whose until unless when"
    " however except than since and if so despite".split()
)
_TRANSPARENT = _roots(
    "yet now really even ever actually also longer any anymore very much least most more"
)
_LONGEST_SCOPE, _NEITHER_SCOPE = 8, 14  # words
_PREDICATE_REACH = 4  # words from a form of "to be" to what is said
FORMS_OF_BE = frozenset("is was are were be been being isn't wasn't aren't weren't".split())
# After them it is said of what follows: "denied that", "banned from".
_OPENS_CLAUSE = frozenset("that from with of for until by".split())
_DEEPEST = 2  # content words of a scope that count as what is denied


class Denials(NamedTuple):
    """What a text denies.

    Attributes:
        parity: for each word in the scope of a negator, whether the negators are odd in number.
        depth: for each of them, its rank among the content words of the scope, from 1.
        negator: for each of them, the place of its negator.
        negators: how many there are.
        places: the places of all of them.
        plain: the places of those that are words such as "not" and "no".
    """

    parity: dict[int, bool]
    depth: dict[int, int]
    negator: dict[int, int]
    negators: int
    places: frozenset[int]
    plain: frozenset[int]

    def is_denied(self, i: int) -> bool:
        """Tell whether a word is denied: it is among the first content words after a negator."""
        return self.parity.get(i, False) and self.depth[i] <= _DEEPEST

    def cancels(self, i: int) -> bool:
        """Tell whether a negator denies another one at once: "never fails"."""
        return i in self.places and i + 1 in self.places

    def scope(self, negator: int) -> list[int]:
        """Return the places of the content words in the scope of a negator."""
        return [i for i, place in self.negator.items() if place == negator]


@kept
def denials(reading: Reading) -> Denials:
    """Return what a text denies."""
    words = reading.words
    plain = frozenset(i for i in range(len(words)) if _is_negator(words, i))
    scopes = dict(_scopes(reading, plain))
    denied = Denials({}, {}, {}, len(scopes), frozenset(scopes), plain)
    for negator in sorted(scopes):
        for depth, place in _denied(words, scopes[negator]):
            denied.parity[place] = not denied.parity.get(place, False)
            denied.depth[place] = depth
            denied.negator[place] = negator
    return denied


def _is_negator(words: tuple[Word, ...], i: int) -> bool:
    word = words[i]
    if word.key not in _NEGATORS and not word.key.endswith("n't"):
        return False
    after = words[i + 1].key if i + 1 < len(words) else ""
    return after not in _EMPTY.get(word.key, ()) and not _is_alternative(words, i)


def _scopes(reading: Reading, plain: frozenset[int]) -> Iterator[tuple[int, list[int]]]:
    """Yield (place of a negator, places of the words that it denies); of two, the last counts."""
    words = reading.words
    for frame in frames(reading):
        if frame.kind == "denies":
            yield frame.first, list(_clause_after(words, frame.first, frame.end))
    for frame in frames(reading):
        if frame.kind == "denied" and _is_predicate(words, frame.end):
            is_as = frame.end < len(words) and words[frame.end].key == "as"
            rest = _clause_after(words, frame.first, frame.end) if is_as else ()
            yield frame.first, [*_clause_before(words, frame.first), *rest]
    for i in plain:
        yield i, list(_clause_after(words, i, i + 1))


def _is_predicate(words: tuple[Word, ...], end: int) -> bool:
    """Tell whether what ends here is said of what stands before: "is false", "was ruled out"."""
    before = (word.key for word in words[max(0, end - _PREDICATE_REACH) : end])
    after = words[end].key if end < len(words) else ""
    return after not in _OPENS_CLAUSE and not FORMS_OF_BE.isdisjoint(before)


def _is_alternative(words: tuple[Word, ...], i: int) -> bool:
    """Tell whether a negator leaves both open: "whether or not", "may or may not"."""
    if words[i].key == "nor":
        return any(word.key == "neither" for word in words[max(0, i - _NEITHER_SCOPE) : i])
    before = [word.key for word in words[max(0, i - 2) : i]]
    return before[-1:] == ["or"] or (before[:1] == ["or"] and before[1] in ("may", "might", "can"))


def _clause_after(words: tuple[Word, ...], i: int, first: int) -> Iterator[int]:
    longest = _NEITHER_SCOPE if words[i].key == "neither" else _LONGEST_SCOPE
    for place in range(first, min(first + longest, len(words))):
        if words[place].gap or words[place].key in CLAUSE_WORDS:
            return
        yield place


def _clause_before(words: tuple[Word, ...], i: int) -> Iterator[int]:
    """Yield the places of the clause that ends before a word, of "the claim that" only the rest."""
    first = i
    while first and not words[first].gap and i - first < _NEITHER_SCOPE:
        first -= 1
        if words[first].key == "that" and words[first - 1].stem in _REPORTS:
            break
    yield from range(first, i)


def _denied(words: tuple[Word, ...], places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield (rank, place) of the content words of a scope."""
    depth = 0
    for i in places:
        word = words[i]
        if word.key == "nor":
            depth = 0
        if word.key == "one" and words[i - 1].key == "no":
            continue
        if word.content and word.stem not in _TRANSPARENT and not word.key.endswith("ly"):
            yield depth + 1, i
            depth += word.stem not in LIGHT and word.stem not in _REPORTS
