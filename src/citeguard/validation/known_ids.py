"""Models whose schema offers a language model the ids of its sources, and no others."""

from __future__ import annotations

import copyreg
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_origin
from weakref import WeakKeyDictionary

from pydantic import BaseModel, GetJsonSchemaHandler, create_model
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

# What OpenAI's structured outputs allow: values of all enums together, and characters of the values
# of one with more than 250 ("Structured model outputs", "Supported schemas").
_MOST_VALUES, _MANY_VALUES, _MOST_CHARACTERS = 1_000, 250, 15_000

M = TypeVar("M", bound=BaseModel)


def offering(model: type[M], path: Sequence[str], ids: Sequence[str]) -> type[M]:
    """Return a subclass of a model whose JSON schema lists ids as the values of a field.

    What the model validates does not change: an unknown id is an error of its own, with advice. If
    a provider would not take so many values, the model is returned as it is. The `path` are the
    fields that lead to the field, through lists and optional types, with its own name.
    """
    long = len(ids) > _MANY_VALUES and sum(map(len, ids)) > _MOST_CHARACTERS
    return model if long or len(ids) > _MOST_VALUES else _offering(model, tuple(path), tuple(ids))


class _Offering(type(BaseModel)):
    """The type of models that offer ids; by it, `pickle` finds out how to make one."""


# Cached, as making one takes milliseconds, and an instance of one is no instance of its twin.
@lru_cache(maxsize=64)
def _offering(model: type[M], path: tuple[str, ...], ids: tuple[str, ...]) -> type[M]:
    name, *rest = path
    field = model.model_fields[name]
    if rest:
        annotation = _with_models(field.annotation, tuple(rest), ids)
    else:
        annotation = Annotated[field.annotation, _OneOf(ids)]
        field = copy(field)  # without what hides it
        field.metadata = [each for each in field.metadata if not hasattr(each, "keep")]
    make: Any = create_model  # its overloads know no names that are computed
    about = {"__base__": model, "__doc__": model.__doc__, "__module__": model.__module__}
    kind = {"metaclass": _Offering}
    made: type[M] = make(
        model.__name__, **about, __cls_kwargs__=kind, **{name: (annotation, field)}
    )
    _MADE_OF[made] = model, path, ids
    return made


_MADE_OF: WeakKeyDictionary[Any, tuple[Any, ...]] = WeakKeyDictionary()
# A class that is made at run time is found under no name in its module.
copyreg.pickle(_Offering, lambda made: (_offering, _MADE_OF[made]))


def _with_models(annotation: Any, path: tuple[str, ...], ids: tuple[str, ...]) -> Any:
    """Return a type with the models in it replaced by those that offer ids."""
    is_model = isinstance(annotation, type) and issubclass(annotation, BaseModel)
    if is_model:
        return _offering(cast("type[BaseModel]", annotation), path, ids)
    given: tuple[Any, ...] = get_args(annotation)
    inside = tuple(_with_models(each, path, ids) for each in given)
    if inside == given:
        return cast("Any", annotation)
    # `X | Y` has no form with a tuple.
    origin: Any = get_origin(annotation)
    generic: Any = Union if origin in (Union, UnionType) else origin
    return generic[inside]


@dataclass(frozen=True, slots=True)
class _OneOf:
    """Lists values in the JSON schema of a text, which may be optional."""

    values: tuple[str, ...]

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        described = handler(schema)
        for option in described.get("anyOf", [described]):
            if option.get("type") == "string":
                option["enum"] = list(self.values)
        return described
