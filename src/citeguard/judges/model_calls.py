"""Calls of language models through instructor's clients, and what is accepted of their replies.

A `Caller` makes one call; `ModelCalls` counts calls against a budget. instructor keeps the function
that it was given, and the model that it was given with it, in the closure of the function that it
makes; only `default_model` and `copied` look there.

A reply may have several choices, tool calls or objects, and an object may repeat a key. Clients
take one of them, and not always the same one, so `flaw_of` rejects such a reply.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import re
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, cast
from weakref import WeakKeyDictionary, ref

from pydantic import BaseModel, ValidationError

from citeguard.errors import (
    CiteguardError,
    check_kind,
    check_text,
    check_whole,
    foreign_code,
    logger,
)
from citeguard.judges.cascade import slot
from citeguard.judges.loops import in_background_loop, in_thread
from citeguard.judges.prompts import Prompt
from citeguard.judges.usage import PAID, Usage, UsageCounter, counting, judge_usage, report_tokens
from citeguard.judges.verdicts import JudgeFailedError, JudgeSettings, explain
from citeguard.language.excerpts import counted_as, shown

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Generator

    import instructor
    import openai
    from instructor.core.hooks import Hooks

    Client = instructor.Instructor | openai.OpenAI | openai.AsyncOpenAI


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


# In the words of OpenAI, Anthropic and Gemini.
_FILTERED = frozenset({"content_filter", "refusal", "safety", "prohibited_content", "blocklist"})
_ENDS = ("finish_reason", "stop_reason", "reason")  # the last in `incomplete_details`
_CALLS = ("tool_use", "function_call")  # of Anthropic's messages, of OpenAI's responses
_ARGUMENTS = ("arguments", "input", "args")
_TEXTS = ("content", "text")
# What a model has written freely, and what is not part of its reply.
_OPAQUE = frozenset({"args", "input", "summary", "tools"})
_MOST_OF_A_KEY = 40  # characters in a reason: the model may have made it of any length


def flaw_of(response: Any, request: Mapping[str, Any], *, is_parsed: bool) -> str | None:
    """Return why a response says nothing that could be trusted, for a reason; `None` if it may.

    The response is as the client of its provider parsed it: of chat completions, responses,
    Anthropic's messages or Gemini's content; others have no flaw. The request has the tools that it
    offered.
    """
    objects = [*_objects(response)]
    for name in ("choices", "candidates"):
        if objects and len(objects[0].get(name) or ()) > 1:
            return f"its reply has {len(objects[0][name])} choices"
    ends = [each[name] for each in objects for name in _ENDS if each.get(name)]
    is_filtered = _FILTERED & {str(getattr(end, "value", end)).lower() for end in ends}
    if is_filtered or any(each.get("refusal") for each in objects):
        return "its reply was stopped by a content filter"
    calls = _calls_in(objects)
    if len(calls) > 1:
        return f"its reply has {len(calls)} tool calls"
    offered = [each.get("name") for each in _objects(request.get("tools"))]
    # A request to Gemini has its tools in `config`.
    if calls and request and "config" not in request and calls[0].get("name") not in offered:
        return "its reply calls a tool that it was not offered"
    # It has failed already, for a reason that says more.
    if not is_parsed:
        return None
    return next(filter(None, map(_flaw_of_json, _contents_of(objects, calls))), None)


def contents_of(response: Any) -> list[Any]:
    """Return what a model wrote: the arguments of its tool calls, as JSON or objects, or texts."""
    objects = [*_objects(response)]
    return _contents_of(objects, _calls_in(objects))


def _calls_in(objects: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [
        each for each in objects if each.get("type") in _CALLS or {"arguments", "args"} & {*each}
    ]


def _contents_of(
    objects: Iterable[Mapping[str, Any]], calls: Iterable[Mapping[str, Any]]
) -> list[Any]:
    written = [each.get(name) for each in calls for name in _ARGUMENTS]
    written = written or [each.get(name) for each in objects for name in _TEXTS]
    return [each for each in written if isinstance(each, (str, Mapping))]


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield an object and all objects within it, except in what is opaque."""
    if isinstance(value, BaseModel):
        # Clients do not validate replies, and Pydantic would warn of every field of another type.
        value = value.model_dump(warnings=False)
    if isinstance(value, Mapping):
        named = cast("Mapping[str, Any]", value)
        yield named
        value = [each for name, each in named.items() if name not in _OPAQUE]
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        for each in cast("Sequence[Any]", value):
            yield from _objects(each)


class _RepeatedKeyError(Exception):
    """An object has a key twice."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise _RepeatedKeyError(key)
    return dict(pairs)


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, strict=False)


def _flaw_of_json(text: Any) -> str | None:
    """Return what is ambiguous in JSON, which prose or a fence may surround."""
    if not isinstance(text, str):
        return None
    objects, start = 0, text.find("{")
    try:
        while start >= 0:
            try:
                _, end = _DECODER.raw_decode(text, start)
                objects += 1
            except (ValueError, RecursionError):
                # A brace of prose: the next one may begin an object.
                end = start + 1
            start = text.find("{", end)
    except _RepeatedKeyError as error:
        return f"its reply repeats the key '{shown(str(error), _MOST_OF_A_KEY)}'"
    return f"its reply has {counted_as(objects, 'object')} in place of one" if objects > 1 else None


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
