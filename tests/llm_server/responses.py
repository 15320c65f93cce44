"""The shapes of `/v1/responses`: pure functions from a request and a reply to JSON."""

from collections.abc import Iterator
from typing import Any

from llm_server.exchange import Reply, Request, count_tokens

Json = dict[str, Any]


def response(request: Request, reply: Reply) -> Json:
    """Return the reply in one piece."""
    text = reply.dressed(request.shape)
    return {
        **_head(request),
        "status": "incomplete" if reply.truncated else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if reply.truncated else None,
        "output": [output_item(request, reply, text)],
        "usage": usage(request, text),
    }


def response_events(request: Request, reply: Reply) -> Iterator[Json]:
    """Yield the reply as the numbered events of a stream; each carries its name in `type`."""
    events = _function_events if calls_function(request, reply) else _text_events
    opening: Json = {
        **_head(request),
        "status": "in_progress",
        "incomplete_details": None,
        "output": [],
    }
    whole = response(request, reply)
    sequence: list[Json] = [
        {"type": "response.created", "response": opening},
        {"type": "response.in_progress", "response": opening},
        *events(request, reply),
        {"type": f"response.{whole['status']}", "response": whole},
    ]
    for number, event in enumerate(sequence):
        yield {**event, "sequence_number": number}


def calls_function(request: Request, reply: Reply) -> bool:
    """Tell whether the reply is a function call."""
    return (reply.shape or request.shape) == "tool"


def output_item(request: Request, reply: Reply, text: str) -> Json:
    """Return the one item of the output: a function call or a message."""
    if calls_function(request, reply):
        return function_call_item(request, text)
    return message_item(text)


def function_call_item(request: Request, arguments: str) -> Json:
    """Return an output item that calls the function with these arguments."""
    return {
        "type": "function_call",
        "id": "fc_scripted",
        "call_id": "call_scripted",
        "name": request.tool or "",
        "arguments": arguments,
        "status": "completed",
    }


def message_item(text: str) -> Json:
    """Return an output item that says this."""
    return {
        "type": "message",
        "id": "msg_scripted",
        "role": "assistant",
        "status": "completed",
        "content": [text_part(text)],
    }


def text_part(text: str) -> Json:
    """Return the content part that carries a message's text."""
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def usage(request: Request, text: str) -> Json:
    """Return the tokens used, with every detail that clients add up."""
    prompt, generated = request.tokens, count_tokens(text)
    return {
        "input_tokens": prompt,
        "output_tokens": generated,
        "total_tokens": prompt + generated,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }


def _function_events(request: Request, reply: Reply) -> Iterator[Json]:
    text = reply.dressed(request.shape)
    kind = "response.function_call_arguments"
    at = {"item_id": "fc_scripted", "output_index": 0}
    opening = {**function_call_item(request, ""), "status": "in_progress"}
    item = function_call_item(request, text)
    yield {"type": "response.output_item.added", "output_index": 0, "item": opening}
    for piece in reply.pieces(text):
        yield {"type": f"{kind}.delta", **at, "delta": piece}
    yield {"type": f"{kind}.done", **at, "name": item["name"], "arguments": text}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}


def _text_events(request: Request, reply: Reply) -> Iterator[Json]:
    text = reply.dressed(request.shape)
    kind = "response.output_text"
    at = {"item_id": "msg_scripted", "output_index": 0, "content_index": 0}
    opening: Json = {**message_item(""), "status": "in_progress", "content": []}
    yield {"type": "response.output_item.added", "output_index": 0, "item": opening}
    yield {"type": "response.content_part.added", **at, "part": text_part("")}
    for piece in reply.pieces(text):
        yield {"type": f"{kind}.delta", **at, "delta": piece, "logprobs": []}
    yield {"type": f"{kind}.done", **at, "text": text, "logprobs": []}
    yield {"type": "response.content_part.done", **at, "part": text_part(text)}
    yield {"type": "response.output_item.done", "output_index": 0, "item": message_item(text)}


def _head(request: Request) -> Json:
    return {
        "id": "resp_scripted",
        "object": "response",
        "created_at": 0,
        "model": request.body.get("model", ""),
        "error": None,
        "instructions": request.body.get("instructions"),
        "metadata": {},
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "top_p": 1.0,
        "tool_choice": request.body.get("tool_choice", "auto"),
        "tools": request.body.get("tools", []),
    }
