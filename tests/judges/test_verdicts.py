import math
from typing import Any

import pytest
from pydantic import TypeAdapter

from citeguard import Alignment, Span, Verdict
from rows import each_row

YES, NO, UNKNOWN = Verdict("supported"), Verdict("unsupported"), Verdict("undecided")


class TestVerdict:
    @each_row("outcome", ["", "yes", "Supported", "supported ", None, True, 1, []])
    def test_refuses_another_outcome(self, outcome: Any) -> None:
        with pytest.raises(ValueError, match="a verdict's outcome must be one of"):
            Verdict(outcome)

    @each_row("score", [-0.01, 1.01, 100, math.inf, -math.inf, math.nan])
    def test_refuses_another_score(self, score: float) -> None:
        with pytest.raises(ValueError, match="score must be a number from 0 to 1"):
            Verdict("supported", score=score)


class TestAlignment:
    @each_row(
        ("answer", "statements", "decided"),
        [
            (YES, (), True),
            (NO, (NO, YES), True),
            (YES, (None, YES), True),
            (UNKNOWN, (YES,), False),
            (YES, (YES, UNKNOWN), False),
            (YES, (None, UNKNOWN), False),
        ],
    )
    def test_is_decided_when_all_of_it_is(
        self, answer: Verdict, statements: tuple[Verdict | None, ...], decided: bool
    ) -> None:
        assert Alignment(answer=answer, statements=statements).decided is decided

    def test_makes_the_round_trip_through_json_with_its_verdicts(self) -> None:
        adapter, words = TypeAdapter(Alignment), {"words": "x", "span": Span("a", 0, 3)}
        verdict = Verdict("supported", reason="é", score=0.5, judge="me", **words)
        alignment = Alignment(answer=verdict, statements=(NO, None))
        assert adapter.validate_json(adapter.dump_json(alignment)) == alignment
