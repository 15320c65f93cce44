from typing import get_args

from citeguard.facts import Contrast, ContrastKind
from citeguard.verifier.differences import CLAIMS_MORE, CONFLICTING, Difference, is_conflict
from rows import each_row

LONG = "x" * 9_999


def contrast(kind: ContrastKind, *, found: str = "there") -> Contrast:
    return Contrast(
        kind=kind,
        stated="here",
        found=found,
        start=3,
        end=7,
        passage_start=5,
        passage_end=5 + len(found),
    )


class TestKinds:
    @each_row("kind", get_args(ContrastKind))
    def test_every_kind_counts_in_one_way(self, kind: ContrastKind) -> None:
        """One that were in neither set would let a statement pass, whatever it is about."""
        assert (kind in CONFLICTING) != (kind in CLAIMS_MORE)


class TestIsConflict:
    @each_row("kind", sorted(CONFLICTING))
    def test_of_what_cannot_both_be_true(self, kind: ContrastKind) -> None:
        assert is_conflict(contrast(kind))

    @each_row("kind", sorted(CLAIMS_MORE))
    def test_not_of_a_statement_that_says_more(self, kind: ContrastKind) -> None:
        assert not is_conflict(contrast(kind))

    def test_not_of_a_name_that_the_passage_only_leaves_out(self) -> None:
        assert not is_conflict(contrast("name", found=""))

    @each_row("kind", sorted(CONFLICTING - {"name"}))
    def test_of_anything_else_that_the_passage_leaves_out(self, kind: ContrastKind) -> None:
        assert is_conflict(contrast(kind, found=""))


class TestReason:
    @each_row(
        ("stated", "found", "reason"),
        [
            ("500 mg", "50 mg", 'It says "500 mg" where the passage says "50 mg".'),
            ("Leipzig", "", 'It says "Leipzig", and the passage does not.'),
            ("", "not", 'It omits "not", which the passage says.'),
            ('a "b"\n', "c", 'It says "a \\"b\\"\\n" where the passage says "c".'),
        ],
    )
    def test_names_the_difference(self, stated: str, found: str, reason: str) -> None:
        assert Difference(stated, found).reason == reason

    @each_row(("stated", "found"), [(LONG, LONG), (LONG, ""), ("", LONG)])
    def test_is_bounded(self, stated: str, found: str) -> None:
        reason = Difference(stated, found).reason
        assert len(reason) < 250
        assert "xxx […]" in reason
