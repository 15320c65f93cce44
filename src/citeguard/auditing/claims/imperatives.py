"""Sentences that tell what to do: "Add the rice, bring it to a boil and serve hot"."""

from __future__ import annotations

from collections.abc import Sequence

from citeguard.auditing.claims.phrases import ADVERBS, clause_at, is_nominal
from citeguard.auditing.claims.word_list import BE, FINITE, HAVE, NOUNS, can_be_verb
from citeguard.auditing.claims.words import Word

_BEFORE = frozenset("then next first finally lastly also and , : now alternatively step".split())
# Nouns that are commands after "and", in recipes: "add salt and cook for an hour".
_KITCHEN = frozenset(
    "cook toast bake season fry boil stir simmer drain rest chill roast grill top garnish coat"
    " rinse heat cover mix blend serve".split()
)
_TIMES = frozenset("while when once after before as until".split())
_SUBJECTS = frozenset("i he she we they".split())
_LONGEST_LEAD = 12  # words of "In a large pot over medium heat,"
_NO_COMMANDS = frozenset(
    "there here thank yes no not unlike like given including according based regarding".split()
)


def verb_of_command(words: Sequence[Word], start: int = 0) -> int | None:
    """Return the place of the verb with which a command begins; `None` if it is none.

    Examples:
        >>> from citeguard.auditing.claims.words import read_words
        >>> verb_of_command(read_words("In a pot, boil the rice."))
        4
    """
    if (verb := _verb_at(words, start)) is not None:
        return verb
    if start < len(words) and words[start].tag in ("IN", "TO", "WRB"):
        has_clause = words[start].key in _TIMES
        for at in range(start, min(len(words), start + _LONGEST_LEAD)):
            if words[at].tag in FINITE and not has_clause:
                return None
            if words[at].tag == ",":
                return _verb_at(words, at + 1)
    return None


def is_imperative(words: Sequence[Word]) -> bool:
    """Tell whether a sentence is a command."""
    return verb_of_command(words) is not None


def _verb_at(words: Sequence[Word], start: int) -> int | None:
    at = start
    while at < len(words) and (words[at].tag in ADVERBS or words[at].key in _BEFORE):
        if words[at].key in _NO_COMMANDS:
            return None
        at += 1
    if at + 1 >= len(words):
        return at if at < len(words) and words[at].tag == "VB" else None
    word, after = words[at], words[at + 1]
    if word.key in _NO_COMMANDS or word.key in BE | HAVE - {"have"} or after.key in _SUBJECTS:
        return None
    if word.tag in ("VB", "VBP"):
        # "Prompt investigation helped", whose first word the list takes for a verb.
        is_bare = after.tag in NOUNS | {"JJ", "VBG"} and not after.text[0].isupper()
        return None if is_bare and clause_at(words, at + 1, len(words)) else at
    is_base = word.tag in ("NN", "JJ", "NNP") and can_be_verb(word.key)
    return at if is_base and _is_object(words, at) else None


def _is_object(words: Sequence[Word], at: int) -> bool:
    """Tell whether what follows a word shows that it is a verb: "Cook the rice", "Heat to 80"."""
    after = words[at + 1]
    if any(word.tag in FINITE for word in words[at + 1 :]) and after.tag not in ("DT", "PRP$"):
        return False
    return after.tag in ("DT", "PRP$", "CD", "PRP", "IN", "TO", "RB")


def second_commands(words: Sequence[Word], verb: int, end: int) -> list[tuple[int, int]]:
    """Return where a command splits: (end of a part, start of the next), in order.

    A part must have what it is done to: "wash and dry the rice" is one.
    """
    found: list[tuple[int, int]] = []
    before = verb
    for at in range(verb + 1, end - 1):
        if words[at].tag not in (",", "CC", ";") and words[at].key != "then":
            continue
        if words[at].key == "or":
            return found if words[at - 1].tag != "," else []
        start = _after_links(words, at, end)
        if start >= end or at - before < 2:
            continue
        # "Use salt to melt the ice and clear the way": what for, and not what next.
        is_purpose = any(
            word.tag == "TO" and words[place + 1].tag == "VB"
            for place, word in enumerate(words[before + 1 : at], before + 1)
        )
        if is_purpose and "then" not in (words[at].key, words[start - 1].key):
            continue
        if _is_second(words, at, start, end):
            found.append((at, start))
            before = start
    return found


def _after_links(words: Sequence[Word], at: int, end: int) -> int:
    while at < end and (words[at].tag in (",", ";") or words[at].key in ("and", "then")):
        at += 1
    return at


def _is_second(words: Sequence[Word], at: int, start: int, end: int) -> bool:
    first = start
    while first < end and words[first].tag in ADVERBS:
        first += 1
    if first + 1 >= end or words[at - 1].tag in ("TO", "MD"):
        return False
    word, after = words[first], words[first + 1]
    is_verb = word.tag in ("VB", "VBP") or (word.tag in ("NN", "JJ") and can_be_verb(word.key))
    return is_verb and (
        after.tag in ("DT", "PRP$", "PRP")
        or (
            word.tag in ("VB", "VBP")
            and (is_nominal(words, first + 1, end) or words[at].key == "then")
        )
        or (word.tag == "VB" and after.tag in ("IN", "TO", "WP", "WRB"))
        or (word.key in _KITCHEN and after.tag in ("IN", "TO"))
    )
