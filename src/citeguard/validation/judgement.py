"""How validators judge: they ask the judges of a policy, and turn verdicts into errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pydantic_core import PydanticCustomError

from citeguard.errors import CiteguardError, UndecidedError
from citeguard.judges.judge import Judge, JudgeFailedError
from citeguard.judges.verdicts import AlignmentQuestion, Evidence, SupportQuestion, Verdict
from citeguard.validation import messages
from citeguard.validation.context import Grounding, custom_error
from citeguard.validation.evidence import NOTHING_FOUND, question_about, undecided_search
from citeguard.validation.policy import Policy, policy_of

if TYPE_CHECKING:
    from citeguard.judges.session import Session


def session_of(grounding: Grounding) -> Session:
    """Return the enclosing session, or that of everything validated with this context."""
    # Imported when judges are asked: it takes longer than everything needed without them.
    from citeguard.judges.session import Session, current_session

    if (around := current_session()) is not None:
        return around
    # `setdefault` is atomic: concurrent threads get the same session.
    return grounding.memory.setdefault("session", Session(policy_of(grounding).budget))


def ask(
    question: SupportQuestion | AlignmentQuestion, judges: Sequence[Any], grounding: Grounding
) -> Any:
    """Return the judges' answer to a question; `None` while questions are only collected.

    Raises:
        CiteguardError: A judge cannot be asked, because it is misconfigured.
    """
    from citeguard.judges.session import Pending, answer_to

    try:
        return answer_to(Pending(tuple(judges), question), lambda: session_of(grounding))
    # Exceptions of judges have become `undecided` before; of other errors, Pydantic would take
    # these two for a mistake in the data.
    except (ValueError, AssertionError) as error:
        raise CiteguardError(f"a judge cannot be asked: {error}") from error


def verdict_on(
    statement: str,
    judges: Sequence[Judge],
    evidence: Callable[[], Sequence[Evidence]],
    grounding: Grounding,
) -> Verdict | None:
    """Return the verdict on a statement; `None` while questions are only collected.

    If `evidence` returns nothing to show the judges, or fails, none is asked.

    Raises:
        CiteguardError: A judge cannot be asked, or a retriever cannot search, because it is
            misconfigured.
    """
    try:
        shown = evidence()
    except JudgeFailedError as error:
        return undecided_search(error)
    if not shown:
        return NOTHING_FOUND
    return ask(question_about(statement, shown), judges, grounding)


def support_error(
    verdict: Verdict,
    statement: str,
    policy: Policy,
    *,
    cited: bool = True,
    field: str | None = None,
) -> PydanticCustomError | None:
    """Return the error of a statement with this verdict; `None` if it passes.

    Its facts: statement, reason, score, words, span and judge. If nothing is cited, the message
    refers to the sources; if a field is named, to that field.

    Raises:
        UndecidedError: The verdict is undecided, and the policy says to raise.
    """
    if verdict.outcome == "supported":
        return None
    if verdict.outcome == "undecided":
        subject = "statement" if field is None else f'text of "{field}"'
        return _undecided(verdict, subject, policy, statement=statement)
    message = messages.statement_judged(
        verdict.outcome, verdict.reason, verdict.words, cited=cited, field=field
    )
    contradicted = verdict.outcome == "contradicted"
    code = "statement_contradicted" if contradicted else "statement_unsupported"
    facts = {"statement": statement, "words": verdict.words or None, "span": verdict.span}
    return custom_error(code, message, **facts, **_reason(verdict))


def answer_error(
    verdict: Verdict,
    question: str | None,
    policy: Policy,
    *,
    is_open: bool = False,
    unanswerable: str = "unanswerable",
) -> PydanticCustomError | None:
    """Return the error of an answer with this verdict; `None` if it passes.

    An answer that `is_open` has no statements; it says in the field `unanswerable`, under its name
    in the data, that the sources do not answer. Facts: question, reason, score and judge.

    Raises:
        UndecidedError: The verdict is undecided, and the policy says to raise.
    """
    if verdict.outcome == "supported":
        return None
    if verdict.outcome == "undecided":
        return _undecided(verdict, "answer", policy, question=question)
    message_of = messages.unanswerable_rejected if is_open else messages.answer_misaligned
    message = message_of(verdict.reason, question, unanswerable)
    return custom_error("answer_misaligned", message, question=question, **_reason(verdict))


def _undecided(
    verdict: Verdict, subject: str, policy: Policy, **facts: Any
) -> PydanticCustomError | None:
    if policy.undecided == "raise":
        raise UndecidedError(f"no judge could decide on the {subject}: {verdict.reason}")
    if policy.undecided == "pass":
        return None
    # A judge that graded has read the evidence; one that failed has no score.
    message_of = messages.undecided if verdict.score is None else messages.unsure
    message = message_of(verdict.reason, subject)
    return custom_error("undecided", message, **facts, **_reason(verdict))


def _reason(verdict: Verdict) -> dict[str, Any]:
    return {"reason": verdict.reason, "score": verdict.score, "judge": verdict.judge}
