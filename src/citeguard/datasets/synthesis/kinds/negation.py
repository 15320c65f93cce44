"""Negation: a "not" more or less, in grammatical English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from citeguard.datasets.synthesis.english import (
    is_participle,
    is_plural,
    past,
    plain_of_past,
    plain_of_third_person,
    third_person,
    verbs,
)
from citeguard.datasets.synthesis.material import Material
from citeguard.datasets.synthesis.passages import Edit, Passage, Rewrite
from citeguard.language.lexicon import ENGLISH
from citeguard.language.spelling import is_english_word

_BE = frozenset("is are was were".split())
_HAVE = frozenset("has have had".split())
_MODALS = frozenset("can will should must would could".split())
_OBLIGING = frozenset(("should", "must"))  # nobody is told not to do what is good
_NEGATORS = (ENGLISH.negators - {"refuse", "lack", "instead", "unlike"}) | {"unable", "unlikely"}
_UNFIT = _NEGATORS | {"despite", "although", "though", "therefore", "thus"}
# "Some are" and "some are not" can both be true, and "all are not" may mean either.
_VAGUE = frozenset(
    "some many most few several any all every each may might if unless whether until only both"
    " either perhaps possibly often sometimes usually generally because just after before while"
    " when once since although though".split()
)
_NOT_BEFORE = frozenset(
    "not nor neither who so than as what how why if whether that's then there here only never who's"
    " and or but is was are were to".split()
)
_NOT_AFTER = frozenset(
    "not no never only just both either neither hardly still yet always often usually sometimes"
    " mainly mostly largely partly even to too much more less rarely all each nothing none better"
    " already ever probably likely generally typically commonly in by when where what how why"
    " because almost nearly about most at".split()
)
_POINTING = frozenset(("here", "below", "above", "by"))
_SUBJECTS = frozenset("he she it they who which that we i".split())
_DETERMINERS = frozenset(
    "the a an his her its their our this that these those more two three four five six seven"
    " eight nine ten several one him them it".split()
)
_NP_STARTS = frozenset("the a an this his her its their these those".split())
_AFTER_NOT = frozenset(
    "only just necessarily all every yet until simply merely even because so too least always"
    " many much everyone everything entirely limited to".split()
)
_LONGEST_SUBJECT = 4  # words
_POLAR = re.compile(
    r"\b(?:but|instead|rather|any|anything|anyone|ever|either|nor|anymore|too|until)\b"
)
_OPEN = frozenset(("why", "whether", "if", "unless", "until"))
_AIMS = frozenset("sure ensure ensures so that".split())
# What a denied sentence would not tell more of: "It was not repaired, with new doors and lamps."
_DETAIL = re.compile(
    r"[,;:(—–]|--|\b(?:and|but|while|who|which|as|with|by \w+ing|to show|such|only)\b"
)
_LEAST_DENIED = 2
_MOST_DENIED = 14  # words after a "not" that is put in
_UNDENIED = re.compile(r"\bit (?:is|was|has been) \w+ that\b|[\"“”;:–—]|--|``", re.IGNORECASE)
_CONTRACTED = {
    **{f"{verb}n't": verb for verb in "is was are were could would should has have had".split()},
    "can't": "can",
    "won't": "will",
    "cannot": "can",
}
_DO = {"don't": "do", "doesn't": "does", "didn't": "did"}
_OPPOSITE = {
    "unable": "able", "able": "unable", "unlikely": "likely", "likely": "unlikely",
    "impossible": "possible", "possible": "impossible", "illegal": "legal", "legal": "illegal",
    "unsuccessful": "successful", "successful": "unsuccessful", "unknown": "known",
    "unconstitutional": "constitutional", "constitutional": "unconstitutional",
    "unsafe": "safe", "safe": "unsafe", "necessary": "unnecessary", "unnecessary": "necessary",
    "invalid": "valid", "valid": "invalid", "ineligible": "eligible", "eligible": "ineligible",
    "dependent": "independent", "independent": "dependent", "effective": "ineffective",
    "ineffective": "effective", "sufficient": "insufficient", "insufficient": "sufficient",
    "popular": "unpopular", "unpopular": "popular", "stable": "unstable", "unstable": "stable",
}  # fmt: skip
_BE_WORDS = frozenset("is are was were be been being became become remained remains not".split())


def find_negations(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield ways to take a denial away, or to put one in; the place of it is drawn."""
    if passage.text.rstrip().endswith("?"):
        return
    yield from _removals(passage)
    ways = list(_additions(passage)) if passage.keys.isdisjoint(_UNFIT) else []
    random.shuffle(ways)
    yield from ways
    yield from _opposites(passage)


def _removals(passage: Passage) -> Iterator[Rewrite]:
    for i, word in enumerate(passage.words):
        if _POLAR.search(passage.text, word.end) or passage.key(i + 1) in _AFTER_NOT:
            continue
        # "He is only a clerk and is not a lawyer" would be odd without its "not".
        if not passage.keys.isdisjoint(("although", "though")) or _is_open(passage, i):
            continue
        if {passage.key(i - 1), passage.key(i - 2)} & {"and", "or"}:
            continue
        edits = _removal(passage, i)
        if edits:
            yield Rewrite("denial removed", edits)


def _is_open(passage: Passage, i: int) -> bool:
    """Tell whether a clause leaves open or aims at what it says: "unclear why he was not"."""
    clause = {passage.key(k) for k in range(passage.clause_start(i), i)}
    return not clause.isdisjoint(_OPEN | _AIMS)


def _removal(passage: Passage, i: int) -> tuple[Edit, ...]:
    key, before = passage.key(i), passage.key(i - 1)
    if key == "not" and before in _BE | _HAVE | _MODALS:
        return (passage.removal(i, i),)
    if key == "not" and before in _DO.values():
        return _undone(passage, i - 1, i, before)
    if key in _DO:
        return _undone(passage, i, i, _DO[key])
    if key in _CONTRACTED and before and passage.words[i - 1].is_word:
        return (passage.edit(i, i, _CONTRACTED[key]),)
    return _other_removal(passage, i, key, before)


def _other_removal(passage: Passage, i: int, key: str, before: str) -> tuple[Edit, ...]:
    after = passage.key(i + 1)
    if key == "no" and after == "longer":
        return (passage.edit(i, i + 1, "still"),)
    if key == "no" and before in {*_BE, *_HAVE} and (is_plural(after) or after == "evidence"):
        return (passage.removal(i, i),)
    if key == "without" and not after.endswith("ing"):
        return (passage.edit(i, i, "with"),)
    return ()


def _undone(passage: Passage, first: int, last: int, do: str) -> tuple[Edit, ...]:
    """Make "won" of "did not win"."""
    verb = passage.key(last + 1)
    if verb not in verbs() and verb not in ("have", "do"):
        return ()
    if do == "do" and passage.clause_start(first) == first:  # "Do not use"
        return (passage.removal(first, last),)
    form = {"do": verb, "does": third_person(verb), "did": past(verb)}[do]
    return (passage.edit(first, last + 1, form),)


def _additions(passage: Passage) -> Iterator[Rewrite]:
    for i in range(1, len(passage.words) - 1):
        edit = _added(passage, i)
        if edit is not None and _is_plain(passage, i) and _is_short(passage, i):
            yield Rewrite("denial added", (edit,))


def _is_short(passage: Passage, i: int) -> bool:
    """Tell whether a verb is that of a short, simple sentence, of which a denial is believed."""
    end = next((k for k in sorted(passage.starts) if k > i), len(passage.words)) - 1
    sentence = max((k for k in passage.starts if k <= i), default=0)
    rest = passage.text[passage.words[i].end : passage.words[end].end]
    whole = passage.text[passage.words[sentence].start : passage.words[end].end]
    others = {passage.key(k) for k in range(sentence, end) if k != i} & (_BE | _HAVE | _MODALS)
    told = end - i > _LEAST_DENIED  # "as the other will not be."
    plain = told and not others and not _DETAIL.search(rest) and not _UNDENIED.search(whole)
    return plain and end - i <= _MOST_DENIED


def _is_plain(passage: Passage, i: int) -> bool:
    """Tell whether the clause before a verb has nothing that a "not" would not deny."""
    start = passage.clause_start(i)
    clause = {passage.key(k) for k in range(start, i)}
    return clause.isdisjoint(_VAGUE) and not _is_question(passage, start)


def _is_question(passage: Passage, start: int) -> bool:
    return passage.key(start) in ("what", "how", "why", "where", "when") or passage.text[-1] == "?"


def _added(passage: Passage, i: int) -> Edit | None:
    key, before, after = passage.key(i), passage.words[i - 1], passage.words[i + 1]
    if (
        before.key in _NOT_BEFORE
        or passage.key(0) in _POINTING
        or not (before.is_word or before.is_figure or before.text in ",)")
    ):
        return None
    if key in _BE | _HAVE | (_MODALS - _OBLIGING):
        return _added_to_auxiliary(passage, i)
    return _added_to_verb(passage, i) if after.key in _DETERMINERS else None


def _added_to_auxiliary(passage: Passage, i: int) -> Edit | None:
    key, after = passage.key(i), passage.words[i + 1]
    if after.key in ("still", "now") and key in _BE:
        return passage.edit(i + 1, i + 1, "no longer")
    if after.key == "also" and key in _BE | _MODALS:
        return passage.edit(i + 1, i + 1, "not")
    if after.key in _NOT_AFTER or _is_denial(after.key) or not (after.is_word or after.is_figure):
        return None
    if key in _HAVE:
        return _added_to_have(passage, i, after.key)
    if key in _MODALS and not (after.key in verbs() or after.key in ("be", "have", "do")):
        return None
    return passage.edit(i, i, "cannot" if key == "can" else f"{passage.words[i].text} not")


def _is_denial(word: str) -> bool:
    """Tell whether a word denies by its beginning: "unchanged"."""
    return word.startswith("un") and is_english_word(word.removeprefix("un"))


def _added_to_have(passage: Passage, i: int, after: str) -> Edit | None:
    if is_participle(after):
        return passage.edit(i, i, f"{passage.words[i].text} not")
    if after not in ("a", "an", "the", "its", "his", "her", "their"):
        return None
    do = {"has": "does", "have": "do", "had": "did"}[passage.key(i)]
    return passage.edit(i, i, f"{do} not have")


def _added_to_verb(passage: Passage, i: int) -> Edit | None:
    """Make "She did not win the" of "She won the"."""
    key = passage.key(i)
    before_it = plain_of_past(key), plain_of_third_person(key)
    if before_it == (None, None) or not _has_subject(passage, i):
        return None
    plain, is_past = (before_it[0], True) if before_it[0] else (before_it[1], False)
    return passage.edit(i, i, f"{'did' if is_past else 'does'} not {plain}")


def _has_subject(passage: Passage, i: int) -> bool:
    """Tell whether a verb follows a pronoun, or a short phrase that begins its clause."""
    before = passage.words[i - 1]
    if before.key in _SUBJECTS:
        return True
    start = passage.clause_start(i)
    words = passage.words[start:i]
    if not 0 < len(words) <= _LONGEST_SUBJECT or not all(word.is_word for word in words):
        return False
    if passage.key(start) in _NP_STARTS:
        return i - start > 1 and ENGLISH.qualifiers.isdisjoint(word.key for word in words)
    return all(word.is_capital for word in words) and start in passage.starts


def _opposites(passage: Passage) -> Iterator[Rewrite]:
    if not passage.keys.isdisjoint({"not", "no", "never", "if", "whether", "but"}):
        return
    for i, word in enumerate(passage.words):
        linked = passage.key(i - 1) in _BE_WORDS or passage.key(i + 1) == "to"
        if word.key in _OPPOSITE and linked and passage.key(i - 1) not in ("as", "most", "more"):
            yield Rewrite("opposite", (passage.edit(i, i, _OPPOSITE[word.key]),))
