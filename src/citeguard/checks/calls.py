"""One call of a language model for a structured reply, and what can go wrong with it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel

from citeguard.checks.clients import is_openai
from citeguard.checks.judge import JudgeFailedError
from citeguard.checks.loops import in_background_loop, in_thread
from citeguard.checks.usage import report_tokens
from citeguard.errors import CiteguardError

if TYPE_CHECKING:
    import instructor

R = TypeVar("R", bound=BaseModel)

# Not among the failures that pass: with another key, address or model name they would be gone.
_SET_UP = {401: "the API key is not accepted", 403: "access is denied", 404: "nothing is there"}
# As many as a client may have kept for another loop; to find that one is of no use takes no time.
_MOST_CONNECTIONS = 100


async def ask(client: instructor.Instructor, reply: type[R], /, **request: Any) -> R:
    """Call a language model once, and report the tokens that it used.

    Raises:
        JudgeFailedError: the endpoint did not answer, or not so that the reply can be read.
        CiteguardError: the client does not take these arguments, or the endpoint says that the key
            or the model does not exist.
        Exception: what else the client raises.
    """
    import instructor

    asynchronous = isinstance(client, instructor.AsyncInstructor)
    if asynchronous and in_background_loop() and is_openai(client):
        # A connection kept there would be of no use to the loop that the client is used in else.
        headers = {**request.get("extra_headers", {}), "Connection": "close"}
        request = {**request, "extra_headers": headers}
    request = {**request, "response_model": reply, "max_retries": 0}
    for _ in range(_MOST_CONNECTIONS):
        try:
            return await _call(client, request, asynchronous=asynchronous)
        except _StaleConnectionError:
            continue
    raise JudgeFailedError("its client belongs to another event loop")


class _StaleConnectionError(Exception):
    """A client tried a connection that was made in another event loop, and dropped it then."""


async def _call(client: Any, request: dict[str, Any], *, asynchronous: bool) -> Any:
    from instructor.core.hooks import Hooks

    responses: list[Any] = []
    hooks = Hooks()
    hooks.on("completion:response", responses.append)

    def create() -> Any:
        return client.create(**request, hooks=hooks)

    try:
        return await (create() if asynchronous else in_thread(create))
    except Exception as error:
        raise _explained(error, answered=bool(responses)) from error
    finally:
        report_tokens(sum(_tokens(getattr(response, "usage", None)) for response in responses))


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
    if isinstance(error, openai.APIConnectionError) and isinstance(error.__cause__, RuntimeError):
        return _StaleConnectionError()
    if isinstance(error, openai.APIConnectionError):
        return JudgeFailedError("its endpoint cannot be reached")
    if isinstance(error, (json.JSONDecodeError, openai.APIResponseValidationError)):
        return JudgeFailedError("its reply cannot be read")
    return error


def _tokens(usage: Any) -> int:
    """Return the tokens of a usage, as any provider reports it; 0 if it does not."""
    total = getattr(usage, "total_tokens", None)
    parts = [getattr(usage, name, None) for name in ("input_tokens", "output_tokens")]
    counted = [total] if isinstance(total, int) else parts
    return sum(count for count in counted if isinstance(count, int))
