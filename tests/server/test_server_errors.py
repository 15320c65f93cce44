"""Which requests are rejected, with which status and code; the service goes on after each."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from rows import each_row
from server.hostile_files import HOSTILE, pages_that_are_one
from server.serving import code_of, connected, received

SOURCES = {"hours": "The shop opens at ten."}
REQUEST = {"text": "The shop opens at ten.", "sources": SOURCES}
JSON = {"Content-Type": "application/json"}
TEXT = {"text": "The shop opens at ten."}
MANY = "too_many_sources"


def head(address: str, *lines: str) -> bytes:
    """Return the request line and headers of a request, without the blank line after them."""
    host = httpx.URL(address).netloc.decode()
    return "\r\n".join(["POST /audit HTTP/1.1", f"Host: {host}", *lines, ""]).encode()


def raw_code_of(reply: bytes) -> tuple[int, str]:
    """Return the status and code of an error as it was received."""
    start, _, body = reply.partition(b"\r\n\r\n")
    return int(start.split()[1]), json.loads(body)["error"]["code"]


class TestMalformed:
    def test_two_lengths_are_rejected_and_end_the_connection(self, small_address: str) -> None:
        # Else what a proxy takes for the end of this request would be answered as another one.
        lengths = ["Content-Length: 5", "Transfer-Encoding: chunked"]
        sent = head(small_address, *lengths) + b"\r\n0\r\n\r\n"
        with connected(small_address) as connection:
            connection.sendall(sent + head(small_address, "Content-Length: 0") + b"\r\n")
            assert raw_code_of(received(connection)) == (400, "malformed")

    @each_row(
        "body",
        [
            b"",
            b"{",
            b"\xff\xfe",
            b'{"text": "a", "text": "b", "sources": {"a": "b"}}',
            b"[" * 100_000,
            b'{"text": ' + b"9" * 5_000 + b"}",
        ],
        ids=lambda body: body[:20],
    )
    def test_json_is_rejected(self, client: httpx.Client, body: bytes) -> None:
        assert code_of(client.post("/audit", content=body, headers=JSON)) == (400, "malformed")

    @each_row(
        "data",
        [
            None,
            [],
            {"text": 1, "sources": SOURCES},
            {"text": "\ud800", "sources": SOURCES},
            {"text": " \n", "sources": SOURCES},
            {"text": "a", "sources": {"a": "Ten \udfff"}},
            {"text": "a", "sources": [{"id": "a", "text": "b", "title": "\ud800"}]},
            {"text": "a", "sources": {"a" * 201: "b"}},
            {"text": "a", "sources": [{"id": "a", "text": "b", "title": "c" * 2_001}]},
            {"text": "a", "sources": {"\ud800": "b"}},
            {"text": "a", "sources": {}},
            {"text": "a", "sources": {"a": " "}},
            {"text": "a", "sources": {" ": "b"}},
            {"text": "a", "sources": "b"},
            {"text": "a", "sources": [{"id": "a", "text": "b"}, {"id": "a", "text": "c"}]},
            {"text": "a", "sources": [{"id": "a"}]},
            {"text": "a", "sources": [{"id": "a", "path": "/etc/passwd"}]},
            {"text": "a", "sources": SOURCES, "policy": {}},
        ],
        ids=lambda data: json.dumps(data)[:70],
    )
    def test_data_is_rejected(self, client: httpx.Client, data: Any) -> None:
        reply = client.post("/audit", content=json.dumps(data), headers=JSON)
        assert code_of(reply) == (422, "invalid")

    @each_row(
        ("content_type", "body"),
        [
            ("multipart/form-data", b"--a--"),
            ("multipart/form-data; boundary=a", b""),
            ("multipart/form-data; boundary=a", b"nothing"),
            ("multipart/form-data; boundary=a", b"--a\r\n\r\nx\r\n--a--\r\n"),
            (
                "multipart/form-data; boundary=a",
                b'--a\r\nContent-Disposition: form-data; name="text"\r\n\r\nx',
            ),
        ],
    )
    def test_form_is_rejected(self, client: httpx.Client, content_type: str, body: bytes) -> None:
        reply = client.post("/audit", content=body, headers={"Content-Type": content_type})
        assert code_of(reply) == (400, "malformed")

    @each_row(
        "data",
        [
            {},
            TEXT,
            {**TEXT, "source": " "},
            {**TEXT, "source": "a", "more": "b"},
            {"text": ["a", "b"], "source": "c"},
            {**TEXT, "sources": "3"},
        ],
        ids=str,
    )
    def test_fields_are_rejected(self, client: httpx.Client, data: dict[str, Any]) -> None:
        assert code_of(client.post("/audit", data=data or {"a": "b"})) == (422, "invalid")

    def test_ids_are_shortened(self, client: httpx.Client) -> None:
        source = {"id": "k" * 200, "text": "Ten."}
        files = {"files": ("a.json", json.dumps({"k" * 500_000: "Ten."}).encode())}
        reply = client.post("/audit", data=TEXT, files=files)
        assert code_of(reply) == (413, "sources_too_long")
        assert len(reply.text) < 1_000
        reply = client.post("/audit", json={**REQUEST, "sources": [source, source]})
        assert code_of(reply) == (422, "invalid")

    @each_row(
        ("fields", "name", "content"),
        [
            ({"sources": '{"a": "Ten."}'}, "a.txt", b"Ten."),  # whose id is another's
            ({}, "a.json", b'{"a": "Ten \\ud800"}'),
        ],
    )
    def test_files_are_rejected(
        self, client: httpx.Client, fields: dict[str, str], name: str, content: bytes
    ) -> None:
        files = {"files": (name, content)}
        reply = client.post("/audit", data={**TEXT, **fields}, files=files)
        assert code_of(reply) == (422, "invalid")

    def test_files_need_names(self, client: httpx.Client) -> None:
        reply = client.post("/audit", data={**TEXT, "files": "Ten."})
        assert code_of(reply) == (422, "invalid")
        assert reply.json()["error"]["message"] == "files: needs a file name"

    def test_body_is_not_compressed(self, client: httpx.Client) -> None:
        reply = client.post("/audit", json=REQUEST, headers={"Content-Encoding": "gzip"})
        assert code_of(reply) == (415, "media_type")

    @each_row("content_type", ["", "text/plain"])
    def test_media_type_is_rejected(self, client: httpx.Client, content_type: str) -> None:
        headers = {"Content-Type": content_type}
        reply = client.post("/audit", content=b"{}", headers=headers)
        assert code_of(reply) == (415, "media_type")


class TestSize:
    def test_of_a_body_is_limited_without_a_length(self, small: httpx.Client) -> None:
        def chunks() -> Iterator[bytes]:
            for _ in range(100):
                yield b" " * 1_000

        reply = small.post("/audit", content=chunks(), headers=JSON)
        assert code_of(reply) == (413, "body_too_large")

    def test_is_checked_before_it_is_sent(self, small_address: str) -> None:
        with connected(small_address) as connection:
            lines = ("Content-Type: application/json", "Content-Length: 99999999999999999999")
            connection.sendall(head(small_address, *lines, "Expect: 100-continue") + b"\r\n")
            assert raw_code_of(received(connection)) == (413, "body_too_large")

    @each_row(
        ("sent", "code"),
        [
            ({"content": b" " * 60_001, "headers": JSON}, "body_too_large"),
            ({"data": TEXT, "files": {"files": ("a.txt", b"a" * 20_001)}}, "file_too_large"),
            ({"data": TEXT, "files": [("files", ("a.txt", b"Ten."))] * 3}, "too_many_files"),
            ({"data": TEXT, "files": {"files": ("a.pdf", pages_that_are_one())}}, "too_many_pages"),
            ({"json": {**REQUEST, "text": "a" * 501}}, "text_too_long"),
            ({"json": {**REQUEST, "sources": {"a": "a" * 5_001}}}, "sources_too_long"),
            ({"json": {**REQUEST, "sources": dict.fromkeys("abcdefghijklmnopqrstu", "a")}}, MANY),
            # before validation
            ({"json": {**REQUEST, "sources": dict.fromkeys("abcdefghijklmnopqrstu")}}, MANY),
        ],
        ids=lambda each: str(each)[:40],
    )
    def test_is_limited(self, small: httpx.Client, sent: dict[str, Any], code: str) -> None:
        reply = small.post("/audit", **sent)
        assert code_of(reply) == (413, code)
        if code == "file_too_large":
            assert reply.json()["error"]["message"].startswith("a.txt: ")

    def test_of_the_answer_is_limited(self, small: httpx.Client) -> None:
        statement = {"text": "a" * 500, "citations": []}
        request = {"answer": {"statements": [statement]}, "sources": SOURCES}
        assert code_of(small.post("/check", json=request)) == (413, "text_too_long")

    def test_of_the_head_is_limited(self, small_address: str) -> None:
        with connected(small_address) as connection:
            connection.sendall(head(small_address, "X-Long: " + "a" * 20_000))
            assert received(connection).startswith(b"HTTP/1.1 400 ")


class TestTime:
    def test_of_a_body_is_limited(self, small_address: str) -> None:
        with connected(small_address) as connection:
            lines = ("Content-Type: application/json", "Content-Length: 100")
            connection.sendall(head(small_address, *lines) + b"\r\n{")
            assert raw_code_of(received(connection)) == (408, "slow_body")

    def test_of_the_work_is_limited(self, small: httpx.Client) -> None:
        request = {**REQUEST, "text": "The shop is endless."}
        assert code_of(small.post("/audit", json=request)) == (422, "too_slow")

    def test_slow_headers_keep_nobody_waiting(
        self, small_address: str, small: httpx.Client
    ) -> None:
        slow = [connected(small_address) for _ in range(100)]
        for connection in slow:
            connection.sendall(head(small_address))
        assert small.post("/audit", json=REQUEST).status_code == 200
        for connection in slow:
            connection.close()


class TestConcurrency:
    def test_of_work_is_limited(self, small: httpx.Client) -> None:
        request = {**REQUEST, "text": "The shop is slow. It is slow. The room is slow."}
        with ThreadPoolExecutor(5) as pool:
            replies = list(pool.map(lambda _: small.post("/audit", json=request), range(5)))
        rejected = [reply for reply in replies if reply.status_code != 200]
        assert 1 <= len(rejected) < 5
        assert {code_of(reply) for reply in rejected} == {(429, "busy")}
        assert rejected[0].headers["retry-after"] == "5"

    def test_of_slow_bodies_keeps_nobody_out(self, address: str, client: httpx.Client) -> None:
        lines = ("Content-Type: application/json", "Content-Length: 100")
        slow = [connected(address) for _ in range(300)]
        for connection in slow:
            connection.sendall(head(address, *lines) + b"\r\n{")
        assert client.post("/audit", json=REQUEST).status_code == 200
        for connection in slow:
            connection.close()


class TestFailures:
    def test_of_the_set_up_are_not_shown(self, small: httpx.Client) -> None:
        request = {**REQUEST, "text": "The shop is misconfigured."}
        reply = small.post("/audit", json=request)
        assert code_of(reply) == (500, "internal")
        assert "secret-123" not in reply.text

    def test_of_a_worker_do_not_end_the_service(self, small: httpx.Client) -> None:
        request = {**REQUEST, "text": "The shop will crash."}
        assert code_of(small.post("/audit", json=request)) == (422, "too_much_memory")
        assert small.post("/audit", json=REQUEST).status_code == 200

    def test_clients_that_disconnect_free_their_worker(
        self, small_address: str, small: httpx.Client
    ) -> None:
        body = json.dumps({**REQUEST, "text": "The shop is endless."}).encode()
        lines = ("Content-Type: application/json", f"Content-Length: {len(body)}")
        with connected(small_address) as connection:
            connection.sendall(head(small_address, *lines) + b"\r\n" + body)
            while small.get("/health").json()["running"] == 0:
                pass
        assert small.post("/audit", json=REQUEST).status_code == 200


@pytest.mark.slow
class TestHostileFiles:
    @each_row("name", [each for each in HOSTILE if each.endswith(".pdf")])
    def test_are_rejected(self, client: httpx.Client, name: str) -> None:
        content = HOSTILE[name]()
        assert len(content) < 3_000_000
        reply = client.post("/audit", data=TEXT, files={"files": (name, content)})
        assert 400 <= reply.status_code < 500
        assert reply.json()["error"]["message"].startswith(f"{name}: ")

    @each_row("name", ["deep.html", "deep.md"])
    def test_are_read_or_rejected(self, client: httpx.Client, name: str) -> None:
        reply = client.post("/audit", data=TEXT, files={"files": (name, HOSTILE[name]())})
        assert reply.status_code < 500
