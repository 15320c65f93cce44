"""The words of an English question, each in the form in which two questions are compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

from citeguard.facts.tables import irregular_forms
from citeguard.language import lexicon
from citeguard.language.grammar import BE, DO, MODALS, irregular_verbs
from citeguard.language.spelling import is_english_word

QUESTION_WORDS = frozenset("who whom whose what which when where why how".split())
CLAUSE_WORDS = frozenset("who which that if when because whether while unless whose where".split())
"""Words that begin another clause, unless they begin the question."""
FLOATING = (BE | DO | MODALS) - frozenset("'s 're 'm 've 'd 'll ca wo cannot".split())
"""Auxiliary verbs, whose place depends on the frame: "when was it", "tell me when it was"."""
OWNS = "'s"
"""Stands between an owner and what is owned."""

_SIGNS = tuple("-./~@#*&")
_LONGEST_PHRASE = 4  # words of a row of the table of synonyms
_MOST_FORMS = 20_000


class Word(NamedTuple):
    """A word of a question, or a phrase that has a synonym.

    Attributes:
        text: In lower case, or as it is written where case makes another word.
        key: What is compared if the texts differ: its plain form, or one of its synonyms; of a
            name, what no other text has.
        past: Whether it is a past form or a participle.
        clause: How many words before it begin a clause.
    """

    text: str
    key: str
    past: bool = False
    clause: int = 0


def read_words(words: Sequence[str]) -> tuple[tuple[Word, ...], frozenset[int]]:
    """Return words as they are compared, and the places of those with an owner before them.

    Names, which have a capital, keep their form, and have no synonyms.

    Args:
        words: The words of a question in order, with `OWNS` between owners and what is owned.

    Examples:
        >>> words, owned = read_words(["turned", "on", "Ann", "'s", "lamps"])
        >>> [word.key for word in words], sorted(owned)
        (['enable', '=ann', 'lamp'], [2])
    """
    lows = [cased(word) for word in words]
    plain = [
        # A name is no form of another word: "Bill" is "bill", but not "bills".
        plain_form(low) if word.islower() else f"={low}"
        for word, low in zip(words, lows, strict=True)
    ]
    table, i, clause = _synonyms(), 0, 0
    found: list[Word] = []
    owned: set[int] = set()
    while i < len(words):
        if words[i] == OWNS:
            owned.add(len(found))
            i += 1
            continue
        width, key, is_written = next(
            (
                (width, table[phrase], phrase == tuple(lows[i : i + width]))
                for width in range(min(_LONGEST_PHRASE, len(words) - i), 0, -1)
                for phrase in (tuple(lows[i : i + width]), tuple(plain[i : i + width]))
                if phrase in table and (width > 1 or words[i].islower() or words[i] == "US")
            ),
            (1, plain[i], False),
        )
        past = not is_written and any(
            words[k].islower() and lows[k] != plain[k] and _is_past(lows[k])
            for k in range(i, i + width)
        )
        clause += int(i > 0 and lows[i] in CLAUSE_WORDS)
        found.append(Word(" ".join(lows[i : i + width]), key, past, clause))
        i += width
    return tuple(found), frozenset(owned & set(range(len(found))))


def cased(word: str) -> str:
    """Return a word in lower case, unless its case makes it another: "US", and "-V" of a command.

    Examples:
        >>> cased("Paris"), cased("US"), cased("Which")
        ('paris', 'US', 'what')
    """
    is_acronym = word.isupper() and word.lower() in lexicon.english("acronyms")
    if is_acronym or word.startswith(_SIGNS):
        return word
    low = word.lower()
    return "what" if low == "which" else low


@cache
def _synonyms() -> dict[tuple[str, ...], str]:
    text = (
        resources.files("citeguard.library.same_question")
        .joinpath("synonyms.txt")
        .read_text("utf-8")
    )
    rows = (line.split(", ") for line in text.splitlines() if line and not line.startswith("#"))
    return {tuple(phrase.split()): row[0] for row in rows for phrase in row}


# Inflection. A stemmer would join too much: "policy" and "police", "general" and "generally".

# With an ending, but no form of another word: "news" is not "new".
_NO_FORMS = frozenset(
    "news means evening morning during nothing something anything everything being thing king ring"
    " spring string bring sing wing meeting hundred red bed series species always this its his us"
    " as is was has does less unless across plus physics politics mathematics economics gas bus"
    " lens".split()
)
_DOUBLED = re.compile(r"(.*[aeiou])([bdfgklmnprtvz])\2\Z")
_TAKES_ES = ("s", "x", "z", "ch", "sh", "o")


@lru_cache(maxsize=_MOST_FORMS)
def plain_form(word: str) -> str:
    """Return the singular or infinitive of an English word of small letters.

    Words that are in no list of English words stay as they are.

    Examples:
        >>> [plain_form(word) for word in ("cities", "planes", "planned", "written", "largest")]
        ['city', 'plane', 'plan', 'write', 'largest']
    """
    if word in _NO_FORMS or len(word) < 3:
        return word
    if word.endswith("ings") and word[:-1] not in _NO_FORMS:
        word = word[:-1]  # "buildings" is "building", which is "build"
    irregular = irregular_forms().get(word)
    return irregular or next(filter(is_english_word, _candidates(word)), word)


def _candidates(word: str) -> list[str]:
    """Return what a word may be a regular form of, likelier ones first."""
    if word.endswith(("ss", "eed")):
        return []
    if word.endswith(("ies", "ied")):
        return [f"{word[:-3]}y", word[:-1]]
    if word.endswith("s"):
        takes_es = word.endswith("es") and word[:-2].endswith(_TAKES_ES)
        return [word[:-2], word[:-1]] if takes_es else [word[:-1]]
    ending = next((each for each in ("ed", "ing") if word.endswith(each)), "")
    start = word.removesuffix(ending)
    if not ending or len(start) < 2:
        return []
    if (doubled := _DOUBLED.match(start)) and not is_english_word(start):
        return [doubled[1] + doubled[2]]
    return [f"{start}e", *([start] if len(start) > 2 else [])]


@cache
def _participles() -> frozenset[str]:
    return frozenset(verb.participle for verb in irregular_verbs())


@cache
def _past_forms() -> frozenset[str]:
    return _participles() | {verb.past for verb in irregular_verbs()}


def _is_past(word: str) -> bool:
    return word.endswith("ed") or word in _past_forms()


def is_participle(word: str, *, sure: bool = False) -> bool:
    """Return whether a word in small letters may be a participle of the past.

    Args:
        word: A word.
        sure: Whether participles that are infinitives too ("run", "put") do not count.

    Examples:
        >>> is_participle("built"), is_participle("run"), is_participle("run", sure=True)
        (True, True, False)
    """
    if not (word.islower() and word.isalpha()) or (sure and word == plain_form(word)):
        return False
    return word in _participles() or (word.endswith("ed") and plain_form(word) != word)
