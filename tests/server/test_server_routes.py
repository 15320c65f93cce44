"""Paths, host names, and requests from other sites."""

import httpx

from rows import each_row
from server.serving import code_of

REQUEST = {"text": "The shop opens at ten.", "sources": {"hours": "The shop opens at ten."}}


class TestRoutes:
    @each_row("path", ["/nothing", "/audit/", "/static/../../etc/passwd", "/redoc"])
    def test_that_do_not_exist(self, client: httpx.Client, path: str) -> None:
        assert code_of(client.get(path)) == (404, "not_found")

    @each_row(
        ("path", "status", "says", "up"),
        [
            ("/nothing", 404, "There is nothing here", "."),
            ("/static/nothing", 404, "There is nothing here", "../"),
            ("/audit", 405, "Method Not Allowed", "."),
            ("/ask", 404, "start it with citeguard serve --library FILE", "."),
            ("/documents/a%2Fb", 404, "This service does not offer that", "../"),
            ("/documents/a?start=-1", 422, "greater than or equal to 0", "../"),
        ],
    )
    def test_of_a_browser_have_errors_as_pages(
        self, client: httpx.Client, path: str, status: int, says: str, up: str
    ) -> None:
        accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
        reply = client.get(path, headers={"Accept": accept})
        assert reply.status_code == status
        assert reply.headers["content-type"] == "text/html; charset=utf-8"
        assert says in reply.text
        assert f'href="{up}"' in reply.text
        assert "style-src 'sha256-" in reply.headers["content-security-policy"]

    def test_of_a_browser_are_pages_for_the_guard_too(self, small: httpx.Client) -> None:
        headers = {"Host": "evil.example", "Accept": "text/html"}
        reply = small.get("/health", headers=headers)
        assert (reply.status_code, "bad_host" in reply.text) == (400, True)
        assert reply.text.startswith("<!doctype html>")

    def test_with_another_method(self, client: httpx.Client) -> None:
        reply = client.get("/audit")
        assert code_of(reply) == (405, "method_not_allowed")
        assert reply.headers["allow"] == "POST"

    def test_for_another_host(self, small: httpx.Client) -> None:
        reply = small.get("/health", headers={"Host": "evil.example"})
        assert code_of(reply) == (400, "bad_host")

    @each_row(
        "headers",
        [
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
            {"Origin": "http://evil.example"},
            {"Origin": "null"},
        ],
        ids=str,
    )
    def test_from_a_page_of_another_site(
        self, client: httpx.Client, headers: dict[str, str]
    ) -> None:
        sent = [
            ("POST", "/audit"),
            ("POST", "/ask"),
            ("DELETE", "/chats/1"),
            ("PUT", "/documents/a"),
        ]
        for method, path in sent:
            reply = client.request(method, path, json=REQUEST, headers=headers)
            assert code_of(reply) == (403, "cross_site")

    def test_by_a_link_of_another_site(self, client: httpx.Client) -> None:
        assert client.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200
