from collections import UserDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, RootModel

from citeguard.validation.verification import RawData
from rows import each_row


class Room(BaseModel):
    """A model whose instances may say what nobody has validated."""

    model_config = ConfigDict(extra="forbid")
    number: int
    seats: list[int] = []

    @cached_property
    def label(self) -> str:
        return f"room {self.number}"


class House(BaseModel):
    rooms: Any = None


class Rooms(RootModel[list[Room]]):
    pass


class Key(BaseModel, frozen=True):
    no: int


@dataclass
class Plot:
    room: Any
    size: int = field(init=False)


def wrong() -> Room:
    """Return an instance that says what it would not be allowed to say."""
    return Room.model_construct(number="seven", seats=[1])


RAW = {"number": "seven", "seats": [1]}


def raw(data: Any) -> Any:
    """Return data as it is before validation."""
    return RawData(data).validate(Any, None)


class TestInstances:
    @each_row(
        ("data", "expected"),
        [
            pytest.param(wrong, RAW, id="alone"),
            pytest.param(lambda: [wrong()], [RAW], id="in a list"),
            pytest.param(lambda: {"rooms": wrong()}, {"rooms": RAW}, id="in a dict"),
            pytest.param(lambda: UserDict(a=wrong()), {"a": RAW}, id="in a Mapping"),
            pytest.param(lambda: MappingProxyType({"a": wrong()}), {"a": RAW}, id="in a proxy"),
            pytest.param(lambda: iter([wrong()]), [RAW], id="in an iterator"),
            pytest.param(lambda: House(rooms=[wrong()]), {"rooms": [RAW]}, id="in an instance"),
            pytest.param(
                lambda: {"a": ({"b": [House(rooms=wrong())]},)},
                {"a": ({"b": [{"rooms": RAW}]},)},
                id="deep",
            ),
            pytest.param(lambda: [Plot(wrong())], [{"room": RAW}], id="a dataclass"),
            pytest.param(lambda: deque([wrong()]), [RAW], id="in a deque"),
            pytest.param(lambda: {Key.model_construct(no="7")}, [{"no": "7"}], id="in a set"),
            pytest.param(lambda: {7}, {7}, id="a set without any"),
            pytest.param(lambda: Plot, Plot, id="a dataclass itself"),
            pytest.param(lambda: Rooms.model_construct(root=[wrong()]), [RAW], id="in a root"),
        ],
    )
    def test_are_taken_apart(self, data: Callable[[], Any], expected: Any) -> None:
        found = raw(data())
        assert found == expected
        assert type(found) is type(expected)


class TestValidate:
    def test_reads_an_iterator_once(self) -> None:
        data = RawData({"rooms": iter([1, 2])})
        model = dict[str, list[int]]
        assert [data.validate(model, None) for _ in range(3)] == [{"rooms": [1, 2]}] * 3

    @each_row(
        "data",
        ['{"number": 7}', b'{"number": 7}', bytearray(b'{"number": 7}')],
        ids=["str", "bytes", "bytearray"],
    )
    def test_takes_json(self, data: Any) -> None:
        assert RawData(data).validate(Room, None) == Room(number=7)

    def test_takes_text_within_as_text(self) -> None:
        assert raw(['{"number": 7}']) == ['{"number": 7}']
