"""Question-answer pairs about documents, to train with and to answer from: `generate_questions`.

A language model writes them, section by section (`sections_of`); a pair is kept only if its quotes
are found in the section and support its answer. The report has every other pair with the reasons.
`pair_samples` makes samples of pairs, which `citeguard.datasets.export_samples` takes.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Unpack, get_args

from pydantic import BaseModel, Field, ValidationError

from citeguard.auditing.references import find_references
from citeguard.datasets.fields import MalformedSampleError
from citeguard.datasets.formats import source_data
from citeguard.datasets.samples import CheckedSample, failed, most_frequent_first, require_policy
from citeguard.datasets.synthesis import Kind, negatives
from citeguard.errors import CiteguardError, UndecidedError, check_number, check_whole
from citeguard.factcheck.evidence import sections_elsewhere, without
from citeguard.judges.loops import run_sync, together
from citeguard.judges.model_calls import BudgetSpentError, ModelCalls, ModelOptions, as_instructor
from citeguard.judges.prompts import Prompt, read_prompt
from citeguard.judges.usage import Budget, Usage, UsageCounter
from citeguard.judges.verdicts import Evidence, JudgeFailedError, SupportQuestion
from citeguard.language.excerpts import counted_as, shown
from citeguard.language.sentences import Interval
from citeguard.language.tokens import term_keys
from citeguard.library.catalogue import StoredQuestion
from citeguard.library.relevance import RelevanceJudge
from citeguard.library.same_question import same_question
from citeguard.retrieval.passages import SectionPassages
from citeguard.sources.collection import Source, Sources, as_sources
from citeguard.validation.client import guard
from citeguard.validation.models import Answer
from citeguard.validation.policy import Policy, reader_judge
from citeguard.validation.verification import averify

if TYPE_CHECKING:
    from citeguard.judges.model_calls import Client


SectionType = Literal["main", "summary", "metadata", "extra"]
"""What a section is for: content, a summary, the document itself, or supplements."""

LONGEST = 40_000
"""Characters of a section that is shown to a model in one piece; a longer one is divided."""

_LEAST_LIST = 300  # characters of a list of references that interrupts a section
_LEAST_WORDS = 8  # below its heading; with fewer a section says nothing that could be asked
_CHUNKS = SectionPassages()
# What headings begin with, in lower case and without their numbers; others are of main content.
_TYPES: dict[SectionType, str] = {
    "summary": "abstract, summary, executive summary, conclusion, conclusions, highlights",
    "metadata": "acknowledgement, acknowledgements, acknowledgment, acknowledgments, author, "
    "authors, affiliations, funding, conflict of interest, conflicts of interest, competing "
    "interests, declarations, data availability, ethics statement, keywords, copyright, contents",
    "extra": "appendix, appendices, supplement, supplementary, supplemental, annex, glossary, "
    "abbreviations",
}
_NUMBER = re.compile(r"[\W\d]*(?:[a-z]{1,4}[.:)]\s+)?")


@dataclass(frozen=True, kw_only=True)
class TopSection:
    """A top-level section of a document, or a part of one that is too long or interrupted."""

    source: Source
    headings: tuple[str, ...]  # above it, the highest first; empty in a document without any
    start: int  # in the document's text, in code points
    end: int  # exclusive

    @property
    def type(self) -> SectionType:
        """What it is for."""
        return section_type(self.headings)

    @property
    def text(self) -> str:
        """Its text, the heading included."""
        return self.source.text[self.start : self.end]

    @property
    def chunks(self) -> int:
        """How many passages it has, as `SectionPassages()` cuts them; at least 1."""
        within = [span for span in _CHUNKS.of(self.source) if self.start <= span.start < self.end]
        return max(1, len(within))

    @property
    def data(self) -> dict[str, Any]:
        """What a model is shown of it."""
        title = self.source.title
        headings = [each for each in self.headings if each != title]
        named = {} if title is None else {"title": title}
        return {"source_id": self.source.id, **named, "headings": headings, "text": self.text}

    @cached_property
    def sources(self) -> Sources:
        """The section as sources, with blanks before it, so that its places are the document's."""
        text = " " * self.start + self.text
        return Sources([Source(self.source.id, text, title=self.source.title, url=self.source.url)])


def sections_of(source: Source) -> list[TopSection]:
    r"""Return the sections of a document that questions can be asked about, in order.

    These are the highest sections of its `layout`, with their subsections; if only one heading is
    the highest, as a title is, those below it. Text before the first heading is a section, too. A
    document without headings is one section.

    Lists of references, what is under headings such as "See also", and sections of less than eight
    words are left out. A section of more than 40,000 characters is divided between passages.

    Examples:
        >>> from citeguard.documents import read_sources
        >>> body = b"Visitors wear a badge and pay 5 euros a day at the gate."
        >>> files = [("faq.md", b"# Fees\n\n" + body + b"\n\n# Hours\n\n" + body)]
        >>> [section.headings for section in sections_of(read_sources(files)["faq"])]
        [('Fees',), ('Hours',)]
    """
    lists = find_references(source.text).intervals  # under whatever heading; no footnotes
    silent = sorted(
        [*sections_elsewhere(source), *(e for e in lists if e[1] - e[0] >= _LEAST_LIST)]
    )
    return [
        TopSection(source=source, headings=headings, start=low, end=high)
        for headings, start, end in _places(source)
        for spoken in without((start, end), silent)
        for low, high in _divided(source, *spoken)
        if _says_something(source.text[low:high], headings)
    ]


def section_type(headings: Sequence[str]) -> SectionType:
    """Return what a section is for, by the last of its headings that says so; else `main`.

    Examples:
        >>> section_type(["5 Conclusion and future work"]), section_type(["2. Methods"])
        ('summary', 'main')
    """
    for heading in reversed(headings):
        said = _NUMBER.sub("", heading.lower(), count=1).rstrip(" :.") + " "
        for kind, names in _TYPES.items():
            if said.startswith(tuple(f"{name} " for name in names.split(", "))):
                return kind
    return "main"


def _places(source: Source) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Yield the headings above each section, and where it starts and ends."""
    sections = () if source.layout is None else source.layout.sections
    above: tuple[str, ...] = ()
    # A title is the only heading of its level, and its sections are below it.
    while len(sections) == 1 and sections[0].sections:
        above, sections = (*above, sections[0].heading), sections[0].sections
    yield above, 0, sections[0].start if sections else len(source.text)
    for section in sections:
        yield (*above, " ".join(section.heading.split())), section.start, section.end


def _divided(source: Source, start: int, end: int) -> Iterator[Interval]:
    """Yield an interval, or parts of it that are not too long, about as long as each other."""
    parts = -(-(end - start) // LONGEST)
    borders = [span.start for span in _CHUNKS.of(source) if start < span.start < end]
    low = start
    for part in range(1, parts):
        goal = start + (end - start) * part // parts
        nearest = min(borders, key=lambda border: abs(border - goal), default=low)
        if nearest > low:
            yield low, nearest
            low = nearest
    yield low, end


def _says_something(text: str, headings: Sequence[str]) -> bool:
    words = len(re.findall(r"[^\W_]+", text)) - len("".join(headings[-1:]).split())
    # Two of these are about a word.
    ideographs = sum("\u3040" <= character <= "\ud7ff" for character in text)
    return words + ideographs // 2 >= _LEAST_WORDS


QuestionKind = Literal["sparse", "dense"]
"""`sparse`: any number of questions with extractive answers; `dense`: one for each passage."""

AnswerLength = Literal["short", "long"]
"""`short`: as written with the question; `long`: written in a call of its own."""

R = TypeVar("R", bound=BaseModel)

# A model's own reason could state facts that nobody has checked.
_NOT_ANSWERED = "The sources do not say."
# Facts that another value contradicts; of a quote all of these are found to be altered.
_CHANGES: tuple[Kind, ...] = ("number", "date", "negation", "unit", "entity")
_SHOWN = 400  # characters of a failure in a printed report
_NEAR = 3  # questions before one that may ask the same
_WRONG_CONTEXTS = 3  # sections that are tried for one question


@dataclass(frozen=True, slots=True, kw_only=True)
class QAPair:
    """A question about a section of a document, with its verified answer.

    Attributes:
        question: The question.
        answer: The answer, with its quotes; their spans are those of the whole document. Of a
            negative pair it has no statements, and `unanswerable` is set.
        source_id: The id of the document.
        headings: The headings above the section; empty in a document without headings.
        start: Where the section starts in the document's text, in code points.
        end: Where it ends, exclusive.
        own_answer: Of a negative pair, whose question is about another section, the answer that it
            has there; else `None`.
    """

    question: str
    answer: Answer
    source_id: str
    headings: tuple[str, ...]
    start: int
    end: int
    own_answer: Answer | None = None

    @property
    def section_type(self) -> SectionType:
        """What the section is for, by its headings: `main`, `summary`, `metadata` or `extra`."""
        return section_type(self.headings)

    @property
    def negative(self) -> bool:
        """Whether the section does not answer the question."""
        return self.own_answer is not None

    def as_stored(self) -> StoredQuestion:
        """Return the pair as `Library.add_questions` takes it; do not store negatives."""
        return StoredQuestion(
            question=self.question,
            answer=self.answer.model_dump(mode="json"),
            source_id=self.source_id,
            headings=self.headings,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class QAReport:
    """What `generate_questions` made, what it kept, and why not the rest.

    Attributes:
        pairs: The pairs that were kept, in the order of the documents, negatives last.
        dropped: Those that were not: `question`, `answer`, `source_id` and `headings` of each as a
            sample, with its problems: the errors of validation, or one of `question_trivial`,
            `question_repeated`, `answer_empty` and `negative_answered`.
        failures: The calls of the model that gave nothing, so that pairs are missing: the section,
            what was asked for, and why there is none.
        usage: What the model, and the judges of the pairs, have cost.
    """

    pairs: tuple[QAPair, ...] = ()
    dropped: tuple[CheckedSample, ...] = ()
    failures: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)

    @property
    def codes(self) -> dict[str, int]:
        """How many pairs were dropped for each code, the most frequent first."""
        return most_frequent_first(Counter(code for each in self.dropped for code in each.codes))

    @property
    def negatives(self) -> int:
        """How many of the pairs are negatives."""
        return sum(pair.negative for pair in self.pairs)

    def __str__(self) -> str:
        """Return the counts, reasons and failures for a reader.

        Examples:
            >>> failure = "faq › Pay: questions: gpt: its endpoint answered HTTP 503"
            >>> print(QAReport(failures=(failure,)))
            0 pairs kept of 0 made
            1 call failed, so pairs are missing:
              faq › Pay: questions: gpt: its endpoint answered HTTP 503
            0 calls, 0 tokens
        """
        kept, made = counted_as(len(self.pairs), "pair"), len(self.pairs) + len(self.dropped)
        without = f" ({self.negatives:,} negative)" if self.negatives else ""
        lines = [f"{kept} kept of {made:,} made{without}"]
        if self.dropped:
            lines.append(f"Dropped: {', '.join(f'{code} {n:,}' for code, n in self.codes.items())}")
        if self.failures:
            calls = counted_as(len(self.failures), "call")
            lines.append(f"{calls} failed, so pairs are missing:")
            lines += [f"  {shown(each, _SHOWN)}" for each in self.failures]
        calls, tokens = self.usage.calls, self.usage.tokens
        lines.append(f"{counted_as(calls, 'call')}, {counted_as(tokens, 'token')}")
        return "\n".join(lines)


class QuestionReply(BaseModel):
    """One question about the section, with its answer."""

    question: str = Field(description="The question, understandable without the section.")
    answer: str = Field(description="The answer, in one or a few complete sentences.")
    quotes: list[str] = Field(
        description="The sentences of the section that say so, copied word for word."
    )


class QuestionsReply(BaseModel):
    """Questions about the section, in the order of its text."""

    pairs: list[QuestionReply] = Field(description="The questions with their answers.")


def generate_questions(source: Any, client: Client, **options: Any) -> QAReport:
    """Do what `agenerate_questions` does, whose arguments it takes, without an event loop."""
    return run_sync(agenerate_questions(source, client, **options))


async def agenerate_questions(
    source: Any,
    client: Client,
    *,
    kind: QuestionKind = "sparse",
    answers: AnswerLength = "short",
    negatives: float = 0.0,
    policy: Policy | None = None,
    retries: int = 2,
    budget: Budget | None = None,
    **model: Unpack[ModelOptions],
) -> QAReport:
    """Have a language model write question-answer pairs about a document; keep what is verified.

    The model is called once for each top-level section (`sections_of`), and with `answers="long"`
    once more for each question. Lists of references are left out. A pair is kept if

    - every quote is found in the section that was shown, as `Policy.quote` demands;
    - the judges of the policy find every statement supported by what it quotes;
    - the judge of `Policy.alignment`, if there is one, finds that it answers the question;
    - the question asks for something that it does not say itself (else `question_trivial`);
    - no question before it asks for the same (`same_question`; else `question_repeated`).

    Nothing is dropped in silence: the report has every pair that was not kept, with the reasons,
    and every call that failed. What was kept before an outage is in the report, too.

    Args:
        source: A `Source`, such as `Sources.from_paths(["paper.pdf"])["paper"]`, or anything that
            `Sources` accepts, for the pairs of several documents.
        client: One of instructor's, for any provider, or an `OpenAI` or `AsyncOpenAI`, for any
            compatible endpoint.
        kind: `sparse`: as many questions as it takes, with extractive answers; `dense`: for each
            section at most as many as passages, as `SectionPassages()` cuts it, so that each needs
            more of it.
        answers: `short`: as written with the question; `long`: a detailed answer from a call of its
            own, in statements with a quote each. Failed attempts are corrected by instructor.
        negatives: How many pairs without an answer to add, as a share of the pairs kept: a question
            that was kept is shown with another section. One is dropped (`negative_answered`) if
            no section is found that does not answer it, as far as `RelevanceJudge`, the support
            judge and `Policy.alignment` can tell.
        policy: The rules for answers; by default `Policy.fast()`, whose reader runs on this
            machine, and leaves what it is not sure about `undecided`, so that it is dropped. A
            model that decides these costs calls: `Policy.strict(LLMJudge(client))`.
        retries: How often the model may correct a reply.
        budget: What the calls may cost together; what could not be asked is listed as failed.
        model: How it is called; see `ModelOptions`.

    Raises:
        InvalidSourcesError: `source` cannot be read as sources.
        CiteguardError: Arguments of the wrong type; or the endpoint answered no call, and says that
            the key or the model does not exist.
    """
    for name, value, choices in (("kind", kind, QuestionKind), ("answers", answers, AnswerLength)):
        if value not in get_args(choices):
            listed = ", ".join(map(repr, get_args(choices)))
            raise CiteguardError(f"{name} must be one of {listed}, not {value!r}")
    check_number("negatives", negatives, 0, math.inf)
    check_whole("retries", retries, 0)
    return await _Maker(
        sections=[section for each in as_sources(source) for section in sections_of(each)],
        calls=ModelCalls(guard(as_instructor(client)), "generate_questions", model),
        counter=UsageCounter(budget),
        policy=replace(require_policy(policy or Policy.fast()), invalid="fail"),
        kind=kind,
        length=answers,
        retries=retries,
    ).made(negatives)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Draft:
    """A pair on its way: the question about a section, and the answer that it has so far."""

    section: TopSection
    question: str
    text: str = ""
    quotes: Sequence[str] = ()
    answer: Answer | None = None
    own_answer: Answer | None = None  # of a negative

    @property
    def data(self) -> dict[str, Any]:
        """The answer as it was written."""
        citations = [{"quote": quote} for quote in self.quotes]
        return {"statements": [{"text": self.text, "citations": citations}]}


@dataclass(kw_only=True)
class _Maker:
    """Makes the pairs of some sections, and keeps account of what is not kept."""

    sections: list[TopSection]
    calls: ModelCalls
    counter: UsageCounter
    policy: Policy
    kind: QuestionKind
    length: AnswerLength
    retries: int
    dropped: list[CheckedSample] = field(default_factory=list[CheckedSample])
    failures: list[str] = field(default_factory=list[str])
    misconfigured: CiteguardError | None = None
    answered: bool = False

    async def made(self, share: float) -> QAReport:
        """Return what is kept, questions with answers and then negatives, and what is not."""
        drafts = await together(map(self._questions, self.sections))
        asked = [each for drafted in drafts for each in drafted if self._asks_something(each)]
        rules = self.policy
        if self.length == "long":
            # Judges are asked about the long answers: these only show that there is something.
            rules = replace(self.policy, support=(), alignment=None)
        # Verified first: a good pair must not give way to a bad one with the same question.
        verified = await together(
            self._answered(each, each.data, each.section.sources, rules) for each in asked
        )
        kept = self._distinct(filter(None, verified))
        if self.length == "long":
            kept = [*filter(None, await together(map(self._long_answer, kept)))]
        # Anywhere in the documents, but the same ones for the same pairs.
        shuffled = sorted(kept, key=lambda each: Random(each.question).random())
        for draft in shuffled[: round(len(kept) * share)]:
            kept += filter(None, [await self._in_wrong_context(draft)])
        if self.misconfigured is not None and not self.answered:
            raise self.misconfigured
        pairs = (
            QAPair(
                question=draft.question,
                answer=draft.answer,
                source_id=draft.section.source.id,
                headings=draft.section.headings,
                start=draft.section.start,
                end=draft.section.end,
                own_answer=draft.own_answer,
            )
            for draft in kept
            if draft.answer is not None
        )
        dropped, failures = tuple(self.dropped), tuple(self.failures)
        usage = self.counter.usage
        return QAReport(pairs=tuple(pairs), dropped=dropped, failures=failures, usage=usage)

    async def _questions(self, section: TopSection) -> list[_Draft]:
        """Have the model write questions about a section, with answers."""
        data, most = {**section.data, "wanted": self.kind}, None
        if self.kind == "dense":
            most = data["most"] = section.chunks
        prompt, asked = read_prompt("questions", _HERE), _Draft(section=section, question="")
        reply = await self._ask(asked, prompt, QuestionsReply, data)
        return [
            _Draft(section=section, question=each.question, text=each.answer, quotes=each.quotes)
            for each in ([] if reply is None else reply.pairs[:most])
        ]

    async def _long_answer(self, draft: _Draft) -> _Draft | None:
        section, sources = draft.section, draft.section.sources
        heading = " › ".join(section.data["headings"])
        shown = {"source_id": section.source.id, "heading": heading, "text": section.text}
        data = {"question": draft.question, "detail": True, "passages": [shown]}
        context = sources.as_context(self.policy, draft.question)
        prompt, model = read_prompt("answer", _HERE), Answer.over(sources)
        answer = await self._ask(draft, prompt, model, data, context=context)
        if answer is None:
            return None
        text = " ".join(each.text for each in answer.statements)
        whole = replace(draft, answer=answer, text=text)
        if answer.statements and answer.unanswerable is None:
            return whole
        self._drop(whole, "answer_empty", answer.unanswerable or "the answer is empty")
        return None

    async def _ask(
        self, draft: _Draft, prompt: Prompt, reply: type[R], data: Any, **request: Any
    ) -> R | None:
        """Return a reply of the model; `None` if there is none, which is noted."""
        request["max_retries"] = self.retries
        try:
            answered = await self.calls.ask(reply, prompt, data, self.counter, **request)
        except (JudgeFailedError, BudgetSpentError, CiteguardError) as error:
            cause: BaseException | None = error  # why the last reply was invalid, if it was
            while cause is not None and not isinstance(cause, (ValidationError, UndecidedError)):
                cause = cause.__cause__
            if draft.question and cause is not None:
                self.answered = True
                self._note(draft, cause)
                return None
            if isinstance(error, CiteguardError):
                self.misconfigured = error
            wanted = f"an answer to {draft.question}" if draft.question else "questions"
            place = _place(draft.section.source.id, draft.section.headings)
            self.failures.append(f"{place}: {wanted}: {error}")
            return None
        self.answered = True
        return answered

    def _note(self, draft: _Draft, error: Exception) -> None:
        place = {"source_id": draft.section.source.id, "headings": draft.section.headings}
        made = {"question": draft.question, "answer": draft.text, **place}
        self.dropped.append(failed(made, error))

    def _drop(self, draft: _Draft, code: str, message: str) -> None:
        self._note(draft, MalformedSampleError(message, code))

    def _asks_something(self, draft: _Draft) -> bool:
        is_trivial = term_keys(draft.text) <= term_keys(draft.question)
        if is_trivial:
            self._drop(draft, "question_trivial", "The question gives its own answer.")
        return not is_trivial

    def _distinct(self, drafts: Iterable[_Draft]) -> list[_Draft]:
        """Return drafts whose questions ask for something that none before them does."""
        distinct: list[_Draft] = []
        for draft in drafts:
            own, asked = (draft.question, draft.text), term_keys(draft.question)
            # Those with the most words in common.
            near = sorted(distinct, key=lambda each: -len(asked & term_keys(each.question)))
            same = (each for each in near[:_NEAR] if same_question(own, (each.question, each.text)))
            if (other := next(same, None)) is None:
                distinct.append(draft)
            else:
                self._drop(draft, "question_repeated", f"It asks the same as: {other.question}")
        return distinct

    async def _answered(
        self, draft: _Draft, data: Any, sources: Sources, policy: Policy
    ) -> _Draft | None:
        """Return a draft with its verified answer; `None` if it fails, which is noted."""
        try:
            answer = await averify(
                Answer, data, sources=sources, policy=policy, question=draft.question
            )
        except (ValidationError, UndecidedError, UnicodeEncodeError) as error:
            self._note(draft, error)
            return None
        if answer.usage is not None:
            self.counter.add(answer.usage)
        return replace(draft, answer=answer)

    async def _in_wrong_context(self, draft: _Draft) -> _Draft | None:
        """Return a question beside a section that does not answer it; `None` without one."""
        own, answer = draft.section, draft.answer
        assert answer is not None
        here = own.source.id, own.headings  # also of other parts of a section that was divided
        others = [e for e in self.sections if (e.source.id, e.headings) != here]
        others.sort(
            key=lambda each: (each.type != own.type, Random(draft.question + each.text).random())
        )
        asked = _Draft(section=own, question=draft.question)
        for section in others[:_WRONG_CONTEXTS]:
            evidence = (Evidence(text=section.text, source_id=section.source.id),)
            said = [SupportQuestion(statement=e.text, evidence=evidence) for e in answer.statements]
            verdicts: Any = reader_judge().judge(said)
            if all(verdict.outcome == "supported" for verdict in verdicts):
                continue  # it says what the answer says
            negative = replace(asked, section=section, own_answer=answer)
            count = len(self.dropped)
            if (kept := await self._left_open(negative)) is not None:
                return kept
            del self.dropped[count:]  # another section may do
        self._drop(asked, "negative_answered", "No section was found that does not answer it.")
        return None

    async def _left_open(self, draft: _Draft) -> _Draft | None:
        """Return a negative that its section rightly leaves open, as far as judges can tell."""
        sources = draft.section.sources
        data: dict[str, Any] = {"statements": [], "unanswerable": _NOT_ANSWERED}
        found: _Draft | None = draft
        # A doubtful negative teaches a model to refuse: it is dropped.
        for judge in (RelevanceJudge(sources), *self.policy.aligners):
            rules = replace(self.policy, alignment=judge)
            found = found and await self._answered(draft, data, sources, rules)
        return found


_HERE = "citeguard.library"


def pair_samples(
    pairs: Iterable[QAPair], sources: Any, *, rejected: bool = False
) -> Iterator[dict[str, Any]]:
    """Yield pairs as samples that `export_samples` takes, each with the text of its section.

    Each sample has, besides `question`, `answer` and `sources`, a `section` (export with
    `group="section"`, so that no section is in two splits), `section_type` and `negative`.

    Args:
        pairs: The pairs.
        sources: The documents that they were made from: anything that `Sources` accepts.
        rejected: Whether to add wrong answers, for preference pairs: the same answer with one fact
            changed, in a quote and in a statement; for a negative the answer that it has elsewhere.
            Without a judge, `export_samples` takes the changed quote, and with
            `policy=Policy.fast()` the changed statement. Pairs without such an answer are omitted.

    Raises:
        UnknownSourceError: The document of a pair is not among the sources.

    Examples:
        >>> from citeguard import Answer, verify
        >>> fee = "Visitors pay 5 euros a day."
        >>> data = {"statements": [{"text": fee, "citations": [{"quote": fee}]}]}
        >>> pair = QAPair(
        ...     question="What do visitors pay?", answer=verify(Answer, data, sources={"faq": fee}),
        ...     source_id="faq", headings=("Fees",), start=0, end=len(fee),
        ... )
        >>> [sample] = pair_samples([pair], {"faq": fee}, rejected=True)
        >>> sample["section"], sample["rejected"][0]["statements"][0]["citations"][0]["quote"]
        ('faq › Fees', 'Visitors pay 4 euros a day.')
    """
    documents = as_sources(sources)
    for pair in pairs:
        document = documents[pair.source_id]
        text = document.text[pair.start : pair.end]
        wrong = list(_wrong_answers(pair, text)) if rejected else []
        if rejected and not wrong:
            continue
        yield {
            "question": pair.question,
            "answer": _answer_data(pair.answer, pair.source_id),
            "sources": [source_data(Source(document.id, text, document.title, document.url))],
            "section": _place(pair.source_id, pair.headings),
            "section_type": pair.section_type,
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


def _wrong_answers(pair: QAPair, text: str) -> Iterator[dict[str, Any]]:
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
            own: Any = {"source_id": pair.source_id, "target": target}
            if made := negatives(part[name], context, kinds=_CHANGES, **own):
                part[name] = made[0].text
                yield data
                break


def _place(source_id: str, headings: Iterable[str]) -> str:
    return " › ".join((source_id, *headings))
