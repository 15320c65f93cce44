"""Citation precision and recall, as ALCE defines them, by any judge of support."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, cast

from citeguard.errors import CiteguardError
from citeguard.judges.loops import run_sync
from citeguard.judges.session import Pending, Session
from citeguard.judges.usage import Usage
from citeguard.judges.verdicts import Evidence, Judge, SupportQuestion, Verdict, is_judge
from citeguard.metrics.shares import Share, share_of
from citeguard.sources.collection import as_sources
from citeguard.validation.context import Grounding
from citeguard.validation.models import Answer
from citeguard.validation.policy import Policy
from citeguard.validation.support import cited_evidence, question_about

Shown = Literal["quote", "sentence", "source"]
"""What a judge sees of a citation, as in `Policy.evidence`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedStatement:
    """A statement and its citations, to be measured; they need not appear in any source.

    Attributes:
        text: The statement.
        citations: For each citation its passage, as a text or as `Evidence`, or several passages.
            A citation without words supports nothing.

    Raises:
        CiteguardError: the statement is not a text, or the citations are not a sequence of these.

    Examples:
        >>> CitedStatement(text="It takes a month.", citations=["Notice is one month."]).passages
        ((Evidence(text='Notice is one month.', source_id=None, start=0),),)
    """

    text: str
    citations: Sequence[str | Evidence | Sequence[Evidence]] = ()

    def __post_init__(self) -> None:
        """Check the types, and copy the citations, so that they cannot change."""
        given: Any = self.citations
        if not isinstance(self.text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise CiteguardError(f"a statement must be a string, not {self.text!r}")
        if isinstance(given, str) or not isinstance(given, Sequence):
            raise CiteguardError(f"citations must be a list, not {given!r}")
        read: list[tuple[Evidence, ...]] = []
        for each in cast("Sequence[Any]", given):
            one = Evidence(text=each) if isinstance(each, str) else each
            passages = (one,) if isinstance(one, Evidence) else one
            if not isinstance(passages, (list, tuple)) or not all(
                isinstance(passage, Evidence) for passage in cast("list[Any]", passages)
            ):
                raise CiteguardError(f"a citation must be a string or Evidence, not {each!r}")
            read.append(tuple(cast("list[Evidence]", passages)))
        object.__setattr__(self, "citations", tuple(read))

    @property
    def passages(self) -> tuple[tuple[Evidence, ...], ...]:
        """The passages of each citation."""
        return cast("tuple[tuple[Evidence, ...], ...]", self.citations)


def cited_statements(
    answer: Answer, sources: Any, *, evidence: Shown = "sentence"
) -> list[CitedStatement]:
    """Return the statements of a validated answer with the passages that judges see.

    Args:
        answer: The answer, validated against these sources.
        sources: The sources, or whatever `Sources` accepts.
        evidence: What a judge sees of a citation: its `quote`, the sentences in which it appears,
            or the whole `source`; as in `Policy`. An elided quote has several passages.

    Raises:
        CiteguardError: another value of `evidence`, an answer that was not validated, or one
            validated against other sources.

    Examples:
        >>> from citeguard import verify
        >>> from citeguard import Sources
        >>> sources = Sources({"handbook": "Notice is one month. Lunch is free."})
        >>> citation = {"quote": "one month", "source_id": "handbook"}
        >>> data = {"statements": [{"text": "It takes a month.", "citations": [citation]}]}
        >>> answer = verify(Answer, data, sources=sources)
        >>> cited_statements(answer, sources)[0].passages[0][0].text
        'Notice is one month.'
    """
    if evidence not in ("quote", "sentence", "source"):
        raise CiteguardError(
            f"evidence=... must be 'quote', 'sentence' or 'source', not {evidence!r}"
        )
    if not isinstance(answer, Answer):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CiteguardError(f"cited_statements(...) expects an Answer, not {answer!r}")
    prepared = as_sources(sources)
    grounding = Grounding(prepared, Policy(evidence=evidence))
    if any(not each.spans for statement in answer.statements for each in statement.citations):
        raise CiteguardError("the answer was not validated: a citation has no place in a source")
    return [
        CitedStatement(
            text=statement.text,
            citations=[
                cited_evidence(statement.text, [each.spans], grounding)
                for each in statement.citations
            ],
        )
        for statement in answer.statements
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementCitations:
    """The quality of one statement's citations; `None` where it is undecided.

    Attributes:
        supported: Whether all of them together support it; `False` without citations.
        relevant: For each citation whether it counts for precision.
    """

    supported: bool | None
    relevant: tuple[bool | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationQuality:
    """The quality of the citations of answers.

    `recall` and `precision` pool the statements and citations of all answers; `mean_recall` and
    `mean_precision` give every answer the same weight, as ALCE does.

    Attributes:
        answers: The quality of each statement's citations, answer by answer, in order.
        questions: How many different questions were asked.
        usage: What they cost.
    """

    answers: tuple[tuple[StatementCitations, ...], ...]
    questions: int
    usage: Usage

    @property
    def refusals(self) -> int:
        """How many answers have no statement, such as one that the sources do not answer.

        They have no citations, and count in no other measure.
        """
        return sum(not answer for answer in self.answers)

    @property
    def recall(self) -> Share:
        """The statements that all of their citations together support; higher is better."""
        return sum(map(_recall, self.answers), Share())

    @property
    def precision(self) -> Share:
        """The citations that are relevant; higher is better."""
        return sum(map(_precision, self.answers), Share())

    @property
    def mean_recall(self) -> float | None:
        """The mean of the answers' recalls, 0 to 1, of those that have one."""
        return _mean(_recall(answer).value for answer in self.answers)

    @property
    def mean_precision(self) -> float | None:
        """The mean of the answers' precisions, 0 to 1, of those that have one."""
        return _mean(_precision(answer).value for answer in self.answers)


def _recall(answer: Iterable[StatementCitations]) -> Share:
    return share_of(each.supported for each in answer)


def _precision(answer: Iterable[StatementCitations]) -> Share:
    return share_of(relevant for each in answer for relevant in each.relevant)


def citation_quality(
    answers: Iterable[Iterable[CitedStatement]],
    judge: Judge | Sequence[Judge],
    *,
    session: Session | None = None,
) -> CitationQuality:
    """Measure citations without gold ones, by whether a judge finds that they support.

    Citation recall and precision of T. Gao, H. Yen, J. Yu, D. Chen, "Enabling Large Language Models
    to Generate Text with Citations" (EMNLP 2023), section 4, ALCE. *Recall* of a statement is 1 if
    all its citations together support it. *Precision* of a citation is 1 if its statement has a
    recall of 1 and the citation is not irrelevant: it is irrelevant if it does not support the
    statement alone, and the others still do without it.

    Only `supported` counts as support. A measure whose value depends on what a judge leaves
    undecided is undecided itself, and counted separately in its `Share`.

    Without undecided verdicts the means are those of ALCE's evaluation script, except that the
    script scores an answer without citations with a precision of 0 (here it has none), and reads
    only the first three citations of a statement. ALCE cites passages of 100 words: a judge that
    sees only a quote finds less support.

    Needs no extra. All questions are asked at once and none twice, in the batches that the judge
    wants: one for a statement with one citation, three for two, and up to 1 + 2n for n.

    Args:
        answers: The answers, each as its statements; `cited_statements` makes them from an
            `Answer`.
        judge: The judge of whether passages support a statement; or several, asked in turn until
            one decides. It may be asynchronous. The call blocks; in a coroutine, use
            `asyncio.to_thread`.
        session: Whose budget and verdicts are used; by default none are shared.

    Raises:
        CiteguardError: not a judge, or not a list of statements.

    Examples:
        >>> from citeguard import ReaderJudge
        >>> passages = ["Notice is one month.", "Lunch is free."]
        >>> statement = CitedStatement(text="Notice is one month.", citations=passages)
        >>> quality = citation_quality([[statement]], ReaderJudge())
        >>> quality.recall.value, quality.precision.value
        (1.0, 0.5)
    """
    session = session or Session()
    judges: tuple[Any, ...] = tuple(judge) if isinstance(judge, (list, tuple)) else (judge,)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if not judges or not all(is_judge(each) for each in judges):
        raise CiteguardError(f"expected a Judge or a list of them, got {judge!r}")
    if not isinstance(answers, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CiteguardError(f"answers must be a list of answers, not {answers!r}")
    listed = [[_questions(each) for each in _statements(answer)] for answer in answers]
    questions = dict.fromkeys(
        question
        for answer in listed
        for each in answer
        for question in (each.whole, *each.alone, *each.without)
        if question.evidence
    )
    asked = [Pending(judges, question) for question in questions]
    verdicts: list[Verdict] = run_sync(session.settle(asked)) if asked else []
    supports = {
        question: verdict.outcome == "supported" if verdict.decided else None
        for question, verdict in zip(questions, verdicts, strict=True)
    }
    return CitationQuality(
        answers=tuple(tuple(_measured(each, supports) for each in answer) for answer in listed),
        questions=len(questions),
        usage=session.usage,
    )


def _statements(answer: Any) -> list[CitedStatement]:
    statements = list(cast("Iterable[Any]", answer)) if isinstance(answer, Iterable) else [answer]
    if isinstance(answer, CitedStatement) or not all(
        isinstance(each, CitedStatement) for each in statements
    ):
        raise CiteguardError(
            "an answer must be a list of CitedStatement(...); cited_statements(answer, sources) "
            "makes one from an Answer"
        )
    return statements


class _Questions(NamedTuple):
    """Whether a statement is supported by all citations, by each alone, and by all but each."""

    whole: SupportQuestion
    alone: list[SupportQuestion]
    without: list[SupportQuestion]


def _questions(statement: CitedStatement) -> _Questions:
    def question(*citations: Sequence[Evidence]) -> SupportQuestion:
        worded = (each for passages in citations for each in passages if each.text.strip())
        return question_about(statement.text, worded)

    cited = statement.passages
    return _Questions(
        whole=question(*cited),
        alone=[question(each) for each in cited],
        without=[question(*cited[:place], *cited[place + 1 :]) for place in range(len(cited))],
    )


def _measured(
    asked: _Questions, supports: Mapping[SupportQuestion, bool | None]
) -> StatementCitations:
    # Without evidence nothing was asked, and nothing supports.
    whole = supports.get(asked.whole, False)
    relevant: list[bool | None] = []
    for alone, without in zip(asked.alone, asked.without, strict=True):
        # All support the statement, and this one does alone, or the others do not: in Kleene's
        # three-valued logic, where `None` stays unless the other values settle the result.
        given = whole, supports.get(alone, False), supports.get(without, False)
        every, one, rest = (0.5 if each is None else float(each) for each in given)
        level = min(every, max(one, 1 - rest))
        relevant.append(None if level == 0.5 else level == 1)
    return StatementCitations(supported=whole, relevant=tuple(relevant))


def _mean(values: Iterable[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None
