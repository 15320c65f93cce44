"""The pages of the service."""

from html.parser import HTMLParser

import httpx

from citeguard import audit
from citeguard.server.limits import Limits
from citeguard.server.pages import Offers, form_page
from rows import each_row

NOTHING = Offers(facts=False, library=False)


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
    @each_row("path", ["/", "/docs"])
    def test_load_nothing_from_elsewhere(self, client: httpx.Client, path: str) -> None:
        found = Addresses(client.get(path).text).found
        assert [each for each in found if each.startswith(("http", "//"))] == []

    @each_row("path", ["/", "/docs", "/health", "/openapi.json", "/nothing"])
    def test_have_security_headers(self, client: httpx.Client, path: str) -> None:
        headers = client.get(path).headers
        assert headers["cache-control"] == "no-store"
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["referrer-policy"] == ("same-origin" if path == "/" else "no-referrer")
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert "server" not in headers
        assert "access-control-allow-origin" not in headers

    def test_health_shows_only_counts(self, client: httpx.Client) -> None:
        assert set(client.get("/health").json()) == {
            *("status", "version", "processes", "idle", "running", "waiting")
        }


class TestForm:
    def test_names_the_limits(self) -> None:
        page = form_page(Limits(files=7, pages=11, text_characters=13), NOTHING).html
        assert "up to 7 files" in page
        assert "11 pages" in page
        assert 'maxlength="13"' in page

    def test_allows_the_script_of_the_report(self) -> None:
        report = audit("Lunch is free.", "Lunch is free.").to_html()
        policy = report.partition('content="default-src')[2].partition('"')[0]
        digests = [word for word in policy.replace("&#39;", "'").split() if "sha256" in word]
        assert len(digests) == 2
        assert all(digest.strip(";") in form_page(Limits(), NOTHING).policy for digest in digests)


def test_docs_show_every_route_and_code(client: httpx.Client) -> None:
    page = client.get("/docs").text
    for text in ("POST /audit", "POST /check", "GET /health", "too_many_pages", "<code>claim"):
        assert text in page
