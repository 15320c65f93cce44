"""Answers that keep their valid statements and lose the others: `Policy(invalid="drop")`.

Pydantic validates a whole or nothing, and a validator that wrapped the list would break strict JSON
for the fields of subclasses. So what is wrong is taken out of the data, which is validated again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import from_json, to_json

A = TypeVar("A")


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
    """A statement that an answer has lost, because it was wrong.

    Attributes:
        statement: The statement as the language model wrote it.
        errors: What is wrong with it; at least one error.
    """

    statement: Any
    errors: tuple[StatementError, ...]


def salvaged(validate: Callable[..., A], data: Any, options: Mapping[str, Any]) -> A:
    """Return a validated answer, without the statements that the policy drops.

    What was dropped from a dumped answer is examined again, like its statements.

    Args:
        validate: Validates data, with the options.
        data: JSON, or anything that Pydantic takes.
        options: The options of the validation, `context` among them.

    Raises:
        ValidationError: The data has the wrong form, no statement is left, what is left is
            undecided or fails as a whole.
    """
    raw = _fields(data)
    if raw is None or not isinstance(raw.get("statements"), (list, tuple)):
        return validate(data, **options)
    statements = [*raw["statements"], *_dropped_before(raw.pop("dropped", None))]
    dropped: list[Dropped] = []
    first: ValidationError | None = None
    while True:
        rest: Any = {**raw, "statements": statements}
        try:
            answer = validate(to_json(rest) if _is_json(data) else rest, **options)
        except ValidationError as error:
            first = first or error
            wrong = _wrong_statements(error)
            # A validator of a subclass may have added statements, whose places are not the data's.
            if not wrong or max(wrong) >= len(statements):
                raise  # what is left fails for other reasons than those of the first attempt
            if len(wrong) == len(statements):
                raise first from None
            dropped += [
                Dropped(statement=_plain(statements[place]), errors=errors)
                for place, errors in wrong.items()
            ]
            statements = [each for i, each in enumerate(statements) if i not in wrong]
        else:
            vars(answer).update(dropped=tuple(dropped))
            cast("BaseModel", answer).__pydantic_fields_set__.add("dropped")
            return answer


def _is_json(data: Any) -> bool:
    return isinstance(data, (str, bytes, bytearray))


def _fields(data: Any) -> dict[str, Any] | None:
    """Return the fields of an answer; `None` if the data has another form."""
    if _is_json(data):
        try:
            data = from_json(data)
        except ValueError:
            return None
    if isinstance(data, BaseModel):
        fields = type(data).model_fields
        given = {_input_name(name, fields.get(name)): value for name, value in vars(data).items()}
        return {**given, **(data.model_extra or {})}
    return dict(cast("Mapping[str, Any]", data)) if isinstance(data, Mapping) else None


def _input_name(name: str, field: FieldInfo | None) -> str:
    alias = None if field is None else field.validation_alias or field.alias
    return alias if isinstance(alias, str) else name


def _dropped_before(given: Any) -> Iterator[Any]:
    """Yield the statements that a loaded answer had lost."""
    for each in cast("Iterable[Any]", given) if isinstance(given, (list, tuple)) else ():
        if isinstance(each, Dropped):
            yield each.statement
        elif isinstance(each, Mapping) and "statement" in each:
            yield each["statement"]


def _plain(statement: Any) -> Any:
    if isinstance(statement, BaseModel):
        return statement.model_dump(warnings=False)
    return deepcopy(statement)  # the caller may change the data


def _wrong_statements(error: ValidationError) -> dict[int, tuple[StatementError, ...]]:
    """Return the errors of each statement that is wrong, and not only undecided, by its place."""
    found: dict[int, list[StatementError]] = defaultdict(list)
    for line in error.errors(include_url=False, include_context=False, include_input=False):
        match line["loc"]:
            case ("statements", int(place), *loc):
                found[place].append(
                    StatementError(code=line["type"], message=line["msg"], loc=tuple(loc))
                )
            case _:
                pass
    return {
        place: tuple(errors)
        for place, errors in sorted(found.items())
        if any(error.code != "undecided" for error in errors)
    }
