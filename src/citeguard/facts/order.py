"""Contrasts of words that have changed places: "Copper is cheaper than zinc"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product, takewhile

from citeguard.facts.pair import Contrast, ContrastKind, Pair, contrast
from citeguard.facts.reading.connectives import sides
from citeguard.facts.reading.denials import CLAUSE_WORDS, FORMS_OF_BE, denials
from citeguard.facts.reading.tables import irregular_forms, root
from citeguard.facts.reading.words import LIGHT, MOST_PLACES, STOP, Reading, Word, kept
from citeguard.language.terms import FUNCTION_WORDS

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
_AMONG = frozenset("with without in on for at by after before among during under".split())
_COMPARED_REACH = 8  # words from "rarer with" to the "than with" that goes with it
_STANDS_FOR_NOUN = frozenset(map(root, ("one", "ones", "those")))
_LONGEST_ASIDE = 12  # words between the commas of "Lund, who led the trial, said"
_SAYS = frozenset(
    map(root, "say claim state argue believe think deny confirm admit insist suggest tell".split())
)
_TO = frozenset(("to", "until", "till", "into"))
_Around = tuple[tuple[int, ...], tuple[int, ...]]


def order_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield where what stands before and after a verb or a "than" have changed places."""
    if pair.coverage < _LEAST_COVERAGE:
        return
    yield from _compared(pair)
    yield from _turned_round(pair)
    yield from _of_other_side(pair)
    for stem in sorted(pair.shared - _SYMMETRIC):
        i, j = pair.statement.places[stem][0], pair.passage.places[stem][0]
        stated = _around(pair.statement, i)
        found = _around(pair.passage, j) if stated else None
        swapped = _are_swapped(pair, stated, found) if stated and found else None
        if swapped and _deny_alike(pair, i, j):
            yield contrast(
                _kind([pair.statement.words[place] for place in swapped[:2]]),
                pair.statement.slice(min(swapped[:2]), max(swapped[:2])),
                pair.passage.slice(min(swapped[2:]), max(swapped[2:])),
            )


def _kind(words: list[Word]) -> ContrastKind:
    """Names are sure to be what they seem; of other words the verb may be none."""
    return "name" if all(word.text[0].isupper() for word in words) else "modality"


def _are_swapped(pair: Pair, stated: _Around, found: _Around) -> tuple[int, int, int, int] | None:
    """Return the places of two things that have changed places, in both texts."""
    one, other = pair.statement.words, pair.passage.words
    for before, after in product(*stated):
        for other_before, other_after in product(*found):
            stems = one[before].stem, one[after].stem
            if stems[0] != stems[1] and stems == (
                other[other_after].stem,
                other[other_before].stem,
            ):
                return before, after, other_before, other_after
    return None


def _around(reading: Reading, i: int) -> _Around | None:
    """Return the places of who does and of to whom it is done, if a word may be a verb.

    Of several words, as in "the Danish rival Brandt", there are two.
    """
    words, word = reading.words, reading.words[i]
    if word.kind != "word" or not word.text[0].islower() or not i:
        return None
    is_report = _is_report(words, i)
    if not is_report and (word.stem in LIGHT or words[i - 1].key in _LEADS_TO_NOUN):
        return None
    is_passive = not is_report and _is_passive(reading, i)
    agent = _agent_marker(reading, i) if is_passive else i + is_report
    if (before := _head_before(reading, i)) is None or agent is None:
        return None
    after = _heads_after(reading, agent)
    return (after, (before,)) if is_passive and agent != i else ((before,), after)


def _is_report(words: tuple[Word, ...], i: int) -> bool:
    """Tell whether a word begins "said that" or the like."""
    is_that = i + 1 < len(words) and words[i + 1].key == "that" and not words[i + 1].gap
    return is_that and words[i].stem in _SAYS


def _end_of_name(words: tuple[Word, ...], k: int) -> int:
    """Return the place of the last of the words with capitals from one on."""
    while (
        words[k].text[0].isupper()
        and k + 1 < len(words)
        and not words[k + 1].gap
        and words[k + 1].text[0].isupper()
        and _is_content(words[k + 1])
    ):
        k += 1
    return k


def _head_before(reading: Reading, i: int) -> int | None:
    words, last = reading.words, _before_aside(reading.words, i)
    for k in range(last, max(-1, last - _REACH), -1):
        if (k < last and words[k + 1].gap) or words[k].key in CLAUSE_WORDS:
            return None
        if _is_content(words[k]):
            return k
    return None


def _before_aside(words: tuple[Word, ...], i: int) -> int:
    """Return the place of the word before a verb, or before what stands between in commas.

    -1 if another clause ends there.
    """
    if not words[i].gap:
        return i - 1
    for k in range(i - 1, max(0, i - _LONGEST_ASIDE), -1):
        if words[i].gap == STOP or words[k].gap == STOP:
            return -1
        if words[k].gap:
            return k - 1
    return -1


def _heads_after(reading: Reading, i: int) -> tuple[int, ...]:
    """Return the last of the first content words after a word: "doctor" of "the old doctor".

    The last word of a name among them, or the first after "that", is another; numbers are none.
    """
    words, found = reading.words, list[int]()
    for k in range(i + 1, min(i + 2 + _REACH, len(words))):
        if words[k].gap or words[k].key in CLAUSE_WORDS:
            break
        if _is_content(words[k]) and words[k].kind != "number":
            found.append(k)
        elif found or words[k].kind == "number":
            break
    if found and (words[found[0]].text[0].isupper() or words[i].key == "that"):
        return found[-1], _end_of_name(words, found[0])
    return tuple(found[-1:])


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
    first = max((k for k in range(max(0, i - _REACH), i + 1) if words[k].gap), default=0)
    before = any(word.key in FORMS_OF_BE for word in words[max(0, i - _REACH, first) : i])
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
            if key in _COMPARED or (k == i - 1 and _is_comparative(reading.words[k])):
                yield i, key
                break
        else:
            if (parallel := _parallel(reading.words, i)) is not None:
                yield i, reading.words[parallel].key


def _parallel(words: tuple[Word, ...], than: int) -> int | None:
    """Return the place of the "rarer" of "rarer with A than with B"."""
    among = words[than + 1].key if than + 1 < len(words) else ""
    for k in range(than - 2, max(-1, than - 1 - _COMPARED_REACH), -1):
        if among not in _AMONG or words[k + 1].key != among:
            continue
        if k and words[k - 1].key in _COMPARED:
            return k - 1
        if _is_comparative(words[k]):
            return k
    return None


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
    return _stems(reading, sides(reading.words, i, i)[1])


def _are_exchanged(pair: Pair, than: int, other_than: int) -> bool:
    """Tell whether what stands on either side of two words "than" has changed places."""
    one, other = (
        [_stems(reading, side) for side in sides(reading.words, place, place)]
        for reading, place in ((pair.statement, than), (pair.passage, other_than))
    )
    common = (one[0] & one[1]) | (other[0] & other[1]) | _STANDS_FOR_NOUN
    before, after, other_before, other_after = (side - common for side in (*one, *other))
    return bool(before & other_after and after & other_before) and not after & other_after


def _turned_round(pair: Pair) -> Iterator[Contrast]:
    """Yield where "from Friday to Monday" is "from Monday to Friday" in the other text."""
    stated, found = _ways(pair.statement), _ways(pair.passage)
    for (start, end), (first, last) in stated.items():
        if (end, start) in found and (start, end) not in found and (end, start) not in stated:
            yield contrast(
                "opposite",
                pair.statement.slice(first, last),
                pair.passage.slice(*found[end, start]),
            )


@kept
def _ways(reading: Reading) -> dict[tuple[str, str], tuple[int, int]]:
    """Return where a text says from where to where: (stems) to (places), numbers left out."""
    words, found = reading.words, dict[tuple[str, str], tuple[int, int]]()
    for i, word in enumerate(words):
        if word.key != "from" or len(found) == MOST_PLACES:
            continue
        near = range(i + 2, min(i + 2 + _REACH, len(words)))
        to = next((k for k in near if words[k].key in _TO and not words[k].gap), 0)
        end = _end_of_way(words, to) if to else None
        if end is not None and words[to - 1].kind == "word" and words[to - 1].content:
            found[words[to - 1].stem, words[end].stem] = i, end
    return found


def _end_of_way(words: tuple[Word, ...], to: int) -> int | None:
    """Return the place of the head of what follows "to"."""
    end = None
    for k in range(to + 1, min(to + 1 + _REACH, len(words))):
        if words[k].gap or words[k].kind == "number" or (end is not None and not words[k].content):
            break
        if words[k].content:
            end = k if end is None or words[k].text[0].isupper() else end
    return end


def _of_other_side(pair: Pair) -> Iterator[Contrast]:
    """Yield where a passage says of the other of two things that it compares what is stated.

    "The train is faster than the bus, but the bus is cheaper": the train is not.
    """
    for than in thans(pair.passage) if not thans(pair.statement) else ():
        first, second = (
            _stems(pair.passage, side) for side in sides(pair.passage.words, than, than)
        )
        apart = set(product(first - second, second - first))
        for (i, thing), (j, other) in product(
            _degrees_of(pair.statement), _degrees_of(pair.passage)
        ):
            is_same = pair.statement.words[i].key == pair.passage.words[j].key
            is_of_other = (thing, other) in apart or (other, thing) in apart
            if is_same and is_of_other and _deny_alike(pair, i, j):
                yield contrast("opposite", pair.statement.slice(i, i), pair.passage.slice(j, j))


def _stems(reading: Reading, places: Iterable[int]) -> set[str]:
    return {reading.words[k].stem for k in places}


@kept
def _degrees_of(reading: Reading) -> list[tuple[int, str]]:
    """Return (place of a "cheaper", stem of what is said to be so), the first few."""
    words = reading.words
    places = (
        (i, subject)
        for i, word in enumerate(words)
        if i and words[i - 1].key in FORMS_OF_BE and _is_comparative(word)
        if (subject := _head_before(reading, i)) is not None
    )
    return [(i, words[subject].stem) for i, subject in islice(places, MOST_PLACES)]


def _is_comparative(word: Word) -> bool:
    return word.key.endswith("er") and word.key not in _NO_DEGREES
