"""Replies of language models before they are parsed: what is ambiguous in them, and their contents.

A reply may have several choices, tool calls or objects, and an object may repeat a key. Clients
take one of them, and not always the same one, so such a reply says nothing that could be trusted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from pydantic import BaseModel

from citeguard.language.excerpts import counted_as, shown

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
