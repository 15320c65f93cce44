"""`citeguard audit`: what it prints and writes, and what it exits with."""

import io
import json
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from docx import Document
from reportlab.pdfgen.canvas import Canvas

from citeguard.cli.app import run
from citeguard.reports.report import Report
from cli.material import told_in_one_line, words, write
from fixture_types import Captured, MonkeyPatch
from reports.samples import empty_report, full_report, good_report, report_with, report_with_problem

GOOD_TEXT = "The notice period is one month."
BAD_TEXT = "The notice period is two months."


def audit(*options: str, text: str | bytes = GOOD_TEXT) -> int:
    """Audit a text against the handbook."""
    return run(["audit", write("answer.txt", text), "--sources", "handbook.txt", *options])


Found = Callable[[Report], None]


@pytest.fixture
def found(monkeypatch: MonkeyPatch) -> Found:
    """Let every audit find what is given."""

    def find(report: Report) -> None:
        monkeypatch.setattr("citeguard.auditing.run.audit", lambda *given, **options: report)

    return find


class TestABaseline:
    def test_shows_what_is_new_and_mended(self, capsys: Captured) -> None:
        assert audit("--json", "old.json", text=BAD_TEXT) != 0
        capsys.readouterr()
        assert audit("--baseline", "old.json") == 0
        shown = capsys.readouterr().out
        assert "Since the baseline: 0 problems are new, 1 is mended." in shown
        assert "Mended: The notice period is two months" in shown

    def test_dismisses_what_it_dismisses(self) -> None:
        assert audit("--json", "old.json", text=BAD_TEXT) != 0
        old = Report.model_validate_json(Path("old.json").read_bytes())
        [claim] = old.claims
        joke = claim.model_copy(update={"dismissed": "A joke."})
        old.model_copy(update={"claims": (joke,)}).to_json("old.json")
        assert audit("--baseline", "old.json", text=BAD_TEXT) == 0


class TestExitStatus:
    def test_is_that_of_the_outcome(self, found: Found) -> None:
        for report, status in [
            (report_with("supported"), 0),
            (report_with("contradicted"), 1),
            (report_with("undecided"), 3),
            (report_with_problem("wrong_source"), 1),
            (empty_report(), 3),
        ]:
            found(report)
            assert audit() == status

    def test_of_nothing_to_check(self, found: Found) -> None:
        found(empty_report())
        assert audit("--min-trust", "0") == 3


class TestMinTrust:
    def test_is_inclusive_and_alone_decides(self, found: Found) -> None:
        for least, status in [("0", 0), ("45", 0), ("45.0", 0), ("45.1", 1), ("100", 1)]:
            report = report_with("undecided").model_copy()
            assert report.trust is not None
            trust = report.trust.model_copy(update={"value": 45.0})
            found(report.model_copy(update={"trust": trust}))
            assert audit("--min-trust", least) == status

    def test_goes_with_the_least_coverage(self, found: Found) -> None:
        report = report_with("undecided")
        assert report.trust is not None
        trust = report.trust.model_copy(update={"value": 90.0, "coverage": 40.0})
        found(report.model_copy(update={"trust": trust}))
        for options, status in [
            (["--min-coverage", "40"], 0),
            (["--min-coverage", "41"], 1),
            (["--min-trust", "90", "--min-coverage", "40"], 0),
            (["--min-trust", "91", "--min-coverage", "40"], 1),
        ]:
            assert audit(*options) == status


class TestOutputs:
    def test_name_files_and_the_day_in_a_page(self, found: Found) -> None:
        found(full_report())
        audit("--html", "a.html", "--quiet")
        title = f"answer.txt, checked against handbook.txt on {date.today().day} "
        assert f"<title>{title}" in Path("a.html").read_text("utf-8")

    def test_are_written_beside_what_is_printed(self, found: Found, capsys: Captured) -> None:
        found(full_report())
        options = {"--html": "a.html", "--json": "a.json", "--markdown": "a.md"}
        options |= {"--sarif": "a.sarif", "--junit": "a.xml"}
        assert audit(*(each for pair in options.items() for each in pair)) == 1
        assert capsys.readouterr().out.startswith("5 of 10 statements are supported")
        read = {path: Path(path).read_text("utf-8") for path in options.values()}
        assert read["a.html"].lower().startswith("<!doctype html>")
        assert Report.model_validate_json(read["a.json"]) == full_report()
        assert read["a.md"] == full_report().to_markdown()
        assert read["a.sarif"] == full_report().to_sarif(uri="answer.txt")
        assert ElementTree.fromstring(read["a.xml"].encode()).tag == "testsuites"
        assert all(content.endswith("\n") for content in read.values())

    def test_are_all_that_is_on_standard_output(self, found: Found, capsys: Captured) -> None:
        for option, start in [
            ("--html", "<!doctype html>"),
            ("--json", "{\n"),
            ("--markdown", "## 5 of 10"),
            ("--sarif", "{\n"),
            ("--junit", "<?xml"),
        ]:
            found(full_report())
            assert audit(option, "-") == 1
            told = capsys.readouterr().out
            assert told.lower().startswith(start)
            assert "┏" not in told

    def test_say_where_the_text_is(self, found: Found) -> None:
        for path, uri in [
            ("an answer#1.md", "an%20answer%231.md"),
            ("./sub/a:b.txt", "sub/a%3Ab.txt"),
        ]:
            found(full_report())
            Path("sub").mkdir(exist_ok=True)
            run(["audit", write(path, "x"), "--sources", "handbook.txt", "--sarif", "out.sarif"])
            [run_of_tool] = json.loads(Path("out.sarif").read_text())["runs"]
            assert run_of_tool["artifacts"][0]["location"]["uri"] == uri


def test_the_text_may_be_standard_input(monkeypatch: MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD_TEXT.encode())))
    assert run(["audit", "-", "--sources", "handbook.txt", "--sarif", "-"]) == 0
    [run_of_tool] = json.loads(capsys.readouterr().out)["runs"]
    assert run_of_tool["artifacts"][0]["location"]["uri"] == "text"


def test_a_bad_text_is_never_supported(capsys: Captured) -> None:
    assert audit(text=BAD_TEXT) in (1, 3)  # by how sure the reader is; never supported
    captured = capsys.readouterr()
    assert words(captured.out).startswith("0 of 1 statement is supported")
    assert captured.err == ""


class Clock:
    """Time that passes by itself: some seconds whenever it is asked for."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def monotonic(self) -> float:
        self.now += self.step
        return self.now


class TestProgress:
    @pytest.fixture(autouse=True)
    def three_claims(self, monkeypatch: MonkeyPatch) -> None:
        def fake(*given: Any, progress: Any, **options: Any) -> Report:
            for done in range(1, 4):
                if progress is not None:
                    progress(done, 3)
            return good_report()

        monkeypatch.setattr("citeguard.auditing.run.audit", fake)

    def at(self, step: float, monkeypatch: MonkeyPatch) -> None:
        monkeypatch.setattr("citeguard.datasets.progress_bar.time", Clock(step))

    def test_is_a_line_now_and_then(self, capsys: Captured, monkeypatch: MonkeyPatch) -> None:
        self.at(6, monkeypatch)
        audit()
        assert capsys.readouterr().err == "2 of 3 claims checked\n"

    def test_is_nothing_when_quiet(self, capsys: Captured, monkeypatch: MonkeyPatch) -> None:
        for colour in ("", "1"):
            self.at(60, monkeypatch)
            monkeypatch.setenv("FORCE_COLOR", colour)
            audit("--quiet")
            assert capsys.readouterr().err == ""


class TestDocuments:
    """A text that is a Word, PowerPoint, PDF or HTML file, read as sources are."""

    def test_claims_say_where_they_are(self, capsys: Captured) -> None:
        document = Document()
        document.add_heading("Notice", 1)
        document.add_paragraph("The notice period is two months.")
        document.save("report.docx")
        page = "<h1>Notice</h1><p>The notice period is two months.</p>"
        Path("report.html").write_text(page, encoding="utf-8")
        canvas = Canvas("report.pdf")
        canvas.showPage()
        canvas.drawString(72, 700, "The notice period is two months.")
        canvas.save()
        Path("report.md").write_text("\n\nThe notice period is two months.\n", encoding="utf-8")
        for name, place in [
            ("report.docx", "Notice"),
            ("report.html", "Notice"),
            ("report.pdf", "p. 2"),
            ("report.md", "line 3"),
        ]:
            assert run(["audit", name, "--json", "-", "--sources", "handbook.txt"]) == 1
            claims = json.loads(capsys.readouterr().out)["claims"]
            [claim] = [each for each in claims if each["verdict"] == "contradicted"]
            assert place in claim["place"]
            headings = [each for each in claims if each["text"] == "Notice"]
            assert all(each["set_aside"] == "heading" for each in headings)

    @pytest.mark.parametrize("suffix", ["md", "csv", "html", "docx"])
    def test_heads_of_their_tables_claim_nothing(self, capsys: Captured, suffix: str) -> None:
        rows = [("City", "People"), ("Rome", "Many people"), ("Oslo", "Some people")]
        if suffix == "docx":
            document = Document()
            table = document.add_table(rows=3, cols=2)
            for row, words in zip(table.rows, rows, strict=True):
                row.cells[0].text, row.cells[1].text = words
            document.save("report.docx")
        else:
            tags = "".join(f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in rows[1:])
            content = {
                "md": "City | People\n--- | ---\nRome | Many people\nOslo | Some people\n",
                "csv": "\n".join(map(",".join, rows)),
                "html": f"<table><tr><th>City</th><th>People</th></tr>{tags}</table>",
            }
            Path(f"report.{suffix}").write_text(content[suffix], encoding="utf-8")
        run(["audit", f"report.{suffix}", "--json", "-", "--sources", "handbook.txt"])
        claims = json.loads(capsys.readouterr().out)["claims"]
        assert [each["set_aside"] for each in claims] == ["heading", None, None]

    def test_come_back_with_notes(self, capsys: Captured) -> None:
        document = Document()
        document.add_paragraph("The notice period is two months.")
        document.save("report.docx")
        command = ["audit", "report.docx", "--sources", "handbook.txt", "--annotated"]
        assert run([*command, "notes.docx"]) == 1
        [comment] = Document("notes.docx").comments
        assert comment.text.startswith("Contradicted\n")
        capsys.readouterr()
        for name, told in [
            ("notes.pdf", "--annotated: TEXT and FILE must both end in .docx, or in .pdf"),
            ("./report.docx", "--annotated: ./report.docx is read or written already."),
            ("no/notes.docx", "no/notes.docx: no such directory as no"),
        ]:
            assert told_in_one_line(capsys, run([*command, name])).startswith(told)

    def test_reports_name_the_place(self, capsys: Captured) -> None:
        Path("report.txt").write_text("The notice period is two months.", encoding="utf-8")
        command = ["audit", "report.txt", "--sources", "handbook.txt"]
        assert run(command) == 1
        assert "Contradicted (line 1): The notice" in capsys.readouterr().out
        for form, shown in [
            ("markdown", "contradicted (line 1)"),
            ("junit", "Claim (line 1): The notice"),
            ("sarif", '"place": "line 1"'),
            ("html", "In the text: line 1"),
        ]:
            assert run([*command, f"--{form}", "-"]) == 1
            assert shown in capsys.readouterr().out
