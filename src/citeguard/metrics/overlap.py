"""Predicted citations held against gold ones: `citation_overlap`, `rouge_l`."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from citeguard.errors import CiteguardError
from citeguard.judges.verdicts import Evidence
from citeguard.language.tokens import is_unspaced
from citeguard.metrics.reading import library
from citeguard.validation.models import Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationPair:
    """A predicted citation and the gold one that it is held against.

    Attributes:
        answer: Which answer, from 0.
        predicted: Which of its predicted citations, from 0.
        gold: Which of its gold citations, from 0.
        same_source: Whether both name the same source.
        rouge_l: ROUGE-L of their words, 0 to 1; `None` if the gold one has none.

    Examples:
        >>> cited = [[Evidence(text="one month", source_id="faq")]]
        >>> citation_overlap(cited, cited).pairs
        (CitationPair(answer=0, predicted=0, gold=0, same_source=True, rouge_l=1.0),)
    """

    answer: int
    predicted: int
    gold: int
    same_source: bool
    rouge_l: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationOverlap:
    """How far predicted citations are the gold ones.

    The measures are means over `places`, in which a citation without a partner counts as 0. They
    are from 0 to 1, higher is better, and `None` where there are no places, or where a gold
    citation lacks what is compared.

    Attributes:
        predicted: How many citations were predicted.
        gold: How many gold ones there are.
        places: For each answer the larger of both numbers, summed.
        pairs: The pairs, in order; a pair that has neither source nor words in common is none.
        gold_without_source: How many gold citations name no source.
        gold_without_words: How many gold citations have no words.

    Examples:
        >>> found = citation_overlap([[]], [[Evidence(text="one month", source_id="faq")]])
        >>> found.missing, found.exact_source, found.combined
        (1, 0.0, 0.0)
    """

    predicted: int
    gold: int
    places: int
    pairs: tuple[CitationPair, ...]
    gold_without_source: int
    gold_without_words: int

    @property
    def exact_source(self) -> float | None:
        """The share of places whose pair names the same source; `None` if a gold one names none."""
        if self.gold_without_source or not self.places:
            return None
        return sum(pair.same_source for pair in self.pairs) / self.places

    @property
    def rouge_l(self) -> float | None:
        """The mean of the places' ROUGE-L; `None` if a gold one has no words."""
        if self.gold_without_words or not self.places:
            return None
        return sum(pair.rouge_l or 0.0 for pair in self.pairs) / self.places

    @property
    def combined(self) -> float | None:
        """The mean of `exact_source` and `rouge_l`, half and half; `None` if either is."""
        if self.exact_source is None or self.rouge_l is None:
            return None
        return (self.exact_source + self.rouge_l) / 2

    @property
    def missing(self) -> int:
        """How many gold citations have no partner."""
        return self.gold - len(self.pairs)

    @property
    def spurious(self) -> int:
        """How many predicted citations have no partner."""
        return self.predicted - len(self.pairs)


def citation_overlap(
    predicted: Iterable[Sequence[Citation | Evidence]],
    gold: Iterable[Sequence[Citation | Evidence]],
) -> CitationOverlap:
    """Hold predicted citations against gold ones: the same source, and the same words?

    Within each answer, predicted and gold citations are paired one to one, so that the sum of
    0.5 · (same source) + 0.5 · ROUGE-L is the highest possible (SciPy's `linear_sum_assignment`):
    the order does not matter, and nobody gains by citing a passage twice. This is the measure of
    citeguard's background documents, which pair citations in their order; that gives the same where
    both lists are in the same order and of the same length, and drops the rest of a longer one,
    which counts as 0 here.

    It cannot tell a passage as good as the gold one from a wrong one; for that, see
    `citation_quality`.

    Args:
        predicted: For each answer its citations: validated ones, or `Evidence`.
        gold: For each answer, in the same order, those that it should have.

    Raises:
        CiteguardError: not as many answers on both sides, what is no citation, a citation that was
            not validated, or SciPy or rouge-score is missing.

    Examples:
        >>> notice = Evidence(text="Notice is one month.", source_id="handbook")
        >>> cut = Evidence(text="one month", source_id="handbook")
        >>> lunch = Evidence(text="Lunch is free.", source_id="faq")
        >>> found = citation_overlap([[cut, lunch]], [[notice]])
        >>> found.exact_source, round(found.rouge_l, 3), found.spurious
        (0.5, 0.333, 1)
    """
    said, wanted = _answers(predicted), _answers(gold)
    if len(said) != len(wanted):
        raise CiteguardError(
            f"every answer needs its gold citations; there are {len(said)} answers "
            f"and gold citations of {len(wanted)}"
        )
    return CitationOverlap(
        predicted=sum(map(len, said)),
        gold=sum(map(len, wanted)),
        places=sum(max(len(some), len(others)) for some, others in zip(said, wanted, strict=True)),
        pairs=tuple(
            pair
            for answer, (some, others) in enumerate(zip(said, wanted, strict=True))
            for pair in _pairs(answer, some, others)
        ),
        gold_without_source=sum(each.source_id is None for others in wanted for each in others),
        gold_without_words=sum(not _words(each.text) for others in wanted for each in others),
    )


def rouge_l(predicted: str, gold: str) -> float | None:
    """Return ROUGE-L: how long a common subsequence of words two texts have.

    2PR / (P + R), with P and R the words of the longest common subsequence as a share of the
    predicted and of the gold words (C.-Y. Lin, "ROUGE: A Package for Automatic Evaluation of
    Summaries", 2004, section 3.1, with beta 1), by rouge-score's `RougeScorer`, without stemming.
    Case and punctuation do not count. It measures words in common and in order, not meaning: a
    "not" more or less hardly changes it.

    On ASCII text the words are those of rouge-score. Other letters, which it drops, so that "été"
    is read as "t" and Chinese as nothing at all, are letters here, and each character of a script
    without spaces is a word.

    Args:
        predicted: The one text.
        gold: The other; to exchange both changes nothing.

    Returns:
        The measure, 0 to 1, higher is better; `None` if a text has no words. Takes time and memory
        in proportion to the product of both numbers of words.

    Raises:
        CiteguardError: what is no text, or rouge-score is missing.

    Examples:
        >>> rouge_l("one month", "Notice is one month.")
        0.6666666666666666
    """
    if not isinstance(predicted, str) or not isinstance(gold, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CiteguardError(f"ROUGE-L compares texts, not {predicted!r} and {gold!r}")
    if not (_words(predicted) and _words(gold)):
        return None
    return float(_scorer().score(gold, predicted)["rougeL"].fmeasure)


class _Tokenizer:
    """A tokenizer for rouge-score that reads letters and digits of every script."""

    def tokenize(self, text: str) -> list[str]:
        """Return the words."""
        return _words(text)


def _words(text: str) -> list[str]:
    return "".join(map(_spaced, unicodedata.normalize("NFC", text).lower())).split()


def _spaced(char: str) -> str:
    # Marks, too: they are the vowels of many scripts.
    if unicodedata.category(char)[0] not in "LMN":
        return " "
    return f" {char} " if is_unspaced(char) else char


@cache
def _scorer() -> Any:
    return library("rouge_score.rouge_scorer").RougeScorer(["rougeL"], tokenizer=_Tokenizer())


def _answers(given: Any) -> list[list[Evidence]]:
    if not isinstance(given, Iterable):
        raise CiteguardError(f"citations must be given as a list of answers, not {given!r}")
    return [_read(citations) for citations in cast("Iterable[Any]", given)]


def _read(citations: Any) -> list[Evidence]:
    if isinstance(citations, (str, Evidence, Citation)) or not isinstance(citations, Iterable):
        raise CiteguardError(f"an answer's citations must be a list, not {citations!r}")
    return [_evidence(citation) for citation in cast("Iterable[Any]", citations)]


def _evidence(citation: Any) -> Evidence:
    if isinstance(citation, Evidence):
        return citation
    if isinstance(citation, Citation) and citation.spans:
        return Evidence(text=citation.quote, source_id=citation.span.source_id)
    raise CiteguardError(f"a citation must be a validated Citation or Evidence, not {citation!r}")


def _pairs(
    answer: int, predicted: Sequence[Evidence], gold: Sequence[Evidence]
) -> list[CitationPair]:
    if not (predicted and gold):
        return []
    table = [
        [_pair(answer, place, some, number, other) for number, other in enumerate(gold)]
        for place, some in enumerate(predicted)
    ]
    weights = [[_weight(pair) for pair in row] for row in table]
    best: Any = library("scipy.optimize").linear_sum_assignment(weights, maximize=True)
    chosen = [table[int(row)][int(column)] for row, column in zip(*best, strict=True)]
    return [pair for pair in chosen if _weight(pair) > 0]


def _pair(
    answer: int, place: int, predicted: Evidence, number: int, gold: Evidence
) -> CitationPair:
    return CitationPair(
        answer=answer,
        predicted=place,
        gold=number,
        # Of a citation that names none, nobody knows which it is.
        same_source=predicted.source_id is not None and predicted.source_id == gold.source_id,
        rouge_l=(rouge_l(predicted.text, gold.text) or 0.0) if _words(gold.text) else None,
    )


def _weight(pair: CitationPair) -> float:
    return (pair.same_source + (pair.rouge_l or 0.0)) / 2
