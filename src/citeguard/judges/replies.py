"""Replies of language models before they are parsed: what they say, and `flaw_of`.

A reply may have several choices, tool calls or objects, and an object may repeat a key. Clients
take one of them, and not always the same one, so such a reply says nothing that could be trusted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from citeguard.language.excerpts import counted_as, shown

_FILTERED = frozenset({"content_filter", "refusal", "safety", "prohibited_content", "blocklist"})
_MOST_OF_A_KEY = 40  # characters


def flaw_of(response: Any, request: Mapping[str, Any], *, is_parsed: bool) -> str | None:
    """Return why a response says nothing that could be trusted, for a reason; `None` if it may.

    Args:
        response: The response of the endpoint, as the client of its provider parsed it: of chat
            completions, responses, Anthropic's messages or Gemini's content; others have no flaw.
        request: The arguments of the request, with the tools that it offered.
        is_parsed: Whether a client could parse it.
    """
    for name in ("choices", "candidates"):
        listed = _listed(response, name)
        if len(listed) > 1:
            return f"its reply has {len(listed)} choices"
    ended = {str(_get(each, "value", each)).lower() for each in _ends(response)}
    if ended & _FILTERED:
        return "its reply was stopped by a content filter"
    calls = [*calls_of(response)]
    if len(calls) > 1:
        return f"its reply has {len(calls)} tool calls"
    offered = {_name(each) for each in request.get("tools") or () if _name(each)}
    # A request to Gemini has its tools in `config`.
    if calls and request and "config" not in request and calls[0][0] not in offered:
        return "its reply calls a tool that it was not offered"
    if not is_parsed:
        return None
    texts = [arguments for _, arguments in calls] or [*texts_of(response)]
    return next(filter(None, map(_flaw_of_json, texts)), None)


def _get(value: Any, name: str, default: Any = None) -> Any:
    if isinstance(value, Mapping):
        return cast("Mapping[str, Any]", value).get(name, default)
    return getattr(value, name, default)


def _listed(value: Any, name: str) -> list[Any]:
    listed = _get(value, name)
    return list(cast("list[Any]", listed)) if isinstance(listed, (list, tuple)) else []


def _ends(response: Any) -> Iterator[Any]:
    """Yield why a response ended, in the words of its provider."""
    yield _get(response, "stop_reason")
    yield _get(_get(response, "incomplete_details"), "reason")
    for each in (*_listed(response, "choices"), *_listed(response, "candidates")):
        yield _get(each, "finish_reason")
        if _get(_get(each, "message"), "refusal"):
            yield "refusal"


def _parts(response: Any) -> Iterator[Any]:
    """Yield what may be a tool call in a protocol whose content is a list."""
    yield from _listed(response, "content")
    yield from _listed(response, "output")
    for candidate in _listed(response, "candidates"):
        yield from _listed(_get(candidate, "content"), "parts")


def calls_of(response: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the name and the arguments of each tool call, as JSON or as an object."""
    for choice in _listed(response, "choices"):
        for call in _listed(_get(choice, "message"), "tool_calls"):
            yield _name(call), _get(_get(call, "function"), "arguments")
    for part in _parts(response):
        if _get(part, "type") == "tool_use":
            yield _get(part, "name"), _get(part, "input")
        elif _get(part, "type") == "function_call":
            yield _get(part, "name"), _get(part, "arguments")
        elif (call := _get(part, "function_call")) is not None:
            yield _get(call, "name"), _get(call, "args")


def _name(tool: Any) -> Any:
    return _get(_get(tool, "function", tool), "name")


def texts_of(response: Any) -> Iterator[Any]:
    """Yield the texts of a response; `None` for parts that have none."""
    for choice in _listed(response, "choices"):
        yield _get(_get(choice, "message"), "content")
    for part in _parts(response):
        yield _get(part, "text")
        yield from (_get(each, "text") for each in _listed(part, "content"))


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
                end = start + 1
            start = text.find("{", end)
    except _RepeatedKeyError as error:
        return f"its reply repeats the key '{shown(str(error), _MOST_OF_A_KEY)}'"
    return f"its reply has {counted_as(objects, 'object')} in place of one" if objects > 1 else None
