"""Answers and other models that keep what is valid and lose the rest: `Policy(invalid="drop")`.

A list is validated, what is wrong is taken out of it, and the rest is validated again. For the
statements of an `Answer` this is part of its schema, and happens wherever one is validated. Other
models know nothing of it: `verify` and guarded clients use a `salvaging_validator`.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Generator,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    ValuesView,
)
from contextlib import contextmanager
from contextvars import ContextVar
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Annotated, Any, cast

from pydantic import BaseModel, GetCoreSchemaHandler, TypeAdapter, ValidationError, ValidationInfo
from pydantic_core import CoreSchema, SchemaValidator, core_schema, to_json

from citeguard.validation.context import encodable, resolve
from citeguard.validation.policy import policy_of

_DROPPED = "citeguard_dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementError:
    """One error of a statement that was dropped.

    Attributes:
        code: The error's code.
        message: The error's message.
        loc: Where in the statement it is, as Pydantic gives it.
    """

    code: str
    message: str
    loc: tuple[int | str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A statement that an answer has lost, or an item that another model has, as it was wrong.

    Attributes:
        statement: The statement, or the item, as the language model wrote it.
        errors: What is wrong with it; at least one error.
    """

    statement: Any
    errors: tuple[StatementError, ...]


def with_drops(schema: CoreSchema, model: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    """Return the schema of an answer, whose list of statements loses what the policy drops."""
    inner: Any = handler.resolve_ref_schema(schema)
    while "fields" not in inner:
        inner = handler.resolve_ref_schema(inner["schema"])
    parent = inner["fields"]["statements"]
    while "schema" in parent and parent["schema"]["type"] != "list":
        parent = parent["schema"]
    if "schema" in parent:  # else it is done already, or a subclass has no list
        parent["schema"] = _wrapped(parent["schema"], _kept, lambda: _statements_of(model))
    return schema


def _wrapped(
    schema: CoreSchema, kept: Callable[[Any, Any, Any], Any], validator: Callable[[], Any]
) -> CoreSchema:
    """Return the schema of a list or a mapping in which a function decides what is kept.

    It is called with the value, what validates it, and Pydantic's information; `validator` returns
    what validates the same from JSON.
    """

    def strictly_kept(value: Any, handler: Callable[[Any], Any], info: ValidationInfo[Any]) -> Any:
        # A function gets JSON as Python's objects, which a strict schema rejects as JSON.
        def validate(given: Any) -> Any:
            return validator().validate_json(to_json(given), strict=True, context=info.context)

        return kept(value, validate if info.mode == "json" else handler, info)

    lax, strict = (
        core_schema.with_info_wrap_validator_function(function, schema)
        for function in (kept, strictly_kept)
    )
    return core_schema.lax_or_strict_schema(lax, strict)


@lru_cache(maxsize=32)
def _statements_of(model: Any) -> TypeAdapter[Any]:
    field = model.model_fields["statements"]
    statements: Any = Annotated[(field.annotation, None, *field.metadata)]  # type: ignore[misc]
    return TypeAdapter[Any](statements)


def _kept(value: Any, validate: Callable[[Any], Any], info: ValidationInfo[Any]) -> Any:
    """Return validated statements, without those that the policy drops."""
    if not _drops(info, "drop"):
        return validate(value)
    if isinstance(value, (Iterator, KeysView, ValuesView)):
        value = list(cast("Iterable[Any]", value))  # they are read twice, by place
    with tolerating(False):
        # The validator of the field `dropped` takes over what is put here.
        kept, info.data[_DROPPED] = _split(value, validate, least=1)
    return kept


def read_dropped(model: Any, given: Any, info: ValidationInfo[Any]) -> tuple[Dropped, ...]:
    """Return what an answer has lost; what a loaded one had lost is examined again."""
    if not _drops(info, "drop", "salvage"):
        loaded = cast("Iterable[Any]", given) if isinstance(given, tuple) else ()
        return tuple(each for each in loaded if isinstance(each, Dropped))
    dropped: tuple[Dropped, ...] = info.data.pop(_DROPPED, ())
    again: list[Any] = []  # the statements that a loaded answer had lost
    for each in cast("Iterable[Any]", given) if isinstance(given, (list, tuple)) else ():
        if isinstance(each, Dropped):
            again.append(each.statement)
        elif isinstance(each, Mapping) and "statement" in each:
            again.append(each["statement"])
    if again and "statements" in info.data:
        adapter, names = _statements_of(model), {"by_alias": True, "by_name": True}
        validate = partial(adapter.validate_python, context=info.context, **names)
        kept, still = _split(again, validate)
        info.data["statements"] += kept
        dropped += still
    return dropped


def _drops(info: ValidationInfo[Any], *policies: str) -> bool:
    # Not at an assignment, which sees the fields behind its own, too.
    return policy_of(resolve(info.context)).invalid in policies and "usage" not in info.data


def _split(
    statements: Any, validate: Callable[[Any], Any], *, least: int = 0
) -> tuple[Any, tuple[Dropped, ...]]:
    """Return valid statements, and the others; raise if `least` are not left, or undecided."""
    try:
        return validate(statements), ()
    except ValidationError as error:
        if not isinstance(statements, Collection):
            raise
        is_mapping = isinstance(statements, Mapping)
        items = cast("Collection[Any]", statements)
        listed: dict[Any, Any] = dict(cast("Any", items) if is_mapping else enumerate(items))
        found: dict[Any, list[StatementError]] = {place: [] for place in listed}
        for line in error.errors(include_url=False, include_context=False, include_input=False):
            place, *inside = line["loc"] or (None,)
            if place in found:
                problem = StatementError(code=line["type"], message=line["msg"], loc=tuple(inside))
                found[place].append(problem)
        # What is only undecided is not wrong.
        wrong = {
            place: errors
            for place, errors in found.items()
            if any(each.code != "undecided" for each in errors)
        }
        if not wrong or len(listed) - len(wrong) < least:
            raise
    rest: Any = {place: each for place, each in listed.items() if place not in wrong}
    if not is_mapping:
        rest = [*rest.values()]
        # A strict schema takes no list for one of these.
        kinds: tuple[Any, ...] = (tuple, set, frozenset)
        rest = next((kind(rest) for kind in kinds if isinstance(items, kind)), rest)
    dropped = (lost(listed[place], errors) for place, errors in wrong.items())
    return validate(rest) if rest else rest, tuple(dropped)


def lost(statement: Any, errors: Iterable[StatementError]) -> Dropped:
    """Return a statement that is dropped, as data that nobody else changes."""
    is_model = isinstance(statement, BaseModel)
    plain = statement.model_dump(warnings=False) if is_model else deepcopy(statement)
    return Dropped(statement=encodable(plain), errors=tuple(errors))


@lru_cache(maxsize=8)  # as many as `verify` keeps adapters
def salvaging_validator(adapter: TypeAdapter[Any]) -> SchemaValidator:
    """Return a validator of a type, in which models lose what the policy drops.

    An item that is wrong is dropped from the innermost list or mapping that keeps another one; if
    none does, the error stands. The attribute `dropped` of the model whose field has it is a tuple
    of what it lost. An `Answer` in it loses whole statements, as it does by itself. Tuples of a
    fixed length and typed dicts lose no members.
    """
    # A model's own validator, which would be used otherwise, knows nothing of this.
    return SchemaValidator(_Salvage(adapter.core_schema).schema(), _use_prebuilt=False)


# The data of the model that a collection of strict JSON is in.
_outer_data: ContextVar[dict[str, Any] | None] = ContextVar("citeguard_outer_data", default=None)
_COLLECTIONS = ("list", "dict", "tuple", "set", "frozenset", "deque")
_AROUND = ("nullable", "default", "function-before", "function-after")
_MODELS = ("model", "dataclass", "typed-dict")
# Parts of a core schema that have no schema to validate by in them.
_NO_SCHEMA = ("cls", "config", "metadata", "serialization")


class _Salvage:
    """Builds the schema of a type in which the collections of models lose what is wrong."""

    def __init__(self, schema: Any) -> None:
        self._schema = schema
        self._definitions: list[Any] = schema.get("definitions", [])
        self._aliases = {
            each["ref"]: {name: part for name, part in each.items() if name != "ref"}
            for each in self._definitions
            if _inside(each, *_AROUND)["type"] not in _MODELS
        }

    def schema(self) -> Any:
        """Return the schema in which collections of models' fields salvage."""
        return self._salvaging(self._schema, in_model=False)

    def _salvaging(self, schema: Any, *, in_model: bool) -> Any:
        if isinstance(schema, list):
            return [self._salvaging(each, in_model=in_model) for each in cast("list[Any]", schema)]
        if not isinstance(schema, dict):
            return schema
        given = cast("dict[str, Any]", schema)
        kind: Any = given.get("type")
        if kind == "typed-dict" or given.get("slots"):
            return given  # there is no place for an attribute
        if kind == "model" and getattr(given["cls"], "_dropped_whole", False):
            return given  # an `Answer`, which does so by itself, or a part of one
        if kind == "definition-ref" and in_model:
            return self._seen_through(given)
        is_root = kind == "model" and given.get("root_model", False)
        in_model = (in_model and not is_root) or kind in ("model-fields", "dataclass-args")
        made: Any = {
            name: each if name in _NO_SCHEMA else self._salvaging(each, in_model=in_model)
            for name, each in given.items()
        }
        collection = given
        while is_root and collection is not (inner := self._without_alias(collection)):
            collection = inner
        is_fixed = collection.get("type") == "tuple" and len(collection["items_schema"]) > 1
        if (in_model or is_root) and collection.get("type") in _COLLECTIONS and not is_fixed:
            return self._losing(made, is_root=is_root)
        return made

    def _seen_through(self, reference: dict[str, Any]) -> Any:
        name = reference["schema_ref"]
        alias = self._aliases.pop(name, None)  # one that refers to itself is seen through once
        if alias is None:
            return reference
        made = self._salvaging(alias, in_model=True)
        self._aliases[name] = alias
        return made

    def _without_alias(self, schema: dict[str, Any]) -> dict[str, Any]:
        inner = _inside(schema, "model", *_AROUND)
        return self._aliases.get(inner.get("schema_ref", ""), inner)

    def _losing(self, schema: Any, *, is_root: bool) -> Any:
        """Return the schema of a collection, or of a root model, that loses what is wrong."""

        def kept(value: Any, validate: Callable[[Any], Any], info: ValidationInfo[Any]) -> Any:
            # A root model has no data; inside a collection of strict JSON, it is that around it.
            data = None if is_root else cast("dict[str, Any] | None", info.data)
            if data is None and not is_root:
                data = _outer_data.get()
            drops = policy_of(resolve(info.context)).invalid == "drop"
            if not drops or (data is None and not is_root):
                return validate(value)
            before = () if data is None else data.get("dropped", ())

            def validate_anew(items: Any) -> Any:
                if data is not None:
                    data["dropped"] = before  # collections in this one lose the same again
                token = _outer_data.set(data)
                try:
                    return validate(items)
                finally:
                    _outer_data.reset(token)

            items, dropped = _split(value, validate_anew, least=1)
            holder = cast("dict[str, Any]", vars(items) if data is None else data)
            holder["dropped"] = (*holder.get("dropped", ()), *dropped)
            return items

        @cache
        def validator() -> SchemaValidator:
            parts = self._definitions
            whole = core_schema.definitions_schema(schema, [*parts]) if parts else schema
            return SchemaValidator(whole, _use_prebuilt=False)

        named: Any = {"ref": schema.pop("ref")} if "ref" in schema else {}
        return {**_wrapped(schema, kept, validator), **named}


def _inside(schema: dict[str, Any], *kinds: str) -> dict[str, Any]:
    """Return what a schema has within schemas of these kinds."""
    while schema.get("type") in kinds:
        schema = schema["schema"]
    return schema


_tolerates: ContextVar[bool] = ContextVar("citeguard_tolerates", default=False)


@contextmanager
def tolerating(parts: bool = True) -> Generator[None]:
    """Let wrong quotes pass, unverified, until they are part of an answer that can drop them."""
    token = _tolerates.set(parts)
    try:
        yield
    finally:
        _tolerates.reset(token)


def tolerates() -> bool:
    """Return whether a wrong quote passes here, as in a stream whose end drops it."""
    return _tolerates.get()
