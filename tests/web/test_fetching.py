"""A `Fetcher`: what it opens, what it sends, what becomes of a page, and what it keeps."""

import asyncio
import gzip
import random
import ssl
import threading
import time
import zlib
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest

from citeguard import CiteguardError
from citeguard.judges.loops import run_sync
from citeguard.web import Fetcher, WebPage, fetching
from citeguard.web.fetching import user_agent
from citeguard.web.reading import Content
from page_server import ARTICLE, Asked, Clock, PageServer, Web, Wrap, fake_web, reply
from rows import each_row

NOTICE = "The notice period is one month for everybody who works at Acme, whatever the reason."


@pytest.fixture
def server() -> Iterator[PageServer]:
    with PageServer() as server:
        yield server


@contextmanager
def stopped_clock() -> Generator[Clock]:
    clock = Clock()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fetching, "monotonic", clock)
        patch.setattr(fetching, "sleep", clock.sleep)
        yield clock


@pytest.fixture
def clock() -> Iterator[Clock]:
    with stopped_clock() as clock:
        yield clock


@pytest.fixture
def web(server: PageServer, clock: Clock) -> Iterator[Web]:
    """A web in which example.org is the server, and time passes only while somebody sleeps."""
    with fake_web() as web:
        web.serve("example.org", server)
        yield web


@contextmanager
def new_web() -> Generator[tuple[Web, PageServer, Clock]]:
    """Return the same for one row of a test, with its server and its clock."""
    with fake_web() as web, PageServer() as server, stopped_clock() as clock:
        web.serve("example.org", server)
        yield web, server, clock


def fetched(server: PageServer, answer: Any, path: str = "/page", **options: Any) -> WebPage:
    """Return what becomes of a page that a server of ours answers with."""
    server.pages = {path: answer}
    server.asked.clear()
    return Fetcher(allow=[server.host], **options).fetch(server.url(path))


class TestGuard:
    """What is opened, whatever a page, a redirect or a resolver says."""

    @each_row(
        "addresses",
        [
            ["127.0.0.1"],
            ["10.0.0.7"],
            ["::1"],
            ["93.184.215.14", "192.168.1.1"],
            ["93.184.215.14", "::1"],
            ["169.254.169.254"],
            ["::ffff:127.0.0.1"],
            ["64:ff9b::192.168.1.1"],
            ["2002:c0a8:0101::1"],
        ],
        ids=str,
    )
    def test_a_name_with_an_address_that_is_not_public(self, addresses: list[str]) -> None:
        with fake_web() as web:
            web.names["attacker.example"] = addresses
            page = Fetcher().fetch("http://attacker.example/")
            assert page.outcome == "refused"
            assert web.opened == []

    @each_row(
        "host",
        [
            "169.254.169.254",
            "[::ffff:169.254.169.254]",
            "[64:ff9b::a9fe:a9fe]",
            "[2002:a9fe:a9fe::]",
        ],
    )
    def test_metadata_even_if_it_is_allowed(self, host: str) -> None:
        with fake_web() as web:
            page = Fetcher(allow=[f"{host}:80"]).fetch(f"http://{host}/latest/meta-data/")
            assert page.reason == "its address is that of a metadata service of a cloud"
            assert web.opened == []

    def test_the_connection_goes_to_the_address_that_was_checked(
        self, web: Web, server: PageServer
    ) -> None:
        server.pages = {"/": reply(ARTICLE)}
        web.serve("attacker.example", server)
        # Public when it is checked, private from then on.
        web.names["attacker.example"] = [["93.184.215.14"], ["127.0.0.1"]]
        fetcher = Fetcher(robots=False)
        assert fetcher.fetch("http://attacker.example/").outcome == "fetched"
        assert web.resolved == ["attacker.example"]
        assert fetcher.fetch("http://attacker.example/").outcome == "refused"
        assert web.opened == [("93.184.215.14", 80)]

    @each_row(
        ("url", "host"),
        [
            ("http://example.org:80/", "example.org"),
            ("http://BÜCHER.example./#x", "xn--bcher-kva.example"),
            ("http://example.org:8080/", "example.org:8080"),
            ("http://93.184.215.14/", "93.184.215.14"),
            ("http://[2606:4700:0::1]/", "[2606:4700::1]"),
            ("http://[2606:4700::1]:8080/", "[2606:4700::1]:8080"),
        ],
    )
    def test_the_host_that_is_named(self, url: str, host: str) -> None:
        with fake_web() as web, PageServer({"/": reply(ARTICLE)}) as server:
            for name in ("example.org", "xn--bcher-kva.example"):
                web.names[name] = ["93.184.215.14"]
            web.servers = {
                (address, port): server.port
                for address in ("93.184.215.14", "2606:4700::1")
                for port in (80, 8080)
            }
            assert Fetcher(robots=False).fetch(url).outcome == "fetched"
            assert [asked.headers["host"] for asked in server.asked] == [host]

    @each_row(
        "location",
        [
            "http://127.0.0.1:{port}/secret",
            "//127.0.0.1:{port}/secret",
            "http://localhost:{port}/secret",
            "http://internal.example/secret",
            "http://2130706433:{port}/secret",
            "http://[::ffff:7f00:1]:{port}/secret",
            "http://user:password@example.org/secret",
            "file:///etc/passwd",
            "gopher://127.0.0.1:{port}/secret",
            "data:text/html,secret",
            "http://169.254.169.254/latest",
            "http://[bad",
            "http://\xff\xfe/",
        ],
    )
    def test_a_redirect_to_what_is_not_opened(self, location: str) -> None:
        with new_web() as (web, server, _):
            web.names |= {"localhost": ["127.0.0.1"], "internal.example": ["10.1.2.3"]}
            server.pages = {
                "/": reply(status=302, Location=location.format(port=server.port)),
                "/secret": reply(ARTICLE),
            }
            page = Fetcher(robots=False).fetch("http://example.org/")
            assert (page.outcome, page.status) == ("refused", 302)
            assert page.reason.startswith("it redirects to an address that is not opened: ")
            assert page.final_url == "http://example.org/"
            assert server.paths() == ["/"]
            assert web.opened == [("93.184.215.14", 80)]

    def test_a_redirect_does_not_allow_more_than_the_caller(self) -> None:
        with PageServer({"/": reply(ARTICLE)}) as other, PageServer() as server:
            server.pages = {"/": reply(status=301, Location=other.url())}
            page = Fetcher(allow=[server.host]).fetch(server.url())
            assert page.outcome == "refused"
            assert other.asked == []

    def test_a_robots_txt_does_not_lead_inside(self, clock: Clock) -> None:
        with new_web() as (web, server, _):
            web.names["internal.example"] = ["10.1.2.3"]
            server.pages = {
                "/": reply(ARTICLE),
                "/robots.txt": reply(status=302, Location="http://internal.example/"),
            }
            # As RFC 9309 says of a file that cannot be had.
            assert Fetcher().fetch("http://example.org/").outcome == "fetched"
            assert set(web.opened) == {("93.184.215.14", 80)}

    def test_proxies_of_the_environment_are_ignored(
        self, server: PageServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "https_proxy"):
            monkeypatch.setenv(name, "http://10.0.0.1:3128")
        assert fetched(server, reply(ARTICLE)).outcome == "fetched"

    def test_proxies_of_the_environment_are_used_if_asked_for(
        self, server: PageServer, web: Web, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("http_proxy", "http://user:pass@proxy.example:3128")
        monkeypatch.delenv("no_proxy", raising=False)
        web.names = {"proxy.example": ["10.0.0.1"], "internal.example": ["10.0.0.2"]}
        web.servers = {("10.0.0.1", 3128): server.port}
        server.pages = {"http://example.org/": reply(ARTICLE)}
        fetcher = Fetcher(trust_env=True, robots=False)
        assert fetcher.fetch("http://example.org/").outcome == "fetched"
        assert fetcher.fetch("http://internal.example/").outcome == "refused"
        assert fetcher.fetch("http://10.0.0.1:3128/").outcome == "refused"
        assert server.paths() == ["http://example.org/"]

    def test_other_proxies_are_a_mistake(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("http_proxy", "socks5://127.0.0.1:1")
        monkeypatch.delenv("no_proxy", raising=False)
        with pytest.raises(CiteguardError, match="proxies with http or https, not socks5"):
            Fetcher(trust_env=True).fetch("http://93.184.215.14/")

    def test_the_next_address_is_tried_if_one_does_not_answer(
        self, web: Web, server: PageServer
    ) -> None:
        server.pages = {"/": reply(ARTICLE)}
        web.names["example.org"] = ["2606:4700::1", "93.184.215.14"]
        assert Fetcher(robots=False).fetch("http://example.org/").outcome == "fetched"
        assert web.opened == [("2606:4700::1", 80), ("93.184.215.14", 80)]


class TestRequests:
    """What is sent."""

    def test_says_who_asks(self, server: PageServer) -> None:
        fetched(server, reply(ARTICLE), contact="https://example.org/bot")
        sent = server.asked[0].headers
        assert sent["user-agent"] == user_agent("https://example.org/bot")
        assert sent["user-agent"].endswith(" (+https://example.org/bot)")
        assert sent["accept-encoding"] == "gzip, deflate"

    def test_sends_no_cookies_and_no_credentials(self, server: PageServer) -> None:
        def page(asked: Asked) -> bytes:
            return reply(ARTICLE, Set_Cookie="id=1; Path=/")

        server.pages = {
            "/start": reply(status=302, Location="/page", Set_Cookie="id=1; Path=/"),
            "/page": page,
        }
        fetcher = Fetcher(allow=[server.host])
        fetcher.fetch(server.url("/start"))
        fetcher.fetch(server.url("/page"))
        names = {name for asked in server.asked for name in asked.headers}
        assert names == {"host", "user-agent", "accept", "accept-encoding", "connection"}
        assert server.paths() == ["/start", "/page", "/page"]


class TestOutcomes:
    """What becomes of a page."""

    def test_a_page_is_a_source(self, server: PageServer) -> None:
        page = fetched(server, reply(ARTICLE), "/handbook?x=1")
        url = server.url("/handbook?x=1")
        assert page == WebPage(
            url=url,
            outcome="fetched",
            final_url=url,
            status=200,
            content_type="text/html",
            sha256=ANY,
            fetched_at=ANY,
            source=page.source,
        )
        assert page.source is not None
        assert (page.source.id, page.source.url, page.source.title) == (url, url, "Notice")
        assert NOTICE in page.source.text
        assert "Jobs" not in page.source.text
        assert page.fetched_at is not None
        assert abs(page.fetched_at - datetime.now(UTC)) < timedelta(minutes=1)

    @each_row(
        ("status", "outcome"),
        [
            *[(status, "dead") for status in (404, 410)],
            *[(status, "blocked") for status in (400, 401, 403, 406, 418, 429, 451, 999)],
            (402, "paywalled"),
            *[
                (status, "unreachable")
                for status in (204, 206, 300, 302, 304, 408, 425, 500, 503, 522)
            ],
        ],
    )
    def test_a_status(self, status: int, outcome: str) -> None:
        with PageServer({"/page": reply(ARTICLE, status)}) as server:
            page = Fetcher(allow=[server.host]).fetch(server.url("/page"))
            assert (page.outcome, page.status) == (outcome, status)
            assert page.reason
            assert page.source is None

    @each_row(
        ("name", "outcome", "reason"),
        [
            ("no-such.example", "unreachable", "its name does not resolve"),
            ("nobody.example", "unreachable", "the connection failed: nobody is there"),
        ],
    )
    def test_a_host_that_is_not_there(self, name: str, outcome: str, reason: str) -> None:
        with fake_web() as web:
            web.names["nobody.example"] = ["93.184.215.14"]
            page = Fetcher(robots=False).fetch(f"https://{name}/")
            assert (page.outcome, page.reason) == (outcome, reason)

    def test_too_many_redirects(self, server: PageServer) -> None:
        server.pages = {f"/{n}": reply(status=302, Location=f"/{n + 1}") for n in range(9)}
        server.pages["/5"] = reply(ARTICLE)
        fetcher = Fetcher(allow=[server.host])
        page = fetcher.fetch(server.url("/0"))
        assert page.outcome == "fetched"
        assert page.redirects == tuple(server.url(f"/{n}") for n in range(1, 5))
        assert page.final_url == server.url("/5")
        server.pages["/loop"] = reply(status=307, Location="/loop")
        page = fetcher.fetch(server.url("/loop"))
        assert (page.outcome, page.reason) == ("unreachable", "it redirects more than 5 times")

    @each_row(
        ("meta", "moved"),
        [
            ('<meta http-equiv="refresh" content="0; url=/new">', True),
            ("<META HTTP-EQUIV=Refresh CONTENT=\"1;URL='new'\">", True),
            ('<meta http-equiv="refresh" content="30; url=/new">', False),
            ('<meta http-equiv="refresh" content="1">', False),
            ('<meta http-equiv="refresh" content="0; url=/old#a">', False),
            ('<noscript><meta http-equiv="refresh" content="0; url=/new"></noscript>', False),
        ],
    )
    def test_a_page_that_sends_its_readers_on(self, meta: str, moved: bool) -> None:
        with PageServer() as server:
            server.pages = {
                "/old": reply(f"<head>{meta}</head><p>The page has moved."),
                "/new": reply(ARTICLE),
            }
            page = Fetcher(allow=[server.host]).fetch(server.url("/old"))
            assert page.outcome == "fetched"
            assert page.final_url == server.url("/new" if moved else "/old")

    def test_a_page_that_sends_its_readers_inside(self, web: Web, server: PageServer) -> None:
        meta = f'<meta http-equiv="refresh" content="0; url={server.url("/secret")}">'
        server.pages = {"/": reply(meta), "/secret": reply(ARTICLE)}
        assert Fetcher().fetch("http://example.org/").outcome == "refused"
        assert "/secret" not in server.paths()


class TestLimits:
    """How much is read, and for how long."""

    def test_a_long_page(self, server: PageServer) -> None:
        def endless(asked: Asked) -> Iterator[bytes]:
            yield b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
            while True:
                yield b"word " * 10_000

        page = fetched(server, endless, max_bytes=200_000)
        assert (page.outcome, page.reason) == ("too_large", "it has more than 200,000 bytes")

    def test_a_page_that_says_how_long_it_is(self, server: PageServer) -> None:
        page = fetched(server, reply("x", Content_Length="99999999999"))
        assert page.outcome == "too_large"

    @each_row("coding", ["gzip", "deflate", "raw deflate"])
    def test_a_bomb(self, coding: str) -> None:
        bomb = compressed(b"\0" * 4_000_000, coding)
        assert len(bomb) < 20_000
        with PageServer() as server:
            page = fetched(
                server,
                reply(bomb, content_type="text/plain", Content_Encoding=coding.split()[-1]),
                max_bytes=200_000,
            )
            assert page.outcome == "too_large"

    @each_row("coding", ["gzip", "x-gzip", "deflate", "raw deflate", "identity"])
    def test_a_compressed_page(self, coding: str) -> None:
        with PageServer() as server:
            body = compressed(ARTICLE.encode(), coding)
            whole = reply(body, Content_Encoding=coding.split()[-1])
            page = fetched(server, whole, max_bytes=len(ARTICLE))
            assert page.outcome == "fetched"
            # One byte after the other.
            head, _, rest = whole.partition(b"\r\n\r\n")

            def drip(asked: Asked) -> Iterator[bytes]:
                yield head + b"\r\n\r\n"
                for byte in rest:
                    yield bytes([byte])

            again = fetched(server, drip)
            assert again.sha256 == page.sha256

    @each_row(
        ("body", "headers", "text"),
        [
            (
                b"Subject: Pay\n\nPay is monthly.",
                {"content_type": "message/rfc822"},
                "Pay\n\nPay is monthly.",
            ),
            (
                gzip.compress(b"one and ") + b"\0\0" + gzip.compress(b"two") + b"\0",
                {"content_type": "text/plain", "Content_Encoding": "gzip"},
                "one and two",
            ),
        ],
        ids=["a mail", "several gzip files"],
    )
    def test_a_body_that_is_read(
        self, server: PageServer, body: bytes, headers: dict[str, Any], text: str
    ) -> None:
        page = fetched(server, reply(body, **headers))
        assert page.source is not None
        assert page.source.text == text

    @each_row("coding", ["br", "zstd", "gzip, gzip", "compress", "nonsense"])
    def test_a_coding_that_was_not_asked_for(self, coding: str) -> None:
        with PageServer() as server:
            page = fetched(server, reply(ARTICLE, Content_Encoding=coding))
            assert page.outcome == "unsupported_type"
            assert page.reason == "it is encoded in a way that was not asked for"

    def test_a_slow_drip(self, server: PageServer) -> None:
        stop = threading.Event()

        def drip(asked: Asked) -> Iterator[bytes]:
            yield b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
            while not stop.wait(0.02):
                yield b"w"

        try:
            page = fetched(server, drip, timeout=0.3)
        finally:
            stop.set()
        assert (page.outcome, page.reason) == ("unreachable", "it was not sent within 0.3 seconds")

    def test_the_time_is_that_of_all_redirects(self, server: PageServer) -> None:
        def slow(asked: Asked) -> bytes:
            time.sleep(0.15)
            return reply(status=302, Location=asked.path + "x")

        server.pages = {f"/{'x' * n}": slow for n in range(9)}
        page = Fetcher(allow=[server.host], timeout=0.4, max_redirects=9).fetch(server.url())
        assert (page.outcome, page.reason) == ("unreachable", "it was not sent within 0.4 seconds")

    def test_reading_has_its_time(
        self, server: PageServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        release = threading.Event()
        monkeypatch.setattr(fetching, "_READING_SECONDS", 0.05)

        def read(content: Content) -> None:
            release.wait(10)

        monkeypatch.setattr(fetching, "read_page", read)
        try:
            page = fetched(server, reply(ARTICLE))
        finally:
            release.set()
        assert page.outcome == "too_large"


def compressed(body: bytes, coding: str) -> bytes:
    if coding == "identity":
        return body
    if coding == "raw deflate":
        compressor = zlib.compressobj(wbits=-zlib.MAX_WBITS)
        return compressor.compress(body) + compressor.flush()
    return gzip.compress(body) if coding.endswith("gzip") else zlib.compress(body)


GZIPPED = gzip.compress(ARTICLE.encode())
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"

HOSTILE: dict[str, bytes] = {
    "no answer": b"",
    "not HTTP": b"SSH-2.0-OpenSSH_9.6\r\n",
    "binary": bytes(range(256)) * 10,
    "half a head": b"HTTP/1.1 200 OK\r\nContent-",
    "a giant head": HEAD + b"X: " + b"a" * 300_000 + b"\r\n\r\n",
    "a million heads": HEAD + b"A: b\r\n" * 100_000 + b"\r\n",
    "a wrong status": b"HTTP/1.1 abc OK\r\n\r\n",
    "a status of four digits": b"HTTP/1.1 2000 OK\r\n\r\n",
    "a short body": HEAD + b"Content-Length: 9999\r\n\r\nshort",
    "two lengths": HEAD + b"Content-Length: 5\r\nContent-Length: 7\r\n\r\nshort..",
    "a negative length": HEAD + b"Content-Length: -5\r\n\r\nshort",
    "a bad chunk": HEAD + b"Transfer-Encoding: chunked\r\n\r\nZZ\r\nabc\r\n0\r\n\r\n",
    "a chunk without end": HEAD + b"Transfer-Encoding: chunked\r\n\r\nff\r\nabc",
    "an unknown transfer": HEAD + b"Transfer-Encoding: gzip\r\n\r\nabc",
    "damaged gzip": reply(GZIPPED[:30] + b"????" + GZIPPED[34:], Content_Encoding="gzip"),
    "half of gzip": reply(GZIPPED[:-20], Content_Encoding="gzip"),
    "one byte of gzip": reply(b"\x1f", Content_Encoding="gzip"),
    "text as gzip": reply(ARTICLE, Content_Encoding="gzip"),
    "text as deflate": reply(ARTICLE, Content_Encoding="deflate"),
    "binary as text": reply(bytes(range(256)) * 99, content_type="text/plain"),
    "binary as HTML": reply(bytes(range(256)) * 99),
    "a picture": reply(b"\x89PNG\r\n\x1a\n" + b"\0" * 99, content_type="image/png"),
    "a picture as HTML": reply(b"\x89PNG\r\n\x1a\n" + b"\0" * 99),
    "a damaged PDF file": reply(b"%PDF-1.7\n" + b"\xff" * 999, content_type="application/pdf"),
    "HTML as PDF": reply(ARTICLE, content_type="application/pdf"),
    "a broken ZIP as Word": reply(
        b"PK\x03\x04word/document.xml",
        content_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ),
    "deep HTML": reply("<div>" * 50_000 + "text"),
    "unclosed HTML": reply("<html><head><title>x" + "<" * 100_000),
    "attributes": reply("<p " + " ".join(f"a{n}=1" for n in range(5_000)) + ">text</p>"),
    "a charset that there is not": reply("\xff text", content_type="text/html; charset=klingon"),
    "a charset that is a trap": reply("+ADw-script", content_type="text/plain; charset=utf-7"),
    "a type that is none": reply(ARTICLE, content_type="\xff;;;=;charset"),
    "structured data that is nested": reply(
        '<script type="application/ld+json">' + "[" * 99_000 + "</script><p>text"
    ),
    "an early answer": b"HTTP/1.1 103 Early Hints\r\n\r\n" * 50 + b"HTTP/1.1 200 OK\r\n\r\n",
    "an upgrade": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
    "a strange redirect": reply(status=302, Location="http://[::1]:99999999999/"),
    "a redirect in bytes": reply(status=302, Location="/\xff\x80\xfe"),
    "a strange wait": reply(status=503, Retry_After="9" * 5_000),
    "a wait in the past": reply(status=503, Retry_After="Mon, 01 Jan 0001 00:00:00 GMT"),
}


class TestHostileServers:
    def test_any_answer_is_a_page(self, server: PageServer) -> None:
        for name, answer in HOSTILE.items():
            page = fetched(server, answer, timeout=5)
            assert isinstance(page, WebPage), name
            assert (page.source is not None) == (page.outcome == "fetched"), name
            assert bool(page.reason) == (page.outcome != "fetched"), name
            assert len(page.reason) < 400, name

    def test_random_bytes_are_a_page(self, server: PageServer) -> None:
        chance = random.Random(1)
        for _ in range(20):
            whole = bytearray(reply(GZIPPED, Content_Encoding="gzip") if chance.random() < 0.5
                              else reply(ARTICLE))  # fmt: skip
            for _ in range(chance.randrange(1, 8)):
                whole[chance.randrange(len(whole))] = chance.randrange(256)
            assert isinstance(fetched(server, bytes(whole), timeout=1), WebPage)

    def test_a_long_title_is_cut(self, server: PageServer) -> None:
        page = fetched(server, reply(ARTICLE.replace("Notice |", "Notice " * 15_000)))
        assert page.source is not None
        assert page.source.title is not None
        assert len(page.source.title) <= 500

    def test_a_certificate_that_nobody_vouches_for(self, certificate: tuple[Path, Wrap]) -> None:
        with PageServer({"/": reply(ARTICLE)}, certificate[1]) as server:
            url = server.url().replace("http:", "https:")
            page = Fetcher(allow=[server.host]).fetch(url)
            assert page.outcome == "unreachable"
            assert "certificate verify failed" in page.reason
            trusting = ssl.create_default_context(cafile=certificate[0])
            trusted = Fetcher(allow=[server.host], ssl_context=trusting).fetch(url)
            assert trusted.outcome == "fetched"

    def test_a_certificate_for_another_name(self, certificate: tuple[Path, Wrap], web: Web) -> None:
        trusting = ssl.create_default_context(cafile=certificate[0])
        with PageServer({"/": reply(ARTICLE)}, certificate[1]) as server:
            web.serve("notice.example", server)
            web.serve("other.example", server)
            fetcher = Fetcher(ssl_context=trusting, robots=False)
            assert fetcher.fetch("https://notice.example/").outcome == "fetched"
            assert fetcher.fetch("https://other.example/").outcome == "unreachable"


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Wrap]:
    """Return a certificate for notice.example and 127.0.0.1, and what serves with it."""
    from ipaddress import ip_address

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "notice.example")])
    names = [x509.DNSName("notice.example"), x509.IPAddress(ip_address("127.0.0.1"))]
    start = datetime.now(UTC) - timedelta(days=1)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(start + timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("tls") / "certificate.pem"
    file.write_bytes(
        signed.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return file, partial(context.wrap_socket, server_side=True)


class TestPoliteness:
    """When a host is asked: its robots.txt, its turn, and when it wants to be left alone."""

    def test_requests_to_a_host_are_apart(self, server: PageServer, web: Web, clock: Clock) -> None:
        asked_at: list[float] = []

        def page(asked: Asked) -> bytes:
            asked_at.append(clock())
            return reply(ARTICLE)

        server.pages = {"/a": page, "/b": page, "/robots.txt": page}
        fetcher = Fetcher(seconds_between=1.5)

        async def both() -> list[WebPage]:
            return await asyncio.gather(*(fetcher.afetch(f"http://example.org/{x}") for x in "ab"))

        assert [page.outcome for page in asyncio.run(both())] == ["fetched", "fetched"]
        assert asked_at == [1_000.0, 1_001.5, 1_003.0]

    def test_one_request_at_a_time(self, server: PageServer, web: Web) -> None:
        running: list[int] = [0]
        most: list[int] = [0]

        def page(asked: Asked) -> bytes:
            running[0] += 1
            most[0] = max(most[0], running[0])
            time.sleep(0.02)
            running[0] -= 1
            return reply(ARTICLE)

        server.pages = {f"/{n}": page for n in range(6)}
        fetcher = Fetcher(robots=False, seconds_between=0)
        with ThreadPoolExecutor(6) as pool:
            list(pool.map(fetcher.fetch, (f"http://example.org/{n}" for n in range(6))))
        assert most == [1]

    def test_hosts_do_not_wait_for_each_other(self, server: PageServer, web: Web) -> None:
        meeting = threading.Barrier(2, timeout=5)

        def page(asked: Asked) -> bytes:
            meeting.wait()
            return reply(ARTICLE)

        server.pages = {"/": page}
        web.serve("a.example", server)
        web.serve("b.example", server)
        fetcher = Fetcher(robots=False)

        async def both() -> list[WebPage]:
            return await asyncio.gather(*(fetcher.afetch(f"http://{x}.example/") for x in "ab"))

        assert [page.outcome for page in asyncio.run(both())] == ["fetched", "fetched"]

    @each_row(
        ("rules", "path", "outcome"),
        [
            ("User-agent: *\nDisallow: /private", "/private/a", "blocked"),
            ("User-agent: *\nDisallow: /private", "/public", "fetched"),
            ("User-agent: *\nDisallow: /a\n" + "# nothing\n" * 100_000, "/a", "blocked"),
            ("User-agent: citeguard\nDisallow: /", "/public", "blocked"),
            ("User-agent: other\nDisallow: /", "/public", "fetched"),
            ("User-agent: *\nDisallow: /\nAllow: /*.html$", "/a.html", "fetched"),
            ("<html>nonsense \xff", "/public", "fetched"),
            (404, "/public", "fetched"),
            (403, "/public", "fetched"),
            (429, "/public", "blocked"),
            (500, "/public", "blocked"),
        ],
    )
    def test_a_robots_txt(self, rules: str | int, path: str, outcome: str) -> None:
        with new_web() as (_, server, _):
            answer = reply(rules, content_type="text/plain") if isinstance(rules, str) else None
            server.pages = {path: reply(ARTICLE), "/robots.txt": answer or reply(status=int(rules))}
            page = Fetcher(seconds_between=0).fetch(f"http://example.org{path}")
            assert page.outcome == outcome
            if outcome == "blocked":
                assert server.paths() == ["/robots.txt"]
                assert page.reason == (
                    "the site's robots.txt does not allow it"
                    if isinstance(rules, str)
                    else f"its robots.txt has the status {rules}, which allows nothing (RFC 9309)"
                )

    def test_a_robots_txt_that_cannot_be_reached(
        self, server: PageServer, web: Web, clock: Clock
    ) -> None:
        server.pages = {"/": reply(ARTICLE), "/robots.txt": b"SSH-2.0-OpenSSH_9.6\r\n"}
        fetcher = Fetcher()
        page = fetcher.fetch("http://example.org/")
        assert (page.outcome, page.reason) == (
            "blocked",
            "its robots.txt cannot be read, which allows nothing (RFC 9309)",
        )
        # It is asked for again, but not at once.
        server.pages["/robots.txt"] = reply("User-agent: *\nAllow: /")
        assert fetcher.fetch("http://example.org/").outcome == "blocked"
        clock.time += 301
        assert fetcher.fetch("http://example.org/").outcome == "fetched"
        assert server.paths() == ["/robots.txt", "/robots.txt", "/"]

    def test_a_robots_txt_is_kept_for_a_day(
        self, server: PageServer, web: Web, clock: Clock
    ) -> None:
        server.pages = {"/": reply(ARTICLE), "/robots.txt": reply("User-agent: *\nAllow: /")}
        fetcher = Fetcher()
        for _ in range(3):
            fetcher.fetch("http://example.org/")
        assert server.paths() == ["/robots.txt", "/", "/", "/"]
        clock.time += 86_401
        fetcher.fetch("http://example.org/")
        assert server.paths()[4:] == ["/robots.txt", "/"]

    @each_row(("asked", "waited"), [("3", 3.0), ("60", 10.0), ("0.1", 1.0)])
    def test_a_crawl_delay(self, asked: str, waited: float) -> None:
        with new_web() as (_, server, clock):
            server.pages = {
                "/": reply(ARTICLE),
                "/robots.txt": reply(f"User-agent: *\nCrawl-delay: {asked}"),
            }
            Fetcher().fetch("http://example.org/")
            assert clock.slept == [waited]

    @each_row(
        ("status", "said", "seconds", "outcome"),
        [
            (429, "120", 120.0, "blocked"),
            (503, "120", 120.0, "unreachable"),
            (503, "date", 120.0, "unreachable"),
            (429, "99999999999", 86_400.0, "blocked"),
        ],
    )
    def test_a_host_that_wants_to_be_left_alone(
        self, status: int, said: str, seconds: float, outcome: str
    ) -> None:
        if said == "date":
            said = format_datetime(datetime.now(UTC) + timedelta(seconds=121), usegmt=True)
        with new_web() as (_, server, clock):
            server.pages = {"/": reply(status=status, Retry_After=said), "/b": reply(ARTICLE)}
            fetcher = Fetcher(robots=False)
            page = fetcher.fetch("http://example.org/")
            assert (page.outcome, page.status) == (outcome, status)
            assert page.retry_after == pytest.approx(seconds, abs=2)
            clock.time += 60
            page = fetcher.fetch("http://example.org/b")
            assert (page.outcome, page.status) == (outcome, None)
            assert page.retry_after == pytest.approx(seconds - 60, abs=2)
            assert "wants not to be asked" in page.reason
            assert server.paths() == ["/"]
            clock.time += seconds
            assert fetcher.fetch("http://example.org/b").outcome == "fetched"

    def test_the_callers_own_servers_need_no_manners(
        self, server: PageServer, clock: Clock
    ) -> None:
        server.pages = {"/": reply(ARTICLE), "/robots.txt": reply("User-agent: *\nDisallow: /")}
        fetcher = Fetcher(allow=[server.host])
        assert [fetcher.fetch(server.url()).outcome for _ in range(3)] == ["fetched"] * 3
        assert server.paths() == ["/", "/", "/"]
        assert clock.slept == []


class TestUse:
    """From any loop and thread."""

    def test_from_loops_and_threads_at_once(self, server: PageServer) -> None:
        server.pages = {"/": reply(ARTICLE)}
        fetcher = Fetcher(allow=[server.host])

        def several(_: int) -> list[WebPage]:
            async def both() -> list[WebPage]:
                return await asyncio.gather(*(fetcher.afetch(server.url()) for _ in range(3)))

            return [*asyncio.run(both()), fetcher.fetch(server.url())]

        with ThreadPoolExecutor(2) as pool:
            pages = [page for some in pool.map(several, range(2)) for page in some]
        assert [page.outcome for page in pages] == ["fetched"] * 8

    def test_a_task_that_is_cancelled_stops_asking(self, server: PageServer) -> None:
        stopped = threading.Event()

        def endless(asked: Asked) -> Iterator[bytes]:
            try:
                yield b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
                while True:
                    time.sleep(0.01)
                    yield b"w"
            finally:
                stopped.set()

        server.pages = {"/": endless}

        async def cancelled() -> None:
            async with asyncio.timeout(0.2):
                await Fetcher(allow=[server.host]).afetch(server.url())

        with pytest.raises(TimeoutError):
            asyncio.run(cancelled())
        assert stopped.wait(5)

    def test_an_async_judge_must_await(self, server: PageServer) -> None:
        server.pages = {"/": reply(ARTICLE)}
        fetcher = Fetcher(allow=[server.host])

        async def judge() -> WebPage:
            with pytest.raises(CiteguardError, match="must await afetch"):
                fetcher.fetch(server.url())
            return await fetcher.afetch(server.url())

        assert run_sync(judge()).outcome == "fetched"

    @each_row(
        "options",
        [
            {"max_bytes": 0},
            {"max_redirects": -1},
            {"timeout": 0},
            {"seconds_between": -1},
            {"contact": None},
            {"contact": "a\r\nb"},
            {"allow": "localhost:80"},
            {"cache": ""},
        ],
        ids=str,
    )
    def test_a_mistake_of_the_caller(self, options: dict[str, Any]) -> None:
        with pytest.raises(CiteguardError):
            Fetcher(**options)

    def test_an_address_must_be_a_text(self) -> None:
        with pytest.raises(CiteguardError, match="url: expected a str, got int"):
            Fetcher().fetch(1)  # pyright: ignore[reportArgumentType]


class TestCache:
    def test_a_page_is_asked_for_once(self, server: PageServer, tmp_path: Path) -> None:
        server.pages = {"/r": reply(status=302, Location="/"), "/": reply(ARTICLE)}
        first = Fetcher(allow=[server.host], cache=tmp_path / "pages").fetch(server.url("/r#a"))
        again = Fetcher(allow=[server.host], cache=tmp_path / "pages").fetch(server.url("/r#b"))
        assert server.paths() == ["/r", "/"]
        assert (first.cached, again.cached) == (False, True)
        assert first.source is not None
        assert again.source is not None
        assert first.source.layout is not None
        assert again.source.layout is not None
        assert again.source.text == first.source.text
        assert again.source.layout.headings == first.source.layout.headings
        assert again.source.url == first.source.url == server.url()
        assert (again.fetched_at, again.sha256) == (first.fetched_at, first.sha256)

    @each_row(
        ("answer", "kept"),
        [
            (reply(ARTICLE), True),
            (reply(status=404), True),
            (reply("<title>Page not found</title><p>Sorry."), True),
            (reply(ARTICLE, Cache_Control="private, no-store"), False),
            (reply(status=403), False),
            (reply(status=503), False),
            (reply(status=402), False),
            (reply(b"\0", content_type="image/png"), False),
            (reply(status=302, Location="http://localhost/"), False),
        ],
        ids=lambda value: str(value)[:40],
    )
    def test_what_is_kept(self, answer: bytes, kept: bool, tmp_path: Path) -> None:
        with PageServer({"/": answer}) as server:
            folder = tmp_path / str(server.port)
            fetcher = Fetcher(allow=[server.host], cache=folder)
            first, again = fetcher.fetch(server.url()), fetcher.fetch(server.url())
            assert any(folder.glob("*")) == kept
            assert len(server.asked) == (1 if kept else 2)
            assert again.cached == kept
            assert (again.outcome, again.reason) == (first.outcome, first.reason)

    def test_a_page_for_one_is_not_for_others(self, server: PageServer, tmp_path: Path) -> None:
        server.pages = {"/": reply(ARTICLE)}
        own = Fetcher(allow=[server.host], cache=tmp_path).fetch(server.url())
        other = Fetcher(cache=tmp_path).fetch(server.url())
        assert (own.outcome, other.outcome) == ("fetched", "refused")

    def test_an_address_with_a_secret_is_not_written(
        self, server: PageServer, tmp_path: Path
    ) -> None:
        server.pages = {"/?key=s3cr3t": reply(ARTICLE)}
        fetcher = Fetcher(allow=[server.host], cache=tmp_path)
        assert fetcher.fetch(server.url("/?key=s3cr3t")).outcome == "fetched"
        assert fetcher.fetch(server.url("/").replace("//", "//me:s3cr3t@")).outcome == "refused"
        for path in tmp_path.iterdir():
            assert b"s3cr3t" not in path.read_bytes()
            assert path.stat().st_mode & 0o077 == 0
