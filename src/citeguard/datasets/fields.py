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

from citeguard.datasets.tables import ANNOTATION
from citeguard.documents.files import parse_json
from citeguard.errors import CiteguardError

_FENCE = "```"
_OPERATORS = frozenset(".[](){}|*?@&`'\"")


class MalformedSampleError(Exception):
    """A sample cannot be read as an answer with sources; the message says what is wrong with it."""

    def __init__(self, message: str, code: str = "sample_malformed") -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """Where a sample keeps what, each as a key or, for what lies deeper, a JMESPath expression.

    The defaults fit `{"question": …, "statements": [{"text": …, "citations": [{"quote": …,
    "source_id": …}]}], "sources": …}`, and generations that are kept as they came, in `answer`: as
    an object, or as JSON in a text, with or without a Markdown fence. A key that the sample has is
    taken as it is, dots and all.

    Attributes:
        sources: What the answer is checked against: `{id: text}`, a list of texts or of objects
            with an `id`, a `text` and perhaps a `title` and a `url`, or one text. Where sources are
            shared by all samples, a text here is the id of one of them.
        question: What was asked.
        answer: The answer, whole: an object, JSON in a text, or, with `quotes`, plain text.
        statements: Its statements: objects with `text` and `citations`, or, with `quotes`, texts.
        quotes: The quotes, where they do not stand in citations: of a plain-text answer, a text or
            a list; of statements, as many texts or lists as there are statements. A quote may be an
            object with `quote` and `source_id`, too.
        quoted_from: The ids of the sources of these quotes: one for all, or in the shape of
            `quotes`.

    Raises:
        CiteguardError: an expression that JMESPath cannot read.

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
        """Read the expressions at once; a misspelt one would find nothing in any sample."""
        for each in fields(self):
            if (value := getattr(self, each.name)) is not None or each.default is not None:
                _check(each.name, value)
        if self.quoted_from is not None and self.quotes is None:
            raise CiteguardError("Fields(quoted_from=...) names the sources of quotes: name quotes")

    def find(self, name: str, sample: Mapping[str, Any]) -> Any:
        """Return what a sample keeps in a field, or `None`.

        Raises:
            MalformedSampleError: the expression does not fit what the sample holds.
        """
        return _found(name, getattr(self, name), sample)

    def question_of(self, sample: Mapping[str, Any]) -> str | None:
        """Return what was asked, if the sample says so in a text."""
        question = self.find("question", sample)
        return question if isinstance(question, str) else None

    def data_of(self, sample: Mapping[str, Any], *, whole: bool = False) -> Any:
        """Return what is to be validated: an object, or JSON in a text.

        It is the answer if that is an object or JSON; else the statements; else, or if the `whole`
        of it is asked for, as models of your own have further fields, the sample without its
        sources and without what an earlier filter wrote beside it.

        Raises:
            MalformedSampleError: there is none, or quotes and statements do not go together.
        """
        answer, statements = self.find("answer", sample), self.find("statements", sample)
        if self.quotes is not None:
            return {"statements": self._quoted(answer, statements, sample)}
        if isinstance(answer, (Mapping, BaseModel)):
            return cast("Any", answer)
        if isinstance(answer, str) and (json_text := _json_in(answer)) is not None:
            _require_json(json_text, self.answer)
            return json_text
        said = {} if statements is None else {"statements": statements}
        if said and not whole:
            return said
        unsaid = (self.sources, ANNOTATION)
        return {key: value for key, value in sample.items() if key not in unsaid} | said

    def _quoted(self, answer: Any, statements: Any, sample: Mapping[str, Any]) -> list[Any]:
        quotes = self.find("quotes", sample)
        ids = None if self.quoted_from is None else self.find("quoted_from", sample)
        if statements is None:
            if not isinstance(answer, str):
                told = f"no text at {self.answer!r} (answer), nothing at {self.statements!r}"
                raise MalformedSampleError(f"{told} (statements)", "answer_missing")
            return [{"text": answer, "citations": _citations(quotes, ids)}]
        texts = _listed(statements)
        each_quotes, each_ids = _listed(quotes), _spread(ids, len(texts))
        if len(each_quotes) != len(texts):
            raise MalformedSampleError(
                f"{len(texts)} statements at {self.statements!r}, but quotes for "
                f"{len(each_quotes)} at {self.quotes!r}"
            )
        return [
            {"text": text, "citations": _citations(own, own_ids)}
            for text, own, own_ids in zip(texts, each_quotes, each_ids, strict=True)
        ]


def finding(argument: str, expression: str | None) -> Callable[[Mapping[str, Any]], Any]:
    """Return what finds a value in a sample, by a key or an expression as in `Fields`, or `None`.

    What it returns raises a `MalformedSampleError` where `Fields.find` does.

    Args:
        argument: What errors call it.
        expression: The key or the expression; without one, nothing is found.

    Raises:
        CiteguardError: an expression that JMESPath cannot read.

    Examples:
        >>> finding("group", "about.valley")({"about": {"valley": 3}})
        3
    """
    if expression is not None:
        try:
            _check(argument, expression)
        except CiteguardError as error:
            told = f"{argument} must be a key or an expression, not {expression!r}"
            raise CiteguardError(told) from error
    return lambda sample: _found(argument, expression, sample)


def _found(name: str, key: str | None, sample: Mapping[str, Any]) -> Any:
    if key is None or key in sample:
        return None if key is None else sample[key]
    try:
        return _compiled(key).search(sample)
    except JMESPathError as error:
        raise MalformedSampleError(
            f"cannot read {key!r} ({name}) of the sample: {error}"
        ) from error


def _check(name: str, expression: Any) -> None:
    if not isinstance(expression, str) or not expression:
        raise CiteguardError(
            f"Fields({name}=...) must be a key or an expression, not {expression!r}"
        )
    try:
        _compiled(expression)
    except JMESPathError as error:
        told = (
            f"Fields({name}={expression!r}) is no expression that JMESPath can read (if it is a "
            f"key, put it into double quotes): {error}"
        )
        raise CiteguardError(told) from error


@cache
def _compiled(expression: str) -> Any:
    # "my answer" is no expression, and yet a key that may be there.
    is_key = _OPERATORS.isdisjoint(expression)
    return jmespath.compile(json.dumps(expression) if is_key else expression)


def _json_in(text: str) -> str | None:
    """Return the JSON object that a text is, or holds in a Markdown fence; `None` if neither."""
    _, fence, fenced = text.partition(_FENCE)
    inside = fenced.rpartition(_FENCE)[0].strip().removeprefix("json") if fence else ""
    candidates = (text.strip(), inside.strip())
    return next((each for each in candidates if each.startswith("{")), None)


def _require_json(text: str, name: str) -> None:
    """Refuse what a line may not be either, such as an object that has a key twice."""
    try:
        parse_json(text, f"the text at {name!r}")
    except CiteguardError as error:
        raise MalformedSampleError(str(error), "json_invalid") from error


def _citations(quotes: Any, ids: Any) -> list[Any]:
    listed = _listed(quotes)
    return [
        _citation(quote, source_id)
        for quote, source_id in zip(listed, _spread(ids, len(listed)), strict=True)
    ]


def _citation(quote: Any, source_id: Any) -> Any:
    if isinstance(quote, Mapping):
        return cast("Any", quote)
    return {"quote": quote} if source_id is None else {"quote": quote, "source_id": source_id}


def _spread(ids: Any, count: int) -> Sequence[Any]:
    """Return one id for each of `count` quotes: one for all, or as many as there are."""
    if ids is None or isinstance(ids, str):
        return [ids] * count
    listed = _listed(ids)
    if len(listed) != count:
        raise MalformedSampleError(f"{count} quotes, but ids of sources for {len(listed)}")
    return listed


def _listed(value: Any) -> Sequence[Any]:
    if value is None:
        return []
    if isinstance(value, (list, tuple)):
        return cast("Sequence[Any]", value)
    return [value]
