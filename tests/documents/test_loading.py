"""`load_sources`: files become sources, or one clear line says why not."""

import json
import os
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

import citeguard
from citeguard import CiteguardError, InvalidSourcesError
from citeguard.documents import PageLimitError, load_sources, read_sources
from citeguard.documents.files import parse_json
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

    def test_order_is_kept(self) -> None:
        paths = [written(name, "text") for name in ("b.txt", "a.md", "c.txt")]
        assert load_sources(paths).ids == ("b", "a", "c")

    def test_line_ends_are_kept(self) -> None:
        text = "one\r\ntwo\rthree\n"
        assert load_sources([written("a.txt", text)])["a"].text == text

    def test_a_byte_order_mark_is_no_part_of_the_text(self) -> None:
        assert load_sources([written("a.txt", b"\xef\xbb\xbfone")])["a"].text == "one"

    def test_a_name_that_is_taken_gives_way_to_the_path(self) -> None:
        paths = [written(name, name) for name in ("x/a.txt", "y/a.txt", "b.txt")]
        assert load_sources(paths).ids == ("x/a.txt", "y/a.txt", "b")


class TestKinds:
    @each_row(
        ("name", "content", "text"),
        [
            ("a.txt", "*one*", "*one*"),
            ("a.md", "*one*", "one"),
            ("a.html", "<b>one</b>", "one"),
            ("a.HTM", "<b>one</b>", "one"),
        ],
    )
    def test_are_read_by_their_readers(self, name: str, content: str, text: str) -> None:
        assert load_sources(written(name, content))["a"].text == text

    def test_title_and_place_come_with_the_text(self) -> None:
        source = load_sources(written("a.md", "# Pay\n\nMonthly."))["a"]
        assert source.title == "Pay"
        assert source.layout is not None
        assert source.layout.headings_at(6) == ("Pay",)

    def test_of_a_page_its_address_too(self) -> None:
        page = '<link rel="canonical" href="https://example.org/pay"><p>Monthly.</p>'
        assert load_sources(written("a.html", page))["a"].url == "https://example.org/pay"


class TestOptionalPackages:
    """Files other than text and JSON need packages that the extra `documents` installs."""

    def test_load_only_those_of_their_kind(self) -> None:
        written("a.md", "text")
        program = (
            "import sys; from citeguard.documents import load_sources; load_sources('a.md');"
            "print([name for name in ('pypdfium2', 'trafilatura', 'PIL') if name in sys.modules])"
        )
        assert run_without([], program) == "[]"

    def test_are_not_needed_for_text_and_json(self) -> None:
        paths = [written("a.txt", "one"), written("b.json", {"b": "two"})]
        program = f"import citeguard; print(citeguard.Sources.from_paths({paths}).ids)"
        assert run_without(PACKAGES, program) == "('a', 'b')"

    @each_row(
        ("name", "package", "distribution"),
        [
            ("a.md", "markdown_it", "markdown-it-py"),
            ("a.md", "mdit_py_plugins", "mdit-py-plugins"),
            ("a.html", "lxml", "lxml"),
            ("a.html", "trafilatura", "trafilatura"),
            ("a.pdf", "pypdfium2", "pypdfium2"),
            ("a.docx", "docx", "python-docx"),
            ("a.pptx", "pptx", "python-pptx"),
        ],
    )
    def test_that_are_missing_are_named_with_the_command_that_installs_them(
        self, name: str, package: str, distribution: str
    ) -> None:
        written(name, "%PDF-1.7 text" if name == "a.pdf" else "text")
        program = f"load_sources({name!r})"
        assert run_without([package], CAUGHT.format(program)) == (
            f"{distribution} is required for reading {name}: "
            'pip install "pydantic-citeguard[documents]"'
        )

    def test_that_are_missing_for_a_file_of_a_folder_skip_no_file(self) -> None:
        written("docs/a.txt", "one")
        written("docs/b.md", "two")
        program = (
            "import sys; from citeguard.cli.app import run;"
            "sys.stderr = sys.stdout; run(['check', 'a.json', '--sources', 'docs'])"
        )
        written("a.json", "{}")
        message = run_without(["markdown_it"], program)
        assert message.endswith(
            'pip install "pydantic-citeguard[documents]". '
            "to read only some files of a folder, name them instead of the folder"
        )

    @each_row(("package", "distribution"), [("PIL", "pillow"), ("pypdfium2", "pypdfium2")])
    def test_of_pictures_are_needed_for_pictures_only(
        self, package: str, distribution: str
    ) -> None:
        program = CAUGHT.format("page_picture(b'%PDF-1.7', 1)")
        assert run_without([package], program) == (
            f"{distribution} is required for pictures of pages: "
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

    def test_may_be_hidden_themselves(self) -> None:
        assert load_sources([Path(written(".docs/a.txt", "text")).parent]).ids == ("a",)

    def test_ids_are_paths_from_the_folder_as_given_where_names_are_taken(self) -> None:
        for name in ("docs/faq.txt", "docs/old/faq.txt", "docs/old/rules.txt"):
            written(name, "text")
        assert load_sources(["./docs"]).ids == ("docs/faq.txt", "docs/old/faq.txt", "rules")

    def test_stand_among_files_in_the_order_given(self) -> None:
        for name in ("docs/b.txt", "docs/a.txt", "z.txt", "c.txt"):
            written(name, "text")
        assert load_sources(["z.txt", "docs", "c.txt"]).ids == ("z", "a", "b", "c")

    def test_links_to_files_are_read_and_links_to_folders_are_not(self) -> None:
        written("docs/a.txt", "text")
        written("other/b.txt", "text")
        Path("docs/loop").symlink_to("..", target_is_directory=True)
        Path("docs/c.txt").symlink_to("../other/b.txt")
        assert load_sources("docs").ids == ("a", "c")

    def test_pipes_are_left_out(self) -> None:
        written("docs/a.txt", "text")
        os.mkfifo("docs/b.txt")
        assert load_sources("docs").ids == ("a",)

    def test_a_link_that_leads_nowhere_is_an_error(self) -> None:
        written("docs/a.txt", "text")
        Path("docs/b.txt").symlink_to("nothing")
        with pytest.raises(CiteguardError, match=r"^docs/b\.txt: no such file or directory\n"):
            load_sources("docs")

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

    def test_a_file_that_they_hold_too_is_the_same_file_twice(self) -> None:
        path = written("docs/a.txt", "text")
        with pytest.raises(InvalidSourcesError, match=r"source id given twice: 'docs/a\.txt'"):
            load_sources(["docs", path])


class TestJsonFiles:
    def test_hold_any_number_of_sources(self) -> None:
        sources = load_sources([written("a.json", {"x": "one", "y z": "two"})])
        assert [(source.id, source.text) for source in sources] == [("x", "one"), ("y z", "two")]

    def test_may_have_blank_texts_among_others(self) -> None:
        assert load_sources([written("a.json", {"x": "one", "y": ""})]).ids == ("x", "y")

    def test_stand_beside_text_files(self) -> None:
        paths = [written("a.json", {"x": "one"}), written("b.txt", "two")]
        assert load_sources(paths).ids == ("x", "b")

    def test_keep_their_ids_where_a_text_file_has_the_same_name(self) -> None:
        paths = [written("a.json", {"b": "one"}), written("b.txt", "two")]
        assert load_sources(paths).ids == ("b", "b.txt")


class TestRefusals:
    @each_row(
        ("name", "content", "told"),
        [
            pytest.param("a.doc", b"PK", "a.doc: not a kind of file", id="suffix"),
            pytest.param("a.txt", b"%PDF-1.7", "a.txt: seems to be a PDF file", id="wrong name"),
            pytest.param("a", b"text", "a: not a kind of file", id="no suffix"),
            pytest.param("a.txt", b"", "a.txt: is empty", id="empty"),
            pytest.param("a.md", b" \n\t ", "a.md: has no text", id="blank"),
            pytest.param("a.txt", b"- ... -", "a.txt: has no text", id="signs"),
            pytest.param("a.html", b"<script>x</script>", "a.html: has no text", id="a script"),
            pytest.param("a.html", b"<!-- x -->", "a.html: has no text", id="a comment"),
            pytest.param("a.json", b"{}", "no sources", id="JSON without sources"),
            pytest.param("a.json", b"[]", "a.json: sources in JSON are one object", id="JSON list"),
            pytest.param("a.json", b'{"x": 1}', "a.json: the text of source 'x'", id="JSON number"),
            pytest.param("a.json", b'{" ": "x"}', "id must not be blank", id="blank id"),
        ],
    )
    def test_no_sources(self, name: str, content: bytes, told: str) -> None:
        with pytest.raises(InvalidSourcesError, match=re.escape(told)):
            load_sources([written(name, content)])

    @each_row(
        ("name", "content", "told"),
        [
            pytest.param("a.txt", "naïve".encode("latin-1"), "a.txt: not UTF-8", id="not UTF-8"),
            pytest.param("a.json", b"\xff\xfe{\x00", "a.json: not UTF-8", id="JSON in UTF-16"),
            pytest.param("a.json", b'{"x": "y"', "a.json: not JSON", id="not JSON"),
            pytest.param("a.json", b"", "a.json: not JSON", id="empty JSON"),
            pytest.param("a.json", b'{"x": "1", "x": "2"}', "'x' appears twice", id="key twice"),
            pytest.param("a.json", b"[" * 100_000, "nested too deeply", id="nested"),
            pytest.param("a.json", b"1" * 5_000, "not JSON", id="long number"),
        ],
    )
    def test_unreadable(self, name: str, content: bytes, told: str) -> None:
        with pytest.raises(CiteguardError, match=re.escape(told)):
            load_sources([written(name, content)])

    def test_a_missing_file(self) -> None:
        with pytest.raises(CiteguardError, match=r"^nope\.txt: no such file or directory$"):
            load_sources(["nope.txt"])

    @each_row("content", ["", " \n"])
    def test_a_file_without_text_beside_another(self, content: str) -> None:
        with pytest.raises(InvalidSourcesError, match=r"^a\.txt: "):
            load_sources([written("a.txt", content), written("b.txt", "text")])

    def test_the_same_file_twice(self) -> None:
        path = written("a.txt", "text")
        with pytest.raises(InvalidSourcesError, match=r"source id given twice: 'a\.txt'"):
            load_sources([path, f"./{path}"])

    def test_the_same_id_in_two_json_files(self) -> None:
        paths = [written("a.json", {"x": "one"}), written("b.json", {"x": "two"})]
        with pytest.raises(InvalidSourcesError, match="source id given twice: 'x'"):
            load_sources(paths)

    def test_an_empty_path(self) -> None:
        with pytest.raises(InvalidSourcesError, match="the path of a source is empty"):
            load_sources([""])

    def test_no_files(self) -> None:
        with pytest.raises(InvalidSourcesError):
            load_sources([])


class TestParseJson:
    def test_a_key_may_stand_in_two_objects(self) -> None:
        assert parse_json('[{"x": 1}, {"x": 2}]', "answer.json") == [{"x": 1}, {"x": 2}]


class TestReadSources:
    """`read_sources` takes names and contents; nothing is read from a path."""

    def test_names_are_ids_as_paths_are(self) -> None:
        files = [("x/a.txt", b"one"), ("y/a.md", b"two"), ("b.html", b"<p>three</p>")]
        assert read_sources(files).ids == ("x/a.txt", "y/a.md", "b")

    def test_a_file_that_exists_under_the_name_is_not_read(self) -> None:
        written("a.txt", "of the disk")
        assert read_sources([("a.txt", b"given")])["a"].text == "given"

    def test_a_pdf_with_more_pages_than_allowed(self) -> None:
        content = BytesIO()
        drawn = Canvas(content)
        for words in ("Notice is one month.", "Pay is monthly.", "Lunch is free."):
            drawn.drawString(72, 500, words)
            drawn.showPage()
        drawn.save()
        assert read_sources([("a.pdf", content.getvalue())], max_pages=3).ids == ("a",)
        with pytest.raises(PageLimitError, match=r"^a\.pdf: "):
            read_sources([("a.pdf", content.getvalue())], max_pages=2)
