"""What kiwix-serve answers, from a server that speaks its shapes; the real one is elsewhere."""

from __future__ import annotations

import pytest

from citeguard.web import Kiwix, SearchFailedError
from citeguard.web.kiwix import KiwixClient
from rows import each_row
from web.search_servers import Answer, SearchServer, Seen

SUGGESTIONS = [
    {
        "value": "Mercury &amp; Co",
        "label": "&lt;b&gt;Mercury&lt;/b&gt; &amp; Co",
        "kind": "path",
        "path": "Mercury_&_Co",
    },
    {"value": "Merc ", "label": "containing &apos;Merc&apos;...", "kind": "pattern"},
]
PAGE = Answer(
    "<html><body><h1>Venus</h1><p>The second planet.</p></body></html>",
    headers={"Content-Type": "text/html; charset=utf-8"},
)
FEED = """<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom">
<entry><title>W</title><link type="text/html" href="/k/w" /></entry>
<entry><title>V</title><link type="image/png" href="/k/pic"/><link type="text/html"
href="/k/content/v%20w" /></entry></feed>"""


def moved(to: str) -> Answer:
    return Answer("", 302, {"Location": to})


class TestPages:
    async def test_come_without_the_servers_bars(self) -> None:
        def script(seen: Seen) -> Answer:
            return PAGE if seen.path == "/raw/w/content/Venus" else moved("/w/Venus")

        with SearchServer(script) as server:
            books = Kiwix(server.url, "w")
            page = await books.fetch(f"{server.url}/w/Second%20planet")
        assert (page.outcome, page.final_url) == ("fetched", f"{server.url}/w/Venus")
        assert page.source is not None
        assert page.source.text == "Venus\n\nThe second planet."
        assert [seen.path for seen in server.requests] == [
            "/raw/w/content/Second%20planet",
            "/raw/w/content/Venus",
        ]

    @pytest.mark.parametrize(
        ("reply", "outcome"),
        [
            (Answer("<html>Not found</html>", 404), "dead"),
            (Answer("<svg/>", headers={"Content-Type": "image/svg+xml"}), "unsupported_type"),
            (Answer("", headers={"Content-Type": "text/html"}), "unsupported_type"),
            (moved("/w/A"), "unreachable"),
            (moved("https://example.org/w/B"), "unreachable"),
            (moved(""), "unreachable"),
            (Answer("", 500), "unreachable"),
            (Answer("", 403), "blocked"),
        ],
    )
    async def test_that_cannot_be_read_say_why(self, reply: Answer, outcome: str) -> None:
        with SearchServer(reply) as server:
            page = await Kiwix(server.url, "w").fetch(f"{server.url}/w/A")
        assert (page.outcome, page.source) == (outcome, None)
        assert page.reason

    async def test_are_not_redirected_without_an_end(self) -> None:
        def script(seen: Seen) -> Answer:
            return moved(f"/w/{len(server.requests)}")

        with SearchServer(script) as server, pytest.raises(SearchFailedError):
            await KiwixClient(server.url).entry("w", "A")
        assert len(server.requests) == 5

    @each_row(
        ("url", "path"),
        [
            ("http://kiwix.example/k/w/A%20b/c", "A b/c"),
            ("http://kiwix.example/k/content/w/A", "A"),
            ("http://kiwix.example/k/raw/w/content/A", "A"),
            ("/k/w/A", "A"),
            ("/w/A", None),
            ("http://kiwix.example/k/v/A", None),
            ("http://kiwix.example/k/w/", None),
            ("https://kiwix.example/k/w/A", None),
            ("http://other.example/k/w/A", None),
            ("http://[broken/k/w/A", None),
        ],
    )
    async def test_are_held_if_they_are_of_the_book(self, url: str, path: str | None) -> None:
        books = Kiwix("http://kiwix.example/k", "w")
        assert books.holds(url) == (path is not None)
        assert KiwixClient("http://kiwix.example/k").path_of(url, "w") == path
        if path is None:
            assert (await books.fetch(url)).outcome == "refused"


class TestServer:
    async def test_suggests_titles(self) -> None:
        with SearchServer(Answer(SUGGESTIONS)) as server:
            [hit] = await KiwixClient(server.url).suggest("w", "Merc")
        assert (hit.path, hit.title) == ("Mercury_&_Co", "Mercury & Co")
        assert server.requests[0].params == {"content": "w", "term": "Merc", "count": "10"}

    async def test_suggestions_of_another_form_are_a_failure(self) -> None:
        with SearchServer(Answer({"value": "x"})) as server, pytest.raises(SearchFailedError):
            await KiwixClient(server.url).suggest("w", "Merc")

    async def test_lists_its_books(self) -> None:
        with SearchServer(Answer(FEED)) as server:
            assert await KiwixClient(server.url).books() == ["v w", "w"]
