from __future__ import annotations

import io
import re
from typing import Any

import pytest
from filter_material import mixed
from rich.console import Console

from citeguard.datasets import FilterSummary, filter_samples, filtering
from citeguard.datasets.filtering import show_progress

SOME = FilterSummary(
    read=200, kept=190, rejected=10, codes={"quote_altered": 8, "a": 2, "b": 1, "c": 1}
)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(filtering, "time", made)
    return made


def console(**options: Any) -> Console:
    return Console(file=io.StringIO(), markup=False, highlight=False, width=120, **options)


def shown(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", console.file.getvalue())


class TestLines:
    def test_come_now_and_then(self, clock: Clock) -> None:
        plain = console()
        with show_progress(True, plain) as report:
            for second in range(31):
                clock.now = float(second)
                report(FilterSummary(read=100 * (second + 1)), (second + 1) / 64)
        assert shown(plain) == (
            "1,100 samples, 100/s, 0.0 % rejected, 53 s left\n"
            "2,100 samples, 100/s, 0.0 % rejected, 43 s left\n"
            "3,100 samples, 100/s, 0.0 % rejected, 33 s left\n"
        )

    def test_show_the_share_of_the_most_frequent_codes(self, clock: Clock) -> None:
        plain = console()
        with show_progress(True, plain) as report:
            report(FilterSummary(read=100), None)
            clock.now = 10.0
            report(SOME, None)
        assert shown(plain) == (
            "200 samples, 10/s, 5.0 % rejected (quote_altered 4.0 %, a 1.0 %, b 0.5 %)\n"
        )

    def test_what_an_earlier_run_did_counts_neither_for_the_rate_nor_for_the_time(
        self, clock: Clock
    ) -> None:
        plain = console()
        with show_progress(True, plain) as report:
            report(FilterSummary(read=1_000_000), 0.5)
            clock.now = 20.0
            report(FilterSummary(read=1_000_400), 0.502)
        assert shown(plain) == "1,000,400 samples, 20/s, 0.0 % rejected, 83 min left\n"

    @pytest.mark.parametrize(("share", "left"), [(0.1, "80 s"), (0.01, "16 min"), (0.001, "2.8 h")])
    def test_time_left_is_rounded(self, share: float, left: str, clock: Clock) -> None:
        plain = console()
        with show_progress(True, plain) as report:
            report(FilterSummary(read=10), share)
            clock.now = 10.0
            report(FilterSummary(read=20), 2 * share)
        assert shown(plain).endswith(f", {left} left\n")


class TestTerminal:
    def test_has_a_bar_that_goes_away(self) -> None:
        terminal = console(force_terminal=True)
        with show_progress(True, terminal) as report:
            report(SOME, 0.25)
        assert "200 samples, 0/s, 5.0 % rejected (quote_altered 4.0 %" in shown(terminal)
        assert terminal.file.getvalue().endswith("\x1b[2K")  # type: ignore[attr-defined]

    def test_does_without_a_share(self) -> None:
        terminal = console(force_terminal=True)
        with show_progress(True, terminal) as report:
            report(SOME, None)
        assert "200 samples" in shown(terminal)


def test_nothing_is_shown_if_disabled(capsys: pytest.CaptureFixture[str]) -> None:
    filter_samples(mixed(9), progress=False)
    with show_progress(False) as report:
        report(SOME, 0.5)
    assert capsys.readouterr() == ("", "")


def test_nothing_goes_to_standard_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(filtering, "_LINE_EVERY", 0.0)
    filter_samples(mixed(130), workers=1)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "130 samples, " in captured.err
    assert "33.1 % rejected (quote_altered 33.1 %)" in captured.err
