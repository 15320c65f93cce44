"""Who writes an answer out of passages: `Answerer`, and the one that calls a language model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from copy import copy
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, Self, cast, runtime_checkable

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from citeguard.errors import check_number, check_text, check_whole
from citeguard.judges.cascade import slot
from citeguard.judges.loops import in_thread
from citeguard.judges.model_calls import Caller
from citeguard.judges.prompts import read_prompt
from citeguard.judges.reader import INSTALL
from citeguard.judges.verdicts import JudgeFailedError
from citeguard.library.extraction import best_answer
from citeguard.library.relevance import LEAST, RelevanceJudge
from citeguard.library.reply import UNVERIFIED, Asked, Message, model_words, without_marks
from citeguard.reader.model import is_installed
from citeguard.sources.collection import Passage, Sources
from citeguard.validation.client import guard
from citeguard.validation.context import resolve
from citeguard.validation.models import Answer, Citation, Statement
from citeguard.validation.policy import Policy, reader_judge

if TYPE_CHECKING:
    import instructor
    import openai

Tell = Callable[[str], object]
"""Called with the text of an answer as far as it is written: provisional, and without marks."""

_CONCURRENCY = 64  # calls of one answerer, in one event loop
_MOST_TURNS = 6  # of the history that a model is shown
_LONGEST_QUESTION = 1_000  # characters of one that a model writes
_LONG, _GROWN = 4_000, 1.02  # characters of a reply, and the growth after which it is told anew
_LONGEST_REPLY = 100_000  # characters: one of 10 MB kept the event loop busy for 20 seconds


class NoAnswerError(Exception):
    """What was written does not stand: nothing of it could be verified, or nothing answers."""


class NotSureError(NoAnswerError):
    """Nothing answers clearly enough, so that the closest passages are all that there is."""


@runtime_checkable
class Answerer(Protocol):
    """Writes an answer out of passages."""

    async def answer(self, asked: Asked, tell: Tell | None = None, /) -> Answer:
        """Return an answer that was validated with `asked.sources`.

        Args:
            asked: The question, and the passages.
            tell: Called with the text as it grows, if it can be streamed.

        Raises:
            NoAnswerError: Nothing that was written stands.
            JudgeFailedError: It failed: no answer in time, no usable reply.
            CiteguardError: It is misconfigured.
        """
        ...


@runtime_checkable
class Rewriter(Protocol):
    """An answerer that also writes a question so that it needs nothing of what was said before."""

    async def understood(self, question: str, history: Sequence[Message], /) -> str:
        """Return the question in full.

        Raises:
            JudgeFailedError: It failed: no reply in time, or no usable one.
        """
        ...


class ExtractiveAnswerer:
    """Answers with a sentence of the documents, word for word; no language model is called.

    The reader decides whether a sentence answers (extra `reader`). If none does, or without the
    extra, the reply has the closest passages, and no answer.
    """

    def __repr__(self) -> str:
        """Return the call that creates it."""
        return "ExtractiveAnswerer()"

    async def answer(self, asked: Asked, tell: Tell | None = None, /) -> Answer:
        """Return the sentence as an answer; see `Answerer`.

        Raises:
            NotSureError: No sentence answers surely enough.
        """
        if not is_installed():
            raise NotSureError(f"Nothing reads whether they answer: {INSTALL}.")
        best = await in_thread(
            best_answer, asked.question, asked.passages, asked.sources, asked.threshold
        )
        if best is None:
            raise NotSureError("No sentence that was found clearly answers it.")
        # A sentence of a document, at its place: there is nothing left to verify.
        citation = Citation.model_construct(
            quote=asked.sources.slice(best.span),
            source_id=best.span.source_id,
            spans=(best.span,),
            grade="exact",
        )
        text = " ".join(best.text.split())
        statement = Statement.model_construct(text=text, citations=[citation])
        return Answer.model_construct(statements=[statement], question=asked.question)


class LLMAnswerer:
    """A language model that answers with quotes, which are verified before anyone sees them.

    The client is guarded: a reply that fails is returned to the model with its errors, and of the
    last one only what holds is kept. By default, an answer must quote its documents verbatim, must
    not be unsupported or contradicted by its quotes (`ReaderJudge`), and must answer the
    question (`RelevanceJudge`).

    A reply of more than 100,000 characters is read no more than one that is no JSON.

    Args:
        client: One of instructor's, for any provider, or an `OpenAI` or `AsyncOpenAI`, for any
            compatible endpoint. Only asynchronous ones stream.
        model: The model's name; by default the one that the client was made with.
        policy: The rules for its answers; by default as above.
        options: Further arguments for each call, such as `{"temperature": 0}`.
        retries: How often a reply that fails is returned to the model.
        timeout: Seconds that one answer may take, retries included; `None` for no limit.

    Raises:
        CiteguardError: A client of another kind, no model, or invalid settings.

    Examples:
        >>> import openai
        >>> client = openai.AsyncOpenAI(api_key="…", base_url="http://localhost:8000/v1")
        >>> LLMAnswerer(client, model="gpt-5-mini")
        LLMAnswerer('gpt-5-mini')
    """

    def __init__(
        self,
        client: instructor.Instructor | openai.OpenAI | openai.AsyncOpenAI,
        *,
        model: str | None = None,
        policy: Policy | None = None,
        options: Mapping[str, Any] | None = None,
        retries: int = 1,
        timeout: float | None = 120.0,
    ) -> None:
        check_whole("LLMAnswerer(retries=...)", retries, 0)
        if timeout is not None:
            check_number("LLMAnswerer(timeout=...)", timeout, 0, float("inf"), above=True)
        self._caller = Caller(
            client,
            "LLMAnswerer",
            model=model,
            options=options,
            concurrency=_CONCURRENCY,
            timeout=timeout,
            dress=guard,
        )
        self.name, self._options = self._caller.name, self._caller.options
        self._policy = policy
        self._prompt = read_prompt("answer", "citeguard.library")
        self._retries, self._timeout = retries, timeout

    def __repr__(self) -> str:
        """Name the model."""
        return f"LLMAnswerer({self.name!r})"

    def with_options(self, *, model: str | None = None, temperature: float | None = None) -> Self:
        """Return an answerer like this one, which shares its connections.

        Args:
            model: Another model; `None` for the same.
            temperature: From 0 to 2; `None` for the same.

        Raises:
            CiteguardError: A blank name, or a temperature out of range.
        """
        check_text("with_options(model=...)", model)
        if temperature is not None:
            check_number("with_options(temperature=...)", temperature, 0, 2)
        given = {"model": model, "temperature": temperature}
        other = copy(self)
        other._options = self._options | {k: v for k, v in given.items() if v is not None}
        other.name = other._options["model"]
        return other

    async def answer(self, asked: Asked, tell: Tell | None = None, /) -> Answer:
        """Return the model's answer, validated; see `Answerer`.

        Raises:
            NotSureError: Nothing that it said could be verified.
        """
        policy = self._policy or default_policy(asked)
        data = {
            "question": asked.question,
            **({"history": _said(asked.history)} if asked.history else {}),
            "passages": [_shown(passage, asked.sources) for passage in asked.passages],
        }
        request: dict[str, Any] = {
            **self._options,
            "messages": self._prompt.messages(data),
            "context": asked.sources.as_context(policy, asked.question),
        }
        try:
            async with self._in_time():
                if tell is not None and self._caller.streams:
                    answer = await self._streamed(request, asked.sources.ids, tell)
                    if answer is not None:
                        return answer
                return await self._caller.ask(_model(), max_retries=self._retries, **request)
        except JudgeFailedError as error:
            if (reason := _refusal(error)) is None:
                raise JudgeFailedError(f"{self.name}: {error}") from error
            kind = NotSureError if reason == UNVERIFIED else NoAnswerError
            raise kind(reason) from error

    async def understood(self, question: str, history: Sequence[Message], /) -> str:
        """Return a question as it is in full, by one call of the model; see `Rewriter`."""
        data = {"question": question, "history": _said(history)}
        messages = read_prompt("follow_up", "citeguard.library").messages(data)
        async with self._in_time():
            reply = await self._caller.ask(
                FollowUp, max_retries=self._retries, **{**self._options, "messages": messages}
            )
        return model_words(reply.question, most=_LONGEST_QUESTION) or question

    @asynccontextmanager
    async def _in_time(self) -> AsyncGenerator[None]:
        """Wait for a turn, and turn what takes too long into a `JudgeFailedError`."""
        timer = asyncio.timeout(self._timeout)
        try:
            async with slot(self, _CONCURRENCY), timer:
                yield
        except TimeoutError:
            # A timeout of the client's own says nothing of ours.
            if not timer.expired():
                raise
            raise JudgeFailedError(f"{self.name} took longer than {self._timeout} s") from None

    async def _streamed(
        self, request: dict[str, Any], source_ids: Sequence[str], tell: Tell
    ) -> Answer | None:
        """Return the answer once it is complete and validated; `None` if it was wrong."""
        told, size = "", 0
        last: Any = None
        try:
            async for part in self._caller.stream(_model(), **request):
                if _is_too_long(part):
                    return None
                last = part
                # A long text is not read anew for each word, in a time that grows with the square.
                if _LONG < (longer := len(str(part))) < _GROWN * size:
                    continue
                size = longer
                if (text := written_so_far(part, source_ids)) != told:
                    told = text
                    tell(text)
        # Asked anew without a stream, where instructor returns the errors to the model.
        except ValidationError:
            return None
        return last if isinstance(last, _WrittenAnswer) and last.is_validated else None


class FollowUp(BaseModel):
    """The last question of a conversation."""

    question: str = Field(description="The question in full.")


class _WrittenAnswer(Answer):
    """An answer as a language model writes it: its marks are left out before anything is judged."""

    model_config = ConfigDict(title="Answer")
    _is_validated: bool = PrivateAttr(default=False)

    @property
    def is_validated(self) -> bool:
        """Whether it was validated: what a stream that broke off leaves behind was not."""
        return self._is_validated

    @model_validator(mode="before")
    @classmethod
    def _check_its_length(cls, given: Any) -> Any:
        if _is_too_long(given):
            raise ValueError(f"the reply is longer than {_LONGEST_REPLY:,} characters")
        return given

    @model_validator(mode="after")
    def _note_that_it_is_validated(self) -> Self:
        self._is_validated = True
        return self

    @field_validator("statements", mode="before")
    @classmethod
    def _leave_out_marks(cls, given: Any, info: ValidationInfo[Any]) -> Any:
        if not isinstance(given, list):
            return given
        ids = resolve(info.context).sources.ids
        written: list[Any] = []
        for each in cast("list[Any]", given):
            match each:
                case {"text": str(text)}:
                    written.append({**each, "text": without_marks(text, source_ids=ids)})
                case _:
                    written.append(each)
        return written


def _is_too_long(written: Any) -> bool:
    return len(str(written)) > _LONGEST_REPLY


@cache
def _model() -> type[Answer]:
    """Return the model as instructor sends it, which it would make anew for each call, in 10 ms."""
    from instructor.processing.response import prepare_response_model

    return cast("type[Answer]", prepare_response_model(_WrittenAnswer))


def default_policy(asked: Asked) -> Policy:
    """Return the rules that answers of language models are held to by default."""
    least = LEAST if asked.threshold is None else asked.threshold
    relevance = RelevanceJudge(asked.sources, passages=asked.passages, supported_from=least)
    judges = [reader_judge()]
    return Policy(support=judges, alignment=relevance, invalid="salvage", undecided="pass")


def written_so_far(part: Any, source_ids: Sequence[str] = ()) -> str:
    """Return the text of an answer that is still being written, without any marks."""
    statements: Any = getattr(part, "statements", None)  # anything, until the whole is validated
    if not isinstance(statements, list):
        return ""
    texts = [getattr(each, "text", None) for each in cast("list[Any]", statements)]
    plain = (
        without_marks(text, source_ids=source_ids, unfinished=text is texts[-1])
        for text in texts
        if isinstance(text, str)
    )
    return " ".join(filter(None, plain))


def _refusal(error: JudgeFailedError) -> str | None:
    """Return what was wrong with the model's last reply, if it was of the right form."""
    # instructor wraps the errors of the last attempt in an exception of its own.
    wrapped = error.__cause__
    cause = None if wrapped is None else wrapped.__cause__
    if not isinstance(cause, ValidationError):
        return None
    own = [each for each in cause.errors() if each["type"].startswith(_OF_SUBSTANCE)]
    for each in own:
        if each["type"] == "answer_misaligned":
            reason = model_words(str(each.get("ctx", {}).get("reason") or "")).rstrip(".")
            return ": ".join(filter(None, [_IRRELEVANT, reason[:1].lower() + reason[1:]])) + "."
    return UNVERIFIED if own else None


_OF_SUBSTANCE = ("quote_", "source_", "statement_", "answer_")  # citeguard's own error codes
_IRRELEVANT = "What was quoted does not answer the question"


def _said(history: Sequence[Message]) -> list[dict[str, str]]:
    return [{"role": each.role, "text": each.text} for each in history[-_MOST_TURNS:]]


def _shown(passage: Passage, sources: Sources) -> dict[str, Any]:
    place, source = sources.location_of(passage.span), sources[passage.span.source_id]
    heading = " › ".join(place.headings)
    about = {"source_id": source.id, "title": source.title, "page": place.page, "heading": heading}
    return {**{name: value for name, value in about.items() if value}, "text": passage.text}
