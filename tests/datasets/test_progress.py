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


def console(**options: Any) -> Console:
    return Console(file=io.StringIO(), markup=False, highlight=False, width=120, **options)


def shown(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", console.file.getvalue())


def test_lines_come_now_and_then_and_do_not_count_what_an_earlier_run_did(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = iter([0.0, 0.0, 5.0, 10.0, 19.0, 20.0])
    monkeypatch.setattr(filtering.time, "monotonic", lambda: next(now))
    plain = console()
    with show_progress(True, plain) as report:
        for read, share in ((1000, 0.5), (1100, 0.51), (1200, 0.52), (1290, 0.53), (1300, None)):
            report(FilterSummary(read=read), share)
    assert shown(plain) == (
        "1,200 samples, 52% of all, 20/s, 0.0 % rejected\n1,300 samples, 15/s, 0.0 % rejected\n"
    )


def test_a_terminal_has_a_line_that_goes_away() -> None:
    terminal = console(force_terminal=True)
    with show_progress(True, terminal) as report:
        report(SOME, 0.25)
    assert "5.0 % rejected" in shown(terminal)
    assert terminal.file.getvalue().endswith("\x1b[2K")  # type: ignore[attr-defined]


def test_nothing_goes_to_standard_output_or_is_shown_if_disabled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    filter_samples(mixed(9), progress=False)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(filtering, "_LINE_EVERY", 0.0)
    filter_samples(mixed(130), workers=1)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "33.1 % rejected" in captured.err
