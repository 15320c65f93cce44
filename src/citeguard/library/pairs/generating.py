"""Question-answer pairs written by a language model, and verified: `generate_questions`."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Unpack, get_args

from pydantic import BaseModel, Field, ValidationError

from citeguard.datasets.samples import SampleProblem, failed
from citeguard.errors import CiteguardError, UndecidedError, check_number, check_whole, described
from citeguard.judges.clients import as_instructor
from citeguard.judges.loops import run_sync, together
from citeguard.judges.model_calls import BudgetSpentError, ModelCalls, ModelOptions
from citeguard.judges.prompts import read_prompt
from citeguard.judges.usage import Budget, UsageCounter
from citeguard.judges.verdicts import Evidence, JudgeFailedError, SupportQuestion
from citeguard.language.terms import term_keys
from citeguard.library.pairs.pair import (
    NOT_ANSWERED,
    AnswerLength,
    DroppedPair,
    FailedCall,
    Negative,
    QAPair,
    QAReport,
    QuestionKind,
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
from citeguard.sources.collection import Sources, as_sources
from citeguard.validation.client import guard
from citeguard.validation.models import Answer
from citeguard.validation.policy import Policy, reader_judge
from citeguard.validation.verification import averify

if TYPE_CHECKING:
    from citeguard.judges.model_calls import Client

SectionTypes = Mapping[str, SectionType] | Callable[[tuple[str, ...]], SectionType | None] | None
"""Types of sections by heading, or a function of the headings above a section."""

R = TypeVar("R", bound=BaseModel)

_NEAR = 3  # questions before one that may ask the same
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


def generate_questions(source: Any, client: Client, **options: Any) -> QAReport:
    """Do what `agenerate_questions` does, whose arguments it takes, without an event loop."""
    return run_sync(agenerate_questions(source, client, **options))


async def agenerate_questions(
    source: Any,
    client: Client,
    *,
    kind: QuestionKind = "sparse",
    answers: AnswerLength = "short",
    negatives: Mapping[Negative, float] | None = None,
    policy: Policy | None = None,
    section_types: SectionTypes = None,
    only: Collection[SectionType] = TYPES,
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
        policy: The rules for answers; by default `Policy.fast()`, whose reader runs on this
            machine, and leaves what it is not sure about `undecided`, so that it is dropped. A
            model that decides these costs calls: `Policy.strict(LLMJudge(client))`.
        section_types: What sections are for, where `section_type` errs: types by heading, or a
            function of the headings above a section that returns a type or `None`.
        only: The types of sections that questions are asked for.
        retries: How often the model may correct a reply.
        budget: What the calls may cost together; what could not be asked is listed as failed.
        model: How it is called; see `ModelOptions`.

    Raises:
        InvalidSourcesError: `source` cannot be read as sources.
        CiteguardError: Arguments of the wrong type; or the endpoint answered no call, and says that
            the key or the model does not exist.
    """
    _require("kind", kind, QuestionKind)
    _require("answers", answers, AnswerLength)
    shares = dict(negatives or {})
    for name, share in shares.items():
        _require("negatives", name, Negative)
        check_number(f"negatives[{name!r}]", share, 0, math.inf)
    check_types("only", tuple(only))
    check_whole("retries", retries, 0)
    if policy is not None and not isinstance(policy, Policy):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CiteguardError(f"policy: expected a Policy, got {described(policy)}")
    maker = _Maker(
        sections=[
            section
            for document in as_sources(source)
            for section in _typed(sections_of(document), section_types)
            if section.type in only
        ],
        calls=ModelCalls(guard(as_instructor(client)), "generate_questions", model),
        counter=UsageCounter(budget),
        policy=replace(Policy.fast() if policy is None else policy, invalid="fail"),
        kind=kind,
        length=answers,
        retries=retries,
    )
    pairs = await maker.made(shares)
    return QAReport(
        pairs=tuple(pairs),
        dropped=tuple(maker.dropped),
        failures=tuple(maker.failures),
        usage=maker.counter.usage,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Draft:
    """A pair on its way: the question about a section, and the answer that it has so far."""

    section: TopSection
    question: str
    text: str = ""
    quotes: Sequence[str] = ()
    answer: Answer | None = None
    negative: Negative | None = None
    own_answer: Answer | None = None

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
    dropped: list[DroppedPair] = field(default_factory=list[DroppedPair])
    failures: list[FailedCall] = field(default_factory=list[FailedCall])
    misconfigured: CiteguardError | None = None
    answered: bool = False

    async def made(self, shares: Mapping[Negative, float]) -> list[QAPair]:
        """Return all pairs that are kept: questions with answers, then negatives.

        Raises:
            CiteguardError: The client is misconfigured, and the model answered nothing.
        """
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
        kept = self._within_limits(self._distinct(filter(None, verified)))
        if self.length == "long":
            kept = [*filter(None, await together(map(self._long_answer, kept)))]
        without: list[_Draft] = []
        if share := shares.get("unanswerable"):
            without += await self._unanswerable(kept, share)
        if share := shares.get("wrong_context"):
            # Anywhere in the documents, but the same ones for the same pairs.
            shuffled = sorted(kept, key=lambda each: Random(each.question).random())
            for draft in shuffled[: round(len(kept) * share)]:
                without += filter(None, [await self._in_wrong_context(draft)])
        if self.misconfigured is not None and not self.answered:
            raise self.misconfigured
        return [self._pair(draft) for draft in [*kept, *without]]

    def _pair(self, draft: _Draft) -> QAPair:
        section = draft.section
        assert draft.answer is not None
        return QAPair(
            question=draft.question,
            answer=draft.answer,
            **section.named,
            section_type=section.type,
            kind=self.kind,
            answer_kind=self.length,
            start=section.start,
            end=section.end,
            negative=draft.negative,
            own_answer=draft.own_answer,
        )

    async def _questions(self, section: TopSection) -> list[_Draft]:
        """Have the model write questions about a section, with answers."""
        most = {"most": section.chunks} if self.kind == "dense" else {}
        data = {**section.data, "wanted": self.kind, **most}
        reply = await self._ask(section, "questions", QuestionsReply, data)
        return [
            _Draft(section=section, question=each.question, text=each.answer, quotes=each.quotes)
            for each in ([] if reply is None else reply.pairs)
        ]

    async def _long_answer(self, draft: _Draft) -> _Draft | None:
        section, sources = draft.section, draft.section.sources
        passage = {**section.data, "heading": " › ".join(section.data["headings"])}
        shown = {name: passage[name] for name in ("source_id", "heading", "text")}
        data = {"question": draft.question, "detail": True, "passages": [shown]}
        context = sources.as_context(self.policy, draft.question)
        model = Answer.over(sources)
        answer = await self._ask(section, "answer", model, data, draft, context=context)
        if answer is None:
            return None
        text = " ".join(each.text for each in answer.statements)
        whole = replace(draft, answer=answer, text=text)
        if answer.statements and answer.unanswerable is None:
            return whole
        self._drop(whole, "answer_empty", answer.unanswerable or "the answer is empty")
        return None

    async def _ask(
        self,
        section: TopSection,
        wanted: Literal["questions", "answer", "unanswerable"],
        reply: type[R],
        data: Any,
        draft: _Draft | None = None,
        **request: Any,
    ) -> R | None:
        """Return a reply of the model; `None` if there is none, which is noted."""
        prompt = read_prompt("questions", "citeguard.library.pairs")
        if wanted == "answer":
            prompt = read_prompt("answer", "citeguard.library")
        request["max_retries"] = self.retries
        try:
            answered = await self.calls.ask(reply, prompt, data, self.counter, **request)
        except (JudgeFailedError, BudgetSpentError, CiteguardError) as error:
            cause: BaseException | None = error  # why the last reply was invalid, if it was
            while cause is not None and not isinstance(cause, (ValidationError, UndecidedError)):
                cause = cause.__cause__
            if draft is not None and cause is not None:
                self.answered = True
                self._note(draft, failed(None, cause).problems)
                return None
            if isinstance(error, CiteguardError):
                self.misconfigured = error
            self.failures.append(
                FailedCall(
                    **section.named,
                    wanted=wanted,
                    reason=str(error),
                    question=None if draft is None else draft.question,
                )
            )
            return None
        self.answered = True
        return answered

    def _note(self, draft: _Draft, problems: tuple[SampleProblem, ...]) -> None:
        self.dropped.append(
            DroppedPair(
                question=draft.question,
                answer=draft.text,
                problems=problems,
                negative=draft.negative,
                **draft.section.named,
            )
        )

    def _drop(self, draft: _Draft, code: str, message: str) -> None:
        self._note(draft, (SampleProblem(code=code, message=message),))

    def _asks_something(self, draft: _Draft) -> bool:
        is_trivial = term_keys(draft.text) <= term_keys(draft.question)
        if is_trivial:
            self._drop(draft, "question_trivial", "The question gives its own answer.")
        return not is_trivial

    def _distinct(self, drafts: Iterable[_Draft], before: Sequence[_Draft] = ()) -> list[_Draft]:
        """Return drafts whose questions ask for something that none before them does."""
        distinct: list[_Draft] = []
        for draft in drafts:
            own, asked = (draft.question, draft.text), term_keys(draft.question)
            # Those with the most words in common.
            near = sorted(
                [*before, *distinct], key=lambda each: -len(asked & term_keys(each.question))
            )
            same = (each for each in near[:_NEAR] if same_question(own, (each.question, each.text)))
            if (other := next(same, None)) is None:
                distinct.append(draft)
            else:
                self._drop(draft, "question_repeated", f"It asks the same as: {other.question}")
        return distinct

    def _within_limits(self, drafts: list[_Draft]) -> list[_Draft]:
        within: list[_Draft] = []
        for draft in drafts:
            most = draft.section.chunks
            if self.kind == "sparse" or sum(e.section is draft.section for e in within) < most:
                within.append(draft)
            else:
                message = f"The section has {most} passages, and as many questions before it."
                self._drop(draft, "question_surplus", message)
        return within

    async def _answered(
        self, draft: _Draft, data: Any, sources: Sources, policy: Policy
    ) -> _Draft | None:
        """Return a draft with its verified answer; `None` if it fails, which is noted."""
        try:
            answer = await averify(
                Answer, data, sources=sources, policy=policy, question=draft.question
            )
        except (ValidationError, UndecidedError, UnicodeEncodeError) as error:
            # An answered negative must not be left open.
            codes = {"answer_misaligned": "negative_answered"} if draft.negative else {}
            problems = failed(None, error).problems
            self._note(draft, tuple(replace(e, code=codes.get(e.code, e.code)) for e in problems))
            return None
        if answer.usage is not None:
            self.counter.add(answer.usage)
        return replace(draft, answer=answer)

    async def _unanswerable(self, positives: Sequence[_Draft], share: float) -> list[_Draft]:
        """Have the model write questions that the documents do not answer."""

        async def written(section: TopSection, known: list[str], most: int) -> list[_Draft]:
            data = {**section.data, "wanted": "unanswerable", "questions": known, "most": most}
            reply = await self._ask(section, "unanswerable", QuestionsReply, data)
            return [
                _Draft(section=section, question=each.question, negative="unanswerable")
                for each in ([] if reply is None else reply.pairs[:most])
            ]

        calls: list[Coroutine[Any, Any, list[_Draft]]] = []
        total = 0  # of each section as many as make the sum the share of all
        for section in self.sections:
            known = [each.question for each in positives if each.section is section]
            before, total = round(total * share), total + len(known)
            if most := round(total * share) - before:
                calls.append(written(section, known, most))
        drafts = [each for drafted in await together(calls) for each in drafted]
        fresh = self._distinct(drafts, positives)
        whole = (self._left_open(each, Sources([each.section.source])) for each in fresh)
        return [*filter(None, await together(whole))]

    async def _in_wrong_context(self, draft: _Draft) -> _Draft | None:
        """Return a question beside a section that does not answer it; `None` without one."""
        own, answer = draft.section, draft.answer
        assert answer is not None
        others = [each for each in self.sections if each.named != own.named]
        others.sort(
            key=lambda each: (each.type != own.type, Random(draft.question + each.text).random())
        )
        asked = _Draft(section=own, question=draft.question, negative="wrong_context")
        for section in others[:_WRONG_CONTEXTS]:
            evidence = (Evidence(text=section.text, source_id=section.source.id),)
            said = [SupportQuestion(statement=e.text, evidence=evidence) for e in answer.statements]
            verdicts: Any = reader_judge().judge(said)
            if all(verdict.outcome == "supported" for verdict in verdicts):
                continue  # it says what the answer says
            negative = replace(asked, section=section, own_answer=answer)
            count = len(self.dropped)
            if (kept := await self._left_open(negative, section.sources)) is not None:
                return kept
            del self.dropped[count:]  # another section may do
        self._drop(asked, "negative_answered", "No section was found that does not answer it.")
        return None

    async def _left_open(self, draft: _Draft, sources: Sources) -> _Draft | None:
        """Return a negative that sources rightly leave open, as far as judges can tell."""
        data: dict[str, Any] = {"statements": [], "unanswerable": NOT_ANSWERED}
        found: _Draft | None = draft
        # A doubtful negative teaches a model to refuse: it is dropped.
        for judge in (RelevanceJudge(sources), *self.policy.aligners):
            rules = replace(self.policy, alignment=judge)
            found = found and await self._answered(draft, data, sources, rules)
        return found


def _require(argument: str, value: object, choices: Any) -> None:
    if value not in get_args(choices):
        listed = ", ".join(map(repr, get_args(choices)))
        raise CiteguardError(f"{argument} must be one of {listed}, not {value!r}")


def _typed(sections: Sequence[TopSection], given: SectionTypes) -> Iterator[TopSection]:
    """Yield sections with the types that the user gives them."""
    for section in sections:
        if callable(given):
            kind = given(section.headings)
        else:
            types = given or {}
            kind = next((types[each] for each in reversed(section.headings) if each in types), None)
        check_types("section_types", [] if kind is None else [kind])
        yield section if kind is None else replace(section, type=kind)
