"""ALCE's citation precision and recall, by any judge of support: `citation_quality`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from citeguard.errors import CiteguardError
from citeguard.judges.judge import Judge, is_judge
from citeguard.judges.loops import run_sync
from citeguard.judges.session import Pending, Session
from citeguard.judges.usage import Usage
from citeguard.judges.verdicts import Evidence, SupportQuestion, Verdict
from citeguard.metrics.cited import CitedStatement
from citeguard.metrics.shares import Share, share_of
from citeguard.validation.evidence import question_about


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementCitations:
    """What the citations of one statement are worth; `None` where nobody could tell.

    Attributes:
        supported: Whether all of them together support it; `False` without citations.
        relevant: For each citation whether it counts for precision.
        redundant: For each citation whether the others support the statement without it; empty if
            all together do not support it, and all `None` if nobody can tell whether they do.

    Examples:
        >>> StatementCitations(supported=True, relevant=(True, False), redundant=(False, True))
        StatementCitations(supported=True, relevant=(True, False), redundant=(False, True))
    """

    supported: bool | None
    relevant: tuple[bool | None, ...]
    redundant: tuple[bool | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCitations:
    """What the citations of one answer are worth.

    Attributes:
        statements: The same of each statement, in order.

    Examples:
        >>> first = StatementCitations(supported=True, relevant=(True,), redundant=(False,))
        >>> second = StatementCitations(supported=None, relevant=(None,), redundant=(None,))
        >>> AnswerCitations(statements=(first, second)).recall
        Share(yes=1, no=0, undecided=1)
    """

    statements: tuple[StatementCitations, ...]

    @property
    def recall(self) -> Share:
        """The statements that all of their citations together support; higher is better."""
        return share_of(each.supported for each in self.statements)

    @property
    def precision(self) -> Share:
        """The citations that are relevant; higher is better."""
        return share_of(relevant for each in self.statements for relevant in each.relevant)

    @property
    def redundancy(self) -> Share:
        """The citations of supported statements that could be left out; lower is leaner."""
        return share_of(redundant for each in self.statements for redundant in each.redundant)


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationQuality:
    """What the citations of answers are worth.

    `recall`, `precision` and `redundancy` are of all statements and citations, whatever answer they
    stand in; `mean_recall` and `mean_precision` give every answer the same weight, as ALCE does.

    Attributes:
        answers: The same of each answer, in order.
        questions: How many different questions were put.
        usage: What that cost.

    Examples:
        >>> first = StatementCitations(supported=True, relevant=(True,), redundant=(False,))
        >>> second = StatementCitations(supported=False, relevant=(), redundant=())
        >>> answers = (
        ...     AnswerCitations(statements=(first,)),
        ...     AnswerCitations(statements=(first, second, second)),
        ... )
        >>> found = CitationQuality(answers=answers, questions=2, usage=Usage())
        >>> found.recall.value, round(found.mean_recall, 3)
        (0.5, 0.667)
    """

    answers: tuple[AnswerCitations, ...]
    questions: int
    usage: Usage

    @property
    def recall(self) -> Share:
        """The statements that all of their citations together support; higher is better."""
        return sum((answer.recall for answer in self.answers), Share())

    @property
    def precision(self) -> Share:
        """The citations that are relevant; higher is better."""
        return sum((answer.precision for answer in self.answers), Share())

    @property
    def redundancy(self) -> Share:
        """The citations of supported statements that could be left out; lower is leaner."""
        return sum((answer.redundancy for answer in self.answers), Share())

    @property
    def mean_recall(self) -> float | None:
        """The mean of the answers' recalls, 0 to 1; those without one are left out."""
        return _mean(answer.recall.value for answer in self.answers)

    @property
    def mean_precision(self) -> float | None:
        """The mean of the answers' precisions, 0 to 1; those without one are left out."""
        return _mean(answer.precision.value for answer in self.answers)


def citation_quality(
    answers: Iterable[Iterable[CitedStatement]], judge: Judge | Sequence[Judge]
) -> CitationQuality:
    """Measure citations without gold ones, by whether a judge finds that they support.

    Citation recall and precision of T. Gao, H. Yen, J. Yu, D. Chen, "Enabling Large Language Models
    to Generate Text with Citations" (EMNLP 2023), section 4, ALCE. *Recall* of a statement is 1 if
    all its citations together support it. *Precision* of a citation is 1 if its statement has a
    recall of 1 and the citation is not irrelevant: it is irrelevant if it does not support the
    statement alone, and the others still do without it. *Redundancy* is not ALCE's: the share of
    the citations of supported statements that could be left out, each by itself, because the
    others do without it; unlike an irrelevant one, a redundant one may support the statement, too.

    Only `supported` is support; `contradicted` and `unsupported` are none. What a judge leaves
    undecided counts as neither: a measure whose value depends on it is undecided itself, and stands
    apart in its `Share`. Where the judge needs no more to be asked to know, it is decided: a
    citation without which the others do not support the statement is relevant, whatever it does
    alone.

    With no undecided verdicts the means are those of ALCE's evaluation script, but for three
    choices of that script: it scores an answer without citations with a precision of 0 (here it has
    none), reads by default the first three citations of a statement only, and joins passages with
    line breaks, which is up to the judge here. And ALCE cites passages of 100 words: a judge that
    sees a quote alone finds less support.

    Needs no extra. All questions are put at once and none twice, in the batches that the judge
    wants: one for a statement with one citation, three for two, and up to 1 + 2n for n.

    Args:
        answers: The answers, each as its statements; of an `Answer`, `cited_statements` makes them.
        judge: Who tells whether passages support a statement; or several, asked in turn until one
            can tell. It may be asynchronous. The caller waits for it; in a coroutine, leave that to
            `asyncio.to_thread`.

    Raises:
        CiteguardError: no judge, or what is no list of statements.

    Examples:
        >>> from citeguard import GroundingVerifier
        >>> passages = ["Notice is one month.", "Lunch is free."]
        >>> statement = CitedStatement(text="Notice is one month.", citations=passages)
        >>> found = citation_quality([[statement]], GroundingVerifier())
        >>> found.recall.value, found.precision.value
        (1.0, 0.5)
    """
    judges = _judges(judge)
    if not isinstance(answers, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CiteguardError(f"citations are measured of a list of answers, not {answers!r}")
    listed = [_statements(answer) for answer in answers]
    questions = dict.fromkeys(
        question for answer in listed for each in answer for question in _questions(each)
    )
    session = Session()
    asked = [Pending(judges, question) for question in questions]
    verdicts: list[Verdict] = run_sync(session.settle(asked)) if asked else []
    known = dict(zip(questions, map(_supports, verdicts), strict=True))
    return CitationQuality(
        answers=tuple(
            AnswerCitations(statements=tuple(_measured(each, known) for each in answer))
            for answer in listed
        ),
        questions=len(questions),
        usage=session.usage,
    )


def _judges(judge: Any) -> tuple[Judge, ...]:
    judges: tuple[Any, ...] = tuple(judge) if isinstance(judge, (list, tuple)) else (judge,)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if not judges or not all(is_judge(each) for each in judges):
        raise CiteguardError(
            f"citations are measured by a judge or a list of judges, not {judge!r}"
        )
    return judges


def _statements(answer: Any) -> list[CitedStatement]:
    statements = list(cast("Iterable[Any]", answer)) if isinstance(answer, Iterable) else [answer]
    if isinstance(answer, CitedStatement) or not all(
        isinstance(each, CitedStatement) for each in statements
    ):
        raise CiteguardError(
            "an answer must be a list of CitedStatement(...); of an Answer, "
            "cited_statements(answer, sources) makes one"
        )
    return statements


def _question(statement: CitedStatement, passages: Iterable[Sequence[Evidence]]) -> SupportQuestion:
    worded = (each for passage in passages for each in passage if each.text.strip())
    return question_about(statement.text, worded)


def _whole(statement: CitedStatement) -> SupportQuestion:
    return _question(statement, statement.passages)


def _alone(statement: CitedStatement, place: int) -> SupportQuestion:
    return _question(statement, [statement.passages[place]])


def _without(statement: CitedStatement, place: int) -> SupportQuestion:
    others = statement.passages[:place] + statement.passages[place + 1 :]
    return _question(statement, others)


def _questions(statement: CitedStatement) -> Iterator[SupportQuestion]:
    """Yield what is to be asked; without evidence there is nothing to ask."""
    places = range(len(statement.citations))
    asked = [_whole(statement)]
    asked += [ask(statement, place) for place in places for ask in (_alone, _without)]
    return (question for question in asked if question.evidence)


def _supports(verdict: Verdict) -> bool | None:
    return verdict.outcome == "supported" if verdict.decided else None


def _measured(
    statement: CitedStatement, known: Mapping[SupportQuestion, bool | None]
) -> StatementCitations:
    places = range(len(statement.citations))
    whole = known.get(_whole(statement), False)
    alone = [known.get(_alone(statement, place), False) for place in places]
    without = [known.get(_without(statement, place), False) for place in places]
    return StatementCitations(
        supported=whole,
        relevant=tuple(_both(whole, _either(alone[p], _not(without[p]))) for p in places),
        redundant=_redundant(whole, without),
    )


def _redundant(whole: bool | None, without: list[bool | None]) -> tuple[bool | None, ...]:
    if whole is None:  # nobody knows whether they count
        return (None,) * len(without)
    return tuple(without) if whole else ()


# Kleene's logic of three values: `None` stays unless the other value settles the matter.


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


def _both(one: bool | None, other: bool | None) -> bool | None:
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def _either(one: bool | None, other: bool | None) -> bool | None:
    return _not(_both(_not(one), _not(other)))


def _mean(values: Iterable[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None
