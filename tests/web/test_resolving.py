"""References that are looked up at registries on the loopback interface, and their faults."""

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from citeguard.errors import CiteguardError
from citeguard.judges.loops import run_sync
from citeguard.sources.collection import Source
from citeguard.web import LookupFailedError, Registries, Resolved, WebPage, asnapshot, resolve
from citeguard.web.works import leads_elsewhere
from linked_site import Reply, Site
from rows import each_row

DOI = "10.1000/heat.1"
NUMBER = "2401.01234"
ABSTRACT = "We measured the heat of forty stoves."


def as_json(body: Any, status: int = 200) -> Reply:
    return Reply(json.dumps(body), status, "application/json")


CROSSREF: dict[str, Any] = {
    "status": "ok",
    "message-type": "work",
    "message": {
        "DOI": DOI,
        "title": ["The Heat of <i>Stoves</i>"],
        "subtitle": ["A Study"],
        "author": [
            {"family": "Müller", "given": "Eva", "sequence": "first"},
            {"name": "The Stove Group", "sequence": "additional"},
        ],
        "issued": {"date-parts": [[2020, 3, 9]]},
        "published-online": {"date-parts": [[2019, 12]]},
        "published-print": {"date-parts": [[None]]},
        "URL": f"https://doi.org/{DOI}",
        "abstract": f"<jats:title>Abstract</jats:title><jats:p>{ABSTRACT}</jats:p>",
    },
}
OPENALEX = {
    "id": "https://openalex.org/W1",
    "doi": f"https://doi.org/{DOI}",
    "title": "The Heat of Stoves",
    "publication_year": 2020,
    "authorships": [{"author": {"display_name": "Eva Müller"}}],
    "abstract_inverted_index": {"We": [0], "heat": [3], "measured": [1], "the": [2, 5], "of": [4]},
    "best_oa_location": None,
    "open_access": {"is_oa": False, "oa_url": None},
}
NOT_THERE = Reply("Resource not found.", 404, "text/plain")
ATOM = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>ArXiv Query</title>{}</feed>"""
ENTRY = f"""<entry><id>http://arxiv.org/abs/{NUMBER}v2</id><updated>2025-02-01T00:00:00Z</updated>
<published>2024-01-02T00:00:00Z</published><title>On the
  Sound of Bells</title><summary>  Bells ring at 440 Hz. </summary>
<author><name>Ada B. Bell</name></author><author><name>Carl Dong</name></author></entry>"""


def atom(entry: str) -> Reply:
    return Reply(ATOM.format(entry), 200, "application/atom+xml")


def handle(code: int) -> Reply:
    return as_json({"responseCode": code, "handle": DOI}, 200 if code == 1 else 404)


@pytest.fixture
def site() -> Iterator[Site]:
    served = {
        f"/works/{DOI}": as_json(CROSSREF),
        f"/works/doi:{DOI}": as_json(OPENALEX),
        f"/api/handles/{DOI}": handle(1),
        "/api/query": atom(ENTRY),
    }
    with Site(served).running() as running:
        yield running


class Pages:
    """A fetcher that has some pages, and no other."""

    def __init__(self, *pages: WebPage) -> None:
        self._pages = {page.url: page for page in pages}
        self.asked: list[str] = []

    async def afetch(self, url: str) -> WebPage:
        self.asked.append(url)
        return self._pages.get(url) or WebPage(url=url, outcome="blocked", reason="not for us")


def read(url: str, text: str, content_type: str = "text/html") -> WebPage:
    source = Source(url, text, "A page", url)
    return WebPage(
        url=url, outcome="fetched", final_url=url, content_type=content_type, source=source
    )


def dead(url: str) -> WebPage:
    return WebPage(url=url, outcome="dead", reason="there is no such page", status=404)


def registries(site: Site, **others: Any) -> Registries:
    settings: dict[str, Any] = {"seconds": 5.0, "arxiv_spacing": 0.0, **others}
    return Registries(
        crossref_url=site.url,
        openalex_url=site.url,
        arxiv_url=site.url,
        doi_url=site.url,
        **settings,
    )


def look_up(reference: str, site: Site, *pages: WebPage, **others: Any) -> Resolved:
    return resolve(reference, fetcher=Pages(*pages), registries=registries(site, **others))


class TestDoi:
    def test_that_exists(self, site: Site) -> None:
        found = look_up(f"https://doi.org/{DOI}", site)
        assert (found.kind, found.identifier, found.outcome) == ("doi", DOI, "exists")
        assert found.work is not None
        assert found.work.title == "The Heat of Stoves: A Study"
        assert [*map(str, found.work.authors)] == ["Eva Müller", "The Stove Group"]
        assert (found.work.years, found.work.registry) == ((2020, 2019), "Crossref")
        assert found.work.abstract == ABSTRACT

    def test_whose_abstract_is_all_that_can_be_had(self, site: Site) -> None:
        found = look_up(DOI, site)
        assert found.source is not None
        assert found.source.text == f"The Heat of Stoves: A Study\n\n{ABSTRACT}"
        assert (found.source.id, found.extent) == (f"https://doi.org/{DOI}", "part")

    def test_with_a_free_file(self, site: Site) -> None:
        location = {"pdf_url": "https://free.org/a.pdf", "landing_page_url": "https://free.org/a"}
        site.replies[f"/works/doi:{DOI}"] = as_json({**OPENALEX, "best_oa_location": location})
        pdf = read("https://free.org/a.pdf", "All of it.", "application/pdf")
        found = look_up(DOI, site, pdf)
        assert found.source is not None
        assert (found.source.text, found.extent) == ("All of it.", "whole")
        assert (found.source.id, found.source.url) == (
            f"https://doi.org/{DOI}",
            "https://free.org/a.pdf",
        )
        page = look_up(DOI, site, read("https://free.org/a", "A page about it."))
        assert page.source is not None
        assert (page.source.text, page.extent) == ("A page about it.", "part")

    def test_without_an_abstract_has_its_page(self, site: Site) -> None:
        message = {k: v for k, v in CROSSREF["message"].items() if k != "abstract"}  # type: ignore[union-attr]
        site.replies[f"/works/{DOI}"] = as_json({"message": message})
        site.replies[f"/works/doi:{DOI}"] = NOT_THERE
        found = look_up(DOI, site, read(f"https://doi.org/{DOI}", "The page of the journal."))
        assert found.source is not None
        assert (found.source.text, found.extent) == ("The page of the journal.", "part")
        none = look_up(DOI, site)
        assert (none.outcome, none.source, none.extent) == ("exists", None, None)

    @each_row(
        ("changed", "of_openalex", "retracted"),
        [
            ({}, {}, ""),
            (
                {"updated-by": [{"type": "correction", "DOI": "10.1/fix"}]},
                {"is_retracted": False},
                "",
            ),
            (
                {"updated-by": [{"type": "correction"}, {"type": "retraction", "DOI": "10.1/n"}]},
                {"is_retracted": True},
                "Crossref lists the notice https://doi.org/10.1/n",
            ),
            ({"title": ["RETRACTED: The Heat of Stoves"]}, {}, "Crossref has it in its title"),
            ({"title": ["Retracted papers on stoves"]}, {}, ""),
            ({"updated-by": "what?"}, {"is_retracted": True}, "OpenAlex lists it as retracted"),
        ],
    )
    def test_that_was_retracted(
        self, site: Site, changed: Any, of_openalex: Any, retracted: str
    ) -> None:
        message = {**CROSSREF["message"], **changed}
        site.replies[f"/works/{DOI}"] = as_json({**CROSSREF, "message": message})
        site.replies[f"/works/doi:{DOI}"] = as_json({**OPENALEX, **of_openalex})
        work = look_up(DOI, site).work
        assert work is not None
        assert work.retracted == retracted

    def test_that_nobody_has_registered(self, site: Site) -> None:
        site.replies[f"/works/{DOI}"] = NOT_THERE
        site.replies[f"/api/handles/{DOI}"] = handle(100)
        found = look_up(DOI, site)
        assert found.outcome == "not_found"
        assert found.reason == f"no agency has registered the DOI {DOI}"

    def test_of_another_agency(self, site: Site) -> None:
        site.replies[f"/works/{DOI}"] = NOT_THERE
        found = look_up(DOI, site)
        assert found.outcome == "exists"
        assert found.work is not None
        assert (found.work.registry, found.work.title) == ("OpenAlex", "The Heat of Stoves")
        assert found.work.abstract == "We measured the heat of the"

    def test_that_crossref_does_not_know_and_nobody_else_was_asked(self, site: Site) -> None:
        site.replies[f"/works/{DOI}"] = NOT_THERE
        site.replies[f"/api/handles/{DOI}"] = Reply(status=503)
        found = look_up(DOI, site)
        assert (found.outcome, found.reason) == ("unchecked", "doi.org answered 503")

    def test_is_sent_with_an_address(self, site: Site) -> None:
        look_up("doi:10.1000/Heat.1", site, mailto="me@example.org")
        assert f"/works/{DOI}?mailto=me%40example.org" in site.asked

    def test_with_odd_characters_is_quoted(self, site: Site) -> None:
        odd = "10.1002/(sici)1<1::a>3.0.co;2-2"
        site.replies[f"/works/{odd}"] = as_json(
            {"message": {**CROSSREF["message"], "DOI": odd}}  # type: ignore[dict-item]
        )
        assert look_up(odd, site).outcome == "exists"
        assert f"/works/{quote(odd, safe='/')}" in site.asked

    def test_follows_a_redirect_to_the_main_doi(self, site: Site) -> None:
        site.replies["/works/10.1000/old"] = Reply(
            status=301, headers={"Location": f"/works/{DOI}"}
        )
        assert look_up("10.1000/old", site).outcome == "exists"


FAULTS = {
    "rate": Reply("slow down", 429),
    "fault": Reply("oops", 500),
    "away": Reply("", 503),
    "forbidden": Reply("", 403),
    "elsewhere": Reply("", 302, headers={"Location": "https://elsewhere.example/"}),
    "no JSON": Reply("<html>Please log in</html>"),
    "broken JSON": Reply('{"message": {"DOI"', content_type="application/json"),
    "a list": as_json([]),
    "another form": as_json({"message": "ok"}),
    "deep JSON": Reply("[" * 100_000, content_type="application/json"),
    "404 of something else": Reply("<h1>nginx</h1>", 404),
    "no answer": Reply(hangs=True),
    "10 MB and more": Reply(b" " * 10_000_001),
}


class TestFaults:
    @each_row("fault", FAULTS.values(), FAULTS.keys())
    def test_of_all_registries_leave_it_unchecked(self, site: Site, fault: Reply) -> None:
        for path in site.replies:
            site.replies[path] = fault
        for reference in (DOI, f"arXiv:{NUMBER}"):
            found = look_up(reference, site, seconds=0.4)
            assert found.outcome == "unchecked"
            assert found.reason

    @each_row("name", ["fault", "broken JSON", "no answer"])
    def test_of_crossref_alone_do_not_hide_that_it_exists(self, site: Site, name: str) -> None:
        site.replies[f"/works/{DOI}"] = FAULTS[name]
        assert look_up(DOI, site, seconds=0.4).outcome == "exists"

    def test_of_a_server_that_is_not_there(self) -> None:
        closed = Site({})
        with closed.running():
            pass
        found = look_up(DOI, closed)
        assert (found.outcome, found.reason.split(":")[0]) == (
            "unchecked",
            "Crossref could not be asked",
        )

    def test_of_the_fetcher(self, site: Site) -> None:
        class Broken:
            async def afetch(self, url: str) -> WebPage:
                raise KeyError("page")

        found = resolve("https://a.org/x", fetcher=Broken(), registries=registries(site))
        assert (found.outcome, found.reason) == ("unchecked", "the fetcher raised KeyError: 'page'")

    def test_of_the_setup_are_raised(self, site: Site) -> None:
        class Misconfigured:
            async def afetch(self, url: str) -> WebPage:
                raise CiteguardError("no key")

        with pytest.raises(CiteguardError, match="no key"):
            resolve("https://a.org/x", fetcher=Misconfigured(), registries=registries(site))

    def test_of_the_caller_are_raised(self) -> None:
        with pytest.raises(CiteguardError, match="expected a str, got int"):
            resolve(3)  # type: ignore[arg-type]


class TestArxiv:
    def test_that_exists(self, site: Site) -> None:
        found = look_up(f"arXiv:{NUMBER}", site)
        assert (found.outcome, found.url) == ("exists", f"https://arxiv.org/abs/{NUMBER}")
        assert found.work is not None
        assert found.work.title == "On the Sound of Bells"
        assert [each.family for each in found.work.authors] == ["Bell", "Dong"]
        assert found.work.years == (2024, 2025)
        assert found.source is not None
        assert found.source.text == "On the Sound of Bells\n\nBells ring at 440 Hz."
        assert found.extent == "part"

    @each_row(
        "withdrawn",
        [
            "<summary>This paper has been withdrawn by the author.</summary>",
            "<summary>Bells.</summary><arxiv:comment xmlns:arxiv='http://arxiv.org/schemas/atom'>"
            "This submission was withdrawn, see v1</arxiv:comment>",
        ],
    )
    def test_that_was_withdrawn(self, site: Site, withdrawn: str) -> None:
        site.replies["/api/query"] = atom(re.sub("<summary>.*</summary>", withdrawn, ENTRY))
        work = look_up(NUMBER, site).work
        assert work is not None
        assert work.retracted == "arXiv has its notice of withdrawal"

    def test_with_its_file(self, site: Site) -> None:
        url = f"{site.url}/pdf/{NUMBER}"
        found = look_up(f"arXiv:{NUMBER}", site, read(url, "All of it.", "application/pdf"))
        assert found.source is not None
        assert (found.source.text, found.extent) == ("All of it.", "whole")

    def test_that_only_its_page_denies(self, site: Site) -> None:
        # The interface omits some works; so an empty answer says nothing.
        site.replies["/api/query"] = atom("")
        page = f"{site.url}/abs/{NUMBER}"
        assert look_up(f"arXiv:{NUMBER}", site, dead(page)).outcome == "not_found"
        assert look_up(f"arXiv:{NUMBER}", site, read(page, "Bells.")).outcome == "exists"
        unread = look_up(f"arXiv:{NUMBER}", site)
        assert (unread.outcome, unread.reason) == (
            "unchecked",
            f"arXiv's interface has no record of {NUMBER}; its page: not for us",
        )

    def test_that_is_answered_with_an_explanation(self, site: Site) -> None:
        error = "<entry><id>http://arxiv.org/api/errors#x</id><title>Error</title></entry>"
        site.replies["/api/query"] = atom(error)
        assert look_up(f"arXiv:{NUMBER}", site).outcome == "unchecked"


class TestAddress:
    def test_of_a_page(self, site: Site) -> None:
        found = look_up("See https://a.org/x.", site, read("https://a.org/x", "Words."))
        assert (found.kind, found.outcome, found.extent) == ("url", "exists", "whole")
        assert found.source is not None
        assert found.source.text == "Words."

    def test_of_no_page(self, site: Site) -> None:
        found = look_up("https://a.org/x", site, dead("https://a.org/x"))
        assert (found.outcome, found.reason) == ("not_found", "there is no such page")

    @each_row(
        "outcome",
        ["blocked", "paywalled", "too_large", "unsupported_type", "unreachable", "refused"],
    )
    def test_of_a_page_that_cannot_be_read(self, site: Site, outcome: Any) -> None:
        page = WebPage(url="https://a.org/x", outcome=outcome, reason="why")
        found = look_up("https://a.org/x", site, page)
        assert (found.outcome, found.reason) == ("unchecked", "why")

    def test_without_a_fetcher(self) -> None:
        found = resolve("https://a.org/x")
        assert (found.outcome, found.reason) == ("unchecked", "no fetcher was given")


class TestReference:
    def test_without_any(self) -> None:
        found = resolve("Smith, J. (2020). On heat.")
        assert (found.kind, found.outcome) == (None, "unchecked")
        assert found.reason == "the reference has no DOI, no arXiv number and no address"

    def test_with_several_is_looked_up_by_its_doi(self, site: Site) -> None:
        reference = f"Müller. The Heat of Stoves. https://a.org/x, arXiv:{NUMBER}, doi:{DOI}"
        assert look_up(reference, site).kind == "doi"


REDIRECTS = [
    ("https://a.org/b/c", "https://a.org/", "the home page https://a.org/"),
    ("https://a.org/b/c", "https://a.org/en/", "the home page https://a.org/en/"),
    ("https://a.org/b/c", "https://a.org/login?next=/b/c", "https://a.org/login?next=/b/c"),
    ("https://a.org/b/c", "https://a.org/404.html", "https://a.org/404.html"),
    ("https://acme.org/report", "https://casino.com/win", "another site, https://casino.com/win"),
    ("http://a.org/b/c", "https://www.a.org/b/c/", ""),
    ("https://a.org/b", "https://a.org/en/b", ""),
    ("https://a.org/b/", "https://a.org/b/index.html", ""),
    ("https://a.org/2019/acme-report", "https://a.org/news/acme-report-2019", ""),
    ("https://bbc.co.uk/news/1", "https://www.bbc.com/articles/abc", ""),
    ("https://acme.org/annual-report", "https://umbrella.com/acme/annual-report", ""),
    ("https://bit.ly/3xY", "https://casino.com/", ""),
    ("https://a.org/login", "https://a.org/signin", ""),
    ("https://a.org/", "https://a.org/welcome", ""),
    ("https://a.org", "https://a.org/", ""),
    ("https://a.org/?utm_source=x", "https://a.org/", ""),
    ("https://a.org/b", "", ""),
]


class TestLeadsElsewhere:
    @each_row(("asked", "final", "where"), REDIRECTS)
    def test_of_a_redirect(self, asked: str, final: str, where: str) -> None:
        page = WebPage(url=asked, outcome="fetched", final_url=final)
        assert leads_elsewhere(page) == where


class TestSnapshot:
    def found(self, site: Site, reply: Reply) -> str | None:
        site.replies["/wayback/available"] = reply
        return run_sync(asnapshot("https://a.org/x?y=1", base_url=site.url, seconds=0.4))

    def test_of_a_page_that_was_kept(self, site: Site) -> None:
        closest = {"available": True, "url": "http://w.org/1", "status": "200", "timestamp": "1"}
        reply = as_json({"url": "a.org/x", "archived_snapshots": {"closest": closest}})
        assert self.found(site, reply) == "http://w.org/1"
        assert site.asked == ["/wayback/available?url=https%3A%2F%2Fa.org%2Fx%3Fy%3D1"]
        error = as_json({"archived_snapshots": {"closest": {**closest, "status": "404"}}})
        assert self.found(site, error) is None

    def test_of_a_page_that_was_not(self, site: Site) -> None:
        assert self.found(site, as_json({"url": "a.org/x", "archived_snapshots": {}})) is None

    @each_row("fault", FAULTS.values(), FAULTS.keys())
    def test_of_a_fault(self, site: Site, fault: Reply) -> None:
        with pytest.raises(LookupFailedError, match="Wayback"):
            self.found(site, fault)
