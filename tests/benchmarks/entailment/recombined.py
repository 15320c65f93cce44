"""Pairs made by rule from a text: its facts told with fewer words, joined, or joined wrongly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from citeguard.language.windows import sentence_pieces
from citeguard.training.pairs import EntailmentPair, PairLabel

_FINITE = (
    "is|are|was|were|has|have|had|will|would|can|could|may|might|must|did|does|do|became|becomes|"
    "remained|remains|began|won|lost|made|took|wrote|led|left|held|met|gave|got|went|came|said|"
    "found|built|ran|received|includes|included|contains|consists|occurs|describes|[a-z]{3,}ed"
)
_CLAUSE = re.compile(
    rf"(?P<subject>(?:(?:The|A|An|In the|His|Her|Its|Their|This|These)\s)?[^\s,;:()]+"
    rf"(?:\s[^\s,;:()]+){{0,6}}?)\s(?P<verb>{_FINITE})\s(?P<rest>[^\n]{{8,}})"
)
_PRONOUN = re.compile(r"(?:He|She|It|They|This|That|These|Those|There|I|We|You|Who|What)\b")
_NUMBER = re.compile(r"(?<![\w.,-])\d[\d,]*(?:\.\d+)?(?![\w-])")
_YEAR = re.compile(r"[12]\d{3}")
_NAME = re.compile(r"(?<!^)(?<![.!?\"] )\b[A-Z][a-z]+(?:\s(?:of\s)?[A-Z][a-z]+)*\b")

# A pattern, what it becomes, and what the result is. The first that is found in a sentence counts.
_REPLACED: tuple[tuple[str, str, PairLabel], ...] = (
    (r"\b(?:may|might|could) be\b", "is", "not_supported"),
    (r"\b(?:may|might|could) have\b", "has", "not_supported"),
    (r"\b(?:may|might|could)\b", "will", "not_supported"),
    (
        r"\b(?:reportedly|allegedly|possibly|probably|perhaps|likely|apparently) ",
        "",
        "not_supported",
    ),
    (
        r"\b(?:claimed|alleged|argued|suggested|believed|thought) that\b",
        "proved that",
        "not_supported",
    ),
    (r"\b(?:some|many|most|several)\b", "all", "not_supported"),
    (r"\b(?:Some|Many|Most|Several)\b", "All", "not_supported"),
    (r"\bsometimes\b|\boften\b|\busually\b", "always", "not_supported"),
    (r"\bwithout\b", "with", "contradicted"),
    (r"\bwith (?=an?\b|the\b|his\b|her\b|their\b|its\b)", "without ", "contradicted"),
    (r"\bbefore\b", "after", "contradicted"),
    (r"\bafter\b", "before", "contradicted"),
    (r"\bincreased\b", "decreased", "contradicted"),
    (r"\bdecreased\b", "increased", "contradicted"),
    (r"\bhigher\b", "lower", "contradicted"),
    (r"\blower\b", "higher", "contradicted"),
    (r"\bmore than\b", "less than", "contradicted"),
    (r"\bless than\b", "more than", "contradicted"),
    (r"\bat least\b", "at most", "contradicted"),
    (r"\bat most\b", "at least", "contradicted"),
    (r"\bfirst\b", "last", "contradicted"),
    (r"\blargest\b", "smallest", "contradicted"),
    (r"\ball\b", "some", "supported"),
    (r"\bonly ", "", "supported"),
    (r"\bmust\b", "need not", "contradicted"),
    (r"\bnever\b", "always", "contradicted"),
    (r"\bboth\b", "neither", "contradicted"),
    (r"\b(was|were|is|are|can|will|should|must|has|had) not\b", r"\1", "contradicted"),
    (r"\b(was|were|is|are) (?=\w+ed\b|the\b|an?\b)", r"\1 not ", "contradicted"),
    (r"\b(was|were|is|are) (?=\w+ed\b|the\b|an?\b)", r"\1 only ", "not_supported"),
)
_REPLACING = [(re.compile(pattern), new, label) for pattern, new, label in _REPLACED]

# What may be left out without a claim of something else.
_OMITTED = [
    re.compile(pattern)
    for pattern in (
        r"\s*\([^()]*\)",
        r"(?:^|\s)\[[^\[\]]*\]",
        r",\s(?:which|who|whose|where|including|such as)\b[^,;]*(?=[.,;]|$)",
        r"(?<=\S);\s.*(?=\.$)|"
        r"(?<=\S), (?:and|but|while|although) (?:it|he|she|they|the|this|in|a)\b.*(?=\.$)",
        r"^(?:However|Moreover|Furthermore|In addition|Additionally|Also|Finally|Thus|Hence), ",
        r"^(?:In|On|At|By|During|Since|After|Before|With|For) [^,]{3,60}, (?=[A-Za-z])",
    )
]


class _Fact(NamedTuple):
    subject: str
    verb: str
    rest: str


def recombined(text: str, random: Random, *, most: int) -> Iterator[EntailmentPair]:
    """Yield pairs whose premise is a few sentences of a text; about as many supported as not."""
    pieces = [text[start:end].strip() for start, end in sentence_pieces(text)]
    usable = [place for place, each in enumerate(pieces) if 6 <= len(each.split()) <= 45]
    random.shuffle(usable)
    found = 0
    for place in usable:
        near = [other for other in (place - 1, place + 1) if 0 <= other < len(pieces)]
        if not near:
            continue
        first = max(0, place - random.randint(0, 2))
        premise = " ".join(pieces[first : place + random.randint(1, 3) + 1])
        if len(premise) > 1_000:
            continue
        neighbour = pieces[random.choice(near)]
        if neighbour not in premise:
            premise = f"{premise} {neighbour}"
        made = list(_hypotheses(pieces[place], neighbour, random))
        random.shuffle(made)
        wrong = [each for each in made if each[1] != "supported"][:3]
        right = [each for each in made if each[1] == "supported"][: max(1, len(wrong))]
        for hypothesis, label in (*wrong, *right):
            if 4 <= len(hypothesis.split()) <= 60:
                yield EntailmentPair(premise, hypothesis, label)
                found += 1
        if found >= most:
            return


def _hypotheses(sentence: str, neighbour: str, random: Random) -> Iterator[tuple[str, PairLabel]]:
    shorter = _shortened(sentence, random)
    yield shorter, "supported"
    if random.random() < 0.3:
        yield sentence, "supported"
    other = _shortened(neighbour, random)
    if not _PRONOUN.match(other) and _ends(shorter) and _ends(other):
        joint = random.choice((", and ", "; ", ", while "))
        yield _joined(shorter, joint, other), "supported"
        if random.random() < 0.3:
            yield (
                _joined(shorter, random.choice((" because ", " as a result of which ")), other),
                "not_supported",
            )
    yield from _of_neighbour(shorter, neighbour, random)
    yield from _replaced(shorter, random)
    yield from _of_subject(shorter, other)


def _of_neighbour(sentence: str, neighbour: str, random: Random) -> Iterator[tuple[str, PairLabel]]:
    """Yield the sentence with a number or name of its neighbour."""
    for pattern, alike in ((_NUMBER, _is_year), (_NAME, _is_word)):
        mine = [each[0] for each in pattern.finditer(sentence)]
        theirs = [each[0] for each in pattern.finditer(neighbour)]
        choices = [
            (one, other)
            for one in mine
            for other in theirs
            if alike(one) == alike(other) and one not in neighbour and other not in sentence
        ]
        if choices:
            one, other = random.choice(choices)
            yield sentence.replace(one, other), "not_supported"


def _is_year(text: str) -> bool:
    return bool(_YEAR.fullmatch(text))


def _is_word(text: str) -> bool:
    return " " in text


def _replaced(sentence: str, random: Random) -> Iterator[tuple[str, PairLabel]]:
    """Yield the sentence with another hedge, quantity, order or polarity."""
    found = [each for each in _REPLACING if each[0].search(sentence)]
    random.shuffle(found)
    for pattern, new, label in found[:2]:
        changed = pattern.sub(new, sentence, count=1)
        yield changed[:1].upper() + changed[1:], label


def _of_subject(sentence: str, other: str) -> Iterator[tuple[str, PairLabel]]:
    """Yield what the neighbour does, said of this sentence's subject."""
    one, two = _fact(sentence), _fact(other)
    if one is None or two is None or _PRONOUN.match(one.subject):
        return
    said = f"{one.subject} {two.verb} {two.rest}"
    if _PRONOUN.match(two.subject):
        if two.subject in ("He", "She") and one.subject[:1].isupper() and len(one.subject) > 4:
            yield said, "supported"
    elif not _shares_words(one.subject, other) and not _shares_words(two.subject, sentence):
        yield said, "not_supported"
        yield f"{two.subject} {one.verb} {one.rest}", "not_supported"
        yield f"{two.subject} {two.verb} {two.rest}", "supported"


def _fact(sentence: str) -> _Fact | None:
    match = _CLAUSE.match(sentence)
    return _Fact(match["subject"], match["verb"], match["rest"]) if match else None


def _shares_words(subject: str, text: str) -> bool:
    words = {word for word in re.findall(r"\w+", subject.casefold()) if len(word) > 3}
    return not words or bool(words & set(re.findall(r"\w+", text.casefold())))


def _shortened(sentence: str, random: Random) -> str:
    for pattern in random.sample(_OMITTED, 3):
        shorter = pattern.sub("", sentence).strip()
        if len(shorter.split()) >= 5:
            sentence = shorter[:1].upper() + shorter[1:]
    return sentence


def _ends(sentence: str) -> bool:
    return sentence.endswith(".") and '"' not in sentence


def _joined(one: str, joint: str, other: str) -> str:
    first = other.split(maxsplit=1)[0]
    if first in (
        "The",
        "A",
        "An",
        "In",
        "On",
        "At",
        "This",
        "These",
        "His",
        "Her",
        "Its",
        "Their",
        "For",
        "After",
    ):
        other = other[:1].lower() + other[1:]
    return f"{one[:-1]}{joint}{other}"
