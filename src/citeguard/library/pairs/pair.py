"""Question-answer pairs and what became of those that were made: `QAPair`, `QAReport`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from citeguard.datasets.samples import SampleProblem, most_frequent_first
from citeguard.datasets.synthesis import Kind, negatives
from citeguard.judges.usage import Usage
from citeguard.language.excerpts import counted_as, shown
from citeguard.library.catalogue import StoredQuestion
from citeguard.library.pairs.sections import TYPES, SectionType, check_types
from citeguard.sources.collection import Source, Sources, as_sources
from citeguard.validation.models import Answer

QuestionKind = Literal["sparse", "dense"]
"""`sparse`: any number of questions with extractive answers; `dense`: one for each passage."""

AnswerLength = Literal["short", "long"]
"""`short`: as written with the question; `long`: written in a call of its own."""

Negative = Literal["unanswerable", "wrong_context"]
"""Why a pair has no answer: its document does not answer it, or the section shown does not."""

NOT_ANSWERED = "The sources do not say."
"""`Answer.unanswerable` of negative pairs. A model's reason could state facts nobody checked."""

# Facts that another value contradicts; of a quote all of these are found to be altered.
_CHANGES: tuple[Kind, ...] = ("number", "date", "negation", "unit", "entity", "quantifier")
_SHOWN = 100  # characters of a question, or of a reason, in a printed report
_EXAMPLES = 5  # of dropped pairs and of failures in a printed report


@dataclass(frozen=True, slots=True, kw_only=True)
class QAPair:
    """A question about a section of a document, with its verified answer.

    Attributes:
        question: The question.
        answer: The answer, with its quotes; their spans are those of the whole document. Of a
            negative pair it has no statements, and `unanswerable` is set.
        source_id: The id of the document.
        headings: The headings above the section; empty in a document without headings.
        section_type: What the section is for.
        kind: Whether the question is `sparse` or `dense`.
        answer_kind: Whether the answer is `short` or `long`.
        start: Where the section starts in the document's text, in code points.
        end: Where it ends, exclusive.
        negative: Why there is no answer; `None` if there is one.
        own_answer: For a question of another section (`wrong_context`), the answer that it has
            there.
    """

    question: str
    answer: Answer
    source_id: str
    headings: tuple[str, ...]
    section_type: SectionType
    kind: QuestionKind
    answer_kind: AnswerLength
    start: int
    end: int
    negative: Negative | None = None
    own_answer: Answer | None = None

    def as_stored(self) -> StoredQuestion:
        """Return the pair as `Library.add_questions` takes it; do not store negatives."""
        return StoredQuestion(
            question=self.question,
            answer=self.answer.model_dump(mode="json"),
            source_id=self.source_id,
            headings=self.headings,
            kind=self.kind,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DroppedPair:
    """A pair that was made but not kept.

    Attributes:
        question: The question, as the model wrote it.
        answer: The answer's text; empty for a negative.
        source_id: The id of the document.
        headings: The headings above the section.
        problems: Why it was not kept: the errors of validation, or one of `question_trivial`,
            `question_repeated`, `question_surplus` and `negative_answered`.
        negative: Which kind of negative it was to be; `None` for a pair with an answer.
    """

    question: str
    answer: str
    source_id: str
    headings: tuple[str, ...]
    problems: tuple[SampleProblem, ...]
    negative: Negative | None = None

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the problems, without duplicates, in their order."""
        return tuple(dict.fromkeys(problem.code for problem in self.problems))


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedCall:
    """A call of the model that gave nothing, so that pairs are missing.

    Attributes:
        source_id: The id of the document.
        headings: The headings above the section.
        wanted: What was asked for: `questions`, an `answer`, or `unanswerable` questions.
        reason: Why there is none: the endpoint failed, no reply could be parsed, or the budget is
            spent.
        question: The question to which there is no answer.
    """

    source_id: str
    headings: tuple[str, ...]
    wanted: Literal["questions", "answer", "unanswerable"]
    reason: str
    question: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QAReport:
    """What `generate_questions` made, what it kept, and why not the rest.

    Every pair that was made is kept, dropped, or lost in a failed call.

    Attributes:
        pairs: The pairs that were kept, in the order of the documents, negatives last.
        dropped: Those that were not, with the reasons.
        failures: Calls of the model that gave nothing.
        usage: What the model, and the judges of the pairs, have cost.
    """

    pairs: tuple[QAPair, ...] = ()
    dropped: tuple[DroppedPair, ...] = ()
    failures: tuple[FailedCall, ...] = ()
    usage: Usage = field(default_factory=Usage)

    @property
    def made(self) -> int:
        """How many pairs were made."""
        lost = sum(failure.question is not None for failure in self.failures)
        return len(self.pairs) + len(self.dropped) + lost

    @property
    def complete(self) -> bool:
        """Whether no call failed: otherwise more pairs could have been made."""
        return not self.failures

    @property
    def codes(self) -> dict[str, int]:
        """How many pairs were dropped for each code, the most frequent first."""
        return most_frequent_first(Counter(code for each in self.dropped for code in each.codes))

    @property
    def negatives(self) -> dict[str, int]:
        """How many pairs of each kind of negative were kept."""
        return dict(Counter(pair.negative for pair in self.pairs if pair.negative is not None))

    def __str__(self) -> str:
        """Return the counts, reasons and failures for a reader.

        Examples:
            >>> print(QAReport(failures=(FailedCall(source_id="faq", headings=("Pay",),
            ...     wanted="questions", reason="gpt: its endpoint answered HTTP 503"),)))
            0 pairs kept of 0 made
            1 call failed, so pairs are missing:
              faq › Pay: questions: gpt: its endpoint answered HTTP 503
            0 calls, 0 tokens
        """
        listed = ", ".join(f"{count:,} {kind}" for kind, count in self.negatives.items())
        kept = counted_as(len(self.pairs), "pair")
        lines = [f"{kept} kept of {self.made:,} made{f' ({listed})' if listed else ''}"]
        if self.dropped:
            lines.append(f"Dropped: {', '.join(f'{code} {n:,}' for code, n in self.codes.items())}")
            lines += _first(
                f"  {shown(each.question, _SHOWN)} – {shown(each.problems[0].message, _SHOWN)}"
                for each in self.dropped
            )
        if self.failures:
            failed = counted_as(len(self.failures), "call")
            lines.append(f"{failed} failed, so pairs are missing:")
            lines += _first(
                f"  {_place(each.source_id, each.headings)}: {each.wanted}"
                + (f" to {shown(each.question, _SHOWN)}" if each.question else "")
                + f": {shown(each.reason, 2 * _SHOWN)}"
                for each in self.failures
            )
        calls, tokens = self.usage.calls, self.usage.tokens
        lines.append(f"{counted_as(calls, 'call')}, {counted_as(tokens, 'token')}")
        return "\n".join(lines)


def _first(lines: Iterable[str]) -> Iterator[str]:
    listed = list(lines)
    yield from listed[:_EXAMPLES]
    if len(listed) > _EXAMPLES:
        yield f"  and {len(listed) - _EXAMPLES:,} more"


def pair_samples(
    pairs: Iterable[QAPair],
    sources: Any,
    *,
    section_types: Iterable[SectionType] = TYPES,
    rejected: bool = False,
    seed: int = 0,
) -> Iterator[dict[str, Any]]:
    """Yield pairs as samples that `export_samples` takes, each with the text of its section.

    Each sample has, besides `question`, `answer` and `sources`, a `section` (export with
    `group="section"`, so that no section is in two splits), and `section_type`, `kind`,
    `answer_kind` and `negative`.

    Args:
        pairs: The pairs.
        sources: The documents that they were made from: anything that `Sources` accepts.
        section_types: The types of the sections whose pairs are wanted, such as `["main"]` to
            train with and `["summary"]` to validate with.
        rejected: Whether to add wrong answers, for preference pairs: the same answer with one fact
            changed, in a quote and in a statement; for a question shown with a wrong context, the
            answer that it has elsewhere. Without a judge, `export_samples` takes the changed quote,
            and with `policy=Policy.fast()` the changed statement. Pairs without such an answer,
            such as other negatives, are omitted.
        seed: Determines the changed facts.

    Raises:
        CiteguardError: A type that does not exist.
        UnknownSourceError: The document of a pair is not among the sources.

    Examples:
        >>> from citeguard import Answer, verify
        >>> fee = "Visitors pay 5 euros a day."
        >>> data = {"statements": [{"text": fee, "citations": [{"quote": fee}]}]}
        >>> pair = QAPair(
        ...     question="What do visitors pay?", answer=verify(Answer, data, sources={"faq": fee}),
        ...     source_id="faq", headings=("Fees",), section_type="main", kind="sparse",
        ...     answer_kind="short", start=0, end=len(fee),
        ... )
        >>> [sample] = pair_samples([pair], {"faq": fee}, rejected=True)
        >>> sample["section"], sample["rejected"][0]["statements"][0]["citations"][0]["quote"]
        ('faq › Fees', 'Visitors pay 4 euros a day.')
    """
    wanted, documents = tuple(section_types), as_sources(sources)
    check_types("pair_samples(section_types=...)", wanted)
    for pair in pairs:
        if pair.section_type not in wanted:
            continue
        document = documents[pair.source_id]
        text = document.text[pair.start : pair.end]
        wrong = list(_wrong_answers(pair, text, seed)) if rejected else []
        if rejected and not wrong:
            continue
        facts = {"id": document.id, "text": text, "title": document.title, "url": document.url}
        yield {
            "question": pair.question,
            "answer": _answer_data(pair.answer, pair.source_id),
            "sources": [{name: value for name, value in facts.items() if value is not None}],
            "section": _place(pair.source_id, pair.headings),
            "section_type": pair.section_type,
            "kind": pair.kind,
            "answer_kind": pair.answer_kind,
            "negative": pair.negative,
            **({"rejected": wrong} if rejected else {}),
        }


def _answer_data(answer: Answer, source_id: str) -> dict[str, Any]:
    statements = [
        {
            "text": statement.text,
            "citations": [
                {"quote": each.quote, "source_id": source_id} for each in statement.citations
            ],
        }
        for statement in answer.statements
    ]
    left_open = answer.unanswerable
    return {"statements": statements, **({"unanswerable": left_open} if left_open else {})}


def _wrong_answers(pair: QAPair, text: str, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the answer with a quote and with a statement that are wrong, as far as possible."""
    if pair.own_answer is not None:
        yield _answer_data(pair.own_answer, pair.source_id)
        return
    context = Sources([Source(pair.source_id, text)])
    # The last one that fails is exported: without a judge the quote.
    for target in ("quote", "statement"):
        data = _answer_data(pair.answer, pair.source_id)
        parts, name = data["statements"], "text"
        if target == "quote":
            parts, name = [each for part in parts for each in part["citations"]], "quote"
        for part in parts:
            own: Any = {"source_id": pair.source_id, "seed": seed, "target": target}
            if made := negatives(part[name], context, kinds=_CHANGES, **own):
                part[name] = made[0].text
                yield data
                break


def _place(source_id: str, headings: Iterable[str]) -> str:
    return " › ".join((source_id, *headings))
