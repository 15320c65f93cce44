import sys
from collections.abc import Callable
from math import inf
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeguard.language.numbers import (
    CLOCK,
    CLOCK_FACE,
    Number,
    NumberKind,
    find_numbers,
    read_digits,
)
from citeguard.language.quantities import find_unit
from rows import each_row

TraceFunction = Callable[[FrameType, str, Any], Any]


def only(text: str) -> Number:
    (number,) = find_numbers(text)
    return number


class TestDigits:
    @pytest.mark.parametrize(
        ("written", "value"),
        [
            ("1250", 1250),
            ("1,250", 1250),
            ("1,250.5", 1250.5),
            ("1.250,5", 1250.5),
            ("1.250.000", 1_250_000),
            ("1,00,000", 100_000),
            ("12,34,567.8", 1_234_567.8),
            ("1 250 000", 1_250_000),
            ("1\u202f250\u202f000,5", 1_250_000.5),
            ("5’000", 5000),
            ("1٬250٫5", 1250.5),
            ("3,5", 3.5),
            ("0,250", 0.25),
            ("1.250", 1.25),
            (".5", 0.5),
            ("1,2,3", None),
            ("1.2.3", None),
            ("1,25.000,5", None),
            ("", None),
        ],
    )
    def test_of_all_locales(self, written: str, value: float | None) -> None:
        assert read_digits(written) == value

    @given(st.integers(0, 10**12), st.sampled_from([",", "’", "\u202f", " "]))
    def test_grouped_by_three(self, value: int, separator: str) -> None:
        written = f"{value:,}".replace(",", separator)
        assert read_digits(written) == value
        assert [number.value for number in find_numbers(f"x {written}.")] == [value]

    def test_of_other_scripts(self) -> None:
        assert only("١٢٣٫٥").value == 123.5
        assert only("５万人").value == 50_000


class TestWords:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("seven", 7),
            ("twenty-five", 25),
            ("two hundred and fifty thousand", 250_000),
            ("a thousand million", 1e9),
            ("one hundred and two thousand", 102_000),
            ("three million two hundred thousand", 3_200_000),
            ("a hundred", 100),
            ("one hundred and one", 101),
            ("two dozen", 24),
            ("a dozen and a half", 18),
            ("two and a half million", 2_500_000),
            ("half a million", 500_000),
            ("a quarter of a million", 250_000),
            ("3.5 million", 3_500_000),
            ("6½", 6.5),
            ("6 1/2", 6.5),
            ("5 Mio", 5_000_000),
        ],
    )
    def test_of_values(self, text: str, value: float) -> None:
        assert only(text).value == value

    @pytest.mark.parametrize(
        "text", ["", "none", "a dog", "may", "march on", "the second-hand half", "ａ", "never mind"]
    )
    def test_none(self, text: str) -> None:
        assert [n for n in find_numbers(text) if n.kind not in ("ordinal", "percent")] == []


class TestKinds:
    @pytest.mark.parametrize(
        ("text", "kind", "value", "dimension"),
        [
            ("5 dogs", "count", 5, ""),
            ("5 mg", "count", 5, "mass"),
            ("158 km/h", "count", 158, "length per time"),
            ("60 miles per hour", "count", 60, "length per time"),
            ("1,200 square metres", "count", 1200, "area"),
            ("half an hour", "count", 0.5, "time"),
            ("−5 °C", "count", -5, "temperature"),
            ("minus 5 degrees", "count", -5, "degrees"),
            ("65%", "percent", 65, "share"),
            ("65 per cent", "percent", 65, "share"),
            ("5 percentage points", "percent", 5, "points"),
            ("half of the members", "percent", 50, "share"),
            ("two thirds", "percent", 200 / 3, "share"),
            ("one in five", "percent", 20, "share"),
            ("three out of four patients", "percent", 75, "share"),
            ("3/4 of all", "percent", 75, "share"),
            ("$5m", "money", 5e6, "dollar"),
            ("US$ 5.5bn", "money", 5.5e9, "dollar"),
            ("1.250,50 €", "money", 1250.5, "euro"),
            ("5 US dollars", "money", 5, "dollar"),
            ("35 cents", "money", 35, "cent"),
            ("10th", "ordinal", 10, ""),
            ("the twelfth", "ordinal", 12, ""),
            ("three times", "times", 3, ""),
            ("10-fold", "times", 10, ""),
            ("twice", "times", 2, ""),
            ("doubled", "times", 2, ""),
            ("once a week", "times", 1, ""),
            ("a three-time winner", "times", 3, ""),
            ("the IPv4 net", "label", 4, ""),
            ("see Form 730.", "label", 730, ""),
        ],
    )
    def test_by_what_is_beside(
        self, text: str, kind: NumberKind, value: float, dimension: str
    ) -> None:
        number = only(text)
        found = number.unit.dimension if number.unit else ""
        assert (number.kind, number.value, found) == (kind, pytest.approx(value), dimension)
        assert number.currency == (dimension if kind == "money" else "")

    @pytest.mark.parametrize(
        ("text", "values"),
        [
            ("1/2/3", [1, 2, 3]),
            ("a third party", []),
            ("one thirty", [1, 30]),
            ("one hundred and two hundred", [100, 200]),
            ("one million and two million", [1e6, 2e6]),
            ("three quarters later", [3]),
            ("two in 2019", [2, 2019]),
            ("three in all", [3]),
            ("three time zones", [3]),
            ("5 to go", [5]),
            ("a-b-c", []),
            ("40/50/2020", [40, 50, 2020]),
            ("2000 million", [2e9]),
            ("Jan went home", []),
        ],
    )
    def test_what_only_looks_like_one(self, text: str, values: list[float]) -> None:
        assert [n.value for n in find_numbers(text) if n.kind != "ordinal"] == values

    def test_name_of_a_label(self) -> None:
        assert only("see Form 730.").label == "form"


class TestDates:
    @pytest.mark.parametrize(
        ("text", "parts"),
        [
            ("3 May 2019", (2019, 5, 3)),
            ("May 3rd, 2019", (2019, 5, 3)),
            ("the third of May", (None, 5, 3)),
            ("Sept. 3", (None, 9, 3)),
            ("Feb. 2016", (2016, 2, None)),
            ("in May", (None, 5, None)),
            ("2020-05-03", (2020, 5, 3)),
            ("03.05.2020", (2020, 5, 3)),
            ("23/5/2020", (2020, 5, 23)),
            ("5/23/2020", (2020, 5, 23)),
            ("5/3/2020", (2020, None, None)),
            ("in 1999", (1999, None, None)),
            ("the 2019 season", (2019, None, None)),
            ("44 BC", (-44, None, None)),
        ],
    )
    def test_parts(self, text: str, parts: tuple[int | None, ...]) -> None:
        date = only(text)
        assert (date.kind, date.year, date.month, date.day) == ("date", *parts)

    @pytest.mark.parametrize(
        ("text", "low", "high"),
        [
            ("the 1990s", 1990, 1999),
            ("2018-19", 2018, 2019),
            ("the nineteenth century", 1801, 1900),
            ("the 21st century", 2001, 2100),
            ("the twenty-first century", 2001, 2100),
            ("the 2nd century BC", -200, -101),
            ("66 million years ago", -66e6, -66e6),
            ("3 May 2019", 2019, 2019),
            ("3 May", -inf, inf),
        ],
    )
    def test_years_meant(self, text: str, low: float, high: float) -> None:
        assert (only(text).low, only(text).high) == (low, high)

    def test_weekday(self) -> None:
        assert only("on Sunday").weekday == 7

    def test_two_years_are_two_dates(self) -> None:
        assert [date.year for date in find_numbers("1914–1918")] == [1914, 1918]

    @pytest.mark.parametrize("text", ["1984 rooms", "2000 km", "$1999", "1500 people"])
    def test_what_is_counted_is_no_year(self, text: str) -> None:
        assert only(text).kind != "date"


class TestBounds:
    @pytest.mark.parametrize(
        ("text", "low", "high", "bounded"),
        [
            ("at least 20", 20, inf, "at least 20"),
            ("more than $20", 20, inf, "more than $20"),
            ("no more than 3 metres", -inf, 3, "no more than 3 metres"),
            ("up to 5", -inf, 5, "up to 5"),
            ("20 or fewer", -inf, 20, "20 or fewer"),
            ("20+", 20, inf, "20+"),
            ("5 to 10 days", 5, 10, "5 to 10 days"),
            ("5–10 mg", 5, 10, "5–10 mg"),
            ("between 5 and 10", 5, 10, "5 and 10"),
            ("$5-10 million", 5e6, 1e7, "$5-10 million"),
        ],
    )
    def test_are_read(self, text: str, low: float, high: float, bounded: str) -> None:
        number = only(text)
        assert (number.low, number.high) == (low, high)
        assert text[slice(*number.bounded)] == bounded

    def test_rough(self) -> None:
        assert only("about 20").rough
        assert not only("exactly 20").rough

    @pytest.mark.parametrize("text", ["from 5 to 10", "5 and 10", "won 3-2"])
    def test_two_numbers_are_no_range(self, text: str) -> None:
        assert len(find_numbers(text)) == 2


PARTS = st.sampled_from(
    "5 1,250 twenty half a an of the in on May 3rd 1999 - – / $ € % mg km/h per cent million and"
    " or to between at least one 2018-19 19th century BC twice ½ 不 万 “ , . \n +".split(" ")
)
TEXTS = st.lists(PARTS, max_size=15).map(" ".join) | st.text(max_size=40)


class TestAnyText:
    @given(TEXTS)
    def test_intervals_are_in_order_and_nested(self, text: str) -> None:
        done = 0
        for number in find_numbers(text):
            assert done <= number.start < number.end <= len(text)
            assert number.whole[0] <= number.start < number.end <= number.whole[1]
            assert number.bounded[0] <= number.whole[0] < number.whole[1] <= number.bounded[1]
            assert number.low <= number.high
            done = number.end

    def test_of_one_character_do_not_overlap(self) -> None:
        assert len(find_numbers("¼0")) == 1

    def test_of_no_finite_value_is_none(self) -> None:
        for text in ("9" * 5_000, f"{'9' * 400}th century", f"5 {'million ' * 80}"):
            assert find_numbers(text) == ()

    def test_of_a_long_text_is_read_in_one_pass(self) -> None:
        assert len(find_numbers("5 mg and 7 kg, " * 5_000)) == 10_000


class TestUnits:
    @pytest.mark.parametrize(("word", "size"), [("minutes", 60), ("km", 1000), ("inches", 0.0254)])
    def test_are_found_in_any_number(self, word: str, size: float) -> None:
        unit = find_unit(word)
        assert unit is not None
        assert unit.size == size

    def test_none(self) -> None:
        assert find_unit("people") is None


class TestGrowth:
    @pytest.mark.parametrize(
        "unit",
        ["one hundred and ", "1-", "111 ", "one in ", "a million and ", "1/1/", "5 km/h "],
    )
    def test_the_work_grows_with_the_text(self, unit: str) -> None:
        few, many = (_steps(unit * size) for size in (200, 400))
        assert many < 2.2 * few

    @pytest.mark.parametrize("text", ["1/" + "1" * 5_000, f"2020-5-{'1' * 5_000}", "3/²/2020"])
    def test_digits_that_are_no_integer_are_no_error(self, text: str) -> None:
        assert find_numbers(text)


def _steps(text: str) -> int:
    """Return how many lines of code are run to read a text; each turn of a loop counts."""
    steps = 0

    def count(_frame: FrameType, _event: str, _argument: object) -> TraceFunction:
        nonlocal steps
        steps += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        find_numbers(text)
    finally:
        sys.settrace(before)
    return steps


class TestTimesOfDay:
    @each_row(
        ("text", "hours"),
        [
            ("open from 9:00 to 17:30", [9, 17.5]),
            ("until 6 pm", [18]),
            ("9 a.m. to 12:15 p.m.", [9, 12.25]),
            ("at 12 am", [0]),
            ("9:00-17:00", [9, 17]),
        ],
    )
    def test_are_hours(self, text: str, hours: list[float]) -> None:
        found = find_numbers(text)
        assert [number.value for number in found] == hours
        assert all(number.unit in (CLOCK, CLOCK_FACE) for number in found)

    @each_row("text", ["John 3:16", "a ratio of 3:20", "I am 9", "at 9 a man came", "25:00"])
    def test_other_numbers_are_none(self, text: str) -> None:
        units = {number.unit for number in find_numbers(text)}
        assert not units & {CLOCK, CLOCK_FACE}


class TestBlanksAndDashes:
    @each_row(
        ("text", "values"),
        [
            ("1, 600 people were hurt", [1600]),
            ("in 2, 500 cases", [2500]),
            ("50, 100, 250", [50, 100, 250]),
            ("5, 100 and 200", [5, 100, 200]),
            ("chapters 1, 600 pages", [1, 600]),
            ("on May 3, 600 people", [3, 600]),
        ],
    )
    def test_a_blank_after_the_comma_of_a_number(self, text: str, values: list[float]) -> None:
        assert [number.value for number in find_numbers(text)] == values

    @each_row(
        ("text", "low", "high"),
        [("2007 -- 08", 2007, 2008), ("2007--08", 2007, 2008), ("5 -- 10 mg", 5, 10)],
    )
    def test_a_dash_that_is_typed_as_two(self, text: str, low: float, high: float) -> None:
        (number,) = find_numbers(text)
        assert (number.low, number.high) == (low, high)
