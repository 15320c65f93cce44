"""Contrasts of kind `negation` in scripts without spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from citeguard.facts.pair import Contrast, Pair, contrast
from citeguard.facts.reading.words import MOST_THINGS, Reading, kept

_NEGATORS = "不没沒未无無非勿"
_REACH = 4  # ideographs before a word in which a negator denies it
# What begins with such a character and denies nothing.
_HARMLESS = frozenset(
    "不同 不断 不斷 不仅 不僅 不但 不过 不過 非常 无论 無論 未来 未來 不管 不久 不少 无数 不禁"
    " 不止 不只 非洲 不一 不错 不得 不妨".split()
)
# Japanese denies at the end of a predicate, in Hiragana.
_HIRAGANA = re.compile("[\u3041-\u3096]")
_DENYING = re.compile(
    "(?:あり)?ません(?:でした)?|なかった|なけれ|なく(?!な[るりっ])|ない|(?<=[さらわかたなばがせえれべけめ])ず(?=に|$)"
)
# They say "may", "only", "not only" and the like.
_NO_DENIAL = re.compile(
    "かもしれ(?:ない|ません)|しか.*|(?:だけ|ばかり)で(?:は)?なく|のみならず|すぎ(?:ない|ません)"
)
_NOT_DENIED = ("少", "違", "危", "切", "限")  # "few", "no doubt": their "ない" denies nothing
_NO_PREDICATE = re.compile("[をのはがにともへや]|から|まで|より|など|さ$")
_EXISTS = re.compile("[はがも]?(?:あ[るりっ]|い[るまた]|$)")
_COPULA = re.compile("で[すしあ]|だ|なの|$")
_PROGRESS = re.compile("て(?:い|おり|おら)$")
_LONGEST_TAIL, _CONTEXT, _LEAST_SHARED = 14, 14, 0.5


def unspaced_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield the contrasts of what is denied in one text only, in scripts without spaces."""
    one, other = pair.statement, pair.passage
    yield from _japanese(one, other)
    for i, j in _denied_in(one, other):
        yield contrast("negation", one.slice(i, i + 2), other.slice(j, j + 1))
    for j, i in _denied_in(other, one):
        yield contrast("negation", one.slice(i, i + 1), other.slice(j, j + 2))


def _denied_in(denying: Reading, other: Reading) -> Iterator[tuple[int, int]]:
    """Yield (place of a negator, place in the other text of what it denies, said there)."""
    for i, word in enumerate(denying.words):
        if word.kind == "character" and word.key in _NEGATORS and i + 2 < len(denying.words):
            denied = denying.words[i + 1].key, denying.words[i + 2].key
            if word.key + denied[0] not in _HARMLESS and denied[1] != denying.stem_at(i - 1):
                places = [j for j in other.places.get(denied[0], ()) if _stands(other, j, denied)]
                if places and not any(_is_denied_before(other, j) for j in places):
                    yield from ((i, j) for j in places[:1] if _stand_alike(denying, i, other, j))


def _stands(reading: Reading, j: int, two: tuple[str, str]) -> bool:
    return reading.stem_at(j) == two[0] and reading.stem_at(j + 1) == two[1]


def _is_denied_before(reading: Reading, j: int) -> bool:
    return any(reading.words[k].key in _NEGATORS for k in range(max(0, j - _REACH), j))


def _stand_alike(denying: Reading, i: int, other: Reading, j: int) -> bool:
    """Tell whether what stands before and after is the same, as far as it tells."""
    before = denying.stem_at(i - 1) == other.stem_at(j - 1)
    after = denying.stem_at(i + 3) == other.stem_at(j + 2)
    return (
        (before and after)
        or (before and denying.stem_at(i - 2) == other.stem_at(j - 2))
        or (after and denying.stem_at(i + 4) == other.stem_at(j + 3))
    )


class _Predicate(NamedTuple):
    """A Japanese word with the Hiragana after it.

    Attributes:
        first: place of its first character.
        last: place of the last one of its ending.
        word: what stands before the Hiragana: "承認" of "承認されなかった".
        tail: the Hiragana, of a denied one up to what denies it.
        is_denied: whether it is denied.
        context: what stands before it in its clause, Hiragana left out.
    """

    first: int
    last: int
    word: str
    tail: str
    is_denied: bool
    context: frozenset[str]

    def likeness(self, other: _Predicate) -> float:
        """Return the share of what stands before that is the same, 0..1."""
        fewest = min(len(self.context), len(other.context))
        return len(self.context & other.context) / fewest if fewest else _LEAST_SHARED


def _japanese(one: Reading, other: Reading) -> Iterator[Contrast]:
    """Yield the contrasts of Japanese predicates of which one is denied."""
    stated, found = _predicates(one), _predicates(other)
    for here in stated:
        rated = [(here.likeness(there), there) for there in found if _are_opposed(here, there)]
        likeness, there = max(rated, default=(0.0, None), key=lambda rated: rated[0])
        if there is None or likeness < _LEAST_SHARED:
            continue
        same = [here.likeness(each) for each in found if _are_same(here, each)]
        same += [there.likeness(each) for each in stated if _are_same(there, each)]
        if likeness > max(same, default=0.0):
            yield contrast(
                "negation",
                one.slice(here.first, here.last),
                other.slice(there.first, there.last),
            )


def _are_same(here: _Predicate, there: _Predicate) -> bool:
    return here.word == there.word and here.is_denied == there.is_denied


def _are_opposed(here: _Predicate, there: _Predicate) -> bool:
    """Tell whether one of two predicates is the other one denied."""
    if here.word != there.word or here.is_denied == there.is_denied:
        return False
    denied, plain = (here.tail, there.tail) if here.is_denied else (there.tail, here.tail)
    if denied in ("", "は", "が", "も") and _EXISTS.match(plain):
        return True
    if denied.endswith(("では", "じゃ", "でも")):
        rest = denied[:-2]
        return plain.startswith(rest) and bool(_COPULA.match(plain[len(rest) :]))
    base = _PROGRESS.sub("", denied)
    alike = sum(1 for _ in _common(base, plain))
    return alike >= len(base) - 1 and bool(plain) and not _NO_PREDICATE.match(plain)


def _common(one: str, other: str) -> Iterator[str]:
    for a, b in zip(one, other, strict=False):
        if a != b:
            return
        yield a


@kept
def _predicates(reading: Reading) -> tuple[_Predicate, ...]:
    """Return the words of a text that have Hiragana after them, the first of them."""
    return tuple(islice(_find_predicates(reading), MOST_THINGS))


def _find_predicates(reading: Reading) -> Iterator[_Predicate]:
    words, i = reading.words, 0
    while i < len(words):
        end = _run(reading, i, hiragana=False)
        last = _run(reading, end, hiragana=True) if i < end < len(words) else end
        if last > end and not words[end].gap:
            written = "".join(word.key for word in words[end : min(last, end + _LONGEST_TAIL)])
            word = "".join(word.key for word in words[i:end])
            yield _predicate(reading, (i, end), word, written)
        i = max(last, i + 1)


def _run(reading: Reading, first: int, *, hiragana: bool) -> int:
    """Return the place after the characters from one on that are Hiragana, or are not."""
    for i in range(first, len(reading.words)):
        word = reading.words[i]
        is_alike = word.kind == "character" and bool(_HIRAGANA.match(word.key)) == hiragana
        if not is_alike or (word.gap and i > first):
            return i
    return len(reading.words)


def _predicate(reading: Reading, place: tuple[int, int], word: str, written: str) -> _Predicate:
    first, end = place
    tail = "" if word.endswith(_NOT_DENIED) else _NO_DENIAL.sub("", written)
    denials = list(_DENYING.finditer(tail))
    context = _context(reading, first)
    if len(denials) % 2:
        last = end + denials[0].end() - 1
        return _Predicate(first, last, word, tail[: denials[0].start()], True, context)
    return _Predicate(first, end + len(written) - 1, word, written, False, context)


def _context(reading: Reading, first: int) -> frozenset[str]:
    found: list[str] = []
    for i in range(first - 1, max(-1, first - 1 - _CONTEXT), -1):
        if reading.words[i + 1].gap:
            break
        found.append(reading.words[i].key)
    return frozenset(key for key in found if not _HIRAGANA.match(key))
