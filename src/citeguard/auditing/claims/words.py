"""The words of a sentence with their offsets, and which of them can be verbs.

No tagger: a word can be a verb if it is an auxiliary, has irregular forms, or its regular forms
("walked", "walking") are in the list of English words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal, NamedTuple

from citeguard.auditing.claims.units import FILLER, quotations
from citeguard.facts.tables import irregular_plurals, irregular_verbs
from citeguard.language.abbreviations import ABBREVIATIONS
from citeguard.language.grammar import (
    AUXILIARIES,
    BE,
    DETERMINERS,
    HAVE,
    MODALS,
    OBJECT_PRONOUNS,
    PREPOSITIONS,
    SUBJECT_PRONOUNS,
)
from citeguard.language.spelling import is_english_word

_ABBREVIATED = "|".join(map(re.escape, sorted(ABBREVIATIONS, key=len, reverse=True)))
_WORD = re.compile(
    rf"(?:[^\W\d_]\.){{2,}}|(?:[^\W_]+-)?(?:{_ABBREVIATED})\.(?=\s)"
    r"|https?://\S+|www\.\S+"
    r"|\d+(?:[.,:/]\d+)*(?:st|nd|rd|th|s)?(?![^\W_])"
    rf"|[^\W_]+(?:[-‑'’/&.]{FILLER}*[^\W_]+)*"
    rf"|\.{{2,}}|[^\s{FILLER}]"
)
_CLITIC = re.compile(rf"(?i)(?<=\w)(?:n['’]{FILLER}*t|['’]{FILLER}*(?:s|re|ve|ll|d|m))\Z")
_CLOSING = {"(": ")", "[": "]"}
_OPENING = re.compile(r"[(\[]")
_LONGEST_BRACKET = 300

COUNTS = frozenset(
    "one two three four five six seven eight nine ten about over around nearly almost some".split()
)
_WITH_IS = frozenset("it he she that there what who here where how".split())
_NO_VERBS = (
    AUXILIARIES | DETERMINERS | PREPOSITIONS | SUBJECT_PRONOUNS | COUNTS | {"and", "or", "but"}
)
_PLURALS = irregular_plurals() | frozenset(
    "people police we you they these those others some many several most both".split()
)
_VERBS = irregular_verbs()
_PLAIN = frozenset(verb.plain for verb in _VERBS)
_PAST = frozenset(verb.past for verb in _VERBS)
_PARTICIPLES = frozenset(verb.participle for verb in _VERBS) | {"been"}
PAST_ONLY = _PAST - _PLAIN - _PARTICIPLES
"""Past tenses that are not participles, and so are finite verbs wherever they appear."""
_NO_PAST = frozenset(
    "wicked sacred red need speed seed deed heed reed weed breed bleed creed sled coed".split()
)

_LONGEST_COMMAND_LEAD = 12  # words of "In a large pot over medium heat,"
_BEFORE_COMMAND = frozenset("then next first finally lastly also and now alternatively".split())
_NO_COMMANDS = frozenset(
    "there here thank yes no not unlike like given including according based regarding".split()
)


class Word(NamedTuple):
    """A word, number or sign of a sentence, or a whole quotation or bracket of it.

    Attributes:
        text: As it is written.
        key: In lower case, with straight apostrophes.
        start: Offset in the unit of its first character.
        end: Offset after its last one.
        kind: What it is.
    """

    text: str
    key: str
    start: int
    end: int
    kind: Literal["word", "number", "sign", "quotation", "bracket"]

    @property
    def capital(self) -> bool:
        """Whether it is a word that begins with a capital letter."""
        return self.kind == "word" and self.text[0].isupper()


def read_words(plain: str) -> list[Word]:
    """Return the words of a sentence; a quotation or bracket is one, as nothing in it is split.

    Examples:
        >>> [(word.text, word.kind) for word in read_words('He said "I came" twice.')][2:4]
        [('"I came"', 'quotation'), ('twice', 'word')]
    """
    found: list[Word] = []
    done = 0
    for start, end, kind in _closed(plain):
        if start >= done:
            found += _cut(plain, done, start)
            found.append(Word(plain[start:end], kind, start, end, kind))
            done = end
    return [*found, *_cut(plain, done, len(plain))]


def _closed(plain: str) -> list[tuple[int, int, Literal["quotation", "bracket"]]]:
    """Return the quotations and the brackets of a sentence, in order."""
    found: list[tuple[int, int, Literal["quotation", "bracket"]]] = [
        (start, end, "quotation") for start, end in quotations(plain)
    ]
    for opening in _OPENING.finditer(plain):
        end = plain.find(_CLOSING[opening[0]], opening.end(), opening.end() + _LONGEST_BRACKET)
        if end >= 0:
            found.append((opening.start(), end + 1, "bracket"))
    return sorted(found)


def _cut(plain: str, low: int, high: int) -> list[Word]:
    words: list[Word] = []
    for match in _WORD.finditer(plain, low, high):
        start, end = match.span()
        if clitic := _CLITIC.search(match[0]):
            words.append(_word(plain, start, start + clitic.start()))
            start += clitic.start()
        words.append(_word(plain, start, end))
    return words


def _word(plain: str, start: int, end: int) -> Word:
    text = plain[start:end]
    first = text.lstrip("'’")[:1]
    kind = "number" if text[0].isdecimal() else "word" if first.isalpha() else "sign"
    return Word(text, text.replace("’", "'").replace(FILLER, "").lower(), start, end, kind)


@cache
def can_be_verb(key: str) -> bool:
    """Return whether a word, in lower case and its plain form, can be a verb.

    Examples:
        >>> can_be_verb("work"), can_be_verb("mayor")
        (True, False)
    """
    if key in _PLAIN or key in _NO_VERBS or not key.isalpha():
        return key in _PLAIN
    stem = key.removesuffix("e")
    doubled = key + key[-1]  # "stop", "stopped"
    forms = [(stem + "ed", stem + "ing"), (doubled + "ed", doubled + "ing")]
    if key.endswith(("ee", "ie", "oe", "ye")):  # "agreeing", "lying"
        forms += [(key + "d", key + "ing"), (key + "d", key[:-2] + "ying")]
    elif key.endswith("y"):
        forms.append((key[:-1] + "ied", key + "ing"))
    elif key.endswith("c"):  # "panicked"
        forms.append((key + "ked", key + "king"))
    return any(is_english_word(past) and is_english_word(present) for past, present in forms)


def is_present(key: str) -> bool:
    """Return whether a word in "s", in lower case, can be a verb: "works", "carries"."""
    if not key.endswith("s") or key.endswith(("ss", "us")):
        return False
    plain = [key[:-1], *([key[:-2]] if key.endswith("es") else [])]
    return any(map(can_be_verb, [*plain, key[:-3] + "y"] if key.endswith("ies") else plain))


def is_past(key: str) -> bool:
    """Return whether a word can be a past tense: "walked", "left"."""
    if key in _PAST or not key.endswith("ed"):
        return key in _PAST
    if "-" in key or key in _NO_PAST:
        return False
    return not is_english_word(key) or any(map(can_be_verb, _plain_forms(key)))


def _plain_forms(past: str) -> list[str]:
    """Return what a word in "ed" may be the past tense of: "stopped", "lied", "carried"."""
    found = [past[:-1], past[:-2]]
    if past[-4:-3] == past[-3:-2]:
        found.append(past[:-3])
    return [*found, past[:-3] + "y"] if past.endswith("ied") else found


def is_participle(key: str) -> bool:
    """Return whether a word can be a participle: "walked", "left", "taken"."""
    return key in _PARTICIPLES or (is_past(key) and key not in PAST_ONLY)


def is_plural(word: Word) -> bool:
    """Return whether a word looks like a plural noun."""
    key = word.key
    return key in _PLURALS or (key.endswith("s") and not key.endswith(("ss", "us", "is", "'s")))


def has_finite_verb(words: Sequence[Word]) -> bool:
    """Return whether some words have a finite verb, as far as that can be seen."""
    return any(is_finite(words, at) for at in range(len(words)))


def is_finite(words: Sequence[Word], at: int) -> bool:
    """Return whether a word is a finite verb; one that can be a noun needs a hint beside it."""
    word, before = words[at], words[at - 1] if at else None
    after = words[at + 1] if at + 1 < len(words) else None
    key = word.key
    if word.kind != "word" or (word.text[0].isupper() and at and key not in ("is", "are")):
        return False
    if key == "'s":
        return before is not None and before.key in _WITH_IS
    if key in AUXILIARIES:
        return True
    if before is None or before.key in PREPOSITIONS or before.key in DETERMINERS - _PLURALS:
        return False
    if key in PAST_ONLY:
        return True
    linked = before.kind == "sign" or before.key in ("and", "or", "but")
    if linked or before.key in BE | HAVE | MODALS:
        return False
    if before.key in SUBJECT_PRONOUNS or before.key in ("who", "which"):
        return is_past(key) or is_present(key) or (can_be_verb(key) and before.key in _PLURALS)
    if is_past(key):
        return after is None or after.key != "by"
    if is_present(key):
        named = before.capital and (at > 1 or not is_english_word(before.key))
        named = named and (after is None or after.kind != "sign" or after.text in ".!")
        sure = named or before.key.endswith("ly")
        singular = before.capital or not is_plural(before)
        return singular and (sure or opens_phrase(after, plural=True))
    return can_be_verb(key) and is_plural(before) and before.key != "'s" and opens_phrase(after)


def opens_phrase(word: Word | None, *, plural: bool = False) -> bool:
    """Return whether a word follows verbs rather than nouns: "the", "in", "5", "Rome".

    Args:
        word: The word; `None` at the end of a sentence.
        plural: Whether a plural noun will do.
    """
    return word is not None and (
        word.key
        in (DETERMINERS | PREPOSITIONS | COUNTS | OBJECT_PRONOUNS | {"that", "it"}) - {"of", "such"}
        or word.kind in ("number", "quotation")
        or word.capital
        or word.key.endswith(("ly", "ing"))
        or word.text in "$€£"
        or (plural and is_plural(word))
    )


def is_command(words: Sequence[Word], start: int = 0) -> bool:
    """Return whether words tell the reader to do something: "In a pot, boil the rice."."""
    if _is_command_at(words, start):
        return True
    if start < len(words) and words[start].key in PREPOSITIONS | {"when", "once"}:
        for at in range(start, min(len(words), start + _LONGEST_COMMAND_LEAD)):
            if words[at].text == ",":
                return _is_command_at(words, at + 1)
    return False


def _is_command_at(words: Sequence[Word], at: int) -> bool:
    while at < len(words) and (words[at].key in _BEFORE_COMMAND or words[at].text in ",:"):
        at += 1
    if at + 1 >= len(words) or words[at].key in _NO_COMMANDS | (BE | HAVE) - {"be", "have"}:
        return False
    after = words[at + 1]
    if words[at].key in ("do", "be"):
        return after.key not in SUBJECT_PRONOUNS
    if words[at].kind != "word" or not can_be_verb(words[at].key):
        return False
    objects = DETERMINERS | PREPOSITIONS - {"to", "of"} | {"it", "them", "him", "her"}
    plain = after.kind in ("number", "quotation") or after.key.endswith("ly")
    return plain or after.key in objects
