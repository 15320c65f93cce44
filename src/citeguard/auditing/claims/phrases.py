"""Phrases of a sentence: where a subject stands with its verb, and what introduces them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from citeguard.auditing.claims.word_list import BE, DETERMINERS, DO, FINITE, HAVE, NOUNS
from citeguard.auditing.claims.words import Word

# What a subject may begin with, and what may stand in it.
_FIRST = NOUNS | frozenset("DT PRP PRP$ JJ JJR JJS CD EX".split())
_WITHIN = _FIRST | frozenset("POS VBN IN RB RBR RBS VBG BRACKET $ SYM FW PDT # %".split())
ADVERBS = frozenset("RB RBR RBS".split())
SUBORDINATORS = frozenset(
    "if unless whether because although though while whereas when where after before until since"
    " that which who whom whose what why how as lest provided so"
    " when whenever wherever".split()
)
CONDITIONS = frozenset("if unless whether provided assuming lest".split())
_FACTS = frozenset(
    "difference distinction contrast advantage disadvantage drawback downside benefit reason"
    " problem fact result truth point".split()
)
_LONGEST_LEAD = 40
_LONGEST_SUBJECT = 40


def is_condition(words: Sequence[Word], at: int) -> bool:
    """Tell whether a condition begins at a place: "if it rains", but not "if needed"."""
    if words[at].key not in CONDITIONS:
        return False
    return at + 1 >= len(words) or words[at + 1].tag not in ("VBN", "JJ", "VBD")


class Clause(NamedTuple):
    """A subject and its finite verb, by the places of words; ends are exclusive."""

    subject: int
    subject_end: int
    verb: int


class Group(NamedTuple):
    """The verbs of a clause: its auxiliaries, and the form that carries the meaning.

    Attributes:
        verb: Place of the finite verb.
        main: Place of the last verb of the group.
        kind: `simple`, `be` (passive or predicate), `perfect`, `passive`, `progressive`, `modal`.
        denied: Whether "not" or the like stands in it.
    """

    verb: int
    main: int
    kind: str
    denied: bool


def clause_at(words: Sequence[Word], at: int, end: int, *, apposed: bool = False) -> Clause | None:
    """Return the clause whose subject begins at a place; `None` if none does.

    Args:
        words: The words of the sentence.
        at: Where the subject begins.
        end: Where the part of the sentence ends that is looked at, exclusive.
        apposed: Whether something between commas may stand after the subject.
    """
    first = at
    while first < end and words[first].tag in ADVERBS:
        first += 1
    if first >= end or words[first].tag not in _FIRST:
        return None
    seen, place = False, first
    while place < min(end, first + _LONGEST_SUBJECT):
        word = words[place]
        if word.tag in FINITE:
            return Clause(first, _without_adverbs(words, place), place) if seen else None
        if apposed and seen and word.tag == ",":
            verb = _after_insertion(words, place, end)
            return Clause(first, place, verb) if verb else None
        is_pointing = word.tag == "DT" and _is_pointing(words, first, place)
        is_link = word.key in ("who", "that", "which") and not is_pointing
        if seen and is_link and words[place - 1].tag != ",":
            verb = _after_relative(words, place, end)
            return Clause(first, _without_adverbs(words, verb), verb) if verb else None
        is_example = word.key == "as" and words[place - 1].key == "such"
        is_closed = word.key in SUBORDINATORS and not (is_example or is_pointing)
        if is_closed or not _may_stand_in_subject(words, place):
            return None
        seen = seen or word.tag in NOUNS | {"PRP", "EX", "DT", "CD"}
        place += 1
    return None


def _is_pointing(words: Sequence[Word], first: int, at: int) -> bool:
    """Tell whether "that" is a determiner: "people from that country", "that is why"."""
    if at > first:
        return words[at - 1].tag == "IN"
    return at + 1 < len(words) and words[at + 1].tag in FINITE | NOUNS | {"JJ"}


def _may_stand_in_subject(words: Sequence[Word], at: int) -> bool:
    word = words[at]
    return (
        word.tag in _WITHIN
        or word.tag == "TO"
        or (word.tag == "CC" and word.key in ("and", "&", "or"))
    )


def _after_relative(words: Sequence[Word], link: int, end: int) -> int | None:
    """Return the verb after "the man who saw it", whose own verb is another one."""
    own = verb_after(words, link + 1, end)
    if own >= end or words[own].tag not in FINITE:
        return None
    for at in range(group_at(words, own, end).main + 1, min(end, link + _LONGEST_SUBJECT)):
        if words[at].tag in FINITE:
            return at
        if words[at].key in SUBORDINATORS or words[at].tag not in _WITHIN | {"TO", "VB"}:
            return None
    return None


def _without_adverbs(words: Sequence[Word], verb: int) -> int:
    while words[verb - 1].tag in ADVERBS:
        verb -= 1
    return verb


def verb_after(words: Sequence[Word], at: int, end: int) -> int:
    """Return the place of the first word from a place on that is no adverb."""
    while at < end and words[at].tag in ADVERBS:
        at += 1
    return at


def is_comma(word: Word) -> bool:
    """Tell whether a word is a comma, or a quotation that ends with one, as American ones do."""
    return word.tag == "," or (word.tag == "QUOTE" and word.text[-2:-1] == ",")


def _after_insertion(words: Sequence[Word], comma: int, end: int) -> int | None:
    """Return the finite verb right after the comma that closes what one opens."""
    for at in range(comma + 1, min(end - 1, comma + _LONGEST_SUBJECT)):
        if is_comma(words[at]):
            verb = verb_after(words, at + 1, end)
            if verb < end and words[verb].tag in FINITE:
                return verb
            if words[at + 1].tag == "CC":
                return None
    return None


def first_clause(words: Sequence[Word], start: int, end: int) -> tuple[Clause, int] | None:
    """Return the main clause of a sentence, and the end of what introduces it.

    Examples:
        >>> from citeguard.auditing.claims.words import read_words
        >>> words = read_words("In 2019, Anna won.")
        >>> first_clause(words, 0, len(words))
        (Clause(subject=3, subject_end=4, verb=4), 3)
    """
    if clause := clause_at(words, start, end, apposed=True):
        return clause, start
    for at in range(start, min(end - 1, start + _LONGEST_LEAD)):
        if words[at].tag == "," and (clause := clause_at(words, at + 1, end, apposed=True)):
            if _is_list(words, at):
                continue
            return clause, at + 1
    return None


def _is_list(words: Sequence[Word], comma: int) -> bool:
    """Tell whether a comma parts items, and not what introduces a clause from it."""
    return comma + 1 < len(words) and words[comma + 1].tag == "CC"


def group_at(words: Sequence[Word], verb: int, end: int) -> Group:
    """Return the verb group that begins with a finite verb."""
    key, tag = words[verb].key, words[verb].tag
    at, main, denied, kind = verb + 1, verb, False, "simple"
    if tag == "MD":
        kind = "modal"
    while at < end and (words[at].tag in ADVERBS or words[at].tag in ("VB", "VBN", "VBG")):
        if words[at].tag in ADVERBS:
            denied = denied or words[at].key in ("not", "n't", "never", "hardly", "rarely")
        else:
            main = at
        at += 1
    if main == verb:
        return Group(verb, verb, "be" if key in BE else kind, denied)
    last = words[main].tag
    before = [word.key for word in words[verb:main]]
    if kind != "modal" and last == "VBN":
        kind = "passive" if before[-1] in BE or any(each in BE for each in before) else "perfect"
        if kind == "perfect" and not any(each in HAVE for each in before):
            kind = "simple"
    elif kind != "modal" and last == "VBG":
        kind = "progressive"
    elif key in DO:
        kind = "modal"
    return Group(verb, main, kind, denied)


def fact_after(words: Sequence[Word], clause: Clause, end: int) -> Clause | None:
    """Return the clause after "the difference is that", as it is said to be so."""
    group = group_at(words, clause.verb, end)
    after = group.main + 1
    is_open = group.kind == "be" and not group.denied and after < end
    if not is_open or words[after].key != "that":
        return None
    named = next(
        (each.key for each in words[clause.subject : clause.verb] if each.tag in NOUNS), ""
    )
    return clause_at(words, after + 1, end) if named.removesuffix("s") in _FACTS else None


def is_nominal(words: Sequence[Word], at: int, end: int) -> bool:
    """Tell whether an object may begin at a place."""
    if at >= end:
        return False
    word = words[at]
    return word.tag in NOUNS | {"DT", "PRP", "PRP$", "CD", "JJ", "$"} or word.key in DETERMINERS
