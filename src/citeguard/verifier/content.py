"""The content words, names and numbers of a sentence, as `GroundingVerifier` compares them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from citeguard.facts.negation import denials
from citeguard.facts.reading import Reading
from citeguard.facts.reading import Word as ReadWord
from citeguard.facts.tables import root
from citeguard.language.citations import pattern
from citeguard.language.grammar import DENIALS
from citeguard.language.numbers import CLOCK, CLOCK_FACE, Number
from citeguard.language.quantities import MONTH_NAMES
from citeguard.language.terms import FUNCTION_WORDS

# Words with which an answer refers to its sources or itself; the sources need not support them.
# Numbers of these dimensions are compared in one unit, so that "2 days" are "48 hours".
_DIMENSIONS = frozenset(("time", "length", "mass", "volume", "area", "data", "power"))
_ABOUT = frozenset("about almost approximately around circa nearly roughly some".split())
_OF_NOTHING: tuple[Sequence[str], ...] = ([], ["about"], ["of"], ["on"])
_SAYING_REACH = 4  # words from a negator to such a verb

Kind = Literal["word", "name", "number"]


class Word(NamedTuple):
    """A word that carries content.

    Attributes:
        key: What is compared: a stem, a number in digits with the dimension of its unit, or two
            characters of a script without spaces.
        kind: A `name` begins with a capital letter, and is not the first word of its text.
        text: The word as it is written.
        glue: Whether it is a word that could be in any sentence.
        rough: Whether it is an approximate number: "about 5".
    """

    key: str
    kind: Kind
    text: str
    glue: bool = False
    rough: bool = False


class Content(NamedTuple):
    """The content of a sentence.

    Attributes:
        words: Its content words, in order.
        negators: How many of its words deny something.
        on_silence: Whether it says that the sources do not say something: "does not mention".
    """

    words: tuple[Word, ...]
    negators: int
    on_silence: bool


@cache
def _words_of(table: str) -> frozenset[str]:
    """Return the words of a list in `words.toml`."""
    lists = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
    return frozenset(lists[table].split())


def read(text: str, *, framing: bool = True) -> Content:
    """Return the content of a sentence, without citation marks in square brackets.

    Args:
        text: One sentence.
        framing: Whether to include words that refer to the sources ("the passage mentions").
    """
    reading = Reading(pattern("reference").sub(" ", text))
    words = tuple(_words(reading, framing=framing))
    keys = [word.key for word in reading.words]
    return Content(words, len(denials(reading).places), _is_on_silence(keys))


def _words(reading: Reading, *, framing: bool) -> Iterator[Word]:
    # The parts of a date and the ends of a range are compared one by one.
    values = {
        reading.place_at(number.start): number
        for number in reading.numbers
        if number.kind != "date" and not number.is_range
    }
    dates = {
        reading.place_at(number.start): number
        for number in reading.numbers
        if number.kind == "date" and number.month and number.day
        if not any(map(str.isalpha, reading.text[number.start : number.end]))
    }
    rough = {reading.place_at(number.whole[0]) for number in values.values() if number.rough}
    last = unit = -1  # places of the last word of the latest number, and of its unit
    for place, word in enumerate(reading.words):
        before = reading.words[place - 1] if place else None
        if (framing or not _is_framing(word, before)) and place > last:
            if (number := values.get(place)) is not None:
                last = reading.place_at(number.end - 1)
                unit = reading.place_at(number.whole[1] - 1)
                written = reading.between(number.start, number.end).text
                yield Word(_key(number), "number", written, rough=number.rough)
            elif (date := dates.get(place)) is not None:
                last = reading.place_at(date.end - 1)
                yield from _parts_of(date, reading.between(date.start, date.end).text)
            elif place + 1 in rough and word.key in _ABOUT:
                continue
            elif (content := _word(word, before)) is not None:
                yield content._replace(glue=True) if place <= unit else content


def _parts_of(date: Number, written: str) -> Iterator[Word]:
    """Yield the day, the month by its name and the year of a date in digits: "2021-03-14"."""
    if date.day and date.month:
        yield Word(str(date.day), "number", written)
        yield Word(root(MONTH_NAMES[date.month - 1]), "name", written)
    if date.year:
        yield Word(str(date.year), "number", written)


def _key(number: Number) -> str:
    """Return the value of a number without its sign, in a common unit of its dimension."""
    value = abs(number.value)
    if number.unit in (CLOCK, CLOCK_FACE):
        return f"{value % 12 or 12:.5g}"
    if number.unit is None or number.unit.dimension not in _DIMENSIONS:
        return f"{value:.12g}"
    return f"{value * number.unit.size:.6g} {number.unit.dimension}"


def _is_on_silence(keys: Sequence[str]) -> bool:
    """Return whether a verb of saying is denied, or has "nothing" as its object.

    "Is not stated" and "says nothing about it", but not "said no jobs were lost".
    """
    for place, key in enumerate(keys):
        if key in DENIALS or key.endswith("n't"):
            if not _words_of("saying").isdisjoint(keys[place + 1 : place + _SAYING_REACH]):
                return True
            after_verb = place > 0 and keys[place - 1] in _words_of("saying")
            if after_verb and key == "nothing" and keys[place + 1 : place + 2] in _OF_NOTHING:
                return True
    return False


def _is_framing(word: ReadWord, before: ReadWord | None) -> bool:
    """Return whether a word refers to the sources, as does the number in "passage 3"."""
    numbered = word.kind == "number" and before is not None and before.key in _words_of("numbered")
    return numbered or word.key in _words_of("framing")


def _word(word: ReadWord, before: ReadWord | None) -> Word | None:
    if word.kind == "number":
        return Word(word.key, "number", word.text)
    if word.kind == "word" and word.key not in FUNCTION_WORDS:
        named = before is not None and word.text[:1].isupper()
        return Word(
            word.stem, "name" if named else "word", word.text, word.key in _words_of("glue")
        )
    if before is not None and word.kind == before.kind == "character" and before.end == word.start:
        return Word(before.key + word.key, "word", before.text + word.text)
    return None
