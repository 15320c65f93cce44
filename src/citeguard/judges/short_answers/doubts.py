"""Why an answer that a text has may not be the one that it gives to a question."""

from __future__ import annotations

import re
from collections.abc import Iterator

from citeguard.facts.agreement import agree
from citeguard.facts.reading.figures import Number
from citeguard.facts.reading.numbers import numbers
from citeguard.facts.reading.words import read
from citeguard.judges.short_answers.candidates import candidates
from citeguard.judges.short_answers.compare import compare_answers
from citeguard.judges.short_answers.kinds import asked_for, asks_for_the_agent
from citeguard.judges.short_answers.places import CONCEDING, Place
from citeguard.language.sentences import Interval
from citeguard.language.terms import terms

_CONCEDED = re.compile(rf"\b(?:{CONCEDING})\b", re.IGNORECASE)
# What is counted out of a whole: "12 of the 40 schools", "60 out of 80".
_OF_A_WHOLE = re.compile(
    r"\b(?:out\sof(?:\s(?:the|all|its|their|his|her|our))?"
    r"|of\s(?:the|all|its|their|his|her|our|those|these))\s+(?:about\s|some\s|over\s)?\Z",
    re.IGNORECASE,
)
# Who stands after such a word did not do what is told: "ceded to Spain".
_NO_AGENT = re.compile(
    r"\b(?:to|from|for|with|against|than|under|into)(?:\s(?:the|an?|his|her|their|its))?\s\Z",
    re.IGNORECASE,
)
_LAST_WORD = re.compile(r"(\w+)(?:\s(?:the|an?|his|her|their|its))?\s\Z")


def is_doubtful(question: str, place: Place) -> bool:
    """Tell whether something else in its sentence may answer a question, or not this.

    So it is with the whole of which a part is counted, with what stands in a part of the sentence
    that is about less of the question than another part with another answer, and with the one to
    whom something was done where it is asked who did it.

    Examples:
        >>> sentence = "12 of the 40 schools closed."
        >>> is_doubtful("How many schools closed?", Place(sentence, 10, 12))
        True
    """
    return (
        _is_whole(question, place) or _is_beside(question, place) or _is_no_agent(question, place)
    )


def differ_in_bounds(stated: Place, found: Place) -> bool:
    """Tell whether one number is bounded and the other is not, or the other way round.

    Examples:
        >>> differ_in_bounds(Place("At least two.", 9, 12), Place("Up to two came.", 6, 9))
        True
    """
    one, other = _number_at(stated), _number_at(found)
    return bool(one and other) and _direction(one) != _direction(other)


def may_both_hold(stated: Place, found: Place) -> bool:
    """Tell whether two numbers that are not the same do not exclude each other: "over 5" and "6".

    So it is also with two numbers rounded.
    """
    one, other = _number_at(stated), _number_at(found)
    return one is not None and other is not None and agree(one, other)


def _number_at(place: Place) -> Number | None:
    reading = read(place.sentence)
    for number in numbers(reading):
        start, end = reading.words[number.first].start, reading.words[number.last].end
        if start < place.end and place.start < end:
            return number
    return None


def _direction(number: Number | None) -> int:
    """Return 1 for a least value, -1 for a greatest one, else 0."""
    if number is None or number.low == number.high:
        return 0
    return 1 if number.low == number.value else -1


def _is_whole(question: str, place: Place) -> bool:
    if asked_for(question).kind != "number" or not _OF_A_WHOLE.search(place.before):
        return False
    return any(True for _ in _others(question, place, (0, len(place.sentence))))


def _is_beside(question: str, place: Place) -> bool:
    """Tell whether another part of the sentence has another answer, and is more to the point."""
    asked = {term.key for term in terms(question)}
    own = place.own_part
    about = _about(place, own, asked)
    telling = asked if _CONCEDED.match(place.sentence, own[0]) else _telling(question, about)
    return any(
        part != own
        and not telling.isdisjoint(_about(place, part, asked) - about)
        and any(_others(question, place, part))
        for part in place.parts
    )


def _about(place: Place, part: Interval, asked: set[str]) -> set[str]:
    return {term.key for term in terms(place.sentence[slice(*part)])} & asked


def _telling(question: str, about: set[str]) -> set[str]:
    """Return the terms of a question that tell which of several numbers answers it.

    Names are too often apart from what is said of them for that.
    """
    asked = asked_for(question)
    if asked.kind not in ("number", "date"):
        return set()
    found = terms(question)
    if not about:
        return {term.key for term in found}
    named = {
        term.key
        for term in found
        if term.start and (question[term.start].isupper() or question[term.start].isdigit())
    }
    return named | {asked.unit or ""}


def _others(question: str, place: Place, part: Interval) -> Iterator[str]:
    """Yield what else in a part of the sentence could answer a question."""
    kind = asked_for(question).kind
    for start, end in candidates(place.sentence, kind):
        apart = end <= place.start or start >= place.end
        other = place.sentence[start:end]
        differs = apart and compare_answers(other, place.text, kind) == "different"
        if differs and part[0] <= start < part[1]:
            yield other


def _is_no_agent(question: str, place: Place) -> bool:
    """Tell whether an answer is told to whom something was done, and not who did it."""
    if not asks_for_the_agent(question):
        return False
    if _NO_AGENT.search(place.before):
        return True
    before = _LAST_WORD.search(place.before)
    verbs = {term.key for term in terms(question)}
    return before is not None and bool({term.key for term in terms(before[1])} & verbs)
