"""From what pages say to an outcome."""

from typing import Any, get_args

from hypothesis import given
from hypothesis import strategies as st

from citeguard.factcheck.conclusions import Flaw, conclude
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

    @given(findings, flaws, st.randoms())
    def test_does_not_depend_on_the_order(
        self, found: list[tuple[int, Verdict]], wrong: list[Flaw], random: Any
    ) -> None:
        shuffled, shuffled_flaws = found[:], wrong[:]
        random.shuffle(shuffled)
        random.shuffle(shuffled_flaws)
        one = conclude(found, pages=len(found), flaws=wrong)
        assert one == conclude(shuffled, pages=len(found), flaws=shuffled_flaws)

    @given(findings, flaws, st.data())
    def test_does_not_depend_on_repetitions(
        self, found: list[tuple[int, Verdict]], wrong: list[Flaw], data: Any
    ) -> None:
        again = [*found, *(data.draw(st.lists(st.sampled_from(found))) if found else [])]
        one = conclude(found, pages=len(found), flaws=wrong)
        assert one == conclude(again, pages=len(found), flaws=wrong)

    @given(findings, flaws)
    def test_decides_only_by_pages(
        self, found: list[tuple[int, Verdict]], wrong: list[Flaw]
    ) -> None:
        one = conclude(found, pages=len(found), flaws=wrong)
        outcomes = {each.outcome for _, each in found}
        sides = outcomes & {"supported", "contradicted"}
        assert (one["flag"] == "conflicting") == (len(sides) == 2)
        assert (one["verdict"] in ("supported", "contradicted")) == (len(sides) == 1)
        assert one["origins_for"] == len({at for at, each in found if each.outcome == "supported"})

    @given(findings, flaws.filter(bool))
    def test_is_never_unsupported_if_anything_failed(
        self, found: list[tuple[int, Verdict]], wrong: list[Flaw]
    ) -> None:
        one = conclude(found, pages=len(found), flaws=wrong)
        assert one["verdict"] != "unsupported"
        assert bool(one["causes"]) == (one["verdict"] == "undecided" and one["flag"] is None)

    @given(findings, flaws)
    def test_of_something_always_has_a_reason(
        self, found: list[tuple[int, Verdict]], wrong: list[Flaw]
    ) -> None:
        assert conclude(found, pages=len(found), flaws=wrong)["explanation"].endswith(".")
