"""`citeguard audit --links`: what it reads, and what it exits with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from citeguard.auditing import LinkChecker
from citeguard.cli.app import run
from cli.material import told_in_one_line, write
from linked_site import Reply, Site, page
from reports.samples import good_report
from rows import each_row

ACME = "Acme was founded in 1984 in Ohio. It employs about 2,500 people."


@pytest.fixture
def site() -> Iterator[Site]:
    served = {"/acme": page("Acme", ACME), "/secret": Reply("no", 403)}
    with Site(served).running() as running:
        yield running


def audit(text: str, site: Site, *options: str) -> int:
    """Audit a text in which `{u}` is the address of the site."""
    written = write("report.md", text.replace("{u}", site.url))
    return run(["audit", written, "--links", "--allow", site.host, *options])


GOOD = "Acme was founded in 1984 ({u}/acme)."


class TestStatus:
    @each_row(
        ("text", "status"),
        [
            (GOOD, 0),
            ("Acme was founded in 1985 ({u}/acme).", 1),
            ("Acme sells cars in Japan ({u}/acme).", 1),
            (f"{GOOD} See {{u}}/none.", 1),
            (f"{GOOD} See {{u}}/secret.", 3),
            ("Gamma makes tea ({u}/secret).", 3),
            ("Gamma makes tea.", 2),
        ],
    )
    def test_of_a_text(self, site: Site, text: str, status: int) -> None:
        assert audit(text, site, "--quiet") == status

    def test_by_the_scores_alone(self, site: Site) -> None:
        assert audit(f"{GOOD} See {{u}}/none.", site, "--min-trust", "100") == 0


class TestOptions:
    def test_sources_may_be_given_too(self, site: Site) -> None:
        text = f"{GOOD} The notice period is one month [handbook]."
        assert audit(text, site, "--sources", "handbook.txt") == 0

    def test_cache_keeps_pages(self, site: Site) -> None:
        assert audit(GOOD, site, "--cache", "kept") == 0
        assert audit(GOOD, site, "--cache", "kept") == 0
        assert site.asked == ["/acme"]

    def test_reach_the_audit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        given: dict[str, Any] = {}

        def remember(*_: Any, **options: Any) -> Any:
            given.update(options)
            return good_report()

        monkeypatch.setattr("citeguard.auditing.run.audit", remember)
        run(["audit", write("a.md", GOOD), "--links", "--contact", "me@example.org", "--wayback"])
        checker = given["links"]
        assert isinstance(checker, LinkChecker)
        assert checker.wayback
        assert checker.registries.mailto == "me@example.org"

    def test_without_links(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["audit", write("a.md", GOOD)]) == 2
        assert "--links to read what the text links to" in told_in_one_line(capsys)
        assert run(["audit", "a.md", "--sources", "handbook.txt", "--wayback"]) == 2
        assert "need --links" in told_in_one_line(capsys)

    def test_outputs_are_written(self, site: Site) -> None:
        outputs = {kind: f"out.{kind}" for kind in ("html", "json", "markdown", "sarif", "junit")}
        options = [each for kind, path in outputs.items() for each in (f"--{kind}", path)]
        assert audit(f"{GOOD} See {{u}}/none.", site, *options) == 1
        assert json.loads(Path("out.json").read_text())["findings"][0]["problem"] == "link_dead"
        for path in outputs.values():
            assert "none" in Path(path).read_text()
        title = "report.md, checked against its links on "
        assert f"<title>{title}" in Path("out.html").read_text()

    def test_table_shows_the_findings(self, site: Site, capsys: pytest.CaptureFixture[str]) -> None:
        audit(f"{GOOD} See {{u}}/none.", site)
        line = f"Dead link (claim 2): “{site.url}/none” leads nowhere: there is no such page."
        assert line in capsys.readouterr().out
