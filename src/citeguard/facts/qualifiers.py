"""Contrasts of kind `quantity`, `modality` and `roles`: how much, how surely, if what, by whom.

The rules are few on purpose: more rules did not improve the verifier, but these detect false
statements of `tests/benchmarks/grounding/written.json`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from citeguard.facts.names import widened
from citeguard.facts.negation import denials
from citeguard.facts.reading import (
    CLAUSE_WORDS,
    LIGHT,
    MOST_PLACES,
    STOP,
    Contrast,
    Frame,
    Pair,
    Reading,
    Slice,
    Word,
    contrast,
    frames,
    kept,
)
from citeguard.facts.tables import irregular_forms, root, roots
from citeguard.language.grammar import BE, NOUN_MARKERS
from citeguard.language.spelling import is_english_word
from citeguard.language.terms import FUNCTION_WORDS

# Chosen on development data: the least coverage of the statement, and the least likeness of two
# places, at which their qualifiers are of the same thing.
_LEAST_COVERAGE, _LEAST_LIKENESS = 0.5, 0.5
_REACH = 4  # words from a qualifier to what it qualifies, or from a verb to its subject


def qualifier_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield where the statement claims more than the passage, more surely, or of someone else."""
    if pair.coverage < _LEAST_COVERAGE:
        return
    yield from _quantities(pair)
    yield from _only(pair)
    yield from _limited(pair)
    yield from _forces(pair)
    yield from _openings(pair)
    yield from _spoken(pair)
    yield from _conditions(pair)
    yield from _roles(pair)


# How much: "all" for "some", "only"

_DEGREES = {
    word: degree
    for degree, words in enumerate(
        (
            "no none never neither nobody",
            "few little hardly rarely seldom scarcely",
            "some several sometimes occasionally certain half either",
            "many numerous often frequently various",
            "most mostly usually generally majority mainly largely typically",
            "all every each always everyone everybody entire whole both",
        )
    )
    for word in words.split()
}
_NONE, _FEW, _ALL = 0, 1, 5
_PARTIAL = frozenset("some certain few".split())  # "several" or "many" of a thing may be all
_ONLY = frozenset("only solely merely exclusively alone".split())
_EVERYBODY = frozenset("all every any each anyone anybody everyone everybody".split())
_LIMITING = _ONLY | frozenset("just sole single until unless except without".split())
_LIMITING_CLAUSE = _LIMITING | frozenset("if when provided whether condition".split())


@kept
def _quantifiers(reading: Reading) -> dict[int, tuple[int, int]]:
    """Return, by the place of what is quantified, (place of the quantifier, degree)."""
    found: dict[int, tuple[int, int]] = {}
    for i, word in enumerate(reading.words):
        degree = _DEGREES.get(word.key)
        if degree is None:
            continue
        for k in range(i + 1, min(i + 1 + _REACH, len(reading.words))):
            if reading.words[k].gap == STOP:
                break
            if reading.words[k].content and reading.words[k].key not in _DEGREES:
                found.setdefault(k, (i, degree))
    return found


def _quantities(pair: Pair) -> Iterator[Contrast]:
    """Yield where the statement claims more of a thing, or none where the passage has some."""
    stated, found = _quantifiers(pair.statement), _quantifiers(pair.passage)
    done: set[int] = set()
    for noun, (i, degree) in stated.items():
        for place in pair.passage.places.get(pair.statement.words[noun].stem, ()):
            j, other = found.get(place, (-1, -1))
            likely = j >= 0 and i not in done and pair.likeness(noun, place) >= _LEAST_LIKENESS
            # "Most" for "many", or "usually" for "often", is seldom meant as a difference.
            more = degree > other and (degree == _ALL or other <= _FEW)
            if likely and (more or degree == _NONE < other):
                done.add(i)
                yield contrast("quantity", pair.statement.slice(i, i), pair.passage.slice(j, j))
    for noun in _generic(pair.statement):
        for place in pair.passage.places.get(pair.statement.words[noun].stem, ()):
            j = place - 1
            if pair.passage.key_at(j) in _PARTIAL and not pair.passage.words[place].gap:
                slices = pair.statement.slice(noun, noun), pair.passage.slice(j, place)
                yield contrast("quantity", *slices)


@kept
def _generic(reading: Reading) -> list[int]:
    """Return the plurals at the beginning of a sentence that mean all: "Doctors recommend it".

    In the past tense they may mean some: "Doctors came".
    """
    return [
        i
        for i, word in enumerate(reading.words[:-1])
        if word.gap == STOP
        and word.key.endswith("s")
        and root(word.key) != word.key
        and not reading.words[i + 1].gap
        and _is_present(reading.words[i + 1].key)
    ]


def _is_present(verb: str) -> bool:
    """Return whether a word after a plural is a verb in the present tense."""
    is_base = is_english_word(verb) and verb not in irregular_forms()
    is_base = is_base and verb not in FUNCTION_WORDS and not verb.endswith(("ed", "s", "ing", "ly"))
    return is_base or verb in ("are", "have", "do", "must", "should", "can")


def _only(pair: Pair) -> Iterator[Contrast]:
    """Yield where the statement has "only" and the passage has no limit."""
    for i, word in enumerate(pair.statement.words):
        if word.key not in _ONLY or pair.statement.key_at(i - 1) == "not":
            continue
        after = range(i + 1, min(i + 1 + _REACH, pair.statement.sentence(i).stop))
        noun = next((k for k in after if pair.statement.words[k].stem in pair.shared), None)
        if noun is None:
            continue
        j = pair.passage.places[pair.statement.words[noun].stem][0]
        sentence = pair.passage.sentence(j)
        if not any(pair.passage.words[k].key in _LIMITING for k in sentence):
            yield contrast("quantity", pair.statement.slice(i, noun), pair.passage.slice(j, j))


def _limited(pair: Pair) -> Iterator[Contrast]:
    """Yield where all may what in the passage only some may: "Only managers may approve it"."""
    wide = [i for i, word in enumerate(pair.statement.words) if word.key in _EVERYBODY]
    if not wide:
        return
    for j, word in enumerate(pair.passage.words):
        sentence = pair.passage.sentence(j)
        if word.key != "only" or j > sentence.start:
            continue
        noun = next((k for k in sentence if k > j and pair.passage.words[k].content), None)
        rest = {pair.passage.words[k].stem for k in sentence if k > (noun or j)} & pair.shared
        is_same = len(rest - LIGHT) >= _LEAST_COVERAGE * len(pair.statement.places)
        if noun is not None and is_same and pair.passage.words[noun].stem not in pair.shared:
            last = next(
                (i for i in range(wide[0], len(pair.statement.words)) if _is_said(pair, i)), wide[0]
            )
            slices = pair.statement.slice(wide[0], last), pair.passage.slice(j, noun)
            yield contrast("quantity", *slices)


def _is_said(pair: Pair, i: int) -> bool:
    """Return whether a word is the first of the statement's content that the passage lacks."""
    word = pair.statement.words[i]
    return word.content and word.stem not in pair.shared and word.key not in _EVERYBODY


# How surely: "must" for "may", and what is only possible, planned or alleged

_FORCES = {
    word: force
    for force, words in {
        "leave": "may can could might allowed permitted optional voluntary free",
        "advice": "should ought recommended advised encouraged suggested",
        "duty": "must required mandatory compulsory obligatory obliged necessary",
    }.items()
    for word in words.split()
}
_LEAST_OF_FORCES = 0.8


@kept
def _forced(reading: Reading) -> dict[int, tuple[int, str]]:
    """Return, by the place of a verb, (place of the word that obliges or allows, force)."""
    found: dict[int, tuple[int, str]] = {}
    for i, word in enumerate(reading.words):
        force = _FORCES.get(word.key)
        is_denied = i in denials(reading).parity or reading.key_at(i + 1) == "not"
        if force is None or is_denied or _is_month(word):
            continue
        for k in range(i + 1, min(i + 1 + _REACH, len(reading.words))):
            verb = reading.words[k]
            if verb.content and verb.stem not in LIGHT and verb.key not in _FORCES:
                found.setdefault(k, (i, force))
                break
    return found


def _forces(pair: Pair) -> Iterator[Contrast]:
    """Yield where one text says that something must be, and the other that it may or should."""
    found = _forced(pair.passage)
    for verb, (i, force) in _forced(pair.statement).items():
        for place in pair.passage.places.get(pair.statement.words[verb].stem, ()):
            j, other = found.get(place, (-1, force))
            if force != other and pair.likeness(verb, place) >= _LEAST_OF_FORCES:
                slices = pair.statement.slice(i, verb), pair.passage.slice(j, place)
                yield contrast("modality", *slices)


_SAID = roots("say tell state argue warn announce according")
_LONGEST_SCOPE = 10  # words in the scope of a frame
_LEAST_OF_OPEN = 0.6  # least likeness


def _openings(pair: Pair) -> Iterator[Contrast]:
    """Yield where the passage leaves open or attributes what the statement says as a fact."""
    if any(
        frame.kind in ("open", "reported") and not _is_month(pair.statement.words[frame.first])
        for frame in frames(pair.statement)
    ):
        return
    scopes = _open_scopes(pair.passage)
    in_scope = {j for _, scope in scopes for j in scope}
    for first, scope in scopes:
        head = pair.passage.words[scope[0]].stem
        # The passage may state the same as a fact elsewhere.
        if head not in pair.shared or not in_scope.issuperset(pair.passage.places[head]):
            continue
        i = pair.statement.places[head][0]
        is_denied = denials(pair.statement).parity.get(i, False)
        if not is_denied and pair.likeness(i, scope[0]) >= _LEAST_OF_OPEN:
            places = sorted((first, scope[0]))
            slices = pair.statement.slice(i, i), pair.passage.slice(*places)
            yield contrast("modality", *slices)


@kept
def _open_scopes(reading: Reading) -> list[tuple[int, list[int]]]:
    """Return (place of a frame that leaves its scope open, places of the scope)."""
    found: list[tuple[int, list[int]]] = []
    for frame in frames(reading):
        is_said = frame.kind == "reported" and reading.words[frame.first].stem in _SAID
        if (frame.kind == "open" or is_said) and not _is_month(reading.words[frame.first]):
            scope = list(_clause(reading, frame.end)) if not is_said else _said(reading, frame)
            if scope:
                found.append((frame.first, scope))
    return found


def _clause(reading: Reading, first: int) -> Iterator[int]:
    """Yield the places of the content words from a place to the end of its clause."""
    for i in range(first, min(first + _LONGEST_SCOPE, len(reading.words))):
        word = reading.words[i]
        if (word.gap and i > first) or word.gap == STOP or word.key in CLAUSE_WORDS:
            return
        if word.content:
            yield i


def _said(reading: Reading, frame: Frame) -> list[int]:
    """Return what is attributed: "She said that …", "According to her, …", "…, she said"."""
    places = reading.sentence(frame.first)
    is_source = reading.words[frame.first].key == "according"
    commas = [i for i in places if reading.words[i].gap == 1]
    after = [i for i in commas if i >= frame.end]
    if (is_source or frame.end == places.stop) and not after:
        end = next((i for i in reversed(commas) if i <= frame.first), frame.first)
        before = range(max(places.start, end - _LONGEST_SCOPE), end)
        return [i for i in before if reading.words[i].content]
    return list(_clause(reading, after[0] if is_source else frame.end))


_MARKS = re.compile(
    '(?P<opening>[“„«「]|(?<![^\\s(—–-])["”](?=\\w))|(?P<closing>(?<![\\s\\d(])["”“»」])'
)
# The least share of a statement's words in direct speech, and the greatest beside it.
_SAYING = _SAID | roots("claim think believe ask reply add insist admit deny describe report")
_MOSTLY_SPOKEN, _SAID_BESIDE = 0.8, 0.5
_FEWEST_SPOKEN = 4  # words in quotation marks; fewer are a title or a term


@kept
def _speech(reading: Reading) -> list[tuple[int, int]]:
    """Return the intervals of direct speech; at either end of the text a mark may be missing."""
    found: list[tuple[int, int]] = []
    start = 0 if (first := _MARKS.search(reading.text)) and first["closing"] else None
    for mark in _MARKS.finditer(reading.text):
        if mark["closing"] and start is not None:
            found.append((start, mark.start()))
            start = None
        elif mark["opening"]:
            start = mark.end()
    if start is not None:
        found.append((start, len(reading.text)))
    return [
        (start, end)
        for start, end in found
        if sum(start <= word.start < end for word in reading.words)
        >= _FEWEST_SPOKEN - (reading.text[end - 1 : end] in (*".,!?",))
    ]


def _spoken(pair: Pair) -> Iterator[Contrast]:
    """Yield where the statement says as a fact what the passage only has as direct speech.

    Other sentences of the passage may have some of its words, but not most of them.
    """
    speech = _speech(pair.passage)
    if not speech or _MARKS.search(pair.statement.text):
        return
    if any(word.stem in _SAYING for word in pair.statement.words):
        return
    shared = pair.shared - LIGHT
    spoken: Counter[tuple[int, int]] = Counter()
    written: Counter[int] = Counter()
    for stem in shared:
        places = pair.passage.places[stem]
        inside = {each for j in places if (each := _speech_at(pair.passage, j, speech))}
        spoken.update(inside)
        written.update(
            {
                pair.passage.sentence(j).start
                for j in places
                if _speech_at(pair.passage, j, speech) is None
            }
        )
    best, count = max(spoken.items(), key=lambda each: each[1], default=((0, 0), 0))
    if count >= _MOSTLY_SPOKEN * len(shared) and (
        max(written.values(), default=0) <= _SAID_BESIDE * count
    ):
        said = [pair.statement.places[stem][0] for stem in shared]
        marked = _marked(pair.passage.text, best)
        slices = pair.statement.slice(min(said), max(said)), pair.passage.between(*marked)
        yield contrast("modality", *slices)


def _speech_at(
    reading: Reading, i: int, speech: Sequence[tuple[int, int]]
) -> tuple[int, int] | None:
    """Return the direct speech that a word is in, if any."""
    start = reading.words[i].start
    return next((each for each in speech if each[0] <= start < each[1]), None)


def _marked(text: str, speech: tuple[int, int]) -> tuple[int, int]:
    """Return the interval of direct speech with the marks around it, if the text has them."""
    start, end = speech
    return max(0, start - 1), min(len(text), end + 1)


def _is_month(word: Word) -> bool:
    return word.key in ("may", "might") and word.text[0].isupper() and not word.gap


# On what condition, and when: "if", "unless", "before"

_CONNECTIVES = {
    word: (kind, group)
    for kind, groups in {
        "condition": ("if when whenever provided", "unless except until", "regardless"),
        "time": ("before until ahead", "after since following once"),
    }.items()
    for group, words in enumerate(groups)
    for word in words.split()
}
_LIMITS = frozenset("unless except if provided".split()) | _ONLY  # "until" is often left out
# "Not only", "even if", "as if", "the only one".
_BEFORE_NO_LIMIT = NOUN_MARKERS | {"not", "even", "as", "and"}
_SAME_CLAUSE, _MAIN_SHARE = 0.6, 0.75
_CLAUSE_REACH = 24  # words


class _Link(NamedTuple):
    place: int
    last: int  # the place of the last word of its clause
    kind: str
    group: int
    main: frozenset[str]
    clause: frozenset[str]


@kept
def _links(reading: Reading) -> tuple[_Link, ...]:
    """Return the connectives of a text, with the stems of the clauses that they join."""
    return tuple(
        _link(reading, i) for i, word in enumerate(reading.words) if word.key in _CONNECTIVES
    )[:MOST_PLACES]


def _link(reading: Reading, i: int) -> _Link:
    words, places = reading.words, reading.sentence(i)
    kind, group = _CONNECTIVES.get(words[i].key, ("limit", 0))
    end = next((k for k in range(i + 2, places.stop) if words[k].gap), places.stop)
    begins = i <= places.start + 1
    rest = range(end, places.stop) if begins else range(max(places.start, i - _CLAUSE_REACH), i)
    sides = (
        frozenset(words[k].stem for k in side if words[k].content) - LIGHT
        for side in (rest, range(i + 1, end))
    )
    return _Link(i, end - 1, kind, group, *sides)


@kept
def _limits(reading: Reading) -> tuple[_Link, ...]:
    """Return the words of a text that limit a clause, with its stems and those of the limit."""
    return tuple(
        _link(reading, i)
        for i, word in enumerate(reading.words)
        if word.key in _LIMITS and reading.key_at(i - 1) not in _BEFORE_NO_LIMIT
    )[:MOST_PLACES]


def _conditions(pair: Pair) -> Iterator[Contrast]:
    """Yield where two clauses are connected differently."""
    for found in _links(pair.passage):
        partners = [link for link in _links(pair.statement) if link.kind == found.kind]
        for stated in partners:
            same = _overlap(stated.clause, found.clause) and _overlap(stated.main, found.main)
            crossed = _overlap(stated.clause, found.main) and _overlap(stated.main, found.clause)
            if (stated.group != found.group and same) or (
                stated.group == found.group and crossed and not same
            ):
                # With the same connective, what it connects differs.
                is_same = pair.is_same(stated.place, found.place)
                lasts = (stated.last, found.last) if is_same else (stated.place, found.place)
                slices = (
                    pair.statement.slice(stated.place, lasts[0]),
                    pair.passage.slice(found.place, lasts[1]),
                )
                yield contrast("modality", *slices)
    yield from _omitted(pair)


def _omitted(pair: Pair) -> Iterator[Contrast]:
    """Yield where the statement omits under which condition, or only where or when, it holds."""
    stems = pair.statement.places.keys()
    if any(word.key in _LIMITING_CLAUSE for word in pair.statement.words):
        return
    for found in _limits(pair.passage):
        shared = found.main & stems
        has_main = len(shared) >= max(1, _MAIN_SHARE * len(found.main))
        if has_main and found.clause and found.clause.isdisjoint(stems):
            i = max(place for stem in shared for place in pair.statement.places[stem])
            slices = pair.statement.slice(i, i), pair.passage.slice(found.place, found.place)
            yield contrast("modality", *slices)


def _overlap(one: frozenset[str], other: frozenset[str]) -> bool:
    fewest = min(len(one), len(other))
    return fewest > 0 and len(one & other) >= _SAME_CLAUSE * fewest


# By whom, to whom

_SYMMETRIC = roots("marry meet equal resemble differ border adjoin match include")


def _roles(pair: Pair) -> Iterator[Contrast]:
    """Yield where agent and patient of a verb are exchanged."""
    for stem in sorted(pair.shared - _SYMMETRIC - LIGHT):
        i, j = pair.statement.places[stem][0], pair.passage.places[stem][0]
        stated, found = _around(pair.statement, i), _around(pair.passage, j)
        if stated is None or found is None:
            continue
        (agent, patient), (other, acted_on) = stated, found
        words, others = pair.statement, pair.passage
        stems = words.stem_at(agent), words.stem_at(patient)
        if stems[0] != stems[1] and stems == (others.stem_at(acted_on), others.stem_at(other)):
            slices = _between(words, agent, patient), _between(others, other, acted_on)
            yield contrast("roles", *slices)


def _between(reading: Reading, one: int, other: int) -> Slice:
    """Return the words from one thing to another, with all words of a name."""
    return reading.slice(*widened(reading, *sorted((one, other))))


def _around(reading: Reading, i: int) -> tuple[int, int] | None:
    """Return the places of agent and patient of a word, or `None` if it is not a verb with both."""
    words, word = reading.words, reading.words[i]
    if word.kind != "word" or not word.text[0].islower() or word.gap:
        return None
    # "The period of notice", "the notice period is"
    is_noun = reading.key_at(i - 1) in NOUN_MARKERS or reading.key_at(i + 1) in BE
    if is_noun or not is_english_word(word.key):
        return None
    before = _head(reading, range(i - 1, max(-1, i - 1 - _REACH), -1))
    by = next((k for k in range(i + 1, i + 1 + _REACH) if reading.key_at(k) == "by"), None)
    after = _last_head(words, i if by is None else by)
    if before is None or after is None:
        return None
    return (before, after) if by is None else (after, before)


def _head(reading: Reading, places: range) -> int | None:
    for k in places:
        if reading.words[k].key in CLAUSE_WORDS or reading.words[k + 1].gap:
            return None
        if _is_thing(reading.words[k]):
            return k
    return None


def _last_head(words: Sequence[Word], i: int) -> int | None:
    """Return the last word of the first noun phrase after a word: "doctor" of "the old doctor"."""
    found: int | None = None
    for k in range(i + 1, min(i + 2 + _REACH, len(words))):
        if words[k].gap or words[k].key in CLAUSE_WORDS or words[k].kind == "number":
            break
        if _is_thing(words[k]):
            found = k
        elif found is not None:
            break
    return found


def _is_thing(word: Word) -> bool:
    # Not "Italy" and "family".
    is_adverb = word.key.endswith("ly") and word.text[0].islower() and _is_of_adjective(word.key)
    return word.content and word.kind == "word" and word.stem not in LIGHT and not is_adverb


def _is_of_adjective(adverb: str) -> bool:
    """Return whether an English word remains without "-ly": "easy" of "easily"."""
    bare = adverb.removesuffix("ly")
    forms = (bare, f"{bare}le", f"{bare.removesuffix('i')}y", f"{bare}ic")
    return any(map(is_english_word, forms))
