"""What validators make of judges: evidence for them, and errors from their verdicts.

Here is `JudgedSupported`, for `Annotated[str, ...]` in any model; `Statement` and `Answer` use the
same functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError

from citeguard import messages
from citeguard.annotations import Siblings, checked_by, custom_error
from citeguard.checks.cases import SUPPORT, Case
from citeguard.checks.judge import Judge, can
from citeguard.errors import CiteguardError, UndecidedError
from citeguard.policy import Policy
from citeguard.sources import Grounding, Sources, Span
from citeguard.validators import FuzzyQuote, check_quote
from citeguard.verdicts import Evidence, SupportQuestion, Verdict

if TYPE_CHECKING:
    from citeguard.checks.session import Session

DEFAULT_POLICY = Policy()


def policy_of(grounding: Grounding) -> Policy:
    """Return the policy that a validation is held to."""
    return DEFAULT_POLICY if grounding.policy is None else grounding.policy


def session_of(grounding: Grounding) -> Session:
    """Return the session around, or that of everything validated with this context."""
    # Loaded when judges are asked: it takes longer to load than all that is needed without them.
    from citeguard.checks.session import Session, current_session

    if (around := current_session()) is not None:
        return around
    # `setdefault` is atomic: threads that meet here get the same one.
    return grounding.memory.setdefault("session", Session(policy_of(grounding).budget))


def ask(case: Case, grounding: Grounding) -> Any:
    """Return what the judges say of a case; `None` while questions are only collected.

    Raises:
        CiteguardError: a judge cannot be asked, as its set-up is wrong.
    """
    from citeguard.checks.session import said_of

    try:
        return said_of(case, lambda: session_of(grounding))
    # What judges raise when asked has become `undecided` before; of other errors, Pydantic would
    # take these two for a mistake in the data.
    except (ValueError, AssertionError) as error:
        raise CiteguardError(f"a judge cannot be asked: {error}") from error


def evidence_at(spans: Sequence[Span], grounding: Grounding) -> list[Evidence]:
    """Return what judges are shown of a quote's places, as `Policy.evidence` says."""
    sources, shown = grounding.sources, policy_of(grounding).evidence
    if shown == "quote":
        places = list(spans)
    elif shown == "source":
        places = [_all_of(spans[0].source_id, sources)]
    else:
        places = [_sentences(Span(spans[0].source_id, spans[0].start, spans[-1].end), sources)]
    return [_evidence(place, sources) for place in places]


def question_about(statement: str, evidence: Iterable[Evidence]) -> SupportQuestion:
    """Return the question whether evidence, given twice or once, supports a statement."""
    return SupportQuestion(statement=statement, evidence=tuple(dict.fromkeys(evidence)))


def support_error(verdict: Verdict, statement: str, policy: Policy) -> PydanticCustomError | None:
    """Return the error of a statement that a verdict lets not pass, or `None`.

    Its facts: statement, reason, words, span and judge.

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
        message = messages.statement_contradicted(verdict.reason, verdict.words)
        return custom_error("statement_contradicted", message, **facts)
    message = messages.statement_unsupported(verdict.reason, verdict.words)
    return custom_error("statement_unsupported", message, **facts)


def answer_error(
    verdict: Verdict, question: str | None, policy: Policy
) -> PydanticCustomError | None:
    """Return the error of an answer that a verdict lets not pass, or `None`.

    Its facts: question, reason and judge.

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
    message = messages.undecided(verdict.reason, subject)
    return custom_error("undecided", message, **facts, **_reason(verdict))


def _reason(verdict: Verdict) -> dict[str, str]:
    return {"reason": verdict.reason, "judge": verdict.judge}


@dataclass(frozen=True, slots=True, eq=False)  # by identity, as a judge may be unhashable
class JudgedSupported:
    """A statement that a judge finds supported by the evidence beside it.

    Asks the judge, or those of `Policy.support` when none is given. One by one and, in an event
    loop, blocking it; side by side, and without blocking, inside `verify`, `averify` and a client
    that is guarded (`guard`). `None` passes where the annotation allows it: it states nothing.

    Fails with `statement_unsupported`, `statement_contradicted`, `statement_empty`, with
    `statement_uncited` and `undecided` unless the policy lets them pass, and with the codes of
    `FuzzyQuote` when the evidence is no quote.

    Attributes:
        judge: Who is asked.
        evidence_field: The field of the same model, declared earlier, that holds the quote, or a
            list of quotes, to be judged by. When it is `None`, the judge is shown all of the
            source, or of all sources, part by part if it sets a limit.
        source_field: The field of the same model, declared earlier, that holds the id of the
            source. When it is `None`, or holds `None`, any source will do; an id that no source
            has is an error.

    Raises:
        CiteguardError: where the rule is used without its parentheses; and at validation, when
            there are no sources or no judge, or a field is no field declared earlier.

    Examples:
        >>> from typing import Annotated
        >>> from pydantic import BaseModel
        >>> from citeguard import FuzzyQuote, Sources
        >>> from citeguard.testing import ScriptedJudge
        >>> class Finding(BaseModel):
        ...     evidence: Annotated[str, FuzzyQuote()]
        ...     claim: Annotated[str, JudgedSupported(ScriptedJudge(), evidence_field="evidence")]
        >>> context = Sources({"handbook": "Notice is one month."}).as_context()
        >>> data = {"evidence": "one month", "claim": "It takes a month."}
        >>> Finding.model_validate(data, context=context).claim
        'It takes a month.'
    """

    judge: Judge | None = None
    evidence_field: str | None = None
    source_field: str | None = None

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler | None = None
    ) -> CoreSchema:
        """Check after the field's own validation."""

        def check(*arguments: Any) -> str:
            return self._check(*arguments)

        return checked_by("JudgedSupported()", check, source, handler)

    def __post_init__(self) -> None:
        """Refuse at once what could not be asked."""
        if self.judge is not None and not can(Judge, self.judge):
            raise CiteguardError(f"JudgedSupported({self.judge!r}): that is no judge")

    def _check(self, statement: str, grounding: Grounding, siblings: Siblings) -> str:
        policy = policy_of(grounding)
        judges = policy.support if self.judge is None else (self.judge,)
        if not judges:
            raise CiteguardError("JudgedSupported() has no judge, nor has the policy: name one")
        if not statement.strip():
            raise custom_error("statement_empty", messages.statement_empty())
        evidence = self._evidence(grounding, siblings)
        if evidence == [] and policy.uncited == "fail":
            message = messages.evidence_missing(self.evidence_field or "")
            raise custom_error("statement_uncited", message)
        if evidence:
            case = Case(SUPPORT, tuple(judges), question_about(statement, evidence))
            verdict: Verdict | None = ask(case, grounding)
            error = None if verdict is None else support_error(verdict, statement, policy)
            if error is not None:
                raise error
        return statement

    def _evidence(self, grounding: Grounding, siblings: Siblings) -> list[Evidence] | None:
        """Return what to judge by; `None` when the field that holds it has failed by itself."""
        source_id = siblings.source_id(self.source_field)
        if self.evidence_field is None:
            return _all_evidence(source_id, grounding.sources)
        value, there = siblings.read("evidence_field", self.evidence_field)
        if not there:
            if siblings.is_earlier(self.evidence_field):
                return None
            message = messages.evidence_unread(self.evidence_field)
            raise custom_error("statement_uncited", message)
        return [
            evidence
            for quote in _quotes(value, self.evidence_field)
            for evidence in evidence_at(
                check_quote(quote, grounding, source_id=source_id, rule=_RULE).spans, grounding
            )
        ]


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


def _all_evidence(source_id: str | None, sources: Sources) -> list[Evidence]:
    if source_id is None:
        return [_evidence(_all_of(each, sources), sources) for each in sources.ids]
    if source_id not in sources:
        suggestion = messages.closest(source_id, sources.ids)
        message = messages.source_unknown(source_id, sources.ids, (), suggestion, quoted=False)
        raise custom_error("source_unknown", message, source_id=source_id, suggestion=suggestion)
    return [_evidence(_all_of(source_id, sources), sources)]


def _all_of(source_id: str, sources: Sources) -> Span:
    return Span(source_id, 0, len(sources[source_id].text))


def _sentences(place: Span, sources: Sources) -> Span:
    prepared = sources[place.source_id].prepared
    return Span(place.source_id, *prepared.sentences_at(place.start, place.end))


def _evidence(place: Span, sources: Sources) -> Evidence:
    return Evidence(text=sources.slice(place), source_id=place.source_id, start=place.start)
