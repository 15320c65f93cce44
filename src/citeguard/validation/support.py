"""Whether a statement is supported: `JudgedSupported` and `SupportedBySource`, for any model.

Below the rules is what they and `Answer` share: the evidence that judges are shown (what is cited,
what a search finds, or whole sources), how judges are asked, and the errors of verdicts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, LiteralString, cast

from pydantic_core import PydanticCustomError

from citeguard.errors import CiteguardError, UndecidedError, check_kind, foreign_code
from citeguard.judges.verdicts import (
    AlignmentQuestion,
    Evidence,
    Judge,
    JudgeFailedError,
    Outcome,
    SupportQuestion,
    Verdict,
    explain,
)
from citeguard.language.tables import read_passage
from citeguard.reader.windows import title_over
from citeguard.retrieval.embeddings import EmbeddingFailedError
from citeguard.retrieval.passages import Kept
from citeguard.sources.collection import Sources, Span
from citeguard.validation import messages
from citeguard.validation.context import Grounding, Siblings, TextRule, custom_error
from citeguard.validation.policy import Policy, policy_of, reader_judge
from citeguard.validation.quote_rules import FuzzyQuote, check_quote

if TYPE_CHECKING:
    from citeguard.judges.cascade import Session

VERDICT_CODES: dict[Outcome, LiteralString] = {
    "unsupported": "statement_unsupported",
    "contradicted": "statement_contradicted",
    "undecided": "undecided",
}
"""The codes of errors about statements, by the verdicts that they report."""

_ANY_QUOTE = FuzzyQuote(min_length=1)


# Compared by identity, as a judge may be unhashable.
@dataclass(frozen=True, slots=True, eq=False)
class JudgedSupported(TextRule):
    """A statement that a judge finds supported by the evidence beside it.

    Asks the judge, or by default those of `Policy.support`. In plain validation questions are asked
    one by one, and block an event loop; inside `verify`, `averify` and a guarded client (`guard`)
    they are asked concurrently, without blocking. `None` passes if the annotation allows it.

    Fails with `statement_unsupported`, `statement_contradicted`, `statement_empty`, with
    `statement_uncited` and `undecided` unless the policy lets them pass, and with the codes of
    `FuzzyQuote` when the evidence is not a quote.

    Attributes:
        judge: The judge; by default those of `Policy.support`.
        evidence_field: The field of the same model, declared earlier, that holds the quote, or a
            list of quotes, as evidence. With `None`, the judge is shown all of the source, or all
            sources, in parts if it has a limit; with `Policy(evidence="passages")`, the passages
            that match the statement best.
        source_field: The field of the same model, declared earlier, that holds the id of the
            source. If it is `None`, or holds `None`, any source counts; an unknown id is an error.

    Raises:
        CiteguardError: Not a judge, or the rule lacks its parentheses; and at validation, without
            sources, without a judge, or if a field is not declared earlier.

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
    _: KW_ONLY
    evidence_field: str | None = None
    source_field: str | None = None

    def __post_init__(self) -> None:
        """Reject an invalid judge or name of a field."""
        self._check_settings()
        check_kind(f"{type(self).__name__}(judge)", self.judge, Judge)

    def judges(self, policy: Policy) -> tuple[Judge, ...]:
        """Return the judge, or by default those of the policy."""
        return policy.judges if self.judge is None else (self.judge,)

    def _check(self, text: str, grounding: Grounding, siblings: Siblings) -> str:
        policy = policy_of(grounding)
        judges = self.judges(policy)
        if not judges:
            name = type(self).__name__
            raise CiteguardError(f"{name}(...) has no judge, and neither has the policy: name one")
        if not text.strip():
            raise custom_error("statement_empty", messages.statement_empty(siblings.field))
        siblings.source_id(self.source_field)  # an error of that field comes first
        quotes = self._quotes(siblings)
        evidence = None if quotes is None else self._evidence(text, quotes, grounding, siblings)
        if evidence is not None:
            verdict = verdict_on(text, judges, evidence, grounding)
            error = verdict and support_error(
                verdict, text, policy, cited=bool(quotes), field=siblings.field
            )
            if error is not None:
                raise error
        return text

    def _quotes(self, siblings: Siblings) -> list[str] | None:
        """Return what is cited; `None` if the field that holds it has failed by itself."""
        field_name = self.evidence_field
        if field_name is None:
            return []
        value, there = siblings.read("evidence_field", field_name)
        if not there and siblings.is_earlier(field_name):
            return None
        if not there:
            raise custom_error(
                "statement_uncited",
                messages.evidence_unread(siblings.written(field_name), siblings.field),
            )
        if value is None or isinstance(value, str):
            return [] if value is None else [value]
        several = isinstance(value, (list, tuple, set))
        listed = list(cast("Iterable[Any]", value)) if several else [value]
        if not all(isinstance(quote, str) for quote in listed):
            raise CiteguardError(f"evidence_field={field_name!r} must hold a quote or several")
        return listed

    def _evidence(
        self, text: str, quotes: list[str], grounding: Grounding, siblings: Siblings
    ) -> Callable[[], Sequence[Evidence]] | None:
        """Return a function that returns the evidence; `None` if nothing is to be judged."""
        policy, field_name = policy_of(grounding), self.evidence_field
        source_id = siblings.source_id(self.source_field)
        if quotes:
            field = None if field_name is None else siblings.written(field_name)
            matches = [
                check_quote(quote, grounding, source_id=source_id, rule=_ANY_QUOTE, field=field)
                for quote in quotes
            ]
            return partial(cited_evidence, text, [match.spans for match in matches], grounding)
        if field_name is not None and policy.uncited == "fail":
            message = messages.evidence_missing(siblings.written(field_name), siblings.field)
            raise custom_error("statement_uncited", message)
        if field_name is not None and policy.uncited == "pass":
            return None
        known = grounding.sources.ids
        if source_id is not None and source_id not in known:
            suggestion = messages.closest(source_id, known)
            message = messages.source_unknown(source_id, known, (), suggestion, quoted=False)
            raise custom_error(
                "source_unknown", message, source_id=source_id, suggestion=suggestion
            )
        within = known if source_id is None else (source_id,)
        if field_name is not None or policy.evidence == "passages":
            return partial(found_evidence, text, grounding, within)
        return partial(all_evidence, within, grounding.sources)


@dataclass(frozen=True, slots=True, eq=False)
class SupportedBySource(JudgedSupported):
    """A statement that the shipped reader finds supported, in milliseconds, without a download.

    Like `JudgedSupported`, with the same error codes, but the policy does not choose the judge.

    Attributes:
        judge: Asked instead of the shipped `ReaderJudge`; the fields are as for `JudgedSupported`.

    Examples:
        >>> from typing import Annotated
        >>> from pydantic import TypeAdapter
        >>> from citeguard import Sources
        >>> context = Sources("The notice period is one month.").as_context()
        >>> claim = TypeAdapter(Annotated[str, SupportedBySource()])
        >>> claim.validate_python("The notice period is one month.", context=context)
        'The notice period is one month.'
    """

    def judges(self, policy: Policy) -> tuple[Judge, ...]:
        """Return the judge, or by default the shipped reader, under any policy."""
        return (reader_judge() if self.judge is None else self.judge,)


def session_of(grounding: Grounding) -> Session:
    """Return the enclosing session, or that of everything validated with this context."""
    # Imported when judges are asked: it takes longer than everything needed without them.
    from citeguard.judges.cascade import Session, current_session

    if (around := current_session()) is not None:
        return around
    # `setdefault` is atomic: concurrent threads get the same session.
    return grounding.memory.setdefault("session", Session(policy_of(grounding).budget))


def ask(
    question: SupportQuestion | AlignmentQuestion, judges: Sequence[Any], grounding: Grounding
) -> Any:
    """Return the judges' answer to a question; `None` while questions are only collected."""
    from citeguard.judges.cascade import Pending, answer_to

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

    If nothing is cited, the message refers to the sources; if a field is named, to that field.
    Raises an `UndecidedError` if the verdict is undecided, and the policy says so.
    """
    if verdict.outcome == "supported":
        return None
    if verdict.outcome == "undecided":
        subject = "statement" if field is None else f'text of "{field}"'
        return _undecided(verdict, subject, policy, statement=statement)
    message = messages.statement_judged(
        verdict.outcome, verdict.reason, verdict.words, cited=cited, field=field
    )
    facts = {"statement": statement, "words": verdict.words or None, "span": verdict.span}
    return custom_error(VERDICT_CODES[verdict.outcome], message, **facts, **_reason(verdict))


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
    in the data, that the sources do not answer. If undecided, raises as `support_error` does.
    """
    if verdict.outcome == "supported":
        return None
    if verdict.outcome == "undecided":
        return _undecided(verdict, "answer", policy, question=question)
    message = messages.answer_misaligned(verdict.reason, question, unanswerable, is_open=is_open)
    return custom_error("answer_misaligned", message, question=question, **_reason(verdict))


def _undecided(
    verdict: Verdict, subject: str, policy: Policy, **facts: Any
) -> PydanticCustomError | None:
    if policy.undecided == "raise":
        raise UndecidedError(f"no judge could decide on the {subject}: {verdict.reason}")
    if policy.undecided == "pass":
        return None
    # A judge that graded has read the evidence; one that failed has no score.
    message = messages.undecided(verdict.reason, subject, has_read=verdict.score is not None)
    return custom_error("undecided", message, **facts, **_reason(verdict))


def _reason(verdict: Verdict) -> dict[str, Any]:
    return {"reason": verdict.reason, "score": verdict.score, "judge": verdict.judge}


NOTHING_FOUND = Verdict(
    "unsupported", reason="No passage of the sources is about it.", judge="search"
)
"""The verdict on a statement without citations for which a search found nothing."""

_SHORT = 8_000  # characters that are shown whole; with the statements, well within one call
_MOST_FOUND = 1_000  # statements; far more than an answer has
# Holds the retriever, too, so that no other one gets its id.
_FOUND: Kept[tuple[object, tuple[Span, ...]]] = Kept(most=_MOST_FOUND)


def retrieves(policy: Policy) -> bool:
    """Return whether validation under a policy may search, which can take long."""
    return policy.evidence == "passages" or policy.uncited == "search" or bool(policy.aligners)


def question_about(statement: str, evidence: Iterable[Evidence]) -> SupportQuestion:
    """Return the question whether evidence supports a statement; repeated evidence counts once."""
    return SupportQuestion(statement=statement, evidence=tuple(dict.fromkeys(evidence)))


def undecided_search(error: JudgeFailedError) -> Verdict:
    """Return the verdict after a search for evidence has failed."""
    return Verdict("undecided", reason=str(error), judge=NOTHING_FOUND.judge)


def cited_evidence(
    statement: str, quotes: Sequence[Sequence[Span]], grounding: Grounding
) -> list[Evidence]:
    """Return the evidence at the places that a statement cites, by `Policy.evidence`.

    All spans of a quote are of one source. A retriever that fails is a `JudgeFailedError`, here and
    below.
    """
    sources, shown = grounding.sources, policy_of(grounding).evidence
    if shown == "quote":
        every = (span for spans in quotes for span in spans)
        return evidence_at(every, sources)
    if shown == "source":
        return all_evidence((spans[0].source_id for spans in quotes), sources)
    own: list[Span] = []
    for source_id, start, end in ((s[0].source_id, s[0].start, s[-1].end) for s in quotes):
        own.append(Span(source_id, *sources[source_id].prepared.sentences_at(start, end)))
    if shown == "sentence" or not own:
        return evidence_at(own, sources)
    cited = list(dict.fromkeys(span.source_id for span in own))
    found = _joined([*own, *_found(statement, grounding, cited)], cited)
    return evidence_at(found, sources)


def found_evidence(
    statement: str, grounding: Grounding, source_ids: Sequence[str] | None = None
) -> list[Evidence]:
    """Return the passages of some sources, or of all, that match a statement best.

    If none matches, short sources are shown whole, as they may say it in other words: on labelled
    sets, 16 of 39 statements for which a search found nothing were true. None for long ones.
    """
    within = grounding.sources.ids if source_ids is None else source_ids
    found = _joined(_found(statement, grounding, within), within)
    return evidence_at(found, grounding.sources) or _short_evidence(within, grounding.sources)


def open_evidence(question: str, grounding: Grounding) -> list[Evidence]:
    """Return what might answer a question that is left open: short sources whole, else a search.

    A search may miss what answers in other words ("die" and "deaths").
    """
    short = _short_evidence(grounding.sources.ids, grounding.sources)
    return short or found_evidence(question, grounding)


def all_evidence(within: Iterable[str], sources: Sources) -> list[Evidence]:
    """Return all of some sources."""
    return evidence_at((Span(each, 0, len(sources[each].text)) for each in within), sources)


def _short_evidence(within: Sequence[str], sources: Sources) -> list[Evidence]:
    is_short = sum(len(sources[each].text) for each in within) <= _SHORT
    return all_evidence(within, sources) if is_short else []


def _found(statement: str, grounding: Grounding, within: Sequence[str]) -> tuple[Span, ...]:
    """Return what a search finds; cached, as answers are validated several times."""
    policy, sources = policy_of(grounding), grounding.sources

    def search() -> tuple[object, tuple[Span, ...]]:
        # Whatever failed in a retriever, the verdict is undecided.
        with foreign_code(
            lambda error: JudgeFailedError(f"search: {explain(error)}"), owner="the retriever"
        ):
            try:
                passages = sources.search(
                    statement, k=policy.passages, retriever=policy.retriever, source_ids=within
                )
            except EmbeddingFailedError as error:
                raise JudgeFailedError(f"search: {explain(error)}") from error
        return policy.retriever, tuple(passage.span for passage in passages)

    key = (statement, tuple(within), policy.passages, id(policy.retriever))
    return _FOUND.get(sources, key, search)[1]


def _joined(spans: Iterable[Span], source_ids: Iterable[str]) -> Iterator[Span]:
    """Yield spans by source and place, merging those that touch, so that nothing is shown twice."""
    places = sorted(spans, key=attrgetter("start", "end"))
    for source_id in source_ids:
        joined: list[Span] = []
        for span in (each for each in places if each.source_id == source_id):
            if joined and span.start <= joined[-1].end:
                whole = joined.pop()
                span = Span(source_id, whole.start, max(whole.end, span.end))
            joined.append(span)
        yield from joined


def evidence_at(places: Iterable[Span], sources: Sources) -> list[Evidence]:
    """Return the evidence at some places, with tables and records read as sentences."""
    found: list[Evidence] = []
    for place in places:
        source = sources[place.source_id]
        text, pieces = read_passage(source.text, place.start, place.end, source.readings)
        found.append(
            Evidence(
                text=text,
                source_id=place.source_id,
                start=place.start,
                pieces=pieces,
                written=sources.slice(place) if pieces else "",
                title=title_over(source.title, source.text, place.start),
            )
        )
    return found
