"""Contrasts of words that have changed places: "Copper is cheaper than zinc"."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, takewhile

from citeguard.text.contrast.pair import Contrast, ContrastKind, Pair, contrast
from citeguard.text.reading.connectives import sides
from citeguard.text.reading.denials import CLAUSE_WORDS, FORMS_OF_BE, denials
from citeguard.text.reading.tables import irregular_forms, root
from citeguard.text.reading.words import LIGHT, MOST_PLACES, Reading, Word
from citeguard.text.terms import FUNCTION_WORDS

_LEAST_COVERAGE = 0.7
_REACH = 4  # words from a verb to those before and after it
_SYMMETRIC = frozenset(
    map(root, "marry meet equal resemble differ border adjoin match versus include".split())
)
_LEADS_TO_NOUN = frozenset(
    "the a an of in on for with as to at its their his her this that".split()
)
_NO_DEGREES = frozenset("rather other after never over under".split())
_COMPARED = frozenset("more less fewer better worse".split())


def order_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield where what stands before and after a verb or a "than" have changed places."""
    if pair.coverage < _LEAST_COVERAGE:
        return
    yield from _compared(pair)
    for stem in sorted(pair.shared - _SYMMETRIC):
        i, j = pair.statement.places[stem][0], pair.passage.places[stem][0]
        stated = _around(pair.statement, i)
        found = _around(pair.passage, j) if stated else None
        if stated and found and _are_swapped(pair, stated, found) and _deny_alike(pair, i, j):
            yield contrast(
                _kind([pair.statement.words[place] for place in stated]),
                pair.statement.slice(min(stated), max(stated)),
                pair.passage.slice(min(found), max(found)),
            )


def _kind(words: list[Word]) -> ContrastKind:
    """Names are sure to be what they seem; of other words the verb may be none."""
    return "name" if all(word.text[0].isupper() for word in words) else "modality"


def _are_swapped(pair: Pair, stated: tuple[int, int], found: tuple[int, int]) -> bool:
    one, other = ([pair.statement.words[i] for i in stated], [pair.passage.words[j] for j in found])
    return one[0].stem == other[1].stem != one[1].stem == other[0].stem


def _around(reading: Reading, i: int) -> tuple[int, int] | None:
    """Return the places of who does and of to whom it is done, if a word may be a verb."""
    words = reading.words
    word = words[i]
    if word.kind != "word" or not word.text[0].islower() or word.stem in LIGHT:
        return None
    if not i or word.gap or words[i - 1].key in _LEADS_TO_NOUN:
        return None
    agent = _agent_marker(reading, i) if _is_passive(reading, i) else i
    before, after = _head_before(reading, i), None if agent is None else _head_after(reading, agent)
    if before is None or after is None:
        return None
    return (before, after) if agent == i else (after, before)


def _head_before(reading: Reading, i: int) -> int | None:
    words = reading.words
    for k in range(i - 1, max(-1, i - 1 - _REACH), -1):
        if words[k + 1].gap or words[k].key in CLAUSE_WORDS:
            return None
        if _is_content(words[k]):
            return k
    return None


def _head_after(reading: Reading, i: int) -> int | None:
    """Return the last of the first content words after a word: "doctor" of "the old doctor"."""
    words, head = reading.words, None
    for k in range(i + 1, min(i + 2 + _REACH, len(words))):
        if words[k].gap or words[k].key in CLAUSE_WORDS:
            break
        if _is_content(words[k]):
            head = k
        elif head is not None:
            break
    return head


def _is_content(word: Word) -> bool:
    return (
        word.content
        and word.stem not in LIGHT
        and word.key not in FUNCTION_WORDS
        and not word.key.endswith("ly")
    )


def _agent_marker(reading: Reading, i: int) -> int | None:
    """Return the place of the "by" of a verb in the passive voice."""
    for k in range(i + 1, min(i + 1 + _REACH, len(reading.words))):
        if reading.words[k].key == "by":
            return k if k + 1 < len(reading.words) and reading.words[k + 1].kind == "word" else i
    return None


def _is_passive(reading: Reading, i: int) -> bool:
    words = reading.words
    before = any(word.key in FORMS_OF_BE for word in words[max(0, i - _REACH) : i])
    is_by_next = i + 1 < len(words) and words[i + 1].key == "by"
    return (before or is_by_next) and _is_participle(words[i])


def _is_participle(word: Word) -> bool:
    return word.key.endswith(("ed", "en")) or word.key in irregular_forms()


def _compared(pair: Pair) -> Iterator[Contrast]:
    for i, stated in _comparisons(pair.statement):
        for j, found in _comparisons(pair.passage):
            if stated == found and _are_exchanged(pair, i, j) and _deny_alike(pair, i, j):
                yield contrast(
                    "opposite",
                    pair.statement.slice(*_span(pair.statement, i)),
                    pair.passage.slice(*_span(pair.passage, j)),
                )


def _deny_alike(pair: Pair, i: int, j: int) -> bool:
    """Tell whether the words before two words are denied in both texts or in neither."""
    return _is_denied(pair.statement, i) == _is_denied(pair.passage, j)


def _is_denied(reading: Reading, i: int) -> bool:
    parity = denials(reading).parity
    before = takewhile(lambda k: not reading.words[k + 1].gap, range(i - 1, -1, -1))
    return any(parity.get(k, False) for k in (i, *islice(before, _REACH)))


def _span(reading: Reading, i: int) -> tuple[int, int]:
    before, after = sides(reading.words, i, i)
    return min(before), max(after)


def _comparisons(reading: Reading) -> Iterator[tuple[int, str]]:
    """Yield (place of "than", what is before it: "cheaper")."""
    for i in thans(reading):
        for k in range(i - 1, max(-1, i - 1 - _REACH), -1):
            key = reading.words[k].key
            if key in _COMPARED or (k == i - 1 and key.endswith("er") and key not in _NO_DEGREES):
                yield i, key
                break


def thans(reading: Reading) -> list[int]:
    """Return the places of "than", the first few."""
    found = (i for i, word in enumerate(reading.words) if word.key == "than")
    return list(islice(found, MOST_PLACES))


def are_converse(pair: Pair, i: int, j: int) -> bool:
    """Tell whether two opposites say the same: "A is older than B" and "B is younger than A"."""
    than, other_than = (
        next((k for k in thans(side) if 0 < k - place <= _REACH), None)
        for side, place in ((pair.statement, i), (pair.passage, j))
    )
    if than is not None and other_than is not None:
        return _are_exchanged(pair, than, other_than)
    one, other = _head_before(pair.statement, i), _head_before(pair.passage, j)
    if one is None or other is None:
        return False
    stems = pair.statement.words[one].stem, pair.passage.words[other].stem
    after = _stems_after(pair.statement, i), _stems_after(pair.passage, j)
    return stems[0] != stems[1] and stems[0] in after[1] and stems[1] in after[0]


def _stems_after(reading: Reading, i: int) -> set[str]:
    return {reading.words[k].stem for k in sides(reading.words, i, i)[1]}


def _are_exchanged(pair: Pair, than: int, other_than: int) -> bool:
    """Tell whether what stands on either side of two words "than" has changed places."""
    one, other = (
        [{reading.words[k].stem for k in side} for side in sides(reading.words, place, place)]
        for reading, place in ((pair.statement, than), (pair.passage, other_than))
    )
    common = (one[0] & one[1]) | (other[0] & other[1])
    before, after, other_before, other_after = (side - common for side in (*one, *other))
    return bool(before & other_after and after & other_before) and not after & other_after
