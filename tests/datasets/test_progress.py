import re
from collections.abc import Iterator

import pytest
from filter_material import mixed

from citeguard.datasets import filter_samples, filtering


@pytest.fixture
def lines_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filtering, "_LINE_EVERY", 0.0)


def test_lines_come_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def seconds() -> Iterator[float]:
        now = 0.0
        while True:
            yield now
            now += 1.0

    clock = seconds()
    monkeypatch.setattr(filtering.time, "monotonic", lambda: next(clock))
    filter_samples(mixed(64 * 9), workers=1)
    lines = capsys.readouterr().err.splitlines()
    assert 1 <= len(lines) < 9
    assert re.fullmatch(r"\d+ samples, \d+% of all, \d+/s, 33\.\d % rejected", lines[0])


def test_the_rate_does_not_count_what_an_earlier_run_did(
    lines_at_once: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = iter([0.0, 5.0, 10.0])
    monkeypatch.setattr(filtering.time, "monotonic", lambda: next(now))
    shown: list[tuple[str, float, float | None]] = []
    reader = filtering.reader_of(mixed(1))
    report = filtering._reporter(lambda *move: shown.append(move), reader)
    for read, share in ((1000, 0.5), (1100, None)):
        reader.share = share
        report(filtering.FilterSummary(read=read))
    assert shown == [
        ("1,000 samples, 50% of all, 0/s, 0.0 % rejected", 0.5, 1.0),
        ("1,100 samples, 10/s, 0.0 % rejected", 0.0, None),
    ]


def test_a_terminal_has_a_line_that_goes_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    filter_samples(mixed(9), workers=1)
    captured = capsys.readouterr()
    assert "33.3 % rejected" in captured.err
    assert captured.err.endswith("\x1b[2K")


def test_nothing_goes_to_standard_output_or_is_shown_if_disabled(
    lines_at_once: None, capsys: pytest.CaptureFixture[str]
) -> None:
    filter_samples(mixed(9), progress=False)
    assert capsys.readouterr() == ("", "")
    filter_samples(mixed(130), workers=1)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "33.1 % rejected" in captured.err
