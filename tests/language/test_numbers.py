import sys
from collections.abc import Callable
from math import inf
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeguard.language.number_words import find_unit
from citeguard.language.numbers import (
    CLOCK,
    CLOCK_FACE,
    Number,
    NumberKind,
    find_figures,
    find_numbers,
    in_plain_words,
    read_digits,
)
from citeguard.language.tokens import tokenize
from rows import each_row

TraceFunction = Callable[[FrameType, str, Any], Any]


def only(text: str) -> Number:
    (number,) = find_numbers(text)
    return number


class TestDigits:
    @each_row(
        ("written", "value"),
        [
            ("1,250", 1250),
            ("1,250.5", 1250.5),
            ("1.250,5", 1250.5),
            ("1.250.000", 1_250_000),
            ("12,34,567.8", 1_234_567.8),
            ("1\u202f250\u202f000,5", 1_250_000.5),
            ("5’000", 5000),
            ("1٬250٫5", 1250.5),
            ("3,5", 3.5),
            ("0,250", 0.25),
            ("1.250", 1.25),
            (".5", 0.5),
            ("1,2,3", None),
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


@each_row(
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
        ("two and a half million", 2_500_000),
        ("half a million", 500_000),
        ("half an hour", 0.5),
        ("3.5 million", 3_500_000),
        ("6½", 6.5),
        ("6 1/2", 6.5),
        ("5 Mio", 5_000_000),
        ("162 584 mln EUR", 162_584e6),
        ("Z&uuml;rich has 5&nbsp;dogs", 5),
    ],
)
def test_values(text: str, value: float) -> None:
    assert only(text).value == value


@each_row(
    ("text", "values"),
    [
        ("none of it, a dog, may march on", []),
        ("1/2/3", [1, 2, 3]),
        ("a third party", []),
        ("one thirty", [1, 30]),
        ("one hundred and two hundred", [100, 200]),
        ("one million and two million", [1e6, 2e6]),
        ("two in 2019", [2, 2019]),
        ("5 to go", [5]),
        ("40/50/2020", [40, 50, 2020]),
        ("2000 million", [2e9]),
        ("Jan went home", []),
        ("It is safe [12].", []),
        ("¼0", [0.25]),
        ("1914–1918", [1914, 1918]),
        ("in August 0.9 million", [8, 900_000]),
    ],
)
def test_where_numbers_end(text: str, values: list[float]) -> None:
    assert [number.value for number in find_numbers(text) if number.kind != "ordinal"] == values


@each_row(
    ("text", "kind", "value", "dimension"),
    [
        ("5 dogs", "count", 5, ""),
        ("5 mg", "count", 5, "mass"),
        ("158 km/h", "count", 158, "length per time"),
        ("60 miles per hour", "count", 60, "length per time"),
        ("1,200 square metres", "count", 1200, "area"),
        ("1,200 m2", "count", 1200, "area"),
        ("1,200 m^2", "count", 1200, "area"),
        ("1,200 km² of it", "count", 1200, "area"),
        ("5 m³/s", "count", 5, "volume per time"),
        ("5 kg² (see the note)", "count", 5, "mass"),
        ("−5 °C", "count", -5, "temperature"),
        ("minus 5 degrees", "count", -5, "degrees"),
        ("▲5 million yen", "money", -5_000_000, "yen"),
        ("a loss of $(509) million", "money", -509_000_000, "dollar"),
        ("a loss of (5)%", "percent", -5, "share"),
        ("a part (5%)", "percent", 5, "share"),
        ("1.5e-6 J", "count", 1.5e-6, ""),
        ("3 × 10⁻⁵ Sv", "count", 3e-5, "equivalent dose"),
        ("10^{5} cells", "count", 1e5, ""),
        ("65%", "percent", 65, "share"),
        ("65 per cent", "percent", 65, "share"),
        ("5 percentage points", "percent", 5, "points"),
        ("half of the members", "percent", 50, "share"),
        ("two thirds of them", "percent", 200 / 3, "share"),
        ("$5m", "money", 5e6, "dollar"),
        ("US$ 5.5bn", "money", 5.5e9, "dollar"),
        ("C$5", "money", 5, "Canadian dollar"),
        ("1.250,50 €", "money", 1250.5, "euro"),
        ("5 US dollars", "money", 5, "dollar"),
        ("35 cents", "money", 35, "cent"),
        ("10th", "ordinal", 10, ""),
        ("the twelfth", "ordinal", 12, ""),
        ("the IPv4 net", "label", 4, ""),
        ("see Form 730.", "label", 730, ""),
        ("1984 rooms", "count", 1984, ""),
        ("2000 km", "count", 2000, "length"),
    ],
)
def test_kinds(text: str, kind: NumberKind, value: float, dimension: str) -> None:
    number = only(text)
    unit = number.unit.dimension if number.unit else ""
    assert (number.kind, number.value, unit) == (kind, pytest.approx(value), dimension)


@each_row(
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
        ("5/23/2020", (2020, 5, 23)),
        ("5/3/2020", (2020, None, None)),
        ("in 1999", (1999, None, None)),
        ("the 2019 season", (2019, None, None)),
    ],
)
def test_dates(text: str, parts: tuple[int | None, ...]) -> None:
    date = only(text)
    assert (date.kind, date.year, date.month, date.day) == ("date", *parts)


@each_row(
    ("text", "low", "high"),
    [
        ("the 1990s", 1990, 1999),
        ("2018-19", 2018, 2019),
        ("the nineteenth century", 1801, 1900),
        ("the 21st century", 2001, 2100),
        ("the 2nd century BC", -200, -101),
        ("3 May", -inf, inf),
        ("at least 20", 20, inf),
        ("more than $20", 20, inf),
        ("no more than 3 metres", -inf, 3),
        ("up to 5", -inf, 5),
        ("they added up to 5", 5, 5),
        ("20 or fewer", -inf, 20),
        ("20+", 20, inf),
        ("5 to 10 days", 5, 10),
        ("5–10 mg", 5, 10),
        ("between 5 and 10", 5, 10),
        ("$5-10 million", 5e6, 1e7),
    ],
)
def test_what_is_left_open(text: str, low: float, high: float) -> None:
    assert (only(text).low, only(text).high) == (low, high)


def test_what_adds_up_to_a_sum_has_no_bound() -> None:
    text = "It added up to 5 in up to 2 years."
    assert in_plain_words(text) == "It added up to 5 in at most 2 years."


def test_weekdays_and_rough_numbers() -> None:
    assert only("on Sunday").weekday == 7
    assert [only(text).rough for text in ("about 20", "exactly 20")] == [True, False]


@each_row("text", ["from 5 to 10", "5 and 10", "won 3-2"])
def test_two_numbers_are_no_range(text: str) -> None:
    assert len(find_numbers(text)) == 2


@each_row(
    ("text", "hours"),
    [
        ("open from 9:00 to 17:30", [9, 17.5]),
        ("until 6 pm", [18]),
        ("9 a.m. to 12:15 p.m.", [9, 12.25]),
        ("at 12 am", [0]),
    ],
)
def test_times_of_day(text: str, hours: list[float]) -> None:
    found = find_numbers(text)
    assert [number.value for number in found] == hours
    assert all(number.unit in (CLOCK, CLOCK_FACE) for number in found)


@each_row("text", ["John 3:16", "a ratio of 3:20", "I am 9", "at 9 a man came", "25:00"])
def test_what_is_no_time_of_day(text: str) -> None:
    assert not {number.unit for number in find_numbers(text)} & {CLOCK, CLOCK_FACE}


PARTS = st.sampled_from(
    "5 1,250 twenty half a an of the in on May 3rd 1999 - – / $ € % mg km/h per cent million and"
    " or to between at least one 2018-19 19th century BC ½ 不 万 “ , . \n + &amp; [12]".split(" ")
)
TEXTS = st.lists(PARTS, max_size=15).map(" ".join) | st.text(max_size=40)


class TestAnyText:
    @given(TEXTS)
    def test_intervals_are_in_order_and_nested(self, text: str) -> None:
        done = 0
        for number in find_numbers(text):
            assert done <= number.start < number.end <= len(text)
            assert number.whole[0] <= number.start < number.end <= number.whole[1]
            assert number.low <= number.high
            done = number.end

    @given(TEXTS)
    def test_figures_are_whole_tokens(self, text: str) -> None:
        tokens = [token for token in tokenize(text) if token.kind != "mark"]
        done = 0
        for figure in find_figures(text, tokens):
            assert done <= figure.first < figure.end <= len(tokens)
            done = figure.end

    @each_row("text", ["9" * 5_000, f"{'9' * 400}th century", f"5 {'million ' * 80}"])
    def test_of_no_finite_value_is_none(self, text: str) -> None:
        assert find_numbers(text) == ()

    @each_row(
        "unit", ["one hundred and ", "1-", "111 ", "one in ", "a million and ", "1/1/", "5 km/h "]
    )
    def test_the_work_grows_with_the_text(self, unit: str) -> None:
        few, many = (_steps(unit * size) for size in (200, 400))
        assert many < 2.2 * few

    @each_row("text", ["1/" + "1" * 5_000, f"2020-5-{'1' * 5_000}", "3/²/2020"])
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


def test_units_are_found_in_any_number() -> None:
    sizes = [unit and unit.size for unit in map(find_unit, ("minutes", "km", "inches", "people"))]
    assert sizes == [60, 1000, 0.0254, None]
