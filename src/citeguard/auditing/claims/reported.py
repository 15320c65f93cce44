"""Where what somebody says splits: "said that A came and the B left"."""

from __future__ import annotations

from collections.abc import Sequence

from citeguard.auditing.claims.phrases import Clause, Group, clause_at, group_at, verb_after
from citeguard.auditing.claims.scope import is_subordinate
from citeguard.auditing.claims.sharing import Place
from citeguard.auditing.claims.word_list import FINITE
from citeguard.auditing.claims.words import Word

_PRESENT = frozenset(("VBZ", "VBP"))
_SUBJECTS = frozenset(("DT", "PRP$", "EX"))


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
