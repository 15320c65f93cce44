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
from citeguard.metrics.shares import library
from citeguard.validation.models import Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationOverlap:
    """How far predicted citations agree with the gold ones.

    The measures are from 0 to 1, higher is better. They are means over pairs and over citations
    without a partner, which count as 0; `None` where there are neither, or where a gold citation
    lacks what is compared.

    Attributes:
        exact_source: The share that name the same source.
        rouge_l: The mean ROUGE-L of their words.
        combined: The mean of both.
        missing: How many gold citations have no partner: neither source nor words in common.
        spurious: How many predicted citations have none.
    """

    exact_source: float | None
    rouge_l: float | None
    combined: float | None
    missing: int
    spurious: int


def citation_overlap(
    predicted: Iterable[Sequence[Citation | Evidence]],
    gold: Iterable[Sequence[Citation | Evidence]],
) -> CitationOverlap:
    """Compare predicted citations with gold ones: do they name the same source, the same words?

    Within each answer, predicted and gold citations are paired one to one so that the sum of
    0.5 · (same source) + 0.5 · ROUGE-L is maximal (SciPy's `linear_sum_assignment`): the order does
    not matter, and citing a passage twice gains nothing. It cannot distinguish a passage as good as
    the gold one from a wrong one; for that, see `citation_quality`.

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
    pairs = [pair for sides in zip(answers, wanted, strict=True) for pair in _pairs(*sides)]
    every_gold = [each for answer in wanted for each in answer]
    # Each pair takes a place, and so does each citation without a partner.
    places = sum(max(len(one), len(other)) for one, other in zip(answers, wanted, strict=True))
    source = words = None
    if places and all(each.source_id is not None for each in every_gold):
        source = sum(same for same, _ in pairs) / places
    if places and all(_words(each.text) for each in every_gold):
        words = sum(overlap for _, overlap in pairs) / places
    return CitationOverlap(
        exact_source=source,
        rouge_l=words,
        combined=None if source is None or words is None else (source + words) / 2,
        missing=len(every_gold) - len(pairs),
        spurious=sum(map(len, answers)) - len(pairs),
    )


def rouge_l(predicted: str, gold: str) -> float | None:
    """Return ROUGE-L: how long the longest common subsequence of words of two texts is.

    2PR / (P + R), with P and R the words of the longest common subsequence as a share of the
    predicted and of the gold words (C.-Y. Lin, "ROUGE: A Package for Automatic Evaluation of
    Summaries", 2004, section 3.1, with beta 1), by rouge-score's `RougeScorer`, without stemming.
    Case and punctuation do not count. It measures common words in order, not meaning: an added
    "not" hardly changes it. Letters other than ASCII, which rouge-score drops, are letters here,
    and each character of a script without spaces is a word.

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


def _pairs(predicted: Sequence[Evidence], gold: Sequence[Evidence]) -> list[tuple[bool, float]]:
    """Return for each pair of an answer whether the source is the same, and its ROUGE-L."""
    if not (predicted and gold):
        return []
    # Two citations without a source need not have the same one.
    table = [
        [
            (
                some.source_id is not None and some.source_id == other.source_id,
                rouge_l(some.text, other.text) or 0.0,
            )
            for other in gold
        ]
        for some in predicted
    ]
    weights = [[(same + overlap) / 2 for same, overlap in row] for row in table]
    best: Any = library("scipy.optimize").linear_sum_assignment(weights, maximize=True)
    chosen = (table[int(row)][int(column)] for row, column in zip(*best, strict=True))
    return [pair for pair in chosen if any(pair)]
