"""What an entailment model is to read of the evidence for a statement: the likeliest windows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from citeguard.judges.verdicts import Evidence, SupportQuestion
from citeguard.language.terms import terms
from citeguard.language.windows import LONGEST, sentence_windows
from citeguard.sources.collection import Span

_TEXTS_KEPT = 256  # several statements cite one source; to find its windows takes milliseconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Premise:
    """A window of the evidence.

    Attributes:
        text: What is read.
        span: Where it stands in a source; `None` if in none, or in several places.
        relevance: How much of what the statement is about is in it, by rarity, 0 to 1.
        whole: Whether it is all of the evidence in one, of which other premises are parts.
    """

    text: str
    span: Span | None
    relevance: float
    whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which windows of evidence to read: runs of sentences, and how many at most.

    Attributes:
        size: The most sentences of a window.
        overlap: How many of them the next window repeats.
        passages: The most windows that are read for one statement.
    """

    size: int
    overlap: int
    passages: int

    def premises(self, question: SupportQuestion) -> list[Premise]:
        """Return the windows to read, the likeliest first; none if the evidence is blank.

        Those are likeliest that share the most terms with the statement, each the heavier the fewer
        windows have it. Evidence that is short enough for one window, and is more than one, is also
        read in one: its sentences may support only together what they do not by themselves.
        """
        return list(_premises(question, self))


@dataclass(frozen=True, slots=True)
class _Window:
    start: int
    end: int
    keys: frozenset[str]


@lru_cache(maxsize=_TEXTS_KEPT)
def _premises(question: SupportQuestion, selection: Selection) -> tuple[Premise, ...]:
    found = [
        (evidence, window)
        for evidence in question.evidence
        for window in _windows(evidence.text, selection.size, selection.overlap)
    ]
    weigh = _Weights(question.statement, [window.keys for _, window in found])
    premises = [_premise(*each, weigh(each[1].keys)) for each in found]
    likeliest = sorted(premises, key=lambda premise: -premise.relevance)[: selection.passages]
    keys = frozenset[str]().union(*(window.keys for _, window in found))
    together = _together([e for e in question.evidence if e.text.strip()], weigh(keys))
    if len(found) > 1 and len(together.text) <= LONGEST:
        return (together, *likeliest)
    return tuple(likeliest)


@lru_cache(maxsize=_TEXTS_KEPT)
def _windows(text: str, size: int, overlap: int) -> tuple[_Window, ...]:
    return tuple(
        _Window(start, end, term_keys(text[start:end]))
        for start, end in sentence_windows(text, size=size, overlap=overlap)
    )


@lru_cache(maxsize=_TEXTS_KEPT)
def term_keys(text: str) -> frozenset[str]:
    """Return what a text is about, as terms."""
    return frozenset(term.key for term in terms(text))


def forget() -> None:
    """Drop what is kept of texts, for measurements of a first use."""
    _premises.cache_clear()
    _windows.cache_clear()
    term_keys.cache_clear()


class _Weights:
    """Weighs sets of terms: the share of a statement's terms that they have, by rarity."""

    def __init__(self, statement: str, windows: Sequence[frozenset[str]]) -> None:
        counts = Counter(key for keys in windows for key in keys)
        self._weights = {
            key: math.log(1 + len(windows) / max(0.5, counts[key])) for key in term_keys(statement)
        }
        self._all = sum(self._weights.values())

    def __call__(self, keys: frozenset[str]) -> float:
        shared = sum(weight for key, weight in self._weights.items() if key in keys)
        return shared / self._all if self._all else 0.0


def _premise(evidence: Evidence, window: _Window, relevance: float) -> Premise:
    text = evidence.text[window.start : window.end]
    return Premise(text=text, span=evidence.span(window.start, window.end), relevance=relevance)


def _together(evidence: Sequence[Evidence], relevance: float) -> Premise:
    text = "\n".join(each.text for each in evidence)
    span = evidence[0].span(0, len(text)) if len(evidence) == 1 else None
    return Premise(text=text, span=span, relevance=relevance, whole=True)
