"""What a split would tear apart: reported words, conditions, pairs, lists and ellipses."""

from __future__ import annotations

from collections.abc import Sequence

from citeguard.auditing.claims.phrases import ADVERBS, CONDITIONS, Group, clause_at, verb_after
from citeguard.auditing.claims.word_list import BE, DO, FINITE, HAVE, NOUNS
from citeguard.auditing.claims.words import Word
from citeguard.text.reading.tables import root

_AUXILIARIES = BE | HAVE | DO | frozenset("will would can could may might must should".split())
_PAIRED = frozenset("either neither both nor whether".split())
_SUBORDINATE = frozenset("because that whose although though whereas".split())
# Verbs whose complement is what somebody says or thinks, and not what is so.
_REPORTING = frozenset(
    map(
        root,
        "say state claim report believe think argue suggest allege deny announce add note explain"
        " tell warn insist assert admit acknowledge mention indicate show find reveal hope expect"
        " suspect assume estimate conclude know learn realize hear doubt wish feel propose imply"
        " confirm declare testify write agree ensure mean".split(),
    )
)


def is_paired(words: Sequence[Word], verb: int, at: int) -> bool:
    """Tell whether "either", "both" or "not only" stands before a link in its clause."""
    keys = [word.key for word in words[verb:at]]
    return not _PAIRED.isdisjoint(keys) or ("only" in keys and "not" in keys)


def is_elliptic(words: Sequence[Word], verb: int, end: int) -> bool:
    """Tell whether a clause is only understood with the one before: "while others do not"."""
    return words[verb].key in _AUXILIARIES and all(
        word.tag in ADVERBS or word.tag in (",", "CC") for word in words[verb + 1 : end]
    )


def is_listed(words: Sequence[Word], at: int) -> bool:
    """Tell whether names are listed before ", and": "when Ann, Bob, and Eve founded it"."""
    first = at
    while first and words[first - 1].tag in NOUNS | {"DT", "JJ", "CD", "POS", "PRP$"}:
        first -= 1
    return 0 < first < at and words[first - 1].tag == ","


def may_be_participle(words: Sequence[Word], group: Group, end: int) -> bool:
    """Tell whether the verb may be none: "a diet combined with rest and a walk is good"."""
    after = words[group.main + 1].tag if group.main + 1 < end else ""
    return group.kind == "simple" and words[group.main].key.endswith("ed") and after == "IN"


def is_conditional(words: Sequence[Word], group: Group, at: int) -> bool:
    """Tell whether "if" stands between the verb of a clause and a place."""
    return any(word.key in CONDITIONS for word in words[group.main + 1 : at])


def is_subordinate(words: Sequence[Word], group: Group, at: int) -> bool:
    """Tell whether another verb stands between the verb of a clause and a place."""
    return is_conditional(words, group, at) or any(
        word.tag in FINITE or word.tag in ("WDT", "WP", "WRB") or word.key in _SUBORDINATE
        for word in words[group.main + 1 : at]
    )


def is_reported(words: Sequence[Word], group: Group, at: int) -> bool:
    """Tell whether what stands before a place is what somebody says or thinks."""
    main = group.main
    if root(words[main].key) not in _REPORTING or words[main].key == "founded":
        return False
    return any(word.tag in FINITE or word.key in ("that", ":") for word in words[main + 1 : at])


def goes_on(words: Sequence[Word], verb: int, end: int) -> bool:
    """Tell whether the main clause may go on after ", which …", as with ", and left"."""
    return any(
        words[at].tag == "," and words[at + 1].tag in FINITE | {"CC", "RB", "VBN"}
        for at in range(verb, end - 1)
    )


def has_last_clause(words: Sequence[Word], verb: int, end: int) -> bool:
    """Tell whether ", and she did z" follows a clause in a list of them."""
    for at in range(verb + 1, end - 2):
        if words[at].tag == "," and words[at + 1].key == "and":
            return clause_at(words, at + 2, end) is not None
    return False


def has_last_item(words: Sequence[Word], verb: int, end: int) -> bool:
    """Tell whether ", and did z" or "and did z" follows an item of verbs."""
    for at in range(verb + 1, end - 1):
        if words[at].key == "or" and words[at - 1].tag == ",":
            return False
        if words[at].key == "and":
            last = verb_after(words, at + 1, end)
            if last < end and words[last].tag in FINITE | {"VBN", "VB"}:
                return True
    return False
