"""A language model as a judge: `LLMJudge`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from citeguard.checks import replies
from citeguard.checks.cache import MemoryCache, VerdictCache
from citeguard.checks.clients import as_instructor, default_model, endpoint
from citeguard.checks.judge import JudgeFailedError, JudgeSettings
from citeguard.checks.loops import in_thread
from citeguard.checks.prompts import Prompt, read_prompt
from citeguard.checks.usage import report_tokens
from citeguard.errors import CiteguardError
from citeguard.verdicts import Alignment, AlignmentQuestion, SupportQuestion, Verdict

if TYPE_CHECKING:
    import instructor
    import openai

R = TypeVar("R", bound=BaseModel)

# Not among the failures that pass: with another key, address or model name they would be gone.
_SET_UP = {401: "the API key is not accepted", 403: "access is denied", 404: "nothing is there"}


class LLMJudge:
    """A language model that is asked whether evidence supports statements.

    Asks several statements in one call, and takes a verdict only if exactly one was given for the
    statement's id and the words that decide stand in the evidence; else it is `undecided`, as it is
    when the call fails. Long evidence is put part by part. Also judges answers as a whole
    (`Policy.alignment`), one call for each.

    Each call is made once: what the client itself retries, such as HTTP 429, it retries within
    `timeout`. An asynchronous client belongs to one event loop, as those of openai do, and a call
    that is cancelled is gone. A synchronous one can be used from anywhere; a call that takes too
    long is left to end in its thread.

    Args:
        client: One of instructor's, for any provider, or an `OpenAI` or `AsyncOpenAI`, for any
            compatible endpoint.
        model: The model's name; may be left out when the client was made with one.
        support: What the model is told when it is asked about statements.
        alignment: What it is told when it is asked about a whole answer.
        options: Further arguments for each call, such as `{"temperature": 0}`.
        batch_size: The most statements in one call.
        concurrency: The most calls under way at a time, in one event loop.
        timeout: Seconds that one call may take.
        evidence_limit: The most characters of evidence for one statement in one call.
        cache: Where verdicts are kept, under the endpoint, model, options, prompt, statement and
            evidence; by default in memory, as long as the judge lives.

    Raises:
        CiteguardError: a client of another kind, no model, or settings that make no sense; and when
            asked, if the endpoint answers that the key or the model does not exist.

    Examples:
        >>> import openai
        >>> client = openai.OpenAI(api_key="…", base_url="http://localhost:8000/v1")
        >>> LLMJudge(client, model="gpt-5-mini")
        LLMJudge('gpt-5-mini')
    """

    def __init__(
        self,
        client: instructor.Instructor | openai.OpenAI | openai.AsyncOpenAI,
        *,
        model: str | None = None,
        support: Prompt | None = None,
        alignment: Prompt | None = None,
        options: Mapping[str, Any] | None = None,
        batch_size: int = 5,
        concurrency: int = 16,
        timeout: float = 60.0,
        evidence_limit: int = 20_000,
        cache: VerdictCache | None = None,
    ) -> None:
        self._client = as_instructor(client)
        self._model = model or default_model(self._client)
        if self._model is None:
            raise CiteguardError("a judge needs a model: LLMJudge(client, model=...)")
        self._support = support or read_prompt("support")
        self._alignment = alignment or read_prompt("alignment")
        self._options = {"model": self._model, **(options or {})}
        self.settings = JudgeSettings(
            batch_size=batch_size,
            concurrency=concurrency,
            timeout=timeout,
            evidence_limit=evidence_limit,
            version=self._version(),
            cache=MemoryCache() if cache is None else cache,
        )
        if endpoint(self._client) is not None:
            self._options.setdefault("timeout", timeout)

    def __repr__(self) -> str:
        """Name the model."""
        return f"LLMJudge({self._model!r})"

    @property
    def name(self) -> str:
        """What it is called in verdicts: the model's name."""
        return str(self._model)

    async def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
        """Ask the model about statements, in one call."""
        data = replies.support_data(questions)
        reply = await self._ask(replies.SupportReply, self._support, data)
        return replies.support_verdicts(questions, reply, self.name)

    async def align(self, question: AlignmentQuestion) -> Alignment:
        """Ask the model about a whole answer, in one call."""
        data = replies.alignment_data(question)
        reply = await self._ask(replies.AlignmentReply, self._alignment, data)
        return replies.alignment_verdicts(question, reply, self.name)

    def _version(self) -> str:
        prompts = (self._support.identity, self._alignment.identity)
        said = (endpoint(self._client), self._client.mode.value, *prompts, self._options)
        return json.dumps(said, sort_keys=True, default=repr)

    async def _ask(self, model: type[R], prompt: Prompt, data: dict[str, Any]) -> R:
        from instructor import AsyncInstructor
        from instructor.core.exceptions import InstructorRetryException

        create: Any = self._client.create_with_completion
        request = {
            **self._options,
            "response_model": model,
            "messages": prompt.messages(data),
            "max_retries": 0,
        }

        def ask() -> Any:
            return create(**request)

        try:
            asynchronous = isinstance(self._client, AsyncInstructor)
            reply, completion = await (ask() if asynchronous else in_thread(ask))
        except InstructorRetryException as error:
            report_tokens(_tokens(error.total_usage))
            raise _explained(error.__cause__ or error) from error
        except Exception as error:
            raise _explained(error) from error
        report_tokens(_tokens(getattr(completion, "usage", None)))
        return reply


def _explained(error: BaseException) -> BaseException:
    """Return an exception that says what the trouble with an endpoint is, if one can tell."""
    import openai
    from instructor.core.exceptions import IncompleteOutputException

    status = getattr(error, "status_code", None)
    if status in _SET_UP:
        return CiteguardError(
            f"the judge cannot be asked: HTTP {status}, {_SET_UP[status]}: {error}"
        )
    if isinstance(status, int):
        return JudgeFailedError(f"its endpoint answered HTTP {status}")
    if isinstance(error, openai.APITimeoutError):
        return JudgeFailedError("timed out")
    if isinstance(error, openai.APIConnectionError):
        return JudgeFailedError("its endpoint cannot be reached")
    if isinstance(error, IncompleteOutputException):
        return JudgeFailedError("its reply was cut off")
    if isinstance(error, (ValidationError, json.JSONDecodeError)):
        return JudgeFailedError("its reply cannot be read")
    return error


def _tokens(usage: Any) -> int:
    """Return the tokens of a usage, as any provider reports it; 0 if it does not."""
    total = getattr(usage, "total_tokens", None)
    parts = [getattr(usage, name, None) for name in ("input_tokens", "output_tokens")]
    counted = [total] if isinstance(total, int) else parts
    return sum(count for count in counted if isinstance(count, int))
