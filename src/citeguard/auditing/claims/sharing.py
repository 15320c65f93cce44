"""What a second verb or clause shares with the first: "was arrested and charged"."""

from __future__ import annotations

from collections.abc import Sequence

from citeguard.auditing.claims.phrases import (
    ADVERBS,
    Clause,
    Group,
    clause_at,
    group_at,
    is_nominal,
    verb_after,
)
from citeguard.auditing.claims.scope import is_subordinate
from citeguard.auditing.claims.word_list import DETERMINERS, FINITE
from citeguard.auditing.claims.words import Word
from citeguard.facts.tables import root

Place = tuple[int, int]
"""A half-open interval of words."""

# Verbs that are active after a passive: "was born in Rome and moved to Paris".
_ACTIVE = frozenset(
    map(
        root,
        "move die live return arrive go come fall rise grow become remain study graduate"
        " work continue begin retire attend join win lose escape flee survive suffer occur happen"
        " appear emerge travel stay spend lead marry resign sink crash collapse start end change"
        " increase decrease decline develop expand extend consist belong rely depend focus result"
        " last".split(),
    )
)
_ACTIVE_AS = frozenset("served acted functioned operated doubled".split())
_PASSIVE_BEFORE = frozenset("with to for from into as of by".split())
# Participles that go with what stands before them: "sales of $5, compared to $4 a year ago".
_ADJUNCTS = frozenset(
    "compared based given followed coupled combined aimed driven related located known called named"
    " dubbed titled entitled accompanied associated caused used designed intended located".split()
)
# Participles that are found before a noun as often as after a subject.
_PARTICIPLES = frozenset(
    "increased reduced improved limited abandoned inherited advanced enhanced fixed mixed combined"
    " related required needed proposed planned expected estimated added continued".split()
)
_OBJECTS = frozenset(("DT", "PRP", "PRP$", "CD", "NNP", "$", "QUOTE"))
_PRESENT = frozenset(("VBZ", "VBP"))
_SUBJECTS = frozenset(("DT", "PRP$", "EX"))


def shared_auxiliaries(
    words: Sequence[Word], group: Group, verb: int, end: int
) -> tuple[Place, ...] | None:
    """Return what a second verb shares of the first group; `None` if it is no second verb.

    Args:
        words: The words of the sentence.
        group: The first verbs.
        verb: Place of the second one, or of what may be one.
        end: Where the sentence ends.
    """
    tag = words[verb].tag
    if tag in FINITE and not (tag == "VBD" and words[verb].key.endswith("ed")):
        return () if _agrees(tag, words[group.verb].tag) else None
    if tag in ("VBD", "VBN"):
        return _of_past(words, group, verb, end)
    if group.denied:
        return None
    between = [word.tag for word in words[group.main + 1 : verb]]
    if tag == "VB" and group.kind == "modal" and words[group.main].tag == "VB":
        return None if "TO" in between or "VB" in between else _auxiliaries(words, group)
    if tag == "VBG" and group.kind == "progressive":
        return None if "VBG" in between else _auxiliaries(words, group)
    return None


def _agrees(tag: str, first: str) -> bool:
    """Tell whether a finite verb fits the subject: "study" after "he works and" does not."""
    if tag == "VBP":
        return first == "VBP"
    return tag != "VBZ" or first in ("VBZ", "MD", "VBD")


def _of_past(words: Sequence[Word], group: Group, verb: int, end: int) -> tuple[Place, ...] | None:
    """Return the same for a form that may be a past tense or a participle."""
    if words[verb].key in _ADJUNCTS:
        return None
    has_object = _has_clear_object(words, verb + 1, end)
    if group.kind == "simple" or words[group.verb].key == "did":
        is_past = words[group.verb].tag == "VBD" or (has_object and _is_apart(words, verb))
        return () if is_past and (has_object or _is_past(words, verb, end)) else None
    if group.kind == "perfect":
        return None if group.denied else _auxiliaries(words, group)
    if group.kind in ("be", "passive") and has_object:
        return ()  # a participle has none
    if group.kind in ("be", "passive") and is_nominal(words, verb + 1, end):
        return () if _is_past(words, verb, end) else None
    was = words[group.verb].key in ("was", "were")
    after = words[verb + 1].key if verb + 1 < end else ""
    if root(words[verb].key) in _ACTIVE or (words[verb].key in _ACTIVE_AS and after == "as"):
        return () if was and group.kind in ("be", "passive") else None
    if group.kind != "passive" or group.denied:
        return None
    return _auxiliaries(words, group) if _is_participle(words, verb, end) else None


def _is_apart(words: Sequence[Word], verb: int) -> bool:
    """Tell whether ", and" stands before a verb, which may be of another tense, then."""
    return verb > 1 and words[verb - 1].key == "and" and words[verb - 2].tag == ","


def _is_past(words: Sequence[Word], verb: int, end: int) -> bool:
    """Tell a past tense from a participle before a noun: "bought cars and used trucks"."""
    word = words[verb]
    if not is_nominal(words, verb + 1, end):
        return True
    return word.tag == "VBD" and word.key not in _PARTICIPLES


def _is_participle(words: Sequence[Word], verb: int, end: int) -> bool:
    """Tell whether a phrase follows that a passive has, or nothing."""
    return verb + 1 >= end or words[verb + 1].key in _PASSIVE_BEFORE


def _has_clear_object(words: Sequence[Word], at: int, end: int) -> bool:
    return at < end and (words[at].tag in _OBJECTS or words[at].key in DETERMINERS)


def _auxiliaries(words: Sequence[Word], group: Group) -> tuple[Place, ...]:
    """Return the auxiliaries of a group without the adverbs among them."""
    places = range(group.verb, group.main)
    return tuple((at, at + 1) for at in places if words[at].tag not in ADVERBS)


def is_short_passive(words: Sequence[Word], group: Group, at: int, verb: int, end: int) -> bool:
    """Tell whether two participles share nothing after them: "was arrested and charged with"."""
    after = words[verb + 1].key if verb + 1 < end else ""
    return group.kind == "passive" and at == group.main + 1 and after in _PASSIVE_BEFORE - {"by"}


def second_report(
    words: Sequence[Word], group: Group, at: int, right: int, end: int
) -> tuple[Place, ...] | None:
    """Return what goes before a second thing that is said, after the one who says it.

    Without a comma a second clause is said, too. A second verb is, if its tense shows that it is
    not the verb of the one who says it: "she says that he came and left".

    Args:
        words: The words of the sentence.
        group: The verbs of saying.
        at: Where the first thing ends.
        right: Where the second one begins.
        end: Where the sentence ends.
    """
    said = _said(words, group, at)
    if said is None:
        return None
    opening = (group.verb, group.main + 2)
    clause = clause_at(words, right, end)
    if clause is not None:
        return (opening,) if words[clause.subject].tag in _SUBJECTS else None
    verb = verb_after(words, right, end)
    if verb >= end or words[verb].tag not in FINITE or at == said.verb + 1:
        return None
    if _tense(words[verb]) != _tense(words[said.verb]) or _tense(words[verb]) == _tense(
        words[group.verb]
    ):
        return None
    return (opening, (said.subject, said.subject_end))


def _said(words: Sequence[Word], group: Group, at: int) -> Clause | None:
    """Return the clause after "that", if no other verb stands between it and a place."""
    if group.denied or group.main + 2 >= at or words[group.main + 1].key != "that":
        return None
    clause = clause_at(words, group.main + 2, at)
    if clause is None or is_subordinate(words, group_at(words, clause.verb, at), at):
        return None
    return clause


def _tense(word: Word) -> str:
    return "present" if word.tag in _PRESENT else word.tag
