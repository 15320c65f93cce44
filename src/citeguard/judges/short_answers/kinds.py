"""What kind of answer a question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from citeguard.language.grammar import AUXILIARIES
from citeguard.language.terms import stem

AnswerKind = Literal["yes_no", "number", "date", "person", "place", "name", "phrase", "open"]
"""`open` is a question without a short answer, or one that takes reasoning."""

_WORD = re.compile(r"[^\W_]+(?:['’.&-][^\W_]+)*|%")
_AUXILIARIES = AUXILIARIES | {f"{word}n't" for word in AUXILIARIES} | {"can't", "won't"}
_MEASURED = frozenset(
    "many much long old far tall high deep wide big large fast heavy hot cold thick late early"
    " close".split()
)
# A comparison takes two answers, and reasoning.
_COMPARING = frozenset(
    "or both same common difference differ besides other than else except compared"
    " respectively".split()
)
_COPULAS = frozenset("is are was were".split())
_ARTICLES = frozenset("the a an".split())
_LINKS = frozenset(
    "of in on at for to from by with that who which and between during as than after before about"
    " called happened".split()
)
_ASKING = frozenset("what which how".split())
_QUESTION_WORDS = _ASKING | frozenset("who whom whose when where why".split())
_AGENT_REACH = 5  # words before the verb: "Which small European country ceded …?"
_ASKS_MORE = frozenset("explain describe discuss compare summarize summarise list why".split())
_NOUNS: dict[AnswerKind, str] = {
    "date": "year date day month century decade season weekday era",
    "number": "percentage percent number amount age price cost distance height length width weight"
    " population temperature speed rate ratio score total fraction salary size depth proportion"
    " share quantity volume",
    "person": "person man woman president king queen emperor actor actress author writer singer"
    " player scientist director composer general pope minister politician artist architect"
    " inventor philosopher mathematician economist engineer coach quarterback producer poet"
    " novelist leader owner founder chairman",
    "place": "city country state place town county continent region island river lake ocean sea"
    " mountain street province village district capital territory area location venue stadium"
    " neighborhood airport",
    "name": "company band team film movie book album song magazine organization organisation"
    " university school college party group newspaper channel network label club league show"
    " series ship agency church religion language dynasty treaty award prize war battle name title"
    " publication studio station institution game program museum brand airline bank court festival"
    " nationality conference",
}
_KIND_OF_NOUN: dict[str, AnswerKind] = {
    noun: kind for kind, nouns in _NOUNS.items() for noun in nouns.split()
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a question asks for.

    Attributes:
        kind: The kind of answer.
        unit: The stem of what is counted or measured: "employe" for "How many employees …?".
    """

    kind: AnswerKind
    unit: str | None = None


def asked_for(question: str) -> Asked:
    """Return what an English question asks for, by its question word and the noun after it.

    Several questions, and one that takes reasoning ("Which of the two …?"), are `open`.

    Examples:
        >>> asked_for("How many employees resigned?"), asked_for("In which year did they?").kind
        (Asked(kind='number', unit='employe'), 'date')
    """
    words = _words(question)
    if question.count("?") > 1 or _ASKS_MORE & {*words[:2]} or _COMPARING & {*words}:
        return Asked(kind="open")
    places = [place for place, word in enumerate(words) if word in _QUESTION_WORDS]
    if words[:1] and words[0] in _AUXILIARIES:
        return Asked(kind="open" if places else "yes_no")
    if 0 not in places:  # "He founded which company?", and not the "who" of a relative clause
        places = [place for place in places if words[place] in _ASKING] or places
        if len(places) != 1:
            return Asked(kind="open")
    word, after = words[places[0]], words[places[0] + 1 :]
    if word == "how":
        return _by_measure(after[0] if after else "", after[1:])
    if word in ("what", "which"):
        return _by_noun(after)
    kinds: dict[str, AnswerKind] = {"when": "date", "where": "place", "why": "open"}
    return Asked(kind=kinds.get(word, "person"))


def asks_for_the_agent(question: str) -> bool:
    """Return whether a question asks who or what does something: "Who sold it?", "By whom …?".

    Examples:
        >>> asks_for_the_agent("Which country ceded it?"), asks_for_the_agent("Who was sold?")
        (True, False)
    """
    words = _words(question)
    if words[:1] == ["by"]:
        return True
    reach = 2 if words[:1] == ["who"] else _AGENT_REACH
    return words[:1] in (["who"], ["which"], ["what"]) and _AUXILIARIES.isdisjoint(words[:reach])


def _words(question: str) -> list[str]:
    return [word.lower().replace("’", "'") for word in _WORD.findall(question)]


def _until(words: Sequence[str], ends: frozenset[str]) -> list[str]:
    """Return the words before the first that is one of the ends."""
    place = next((place for place, word in enumerate(words) if word in ends), len(words))
    return [word.removesuffix("'s") for word in words[:place]]


def _by_measure(measure: str, after: Sequence[str]) -> Asked:
    if measure not in _MEASURED:
        return Asked(kind="open")
    counted = next((word for word in after if word not in ("more", "other", "different")), "")
    if measure in ("many", "much") and counted and counted not in _AUXILIARIES:
        return Asked(kind="number", unit=stem(counted))
    return Asked(kind="number")


def _by_noun(after: Sequence[str]) -> Asked:
    """Return what is asked for, by the noun before the first verb: "what German city did"."""
    head = _until(after[:3], _AUXILIARIES | _LINKS)
    if not head and after[:1] and after[0] in _COPULAS:  # "What is the capital of …?"
        head = _until([word for word in after[1:6] if word not in _ARTICLES], _LINKS)
    for word in head:
        if kind := _KIND_OF_NOUN.get(word) or _KIND_OF_NOUN.get(word.removesuffix("s")):
            return Asked(kind=kind)
    return Asked(kind="phrase")
