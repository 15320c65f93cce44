"""The words of a sentence with their offsets, which of them can be verbs, and its main clause.

No tagger: a word can be a verb if it is an auxiliary, has irregular forms, or its regular forms
("walked", "walking") are in the list of English words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate
from typing import Literal, NamedTuple

from citeguard.auditing.claims.units import FILLER, quotations
from citeguard.facts.tables import irregular_plurals
from citeguard.language.grammar import (
    AUXILIARIES,
    BE,
    DETERMINERS,
    DO,
    HAVE,
    MODALS,
    OBJECT_PRONOUNS,
    PREPOSITIONS,
    SUBJECT_PRONOUNS,
    irregular_verbs,
)
from citeguard.language.sentences import Interval
from citeguard.language.spelling import is_english_word

_WORD = re.compile(
    r"(?:[^\W\d_]\.){2,}"
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

CONDITIONS = frozenset("if unless whether provided assuming lest either neither nor".split())
CONCESSIONS = frozenset("although though whereas while".split())
LINKS = CONCESSIONS | frozenset("and but so yet".split())
_BINDING = CONDITIONS | {"both", "between"}
_SUBORDINATORS = CONDITIONS | CONCESSIONS | frozenset(
    "that who whom whose which what why how because when where before after until since".split()
)  # fmt: skip
_NO_SUBJECT = PREPOSITIONS | _SUBORDINATORS | AUXILIARIES | {","}
_ADVERBS = frozenset(
    "also further then not n't never later still now often always just even soon".split()
)
_LONGEST_SUBJECT, _LONGEST_LEAD, _MOST_ADVERBS = 14, 40, 4  # words


class SentenceWord(NamedTuple):
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


def read_words(plain: str) -> list[SentenceWord]:
    """Return the words of a sentence; a quotation or bracket is one, as nothing in it is split."""
    found: list[SentenceWord] = []
    done = 0
    for start, end, kind in _closed(plain):
        if start >= done:
            found += _cut(plain, done, start)
            found.append(SentenceWord(plain[start:end], kind, start, end, kind))
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


def _cut(plain: str, low: int, high: int) -> list[SentenceWord]:
    words: list[SentenceWord] = []
    for match in _WORD.finditer(plain, low, high):
        start, end = match.span()
        if clitic := _CLITIC.search(match[0]):
            words.append(_word(plain, start, start + clitic.start()))
            start += clitic.start()
        words.append(_word(plain, start, end))
    return words


def _word(plain: str, start: int, end: int) -> SentenceWord:
    text = plain[start:end]
    first = text.lstrip("'’")[:1]
    kind = "number" if text[0].isdecimal() else "word" if first.isalpha() else "sign"
    return SentenceWord(text, text.replace("’", "'").replace(FILLER, "").lower(), start, end, kind)


@cache
def can_be_verb(key: str) -> bool:
    """Return whether a word, in lower case and its plain form, can be a verb."""
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
    return "-" not in key and key not in _NO_PAST


def is_participle(key: str) -> bool:
    """Return whether a word can be a participle: "walked", "left", "taken"."""
    return key in _PARTICIPLES or (is_past(key) and key not in PAST_ONLY)


def is_plural(word: SentenceWord) -> bool:
    """Return whether a word looks like a plural noun."""
    key = word.key
    return key in _PLURALS or (key.endswith("s") and not key.endswith(("ss", "us", "is", "'s")))


def has_finite_verb(words: Sequence[SentenceWord]) -> bool:
    """Return whether some words have a finite verb, as far as that can be seen."""
    return any(is_finite(words, at) for at in range(len(words)))


def is_finite(words: Sequence[SentenceWord], at: int) -> bool:
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
    if before.key in SUBJECT_PRONOUNS:
        return is_past(key) or is_present(key) or (can_be_verb(key) and before.key in _PLURALS)
    if is_past(key):
        return after is None or after.key != "by"
    if is_present(key):
        named = before.capital and (at > 1 or not is_english_word(before.key))
        sure = named or before.key.endswith("ly")
        singular = before.capital or not is_plural(before)
        return singular and (sure or opens_phrase(after, plural=True))
    return can_be_verb(key) and is_plural(before) and before.key != "'s" and opens_phrase(after)


def opens_phrase(word: SentenceWord | None, *, plural: bool = False) -> bool:
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


def is_command(words: Sequence[SentenceWord], at: int = 0) -> bool:
    """Return whether words instruct the reader: "Boil the rice."."""
    if at + 1 >= len(words) or words[at].kind != "word" or not can_be_verb(words[at].key):
        return False
    after = words[at + 1]
    objects = DETERMINERS | PREPOSITIONS - {"to", "of"} | {"it", "them", "him", "her"}
    plain = after.kind in ("number", "quotation") or after.key.endswith("ly")
    return plain or after.key in objects


class Sentence:
    """The words of a sentence, and for each place the last one before it of some kinds.

    So that no word is read twice, however many links a sentence has.
    """

    def __init__(self, words: Sequence[SentenceWord]) -> None:
        self.words = words
        self.keys = [word.key for word in words]
        self.finite = [is_finite(words, at) for at in range(len(words))]
        self.last_finite = _last(self.finite)
        self.last_binding = _last(key in _BINDING for key in self.keys)
        self.last_subordinator = _last(key in _SUBORDINATORS for key in self.keys)
        self.last_comma = _last(key == "," for key in self.keys)

    def skipped(self, at: int, end: int) -> int:
        """Return the index of the first word from an index on that is not an adverb."""
        last = min(end, at + _MOST_ADVERBS)
        while at < last and (self.keys[at] in _ADVERBS or self.keys[at].endswith("ly")):
            at += 1
        return at

    def next_and(self, at: int, end: int) -> int:
        """Return the index of the first "and" from an index on; the end if there is none near."""
        places = range(at, min(end, at + _LONGEST_LEAD))
        return next((place for place in places if self.keys[place] == "and"), end)


def _last(flags: Iterable[bool]) -> list[int]:
    """Return for each place the last one before it with a flag; -1 if there is none."""
    places = (at if flag else -1 for at, flag in enumerate(flags))
    return [*accumulate(places, max, initial=-1)]


class Clause(NamedTuple):
    """A subject, its finite verb, and the last of its verbs, by the indexes of words."""

    subject: Interval
    verb: int
    main: int


def clause_from(sentence: Sentence, at: int, end: int) -> tuple[Clause | None, int]:
    """Return the main clause from a place on, and the end of what introduces it."""
    if clause := clause_at(sentence, at, end):
        return clause, at
    keys = sentence.keys
    for comma in range(at + 1, min(end - 1, at + _LONGEST_LEAD)):
        opens = keys[comma] == "," and keys[comma + 1] not in LINKS
        if opens and (clause := clause_at(sentence, comma + 1, end)):
            return clause, comma + 1
    return None, at


def clause_at(sentence: Sentence, at: int, end: int) -> Clause | None:
    """Return the clause whose subject begins at a place; `None` if none certainly does."""
    keys = sentence.keys
    first = sentence.skipped(at, end)
    if first >= end or keys[first] in _NO_SUBJECT:
        return None
    for verb in range(first + 1, min(end, first + _LONGEST_SUBJECT)):
        if sentence.finite[verb]:
            last = verb
            while sentence.skipped(last - 1, last) == last:
                last -= 1
            return clause_of(sentence, (first, last), verb, end)
        subordinate = keys[verb] in _SUBORDINATORS and keys[verb - 1] not in PREPOSITIONS
        if subordinate or keys[verb] in SUBJECT_PRONOUNS | {",", ";", ":"}:
            return None
    return None


def clause_of(sentence: Sentence, subject: Interval, verb: int, end: int) -> Clause:
    """Return the clause of a subject and a finite verb, with the verbs that this begins."""
    keys = sentence.keys
    main, at = verb, sentence.skipped(verb + 1, end)
    while at < end and _follows(keys[main], keys[at]):
        main, at = at, sentence.skipped(at + 1, end)
    return Clause(subject, verb, main)


def _follows(auxiliary: str, key: str) -> bool:
    """Return whether a verb has the form that an auxiliary asks for."""
    if auxiliary in MODALS | DO:
        return can_be_verb(key) or key in ("be", "have")
    if auxiliary in BE and key.endswith("ing"):
        return True
    return auxiliary in BE | HAVE and is_participle(key)
