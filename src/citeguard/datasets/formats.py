"""The formats of exported samples: prompts, answers, pairs, and the forms that trainers read."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from typing import Any, Literal, cast, get_args

from pydantic import BaseModel, TypeAdapter

from citeguard.datasets.fields import Fields, MalformedSampleError
from citeguard.datasets.samples import CheckedSample, SampleChecker
from citeguard.errors import CiteguardError, check_text
from citeguard.judges.model_calls import as_instructor, contents_of
from citeguard.judges.prompts import Prompt
from citeguard.language.excerpts import escape_line_breaks
from citeguard.sources.collection import Source, Sources, as_sources
from citeguard.validation.models import Answer, Citation, HiddenFromLLM, Statement, stated_reason

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

_VERSION = 3  # of the texts below, which the card names
_SYSTEM = {
    "instruction": "You answer questions from the sources that come with them, and from nothing "
    "else. Support every statement with words that appear in a source.",
    "simple": "You answer questions from what you know.",
    "json": "Reply with one JSON object and nothing around it. It must fit this JSON Schema:\n\n"
    "{schema}",
    "text": "Reply in sentences. After every statement, add its evidence in square brackets: the "
    "id of the source, a colon, and the words of the source in quotation marks. Separate several "
    "quotes with semicolons.",
    "plain": "Reply in sentences, without citations.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """How samples are written; the choices are those of `export_samples`."""

    form: Form = "chat"
    prompt: PromptKind = "instruction"
    answer: AnswerKind | None = None
    system: str | None = None
    model: Any = Answer
    instructions: Prompt | None = field(init=False)
    _adapter: TypeAdapter[Any] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Reject choices that exclude each other before a sample is read."""
        if self.answer is None:
            is_simple = self.prompt == "simple" and not self.has_pairs
            object.__setattr__(self, "answer", "plain" if is_simple else "json")
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                known = ", ".join(map(repr, choices))
                raise CiteguardError(f"{name} must be one of {known}, not {getattr(self, name)!r}")
        check_text("system", self.system)
        if self.has_pairs and self.answer != "json":
            raise CiteguardError(f'form={self.form!r} needs answer="json", not {self.answer!r}')
        if self.prompt == "instruction" and self.answer == "plain":
            raise CiteguardError(
                'prompt="instruction" asks for quotes, which answer="plain" omits; use '
                'answer="text"'
            )
        model = self.model
        if self.answer != "json" and not (isinstance(model, type) and issubclass(model, Answer)):
            raise CiteguardError(f"answer={self.answer!r} needs a model that is an Answer")
        object.__setattr__(self, "_adapter", TypeAdapter[Any](self.model))
        object.__setattr__(self, "instructions", self._instructions())

    @property
    def has_pairs(self) -> bool:
        """Whether each sample has a rejected answer."""
        return self.form in _PAIRS

    def record(self, question: str, sources: Sources, chosen: str, rejected: str = "") -> Any:
        """Return a sample in its form, as JSON-like data."""
        asked = question if self.prompt == "simple" else sources.as_prompt(question)
        prompt = [{"role": "user", "content": asked}]
        if self.instructions is not None:
            prompt = [{"role": "system", "content": self.instructions.instructions}, *prompt]
        if self.form == "chat":
            return {"messages": [*prompt, *_reply(chosen)]}
        if self.form == "completion":
            texts = [message["content"] for message in prompt]
            return {"prompt": "\n\n".join([*texts, "Answer:\n"]), "completion": chosen}
        if self.form == "chosen-rejected":
            return {"prompt": prompt, "chosen": _reply(chosen), "rejected": _reply(rejected)}
        ends = {"preferred_output": _reply(chosen), "non_preferred_output": _reply(rejected)}
        return {"input": {"messages": prompt}, **ends}

    def answer_text(self, answer: Any) -> str:
        """Return a validated answer as a language model is to write it."""
        if self.answer != "json":
            with_quotes = self.answer == "text"
            texts = [_written(each, with_quotes=with_quotes) for each in answer.statements]
            left_open = stated_reason(answer.unanswerable)
            return " ".join(texts if left_open is None else [*texts, left_open.strip()])
        # Not in a pair: a source that only the chosen answer names would be a reason to choose it.
        names_sources = isinstance(answer, Answer) and not self.has_pairs
        given = _naming_sources(answer) if names_sources else answer
        data = self._adapter.dump_python(
            given, mode="json", by_alias=True, exclude=_excluded(given), warnings=False
        )
        return as_json(data)

    def _instructions(self) -> Prompt | None:
        if self.system is not None:
            is_blank = not self.system.strip()
            return None if is_blank else Prompt(version="own", instructions=self.system)
        names = self.prompt, cast("str", self.answer)
        text = "\n\n".join(_SYSTEM[name] for name in names)
        if self.answer == "json":
            text = text.replace("{schema}", as_json(self._adapter.json_schema()))
        return Prompt(version="+".join(f"{name}/{_VERSION}" for name in names), instructions=text)


def as_json(data: Any) -> str:
    """Return data as JSON on one line, whatever a reader takes for a line break."""
    # JSON allows U+2028 in a text, where some readers of lines begin another one.
    return escape_line_breaks(json.dumps(data, ensure_ascii=False))


def _reply(text: str) -> list[Message]:
    return [{"role": "assistant", "content": text}]


def _written(statement: Statement, *, with_quotes: bool) -> str:
    quotes = "; ".join(
        f"{each.span.source_id}: {json.dumps(each.quote, ensure_ascii=False)}"
        for each in statement.citations or ()
        if with_quotes
    )
    return f"{statement.text.strip()} [{quotes}]" if quotes else statement.text.strip()


def _naming_sources(answer: Answer) -> Answer:
    """Return an answer whose citations name their sources, as the prompt asks for."""

    def naming(citation: Citation) -> Citation:
        if citation.source_id is not None or not citation.spans:
            return citation
        return citation.model_copy(update={"source_id": citation.span.source_id})

    statements = [
        each.model_copy(update={"citations": each.citations and [*map(naming, each.citations)]})
        for each in answer.statements
    ]
    return answer.model_copy(update={"statements": statements})


def _excluded(value: Any) -> dict[Any, Any]:
    """Return the parts that no language model fills in, as Pydantic's `exclude` takes them."""
    parts = dict(_parts(value))
    excluded: dict[Any, Any] = {key: own for key, part in parts.items() if (own := _excluded(part))}
    if isinstance(value, BaseModel):
        excluded.update(dict.fromkeys(type(value).model_computed_fields, True))
        for name, info in type(value).model_fields.items():
            is_default_null = parts[name] is None and info.default is None
            if is_default_null or name in hidden_fields(type(value)):
                excluded[name] = True
    return excluded


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


@cache
def hidden_fields(model: type[BaseModel]) -> frozenset[str]:
    """Return the names of the fields that are hidden from the language model."""
    return frozenset(
        name
        for name, info in model.model_fields.items()
        if any(isinstance(each, HiddenFromLLM) for each in info.metadata)
    )


# What validation adds to an attempt that was dumped.
_HIDDEN = frozenset[str]().union(*map(hidden_fields, (Answer, Statement, Citation)))


def rejected_text(
    checker: SampleChecker, attempts: Any, question: str, sources: Sources, chosen: str
) -> str:
    """Return the last of one or several attempts that fails, written like the chosen answer.

    The checker has the model and the policy of the samples, and no fields or sources of its own.
    It is a malformed sample if there is no attempt, none fails, a judge could not decide, or it is
    the same as the chosen answer.
    """
    shared = {"question": question, "sources": [source_data(source) for source in sources]}
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


def source_data(source: Source) -> dict[str, Any]:
    """Return a source as a sample has it."""
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
    sample: dict[str, Any] = {
        "question": question,
        "sources": [source_data(source) for source in as_sources(sources)],
        "answer": None,
        "rejected": list[str](),
    }

    def add(response: Any) -> None:
        # Hooks are the client's, so that those of other calls under way come here, too.
        if _recorded.get() is sample:
            sample["answer"] = _text_of(response)

    def reject(error: Exception) -> None:
        if _recorded.get() is sample and sample["answer"] is not None:
            sample["rejected"].append(sample["answer"])
        give_up(error)

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
    """Return the arguments of a reply's tool call, or its text, or the JSON object inside it."""
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
