"""Whether sentences answer a question, by words, without a language model: `AskedQuestion`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum

from citeguard.facts import contrasts
from citeguard.facts.reading import Reading, read
from citeguard.judges.short_answers.extractor import LexicalExtractor, candidates
from citeguard.judges.short_answers.kinds import asked_for
from citeguard.verifier.model import shipped_model

_ROOT = 4  # letters that related words share


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevance:
    """How likely sentences answer a question.

    Attributes:
        score: The probability, 0 to 1, that they answer it; higher is better.
        missing: The words of the question that neither the sentences nor what is around them have,
            as the question writes them, the rarest first.
    """

    score: float
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Term:
    key: str
    text: str
    weight: float
    is_name: bool


class AskedQuestion:
    """A question, read once, and how likely any sentences answer it.

    Args:
        text: The question.
        background: Passages of the documents that a search found for the question, so that it is
            known which words the documents have at all; empty if unknown.

    Examples:
        >>> asked = AskedQuestion("When did the bridge open?")
        >>> asked.relevance("The bridge opened in 1936.").score > 0.5
        True
        >>> asked.relevance("The bridge is painted red.").score < 0.5
        True
    """

    def __init__(self, text: str, *, background: Iterable[str] = ()) -> None:
        self.text = text
        self.kind = asked_for(text).kind
        self._terms = _terms_of(text)
        self._background = tuple(dict.fromkeys(background))

    def relevance(
        self, sentences: str, *, before: str = "", headings: Sequence[str] = (), title: str = ""
    ) -> Relevance:
        """Return how likely sentences answer the question.

        Args:
            sentences: One or several sentences of a source, as one text.
            before: The sentence before them, which "he" or "this" may refer to.
            headings: The headings above them, the highest first.
            title: The title of their document.
        """
        values = self.features(sentences, before=before, headings=headings, title=title)
        odds = _BIAS + fsum(_WEIGHTS[name] * value for name, value in values.items())
        around = " \n".join((sentences, before, *headings, title))
        there = _Words(read(around))
        missing = sorted(
            (term for term in self._terms if not there.likeness(term.key)),
            key=lambda term: -term.weight,
        )
        return Relevance(
            score=1 / (1 + math.exp(-odds)),
            missing=tuple(dict.fromkeys(term.text for term in missing)),
        )

    def features(
        self, sentences: str, *, before: str = "", headings: Sequence[str] = (), title: str = ""
    ) -> dict[str, float]:
        """Return the features from which the score is computed."""
        here = _Words(read(sentences))
        around = _Words(read("\n".join((before, *headings, title))))
        total = fsum(term.weight for term in self._terms) or 1.0
        found = [(term, here.likeness(term.key)) for term in self._terms]
        covered = fsum(term.weight * like for term, like in found) / total
        lacking = [term for term, like in found if not like]
        gone = [term for term in lacking if not around.likeness(term.key)]
        ranked = LexicalExtractor().ranked(self.text, sentences)
        has_kind = self.kind in ("open", "yes_no") or bool(candidates(sentences, self.kind))
        conflicts = [c for c in contrasts(self.text, sentences) if c.found and c.kind != "modality"]
        return {
            "covered": covered,
            "gone": fsum(term.weight for term in gone) / total,
            "rarest": max((term.weight for term in gone), default=0.0) / 10,
            "names": float(sum(term.is_name for term in gone)),
            "answer": ranked[0].score if ranked else 0.0,
            "kind": float(has_kind),
            "conflicts": float(len(conflicts)),
        }


_BIAS = -3.0
_WEIGHTS = {
    "covered": 6.0,
    "gone": -3.0,
    "rarest": -1.0,
    "names": -0.7,
    "answer": 2.0,
    "kind": 1.0,
    "conflicts": -0.4,
}


class _Words:
    """The content words of a text, to look up those of a question."""

    def __init__(self, reading: Reading) -> None:
        self.keys = frozenset(reading.words[i].stem for i in reading.content)
        self._roots: dict[str, list[str]] = {}
        for key in self.keys:
            if len(key) > _ROOT:
                self._roots.setdefault(key[:_ROOT], []).append(key)

    def likeness(self, key: str) -> float:
        """Return 1 if the text has a word, less for a related one, else 0."""
        if key in self.keys:
            return 1.0
        related = (_shared(key, other) for other in self._roots.get(key[:_ROOT], ()))
        return max((share for share in related if share >= 0.6), default=0.0)


def _shared(one: str, other: str) -> float:
    pairs = zip(one, other, strict=False)
    common = next((place for place, (a, b) in enumerate(pairs) if a != b), None)
    length = min(len(one), len(other)) if common is None else common
    return length / max(len(one), len(other)) if length > _ROOT else 0.0


def _terms_of(question: str) -> tuple[_Term, ...]:
    reading = read(question)
    rarity = shipped_model().rarity_of
    words = [reading.words[i] for i in reading.content]
    first = reading.words[0] if reading.words else None
    return tuple(
        _Term(w.stem, w.text, rarity(w.stem), w is not first and w.text[:1].isupper())
        for w in {word.stem: word for word in words}.values()
    )
