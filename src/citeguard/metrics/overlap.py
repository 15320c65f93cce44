"""Predicted citations against gold ones: the same source, and the same words."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from citeguard.errors import CiteguardError
from citeguard.judges.verdicts import Evidence
from citeguard.language.scripts import is_unspaced
from citeguard.metrics.inputs import library
from citeguard.validation.models import Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationPair:
    """A predicted citation and the gold one that it is compared with.

    Attributes:
        answer: The index of the answer, from 0.
        predicted: The index of the predicted citation in it, from 0.
        gold: The index of the gold citation in it, from 0.
        same_source: Whether both name the same source.
        rouge_l: ROUGE-L of their words, 0 to 1; `None` if the gold one has no words.
    """

    answer: int
    predicted: int
    gold: int
    same_source: bool
    rouge_l: float | None

    @property
    def weight(self) -> float:
        """How well they agree, 0 to 1: half by the source, half by the words."""
        return (self.same_source + (self.rouge_l or 0.0)) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationOverlap:
    """How far predicted citations agree with the gold ones.

    The measures are means over `places`, where a citation without a partner counts as 0. They are
    from 0 to 1, higher is better, and `None` where there are no places, or where a gold citation
    lacks what is compared.

    Attributes:
        predicted: How many citations were predicted.
        gold: How many gold ones there are.
        places: The larger of both numbers, summed over the answers.
        pairs: The pairs, in order. Two citations with neither source nor words in common are not
            a pair.
        gold_without_source: How many gold citations name no source.
        gold_without_words: How many gold citations have no words.
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
        """The mean of `exact_source` and `rouge_l`; `None` if either is."""
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
    """Compare predicted citations with gold ones: do they name the same source, the same words?

    Within each answer, predicted and gold citations are paired one to one so that the sum of
    0.5 · (same source) + 0.5 · ROUGE-L is maximal (SciPy's `linear_sum_assignment`): the order does
    not matter, and citing a passage twice gains nothing. This is the measure of citeguard's
    background documents, which pair citations in their order; that gives the same where both lists
    are in the same order and of the same length, and ignores the rest of a longer one, which
    counts as 0 here.

    It cannot distinguish a passage as good as the gold one from a wrong one; for that, see
    `citation_quality`.

    Args:
        predicted: For each answer its citations: validated ones, or `Evidence`.
        gold: For each answer, in the same order, those that it should have.

    Raises:
        CiteguardError: not as many answers on both sides, not a citation, a citation that was not
            validated, or SciPy or rouge-score is missing.

    Examples:
        >>> notice = Evidence(text="Notice is one month.", source_id="handbook")
        >>> cut = Evidence(text="one month", source_id="handbook")
        >>> lunch = Evidence(text="Lunch is free.", source_id="faq")
        >>> overlap = citation_overlap([[cut, lunch]], [[notice]])
        >>> overlap.exact_source, round(overlap.rouge_l, 3), overlap.spurious
        (0.5, 0.333, 1)
    """
    answers, wanted = _answers(predicted), _answers(gold)
    if len(answers) != len(wanted):
        raise CiteguardError(
            f"every answer needs its gold citations; there are {len(answers)} answers "
            f"and gold citations of {len(wanted)}"
        )
    sides = list(zip(answers, wanted, strict=True))
    return CitationOverlap(
        predicted=sum(map(len, answers)),
        gold=sum(map(len, wanted)),
        places=sum(max(len(some), len(others)) for some, others in sides),
        pairs=tuple(
            pair
            for answer, (some, others) in enumerate(sides)
            for pair in _pairs(answer, some, others)
        ),
        gold_without_source=sum(each.source_id is None for others in wanted for each in others),
        gold_without_words=sum(not _words(each.text) for others in wanted for each in others),
    )


def rouge_l(predicted: str, gold: str) -> float | None:
    """Return ROUGE-L: how long the longest common subsequence of words of two texts is.

    2PR / (P + R), with P and R the words of the longest common subsequence as a share of the
    predicted and of the gold words (C.-Y. Lin, "ROUGE: A Package for Automatic Evaluation of
    Summaries", 2004, section 3.1, with beta 1), by rouge-score's `RougeScorer`, without stemming.
    Case and punctuation do not count. It measures common words in order, not meaning: an added
    "not" hardly changes it.

    On ASCII text the words are those of rouge-score. It drops other letters, reading "été" as "t"
    and Chinese as nothing at all; here they are letters, and each character of a script without
    spaces is a word.

    Args:
        predicted: The one text.
        gold: The other; exchanging them changes nothing.

    Returns:
        The measure, 0 to 1, higher is better; `None` if a text has no words. Takes time and memory
        in proportion to the product of both numbers of words.

    Raises:
        CiteguardError: not a text, or rouge-score is missing.

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
        """Return the words; each character of a script without spaces is one."""
        spaced = ""
        for char in unicodedata.normalize("NFC", text).lower():
            # Including marks, which are the vowels of many scripts.
            is_word = unicodedata.category(char)[0] in "LMN"
            spaced += (f" {char} " if is_unspaced(char) else char) if is_word else " "
        return spaced.split()


_words = _Tokenizer().tokenize


@cache
def _scorer() -> Any:
    return library("rouge_score.rouge_scorer").RougeScorer(["rougeL"], tokenizer=_Tokenizer())


def _answers(given: Any) -> list[list[Evidence]]:
    if not isinstance(given, Iterable):
        raise CiteguardError(f"citations must be given as a list of answers, not {given!r}")
    answers: list[list[Evidence]] = []
    for answer in cast("Iterable[Any]", given):
        if isinstance(answer, (str, Evidence, Citation)) or not isinstance(answer, Iterable):
            raise CiteguardError(f"an answer's citations must be a list, not {answer!r}")
        answers.append([_evidence(citation) for citation in cast("Iterable[Any]", answer)])
    return answers


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
        [
            CitationPair(
                answer=answer,
                predicted=place,
                gold=number,
                # Two citations without a source need not have the same one.
                same_source=some.source_id is not None and some.source_id == other.source_id,
                rouge_l=(rouge_l(some.text, other.text) or 0.0) if _words(other.text) else None,
            )
            for number, other in enumerate(gold)
        ]
        for place, some in enumerate(predicted)
    ]
    weights = [[pair.weight for pair in row] for row in table]
    best: Any = library("scipy.optimize").linear_sum_assignment(weights, maximize=True)
    chosen = [table[int(row)][int(column)] for row, column in zip(*best, strict=True)]
    return [pair for pair in chosen if pair.weight > 0]
