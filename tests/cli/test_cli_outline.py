"""`citeguard dev outline`: what it prints of a file, and what it exits with."""

import json

import docx
import pptx

from citeguard.cli.app import run
from cli.material import told_in_one_line, write
from fixture_types import Captured

GUIDE = "# Pay\n\nPay is monthly.\n\n## Bonus\n\nIt is paid in May.\n\n# Notice\n\nA month.\n"


def printed(capsys: Captured, *arguments: str) -> str:
    assert run(["dev", "outline", *arguments]) == 0
    return capsys.readouterr().out


class TestOutline:
    def test_is_the_tree_of_headings(self, capsys: Captured) -> None:
        pay, notice = json.loads(printed(capsys, write("guide.md", GUIDE)))
        assert (pay["heading"], pay["level"], pay["start"], pay["page"]) == ("Pay", 1, 0, None)
        assert [section["heading"] for section in pay["sections"]] == ["Bonus"]
        assert (notice["heading"], notice["sections"]) == ("Notice", [])

    def test_of_word_and_powerpoint_files(self, capsys: Captured) -> None:
        guide, talk = docx.Document(), pptx.Presentation()
        guide.add_heading("Pay", 1)
        guide.add_paragraph("Pay is monthly.")
        guide.save("guide.docx")
        talk.slides.add_slide(talk.slide_layouts[0]).shapes.title.text = "Notice"
        talk.save("talk.pptx")
        for name, heading in (("guide.docx", "Pay"), ("talk.pptx", "Slide 1: Notice")):
            [section] = json.loads(printed(capsys, name))
            assert section["heading"] == heading


class TestWhatCannotBeRead:
    def test_several_sources(self, capsys: Captured) -> None:
        assert (
            run(["dev", "outline", write("two.json", {"a": "It rained.", "b": "So be it."})]) == 2
        )
        assert told_in_one_line(capsys) == ("two.json: has 2 sources, and an outline is of one")
