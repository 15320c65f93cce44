"""Calls of a language model for structured replies, counted against a budget; sizes of prompts."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from pydantic import BaseModel

from citeguard.errors import foreign_code, logger
from citeguard.judges.asking import slot
from citeguard.judges.clients import Caller
from citeguard.judges.prompts import Prompt
from citeguard.judges.usage import PAID, Usage, UsageCounter, counting, judge_usage
from citeguard.judges.verdicts import JudgeFailedError, JudgeSettings, explain

if TYPE_CHECKING:
    import instructor
    import openai

    Client = instructor.Instructor | openai.OpenAI | openai.AsyncOpenAI

R = TypeVar("R", bound=BaseModel)

_PIECES = re.compile(r"[A-Za-z]+|[0-9]|[^\sA-Za-z0-9]|\s+")

_log = logger("citeguard")


class ModelOptions(TypedDict, total=False):
    """How a language model is called.

    Attributes:
        model: The model's name; by default the one that the client was made with.
        options: Further arguments for each call, such as `{"temperature": 0}`.
        concurrency: The most calls at a time, in one event loop; by default 16.
        timeout: Seconds that one call may take, with its retries; `None` for no limit. By default
            120, and 60 to write queries.
        price: The price of a million tokens, for `Usage.cost`; by default 0.
    """

    model: str | None
    options: Mapping[str, Any] | None
    concurrency: int
    timeout: float | None
    price: float


class BudgetSpentError(Exception):
    """No further call may be made."""


class ModelCalls:
    """A language model that is called for structured replies; `owner` is named in errors."""

    def __init__(
        self, client: Client, owner: str, given: ModelOptions, *, timeout: float = 120.0
    ) -> None:
        concurrency, limit = given.get("concurrency", 16), given.get("timeout", timeout)
        price = given.get("price", 0.0)
        # Which checks the numbers.
        self._settings = JudgeSettings(concurrency=concurrency, timeout=limit, price=price)
        model, options = given.get("model"), given.get("options")
        self._caller = Caller(
            client, owner, model=model, options=options, concurrency=concurrency, timeout=limit
        )
        self.name = self._caller.name

    async def ask(
        self, reply: type[R], prompt: Prompt, data: Any, counter: UsageCounter, **request: Any
    ) -> R:
        """Call the model once, or again if `max_retries` is in the request and a reply is invalid.

        Raises a `BudgetSpentError` if the budget does not allow a call, and a `JudgeFailedError` if
        the model gave no usable reply, or none in time.
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
            # Only now: calls that waited with this one may have spent it.
            if spent := counter.spent(*PAID):
                raise BudgetSpentError(spent)
            # Before it is made, as a call that fails costs, too.
            add(Usage(calls=1))
            timer = asyncio.timeout(self._settings.timeout)
            messages = prompt.messages(data)
            with counting(add), foreign_code(failure):
                async with timer:
                    return await self._caller.ask(reply, messages=messages, **request)


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a text has for any model's tokenizer, rather too many.

    Letters of a Latin word count one token for every three begun, a digit one, white space one for
    every four characters beyond the first, any other character one for each of its bytes.
    Tokenizers by byte pairs take most English words whole, and never make two tokens of a byte.
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
