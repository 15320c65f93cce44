"""Calls of a language model for structured replies, counted against a budget; sizes of prompts."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel

from citeguard.errors import foreign_code
from citeguard.judges.asking import slot
from citeguard.judges.clients import Caller, as_instructor, give_time, model_and_options
from citeguard.judges.prompts import Prompt
from citeguard.judges.usage import PAID, Usage, UsageCounter, counting, judge_usage
from citeguard.judges.verdicts import JudgeFailedError, JudgeSettings, explain

if TYPE_CHECKING:
    import instructor
    import openai

R = TypeVar("R", bound=BaseModel)

_PIECES = re.compile(r"[A-Za-z]+|[0-9]|[^\sA-Za-z0-9]|\s+")

_log = logging.getLogger("citeguard")


class BudgetSpentError(Exception):
    """No further call may be made."""


class ModelCalls:
    """A language model that is called for structured replies.

    Args:
        client: One of instructor's, for any provider, or an `OpenAI` or `AsyncOpenAI`.
        model: The model's name; `None` for that of the client.
        options: Further arguments for each call.
        concurrency: The most calls at a time, in one event loop.
        timeout: Seconds that one call may take; `None` for no limit.
        price: The price of a million tokens.
        owner: The name of the class that uses it, for errors.

    Attributes:
        name: The model's name.

    Raises:
        CiteguardError: A client of another kind, no model, or invalid settings.
    """

    def __init__(
        self,
        client: instructor.Instructor | openai.OpenAI | openai.AsyncOpenAI,
        *,
        model: str | None,
        options: Mapping[str, Any] | None,
        concurrency: int,
        timeout: float | None,
        price: float,
        owner: str,
    ) -> None:
        client = as_instructor(client)
        self.name, self._options = model_and_options(client, model, options, example=owner)
        # These are checked as a judge's are.
        self._settings = JudgeSettings(concurrency=concurrency, timeout=timeout, price=price)
        self._caller = Caller(client, concurrency)
        give_time(self._options, client, timeout)

    async def ask(
        self, reply: type[R], prompt: Prompt, data: Any, counter: UsageCounter, **request: Any
    ) -> R:
        """Call the model once, or again if `max_retries` is in the request and a reply is invalid.

        Args:
            reply: What it replies.
            prompt: The instructions.
            data: What they are about, JSON-like.
            counter: What the call counts against.
            request: Further arguments of this call, such as `max_retries` and `context`.

        Raises:
            BudgetSpentError: The budget does not allow a call.
            JudgeFailedError: The model gave no usable reply, or none in time.
            CiteguardError: The client is misconfigured.
        """

        def add(usage: Usage) -> None:
            counter.add(judge_usage(usage, price=self._settings.price))

        def failure(error: Exception) -> Exception:
            late = f"took longer than {self._settings.timeout} s"
            reason = f"{self.name}: {late if timer.expired() else explain(error)}"
            expected = timer.expired() or isinstance(error, JudgeFailedError)
            _log.warning("%s", reason, exc_info=None if expected else error)
            return JudgeFailedError(reason)

        async with slot(self, self._settings.concurrency):
            if spent := counter.spent(*PAID):
                raise BudgetSpentError(spent)
            add(Usage(calls=1))
            timer = asyncio.timeout(self._settings.timeout)
            messages = prompt.messages(data)
            with counting(add), foreign_code(failure):
                async with timer:
                    return await self._caller.ask(
                        reply, messages=messages, **self._options, **request
                    )


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a text has for any model's tokenizer, rather too many.

    Letters of a Latin word count one token for every three begun, a digit one, white space one for
    every four characters beyond the first, and any other character one for each of its bytes.
    Tokenizers by byte pairs take most words of English whole, the others in pieces of about four
    letters, and never make more than one token of a byte, so that a few sentences of English have
    fewer tokens than this. (A single rare word can have more.)

    Examples:
        >>> estimated_tokens("The notice period is one month.")
        10
    """
    count = 0
    for piece in _PIECES.findall(text):
        if piece[0].isascii() and piece[0].isalpha():
            count += -(-len(piece) // 3)
        elif piece[0].isspace():
            count += (len(piece) - 1 + 3) // 4 if len(piece) > 1 else 0
        else:
            count += len(piece.encode("utf-8", "surrogatepass"))
    return count
