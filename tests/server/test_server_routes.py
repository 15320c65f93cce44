"""Paths, host names, and requests from other sites."""

from __future__ import annotations

import httpx

from rows import each_row
from server.serving import code_of

REQUEST = {"text": "The shop opens at ten.", "sources": {"hours": "The shop opens at ten."}}


class TestRoutes:
    @each_row("path", ["/nothing", "/audit/", "/static/../../etc/passwd", "/redoc"])
    def test_that_do_not_exist(self, client: httpx.Client, path: str) -> None:
        assert code_of(client.get(path)) == (404, "not_found")

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
        reply = client.post("/audit", json=REQUEST, headers=headers)
        assert code_of(reply) == (403, "cross_site")

    def test_by_a_link_of_another_site(self, client: httpx.Client) -> None:
        assert client.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200
