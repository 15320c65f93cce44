"""`load_sources`: files become sources, or one clear line says why not."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from citeguard import CiteguardError, InvalidSourcesError
from citeguard.documents import load_sources
from citeguard.documents.files import parse_json


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(name: str, content: str | bytes | dict[str, Any] | list[Any]) -> str:
    """Write a file, JSON when it is no text, and return its name."""
    if isinstance(content, (dict, list)):
        content = json.dumps(content)
    data = content if isinstance(content, bytes) else content.encode()
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_bytes(data)
    return name


class TestTextFiles:
    @pytest.mark.parametrize("suffix", [".txt", ".md", ".markdown", ".TXT"])
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

    def test_a_blank_file_beside_another_is_a_source(self) -> None:
        assert load_sources([written("a.txt", ""), written("b.txt", "text")]).ids == ("a", "b")


class TestJsonFiles:
    def test_hold_any_number_of_sources(self) -> None:
        sources = load_sources([written("a.json", {"x": "one", "y z": "two"})])
        assert [(source.id, source.text) for source in sources] == [("x", "one"), ("y z", "two")]

    def test_stand_beside_text_files(self) -> None:
        paths = [written("a.json", {"x": "one"}), written("b.txt", "two")]
        assert load_sources(paths).ids == ("x", "b")

    def test_keep_their_ids_where_a_text_file_has_the_same_name(self) -> None:
        paths = [written("a.json", {"b": "one"}), written("b.txt", "two")]
        assert load_sources(paths).ids == ("b", "b.txt")


class TestRefusals:
    @pytest.mark.parametrize(
        ("name", "content", "told"),
        [
            pytest.param("a.pdf", b"%PDF", "a.pdf: not a kind of file", id="suffix"),
            pytest.param("a", b"text", "a: not a kind of file", id="no suffix"),
            pytest.param("a.txt", b"", "no sources", id="empty"),
            pytest.param("a.md", b" \n\t ", "no sources", id="blank"),
            pytest.param("a.json", b"{}", "no sources", id="JSON without sources"),
            pytest.param("a.json", b"[]", "a.json: sources in JSON are one object", id="JSON list"),
            pytest.param("a.json", b'{"x": 1}', "a.json: the text of source 'x'", id="JSON number"),
            pytest.param("a.json", b'{" ": "x"}', "id must not be blank", id="blank id"),
        ],
    )
    def test_no_sources(self, name: str, content: bytes, told: str) -> None:
        with pytest.raises(InvalidSourcesError, match=re.escape(told)):
            load_sources([written(name, content)])

    @pytest.mark.parametrize(
        ("name", "content", "told"),
        [
            pytest.param("a.txt", "naïve".encode("latin-1"), "a.txt: not UTF-8", id="not UTF-8"),
            pytest.param("a.json", b"\xff\xfe{\x00", "a.json: not UTF-8", id="JSON in UTF-16"),
            pytest.param("a.json", b'{"x": "y"', "a.json: not JSON", id="not JSON"),
            pytest.param("a.json", b"", "a.json: not JSON", id="empty JSON"),
            pytest.param("a.json", b'{"x": "1", "x": "2"}', "'x' stands twice", id="key twice"),
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

    def test_a_directory(self) -> None:
        Path("folder").mkdir()
        with pytest.raises(CiteguardError, match=r"^folder: is a directory$"):
            load_sources(["folder"])

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
