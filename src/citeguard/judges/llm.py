"""A language model as a judge: `LLMJudge`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel

from citeguard.judges import replies
from citeguard.judges.cache import MemoryCache, VerdictCache
from citeguard.judges.calls import Caller
from citeguard.judges.clients import (
    arguments,
    as_instructor,
    endpoint,
    give_time,
    model_and_options,
)
from citeguard.judges.judge import JudgeSettings
from citeguard.judges.loops import aside
from citeguard.judges.parts import alignment_length, support_length
from citeguard.judges.prompts import Prompt, read_prompt
from citeguard.judges.verdicts import Alignment, AlignmentQuestion, SupportQuestion, Verdict

if TYPE_CHECKING:
    import instructor
    import openai

R = TypeVar("R", bound=BaseModel)

_LONG = 10_000  # characters of evidence from which to prepare and to check takes milliseconds


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
        timeout: Seconds that one call may take; `None` for ever.
        evidence_limit: The most characters of evidence in one call.
        cache: Where verdicts are kept, under the endpoint, model, options, prompt, statement and
            evidence; by default in memory, as long as the judge lives.
        price: What a million tokens cost, for `Usage.cost`.

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
        timeout: float | None = 60.0,
        evidence_limit: int = 20_000,
        cache: VerdictCache | None = None,
        price: float = 0.0,
    ) -> None:
        self._client = as_instructor(client)
        self._model, self._options = model_and_options(
            self._client, model, options, asker="a judge", example="LLMJudge"
        )
        self.support = support or read_prompt("support")
        self.alignment = alignment or read_prompt("alignment")
        self.settings = JudgeSettings(
            batch_size=batch_size,
            concurrency=concurrency,
            timeout=timeout,
            evidence_limit=evidence_limit,
            version=self._version(),
            cache=MemoryCache() if cache is None else cache,
            price=price,
        )
        self._caller = Caller(self._client, concurrency)
        give_time(self._options, self._client, timeout)

    def __repr__(self) -> str:
        """Name the model."""
        return f"LLMJudge({self._model!r})"

    @property
    def name(self) -> str:
        """What it is called in verdicts: the model's name."""
        return self._model

    async def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
        """Ask the model about statements, in one call."""
        long = sum(support_length(question) for question in questions) > _LONG
        data = await aside(long, replies.support_data, questions)
        reply = await self._ask(replies.SupportReply, self.support, data, long=long)
        return await aside(long, replies.support_verdicts, questions, reply, self.name)

    async def align(self, question: AlignmentQuestion) -> Alignment:
        """Ask the model about a whole answer, in one call."""
        long = alignment_length(question) > _LONG
        data = await aside(long, replies.alignment_data, question)
        reply = await self._ask(replies.AlignmentReply, self.alignment, data, long=long)
        return await aside(long, replies.alignment_verdicts, question, reply, self.name)

    async def _ask(self, reply: type[R], prompt: Prompt, data: Any, *, long: bool) -> R:
        messages = await aside(long, prompt.messages, data)
        return await self._caller.ask(reply, messages=messages, **self._options)

    def _version(self) -> str:
        prompts = (self.support.identity, self.alignment.identity)
        shapes = [
            reply.model_json_schema() for reply in (replies.SupportReply, replies.AlignmentReply)
        ]
        said = (endpoint(self._client), self._client.mode.value, arguments(self._client), shapes)
        # A digest, as the arguments may hold what should not be shown.
        digest = hashlib.sha256(repr((said, sorted(self._options.items()))).encode()).hexdigest()
        return " ".join((self.name, *prompts, digest))
