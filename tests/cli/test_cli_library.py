"""`citeguard library`: adding, updating, removing, listing and searching documents."""

import json
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from citeguard import Library
from citeguard.cli.app import run
from cli.material import told_in_one_line, words, write
from fixture_types import Captured, MonkeyPatch


@pytest.fixture
def folder() -> str:
    """Return the name of a folder with two documents."""
    Path("docs").mkdir()
    write("docs/lunch.md", "# Lunch\n\nLunch is free on Fridays.\n")
    write("docs/notice.txt", "The notice period is one month.")
    return "docs"


class TestChanges:
    def test_are_printed(self, folder: str, capsys: Captured) -> None:
        assert run(["library", "add", "docs.db", folder]) == 0
        assert capsys.readouterr().out == "added: lunch, notice\n"
        write("docs/notice.txt", "The notice period is two months.")
        Path("docs/lunch.md").unlink()
        assert run(["library", "add", "docs.db", folder]) == 0
        assert capsys.readouterr().out == "updated: notice\n"
        assert run(["library", "update", "docs.db", folder]) == 0
        assert capsys.readouterr().out == "unchanged: notice\nremoved: lunch\n"
        assert run(["library", "remove", "docs.db", "notice"]) == 0
        with Library("docs.db") as library:
            assert len(library) == 0

    def test_fail_in_part_if_a_file_cannot_be_read(self, folder: str, capsys: Captured) -> None:
        write("docs/torn.pdf", "nothing")
        assert run(["library", "add", "docs.db", folder]) == 1
        printed = capsys.readouterr()
        assert printed.out == "added: lunch, notice\n"
        assert printed.err.startswith("citeguard: not read: docs/torn.pdf")

    def test_of_several_files_that_were_named_are_told(self, folder: str, capsys: Captured) -> None:
        torn = write("torn.pdf", "nothing")
        assert run(["library", "add", "docs.db", torn, "docs/notice.txt", "none.txt"]) == 1
        printed = capsys.readouterr()
        assert printed.out == "added: notice\n"
        assert [name in printed.err for name in ("torn.pdf", "none.txt")] == [True, True]

    def test_are_vectors_for_all_with_rebuild(self, folder: str, capsys: Captured) -> None:
        run(["library", "add", "docs.db", folder])
        capsys.readouterr()
        assert run(["library", "rebuild", "docs.db"]) == 0
        assert capsys.readouterr().err == ""

    def test_of_unknown_documents_are_none(self, folder: str, capsys: Captured) -> None:
        run(["library", "add", "docs.db", folder])
        capsys.readouterr()
        assert run(["library", "remove", "docs.db", "lunch", "dinner"]) == 2
        assert told_in_one_line(capsys) == "the library has no document 'dinner'"
        with Library("docs.db") as library:
            assert "lunch" in library


class TestList:
    def test_shows_documents_and_chats(self, folder: str, capsys: Captured) -> None:
        with Library("docs.db") as library:
            library.add(folder)
            chat = library.chat()
            chat.ask("How long is the notice period?")
        assert run(["library", "list", "docs.db"]) == 0
        printed = words(capsys.readouterr().out)
        assert "2 documents Id Title Kind Characters Passages" in printed
        assert "lunch Lunch markdown" in printed
        assert f"1 chat Id First question Last message (UTC) {chat.id} How long is" in printed

    def test_as_json_has_all_that_is_known(self, folder: str, capsys: Captured) -> None:
        run(["library", "add", "docs.db", folder])
        capsys.readouterr()
        assert run(["library", "list", "docs.db", "--json"]) == 0
        data = json.loads(capsys.readouterr().out)
        assert data["chats"] == []
        assert [each["source_id"] for each in data["documents"]] == ["lunch", "notice"]
        assert Path(data["documents"][1]["origin"]) == Path("docs/notice.txt").absolute()


class TestSearch:
    def test_prints_passages_with_their_places(self, folder: str, capsys: Captured) -> None:
        run(["library", "add", "docs.db", folder])
        capsys.readouterr()
        assert run(["library", "search", "docs.db", "lunch"]) == 0
        assert capsys.readouterr().out == snapshot("""\
lunch, Lunch, line 1
  Lunch
  Lunch is free on Fridays.
""")

    def test_marks_the_terms_of_the_query_in_colour(
        self, folder: str, capsys: Captured, monkeypatch: MonkeyPatch
    ) -> None:
        run(["library", "add", "docs.db", folder])
        capsys.readouterr()
        monkeypatch.setenv("FORCE_COLOR", "1")
        run(["library", "search", "docs.db", "lunches"])
        assert "\x1b[1;33mLunch\x1b[0m is free on Fridays." in capsys.readouterr().out
