from itertools import combinations, product
from typing import Any

import pytest

from rows import each_row, pairs


class TestEachRow:
    async def test_runs_every_row_with_those_of_another(self) -> None:
        seen: list[Any] = []

        @each_row("one", [1, pytest.param(2, id="second")])
        @each_row("two", ["a", "b"])
        async def test(one: int, two: str) -> None:
            seen.append((one, two))

        await test()
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


def test_any_two_values_meet() -> None:
    factors = ["ab", "123", "uvwxy", "!?"]
    rows = pairs(*factors)
    assert len(rows) < len([*product(*factors)]) / 2
    for one, two in combinations(range(4), 2):
        assert {(row[one], row[two]) for row in rows} == {*product(factors[one], factors[two])}
