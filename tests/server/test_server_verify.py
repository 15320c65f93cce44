"""`POST /verify`: free text, against sources as text and in files, in each form of reply."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from citeguard import Sources, audit
from citeguard.auditing.report import AuditReport
from server.serving import STREAM, code_of, events_of

TEXT = "The shop opens at nine [hours]. Lunch is free for all [canteen]."
SOURCES = {"hours": "The shop opens at ten.", "canteen": "Lunch is free for all."}
REQUEST = {"text": TEXT, "sources": SOURCES}


def sent_ids(client: httpx.Client, *files: tuple[str, bytes], **fields: str) -> list[str]:
    reply = client.post(
        "/verify", data={"text": TEXT, **fields}, files=[("files", file) for file in files]
    )
    return [source["id"] for source in reply.json()["sources"]]


def form(*parts: tuple[str, bytes]) -> dict[str, Any]:
    """Return the arguments of a request for a form, as a browser sends it."""
    head = b'--edge\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
    body = b"".join(head % (name.encode(), value) for name, value in parts)
    headers = {"Content-Type": "multipart/form-data; boundary=edge"}
    return {"content": body + b"--edge--\r\n", "headers": headers}


class TestJson:
    def test_is_replied_to_with_the_report_of_an_audit(self, client: httpx.Client) -> None:
        reply = client.post("/verify", json=REQUEST)
        assert reply.status_code == 200
        assert AuditReport.model_validate(reply.json()) == audit(TEXT, SOURCES)

    def test_takes_sources_with_titles_and_links(self, client: httpx.Client) -> None:
        source = {
            "id": "hours",
            "text": SOURCES["hours"],
            "title": "Hours",
            "url": "http://0.0.0.0",
        }
        reply = client.post("/verify", json={"text": TEXT, "sources": [source]})
        [told] = reply.json()["sources"]
        assert (told["title"], told["url"]) == ("Hours", "http://0.0.0.0")

    def test_may_have_any_characters(self, client: httpx.Client) -> None:
        text = "L'été à Zürich 🍉 \u202e\x00."
        reply = client.post("/verify", json={"text": text, "sources": {"é": "L'été \u2028 🍉"}})
        assert reply.json()["text"] == text

    def test_no_client_sees_what_another_one_sent(self, client: httpx.Client) -> None:
        client.post("/verify", json={"text": TEXT, "sources": {"secret": "Lunch is in room 17."}})
        reply = client.post("/verify", json=REQUEST)
        assert "secret" not in reply.text
        assert "room 17" not in reply.text


class TestForms:
    def test_have_files_as_sources(self, client: httpx.Client) -> None:
        files = [("canteen.md", b"# Lunch\n\nLunch is free."), ("hours.txt", b"Ten to six.")]
        assert sent_ids(client, *files) == ["canteen", "hours"]

    def test_have_files_of_json(self, client: httpx.Client) -> None:
        assert sent_ids(client, ("all.json", b'{"a": "One.", "b": "Two."}')) == ["a", "b"]

    def test_have_sources_as_text_and_as_json(self, client: httpx.Client) -> None:
        ids = sent_ids(client, ("a.txt", b"One."), source="Two.", sources='{"b": "Three."}')
        assert ids == ["a", "b", "pasted"]

    def test_number_the_sources_that_are_pasted(self, client: httpx.Client) -> None:
        data = {"text": TEXT, "source": ["One.", " ", "Two."]}
        reply = client.post("/verify", data=data)
        assert [each["id"] for each in reply.json()["sources"]] == ["pasted 1", "pasted 2"]

    def test_tell_files_of_one_name_apart(self, client: httpx.Client) -> None:
        ids = sent_ids(client, ("a.txt", b"One."), ("a.txt", b"Two."), ("a (2).txt", b"Three."))
        assert len(set(ids)) == 3

    @pytest.mark.parametrize(
        "name", ["../../etc/passwd.txt", "/etc/passwd.txt", "C:\\passwd.txt", "file:///passwd.txt"]
    )
    def test_open_nothing_by_the_name_of_a_file(self, client: httpx.Client, name: str) -> None:
        reply = client.post(
            "/verify", data={"text": TEXT}, files=[("files", (name, b"Lunch is free."))]
        )
        [source] = reply.json()["sources"]
        assert (source["id"], source["text"]) == ("passwd", "Lunch is free.")

    def test_may_have_the_text_as_a_file(self, client: httpx.Client) -> None:
        reply = client.post(
            "/verify", data={"source": "Ten."}, files={"text": ("answer.txt", TEXT.encode())}
        )
        assert reply.json()["text"] == TEXT

    def test_have_lines_that_end_as_they_are_counted(self, small: httpx.Client) -> None:
        data = {"text": "Ten.\r\n" * 100, "source": "Ten.\r\nSix."}
        reply = small.post("/verify", data=data)
        assert reply.json()["text"] == "Ten.\n" * 100
        assert reply.json()["sources"][0]["text"] == "Ten.\nSix."

    def test_may_have_a_file_that_was_not_chosen(self, client: httpx.Client) -> None:
        parts = [("text", b"Ten."), ("source", b"Ten."), ('files"; filename="', b"")]
        ids = [each["id"] for each in client.post("/verify", **form(*parts)).json()["sources"]]
        assert ids == ["pasted"]

    def test_name_the_file_that_cannot_be_read(self, client: httpx.Client) -> None:
        reply = client.post(
            "/verify", data={"text": TEXT}, files={"files": ("a.pdf", b"%PDF-1.7 nothing")}
        )
        assert code_of(reply) == (422, "unreadable")
        assert reply.json()["error"]["message"].startswith("a.pdf: ")


class TestEvents:
    def test_tell_each_claim_and_then_the_report(self, client: httpx.Client) -> None:
        with client.stream("POST", "/verify", json=REQUEST, headers=STREAM) as reply:
            told = list(events_of(reply.iter_lines()))
        assert [name for name, _ in told] == ["sources", "claim", "claim", "progress", "report"]
        assert told[0][1]["sources"][0] == {"id": "hours", "title": None, "characters": 22}
        assert [told[1][1], told[2][1]] == told[-1][1]["claims"]
        assert told[-2][1] == {"done": 2, "total": 2}

    def test_tell_the_first_claims_before_the_last_are_judged(self, small: httpx.Client) -> None:
        text = "It is slow. " * 20
        request = {"text": text, "sources": SOURCES}
        with small.stream("POST", "/verify", json=request, headers=STREAM) as reply:
            names = (name for name, _ in events_of(reply.iter_lines()))
            assert next(names) == "sources"
            assert next(names) == "claim"

    def test_end_with_the_page_if_it_is_asked_for(self, client: httpx.Client) -> None:
        reply = client.post("/verify?page=true", json=REQUEST, headers=STREAM)
        *_, (name, data) = events_of(reply.text.splitlines())
        assert name == "page"
        assert data["html"] == audit(TEXT, SOURCES).to_html()

    def test_that_cannot_begin_are_refused_by_status(self, client: httpx.Client) -> None:
        reply = client.post("/verify", json={"text": TEXT, "sources": {}}, headers=STREAM)
        assert code_of(reply) == (422, "invalid")

    def test_end_with_an_error_if_it_happens_later(self, small: httpx.Client) -> None:
        request = {"text": "The shop will crash.", "sources": SOURCES}
        reply = small.post("/verify", json=request, headers=STREAM)
        told = list(events_of(reply.text.splitlines()))
        assert [name for name, _ in told] == ["sources", "error"]
        assert told[-1][1]["error"]["code"] == "too_much_memory"


class TestAccept:
    @pytest.mark.parametrize(
        ("accept", "media_type"),
        [
            ([], "application/json"),
            (["*/*"], "application/json"),
            (["image/png"], "application/json"),
            (["text/html;q=0"], "application/json"),
            (["application/json, text/html;q=0.1"], "application/json"),
            (["application/json;q=0.1, Text/HTML ; q=0.2"], "text/html"),
            (["application/json", "text/html"], "application/json"),
            (["application/json;q=0.5", "text/html"], "text/html"),
            (["application/json, text/event-stream"], "application/json"),
            (["text/event-stream;q=0, */*;q=0.1"], "application/json"),
            (["text/event-stream, */*;q=0.1"], "text/event-stream"),
            (["text/*"], "text/html"),
            (["text/*, text/html;q=0"], "text/event-stream"),
            (["text/html;q=2"], "application/json"),
            ([",;,"], "application/json"),
            (["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"], "text/html"),
        ],
        ids=str,
    )
    def test_is_weighed(self, client: httpx.Client, accept: list[str], media_type: str) -> None:
        request = client.build_request("POST", "/verify", json=REQUEST)
        del request.headers["accept"]
        request.headers = httpx.Headers(
            [*request.headers.multi_items(), *(("accept", each) for each in accept)]
        )
        reply = client.send(request)
        assert reply.headers["content-type"].partition(";")[0] == media_type


class TestPage:
    def test_is_the_report(self, client: httpx.Client) -> None:
        reply = client.post(
            "/verify", data={"text": TEXT, "source": "Ten."}, headers={"Accept": "text/html"}
        )
        assert reply.headers["content-type"] == "text/html; charset=utf-8"
        assert reply.text == audit(TEXT, Sources({"pasted": "Ten."})).to_html()

    def test_may_run_its_own_script_only(self, client: httpx.Client) -> None:
        reply = client.post("/verify", json=REQUEST, headers={"Accept": "text/html"})
        assert reply.headers["content-security-policy"] == "frame-ancestors 'none'"
        assert "default-src 'none'" in reply.text

    def test_says_why_a_form_was_refused(self, client: httpx.Client) -> None:
        reply = client.post(
            "/verify",
            data={"text": "<b>"},
            files={"files": ("<i>.txt", b"\xff")},
            headers={"Accept": "text/html"},
        )
        assert reply.status_code == 422
        assert "&lt;i&gt;.txt: not UTF-8" in reply.text
