"""A judge that compares short answers: `ShortAnswers`, with a model of yours that finds them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, runtime_checkable

from citeguard.errors import CiteguardError, check_function, check_number, check_text
from citeguard.facts.aligned import differences
from citeguard.judges.cache import VerdictCache
from citeguard.judges.verdicts import (
    Alignment,
    AlignmentQuestion,
    Evidence,
    JudgeFailedError,
    SupportQuestion,
    Verdict,
    local_settings,
)
from citeguard.language.excerpts import as_json
from citeguard.language.numbers import Number, find_numbers
from citeguard.language.sentences import whole_sentences
from citeguard.language.tokens import term_keys
from citeguard.retrieval.embeddings import shown

VERSION = "6"  # part of the key of cached verdicts; change it with what the same answers lead to

Agreement = Literal["same", "different", "unclear"]
"""`unclear` includes a stated answer that says more than the found one: a date and its year."""

_SHOWN = 80  # characters of an answer in a reason
_ROUNDED = 0.1  # share by which a quantity may change when it is given in another unit
_CONVERTED = 1e-12  # relative error of a conversion; 999,999,999 is not 1,000,000,000
# "Curie" is a part of "Marie Curie", but not the answer "Curie and Joliot".
_SEVERAL = re.compile(r"\b(?:and|or)\b|[&,/]")


@dataclass(frozen=True, slots=True)
class FoundAnswer:
    """An answer found in a text.

    Attributes:
        text: The answer: the words at this place, or `yes` or `no` if they say so.
        start: Where it starts, in code points.
        end: Where it ends, exclusive.
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


class ShortAnswers:
    """Compares the short answer that a statement gives with that of the passages it cites.

    A model of yours finds the answers. A statement is `supported` if it gives the answer of one of
    its passages, and `contradicted` if it gives another number, date, name, or yes for no.
    Otherwise it is `undecided`, as it is where the two sentences differ in a fact beside the
    answer. Nothing else that a statement says is judged.

    As `Policy.alignment`, it takes the question from the answer that is validated; the answer as a
    whole is `supported` if at least one statement gives an answer, right or wrong, and the verdicts
    on the statements say which. As a judge of `Policy.support`, it needs the question when it is
    created.

    Args:
        extractor: Finds the answer to a question in a text: takes `(question, text)`, returns a
            `FoundAnswer` or `None`. Called for the passage and for the statement.
        question: The question, for use in `Policy.support`.
        supported_from: The least score of the passage's answer with which an equal answer is
            supported, 0 to 1, inclusive. It may be low: two wrong answers are seldom equal.
        contradicted_from: The least score of the passage's answer with which a different answer is
            contradicted, 0 to 1, inclusive.
        version: Names the extractor, for a cache that outlives this object; not needed if the
            extractor has an attribute `version`.
        cache: Where verdicts are cached; by default in memory, for the lifetime of this object.

    Raises:
        CiteguardError: The extractor is not callable, a threshold is outside 0 to 1, or the
            question is not a string; also when support is judged without a question.

    Examples:
        >>> def extractor(question, text):  # yours asks a model
        ...     start = text.find(" is ") + 4
        ...     return FoundAnswer(text[start:-1], start, len(text) - 1, score=0.9)
        >>> passage = Evidence(text="The notice period is one month.", source_id="handbook")
        >>> stated = SupportQuestion(statement="It is two months.", evidence=(passage,))
        >>> (verdict,) = ShortAnswers(extractor, question="How long is it?").judge([stated])
        >>> verdict.outcome, verdict.reason
        ('contradicted', 'The passage answers "one month", not "two months".')
    """

    name = "short answers"

    def __init__(
        self,
        extractor: AnswerExtractor,
        *,
        question: str | None = None,
        supported_from: float = 0.1,
        contradicted_from: float = 0.8,
        version: str | None = None,
        cache: VerdictCache | None = None,
    ) -> None:
        check_function("ShortAnswers(extractor)", extractor, required=True)
        check_text("ShortAnswers(question=...)", question)
        check_text("ShortAnswers(version=...)", version)
        check_number("ShortAnswers(supported_from=...)", supported_from, 0, 1)
        check_number("ShortAnswers(contradicted_from=...)", contradicted_from, 0, 1)
        self._extract, self._question = extractor, question
        self._supported_from, self._contradicted_from = supported_from, contradicted_from
        self.settings = local_settings(
            *(question, supported_from, contradicted_from, VERSION),
            model=version or getattr(extractor, "version", None),
            cache=cache,
        )

    def __repr__(self) -> str:
        """Return the extractor and the question."""
        return f"ShortAnswers({shown(self._extract)}, question={self._question!r})"

    def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
        """Return the verdicts on the answers that statements give to `question`."""
        if self._question is None:
            raise CiteguardError(
                "as a support judge, ShortAnswers needs the question: pass "
                "ShortAnswers(question=...), or use it as Policy(alignment=...)"
            )
        return [self._on_statement(self._question, each) for each in questions]

    def align(self, question: AlignmentQuestion) -> Alignment:
        """Return the verdicts on the answers that statements give to the question asked."""
        asked = (self._question if question.question is None else question.question) or ""
        verdicts = [
            self._on_statement(asked, each) if each.evidence else None
            for each in question.statements
        ]
        given = [verdict for verdict in verdicts if verdict is not None]
        if any(verdict.decided for verdict in given):
            answer = Verdict("supported", reason="A short answer is given.", judge=self.name)
        else:
            answer = self._undecided(given[0].reason if given else "no statement has evidence")
        return Alignment(answer=answer, statements=tuple(verdicts))

    def _on_statement(self, question: str, case: SupportQuestion) -> Verdict:
        passages = [each for each in case.evidence if each.text.strip()]
        if not question.strip():
            return self._undecided("the question is not known")
        if not passages or not case.statement.strip():
            return self._undecided("the statement or its evidence is blank")
        stated = self._answer(question, case.statement)
        if stated is None:
            return self._undecided("the statement gives no short answer to the question")
        verdicts = [self._compared(question, case.statement, stated, each) for each in passages]
        # One passage with the same answer is enough.
        order = ("supported", "contradicted", "undecided")
        return min(verdicts, key=lambda verdict: order.index(verdict.outcome))

    def _compared(
        self, question: str, statement: str, stated: FoundAnswer, passage: Evidence
    ) -> Verdict:
        found = self._answer(question, passage.text)
        if found is None:
            return self._undecided("the passage gives no short answer to the question")
        start, end = whole_sentences(passage.text, found.start, found.end)
        agreement = compare_answers(stated.text, found.text)
        one, other = as_json(stated.text, _SHOWN), as_json(found.text, _SHOWN)
        if agreement == "same" and found.score >= self._supported_from:
            # "In May, 50 came." has the answer of "In June, 50 came."
            if differences(statement, passage.text[start:end]):
                return self._undecided("the answers agree, but the sentences differ in a fact")
            verdict = Verdict("supported", reason=f"The passage also answers {other}.")
            # What is supported scores above a half, and what is contradicted below.
            verdict = replace(verdict, score=(1 + found.score) / 2)
        elif agreement == "different" and found.score >= self._contradicted_from:
            verdict = Verdict("contradicted", reason=f"The passage answers {other}, not {one}.")
            verdict = replace(verdict, score=(1 - found.score) / 2)
        else:
            return self._undecided(f"the passage may answer {other}, the statement {one}")
        words, span = passage.text[start:end], passage.span(start, end)
        return replace(verdict, words=words, span=span, judge=self.name)

    def _answer(self, question: str, text: str) -> FoundAnswer | None:
        found: Any = self._extract(question, text)
        if found is None:
            return None
        if not isinstance(found, FoundAnswer) or not 0 <= found.start < found.end <= len(text):
            raise JudgeFailedError("the extractor returned no FoundAnswer within the text")
        if not (math.isfinite(found.score) and 0 <= found.score <= 1):
            raise JudgeFailedError(f"the extractor returned a score of {found.score}, not 0 to 1")
        return found

    def _undecided(self, reason: str) -> Verdict:
        return Verdict("undecided", reason=reason, judge=self.name)


def compare_answers(stated: str, found: str) -> Agreement:
    """Return whether a stated answer and one found in a source are the same.

    Numbers may be in digits or words and in other units, dates in any form. A stated answer may say
    less than the source ("2016" for "7 February 2016", "Curie" for "Marie Curie"); one that says
    more, or lists several, is `unclear`.
    """
    # "Yes" and "no" are no terms: they are words of grammar elsewhere.
    plain = [text.strip(" .!").casefold() for text in (stated, found)]
    one, other = (
        {word} if word in ("yes", "no") else term_keys(text)
        for word, text in zip(plain, (stated, found), strict=True)
    )
    numbers = next(iter(find_numbers(stated)), None), next(iter(find_numbers(found)), None)
    if numbers[0] is not None and numbers[1] is not None:
        return _compare(numbers[0], numbers[1])
    if not one or not other:
        return "unclear"
    if one == other:
        return "same"
    if one & other or numbers != (None, None):
        is_part = one < other and not _SEVERAL.search(found)
        return "same" if is_part and numbers == (None, None) else "unclear"
    return "different"


def _compare(one: Number, other: Number) -> Agreement:
    if one.kind == other.kind == "date":
        parts = [
            (getattr(one, part), getattr(other, part))
            for part in ("year", "month", "day", "weekday")
        ]
        is_apart = one.high < other.low or other.high < one.low
        if is_apart or any(a != b for a, b in parts if a is not None and b is not None):
            return "different"
        says_more = any(a is not None and b is None for a, b in parts)
        within = one.low <= other.low and other.high <= one.high
        return "same" if within and not says_more else "unclear"
    dimensions = [each.unit.dimension if each.unit else "" for each in (one, other)]
    if dimensions[0] != dimensions[1]:
        # The question may have had the unit: "How many metres?", "Five."
        return "same" if one.value == other.value and not all(dimensions) else "unclear"
    value, found = (
        each.value if each.unit is None else (each.value - each.unit.zero) * each.unit.size
        for each in (one, other)
    )
    if math.isclose(value, found, rel_tol=_CONVERTED):
        return "same"
    # "Four weeks" and "a month" may or may not be meant as the same.
    rounded = one.unit != other.unit and abs(value - found) <= _ROUNDED * abs(found)
    return "unclear" if rounded else "different"
