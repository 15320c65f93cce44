"""Data as it was before it was validated, so that it can be validated anew."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, KeysView, Mapping, ValuesView
from dataclasses import fields, is_dataclass
from operator import is_
from typing import Any, cast

from pydantic import BaseModel, RootModel, TypeAdapter

_ATOMS = (str, int, float, type(None))


class RawData:
    """Data to be validated, as often as one likes, and as if it had never been.

    Pydantic takes an instance of a model or of a dataclass as validated, and believes what it says
    of itself. Here instances, at any depth of mappings, lists, tuples, sets and deques, are taken
    apart into the values of their fields; an iterator is read once and becomes a list, and so does
    a set or a deque that has instances in it.
    """

    def __init__(self, data: Any) -> None:
        self._has_instances = False
        self._data = self._raw(data)

    def validate(self, adapter: TypeAdapter[Any], context: Any) -> Any:
        """Validate the data: JSON if it is a `str` or `bytes`, else a copy that may be changed."""
        if isinstance(self._data, (str, bytes, bytearray)):
            return adapter.validate_json(self._data, context=context)
        data = self._raw(self._data)
        if not self._has_instances:
            return adapter.validate_python(data, context=context)
        # The values of an instance go by the names of its fields, whatever their aliases.
        return adapter.validate_python(data, context=context, by_name=True, by_alias=True)

    def _raw(self, value: Any) -> Any:
        # Nearly all values are of these types; to compare with `Mapping` and the like takes longer.
        if isinstance(value, _ATOMS):
            return value
        kind: Any = type(value)  # pyright: ignore[reportUnknownVariableType]
        if kind is dict:
            return {key: self._raw(each) for key, each in value.items()}
        if kind is list:
            return [self._raw(each) for each in value]
        if isinstance(value, BaseModel):
            self._has_instances = True
            return self._fields(value)
        if isinstance(value, Mapping):
            given = cast("Mapping[Any, Any]", value)
            return {key: self._raw(each) for key, each in given.items()}
        if kind is tuple:
            return tuple(self._raw(each) for each in cast("tuple[Any, ...]", value))
        if isinstance(value, (list, Iterator, KeysView, ValuesView)):
            return [self._raw(each) for each in cast("Iterable[Any]", value)]
        if isinstance(value, (set, frozenset, deque)):
            return self._items(cast("Iterable[Any]", value))
        if is_dataclass(value) and not isinstance(value, type):
            self._has_instances = True
            given = [each.name for each in fields(value) if each.init and hasattr(value, each.name)]
            return {name: self._raw(getattr(value, name)) for name in given}
        return value

    def _items(self, value: Iterable[Any]) -> Any:
        items = list(value)
        raw = [self._raw(each) for each in items]
        # As it is where it can be: a strict field takes no list for a set.
        return value if all(map(is_, raw, items)) else raw

    def _fields(self, instance: BaseModel) -> Any:
        if isinstance(instance, RootModel):
            return self._raw(cast("RootModel[Any]", instance).root)
        own = type(instance).model_fields
        fields = {name: value for name, value in vars(instance).items() if name in own}
        return self._raw({**fields, **(instance.model_extra or {})})
