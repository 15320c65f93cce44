"""A provider's reply as plain data, whatever it was: an SDK's object, a dict, JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from types import ModuleType
from typing import Any, cast

from citeguard.errors import CiteguardError, check_text, described

_ATOMS = (str, int, float, bool, type(None))
_NO_DATA = (bytes, bytearray, memoryview, type, ModuleType)
# REST and JavaScript have camelCase, and the SDKs for Python have snake_case.
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_DEEPEST = 40  # levels; replies of providers have about ten
# Lists of citations, of any provider; and what has documents, which may have anything.
_CITATIONS = frozenset(
    "annotations citations citation_sources grounding_supports reference_ids".split()
)
_CONTENTS = frozenset(
    "arguments data document documents input metadata results tool_output".split()
)
_NOTHING: list[object] = []
_WHOLE = re.compile(r"-?[0-9]{1,18}")


def read_reply(function: str, given: Any) -> Node:
    """Return a reply as a node; names are in snake case, as in the SDKs for Python.

    It is an object of an SDK, a dict, a list of either, or JSON.

    Raises:
        CiteguardError: it is nothing of the kind; the message names the `function` called.
    """
    if isinstance(given, (str, bytes, bytearray)):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            raise CiteguardError(f"{function}: the text is not JSON") from None
    data = plain(given)
    if not isinstance(data, (dict, list)):
        raise CiteguardError(f"{function}: expected a reply or a dict, got {described(given)}")
    return Node(cast("object", data), "")


def plain(value: Any, depth: int = 0) -> object:
    """Return a value as dicts with names in snake case, lists, texts and numbers.

    Objects are read by `model_dump` (Pydantic), `to_dict` (protocol buffers and others), as
    dataclasses, or by their attributes. What is none of these becomes `None`.
    """
    if isinstance(value, Enum):
        return plain(value.value, depth)
    if isinstance(value, _ATOMS):
        return value
    # Also where an object of an SDK leads back to itself.
    if depth > _DEEPEST or isinstance(value, _NO_DATA):
        return None
    if isinstance(value, Mapping):
        given = cast("Mapping[Any, Any]", value)
        snake = ((_HUMP.sub("_", str(name)).lower(), each) for name, each in given.items())
        return {name: plain(each, depth + 1) for name, each in snake}
    if isinstance(value, (list, tuple)):
        return [plain(each, depth + 1) for each in cast("list[Any]", value)]
    kind = cast("Any", type(value))
    for name in ("model_dump", "to_dict"):
        # Of protocol buffers it is a method of the class, and not one of its instances.
        if callable(dump := getattr(kind, name, None)):
            return plain(dump(value), depth + 1)
    if is_dataclass(value):
        named = {each.name: getattr(value, each.name, None) for each in fields(value)}
        return plain(named, depth + 1)
    if callable(getattr(kind, "__iter__", None)) and callable(getattr(kind, "__len__", None)):
        return plain(list(value), depth + 1)  # a sequence of protocol buffers
    return plain(vars(value), depth + 1) if hasattr(value, "__dict__") else None


class Node:
    """A part of a reply that knows where it is; of a missing part everything is missing."""

    def __init__(self, data: object, path: str, root: Node | None = None) -> None:
        self.data = data
        self.path = path
        self._read: dict[int, list[object]] = {} if root is None else root._read

    def __bool__(self) -> bool:
        """Return whether there is anything."""
        return bool(self.data)

    def at(self, *names: str) -> Node:
        """Return the part at a path of names, or a missing one."""
        node = self
        for name in names:
            node = Node(node._get(name), f"{node.path}.{name}".removeprefix("."), self)
        return node

    def any_of(self, *names: str) -> Node:
        """Return the first part that is there, of several names for the same."""
        return next((node for name in names if (node := self.at(name))), self.at(names[0]))

    def items(self, name: str = "") -> list[Node]:
        """Return the items of the list with this name, or of the node itself."""
        node = self.at(name) if name else self
        listed = node._listed()
        # By identity, as lists may be equal; kept, so that no other list gets its id.
        self._read[id(listed)] = listed
        return [Node(each, f"{node.path}[{place}]", self) for place, each in enumerate(listed)]

    def text(self, *names: str) -> str | None:
        """Return the first text with one of these names, "" for the node itself; else `None`.

        Raises:
            CiteguardError: it has half a character, with which no answer could be stored.
        """
        found = (self._get(name) for name in names)
        text = next((each for each in found if isinstance(each, str)), None)
        check_text(self.path or "the reply", text, whole=True)
        return text

    def whole(self, name: str) -> int | None:
        """Return an integer; protocol buffers write those of 64 bits as texts."""
        value = self._get(name)
        # For Python `True` is an integer.
        if isinstance(value, bool):
            return None
        if isinstance(value, str) and _WHOLE.fullmatch(value):
            return int(value)
        if isinstance(value, float) and value.is_integer():
            return int(value)
        return value if isinstance(value, int) else None

    def wholes(self, name: str) -> list[int]:
        """Return the integers of a list."""
        return [number for each in self.items(name) if (number := each.whole("")) is not None]

    def names(self) -> Iterator[str]:
        """Yield the names that the node has."""
        data = self.data
        yield from cast("dict[str, object]", data) if isinstance(data, dict) else ()

    def unread(self) -> Iterator[str]:
        """Yield the paths of the lists of citations whose `items` nobody has asked for.

        A list that repeats one that has been read is none of them.
        """
        read = self._read
        for number, each in enumerate(self._listed()):
            yield from Node(each, f"{self.path}[{number}]", self).unread()
        for name in self.names():
            node = self.at(name)
            listed = node._listed()
            is_list = name in _CITATIONS and listed
            if is_list and id(listed) not in read and listed not in read.values():
                yield node.path
            elif name not in _CONTENTS:
                yield from node.unread()

    def _listed(self) -> list[object]:
        data = self.data
        return cast("list[object]", data) if isinstance(data, list) else _NOTHING

    def _get(self, name: str) -> object:
        data = self.data
        if not name:
            return data
        return cast("dict[str, object]", data).get(name) if isinstance(data, dict) else None
