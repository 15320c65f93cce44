"""Where a passage answers a question: the protocol, and `LexicalExtractor`."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, runtime_checkable

from citeguard.judges.short_answers.candidates import candidates
from citeguard.judges.short_answers.compare import compare_answers
from citeguard.judges.short_answers.kinds import AnswerKind, Asked, asked_for
from citeguard.language.sentences import Interval
from citeguard.language.terms import Term, terms
from citeguard.language.windows import sentence_windows

_PASSAGES_KEPT = 256
_WORD = 12  # characters before an answer in which the word before it stands
_NEAR = 6.0  # terms at which what stands near an answer counts half
_LEAST = 0.01  # so that even a sentence about something else has a first candidate
# The share of the question that a sentence should be about. Cubed: of statements that answer
# another question, 4 % then seem to answer this one, and 7 % without.
_ENOUGH = 0.5
_BEFORE = 0.4  # what a term counts that only the sentence before has
# Logistic regressions of "the first is right" on its score and its nearest rival's share of that,
# on the 1,177 questions of XQuAD (English). Fitted on one half of the paragraphs, they hold on the
# other: of numbers and dates that they give .8 and more, 84 to 89 % are right.
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
        text: The answer, as it stands there.
        start: Where it starts, in code points.
        end: Where it ends; `passage[start:end] == text`.
        score: How likely it is the answer, 0 to 1, higher is likelier.
    """

    text: str
    start: int
    end: int
    score: float


@runtime_checkable
class AnswerExtractor(Protocol):
    """Whoever can tell where a passage answers a question: a function will do.

    An attribute `version`, which names all that the answers depend on, lets verdicts be kept on
    disk.
    """

    def __call__(self, question: str, passage: str, /) -> FoundAnswer | None:
        """Return the answer, or `None` if the passage has none."""
        ...


class LexicalExtractor:
    """Finds short answers by what they look like and by the words of the question around them.

    The question word says what to look for: a number, a date, a name. Of those the passage has,
    that is the answer which stands nearest to what the question is about. No model is needed, and
    it understands nothing: it is often wrong, and its score says how often.

    Examples:
        >>> passage = "It opened in 1969. It closed in 1990."
        >>> found = LexicalExtractor()("When did it close?", passage)
        >>> found.text
        '1990'
    """

    version = "lexical/1"
    """Changes with the answers: verdicts are kept under it."""

    def __repr__(self) -> str:
        """Write it as it is made."""
        return "LexicalExtractor()"

    def __call__(self, question: str, passage: str, /) -> FoundAnswer | None:
        """Return the likeliest answer, or `None` if nothing of its kind is there."""
        ranked = self.ranked(question, passage)
        return ranked[0] if ranked else None

    def ranked(self, question: str, passage: str) -> list[FoundAnswer]:
        """Return all that could be the answer, the likeliest first."""
        asked = asked_for(question)
        given = {term.key for term in terms(question)}
        sentences = _read(passage)
        weights = _weights(given, sentences)
        found = [
            each
            for place in range(len(sentences))
            for each in _in_sentence(asked, given, weights, sentences, place)
        ]
        return _likely(sorted(found, key=lambda each: -each.score), asked.kind)


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
    # Windows, as a text without stops would be one sentence, and looked through for each candidate.
    places = sentence_windows(passage, size=1, overlap=0)
    return tuple(_sentence(passage, *place) for place in places)


def _sentence(passage: str, start: int, end: int) -> _Sentence:
    found = tuple(terms(passage[start:end]))
    return _Sentence(passage[start:end], start, found, frozenset(term.key for term in found))


def _weights(given: set[str], sentences: Sequence[_Sentence]) -> dict[str, float]:
    """Return how much each term of a question counts, by rarity; together 1."""
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
    covered = sum(
        weight * (1.0 if key in sentence.keys else _BEFORE if key in before else 0.0)
        for key, weight in weights.items()
    )
    marks = [(n, term.key) for n, term in enumerate(sentence.terms) if term.key in given]
    found: list[_Candidate] = []
    for start, end in candidates(sentence.text, asked.kind):
        around = sentence.around(start, end)
        inside = {term.key for term in sentence.terms[slice(*around)]}
        if inside and len(inside & given) * 2 > len(inside):
            continue  # the question has it already
        near = _nearness(marks, weights, around) * _shape(asked, sentence, start, around[0])
        low, high = sentence.start + start, sentence.start + end
        score = max(covered, _LEAST) * near
        found.append(_Candidate(sentence.text[start:end], low, high, covered, score))
    return found


def _nearness(
    marks: Sequence[tuple[int, str]], weights: dict[str, float], around: Interval
) -> float:
    """Return how near to the terms of the question an interval stands, 0 to 1."""
    first, last = around
    nearest: dict[str, float] = {}
    for place, key in marks:
        apart = first - place if place < first else max(0, place - last)
        nearest[key] = max(nearest.get(key, 0.0), 1 / (1 + apart / _NEAR))
    total = sum(weights[key] for key in nearest)
    return sum(weights[key] * near for key, near in nearest.items()) / total if total else _LEAST


def _shape(asked: Asked, sentence: _Sentence, start: int, first: int) -> float:
    before = sentence.text[max(0, start - _WORD) : start].split()[-1:]
    word = before[0].lower() if before else ""
    if asked.kind == "number" and asked.unit:
        after = [term.key for term in sentence.terms[first : first + 4]]
        return 1.0 if asked.unit in after else 0.5
    if asked.kind == "place":
        return 1.0 if word in ("in", "at", "near", "to", "from", "of", "on") else 0.6
    if asked.kind == "person":
        return 0.6 if word in ("in", "at", "near", "on", "from") else 1.0
    if asked.kind == "date":
        return 1.0 if word in ("in", "on", "since", "by", "until", "from", "of", "during") else 0.8
    return 1.0


def _likely(found: Sequence[_Candidate], kind: AnswerKind) -> list[FoundAnswer]:
    """Turn scores into probabilities, by how far the first is ahead of the next that differs."""
    if not found:
        return []
    first = found[0]
    rivals = (r.score for r in found[1:] if compare_answers(r.text, first.text, kind) != "same")
    bias, by_score, by_rival = _FITTED.get(kind, _FITTED["phrase"])
    margin = next(rivals, 0.0) / first.score
    likely = 1 / (1 + math.exp(-(bias + by_score * first.score + by_rival * margin)))
    return [
        FoundAnswer(each.text, each.start, each.end, likely * each.score / first.score * _met(each))
        for each in found
    ]


def _met(found: _Candidate) -> float:
    """Return how much to trust what a sentence says that is about a part of the question only."""
    return min(1.0, found.covered / _ENOUGH) ** 3
