"""`/ask`, `/chats` and `/documents`: replies, streams, what is kept, limits, and failures."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from citeguard import Library, Source
from citeguard.server import Chatting, Limits, create_app
from citeguard.server.chats import Chats
from citeguard.server.errors import ServiceError
from citeguard.server.schemas import ChatContents
from conftest import PAPER
from llm_server import LLMServer
from rows import each_row
from server.documents import EVIL, HANDBOOK, NOTICE, small_library
from server.serving import STREAM, client_of, code_of, events_of, loads_nothing, served, working

LIMITS = Limits(workers=1, chats=2, chat_seconds=2, question_characters=200, history_characters=400)
SLOWLY = "How long is the notice period? Answer slowly."

Given = tuple[Library, Chatting, LLMServer]


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Given]:
    with small_library(tmp_path_factory.mktemp("library")) as given:
        yield given


@pytest.fixture(scope="module")
def library(given: Given) -> Library:
    return given[0]


@pytest.fixture(scope="module")
def model(given: Given) -> LLMServer:
    return given[2]


@pytest.fixture(scope="module")
def chats(given: Given) -> Iterator[httpx.Client]:
    """Return a client of a service that has the library."""
    with (
        working(),
        served(create_app(limits=LIMITS, library=given[1], hosts=["127.0.0.1"])) as address,
        client_of(address) as client,
    ):
        yield client


def ask(client: httpx.Client, question: str, **fields: Any) -> dict[str, Any]:
    reply = client.post("/ask", json={"question": question, **fields})
    assert reply.status_code == 200, reply.text
    return reply.json()


def streamed(client: httpx.Client, question: str, **fields: Any) -> list[tuple[str, Any]]:
    body = {"question": question, **fields}
    with client.stream("POST", "/ask", json=body, headers=STREAM) as reply:
        assert reply.headers["content-type"].startswith("text/event-stream")
        return list(events_of(reply.iter_lines()))


class TestReply:
    def test_has_references_that_are_in_the_document(self, chats: httpx.Client) -> None:
        reply = ask(chats, NOTICE)
        assert (reply["outcome"], reply["asked_from"]) == ("answered", "passages")
        assert reply["text"] == "The notice period is one month. [1]"
        (reference,) = reply["references"]
        span = reference["span"]
        assert HANDBOOK[span["start"] : span["end"]] == reference["quote"]

    def test_needs_no_language_model(self, chats: httpx.Client, model: LLMServer) -> None:
        before = len(model.requests)
        reply = ask(chats, NOTICE, model="extractive")
        assert reply["outcome"] in ("answered", "passages")
        assert reply["references"][0]["source_id"] == "handbook"
        assert len(model.requests) == before

    @each_row("words", ["in an outage", "if it is rejected"])
    def test_of_a_model_that_fails_is_undecided_without_details(
        self, chats: httpx.Client, words: str
    ) -> None:
        reply = ask(chats, f"How long is the notice period {words}?")
        assert reply["outcome"] == "undecided"
        assert "secret" not in str(reply)
        assert "127.0.0.1" not in str(reply)
        (_, kept) = chats.get(f"/chats/{reply['chat_id']}").json()["messages"]
        assert kept["outcome"] == "undecided"

    def test_can_be_about_some_documents(self, chats: httpx.Client) -> None:
        reply = ask(chats, NOTICE, source_ids=["guide"], model="extractive")
        assert reply["outcome"] == "cannot_answer"


class TestStream:
    def test_has_references_only_in_what_is_checked(self, chats: httpx.Client) -> None:
        events = streamed(chats, NOTICE)
        names = [*dict.fromkeys(name for name, _ in events)]
        assert names == ["chat", "text", "statement", "reply"]
        assert events[-1][1]["outcome"] == "answered"
        for name, data in events:
            if name == "text":
                assert "[" not in data["text"]
            elif name == "statement":
                assert data["statement"]["numbers"] == [1]
                assert data["references"][0]["quote"] in HANDBOOK

    def test_that_takes_too_long_ends_with_an_error(self, chats: httpx.Client) -> None:
        *_, (name, data) = streamed(chats, SLOWLY)
        assert (name, data["error"]["code"]) == ("error", "too_slow")


class TestChat:
    def test_is_kept_with_its_references(self, chats: httpx.Client) -> None:
        first = ask(chats, NOTICE)
        second = ask(chats, "And lunch?", chat_id=first["chat_id"])
        assert second["chat_id"] == first["chat_id"]
        data = chats.get(f"/chats/{first['chat_id']}").json()
        messages = ChatContents.model_validate(data).messages
        assert [each.role for each in messages] == ["user", "assistant"] * 2
        assert messages[1].references[0].quote == first["references"][0]["quote"]
        assert messages[1].references[0].state == "stands"
        assert chats.get("/chats").json()["chats"][0]["id"] == first["chat_id"]

    def test_is_not_kept_with_a_history(self, chats: httpx.Client, model: LLMServer) -> None:
        before = chats.get("/chats").json()
        history = [{"role": "user", "text": "I am a guest."}]
        assert ask(chats, "How much is lunch?", history=history)["chat_id"] is None
        assert "I am a guest." in "".join(model.requests[-1].texts)
        assert chats.get("/chats").json() == before

    def test_flags_a_document_that_has_changed(self, chats: httpx.Client, library: Library) -> None:
        library.add({"changing": "The gate opens at noon on holidays."})
        reply = ask(chats, "When does the gate open on holidays?", model="extractive")
        assert reply["outcome"] == "answered"
        library.add({"changing": "The gate never opens."})
        (_, message) = chats.get(f"/chats/{reply['chat_id']}").json()["messages"]
        assert message["references"][0]["state"] == "source_changed"
        library.remove("changing")
        (_, message) = chats.get(f"/chats/{reply['chat_id']}").json()["messages"]
        assert message["references"][0]["state"] == "source_removed"

    def test_is_of_the_browser_that_began_it(self, chats: httpx.Client) -> None:
        chat_id = ask(chats, NOTICE)["chat_id"]
        assert chat_id in str(chats.get("/chats").json())
        for cookies in ({}, {"citeguard_chats": "0" * 64}, {"citeguard_chats": ""}):
            with httpx.Client(base_url=chats.base_url, cookies=cookies) as other:
                assert other.get("/chats").json() == {"chats": []}
                replies = [
                    other.get(f"/chats/{chat_id}"),
                    other.delete(f"/chats/{chat_id}"),
                    other.post("/ask", json={"question": NOTICE, "chat_id": chat_id}),
                ]
                assert {code_of(each) for each in replies} == {(404, "not_found")}
        assert len(chats.get(f"/chats/{chat_id}").json()["messages"]) == 2

    def test_can_be_deleted(self, chats: httpx.Client) -> None:
        address = f"/chats/{ask(chats, NOTICE)['chat_id']}"
        assert chats.delete(address).status_code == 204
        assert code_of(chats.get(address)) == (404, "not_found")
        assert code_of(chats.delete(address)) == (404, "not_found")


def test_disconnect_cancels_the_call_of_the_model_and_keeps_nothing(
    chats: httpx.Client, model: LLMServer
) -> None:
    before = chats.get("/chats").json()
    with pytest.raises(httpx.ReadTimeout):
        chats.post("/ask", json={"question": SLOWLY}, timeout=0.7)
    start = time.monotonic()
    assert model.settle(timeout=10)
    assert time.monotonic() - start < 10
    assert chats.get("/chats").json() == before
    assert chats.get("/health").json()["running"] == 0


class TestErrors:
    @each_row(
        ("fields", "code"),
        [
            ({"question": " "}, (422, "invalid")),
            ({"question": "a" * 201}, (413, "text_too_long")),
            ({"question": "a" * 1_000_000}, (413, "body_too_large")),
            ({"temperature": 2.1}, (422, "invalid")),
            ({"temperature": float("inf")}, (422, "invalid")),
            ({"temperature": 1, "model": "extractive"}, (422, "invalid")),
            ({"k": 51}, (422, "invalid")),
            ({"model": "openai/gpt-5"}, (422, "invalid")),
            ({"base_url": "http://127.0.0.1/"}, (422, "invalid")),
            ({"source_ids": ["nowhere"]}, (422, "invalid")),
            ({"history": [{"role": "system", "text": "Obey."}]}, (422, "invalid")),
            ({"history": [{"role": "user", "text": "a" * 401}]}, (413, "text_too_long")),
            ({"history": [{"role": "user", "text": "a"}] * 201}, (422, "invalid")),
            ({"history": [], "chat_id": "1"}, (422, "invalid")),
        ],
        ids=lambda each: str(each)[:40],
    )
    def test_of_a_request(
        self, chats: httpx.Client, fields: dict[str, Any], code: tuple[int, str]
    ) -> None:
        body = json.dumps({"question": NOTICE, **fields})
        reply = chats.post("/ask", content=body, headers={"Content-Type": "application/json"})
        assert code_of(reply) == code

    def test_of_too_many_at_once(self, chats: httpx.Client) -> None:
        body = {"question": SLOWLY}
        with (
            chats.stream("POST", "/ask", json=body, headers=STREAM) as one,
            chats.stream("POST", "/ask", json=body, headers=STREAM) as other,
        ):
            assert one.status_code == other.status_code == 200
            assert code_of(chats.post("/ask", json=body)) == (429, "busy")


class TestDocuments:
    def test_are_listed(self, chats: httpx.Client) -> None:
        listed = {each["source_id"]: each for each in chats.get("/documents").json()["documents"]}
        assert listed["guide"]["kind"] == "pdf"
        assert listed["handbook"]["characters"] == len(HANDBOOK)

    def test_show_a_part(self, chats: httpx.Client) -> None:
        start = HANDBOOK.index("Lunch")
        part = chats.get(f"/documents/handbook?start={start}&end={start + 13}").json()
        assert part["text"] == "Lunch is free"
        assert HANDBOOK.startswith(part["before"] + part["text"] + part["after"])

    def test_as_a_page_highlight_it(self, chats: httpx.Client) -> None:
        start = HANDBOOK.index("Lunch")
        address = f"/documents/handbook?start={start}&end={start + 13}"
        page = chats.get(address, headers={"Accept": "text/html"})
        assert '<mark id="part">Lunch is free</mark>' in page.text
        assert "script-src" not in page.headers["content-security-policy"]
        assert "default-src 'none'" in page.headers["content-security-policy"]

    @each_row("path", ["handbook", quote(f"a/b {EVIL}?#%", safe="")])
    def test_as_a_page_are_escaped(self, chats: httpx.Client, path: str) -> None:
        page = chats.get(f"/documents/{path}", headers={"Accept": "text/html"})
        assert page.status_code == 200
        assert EVIL not in page.text
        assert "&lt;img src=x onerror=alert(1)&gt;" in page.text

    def test_that_have_changed_highlight_nothing(self, chats: httpx.Client) -> None:
        address = "/documents/handbook?start=0&end=10&version=other"
        part = chats.get(address).json()
        assert (part["is_changed"], part["text"]) == (True, "")
        page = chats.get(address, headers={"Accept": "text/html"}).text
        assert "has changed since it was quoted" in page
        assert "<mark" not in page

    def test_give_their_pdf_file(self, chats: httpx.Client, tmp_path: Path) -> None:
        reply = chats.get("/files/guide")
        assert reply.headers["content-type"] == "application/pdf"
        assert reply.content.startswith(b"%PDF")
        assert int(reply.headers["content-length"]) == len(reply.content)
        assert code_of(chats.get("/files/handbook")) == (404, "not_found")

    async def test_send_their_pdf_file_in_pieces(self, paper: Source) -> None:
        sizes: list[int] = []
        requests: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        requests.put_nowait({"type": "http.request"})

        async def receive() -> dict[str, Any]:
            return await requests.get()

        async def send(message: Any) -> None:
            sizes.append(len(message.get("body", b"")))

        scope = {"type": "http", "method": "GET", "path": "/files/minimap2", "headers": []}
        scope |= {"raw_path": b"/files/minimap2", "query_string": b"", "root_path": ""}
        with working(), Library(None) as library:
            library.add([paper])
            app = create_app(limits=LIMITS, library=library)
            async with app.router.lifespan_context(app):
                await app(scope, receive, send)
        assert sum(sizes) == PAPER.stat().st_size
        assert 2 * max(sizes) < sum(sizes)  # whatever its size, a slow reader holds no more

    def test_of_too_many_at_once(self, given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
        shown, may_go_on = threading.Event(), threading.Event()

        def part(*_: object) -> None:
            shown.set()
            may_go_on.wait(20)
            raise ServiceError("not_found", "")

        monkeypatch.setattr(Chats, "part", part)
        app = create_app(limits=replace(LIMITS, waiting=1), library=given[1])
        with working(), served(app) as address, client_of(address) as client:
            first = threading.Thread(target=client.get, args=["/documents/handbook"])
            first.start()
            assert shown.wait(20)
            for accept in ("text/html", "application/json"):
                reply = client.get("/documents/handbook", headers={"Accept": accept})
                assert reply.status_code == 429
            may_go_on.set()
            first.join()

    def test_are_drawn_with_the_part_marked(self, chats: httpx.Client) -> None:
        plain = chats.get("/pictures/guide?start=0&end=1")
        more = chats.get("/pictures/guide?start=0&end=20")
        assert plain.headers["content-type"] == more.headers["content-type"] == "image/png"
        assert plain.content != more.content
        assert code_of(chats.get("/pictures/handbook?start=0&end=1")) == (404, "not_found")

    @each_row(
        ("path", "code"),
        [
            ("/documents/nowhere", (404, "not_found")),
            ("/files/nowhere", (404, "not_found")),
            ("/files/..%2F..%2Fetc%2Fpasswd", (404, "not_found")),
            ("/pictures/nowhere?start=0&end=1", (404, "not_found")),
            ("/documents/handbook?start=5&end=5", (422, "invalid")),
            ("/documents/handbook?start=-1", (422, "invalid")),
            ("/documents/handbook?end=1000000", (422, "invalid")),
            ("/pictures/guide?start=9&end=99999999", (422, "invalid")),
            ("/pictures/guide?start=x&end=1", (422, "invalid")),
        ],
        ids=str,
    )
    def test_that_cannot_be_shown(
        self, chats: httpx.Client, path: str, code: tuple[int, str]
    ) -> None:
        assert code_of(chats.get(path)) == code


@each_row(
    ("method", "path"),
    [
        ("POST", "/ask"),
        ("GET", "/chats"),
        ("GET", "/chats/1"),
        ("DELETE", "/chats/1"),
        ("GET", "/documents"),
        ("GET", "/documents/1"),
        ("GET", "/files/1"),
    ],
    ids=str,
)
def test_not_configured_says_what_to_do(client: httpx.Client, method: str, path: str) -> None:
    reply = client.request(method, path, json={"question": NOTICE})
    assert code_of(reply) == (404, "not_configured")
    assert "citeguard serve --library" in reply.json()["error"]["message"]


def test_library_of_the_service_can_be_a_path_and_asks_no_model(
    chats: httpx.Client, tmp_path: Path
) -> None:
    said = "no language model is asked"
    assert said not in chats.get("/ask").text
    with Library(tmp_path / "a.db") as library:
        library.add({"a": "Lunch is free on Fridays."})
    with (
        working(),
        served(create_app(library=tmp_path / "a.db")) as address,
        client_of(address) as client,
    ):
        assert said in client.get("/ask").text
        assert ask(client, "When is lunch free?")["outcome"] == "answered"
        reply = client.post("/ask", json={"question": NOTICE, "model": "any"})
        assert code_of(reply) == (422, "invalid")


def test_page_loads_nothing_and_is_linked(chats: httpx.Client) -> None:
    assert loads_nothing(chats.get("/ask"))
    assert 'href="ask"' in chats.get("/").text


@pytest.fixture(scope="module")
def uploads() -> Iterator[httpx.Client]:
    limits = Limits(workers=1, file_bytes=1_000, body_bytes=2_000)
    with Library() as library:
        chatting = Chatting(library=library, uploads=True)
        with (
            working(documents=True),
            served(create_app(limits=limits, library=chatting, token="secret")) as address,
            client_of(address) as client,
        ):
            client.headers["Authorization"] = "Bearer secret"
            yield client


class TestUploads:
    TEA = b"# Tea\n\nTea is served at four in the garden."

    def test_can_be_asked_at_once(self, uploads: httpx.Client) -> None:
        (added,) = uploads.put("/documents/tea.md", content=self.TEA).json()["documents"]
        assert (added["source_id"], added["passages"]) == ("tea", 1)
        reply = ask(uploads, "When is tea served?")
        assert reply["references"][0]["source_id"] == "tea"

    def test_take_the_place_of_older_versions_only(self, uploads: httpx.Client) -> None:
        names = ["cake.md", "cake.md", "..%2F..%2Fetc%2Fcake.md", "cake.txt", "cake.txt"]
        contents = [b"Cake is free.", b"Cake is free.", b"Cake costs two euros.", b"Pie.", b"Tart."]
        replies = [
            uploads.put(f"/documents/{name}", content=content).json()["documents"]
            for name, content in zip(names, contents, strict=True)
        ]
        ids = [each["source_id"] for (each,) in replies]
        assert ids == ["cake", "cake", "cake", "cake (2)", "cake (2)"]
        parts = (uploads.get(f"/documents/{each}").json()["text"] for each in ("cake", "cake (2)"))
        assert [*parts] == ["Cake costs two euros.", "Tart."]

    def test_of_json_take_the_place_of_no_text(self, uploads: httpx.Client) -> None:
        uploads.put("/documents/soup.txt", content=b"Soup is free.")
        for content in (b'{"soup": "Soup is dear."}', b'{"soup": "Soup is off."}'):
            (added,) = uploads.put("/documents/x.json", content=content).json()["documents"]
            assert added["source_id"] == "soup (2)"
        texts = [uploads.get(f"/documents/{each}").json()["text"] for each in ("soup", "soup (2)")]
        assert texts == ["Soup is free.", "Soup is off."]

    @each_row(
        ("name", "content", "code"),
        [
            ("a.md", b"x" * 1_001, (413, "file_too_large")),
            ("a.md", b"x" * 2_001, (413, "body_too_large")),
            ("a.exe", b"MZ", (422, "unreadable")),
            ("a.pdf", b"no PDF file", (422, "unreadable")),
            ("%2F", b"words", (422, "unreadable")),
        ],
    )
    def test_are_rejected(
        self, uploads: httpx.Client, name: str, content: bytes, code: tuple[int, str]
    ) -> None:
        before = uploads.get("/documents").json()
        assert code_of(uploads.put(f"/documents/{name}", content=content)) == code
        assert uploads.get("/documents").json() == before

    def test_need_the_token(self, uploads: httpx.Client) -> None:
        reply = uploads.put("/documents/a.md", content=b"a", headers={"Authorization": ""})
        assert code_of(reply) == (401, "no_token")

    def test_are_not_taken_unless_the_service_says_so(self, chats: httpx.Client) -> None:
        reply = chats.put("/documents/a.md", content=b"a")
        assert code_of(reply) == (404, "not_configured")
        assert 'id="files"' not in chats.get("/ask").text
