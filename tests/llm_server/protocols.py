"""The replies of each protocol: functions from a request and a reply to JSON, whole or in bits."""

import json
from collections.abc import Iterator
from typing import Any

from llm_server.exchange import Reply, Request, count_tokens

Json = dict[str, Any]


def completion(request: Request, reply: Reply) -> Json:
    """Return the whole reply of `/v1/chat/completions`."""
    text = reply.dressed(request.shape)
    message: Json = {"role": "assistant", "content": text, "refusal": None}
    if reply.calls_tool(request):
        message = {"role": "assistant", "content": None, "tool_calls": [_call(request, text)]}
    return {
        **_completion_head(request, "chat.completion"),
        "choices": [_choice("message", message, _finish_reason(request, reply))],
        "usage": _completion_usage(request, text),
    }


def completion_chunks(request: Request, reply: Reply) -> Iterator[Json]:
    """Yield the same in pieces, and the usage last when the request asks for it."""
    text = reply.dressed(request.shape)
    head = _completion_head(request, "chat.completion.chunk")
    first: Json = {"role": "assistant", "content": ""}
    if reply.calls_tool(request):
        call = {"index": 0, **_call(request, "")}
        first = {"role": "assistant", "content": None, "tool_calls": [call]}
    yield {**head, "choices": [_choice("delta", first, None)]}
    for piece in reply.pieces(text):
        delta: Json = {"content": piece}
        if reply.calls_tool(request):
            delta = {"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}
        yield {**head, "choices": [_choice("delta", delta, None)]}
    yield {**head, "choices": [_choice("delta", {}, _finish_reason(request, reply))]}
    if request.body.get("stream_options", {}).get("include_usage"):
        yield {**head, "choices": [], "usage": _completion_usage(request, text)}


def _completion_head(request: Request, kind: str) -> Json:
    model = request.body.get("model", "")
    return {"id": "chatcmpl-scripted", "object": kind, "created": 0, "model": model}


def _choice(key: str, message: Json, reason: str | None) -> Json:
    return {"index": 0, key: message, "logprobs": None, "finish_reason": reason}


def _call(request: Request, arguments: str) -> Json:
    function = {"name": request.tool or "", "arguments": arguments}
    return {"id": "call_scripted", "type": "function", "function": function}


def _finish_reason(request: Request, reply: Reply) -> str:
    if reply.is_cut:
        return "length"
    return "tool_calls" if reply.calls_tool(request) else "stop"


def _completion_usage(request: Request, text: str) -> Json:
    """Return the tokens used, with every detail that clients add up."""
    prompt, generated = request.tokens, count_tokens(text)
    details = dict.fromkeys(("accepted_prediction_tokens", "rejected_prediction_tokens"), 0)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": generated,
        "total_tokens": prompt + generated,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0, **details},
    }


def response(request: Request, reply: Reply) -> Json:
    """Return the whole reply of `/v1/responses`."""
    text = reply.dressed(request.shape)
    prompt, generated = request.tokens, count_tokens(text)
    return {
        **_response_head(request),
        "status": "incomplete" if reply.is_cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if reply.is_cut else None,
        "output": [_item(request, reply, text)],
        "usage": {
            "input_tokens": prompt,
            "output_tokens": generated,
            "total_tokens": prompt + generated,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
    }


def response_events(request: Request, reply: Reply) -> Iterator[Json]:
    """Yield the same as the numbered events of a stream; each carries its name in `type`."""
    opening = {**_response_head(request), "status": "in_progress", "output": []}
    whole = response(request, reply)
    sequence: list[Json] = [
        {"type": "response.created", "response": opening},
        {"type": "response.in_progress", "response": opening},
        *_item_events(request, reply),
        {"type": f"response.{whole['status']}", "response": whole},
    ]
    for number, event in enumerate(sequence):
        yield {**event, "sequence_number": number}


def _response_head(request: Request) -> Json:
    return {
        "id": "resp_scripted",
        "object": "response",
        "created_at": 0,
        "model": request.body.get("model", ""),
        "error": None,
        "incomplete_details": None,
        "instructions": request.body.get("instructions"),
        "metadata": {},
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "top_p": 1.0,
        "tool_choice": request.body.get("tool_choice", "auto"),
        "tools": request.body.get("tools", []),
    }


def _item(request: Request, reply: Reply, text: str) -> Json:
    """Return the one item of the output: a function call or a message."""
    if reply.calls_tool(request):
        call = {"call_id": "call_scripted", "name": request.tool or "", "arguments": text}
        return {"type": "function_call", "id": "fc_scripted", **call, "status": "completed"}
    message = {"role": "assistant", "content": [_part(text)]}
    return {"type": "message", "id": "msg_scripted", **message, "status": "completed"}


def _part(text: str) -> Json:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _item_events(request: Request, reply: Reply) -> Iterator[Json]:
    text = reply.dressed(request.shape)
    item = _item(request, reply, text)
    opening = {**_item(request, reply, ""), "status": "in_progress"}
    at: Json = {"item_id": item["id"], "output_index": 0}
    if reply.calls_tool(request):
        kind, more = "response.function_call_arguments", {}
        done: Json = {"name": item["name"], "arguments": text}
    else:
        opening["content"] = []
        at["content_index"] = 0
        kind, more = "response.output_text", {"logprobs": []}
        done = {"text": text, **more}
    yield {"type": "response.output_item.added", "output_index": 0, "item": opening}
    if "content" in item:
        yield {"type": "response.content_part.added", **at, "part": _part("")}
    for piece in reply.pieces(text):
        yield {"type": f"{kind}.delta", **at, "delta": piece, **more}
    yield {"type": f"{kind}.done", **at, **done}
    if "content" in item:
        yield {"type": "response.content_part.done", **at, "part": _part(text)}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}


def message(request: Request, reply: Reply) -> Json:
    """Return the whole reply of Anthropic's `/v1/messages`, a tool call if tools are offered."""
    text = reply.dressed("tool" if request.tool else "text")
    block: Json = {"type": "text", "text": text}
    if request.tool:
        call = {"id": "toolu_scripted", "name": request.tool, "input": json.loads(text)}
        block = {"type": "tool_use", **call}
    return {
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "model": request.body.get("model", ""),
        "content": [block],
        "stop_reason": "tool_use" if request.tool else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": request.tokens, "output_tokens": count_tokens(text)},
    }


def content(request: Request, reply: Reply) -> Json:
    """Return the whole reply of Gemini's, a function call if functions are declared."""
    text, tools = reply.dressed("text"), request.body.get("tools")
    part: Json = {"text": text}
    if tools:
        name = tools[0]["functionDeclarations"][0]["name"]
        part = {"functionCall": {"name": name, "args": json.loads(text)}}
    return {
        "candidates": [
            {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
        ],
        "usageMetadata": {
            "promptTokenCount": request.tokens,
            "candidatesTokenCount": count_tokens(text),
            "totalTokenCount": request.tokens + count_tokens(text),
        },
        "modelVersion": "scripted",
    }


def no_pieces(request: Request, reply: Reply) -> Iterator[Json]:
    """Refuse to stream."""
    raise NotImplementedError
