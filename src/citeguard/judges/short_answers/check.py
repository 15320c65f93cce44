"""A judge that looks up short answers in the passages cited: `ShortAnswers`."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from citeguard.errors import CiteguardError, check_number, check_text
from citeguard.facts import contrasts
from citeguard.facts.negation import denials
from citeguard.facts.numbers import Figure, agree, figures
from citeguard.facts.reading import read
from citeguard.judges.cache import VerdictCache
from citeguard.judges.judge import JudgeFailedError, local_settings
from citeguard.judges.short_answers.compare import Agreement, compare_answers
from citeguard.judges.short_answers.extractor import (
    AnswerExtractor,
    FoundAnswer,
    LexicalExtractor,
    candidates,
)
from citeguard.judges.short_answers.kinds import AnswerKind, asked_for, asks_for_the_agent
from citeguard.judges.short_answers.yes_no import find_yes_or_no
from citeguard.judges.verdicts import (
    Alignment,
    AlignmentQuestion,
    Evidence,
    SupportQuestion,
    Verdict,
)
from citeguard.language.excerpts import as_json
from citeguard.language.sentences import Interval, whole_sentences
from citeguard.retrieval.models import shown
from citeguard.verifier import differences

VERSION = "5"
"""Changes when verdicts on the same answers do; part of the key of cached verdicts."""

# Not names and numbers: those of the question are often beside the answer, not in its place.
_DISPUTING = frozenset(("negation", "opposite", "exclusive", "modality", "roles"))
# A name after one of these is not the agent: "ceded to Spain".
_NO_AGENT = re.compile(
    r"\b(?:to|from|for|with|against|than|under|into)(?:\s(?:the|an?|his|her|their|its))?\s\Z",
    re.IGNORECASE,
)
_SHOWN = 80  # characters of an answer in a reason


class ShortAnswers:
    """Compares the short answer that a statement gives with that of the passages it cites.

    For questions with who, when, where, how many, which and what, and for yes-no questions. A
    statement is `supported` if it gives the answer of its passages, and `contradicted` if it gives
    another answer, or says yes where they say no. Otherwise it is `undecided`: if the question has
    no short answer, the passage no likely one, or the statement none. No model is called unless the
    extractor is one.

    Only the answer is judged, nothing else that a statement says. As `Policy.alignment`, it takes
    the question from the answer that is validated; the answer as a whole is `supported` if at least
    one statement gives an answer, right or wrong, and the verdicts on the statements say which. As
    a judge of `Policy.support`, it needs the question when it is created.

    Args:
        extractor: Finds the answer to a question in a text: takes `(question, text)`, returns a
            `FoundAnswer` or `None`. Called for the passage and for the statement.
        question: The question, for use in `Policy.support`.
        supported_from: The least score of the passage's answer with which an equal answer is
            supported, 0 to 1, inclusive. It may be low: two wrong answers are seldom equal.
        contradicted_from: The least score of the passage's answer with which a different answer is
            contradicted, 0 to 1, inclusive.
        version: Names your own extractor, for a cache that outlives this object; not needed if the
            extractor has an attribute `version`.
        cache: Where verdicts are cached; by default in memory, for the lifetime of this object.

    Attributes:
        settings: How a session calls this judge.

    Raises:
        CiteguardError: The extractor is not callable, a threshold is outside 0 to 1, or the
            question is not a string; also when support is judged without a question.

    Examples:
        >>> passage = Evidence(text="The notice period is one month.", source_id="handbook")
        >>> stated = SupportQuestion(statement="It is two months.", evidence=(passage,))
        >>> (verdict,) = ShortAnswers(question="How many months is the notice?").judge([stated])
        >>> verdict.outcome, verdict.reason
        ('contradicted', 'The passage answers "one month", not "two months".')
    """

    name = "short answers"

    def __init__(
        self,
        extractor: AnswerExtractor | None = None,
        *,
        question: str | None = None,
        supported_from: float = 0.1,
        contradicted_from: float = 0.8,
        version: str | None = None,
        cache: VerdictCache | None = None,
    ) -> None:
        if extractor is not None and (isinstance(extractor, type) or not callable(extractor)):
            raise CiteguardError(f"ShortAnswers(extractor) must be a function, not {extractor!r}")
        check_text("ShortAnswers(question=...)", question)
        check_text("ShortAnswers(version=...)", version)
        check_number("ShortAnswers(supported_from=...)", supported_from, 0, 1)
        check_number("ShortAnswers(contradicted_from=...)", contradicted_from, 0, 1)
        self._extract: AnswerExtractor = LexicalExtractor() if extractor is None else extractor
        self._question = question
        self._supported_from, self._contradicted_from = supported_from, contradicted_from
        self.settings = local_settings(
            *(question, supported_from, contradicted_from, VERSION, differences.VERSION),
            model=version or getattr(self._extract, "version", None),
            cache=cache,
        )

    def __repr__(self) -> str:
        """Return the extractor, the question and the thresholds."""
        return (
            f"ShortAnswers({shown(self._extract)}, question={self._question!r}, "
            f"supported_from={self._supported_from}, contradicted_from={self._contradicted_from})"
        )

    def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
        """Return the verdicts on the answers that statements give to `question`."""
        if self._question is None:
            raise CiteguardError(
                "as a support judge, ShortAnswers needs the question: pass "
                "ShortAnswers(question=...), or use Policy(alignment=ShortAnswers())"
            )
        return [self._verdict(self._question, each) for each in questions]

    def align(self, question: AlignmentQuestion) -> Alignment:
        """Return the verdicts on the answers that statements give to the question asked."""
        asked = self._question if question.question is None else question.question
        verdicts = [
            self._verdict(asked or "", each) if each.evidence else None
            for each in question.statements
        ]
        given = [verdict for verdict in verdicts if verdict is not None]
        if any(verdict.decided for verdict in given):
            answer = Verdict("supported", reason="A short answer is given.", judge=self.name)
        else:
            reason = given[0].reason if given else "no statement has evidence"
            answer = Verdict("undecided", reason=reason, judge=self.name)
        return Alignment(answer=answer, statements=tuple(verdicts))

    def _verdict(self, question: str, case: SupportQuestion) -> Verdict:
        kind = asked_for(question).kind
        passages = [each for each in case.evidence if each.text.strip()]
        if not question.strip():
            return self._undecided("the question is not known")
        if kind == "open":
            return self._undecided("the question has no short answer to look up")
        if not passages or not case.statement.strip():
            return self._undecided("the statement or its evidence is blank")
        look_up = self._yes_or_no if kind == "yes_no" else self._looked_up
        verdicts = [look_up(question, kind, case.statement, each) for each in passages]
        # One passage with the same answer is enough.
        order = ("supported", "contradicted", "undecided")
        return min(verdicts, key=lambda verdict: order.index(verdict.outcome))

    def _yes_or_no(
        self, question: str, _: AnswerKind, statement: str, passage: Evidence
    ) -> Verdict:
        stated = find_yes_or_no(question, statement)
        found = find_yes_or_no(question, passage.text, reply=False)
        if stated is None or found is None:
            who = "statement" if stated is None else "passage"
            return self._undecided(f"it is not clear whether the {who} says yes or no")
        answer = "yes" if found.yes else "no"
        if stated.yes == found.yes:
            verdict = self._as("supported", f"The passage also answers {answer}.")
        else:
            reason = f"The passage answers {answer}, and the statement does not."
            verdict = self._as("contradicted", reason)
        return _cite(verdict, passage, (found.start, found.end))

    def _looked_up(
        self, question: str, kind: AnswerKind, statement: str, passage: Evidence
    ) -> Verdict:
        stated = self._answer(question, statement)
        if stated is None:
            return self._undecided("the statement gives no short answer to the question")
        found = self._answer(question, passage.text)
        if found is None:
            return self._undecided("the passage gives no short answer to the question")
        start, end = whole_sentences(passage.text, found.start, found.end)
        there = _Place(passage.text[start:end], found.start - start, found.end - start)
        here = _Place(statement, stated.start, stated.end)
        verdict = self._compared(question, kind, here, there, found.score)
        return _cite(verdict, passage, (start, end)) if verdict.decided else verdict

    def _compared(
        self, question: str, kind: AnswerKind, stated: _Place, found: _Place, score: float
    ) -> Verdict:
        agreement = compare_answers(stated.text, found.text, kind)
        or_other = " or " in stated.sentence
        if or_other and {"same", "different"} <= _agreements(stated, found, kind):
            return self._undecided("the statement gives several answers")
        if kind == "number" and _is_open(agreement, stated, found):
            return self._undecided(f"{_unsure(found.text, stated.text)}, but not both are exact")
        if agreement == "same" and score >= self._supported_from:
            return self._agreeing(question, stated, found, score)
        if (
            agreement == "different"
            and score >= self._contradicted_from
            and "same" not in _agreements(stated, found, kind) | _agreements(found, stated, kind)
            and not _are_disputed(question, stated, found)
        ):
            reason = f"The passage answers {_quoted(found.text)}, not {_quoted(stated.text)}."
            return replace(self._as("contradicted", reason), score=(1 - score) / 2)
        return self._undecided(_unsure(found.text, stated.text))

    def _agreeing(self, question: str, stated: _Place, found: _Place, score: float) -> Verdict:
        """Return the verdict on equal answers, which one of the texts may still deny."""
        kinds = {contrast.kind for contrast in contrasts(stated.sentence, found.sentence)}
        if not kinds and _are_disputed(question, stated, found):
            return self._undecided("the answers agree, but they may not answer this question")
        if not kinds:
            reason = f"The passage also answers {_quoted(found.text)}."
            return replace(self._as("supported", reason), score=(1 + score) / 2)
        if kinds == {"negation"}:
            reason = (
                f"The statement and the passage both name {_quoted(found.text)}, but one of them "
                "denies what the other says."
            )
            return self._as("contradicted", reason)
        return self._undecided("the answers agree, but the statement differs from the passage")

    def _answer(self, question: str, text: str) -> FoundAnswer | None:
        found: Any = self._extract(question, text)
        if found is None:
            return None
        if not isinstance(found, FoundAnswer) or not 0 <= found.start < found.end <= len(text):
            raise JudgeFailedError("the extractor returned no FoundAnswer within the text")
        if not (math.isfinite(found.score) and 0 <= found.score <= 1):
            raise JudgeFailedError(f"the extractor returned a score of {found.score}, not 0 to 1")
        return found

    def _as(self, outcome: Any, reason: str) -> Verdict:
        return Verdict(outcome, reason=reason, judge=self.name)

    def _undecided(self, reason: str) -> Verdict:
        return self._as("undecided", reason)


@dataclass(frozen=True, slots=True)
class _Place:
    """An answer: a half-open interval of a sentence."""

    sentence: str
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.sentence[self.start : self.end]


def _are_disputed(question: str, *places: _Place) -> bool:
    """Return whether an answer may not answer the question in its sentence.

    The sentence may differ from the question ("lost" for "won"), deny it, or name the answer as
    the one acted on.
    """
    return any(
        any(each.found and each.kind in _DISPUTING for each in contrasts(question, place.sentence))
        or _is_denied(question, place)
        or (_NO_AGENT.search(place.sentence[: place.start]) and asks_for_the_agent(question))
        for place in places
    )


def _is_denied(question: str, place: _Place) -> bool:
    """Return whether the question has a denial, or the sentence denies the answer or its words."""
    reading, asked = read(place.sentence), read(question)
    if denials(asked).places:
        return True
    return any(
        is_odd
        and (
            place.start <= reading.words[i].start < place.end
            or reading.words[i].stem in asked.places
        )
        for i, is_odd in denials(reading).parity.items()
    )


def _is_open(agreement: Agreement, stated: _Place, found: _Place) -> bool:
    """Return whether, by bounds or rounding, equal numbers may differ or different ones agree."""
    one, other = _figure_at(stated), _figure_at(found)
    if one is None or other is None:
        return False
    if agreement == "same":
        return _direction(one) != _direction(other)
    return agreement == "different" and agree(one, other)


def _figure_at(place: _Place) -> Figure | None:
    found = figures(read(place.sentence))
    within = (each for each in found if each.number.start < place.end)
    return next((each for each in within if place.start < each.number.end), None)


def _direction(figure: Figure) -> int:
    """Return 1 for a lower bound, -1 for an upper bound, otherwise 0."""
    number = figure.number
    return (math.inf == number.high) - (number.low == -math.inf)


def _unsure(found: str, stated: str) -> str:
    return f"the passage may answer {_quoted(found)}, the statement {_quoted(stated)}"


def _agreements(one: _Place, other: _Place, kind: AnswerKind) -> set[Agreement]:
    """Return how all possible answers of a sentence compare with the answer of another."""
    text, spans = one.sentence, candidates(one.sentence, kind)
    return {compare_answers(text[slice(*span)], other.text, kind) for span in spans}


def _cite(verdict: Verdict, passage: Evidence, place: Interval) -> Verdict:
    start, end = place
    return replace(verdict, words=passage.text[start:end], span=passage.span(start, end))


def _quoted(answer: str) -> str:
    return as_json(answer, _SHOWN)
