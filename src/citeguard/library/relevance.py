"""Whether sentences answer a question, by words, without a language model: `AskedQuestion`.

The score is a logistic regression of a dozen features (`Features`): which words of the question are
in the sentence, near it, or nowhere in the documents; whether it has a number, a date or a name, if
one is asked for; and whether it has the opposite of a word. It reads no meaning: a sentence about
the same things that says something else about them has the same words as one that answers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from functools import lru_cache
from math import fsum

from citeguard.facts.tables import memberships, root
from citeguard.judges.short_answers.extractor import candidates
from citeguard.judges.short_answers.kinds import AnswerKind, asked_for
from citeguard.language.sentences import sentence_intervals
from citeguard.language.terms import FUNCTION_WORDS
from citeguard.language.tokens import Token, tokenize
from citeguard.retrieval.embeddings import Embedder, vectors_of
from citeguard.sources.collection import Source
from citeguard.verifier.model import shipped_model

VERSION = "2"
"""Changes when scores do; part of the key of cached verdicts."""

# Chosen on articles of XQuAD that the weights were not fitted to: of the sentences that answer,
# 85 % reach it, and few of those that a search finds in documents about other things:
# `python -m tests.benchmarks.library answerable`.
LEAST = 0.25
"""The least score of a sentence that answers a question, inclusive."""

_ROOT = 4  # letters that related words share
_RELATED = 0.6  # the least share of letters of related words
_MEMBER = 0.7  # of words that mean about the same by a table
_MOST_READ = 4_096  # texts; the sentences of passages are read for many questions
_BEFORE, _AFTER = 400, 200  # characters of a paragraph that are near a sentence
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_SCALE = 10.0  # so that rarities are about 0 to 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """Sentences of a source, and what is around them.

    Attributes:
        text: The sentences.
        nearby: Other text of their paragraph, which "he" or "this" may refer to.
        headings: The headings above them, the highest first.
        title: The title of their document.
    """

    text: str
    nearby: str = ""
    headings: tuple[str, ...] = ()
    title: str = ""

    @classmethod
    def of(cls, source: Source, start: int, end: int, text: str | None = None) -> Quoted:
        """Return what a source has at a place.

        Args:
            source: The source.
            start: Where the sentences start in its text, in code points.
            end: Where they end, exclusive.
            text: The sentences, if they are not the source's own words, such as those of a table.
        """
        before = _BLANK_LINE.split(source.text[max(0, start - _BEFORE) : start])[-1]
        after = _BLANK_LINE.split(source.text[end : end + _AFTER])[0]
        return cls(
            text=source.text[start:end] if text is None else text,
            nearby=f"{before} {after}",
            headings=source.layout.headings_at(start) if source.layout else (),
            title=source.title or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevance:
    """How likely sentences answer a question.

    Attributes:
        score: The probability, 0 to 1, that they answer it; higher is better.
        missing: The words of the question that neither the sentences nor what is around them have,
            as the question writes them, the rarest first.
        lacks: The kind of answer that is asked for, if the sentences have nothing of the kind.
    """

    score: float
    missing: tuple[str, ...] = ()
    lacks: AnswerKind | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """What a score is computed from. Shares are of the words of the question, weighted by rarity.

    Attributes:
        covered: Share of the words that the sentences have, less for related words; without words
            that are in the title or a heading. 1 if there are no others.
        nearby: Share of the words that are only near the sentences.
        rarest: Rarity of the rarest word that is not there, nor near, nor in title or headings.
        names: Count of names that the sentences lack.
        numbers: Count of numbers that the sentences lack.
        opposed: Count of words in whose place the sentences have their opposite.
        unknown_names: Count of names that the passages found for the question lack.
        best: Greatest share of the words that a sentence of these passages has.
        searched: Whether such passages are known: 1 or 0.
        lacks_value: Whether a number or a date is asked for, and the sentences have none.
        lacks_unit: Whether they lack what is counted or measured.
        lacks_name: Whether a person, a place or another name is asked for, and they have none.
        lacks_phrase: Whether a phrase is asked for, and the sentences have only the question's own.
        asked: Logarithm of the number of words of the question.
    """

    covered: float
    nearby: float
    rarest: float
    names: float
    numbers: float
    opposed: float
    unknown_names: float
    best: float
    searched: float
    lacks_value: float
    lacks_unit: float
    lacks_name: float
    lacks_phrase: float
    asked: float


NAMES = tuple(field.name for field in fields(Features))


@dataclass(frozen=True, slots=True)
class _Term:
    key: str
    text: str
    weight: float
    is_name: bool
    is_number: bool


class AskedQuestion:
    """A question, read once, to score any number of sentences.

    Args:
        text: The question, in English; in other languages only its words are compared.
        background: Passages of the documents that a search found for it, so that it is known which
            of its words the documents have at all; empty if none are known.
        embedder: Vectors of texts, whose cosine then counts too. Called for the question and for
            the sentences.

    Raises:
        CiteguardError: Not an embedder.

    Examples:
        >>> asked = AskedQuestion("When did the bridge open?")
        >>> asked.relevance(Quoted(text="The bridge opened in 1936.")).score > 0.5
        True
        >>> asked.relevance(Quoted(text="The bridge is painted red.")).missing
        ('open',)
    """

    def __init__(
        self, text: str, *, background: Iterable[str] = (), embedder: Embedder | None = None
    ) -> None:
        self.text = text
        self.asked = asked_for(text)
        self._vectors = None if embedder is None else vectors_of(embedder)
        self._terms = _terms_of(text)
        self._total = fsum(term.weight for term in self._terms) or 1.0
        passages = tuple(dict.fromkeys(background))
        read = [_words(passage) for passage in passages]
        self._searched = bool(read)
        self._unknown_names = sum(
            term.is_name and not any(words.likeness(term.key) for words in read)
            for term in self._terms
            if read
        )
        sentences = (words for passage in passages for words in _sentences(passage))
        self._best = max(map(self._share, sentences), default=0.0)

    def __repr__(self) -> str:
        """Return the question."""
        return f"AskedQuestion({self.text!r})"

    def relevance(self, quoted: Quoted) -> Relevance:
        """Return how likely sentences answer the question; see `relevances`."""
        return self.relevances([quoted])[0]

    def relevances(self, quoted: Sequence[Quoted]) -> list[Relevance]:
        """Return how likely each of some sentences, by itself, answers the question.

        A question without content words is answered by nothing: its scores are 0.

        Raises:
            EmbeddingFailedError: The embedder returned no usable vectors.
        """
        if not self._terms:
            return [Relevance(score=0.0) for _ in quoted]
        odds = [_odds(self.features(each)) for each in quoted]
        if self._vectors is not None and quoted:
            vectors = self._vectors([self.text, *(each.text for each in quoted)])
            alike = (vectors[1:] @ vectors[0]).tolist()
            bias, by_words, by_vectors = _WITH_VECTORS
            odds = [
                bias + by_words * one + by_vectors * other
                for one, other in zip(odds, alike, strict=True)
            ]
        return [
            Relevance(
                score=1 / (1 + math.exp(-one)),
                missing=self._missing(each),
                lacks=self.asked.kind if self._lacks(each.text) else None,
            )
            for one, each in zip(odds, quoted, strict=True)
        ]

    def features(self, quoted: Quoted) -> Features:
        """Return what the score of sentences is computed from, but for vectors."""
        here, near = _words(quoted.text), _words(quoted.nearby)
        above = _words("\n".join((*quoted.headings, quoted.title)))
        own = covered = nearby = rarest = 0.0
        names = numbers = opposed = 0
        for term in self._terms:
            like = here.likeness(term.key)
            beside = max(0.0, near.likeness(term.key) - like)
            titled = above.likeness(term.key)
            if not titled:
                own += term.weight
                covered += term.weight * like
                nearby += term.weight * beside
            if not like and not beside and not titled:
                rarest = max(rarest, term.weight)
            if not like:
                names += term.is_name
                numbers += term.is_number
                opposed += here.opposes(term.key)
        kind, unit = self.asked.kind, self.asked.unit
        lacks = self._lacks(quoted.text)
        return Features(
            covered=covered / own if own else 1.0,
            # What has no word of the question says nothing of it, whatever stands beside it.
            nearby=nearby / own if covered else 0.0,
            rarest=rarest / _SCALE,
            names=float(names),
            numbers=float(numbers),
            opposed=float(opposed),
            unknown_names=float(self._unknown_names),
            best=self._best,
            searched=float(self._searched),
            lacks_value=float(lacks and kind in ("number", "date")),
            lacks_unit=float(unit is not None and not here.likeness(unit)),
            lacks_name=float(lacks and kind in ("person", "place", "name")),
            lacks_phrase=float(lacks and kind == "phrase"),
            asked=math.log(1 + len(self._terms)),
        )

    def _share(self, words: _Words) -> float:
        return fsum(each.weight * words.likeness(each.key) for each in self._terms) / self._total

    def _lacks(self, text: str) -> bool:
        """Return whether a text has no possible answer, other than words of the question."""
        if self.asked.kind in ("open", "yes_no"):
            return False
        own = {term.key for term in self._terms}
        return all(
            own.issuperset(_words(text[start:end]).places)
            for start, end in candidates(text, self.asked.kind)
        )

    def _missing(self, quoted: Quoted) -> tuple[str, ...]:
        texts = (quoted.text, quoted.nearby, *quoted.headings, quoted.title)
        there = [_words(text) for text in texts]
        missing = [
            term for term in self._terms if not any(words.likeness(term.key) for words in there)
        ]
        return tuple(term.text for term in sorted(missing, key=lambda each: -each.weight))


class _Words:
    """The content words of a text, to look up those of a question.

    Attributes:
        places: Their keys.
    """

    def __init__(self, text: str) -> None:
        self.places = frozenset(key for key, _ in _keys_of(text))
        self._roots: dict[str, list[str]] = {}
        self._groups: set[tuple[str, int]] = set()
        for key in self.places:
            if len(key) > _ROOT:
                self._roots.setdefault(key[:_ROOT], []).append(key)
            self._groups.update(_groups_of(key))

    def likeness(self, key: str) -> float:
        """Return 1 if the text has a word, less for a related one, else 0."""
        if key in self.places:
            return 1.0
        related = (_shared(key, other) for other in self._roots.get(key[:_ROOT], ()))
        best = max((share for share in related if share >= _RELATED), default=0.0)
        return best or _MEMBER * (not self._groups.isdisjoint(_groups_of(key)))

    def opposes(self, key: str) -> bool:
        """Return whether the text has a word that excludes this one, such as "lost" for "won"."""
        return any((name, 1 - group) in self._groups for name, group in _groups_of(key))


@lru_cache(maxsize=_MOST_READ)
def _words(text: str) -> _Words:
    return _Words(text)


@lru_cache(maxsize=_MOST_READ)
def _groups_of(key: str) -> tuple[tuple[str, int], ...]:
    """Return the groups of words with about the same meaning that a word is in, by its key."""
    opposites = (each for each in memberships().get(key, ()) if each.kind == "opposite")
    return tuple((each.name, each.group) for each in opposites)


def _keys_of(text: str) -> Iterator[tuple[str, Token]]:
    """Yield the content words of a text, with their keys."""
    for token in tokenize(text):
        if token.kind in ("word", "number", "character") and token.key not in FUNCTION_WORDS:
            yield (root(token.key) if token.kind == "word" else token.key), token


@lru_cache(maxsize=_MOST_READ // 8)
def _sentences(passage: str) -> tuple[_Words, ...]:
    return tuple(_words(passage[start:end]) for start, end in sentence_intervals(passage))


def _shared(one: str, other: str) -> float:
    """Return the length of the common beginning of two words as a share of the longer one."""
    pairs = zip(one, other, strict=False)
    differing = next((place for place, (a, b) in enumerate(pairs) if a != b), None)
    length = min(len(one), len(other)) if differing is None else differing
    return length / max(len(one), len(other)) if length > _ROOT else 0.0


def _terms_of(question: str) -> tuple[_Term, ...]:
    rarity = shipped_model().rarity_of
    first = len(question) - len(question.lstrip())
    found: dict[str, _Term] = {}
    for key, token in _keys_of(question):
        named = token.start > first and token.text[:1].isupper()
        term = _Term(key, token.text, rarity(key), named, token.kind == "number")
        found.setdefault(key, term)
    return tuple(found.values())


def _odds(features: Features) -> float:
    pairs = zip(_WEIGHTS, astuple(features), strict=True)
    return _BIAS + fsum(weight * value for weight, value in pairs)


# Fitted by tests/benchmarks/library/fit_relevance.py, in the order of `NAMES`; but `nearby` was set
# by hand, about as nearby words counted in `covered` when the others were fitted.
_BIAS = -1.796
_WEIGHTS = (
    3.575,  # covered
    2.0,  # nearby
    -1.584,  # rarest
    -0.477,  # names
    -1.229,  # numbers
    -1.808,  # opposed
    -0.383,  # unknown_names
    2.593,  # best
    -1.376,  # searched
    -1.653,  # lacks_value
    -0.393,  # lacks_unit
    -0.280,  # lacks_name
    -5.612,  # lacks_phrase
    0.658,  # asked
)
# Bias, weight of the log odds by words, and weight of the cosine, with the vectors of MiniLM.
_WITH_VECTORS = (-1.700, 0.759, 3.393)
