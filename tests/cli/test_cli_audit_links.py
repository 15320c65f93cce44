"""`citeguard audit --links`: what it reads, and what it exits with."""

from collections.abc import Iterator
from typing import Any

import pytest

from citeguard.auditing import LinkChecker
from citeguard.cli.app import run
from cli.material import write
from fixture_types import Captured, MonkeyPatch
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
def test_status_of_a_text(site: Site, text: str, status: int) -> None:
    assert audit(text, site, "--quiet") == status


class TestOptions:
    def test_cache_keeps_pages(self, site: Site) -> None:
        assert audit(GOOD, site, "--cache", "kept") == 0
        assert audit(GOOD, site, "--cache", "kept") == 0
        assert site.asked == ["/acme"]

    def test_reach_the_audit(self, monkeypatch: MonkeyPatch) -> None:
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

    def test_table_shows_the_findings(self, site: Site, capsys: Captured) -> None:
        audit(f"{GOOD} See {{u}}/none.", site)
        line = f"Dead link (claim 2): “{site.url}/none” leads nowhere: there is no such page."
        assert line in capsys.readouterr().out
