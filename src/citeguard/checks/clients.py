"""instructor's clients: what a judge and a guard need to know of them.

instructor keeps the function that it was given, and the model that it was given with it, in the
closure of the function it makes; this is the one place that looks there.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from citeguard.errors import CiteguardError

if TYPE_CHECKING:
    import instructor


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


def endpoint(client: instructor.Instructor) -> str | None:
    """Return the address that a client sends its requests to, if it tells."""
    address = getattr(client.client, "base_url", None)
    return None if address is None else str(address)


def is_openai(client: instructor.Instructor) -> bool:
    """Tell whether a client is around one of openai's, whose options are known."""
    import openai

    return isinstance(client.client, (openai.OpenAI, openai.AsyncOpenAI))
