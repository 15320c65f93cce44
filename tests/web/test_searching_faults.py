"""No fault of a search service comes out as a page without results, and no key comes out at all."""

import json
import logging
import traceback
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Awaitable, Callable
from itertools import cycle
from typing import Any
from urllib.parse import quote

import pytest

from citeguard.web import Brave, SearchFailedError, SearchQuery
from citeguard.web.services import LONGEST_WAIT
from rows import each_row
from web.search_servers import (
    ADAPTERS,
    FAULTS,
    KEY,
    Answer,
    SearchServer,
    brave_error,
    brave_rate,
    brave_reply,
    refusing_address,
    wiki_error,
)

QUERY = SearchQuery(text="tides")
KEYED = ["Brave", "Exa", "Serper", "Tavily"]
QUICK = {"dripping": 0.2, "mute": 0.2}
"""The most seconds of a request that never ends."""

PARSED = ("empty object", "wrong type", "wrong items", "empty with an error")
"""The faults that each adapter must notice by itself; the others are noticed for all of them."""

_turns = cycle(ADAPTERS)
ALL = [
    pytest.param(adapter, answer, kind, QUICK.get(fault, 5.0), id=f"{adapter}: {fault}")
    for adapter, fault, (answer, kind) in (
        *((each, fault, FAULTS[fault]) for fault in PARSED for each in ADAPTERS),
        *((next(_turns), fault, FAULTS[fault]) for fault in FAULTS if fault not in PARSED),
        *((each, *own) for each, adapter in ADAPTERS.items() for own in adapter.faults.items()),
    )
]


@pytest.fixture
def naps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Let waits end at once; return how long they would have been."""
    seconds: list[float] = []

    async def sleep(wait: float) -> None:
        seconds.append(wait)

    monkeypatch.setattr("citeguard.web.services.sleep", sleep)
    return seconds


async def failure(search: Callable[[], Awaitable[Any]]) -> SearchFailedError:
    with pytest.raises(SearchFailedError) as caught:
        await search()
    return caught.value


def everything_said(error: BaseException) -> str:
    """Return all that a program could show of an error: its chain, with local variables."""
    shown = [*traceback.TracebackException.from_exception(error, capture_locals=True).format()]
    shown += [*traceback.format_exception(error), str(error), repr(error), repr(vars(error))]
    if error.__context__ is not None:  # also if it is suppressed
        shown.append(everything_said(error.__context__))
    return "\n".join(shown)


class TestFaults:
    @pytest.mark.parametrize(("adapter", "answer", "kind", "timeout"), ALL)
    async def test_are_failures_of_their_kind(
        self,
        adapter: str,
        answer: Answer,
        kind: str,
        timeout: float,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        caplog.set_level(logging.DEBUG)
        with SearchServer(answer) as server:
            provider = ADAPTERS[adapter].make(server.url, timeout=timeout)
            error = await failure(lambda: provider.search(QUERY))
        assert (error.kind, error.provider) == (kind, adapter)
        assert str(error).startswith(f"{adapter}: ")
        assert len(server.requests) == 1
        said = everything_said(error) + caplog.text + repr(provider)
        assert not [form for form in (KEY, "5ecr3t") if form in said]

    @pytest.mark.parametrize("adapter", ADAPTERS)
    async def test_a_reply_that_ends_anywhere(self, adapter: str) -> None:
        whole = Answer(ADAPTERS[adapter].good).content
        cuts = [Answer(whole[: len(whole) * part // 20]) for part in range(20)]
        with SearchServer(cuts) as server:
            provider = ADAPTERS[adapter].make(server.url)
            kinds = {(await failure(lambda: provider.search(QUERY))).kind for _ in cuts}
        assert (kinds, len(server.requests)) == ({"bad_reply"}, len(cuts))

    @pytest.mark.parametrize("adapter", ADAPTERS)
    async def test_a_refused_connection(self, adapter: str) -> None:
        with refusing_address() as url:
            error = await failure(lambda: ADAPTERS[adapter].make(url).search(QUERY))
        assert error.kind == "outage"
        assert error.__context__ is None

    @pytest.mark.parametrize("adapter", ADAPTERS)
    async def test_no_results_are_an_empty_page(self, adapter: str) -> None:
        with SearchServer(Answer(ADAPTERS[adapter].empty)) as server:
            page = await ADAPTERS[adapter].make(server.url).search(QUERY)
        assert (page.results, page.partial) == ((), False)

    async def test_searxng_says_which_setting_is_off(self) -> None:
        with SearchServer(Answer("<html>", 403)) as server:
            error = await failure(lambda: ADAPTERS["SearXNG"].make(server.url).search(QUERY))
        assert str(error) == (
            "SearXNG: the instance does not serve JSON: add json to search.formats in the "
            "settings.yml of the instance (HTTP 403)"
        )

    async def test_searxng_is_partial_if_some_engines_do_not_answer(self) -> None:
        reply = ADAPTERS["SearXNG"].good | {"unresponsive_engines": [["google", "timeout"]]}
        with SearchServer(Answer(reply)) as server:
            page = await ADAPTERS["SearXNG"].make(server.url).search(QUERY)
        assert (len(page.results), page.partial) == (2, True)
        assert page.notes == ("Did not answer: google: timeout.",)

    async def test_results_without_any_address_of_the_web(self) -> None:
        reply = brave_reply({"url": "/relative"}, {"url": "javascript:alert(1)"})
        with SearchServer(Answer(reply)) as server:
            error = await failure(lambda: ADAPTERS["Brave"].make(server.url).search(QUERY))
        assert error.kind == "bad_reply"

    @pytest.mark.parametrize("adapter", ADAPTERS)
    async def test_a_query_without_words_is_not_sent(self, adapter: str) -> None:
        with SearchServer(Answer()) as server:
            provider = ADAPTERS[adapter].make(server.url)
            error = await failure(lambda: provider.search(SearchQuery(text=' "…" ')))
        assert (error.kind, server.requests) == ("refused", [])


class TestKeys:
    @pytest.mark.parametrize("adapter", KEYED)
    async def test_are_sent_and_never_shown(
        self, adapter: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG)
        with SearchServer(Answer(ADAPTERS[adapter].good)) as server:
            provider = ADAPTERS[adapter].make(server.url)
            page = await provider.search(QUERY)
        assert [value for value in server.requests[0].headers.values() if KEY in value]
        assert "send_request_headers" in caplog.text  # httpcore has logged
        assert KEY not in caplog.text + repr(provider) + repr(vars(provider)) + repr(page)

    async def test_that_a_service_writes_into_its_results_are_taken_out(self) -> None:
        reply = brave_reply({"url": f"https://example.org/?key={KEY}", "title": f"Key {KEY}"})
        with SearchServer(Answer(reply)) as server:
            page = await ADAPTERS["Brave"].make(server.url).search(QUERY)
        assert KEY not in repr(page)
        assert page.results[0].title == "Key [key]"

    @each_row("said", ["{}", "Bearer {}", "key={}.", "B{}b"])
    @each_row(
        "encoded",
        [
            str,
            str.upper,
            str.swapcase,
            lambda text: "".join(f"%{ord(char):02X}" for char in text),
            lambda text: "".join(f"%25{ord(char):02x}" for char in text),
            lambda text: "".join(f"\\u{ord(char):04x}" for char in text),
            lambda text: "".join(f"\\\\u{ord(char):04X}" for char in text),
            lambda text: "".join(f"&#{ord(char)};" for char in text),
            lambda text: "".join(f"&#x{ord(char):X};" for char in text),
            lambda text: text.encode().hex(),
            lambda text: b64encode(text.encode()).decode(),
            lambda text: urlsafe_b64encode(text.encode()).decode(),
            lambda text: quote(b64encode(text.encode()), safe=""),
            lambda text: b64encode(text.encode()).decode().replace("/", "\\/"),
        ],
        ids=[*"abcdefghijklmn"],
    )
    async def test_that_a_service_encodes_are_in_no_message(
        self, encoded: Callable[[str], str], said: str
    ) -> None:
        key = "BSA-x9+/aQ=kEy12~?>"
        written = encoded(said.format(key))
        reply = json.dumps({"message": "MESSAGE"}).replace("MESSAGE", written)
        with SearchServer(Answer(reply, 400)) as server:
            error = await failure(lambda: Brave(key, base_url=server.url).search(QUERY))
        assert "[key]" in str(error)
        assert not any(encoded(part)[:-4] in str(error) for part in (key, key[:9], key[-9:]))


class TestSecondRequest:
    @pytest.mark.parametrize(
        ("adapter", "status"), [*zip(ADAPTERS, cycle([429, 503]), strict=False)]
    )
    async def test_after_the_pause_that_was_asked_for(
        self, naps: list[float], adapter: str, status: int
    ) -> None:
        script = [Answer("", status, {"Retry-After": "2"}), Answer(ADAPTERS[adapter].good)]
        with SearchServer(script) as server:
            provider = ADAPTERS[adapter].make(server.url)
            page = await provider.search(SearchQuery(text="tides", limit=2))
        assert len(page.results) == len(server.requests) == 2
        assert naps == [pytest.approx(2, abs=1)]

    @pytest.mark.parametrize("adapter", ADAPTERS)
    async def test_is_the_last_one(self, naps: list[float], adapter: str) -> None:
        with SearchServer(Answer("", 429, {"Retry-After": "1"})) as server:
            provider = ADAPTERS[adapter].make(server.url)
            error = await failure(lambda: provider.search(QUERY))
        assert (error.kind, error.retry_after, len(server.requests)) == ("rate_limited", 1.0, 2)

    async def test_is_sent_after_maxlag(self, naps: list[float]) -> None:
        lagged = Answer(wiki_error("maxlag"), 200, {"Retry-After": "5"})
        with SearchServer([lagged, Answer(ADAPTERS["MediaWiki"].good)]) as server:
            provider = ADAPTERS["MediaWiki"].make(server.url)
            page = await provider.search(SearchQuery(text="tides", limit=2))
        assert len(page.results) == 2
        assert naps == [pytest.approx(5, abs=1)]
        assert server.requests[0].params["maxlag"] == "5"

    async def test_is_not_sent_before_a_long_pause_has_passed(self, naps: list[float]) -> None:
        with SearchServer(Answer("", 503, {"Retry-After": "600"})) as server:
            provider = ADAPTERS["Serper"].make(server.url)
            first = await failure(lambda: provider.search(QUERY))
            second = await failure(lambda: provider.search(QUERY))
        assert (first.kind, first.retry_after) == ("outage", 600.0)
        assert (second.kind, second.retry_after) == ("rate_limited", pytest.approx(600, abs=5))
        assert (len(server.requests), naps) == (1, [])


class TestBravesPace:
    async def test_is_read_from_lists_in_headers(self, naps: list[float]) -> None:
        spent = brave_rate("0, 14999", "1, 1419704")
        with SearchServer(Answer(ADAPTERS["Brave"].good, 200, spent)) as server:
            provider = ADAPTERS["Brave"].make(server.url)
            await provider.search(QUERY)
            assert naps == []
            await provider.search(QUERY)
        assert naps == [pytest.approx(1, abs=0.9)]

    async def test_of_a_second_is_waited_for(self, naps: list[float]) -> None:
        limited = Answer(brave_error("RATE_LIMITED", "Slow."), 429, brave_rate("0, 9", "1, 99999"))
        with SearchServer([limited, Answer(ADAPTERS["Brave"].good)]) as server:
            page = await ADAPTERS["Brave"].make(server.url).search(QUERY)
        assert len(page.results) == 2
        assert naps == [pytest.approx(1, abs=0.9)]
        assert max(naps) < LONGEST_WAIT
