"""Rejected attempts: recorded from instructor's retries, checked, and written beside the answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
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


def rejected_text(
    checker: SampleChecker, attempts: Any, question: str, sources: Sources, chosen: str
) -> str:
    """Return the last of one or several attempts that fails, written like the chosen answer.

    The checker has the model and the policy of the samples, and no fields or sources of its own.

    Raises:
        MalformedSampleError: there is no attempt, none fails, a judge could not decide, or it is
            the same as the chosen answer.
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
        checked.append(checker.check({**shared, "answer": said}))
        if checked[-1].outcome == "rejected":
            failing = as_json(_styled_like(data, json.loads(chosen)))
    if failing is not None and failing != chosen:
        return failing
    if failing is not None:
        raise MalformedSampleError(
            "the rejected attempt is the same as the answer", "rejected_same"
        )
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


# The sample of the call that is being made in this thread or task.
_recorded: ContextVar[dict[str, Any] | None] = ContextVar("citeguard_recorded", default=None)


@contextmanager
def recording(client: Any, question: str, sources: Any) -> Generator[dict[str, Any]]:
    """Record the call that an instructor client makes in the block, with its retries, as a sample.

    The sample is JSON-like: `question`, `sources`, `answer` (what was accepted, as the language
    model wrote it; `None` if nothing was) and `rejected`, the attempts before it. It is complete
    after the block. The hooks of the client are used, and nothing is changed. Concurrent calls need
    a task or thread each, with a block of its own. A judge that uses the same client is recorded,
    too, unless the client is guarded: give the judge a client of its own. Replies are read in the
    formats of OpenAI's two protocols and of Anthropic's messages; for any other, and for streams,
    instructor warns that the hook failed, and the attempt is missing.

    Args:
        client: An instructor client, guarded or not.
        question: The question.
        sources: Whatever `Sources` accepts.

    Raises:
        CiteguardError: it is not an instructor client, or the sources are invalid.
    """
    if as_instructor(client) is not client:  # nobody would use one that is made here
        raise CiteguardError("only an instructor client can be recorded")
    listed = [_source_data(source) for source in as_sources(sources)]
    sample: dict[str, Any] = {"question": question, "sources": listed}
    sample |= {"answer": None, "rejected": list[str]()}

    def add(response: Any) -> None:
        if _recorded.get() is sample:
            sample["answer"] = _text_of(response)

    def reject(error: Exception) -> None:
        if _recorded.get() is sample and sample["answer"] is not None:
            sample["rejected"].append(sample["answer"])
            sample["answer"] = None

    def give_up(error: Exception) -> None:
        # The last reply may have been right, if a judge was down; it is neither kind.
        if _recorded.get() is sample:
            sample["answer"] = None

    hooks: dict[Any, Callable[..., None]] = {
        "completion:response": add,
        "parse:error": reject,
        "completion:last_attempt": give_up,
    }
    token = _recorded.set(sample)
    for name, hook in hooks.items():
        client.on(name, hook)
    try:
        yield sample
    finally:
        for name, hook in hooks.items():
            client.off(name, hook)
        _recorded.reset(token)


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
