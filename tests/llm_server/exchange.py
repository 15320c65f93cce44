"""What goes over the wire: a `Request` as recorded, a `Reply` as scripted."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal

Shape = Literal["tool", "json", "fenced", "text"]
"""How a reply is dressed: a tool call, bare JSON, JSON fenced in prose, or text as it is."""

Fault = Literal["silence", "hang_up", "cut", "trickle"]
"""What goes wrong instead of an answer.

`silence` sends nothing, `trickle` a blank now and then, both until the client leaves; `hang_up`
closes the connection without a byte, `cut` in the middle of the body.
"""

CHARACTERS_PER_TOKEN = 4
"""OpenAI's rule of thumb for English; it makes usage numbers plausible and repeatable."""

_FENCED = "Here is the answer:\n\n```json\n{}\n```\n\nLet me know if anything is missing.\n"


@dataclass(frozen=True, slots=True)
class Reply:
    """One scripted reply.

    Args:
        payload: A `str` is sent as it stands, be it JSON or not; anything else as JSON. With
            an error status, the message of the error.
        status: HTTP status; anything but 200 sends an error body.
        latency: Seconds to wait before answering.
        shape: How to dress the payload; `None` does what the request asks for.
        chunk_size: Characters per streamed event.
        cut_after: Stop, as if out of tokens, after the first occurrence of this text.
        headers: HTTP headers, such as `Retry-After`, beside or in the place of the usual ones.
        body: Sent as the HTTP body as it stands, in the place of what the protocol asks for.
        fault: What goes wrong on the way.

    Raises:
        ValueError: `cut_after` is not in the reply.
    """

    payload: Any = ""
    _: KW_ONLY
    status: int = 200
    latency: float = 0.0
    shape: Shape | None = None
    chunk_size: int = 24
    cut_after: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    fault: Fault | None = None

    def __post_init__(self) -> None:
        """Refuse a cut that would never be made."""
        if self.cut_after is not None and self.cut_after not in self._written():
            raise ValueError(f"{self.cut_after!r} is not in the reply")

    @property
    def is_cut(self) -> bool:
        """Whether the reply says of itself that it ran out of tokens."""
        return self.cut_after is not None

    def calls_tool(self, request: "Request") -> bool:
        """Return whether the reply to a request is a tool call."""
        return (self.shape or request.shape) == "tool"

    def dressed(self, shape: Shape) -> str:
        """Return the characters to send when the request asked for this shape."""
        text = self._written()
        if not isinstance(self.payload, str) and (self.shape or shape) == "fenced":
            text = _FENCED.format(text)
        if self.cut_after is None:
            return text
        return "".join(text.partition(self.cut_after)[:2])

    def pieces(self, text: str) -> Iterator[str]:
        """Yield a text as it is streamed."""
        for start in range(0, len(text), self.chunk_size):
            yield text[start : start + self.chunk_size]

    def _written(self) -> str:
        if isinstance(self.payload, str):
            return self.payload
        return json.dumps(self.payload, ensure_ascii=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request as it arrived.

    Args:
        path: Path of the URL, such as `/v1/chat/completions`.
        body: The parsed JSON body.
        received: Reading of `time.perf_counter()` on arrival, seconds.
    """

    path: str
    body: dict[str, Any]
    received: float

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The conversation: `messages` of chat completions, `input` of responses."""
        sent = self.body.get("messages", self.body.get("input", []))
        return [{"role": "user", "content": sent}] if isinstance(sent, str) else sent

    @property
    def texts(self) -> list[str]:
        """The text of every message, in order; a message without any gives an empty string."""
        return [_text(message.get("content")) for message in self.messages]

    @property
    def tool(self) -> str | None:
        """The name of the tool to call: the one demanded, else the first one offered."""
        if self.body.get("tool_choice") == "none" or not self.body.get("tools"):
            return None
        choice: str | dict[str, Any] = self.body.get("tool_choice", "auto")
        named = None if isinstance(choice, str) else _name(choice)
        return named or _name(self.body["tools"][0])

    @property
    def shape(self) -> Shape:
        """What the request asks for, read from it as a model would read it."""
        if self.tool:
            return "tool"
        if self._format() in {"json_object", "json_schema"}:
            return "json"
        return "fenced" if any("```json" in text for text in self.texts) else "text"

    def _format(self) -> str | None:
        of_responses = self.body.get("text", {}).get("format", {})
        return self.body.get("response_format", of_responses).get("type")

    @property
    def tokens(self) -> int:
        """A plausible count of the prompt's tokens."""
        return count_tokens(json.dumps(self.body, ensure_ascii=False))


def count_tokens(text: str) -> int:
    """Estimate how many tokens a text has; 0 for an empty one."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def _text(content: str | list[dict[str, Any]] | None) -> str:
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""


def _name(tool: dict[str, Any]) -> str | None:
    return tool.get("function", tool).get("name")
