import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from citeguard.providers.offsets import Positions, Unit, prove, prove_by_words
from rows import each_row

UNITS: tuple[Unit, ...] = ("code_points", "utf16", "utf8")
EMOJI = "Visitors 👩‍🚀 wear a badge. 訪問者は名札を付ける。"


class TestPositions:
    @each_row(
        ("unit", "start", "end"), [("code_points", 13, 17), ("utf16", 15, 19), ("utf8", 21, 25)]
    )
    def test_read_and_write_each_unit(self, unit: Unit, start: int, end: int) -> None:
        positions = Positions(EMOJI)
        assert positions.interval(start, end, unit) == (13, 17)
        assert positions.offsets(13, 17, unit) == (start, end)

    @given(st.text(), st.integers(0, 50), st.integers(0, 50), st.sampled_from(UNITS))
    @example("\ud83d\ude00", 0, 1, "utf16")
    @example("a\ud83d", 1, 2, "utf8")
    def test_round_trip(self, text: str, start: int, length: int, unit: Unit) -> None:
        start = min(start, len(text))
        end = min(start + length, len(text))
        positions = Positions(text)
        assert positions.interval(*positions.offsets(start, end, unit), unit) == (start, end)


class TestProve:
    @each_row(
        ("start", "end", "declared", "kinds"),
        [
            (21, 25, "utf8", ()),
            (15, 19, "utf16", ()),
            (13, 17, "code_points", ()),
            (13, 17, "utf8", ("wrong_unit",)),
            (15, 19, "code_points", ("wrong_unit",)),
            (21, 24, "utf8", ("end_inclusive",)),
            (13, 16, "code_points", ("end_inclusive",)),
            (15, 18, "code_points", ("wrong_unit", "end_inclusive")),
        ],
    )
    def test_names_every_departure(
        self, start: int, end: int, declared: Unit, kinds: tuple[str, ...]
    ) -> None:
        proof = prove(Positions(EMOJI), start, end, "wear", declared=declared)
        assert proof is not None
        assert (proof.interval, proof.kinds) == ((13, 17), kinds)

    @each_row("declared", UNITS)
    def test_ignores_white_space_and_composition(self, declared: Unit) -> None:
        text = "Der Vertrag ist gu\u0308ltig,\n  bis er endet."
        positions = Positions(text)
        start, end = positions.offsets(12, len(text), declared)
        quoted = "ist gültig, bis er endet."
        proof = prove(positions, start, end, quoted, declared=declared)
        assert proof is not None
        assert (proof.interval, proof.kinds) == ((12, len(text)), ())

    @each_row(
        ("quoted", "interval"),
        [("One month.", (0, 10)), ("One mon...", (0, 10)), ("One month. ", (0, 11))],
    )
    def test_allows_a_blank_behind_and_a_cut_end(
        self, quoted: str, interval: tuple[int, int]
    ) -> None:
        proof = prove(Positions("One month. Two months."), 0, 11, quoted, declared="code_points")
        assert proof is not None
        assert (proof.interval, proof.kinds) == (interval, ())

    @given(st.text(min_size=1), st.data(), st.sampled_from(UNITS), st.sampled_from(UNITS))
    def test_finds_the_words_in_whatever_unit(
        self, text: str, data: st.DataObject, declared: Unit, unit: Unit
    ) -> None:
        start = data.draw(st.integers(0, len(text) - 1))
        end = data.draw(st.integers(start + 1, len(text)))
        positions = Positions(text)
        proof = prove(
            positions, *positions.offsets(start, end, unit), text[start:end], declared=declared
        )
        assert proof is not None
        assert text[slice(*proof.interval)] == text[start:end]
        assert unit != declared or (proof.interval, proof.kinds) == ((start, end), ())


class TestProveByWords:
    @each_row(
        ("start", "end", "interval", "kinds"),
        [
            (21, 25, (13, 17), ()),
            (13, 17, (13, 17), ("wrong_unit",)),
            (21, 24, (13, 17), ("end_inclusive",)),
            (1, 4, (1, 4), ("ambiguous",)),
        ],
    )
    def test_believes_what_cuts_no_word(
        self, start: int, end: int, interval: tuple[int, int], kinds: tuple[str, ...]
    ) -> None:
        proof = prove_by_words(Positions(EMOJI), start, end, declared="utf8")
        assert proof is not None
        assert (proof.interval, proof.kinds) == (interval, kinds)

    @pytest.mark.parametrize(("start", "end"), [(5, 5), (900, 901), (8, 3)])
    def test_believes_nothing_outside(self, start: int, end: int) -> None:
        assert prove_by_words(Positions(EMOJI), start, end, declared="utf8") is None
