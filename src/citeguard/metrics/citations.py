"""Citation precision and recall: as ALCE defines them, by any judge, or against gold ones."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple, cast

from citeguard.errors import CiteguardError
from citeguard.judges.cascade import Pending, Session
from citeguard.judges.loops import run_sync
from citeguard.judges.usage import Usage
from citeguard.judges.verdicts import Evidence, Judge, SupportQuestion, Verdict, is_judge
from citeguard.language.scripts import is_unspaced
from citeguard.metrics.shares import Share, library, share_of
from citeguard.sources.collection import as_sources
from citeguard.validation.context import Grounding
from citeguard.validation.models import Answer, Citation
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
