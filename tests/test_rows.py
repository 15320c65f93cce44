from collections.abc import Callable
from itertools import combinations, product
from typing import Any

import pytest

from rows import each_row, pairs


class TestEachRow:
    def test_runs_every_row(self) -> None:
        seen: list[Any] = []

        @each_row(("given", "expected"), [("a", 1), pytest.param("b", 2, id="second")])
        def test(given: str, expected: int) -> None:
            seen.append((given, expected))

        test()
        assert seen == [("a", 1), ("b", 2)]

    async def test_awaits_a_coroutine(self) -> None:
        seen: list[Any] = []

        @each_row("given", ["a", "b"])
        async def test(given: str) -> None:
            seen.append(given)

        await test()
        assert seen == ["a", "b"]

    def test_combines_with_another(self) -> None:
        seen: list[Any] = []

        @each_row("one", [1, 2])
        @each_row("two", ["a", "b"])
        def test(one: int, two: str) -> None:
            seen.append((one, two))

        test()
        assert seen == [*product([1, 2], "ab")]

    def test_names_the_row_that_fails(self) -> None:
        @each_row("given", [1, 2], ids=["good", "bad"])
        def test(given: int) -> None:
            assert given == 1

        with pytest.raises(AssertionError) as caught:
            test()
        assert caught.value.__notes__ == ["row: bad"]

    @each_row("given", [1, 2])
    def test_leaves_the_fixtures_to_pytest(
        self, given: int, request: pytest.FixtureRequest
    ) -> None:
        assert request.node.name == "test_leaves_the_fixtures_to_pytest"

    def test_without_rows_is_a_mistake(self) -> None:
        decorate: Callable[..., Any] = each_row
        with pytest.raises(ValueError, match="no rows for given"):
            decorate("given", [])


def test_any_two_values_meet() -> None:
    factors = ["ab", "123", "uvwxy", "!?"]
    rows = pairs(*factors)
    assert len(rows) < len([*product(*factors)]) / 2
    for one, two in combinations(range(4), 2):
        assert {(row[one], row[two]) for row in rows} == {*product(factors[one], factors[two])}
