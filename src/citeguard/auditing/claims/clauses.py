"""Where a sentence splits into claims, and what each part needs of the parts before it.

Precision comes first: where it is not certain that a part stands alone, the sentence stays whole.
Nothing is split within a quotation or a bracket, under "if", in what somebody says, thinks or
denies, between "either" and "or", and never the objects or the subjects of one verb.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from citeguard.auditing.claims.imperatives import second_commands, verb_of_command
from citeguard.auditing.claims.phrases import (
    CONDITIONS,
    Clause,
    clause_at,
    fact_after,
    first_clause,
    group_at,
    is_comma,
    is_condition,
    verb_after,
)
from citeguard.auditing.claims.referents import antecedent
from citeguard.auditing.claims.scope import (
    goes_on,
    has_last_clause,
    has_last_item,
    is_clear_clause,
    is_conditional,
    is_elliptic,
    is_listed,
    is_paired,
    is_reported,
    is_subordinate,
)
from citeguard.auditing.claims.sharing import (
    Place,
    is_short_passive,
    second_report,
    shared_auxiliaries,
)
from citeguard.auditing.claims.word_list import FINITE
from citeguard.auditing.claims.words import Word

_LINKS = frozenset("and but while whereas although though so yet".split())
_LONGEST_ADVERBIAL = 8  # words between a link and the subject after it
_NO_SUBJECTS = frozenset("no none nobody neither nothing few only hardly either".split())
_TIMES = frozenset("after before since until as once when while because".split())
_NO_COMMANDS = frozenset(("or", "not", "n't"))
_CONTRASTS = frozenset(("while", "whereas"))
_CONCESSIONS = frozenset("although though whereas while".split())


class Part(NamedTuple):
    """A part of a sentence that stands alone, by places of words.

    Attributes:
        start: Its first word.
        end: After its last one, exclusive.
        carried: The intervals of words that are put before it, in order.
    """

    start: int
    end: int
    carried: tuple[Place, ...] = ()


class _State:
    """How far a sentence is read: the clause at hand, and the parts before it."""

    def __init__(self, words: Sequence[Word], lead: Place, clause: Clause, end: int) -> None:
        self.words, self.end = words, end
        self.parts: list[Part] = []
        self.lead = lead
        self.begin: tuple[int, tuple[Place, ...]] = (lead[0], ())
        self.enter(clause)

    def enter(self, clause: Clause) -> None:
        """Go on with a clause of its own subject."""
        self.subject: tuple[Place, ...] = ((clause.subject, clause.subject_end),)
        self.group = group_at(self.words, clause.verb, self.end)
        self.clause = clause

    def cut(self, end: int, start: int, carried: tuple[Place, ...]) -> None:
        """End the part at hand, and begin one with what is carried over to it."""
        first, before = self.begin
        self.parts.append(Part(first, end, before))
        self.begin = (start, carried)

    def finished(self) -> list[Part]:
        first, before = self.begin
        return [*self.parts, Part(first, self.end, before)]


def split(words: Sequence[Word]) -> list[Part]:
    """Return the parts of a sentence that stand alone; the whole of it if it does not split.

    Examples:
        >>> from citeguard.auditing.claims.words import read_words
        >>> words = read_words("Anna left Rome and moved to Paris.")
        >>> split(words)[1].carried
        ((0, 1),)
    """
    end = len(words)
    while end and words[end - 1].tag in (".", "!", "?", ":", ";", ","):
        end -= 1
    verb = verb_of_command(words)
    if verb is not None:
        return _commands(words, verb, end)
    found = first_clause(words, 0, end)
    if found is None:
        return [Part(0, end)]
    clause, lead_end = found
    if (fact := fact_after(words, clause, end)) is not None:
        return _split_from(words, fact, (0, lead_end), end)
    if lead_end and words[0].key in _CONCESSIONS and clause_at(words, 1, lead_end - 1):
        # What is conceded is said, too.
        return [Part(1, lead_end - 1), *_split_from(words, clause, (lead_end, lead_end), end)]
    return _split_from(words, clause, (0, lead_end), end)


def _split_from(words: Sequence[Word], clause: Clause, lead: Place, end: int) -> list[Part]:
    state = _State(words, lead, clause, end)
    _open_inserted(state)
    at = state.group.main + 1
    while at < end:
        at = _step(state, at)
    return state.finished()


def _commands(words: Sequence[Word], verb: int, end: int) -> list[Part]:
    """Return the commands of a sentence; all of it under a condition or where "to" goes before."""
    if any(is_condition(words, at) or words[at].key in _NO_COMMANDS for at in range(end)):
        return [Part(0, end)]
    parts: list[Part] = []
    start = 0
    for stop, following in second_commands(words, verb, end):
        parts.append(Part(start, stop))
        start = following
    return [*parts, Part(start, end)]


def _open_inserted(state: _State) -> None:
    """Make a claim of ", who …," between the subject of a sentence and its verb."""
    words, clause = state.words, state.clause
    opening = clause.subject_end
    if words[opening].tag != "," or words[opening + 1].key not in ("who", "which"):
        return
    verb = verb_after(words, opening + 2, state.end)
    closing = next((at for at in range(clause.verb - 1, opening, -1) if is_comma(words[at])), 0)
    named = antecedent(words, opening, verb)
    if words[verb].tag not in FINITE or closing <= verb or named != clause.subject:
        return
    # The words of the subject are carried over to both claims.
    last = closing + (words[closing].tag != ",")
    state.parts.append(Part(opening + 2, last, state.subject))
    state.begin = (closing + 1, (*_lead(state), *state.subject))


def _lead(state: _State) -> tuple[Place, ...]:
    """Return what introduces the first clause, if anything does."""
    first, last = state.lead
    return (state.lead,) if first < last <= state.subject[0][0] else ()


def _step(state: _State, at: int) -> int:
    """Look for a split at a place; return the next place to look at."""
    words, end = state.words, state.end
    word = words[at]
    if word.key == ";" and at + 1 < end:
        return _after_semicolon(state, at)
    if word.tag == "," and at + 2 < end and words[at + 1].key in _LINKS:
        # What follows a contrast that was not read is said of somebody else.
        unread = end if words[at + 1].key in _CONTRASTS else at + 2
        return _linked(state, at, at + 2, comma=True) or unread
    if word.tag == "," and at + 2 < end and words[at + 1].key in ("who", "which"):
        return _relative(state, at) or at + 2
    if word.key in ("and", "but") and at + 1 < end:
        return _linked(state, at, at + 1, comma=False) or at + 1
    if word.tag == "," and at + 1 < end:
        return _listed(state, at) or at + 1
    return at + 1


def _after_semicolon(state: _State, at: int) -> int:
    words, start = state.words, at + 1
    while start < state.end and (words[start].key in _LINKS or words[start].tag == ","):
        start += 1
    found = first_clause(words, start, state.end)
    if found is None or words[0].key in CONDITIONS:
        return at + 1
    clause, lead_end = found
    state.cut(at, start, ())
    state.lead = (start, lead_end)
    state.enter(clause)
    return state.group.main + 1


def _linked(state: _State, at: int, right: int, *, comma: bool) -> int | None:
    """Split before a link, if a clause or a second verb of the subject follows it."""
    words, end = state.words, state.end
    if is_paired(words, state.clause.verb, at):
        return None
    if is_reported(words, state.group, at):
        return _second_report(state, at, right, comma=comma)
    clause = _clause_after(words, right, end, comma=comma)
    if clause is not None and _stands_alone(state, at, clause, comma=comma):
        shared = not comma or words[state.lead[0]].key in CONDITIONS
        state.cut(at, right, _lead(state) if shared else ())
        state.lead = state.lead if shared else (0, 0)
        state.enter(clause)
        return state.group.main + 1
    if words[right].key == "that":  # "so that" tells what for
        return None
    if words[right - 1].key in ("and", "but", "yet") and clause is None:
        return _second_verb(state, at, right)
    return None


def _clause_after(words: Sequence[Word], right: int, end: int, *, comma: bool) -> Clause | None:
    """Return the clause after a link; after a comma something may stand in it or before it."""
    if not comma:
        return clause_at(words, right, end)
    is_gerund = words[right - 1].key in _CONTRASTS and words[right].tag == "VBG"
    if is_gerund and right + 1 < end and words[right + 1].tag in FINITE:
        return Clause(right, right + 1, right + 1)  # "while boiling produces bubbles"
    return clause_at(words, right, end, apposed=True) or _after_adverbial(words, right, end)


def _after_adverbial(words: Sequence[Word], right: int, end: int) -> Clause | None:
    """Return the clause after a short phrase, as in ", and a year later, she won"."""
    for at in range(right, min(end - 1, right + _LONGEST_ADVERBIAL)):
        if words[at].tag in FINITE or words[at].tag in ("CC", "VB", "VBN"):
            return None
        if words[at].tag == ",":
            return clause_at(words, at + 1, end)
    return None


def _second_report(state: _State, at: int, right: int, *, comma: bool) -> int | None:
    """Split what somebody says, with who says it before both parts."""
    words = state.words
    if words[right - 1].key != "and":
        return None
    if words[right].key == "that":
        return _second_complement(state, at, right)
    carried = None if comma else second_report(words, state.group, at, right, state.end)
    if carried is None:
        return None
    state.cut(at, right, (*_lead(state), *state.subject, *carried))
    return state.end  # who says what follows is not certain any more


def _second_complement(state: _State, at: int, right: int) -> int | None:
    """Split "said that … and that …", with what was said by whom before both."""
    words, main = state.words, state.group.main
    opens = main + 1 < at and words[main + 1].key == "that"
    if not opens or state.group.denied or clause_at(words, right + 1, state.end) is None:
        return None
    state.cut(at, right, (*_lead(state), *state.subject, (state.group.verb, main + 1)))
    return right + 1


def _stands_alone(state: _State, at: int, clause: Clause, *, comma: bool) -> bool:
    """Tell whether a clause after a link is said on its own."""
    words, group = state.words, state.group
    if is_elliptic(words, clause.verb, state.end) or is_reported(words, group, at):
        return False
    inner = words[group.main + 1 : at]
    if any(word.key in CONDITIONS or (word.key, word.tag) == ("that", "IN") for word in inner):
        return False
    if comma:
        return not is_listed(words, at)
    if is_subordinate(words, group, at):
        return False
    return is_clear_clause(words, group, at, clause, state.end)


def _second_verb(state: _State, at: int, right: int) -> int | None:
    """Split before a second verb of the same subject, as "and moved to Paris"."""
    words, group, end = state.words, state.group, state.end
    verb = verb_after(words, right, end)
    if verb >= end or words[state.subject[0][0]].key in _NO_SUBJECTS:
        return None
    if is_subordinate(words, group, at) or is_reported(words, group, at):
        return None
    # "washed and dried the dishes": the first verb has the object of the second.
    if at == group.main + 1 and not is_short_passive(words, group, at, verb, end):
        return None
    carried = shared_auxiliaries(words, group, verb, end)
    if carried is None or (not carried and words[right].key in ("not", "n't")):
        return None
    state.cut(at, right, (*_lead(state), *state.subject, *carried))
    if words[verb].tag in FINITE and not carried:
        state.group = group_at(words, verb, end)
    return verb + 1


def _relative(state: _State, comma: int) -> int | None:
    """Make a claim of the ", who …" or ", which …" that a sentence ends with."""
    words = state.words
    verb = verb_after(words, comma + 2, state.end)
    if verb >= state.end or words[verb].tag not in FINITE:
        return None
    if is_reported(words, state.group, comma) or is_conditional(words, state.group, comma):
        return None
    first = antecedent(words, comma, verb)
    if first is None or goes_on(words, verb, state.end):
        return None
    aged = words[comma - 1].tag == "CD" and words[comma - 2].tag == ","
    last = comma - 2 if aged else comma  # "Anna Lee, 26, who"
    state.cut(comma, comma + 2, ((first, last),))
    state.enter(Clause(first, last, verb))
    state.lead = (0, 0)
    return state.group.main + 1


def _listed(state: _State, comma: int) -> int | None:
    """Split at the first commas of "did x, did y, and did z"."""
    words, end = state.words, state.end
    if (clause := clause_at(words, comma + 1, end)) and has_last_clause(words, clause.verb, end):
        if is_subordinate(words, state.group, comma):
            return None
        if not _stands_alone(state, comma, clause, comma=True):
            return None
        state.cut(comma, comma + 1, ())
        state.enter(clause)
        return state.group.main + 1
    verb = verb_after(words, comma + 1, end)
    shared = {"passive": "VBN", "perfect": "VBN", "modal": "VB"}.get(state.group.kind, "")
    if verb >= end or words[verb].tag not in FINITE | {shared}:
        return None
    # "began after a man, Lee, was found": the verb is of "a man".
    if any(word.key in _TIMES for word in words[state.group.main + 1 : comma]):
        return None
    if not has_last_item(words, verb, end):
        return None
    return _second_verb(state, comma, comma + 1)
