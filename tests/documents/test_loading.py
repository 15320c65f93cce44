"""`load_sources`: files become sources, or one clear line says why not."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import citeguard
from citeguard import CiteguardError, InvalidSourcesError
from citeguard.documents import load_sources
from rows import each_row

PACKAGES = [
    *("docx", "lxml", "lxml_html_clean", "markdown_it", "mdit_py_plugins"),
    *("PIL", "pptx", "pypdfium2", "trafilatura"),
]
CAUGHT = """
from citeguard import CiteguardError
from citeguard.documents import load_sources
from citeguard.documents.pdf.pictures import page_picture
try:
    {}
except CiteguardError as error:
    print(error)
"""


def run_without(packages: list[str], program: str) -> str:
    """Run a program that cannot import some packages, and return what it prints."""
    hidden = f"import sys; sys.modules.update(dict.fromkeys({packages}))\n"
    done = subprocess.run(
        [sys.executable, "-c", hidden + program],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(Path(citeguard.__file__).parents[1])},
    )
    return done.stdout.decode().strip()


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(name: str, content: str | bytes | dict[str, Any] | list[Any]) -> str:
    """Write a file, JSON when it is no text, and return its name."""
    if isinstance(content, (dict, list)):
        content = json.dumps(content)
    data = content if isinstance(content, bytes) else content.encode()
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_bytes(data)
    return name


class TestTextFiles:
    @each_row("suffix", [".txt", ".md", ".markdown", ".TXT"])
    def test_one_file_is_one_source_named_after_it(self, suffix: str) -> None:
        sources = load_sources([written(f"hand.book{suffix}", "Notice is one month.")])
        assert sources.ids == ("hand.book",)
        assert sources["hand.book"].text == "Notice is one month."

    def test_a_name_that_is_taken_gives_way_to_the_path(self) -> None:
        paths = [written(name, name) for name in ("x/a.txt", "y/a.txt", "b.txt")]
        assert load_sources(paths).ids == ("x/a.txt", "y/a.txt", "b")


class TestOptionalPackages:
    """Files other than text and JSON need packages that the extra `documents` installs."""

    def test_are_not_needed_for_text_and_json(self) -> None:
        paths = [written("a.txt", "one"), written("b.json", {"b": "two"})]
        program = f"import citeguard; print(citeguard.Sources.from_paths({paths}).ids)"
        assert run_without(PACKAGES, program) == "('a', 'b')"

    @each_row(
        ("name", "package", "distribution"),
        [
            ("a.md", "markdown_it", "markdown-it-py"),
            ("a.html", "trafilatura", "trafilatura"),
            ("a.pdf", "pypdfium2", "pypdfium2"),
            ("a.docx", "docx", "python-docx"),
            ("a.pptx", "pptx", "python-pptx"),
            ("a.xlsx", "openpyxl", "openpyxl"),
        ],
    )
    def test_that_are_missing_are_named_with_the_command_that_installs_them(
        self, name: str, package: str, distribution: str
    ) -> None:
        written(name, "%PDF-1.7 text" if name == "a.pdf" else "text")
        program = f"load_sources({name!r})"
        assert run_without([package, "PIL"], CAUGHT.format(program)) == (
            f"{distribution} is required for reading {name}: "
            'pip install "pydantic-citeguard[documents]"'
        )


class TestFolders:
    def test_stand_for_the_files_in_them_and_below_by_path(self) -> None:
        for name in ("docs/b.txt", "docs/a/z.md", "docs/c/d/e.html", "docs/a.txt"):
            written(name, "text")
        assert load_sources("docs").ids == ("z", "a", "b", "e")

    def test_leave_out_unknown_kinds_and_what_is_hidden(self) -> None:
        hidden = (".a.txt", ".git/b.txt", "c/.d/e.txt")
        for name in (*hidden, "program.py", "README", "x.txt.bak", "kept.txt"):
            written(f"docs/{name}", "text")
        assert load_sources("docs").ids == ("kept",)

    def test_links_to_files_are_read_and_links_to_folders_are_not(self) -> None:
        written("docs/a.txt", "text")
        written("other/b.txt", "text")
        Path("docs/loop").symlink_to("..", target_is_directory=True)
        Path("docs/c.txt").symlink_to("a.txt")
        assert load_sources("docs").ids == ("a", "c")

    def test_links_out_of_them_are_read_only_if_named(self) -> None:
        written("docs/a.txt", "text")
        written("other/b.txt", "text")
        Path("docs/c.txt").symlink_to("../other/b.txt")
        with pytest.raises(
            InvalidSourcesError, match=r"^docs/c\.txt: leads out of the folder, to "
        ):
            load_sources("docs")
        assert load_sources("docs/a.txt", "docs/c.txt").ids == ("a", "c")

    @each_row("name", ["program.py", ".hidden.txt"])
    def test_without_a_file_that_is_read_are_an_error(self, name: str) -> None:
        written(f"docs/{name}", "text")
        with pytest.raises(InvalidSourcesError, match=r"^docs: the folder has no files that are"):
            load_sources("docs")

    def test_that_cannot_be_read_are_an_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        written("docs/a.txt", "text")

        def refuse(path: object) -> None:
            raise PermissionError(13, "Permission denied", str(path))

        monkeypatch.setattr("os.scandir", refuse)
        with pytest.raises(CiteguardError, match=r"^docs: permission denied$"):
            load_sources("docs")


class TestJsonFiles:
    def test_hold_any_number_of_sources(self) -> None:
        sources = load_sources([written("a.json", {"x": "one", "y z": "two"})])
        assert [(source.id, source.text) for source in sources] == [("x", "one"), ("y z", "two")]


class TestRefusals:
    @each_row(
        ("name", "content", "told"),
        [
            ("a", b"text", "a: not a kind of file"),
            ("a.md", b" \n\t ", "a.md: has no text"),
            ("a.html", b"<script>x</script>", "a.html: has no text"),
            ("a.json", b"{}", "no sources"),
            ("a.json", b"[]", "a.json: sources in JSON are one object"),
            ("a.json", b'{"x": 1}', "a.json: the text of source 'x'"),
            ("a.json", b'{" ": "x"}', "id must not be blank"),
        ],
    )
    def test_no_sources(self, name: str, content: bytes, told: str) -> None:
        with pytest.raises(InvalidSourcesError, match=re.escape(told)):
            load_sources([written(name, content)])

    @each_row(
        ("name", "content", "told"),
        [
            ("a.txt", "naïve".encode("latin-1"), "a.txt: not UTF-8"),
            ("a.json", b"\xff\xfe{\x00", "a.json: not UTF-8"),
            ("a.json", b'{"x": "y"', "a.json: not JSON"),
            ("a.json", b'{"x": "1", "x": "2"}', "'x' appears twice"),
            ("a.json", b"[" * 100_000, "nested too deeply"),
        ],
    )
    def test_unreadable(self, name: str, content: bytes, told: str) -> None:
        with pytest.raises(CiteguardError, match=re.escape(told)):
            load_sources([written(name, content)])

    def test_a_missing_file(self) -> None:
        with pytest.raises(CiteguardError, match=r"^nope\.txt: no such file or directory$"):
            load_sources(["nope.txt"])

    def test_the_same_file_twice(self) -> None:
        path = written("a.txt", "text")
        with pytest.raises(InvalidSourcesError, match=r"source id given twice: 'a\.txt'"):
            load_sources([path, f"./{path}"])

    def test_an_empty_path(self) -> None:
        with pytest.raises(InvalidSourcesError, match="the path of a source is empty"):
            load_sources([""])
