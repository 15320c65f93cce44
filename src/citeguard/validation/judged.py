"""What validators make of judges: questions to them, and errors from their verdicts.

`StatementCheck` is what the rules for `Annotated[str, ...]` do; `Statement` and `Answer` use the
same functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from pydantic_core import PydanticCustomError

from citeguard.errors import CiteguardError, UndecidedError
from citeguard.judges.cases import SUPPORT, Case
from citeguard.judges.judge import Judge, JudgeFailedError
from citeguard.judges.verdicts import Evidence, Verdict
from citeguard.validation import messages
from citeguard.validation.annotations import Siblings, custom_error
from citeguard.validation.context import Grounding
from citeguard.validation.evidence import (
    NOTHING_FOUND,
    all_evidence,
    cited_evidence,
    found_evidence,
    question_about,
)
from citeguard.validation.policy import Policy, policy_of
from citeguard.validation.validators import FuzzyQuote, check_quote

if TYPE_CHECKING:
    from citeguard.judges.session import Session


def session_of(grounding: Grounding) -> Session:
    """Return the session around, or that of everything validated with this context."""
    # Loaded when judges are asked: it takes longer to load than all that is needed without them.
    from citeguard.judges.session import Session, current_session

    if (around := current_session()) is not None:
        return around
    # `setdefault` is atomic: threads that meet here get the same one.
    return grounding.memory.setdefault("session", Session(policy_of(grounding).budget))


def ask(case: Case, grounding: Grounding) -> Any:
    """Return what the judges say of a case; `None` while questions are only collected.

    Raises:
        CiteguardError: a judge cannot be asked, as its set-up is wrong.
    """
    from citeguard.judges.session import said_of

    try:
        return said_of(case, lambda: session_of(grounding))
    # What judges raise when asked has become `undecided` before; of other errors, Pydantic would
    # take these two for a mistake in the data.
    except (ValueError, AssertionError) as error:
        raise CiteguardError(f"a judge cannot be asked: {error}") from error


def verdict_on(
    statement: str,
    judges: Sequence[Judge],
    evidence: Callable[[], Sequence[Evidence]],
    grounding: Grounding,
) -> Verdict | None:
    """Return what judges say of a statement; `None` while questions are only collected.

    Args:
        statement: The statement.
        judges: Whom to ask, one after the other.
        evidence: Returns what they are shown; when it is nothing, or cannot be had, nobody is
            asked.
        grounding: The sources and the policy.

    Raises:
        CiteguardError: a judge cannot be asked, or nothing be searched, as the set-up is wrong.
    """
    try:
        shown = evidence()
    except JudgeFailedError as error:
        return undecided_search(error)
    if not shown:
        return NOTHING_FOUND
    return ask(Case(SUPPORT, tuple(judges), question_about(statement, shown)), grounding)


def undecided_search(error: JudgeFailedError) -> Verdict:
    """Return the verdict when evidence was to be searched, and could not be."""
    return Verdict("undecided", reason=str(error), judge=NOTHING_FOUND.judge)


def support_error(
    verdict: Verdict, statement: str, policy: Policy, *, cited: bool = True
) -> PydanticCustomError | None:
    """Return the error of a statement that a verdict lets not pass, or `None`.

    Its facts: statement, reason, score, words, span and judge. Where nothing is cited it speaks of
    the sources.

    Raises:
        UndecidedError: nobody could tell, and the policy says to raise.
    """
    if verdict.outcome == "supported":
        return None
    if verdict.outcome == "undecided":
        return undecided_error(verdict, "statement", policy, statement=statement)
    facts = {
        "statement": statement,
        "words": verdict.words or None,
        "span": verdict.span,
        **_reason(verdict),
    }
    if verdict.outcome == "contradicted":
        message = messages.statement_contradicted(verdict.reason, verdict.words, cited=cited)
        return custom_error("statement_contradicted", message, **facts)
    message = messages.statement_unsupported(verdict.reason, verdict.words, cited=cited)
    return custom_error("statement_unsupported", message, **facts)


def answer_error(
    verdict: Verdict, question: str | None, policy: Policy
) -> PydanticCustomError | None:
    """Return the error of an answer that a verdict lets not pass, or `None`.

    Its facts: question, reason, score and judge.

    Raises:
        UndecidedError: nobody could tell, and the policy says to raise.
    """
    if verdict.outcome == "supported":
        return None
    if verdict.outcome == "undecided":
        return undecided_error(verdict, "answer", policy, question=question)
    message = messages.answer_misaligned(verdict.reason, question)
    return custom_error("answer_misaligned", message, question=question, **_reason(verdict))


def undecided_error(
    verdict: Verdict, subject: str, policy: Policy, **facts: Any
) -> PydanticCustomError | None:
    """Return the error of what nobody could tell; `None` if the policy lets that pass.

    Raises:
        UndecidedError: the policy says to raise.
    """
    if policy.undecided == "raise":
        raise UndecidedError(f"nobody could tell whether the {subject} holds: {verdict.reason}")
    if policy.undecided == "pass":
        return None
    # One that grades has read the evidence; one that has failed has no score.
    tell = messages.undecided if verdict.score is None else messages.unsure
    message = tell(verdict.reason, subject)
    return custom_error("undecided", message, **facts, **_reason(verdict))


def _reason(verdict: Verdict) -> dict[str, Any]:
    return {"reason": verdict.reason, "score": verdict.score, "judge": verdict.judge}


@dataclass(frozen=True, slots=True)
class StatementCheck:
    """What a rule does with a statement.

    Attributes:
        rule: How the rule is written, for errors.
        judges: Who is asked.
        evidence_field: The field that holds what is cited, if there is one.
        source_field: The field that holds the id of the source, if there is one.
    """

    rule: str
    judges: Sequence[Judge]
    evidence_field: str | None
    source_field: str | None

    def __call__(self, statement: str, grounding: Grounding, siblings: Siblings) -> str:
        """Return the statement, or raise what is wrong with it.

        Raises:
            PydanticCustomError: it fails, or what it cites does.
            CiteguardError: there is no judge, or a field is none.
        """
        if not self.judges:
            raise CiteguardError(f"{self.rule} has no judge, nor has the policy: name one")
        if not statement.strip():
            raise custom_error("statement_empty", messages.statement_empty())
        policy, source_id = policy_of(grounding), siblings.source_id(self.source_field)
        quotes = self._quotes(siblings)
        evidence = self._evidence(statement, quotes, source_id, grounding)
        if evidence is not None:
            verdict = verdict_on(statement, self.judges, evidence, grounding)
            cited = self.evidence_field is not None and bool(quotes)
            error = verdict and support_error(verdict, statement, policy, cited=cited)
            if error is not None:
                raise error
        return statement

    def _quotes(self, siblings: Siblings) -> list[str] | None:
        """Return what is cited; `None` when the field that holds it has failed by itself."""
        if self.evidence_field is None:
            return []
        value, there = siblings.read("evidence_field", self.evidence_field)
        if there:
            return _quotes(value, self.evidence_field)
        if siblings.is_earlier(self.evidence_field):
            return None
        raise custom_error("statement_uncited", messages.evidence_unread(self.evidence_field))

    def _evidence(
        self, statement: str, quotes: list[str] | None, source_id: str | None, grounding: Grounding
    ) -> Callable[[], Sequence[Evidence]] | None:
        """Return what returns the evidence; `None` when the statement is not to be judged."""
        policy = policy_of(grounding)
        if quotes is None:
            return None
        if quotes:
            matches = [
                check_quote(quote, grounding, source_id=source_id, rule=_RULE) for quote in quotes
            ]
            spans = [match.spans for match in matches]
            return partial(cited_evidence, statement, spans, grounding)
        if self.evidence_field is not None and policy.uncited == "fail":
            message = messages.evidence_missing(self.evidence_field)
            raise custom_error("statement_uncited", message)
        if self.evidence_field is not None and policy.uncited == "pass":
            return None
        _require_source(source_id, grounding)
        if self.evidence_field is not None or policy.evidence == "passages":
            within = None if source_id is None else (source_id,)
            return partial(found_evidence, statement, grounding, within)
        return partial(all_evidence, source_id, grounding.sources)


_RULE = FuzzyQuote(min_length=1)


def _quotes(value: Any, field: str) -> list[str]:
    if value is None or isinstance(value, str):
        return [] if value is None else [value]
    listed = (
        list(cast("Iterable[Any]", value)) if isinstance(value, (list, tuple, set)) else [value]
    )
    if not all(isinstance(quote, str) for quote in listed):
        raise CiteguardError(f"evidence_field={field!r} must hold a quote or a list of quotes")
    return listed


def _require_source(source_id: str | None, grounding: Grounding) -> None:
    known = grounding.sources.ids
    if source_id is not None and source_id not in known:
        suggestion = messages.closest(source_id, known)
        message = messages.source_unknown(source_id, known, (), suggestion, quoted=False)
        raise custom_error("source_unknown", message, source_id=source_id, suggestion=suggestion)
