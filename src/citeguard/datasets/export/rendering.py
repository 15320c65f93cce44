"""What an exported sample looks like: prompts, answers, and the forms that trainers read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Literal, cast, get_args

from pydantic import BaseModel, TypeAdapter
from pydantic.fields import FieldInfo

from citeguard.datasets.export.prompts import system_message
from citeguard.errors import CiteguardError, check_text
from citeguard.judges.prompts import Prompt
from citeguard.language.excerpts import escape_line_breaks
from citeguard.sources.collection import Sources
from citeguard.validation.models import Answer, Citation, HiddenFromLLM, Statement

Form = Literal["chat", "completion", "preference", "chosen-rejected"]
PromptKind = Literal["instruction", "simple"]
AnswerKind = Literal["json", "text", "plain"]

_CHOICES: dict[str, tuple[str, ...]] = {
    "form": get_args(Form),
    "prompt": get_args(PromptKind),
    "answer": get_args(AnswerKind),
}
_PAIRS = ("preference", "chosen-rejected")

Message = dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """How samples are written.

    Attributes:
        form: `chat`, `preference` (both as OpenAI reads them), `completion`, or `chosen-rejected`.
        prompt: `instruction`: the question with its sources; `simple`: the question alone.
        answer: `json`: what the model would be parsed from; `text`: sentences, each with its
            quotes; `plain`: sentences alone. By default `json`, or `plain` for a simple prompt
            without pairs.
        system: The system message; the one that comes with the package when absent, none if empty.
        model: What answers are instances of.

    Raises:
        CiteguardError: a choice that does not exist, or two that do not go together.
    """

    form: Form = "chat"
    prompt: PromptKind = "instruction"
    answer: AnswerKind | None = None
    system: str | None = None
    model: Any = Answer
    instructions: Prompt | None = field(init=False)
    _adapter: TypeAdapter[Any] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse choices that contradict each other before a sample is read."""
        if self.answer is None:
            is_simple = self.prompt == "simple" and not self.has_pairs
            object.__setattr__(self, "answer", "plain" if is_simple else "json")
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                known = ", ".join(map(repr, choices))
                raise CiteguardError(f"{name} must be one of {known}, not {getattr(self, name)!r}")
        check_text("system", self.system)
        self._check_answer()
        object.__setattr__(self, "_adapter", TypeAdapter[Any](self.model))
        object.__setattr__(self, "instructions", self._instructions())

    @property
    def has_pairs(self) -> bool:
        """Whether a rejected answer belongs to each sample."""
        return self.form in _PAIRS

    def record(self, question: str, sources: Sources, chosen: str, rejected: str = "") -> Any:
        """Return a sample in its form, as an object for JSON."""
        prompt = self._messages(question, sources)
        if self.form == "chat":
            return {"messages": [*prompt, *_said(chosen)]}
        if self.form == "completion":
            told = [message["content"] for message in prompt]
            return {"prompt": "\n\n".join([*told, "Answer:\n"]), "completion": chosen}
        if self.form == "chosen-rejected":
            return {"prompt": prompt, "chosen": _said(chosen), "rejected": _said(rejected)}
        return {
            "input": {"messages": prompt},
            "preferred_output": _said(chosen),
            "non_preferred_output": _said(rejected),
        }

    def said(self, answer: Any) -> str:
        """Return a validated answer as a language model is to write it."""
        if self.answer == "plain":
            return " ".join(statement.text.strip() for statement in answer.statements)
        if self.answer == "text":
            return " ".join(map(_with_quotes, answer.statements))
        # In a pair, a source that only the chosen answer names would be what it is chosen for.
        is_named = isinstance(answer, Answer) and not self.has_pairs
        given = _naming_sources(answer) if is_named else answer
        data = self._adapter.dump_python(
            given, mode="json", by_alias=True, exclude=_left_out(given), warnings=False
        )
        return as_json(data)

    def _messages(self, question: str, sources: Sources) -> list[Message]:
        asked = question if self.prompt == "simple" else sources.as_prompt(question)
        user = {"role": "user", "content": asked}
        if self.instructions is None:
            return [user]
        return [{"role": "system", "content": self.instructions.instructions}, user]

    def _instructions(self) -> Prompt | None:
        if self.system is not None:
            is_given = bool(self.system.strip())
            return Prompt(version="own", instructions=self.system) if is_given else None
        known = system_message(self.prompt, cast("str", self.answer))
        if self.answer != "json":
            return known
        schema = as_json(self._adapter.json_schema())
        text = known.instructions.replace("{schema}", schema)
        return Prompt(version=known.version, instructions=text)

    def _check_answer(self) -> None:
        if self.has_pairs and self.answer != "json":
            raise CiteguardError(f'form={self.form!r} needs answer="json", not {self.answer!r}')
        if self.prompt == "instruction" and self.answer == "plain":
            raise CiteguardError(
                'prompt="instruction" asks for quotes, which answer="plain" leaves out; take '
                'answer="text"'
            )
        is_answer = isinstance(self.model, type) and issubclass(self.model, Answer)
        if self.answer != "json" and not is_answer:
            raise CiteguardError(f"answer={self.answer!r} needs a model that is an Answer")


def as_json(data: Any) -> str:
    """Write data as JSON on one line, for any reader's notion of a line."""
    return escape_line_breaks(json.dumps(data, ensure_ascii=False))


def alike(rejected: Any, chosen: Any) -> Any:
    """Return a rejected object written like the chosen one, in the order and choice of its keys.

    A preference is to teach what is said, not how keys are ordered, or that one may say null, nor
    what validation adds to an attempt that was dumped.

    Examples:
        >>> alike({"b": 1, "c": None, "a": 2}, {"a": 3, "b": 4})
        {'a': 2, 'b': 1}
    """
    if isinstance(rejected, Mapping) and isinstance(chosen, Mapping):
        model = cast("Mapping[str, Any]", chosen)
        given = cast("Mapping[str, Any]", rejected)
        keys = [
            *(key for key in model if key in given),
            *(key for key in given if key not in model),
        ]
        return {
            key: alike(given[key], model.get(key))
            for key in keys
            if key in model or (given[key] is not None and key not in _HIDDEN)
        }
    if isinstance(rejected, list):
        like = cast("list[Any]", chosen) if isinstance(chosen, list) else []
        return [alike(each, like[0] if like else None) for each in cast("list[Any]", rejected)]
    return cast("Any", rejected)


def _said(text: str) -> list[Message]:
    return [{"role": "assistant", "content": text}]


def _with_quotes(statement: Statement) -> str:
    quotes = "; ".join(map(_quoted, statement.citations or ()))
    return f"{statement.text.strip()} [{quotes}]" if quotes else statement.text.strip()


def _quoted(citation: Citation) -> str:
    return f"{citation.span.source_id}: {json.dumps(citation.quote, ensure_ascii=False)}"


def _naming_sources(answer: Answer) -> Answer:
    """Return an answer whose citations name their sources, as the prompt asks for."""
    statements = [
        each.model_copy(update={"citations": [*map(_naming_source, each.citations)]})
        if each.citations
        else each
        for each in answer.statements
    ]
    return answer.model_copy(update={"statements": statements})


def _naming_source(citation: Citation) -> Citation:
    if citation.source_id is not None or not citation.spans:
        return citation
    return citation.model_copy(update={"source_id": citation.span.source_id})


def _left_out(value: Any) -> dict[Any, Any]:
    """Return what of a value no language model fills in, as Pydantic's `exclude` takes it."""
    found = {key: (_left_out(each), each) for key, each in _parts(value)}
    left_out: dict[Any, Any] = {key: inner for key, (inner, _) in found.items() if inner}
    if isinstance(value, BaseModel):
        own = type(value)
        left_out.update(dict.fromkeys(own.model_computed_fields, True))
        for name, info in own.model_fields.items():
            is_default_null = found[name][1] is None and info.default is None
            if is_default_null or _is_hidden(info):
                left_out[name] = True
    return left_out


def _parts(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield name, getattr(value, name)
    elif is_dataclass(value):
        for each in fields(value):
            yield each.name, getattr(value, each.name)
    elif isinstance(value, Mapping):
        yield from cast("Mapping[Any, Any]", value).items()
    elif isinstance(value, (list, tuple)):
        yield from enumerate(cast("list[Any]", value))


def _is_hidden(info: FieldInfo) -> bool:
    return any(isinstance(each, HiddenFromLLM) for each in info.metadata)


_HIDDEN = frozenset(
    name
    for model in (Answer, Statement, Citation)
    for name, info in model.model_fields.items()
    if _is_hidden(info)
)
