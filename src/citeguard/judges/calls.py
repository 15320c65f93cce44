"""One call of a language model for a structured reply, and what can go wrong with it."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import TYPE_CHECKING, Any, Self, TypeVar
from weakref import WeakKeyDictionary, ref

from pydantic import BaseModel

from citeguard.errors import CiteguardError
from citeguard.judges.clients import copied
from citeguard.judges.judge import JudgeFailedError
from citeguard.judges.loops import in_background_loop, in_thread
from citeguard.judges.usage import report_tokens

if TYPE_CHECKING:
    import instructor

R = TypeVar("R", bound=BaseModel)

# Not among the failures that pass: with another key, address or model name they would be gone.
_SET_UP = {401: "the API key is not accepted", 404: "nothing is there"}
# What asyncio says of a connection that was made in another event loop.
_OF_ANOTHER_LOOP = ("Event loop is closed", "different event loop", "different loop")
# OpenAI, Gemini; OpenAI without a sum; OpenAI's responses and Anthropic.
_TOKEN_COUNTS = (
    ("total_tokens",),
    ("total_token_count",),
    ("prompt_tokens", "completion_tokens"),
    ("input_tokens", "output_tokens"),
)
_MOST_CONNECTIONS = 20  # that a client may have kept for another loop, and loses one by one


# The event loop that a client is used in itself, and not as a copy.
_homes: WeakKeyDictionary[Any, ref[asyncio.AbstractEventLoop]] = WeakKeyDictionary()


class Caller:
    """Calls a language model for structured replies, from any thread and any event loop.

    An asynchronous client of openai's is used in the first event loop of the user's that it is
    needed in; for every other loop there is a copy, since connections belong to the loop that they
    were made in. Where none can be made, connections of other loops are tried, and lost, first.

    Args:
        client: One of instructor's.
        concurrency: The most calls that a synchronous client may have under way, in all threads,
            those included that nobody waits for any more.
    """

    def __init__(self, client: instructor.Instructor, concurrency: int) -> None:
        self._client = client
        self._places = threading.Semaphore(concurrency)
        self._copies: WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = WeakKeyDictionary()

    async def ask(self, reply: type[R], *, max_retries: int = 0, **request: Any) -> R:
        """Call the model, by default once, and report the tokens that it used.

        With `max_retries`, instructor asks it again, at most so often, when a reply is refused.

        Raises:
            JudgeFailedError: the endpoint did not answer, or not so that the reply can be read.
            CiteguardError: the client does not take these arguments, or the endpoint says that the
                key or the model does not exist.
            Exception: what else the client raises.
        """
        import instructor

        request = {**request, "response_model": reply, "max_retries": max_retries}
        if not isinstance(self._client, instructor.AsyncInstructor):
            return await self._ask_in_thread(request)
        client: Any = self._client_here()
        for _ in range(_MOST_CONNECTIONS):
            try:
                async with _Call() as call:
                    return await client.create(**request, hooks=call.hooks)
            except _StaleConnectionError:
                continue
        raise JudgeFailedError("its client belongs to another event loop")

    def _client_here(self) -> Any:
        loop = asyncio.get_running_loop()
        # The wrapped client's, if it has one: several judges may share it, and its connections.
        owner = self._client if self._client.client is None else self._client.client
        home = _homes.get(owner)
        if home is None and not in_background_loop():
            home = _homes[owner] = ref(loop)
        if home is not None and home() is loop:
            return self._client
        if loop not in self._copies:
            self._copies[loop] = copied(self._client) or self._client
        return self._copies[loop]

    async def _ask_in_thread(self, request: dict[str, Any]) -> Any:
        client: Any = self._client
        left = threading.Event()

        def create(hooks: Any) -> Any:
            with self._places:
                # Nobody waits any more: to make the call would only cost.
                return None if left.is_set() else client.create(**request, hooks=hooks)

        async with _Call() as call:
            try:
                return await in_thread(create, call.hooks)
            finally:
                left.set()


class _Call:
    """One call: counts its tokens, and says what went wrong with it, as far as one can tell."""

    def __init__(self) -> None:
        from instructor.core.hooks import Hooks

        self.hooks = Hooks()
        self._responses: list[Any] = []
        self.hooks.on("completion:response", self._responses.append)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        report_tokens(sum(_tokens(response) for response in self._responses))
        if isinstance(error, Exception):
            explained = _explained(error, answered=bool(self._responses))
            # The set-up is for a person to mend, who needs no trace through two libraries.
            raise explained from None if isinstance(explained, CiteguardError) else error


class _StaleConnectionError(Exception):
    """A client tried a connection that was made in another event loop, and dropped it then."""


def _explained(error: Exception, *, answered: bool) -> BaseException:
    """Return an exception that says what the trouble is, if one can tell; else this one."""
    from instructor.core.exceptions import IncompleteOutputException, InstructorRetryException

    wrapped = isinstance(error, InstructorRetryException)
    plain = error.__cause__ or error if wrapped else error
    if isinstance(plain, IncompleteOutputException):
        return JudgeFailedError("its reply was cut off")
    if answered:
        return JudgeFailedError("its reply cannot be read")
    if isinstance(plain, TypeError):
        return CiteguardError(f"the judge cannot be asked: {plain}")
    return _unanswered(plain)


def _unanswered(error: BaseException) -> BaseException:
    import openai

    status = getattr(error, "status_code", None)
    if status in _SET_UP:
        return CiteguardError(
            f"the judge cannot be asked: HTTP {status}, {_SET_UP[status]}: {error}"
        )
    if isinstance(status, int):
        return JudgeFailedError(f"its endpoint answered HTTP {status}")
    if isinstance(error, openai.APITimeoutError):
        return JudgeFailedError("timed out")
    if isinstance(error, openai.APIConnectionError) and _is_stale(error):
        return _StaleConnectionError()
    if isinstance(error, openai.APIConnectionError) and "has been closed" in str(error.__cause__):
        return CiteguardError("the judge cannot be asked: its client has been closed")
    if isinstance(error, openai.APIConnectionError):
        return JudgeFailedError("its endpoint cannot be reached")
    if isinstance(error, (json.JSONDecodeError, openai.APIResponseValidationError)):
        return JudgeFailedError("its reply cannot be read")
    return error


def _is_stale(error: BaseException) -> bool:
    cause = error.__cause__
    return isinstance(cause, RuntimeError) and any(text in str(cause) for text in _OF_ANOTHER_LOOP)


def _tokens(response: Any) -> int:
    """Return the tokens of a response, as its provider counts them; 0 if it does not."""
    usage = getattr(response, "usage", None) or getattr(response, "usage_metadata", None)
    for names in _TOKEN_COUNTS:
        counts = [getattr(usage, name, None) for name in names]
        if any(isinstance(count, int) for count in counts):
            return max(0, sum(count for count in counts if isinstance(count, int)))
    return 0
