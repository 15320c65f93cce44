"""`citeguard fact-check --zim`: an encyclopedia in a file, without network or key."""

import sys
from pathlib import Path

import pytest

from citeguard.cli.app import run
from cli.material import told_in_one_line
from fixture_types import Captured, MonkeyPatch
from rows import each_row
from web.wiki import SmallWiki

ARTICLES = "https://en.wikipedia.org/wiki/"


@pytest.fixture(scope="module")
def zim(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(SmallWiki().write_zim(tmp_path_factory.mktemp("zim") / "small.zim"))


@each_row(
    ("statement", "status", "said"),
    [
        ("Marie Curie was born in Warsaw.", 0, "✓ 1 Supported: Marie Curie was born in Warsaw"),
        ("Marie Curie was born in Paris.", 1, "✕ 1 Contradicted: Marie Curie was born in Paris"),
        ("Bush won the election.", 3, "“Bush” can mean several articles: George H. W. Bush"),
        ("Zorblax Quenn was born in Oslo.", 1, "? 1 Unsupported"),
    ],
)
def test_statements(zim: str, statement: str, status: int, said: str, capsys: Captured) -> None:
    assert run(["fact-check", statement, "--zim", zim]) == status
    assert said in capsys.readouterr().out


@each_row(
    ("options", "message"),
    [
        (["--pages=http://a.example/", "--articles", ARTICLES], "--articles needs --zim"),
        (["--zim", "a.zim", "--articles", "en.wikipedia.org"], "what addresses begin with"),
    ],
)
def test_articles_that_cannot_be(options: list[str], message: str, capsys: Captured) -> None:
    assert message in told_in_one_line(capsys, run(["fact-check", "Paris is in France.", *options]))


@each_row(
    ("content", "message"), [(b"", "not a ZIM file"), (b"ZIM\x04" + bytes(99), "not a ZIM file")]
)
def test_files_that_cannot_be_read(
    content: bytes, message: str, tmp_path: Path, capsys: Captured
) -> None:
    file = tmp_path / "broken.zim"
    file.write_bytes(content)
    assert run(["fact-check", "Paris is in France.", "--zim", str(file)]) == 2
    assert message in told_in_one_line(capsys)


def test_without_libzim_its_licence_is_named(
    zim: str, monkeypatch: MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setitem(sys.modules, "libzim.reader", None)
    said = told_in_one_line(capsys, run(["fact-check", "Paris is in France.", "--zim", zim]))
    assert "GPL" in said
    assert 'pip install "pydantic-citeguard[zim]"' in said
