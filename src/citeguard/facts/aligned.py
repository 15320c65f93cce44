"""What alignment proves of a statement and a text: the same words, or another fact in their place.

It is a veto and an explanation, never a verdict of support: that the facts of two sentences agree
does not prove that one follows from the other.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice, permutations
from math import inf, isclose, isfinite, isinf
from typing import Literal, NamedTuple, get_args
from unicodedata import category, combining, normalize

from rapidfuzz.distance import Indel, LCSseq, Prefix

from citeguard.language.lexicon import DENIALS, DENYING_SIGNS, DO, TITLES, clear_negators
from citeguard.language.number_words import CURRENCIES, UNITS, Unit
from citeguard.language.numbers import CLOCK, CLOCK_FACE, Number, find_numbers
from citeguard.language.sentences import whole_sentences
from citeguard.language.spelling import is_english_word
from citeguard.language.tokens import FUNCTION_WORDS, has_words, stem, tokenize
from citeguard.quotes.canonical import PreparedText
from citeguard.quotes.find import QuoteForm, accepted_places, find_verbatim

DifferenceKind = Literal["number", "negation", "name"]
"""`number` includes units, signs, currencies, dates, and symbols such as `<`, `≠` and ☑."""

_MOST_PLACES = 20  # of a sentence that a text repeats
_TEXTS_KEPT = 256  # prepared; many statements are compared with the same passages
_LONGEST = 6_000  # characters of a text that are aligned; sentences are shorter
# Share of words with a capital above which a capital makes no name: "The Price Of Oil Rose". The
# rest are the words that titles write small.
_TITLE = 0.8
_REACH = 3  # words on either side of a fact that are compared
# Of the letters of two forms of a name: those of a common beginning ("America", "American") in the
# shorter one, and those that are the same in both ("Vasquez", "Vázquez").
_SAME_STEM, _SHORTEST_FORM = 0.7, 3
_ALIKE = 0.8
# With fewer of a statement's other content words, a sentence is about something else. Both shares
# are the lowest at which at most 2 % of the true statements of each of six sets are objected to.
_LEAST_SHARED = 0.3
_VOWELS = "aeiou"
_MOSTLY = 0.5  # from where the words on one side of a fact are enough

# "Not only", "no later than" and "no doubt" deny nothing.
_AFTER_NO_DENIAL = frozenset(
    "only just merely simply solely least until unlike less fewer more later sooner earlier doubt"
    " matter alone".split()
)
# These are in the place of a noun, so that they deny nothing that is aligned.
_DENYING_PRONOUNS = frozenset("nothing nobody none nowhere neither nor".split())
# Symbols (categories Sm and So) that say nothing about what follows them, and those that may be
# missing: a tick, an arrow before a sentence, the plus of a number.
_NO_SIGNS = frozenset("|~°¦©®™℠№℃℉")
_ORNAMENTS = frozenset("+☑✓✔✅🗹→⇒➔➜➤")


@dataclass(frozen=True, slots=True)
class Difference:
    """A fact of a statement in whose place a text has another one.

    Attributes:
        kind: What differs.
        stated: The words of the statement.
        found: Those of the text.
        start: Where they begin in the statement, in code points.
        end: Where they end, exclusive.
        text_start: Where those of the text begin in it.
        text_end: Where they end.
        is_alike: Whether the one may be put in the place of the other: not a year for an amount,
            nor a figure without a unit or a bound for one with it, or the other way round.
    """

    kind: DifferenceKind
    stated: str
    found: str
    start: int
    end: int
    text_start: int
    text_end: int
    is_alike: bool = True

    @property
    def reason(self) -> str:
        """What differs, as a part of a sentence."""
        return f"it says {self.stated!r} where the source says {self.found!r}"


def differences(statement: str, text: str) -> tuple[Difference, ...]:
    """Return the facts of a statement in whose place a text has other ones, in order.

    The words of both are aligned. Where the words around are the same, another number, unit, sign,
    date, negator or proper name is a difference. Numbers that may be one, rounded, converted or
    bounded, are none, nor are names of which one may be a form of the other. A number or a name
    that the text has elsewhere is none either, whatever it is about there: that takes reading.

    Args:
        statement: One sentence.
        text: One sentence of a source. The first 6,000 characters of either are read.

    Examples:
        >>> found = differences("The dose was 60 mg a day.", "The dose was 50 mg a day.")
        >>> [(each.kind, each.stated, each.found) for each in found]
        [('number', '60 mg', '50 mg')]
    """
    ours, theirs = _compared(_words(statement[:_LONGEST]), _words(text[:_LONGEST]))
    blocks = LCSseq.editops([each.key for each in ours], [each.key for each in theirs])
    pairs = [
        (block.a + step, block.b + step)
        for block in blocks.as_matching_blocks()
        for step in range(block.size)
    ]
    content = [each for each in ours if each.kind == "word"]
    shared = sum(ours[at].kind == "word" for at, _ in pairs)
    share = shared / len(content) if content else 0.0
    if content and share < _LEAST_SHARED:
        return ()
    same_but_for_it = len(pairs) == len(ours) == len(theirs)
    found: list[Difference] = []
    denied = [any(map(_has_denial, side)) for side in (ours, theirs)]
    together = set(pairs)
    for at, place in pairs:
        one, other = ours[at], theirs[place]
        # "p < 0.05" is not "p > 0.05", whatever a model makes of the two.
        if _have_other_signs(one, other, same_before=(at - 1, place - 1) in together):
            found.append(_difference("number", statement, one, text, other))
            continue
        if one.key.startswith("#"):
            kind = "name" if one.kind == "name" else "number"
        elif one.number and other.number and (one.number.value < 0) != (other.number.value < 0):
            # "Down 5 %" is "-5 %", but not where the words on both sides are the same. Where a
            # scale goes below zero, those on one side are enough.
            sides = [length > 0 for length, _ in _same_around(ours, at, theirs, place)]
            unit = one.number.unit or other.number.unit
            scale = unit is not None and unit.dimension in _SIGNED
            if same_but_for_it or (any(sides) if scale else all(sides)):
                found.append(_difference("number", statement, one, text, other))
            continue
        # If both deny something, whether it is the same takes reading: "not all", "some did not".
        elif denied[0] != denied[1] and (one.negator is None) != (other.negator is None):
            kind = "negation"
        else:
            continue
        if same_but_for_it or _are_in_one_place(ours, at, theirs, place, kind, share):
            found.append(_difference(kind, statement, one, text, other))
    return tuple(found)


class _Word(NamedTuple):
    """A word, a quantity, a date, or a name of several words.

    Attributes:
        key: What is aligned; of a fact that the other text does not have, "#" and its kind.
        start: Where it begins, in code points.
        end: Where it ends, exclusive.
        kind: What it is; `small` for a function word.
        number: The number, if it is one.
        negator: Where the negator right before it begins, or `None`.
        sign: What the symbols right before it mean: "≠" for "!=".
        first: Where these begin, or else it.
    """

    key: str
    start: int
    end: int
    kind: Literal["word", "small", "name", "number"]
    number: Number | None = None
    negator: int | None = None
    sign: str = ""
    first: int = 0


def _words(text: str) -> list[_Word]:
    """Return the words of a text; negators, and "do" beside them, belong to the word after them."""
    tokens = [token for token in tokenize(text) if token.kind != "mark"]
    numbers = _by_first_token(find_numbers(text), [token.start for token in tokens])
    is_title = sum(token.text[0].isupper() for token in tokens) > _TITLE * len(tokens)
    found: list[_Word] = []
    negator: int | None = None
    sign, begun = "", 0
    done = 0
    for at, token in enumerate(tokens):
        after = tokens[at + 1].key if at + 1 < len(tokens) else ""
        if token.start < done:
            continue
        between = text[tokens[at - 1].end : token.start] if at else "."
        # A negator reaches no farther than its clause: "No, it rained."
        if any(stop in between for stop in ",;.!?:"):
            negator = None
        if _denies(token.key):
            negator = token.start if after not in _AFTER_NO_DENIAL and negator is None else negator
            # "couldn't end" is aligned with "could end", but "didn't end" with "ended".
            verb = token.key.removesuffix("n't")
            if verb != token.key and verb not in DO:
                found.append(_Word(stem(verb), token.start, token.end, "small"))
            continue
        if token.key in DO:
            negator = token.start if _denies(after) else negator
            continue
        number = numbers.get(token.start)
        begun = begun if sign else token.start
        if number is None and (_is_sign(token.text) or _is_sign(token.key)):
            sign += token.key
            continue
        if number is not None:
            done = number.whole[1]
            key = f"{number.kind} {text[token.start : done].casefold()}"
            found.append(_Word(key, token.start, done, "number", number, negator, sign, begun))
        else:
            kind = "small" if token.key in FUNCTION_WORDS else "word"
            if kind == "word" and token.text[0].isupper() and not is_title:
                first = any(stop in between for stop in ".!?:")
                kind = "word" if first and is_english_word(token.key) else "name"
            denied = None if kind == "small" else negator
            key = stem(token.key)
            found.append(_Word(key, token.start, token.end, kind, None, denied, sign, begun))
        sign = ""
        negator = negator if found[-1].kind == "small" else None
    return found


def _by_first_token(numbers: Sequence[Number], starts: Sequence[int]) -> dict[int, Number]:
    """Return numbers by where the first token in each begins: a bracket before it is none."""
    firsts = ((bisect_left(starts, number.whole[0]), number) for number in numbers)
    return {
        starts[at]: number
        for at, number in firsts
        if at < len(starts) and starts[at] < number.whole[1]
    }


def _is_sign(text: str) -> bool:
    return text not in _NO_SIGNS and all(category(char) in ("Sm", "So") for char in text)


def _have_other_signs(one: _Word, other: _Word, *, same_before: bool) -> bool:
    """Return whether the symbols before the same word in two texts say different things."""
    ours, theirs = one.sign, other.sign
    if ours == theirs:
        return False
    if ours and theirs:
        return True
    # A sign that only one text has may adorn it, unless it denies: "☒ Paid".
    return not {*DENYING_SIGNS}.isdisjoint(ours + theirs) or (
        same_before and not _ORNAMENTS.issuperset(ours + theirs)
    )


def _denies(key: str) -> bool:
    is_negator = key in DENIALS or key.endswith("n't") or key in clear_negators()
    return is_negator and key not in _DENYING_PRONOUNS


def _has_denial(word: _Word) -> bool:
    return word.negator is not None or word.key in _DENYING_PRONOUNS


def _compared(stated: Sequence[_Word], found: Sequence[_Word]) -> tuple[list[_Word], list[_Word]]:
    """Return the words of two texts so that what may be the same has the same key.

    A number or a name that the other text does not have gets its kind as its key, so that it is
    aligned with another one that is also alone. The words of such a name become one.
    """
    ours, theirs = list(stated), list(found)
    for at, one in enumerate(ours):
        if one.number is None:
            continue
        same = False
        for place, other in enumerate(theirs):
            if other.number is not None and are_one(one.number, other.number):
                theirs[place] = other._replace(key=one.key)
                same = True
        if not same:
            ours[at] = one._replace(key=_lone(one.number))
    keys = {each.key for each in ours}
    for place, other in enumerate(theirs):
        if other.number is not None and other.key not in keys:
            theirs[place] = other._replace(key=_lone(other.number))
    return _with_lone_names(ours, stated, found), _with_lone_names(theirs, found, stated)


def _lone(number: Number) -> str:
    return "#date" if number.kind == "date" else "#number"


def _with_lone_names(
    words: Sequence[_Word], own: Sequence[_Word], others: Sequence[_Word]
) -> list[_Word]:
    known = {each.key for each in others}
    initials = "".join(each.key[0] for each in others if each.kind == "name")
    merged: list[_Word] = []
    for word in words:
        if (
            word.kind == "name"
            and word.key not in TITLES
            and not _is_known(word.key, known, initials)
        ):
            word = word._replace(key="#name")
            # Between two parts of a name there is a blank, or a stop and a blank: "J. Smith".
            if merged and merged[-1].key == "#name" and word.start - merged[-1].end <= 2:
                word = merged.pop()._replace(end=word.end)
        merged.append(word)
    return merged


def _is_known(name: str, known: set[str], initials: str) -> bool:
    """Return whether a text has a name in this or, by its letters, another form, or its acronym."""
    # A single letter may be the initial of any name.
    if name in known or len(name) == 1 or name in initials:
        return True
    plain = _plain(name)
    return any(
        Prefix.similarity(plain, other)
        >= max(_SHORTEST_FORM, _SAME_STEM * min(len(plain), len(other)))
        or Indel.normalized_similarity(plain, other) > _ALIKE
        for other in map(_plain, known)
    )


@lru_cache(maxsize=100_000)
def _plain(name: str) -> str:
    """Return a name without its accents: "Noël" and "Noel" are one."""
    return "".join(char for char in normalize("NFD", name) if not combining(char))


def _are_in_one_place(
    ours: Sequence[_Word], at: int, theirs: Sequence[_Word], place: int, kind: str, share: float
) -> bool:
    """Return whether the words around two facts are the same, so that one replaces the other.

    Those on one side are enough for a number; for other facts, if the texts share most words.
    Two numbers that are each the only one without a counterpart need none.
    """
    (left, before), (right, after) = _same_around(ours, at, theirs, place)
    if left and right and before + after:
        return True
    if kind != "number":
        return bool(before + after) and share >= _MOSTLY
    lone = ours[at].key.startswith("#") and all(
        sum(each.key == ours[at].key for each in side) == 1 for side in (ours, theirs)
    )
    return bool(before + after) or (lone and share >= _MOSTLY)


def _same_around(
    ours: Sequence[_Word], at: int, theirs: Sequence[_Word], place: int
) -> list[tuple[int, int]]:
    """Return how many words are the same before and after two, and how many have content."""
    sides: list[tuple[int, int]] = []
    for step in (-1, 1):
        length = content = 0
        for reach in range(1, _REACH + 1):
            one, other = at + step * reach, place + step * reach
            if not (0 <= one < len(ours) and 0 <= other < len(theirs)):
                # Both end here, or only the text goes on.
                length += not (0 <= one < len(ours)) and not (0 <= other < len(theirs))
                break
            if ours[one].key != theirs[other].key or ours[one].key.startswith("#"):
                break
            length, content = length + 1, content + (ours[one].kind != "small")
        sides.append((length, content))
    return sides


def _difference(
    kind: DifferenceKind, statement: str, one: _Word, text: str, other: _Word
) -> Difference:
    start, text_start = one.start, other.start
    if kind == "negation":
        # With what is between the negator and its word: "with hot water", "not with hot water".
        start, text_start = (
            each.start if each.negator is None else each.negator for each in (one, other)
        )
        if one.negator is None and (shared := _behind_negator(text, other, statement[:start])):
            start -= len(shared)
        if other.negator is None and (shared := _behind_negator(statement, one, text[:text_start])):
            text_start -= len(shared)
    elif one.sign != other.sign:
        start, text_start = one.first, other.first
    # What bounds a number is not part of it: "fewer than 50", "more than 50".
    while start + text_start and statement[start : one.end] == text[text_start : other.end]:
        start, text_start = _word_before(statement, start), _word_before(text, text_start)
    is_alike = _are_alike(one, other, is_bound_part=start < one.start)
    # In a correction, "an Irish poet" becomes "a Welsh poet", and not "an Welsh poet".
    low, text_low = _word_before(statement, start), _word_before(text, text_start)
    article, text_article = statement[low:start].rstrip(), text[text_low:text_start].rstrip()
    if {article.lower(), text_article.lower()} == {"a", "an"}:
        start, text_start = low, text_low
    elif article.lower() in ("a", "an") and text_article.lower() != article.lower():
        is_alike &= (statement[start].lower() in _VOWELS) == (text[text_start].lower() in _VOWELS)
    return Difference(
        kind=kind,
        stated=statement[start : one.end],
        found=text[text_start : other.end],
        start=start,
        end=one.end,
        text_start=text_start,
        text_end=other.end,
        is_alike=is_alike,
    )


def _behind_negator(text: str, word: _Word, before: str) -> str:
    """Return the words between a negator and its word, if another text has them before its word."""
    between = text[word.negator : word.start].partition(" ")[2]
    return between if before.endswith(between) else ""


def _are_alike(one: _Word, other: _Word, *, is_bound_part: bool) -> bool:
    """Return whether a word or a number is of the kind that the other one is."""
    if one.number is None or other.number is None:
        return one.number is other.number
    ours, theirs = (
        (
            each.kind,
            each.unit is None,
            may_be_year(each),
            isinf(each.high - each.low),
            each.low == -inf and not is_bound_part,
        )
        for each in (one.number, other.number)
    )
    return ours == theirs and one.number.rough >= other.number.rough


def _word_before(text: str, position: int) -> int:
    """Return where the word before a position begins; 0 if there is none."""
    return text.rfind(" ", 0, len(text[:position].rstrip())) + 1


QuotedKind = Literal["whole", "part", "cut", "framed"]
"""What the words of a statement are in a text, the wholest first: see `Quoted`."""


class Quoted(NamedTuple):
    """Where a text has the words of a statement, in their order.

    Attributes:
        text: Which text.
        start: Where they begin in it; where their sentence does, if they are a whole one.
        end: Where they end, exclusive.
        kind: What they are there: `whole`, a sentence; `part`, what stands between commas or the
            like in one; `cut`, if it goes on right beside them ("No patient died" of "No patient
            died in May"); `framed`, if it denies, attributes, asks or conditions them.
    """

    text: int
    start: int
    end: int
    kind: QuotedKind

    @property
    def proves(self) -> bool:
        """Whether the text says it, and nothing has to be read: the words are a whole sentence."""
        return self.kind == "whole"


WORD_FOR_WORD = "The source says it word for word."
"""Why a statement is supported that is a whole sentence of its source."""

_KINDS: tuple[QuotedKind, ...] = get_args(QuotedKind)
_DENYING_MARKS = (*DENYING_SIGNS, "~~", "<!--")
_NEAR = 8  # characters before a place in which such a mark may be: "<!-- "
_AROUND_CLAUSES = {"", *",;:()[]–—.!?"}


def quoted(statement: str, texts: Sequence[str | PreparedText]) -> Quoted | None:
    """Return where the texts have a statement's words, the wholest place of all, or `None`.

    Typography may differ. A place that cuts off what belongs to its words does not count, and a
    question is no statement.

    Examples:
        >>> text = "Pets are welcome on the beach in July. Dogs are pets."
        >>> quoted("Dogs are pets", [text])
        Quoted(text=0, start=39, end=53, kind='whole')
        >>> quoted("Pets are welcome on the beach.", [text])
        Quoted(text=0, start=0, end=29, kind='cut')
    """
    words = statement.strip().rstrip(".!")
    if words.endswith("?"):
        return None
    form, best = QuoteForm(words), None
    for number, text in enumerate(texts):
        prepared = _prepared(text) if isinstance(text, str) else text
        first = find_verbatim(form, prepared)
        others = islice(accepted_places(form, prepared), _MOST_PLACES) if form.letters else ()
        for place in chain([first] if first else [], others):
            # Only typography may differ: what is otherwise equivalent is read, not proven.
            if place.grade not in ("exact", "normalized"):
                continue
            found = _as_quoted(number, prepared, place.intervals[0][0], place.intervals[-1][1])
            if found.proves:
                return found
            if best is None or _KINDS.index(found.kind) < _KINDS.index(best.kind):
                best = found
    return best


def _as_quoted(number: int, prepared: PreparedText, start: int, end: int) -> Quoted:
    text = prepared.text
    is_marked = text[max(0, start - _NEAR) : start].rstrip().endswith(_DENYING_MARKS)
    if is_marked or prepared.framing_at(start, end):
        return Quoted(number, start, end, "framed")
    low, high = whole_sentences(text, start, end)
    before, after = text[low:start], text[end:high]
    if not has_words(before + after):
        return Quoted(number, low, high, "whole")
    beside = {before.rstrip()[-1:], after.lstrip()[:1]}
    return Quoted(number, start, end, "part" if beside <= _AROUND_CLAUSES else "cut")


def denies(statement: str) -> bool:
    """Return whether something in a statement is denied.

    What is denied of a part need not be denied of the whole, so that a statement that denies must
    not be cut out of a sentence.
    """
    return any(map(_has_denial, _words(statement[:_LONGEST])))


@lru_cache(maxsize=_TEXTS_KEPT)
def _prepared(text: str) -> PreparedText:
    return PreparedText(text)


# Numbers that may be one: rounded, converted, bounded, or written in another way

_ROUNDED = 0.05  # greatest difference by rounding
_ROUGH = 0.1  # the same if a number is approximate: "about 500" for 510
_LARGE = 10_000  # smaller whole numbers are exact counts, not rounded
_MOST_OPERANDS = 12  # numbers of a text that another one may follow from; all pairs are tried
_SHARES = ("share", "points")
_WORKED_OUT = 0.01  # greatest difference by rounding: "33 %" for a third
_YEARS = range(1800, 2100)
_ALONE = frozenset(("percent", "ordinal"))  # kinds that are no other kind
_POUNDS = {UNITS["pound"], Unit(CURRENCIES["£"], 1.0)}  # "312,000 pounds" may be either
_SIGNED = ("temperature", "degrees")  # "-5 °C" is not "5 °C"; "-5 %" may be "down 5 %"


def are_one(one: Number, other: Number) -> bool:
    """Return whether two numbers may be the same, whatever their signs.

    Examples:
        >>> half, share, weight = find_numbers("half of it, about 52 %, 5 mg")
        >>> are_one(half, share), are_one(half, weight)
        (True, False)
    """
    if "date" in (one.kind, other.kind):
        return _are_one_date(one, other)
    if any(each.unit in (CLOCK, CLOCK_FACE) for each in (one, other)):
        hours = 24 if one.unit == other.unit == CLOCK else 12  # "5:30" may be 17:30
        gap = abs(one.value - other.value) % hours
        return min(gap, hours - gap) < 1 / 60
    if one.kind != other.kind and {one.kind, other.kind} & _ALONE:
        return False
    (low, high), (least, most) = _range(one), _range(other)
    units = {one.unit, other.unit}
    if one.unit and other.unit and len(units) == 2 and units != _POUNDS:
        if one.unit.dimension != other.unit.dimension:
            # "5°" may be a temperature.
            return "degrees" in (one.unit.dimension, other.unit.dimension)
        least, most = (_converted(end, other.unit, one.unit) for end in (least, most))
    if inf in (high, most) and -inf in (low, least):  # "at least 20" and "at most 20"
        return max(low, least) < min(high, most)
    if low == least == -inf or high == most == inf:
        # Of two bounds on one side, the numbers themselves count: "up to 500", "up to 510". In two
        # units they may be rounded: "over 20 miles", "over 32 km".
        ends = (high, most) if low == -inf else (low, least)
        return isclose(*ends, rel_tol=_WORKED_OUT if len(units) > 1 else 0)
    if low <= most and least <= high:
        return True
    is_bounded = isfinite(low) and isfinite(most)
    return is_bounded and _may_be_rounded(low, most, rough=one.rough or other.rough)


def may_be_year(number: Number) -> bool:
    """Return whether a number may be a year, whatever else it may be."""
    return number.unit is None and number.value in _YEARS


def figure_without_source(statement: str, texts: Iterable[str]) -> str:
    """Return the first figure of a statement that no text has, in whatever form; "" if none.

    A figure is a number in digits, or one with a unit, of money or a share: counts in words, such
    as "two of them", are read. Its sign counts: whether a change of "-12 EUR" is a fall by 12 has
    to be worked out.

    Examples:
        >>> figure_without_source("12,000 of them, or 80 %, left.", ["80 percent of 15000 left."])
        '12,000'
    """
    # A figure that a text has as it is written needs no reading; but "-5" does not have 5.
    together = "\n".join(texts)
    wholes = [(each, statement[slice(*each.whole)]) for each in find_numbers(statement)]
    written = [
        (each, whole)
        for each, whole in wholes
        if not re.search(rf"(?<![-−]){re.escape(whole)}", together)
        and (each.unit or each.kind == "percent" or any(map(str.isdecimal, whole)))
    ]
    found = find_numbers(together) if written else ()
    alone = (
        whole
        for each, whole in written
        if not any(
            are_one(each, other)
            and (each.value < 0) == (other.value < 0)
            # "Above 20 tonnes" is shown by 30 tonnes, not by 30 lorries.
            and (isfinite(each.high - each.low) or (each.unit is None) == (other.unit is None))
            for other in found
        )
    )
    return next(alone, "").strip()


def may_follow(statement: str, text: str) -> bool:
    """Return whether a number that a statement has and a text has not follows from two of its own.

    By a sum, a difference, a product, a ratio, or a share or change in per cent, whose units fit:
    that it is meant so is not proven, but the text does not contradict it either.

    Examples:
        >>> may_follow("It has 11 men and women.", "It has 5 men and 6 women.")
        True
    """
    found = [each for each in find_numbers(text) if each.kind != "label"]
    return any(
        isclose(abs(stated.value), result, rel_tol=_WORKED_OUT)
        for stated in find_numbers(statement)
        if stated.kind not in ("label", "date") and not any(are_one(stated, each) for each in found)
        for result in _results(found[:_MOST_OPERANDS], stated)
    )


def _results(operands: Sequence[Number], stated: Number) -> Iterator[float]:
    """Yield what follows from numbers, in the unit of the one that is stated, if it has one."""
    dimension = _dimension(stated)

    def value(number: Number) -> float:
        unit, to = number.unit, stated.unit
        if unit and to and unit.dimension == to.dimension:
            return abs(_converted(number.value, unit, to))
        return abs(number.value)

    alike = [value(each) for each in operands if _dimension(each) == dimension]
    yield sum(alike) if len(alike) > 1 else inf
    for one, other in permutations(operands, 2):
        a, b, kinds = value(one), value(other), (_dimension(one), _dimension(other))
        if kinds[0] == kinds[1]:
            if kinds[0] == dimension:
                yield from (a + b, abs(a - b))
            if kinds[0] == "date" and dimension in ("", "time"):
                yield abs(a - b)
            if dimension in ("", *_SHARES) and b:
                yield from (a / b, 100 * a / b, 100 * abs(a - b) / b)
        if "" in kinds and dimension in kinds:
            yield a * b


def _dimension(number: Number) -> str:
    return "date" if number.kind == "date" else number.unit.dimension if number.unit else ""


def in_the_same_form(statement: str, text: str) -> str:
    """Return a statement with its numbers as a text writes the same ones: "12000" for "12,000".

    A number that the text has in just another form is no other one, but models take it for one.

    Examples:
        >>> in_the_same_form("At 5 pm it is 12,000.", "At 17:00 it was 12000.")
        'At 17:00 it is 12000.'
    """
    stated = [each for each in find_numbers(statement) if statement[slice(*each.whole)] not in text]
    found = find_numbers(text) if stated else ()
    for number in reversed(stated):
        start, end = number.whole
        if place := next((each.whole for each in found if _are_equal(number, each)), None):
            statement = statement[:start] + text[slice(*place)] + statement[end:]
    return statement


def _are_equal(one: Number, other: Number) -> bool:
    """Return whether two numbers are the same, neither rounded nor bounded, whatever their unit."""
    if "date" in (one.kind, other.kind) or not are_one(one, other):
        return False
    if any(each.rough or each.low != each.high for each in (one, other)):
        return False
    if one.unit == other.unit or {one.unit, other.unit} == _POUNDS:
        return isclose(one.value, other.value, rel_tol=1e-9)
    if one.unit is None or other.unit is None or one.unit.dimension != other.unit.dimension:
        return False
    return isclose(one.value, _converted(other.value, other.unit, one.unit), rel_tol=1e-9)


def _converted(value: float, unit: Unit, to: Unit) -> float:
    return (value - unit.zero) * unit.size / to.size + to.zero


def _are_one_date(one: Number, other: Number) -> bool:
    if one.kind != other.kind:  # "in 2014" may be "the 2014 reports"
        return one.value == other.value and one.unit is other.unit is None
    parts = (
        (one.weekday, other.weekday),
        (one.day, other.day),
        (one.month, other.month),
        (one.year, other.year),
    )
    if any(None not in pair and pair[0] != pair[1] for pair in parts):
        return False
    return one.low <= other.high and other.low <= one.high


def _may_be_rounded(one: float, other: float, *, rough: bool) -> bool:
    gap, largest = abs(one - other), max(abs(one), abs(other))
    if rough and gap <= _ROUGH * largest:
        return True
    if gap > _ROUNDED * largest:
        return False
    if one == int(one) and other == int(other) and largest < _LARGE:
        return False
    # As many digits as the shorter one has: "4.9 million" for 4,913,000.
    digits = min(_digits(one), _digits(other)) - 1
    return f"{one:.{digits}e}" == f"{other:.{digits}e}"


def _range(number: Number) -> tuple[float, float]:
    """Return the least and the greatest value that a number may mean, without its sign."""
    if number.value < 0 and number.low == number.high:
        return -number.value, -number.value
    return number.low, number.high


def _digits(value: float) -> int:
    """Return the number of significant digits: 4,900,000 has two."""
    return max(1, len(f"{abs(value):.9e}".partition("e")[0].replace(".", "").rstrip("0")))
