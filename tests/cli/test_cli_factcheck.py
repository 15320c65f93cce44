"""`citeguard fact-check`: what it prints and writes, what it exits with, and whom it asks."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

from citeguard.cli.app import run
from citeguard.cli.factcheck import WebOptions
from citeguard.reports.report import Report
from cli.material import told_in_one_line, write
from factcheck.checks import HOSTILE, check, opinion, report
from fixture_types import Captured, MonkeyPatch
from page_server import Asked, PageServer, reply
from rows import each_row
from web.wiki import SmallWiki

PAGE = """<!doctype html><html><head><title>The bridge</title>
<link rel="canonical" href="https://example.org/bridge"></head><body><main><article>
<p>The bridge opened in May 1937, after four years of work. Its span is 210 metres.</p>
</article></main></body></html>"""
KEY_VARIABLES = [f"{name}_API_KEY" for name in ("BRAVE", "SERPER", "TAVILY", "EXA")]
TRUE, FALSE = "The bridge opened in May 1937.", "The bridge did not open in May 1937."


@pytest.fixture
def pages() -> str:
    """Return the name of a folder with a saved page."""
    Path("pages").mkdir()
    write("pages/bridge.html", PAGE)
    return "pages"


Found = Callable[[Report], None]


@pytest.fixture
def found(monkeypatch: MonkeyPatch, pages: str) -> Found:
    """Let every check find what is given."""

    def find(result: Report) -> None:
        monkeypatch.setattr("citeguard.factcheck.fact_check", lambda *_, **__: result)

    return find


@each_row(
    ("outcomes", "status"),
    [
        (["supported"], 0),
        (["supported", "set_aside"], 0),
        (["contradicted"], 1),
        (["undecided"], 3),
        (["unsupported"], 1),
        (["supported", "undecided"], 3),
        (["undecided", "contradicted"], 1),
        (["set_aside"], 3),
        ([], 3),
    ],
    ids=str,
)
def test_exit_status_of_outcomes(found: Found, outcomes: list[str], status: int) -> None:
    found(report(*(opinion() if each == "set_aside" else check(each) for each in outcomes)))
    assert run(["fact-check", TRUE, "--folder", "pages"]) == status


def test_input_is_a_file(pages: str, capsys: Captured) -> None:
    assert run(["fact-check", write("said.txt", TRUE), "--folder", pages]) == 0
    assert "Supported: The bridge opened in May 1937" in capsys.readouterr().out


class TestWhereToLook:
    @each_row(
        ("given", "name"),
        [
            ({"search": "brave"}, "Brave"),
            ({"search": "serper"}, "Serper"),
            ({"search": "tavily", "url": "http://localhost:9"}, "Tavily"),
            ({"search": "exa"}, "Exa"),
            ({"search": "searxng", "url": "http://localhost:9"}, "SearXNG"),
            ({"search": "mediawiki", "contact": "me@example.org"}, "Wikipedia"),
            ({"pages": ("https://example.org/",)}, "ListedPages"),
        ],
        ids=str,
    )
    def test_names_a_provider(
        self, given: dict[str, Any], name: str, monkeypatch: MonkeyPatch
    ) -> None:
        for variable in KEY_VARIABLES:
            monkeypatch.setenv(variable, "secret-key-123")
        options = WebOptions(**given)
        assert type(options.provider()).__name__ == name
        assert "secret" not in f"{options!r} {options.provider()!r}"

    def test_a_listed_page_of_this_machine_is_refused(self, capsys: Captured) -> None:
        urls = ["http://127.0.0.1:9/a", "http://[::1]/b", "http://169.254.169.254/"]
        assert run(["fact-check", TRUE, "--pages", *urls]) == 3
        assert "not opened: its address is not public" in capsys.readouterr().out

    def test_a_host_that_is_allowed_is_asked(self, capsys: Captured) -> None:
        options = ["--pages", "http://127.0.0.1:9/a", "--allow", "127.0.0.1:9"]
        assert run(["fact-check", TRUE, *options]) == 3
        assert "127.0.0.1:9/a: no answer" in capsys.readouterr().out


class TestOutput:
    def test_has_the_words_that_decide(self, pages: str, capsys: Captured) -> None:
        run(["fact-check", f"{TRUE} {FALSE}", "--folder", pages, "--original-addresses"])
        assert capsys.readouterr().out == snapshot("""\
1 of 2 statements is supported; 1 is contradicted

(✓1) The bridge opened in May 1937. (✕2) The bridge did not open in May 1937.

✓ 1 Supported: The bridge opened in May 1937
    1 origin supports it.
    The bridge, paragraph 1: “The bridge opened in May 1937, after four years of work.”
    https://example.org/bridge#:~:text=The%20bridge%20opened%20in,four%20years%20of%20work.

✕ 2 Contradicted: The bridge did not open in May 1937
    1 origin contradicts it.
    Contradicts: The bridge, paragraph 1: “The bridge opened in May 1937, after four years of work.”
    https://example.org/bridge#:~:text=The%20bridge%20opened%20in,four%20years%20of%20work.

2 searches, 1 page
""")

    def test_is_visible(self, found: Found, capsys: Captured) -> None:
        found(HOSTILE)
        run(["fact-check", TRUE, "--folder", "pages"])
        printed = capsys.readouterr().out
        assert "\x1b" not in printed
        assert "\u202e" not in printed
        assert "javascript:alert(3)" not in printed

    def test_is_written_to_files(self, pages: str) -> None:
        files = ["--html", "a.html", "--json", "a.json", "--markdown", "a.md"]
        assert run(["fact-check", TRUE, "--folder", pages, "--quiet", *files]) == 0
        assert Path("a.html").read_text("utf-8").startswith("<!doctype html>")
        read = Report.model_validate_json(Path("a.json").read_text("utf-8"))
        assert read.claims[0].verdict == "supported"
        assert Path("a.md").read_text("utf-8").startswith("## 1 of 1 statement is supported")


class TestProgress:
    def test_is_a_line_for_each_event(self, pages: str, capsys: Captured) -> None:
        run(["fact-check", FALSE, "--folder", pages])
        lines = capsys.readouterr().err.splitlines()
        assert "1: The bridge: read" in lines
        assert lines[-1] == "1: contradicted: “The bridge did not open in May 1937”"

    def test_a_terminal_shows_what_is_under_way(
        self, pages: str, monkeypatch: MonkeyPatch, capsys: Captured
    ) -> None:
        monkeypatch.setenv("TTY_COMPATIBLE", "1")
        run(["fact-check", FALSE, "--folder", pages])
        assert "1: contradicted: “The bridge did not open in May 1937”" in capsys.readouterr().err


@pytest.fixture
def local_web() -> Iterator[PageServer]:
    """A SearXNG, and the page that it finds."""

    def search(asked: Asked) -> bytes:
        found = {"url": server.url("/bridge"), "title": "The bridge", "content": "It sank."}
        is_query = asked.path.startswith("/search?")
        return reply(json.dumps({"results": [found]}), 200 if is_query else 404, "application/json")

    with PageServer({"/bridge": reply(PAGE)}, otherwise=search) as server:
        yield server


class TestOverTheNetwork:
    """A search engine of the user's own, at a private address, which the user has named."""

    def test_a_private_page_that_is_found_is_not_opened(
        self, local_web: PageServer, capsys: Captured
    ) -> None:
        options = ["--search", "searxng", "--url", local_web.url(""), "--quiet"]
        assert run(["fact-check", TRUE, *options]) == 3
        assert "not opened: its address is not public" in capsys.readouterr().out
        assert all(path.startswith("/search?") for path in local_web.paths())

    def test_a_page_of_a_host_that_is_allowed_is_read(
        self, local_web: PageServer, capsys: Captured
    ) -> None:
        options = ["--search", "searxng", "--url", local_web.url(""), "--allow", local_web.host]
        assert run(["fact-check", TRUE, *options, "--quiet"]) == 0
        printed = capsys.readouterr().out
        assert f"{local_web.url('/bridge')}#:~:text=" in printed
        assert "It sank" not in printed


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
def test_statements_are_checked_in_an_encyclopedia(
    zim: str, statement: str, status: int, said: str, capsys: Captured
) -> None:
    assert run(["fact-check", statement, "--zim", zim]) == status
    assert said in capsys.readouterr().out


def test_without_libzim_its_licence_is_named(
    zim: str, monkeypatch: MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setitem(sys.modules, "libzim.reader", None)
    said = told_in_one_line(capsys, run(["fact-check", "Paris is in France.", "--zim", zim]))
    assert "GPL" in said
    assert 'pip install "pydantic-citeguard[zim]"' in said
