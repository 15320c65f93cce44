"""What commands show of how far they have got, on standard error."""

import re

import pytest
from openpyxl import Workbook
from reportlab.pdfgen.canvas import Canvas

from citeguard.cli.app import run
from citeguard.cli.arguments import read_sources, shown_reading
from cli.material import GOOD, answer, check
from fixture_types import Captured, MonkeyPatch


@pytest.fixture
def report() -> str:
    """Return the name of a PDF file of three pages."""
    canvas = Canvas("report.pdf")
    for page in range(1, 4):
        canvas.drawString(72, 700, f"The notice period on page {page} is one month.")
        canvas.showPage()
    canvas.save()
    return "report.pdf"


def frames(capsys: Captured) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().err)


class TestReading:
    def test_shows_the_file_and_its_last_page_on_a_terminal(
        self, report: str, capsys: Captured, monkeypatch: MonkeyPatch
    ) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert run(["library", "add", "docs.db", report]) == 0
        assert "report.pdf, page 3 of 3" in frames(capsys)
        assert run(["library", "rebuild", "docs.db"]) == 0
        assert "report, document 1 of 1" in frames(capsys)

    def test_is_nothing_elsewhere(self, report: str, capsys: Captured) -> None:
        assert run(["library", "add", "docs.db", report]) == 0
        assert run(["library", "rebuild", "docs.db"]) == 0
        assert check(answer(GOOD)) == 0
        assert capsys.readouterr().err == ""

    def test_says_once_what_of_a_file_is_not_in_its_text_or_in_doubt(
        self, capsys: Captured
    ) -> None:
        book = Workbook()
        sheet = book.worksheets[0]
        for row in [("Site", "Staff"), ("Oslo", 14), ("Bergen", 16), ("Sum", "=B2+B3")]:
            sheet.append(row)
        sheet.row_dimensions[3].hidden = True
        book.save("staff.xlsx")
        assert run(["audit", "handbook.txt", "--sources", "staff.xlsx"]) != 2
        formulas, left_out = capsys.readouterr().err.splitlines()
        assert formulas.startswith("citeguard: staff: sheet 'Sheet': the formulas in B4 have no")
        assert left_out == "citeguard: staff: left out: 8 characters hidden in the file"
        read_sources(["staff.xlsx"], unseen="keep")
        in_doubt = "citeguard: staff: in doubt: the file may show 2 parts otherwise"
        assert capsys.readouterr().err.splitlines() == [formulas, in_doubt]

    def test_leaves_errors_to_those_who_read(self, monkeypatch: MonkeyPatch) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        with shown_reading([""]):
            pass
