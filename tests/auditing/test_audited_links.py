"""Audits that read the links and references of a text, over a site on the loopback interface."""

import io
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from auditing.forty_links import OTHERS, ROWS, path_of, pdf
from citeguard import Report, Sources, audit
from citeguard.auditing import LinkChecker
from citeguard.errors import CiteguardError, InvalidSourcesError
from citeguard.sources.collection import Source
from citeguard.web import Fetcher, Registries, WebPage
from linked_site import Reply, Site, page
from rows import each_row

ACME = "Acme was founded in 1984 in Ohio. It employs about 2,500 people."
BETA = "Beta Labs makes batteries for submarines. Its first battery was sold in 1999."
WORK = {
    "DOI": "10.1000/acme",
    "title": ["The Early Years of Acme"],
    "author": [{"family": "Lindqvist", "given": "Marta"}],
    "issued": {"date-parts": [[2011]]},
    "URL": "https://doi.org/10.1000/acme",
    "abstract": f"<jats:p>{ACME}</jats:p>",
}


def as_json(body: Any, status: int = 200) -> Reply:
    return Reply(json.dumps(body), status, "application/json")


@pytest.fixture
def site() -> Iterator[Site]:
    served = {
        "/": page("Welcome", "Welcome to our site about everything."),
        "/acme": page("Acme", ACME),
        "/beta": page("Beta Labs", BETA),
        "/report.pdf": pdf("Acme was founded in 1984 in Ohio."),
        "/secret": Reply("no", 403),
        "/old/deep": Reply(status=301, headers={"Location": "/"}),
        "/works/10.1000/acme": as_json({"message": WORK}),
        "/works/doi:10.1000/acme": Reply("none", 404),
        "/works/10.1000/none": Reply("Resource not found.", 404, "text/plain"),
        "/api/handles/10.1000/none": as_json({"responseCode": 100}, 404),
    }
    with Site(served).running() as running:
        yield running


def checker(site: Site, **settings: Any) -> LinkChecker:
    registries = Registries(
        crossref_url=site.url,
        openalex_url=site.url,
        arxiv_url=site.url,
        doi_url=site.url,
        arxiv_spacing=0.0,
        seconds=5.0,
    )
    fetcher = Fetcher(allow=[site.host], timeout=5)
    return LinkChecker(fetcher=fetcher, registries=registries, **settings)


def audited(text: str, site: Site, sources: Any = None, **settings: Any) -> Report:
    """Audit a text in which `{u}` is the address of the site."""
    return audit(text.replace("{u}", site.url), sources, links=checker(site, **settings))


def problems(report: Report) -> list[tuple[str, str]]:
    """Return the problems with the words that they are at."""
    return [(each.problem, report.text[each.start : each.end]) for each in report.findings]


class Pages:
    """A fetcher for which every page has the same outcome."""

    def __init__(self, outcome: Any) -> None:
        self._outcome = outcome

    async def afetch(self, url: str) -> WebPage:
        return WebPage(url=url, outcome=self._outcome, reason="why")


WRITTEN = [
    "Acme was founded in 1984 ({u}/acme).",
    "Acme was founded in 1984 <{u}/acme>.",
    "Acme was founded in 1984 [source]({u}/acme).",
    "Acme was founded in 1984 [[source]({u}/acme)].",
    "Acme was founded in 1984 [1]({u}/acme).",
    "Acme was [founded in 1984]({u}/acme).",
    'Acme was [founded in 1984]({u}/acme "A page").',
    'Acme was <a href="{u}/acme">founded in 1984</a>.',
    "Acme was founded in 1984 (<a class='x' href='{u}/acme'>here</a>).",
    "Acme was founded in 1984 [source][a].\n\n[a]: {u}/acme",
    "Acme was founded in 1984 [1].\n\n## References\n\n[1] Acme. {u}/acme",
    "Acme was founded in 1984 [1].\n\nReferences\n\n1. Acme: About us. Retrieved from {u}/acme.",
    "Acme was founded in 1984 (Lindqvist, 2011).\n\n## References\n\n"
    "Lindqvist, M. (2011). The early years. {u}/acme",
    "Acme was founded in 1984 [lindqvist2011].\n\n## References\n\n"
    "[lindqvist2011] Lindqvist, M. The early years. <{u}/acme>",
    "Acme was founded in 1984 [1].\n\nSources: [1] Acme, {u}/acme; [2] Beta, {u}/beta",
    r"Acme was founded in 1984 \cite{acme}." + "\n\n## References\n\n[acme] Acme. {u}/acme",
]


class TestRetractions:
    def test_are_found_by_the_registry(self, site: Site) -> None:
        notices = [{"type": "retraction", "DOI": "10.1000/notice"}]
        site.replies["/works/10.1000/acme"] = as_json({"message": {**WORK, "updated-by": notices}})
        text = "Acme was founded in 1984 [1].\n\n## References\n\n[1] doi:10.1000/acme"
        report = audited(text, site)
        (found,) = report.findings
        assert (found.problem, found.claims) == ("retracted", (1,))
        assert report.claims[0].verdict == "supported"
        assert found.message == (
            "“https://doi.org/10.1000/acme” was retracted (Crossref lists the notice "
            "https://doi.org/10.1000/notice): cite another work, or say that it was retracted."
        )

    @each_row("text", ["Acme was founded in 1984 [1].", "Acme was founded in 1984."])
    def test_are_found_by_the_title_of_a_source(self, text: str) -> None:
        source = Source("paper", ACME, title="RETRACTED ARTICLE: The Early Years of Acme")
        (found,) = audit(text, Sources([source])).findings
        assert (found.problem, found.cited) == ("retracted", "paper")


class TestLinks:
    @each_row("text", WRITTEN)
    def test_are_cited_by_the_claims_beside_them(self, site: Site, text: str) -> None:
        report = audited(text, site)
        claim = next(claim for claim in report.claims if "1984" in claim.text)
        assert (claim.verdict, claim.cited) == ("supported", (f"{site.url}/acme",))
        assert not {*"[]<>"} & {*claim.text}
        assert not [each for each in report.findings if "beta" not in each.cited]

    @each_row(
        "pointer",
        [
            "See {u}/beta.",
            "Source: {u}/beta",
            "Read more at {u}/beta.",
            "- {u}/beta",
        ],
    )
    def test_alone_are_no_claims(self, site: Site, pointer: str) -> None:
        report = audited(f"Acme was founded in 1984 ({{u}}/acme).\n\n{pointer}", site)
        assert [claim.verdict for claim in report.claims[1:]] in ([], [None])
        assert report.findings == ()

    def test_are_each_read_once(self, site: Site) -> None:
        text = "Acme was founded in 1984 ({u}/acme). It employs 2,500 people ({u}/acme#staff) [1]."
        audited(f"{text}\n\n[1]: {{u}}/acme", site)
        assert site.asked == ["/acme"]

    def test_become_sources_with_an_address(self, site: Site) -> None:
        report = audited("Acme was founded in 1984 ({u}/acme).", site)
        [source] = report.sources
        assert (source.id, source.url, source.title) == (
            f"{site.url}/acme",
            f"{site.url}/acme",
            "Acme",
        )
        assert ACME in source.text
        [link] = report.links
        assert (link.outcome, link.status, link.source_id) == ("read", 200, source.id)
        assert len(link.sha256) == 64
        assert [report.text[start:end] for start, end in link.places] == [f"{site.url}/acme"]

    def test_in_code_pictures_and_other_tags_are_not_read(self, site: Site) -> None:
        text = (
            "Acme was founded in 1984 ({u}/acme). ![logo]({u}/logo.png) `{u}/code`\n\n"
            '<img src="{u}/picture.png"> <link rel="x" href="{u}/style.css">\n\n'
            "```\n{u}/fenced\n```\n"
        )
        report = audited(text, site)
        assert site.asked == ["/acme"]
        assert len(report.links) == 1


class TestFindings:
    @each_row("path", ["/none", "/gone"])
    def test_of_a_dead_page(self, site: Site, path: str) -> None:
        site.replies["/gone"] = Reply("gone", 410)
        report = audited(f"Acme was founded in 1984 ({{u}}{path}).", site)
        assert problems(report) == [("link_dead", f"({site.url}{path})")]
        assert report.claims[0].verdict == "undecided"
        assert "leads nowhere" in report.claims[0].explanation
        assert (report.sources, report.links[0].outcome) == ((), "dead")

    def test_of_a_redirect_to_the_home_page(self, site: Site) -> None:
        report = audited("Gamma makes tea in Wales ({u}/old/deep).", site)
        [finding] = report.findings
        assert finding.problem == "link_redirected"
        assert finding.message == (
            f"“{site.url}/old/deep” leads to the home page {site.url}/. Check that it is the right "
            "page."
        )
        assert report.claims[0].verdict == "undecided"
        assert report.links[0].outcome == "redirected"

    @each_row(
        "outcome",
        ["blocked", "paywalled", "too_large", "unsupported_type", "unreachable", "refused"],
    )
    def test_of_a_page_that_was_not_read(self, outcome: Any) -> None:
        text = "Acme was founded in 1984 (https://a.org/x). “Words that nobody has ever said” [1]."
        report = audit(f"{text}\n\n[1]: https://a.org/y", links=Pages(outcome))
        assert [each.problem for each in report.findings] == ["link_blocked", "link_blocked"]
        assert [claim.verdict for claim in report.claims] == ["undecided", "undecided"]
        assert report.claims[0].explanation == (
            "This could not be decided. “https://a.org/x” could not be read: why."
        )
        assert report.trust is not None
        assert report.trust.value is None

    def test_of_a_page_beside_one_that_was_not_read(self, site: Site) -> None:
        text = "Beta Labs sells cars in Japan ({u}/beta) ({u}/secret)."
        claim = audited(text, site).claims[0]
        # The other page may say it.
        assert (claim.verdict, claim.cited) == ("undecided", (f"{site.url}/beta",))
        said = audited("Beta Labs makes batteries ({u}/beta) ({u}/secret).", site).claims[0]
        assert said.verdict == "supported"
        against = audited("Acme was founded in 1985 ({u}/acme) ({u}/secret).", site).claims[0]
        assert against.verdict == "contradicted"

    def test_of_a_claim_without_a_link(self, site: Site) -> None:
        text = "Beta Labs sells cars in Japan. Acme was founded in 1984 ({u}/acme)."
        assert audited(text, site).claims[0].verdict == "unsupported"
        unread = audited(f"{text} Gamma makes tea ({{u}}/secret).", site).claims[0]
        assert unread.verdict == "undecided"
        # A page that does not exist says nothing.
        dead = audited(f"{text} Gamma makes tea ({{u}}/none).", site).claims[0]
        assert dead.verdict == "unsupported"


class TestReferences:
    LIST = "Acme was founded in 1984 [1].\n\n## References\n\n[1] "

    def test_of_a_work(self, site: Site) -> None:
        entry = "Lindqvist, M. (2011). The early years of Acme. doi:10.1000/acme"
        report = audited(self.LIST + entry, site)
        assert report.findings == ()
        assert report.claims[0].verdict == "supported"
        assert report.claims[0].cited == ("https://doi.org/10.1000/acme",)
        assert (report.links[0].outcome, report.links[0].title) == (
            "read_in_part",
            "The Early Years of Acme",
        )

    def test_of_a_work_whose_abstract_does_not_say_it(self, site: Site) -> None:
        text = "Acme sells cars in Japan [1].\n\n## References\n\n[1] doi:10.1000/acme"
        report = audited(text, site)
        assert (report.claims[0].verdict, report.findings) == ("undecided", ())
        assert "was not read as a whole" in report.claims[0].explanation

    def test_of_a_work_whose_abstract_alone_was_read_is_not_called_wrong(self, site: Site) -> None:
        listed = "\n\n## References\n\n[1] doi:10.1000/acme\n[2] {u}/beta"
        text = "Beta Labs makes batteries for submarines [1]. It sold the first one in 1999 [2]."
        report = audited(text + listed, site)
        assert (report.claims[0].verdict, report.findings) == ("undecided", ())
        both = "Beta Labs makes batteries for submarines [1, 2]."
        assert audited(both + listed, site).findings == ()

    def test_with_a_doi_and_a_page(self, site: Site) -> None:
        # The page is all of it, and the abstract a part.
        entry = "Lindqvist, M. (2011). The early years of Acme. doi:10.1000/acme, {u}/acme"
        report = audited(self.LIST + entry, site)
        assert report.claims[0].cited == (f"{site.url}/acme",)
        assert len(report.links) == 2
        dead = audited(f"{self.LIST}Smith. Nothing. doi:10.1000/none, {{u}}/acme", site)
        assert [(each.problem, each.claims) for each in dead.findings] == [("link_dead", (1,))]
        assert dead.claims[0].verdict == "supported"


class TestSources:
    def test_that_are_given_too(self, site: Site) -> None:
        text = "Gamma makes tea in Wales [gamma]. Acme was founded in 1984 ({u}/acme) [1]."
        report = audited(text, site, {"gamma": "Gamma makes tea in Wales."})
        assert [claim.verdict for claim in report.claims] == ["supported", "supported"]
        assert [source.id for source in report.sources] == ["gamma", f"{site.url}/acme"]
        # A number counts the given sources alone.
        assert report.claims[1].cited == (f"{site.url}/acme", "gamma")

    def test_for_an_address_replace_its_page(self, site: Site) -> None:
        given = Source("own", "Acme was founded in 1884.", url=f"{site.url}/acme")
        report = audited("Acme was founded in 1884 ({u}/acme).", site, [given])
        assert (report.claims[0].verdict, report.claims[0].cited) == ("supported", ("own",))
        assert [source.id for source in report.sources] == ["own"]

    def test_are_needed_without_links(self, site: Site) -> None:
        nothings: list[Any] = [None, [], {}, ()]
        for nothing in nothings:
            with pytest.raises(InvalidSourcesError, match="the text has no links to read"):
                audited("Acme was founded in 1984.", site, nothing)
        report = audited("It rained.", site, Sources({"a": "It rained."}))
        assert report.claims[0].verdict == "supported"

    @each_row("links", ["https://a.org", 3, Fetcher])
    def test_and_links_that_are_no_fetcher(self, links: Any) -> None:
        with pytest.raises(CiteguardError, match="expected a Fetcher or a LinkChecker"):
            audit("It rained.", ["It rained."], links=links)


class TestWayback:
    def message(self, site: Site, reply: Reply) -> str:
        site.replies["/wayback/available"] = reply
        text = "Acme was founded in 1984 ({u}/none)."
        report = audited(text, site, wayback=True, wayback_url=site.url)
        return report.findings[0].message.partition("page. ")[2]

    def test_has_a_copy(self, site: Site) -> None:
        closest = {"available": True, "url": "http://w.org/1", "status": "200"}
        reply = as_json({"archived_snapshots": {"closest": closest}})
        assert self.message(site, reply) == "A copy: http://w.org/1"

    def test_has_none_or_does_not_answer(self, site: Site) -> None:
        none = as_json({"archived_snapshots": {}})
        assert self.message(site, none) == "The Wayback Machine has no copy."
        assert self.message(site, Reply("", 503)) == "The Wayback Machine answered 503."


EVERYTHING = """# Report

Acme was founded in [1985]({u}/acme). It employs about 2,500 people ({u}/acme).
Beta Labs sells cars in Japan ([source]({u}/beta)). Gamma makes tea in Wales <{u}/secret>.
Delta grew by 40% in 2019 [1]. Epsilon has 20 employees <a href="{u}/old/deep">here</a>.
Acme is from Ohio [2].

## References

[1] Delta report. {u}/none
[2] Smith, J. (2014). A short history of the bicycle in Wales. doi:10.1000/acme
"""


class TestOutputs:
    @pytest.fixture
    def report(self, site: Site) -> Report:
        return audited(EVERYTHING, site)

    def test_all_show_every_finding(self, report: Report) -> None:
        kinds = {each.problem for each in report.findings}
        assert kinds == {
            "link_dead",
            "link_blocked",
            "link_redirected",
            "not_on_page",
            "page_contradicts",
        }
        results = json.loads(report.to_sarif())["runs"][0]["results"]
        assert kinds <= {each["ruleId"] for each in results}
        tests = ElementTree.fromstring(report.to_junit()).iter("testcase")
        names = [test.attrib["name"] for test in tests]
        console = Console(file=io.StringIO(), width=300)
        console.print(report)
        printed = console.file.getvalue()  # type: ignore[attr-defined]
        labels = (
            "Dead link",
            "Link not read",
            "Link leads elsewhere",
            "Not on the page",
            "Page says otherwise",
        )
        for label in labels:
            assert any(name.startswith(label) for name in names)
            assert label in report.to_markdown()
            assert label in report.to_html()
            assert label in printed


# How many findings are right on a text with 40 links over a site with pages of all kinds.

RIGHT = 37
"""Links of 40 whose findings are right: 36 when the audit was first run on the text.

The three others are claims that the embedded verifier decides wrongly, or not at all.
"""


def findings_of(report: Report, url: str) -> list[str]:
    """Return the problems of the link with an address; each address is in the text once."""
    return [each.problem for each in report.findings if each.cited == url]


class TestFortyLinks:
    def test_findings(self) -> None:
        replies = {path_of(number): row.reply for number, row in enumerate(ROWS)}
        with Site({**OTHERS, **replies}).running() as site:
            urls = [f"{site.url}{path_of(number)}" for number in range(len(ROWS))]
            said = [row.sentence.format(url) for row, url in zip(ROWS, urls, strict=True)]
            fetcher = Fetcher(allow=[site.host], timeout=5)
            report = audit("\n\n".join(said), links=fetcher)
            asked = Counter(site.pages_asked())
        right = Counter(
            row.problem
            for row, url in zip(ROWS, urls, strict=True)
            if findings_of(report, url) == ([row.problem] if row.problem else [])
        )
        assert right.total() >= RIGHT
        # What does not depend on a judge.
        assert (right["link_dead"], right["link_blocked"], right["link_redirected"]) == (4, 5, 3)
        assert {asked[path_of(number)] for number in range(len(ROWS))} == {1}
        unread = [each.url for each in report.links if each.outcome in ("dead", "unread")]
        numbers = [each.claims for each in report.findings if each.cited in unread]
        assert {report.claims[number - 1].verdict for [number] in numbers} == {"undecided"}
