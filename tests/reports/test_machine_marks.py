"""Marks that are for programs are read by audits, and shown in none of their outputs."""

import re
from io import StringIO

import pytest
from rich.console import Console

from citeguard import Report, audit

TEXT = (
    "Hello there \ue200cite\ue202turn0search3\ue201.\n\n"
    "The notice period is two months \ue200cite\ue202turn0search1\ue201. "
    "<co>Parking costs a lot</co: 0:[1]>. Cats are blue 【4:0†source】【4:1†faq】. It is so."
)
MARKS = re.compile(r"[\ue200-\ue202]|</?co\b|&lt;/?co\b|【|turn0search1")


def report() -> Report:
    sources = {"handbook": "The notice period is one month.", "faq": "Parking is free."}
    return audit(TEXT, sources, cite={"turn0search1": "handbook"})


def on_terminal(report: Report) -> str:
    console = Console(file=StringIO(), width=100, record=True)
    console.print(report)
    return console.export_text()


def in_notebook(report: Report) -> str:
    return report._repr_html_()  # pyright: ignore[reportPrivateUsage]


class TestMachineMarks:
    @pytest.mark.parametrize(
        "write",
        [
            Report.to_html,
            Report.to_markdown,
            Report.to_junit,
            on_terminal,
            in_notebook,
        ],
    )
    def test_are_not_shown(self, write: object) -> None:
        assert callable(write)
        assert MARKS.findall(str(write(report()))) == []

    def test_take_the_blanks_before_them_along(self) -> None:
        shown = on_terminal(report())
        assert "two months. (" in shown
        assert "Cats are blue. " in shown

    def test_are_named_where_they_have_a_problem(self) -> None:
        page = report().to_html()
        assert '<span class="mark" id="f1" title="Unknown source"> [turn0search3]</span>.' in page
        assert " [4:0†source]</span>" in page
