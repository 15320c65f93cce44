"""The file of a library: changes as a whole, errors that say what to do, threads and processes."""

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from citeguard import CiteguardError
from citeguard.library.database import LibraryFile
from citeguard.library.stores.sqlite import SQLiteStore
from citeguard.library.stores.store import StoredPassage

TESTS = Path(__file__).parents[1]
LUNCH = [StoredPassage(0, 14, "Lunch is free.", ("lunch", "free"))]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "docs.db"


@pytest.fixture
def file(path: Path) -> Iterator[LibraryFile]:
    opened = LibraryFile(path)
    yield opened
    opened.close()


def foreign(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def printed_by(program: str, path: Path) -> str:
    """Return what a process prints that runs a program with a path."""
    command = [sys.executable, "-c", program, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


class TestOpening:
    def test_creates_the_file(self, path: Path) -> None:
        file = LibraryFile(path)
        assert repr(file) == f"LibraryFile({str(path)!r})"
        assert file.path == path
        file.close()
        assert [each.name for each in path.parent.iterdir()] == ["docs.db"]  # no log is left

    def test_several_processes_may_create_it(self, path: Path) -> None:
        program = f"from citeguard.library.database import LibraryFile; LibraryFile({str(path)!r})"
        runs = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(4)]
        assert [run.wait() for run in runs] == [0] * 4

    def test_an_empty_file_becomes_a_library(self, path: Path) -> None:
        path.touch()
        LibraryFile(path).close()
        LibraryFile(path).close()

    def make_foreign(self, path: Path) -> None:
        foreign(path, "CREATE TABLE passages (id)")

    def make_numbered(self, path: Path) -> None:
        foreign(path, "PRAGMA user_version = 3")

    def make_newer(self, path: Path) -> None:
        LibraryFile(path).close()
        foreign(path, "PRAGMA user_version = 99")

    def make_text(self, path: Path) -> None:
        path.write_text("Lunch is free. " * 100)

    def make_damaged(self, path: Path) -> None:
        LibraryFile(path).close()
        content = path.read_bytes()
        path.write_bytes(content[:100] + b"\xff" * 4_000 + content[4_100:])

    @pytest.mark.parametrize(
        ("make", "message"),
        [
            (make_foreign, "this SQLite file is not a library; give the path of one, or of a new"),
            (make_numbered, "this SQLite file is not a library"),
            (
                make_newer,
                "another citeguard has written this library .format 99, .* pip install",
            ),
            (make_text, "this is not a library; give the path of one, or of a new file"),
            (make_damaged, "the library is damaged; put back a copy, or keep what can be read"),
        ],
    )
    def test_says_what_is_wrong(
        self, path: Path, make: Callable[[Any, Path], None], message: str
    ) -> None:
        make(self, path)
        before = path.read_bytes()
        with pytest.raises(CiteguardError, match=message):
            LibraryFile(path)
        assert path.read_bytes() == before

    def test_needs_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(CiteguardError, match="its folder must exist, and this user must"):
            LibraryFile(tmp_path / "missing" / "docs.db")
        with pytest.raises(CiteguardError, match="this is a folder; give the path of a library"):
            LibraryFile(tmp_path)

    @pytest.mark.parametrize("wrong", ["", ":memory:", 3, b"docs.db", "docs\0.db", None])
    def test_needs_a_file(self, wrong: Any) -> None:
        with pytest.raises(CiteguardError, match=r"kept in a file, and .* names none"):
            LibraryFile(wrong)

    def test_that_is_deleted_or_replaced_is_not_written_on_unnoticed(self, tmp_path: Path) -> None:
        file = LibraryFile(tmp_path / "docs.db")
        file.keep_setting("name", "one")
        file.path.rename(tmp_path / "moved.db")
        for _ in range(2):
            with pytest.raises(CiteguardError, match="deleted, moved or replaced"):
                file.keep_setting("name", "two")
            LibraryFile(file.path).close()  # another one in its place
        file.close()


class TestWriting:
    def test_keeps_nothing_of_a_block_that_raises(self, file: LibraryFile) -> None:
        store = SQLiteStore(file)
        with pytest.raises(KeyError), file.writing():  # noqa: PT012
            store.put("a", "1", LUNCH, None)
            file.keep_setting("name", "value")
            raise KeyError
        assert (len(store), store.versions(), file.setting("name")) == (0, {}, None)

    def test_a_block_in_a_block_is_a_part_of_it(self, file: LibraryFile) -> None:
        store = SQLiteStore(file)
        with file.writing():
            store.put("a", "1", LUNCH, None)
            with pytest.raises(KeyError), file.writing():  # noqa: PT012
                store.put("b", "1", LUNCH, None)
                raise KeyError
            assert store.versions() == {"a": "1"}
        assert store.versions() == {"a": "1"}
        assert len(store.matching("lunch", k=4)) == 1

    def test_is_not_possible_where_the_file_is_read(self, file: LibraryFile) -> None:
        with file.reading(), pytest.raises(CiteguardError, match="in a block that reads it"):
            file.keep_setting("name", "value")

    def test_readers_see_what_was_there_when_they_began(self, file: LibraryFile) -> None:
        store, other = SQLiteStore(file), SQLiteStore(file.path)
        with file.reading():
            assert len(store) == 0
            other.put("a", "1", LUNCH, None)
            assert (len(store), len(other)) == (0, 1)
        assert len(store) == 1
        other.close()

    def test_says_so_if_others_write_for_too_long(self, file: LibraryFile) -> None:
        other = LibraryFile(file.path, timeout=0.1)
        message = "something else has been writing to this library for 0.1 s; try again"
        with file.writing(), pytest.raises(CiteguardError, match=message):
            other.keep_setting("name", "value")
        errors: list[CiteguardError] = []

        def write() -> None:
            try:
                other.keep_setting("name", "value")
            except CiteguardError as error:
                errors.append(error)

        with other.writing():
            thread = threading.Thread(target=write)
            thread.start()
            thread.join()
        assert [str(error).endswith("try again when it is done") for error in errors] == [True]
        other.close()

    def test_a_full_disk_changes_nothing(self, file: LibraryFile, path: Path) -> None:
        SQLiteStore(file).put("a", "1", LUNCH, None)
        program = (
            "import resource, signal, sys\n"
            "from citeguard import CiteguardError\n"
            "from citeguard.library.stores.sqlite import SQLiteStore, StoredPassage\n"
            "store = SQLiteStore(sys.argv[1])\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))\n"
            "p = [StoredPassage(at, at + 1, 'garden', ('garden',) * 100) for at in range(500)]\n"
            "try:\n"
            "    store.put('a', '2', p, None)\n"
            "except CiteguardError as error:\n"
            "    print(error)\n"
            "print(store.versions(), len(store.matching('lunch', k=4)))\n"
        )
        printed = printed_by(program, path)
        message, state = printed.splitlines()
        assert "nothing of this change was kept;" in message
        assert state == "{'a': '1'} 1"

    def test_a_file_that_may_not_be_written(self, file: LibraryFile) -> None:
        with file.writing() as connection:  # the one that the next block uses, too
            connection.execute("PRAGMA query_only = ON")
        with pytest.raises(CiteguardError, match="allow this user to write to the file and to its"):
            file.keep_setting("name", "value")
        assert file.setting("name") is None

    def test_a_closed_file_says_so(self, file: LibraryFile) -> None:
        file.close()
        file.close()
        for block in (file.reading, file.writing):
            with pytest.raises(CiteguardError, match="the library is closed"), block():
                pass


class TestForking:
    def test_a_child_works_on_and_so_does_its_parent(self, path: Path) -> None:
        program = (
            "import os, sys, threading\n"
            "from citeguard.library.stores.sqlite import SQLiteStore, StoredPassage\n"
            "store = SQLiteStore(sys.argv[1])\n"
            "lunch = [StoredPassage(0, 14, 'Lunch is free.', ('lunch', 'free'))]\n"
            "store.put('parent', '1', lunch, None)\n"
            "for at in range(5):\n"
            "    child = os.fork()\n"
            "    if not child:\n"
            "        store.put(f'child {at}', '1', lunch, None)\n"
            "        store.close()\n"
            "        sys.exit(0 if len(store._file.path.read_bytes()) else 1)\n"
            "    store.put(f'parent {at}', '1', lunch, None)\n"
            "    assert os.waitpid(child, 0)[1] == 0\n"
            "    assert len(store.matching('lunch', k=100)) == 3 + 2 * at, len(store)\n"
            "print(sorted(store.versions()))\n"
        )
        printed = printed_by(program, path)
        numbered = [f"{who} {at}" for who in ("child", "parent") for at in range(5)]
        assert printed.strip() == str([*numbered[:5], "parent", *numbered[5:]])
        store = SQLiteStore(path)
        assert len(store) == 11
        with LibraryFile(path).reading() as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        store.close()

    def test_what_a_child_writes_is_kept_when_its_parent_closes_the_file(self, path: Path) -> None:
        program = (
            "import os, sys, time\n"
            "from citeguard.library.stores.sqlite import SQLiteStore\n"
            "from citeguard.library.stores.store import StoredPassage\n"
            "lunch = [StoredPassage(0, 14, 'Lunch is free.', ('lunch', 'free'))]\n"
            "store = SQLiteStore(sys.argv[1])\n"
            "store.put('parent', '1', lunch, None)\n"
            "child = os.fork()\n"
            "if not child:\n"
            "    for at in range(20):\n"
            "        store.put(f'child {at}', '1', lunch, None)\n"
            "        time.sleep(0.005)\n"
            "    store.close()\n"
            "    os._exit(0)\n"
            "time.sleep(0.03)\n"
            "store.close()\n"
            "assert os.waitpid(child, 0)[1] == 0\n"
            "print(len(SQLiteStore(sys.argv[1]).versions()))\n"
        )
        printed = printed_by(program, path)
        assert printed == "21\n"

    def test_a_child_of_a_fork_in_a_call_says_so(self, path: Path) -> None:
        program = (
            "import os, sys\n"
            "from citeguard import CiteguardError\n"
            "from citeguard.library.database import LibraryFile\n"
            "file = LibraryFile(sys.argv[1])\n"
            "with file.reading():\n"
            "    child = os.fork()\n"
            "    if not child:\n"
            "        for use in (file.setting, lambda _: LibraryFile(sys.argv[1])):\n"
            "            try:\n"
            "                use('a')\n"
            "            except CiteguardError as error:\n"
            "                print(error, flush=True)\n"
            "        os._exit(0)\n"
            "assert os.waitpid(child, 0)[1] == 0\n"
            "assert file.setting('a') is None\n"
        )
        printed = printed_by(program, path)
        assert printed.count("fork when no call is under way, or start") == 2


@pytest.mark.slow
def test_killing_leaves_each_document_whole_or_absent(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "killed_library", str(tmp_path), "30", "0"],
        capture_output=True,
        text=True,
        cwd=TESTS,
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )
    assert (run.returncode, run.stdout.startswith("30 killed")) == (0, True), run.stdout
