"""A language model as a judge: `LLMJudge`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel

from citeguard.checks import replies
from citeguard.checks.cache import MemoryCache, VerdictCache
from citeguard.checks.calls import ask
from citeguard.checks.clients import as_instructor, default_model, endpoint, is_openai
from citeguard.checks.judge import JudgeSettings
from citeguard.checks.prompts import Prompt, read_prompt
from citeguard.errors import CiteguardError
from citeguard.verdicts import Alignment, AlignmentQuestion, SupportQuestion, Verdict

if TYPE_CHECKING:
    import instructor
    import openai

R = TypeVar("R", bound=BaseModel)

# Seconds that a client has longer than its judge, so that it is the judge's time that is up.
_GRACE = 1.0


class LLMJudge:
    """A language model that is asked whether evidence supports statements.

    Asks several statements in one call, and takes a verdict only if exactly one was given for the
    statement's id and the words that decide stand in the evidence; else it is `undecided`, as it is
    when the call fails. Long evidence is put part by part. Also judges answers as a whole
    (`Policy.alignment`), one call for each.

    Each call is made once: what the client itself retries, such as HTTP 429, it retries within
    `timeout`. With an asynchronous client a call that is cancelled, or takes too long, is gone;
    with a synchronous one it is left to end in its thread. Either can be used from synchronous and
    from asynchronous code, but each is at its best in its own.

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
        evidence_limit: The most characters of evidence in one call.
        cache: Where verdicts are kept, under the endpoint, model, options, prompt, statement and
            evidence; by default in memory, as long as the judge lives.

    Attributes:
        support: What the model is told when it is asked about statements.
        alignment: What it is told when it is asked about a whole answer.
        settings: How it is asked.

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
        self.support = support or read_prompt("support")
        self.alignment = alignment or read_prompt("alignment")
        self._options = {"model": self._model, **(options or {})}
        self.settings = JudgeSettings(
            batch_size=batch_size,
            concurrency=concurrency,
            timeout=timeout,
            evidence_limit=evidence_limit,
            version=self._version(),
            cache=MemoryCache() if cache is None else cache,
        )
        if is_openai(self._client):
            self._options.setdefault("timeout", timeout + _GRACE)

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
        reply = await self._ask(replies.SupportReply, self.support, data)
        return replies.support_verdicts(questions, reply, self.name)

    async def align(self, question: AlignmentQuestion) -> Alignment:
        """Ask the model about a whole answer, in one call."""
        data = replies.alignment_data(question)
        reply = await self._ask(replies.AlignmentReply, self.alignment, data)
        return replies.alignment_verdicts(question, reply, self.name)

    def _version(self) -> str:
        prompts = (self.support.identity, self.alignment.identity)
        said = (endpoint(self._client), self._client.mode.value, *prompts, self._options)
        return json.dumps(said, sort_keys=True, default=repr)

    async def _ask(self, model: type[R], prompt: Prompt, data: dict[str, Any]) -> R:
        messages = prompt.messages(data)
        return await ask(self._client, model, messages=messages, **self._options)
