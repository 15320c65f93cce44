"""Whether sentences answer a question, by words, without a language model: `AskedQuestion`.

Two things have to hold, each with a logistic regression; the score is the product of both, made a
probability again. The sentences are about what is asked: they have its words, themselves or in what
is above and before them. And they state it of what is asked about: nothing material of the question
(a name, a number, an answer of the kind) is missing or is another one. A question that a document
nearly answers has nearly all words of a sentence, so that the first alone does not distinguish it.

It reads no meaning: a sentence that has all of the question's words, but in other roles, or another
verb, has the same features as one that answers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from itertools import pairwise
from math import fsum
from typing import Literal, NamedTuple

from rapidfuzz.distance import OSA

from citeguard.facts import contrasts
from citeguard.facts.names import acronym, acronyms, are_alike, has_form, names
from citeguard.facts.reading import Reading, Word, read
from citeguard.facts.tables import memberships, root, roots
from citeguard.judges.short_answers.extractor import LexicalExtractor, candidates
from citeguard.judges.short_answers.kinds import AnswerKind, asked_for
from citeguard.language.grammar import AUXILIARIES, DETERMINERS, PREPOSITIONS
from citeguard.language.numbers import find_numbers
from citeguard.language.sentences import sentence_intervals
from citeguard.language.spelling import is_english_word
from citeguard.language.terms import FUNCTION_WORDS
from citeguard.language.tokens import Token, tokenize
from citeguard.retrieval.embeddings import Embedder, vectors_of
from citeguard.sources.collection import Source
from citeguard.verifier.model import shipped_model

VERSION = "5"
"""Changes when scores do; part of the key of cached verdicts."""

# On articles of XQuAD that the weights were not fitted to, 94 % of the sentences that answer reach
# it: `python -m tests.benchmarks.library answerable`.
LEAST = 0.45
"""The least score of a sentence that answers a question, inclusive."""

_ROOT = 4  # letters that related words share
_RELATED = 0.6  # the least share of letters of related words
_MEMBER = 0.7  # of words that mean about the same by a table
_AROUND = 0.8  # of words that are above or before the sentences
_MOST_READ = 4_096  # texts; the sentences of passages are read for many questions
_BEFORE, _AFTER = 400, 200  # characters of a paragraph that are near a sentence
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_SCALE = 10.0  # so that rarities are about 0 to 1
_FEWEST = 4  # sentences found, to tell by them which words are common there
_LEAST_WEIGHT = 0.1  # share of its rarity that a word keeps although all of them have it
_SHORTEST_NAME = 3  # letters of a word of no language that counts as a name
_LONGEST_ACRONYM = 5
_SHORTEST_SLIP, _LONG_NAME = 5, 8  # letters of a name that may be mistyped once, and twice
_LEAD = 4  # words at the beginning of a sentence that may name what it is about
_REFERRING = 8  # words at its beginning that may refer to what was named before
_LONGEST_ASKED = 5  # words of what is asked for: "Which small European country"
_QUESTION_WORDS = frozenset("who whom whose what which when where why how".split())
_NAMING = frozenset("what which whose".split())
_COPULAS = frozenset("is are was were".split())
_ARTICLES = frozenset("the a an".split())
_BEFORE_NOUNS = DETERMINERS | PREPOSITIONS | {"and"}
_ANAPHORS = frozenset(
    "he she it they his her him its their them this these such latter former both there".split()
)
_VERBAL = ("ed", "ing")
_ASKS_TIME = re.compile(
    r"\A(?:when|(?:(?:in|on|at|during|by|since|until) )?(?:what|which)"
    r" (?:year|date|day|month|century|decade))\b"
    r"|\bhow (?:long|old|late|early)\b|\b(?:what|which) age\b"
)
_ASKS_WHY = re.compile(r"\A\W*why\b|\bwhat reasons?\b")
# Roots of words with which a sentence may say when (on which condition, too) or how long something
# is, or how much, without a number.
_OF_TIME = roots(
    "when if unless once noon midnight morning afternoon evening night dawn dusk sunrise"
    " sunset holiday weekend tomorrow yesterday soon upon until till since before after during"
    " while immediately ago century decade year month week day hour minute second era period"
    " age war annually daily weekly monthly yearly spring summer autumn winter season modern"
    " recently today ancient early late now always january february march april may june july"
    " august september october november december monday tuesday wednesday thursday friday"
    " saturday sunday"
)
_OF_AMOUNT = roots(
    "several many few dozen hundred thousand million half twice once most all none no never"
    " majority third quarter double triple percent single pair couple each every time both"
)
# Of words that say why something is, and of some that may.
_OF_REASON = roots(
    "because since due owing reason cause therefore hence thus thanks consequently result blame"
    " attribute explain fear lest motivate prompt lead"
)
_OF_PURPOSE = frozenset("to for as so after by with from when if out over given through".split())
_CONTENT = ("word", "number", "character")
_EXTRACTOR = LexicalExtractor()

_TermKind = Literal["name", "number", "asked", "attribute", "word"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """Sentences of a source, and what is around them.

    Attributes:
        text: The sentences.
        before: What is before them in their paragraph, which "he" or "this" may refer to.
        after: What follows them there.
        headings: The headings above them, the highest first.
        title: The title of their document.
    """

    text: str
    before: str = ""
    after: str = ""
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
        return cls(
            text=source.text[start:end] if text is None else text,
            before=_BLANK_LINE.split(source.text[max(0, start - _BEFORE) : start])[-1],
            after=_BLANK_LINE.split(source.text[end : end + _AFTER])[0],
            headings=source.layout.headings_at(start) if source.layout else (),
            title=source.title or "",
        )

    @property
    def above(self) -> str:
        """The headings and the title."""
        return "\n".join((*self.headings, self.title))


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevance:
    """How likely sentences answer a question.

    Attributes:
        score: The probability that they answer it, 0 to 1; higher is better.
        about: The probability that they are about what is asked, 0 to 1.
        stated: The probability that they state it of what is asked about, 0 to 1, if they are.
        missing: The words of the question that neither the sentences nor what is around them have,
            and the names that they have another one for, as the question writes them, the rarest
            first.
        lacks: The kind of answer that is asked for, if the sentences have nothing of the kind.
    """

    score: float
    about: float = 0.0
    stated: float = 0.0
    missing: tuple[str, ...] = ()
    lacks: AnswerKind | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """What a score is computed from. Rarities are of words, from 0 to about 1.

    Words of what is asked for ("which *gas*") count in `asked_for` only, numbers in `numbers` only.
    A word is missing if neither the sentences have it nor what is above or before them.

    Attributes:
        said: Share of the words that the sentences have, weighted by rarity; less for related
            words. 1 if there are none.
        covered: The same, with those that are only above or before, which count less.
        missing: Sum of the rarities of missing words that are no names.
        objects: Greatest rarity of these behind an article or a preposition.
        foreign: Greatest rarity of these that the passages found for the question lack, too.
        around: Greatest rarity of words that are only above or before.
        asked_for: Greatest rarity of the missing words of what is asked for ("Which *gas* …?").
        attribute: The same, where it is an attribute ("What is the *height* of …?").
        names: Count of words of names that are missing, behind the sentences too.
        names_after: Count of those that are only behind the sentences: nothing refers to them.
        names_replaced: Count of those that are only before, while the sentences begin with another
            name.
        numbers: Count of missing numbers.
        no_candidate: Whether nothing in the sentences has the form of what is asked for: 1 or 0.
        no_value: Whether a time or a number is asked for, and no word of the sentences, however
            vague, says one.
        no_reason: Whether the question is "why", and no word of the sentences says so; one half if
            only "to" or a word like it does.
        no_unit: Whether "how many" is asked, and what is counted is neither there nor above.
        candidate: How well the best answer of that form fits, 0 to 1.
        opposed: Count of missing words in whose place the sentences have their opposite.
        denied: Count of contrasts between question and sentences of kind `negation`.
        other_names: Of kind `name`, where the sentences have another name.
        other_numbers: Of kind `number`.
        opposites: Of kind `opposite`.
        best: Greatest share of the words that a sentence of the passages has.
    """

    said: float
    covered: float
    missing: float
    objects: float
    foreign: float
    around: float
    asked_for: float
    attribute: float
    names: float
    names_after: float
    names_replaced: float
    numbers: float
    no_candidate: float
    no_value: float
    no_reason: float
    no_unit: float
    candidate: float
    opposed: float
    denied: float
    other_names: float
    other_numbers: float
    opposites: float
    best: float


NAMES = tuple(field.name for field in fields(Features))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Term:
    """A content word of a question.

    Attributes:
        key: What is compared.
        text: The word as it is written.
        word: It, or the name of several words that it is part of, such as "New York".
        weight: Its rarity.
        kind: Whether it is a name, a number, a word of what is asked for, or of the attribute that
            is, or another one.
        is_object: Whether it is behind an article or a preposition.
        acronym: The acronym of the name that it is part of, in lower case.
    """

    key: str
    text: str
    word: Word
    weight: float
    kind: _TermKind
    is_object: bool = False
    acronym: str = ""


class _Placed(NamedTuple):
    """How far a word of the question is in the sentences, above them, before and after, 0 to 1."""

    here: float
    above: float
    before: float
    after: float


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
        self._asks_time = _ASKS_TIME.search(text.lower()) is not None
        self._asks_why = _ASKS_WHY.search(text.lower()) is not None
        self._vectors = None if embedder is None else vectors_of(embedder)
        self._reading = read(text)
        passages = tuple(dict.fromkeys(background))
        self._found = [_words(passage) for passage in passages]
        sentences = [words for passage in passages for words in _sentences(passage)]
        self._terms = _weighed(_terms_of(self._reading), sentences)
        self._keys = frozenset(term.key for term in self._terms)
        self._total = fsum(term.weight for term in self._terms) or 1.0
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
        features = [self.features(each) for each in quoted]
        about = [_odds(each, _BIAS_ABOUT, _ABOUT) for each in features]
        if self._vectors is not None and quoted:
            vectors = self._vectors([self.text, *(each.text for each in quoted)])
            alike = (vectors[1:] @ vectors[0]).tolist()
            bias, by_words, by_vectors = _WITH_VECTORS
            about = [
                bias + by_words * one + by_vectors * other
                for one, other in zip(about, alike, strict=True)
            ]
        found: list[Relevance] = []
        for each, sentences, odds in zip(features, quoted, about, strict=True):
            one, other = _probability(odds), _probability(_odds(each, _BIAS_STATED, _STATED))
            bias, slope = _CALIBRATED
            found.append(
                Relevance(
                    score=_probability(bias + slope * _log_odds(one * other)),
                    about=one,
                    stated=other,
                    missing=self._missing(sentences),
                    lacks=self.asked.kind if each.no_candidate or each.no_value else None,
                )
            )
        return found

    def features(self, quoted: Quoted) -> Features:
        """Return what the score of sentences is computed from, but for vectors."""
        total = said = covered = alone = missing = objects = foreign = around = 0.0
        missing_of = {"asked": 0.0, "attribute": 0.0}
        gone = after = replaced = numbers = 0
        here = _words(quoted.text)
        begins_otherwise = self._begins_otherwise(quoted.text)
        for term, place in self._placed(quoted):
            weight = term.weight / _SCALE
            is_missing = not (place.here or place.above or place.before)
            if term.kind == "number":
                numbers += is_missing
                continue
            if term.kind in missing_of:
                missing_of[term.kind] = max(missing_of[term.kind], weight * is_missing)
                continue
            total += weight
            said += weight * place.here
            alone += weight * max(place.here, _AROUND * place.above)
            covered += weight * max(place.here, _AROUND * max(place.above, place.before))
            if term.kind == "name":
                gone += is_missing and not place.after
                after += is_missing and place.after > 0
                only_before = place.before and not (place.here or place.above)
                replaced += bool(only_before) and begins_otherwise
            elif is_missing:
                missing += weight
                objects = max(objects, weight * term.is_object)
                if self._found and not any(words.likeness(term.key) for words in self._found):
                    foreign = max(foreign, weight)
            elif not place.here:
                around = max(around, weight)
        ranked = _EXTRACTOR.ranked(self.text, quoted.text)
        differing = contrasts(self.text, quoted.text)
        kinds = [each.kind for each in differing if each.found or each.kind == "negation"]
        if self.asked.kind == "yes_no":  # "no" is an answer
            kinds = [kind for kind in kinds if kind not in ("negation", "opposite")]
        return Features(
            said=said / total if total else 1.0,
            # What has no word of the question says nothing of it, whatever is before it.
            covered=(covered if said else alone) / total if total else 1.0,
            missing=missing,
            objects=objects,
            foreign=foreign,
            around=around,
            asked_for=missing_of["asked"],
            attribute=missing_of["attribute"],
            names=float(gone),
            names_after=float(after),
            names_replaced=float(replaced),
            numbers=float(numbers),
            no_candidate=float(self._lacks(quoted.text)),
            no_value=float(self._has_no_value(quoted.text)),
            no_reason=self._lacks_reason(quoted.text),
            no_unit=float(self._has_no_unit(quoted)),
            candidate=ranked[0].score if ranked else 0.0,
            opposed=float(
                sum(here.opposes(each.key) for each in self._terms if not here.likeness(each.key))
            ),
            denied=float(kinds.count("negation")),
            other_names=float(kinds.count("name")),
            other_numbers=float(kinds.count("number")),
            opposites=float(kinds.count("opposite")),
            best=self._best if self._found else self._share(here),
        )

    def _share(self, words: _Words) -> float:
        return fsum(each.weight * words.likeness(each.key) for each in self._terms) / self._total

    def _placed(self, quoted: Quoted) -> Iterator[tuple[_Term, _Placed]]:
        texts = (quoted.text, quoted.above, quoted.before, quoted.after)
        for term in self._terms:
            yield term, _Placed(*(_stated(term, text) for text in texts))

    def _begins_otherwise(self, text: str) -> bool:
        """Return whether sentences begin with a name that the question does not have.

        Not if they refer to what was named before: "In Rome, he …".
        """
        reading = read(text)
        if not _ANAPHORS.isdisjoint(word.key for word in reading.words[:_REFERRING]):
            return False
        own = [term.word for term in self._terms if term.kind == "name"]
        for name in names(reading).runs:
            if name.first >= _LEAD:
                return False
            words = [reading.words[i] for i in name.places]
            is_asked = any(root(word.key) in self._keys for word in words)
            if not is_asked and not any(are_alike(word, each) for word in words for each in own):
                return True
        return False

    def _lacks(self, text: str) -> bool:
        """Return whether a text has no possible answer, other than words of the question."""
        if self.asked.kind in ("open", "yes_no"):
            return False
        return all(
            self._keys.issuperset(_words(text[start:end]).places)
            for start, end in candidates(text, self.asked.kind)
        )

    def _has_no_value(self, text: str) -> bool:
        """Return whether a time or a number is asked for, and nothing in a text may say one."""
        asks_time = self._asks_time and self.asked.kind in ("date", "number", "phrase")
        if not asks_time and self.asked.kind != "number":
            return False
        own = {word.key for word in self._reading.words}
        new = {word.key for word in read(text).words} - own
        numbers = (text[slice(*number.whole)].lower() for number in find_numbers(text))
        if any(char.isdigit() for key in new for char in key) or not own.issuperset(numbers):
            return False
        vague = _OF_TIME if asks_time else _OF_AMOUNT
        return vague.isdisjoint(map(root, new)) and (asks_time or self._lacks(text))

    def _lacks_reason(self, text: str) -> float:
        """Return 1 if it is asked why and no word of a text says so, 0.5 if one may, else 0."""
        if not self._asks_why:
            return 0.0
        words = {word.key for word in read(text).words}
        if not _OF_REASON.isdisjoint(map(root, words)):
            return 0.0
        return 1.0 if _OF_PURPOSE.isdisjoint(words) else 0.5

    def _has_no_unit(self, quoted: Quoted) -> bool:
        unit = self.asked.unit
        if unit is None or not self.text.lower().startswith("how many"):
            return False
        return not any(_words(text).likeness(unit) for text in (quoted.text, quoted.above))

    def _missing(self, quoted: Quoted) -> tuple[str, ...]:
        begins_otherwise = self._begins_otherwise(quoted.text)
        missing: list[_Term] = []
        for term, place in self._placed(quoted):
            if place.here or place.above:
                continue
            if term.kind == "name":
                is_missing = not place.before or begins_otherwise
            else:
                is_missing = not (place.before or place.after)
            if is_missing:
                missing.append(term)
        return tuple(each.text for each in sorted(missing, key=lambda each: -each.weight))


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
        if token.kind in _CONTENT and token.key not in FUNCTION_WORDS:
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


def _weighed(terms: tuple[_Term, ...], sentences: Sequence[_Words]) -> tuple[_Term, ...]:
    """Return terms, each with less weight the more sentences of those found have it.

    What nearly all sentences of a document have, such as the name of its subject, tells none from
    another.
    """
    if len(sentences) < _FEWEST:
        return terms
    shares = [sum(term.key in each.places for each in sentences) / len(sentences) for term in terms]
    return tuple(
        replace(term, weight=term.weight * max(_LEAST_WEIGHT, 1 - share))
        for term, share in zip(terms, shares, strict=True)
    )


def _stated(term: _Term, text: str) -> float:
    """Return how far a text has a word of a question, 0 to 1; of a name, in any of its forms."""
    like = _words(text).likeness(term.key)
    return like if like or term.kind != "name" else float(_has_name(term.word, term.acronym, text))


@lru_cache(maxsize=4 * _MOST_READ)
def _has_name(word: Word, short: str, text: str) -> bool:
    reading, key = read(text), _letters(word.key)
    if word.stem in reading.places or has_form(word, reading):
        return True
    keys, initials = _written(text)
    if key in keys or (short and short in keys):
        return True
    if word.text.isupper() and len(key) <= _LONGEST_ACRONYM and key in initials:
        return True
    return any(_is_slip(key, other) for other in keys)


@lru_cache(maxsize=_MOST_READ)
def _written(text: str) -> tuple[frozenset[str], str]:
    """Return ways in which the words of a text may be written, and the initials of its names."""
    reading = read(text)
    words = [_letters(word.key) for word in reading.words]
    joined = (one + other for one, other in pairwise(words))
    initials = "".join(
        word.text[0].lower() if word.text[0].isupper() else " "
        for word in reading.words
        if word.text[0].isupper() or word.key not in FUNCTION_WORDS
    )
    return frozenset((*words, *joined, *acronyms(reading))), initials


def _letters(key: str) -> str:
    return re.sub(r"[.&-]|'s\Z", "", key)


def _is_slip(one: str, other: str) -> bool:
    """Return whether two words may be one, mistyped or shortened: "Sheeshanks", "Sheepshanks"."""
    if min(len(one), len(other)) < _SHORTEST_SLIP or one[0] != other[0]:
        return False
    if one.startswith(other) or other.startswith(one):
        return True
    most = 1 if len(one) < _LONG_NAME else 2
    return OSA.distance(one, other, score_cutoff=most) <= most


def _terms_of(reading: Reading) -> tuple[_Term, ...]:
    rarity = shipped_model().rarity_of
    tokens = [token for token in tokenize(reading.text) if token.kind in _CONTENT]
    keys = [token.key for token in tokens]
    content = [i for i, key in enumerate(keys) if key not in FUNCTION_WORDS]
    asked, attribute = _asked_words(keys)
    # Of other languages nearly no word is known, and in some all nouns have capitals.
    coined = [i for i in content if _is_coined(tokens[i])]
    is_english = 2 * len(coined) <= len(content)
    named = {place: run for run in names(reading).runs for place in run.places}
    found: dict[str, _Term] = {}
    for i in content:
        token, place = tokens[i], reading.place_at(tokens[i].start)
        kind: _TermKind = "asked" if i in asked else "attribute" if i in attribute else "word"
        has_capital = i > 0 and token.text[0].isupper()
        if token.kind == "number":
            kind = "number"
        elif is_english and (place in named or has_capital or i in coined):
            kind = "name"
        key = root(token.key) if token.kind == "word" else token.key
        term = _Term(
            key=key,
            text=token.text,
            word=reading.words[place],
            weight=rarity(key),
            kind=kind,
            is_object=i > 0 and keys[i - 1] in _BEFORE_NOUNS and not token.key.endswith(_VERBAL),
            acronym=acronym(reading, named[place]) if place in named else "",
        )
        found.setdefault(key, term)
    terms = tuple(found.values())
    if any(term.kind in ("name", "word") for term in terms):
        return terms
    # "What was revenue in 2023?": what is asked for is what it is about.
    return tuple(term if term.kind == "number" else replace(term, kind="word") for term in terms)


def _is_coined(token: Token) -> bool:
    """Return whether a word is in no dictionary: "pbsim" names something, capital or not."""
    is_word = token.kind == "word" and len(token.key) >= _SHORTEST_NAME
    return is_word and not is_english_word(token.key)


def _asked_words(words: Sequence[str]) -> tuple[frozenset[int], frozenset[int]]:
    """Return the places of words that name what is asked for, and of those that name an attribute.

    "What *German city* did …?", "What is the *height* of …?"
    """
    none: frozenset[int] = frozenset()
    first = next((i for i, word in enumerate(words) if word in _QUESTION_WORDS), None)
    if first is None or words[first] not in _NAMING:
        return none, none
    after = range(first + 1, min(len(words), first + _LONGEST_ASKED))
    verb = next((i for i in after if words[i] in AUXILIARIES), None)
    if verb is None:
        return frozenset((first + 1,)), none
    if verb > first + 1:
        return frozenset(range(first + 1, verb)), none
    if words[verb] not in _COPULAS:
        return none, none
    # "What is the capital of …?"
    head = next((i for i in range(verb + 1, len(words)) if words[i] not in _ARTICLES), None)
    return none, none if head is None else frozenset((head,))


def _odds(features: Features, bias: float, weights: Mapping[str, float]) -> float:
    values = asdict(features)
    return bias + fsum(weight * values[name] for name, weight in weights.items())


def _probability(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def _log_odds(probability: float) -> float:
    return math.log(probability) - math.log1p(-probability)


# Fitted by tests/benchmarks/library/fit_relevance.py.
_BIAS_ABOUT = -1.061
_ABOUT: Mapping[str, float] = {
    "covered": 2.150,
    "missing": -0.334,
    "objects": -0.096,
    "foreign": 0.213,
    "names": -1.740,
    "numbers": -1.498,
    "no_candidate": -0.581,
    "no_value": -1.867,
    "opposed": -1.056,
    "best": 0.830,
}
_BIAS_STATED = -0.872
_STATED: Mapping[str, float] = {
    "said": 1.173,
    "covered": 1.392,
    "foreign": 0.522,
    "around": 0.212,
    "asked_for": -0.698,
    "names": -1.561,
    "names_after": -0.451,
    "names_replaced": -0.336,
    "numbers": -1.943,
    "no_value": -4.0,  # set by hand: of 1,000 answers, 4 have no value that is asked for
    "no_unit": -0.177,
    "candidate": 0.537,
    "opposed": -0.678,
    "denied": -1.768,
    "other_names": -1.072,
    "other_numbers": -2.693,
    "opposites": -2.685,
    "best": -0.323,
    "no_reason": -1.396,
    "attribute": -0.410,
}
# Bias, and weight of the log odds of the product of both probabilities.
_CALIBRATED = (1.015, 0.764)
# Bias, weight of the log odds of `about`, and weight of the cosine, with the vectors of MiniLM.
_WITH_VECTORS = (-1.305, 0.797, 2.568)
