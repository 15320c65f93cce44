"""How sources reach a validator, and what all rules for `Annotated[str, ...]` share.

The sources come with Pydantic's validation context, or from `use_sources`. The rules share a base
class, their errors, and how they read fields beside their own.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, LiteralString, cast

from pydantic import AliasChoices, AliasPath, GetCoreSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from citeguard.errors import (
    CiteguardError,
    InvalidSourcesError,
    MissingSourcesError,
    check_flag,
    check_text,
    described,
)
from citeguard.sources.collection import Source, Sources, Span, as_source, read_pairs
from citeguard.sources.matches import Edit
from citeguard.validation import messages

_HOW = (
    'Pass context=sources.as_context(), or context={"sources": {"id": "text"}}, '
    "or validate inside `with use_sources(sources):`."
)
_RENDERED = (
    "instructor renders its messages as templates if the context is a plain dict, so that a "
    "document can rewrite them: instead of {{{!r}: sources}} pass context=sources.as_context(), or "
    "sources.as_context() | {{...}}"
)
_KEYS = ("sources", "text_chunks", "text_chunk", "context")
# Callers with a plain dict usually have one; each entry keeps its texts in memory.
_KEPT = 8


@dataclass(frozen=True, slots=True)
class Grounding:
    """What a validator needs: the sources, and the policy or `None` for the default one.

    `policy.grounded` makes one from what users pass, and checks it. In its `memory` is what
    validation with it has to remember, by name.
    """

    sources: Sources
    policy: Any = None  # a `Policy`, which is defined above this module
    question: str | None = None
    memory: dict[str, Any] = field(
        default_factory=dict[str, Any], init=False, repr=False, compare=False
    )


class Context(dict[str, Any]):
    """Validation context that `instructor` passes on but does not render messages with.

    A truthy context makes `instructor` run every message through Jinja, by which a poisoned
    document could rewrite the evidence or read secrets; so this mapping is falsy, though not empty,
    and stays so when it is copied or merged by `|`. Python makes `{**context}` a plain dict; in
    that, too, no template can reach the sources, the policy or its judges.
    """

    def __init__(self, grounding: Grounding, /) -> None:
        super().__init__(citeguard=_Sealed(grounding))

    def __bool__(self) -> bool:
        """Return false, whatever is inside."""
        return False

    def copy(self) -> Context:
        """Return a copy, falsy too."""
        return self | {}

    def __or__(self, other: Any) -> Any:
        """Return a merged context, falsy too."""
        return _merged(self, other)

    def __ror__(self, other: Any) -> Any:
        """Return a merged context, falsy too."""
        return _merged(other, self)

    @property
    def grounding(self) -> Grounding:
        """The sources and the policy."""
        return self["citeguard"]._grounding  # pyright: ignore[reportPrivateUsage]


class _Sealed:
    """Holds a grounding where a template of Jinja's sandbox cannot reach it: behind `_`."""

    __slots__ = ("_grounding",)

    def __init__(self, grounding: Grounding) -> None:
        self._grounding = grounding

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Sealed) and other._grounding == self._grounding

    def __hash__(self) -> int:
        return hash(self._grounding)

    def __repr__(self) -> str:
        return "Grounding(...)"  # a template can print it, and the policy's judges may show secrets


def _merged(first: Mapping[str, Any], second: Mapping[str, Any]) -> Context:
    merged = Context.__new__(Context)
    merged.update(first)
    merged.update(second)
    return merged


current_grounding: ContextVar[Grounding | None] = ContextVar("citeguard_grounding", default=None)
"""The grounding of the enclosing `use_sources` block."""


def resolve(context: Any) -> Grounding:
    """Return the sources and the policy that a validation context carries.

    A context may be what `Sources.as_context` returns, a `Sources`, an object whose attribute
    `sources` is one, or a mapping with one of the keys "citeguard" (that of `as_context`),
    "sources", "text_chunks", "text_chunk" or "context", in this order, whose value is anything that
    `Sources` accepts, except an iterator. Sources built from a plain mapping are cached. Without a
    context, the enclosing `use_sources` block provides them; without one, it is a
    `MissingSourcesError`.

    `instructor` renders messages with a plain mapping, as it is truthy; not with `as_context`. So
    a mapping that holds a `Sources`, which has that method, causes a warning.
    """
    if context is None:
        if (current := current_grounding.get()) is None:
            raise MissingSourcesError(f"there are no sources to check quotes against. {_HOW}")
        return current
    # Nearly always a Context; comparing with `Mapping` takes longer.
    if type(context) is Context or isinstance(context, Mapping):
        return _from_mapping(cast("Mapping[Any, Any]", context))
    if isinstance(context, Grounding):
        return context
    sources = context if isinstance(context, Sources) else getattr(context, "sources", None)
    if not isinstance(sources, Sources):
        raise InvalidSourcesError(
            f"a validation context of type {described(context)} cannot be read as sources. {_HOW}"
        )
    return Grounding(sources)


def _from_mapping(context: Mapping[Any, Any]) -> Grounding:
    # By name, as the module of `Policy` imports this one.
    kind = cast("type[object]", type(context.get("policy")))
    if kind.__name__ == "Policy" and kind.__module__.startswith("citeguard."):
        raise CiteguardError(
            "a policy under a key of its own does not count: pass sources.as_context(policy), or "
            "validate inside `with use_sources(sources, policy):`"
        )
    given = context.get("citeguard")
    if isinstance(given, _Sealed):
        return given._grounding  # pyright: ignore[reportPrivateUsage]
    if isinstance(given, Grounding):
        return given
    for key in ("citeguard", *_KEYS):
        if context.get(key) is not None:
            if isinstance(context[key], Sources):
                # Once for each line of the program: that is how Python filters warnings.
                warnings.warn(_RENDERED.format(key), stacklevel=2)
            return Grounding(_prepare(context[key]))
    empty = next((f": {key!r} is None" for key in _KEYS if key in context), "")
    keys = ", ".join(repr(key)[:40] for key in list(context)[:5]) or "none"
    other = f"; its keys: {keys}; expected one of {', '.join(map(repr, _KEYS))}"
    raise MissingSourcesError(f"the validation context holds no sources{empty or other}. {_HOW}")


def _prepare(given: Any) -> Sources:
    if isinstance(given, Sources):
        return given
    try:
        # The first quote would exhaust an iterator, and the second would find no sources.
        if isinstance(given, Iterator):
            kind = described(cast("object", given))
            raise InvalidSourcesError(
                f"sources in a context must be a mapping, a list or a str, not {kind}"
            )
        return _build(tuple(read_pairs(given)))
    except InvalidSourcesError as error:
        raise InvalidSourcesError(f"{error}. {_HOW}") from None


@lru_cache(maxsize=_KEPT)
def _build(pairs: tuple[tuple[str, str | Source], ...]) -> Sources:
    return Sources([as_source(*pair) for pair in pairs])


def custom_error(code: LiteralString, message: str, **facts: Any) -> PydanticCustomError:
    """Build the error of one code: a message for the language model, facts for a program."""
    # Pydantic fills a template's names one after the other, so the message must come last.
    # A `ValueError` would be prefixed with "Value error," and end with a link to Pydantic's pages.
    facts = {name: encodable(fact) for name, fact in facts.items() if fact is not None}
    return PydanticCustomError(code, "{message}", {**facts, "message": message})


class Siblings:
    """The fields of a model that were validated before the one that is being checked.

    Its `type` is that of the one that is being checked, without annotations.
    """

    def __init__(self, info: ValidationInfo[Any], model: Any, annotated: Any) -> None:
        self.type = annotated
        self._info = info
        self._model = model

    @property
    def field(self) -> str | None:
        """The field that is being checked, as the data has it; `None` outside a model."""
        own = self._info.field_name
        return None if own is None else self.written(own)

    def written(self, field: str) -> str:
        """Return what a field is called in the data: its alias, if it has one."""
        return written_name(self._model, field)

    def read(self, parameter: str, field: str) -> tuple[Any, bool]:
        """Return a field's value, and whether it is there: a field that failed is not."""
        data = self._info.data
        if data is None:  # pyright: ignore[reportUnnecessaryComparison]
            raise CiteguardError(f"{parameter}={field!r} names a field, but there is no model")
        own, names = self._info.field_name, _field_names(self._model)
        if field not in data and own in names and field not in names[: names.index(own)]:
            problem = (
                f"must be declared before {own!r} in {self._model.__name__}"
                if field in names
                else f"is not a field of {self._model.__name__}"
            )
            raise CiteguardError(f"{parameter}={field!r} {problem}")
        return data.get(field), field in data

    def is_earlier(self, field: str) -> bool:
        """Return whether a field is declared earlier; if it then has no value, it failed."""
        own, names = self._info.field_name, _field_names(self._model)
        return own in names and field in names[: names.index(own)]

    def source_id(self, field: str | None) -> str | None:
        """Return the source id in a field; `None` without a field, or if it holds `None`."""
        if field is None:
            return None
        value, there = self.read("source_field", field)
        if not there:
            raise custom_error("source_unknown", messages.source_unread(self.written(field)))
        return value if value is None or isinstance(value, str) else str(value)


class TextRule:
    """A rule for `Annotated[str, ...]`: checks the text after its own validation; `None` passes."""

    __slots__ = ()

    def _check(self, text: str, grounding: Grounding, siblings: Siblings) -> str:
        """Return the text to keep, or raise a `PydanticCustomError`."""
        raise NotImplementedError

    def _check_settings(self) -> None:
        """Reject a flag that is not a `bool`, and a name of a field that is empty or not a text."""
        rule: Any = self  # every rule is a dataclass
        for each in fields(rule):
            value = getattr(rule, each.name)
            if isinstance(each.default, bool):
                check_flag(each.name, value)
            elif each.name.endswith("_field"):
                check_text(each.name, value)
                if value == "":
                    raise CiteguardError(f"{each.name} must be the name of a field, not ''")

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler | None = None
    ) -> CoreSchema:
        """Check after the field's own validation."""
        # Without parentheses Pydantic calls this on the class, with one argument less.
        if handler is None:
            raise CiteguardError(
                "a rule lacks its parentheses: write, for example, Annotated[str, FuzzyQuote()]"
            )
        return self.after(handler(source), handler, source)

    def after(
        self, schema: CoreSchema, handler: GetCoreSchemaHandler, annotated: Any
    ) -> CoreSchema:
        """Return a schema that checks what another one has validated."""
        # Pydantic has no public name for the class whose schema is being built; without it a wrong
        # field name is an error of the data.
        stack = getattr(getattr(handler, "_generate_schema", None), "model_type_stack", None)
        model = stack.get() if stack is not None else None

        def checked(value: Any, info: ValidationInfo[Any]) -> str | None:
            grounding = resolve(info.context)
            if value is None:
                return None
            if not isinstance(value, str):
                rule = type(self).__name__
                raise CiteguardError(f"{rule}(): expected a str field, got {described(value)}")
            return self._check(value, grounding, Siblings(info, model, annotated))

        # Never before or around the field's own: such validators get JSON as Python's objects, and
        # with instructor's `strict=True` a tuple, a set or a date would be rejected.
        return core_schema.with_info_after_validator_function(checked, schema)


def encodable(fact: Any) -> Any:
    """Escape lone surrogates, with which Pydantic could print nothing."""
    match fact:
        case str():
            return fact if fact.isascii() else fact.encode("utf-8", "backslashreplace").decode()
        case tuple():
            return tuple(map(encodable, cast("tuple[Any, ...]", fact)))
        # If all is ASCII, building another would only take longer.
        case list():
            return list(map(encodable, cast("list[Any]", fact)))
        case dict():
            pairs = cast("dict[Any, Any]", fact).items()
            return {encodable(name): encodable(each) for name, each in pairs}
        case Edit() if not (fact.quoted + fact.source).isascii():
            return replace(fact, quoted=encodable(fact.quoted), source=encodable(fact.source))
        case Span() if not fact.source_id.isascii():
            return replace(fact, source_id=encodable(fact.source_id))
        case _:
            return fact


def written_name(model: Any, field: str) -> str:
    """Return what a field of a model is called in the JSON that a language model writes."""
    info = getattr(model, "__pydantic_fields__", {}).get(field)
    alias = None if info is None else info.validation_alias or info.alias
    if isinstance(alias, AliasChoices):
        alias = alias.choices[0]
    if isinstance(alias, AliasPath):
        alias = alias.path[0]
    return alias if isinstance(alias, str) else field


def _field_names(model: Any) -> list[str]:
    kinds = ("model_fields", "__dataclass_fields__", "__annotations__")
    return list(next((getattr(model, kind) for kind in kinds if hasattr(model, kind)), ()))
