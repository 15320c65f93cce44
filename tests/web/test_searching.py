"""What providers are asked, and what becomes of their replies."""

import asyncio
import ssl
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from citeguard import CiteguardError
from citeguard.web import (
    Brave,
    MediaWiki,
    SearchFailedError,
    SearchProvider,
    SearchQuery,
    SearchResult,
    SearXNG,
    Tavily,
    as_words,
)
from citeguard.web.connecting import certificates
from citeguard.web.page import read_retry_after
from citeguard.web.reading import Content, held_page
from citeguard.web.search import day_of, fitted, page_of, units_of, with_sites
from rows import each_row, pairs
from web.search_servers import (
    ADAPTERS,
    FIRST,
    KEY,
    SECOND,
    Answer,
    SearchServer,
    Seen,
    brave_reply,
    refusing_address,
    wiki_search,
)

TODAY = date.today()


async def asked(adapter: str, query: SearchQuery) -> Seen:
    """Return the first request that a query makes."""
    with SearchServer(Answer(ADAPTERS[adapter].good)) as server:
        await ADAPTERS[adapter].make(server.url).search(query)
    return server.requests[0]


def text_of(seen: Seen) -> str:
    """Return the words that a request searches for."""
    sent = {**seen.params, **(seen.json or {})}
    return next(sent[name] for name in ("q", "query", "srsearch") if name in sent)


class TestResults:
    @pytest.mark.parametrize("adapter", ADAPTERS)
    async def test_are_the_same_of_every_provider(self, adapter: str) -> None:
        with SearchServer(Answer(ADAPTERS[adapter].good)) as server:
            provider = ADAPTERS[adapter].make(server.url)
            page = await provider.search(SearchQuery(text="why do tides rise", limit=2))
        assert isinstance(provider, SearchProvider)
        assert (page.partial, page.notes) == (False, ())
        assert [result.rank for result in page.results] == [1, 2]
        assert {result.provider for result in page.results} == {adapter}
        assert {result.query for result in page.results} == {"why do tides rise"}
        first, second = page.results
        assert second.title in ("Moon", "")
        assert first.url == FIRST
        if adapter == "MediaWiki":
            assert second.url == "https://example.org/Moon"
            assert first.snippet == "About tides & the sea"
        else:
            assert (first.title, first.snippet) == ("The tides & the moon", "Why tides rise …")
            assert (first.published, second.published) == (date(2026, 11, 20), None)
            assert second.url == SECOND  # with its parameters, without a fragment

    def test_of_addresses_that_are_not_of_the_web_are_dropped_and_counted(self) -> None:
        found = [
            SearchResult(url=url)
            for url in ("/a", "javascript:x", "ftp://a.org/", "https://a.org", "data:,x", "")
        ]
        page = page_of(found, SearchQuery(text="x"), provider="P")
        assert [result.url for result in page.results] == ["https://a.org"]
        assert page.notes == ("5 results were dropped: the address is not one of the web.",)

    def test_of_other_domains_and_days_are_dropped_and_counted(self) -> None:
        found = [
            SearchResult(url="https://en.a.org/1"),
            SearchResult(url="https://nota.org/2"),
            SearchResult(url="https://bad.a.org/3"),
            SearchResult(url="https://a.org/4", published=date(2020, 1, 1)),
            SearchResult(url="https://a.org/5", published=date(2026, 1, 1)),
        ]
        query = SearchQuery(
            text="x", domains=("A.org.",), not_domains=("bad.a.org",), since=date(2025, 1, 1)
        )
        page = page_of(found, query, provider="P")
        assert [(each.url[-1], each.rank) for each in page.results] == [("1", 1), ("5", 2)]
        assert page.notes == (
            "2 results were dropped: not of a domain that was asked for.",
            "1 result was dropped: published before 2025-01-01.",
        )

    @each_row(
        ("written", "day"),
        [
            ("2026-11-20T00:00:00", date(2026, 11, 20)),
            ("Mar 3, 2024", date(2024, 3, 3)),
            ("Fri, 20 Nov 2026 08:00:00 GMT", date(2026, 11, 20)),
            ("3 hours ago", date(2026, 1, 31)),
            ("2026-02-30", None),
            ("last spring", None),
            ("", None),
            (None, None),
        ],
    )
    def test_days(self, written: str | None, day: date | None) -> None:
        assert day_of(written, today=date(2026, 1, 31)) == day


class TestRequests:
    @each_row(
        ("adapter", "text", "count"),
        pairs(
            ADAPTERS,
            ["word " * 200, "x" * 900, "a " * 60, "海" * 500, "one " + "y" * 500],
            [0, 5],
        ),
    )
    async def test_are_short_enough(self, adapter: str, text: str, count: int) -> None:
        domains = tuple(f"site-{number}.example.org" for number in range(count))
        sent = text_of(await asked(adapter, SearchQuery(text=text, domains=domains)))
        assert 0 < len(sent) <= 400
        assert len(sent.split()) <= 50

    @each_row(
        ("adapter", "place", "header", "sent"),
        [
            (
                "Brave",
                "GET /res/v1/web/search",
                ("x-subscription-token", KEY),
                {
                    "q": "tides site:a.org -site:b.org",
                    "count": "20",
                    "text_decorations": "false",
                    "result_filter": "web",
                    "search_lang": "jp",
                    "freshness": f"2025-01-02to{TODAY}",
                },
            ),
            (
                "Serper",
                "POST /search",
                ("x-api-key", KEY),
                {"q": "tides site:a.org -site:b.org", "num": 90, "hl": "ja"},
            ),
            (
                "Tavily",
                "POST /search",
                ("authorization", f"Bearer {KEY}"),
                {
                    "query": "tides",
                    "search_depth": "basic",
                    "max_results": 20,
                    "include_domains": ["a.org"],
                    "exclude_domains": ["b.org"],
                    "start_date": "2025-01-02",
                },
            ),
            (
                "Exa",
                "POST /search",
                ("x-api-key", KEY),
                {
                    "query": "tides",
                    "type": "auto",
                    "numResults": 90,
                    "contents": {"highlights": {"query": "tides"}},
                    "includeDomains": ["a.org"],
                    "excludeDomains": ["b.org"],
                    "startPublishedDate": "2025-01-02T00:00:00.000Z",
                },
            ),
            (
                "SearXNG",
                "GET /search",
                ("accept", "application/json"),
                {"q": "tides site:a.org -site:b.org", "format": "json", "language": "ja"},
            ),
            (
                "MediaWiki",
                "GET /w/api.php",
                ("user-agent", "citeguard (tests@example.org)"),
                {
                    "action": "query",
                    "format": "json",
                    "formatversion": "2",
                    "maxlag": "5",
                    "list": "search",
                    "srsearch": "tides",
                    "srlimit": "50",
                    "srprop": "snippet",
                },
            ),
        ],
    )
    async def test_are_as_the_services_document_them(
        self, adapter: str, place: str, header: tuple[str, str], sent: dict[str, Any]
    ) -> None:
        query = SearchQuery(
            text="tides",
            limit=90,
            domains=("a.org",),
            not_domains=("b.org",),
            since=date(2025, 1, 2),
            language="ja",
        )
        seen = await asked(adapter, query)
        assert f"{seen.method} {seen.path}" == place
        assert seen.headers[header[0]] == header[1]
        assert (seen.json or seen.params) == sent

    @each_row(
        ("days", "serper", "searxng"),
        [(0, "qdr:d", "day"), (6, "qdr:w", "month"), (300, "qdr:y", "year"), (400, None, None)],
    )
    async def test_ranges_of_days_hold_the_day(
        self, days: int, serper: str | None, searxng: str | None
    ) -> None:
        query = SearchQuery(text="tides", since=TODAY - timedelta(days=days))
        assert (await asked("Serper", query)).json.get("tbs") == serper
        assert (await asked("SearXNG", query)).params.get("time_range") == searxng

    async def test_have_no_language_that_brave_does_not_know(self) -> None:
        seen = await asked("Brave", SearchQuery(text="x", language="xx"))
        assert "search_lang" not in seen.params

    @each_row("adapter", ["Brave", "MediaWiki"])
    async def test_wait_for_each_other(self, adapter: str) -> None:
        running = most = 0

        def script(_: Seen) -> Answer:
            nonlocal running, most
            running += 1
            most = max(most, running)
            server.wait(0.02)
            running -= 1
            return Answer(ADAPTERS[adapter].good)

        with SearchServer(script) as server:
            provider = ADAPTERS[adapter].make(server.url)
            query = SearchQuery(text="tides", limit=2)
            await asyncio.gather(*(provider.search(query) for _ in range(4)))
        assert (most, len(server.requests)) == (1, 4)

    def test_may_come_from_several_event_loops(self) -> None:
        with SearchServer(Answer(brave_reply({"url": FIRST}))) as server:
            provider = Brave(KEY, base_url=server.url)
            for _ in range(2):
                assert asyncio.run(provider.search(SearchQuery(text="tides"))).results

    async def test_ignore_the_proxies_of_the_environment(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("HTTP_PROXY", "ALL_PROXY", "http_proxy"):
            monkeypatch.setenv(name, "http://127.0.0.1:9")
        assert (await asked("Brave", SearchQuery(text="tides"))).method == "GET"


class TestSomeOfTheWords:
    """A wrong statement has a word that its page does not have."""

    async def test_are_asked_one_by_one_if_no_page_has_all(self) -> None:
        found = {"Eiffel Tower": ["Eiffel Tower"], "1899": ["1899", "1900"], "completed": ["1899"]}

        def script(seen: Seen) -> Answer:
            return Answer(wiki_search(*found.get(seen.params["srsearch"], [])))

        with SearchServer(script) as server:
            query = SearchQuery(text="The Eiffel Tower was completed in 1899")
            page = await ADAPTERS["MediaWiki"].make(server.url).search(query)
        assert [each.title for each in page.results] == ["1899", "Eiffel Tower", "1900"]
        assert page.notes == (
            "Some results have only some of the words: few pages have all of them.",
        )
        asked = [seen.params["srsearch"] for seen in server.requests]
        assert asked == [query.text, "Eiffel Tower", "1899", "completed"]

    async def test_are_not_asked_of_a_wiki_beside_operators(self) -> None:
        with SearchServer(Answer(wiki_search("One"))) as server:
            query = SearchQuery(text='intitle:tower "iron lattice"')
            await ADAPTERS["MediaWiki"].make(server.url).search(query)
        assert [seen.params["srsearch"] for seen in server.requests] == [query.text]

    @each_row(
        ("text", "units"),
        [
            ("Marie Curie, Marie Curie and Pierre", ["Marie Curie", "Pierre"]),
            ("tides rise and tides fall", ["tides", "rise", "fall"]),
            ("地球は青い", ["地球", "球は", "は青", "青い"]),
        ],
    )
    def test_are_the_names_and_content_words(self, text: str, units: list[str]) -> None:
        assert units_of(text) == units


class TestWords:
    @each_row(
        ("text", "words"),
        [
            ("site:evil.example cats", "site evil.example cats"),
            ('He said "never again"', "He said never again"),
            ("He said “never again”, «never»", "He said never again , never"),
            ("cats -dogs +birds – fish", "cats dogs birds fish"),
            ("cats OR dogs AND NOT birds", "cats or dogs and not birds"),
            ("ORE and ANDES", "ORE and ANDES"),
            ("!g !!wiki :de cats!", "g wiki de cats"),
            ("2010..2015 costs", "2010 2015 costs"),
            ("1,000.5 at 10:30, 3:1", "1,000.5 at 10:30, 3:1"),
            ("si\u200bte:x ca\u00adts", "site x cats"),
            ("ｓｉｔｅ：x －y ＯＲ", "site x y or"),
            ("می\u200cخواهم", "می\u200cخواهم"),
            ("a\u200cb", "ab"),
            ("half \ud800 pair", "half pair"),
            ("", ""),
        ],
    )
    def test_keep_no_operator(self, text: str, words: str) -> None:
        assert as_words(text) == words

    @given(
        st.text(
            alphabet=st.sampled_from("ab1 :-+\"“'()|*!.…/~<@ORANDsite\u200b\u200d－：é"),
            max_size=40,
        )
    )
    @example("a:-:b")
    @example("-\u200b-site:x")
    @example("é\u200d\u200bé")
    @example("é\u200d\u200b")
    def test_are_data(self, text: str) -> None:
        words = as_words(text)
        assert as_words(words) == words
        assert not {*words} & {*'"“”()|*!~<>'}
        for word in words.split():
            assert word[0] not in "-+:@/"
            assert word not in ("OR", "AND", "NOT")
            name, colon, value = word.partition(":")
            assert not colon or (name[-1:].isdigit() and value[:1].isdigit())
        letters = [[char for char in each.lower() if char.isalnum()] for each in (text, words)]
        assert [*map(_folded, letters[0])] == [*map(_folded, letters[1])]

    @given(st.text(max_size=60))
    def test_of_any_text_are_settled(self, text: str) -> None:
        words = as_words(text)
        assert as_words(words) == words
        words.encode()

    @each_row(
        ("text", "limits", "kept"),
        [
            ("one two three", {"words": 2}, "one two"),
            ("one two three", {"characters": 7}, "one two"),
            ("one two three", {"characters": 6}, "one"),
            ("overlong", {"characters": 4}, "over"),
            ("", {}, ""),
        ],
    )
    def test_are_cut_between_two(self, text: str, limits: dict[str, int], kept: str) -> None:
        assert fitted(text, **limits) == kept

    def test_are_cut_to_make_room_for_domains(self) -> None:
        query = SearchQuery(text="word " * 100, domains=("a.org",), not_domains=("b.org",))
        sent = with_sites(query)
        assert sent.endswith(" word site:a.org -site:b.org")
        assert len(sent.split()) == 50


def _folded(char: str) -> str:
    return chr(ord(char) - 0xFEE0) if 0xFF01 <= ord(char) < 0xFF5F else char


class TestArguments:
    @each_row(
        ("query", "message"),
        [
            (SearchQuery(text="x", limit=0), "SearchQuery(limit=...) must be an integer"),
            (SearchQuery(text="x", domains=("a.org OR b",)), "SearchQuery(domains=...): expected"),
            (SearchQuery(text="x", not_domains=("https://a",)), "SearchQuery(not_domains=...):"),
            (SearchQuery(text="x", language="english"), "SearchQuery(language=...): expected"),
        ],
    )
    @pytest.mark.parametrize("adapter", ADAPTERS)
    async def test_of_a_query(self, adapter: str, query: SearchQuery, message: str) -> None:
        provider = ADAPTERS[adapter].make("http://127.0.0.1:9")
        with pytest.raises(CiteguardError) as caught:
            await provider.search(query)
        assert str(caught.value).startswith(message)

    def test_international_domains(self) -> None:
        found = [SearchResult(url="https://www.münchen.de/x")]
        page = page_of(found, SearchQuery(text="x", domains=("xn--mnchen-3ya.de",)), provider="P")
        assert len(page.results) == 1

    @each_row(
        ("make", "message"),
        [
            (lambda: Brave(KEY, base_url="ftp://x"), "Brave: expected an http or https address"),
            (lambda: SearXNG("http://127.0.0.1:99999"), "SearXNG: expected an http or https"),
            (lambda: SearXNG("http://a..b"), "SearXNG: expected an http or https"),
            (lambda: SearXNG("http://127.0.0.1:0"), "SearXNG: expected an http or https"),
            (lambda: Brave(KEY, timeout=0), "Brave(timeout=...) must be a number above 0"),
            (lambda: Tavily("short"), "Tavily(): expected a key of at least 8 printable"),
            (lambda: Tavily("ungewöhnlich-lang"), "Tavily(): expected a key of at least 8"),
            (lambda: Tavily("a key with\nlines"), "Tavily(): expected a key of at least 8"),
            (lambda: MediaWiki(contact="no one"), "MediaWiki: contact must be an address"),
            (lambda: MediaWiki(contact="a@b.c", articles="https://y/"), "an address of pages must"),
        ],
    )
    def test_of_adapters(self, make: Any, message: str) -> None:
        with pytest.raises(CiteguardError) as caught:
            make()
        assert str(caught.value).startswith(message)

    def test_a_password_in_an_address_is_not_shown(self) -> None:
        with pytest.raises(CiteguardError) as caught:
            SearXNG("https://me:secret@searx.example.org")
        assert "secret" not in str(caught.value)

    def test_keys_come_from_the_environment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("BRAVE_API_KEY", "OTHER"):
            monkeypatch.delenv(name, raising=False)
        with pytest.raises(CiteguardError) as caught:
            Brave()
        assert str(caught.value) == "Brave() requires a key: set BRAVE_API_KEY, or pass it"
        monkeypatch.setenv("OTHER", f" {KEY}\n")
        assert repr(Brave(key_variable="OTHER")) == repr(Brave(KEY))

    @each_row(
        ("value", "seconds"),
        [
            ("3", 3.0),
            ("1.5", 1.5),
            ("-1", None),
            ("inf", None),
            ("", None),
            ("Fri, 01 Jan 2010 00:00:00 GMT", 0.0),
        ],
    )
    def test_retry_after(self, value: str, seconds: float | None) -> None:
        assert read_retry_after(value) == seconds

    @pytest.mark.parametrize("adapter", ADAPTERS)
    async def test_half_characters_are_not_sent(self, adapter: str) -> None:
        assert text_of(await asked(adapter, SearchQuery(text="ti\ud800des"))) == "tides"

    @pytest.mark.parametrize("title", ["\ud800", "x" * 70_000], ids=["half", "long"])
    async def test_titles_that_cannot_be_sent(self, title: str) -> None:
        with pytest.raises(SearchFailedError) as caught:
            await MediaWiki(contact="me@example.org").titles([title])
        assert caught.value.kind == "refused"

    async def test_certificates_are_checked(self) -> None:
        assert certificates().verify_mode is ssl.CERT_REQUIRED
        assert certificates().check_hostname
        with refusing_address() as url, pytest.raises(SearchFailedError) as caught:
            await SearXNG(url.replace("http:", "https:")).search(SearchQuery(text="x"))
        assert caught.value.kind == "outage"

    def test_a_missing_package_is_an_error_of_the_setup(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def read(*_: Any, **__: Any) -> Any:
            raise CiteguardError("lxml is required") from ImportError("lxml")

        monkeypatch.setattr("citeguard.web.reading.read_document", read)
        with pytest.raises(CiteguardError, match="lxml is required"):
            held_page("https://a.org", Content(b"<p>x", "text/html"))
