"""Values that the passage has, but of something else: a neighbour's number, date or name.

A passage gives several things a value of one kind: "The Leeds office opens at 8:00; the York office
opens at 9:30." The words of its clause say what a value is of. A statement takes the value of a
neighbour if another value's words have all that the statement shares with the words of its own
value, and more. That is stricter than `number_contrasts`, which compare places: a value that the
passage has anywhere near is no contrast there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from citeguard.facts.names import Name, are_alike, names
from citeguard.facts.numbers import Figure, agree, differing_words, figures, may_compare
from citeguard.facts.reading import (
    LIGHT,
    STOP,
    Contrast,
    Pair,
    Reading,
    Slice,
    Word,
    contrast,
    kept,
    read,
)
from citeguard.facts.tables import memberships
from citeguard.language.abbreviations import TITLES
from citeguard.language.grammar import (
    BE,
    DETERMINERS,
    OBJECT_PRONOUNS,
    POSSESSIVES,
    PREPOSITIONS,
    SUBJECT_PRONOUNS,
    is_finite,
)
from citeguard.language.spelling import is_english_word

_STRONG = frozenset("while whereas but although though".split())
_WEAK = frozenset("and or then".split())
_OF_TWO = frozenset("to from against versus compared".split())
_REFERRING = (
    SUBJECT_PRONOUNS | POSSESSIVES | frozenset("this that these those both which who".split())
)
_LEAST_SHARE = 0.6  # of a statement's words that the rival value must be of


class Slot(NamedTuple):
    """A value of a text, with the words that say what it is of.

    Attributes:
        kind: Values of one kind are neighbours: a dimension, or a preposition before a name.
        first: The place of its first word.
        last: The place of its last one.
        figure: The number; `None` for a name.
        words: The stems of the content words that may say what it is of.
        core: Those of them that say it for certain.
        is_named: Whether its clause has a subject, rather than a pronoun or none.
    """

    kind: str
    first: int
    last: int
    figure: Figure | None
    words: frozenset[str]
    core: frozenset[str]
    is_named: bool


_LONGEST = 6_000  # characters read of either text


def misplaced_values(statement: str, passage: str) -> tuple[Contrast, ...]:
    """Return the numbers and names of a statement that a passage has for something else.

    `found` is the value that the passage has for what the statement is about. Names count after a
    preposition only. For English and languages with its pronouns and conjunctions; a statement in a
    script without spaces has none. No model is called; the first 6,000 characters of a text and the
    first few dozen values are read.

    Args:
        statement: One claim.
        passage: A few sentences.

    Examples:
        >>> passage = "The Leeds office opens at 8:00; the York office opens at 9:30."
        >>> [found] = misplaced_values("The Leeds office opens at 9:30.", passage)
        >>> found.stated, found.found
        ('9:30', '8:00')
    """
    return tuple(_contrasts(Pair(read(statement[:_LONGEST]), read(passage[:_LONGEST]))))


def _contrasts(pair: Pair) -> Iterator[Contrast]:
    if any(word.kind == "character" for word in pair.statement.words):
        return  # the clauses of other scripts are not read
    for stated in slots(pair.statement):
        asked = stated.words & pair.shared - LIGHT
        agreeing, rivals = _sorted_out(pair, stated)
        known = [each.words & asked for each in agreeing]
        better = [
            each
            for each in rivals
            if len(each.core & asked) >= _LEAST_SHARE * len(asked)
            and all(other < each.core & asked for other in known)
        ]
        if better and any(each.is_named for each in agreeing):
            rival = max(better, key=lambda each: len(each.core & asked))
            if stated.figure and rival.figure:
                yield contrast("number", *differing_words(pair, stated.figure, rival.figure))
            else:
                yield contrast("name", _slice(pair.statement, stated), _slice(pair.passage, rival))
        elif agreeing and not (stated.figure and stated.figure.role in ("from", "to")):
            # "Open from 8 to 6" agrees with "closes at 6".
            yield from _opposed(pair, stated, agreeing)
    yield from _subjects(pair)


def _slice(reading: Reading, slot: Slot) -> Slice:
    return reading.slice(slot.first, slot.last)


def _opposed(pair: Pair, stated: Slot, agreeing: Sequence[Slot]) -> Iterator[Contrast]:
    """Yield words of which the passage has the opposite beside the same value.

    "Revenue fell 12 %", where revenue rose 12 % and costs fell.
    """
    table = memberships()
    for stem in sorted(stated.core & pair.shared):
        if any(stem in each.words for each in agreeing):
            continue
        groups = {
            member.name: member.group
            for member in table.get(stem, ())
            if member.kind == "opposite" and not member.cased
        }
        opposites = [
            other
            for other in agreeing[0].core - pair.shared
            for member in table.get(other, ())
            if groups.get(member.name, member.group) != member.group
        ]
        if opposites and len(agreeing) == 1:
            i = pair.statement.places[stem][0]
            j = min(
                pair.passage.places[opposites[0]],
                key=lambda place: abs(place - agreeing[0].first),
            )
            yield contrast("opposite", pair.statement.slice(i, i), pair.passage.slice(j, j))


def _subjects(pair: Pair) -> Iterator[Contrast]:
    """Yield where the passage has another name as the subject of a verb, wherever it has it."""
    for stem, stated in subjects(pair.statement).items():
        if stem in LIGHT or len(stated) != 1:
            continue
        found = subjects(pair.passage).get(stem, ())
        if not found or len(found) < len(pair.passage.places.get(stem, ())):
            continue  # it has the verb, or a noun of it, without a name, too
        (one,) = stated
        if any(each.is_passive != one.is_passive or _names(pair, one, each) for each in found):
            continue
        if not all(each.after & one.after - LIGHT or each.refers for each in found):
            continue  # both may have resigned, but only one of them sold the house
        yield contrast(
            "name",
            pair.statement.slice(one.name.first, one.name.last),
            pair.passage.slice(found[0].name.first, found[0].name.last),
        )


def _names(pair: Pair, one: Subject, other: Subject) -> bool:
    """Return whether the clause of a verb has a name, in some form."""
    words = pair.passage.words
    return any(
        are_alike(pair.statement.words[i], words[j])
        for i in one.name.places
        for j in other.before
        if words[j].content and words[j].key not in TITLES
    )


class Subject(NamedTuple):
    """A name that is the subject of a verb.

    Attributes:
        name: The name.
        before: The places from the beginning of its clause to the verb.
        after: The stems of the content words after the verb, to the end of the sentence.
        refers: Whether the verb has a pronoun as its object.
        is_passive: Whether the verb is passive.
    """

    name: Name
    before: range
    after: frozenset[str]
    refers: bool
    is_passive: bool


@kept
def subjects(reading: Reading) -> dict[str, list[Subject]]:
    """Return the names that stand right before a verb of the past, by the stem of the verb."""
    found: dict[str, list[Subject]] = {}
    runs = {i: run for run in names(reading).runs for i in run.places}
    for i, word in enumerate(reading.words):
        if not word.content or word.kind != "word" or i in runs or not _is_verb(reading, i):
            continue
        sentence = reading.sentence(i)
        k = i - 1
        while k >= sentence.start and k not in runs and _may_be_between(reading, k):
            k -= 1
        run = runs.get(k) if k >= sentence.start else None
        if run is None or reading.words[run.last].key.endswith("'s"):
            continue
        joined = reading.key_at(run.first - 1) in _WEAK | _STRONG
        if reading.key_at(run.first - 1) in PREPOSITIONS or (joined and run.first - 2 in runs):
            continue
        start = run.first if joined else sentence.start
        passive = any(reading.words[m].key in BE for m in range(run.last + 1, i))
        if run.first < run.last and _is_adverbial(reading.words[run.first]):
            run = Name(run.first + 1, run.last)
        after = _stems(reading, range(i + 1, sentence.stop))
        refers = reading.key_at(i + 1) in OBJECT_PRONOUNS | {"it"}
        found.setdefault(word.stem, []).append(
            Subject(run, range(start, i), after, refers, passive)
        )
    return found


def _is_adverbial(word: Word) -> bool:
    """Return whether a word has its capital only because it begins a sentence: "Yesterday"."""
    return word.gap == STOP and is_english_word(word.key)


def _may_be_between(reading: Reading, i: int) -> bool:
    """Return whether a word may be between a subject and its verb: an age, "was", "then"."""
    word = reading.words[i]
    return word.kind == "number" or (not word.content and word.key not in _WEAK | PREPOSITIONS)


def _sorted_out(pair: Pair, stated: Slot) -> tuple[list[Slot], list[Slot]]:
    """Return the passage's values that agree with one of the statement, and its rivals."""
    agreeing: list[Slot] = []
    rivals: list[Slot] = []
    for found in slots(pair.passage):
        if stated.figure and found.figure:
            if agree(stated.figure, found.figure):
                agreeing.append(found)
            elif _may_rival(pair.passage, stated.figure, found.figure):
                rivals.append(found)
        elif stated.figure is found.figure is None:
            if _are_one(pair, stated, found):
                agreeing.append(found)
            elif (
                stated.kind == found.kind
                and pair.is_same(stated.first - 2, found.first - 2)
                and _ends_phrase(pair.passage, found.last)  # not "by South Korean singers"
            ):
                rivals.append(found)
    return agreeing, rivals


def _may_rival(passage: Reading, one: Figure, other: Figure) -> bool:
    """Return whether two numbers are of one kind: counts of the same things, if not measures."""
    if not may_compare(one, other) or one.number.kind in ("label", "ordinal"):
        return False
    if one.number.kind != "count" or one.number.unit:
        return True
    return not one.nouns.isdisjoint(other.nouns) or _ends_phrase(passage, other.last)


def _ends_phrase(reading: Reading, i: int) -> bool:
    """Return whether nothing follows that a word could belong to: a comma, the end, "and"."""
    after = reading.words[i + 1] if i + 1 < len(reading.words) else None
    return after is None or after.gap > 0 or not (after.content or after.key in PREPOSITIONS)


def _are_one(pair: Pair, stated: Slot, found: Slot) -> bool:
    ones = pair.statement.words[stated.first : stated.last + 1]
    others = pair.passage.words[found.first : found.last + 1]
    return any(are_alike(one, other) for one in ones for other in others if other.key not in TITLES)


class _Value(NamedTuple):
    first: int
    last: int
    figure: Figure | None


@kept
def slots(reading: Reading) -> tuple[Slot, ...]:
    """Return the numbers of a text, and its names after a preposition, with what they are of."""
    kinds: dict[str, list[_Value]] = {}
    for figure in figures(reading):
        number = figure.number
        first, last = reading.place_at(number.whole[0]), reading.place_at(number.whole[1] - 1)
        dimension = number.unit.dimension if number.unit and number.kind == "count" else ""
        kinds.setdefault(f"{number.kind} {dimension}", []).append(_Value(first, last, figure))
    for name in names(reading).runs:
        before = reading.key_at(name.first - 1)
        if before in PREPOSITIONS and not reading.words[name.first].gap:
            kinds.setdefault(f"name {before}", []).append(_Value(name.first, name.last, None))
    found: list[Slot] = []
    for kind, values in kinds.items():
        lists = _lists(reading, values)
        for n, members in enumerate(lists):
            said = _said(reading, lists, n)
            found.extend(Slot(kind, *member, *said) for member in members)
    return tuple(found)


def _lists(reading: Reading, values: Sequence[_Value]) -> list[list[_Value]]:
    """Return values in lists of those with nothing between them: "3 or 4", "1866 - 1936"."""
    lists: list[list[_Value]] = []
    for value in values:
        between = range(lists[-1][-1].last + 1, value.first) if lists else range(0)
        if lists and not any(
            reading.words[i].gap == STOP or (reading.words[i].content and i < value.first)
            for i in (*between, value.first)
        ):
            lists[-1].append(value)
        else:
            lists.append([value])
    return lists


def _said(
    reading: Reading, lists: Sequence[Sequence[_Value]], n: int
) -> tuple[frozenset[str], frozenset[str], bool]:
    """Return what a list of values is of: `words`, `core` and `is_named` of a `Slot`."""
    first, last = lists[n][0].first, lists[n][-1].last
    sentence = reading.sentence(first)
    start, end = sentence.start, sentence.stop
    is_first = n == 0 or lists[n - 1][-1].last < start
    if not is_first:
        start = _border(reading, lists[n - 1][-1].last + 1, first)[1]
    if n + 1 < len(lists) and lists[n + 1][0].first < end:
        end = _border(reading, last + 1, lists[n + 1][0].first)[0]
    own = [i for i in range(start, max(end, last + 1)) if not first <= i <= last]
    core = _stems(reading, own)
    if n and not any(reading.words[i].content for i in own if i > last):
        # "carries 650 passengers; the green line carries 120": of what the value before counts
        earlier = lists[n - 1][-1].last
        core |= _stems(reading, range(earlier + 1, min(start, reading.sentence(earlier).stop)))
    subject = _subject(reading, range(start, first))
    before = reading.sentence(sentence.start - 1) if sentence.start else range(0)
    if subject == "own":
        if any(reading.words[i].key in OBJECT_PRONOUNS | {"it"} for i in own):
            named = names(reading).words
            core |= _stems(reading, [i for i in before if i not in named])
        core |= _stems(reading, _opening_date(reading, sentence))
        return core, core, True
    lead = range(sentence.start, start)
    if is_first or subject == "pronoun":
        core |= _stems(reading, _opening(reading, before if is_first else lead))
        return core | _stems(reading, [*before, *lead]), core, False
    words = core | _stems(reading, _common(reading, lead, own))
    return words, core | _stems(reading, _opening(reading, lead)), True


def _opening(reading: Reading, places: range) -> range:
    """Return the words before the first verb of a sentence."""
    verb = next((i for i in places if _is_verb(reading, i)), places.stop)
    return range(places.start, verb)


def _common(reading: Reading, lead: Sequence[int], own: Sequence[int]) -> list[int]:
    """Return the words before a value's own that say what it is of, too.

    A name, number or verb among its own replaces those before.
    """
    named = names(reading).words
    kinds = {i: _kind(reading, i, named) for i in (*lead, *own)}
    taken = {kinds[i] for i in own} - {""}
    return [i for i in lead if kinds[i] not in taken]


def _kind(reading: Reading, i: int, named: frozenset[int]) -> str:
    word = reading.words[i]
    if i in named:
        return "name"
    if word.kind == "number":
        return "number"
    return "verb" if word.content and _is_verb(reading, i) else ""


def _opening_date(reading: Reading, sentence: range) -> list[int]:
    """Return the number of "In 2014", which a sentence may begin with, for all of its clauses."""
    is_of_all = reading.key_at(sentence.start) in PREPOSITIONS
    places = sentence[1:2] if is_of_all else range(0)
    return [i for i in places if reading.words[i].kind == "number"]


def _stems(reading: Reading, places: Iterable[int]) -> frozenset[str]:
    return frozenset(reading.words[i].stem for i in places if reading.words[i].content)


def _border(reading: Reading, first: int, end: int) -> tuple[int, int]:
    """Return where the words of one value end, and where those of the next begin.

    Words between the two may be of either, and count for both.
    """
    rated = [(rank, i) for i in range(first, end + 1) if (rank := _rank(reading, i))]
    best = max((rank for rank, _ in rated), default=0)
    places = [i for rank, i in rated if rank == best]
    return (places[-1], places[0]) if places else (end, first)


def _rank(reading: Reading, i: int) -> int:
    """Return how strongly a word begins another clause or item, 0 for not at all."""
    word = reading.words[i]
    if word.gap == STOP or word.key in _STRONG:
        return 4
    if word.key in _WEAK:
        return 3 if word.gap else 2
    if word.gap:
        return 2
    return int(word.key in _OF_TWO)


def _subject(reading: Reading, places: range) -> str:
    """Return the kind of subject before a value: "own", "pronoun", or "" for none."""
    start, value = places.start, places.stop
    while start < value and reading.words[start].key in _WEAK | _STRONG:
        start += 1
    if start < value and reading.words[start].key in PREPOSITIONS:
        # "In 2014, it rose": after the comma.
        start = next((k for k in range(start + 1, value) if reading.words[k].gap), start + 2)
    named = names(reading).words
    refers = False
    for i in range(start, value):
        word = reading.words[i]
        if i in named:
            return "own"
        if word.key in _REFERRING and reading.key_at(i + 1) != "of":  # "that of the shingles"
            refers = True
        elif _is_verb(reading, i):
            break
        elif word.content and word.kind == "word" and not refers:
            return "own"
    return "pronoun" if refers else ""


def _is_verb(reading: Reading, i: int) -> bool:
    """Return whether a word is a finite verb or a participle: not "red" of "the red line"."""
    return is_finite(reading.words[i].key) and reading.key_at(i - 1) not in DETERMINERS
