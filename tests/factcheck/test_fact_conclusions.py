"""From what pages say to an outcome."""

from typing import Any, get_args

from hypothesis import given
from hypothesis import strategies as st

from citeguard.factcheck.evidence import Flaw, conclude
from citeguard.judges.verdicts import Outcome, Verdict
from citeguard.reports.report import UndecidedCause
from rows import each_row

findings = st.lists(
    st.tuples(
        st.integers(1, 4),
        st.builds(
            Verdict,
            st.sampled_from(get_args(Outcome)),
            score=st.none() | st.floats(0, 1),
            reason=st.just(""),
            judge=st.just(""),
        ),
    ),
    max_size=6,
)
flaws = st.lists(st.builds(Flaw, cause=st.sampled_from(get_args(UndecidedCause))), max_size=3)


def said(*outcomes: Outcome) -> list[tuple[int, Verdict]]:
    return [(at, Verdict(outcome)) for at, outcome in enumerate(outcomes, 1)]


class TestConclude:
    @each_row(
        ("outcomes", "expected"),
        [
            ([], "unsupported"),
            (["unsupported"], "unsupported"),
            (["supported", "unsupported"], "supported"),
            (["contradicted", "unsupported", "undecided"], "contradicted"),
            (["supported", "contradicted"], "undecided"),
            (["undecided", "unsupported"], "undecided"),
        ],
    )
    def test_of_pages_that_were_read(self, outcomes: list[Any], expected: str) -> None:
        assert conclude(said(*outcomes), pages=3)["verdict"] == expected

    def test_without_pages_nothing_was_found(self) -> None:
        assert conclude([], pages=0)["causes"] == ("nothing_found",)

    @given(findings, flaws, st.randoms(), st.data())
    def test_depends_on_neither_order_nor_repetitions(
        self, found: list[tuple[int, Verdict]], wrong: list[Flaw], random: Any, data: Any
    ) -> None:
        again = [*found, *(data.draw(st.lists(st.sampled_from(found))) if found else [])]
        one = conclude(found, pages=len(found), flaws=wrong)
        random.shuffle(again)
        shuffled = random.sample(wrong, len(wrong))
        assert one == conclude(again, pages=len(found), flaws=shuffled)

    @given(findings, flaws)
    def test_decides_only_by_pages_and_takes_no_failure_for_silence(
        self, found: list[tuple[int, Verdict]], wrong: list[Flaw]
    ) -> None:
        one = conclude(found, pages=len(found), flaws=wrong)
        sides = {each.outcome for _, each in found} & {"supported", "contradicted"}
        assert (one["flag"] == "conflicting") == (len(sides) == 2)
        assert (one["verdict"] in ("supported", "contradicted")) == (len(sides) == 1)
        assert one["origins_for"] == len({at for at, each in found if each.outcome == "supported"})
        assert one["explanation"].endswith(".")
        if wrong:
            assert one["verdict"] != "unsupported"
            assert bool(one["causes"]) == (one["verdict"] == "undecided" and one["flag"] is None)
