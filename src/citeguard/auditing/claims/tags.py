"""Parts of speech: those of a word list, corrected by what stands around a word.

The list knows one tag for each word: "works" is a noun, "left" a participle. Where a clause would
have no verb, or a noun would stand where only a verb can, the correction is made here.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import Any

from citeguard.auditing.claims.people import HE, SHE
from citeguard.text.lexicon import NAME_WORDS
from citeguard.text.reading.tables import irregular_forms

FINITE = frozenset(("VBD", "VBZ", "VBP", "MD"))
NOUNS = frozenset(("NN", "NNS", "NNP", "NNPS", "QUOTE"))
SUBJECT_PRONOUNS = frozenset("i you he she it we they".split())
BE = frozenset("is are was were be been being am 's 're 'm".split())
HAVE = frozenset("has have had having 've".split())
DO = frozenset("do does did".split())
DETERMINERS = frozenset(
    "a an the this these those every each some any no his her its their my our your another all"
    " both several many few such most more".split()
)
_CLOSED = {
    **dict.fromkeys("is has does 's".split(), "VBZ"),
    **dict.fromkeys("are am have do 're 'm 've".split(), "VBP"),
    **dict.fromkeys("was were had did".split(), "VBD"),
    **dict.fromkeys(
        "will would can could may might must shall should ca wo 'll 'd cannot".split(), "MD"
    ),
    **dict.fromkeys("he she it they we i you him them us me".split(), "PRP"),
    **dict.fromkeys("his its their my our your whose".split(), "PRP$"),
    **dict.fromkeys("who whom".split(), "WP"),
    **dict.fromkeys("when where why how".split(), "WRB"),
    **dict.fromkeys("and or but nor plus &".split(), "CC"),
    **dict.fromkeys("not n't also then never later still now subsequently".split(), "RB"),
    **dict.fromkeys("a an the this these those every each some any no another".split(), "DT"),
    **dict.fromkeys(
        "of in on at by for from with as into onto about against during through between among"
        " since until after before because although though while whereas if unless whether"
        " despite without within across per via than like under over near around behind above"
        " below toward towards throughout upon".split(),
        "IN",
    ),
    **dict.fromkeys("such several many few most more all both other various own".split(), "JJ"),
    "to": "TO", "that": "IN", "which": "WDT", "what": "WP", "be": "VB", "been": "VBN",
    "being": "VBG", "her": "PRP$", "there": "EX", "according": "VBG", "so": "RB", "yet": "RB",
}  # fmt: skip
_PAST_ONLY = frozenset(
    "went took gave wrote became began came saw knew did ate drove rose chose broke spoke fell flew"
    " grew ran sang swam threw wore drew stole shook swore woke froze hid rode blew underwent"
    " overcame was were had arose forgot got".split()
)
_PLURALS = frozenset("people police deer cattle fish sheep".split())
_COMMANDS = frozenset("sauté saute preheat".split())
_KNOWN = {
    **dict.fromkeys(_PAST_ONLY, "VBD"),
    **dict.fromkeys(_PLURALS, "NNS"),
    **dict.fromkeys(_COMMANDS, "VB"),
}
_UNLISTED = frozenset("sauté saute preheat reboot upload download".split())
_TIGHT = frozenset("RB RBR RBS".split())
_SIGNS = frozenset(",;:—–-()[].!?…\"'“”‘’")
_GIVEN_NAMES = (HE | SHE) - NAME_WORDS  # "Mark" may begin a sentence as a verb, "John" may not
_lock = Lock()


@cache
def _tagger() -> Any:
    from textblob import en  # pyright: ignore[reportMissingTypeStubs]  (it takes a second)

    parser: Any = en.parser
    # Its tables are read from files that it leaves to be closed when nobody holds them.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        parser.find_tags(["Anna", "walks", "unheardofly"])
    return parser


def _tagger_once() -> Any:
    with _lock:  # its word list is read at the first use, which must not happen twice at once
        return _tagger()


@cache
def can_be_verb(word: str) -> bool:
    """Tell whether a word, in small letters and its plain form, is a verb, too.

    Examples:
        >>> can_be_verb("work"), can_be_verb("mayor")
        (True, False)
    """
    known: Any = _tagger_once().lexicon
    stem = word[:-1] if word.endswith("e") else word
    doubled = word + word[-1:]
    forms = (stem + "ed", stem + "ing", doubled + "ed", doubled + "ing", word)
    tags = [str(known.get(form, "")) for form in forms]
    if word.endswith("y"):
        tags.append(str(known.get(word[:-1] + "ied", "")))
    return (
        word in _UNLISTED
        or word in _plain_irregulars()
        or any(tag.startswith("VB") for tag in tags)
    )


@cache
def _plain_irregulars() -> frozenset[str]:
    return frozenset(irregular_forms().values())


def plain_forms(word: str) -> tuple[str, ...]:
    """Return what a word in "s" may be the third person of.

    Examples:
        >>> plain_forms("carries")
        ('carry', 'carrie', 'carri')
    """
    if word.endswith("ies"):
        return word[:-3] + "y", word[:-1], word[:-2]
    if word.endswith("es"):
        return word[:-1], word[:-2]
    return (word[:-1],) if word.endswith("s") and not word.endswith("ss") else ()


def is_third_person(word: str) -> bool:
    """Tell whether a word in "s", in small letters, may be a verb."""
    return any(can_be_verb(plain) for plain in plain_forms(word))


def tag_words(texts: Sequence[str]) -> list[str]:
    """Return the tags of the words of a sentence; `"QUOTE"` and `"BRACKET"` stay what they are."""
    if not texts:
        return []
    # What follows a colon begins like a sentence.
    places = [0 if at and texts[at - 1] == ":" else at for at in range(len(texts))]
    found = _tagger_once().find_tags(["Thing" if _is_closed(text) else text for text in texts])
    keys = [text.lower() for text in texts]
    tags = [
        text if _is_closed(text) else _own_tag(text, key, str(tag), at)
        for at, text, key, (_, tag) in zip(places, texts, keys, found, strict=True)
    ]
    for at in range(len(tags)):
        if tags[at] not in ("QUOTE", "BRACKET") and keys[at] not in _CLOSED:
            tags[at] = _corrected(keys, tags, at)
    _fix_closed(keys, tags)
    _give_verbs(keys, tags)
    _give_second_verbs(keys, tags)
    return tags


def _is_closed(text: str) -> bool:
    return text in ("QUOTE", "BRACKET")


def _own_tag(text: str, key: str, tag: str, at: int) -> str:
    """Return the tag of a word for itself; `at` is 0 where a sentence begins."""
    if text in _SIGNS:
        return "," if text in ",—–" else text
    if text[0].isdigit():
        return "JJ" if "-" in text and text[-1].isalpha() else "CD"
    is_name = at and text[0].isupper() and key in ("us", "it", "may", "will", "can")
    if key in _CLOSED and not (is_name and (text.isupper() or key in ("may", "will"))):
        return _CLOSED[key]
    if at and text[0].isupper():
        # A capital within a sentence is a name's, whatever the list says.
        return "NNPS" if tag == "NNPS" else "NNP"
    if (
        at == 0
        and tag == "NNP"
        and key not in HE | SHE
        and (lower := str(_tagger_once().lexicon.get(key, "")))
    ):
        tag = lower
    return _KNOWN.get(key) or _of_form(text, key, tag)


def _of_form(text: str, key: str, tag: str) -> str:
    """Return the tag of a word of the open classes, corrected by how it is written."""
    if "-" in key and key.endswith("ed"):
        return "VBN"
    if "-" in key and tag in ("VBD", "VBN", "VBP", "VB"):
        return "JJ"
    return "SYM" if not text[0].isalnum() and tag in NOUNS else tag


def _corrected(keys: list[str], tags: list[str], at: int) -> str:
    """Return the tag of a word of the open classes, by the word before it."""
    tag, key = tags[at], keys[at]
    if at == 0 or tag in ("NNP", "NNPS", "CD", "SYM"):
        return tag
    before = _before(tags, at)
    previous, previous_tag = keys[before], tags[before]
    adjacent = keys[at - 1], tags[at - 1]
    if adjacent[1] in ("DT", "PRP$", "POS") or adjacent[0] in DETERMINERS:
        return _as_noun(key, tag, tags, at)
    if (
        adjacent[1] in ("JJ", "CD", "JJR", "JJS")
        and tag in ("VB", "VBP", "VBZ")
        and at + 1 < len(tags)
    ):
        return _as_noun(key, tag, tags, at)
    if previous_tag == "MD" or previous in DO:
        return "VB" if tag in ("NN", "VBP", "VB", "VBD", "JJ") and can_be_verb(key) else tag
    if adjacent[0] == "to":
        return "VB" if tag in ("VB", "VBP") or (tag == "NN" and can_be_verb(key)) else tag
    if previous in SUBJECT_PRONOUNS or previous in ("who", "which"):
        return _as_verb(key, tag)
    if previous in BE or previous in HAVE:
        is_participle = tag == "VBD" or (tag in ("VB", "VBP") and key in irregular_forms())
        return "VBN" if is_participle and key not in _PAST_ONLY else tag
    is_agent = keys[at + 1 : at + 2] == ["by"] and key.endswith("ed")
    if tag == "VBD" and is_agent and adjacent[1] in NOUNS:
        return "VBN"
    if tag == "VB" and previous_tag in ("NNS", "NNPS"):
        return "VBP"
    return tag


def _before(tags: list[str], at: int) -> int:
    """Return the place of the word before, adverbs left out."""
    at -= 1
    while at > 0 and tags[at] in _TIGHT:
        at -= 1
    return at


def _as_noun(key: str, tag: str, tags: list[str], at: int) -> str:
    if tag in ("VB", "VBP", "VBD"):
        return "JJ" if key.endswith("ed") else "NN"
    if tag == "VBZ":
        return "NNS"
    if tag == "VBN":
        return "JJ"
    if tag == "VBG":  # "the ongoing investigation", but "the ruling"
        return "JJ" if at + 1 < len(tags) and tags[at + 1] in ("NN", "NNS") else "NN"
    return tag


def _as_verb(key: str, tag: str) -> str:
    if tag == "VBN":
        return "VBD"
    if tag in ("NNS", "NN") and is_third_person(key):
        return "VBZ"
    if tag in ("NN", "VB", "JJ") and can_be_verb(key):
        return "VBP"
    return tag


def _fix_closed(keys: list[str], tags: list[str]) -> None:
    """Correct the words that are of two kinds: "'s", "her", "that", "there"."""
    for at, key in enumerate(keys):
        after = tags[at + 1] if at + 1 < len(tags) else ""
        if (key == "'s" and (not at or keys[at - 1] not in _WITH_IS)) or (
            key == "'" and at and keys[at - 1].endswith("s")
        ):
            tags[at] = "POS"
        elif key == "her" and after not in NOUNS | {"JJ", "CD", "VBG", "JJS"}:
            tags[at] = "PRP"
        elif key == "that" and (after in FINITE or after == "RB"):
            tags[at] = "WDT" if at and tags[at - 1] in NOUNS else "DT"
        elif key == "that" and (at == 0 or tags[at - 1] == "IN"):
            tags[at] = "DT"
        elif key in ("have", "do") and at and tags[_before(tags, at)] in ("TO", "MD"):
            tags[at] = "VB"
        elif key == "there" and after not in FINITE:
            tags[at] = "RB"


_WITH_IS = frozenset("it he she that there what who here where how".split())


def _give_verbs(keys: list[str], tags: list[str]) -> None:
    """Tell finite verbs from participles and nouns, a part of the sentence after the other."""
    start = 0
    ends_apart = _verb_after_comma(tags)
    for at in range(len(tags) + 1):
        if at == len(tags) or tags[at] in _BORDERS or _opens_clause(keys, tags, at):
            _give_verb(keys, tags, start, at, reduced=at < ends_apart)
            start = at + 1
    if FINITE.isdisjoint(tags) and tags[0] in NOUNS | {"DT"}:
        # "Lee, a former teacher, founded a school."
        for at in range(1, len(tags) - 1):
            if tags[at] == "VBN" and tags[at - 1] == "," and tags[at + 1] != "IN":
                tags[at] = "VBD"
                break
    _end_insertion(tags)
    for at in range(2, len(tags) - 1):
        if tags[at] == "NNS" and tags[at - 1] == "CC" and _is_second_verb(keys, tags, at):
            tags[at] = "VBZ"


def _opens_clause(keys: Sequence[str], tags: Sequence[str], at: int) -> bool:
    return keys[at] in _CONJUNCTIONS and tags[at + 1 : at + 2] == ["PRP"]


def _end_insertion(tags: list[str]) -> None:
    """Make a verb of what follows ", which …,": "the work, which was known, allowed for it"."""
    for at in range(2, len(tags)):
        if tags[at] in ("WDT", "WP") and tags[at - 1] == ",":
            closing = next((end for end in range(at, len(tags) - 1) if tags[end] == ","), 0)
            if closing and tags[closing + 1] == "VBN" and FINITE.isdisjoint(tags[: at - 1]):
                tags[closing + 1] = "VBD"
            return


def _give_second_verbs(keys: list[str], tags: list[str]) -> None:
    """Make a verb of "start" in "they drop it and start a search", and in "will drop and start"."""
    for at in range(2, len(tags) - 1):
        link = _before(tags, at)
        if tags[link] != "CC" or keys[link] not in ("and", "but") or link < 2:
            continue
        if tags[at] not in ("VB", "NN", "JJ") or not can_be_verb(keys[at]):
            continue
        if tags[at] != "VB" and tags[at + 1] not in _OBJECTS[1:]:
            continue
        tags[at] = _tag_of_first_verb(keys, tags, link) or tags[at]


def _tag_of_first_verb(keys: Sequence[str], tags: Sequence[str], end: int) -> str:
    """Return the tag of a second verb in its plain form, by the first verb before it."""
    for at in range(end - 1, 0, -1):
        if tags[at] == "MD" or keys[at] in DO:
            return "VB"
        if tags[at] == "TO" and tags[at + 1] == "VB":
            return ""
        if tags[at] in FINITE:
            return "VBP" if tags[at] == "VBP" and keys[at] not in BE | HAVE else ""
    return ""


def _verb_after_comma(tags: Sequence[str]) -> int:
    """Return the place of the last verb right after a comma, whose subject stands before that."""
    return max(
        (at for at in range(1, len(tags)) if tags[at - 1] == "," and tags[at] in FINITE), default=0
    )


def _is_second_verb(keys: Sequence[str], tags: Sequence[str], at: int) -> bool:
    """Tell whether a noun after "and" is a verb, as in "tries to win and plans to stay"."""
    follows = ("TO", "DT", "PRP$", "PRP", "IN") if keys[at - 1] == "but" else _OBJECTS
    return (
        tags[at + 1] in follows
        and "VBZ" in tags[:at]
        and tags[at - 2] not in ("DT", "JJ", "PRP$")
        and is_third_person(keys[at])
    )


def _give_verb(keys: list[str], tags: list[str], start: int, end: int, *, reduced: bool) -> None:
    """Make a verb of the word that can be one where a part with a subject has none."""
    if any(tag in FINITE for tag in tags[start:end]):
        return
    subject = next((at for at in range(start, end) if tags[at] in NOUNS | {"PRP"}), None)
    if start < end and keys[start] in _CONJUNCTIONS:
        start += 1
    if subject is None or start >= end or tags[start] in ("IN", "TO", "VBG", "VBN", "VB"):
        return
    for at in range(subject + 1, end):
        if tags[at - 1] in ("IN", "TO", "DT", "JJ"):
            continue  # "in adjusted profits"
        if tags[at] == "VBN" and not _has_auxiliary(keys, tags, at):
            # "a statement released by his wife, Elaine, criticised both".
            if not reduced and (at + 1 >= end or keys[at + 1] != "by"):
                tags[at] = "VBD"
            return
    for at in range(subject + 1, min(end, len(tags) - 1)):
        is_numbered = tags[at - 1] == "CD" and tags[at - 2] in NOUNS  # "passage 2 adds"
        if (is_numbered or tags[at - 1] in NOUNS | {"RB"}) and (
            verb := _verb_tag(keys, tags, start, at)
        ):
            tags[at] = verb
            return


def _verb_tag(keys: Sequence[str], tags: Sequence[str], start: int, at: int) -> str:
    """Return the tag of a noun that is a verb after its subject; empty if it is none."""
    after = tags[at + 1]
    if after == "IN" and tags[at - 1] == "NNS" and tags[at] == "NN" and can_be_verb(keys[at]):
        return "VBP"
    if after not in _AFTER_VERB and keys[at + 1] not in DETERMINERS:
        return ""
    if tags[at] == "NNS" and is_third_person(keys[at]):
        return "VBZ"
    is_plural = tags[at - 1] == "NNS" or (tags[at] == "VB" and "NNS" in tags[start:at])
    return "VBP" if tags[at] in ("NN", "VB") and is_plural and can_be_verb(keys[at]) else ""


_CONJUNCTIONS = frozenset("while whereas although though because if when as since unless".split())
_BORDERS = frozenset((",", ";", ":", "CC", "WDT", "WP", "WRB"))
_OBJECTS = ("TO", "DT", "PRP$", "PRP")
_AFTER_VERB = frozenset("DT PRP$ PRP CD JJ RB TO NNP NNS QUOTE".split())


def _has_auxiliary(keys: list[str], tags: list[str], at: int) -> bool:
    before = _before(tags, at)
    return keys[before] in BE or keys[before] in HAVE
