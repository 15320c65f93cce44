"""What kind of answer a question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from citeguard.language.terms import stem

AnswerKind = Literal["yes_no", "number", "date", "person", "place", "name", "phrase", "open"]
"""`open` is a question without a short answer, or one that takes reasoning."""

_WORD = re.compile(r"[^\W_]+(?:['’.&-][^\W_]+)*|%")
_AUXILIARIES = frozenset(
    "is are was were am do does did can could will would has have had should shall may might must"
    " isn't aren't wasn't weren't don't doesn't didn't can't couldn't won't wouldn't hasn't haven't"
    " hadn't shouldn't".split()
)
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
_QUESTION_WORDS = frozenset("who whom whose when where how what which why".split())
_LEADS = frozenset("in on at to from by for with of approximately about during under".split())
_AGENT_REACH = 5  # words before the verb: "Which small European country ceded …?"
_SORTS = frozenset("type types kind kinds sort sorts ranking rank class category".split())
_ASKS_MORE = frozenset("explain describe discuss compare summarize summarise list why".split())
_NOUNS: tuple[tuple[AnswerKind, frozenset[str]], ...] = (
    (
        "date",
        frozenset(
            "year years date dates day month century decade season weekday era years-span".split()
        ),
    ),
    (
        "number",
        frozenset(
            "percentage percent number amount age price cost distance height length width weight"
            " population temperature speed rate ratio score total fraction salary size depth"
            " proportion share quantity volume".split()
        ),
    ),
    (
        "person",
        frozenset(
            "person man woman president king queen emperor actor actress author writer singer"
            " player scientist director composer general pope minister politician artist"
            " architect inventor philosopher mathematician economist engineer coach quarterback"
            " producer poet novelist leader owner founder chairman".split()
        ),
    ),
    (
        "place",
        frozenset(
            "city country state place town county continent region island river lake ocean sea"
            " mountain street province village district capital territory area location venue"
            " stadium neighborhood airport".split()
        ),
    ),
    (
        "name",
        frozenset(
            "company band team film movie book album song magazine organization organisation"
            " university school college party group newspaper channel network label club league"
            " show series ship agency church religion language dynasty treaty award prize war"
            " battle name title publication studio station institution game program museum"
            " brand airline bank court festival nationality conference".split()
        ),
    ),
)


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
    words = [word.lower().replace("’", "'") for word in _WORD.findall(question)]
    if not words or question.count("?") > 1 or _ASKS_MORE & {*words[:2]}:
        return Asked(kind="open")
    if _COMPARING & {*words}:
        return Asked(kind="open")
    if (place := _question_word(words)) is not None:
        return _by_word(words[place], words[place + 1 :])
    if words[0] in _AUXILIARIES and not _QUESTION_WORDS & {*words}:
        return Asked(kind="yes_no")
    return Asked(kind="open")


def asks_for_the_agent(question: str) -> bool:
    """Return whether a question asks who or what does something: "Who sold it?", "By whom …?".

    Examples:
        >>> asks_for_the_agent("Which country ceded it?"), asks_for_the_agent("Who was sold?")
        (True, False)
    """
    words = [word.lower().replace("’", "'") for word in _WORD.findall(question)]
    if words[:1] == ["by"]:
        return True
    reach = 2 if words[:1] == ["who"] else _AGENT_REACH
    return words[:1] in (["who"], ["which"], ["what"]) and _AUXILIARIES.isdisjoint(words[:reach])


def _question_word(words: Sequence[str]) -> int | None:
    """Return the place of the question word, which is not the "who" of a relative clause."""
    places = [place for place, word in enumerate(words) if word in _QUESTION_WORDS]
    first = next((place for place in places if place < 1 + (words[0] in _LEADS)), None)
    if first is not None or not places or words[0] in _AUXILIARIES:
        return first
    asking = [place for place in places if words[place] in ("what", "which", "how")] or places
    return asking[0] if len(asking) == 1 else None


def _by_word(word: str, after: Sequence[str]) -> Asked:
    first = after[0] if after else ""
    if word == "how":
        return _by_measure(first, after[1:])
    if word in ("what", "which"):
        return _by_noun(after)
    kinds: dict[str, AnswerKind] = {"when": "date", "where": "place", "why": "open"}
    return Asked(kind=kinds.get(word, "person"))


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
    if _SORTS & {*head}:  # "What type of city …?" does not ask for a city
        return Asked(kind="phrase")
    for word in head:
        for kind, nouns in _NOUNS:
            if word in nouns or word.removesuffix("s") in nouns:
                return Asked(kind=kind)
    return Asked(kind="phrase")
