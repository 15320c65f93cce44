"""Where a passage answers a question: the protocol, and `LexicalExtractor`."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import fsum
from typing import Protocol, runtime_checkable

from citeguard.judges.short_answers.compare import compare_answers
from citeguard.judges.short_answers.kinds import AnswerKind, Asked, asked_for
from citeguard.language.numbers import find_numbers
from citeguard.language.sentences import Interval
from citeguard.language.terms import FUNCTION_WORDS, Term, terms
from citeguard.language.windows import sentence_windows

_PASSAGES_KEPT = 256
_BEFORE_ANSWER = 12  # characters before an answer that contain the word before it
_NEAR = 6.0  # distance in terms at which a term of the question counts half
_LEAST = 0.01  # so that even a sentence about something else has a first candidate
# The share of the question that a sentence should be about. The factor is cubed: 4 % of statements
# that answer another question then seem to answer this one; without the factor, 7 %.
_ENOUGH = 0.5
_BEFORE = 0.4  # weight of a term that only the sentence before has
# Logistic regressions of "the first answer is right" on its score and on the share of it that the
# next different answer has, on the 1,177 questions of XQuAD (English). Fitted on one half of the
# paragraphs and tested on the other: of numbers and dates with .8 or more, 84 to 89 % are right.
_FITTED: dict[AnswerKind, tuple[float, float, float]] = {
    "number": (1.2, 2.8, -2.4),
    "date": (1.2, 2.8, -2.4),
    "person": (-0.15, 3.5, -2.3),
    "place": (-0.15, 3.5, -2.3),
    "name": (-0.15, 3.5, -2.3),
    "phrase": (-0.2, 1.7, -3.0),
}


@dataclass(frozen=True, slots=True)
class FoundAnswer:
    """An answer found in a text.

    Attributes:
        text: The answer, as it is written in the text.
        start: Where it starts, in code points.
        end: Where it ends, exclusive; `passage[start:end] == text`.
        score: The probability that it is the answer, 0 to 1.
    """

    text: str
    start: int
    end: int
    score: float


@runtime_checkable
class AnswerExtractor(Protocol):
    """Finds where a passage answers a question. Any function with this signature is one.

    An attribute `version`, which names everything that the answers depend on, lets verdicts be
    cached on disk.
    """

    def __call__(self, question: str, passage: str, /) -> FoundAnswer | None:
        """Return the answer, or `None` if the passage has none."""
        ...


class LexicalExtractor:
    """Finds short answers by their form and by the words of the question around them.

    The question word determines what to look for: a number, a date, a name. The answer is the one
    nearest to the other words of the question. No model is called, and nothing is understood: the
    answer is often wrong, and its score estimates how often.

    Examples:
        >>> passage = "It opened in 1969. It closed in 1990."
        >>> found = LexicalExtractor()("When did it close?", passage)
        >>> found.text
        '1990'
    """

    version = "lexical/2"
    """Changes when the answers do; part of the key of cached verdicts."""

    def __repr__(self) -> str:
        """Return the expression that creates it."""
        return "LexicalExtractor()"

    def __call__(self, question: str, passage: str, /) -> FoundAnswer | None:
        """Return the likeliest answer, or `None` if the passage has nothing of its kind."""
        ranked = self.ranked(question, passage)
        return ranked[0] if ranked else None

    def ranked(self, question: str, passage: str) -> list[FoundAnswer]:
        """Return all possible answers, likeliest first."""
        asked = asked_for(question)
        given = {term.key for term in terms(question)}
        sentences = _read(passage)
        weights = _weights(given, sentences)
        possible = [
            each
            for place in range(len(sentences))
            for each in _in_sentence(asked, given, weights, sentences, place)
        ]
        return _with_probabilities(sorted(possible, key=lambda each: -each.score), asked.kind)


_CAPITAL = r"[^\W\d_a-z][\w’'&-]*(?:\.(?=\s[^\W\d_a-z])|(?:\.[A-Z])+\.?)?"
_LINK = r"(?:of(?:\sthe)?|the|de|la|van|von|der|del|da|di|du|al|bin|and|&)"
# Capitalized words, joined by what names are joined by: "University of the Pacific".
_NAME = re.compile(rf"{_CAPITAL}(?:\s(?:{_LINK}\s)?(?:{_CAPITAL}|\d+\b))*")
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_MOST_WORDS = 6
_QUANTITIES = frozenset(("count", "percent", "money", "times"))


def candidates(text: str, kind: AnswerKind) -> list[Interval]:
    """Return the half-open intervals that have the shape of an answer of a kind, in order.

    Numbers and dates are found by their form, names by their capitals, phrases as runs of words
    between function words. For yes-no questions and open ones there are none.

    Examples:
        >>> text = "On 7 February 2016 the Denver Broncos won by 14 points."
        >>> [text[start:end] for start, end in candidates(text, "number")]
        ['14']
        >>> [text[start:end] for start, end in candidates(text, "name")]
        ['Denver Broncos']
    """
    if kind == "date":
        return [(date.start, date.end) for date in find_numbers(text) if date.kind == "date"]
    if kind == "number":
        return [number.whole for number in find_numbers(text) if number.kind in _QUANTITIES]
    if kind in ("person", "place", "name"):
        return list(_names(text))
    return list(_phrases(text)) if kind == "phrase" else []


def _names(text: str) -> Iterator[Interval]:
    # A date has capitals but is not part of a name.
    plain = text
    for date in find_numbers(text):
        if date.kind == "date" and (date.year or date.day):
            plain = plain[: date.start] + "·" * (date.end - date.start) + plain[date.end :]
    for match in _NAME.finditer(plain):
        start, end = match.span()
        first = _WORD.match(text, start)
        if first and first[0].lower() in FUNCTION_WORDS:  # "In Rome"
            start = first.end() + 1
        if start < end:
            yield start, end


def _phrases(text: str) -> Iterator[Interval]:
    run: list[Interval] = []
    for match in _WORD.finditer(text):
        is_function_word = match[0].lower() in FUNCTION_WORDS
        if run and (is_function_word or text[run[-1][1] : match.start()].strip(" \n")):
            yield run[0][0], run[-1][1]
            run = []
        if not is_function_word and len(run) < _MOST_WORDS:
            run.append(match.span())
    if run:
        yield run[0][0], run[-1][1]


@dataclass(frozen=True, slots=True)
class _Candidate:
    text: str
    start: int
    end: int
    covered: float  # share of the question that its sentence is about, by weight
    score: float


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    start: int
    terms: tuple[Term, ...]
    keys: frozenset[str]

    def around(self, start: int, end: int) -> Interval:
        """Return how many terms end before an interval, and how many begin before its end."""
        first = bisect_right(self.terms, start, key=lambda term: term.end)
        return first, bisect_left(self.terms, end, key=lambda term: term.start)


@lru_cache(maxsize=_PASSAGES_KEPT)
def _read(passage: str) -> tuple[_Sentence, ...]:
    # Windows, because a text without stops would be one sentence, read once for each candidate.
    sentences: list[_Sentence] = []
    for start, end in sentence_windows(passage, size=1, overlap=0):
        text = passage[start:end]
        words = tuple(terms(text))
        sentences.append(_Sentence(text, start, words, frozenset(term.key for term in words)))
    return tuple(sentences)


def _weights(given: set[str], sentences: Sequence[_Sentence]) -> dict[str, float]:
    """Return the weight of each term of a question, by rarity; the weights sum to 1."""
    counts = Counter(key for sentence in sentences for key in sentence.keys)
    raw = {key: math.log(2 + len(sentences) / max(0.5, counts[key])) for key in given}
    whole = sum(raw.values())
    return {key: weight / whole for key, weight in raw.items()}


def _in_sentence(
    asked: Asked,
    given: set[str],
    weights: dict[str, float],
    sentences: Sequence[_Sentence],
    place: int,
) -> list[_Candidate]:
    sentence = sentences[place]
    before = sentences[place - 1].keys if place else frozenset[str]()
    # "He", "the team": what the question names is often in the sentence before.
    covered = fsum(
        weight * (1.0 if key in sentence.keys else _BEFORE if key in before else 0.0)
        for key, weight in weights.items()
    )
    marks = [(n, term.key) for n, term in enumerate(sentence.terms) if term.key in given]
    answers: list[_Candidate] = []
    for start, end in candidates(sentence.text, asked.kind):
        around = sentence.around(start, end)
        inside = {term.key for term in sentence.terms[slice(*around)]}
        if inside and len(inside & given) * 2 > len(inside):
            continue  # it is part of the question
        near = _nearness(marks, weights, around) * _shape(asked, sentence, start, around[0])
        low, high = sentence.start + start, sentence.start + end
        score = max(covered, _LEAST) * near
        answers.append(_Candidate(sentence.text[start:end], low, high, covered, score))
    return answers


def _nearness(
    marks: Sequence[tuple[int, str]], weights: dict[str, float], around: Interval
) -> float:
    """Return how near an interval is to the terms of the question, 0 to 1."""
    first, last = around
    nearest: dict[str, float] = {}
    for place, key in marks:
        apart = first - place if place < first else max(0, place - last)
        nearest[key] = max(nearest.get(key, 0.0), 1 / (1 + apart / _NEAR))
    total = fsum(weights[key] for key in nearest)
    return fsum(weights[key] * near for key, near in nearest.items()) / total if total else _LEAST


def _shape(asked: Asked, sentence: _Sentence, start: int, first: int) -> float:
    before = sentence.text[max(0, start - _BEFORE_ANSWER) : start].split()[-1:]
    word = before[0].lower() if before else ""
    if asked.kind == "number" and asked.unit:
        after = [term.key for term in sentence.terms[first : first + 4]]
        return 1.0 if asked.unit in after else 0.5
    if asked.kind == "place":
        return 1.0 if word in ("in", "at", "near", "to", "from", "of", "on") else 0.6
    return 1.0


def _with_probabilities(ranked: Sequence[_Candidate], kind: AnswerKind) -> list[FoundAnswer]:
    """Turn scores into probabilities, by how far the first is ahead of the next different one."""
    if not ranked:
        return []
    first = ranked[0]
    rivals = (r.score for r in ranked[1:] if compare_answers(r.text, first.text, kind) != "same")
    bias, by_score, by_rival = _FITTED.get(kind, _FITTED["phrase"])
    margin = next(rivals, 0.0) / first.score
    likely = 1 / (1 + math.exp(-(bias + by_score * first.score + by_rival * margin)))
    return [
        FoundAnswer(
            each.text,
            each.start,
            each.end,
            # Less, if the sentence is about only a part of the question.
            likely * each.score / first.score * min(1.0, each.covered / _ENOUGH) ** 3,
        )
        for each in ranked
    ]
