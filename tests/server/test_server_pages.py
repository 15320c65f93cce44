"""The pages that the service shows."""

from __future__ import annotations

from html.parser import HTMLParser

import httpx
import pytest

from citeguard import audit
from citeguard.server.limits import Limits
from citeguard.server.pages.rendering import form_page, refusal_page
from citeguard.server.refusals import RefusedError


class Addresses(HTMLParser):
    """Collects the addresses that a page names."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {"href", "src", "action", "formaction", "srcset"}
        self.found |= {value or "" for name, value in attrs if name in named}


class TestPages:
    @pytest.mark.parametrize("path", ["/", "/docs"])
    def test_ask_for_nothing_elsewhere(self, client: httpx.Client, path: str) -> None:
        found = Addresses(client.get(path).text).found
        assert [each for each in found if each.startswith(("http", "//"))] == []

    @pytest.mark.parametrize("path", ["/", "/docs", "/health", "/openapi.json", "/nothing"])
    def test_are_guarded_by_headers(self, client: httpx.Client, path: str) -> None:
        headers = client.get(path).headers
        assert headers["cache-control"] == "no-store"
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["referrer-policy"] == ("same-origin" if path == "/" else "no-referrer")
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert "server" not in headers
        assert "access-control-allow-origin" not in headers

    @pytest.mark.parametrize("path", ["/", "/docs", "/health", "/openapi.json"])
    def test_have_heads(self, client: httpx.Client, path: str) -> None:
        head, whole = client.head(path), client.get(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-length"] == whole.headers["content-length"]

    def test_health_tells_no_more_than_it_should(self, client: httpx.Client) -> None:
        assert set(client.get("/health").json()) == {
            *("status", "version", "processes", "idle", "running", "waiting")
        }


class TestForm:
    def test_names_the_limits(self) -> None:
        page = form_page(Limits(files=7, pages=11, text_characters=13)).html
        assert "up to 7 files" in page
        assert "11 pages" in page
        assert 'maxlength="13"' in page

    def test_lends_the_report_the_right_to_run(self) -> None:
        report = audit("Lunch is free.", "Lunch is free.").to_html()
        policy = report.partition('content="default-src')[2].partition('"')[0]
        digests = [word for word in policy.replace("&#39;", "'").split() if "sha256" in word]
        assert len(digests) == 2
        assert all(digest.strip(";") in form_page(Limits()).policy for digest in digests)


class TestDocs:
    def test_tell_every_route_and_code(self, client: httpx.Client) -> None:
        page = client.get("/docs").text
        for told in ("POST /verify", "POST /check", "GET /health", "too_many_pages", "<code>claim"):
            assert told in page


class TestRefusal:
    def test_is_escaped(self) -> None:
        assert "<b>" not in refusal_page(RefusedError("invalid", "<b>")).html
