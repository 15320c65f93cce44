from typing import Any

import pytest

from citeguard import Sources
from citeguard.datasets.fields import MalformedSampleError
from citeguard.datasets.samples import SourceCache
from rows import each_row

ONE, TWO = "Notice is one month.", "Lunch is free."


def read(given: Any, shared: Sources | None = None) -> dict[str, str]:
    return {source.id: source.text for source in SourceCache(shared).find(given)}


class TestShapes:
    @each_row(
        ("given", "expected"),
        [
            (ONE, {"1": ONE}),
            ([ONE, TWO], {"1": ONE, "2": TWO}),
            ({"a": ONE, "b": TWO}, {"a": ONE, "b": TWO}),
            ({"a": ONE, "b": None}, {"a": ONE}),
            ({"text": ONE}, {"1": ONE}),
            ({"id": "a", "text": ONE, "title": None}, {"a": ONE}),
            ([{"source_id": "a", "page_content": ONE}], {"a": ONE}),
            ({"id": "a", "text": ONE, "score": 0.5}, {"a": ONE}),
            ([{"id": 7, "text": ONE, "score": 0.5}, {"text": TWO}], {"7": ONE, "2": TWO}),
        ],
    )
    def test_are_read(self, given: Any, expected: dict[str, str]) -> None:
        assert read(given) == expected

    @each_row(
        "given",
        [
            3,
            " ",
            [None],
            {"a": 3},
            [{"id": "a"}],
            {"id": "a", "text": None},
            {"id": ["a"], "text": [ONE, TWO]},
            [{"id": "a", "text": ONE}, {"id": "a", "text": TWO}],
            {" ": ONE},
        ],
    )
    def test_anything_else_is_invalid(self, given: Any) -> None:
        with pytest.raises(MalformedSampleError) as caught:
            read(given)
        assert caught.value.code == "sources_invalid"


class TestShared:
    SHARED = Sources({"a": ONE, "b": TWO, "3": "Third."})

    @each_row("given", [None, [], {"x": None}])
    def test_are_for_samples_without_their_own(self, given: Any) -> None:
        assert SourceCache(self.SHARED).find(given) is self.SHARED

    @each_row(
        ("given", "ids"),
        [("a", ["a"]), (["b", "a"], ["b", "a"]), (3, ["3"]), ([3, "a"], ["3", "a"])],
    )
    def test_are_named_by_their_ids(self, given: Any, ids: list[str]) -> None:
        assert [source.id for source in SourceCache(self.SHARED).find(given)] == ids


class TestKeeping:
    def test_a_text_is_prepared_once_whoever_brings_it(self) -> None:
        cache = SourceCache()
        first = cache.find({"a": ONE, "b": TWO})
        second = cache.find({"b": TWO})
        assert second["b"] is first["b"]

    def test_the_least_recently_used_goes_first(self) -> None:
        cache = SourceCache(limit=25)
        one = cache.find({"one": "x" * 10})["one"]
        two = cache.find({"two": "x" * 10})["two"]
        assert cache.find({"one": "x" * 10})["one"] is one
        cache.find({"three": "x" * 10})
        assert cache.find({"one": "x" * 10})["one"] is one
        assert cache.find({"two": "x" * 10})["two"] is not two
