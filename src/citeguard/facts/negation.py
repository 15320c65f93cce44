"""What a text denies, and contrasts of kind `negation`: one text denies what the other says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice, product
from typing import NamedTuple

from citeguard.facts.reading import (
    CLAUSE_WORDS,
    LIGHT,
    MOST_THINGS,
    Contrast,
    Pair,
    Reading,
    Word,
    contrast,
    frames,
    kept,
)
from citeguard.facts.tables import root, roots
from citeguard.language import grammar, lexicon
from citeguard.language.scripts import HAN, HIRAGANA, KATAKANA

# Words whose denial extends to the clause after them: "no evidence that", "nobody believes that".
_REPORTS = roots(
    "evidence proof sign indication reason idea notion claim belief theory suggestion rumor"
    " rumour allegation case true show prove suggest believe think indicate demonstrate mean imply"
    " attempt effort bid"
)
# "not only" and "no doubt" are not denials; by the negator and the word after it.
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
_TRANSPARENT = roots("longer yet now really even ever actually also any anymore very")
_LONGEST_SCOPE, _NEITHER_SCOPE = 8, 14  # words
_DEEPEST = 2  # content words of a scope that count as denied

_LEAST_LIKENESS = 0.75  # of the places of two words; chosen on development data
_TIED = 0.5  # by how much the likeness of two places must exceed that of all others
_OBJECT_REACH = 8  # words from a verb to its object, which may be denied instead
_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis")
_SHORTEST_DENIED = 4  # letters of a word that a prefix denies


class Denials(NamedTuple):
    """What a text denies.

    Attributes:
        parity: For each word in the scope of a negator, whether the number of negators is odd.
        depth: For each of them, its rank among the content words of the scope, from 1.
        negator: For each of them, the place of its negator.
        places: The places of all negators.
    """

    parity: dict[int, bool]
    depth: dict[int, int]
    negator: dict[int, int]
    places: frozenset[int]

    def is_denied(self, i: int) -> bool:
        """Return whether a word is among the first content words after a negator."""
        return self.parity.get(i, False) and self.depth[i] <= _DEEPEST

    def scope(self, negator: int) -> list[int]:
        """Return the places of the content words in the scope of a negator."""
        return [i for i, place in self.negator.items() if place == negator]


@kept
def denials(reading: Reading) -> Denials:
    """Return what a text denies."""
    scopes = dict(_scopes(reading))
    denied = Denials({}, {}, {}, frozenset(scopes))
    for negator in sorted(scopes):
        for depth, place in _ranked(reading.words, scopes[negator]):
            denied.parity[place] = not denied.parity.get(place, False)
            denied.depth[place] = depth
            denied.negator[place] = negator
    return denied


def _scopes(reading: Reading) -> Iterator[tuple[int, list[int]]]:
    """Yield (place of a negator, places of the words that it denies); of two, the last counts."""
    words = reading.words
    for frame in frames(reading):
        if frame.kind == "denies":
            yield frame.first, list(_clause_after(words, frame.first, frame.end))
    for i in range(len(words)):
        if _is_negator(words, i):
            yield i, list(_clause_after(words, i, i + 1))


def _is_negator(words: tuple[Word, ...], i: int) -> bool:
    key = words[i].key
    denies = key in grammar.DENIALS or key in lexicon.clear_negators() or key.endswith("n't")
    if not denies:
        return False
    after = words[i + 1].key if i + 1 < len(words) else ""
    if after in _EMPTY.get(key, ()):
        return False
    before = [word.key for word in words[max(0, i - _NEITHER_SCOPE) : i]]
    if key == "nor" and ("neither" in before or after in grammar.NOUN_MARKERS):
        return False
    return before[-1:] != ["or"]  # "whether or not"


def _clause_after(words: tuple[Word, ...], negator: int, first: int) -> Iterator[int]:
    longest = _NEITHER_SCOPE if words[negator].key == "neither" else _LONGEST_SCOPE
    for i in range(first, min(first + longest, len(words))):
        if words[i].gap or words[i].key in CLAUSE_WORDS:
            return
        yield i


def _ranked(words: tuple[Word, ...], places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield (rank, place) of the content words of a scope."""
    depth = 0
    for i in places:
        word = words[i]
        if word.key == "nor":
            depth = 0
        if word.content and word.stem not in _TRANSPARENT and not word.key.endswith("ly"):
            yield depth + 1, i
            depth += word.stem not in LIGHT and word.stem not in _REPORTS


# Contrasts


def negation_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield the contrasts of kind `negation`, at most one for each word."""
    yield from _prefixed(pair)
    yield from _of_ideographs(pair)
    stated, found = denials(pair.statement), denials(pair.passage)
    if stated.places or found.places:
        for stem in sorted(pair.shared):
            yield from _of_word(pair, pair.statement.places[stem], pair.passage.places[stem])


def _contrast(pair: Pair, i: int, j: int) -> Contrast:
    """Return the contrast of two words, each with its negator."""
    first = denials(pair.statement).negator.get(i, i)
    other = denials(pair.passage).negator.get(j, j)
    return contrast(
        "negation",
        pair.statement.slice(min(first, i), max(first, i)),
        pair.passage.slice(min(other, j), max(other, j)),
    )


def _of_word(pair: Pair, stated: list[int], found: list[int]) -> Iterator[Contrast]:
    """Yield where a word of both texts is denied in only one of them."""
    one, other = denials(pair.statement).parity, denials(pair.passage).parity
    if not any(i in one for i in stated) and not any(j in other for j in found):
        return
    for i in stated:
        likeness, j = max((pair.likeness(i, j), j) for j in found)
        same = [
            pair.likeness(k, m)
            for k, m in product(stated, found)
            if (k == i) != (m == j) and one.get(k, False) == other.get(m, False)
        ]
        is_sure = likeness - max(same, default=0.0) >= _TIED
        if is_sure and _differ(pair, i, j, likeness):
            yield _contrast(pair, i, j)


def _differ(pair: Pair, i: int, j: int, likeness: float) -> bool:
    """Return whether a word is denied in only one text, as the first word of the scope."""
    stated, found = denials(pair.statement), denials(pair.passage)
    if stated.parity.get(i, False) == found.parity.get(j, False):
        return False
    sides = (pair.statement, stated, i), (pair.passage, found, j)
    (reading, denied, k), (other, _, m) = sides if stated.parity.get(i, False) else sides[::-1]
    negator = denied.negator[k]
    if denied.depth[k] != 1 or likeness < _LEAST_LIKENESS:
        return False
    rest = [reading.words[place].stem for place in denied.scope(negator) if place > k]
    # "Found no evidence" for "did not find evidence".
    nearby = range(m + 1, min(m + 1 + _OBJECT_REACH, len(other.words)))
    said_otherwise = denials(other).parity
    return not any(said_otherwise.get(i, False) and other.words[i].stem in rest for i in nearby)


def _prefixed(pair: Pair) -> Iterator[Contrast]:
    """Yield where one text has a word and the other the same with "un-" or the like."""
    bare_in_passage = {
        bare: places
        for places in pair.passage.places.values()
        for bare in _without_prefix(pair.passage.words[places[0]].key)
    }
    for stem, places in pair.statement.places.items():
        if stem in pair.shared:
            continue
        partners = [
            pair.passage.places[bare]
            for bare in _without_prefix(pair.statement.words[places[0]].key)
            if bare in pair.passage.places
        ]
        if stem in bare_in_passage:
            partners.append(bare_in_passage[stem])
        for others in partners:
            i, j = max(product(places, others), key=lambda places: pair.nearby(*places))
            one, other = denials(pair.statement), denials(pair.passage)
            are_alike = any(map(one.is_denied, places)) == any(map(other.is_denied, others))
            if are_alike and pair.likeness(i, j) >= _LEAST_LIKENESS:
                yield _contrast(pair, i, j)


@lru_cache(maxsize=10_000)
def _without_prefix(word: str) -> tuple[str, ...]:
    """Return the possible stems of a word without its prefix.

    The prefix is removed before stemming: the stems of "undilated" and "dilated" differ more.
    """
    bare = (word.removeprefix(each) for each in _PREFIXES if word.startswith(each))
    return tuple(root(each) for each in bare if len(each) >= _SHORTEST_DENIED)


# Chinese denies with one character before the word, Japanese at the end of the predicate.

_HARMLESS = re.compile(
    "不(?:同|断|斷|仅|僅|但|过|過|管|久|少|禁|止|只|一|错|得|妨)|非(?:常|洲)|无[论数]|無論|未[来來]"
)
_CHINESE = re.compile("(?:[没沒]有|不是|并非|[不没沒未无無勿]|(?<!除)非)(.{2})")
_JAPANESE = re.compile(
    f"([{HAN}{KATAKANA}]{{1,8}})([{HIRAGANA}]{{0,6}}?)"
    "(?:(?:あり)?ません(?:でした)?|なかった|なければ|ない|(?<=[さらわかたなばがせれべけめ])ず(?=に|$))"
)
_MAY_BE = re.compile("かもしれ(?:ない|ません)|(?:だけ|ばかり)で(?:は)?なく|すぎ(?:ない|ません)")


def _of_ideographs(pair: Pair) -> Iterator[Contrast]:
    """Yield where one text denies a word in a script without spaces, and the other does not."""
    sides = (pair.statement, pair.passage)
    if not any(word.kind == "character" for side in sides for word in side.words):
        return
    for denying, other in (sides, sides[::-1]):
        for start, end, word in _denied_ideographs(denying.text):
            place = other.text.find(word)
            is_affirmed = place >= 0 and word not in {
                each for _, _, each in _denied_ideographs(other.text)
            }
            if is_affirmed and _share_context(denying.text, (start, end), other.text, place, word):
                slices = denying.between(start, end), other.between(place, place + len(word))
                stated, found = slices if denying is pair.statement else slices[::-1]
                yield contrast("negation", stated, found)


def _denied_ideographs(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, what is denied) of each denial, the first few dozen."""
    plain = _MAY_BE.sub(lambda match: "＿" * len(match[0]), text)
    for match in islice(_CHINESE.finditer(plain), MOST_THINGS):
        if not _HARMLESS.match(match[0]):
            yield match.start(), match.end(), match[1]
    for match in islice(_JAPANESE.finditer(plain), MOST_THINGS):
        yield match.start(), match.end(), match[1]


def _share_context(text: str, denied: tuple[int, int], other: str, place: int, word: str) -> bool:
    """Return whether the same text is before and after a word, without its negator."""
    before, after = text[: denied[0]], text[denied[1] :]
    around, behind = other[:place], other[place + len(word) :]
    if denied[1] - denied[0] > len(word) + 2:  # a Japanese ending
        after = behind = ""
    same_before = before[-1:] == around[-1:]
    same_after = after[:1] == behind[:1]
    if same_before and same_after:
        return True
    return (same_before and before[-2:] == around[-2:]) or (same_after and after[:2] == behind[:2])
