"""Parts of the service on their own: limits, forms, file names, bodies, events."""

import asyncio
import json
import socket
import threading
from typing import Any

import httpx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from starlette.requests import Request

from citeguard.errors import CiteguardError
from citeguard.server import Limits, bodies, create_app, create_mcp_server
from citeguard.server.bodies import Body, BodyReceiver
from citeguard.server.errors import ServiceError
from citeguard.server.requests import file_name, parse_form
from citeguard.server.running import listen
from citeguard.server.service import as_message
from citeguard.server.worker import Event
from citeguard.validation.policy import Policy
from fixture_types import MonkeyPatch
from rows import each_row
from server.serving import code_of, events_of


class TestLimits:
    @each_row(
        ("name", "value"),
        [
            ("files", 0),
            ("pages", True),
            ("body_bytes", 1.5),
            ("workers", -1),
            ("body_seconds", 0),
            ("judging_seconds", float("nan")),
            ("reading_seconds", float("inf")),
        ],
    )
    def test_reject_unusable_values(self, name: str, value: Any) -> None:
        with pytest.raises(CiteguardError, match=rf"Limits\({name}=...\) must be"):
            Limits(**{name: value})

    @each_row("serve", [create_app, create_mcp_server])
    def test_are_no_mapping(self, serve: Any) -> None:
        with pytest.raises(CiteguardError, match="limits: expected a Limits"):
            serve(limits={"pages": 50})


class LockedJudge:
    """A judge that cannot be pickled."""

    def __init__(self) -> None:
        self.lock = threading.Lock()

    def judge(self, questions: Any, /) -> Any:
        raise NotImplementedError


class TestApplication:
    def test_rejects_a_policy_that_cannot_be_sent(self) -> None:
        with pytest.raises(CiteguardError, match="function that returns the policy"):
            create_app(Policy(support=[LockedJudge()]))

    async def test_gives_no_details_of_internal_errors(self) -> None:
        app = create_app()

        @app.get("/fault")
        async def fail() -> None:
            raise LookupError("secret-123")

        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            reply = await client.get("/fault")
        assert code_of(reply) == (500, "internal")
        assert "secret-123" not in reply.text


def test_listening_sends_at_once() -> None:
    with listen("127.0.0.1", 0) as listening:
        with socket.create_connection(listening.getsockname()):
            accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


class TestFileNames:
    @given(st.binary(max_size=300))
    def test_are_names_and_no_paths(self, given: bytes) -> None:
        name = file_name(given)
        assert 0 < len(name) <= 200
        assert not {"/", "\\", "\0", "\n"} & set(name)

    @each_row(
        ("given", "name"),
        [
            (b"", "a file without a name"),
            (b"a/", "a file without a name"),
            ("\u202efdp.exe".encode(), "fdp.exe"),
            (b"\xff.pdf", "\ufffd.pdf"),
            (b"x" * 300 + b".pdf", "x" * 196 + ".pdf"),
        ],
    )
    def test_are_cleaned(self, given: bytes, name: str) -> None:
        assert file_name(given) == name


class TestForms:
    @given(st.binary(max_size=200))
    def test_that_are_urlencoded_may_have_any_bytes(self, body: bytes) -> None:
        assume(b"files" not in body)  # which need a name
        fields = parse_form(body, "application/x-www-form-urlencoded", Limits()).fields
        assert sum(map(len, fields.values())) <= len(body)

    @given(st.binary(max_size=200))
    def test_in_parts_need_an_end(self, body: bytes) -> None:
        with pytest.raises(ServiceError) as raised:
            parse_form(b"--a\r\n" + body, "multipart/form-data; boundary=a", Limits())
        assert raised.value.code == "malformed"

    def test_have_a_maximum_number_of_fields(self) -> None:
        with pytest.raises(ServiceError) as raised:
            parse_form(b"a=b&" * 1_001, "application/x-www-form-urlencoded", Limits())
        assert raised.value.code == "malformed"


class TestBodies:
    def test_share_limited_room(self) -> None:
        receiver = BodyReceiver(Limits(held_bytes=10))
        first, second = Body(receiver), Body(receiver)
        first.write(b"123456")
        with pytest.raises(ServiceError, match="busy"):
            second.write(b"12345")
        assert first.read() == b"123456"
        for body in (first, first):
            body.close()
        second.write(b"1234567890")
        second.close()

    async def test_arrive_at_a_minimum_rate(self, monkeypatch: MonkeyPatch) -> None:
        monkeypatch.setattr(bodies, "_GRACE_SECONDS", 0.01)
        first = [{"type": "http.request", "body": b"a", "more_body": True}]

        async def receive() -> Any:
            return first.pop() if first else await asyncio.Event().wait()

        request = Request({"type": "http", "method": "POST", "headers": []}, receive)
        with pytest.raises(ServiceError, match="slow_body"):
            await BodyReceiver(Limits(body_seconds=3_600)).receive(request)


def test_events_of_a_page_are_on_one_line() -> None:
    html = "<p>\n\nA “quote”\r\n</p>"
    event = Event("html", json.dumps({"html": html}).encode())
    message = as_message(event).decode()
    assert list(events_of(message.splitlines())) == [("html", {"html": html})]
