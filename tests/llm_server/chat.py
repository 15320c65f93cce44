"""The shapes of `/v1/chat/completions`: pure functions from a request and a reply to JSON."""

from collections.abc import Iterator
from typing import Any

from llm_server.exchange import Reply, Request, count_tokens

Json = dict[str, Any]


def completion(request: Request, reply: Reply) -> Json:
    """Return the reply in one piece."""
    text = reply.dressed(request.shape)
    as_tool = calls_tool(request, reply)
    message = tool_message(request, text) if as_tool else content_message(text)
    return {
        **_head(request, "chat.completion"),
        "choices": [_choice("message", message, finish_reason(reply, as_tool=as_tool))],
        "usage": usage(request, text),
    }


def completion_chunks(request: Request, reply: Reply) -> Iterator[Json]:
    """Yield the reply in pieces, and the usage last when the request asks for it."""
    text = reply.dressed(request.shape)
    as_tool = calls_tool(request, reply)
    head = _head(request, "chat.completion.chunk")
    yield {**head, "choices": [_choice("delta", first_delta(request, as_tool=as_tool), None)]}
    for piece in reply.pieces(text):
        delta = next_delta(piece, as_tool=as_tool)
        yield {**head, "choices": [_choice("delta", delta, None)]}
    yield {**head, "choices": [_choice("delta", {}, finish_reason(reply, as_tool=as_tool))]}
    if request.body.get("stream_options", {}).get("include_usage"):
        yield {**head, "choices": [], "usage": usage(request, text)}


def calls_tool(request: Request, reply: Reply) -> bool:
    """Tell whether the reply is a tool call."""
    return (reply.shape or request.shape) == "tool"


def tool_message(request: Request, arguments: str) -> Json:
    """Return an assistant's message that calls the tool with these arguments."""
    return {"role": "assistant", "content": None, "tool_calls": [_call(request, arguments)]}


def content_message(text: str) -> Json:
    """Return an assistant's message that says this."""
    return {"role": "assistant", "content": text, "refusal": None}


def first_delta(request: Request, *, as_tool: bool) -> Json:
    """Return the delta that opens a stream: who speaks, and which tool is called."""
    if not as_tool:
        return {"role": "assistant", "content": ""}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"index": 0, **_call(request, "")}],
    }


def next_delta(piece: str, *, as_tool: bool) -> Json:
    """Return the delta that carries one piece of the text."""
    if not as_tool:
        return {"content": piece}
    return {"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}


def finish_reason(reply: Reply, *, as_tool: bool) -> str:
    """Return why the reply ended: as scripted, or as it follows from its form."""
    if reply.finish_reason or reply.truncated:
        return reply.finish_reason or "length"
    return "tool_calls" if as_tool else "stop"


def usage(request: Request, text: str) -> Json:
    """Return the tokens used, with every detail that clients add up."""
    prompt, generated = request.tokens, count_tokens(text)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": generated,
        "total_tokens": prompt + generated,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": 0,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    }


def _head(request: Request, kind: str) -> Json:
    model = request.body.get("model", "")
    return {"id": "chatcmpl-scripted", "object": kind, "created": 0, "model": model}


def _choice(key: str, message: Json, reason: str | None) -> Json:
    return {"index": 0, key: message, "logprobs": None, "finish_reason": reason}


def _call(request: Request, arguments: str) -> Json:
    function = {"name": request.tool or "", "arguments": arguments}
    return {"id": "call_scripted", "type": "function", "function": function}
