"""instructor's clients: what a judge and a guard need to know of them.

instructor keeps the function that it was given, and the model that it was given with it, in the
closure of the function it makes; this is the one place that looks there.
"""

from __future__ import annotations

import inspect
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from citeguard.errors import CiteguardError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import instructor

_RESERVED = {"context", "hooks", "max_retries", "messages", "response_model", "stream"}
# Seconds that a client has longer than who asks, so that it is the asker's time that is up.
_GRACE = 1.0


def as_instructor(client: Any) -> instructor.Instructor:
    """Return one of instructor's clients: this one, or one around a client of openai.

    Raises:
        CiteguardError: it is neither.
    """
    import instructor
    import openai

    if isinstance(client, (instructor.Instructor, instructor.AsyncInstructor)):
        return client
    if isinstance(client, (openai.OpenAI, openai.AsyncOpenAI)):
        return instructor.from_openai(client)
    raise CiteguardError(
        f"a client must be one of instructor's, or an OpenAI or AsyncOpenAI, not {client!r:.80}"
    )


def default_model(client: instructor.Instructor) -> str | None:
    """Return the model that a client was made with, if any."""
    closure = inspect.getclosurevars(client.create_fn).nonlocals
    return client.kwargs.get("model") or client.default_model or closure.get("default_model")


def model_and_options(
    client: instructor.Instructor,
    model: str | None,
    options: Mapping[str, Any] | None,
    *,
    asker: str,
    example: str,
) -> tuple[str, dict[str, Any]]:
    """Return the name of the model to ask, and the arguments that go along with each request.

    Args:
        client: The client.
        model: The model's name; that of the client when it is `None`.
        options: Further arguments.
        asker: Who asks, for errors: "a judge".
        example: What it is made with, for errors: "LLMJudge".

    Raises:
        CiteguardError: there is no model, or an argument is the asker's own to give.
    """
    named = model or default_model(client)
    if named is None:
        raise CiteguardError(f"{asker} needs a model: {example}(client, model=...)")
    given = {"model": named, **(options or {})}
    if reserved := sorted(_RESERVED & {*given}):
        raise CiteguardError(f"{asker} has its own {', '.join(reserved)}: no options")
    return named, given


def give_time(
    options: dict[str, Any], client: instructor.Instructor, timeout: float | None
) -> None:
    """Let a client wait a little longer than who asks has time."""
    if is_openai(client) and timeout is not None:
        options.setdefault("timeout", timeout + _GRACE)


def endpoint(client: instructor.Instructor) -> str | None:
    """Return the address that a client sends its requests to, if it tells."""
    address = getattr(client.client, "base_url", None)
    return None if address is None else str(address)


def is_openai(client: instructor.Instructor) -> bool:
    """Tell whether a client is around one of openai's, whose options are known."""
    import openai

    return isinstance(client.client, (openai.OpenAI, openai.AsyncOpenAI))


def arguments(client: instructor.Instructor) -> dict[str, Any]:
    """Return what a client adds to every request, as far as it tells."""
    return {**client.kwargs, "query": dict(getattr(client.client, "default_query", {}))}


def copied(client: instructor.Instructor) -> instructor.Instructor | None:
    """Return an asynchronous client like this one, with connections of its own.

    `None` when that cannot be done without losing something: the client is not one of openai's, or
    was given an HTTP client of the user's.
    """
    import instructor
    import openai

    wrapped = client.client
    transport = type(getattr(wrapped, "_client", None)).__name__
    if not isinstance(wrapped, openai.AsyncOpenAI) or transport != "AsyncHttpxClientWrapper":
        return None
    fresh = wrapped.copy(http_client=openai.DefaultAsyncHttpxClient())
    send = _rebound(getattr(client.create_fn, "__wrapped__", None), wrapped, fresh)
    if send is None:
        return None
    return instructor.AsyncInstructor(
        client=fresh,
        create=instructor.patch(create=send, mode=client.mode, provider=client.provider),
        mode=client.mode,
        provider=client.provider,
        hooks=client.hooks,
        **client.kwargs,
    )


def _rebound(send: Any, old: Any, new: Any) -> Any:
    """Return the function that sends a request, with another client; `None` if it is not known."""
    if isinstance(send, partial) and send.keywords.get("client") is old:
        keywords: dict[str, Any] = {**send.keywords, "client": new}
        return partial(cast("partial[Any]", send).func, **keywords)
    if getattr(cast("Any", send), "__self__", None) is old.chat.completions:
        return new.chat.completions.create
    return None
