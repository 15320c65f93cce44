"""Parts of the service by themselves: limits, forms, names of files, events."""

from __future__ import annotations

import asyncio
import socket
import threading
from typing import Any

import httpx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from starlette.requests import Request

from citeguard.errors import CiteguardError
from citeguard.server import Limits, create_app, receiving
from citeguard.server.events import as_bytes
from citeguard.server.forms import file_name, parse_form
from citeguard.server.jobs import Event
from citeguard.server.receiving import Body, Desk
from citeguard.server.refusals import RefusedError
from citeguard.server.running import listen
from citeguard.validation.policy import Policy
from server.serving import code_of, events_of


class TestLimits:
    @pytest.mark.parametrize(
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
    def test_refuse_what_lets_nothing_through(self, name: str, value: Any) -> None:
        with pytest.raises(CiteguardError, match=rf"Limits\({name}=...\) must be"):
            Limits(**{name: value})


class LockedJudge:
    """A judge that no other process can have."""

    def __init__(self) -> None:
        self.lock = threading.Lock()

    def judge(self, questions: Any, /) -> Any:
        raise NotImplementedError


class TestApplication:
    def test_refuses_a_policy_that_cannot_be_sent(self) -> None:
        with pytest.raises(CiteguardError, match="function that makes it"):
            create_app(Policy(support=[LockedJudge()]))

    async def test_tells_of_a_fault_of_its_own_without_details(self) -> None:
        app = create_app()

        @app.get("/fault")
        async def fail() -> None:
            raise LookupError("secret-123")

        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            reply = await client.get("/fault")
        assert code_of(reply) == (500, "internal")
        assert "secret-123" not in reply.text


class TestListening:
    def test_sends_at_once(self) -> None:
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

    @pytest.mark.parametrize(
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
    def test_of_pairs_are_read_whatever_they_hold(self, body: bytes) -> None:
        assume(b"files" not in body)  # which have no name here
        fields = parse_form(body, "application/x-www-form-urlencoded", Limits()).fields
        assert sum(map(len, fields.values())) <= len(body)

    @given(st.binary(max_size=200))
    def test_of_parts_have_an_end(self, body: bytes) -> None:
        with pytest.raises(RefusedError) as refused:
            parse_form(b"--a\r\n" + body, "multipart/form-data; boundary=a", Limits())
        assert refused.value.code == "malformed"

    def test_have_no_more_fields_than_anybody_needs(self) -> None:
        with pytest.raises(RefusedError) as refused:
            parse_form(b"a=b&" * 1_001, "application/x-www-form-urlencoded", Limits())
        assert refused.value.code == "malformed"


class TestBodies:
    def test_have_only_so_much_room_together(self) -> None:
        desk = Desk(Limits(held_bytes=10))
        with Body(desk) as first, Body(desk) as second:
            first.write(b"123456")
            with pytest.raises(RefusedError, match="busy"):
                second.write(b"12345")
            assert first.read() == b"123456"

    def test_make_room_when_they_are_closed(self) -> None:
        desk = Desk(Limits(held_bytes=10))
        for _ in range(3):
            with Body(desk) as body:
                body.write(b"12345678")

    async def test_come_at_a_least_rate(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(receiving, "_PATIENCE", 0.01)
        first = [{"type": "http.request", "body": b"a", "more_body": True}]

        async def receive() -> Any:
            return first.pop() if first else await asyncio.Event().wait()

        request = Request({"type": "http", "method": "POST", "headers": []}, receive)
        with pytest.raises(RefusedError, match="slow_body"):
            await Desk(Limits(body_seconds=3_600)).receive(request)


class TestEvents:
    def test_of_a_page_are_on_one_line(self) -> None:
        told = as_bytes(Event("page", "<p>\n\nA “quote”\r\n</p>".encode())).decode()
        assert list(events_of(told.splitlines())) == [
            ("page", {"html": "<p>\n\nA “quote”\r\n</p>"})
        ]
