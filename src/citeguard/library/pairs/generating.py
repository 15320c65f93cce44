"""Question-answer pairs written by a language model, and verified: `generate_questions`."""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast, get_args

from pydantic import BaseModel, Field, ValidationError

from citeguard.datasets.samples import SampleProblem, failed
from citeguard.errors import CiteguardError, UndecidedError, check_number, check_whole, described
from citeguard.judges.clients import as_instructor
from citeguard.judges.judge import AlignmentJudge, JudgeFailedError
from citeguard.judges.loops import run_sync, together
from citeguard.judges.model_calls import BudgetSpentError, ModelCalls
from citeguard.judges.prompts import read_prompt
from citeguard.judges.usage import Budget, UsageCounter
from citeguard.judges.verdicts import Alignment, Evidence, SupportQuestion, Verdict
from citeguard.language.terms import terms
from citeguard.library.pairs.pair import (
    NOT_ANSWERED,
    AnswerLength,
    DroppedPair,
    FailedCall,
    Negative,
    QAPair,
    QAReport,
    QuestionKind,
    SectionCounts,
)
from citeguard.library.pairs.sections import (
    TYPES,
    SectionType,
    TopSection,
    check_types,
    sections_of,
)
from citeguard.library.relevance import RelevanceJudge
from citeguard.library.same_question import same_question
from citeguard.sources.collection import Sources, Span, as_sources
from citeguard.validation.client import guard
from citeguard.validation.models import Answer, Citation
from citeguard.validation.policy import Policy, reader_judge
from citeguard.validation.verification import averify

if TYPE_CHECKING:
    import instructor
    import openai

SectionTypes = Mapping[str, SectionType] | Callable[[tuple[str, ...]], SectionType | None] | None
"""Types of sections by heading, or a function of the headings above a section."""

R = TypeVar("R", bound=BaseModel)

_NEAR = 3  # questions before one that may ask the same
_PACKAGE = "citeguard.library.pairs"
_WRONG_CONTEXTS = 3  # sections that are tried for one question


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


class UnanswerableReply(BaseModel):
    """Questions that the section does not answer."""

    questions: list[str] = Field(description="The questions.")


def generate_questions(
    source: Any,
    client: instructor.Instructor | openai.OpenAI | openai.AsyncOpenAI,
    **options: Any,
) -> QAReport:
    """Do what `agenerate_questions` does, whose arguments it takes, without an event loop."""
    return run_sync(agenerate_questions(source, client, **options))


async def agenerate_questions(
    source: Any,
    client: instructor.Instructor | openai.OpenAI | openai.AsyncOpenAI,
    *,
    kind: QuestionKind = "sparse",
    answers: AnswerLength = "short",
    negatives: Mapping[Negative, float] | None = None,
    model: str | None = None,
    policy: Policy | None = None,
    section_types: SectionTypes = None,
    only: Collection[SectionType] = TYPES,
    retries: int = 2,
    options: Mapping[str, Any] | None = None,
    concurrency: int = 8,
    timeout: float | None = 120.0,
    budget: Budget | None = None,
) -> QAReport:
    """Have a language model write question-answer pairs about a document; keep what is verified.

    The model is called once for each top-level section (`sections_of`), and with `answers="long"`
    once more for each question. Lists of references are left out. A pair is kept if

    - every quote is found in the section that was shown, as `Policy.quote` demands;
    - the judges of the policy find every statement supported by what it quotes;
    - the judge of `Policy.alignment`, if there is one, finds that it answers the question;
    - the question asks for something that it does not say itself (else `question_trivial`);
    - no question before it asks for the same (`same_question`; else `question_repeated`);
    - with `kind="dense"`, the section has a passage left for it (else `question_surplus`).

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
        negatives: How many pairs without an answer to add, of each kind, as a share of the pairs
            kept: `{"unanswerable": 0.2, "wrong_context": 0.2}`. Unanswerable questions are written
            by the model, one call for each section. For a wrong context, a question that was kept
            is shown with another section, of the same type if possible. A negative is dropped
            (`negative_answered`) if the document, or that section, does answer it as far as
            `RelevanceJudge`, the support judge and `Policy.alignment` can tell.
        model: The model's name; by default the one that the client was made with.
        policy: The rules for answers; by default `Policy.fast()`, whose judge runs on this machine
            and knows words, not meaning: of answers in other words than the section's it drops many
            as `undecided`. A model that decides these costs calls:
            `Policy.strict(LLMJudge(client))`.
        section_types: What sections are for, where `section_type` errs: types by heading, or a
            function of the headings above a section that returns a type or `None`.
        only: The types of sections that questions are asked for.
        retries: How often the model may correct a reply.
        options: Further arguments for each call, such as `{"temperature": 0}`.
        concurrency: The most calls at a time, in one event loop.
        timeout: Seconds that one call may take, with its retries; `None` for no limit.
        budget: What the calls may cost together; what could not be asked is listed as failed.

    Raises:
        InvalidSourcesError: `source` cannot be read as sources.
        CiteguardError: Arguments of the wrong type; or the endpoint answered no call, and says that
            the key or the model does not exist.
    """
    _require("kind", kind, get_args(QuestionKind))
    _require("answers", answers, get_args(AnswerLength))
    shares = dict(negatives or {})
    for name, share in shares.items():
        _require("negatives", name, get_args(Negative))
        check_number(f"negatives[{name!r}]", share, 0, math.inf)
    check_types("only", tuple(only))
    check_whole("retries", retries, 0)
    if policy is not None and not isinstance(policy, Policy):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CiteguardError(f"policy: expected a Policy, got {described(policy)}")
    documents = as_sources(source)
    maker = _Maker(
        documents=documents,
        shown=[
            _Shown(section, Sources([section.as_source()]))
            for document in documents
            for section in _typed(sections_of(document), section_types)
            if section.type in only
        ],
        calls=ModelCalls(
            guard(as_instructor(client)),
            model=model,
            options=options,
            concurrency=concurrency,
            timeout=timeout,
            price=0.0,
            owner="generate_questions",
        ),
        counter=UsageCounter(budget),
        policy=replace(Policy.fast() if policy is None else policy, invalid="fail"),
        kind=kind,
        length=answers,
        retries=retries,
    )
    await maker.make(shares)
    return maker.report()


@dataclass(frozen=True, slots=True, eq=False)
class _Shown:
    """A section, and the sources that an answer about it is checked against."""

    section: TopSection
    sources: Sources

    @property
    def text(self) -> str:
        return self.section.text

    def data(self) -> dict[str, Any]:
        """Return what a model is shown of it."""
        document = self.section.source
        title = {} if document.title is None else {"title": document.title}
        headings = [each for each in self.section.headings if each != document.title]
        return {"source_id": document.id, **title, "headings": headings, "text": self.text}

    @property
    def place(self) -> dict[str, Any]:
        return {"source_id": self.section.source.id, "headings": self.section.headings}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Draft:
    """A pair on its way: the question, and the answer that it has so far."""

    shown: _Shown
    question: str
    text: str = ""
    quotes: tuple[str, ...] = ()
    answer: Answer | None = None
    negative: Negative | None = None
    own_answer: Answer | None = None


@dataclass(kw_only=True)
class _Maker:
    """Makes the pairs of some sections, and keeps account of all that was made."""

    documents: Sources
    shown: list[_Shown]
    calls: ModelCalls
    counter: UsageCounter
    policy: Policy
    kind: QuestionKind
    length: AnswerLength
    retries: int
    kept: list[_Draft] = field(default_factory=list["_Draft"])
    dropped: list[tuple[_Draft, tuple[SampleProblem, ...]]] = field(
        default_factory=list[tuple["_Draft", tuple[SampleProblem, ...]]]
    )
    failures: list[tuple[_Shown, FailedCall]] = field(
        default_factory=list[tuple["_Shown", FailedCall]]
    )
    misconfigured: CiteguardError | None = None
    answered: bool = False

    async def make(self, shares: Mapping[Negative, float]) -> None:
        """Make all pairs: questions, answers, negatives.

        Raises:
            CiteguardError: The client is misconfigured, and the model answered nothing.
        """
        drafts = await together(map(self._questions, self.shown))
        asked = [each for drafted in drafts for each in drafted if self._asks_something(each)]
        rules = self.policy
        if self.length == "long":
            # Judges are asked about the long answers: these only show that there is something.
            rules = replace(self.policy, support=(), alignment=None)
        # Verified first: a good pair must not give way to a bad one with the same question.
        self.kept = self._within_limits(self._distinct(await self._verified(asked, rules)))
        if self.length == "long":
            answered = await together(map(self._long_answer, self.kept))
            self.kept = [each for each in answered if each is not None]
        positives = list(self.kept)
        if share := shares.get("unanswerable"):
            await self._add_unanswerable(positives, share)
        if share := shares.get("wrong_context"):
            await self._add_wrong_contexts(positives, share)
        if self.misconfigured is not None and not self.answered:
            raise self.misconfigured

    def report(self) -> QAReport:
        """Return what was made."""
        made: Counter[int] = Counter(id(draft.shown) for draft, _ in self.dropped)
        made.update(id(shown) for shown, each in self.failures if each.question is not None)
        kept = Counter(id(draft.shown) for draft in self.kept)
        return QAReport(
            pairs=tuple(map(self._pair, self.kept)),
            dropped=tuple(
                DroppedPair(
                    question=draft.question,
                    answer=draft.text,
                    problems=problems,
                    negative=draft.negative,
                    **draft.shown.place,
                )
                for draft, problems in self.dropped
            ),
            failures=tuple(failure for _, failure in self.failures),
            sections=tuple(
                SectionCounts(
                    **each.place,
                    type=each.section.type,
                    made=made[id(each)] + kept[id(each)],
                    kept=kept[id(each)],
                )
                for each in self.shown
            ),
            usage=self.counter.usage,
        )

    def _pair(self, draft: _Draft) -> QAPair:
        section, answer = draft.shown.section, cast("Answer", draft.answer)
        return QAPair(
            question=draft.question,
            answer=_moved(answer, section.start),
            source_id=section.source.id,
            headings=section.headings,
            section_type=section.type,
            kind=self.kind,
            answer_kind=self.length,
            start=section.start,
            end=section.end,
            negative=draft.negative,
            own_answer=draft.own_answer,
        )

    # Calls of the model.

    async def _questions(self, shown: _Shown) -> list[_Draft]:
        limit = {"most": shown.section.chunks} if self.kind == "dense" else {}
        reply = await self._ask(
            shown, "questions", QuestionsReply, self.kind, {**shown.data(), **limit}
        )
        return [
            _Draft(shown=shown, question=each.question, text=each.answer, quotes=(*each.quotes,))
            for each in ([] if reply is None else reply.pairs)
        ]

    async def _long_answer(self, draft: _Draft) -> _Draft | None:
        shown = draft.shown
        data = {"question": draft.question, "section": shown.data()}
        context = shown.sources.as_context(self.policy, draft.question)
        answer = await self._ask(
            shown, "answer", Answer.over(shown.sources), "long_answer", data, draft, context=context
        )
        if answer is None:
            return None
        text = " ".join(each.text for each in answer.statements)
        whole = replace(draft, answer=answer, text=text)
        if not answer.statements or answer.unanswerable is not None:
            self._drop(whole, "answer_empty", answer.unanswerable or "the answer is empty")
            return None
        return whole

    async def _ask(
        self,
        shown: _Shown,
        wanted: Literal["questions", "answer", "unanswerable"],
        reply: type[R],
        prompt: str,
        data: Any,
        draft: _Draft | None = None,
        **request: Any,
    ) -> R | None:
        """Return a reply of the model; `None` if there is none, which is noted."""
        try:
            answered = await self.calls.ask(
                reply,
                read_prompt(prompt, _PACKAGE),
                data,
                self.counter,
                max_retries=self.retries,
                **request,
            )
        except (JudgeFailedError, BudgetSpentError, CiteguardError) as error:
            invalid = _invalid(error)
            if draft is not None and invalid is not None:
                self.answered = True
                self.dropped.append((draft, failed(None, invalid).problems))
                return None
            if isinstance(error, CiteguardError):
                self.misconfigured = error
            question = None if draft is None else draft.question
            failure = FailedCall(**shown.place, wanted=wanted, reason=str(error), question=question)
            self.failures.append((shown, failure))
            return None
        self.answered = True
        return answered

    # What is kept.

    def _drop(self, draft: _Draft, code: str, message: str) -> None:
        self.dropped.append((draft, (SampleProblem(code=code, message=message),)))

    def _asks_something(self, draft: _Draft) -> bool:
        asked = {term.key for term in terms(draft.question)}
        said = {term.key for term in terms(draft.text)}
        if said <= asked:
            self._drop(draft, "question_trivial", "The question gives its own answer.")
        return not said <= asked

    def _distinct(self, drafts: Sequence[_Draft]) -> list[_Draft]:
        """Return drafts whose questions ask for something that none before them does."""
        distinct: list[_Draft] = []
        for draft in drafts:
            same = self._asked_before(draft, distinct)
            if same is None:
                distinct.append(draft)
            else:
                self._drop(draft, "question_repeated", f"It asks the same as: {same.question}")
        return distinct

    def _asked_before(self, draft: _Draft, drafts: Sequence[_Draft]) -> _Draft | None:
        """Return a draft before, of those with the most words in common, that asks the same."""
        asked = {term.key for term in terms(draft.question)}

        def likeness(other: _Draft) -> int:
            return len(asked & {term.key for term in terms(other.question)})

        near = sorted(drafts, key=likeness, reverse=True)[:_NEAR]
        own = draft.question, draft.text
        return next((e for e in near if same_question(own, (e.question, e.text))), None)

    def _within_limits(self, drafts: Sequence[_Draft]) -> list[_Draft]:
        if self.kind == "sparse":
            return list(drafts)
        within: list[_Draft] = []
        counts: Counter[int] = Counter()
        for draft in drafts:
            most = draft.shown.section.chunks
            counts[id(draft.shown)] += 1
            if counts[id(draft.shown)] <= most:
                within.append(draft)
            else:
                message = f"The section has {most} passages, and as many questions before it."
                self._drop(draft, "question_surplus", message)
        return within

    async def _verified(self, drafts: Sequence[_Draft], policy: Policy) -> list[_Draft]:
        answers = await together(self._verify(draft, policy) for draft in drafts)
        return [
            replace(draft, answer=answer)
            for draft, answer in zip(drafts, answers, strict=True)
            if answer is not None
        ]

    async def _verify(self, draft: _Draft, policy: Policy) -> Answer | None:
        citations = [{"quote": quote} for quote in draft.quotes]
        data = {"statements": [{"text": draft.text, "citations": citations}]}
        return await self._answer(draft, data, draft.shown.sources, policy)

    async def _answer(
        self, draft: _Draft, data: Any, sources: Sources, policy: Policy
    ) -> Answer | None:
        """Return a verified answer; `None` if it fails, which is noted."""
        try:
            answer = await averify(
                Answer, data, sources=sources, policy=policy, question=draft.question
            )
        except (ValidationError, UndecidedError, UnicodeEncodeError) as error:
            problems = failed(None, error).problems
            if draft.negative is not None:
                answered = "negative_answered"
                problems = tuple(
                    replace(each, code=answered) if each.code == "answer_misaligned" else each
                    for each in problems
                )
            self.dropped.append((draft, problems))
            return None
        if answer.usage is not None:
            self.counter.add(answer.usage)
        return answer

    # Negatives.

    async def _add_unanswerable(self, positives: Sequence[_Draft], share: float) -> None:
        asked: dict[int, list[_Draft]] = defaultdict(list)
        for draft in positives:
            asked[id(draft.shown)].append(draft)
        wanted = _spread([len(asked[id(shown)]) for shown in self.shown], share)

        async def written(shown: _Shown, most: int) -> list[_Draft]:
            known = [draft.question for draft in asked[id(shown)]]
            data = {**shown.data(), "questions": known, "most": most}
            reply = await self._ask(shown, "unanswerable", UnanswerableReply, "unanswerable", data)
            return [
                _Draft(shown=shown, question=question, negative="unanswerable")
                for question in ([] if reply is None else reply.questions[:most])
            ]

        drafts = await together(
            written(shown, most) for shown, most in zip(self.shown, wanted, strict=True) if most
        )
        fresh: list[_Draft] = []
        for draft in (each for drafted in drafts for each in drafted):
            if same := self._asked_before(draft, [*positives, *fresh]):
                self._drop(draft, "question_repeated", f"It asks the same as: {same.question}")
            else:
                fresh.append(draft)

        async def verified(draft: _Draft) -> _Draft | None:
            document = Sources([draft.shown.section.source])
            return await self._left_open(draft, document)

        self.kept += filter(None, await together(map(verified, fresh)))

    async def _add_wrong_contexts(self, positives: Sequence[_Draft], share: float) -> None:
        wanted = round(len(positives) * share)
        # By a digest: anywhere in the documents, but the same ones for the same pairs.
        for draft in sorted(positives, key=lambda each: _digest(each.question))[:wanted]:
            negative = await self._in_wrong_context(draft)
            if negative is not None:
                self.kept.append(negative)

    async def _in_wrong_context(self, draft: _Draft) -> _Draft | None:
        others = [
            each
            for each in self.shown
            if (each.section.source.id, each.section.headings)
            != (draft.shown.section.source.id, draft.shown.section.headings)
        ]
        of_type = draft.shown.section.type
        others.sort(
            key=lambda each: (each.section.type != of_type, _digest(draft.question + each.text))
        )
        answer = cast("Answer", draft.answer)
        asked = _Draft(shown=draft.shown, question=draft.question, negative="wrong_context")
        for shown in others[:_WRONG_CONTEXTS]:
            if await self._says(shown, answer):
                continue
            own = _moved(answer, draft.shown.section.start)
            negative = replace(asked, shown=shown, own_answer=own)
            count = len(self.dropped)
            if (kept := await self._left_open(negative, shown.sources)) is not None:
                return kept
            del self.dropped[count:]  # another section may do
        self._drop(asked, "negative_answered", "No section was found that does not answer it.")
        return None

    async def _says(self, shown: _Shown, answer: Answer) -> bool:
        """Return whether a section says what an answer about another one says."""
        evidence = (Evidence(text=shown.text, source_id=shown.section.source.id),)
        asked = [SupportQuestion(statement=e.text, evidence=evidence) for e in answer.statements]
        verdicts: Any = reader_judge().judge(asked)
        return all(verdict.outcome == "supported" for verdict in verdicts)

    async def _left_open(self, draft: _Draft, sources: Sources) -> _Draft | None:
        """Return a negative that sources rightly leave open, as far as judges can tell."""
        data: dict[str, Any] = {"statements": [], "unanswerable": NOT_ANSWERED}
        answer: Answer | None = None
        # A doubtful negative teaches a model to refuse: it is dropped.
        relevance = RelevanceJudge(sources)
        judges: list[AlignmentJudge] = [relevance, *self.policy.aligners]
        for judge in judges:
            rules = replace(self.policy, alignment=judge)
            if (answer := await self._answer(draft, data, sources, rules)) is None:
                return None
        return replace(draft, answer=answer)


def _require(argument: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        listed = ", ".join(map(repr, choices))
        raise CiteguardError(f"{argument} must be one of {listed}, not {value!r}")


def _typed(sections: Sequence[TopSection], given: SectionTypes) -> Iterator[TopSection]:
    """Yield sections with the types that the user gives them."""
    for section in sections:
        kind: SectionType | None = None
        if isinstance(given, Mapping):
            types = cast("Mapping[str, SectionType]", given)
            kind = next((types[each] for each in reversed(section.headings) if each in types), None)
        elif given is not None:
            kind = given(section.headings)
        if kind is None:
            yield section
        else:
            check_types("section_types", [kind])
            yield replace(section, type=kind)


def _spread(counts: Sequence[int], share: float) -> list[int]:
    """Return how many negatives each section gets, so that their sum is the share of all."""
    wanted: list[int] = []
    total = 0
    for count in counts:
        before, total = round(total * share), total + count
        wanted.append(round(total * share) - before)
    return wanted


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8).digest()


def _invalid(error: BaseException | None) -> ValidationError | UndecidedError | None:
    """Return why a reply was not valid in the last attempt; `None` if that is not what failed."""
    while error is not None and not isinstance(error, (ValidationError, UndecidedError)):
        error = error.__cause__
    return error


def _moved(answer: Answer, offset: int) -> Answer:
    """Return an answer about a section with the places that its quotes have in the document."""

    def moved(data: Any) -> Any:
        match data:
            case Span():
                return Span(data.source_id, data.start + offset, data.end + offset)
            case Verdict() | Alignment():
                changed = {each.name: moved(getattr(data, each.name)) for each in fields(data)}
                return replace(data, **changed)
            case tuple():
                items = cast("tuple[Any, ...]", data)
                return tuple(map(moved, items))
            case _:
                return data

    def cited(citation: Citation) -> Citation:
        framing = citation.framing
        if framing is not None:
            low, high = framing.span
            framing = replace(framing, span=(low + offset, high + offset))
        return citation.model_copy(update={"spans": moved(citation.spans), "framing": framing})

    statements = [
        each.model_copy(
            update={"citations": [*map(cited, each.citations)], "verdict": moved(each.verdict)}
        )
        for each in answer.statements
    ]
    return answer.model_copy(
        update={"statements": statements, "alignment": moved(answer.alignment)}
    )
