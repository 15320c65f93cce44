"""A wiki's API: titles, texts, links, and pages as a provider hands them over."""

from typing import Any

import pytest

from citeguard.web import MediaWiki, SearchFailedError, SearchQuery, WikiTitle
from web.search_servers import Answer, SearchServer, Seen, wiki_error, wiki_search

EXTRACT = (
    "Mercury is the first planet.\nIt is small.\n\n\n== Orbit ==\nA year lasts 88 days.\n\n\n"
    "=== Spin ===\nSlow.\n\n\n== See also =="
)
PLANET = {
    "pageid": 19694,
    "ns": 0,
    "title": "Mercury (planet)",
    "extract": EXTRACT,
    "fullurl": "https://en.wikipedia.org/wiki/Mercury_(planet)",
    "lastrevid": 987,
}


def answer(*pages: dict[str, Any], **query: Any) -> Answer:
    return Answer({"batchcomplete": True, "query": {**query, "pages": [*pages]}})


def client(server: SearchServer) -> MediaWiki:
    return MediaWiki(f"{server.url}/w/api.php", contact="tests@example.org")


class TestTitles:
    async def test_redirects_and_spellings_are_followed_and_told(self) -> None:
        reply = answer(
            {"ns": 0, "title": "Nowhere at all", "missing": True},
            {"title": "<x>", "invalid": True, "invalidreason": "Contains <."},
            PLANET,
            {
                "pageid": 2,
                "ns": 0,
                "title": "Mercury",
                "pageprops": {"disambiguation": ""},
                "extract": "Mercury can mean:",
                "fullurl": "https://en.wikipedia.org/wiki/Mercury",
                "lastrevid": 5,
            },
            normalized=[{"fromencoded": False, "from": "planet Mercury", "to": "Planet Mercury"}],
            redirects=[{"from": "Planet Mercury", "to": "Mercury (planet)", "tofragment": "Orbit"}],
        )
        with SearchServer(reply) as server:
            known = await client(server).titles(
                ["planet  Mercury", "Mercury", "<x>", "Nowhere at all", "a|b", " ", "Mercury"]
            )
        planet, mercury, strange, nowhere, two, blank, again = known
        assert planet == WikiTitle(
            asked="planet  Mercury",
            title="Mercury (planet)",
            outcome="found",
            url="https://en.wikipedia.org/wiki/Mercury_(planet)",
            redirected_from=("Planet Mercury",),
            intro=EXTRACT,
        )
        assert (mercury.is_disambiguation, mercury.redirected_from) == (True, ())
        assert again == mercury
        assert [each.outcome for each in (strange, nowhere, two, blank)] == [
            "invalid",
            "missing",
            "invalid",
            "invalid",
        ]
        [seen] = server.requests
        assert seen.params["titles"] == "planet Mercury|Mercury|<x>|Nowhere at all"
        assert (seen.params["redirects"], seen.params["exintro"]) == ("1", "1")

    async def test_of_other_wikis_are_missing(self) -> None:
        reply = answer(interwiki=[{"title": "de:Merkur", "iw": "de"}])
        with SearchServer(reply) as server:
            [title] = await client(server).titles(["de:Merkur"])
        assert title.outcome == "missing"

    async def test_come_in_requests_of_twenty(self) -> None:
        def script(seen: Seen) -> Answer:
            titles = seen.params["titles"].split("|")
            return answer(*({"title": title, "pageid": 1} for title in titles))

        names = [f"Title {number}" for number in range(45)]
        with SearchServer(script) as server:
            known = await client(server).titles(names)
        assert [each.title for each in known] == names
        assert [seen.params["titles"].count("|") for seen in server.requests] == [19, 19, 4]

    async def test_an_answer_in_parts_is_put_together(self) -> None:
        without = {key: value for key, value in PLANET.items() if key != "extract"}
        parts = [
            Answer(
                {"continue": {"excontinue": 1, "continue": "||"}, "query": {"pages": [without]}}
            ),
            answer({"title": "Mercury (planet)", "pageid": 19694, "extract": "The intro."}),
        ]
        with SearchServer(parts) as server:
            [title] = await client(server).titles(["Mercury (planet)"])
        assert (title.intro, title.url) == ("The intro.", PLANET["fullurl"])
        assert server.requests[1].params["excontinue"] == "1"

    async def test_an_answer_without_end_is_a_failure(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("citeguard.web.encyclopedias._MOST_ROUNDS", 5)
        part = Answer({"continue": {"continue": "||"}, "query": {"pages": [PLANET]}})
        with SearchServer(part) as server, pytest.raises(SearchFailedError) as caught:
            await client(server).titles(["Mercury (planet)"])
        assert (caught.value.kind, len(server.requests)) == ("bad_reply", 5)

    async def test_a_title_that_is_not_answered_is_a_failure(self) -> None:
        with SearchServer(answer(PLANET)) as server, pytest.raises(SearchFailedError) as caught:
            await client(server).titles(["Venus"])
        assert caught.value.kind == "bad_reply"


class TestLinks:
    async def test_are_the_titles(self) -> None:
        parts = [
            Answer(
                {
                    "continue": {"plcontinue": "2|0|M", "continue": "||"},
                    "query": {"pages": [{"title": "M", "links": [{"ns": 0, "title": "A"}]}]},
                }
            ),
            answer({"title": "M", "links": [{"ns": 0, "title": "B"}]}),
        ]
        with SearchServer(parts) as server:
            assert await client(server).links("M") == ["A", "B"]
            assert await client(server).links("a|b") == []
        assert server.requests[0].params["plnamespace"] == "0"


class TestPages:
    async def test_are_texts_with_headings_of_a_revision(self) -> None:
        redirected = [
            {"from": "Hermes planet", "to": "Planet Mercury"},
            {"from": "Planet Mercury", "to": "Mercury (planet)"},
        ]
        with SearchServer(answer(PLANET, redirects=redirected)) as server:
            wiki = MediaWiki(
                f"{server.url}/w/api.php",
                contact="me@example.org",
                articles="https://en.wikipedia.org/wiki/$1",
            )
            url = "https://en.wikipedia.org/wiki/Hermes_planet#Orbit"
            assert wiki.holds(url)
            page = await wiki.fetch(url)
        assert (page.outcome, page.url, page.status) == ("fetched", url, 200)
        assert page.final_url == "https://en.wikipedia.org/wiki/Mercury_(planet)?oldid=987"
        assert page.redirects == ("https://en.wikipedia.org/wiki/Planet_Mercury",)
        source = page.source
        assert source is not None
        assert source.text == (
            "Mercury (planet)\n\nMercury is the first planet.\n\nIt is small.\n\nOrbit\n\n"
            "A year lasts 88 days.\n\nSpin\n\nSlow.\n\nSee also"
        )
        assert source.layout is not None
        headings = [(each.text, each.level) for each in source.layout.headings]
        assert headings == [("Mercury (planet)", 1), ("Orbit", 2), ("Spin", 3), ("See also", 2)]
        assert source.text[source.layout.headings[2].start :].startswith("Spin")
        assert server.requests[0].params["titles"] == "Hermes planet"
        assert server.requests[0].params["exsectionformat"] == "wiki"

    @pytest.mark.parametrize(
        ("reply", "outcome"),
        [
            (answer({"title": "X", "missing": True}), "dead"),
            (answer({"title": "X", "invalid": True}), "dead"),
            (answer({"title": "X", "extract": " \n", "lastrevid": 1}), "unsupported_type"),
            (answer({"title": "X", "lastrevid": 1}), "unreachable"),
            (answer(), "unreachable"),
            (Answer("", 500), "unreachable"),
            (Answer("", 429, {"Retry-After": "9"}), "unreachable"),
            (Answer(wiki_error("readapidenied")), "blocked"),
        ],
    )
    async def test_that_cannot_be_read_say_why(self, reply: Answer, outcome: str) -> None:
        with SearchServer(reply) as server:
            wiki = MediaWiki(f"{server.url}/w/api.php", contact="me@example.org")
            page = await wiki.fetch(f"{server.url}/wiki/X")
        assert (page.outcome, page.source) == (outcome, None)
        assert page.reason
        assert page.retry_after == (9.0 if reply.status == 429 else None)

    async def test_of_other_sites_are_refused(self) -> None:
        wiki = MediaWiki(contact="me@example.org")
        assert not wiki.holds("https://de.wikipedia.org/wiki/Merkur")
        assert (await wiki.fetch("https://de.wikipedia.org/wiki/Merkur")).outcome == "refused"

    async def test_are_found_by_search_and_held(self) -> None:
        with SearchServer(Answer(wiki_search("Mercury (planet)", "C# 100%?"))) as server:
            wiki = MediaWiki(f"{server.url}/w/api.php", contact="me@example.org")
            found = await wiki.search(SearchQuery(text="mercury", limit=2))
        assert [each.url for each in found.results] == [
            f"{server.url}/wiki/Mercury_(planet)",
            f"{server.url}/wiki/C%23_100%25%3F",
        ]
        assert all(wiki.holds(each.url) for each in found.results)
