"""Questions made into others by one small edit that changes what they ask for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from citeguard.facts.mentions import mentions
from citeguard.facts.tables import countries, irregular_forms
from citeguard.language.spelling import is_english_word

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_BE = "is are was were".split()
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|do|does|did|can|could|will|would|should|has|have|had|must|may)\b",
    re.IGNORECASE,
)
# Written for this benchmark, and not read from the tables of citeguard, which it measures.
_OPPOSITES = """
    first/last largest/smallest highest/lowest most/least more/less
    more/fewer best/worst oldest/youngest longest/shortest before/after above/below north/south
    northern/southern east/west eastern/western left/right win/lose won/lost winning/losing
    begin/end beginning/end start/end increase/decrease increased/decreased rise/fall rose/fell
    buy/sell bought/sold open/close opened/closed allow/forbid allowed/forbidden accept/reject
    accepted/rejected support/oppose supported/opposed gain/lose gained/lost good/bad high/low
    large/small larger/smaller big/little long/short old/new old/young major/minor early/late
    earlier/later same/different male/female men/women man/woman king/queen father/mother
    son/daughter husband/wife brother/sister summer/winter day/night upper/lower inner/outer
    internal/external
    primary/secondary public/private rich/poor strong/weak positive/negative maximum/minimum
    majority/minority import/export include/exclude included/excluded add/remove added/removed
    enter/leave entered/left arrive/depart born/died living/dead legal/illegal true/false
    with/without all/some every/no always/never advantage/disadvantage benefits/drawbacks hot/cold
    light/dark hard/soft fast/slow wet/dry attack/defend attacked/defended create/destroy
    created/destroyed built/demolished founded/dissolved join/leave joined/left friend/enemy
    teacher/student employer/employee offensive/defensive home/away inside/outside under/over
    domestic/foreign direct/indirect active/passive natural/artificial simple/complex full/empty
    heavy/light agree/disagree agreed/disagreed permitted/prohibited success/failure
    ancestor/descendant ancestors/descendants cause/effect cause/prevent causes/prevents
    known/unknown possible/impossible visible/invisible likely/unlikely
""".split()
_OPPOSITE = {
    one: other for pair in _OPPOSITES for one, other in (pair.split("/"), pair.split("/")[::-1])
}
_TENSES = {
    "is": ["was", "will be"], "are": ["were", "will be"], "was": ["is"], "were": ["are"],
    "does": ["did", "will"], "do": ["did", "will"], "did": ["does", "will"], "has": ["had"],
    "have": ["had"], "will": ["did", "would"], "can": ["could", "must", "should"],
}  # fmt: skip
_ASKING = {
    "who": ["when", "where", "why"], "when": ["where", "why", "how"], "where": ["when", "why"],
    "why": ["when", "how"], "how many": ["how few", "which", "how much"], "how much": ["how often"],
    "how long": ["how often", "how far"], "how old": ["how tall"], "whose": ["which"],
    "what year": ["what month", "what country"], "what country": ["what city", "what year"],
    "what city": ["what country", "what state"], "what type": ["what number"],
    "what percentage": ["what number"], "which country": ["which city"],
}  # fmt: skip
_PREPOSITIONS = {
    "before": ["after", "during"], "after": ["before", "until"], "from": ["to", "for"],
    "to": ["from"], "by": ["for", "near"], "for": ["against", "by"], "under": ["over"],
    "during": ["before", "after"], "until": ["since"], "since": ["until"], "with": ["without"],
    "between": ["outside"], "above": ["below"], "against": ["for"], "on": ["under"],
    "inside": ["outside"], "into": ["out of"], "and": ["or"],
}  # fmt: skip
_NUMBER_WORDS = "one two three four five six seven eight nine ten eleven twelve".split()
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_SCOPE = "only all most not first other former same two new main local modern best never".split()
_UNITS = {
    "years": "months", "year": "month", "days": "weeks", "hours": "minutes", "miles": "kilometers",
    "minutes": "seconds", "seconds": "hours", "percent": "percentage points", "million": "billion",
    "feet": "meters", "degrees": "percent", "dollars": "euros", "meters": "feet", "km": "miles",
    "billion": "million", "century": "decade", "decade": "century", "months": "years",
    "kilometers": "meters", "thousand": "million", "pounds": "dollars", "weeks": "days",
}  # fmt: skip
_PHRASES = (
    "in 1990/before the war/for the second time/in Europe/on Mars/by law/without help/at night"
    "/in the north/twice/alone"
).split("/")
_FUNCTION = frozenset(
    "a an the of in on at by for to from with as and or is are was were do does did what which who"
    " whom whose when where why how it its that this be been has have had can could will would"
    " should there not".split()
)


@dataclass(frozen=True, slots=True)
class Edited:
    """A question, what a small edit made of it, and the kind of the edit."""

    kind: str
    stored: str
    asked: str


def edits(question: str, others: Sequence[str], random: Random) -> Iterator[Edited]:
    """Yield a question with one edit of each kind that it allows.

    Args:
        question: A question.
        others: Other questions about the same text, and the text: their names and words are put in
            the place of its own.
        random: Chooses among possible edits.
    """
    for kind, edit in _EDITS.items():
        found = sorted({each for each in edit(question, others) if _differs(each, question)})
        if found:
            yield Edited(kind, question, random.choice(found))


def _differs(one: str, other: str) -> bool:
    return _WORD.findall(one.lower()) != _WORD.findall(other.lower())


def _replaced(question: str, table: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for key, values in table.items():
        for match in re.finditer(rf"\b{key}\b", question, re.IGNORECASE):
            for value in values:
                yield _put(question, match.start(), match.end(), value)


def _put(question: str, start: int, end: int, words: str) -> str:
    if question[start:end][:1].isupper():
        words = words[:1].upper() + words[1:]
    return question[:start] + words + question[end:]


def _names(question: str, others: Sequence[str]) -> Iterator[str]:
    own = mentions(question)
    taken = {each.text.lower() for each in own}
    rivals = {(each.text, each.kind) for other in others for each in mentions(other)}
    for mention in own:
        for text, kind in rivals:
            is_taken = any(text.lower() in each or each in text.lower() for each in taken)
            is_same = _country(text) == _country(mention.text) != ""
            if kind == mention.kind and not is_taken and not is_same:
                yield question[: mention.start] + text + question[mention.end :]


def _country(name: str) -> str:
    return countries().get(name.lower().replace(".", " ").strip(), "")


def _numbers(question: str, others: Sequence[str]) -> Iterator[str]:
    for match in re.finditer(r"\d+", question):
        for value in (int(match[0]) + 1, int(match[0]) * 10, int(match[0]) + 11):
            yield question[: match.start()] + str(value) + question[match.end() :]
    for words in (_NUMBER_WORDS, _ORDINALS):
        table = {word: [words[(i + 1) % len(words)]] for i, word in enumerate(words)}
        yield from _replaced(question, table)


def _negated(question: str, others: Sequence[str]) -> Iterator[str]:
    if match := re.search(r"\b(not|never)\s|n['’]t\b", question):
        yield question[: match.start()] + question[match.end() :]
        return
    match = _AUXILIARY.search(question)
    if match is None:
        return
    yield f"{question[: match.end()]} not{question[match.end() :]}"
    if match[0] not in ("may",):
        yield f"{question[: match.end()]}n't{question[match.end() :]}".replace("cann't", "can't")
    yield f"{question[: match.end()]} never{question[match.end() :]}"


def _exchanged_names(question: str, others: Sequence[str]) -> Iterator[str]:
    found = mentions(question)
    for one, other in pairwise(found):
        between = question[one.end : other.start]
        if re.search(r"\b(?:and|or)\b|&", between) or not between.strip(" ,"):
            continue  # the order says nothing there, as it does between "between" and "and"
        yield (question[: one.start] + other.text + between + one.text + question[other.end :])


_PAST = re.compile(r"(Who|What|Which [a-z]+|What [a-z]+) ([a-z]+) (.+?)( in | on | at | for |\?|$)")


def _asked_for_object(question: str, others: Sequence[str]) -> Iterator[str]:
    """Yield "Who did X beat?" for "Who beat X?", and the other way round."""
    match = _PAST.match(question)
    if match and (plain := _plain(match[2])):
        yield f"{match[1]} did {match[3]} {plain}{match[4]}{question[match.end() :]}"
    match = re.match(r"(Who|What|Which \w+|What \w+) (?:did|does|do) (.+?) (\w+)\?", question)
    if match:
        verb = match[3] if match[3].endswith("e") else f"{match[3]}e"
        yield f"{match[1]} {verb}d {match[2]}?"


def _plain(past: str) -> str:
    if past in irregular_forms():
        return irregular_forms()[past]
    for end, put in (("ied", "y"), ("ed", ""), ("d", ""), ("s", "")):
        if past.endswith(end) and is_english_word(past.removesuffix(end) + put):
            return past.removesuffix(end) + put
    return ""


_OF = re.compile(r"\b(?:the )?([a-z]+) of (?:the )?([a-z]{3,})\b")
_FROM_TO = re.compile(r"\bfrom (\w+) to (\w+)", re.IGNORECASE)


def _exchanged_nouns(question: str, others: Sequence[str]) -> Iterator[str]:
    for match in _OF.finditer(question):
        yield (f"{question[: match.start()]}the {match[2]} of {match[1]}{question[match.end() :]}")
    for match in _FROM_TO.finditer(question):
        yield (f"{question[: match.start()]}from {match[2]} to {match[1]}{question[match.end() :]}")
    words = [each for each in _WORD.finditer(question) if each[0].lower() not in _FUNCTION]
    for one, other in zip(words, words[2:], strict=False):
        between = question[one.end() : other.start()]
        if " and " not in between and " or " not in between:
            yield (question[: one.start()] + other[0] + between + one[0] + question[other.end() :])


def _opposed(question: str, others: Sequence[str]) -> Iterator[str]:
    yield from _replaced(question, {one: [other] for one, other in _OPPOSITE.items()})


def _added(question: str, others: Sequence[str]) -> Iterator[str]:
    for match in re.finditer(r"\b(the|of|were|did|are|in)\s", question):
        for word in _SCOPE:
            yield f"{question[: match.end()]}{word} {question[match.end() :]}"


def _added_phrase(question: str, others: Sequence[str]) -> Iterator[str]:
    bare = question.rstrip(" ?")
    for phrase in _PHRASES:
        yield f"{bare} {phrase}?"


def _omitted(question: str, others: Sequence[str]) -> Iterator[str]:
    for match in re.finditer(r"\b[a-z]{4,} (?=[a-z]{4,})", question):
        if match[0].strip() not in _FUNCTION | {
            "also",
            "that",
            "called",
            "located",
            "name",
            "please",
        }:
            yield question[: match.start()] + question[match.end() :]


def _other_word(question: str, others: Sequence[str]) -> Iterator[str]:
    words = {
        each[0]
        for other in others
        for each in _WORD.finditer(other)
        if each[0].islower() and len(each[0]) > 3 and each[0] not in _FUNCTION
    }
    own = {each.lower() for each in _WORD.findall(question)}
    for match in _WORD.finditer(question):
        if match[0].islower() and len(match[0]) > 3 and match[0] not in _FUNCTION:
            for word in sorted(words - own)[:40]:
                if word[-2:] == match[0][-2:] and not _are_akin(word, match[0]):
                    yield question[: match.start()] + word + question[match.end() :]


def _are_akin(one: str, other: str) -> bool:
    return one[:3] == other[:3]


_EDITS: Mapping[str, Callable[[str, Sequence[str]], Iterator[str]]] = {
    "name": _names,
    "number": _numbers,
    "unit": lambda question, _: _replaced(question, {one: [to] for one, to in _UNITS.items()}),
    "negation": _negated,
    "exchanged names": _exchanged_names,
    "exchanged nouns": _exchanged_nouns,
    "subject and object": _asked_for_object,
    "opposite": _opposed,
    "tense": lambda question, _: _replaced(question, _TENSES),
    "question word": lambda question, _: _replaced(question, _ASKING),
    "preposition": lambda question, _: _replaced(question, _PREPOSITIONS),
    "word added": _added,
    "phrase added": _added_phrase,
    "word omitted": _omitted,
    "other word": _other_word,
}
