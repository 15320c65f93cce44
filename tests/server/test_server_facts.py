"""`/fact-check`: replies, streams, limits, and what becomes of a check whose client leaves."""

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from citeguard.factcheck import FactEvent
from citeguard.reports.report import Report
from citeguard.server import FactChecking, Limits, create_app
from citeguard.server.factchecks import check_facts
from citeguard.web import ListedPages
from rows import each_row
from server.facts import BRIDGE, EVIL, small_web
from server.serving import STREAM, client_of, code_of, events_of, loads_nothing, served, working

TRUE = "The bridge opened in May 1937."
FALSE = "The bridge did not open in May 1937."
LIMITS = Limits(
    workers=1, fact_checks=1, fact_seconds=8, waiting=1, text_characters=200, body_bytes=60_000
)


@pytest.fixture(scope="module")
def facts_address() -> Iterator[str]:
    """Return the URL of a service that checks facts on a small web."""
    with working(documents=True), served(create_app(limits=LIMITS, facts=small_web)) as address:
        yield address


@pytest.fixture(scope="module")
def facts(facts_address: str) -> Iterator[httpx.Client]:
    """Return a client of it."""
    with client_of(facts_address) as client:
        yield client


def check(client: httpx.Client, text: str, **options: Any) -> httpx.Response:
    return client.post("/fact-check", json={"text": text}, **options)


def streamed(client: httpx.Client, text: str, query: str = "") -> list[tuple[str, Any]]:
    with client.stream("POST", f"/fact-check{query}", json={"text": text}, headers=STREAM) as reply:
        assert reply.headers["content-type"].startswith("text/event-stream")
        return list(events_of(reply.iter_lines()))


class TestReply:
    def test_is_the_report(self, facts: httpx.Client) -> None:
        report = Report.model_validate(check(facts, f"{TRUE} {FALSE}").json())
        assert [each.verdict for each in report.claims] == ["supported", "contradicted"]
        assert report.claims[0].evidence[0].source_id == BRIDGE

    def test_as_a_page_is_escaped(self, facts: httpx.Client) -> None:
        reply = check(facts, TRUE, headers={"Accept": "text/html"})
        assert reply.headers["content-type"].startswith("text/html")
        assert EVIL not in reply.text
        assert "opened in May 1937" in reply.text

    def test_an_outage_is_undecided(self, facts: httpx.Client) -> None:
        (checked,) = check(facts, "There was an outage in the bridge.").json()["claims"]
        assert (checked["verdict"], checked["causes"]) == ("undecided", ["search_failed"])


def test_stream_has_every_event_in_order(facts: httpx.Client) -> None:
    names = [name for name, _ in streamed(facts, TRUE)]
    assert list(dict.fromkeys(names)) == [
        *("statement", "queries", "results", "page", "passages", "verdict", "report")
    ]


def test_disconnect_frees_the_worker_for_the_next_client(facts: httpx.Client) -> None:
    body = {"text": "The bridge is endless."}
    with facts.stream("POST", "/fact-check", json=body, headers=STREAM) as reply:
        next(reply.iter_lines())
        start = time.monotonic()
    assert check(facts, TRUE).status_code == 200
    # Less than the limit of a check: it was cancelled, and its process was not replaced.
    assert time.monotonic() - start < LIMITS.fact_seconds


class TestErrors:
    @each_row(
        ("body", "code"),
        [
            ({"text": " "}, (422, "invalid")),
            ({}, (422, "invalid")),
            ({"text": TRUE, "search": "http://127.0.0.1/"}, (422, "invalid")),
            ({"text": TRUE, "allow": ["127.0.0.1:80"]}, (422, "invalid")),
            ({"text": TRUE, "sources": {"a": "b"}}, (422, "invalid")),
            ({"text": "a b " * 100}, (413, "text_too_long")),
        ],
        ids=str,
    )
    def test_of_a_request(
        self, facts: httpx.Client, body: dict[str, Any], code: tuple[int, str]
    ) -> None:
        assert code_of(facts.post("/fact-check", json=body)) == code

    def test_of_a_wrong_set_up_has_no_details(self, facts: httpx.Client) -> None:
        reply = check(facts, "The bridge is misconfigured.")
        assert code_of(reply) == (500, "internal")
        assert "secret" not in reply.text


def test_private_addresses_are_not_opened_for_a_client(facts_address: str) -> None:
    """Neither in the text nor in what is found is an address of this machine opened."""
    own = f"{facts_address}/health"
    listed = ListedPages([own, "http://169.254.169.254/latest"])
    events: list[FactEvent] = []
    report = check_facts(
        f"The status of {own} is ok.",
        FactChecking(search=listed),
        on_event=events.append,
        on_wait=lambda: None,
    )
    assert [page.reason for page in report.links] == [
        "not opened: its address is not public",
        "not opened: its address is that of a metadata service of a cloud",
    ]
    assert report.claims[0].verdict == "undecided"


def test_not_configured_says_what_to_do(client: httpx.Client) -> None:
    reply = check(client, TRUE)
    assert code_of(reply) == (404, "not_configured")
    assert "citeguard serve --search" in reply.json()["error"]["message"]


def test_page_loads_nothing_and_leads_there(facts: httpx.Client) -> None:
    assert loads_nothing(facts.get("/fact-check"))
    assert 'href="fact-check"' in facts.get("/").text
