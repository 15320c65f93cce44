"""What all rules for `Annotated[str, ...]` share: their errors, their schema, the fields beside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, LiteralString, cast

from pydantic import GetCoreSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from citeguard.errors import CiteguardError
from citeguard.sources.collection import Span
from citeguard.sources.matches import Edit
from citeguard.validation import messages
from citeguard.validation.context import Grounding, resolve


def custom_error(code: LiteralString, message: str, **facts: Any) -> PydanticCustomError:
    """Build the error of one code: a text for the language model, facts for a program."""
    # Pydantic fills a template's names one after the other, so the message must come last.
    facts = {name: _encodable(fact) for name, fact in facts.items() if fact is not None}
    return PydanticCustomError(code, "{message}", {**facts, "message": message})


class Siblings:
    """The fields of a model that were validated before the one that is being checked."""

    def __init__(self, info: ValidationInfo[Any], model: Any) -> None:
        self._info = info
        self._model = model

    def read(self, parameter: str, field: str) -> tuple[Any, bool]:
        """Return a field's value, and whether it is there: a field that failed is not.

        Args:
            parameter: What the rule calls the field, for errors.
            field: Its name.

        Raises:
            CiteguardError: there is no such field, or it is declared later.
        """
        data = self._info.data
        if data is None:  # pyright: ignore[reportUnnecessaryComparison]
            raise CiteguardError(f"{parameter}={field!r} needs a model whose field that is")
        if field not in data:
            self._require_earlier(parameter, field)
        return data.get(field), field in data

    def is_earlier(self, field: str) -> bool:
        """Tell whether a field is known to be declared earlier; if it is not there, it failed."""
        own, names = self._info.field_name, _field_names(self._model)
        return own in names and field in names and names.index(field) < names.index(own)

    def source_id(self, field: str | None) -> str | None:
        """Return the id of a source that a field holds; `None` when it holds none or is none.

        Raises:
            CiteguardError: as for `read`.
            PydanticCustomError: the field failed, so nothing can be checked.
        """
        if field is None:
            return None
        value, there = self.read("source_field", field)
        if not there:
            raise custom_error("source_unknown", messages.source_unread(field))
        return value if value is None or isinstance(value, str) else str(value)

    def _require_earlier(self, parameter: str, field: str) -> None:
        own, names = self._info.field_name, _field_names(self._model)
        if own not in names:
            return
        if field not in names:
            raise CiteguardError(f"{parameter}={field!r} is no field of {self._model.__name__}")
        if names.index(field) >= names.index(own):
            raise CiteguardError(
                f"{parameter}={field!r} must be declared before {own!r} in {self._model.__name__}"
            )


def checked_by(
    rule: str,
    check: Callable[[str, Grounding, Siblings], str],
    source: Any,
    handler: GetCoreSchemaHandler | None,
) -> CoreSchema:
    """Return the schema of a text that is checked after its own validation; `None` passes.

    Args:
        rule: How the rule is written, with its parentheses, for errors.
        check: Returns the text to keep, or raises a `PydanticCustomError`.
        source: The annotated type.
        handler: What Pydantic gives to `__get_pydantic_core_schema__`.
    """
    # Pydantic calls the method of a class as that of an object: the arguments are one short then.
    if handler is None:
        raise CiteguardError(f"a rule needs its parentheses: write Annotated[str, {rule}]")
    model = _model_of(handler)

    def checked(value: Any, info: ValidationInfo[Any]) -> str | None:
        grounding = resolve(info.context)
        if value is None:
            return None
        if not isinstance(value, str):
            raise CiteguardError(f"{rule} must stand on a str field, not {type(value).__name__}")
        return check(value, grounding, Siblings(info, model))

    return core_schema.with_info_after_validator_function(checked, handler(source))


def _encodable(fact: Any) -> Any:
    """Escape lone surrogates, on which Pydantic would fail to print the error."""
    if isinstance(fact, str):
        return fact if fact.isascii() else fact.encode("utf-8", "backslashreplace").decode()
    if isinstance(fact, tuple):
        return tuple(map(_encodable, cast("tuple[Any, ...]", fact)))
    if isinstance(fact, Edit):
        if fact.quoted.isascii() and fact.source.isascii():  # to build another takes longer
            return fact
        return replace(fact, quoted=_encodable(fact.quoted), source=_encodable(fact.source))
    if isinstance(fact, Span):
        if fact.source_id.isascii():
            return fact
        return replace(fact, source_id=_encodable(fact.source_id))
    return fact


def _model_of(handler: GetCoreSchemaHandler) -> Any:
    """Return the class whose schema is being built, or `None` where Pydantic does not tell."""
    # Pydantic has no public name for it; without it a wrong field name is an error of the data.
    stack = getattr(getattr(handler, "_generate_schema", None), "model_type_stack", None)
    return stack.get() if stack is not None else None


def _field_names(model: Any) -> list[str]:
    kinds = ("model_fields", "__dataclass_fields__", "__annotations__")
    return list(next((getattr(model, kind) for kind in kinds if hasattr(model, kind)), ()))
