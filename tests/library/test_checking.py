"""What is wrong with the file of a library, and that all of it is said in one kind of error."""

import random
import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path

import pytest

from citeguard import CiteguardError
from citeguard.cli.app import run
from citeguard.library.checking import check_file
from citeguard.library.library import Library

TEXTS = {"handbook": "Notice is one month. Lunch is free on Fridays.", "faq": "Ghent, since 1998."}
COLUMNS = [
    ("documents", "info"),
    ("documents", "data"),
    ("documents", "source_id"),
    ("documents", "version"),
    ("passages", "text"),
    ("passages", "start"),
    ("passages_documents", "source_id"),
    ("messages", "data"),
    ("chats", "updated_at"),
    ("chats", "title"),
    ("settings", "value"),
    ("stored_questions", "data"),
]
VALUES = ["{}", "[1]", b"\xff\xfe", 1e400, None]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "library.db"
    with Library(path) as library:
        library.add(TEXTS)
        library.chat().ask("When is lunch free?")
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO stored_questions (data) VALUES ('{}')")
        connection.execute("DELETE FROM stored_questions")
    return path


@pytest.fixture
def file(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made, tmp_path))


def used(path: Path) -> None:
    """Call what reads a library."""
    with Library(path) as library:
        library.documents()
        library.sources()
        library.questions()
        library.search("lunch")
        for chat in library.chats():
            for message in library.messages(chat.id):
                for reference in message.references:
                    library.state_of(reference)
        library.ask("When is lunch free?")
        library.add({"new": "Parking costs 20 euros."})


class TestDamaged:
    @pytest.mark.parametrize("at", range(2 * len(COLUMNS)))
    def test_values_are_one_kind_of_error(self, file: Path, at: int) -> None:
        (table, column), value = COLUMNS[at % len(COLUMNS)], VALUES[at % len(VALUES)]
        with sqlite3.connect(file) as connection, suppress(sqlite3.Error, UnicodeEncodeError):
            connection.execute("PRAGMA ignore_check_constraints = ON")
            connection.execute(f'UPDATE {table} SET "{column}" = ?', (value,))
        with suppress(CiteguardError):
            used(file)

    @pytest.mark.parametrize("seed", range(8))
    def test_bytes_are_one_kind_of_error(self, file: Path, seed: int) -> None:
        choose, content = random.Random(seed), bytearray(file.read_bytes())
        for _ in range(choose.choice((1, 20, 500))):
            content[choose.randrange(len(content))] = choose.randrange(256)
        file.write_bytes(content[: choose.choice((None, len(content) // 2))])
        with suppress(CiteguardError):
            used(file)
        with suppress(CiteguardError):
            check_file(file, file.with_name("new.db"))


class TestCheck:
    def test_nothing_is_wrong_and_all_is_salvaged(self, file: Path, tmp_path: Path) -> None:
        assert check_file(file, tmp_path / "new.db") == []
        with Library(file) as old, Library(tmp_path / "new.db") as new:
            assert [each.version for each in new.documents()] == [
                each.version for each in old.documents()
            ]
            assert [new.source(each).text for each in TEXTS] == list(TEXTS.values())
            (chat,) = old.chats()
            assert new.messages(chat.id) == old.messages(chat.id)

    @pytest.mark.parametrize(
        "change",
        [
            "UPDATE documents SET data = x'00' WHERE source_id = 'faq'",
            "UPDATE documents SET version = 'x' WHERE source_id = 'faq'",
            "UPDATE documents SET info = '{' WHERE source_id = 'faq'",
            "UPDATE documents SET file = x'25' WHERE source_id = 'faq'",
            "UPDATE passages SET text = 'Ghent, since 1989.' WHERE text LIKE 'Ghent%'",
        ],
    )
    def test_what_is_whole_is_kept(
        self, file: Path, change: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with sqlite3.connect(file) as connection:
            connection.execute(change)
        saved = file.with_name("saved.db")
        assert run(["library", "check", str(file), "--salvage", str(saved)]) == 1
        assert "documents, row 2" in capsys.readouterr().out
        with Library(saved) as library:
            assert [each.source_id for each in library.documents()] == ["handbook"]
        assert run(["library", "check", str(saved)]) == 0

    def test_a_file_that_cannot_be_opened_is_not_whole(self, file: Path) -> None:
        with sqlite3.connect(file) as connection:
            connection.execute("PRAGMA user_version = 99")
        (problem,) = check_file(file)
        assert "format is 99" in problem

    def test_never_overwrites(self, file: Path) -> None:
        with pytest.raises(CiteguardError, match="exists already"):
            check_file(file, file)


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_links_that_leave_a_folder_are_followed_only_if_named(tmp_path: Path, kind: str) -> None:
    folder, outside = tmp_path / "docs", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (outside / "secret.txt").write_text("The code is 1234.")
    (folder / "own.txt").write_text("Lunch is free.")
    (folder / "same.txt").symlink_to(folder / "own.txt")
    target = outside if kind == "folder" else outside / "secret.txt"
    (folder / "link.txt").symlink_to(target)
    with Library() as library:
        changes = library.add(folder)
        assert "secret" not in str(changes.added) + str(library.sources().ids)
        assert all("link" not in each for each in changes.added)
        if kind == "file":
            assert "leads out of the folder" in str(changes.failed)
            assert "link" in library.add(folder / "link.txt").added
