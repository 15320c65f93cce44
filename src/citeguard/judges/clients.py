"""Calls of language models through instructor's clients: `Caller`.

instructor keeps the function that it was given, and the model that it was given with it, in the
closure of the function that it makes; this is the one place that looks there.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import sys
import threading
from collections.abc import Mapping
from contextlib import contextmanager
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar, cast
from weakref import WeakKeyDictionary, ref

from pydantic import BaseModel, ValidationError

from citeguard.errors import CiteguardError, check_kind, check_text, check_whole, foreign_code
from citeguard.judges.loops import in_background_loop, in_thread
from citeguard.judges.replies import flaw_of
from citeguard.judges.usage import report_tokens
from citeguard.judges.verdicts import JudgeFailedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Generator

    import instructor
    from instructor.core.hooks import Hooks


_RESERVED = {"context", "hooks", "max_retries", "messages", "response_model", "stream"}
# Seconds that a client waits longer than its caller, so that the caller's timeout applies.
_GRACE = 1.0


_SILENT = logging.NullHandler()


def as_instructor(client: Any) -> instructor.Instructor:
    """Return one of instructor's clients: as given, around a client of openai, or by name.

    A name is a provider and a model, such as "openai/gpt-5-mini"; its key is in the environment.
    """
    import instructor
    import openai

    if isinstance(client, str):
        return named_client(client)
    # Its warnings of replies that are asked for again are for those who listen, not for a terminal.
    logging.getLogger("instructor").addHandler(_SILENT)
    if isinstance(client, (instructor.Instructor, instructor.AsyncInstructor)):
        return client
    if isinstance(client, (openai.OpenAI, openai.AsyncOpenAI)):
        return instructor.from_openai(client)
    raise CiteguardError(
        "expected a client of instructor, an OpenAI, an AsyncOpenAI, or a name such as "
        f"'openai/gpt-5-mini', got {type(client).__name__}"
    )


def named_client(name: str, *, base_url: str | None = None, streams: bool = False) -> Any:
    """Return instructor's client of a language model; its key is read from the environment.

    The `name` is as `instructor.from_provider` takes it. With `streams` the client is asynchronous.
    """
    import instructor

    # It logs what endpoints say, some of which repeat the key.
    logging.getLogger("instructor").setLevel(logging.CRITICAL + 1)
    address = {} if base_url is None else {"base_url": base_url}
    with foreign_code(lambda error: CiteguardError(f"{name}: {error}")):
        return cast("Any", instructor).from_provider(name, async_client=streams, **address)


def default_model(client: instructor.Instructor) -> str | None:
    """Return the model that a client was made with, if any."""
    closure = inspect.getclosurevars(client.create_fn).nonlocals
    return client.kwargs.get("model") or client.default_model or closure.get("default_model")


def copied(client: instructor.Instructor) -> instructor.Instructor | None:
    """Return an asynchronous client like this one, with connections of its own, if one can be made.

    It cannot if the client is not one of openai's, or has an HTTP client of the user's.
    """
    import instructor
    import openai

    wrapped = client.client
    transport = type(getattr(wrapped, "_client", None)).__name__
    # A copy would lack the proxy or the certificates of a transport of the user's.
    if not isinstance(wrapped, openai.AsyncOpenAI) or transport != "AsyncHttpxClientWrapper":
        return None
    fresh = wrapped.copy(http_client=openai.DefaultAsyncHttpxClient())
    send: Any = getattr(client.create_fn, "__wrapped__", None)  # it sends a request
    if isinstance(send, partial) and send.keywords.get("client") is wrapped:
        keywords: dict[str, Any] = {**send.keywords, "client": fresh}
        send = partial(cast("partial[Any]", send).func, **keywords)
    elif getattr(cast("Any", send), "__self__", None) is wrapped.chat.completions:
        send = fresh.chat.completions.create
    else:
        return None
    return instructor.AsyncInstructor(
        client=fresh,
        create=instructor.patch(create=send, mode=client.mode, provider=client.provider),
        mode=client.mode,
        provider=client.provider,
        hooks=client.hooks,
        **client.kwargs,
    )


R = TypeVar("R", bound=BaseModel)

# Misconfiguration, not a failure of the judge: another key, address or model name would help. What
# the endpoint says about it is not repeated: some repeat the key.
_MISCONFIGURED = {
    401: "the API key is not accepted",
    404: "there is no such model, or nothing at this address",
}
# asyncio's messages about a connection that was made in another event loop.
_OTHER_LOOP = ("Event loop is closed", "different event loop", "different loop")
# OpenAI, Gemini; OpenAI without a sum; OpenAI's responses and Anthropic.
_TOKEN_COUNTS = (
    ("total_tokens",),
    ("total_token_count",),
    ("prompt_tokens", "completion_tokens"),
    ("input_tokens", "output_tokens"),
)
_MOST_CONNECTIONS = 20  # that a client may keep from another loop, and drops one by one


# The event loop in which a client is used itself, and not as a copy.
_homes: WeakKeyDictionary[Any, ref[asyncio.AbstractEventLoop]] = WeakKeyDictionary()


class Caller:
    """Calls a language model for structured replies, from any thread and any event loop.

    An asynchronous OpenAI client is used in the first event loop of the user's that needs it; every
    other loop gets a copy, since connections belong to the loop that they were made in. If no copy
    can be made, connections of other loops are tried first, and dropped. A synchronous client makes
    at most `concurrency` calls at a time, abandoned ones included. `dress`, such as `guard`, is
    applied to the client and each copy. The `owner` is named in errors.

    `identity` is what replies depend on beside a request, as far as it is known; it may hold
    secrets.
    """

    def __init__(
        self,
        client: Any,
        owner: str,
        *,
        model: str | None,
        options: Mapping[str, Any] | None,
        concurrency: int,
        timeout: float | None,
        dress: Callable[[Any], Any] | None = None,
    ) -> None:
        import openai

        check_text(f"{owner}(model=...)", model)
        check_kind(f"{owner}(options=...)", options, Mapping)
        check_whole(f"{owner}(concurrency=...)", concurrency, 1)
        self._plain, self._dress = as_instructor(client), dress
        self._client = self._plain if dress is None else dress(self._plain)
        named = model or default_model(self._plain)
        if named is None:
            raise CiteguardError(f"name a model: {owner}(client, model=...)")
        self.name = named
        self.options = {"model": named, **(options or {})}
        if reserved := sorted(_RESERVED & {*self.options}):
            raise CiteguardError(
                f"{owner}(options=...) must not have {', '.join(reserved)}, which it sets itself"
            )
        wrapped: Any = self._plain.client
        address = str(getattr(wrapped, "base_url", None))
        query = dict(getattr(wrapped, "default_query", {}))
        self.identity = (
            [address, self._plain.mode.value, dict(self._plain.kwargs), query],
            sorted(self.options.items()),
        )
        if isinstance(wrapped, (openai.OpenAI, openai.AsyncOpenAI)) and timeout is not None:
            self.options.setdefault("timeout", timeout + _GRACE)
        self._places = threading.Semaphore(concurrency)
        self._copies: WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = WeakKeyDictionary()

    async def ask(self, reply: type[R], *, max_retries: int = 0, **request: Any) -> R:
        """Call the model, by default once, and report the tokens that it used.

        With `max_retries`, instructor asks again, at most so often, when a reply fails validation.
        Raises a `JudgeFailedError` if there is no usable reply, a `CiteguardError` if the client is
        misconfigured, and whatever else the client raises.
        """
        import instructor

        fixed = {"response_model": reply, "max_retries": max_retries}
        request = {**self.options, **request, **fixed}
        if not isinstance(self._client, instructor.AsyncInstructor):
            return await self._ask_in_thread(request)
        client: Any = self._client_here()
        for _ in range(_MOST_CONNECTIONS):
            try:
                with _reported() as hooks:
                    return await client.create(**request, hooks=hooks)
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
            copy = copied(self._plain)
            dressed = copy if copy is None or self._dress is None else self._dress(copy)
            self._copies[loop] = dressed or self._client
        return self._copies[loop]

    async def stream(self, reply: type[R], **request: Any) -> AsyncIterator[R]:
        """Call an asynchronous model once, and yield its reply as it grows; raises like `ask`.

        A reply that cannot be read ends it, like one that is cut off, before the whole is yielded.
        """
        if not self.streams:
            raise CiteguardError("only an asynchronous client streams")
        client: Any = self._client_here()
        try:
            fixed = {"response_model": _partial(reply), "max_retries": 0}
            request = {**self.options, **request, **fixed}
            parts = await client.create(**request, stream=True)
            try:
                async for part in parts:
                    yield part
            except ValueError as error:
                if isinstance(error, ValidationError):
                    raise
        except ValidationError:
            raise
        except Exception as error:  # of the client: explained as far as it is known
            explained = _explained(error, answered=False)
            raise explained from None if isinstance(explained, CiteguardError) else error

    @property
    def streams(self) -> bool:
        """Whether replies can be streamed: whether the client is asynchronous."""
        import instructor

        return isinstance(self._client, instructor.AsyncInstructor)

    async def _ask_in_thread(self, request: dict[str, Any]) -> Any:
        client: Any = self._client
        left = threading.Event()

        def create(hooks: Any) -> Any:
            with self._places:
                # Nobody waits any more: making the call would only cost.
                return None if left.is_set() else client.create(**request, hooks=hooks)

        with _reported() as hooks:
            try:
                return await in_thread(create, hooks)
            finally:
                left.set()


@cache
def _partial(reply: type[BaseModel]) -> Any:
    """Return a model of partial replies; `create_partial` would make and keep one for each call."""
    import instructor
    from instructor.processing.response import prepare_response_model

    return prepare_response_model(instructor.Partial[reply])


@contextmanager
def _reported() -> Generator[Hooks]:
    """Yield the hooks for one call; report its tokens, and explain its failure if it is known."""
    from instructor.core.hooks import Hooks

    # The first request is empty, in case that a call fails before there is one.
    hooks, requests, responses = Hooks(), [dict[str, Any]()], list[Any]()

    def keep(*_: Any, **sent: Any) -> None:
        requests.append(sent)

    hooks.on("completion:kwargs", keep)
    hooks.on("completion:response", responses.append)
    failure: Exception | None = None
    try:
        yield hooks
    except Exception as error:  # explained below
        failure = error
    finally:
        report_tokens(sum(map(_tokens, responses)))
    # instructor reads the first of several choices, and the last of several equal keys.
    if responses and (flaw := flaw_of(responses[-1], requests[-1], is_parsed=failure is None)):
        raise JudgeFailedError(flaw)
    if failure is not None:
        explained = _explained(failure, answered=bool(responses))
        # The user must correct the configuration, and needs no traceback through two libraries.
        raise explained from None if isinstance(explained, CiteguardError) else failure


class _StaleConnectionError(Exception):
    """A client tried a connection of another event loop, and dropped it."""


def _explained(error: Exception, *, answered: bool) -> BaseException:
    """Return an exception that explains the failure, if it is known; else the one given."""
    import openai
    from instructor.core.exceptions import IncompleteOutputException, InstructorRetryException

    wrapped = isinstance(error, InstructorRetryException)
    plain = (error.__cause__ or error) if wrapped else error
    if isinstance(plain, IncompleteOutputException):
        return JudgeFailedError("its reply was cut off")
    unreadable = json.JSONDecodeError, RecursionError, openai.APIResponseValidationError
    # It has answered, so neither the key nor the network is at fault.
    if answered or isinstance(plain, unreadable):
        return JudgeFailedError("its reply cannot be parsed")
    # Of the client's own method, whose arguments the user has set: `options`.
    if isinstance(plain, TypeError):
        return CiteguardError(f"the judge cannot be asked: {plain}")
    status = getattr(plain, "status_code", None) or getattr(plain, "code", None)  # Google's
    if status in _MISCONFIGURED:
        return CiteguardError(f"the judge cannot be asked: HTTP {status}, {_MISCONFIGURED[status]}")
    if isinstance(status, int):
        return JudgeFailedError(f"its endpoint answered HTTP {status}")
    if isinstance(plain, openai.APITimeoutError):
        return JudgeFailedError("timed out")
    if not isinstance(plain, openai.APIConnectionError):
        return plain
    cause = str(plain.__cause__)
    if isinstance(plain.__cause__, RuntimeError) and any(each in cause for each in _OTHER_LOOP):
        return _StaleConnectionError()
    if "has been closed" in cause:
        return CiteguardError("the judge cannot be asked: its client has been closed")
    return JudgeFailedError("its endpoint cannot be reached")


def _tokens(response: Any) -> int:
    """Return the tokens of a response, as its provider counts them; 0 if it counts none."""
    usage = getattr(response, "usage", None) or getattr(response, "usage_metadata", None)
    for names in _TOKEN_COUNTS:
        counts = [getattr(usage, name, None) for name in names]
        if any(isinstance(count, int) for count in counts):
            total = sum(count for count in counts if isinstance(count, int))
            return total if 0 < total <= sys.maxsize else 0  # no model has read so much
    return 0
