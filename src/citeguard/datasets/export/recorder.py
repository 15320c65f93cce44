"""What instructor's retries leave behind: an answer, and the attempts that were rejected before."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, cast

from citeguard.errors import CiteguardError
from citeguard.judges.clients import as_instructor
from citeguard.sources.collection import Sources


class RetryRecorder:
    """Records the attempts of an instructor client, as samples to make pairs of.

    It listens to the client's hooks and changes nothing. What a call says goes into a sample only
    inside `asking`, which tells what was asked; threads and tasks each have their own, and those
    that are started inside it ask the same. Calls at the same time need a task each. A judge that
    asks through the same client is heard, too, unless the client is guarded: give it another one.
    Replies are read in the shapes of OpenAI's two protocols and of Anthropic's messages; of any
    other, and of streams, instructor warns that the hook failed, and the attempt is missing.

    Args:
        client: One of instructor's clients, guarded or not.

    Attributes:
        samples: What was recorded, call by call: `question`, `sources`, `answer` (what was
            accepted, as the language model wrote it; `None` if nothing was) and `rejected`. They
            can be written as JSON, and are yours to take away.

    Raises:
        CiteguardError: it is none of instructor's clients.
    """

    def __init__(self, client: Any) -> None:
        self.samples: list[dict[str, Any]] = []
        self._asked: ContextVar[_Asked | None] = ContextVar("citeguard_asked", default=None)
        self._call: ContextVar[_Call | None] = ContextVar("citeguard_call", default=None)
        self._client = as_instructor(client)
        if self._client is not client:  # an instructor client made here would be nobody's
            raise CiteguardError("a recorder needs one of instructor's clients")
        self._hooks: dict[Any, Callable[..., None]] = {
            "completion:response": self._hear,
            "parse:error": self._reject,
            "completion:last_attempt": self._give_up,
        }
        for name, hook in self._hooks.items():
            self._client.on(name, hook)

    def close(self) -> None:
        """Listen no longer."""
        for name, hook in self._hooks.items():
            self._client.off(name, hook)

    @contextmanager
    def asking(self, question: str, sources: Any) -> Generator[None, None, None]:
        """Record the calls made in the block: each one becomes a sample.

        Args:
            question: What is asked.
            sources: Whatever `Sources` accepts.

        Raises:
            CiteguardError: sources that are none.
        """
        prepared = sources if isinstance(sources, Sources) else Sources(sources)
        asked = _Asked(question, [_facts(source) for source in prepared], self.samples.append)
        token = self._asked.set(asked)
        try:
            yield
        finally:
            asked.close()
            self._asked.reset(token)

    def _hear(self, response: Any) -> None:
        if (asked := self._asked.get()) is None:
            return
        said, call = _text_of(response), self._call.get()
        if call is None or call.asked is not asked or call.said is not None:
            if call is not None:  # its last reply was not rejected, and so has ended it
                call.close()
            call = asked.begin_call()
            self._call.set(call)
        call.said = said

    def _reject(self, error: Exception) -> None:
        if (call := self._call.get()) is not None:
            call.reject()

    def _give_up(self, error: Exception) -> None:
        # What was said last may have been right, if a judge was down; nobody knows.
        if (call := self._call.get()) is not None:
            call.said = None
            call.close()


@dataclass(slots=True)
class _Asked:
    """What was asked, and the calls that asked it, in this task or in those that it started."""

    question: str
    sources: list[dict[str, Any]]
    keep: Callable[[dict[str, Any]], None]
    calls: list[_Call] = field(default_factory=list["_Call"])

    def begin_call(self) -> _Call:
        """Return a further call."""
        call = _Call(self)
        self.calls.append(call)
        return call

    def close(self) -> None:
        """Keep what the calls that have not ended yet have said."""
        for call in self.calls:
            call.close()


@dataclass(slots=True, eq=False)
class _Call:
    """What was said so far in one call, with its retries."""

    asked: _Asked
    said: str | None = None
    rejected: list[str] = field(default_factory=list[str])

    def reject(self) -> None:
        """Count the last reply among those rejected."""
        if self.said is not None:
            self.rejected.append(self.said)
        self.said = None

    def close(self) -> None:
        """Keep what was said as a sample, if anything was."""
        if self.said is not None or self.rejected:
            self.asked.keep(
                {
                    "question": self.asked.question,
                    "sources": self.asked.sources,
                    "answer": self.said,
                    "rejected": self.rejected,
                }
            )
        self.said, self.rejected = None, []


def _facts(source: Any) -> dict[str, Any]:
    facts = {name: getattr(source, name) for name in ("id", "text", "title", "url")}
    return {name: value for name, value in facts.items() if value is not None}


def _text_of(response: Any) -> str:
    """Return what a reply says: the arguments of its tool call, or its text.

    Raises:
        CiteguardError: it has neither where it is looked for.
    """
    for read in (_of_chat, _of_responses, _of_blocks):
        if (said := read(response)) is not None:
            is_text = isinstance(said, str)
            return _object_in(said) if is_text else json.dumps(said, ensure_ascii=False)
    raise CiteguardError(f"cannot tell what a {type(response).__name__} says")


def _object_in(text: str) -> str:
    """Return the JSON object that a text has in its midst, or the text if there is none."""
    found = text[text.find("{") : text.rfind("}") + 1]
    try:
        json.loads(found)
    except ValueError:
        return text
    return found


def _of_chat(response: Any) -> Any:
    for choice in _listed(response, "choices")[:1]:
        for call in _listed(choice.message, "tool_calls"):
            return call.function.arguments
        return choice.message.content
    return None


def _of_responses(response: Any) -> Any:
    for item in _listed(response, "output"):
        if item.type == "function_call":
            return item.arguments
    return getattr(response, "output_text", None)


def _of_blocks(response: Any) -> Any:
    blocks = _listed(response, "content")
    for block in blocks:
        if isinstance(getattr(block, "input", None), Mapping):
            return block.input
    return next((block.text for block in blocks if isinstance(block.text, str)), None)


def _listed(holder: Any, name: str) -> list[Any]:
    value = getattr(holder, name, None)
    return cast("list[Any]", value) if isinstance(value, list) else []
