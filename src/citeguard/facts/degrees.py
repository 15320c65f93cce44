"""Contrasts of kind `quantity`: the statement claims more of a thing than the passage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from citeguard.facts.pair import Contrast, Pair, contrast
from citeguard.facts.reading.denials import FORMS_OF_BE, denials
from citeguard.facts.reading.words import Reading, Word, kept

# How much of a whole a word names, from none to all of it.
_DEGREES = {
    word: degree
    for degree, words in enumerate(
        (
            "no none never neither nobody",
            "few little hardly rarely seldom scarcely",
            "some several sometimes occasionally certain half",
            "many numerous often frequently various",
            "most mostly usually generally majority mainly largely typically",
            "all every each always everyone everybody entire whole both",
        )
    )
    for word in words.split()
}
_SOME, _MOST = 2, 4
# Two words that name another degree than the second of them.
_PAIRS = {
    **{(first, "few"): _SOME for first in ("a", "quite")},
    **{("not", second): _SOME for second in ("all", "every", "everyone", "always", "both")},
    **{
        (first, second): _MOST
        for first in ("nearly", "almost", "virtually", "practically")
        for second in ("all", "every", "everyone", "always")
    },
    ("hardly", "any"): 1,
    ("scarcely", "any"): 1,
}
_MANY = ("s", "est", "people", "men", "women", "children")  # ends of what has several members
_PARTS = frozenset("some few half several most many".split())
_COUNTED = frozenset("one two three four five six seven eight nine ten".split())
_ONLY = frozenset(
    "only just sole solely merely exclusively alone single until unless except".split()
)
_SAYS_ONLY = frozenset(("only", "solely", "exclusively"))
_WITHOUT_LIMIT = frozenset("any anyone anybody anything anywhere anytime everywhere".split())
_PREDICATE_REACH = 8  # words from "only three" to what is said of them
_LIMITS = frozenset((("up", "to"), ("at", "most"), ("maximum", "of")))
_ROUGH = frozenset(
    "up most maximum many over than least about around some almost nearly to".split()
)
_NOT_BEFORE = frozenset(("of", "or"))  # "half of all", "little or no"
_REACH = 3  # words from a quantifier to what it counts
_LEAST_LIKENESS = 0.5
_LEAST_COVERAGE = 0.5


class _Quantifier(NamedTuple):
    first: int
    last: int
    degree: int


def degree_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield the contrasts of kind `quantity`."""
    if pair.coverage < _LEAST_COVERAGE:
        return
    yield from _quantities(pair)
    yield from _wholes(pair)
    yield from _exclusivity(pair)
    yield from _limits(pair)
    yield from _unlimited(pair)
    yield from _too_few(pair)


def _quantities(pair: Pair) -> Iterator[Contrast]:
    """Yield where the statement says more of a thing, or none of it where the passage has some."""
    for stated in _quantifiers(pair.statement):
        noun = _next_shared(pair, stated.last)
        if noun is None or denials(pair.statement).cancels(stated.last):
            continue
        for place in pair.passage.places[pair.statement.words[noun].stem]:
            found = _quantifier_before(pair.passage, place)
            if found is not None and _claims_more(stated.degree, found.degree):
                if pair.likeness(noun, place) >= _LEAST_LIKENESS:
                    yield _quantity(pair, stated, found)
                break


def _quantity(pair: Pair, stated: _Quantifier, found: _Quantifier) -> Contrast:
    return contrast(
        "quantity",
        pair.statement.slice(stated.first, stated.last),
        pair.passage.slice(found.first, found.last),
    )


@kept
def _quantifiers(reading: Reading) -> tuple[_Quantifier, ...]:
    found = (
        _quantifier_at(reading, i)
        for i, word in enumerate(reading.words)
        if word.key in _DEGREES or word.key == "any" or _is_part(reading.words, i)
    )
    return tuple(quantifier for quantifier in found if quantifier is not None)


def _quantifier_at(reading: Reading, i: int) -> _Quantifier | None:
    """Return the quantifier of which a word is the last one."""
    words = reading.words
    key, before = words[i].key, words[i - 1].key if i else ""
    if (degree := _PAIRS.get((before, key))) is not None:
        return _Quantifier(i - 1, i, degree)
    if words[i].kind == "number" or key in _COUNTED:
        return _Quantifier(i, i, _SOME) if _is_part(words, i) else None
    if key not in _DEGREES or before in _NOT_BEFORE:
        return None
    return _Quantifier(i, i, _DEGREES[key])


def _is_part(words: tuple[Word, ...], i: int) -> bool:
    """Tell whether a word begins "some of" or the like."""
    if i + 1 == len(words) or words[i + 1].key != "of":
        return False
    return words[i].key in _PARTS or words[i].key in _COUNTED or words[i].kind == "number"


def _claims_more(stated: int, found: int) -> bool:
    if stated == found:
        return False
    if stated < _SOME:
        return stated == 0 or found >= _SOME
    return stated > found and (stated >= _MOST or stated > _SOME > found)


def _next_shared(pair: Pair, i: int) -> int | None:
    """Return the place of the next shared content word, if it is near."""
    words = pair.statement.words
    for k in range(i + 1, min(i + 1 + _REACH, len(words))):
        if words[k].gap:
            return None
        if words[k].stem in pair.shared:
            return k
    return None


def _quantifier_before(reading: Reading, place: int) -> _Quantifier | None:
    for found in reversed(_quantifiers(reading)):
        if found.last < place:
            near = place - found.last <= _REACH
            return found if near and not any(_gaps(reading, found.last, place)) else None
    return None


def _gaps(reading: Reading, first: int, last: int) -> Iterator[int]:
    return (word.gap for word in reading.words[first + 1 : last + 1])


def _wholes(pair: Pair) -> Iterator[Contrast]:
    """Yield where the statement says of "the" things what the passage says of some of them."""
    if any(quantifier.degree <= _SOME for quantifier in _quantifiers(pair.statement)):
        return
    for found in _quantifiers(pair.passage):
        if not _is_part(pair.passage.words, found.last):
            continue
        if (places := _same_noun(pair, found.last + 2)) is not None:
            i, j = places
            if pair.likeness(i, j) >= _LEAST_LIKENESS:
                yield contrast(
                    "quantity", pair.statement.slice(i - 1, i), pair.passage.slice(found.first, j)
                )


def _same_noun(pair: Pair, first: int) -> tuple[int, int] | None:
    """Return the places of the noun after "some of the" and of the same one after "the"."""
    for j in range(first, min(first + _REACH, len(pair.passage.words))):
        word = pair.passage.words[j]
        for i in pair.statement.places.get(word.stem, ()) if word.key.endswith(_MANY) else ():
            other = pair.statement.words[i]
            if other.key == word.key and _is_whole(pair.statement.words, i):
                return i, j
    return None


def _is_whole(words: tuple[Word, ...], i: int) -> bool:
    """Tell whether a noun stands for all of it: after "the", but not after "one of the"."""
    before = [word.key for word in words[max(0, i - 2) : i]]
    return before[-1:] in (["the"], ["all"], ["both"]) and before[:1] != ["of"]


def _exclusivity(pair: Pair) -> Iterator[Contrast]:
    """Yield where the statement says "only" and the passage does not."""
    if any(word.key in _ONLY for word in pair.passage.words):
        return
    for i, word in enumerate(pair.statement.words):
        is_denied = pair.statement.stem_at(i - 1) == "not"  # "not only"
        if word.key in _SAYS_ONLY and not is_denied and _next_shared(pair, i) is not None:
            yield contrast("quantity", pair.statement.slice(i, i))


def _limits(pair: Pair) -> Iterator[Contrast]:
    """Yield where the statement says a number that the passage only says to be the most."""
    for stem in sorted(pair.shared):
        i, j = pair.statement.places[stem][0], pair.passage.places[stem][0]
        if pair.statement.words[i].kind != "number" or not _is_limited(pair.passage, j):
            continue
        before = {word.key for word in pair.statement.words[max(0, i - _REACH) : i]}
        if before.isdisjoint(_ROUGH) and pair.likeness(i, j) >= _LEAST_LIKENESS:
            yield contrast("quantity", pair.statement.slice(i, i), pair.passage.slice(j - 2, j))


def _is_limited(reading: Reading, j: int) -> bool:
    return tuple(word.key for word in reading.words[max(0, j - 2) : j]) in _LIMITS


def _unlimited(pair: Pair) -> Iterator[Contrast]:
    """Yield where the statement says "at any time" and the passage "only" at some."""
    stated = [i for i, word in enumerate(pair.statement.words) if word.key in _WITHOUT_LIMIT]
    if not stated or denials(pair.statement).negators or denials(pair.passage).negators:
        return
    if any(word.key in _WITHOUT_LIMIT for word in pair.passage.words):
        return
    for j, word in enumerate(pair.passage.words):
        if word.key in _SAYS_ONLY and _is_beside_shared(pair, j):
            yield contrast(
                "quantity",
                pair.statement.slice(stated[0], stated[0]),
                pair.passage.slice(j, j),
            )


def _is_beside_shared(pair: Pair, j: int) -> bool:
    """Tell whether the content word before "only", or after whom it lets, is in both texts."""
    words = pair.passage.words
    before = (k for k in range(j - 1, max(-1, j - _REACH), -1) if words[k].content)
    near = next(before, None)
    if near is None or any(_gaps(pair.passage, near, j)):
        near = next(
            (
                k
                for k in range(j + 2, min(j + 2 + _REACH, len(words)))
                if words[k].stem in pair.shared
            ),
            None,
        )
    return near is not None and words[near].stem in pair.shared


def _too_few(pair: Pair) -> Iterator[Contrast]:
    """Yield where the statement says of "only three" what the passage says of most or all."""
    words = pair.statement.words
    for i, word in enumerate(words[:-1]):
        if word.key not in _SAYS_ONLY or not _is_few(words[i + 1]):
            continue
        said = {each.stem for each in words[i + 2 : i + 2 + _PREDICATE_REACH] if each.content}
        for found in _quantifiers(pair.passage):
            if found.degree >= _MOST and _next_of(pair.passage, found.last) in said:
                yield _quantity(pair, _Quantifier(i, i + 1, 1), found)


def _is_few(word: Word) -> bool:
    return word.kind == "number" or word.key in _COUNTED or word.key in _PARTS


def _next_of(reading: Reading, i: int) -> str:
    """Return the stem of what "most were" says, "" if it is said of a noun."""
    words = reading.words
    is_verb = i + 2 < len(words) and words[i + 1].key in FORMS_OF_BE and not words[i + 2].gap
    return words[i + 2].stem if is_verb else ""
