"""`POST /audit`: free text, against sources as text and in files, in each form of reply."""

from datetime import date
from typing import Any

import httpx
from starlette.requests import Request

from citeguard import audit
from citeguard.reports.report import Report
from citeguard.reports.wording import title_of
from citeguard.server.service import FORMATS, preferred
from rows import each_row
from server.serving import STREAM, code_of, events_of

TEXT = "The shop opens at nine [hours]. Lunch is free for all [canteen]."
SOURCES = {"hours": "The shop opens at ten.", "canteen": "Lunch is free for all."}
REQUEST = {"text": TEXT, "sources": SOURCES}


def sent_ids(client: httpx.Client, *files: tuple[str, bytes], **fields: str) -> list[str]:
    reply = client.post(
        "/audit", data={"text": TEXT, **fields}, files=[("files", file) for file in files]
    )
    return [source["id"] for source in reply.json()["sources"]]


def form(*parts: tuple[str, bytes]) -> dict[str, Any]:
    """Return the arguments of a request for a form, as a browser sends it."""
    head = b'--edge\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
    body = b"".join(head % (name.encode(), value) for name, value in parts)
    headers = {"Content-Type": "multipart/form-data; boundary=edge"}
    return {"content": body + b"--edge--\r\n", "headers": headers}


class TestJson:
    def test_gets_the_report_of_an_audit(self, client: httpx.Client) -> None:
        reply = client.post("/audit", json=REQUEST)
        assert reply.status_code == 200
        assert Report.model_validate(reply.json()) == audit(TEXT, SOURCES)

    def test_may_have_titles_and_urls(self, client: httpx.Client) -> None:
        source = {
            "id": "hours",
            "text": SOURCES["hours"],
            "title": "Hours",
            "url": "http://0.0.0.0",
        }
        reply = client.post("/audit", json={"text": TEXT, "sources": [source]})
        [source] = reply.json()["sources"]
        assert (source["title"], source["url"]) == ("Hours", "http://0.0.0.0")

    def test_no_client_sees_what_another_one_sent(self, client: httpx.Client) -> None:
        client.post("/audit", json={"text": TEXT, "sources": {"secret": "Lunch is in room 17."}})
        reply = client.post("/audit", json=REQUEST)
        assert "secret" not in reply.text
        assert "room 17" not in reply.text


class TestForms:
    def test_take_sources_as_text_and_as_json(self, client: httpx.Client) -> None:
        ids = sent_ids(client, ("a.txt", b"One."), source="Two.", sources='{"b": "Three."}')
        assert ids == ["a", "b", "pasted"]

    def test_distinguish_files_of_one_name(self, client: httpx.Client) -> None:
        ids = sent_ids(client, ("a.txt", b"One."), ("a.txt", b"Two."), ("a (2).txt", b"Three."))
        assert len(set(ids)) == 3

    @each_row(
        "name", ["../../etc/passwd.txt", "/etc/passwd.txt", "C:\\passwd.txt", "file:///passwd.txt"]
    )
    def test_do_not_open_files_by_name(self, client: httpx.Client, name: str) -> None:
        reply = client.post(
            "/audit", data={"text": TEXT}, files=[("files", (name, b"Lunch is free."))]
        )
        [source] = reply.json()["sources"]
        assert (source["id"], source["text"]) == ("passwd", "Lunch is free.")

    def test_may_have_the_text_as_a_file(self, client: httpx.Client) -> None:
        reply = client.post(
            "/audit", data={"source": "Ten."}, files={"text": ("answer.txt", TEXT.encode())}
        )
        assert reply.json()["text"] == TEXT

    def test_count_a_line_end_as_one_character(self, small: httpx.Client) -> None:
        data = {"text": "Ten.\r\n" * 100, "source": "Ten.\r\nSix."}
        reply = small.post("/audit", data=data)
        assert reply.json()["text"] == "Ten.\n" * 100
        assert reply.json()["sources"][0]["text"] == "Ten.\nSix."

    def test_name_an_unreadable_file(self, client: httpx.Client) -> None:
        reply = client.post(
            "/audit", data={"text": TEXT}, files={"files": ("a.pdf", b"%PDF-1.7 nothing")}
        )
        assert code_of(reply) == (422, "unreadable")
        assert reply.json()["error"]["message"].startswith("a.pdf: ")


class TestEvents:
    def test_are_the_claims_and_then_the_report(self, client: httpx.Client) -> None:
        with client.stream("POST", "/audit", json=REQUEST, headers=STREAM) as reply:
            events = list(events_of(reply.iter_lines()))
        assert [name for name, _ in events] == ["sources", "claim", "claim", "progress", "report"]
        assert events[0][1]["sources"][0] == {"id": "hours", "title": None, "characters": 22}
        assert [events[1][1], events[2][1]] == events[-1][1]["claims"]
        assert events[-2][1] == {"done": 2, "total": 2}

    def test_show_the_first_claims_before_the_last_are_judged(self, small: httpx.Client) -> None:
        text = "It is slow. " * 20
        request = {"text": text, "sources": SOURCES}
        with small.stream("POST", "/audit", json=request, headers=STREAM) as reply:
            names = (name for name, _ in events_of(reply.iter_lines()))
            assert next(names) == "sources"
            assert next(names) == "claim"

    def test_end_with_the_page_on_request(self, client: httpx.Client) -> None:
        reply = client.post("/audit?page=true", json=REQUEST, headers=STREAM)
        *_, (name, data) = events_of(reply.text.splitlines())
        assert name == "html"
        title = title_of("Text", ["hours", "canteen"], date.today())
        assert data["html"] == audit(TEXT, SOURCES).to_html(title=title)

    def test_end_with_a_later_error(self, small: httpx.Client) -> None:
        request = {"text": "The shop is misconfigured.", "sources": SOURCES}
        reply = small.post("/audit", json=request, headers=STREAM)
        events = list(events_of(reply.text.splitlines()))
        assert [name for name, _ in events] == ["sources", "error"]
        assert events[-1][1]["error"]["code"] == "internal"


@each_row(
    ("accept", "expected"),
    [
        ([], "json"),
        (["image/png"], "json"),
        (["*/*"], "json"),
        (["application/json;q=0.1, Text/HTML ; q=0.2"], "html"),
        (["application/json;q=0.5", "text/html"], "html"),
        (["text/event-stream, */*;q=0.1"], "events"),
        (["text/*, text/html;q=0"], "events"),
        (["text/html;q=2"], "json"),
        (["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"], "html"),
    ],
    ids=str,
)
def test_accept_chooses_the_format(accept: list[str], expected: str) -> None:
    headers = [(b"accept", each.encode()) for each in accept]
    request = Request({"type": "http", "headers": headers})
    assert FORMATS["audit"][preferred(request, FORMATS["audit"])] == expected


def test_page_may_only_run_its_own_script(client: httpx.Client) -> None:
    reply = client.post("/audit", json=REQUEST, headers={"Accept": "text/html"})
    assert reply.headers["content-security-policy"] == "frame-ancestors 'none'"
    assert "default-src 'none'" in reply.text
