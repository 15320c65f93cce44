from __future__ import annotations

from typing import Any

import pytest

from citeguard import Sources
from citeguard.datasets.fields import MalformedSampleError
from citeguard.datasets.samples import SourceCache
from rows import each_row

ONE, TWO = "Notice is one month.", "Lunch is free."


def read(given: Any, shared: Sources | None = None) -> dict[str, str]:
    return {source.id: source.text for source in SourceCache(shared).sources_of(given)}


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
            ({"id": "a", "text": ONE, "score": 0.5}, {"a": ONE}),
            ([{"id": 7, "text": ONE, "score": 0.5}, {"text": TWO}], {"7": ONE, "2": TWO}),
            ({"id": ["a", "b"], "text": [ONE, TWO]}, {"a": ONE, "b": TWO}),
            ({"text": [ONE, TWO], "title": None}, {"1": ONE, "2": TWO}),
        ],
    )
    def test_are_read(self, given: Any, expected: dict[str, str]) -> None:
        assert read(given) == expected

    def test_title_and_url_come_along(self) -> None:
        [source] = SourceCache().sources_of(
            [{"text": ONE, "title": "Handbook", "url": "https://x"}]
        )
        assert (source.title, source.url) == ("Handbook", "https://x")

    @each_row("given", [None, [], {}, {"a": None}, {"id": None, "text": None}])
    def test_none_are_missing(self, given: Any) -> None:
        with pytest.raises(MalformedSampleError) as caught:
            read(given)
        assert caught.value.code == "sources_missing"

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
        assert SourceCache(self.SHARED).sources_of(given) is self.SHARED

    @each_row(
        ("given", "ids"),
        [("a", ["a"]), (["b", "a"], ["b", "a"]), (3, ["3"]), ([3, "a"], ["3", "a"])],
    )
    def test_are_named_by_their_ids(self, given: Any, ids: list[str]) -> None:
        assert [source.id for source in SourceCache(self.SHARED).sources_of(given)] == ids

    def test_give_way_to_a_samples_own(self) -> None:
        assert read({"a": "Own."}, self.SHARED) == {"a": "Own."}

    def test_an_unknown_id_is_invalid(self) -> None:
        with pytest.raises(MalformedSampleError, match="none of the shared sources has the id 'z'"):
            read(["a", "z"], self.SHARED)

    def test_a_text_is_an_id_and_shortened_in_the_message(self) -> None:
        with pytest.raises(
            MalformedSampleError, match="a text of the sample's own needs an id"
        ) as it:
            read(["A text of its own. " * 100], self.SHARED)
        assert len(str(it.value)) < 200


class TestKeeping:
    def test_a_text_is_prepared_once_whoever_brings_it(self) -> None:
        cache = SourceCache()
        first = cache.sources_of({"a": ONE, "b": TWO})
        second = cache.sources_of({"b": TWO})
        assert second["b"] is first["b"]

    def test_samples_side_by_side_share_all(self) -> None:
        cache = SourceCache()
        assert cache.sources_of([ONE]) is cache.sources_of([ONE])

    def test_the_least_recently_used_goes_first(self) -> None:
        cache = SourceCache(limit=25)
        one = cache.sources_of({"one": "x" * 10})["one"]
        two = cache.sources_of({"two": "x" * 10})["two"]
        assert cache.sources_of({"one": "x" * 10})["one"] is one
        cache.sources_of({"three": "x" * 10})
        assert cache.sources_of({"one": "x" * 10})["one"] is one
        assert cache.sources_of({"two": "x" * 10})["two"] is not two

    def test_a_text_larger_than_the_limit_is_kept_alone(self) -> None:
        cache = SourceCache(limit=5)
        large = cache.sources_of({"a": "x" * 50})["a"]
        assert cache.sources_of({"a": "x" * 50, "b": "y" * 50})["a"] is large
