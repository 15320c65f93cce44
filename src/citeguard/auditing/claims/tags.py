"""Parts of speech: those of a word list, corrected by what stands around a word.

The list knows one tag for each word: "works" is a noun, "left" a participle. Where a clause would
have no verb, or a noun would stand where only a verb can, the correction is made here.
"""

from __future__ import annotations

from collections.abc import Sequence

from citeguard.auditing.claims.finite import (
    give_second_verbs,
    give_verbs,
    may_be_plural,
    word_before,
)
from citeguard.auditing.claims.word_list import (
    BE,
    DETERMINERS,
    DO,
    FINITE,
    HAVE,
    HE,
    NOUNS,
    PAST_ONLY,
    SHE,
    SUBJECT_PRONOUNS,
    can_be_verb,
    is_third_person,
    tagger,
)
from citeguard.facts.tables import irregular_forms

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
# "Mark" may begin a sentence as a verb, "John" may not.
_GIVEN_NAMES = (HE | SHE) - frozenset("mark bill frank grace jack bob max jean christian".split())
# "Some say Anna left."
_PEOPLE = frozenset("some many most others all these those both few".split())
_SAYING = frozenset("say think believe argue suggest know hope assume agree insist".split())
_PLURALS = frozenset("people police deer cattle fish sheep".split())
_COMMANDS = frozenset("sauté saute preheat".split())
_KNOWN = {
    **dict.fromkeys(PAST_ONLY, "VBD"),
    **dict.fromkeys(_PLURALS, "NNS"),
    **dict.fromkeys(_COMMANDS, "VB"),
}
_SIGNS = frozenset(",;:—–-()[].!?…\"'“”‘’")


def tag_words(texts: Sequence[str]) -> list[str]:
    """Return the tags of the words of a sentence; `"QUOTE"` and `"BRACKET"` stay what they are."""
    if not texts:
        return []
    # What follows a colon begins like a sentence.
    places = [0 if at and texts[at - 1] == ":" else at for at in range(len(texts))]
    found = tagger().find_tags(["Thing" if _is_closed(text) else text for text in texts])
    keys = [text.lower() for text in texts]
    tags = [
        text if _is_closed(text) else _own_tag(text, key, str(tag), at)
        for at, text, key, (_, tag) in zip(places, texts, keys, found, strict=True)
    ]
    for at in range(len(tags)):
        if at and keys[at - 1] in _PEOPLE and keys[at] in _SAYING:
            tags[at] = "VBP"
        elif tags[at] not in ("QUOTE", "BRACKET") and keys[at] not in _CLOSED:
            tags[at] = _corrected(keys, tags, at)
    _fix_closed(keys, tags)
    give_verbs(keys, tags)
    give_second_verbs(keys, tags)
    return tags


def _is_closed(text: str) -> bool:
    return text in ("QUOTE", "BRACKET")


def _own_tag(text: str, key: str, tag: str, at: int) -> str:
    """Return the tag of a word for itself; `at` is 0 where a sentence begins."""
    if text in _SIGNS:
        return "," if text in ",—–" else text
    if text[0].isdecimal():
        return "JJ" if "-" in text and text[-1].isalpha() else "CD"
    is_name = at and text[0].isupper() and key in ("us", "it", "may", "will", "can", "a")
    if key in _CLOSED and not (is_name and (text.isupper() or key in ("may", "will"))):
        return _CLOSED[key]
    if at and text[0].isupper():
        # A capital within a sentence is a name's, whatever the list says.
        return "NNPS" if tag == "NNPS" else "NNP"
    if at == 0 and tag == "NNP" and key not in _GIVEN_NAMES:
        tag = str(tagger().lexicon.get(key, "")) or tag
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
    before = word_before(tags, at)
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
        return "VBN" if is_participle and key not in PAST_ONLY else tag
    is_agent = keys[at + 1 : at + 2] == ["by"] and key.endswith("ed")
    if tag == "VBD" and is_agent and adjacent[1] in NOUNS:
        return "VBN"
    is_plural = previous_tag in ("NNS", "NNPS") or (
        before == 0 and previous_tag == "NNP" and may_be_plural(previous)
    )
    if tag == "VB" and is_plural:
        return "VBP"
    return tag


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


_WITH_IS = frozenset("it he she that there what who here where how".split())


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
        elif key in ("have", "do") and at and tags[word_before(tags, at)] in ("TO", "MD"):
            tags[at] = "VB"
        elif key == "there" and after not in FINITE:
            tags[at] = "RB"
