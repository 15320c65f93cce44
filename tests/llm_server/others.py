"""The shapes of Anthropic's `/v1/messages` and of Gemini's `generateContent`, in one piece."""

import json
from collections.abc import Iterator
from typing import Any

from llm_server.exchange import Reply, Request, count_tokens

Json = dict[str, Any]


def message(request: Request, reply: Reply) -> Json:
    """Return the reply as a message of Anthropic's, a tool call if tools are offered."""
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
    """Return the reply as a candidate of Gemini's, a function call if functions are declared."""
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
