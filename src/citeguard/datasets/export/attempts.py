"""Rejected attempts: recorded from instructor's retries, checked, and written beside the answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import BaseModel

from citeguard.datasets.export.formats import as_json, hidden_fields
from citeguard.datasets.fields import Fields, MalformedSampleError
from citeguard.datasets.samples import CheckedSample, SampleChecker
from citeguard.errors import CiteguardError
from citeguard.judges.clients import as_instructor
from citeguard.judges.replies import contents_of
from citeguard.sources.collection import Source, Sources, as_sources
from citeguard.validation.models import Answer, Citation, Statement

# What validation adds to an attempt that was dumped.
_HIDDEN = frozenset[str]().union(*map(hidden_fields, (Answer, Statement, Citation)))


class AttemptChecker:
    """Checks rejected attempts as their samples are checked, against the samples' sources."""

    def __init__(self, checker: SampleChecker) -> None:
        self._checker = SampleChecker(checker.model, policy=checker.policy)

    def rejected_text(self, attempts: Any, question: str, sources: Sources, chosen: str) -> str:
        """Return the last of one or several attempts that fails, written like the chosen answer.

        Raises:
            MalformedSampleError: there is no attempt, none fails, a judge could not decide, or it
                is the same as the chosen answer.
        """
        shared = {"question": question, "sources": [_source_data(source) for source in sources]}
        is_list = isinstance(attempts, (list, tuple))
        checked: list[CheckedSample] = []
        failing: str | None = None
        for attempt in cast("list[Any]", attempts if is_list else [attempts]):
            # It may be an instance, which other rules let pass.
            is_instance = isinstance(attempt, BaseModel)
            said: Any = attempt.model_dump(mode="json", by_alias=True) if is_instance else attempt
            text = said.strip() if isinstance(said, str) else said
            if not isinstance(text, (str, Mapping)) or not text:
                continue
            data = _data_of(said)
            if data is None:  # not JSON, so it fails
                failing = str(said)
                continue
            checked.append(self._checker.check({**shared, "answer": said}))
            if checked[-1].outcome == "rejected":
                failing = as_json(_styled_like(data, json.loads(chosen)))
        if failing is not None and failing != chosen:
            return failing
        if failing is not None:
            message = "the rejected attempt is the same as the answer"
            raise MalformedSampleError(message, "rejected_same")
        if not checked:
            message = "there is no rejected attempt beside the answer"
            raise MalformedSampleError(message, "rejected_missing")
        for problem in (problem for each in checked for problem in each.problems):  # undecided
            raise MalformedSampleError(problem.message, problem.code)
        raise MalformedSampleError("none of the rejected attempts fails", "rejected_passes")


def _data_of(attempt: Any) -> Any:
    """Return the object that an attempt is, or that its text has as JSON, or `None`."""
    try:
        given = Fields().data_of({"answer": attempt})
    except MalformedSampleError:
        return None
    if isinstance(attempt, str):
        return json.loads(given) if isinstance(given, str) else None
    return given


def _source_data(source: Source) -> dict[str, Any]:
    facts = {"id": source.id, "text": source.text, "title": source.title, "url": source.url}
    return {name: value for name, value in facts.items() if value is not None}


def _styled_like(rejected: Any, chosen: Any) -> Any:
    """Return a rejected object with the key order and the choice of keys of the chosen one.

    A preference should teach what to say, not the order of keys, or where null may be written.

    Examples:
        >>> _styled_like({"b": 1, "c": None, "a": 2}, {"a": 3, "b": 4})
        {'a': 2, 'b': 1}
    """
    if isinstance(rejected, Mapping):
        model = cast("Any", chosen if isinstance(chosen, Mapping) else {})
        given = cast("Mapping[str, Any]", rejected)
        return {
            key: _styled_like(given[key], model.get(key))
            for key in dict.fromkeys((*model, *given))
            if key in given and (key in model or (given[key] is not None and key not in _HIDDEN))
        }
    if isinstance(rejected, list):
        model = cast("Any", chosen[0] if isinstance(chosen, list) and chosen else None)
        return [_styled_like(each, model) for each in cast("list[Any]", rejected)]
    return rejected


class RetryRecorder:
    """Records the attempts of an instructor client, as samples to make pairs of.

    It listens to the client's hooks and changes nothing. Calls are recorded only inside `asking`,
    which names the question; each thread and task has its own, and those started inside it inherit
    it. Concurrent calls need a task each. A judge that uses the same client is recorded, too,
    unless the client is guarded: give the judge a client of its own. Replies are read in the
    formats of OpenAI's two protocols and of Anthropic's messages; for any other, and for streams,
    instructor warns that the hook failed, and the attempt is missing.

    Args:
        client: An instructor client, guarded or not.

    Attributes:
        samples: The recorded calls, in order: `question`, `sources`, `answer` (what was accepted,
            as the language model wrote it; `None` if nothing was) and `rejected`. They are
            JSON-like, and the list is yours to empty.

    Raises:
        CiteguardError: it is not an instructor client.
    """

    def __init__(self, client: Any) -> None:
        self.samples: list[dict[str, Any]] = []
        self._asked: ContextVar[_Asked | None] = ContextVar("citeguard_asked", default=None)
        self._call: ContextVar[_Call | None] = ContextVar("citeguard_call", default=None)
        self._client = as_instructor(client)
        if self._client is not client:  # nobody would use an instructor client that is made here
            raise CiteguardError("a recorder needs an instructor client")
        self._hooks: dict[Any, Callable[..., None]] = {
            "completion:response": self._add_reply,
            "parse:error": self._reject_reply,
            "completion:last_attempt": self._give_up,
        }
        for name, hook in self._hooks.items():
            self._client.on(name, hook)

    def close(self) -> None:
        """Stop listening."""
        for name, hook in self._hooks.items():
            self._client.off(name, hook)

    @contextmanager
    def asking(self, question: str, sources: Any) -> Generator[None, None, None]:
        """Record the calls made in the block: each one becomes a sample.

        Args:
            question: The question.
            sources: Whatever `Sources` accepts.

        Raises:
            CiteguardError: invalid sources.
        """
        listed = [_source_data(source) for source in as_sources(sources)]
        asked = _Asked({"question": question, "sources": listed})
        token = self._asked.set(asked)
        try:
            yield
        finally:
            for call in asked.calls:
                self._end(call)
            self._asked.reset(token)

    def _add_reply(self, response: Any) -> None:
        if (asked := self._asked.get()) is None:
            return
        reply, call = _text_of(response), self._call.get()
        if call is None or call.asked is not asked or call.reply is not None:
            if call is not None:  # its last reply was not rejected, and so has ended it
                self._end(call)
            call = _Call(asked)
            asked.calls.append(call)
            self._call.set(call)
        call.reply = reply

    def _reject_reply(self, error: Exception) -> None:
        if (call := self._call.get()) is not None and call.reply is not None:
            call.rejected.append(call.reply)
            call.reply = None

    def _give_up(self, error: Exception) -> None:
        # The last reply may have been right, if a judge was down; it is neither kind.
        if (call := self._call.get()) is not None:
            call.reply = None
            self._end(call)

    def _end(self, call: _Call) -> None:
        """Add the replies to a call to the samples, once."""
        if call.reply is not None or call.rejected:
            replies = {"answer": call.reply, "rejected": call.rejected}
            self.samples.append({**call.asked.sample, **replies})
        call.reply, call.rejected = None, []


@dataclass(slots=True)
class _Asked:
    """A question with its sources, and the calls in this task, or in those that it started."""

    sample: dict[str, Any]
    calls: list[_Call] = field(default_factory=list["_Call"])


@dataclass(slots=True, eq=False)
class _Call:
    """The replies to one call, with its retries; the last one is not known to be rejected."""

    asked: _Asked
    reply: str | None = None
    rejected: list[str] = field(default_factory=list[str])


def _text_of(response: Any) -> str:
    """Return the arguments of a reply's tool call, or its text, or the JSON object inside it.

    Raises:
        CiteguardError: the format is unknown.
    """
    content = next(iter(contents_of(response)), None)
    if content is None:
        raise CiteguardError(f"cannot read a reply of type {type(response).__name__}")
    if not isinstance(content, str):
        return json.dumps(content, ensure_ascii=False)
    candidate = content[content.find("{") : content.rfind("}") + 1]
    try:
        json.loads(candidate)
    except ValueError:
        return content
    return candidate
