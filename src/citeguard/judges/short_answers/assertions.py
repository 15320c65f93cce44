"""Whether a sentence says of an answer what a question asks: not that it is not so, or was once."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator

from citeguard.facts.reading.denials import FORMS_OF_BE, denials
from citeguard.facts.reading.frames import frames
from citeguard.facts.reading.tables import root
from citeguard.facts.reading.words import LIGHT, Reading, read
from citeguard.judges.short_answers.candidates import candidates
from citeguard.judges.short_answers.compare import compare_answers
from citeguard.judges.short_answers.kinds import asked_for
from citeguard.judges.short_answers.numbers import read_date
from citeguard.judges.short_answers.places import Place
from citeguard.language.quantities import ORDINALS
from citeguard.language.sentences import Interval

_SCOPE = 8  # words after a frame that it bears on
# What is only to come: "was to open", "is due to open".
_AHEAD = re.compile(
    r"\b(?:(?:is|are|was|were)(?:\s(?:originally|initially|first|still|once))?"
    r"|due|set|scheduled|slated|meant|supposed|required|ready)\sto\s(?:be\s|have\s)?(\w+)",
    re.IGNORECASE,
)
_FUTURE = frozenset(("will", "shall", "'ll"))
_PLANS = re.compile(r"\bto\sbe\b|\bgoing\sto\b|" + _AHEAD.pattern, re.IGNORECASE)
_CONDITIONS = frozenset(("if", "unless", "whether"))
_PAST_QUESTION = re.compile(r"\b(?:did|was|were|had)\b", re.IGNORECASE)
_PRESENT_QUESTION = re.compile(r"\b(?:is|are|does|do|has|have)\b", re.IGNORECASE)
# No longer so: "the former mayor", "lived there until 2010".
_ONCE = re.compile(
    r"\b(?:until|till|former|formerly|ex|previous|previously|used\sto|once|originally|outgoing"
    r"|at\s(?:the|that)\stime|resign(?:s|ed)|retired|quit|stepped\sdown|died|moved\sfrom)\b",
    re.IGNORECASE,
)
_WAS = re.compile(r"\b(?:was|were)\b", re.IGNORECASE)
_IS = re.compile(r"\b(?:is|are|has|have|remains?|now|today)\b", re.IGNORECASE)
_FROM = re.compile(r"\b(?:from|between)(?:\s(?:the|about|around))?\s\Z", re.IGNORECASE)
_TO = re.compile(r"\s?[–—-]\s?|\s(?:to|until|till|through|and)\s(?:the\s)?", re.IGNORECASE)
_BEGINS = frozenset(
    map(
        root,
        "begin start commence launch open found establish create join enter become take from since"
        " born birth arrive first early break outbreak beginning onset".split(),
    )
)
_ENDS = frozenset(
    map(
        root,
        "end finish conclude stop cease close leave die death until till to quit resign retire last"
        " abandon dissolve expire disband ending conclusion over late".split(),
    )
)
_WIN, _LOSE = root("win"), root("lose")
_BEAT = frozenset(map(root, ("beat", "defeat")))


def is_unsaid(question: str, place: Place) -> bool:
    """Tell whether a sentence may say something else of an answer than a question asks.

    So it is if what is asked about is denied, only planned, hoped or supposed, or no longer so; if
    the opposite stands in its place; and if another date is meant. A question that itself denies
    or plans is met by what does so, too.

    Examples:
        >>> question, sentence = "Where was she born?", "She was not born in Rome."
        >>> is_unsaid(question, Place(sentence, 20, 24))
        True
    """
    asked, said = read(question), _Said(place)
    return (
        _is_denied(asked, said)
        or _is_open(asked, said)
        or _is_opposed(asked, said)
        or _is_lost(asked, said)
        or _is_of_another_rank(asked, said)
        or _is_of_another_date(question, place)
        or _is_over(question, said)
    )


def is_other_end(question: str, place: Place) -> bool:
    """Tell whether an answer is an end of a range, and not the one that a question asks about.

    Examples:
        >>> question, sentence = "When did the war end?", "It lasted from 1914 to 1918."
        >>> is_other_end(question, Place(sentence, 15, 19))
        True
    """
    kind = asked_for(question).kind
    if kind not in ("date", "number"):
        return False
    words = {root(word.key) for word in read(question).words}
    for start, end in candidates(place.sentence, kind):
        if start >= place.end and _is_range(place.sentence, (place.start, place.end), start):
            return kind == "number" or words.isdisjoint(_BEGINS)
        if end <= place.start and _is_range(place.sentence, (start, end), place.start):
            return kind == "number" or words.isdisjoint(_ENDS)
    return False


def _is_range(sentence: str, first: Interval, then: int) -> bool:
    """Tell whether two dates or numbers are the ends of a range: "from 1914 to 1918"."""
    between = sentence[first[1] : then]
    if not _TO.fullmatch(between):
        return False
    before = sentence[: first[0]]
    return between.strip() in "–—-" or not before.strip() or bool(_FROM.search(before))


class _Said:
    """What a sentence says, by words.

    Attributes:
        place: The answer in it.
        reading: The sentence.
        own: The places of the words in the answer's part of the sentence.
        answer: The places of the answer's.
    """

    def __init__(self, place: Place) -> None:
        self.place = place
        self.reading = read(place.sentence)
        self.own = self._inside(place.own_part)
        self.answer = self._inside((place.start, place.end))

    @property
    def part(self) -> str:
        """The answer's part of the sentence, without the answer."""
        start, end = self.place.own_part
        before = self.place.sentence[start : self.place.start]
        return before + self.place.sentence[self.place.end : end]

    @property
    def is_bare(self) -> bool:
        """Whether nothing but the answer is said."""
        return self.answer.issuperset(self.reading.content)

    def stems(self, places: Iterable[int]) -> set[str]:
        """Return the stems of some words."""
        return {self.reading.words[i].stem for i in places}

    def _inside(self, part: Interval) -> set[int]:
        words = enumerate(self.reading.words)
        return {i for i, word in words if part[0] <= word.start and word.end <= part[1]}


def _wanted(asked: Reading) -> set[str]:
    """Return the stems of what a question asks about, names left out."""
    words = (asked.words[i] for i in asked.content)
    return {word.stem for word in words if not word.text[0].isupper()} - LIGHT


def _is_denied(asked: Reading, said: _Said) -> bool:
    """Tell whether a sentence denies what a question asks about."""
    found, wanted = denials(said.reading), _wanted(asked)
    if denials(asked).places:
        return not (found.places or said.is_bare)
    beside = wanted - said.stems(said.own)
    return any(
        not said.answer.isdisjoint(scope)
        or not said.stems(scope).isdisjoint(wanted if negator in said.own else beside)
        for negator in found.places
        if not _is_naming(said.reading, negator)
        for scope in [found.scope(negator)]
    )


def _is_naming(reading: Reading, i: int) -> bool:
    """Tell whether a negator is a part of a name: "non-revolutionary", "No. 5", "May"."""
    word = reading.words[i]
    if word.key == "non" or (word.key == "may" and word.text[0].isupper()):
        return True
    return word.key == "no" and reading.stem_at(i + 1).isdigit()


def _is_open(asked: Reading, said: _Said) -> bool:
    """Tell whether the part with the answer only plans, supposes or makes conditions."""
    if any(_opening(asked, range(len(asked.words)))) or _PLANS.search(asked.text):
        return False
    wanted = _wanted(asked)
    if any(root(ahead[1].lower()) in wanted for ahead in _AHEAD.finditer(said.part)):
        return True
    keys = {said.reading.words[i].key for i in said.own}
    if _PAST_QUESTION.search(asked.text) and not _FUTURE.isdisjoint(keys):
        return True
    return any(
        not said.answer.isdisjoint(scope) or not said.stems(scope).isdisjoint(wanted)
        for end in _opening(said.reading, said.own)
        for scope in [said.own & {*range(end, end + _SCOPE)}]
    )


def _opening(reading: Reading, places: Container[int]) -> Iterator[int]:
    """Yield the places after what leaves open whether something is so."""
    for frame in frames(reading):
        key = reading.words[frame.first].key
        opens = frame.kind == "open" or key in _CONDITIONS
        if opens and frame.first in places and not _is_naming(reading, frame.first):
            yield frame.end


def _is_opposed(asked: Reading, said: _Said) -> bool:
    """Tell whether a word stands by the answer that excludes one of the question's."""
    near, apart = said.own - said.answer, {*range(len(said.reading.words))} - said.answer
    for name, members in asked.classes.items():
        wanted = {member.group for i, member in members if asked.stem_at(i - 1) != "how"}
        kinds = {member.kind for _, member in members}
        found = [
            (i, member.group)
            for i, member in said.reading.classes.get(name, [])
            if said.reading.words[i].stem not in _BEAT
        ]
        groups = _groups(found, near)
        # What a sentence begins with, as its day, is said of all of it.
        if "exclusive" in kinds and not groups:
            groups = _groups(found, apart)
        if "loose" not in kinds and wanted and groups and wanted.isdisjoint(groups):
            return True
    return False


def _groups(members: Iterable[tuple[int, int]], places: set[int]) -> set[int]:
    return {group for i, group in members if i in places}


def _is_lost(asked: Reading, said: _Said) -> bool:
    """Tell whether who won is asked, and the answer was beaten, or the other way round."""
    if asked.places.keys().isdisjoint({_WIN, _LOSE}) or not said.answer:
        return False
    words = said.reading.words
    for i in said.own - said.answer:
        if words[i].stem in _BEAT:
            passive = i > 0 and words[i - 1].key in FORMS_OF_BE
            beaten = (max(said.answer) < i) == passive
            return beaten == (_WIN in asked.places)
    return False


def _is_of_another_rank(asked: Reading, said: _Said) -> bool:
    """Tell whether a question is about the first one, and the sentence about the second one."""
    wanted = {ORDINALS[word.key] for word in asked.words if word.key in ORDINALS}
    keys = (said.reading.words[i].key for i in said.own - said.answer)
    found = {ORDINALS[key] for key in keys if key in ORDINALS}
    return bool(wanted and found) and wanted.isdisjoint(found)


def _is_of_another_date(question: str, place: Place) -> bool:
    """Tell whether a sentence is about another date than a question that names one."""
    if asked_for(question).kind == "date":
        return False
    wanted = [question[slice(*span)] for span in candidates(question, "date")]
    said = place.sentence[: place.own_part[1]]
    found = [said[slice(*span)] for span in candidates(said, "date")]
    if not (wanted and found) or any(read_date(date).other for date in (*wanted, *found)):
        return False
    return all(
        compare_answers(one, other, "date") == "different" for one in wanted for other in found
    )


def _is_over(question: str, said: _Said) -> bool:
    """Tell whether something was so once, where a question asks what is so now."""
    if not _PRESENT_QUESTION.search(question) or _PAST_QUESTION.search(question):
        return False
    if _ONCE.search(question):
        return False
    if _ONCE.search(said.part):
        return True
    past = _WAS.search(said.part) and not _IS.search(said.part)
    return bool(past) and (asked_for(question).kind == "person" or _is_followed(said.place))


def _is_followed(place: Place) -> bool:
    """Tell whether another part of a sentence says what is so now."""
    return any(
        part != place.own_part and _IS.search(place.sentence[slice(*part)]) for part in place.parts
    )
