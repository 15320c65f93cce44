"""Where a sample keeps its answer, its question and its sources: `Fields`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, cast

import jmespath
from jmespath.exceptions import JMESPathError
from pydantic import BaseModel

from citeguard.documents.files import parse_json
from citeguard.errors import CiteguardError

ANNOTATION = "citeguard"
"""The key, or column, in which a filter writes the outcome of a sample."""

_FENCE = "```"
_OPERATORS = frozenset(".[](){}|*?@&`'\"")


class MalformedSampleError(Exception):
    """A sample cannot be read as an answer with sources; the message says why."""

    def __init__(self, message: str, code: str = "sample_malformed") -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """Where samples keep their parts: each field is a key or a JMESPath expression.

    The defaults fit `{"question": …, "statements": [{"text": …, "citations": [{"quote": …,
    "source_id": …}]}], "sources": …}`, and raw generations in `answer`: an object, or JSON in a
    string, with or without a Markdown fence. A key that the sample has takes precedence over the
    same text read as an expression, dots included.

    Attributes:
        sources: What the answer is checked against, as `Sources` takes it: `{id: text}`, a list of
            texts or of objects with an `id` and a `text`, or one text. If all samples share
            sources, a text here is the id of one of them.
        question: The question.
        answer: The whole answer: an object, JSON in a string, or, with `quotes`, plain text.
        statements: The statements: objects with `text` and `citations`, or, with `quotes`, texts.
        quotes: The quotes, if they are not inside citations. For a plain-text answer, a text or a
            list; for statements, as many texts or lists as there are statements. A quote may also
            be an object with `quote` and `source_id`.
        quoted_from: The source ids of these quotes: one for all, or in the shape of `quotes`.

    Raises:
        CiteguardError: an invalid JMESPath expression.

    Examples:
        >>> fields = Fields(answer="response", quotes="evidence[].text", sources="contexts")
        >>> sample = {"response": "A month.", "evidence": [{"text": "one month"}]}
        >>> fields.data_of(sample)
        {'statements': [{'text': 'A month.', 'citations': [{'quote': 'one month'}]}]}
    """

    sources: str = "sources"
    question: str = "question"
    answer: str = "answer"
    statements: str = "statements"
    quotes: str | None = None
    quoted_from: str | None = None

    def __post_init__(self) -> None:
        """Compile the expressions now; a misspelt one would find nothing in any sample."""
        for each in fields(self):
            if (value := getattr(self, each.name)) is not None or each.default is not None:
                _check(f"Fields({each.name}={value!r})", value)
        if self.quoted_from is not None and self.quotes is None:
            raise CiteguardError("Fields(quoted_from=...) must be given together with quotes")

    def find(self, name: str, sample: Mapping[str, Any]) -> Any:
        """Return the value of a field of a sample, or `None`.

        Raises:
            MalformedSampleError: the expression cannot be evaluated on this sample.
        """
        return _find(name, getattr(self, name), sample)

    def question_of(self, sample: Mapping[str, Any]) -> str | None:
        """Return the sample's question, or `None` if it has none or it is not a string."""
        question = self.find("question", sample)
        return question if isinstance(question, str) else None

    def data_of(self, sample: Mapping[str, Any], *, whole: bool = False) -> Any:
        """Return what is to be validated: an object, or JSON in a string.

        This is the answer if it is an object or JSON; else the statements. Without either, or if
        `whole` is set, as for models with further fields, it is the sample without its sources and
        without the annotation of an earlier filter.

        Raises:
            MalformedSampleError: there is no answer, or quotes and statements do not match.
        """
        answer, statements = self.find("answer", sample), self.find("statements", sample)
        if self.quotes is not None:
            return {"statements": self._quoted(answer, statements, sample)}
        is_object = isinstance(answer, (Mapping, BaseModel))
        json_text = _find_json(answer) if isinstance(answer, str) else None
        if statements is not None and (is_object or json_text is not None):
            raise MalformedSampleError(
                f"an answer at {self.answer!r} and statements at {self.statements!r}, of which "
                "only one would be checked; remove the other"
            )
        if is_object:
            return cast("Any", answer)
        if json_text is not None:
            try:
                # For the check alone: a duplicate key is an error here, as it is in a line.
                parse_json(json_text, f"the text at {self.answer!r}")
            except CiteguardError as error:
                raise MalformedSampleError(str(error), "json_invalid") from error
            return json_text
        refused = sample.get("unanswerable")  # why nothing is answered, beside the statements
        said: Any = [] if statements is None and refused else statements
        data: dict[str, Any] = {} if said is None else {"statements": said}
        if data and not whole:
            return data if refused is None else data | {"unanswerable": refused}
        # A model may forbid other fields, and what an earlier filter wrote is none of the sample's.
        omitted = (self.sources, ANNOTATION)
        return {key: value for key, value in sample.items() if key not in omitted} | data

    def _quoted(self, answer: Any, statements: Any, sample: Mapping[str, Any]) -> list[Any]:
        """Return statements with the quotes beside them, or the answer as one statement."""
        quotes, ids = self.find("quotes", sample), self.find("quoted_from", sample)
        if statements is None:
            if not isinstance(answer, str):
                message = (
                    f"no text at {self.answer!r} (answer) and nothing at {self.statements!r} "
                    "(statements)"
                )
                raise MalformedSampleError(message, "answer_missing")
            statements, quotes, ids = [answer], [quotes], [ids]
        texts, quotes_of_each = _as_list(statements), _as_list(quotes)
        if len(quotes_of_each) != len(texts):
            raise MalformedSampleError(
                f"{len(texts)} statements at {self.statements!r}, but quotes for "
                f"{len(quotes_of_each)} at {self.quotes!r}"
            )
        written: list[Any] = []
        for text, own, its in zip(texts, quotes_of_each, _ids_for(len(texts), ids), strict=True):
            listed = _as_list(own)
            citations: list[Any] = [
                quote
                if isinstance(quote, Mapping)
                else {"quote": quote, **({} if source_id is None else {"source_id": source_id})}
                for quote, source_id in zip(listed, _ids_for(len(listed), its), strict=True)
            ]
            written.append({"text": text, "citations": citations})
        return written


def field_getter(argument: str, expression: str | None) -> Callable[[Mapping[str, Any]], Any]:
    """Return a function that finds a value in a sample as `Fields.find` does, or `None`.

    Raises:
        CiteguardError: an invalid JMESPath expression.

    Examples:
        >>> field_getter("group", "about.valley")({"about": {"valley": 3}})
        3
    """
    if expression is not None:
        _check(f"{argument}={expression!r}", expression)
    return lambda sample: _find(argument, expression, sample)


def _find(name: str, key: str | None, sample: Mapping[str, Any]) -> Any:
    # Before it is taken for an expression: a key may have a dot or a hyphen in it.
    if key is None or key in sample:
        return None if key is None else sample[key]
    try:
        return _compiled(key).search(sample)
    except JMESPathError as error:
        message = f"cannot evaluate {key!r} ({name}) on the sample: {error}"
        raise MalformedSampleError(message) from error


def _check(shown: str, expression: Any) -> None:
    if not isinstance(expression, str) or not expression:
        raise CiteguardError(f"{shown} must be a key or a JMESPath expression")
    try:
        _compiled(expression)
    except JMESPathError as error:
        raise CiteguardError(
            f"{shown} must be a key or a valid JMESPath expression (if it is a key, put it in "
            f"double quotes): {error}"
        ) from error


@cache
def _compiled(expression: str) -> Any:
    # "my answer" is not an expression, but may well be a key.
    is_key = _OPERATORS.isdisjoint(expression)
    return jmespath.compile(json.dumps(expression) if is_key else expression)


def _find_json(text: str) -> str | None:
    """Return the JSON object that is the text, or that its Markdown fence holds, or `None`."""
    _, fence, fenced = text.partition(_FENCE)
    inside = fenced.rpartition(_FENCE)[0].strip().removeprefix("json") if fence else ""
    candidates = (text.strip(), inside.strip())
    return next((each for each in candidates if each.startswith("{")), None)


def _ids_for(count: int, ids: Any) -> Sequence[Any]:
    """Return a source id for each of `count` quotes; one id stands for all."""
    if ids is None or isinstance(ids, str):
        return [ids] * count
    listed = _as_list(ids)
    if len(listed) != count:
        raise MalformedSampleError(f"{count} quotes, but source ids for {len(listed)}")
    return listed


def _as_list(value: Any) -> Sequence[Any]:
    if value is None:
        return []
    return cast("Sequence[Any]", value) if isinstance(value, (list, tuple)) else [value]
