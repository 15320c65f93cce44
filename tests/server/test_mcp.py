"""The tools of `citeguard mcp`, called by the SDK's own client over HTTP and standard streams."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill
from typing import Any

import httpx
import jsonschema
import psutil
import pytest
from inline_snapshot import snapshot
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp_types import CallToolResult

from citeguard import Sources
from citeguard.server import Limits, create_mcp_server
from citeguard.server.mcp import PATH, ToolService
from citeguard.server.tool_texts import passages_text
from fixture_types import MonkeyPatch
from rows import each_row
from server.facts import small_web
from server.serving import IdleWorker, code_of, served
from server.stunts import stunts

PACKAGE_PATH = str(Path(__file__).parent.parent.parent / "src")
PROGRAM = "import sys; from citeguard.cli import main; main(sys.argv[1:])"
KNOWN = {
    "handbook": "The notice period is one month.\nIt does not apply during probation.",
    "faq": "Employees resign in writing. E-mail counts as writing.",
}
HEADERS = {
    "Accept": "application/json, text/event-stream",
    "Content-Type": "application/json",
}
OTHER = {"menu": "Lunch costs nine euros."}
SMALL = Limits(
    body_bytes=30_000,
    text_characters=200,
    sources=5,
    source_characters=2_000,
    judging_seconds=2,
    workers=1,
    waiting=1,
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Return the URL of an endpoint that knows two sources, and checks facts on a small web."""
    service = ToolService(KNOWN, limits=Limits(workers=1), facts=small_web)
    with served(service.http_app()) as address:
        yield f"{address}{PATH}"


@pytest.fixture(scope="module")
def small() -> Iterator[str]:
    """Return the URL of an endpoint with tiny limits, and a judge that misbehaves on request."""
    with served(ToolService(None, stunts, limits=SMALL).http_app(["127.0.0.1"])) as address:
        yield f"{address}{PATH}"


@pytest.fixture
def no_process(monkeypatch: MonkeyPatch) -> None:
    """Start no worker processes, for requests that need none."""
    monkeypatch.setattr("citeguard.server.mcp.Worker", IdleWorker)


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert content.type == "text"
    return content.text


def wrapped(result: CallToolResult) -> str:
    """Return the text of a result in short lines."""
    return "\n".join(fill(line, 80) for line in text_of(result).splitlines())


def quoted(quote: str, source_id: str | None = None) -> dict[str, Any]:
    citation = {"quote": quote} | ({} if source_id is None else {"source_id": source_id})
    return {"statements": [{"text": "As it says.", "citations": [citation]}]}


async def test_tools_name_their_arguments_and_the_known_sources(address: str, small: str) -> None:
    required: dict[str, list[Any]] = {}
    for each in (address, small):
        async with Client(each) as client:
            for tool in (await client.list_tools()).tools:
                required.setdefault(tool.name, []).append(tool.input_schema["required"])
                for schema in (tool.input_schema, tool.output_schema):
                    jsonschema.Draft202012Validator.check_schema(schema)
            if each == address:
                assert client.instructions is not None
                assert client.instructions.endswith("uses 2 sources: handbook, faq.")
    assert required == snapshot(
        {
            "check_quote": [["quote"], ["quote", "sources"]],
            "check": [["answer"], ["answer", "sources"]],
            "audit": [["text"], ["text", "sources"]],
            "search": [["query"], ["query", "sources"]],
            "fact_check": [["text"]],
        }
    )


CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("check_quote", {"quote": "notice period is one month"}, "found"),
    ("check_quote", {"quote": "The notice period is two months."}, "altered"),
    ("check", {"answer": quoted("Employees resign in writing", "faq")}, "passed"),
    ("check", {"answer": quoted("Employees resign in writing", "handbook")}, "failed"),
    ("audit", {"text": "The notice period is two months [handbook]."}, "wrong"),
    ("audit", {"text": "I love it!"}, "nothing to check"),
    ("search", {"query": "How do I resign?", "k": 1}, "a passage"),
    ("search", {"query": "zebra"}, "no passage"),
]


class TestResults:
    @pytest.mark.parametrize("mode", ["auto", "legacy"])
    async def test_texts(self, address: str, mode: str) -> None:
        async with Client(address, mode=mode) as client:
            texts = {
                f"{name}: {case}": wrapped(await client.call_tool(name, arguments))
                for name, arguments, case in CALLS
            }
        assert texts == snapshot(
            {
                "check_quote: found": "The quote is in the source: handbook, line 1 (exact)",
                "check_quote: altered": """\
The quote cannot be used.

quote_altered: The quote is not what source "handbook" says (number). It says:
"The notice period is one month." Difference, [-yours-] {+source+}: notice
period is [-two months.-] {+one month+}. Copy the source's words verbatim, and
make `text` say only what they say, or drop your claim.\
""",
                "check: passed": """\
1 statement, 1 quote: no problem.

statements[0].citations[0]: found in faq, line 1 (exact)\
""",
                "check: failed": """\
1 statement, 1 quote: 1 problem to correct.

statements[0].citations[0].source_id: quote_wrong_source: The quote is not found
in source "handbook", but in source "faq": "Employees resign in writing". Cite
source "faq" instead, or copy a quote verbatim from source "handbook".\
""",
                "audit: wrong": """\
0 of 1 statement is supported; 1 is contradicted.

Contradicted, claim 1: “The notice period is two months”
The source says otherwise: “one month” where the claim says “two months”.
Source: “The notice period is one month.” (handbook, line 1)
Correction: The notice period is one month\
""",
                "audit: nothing to check": """\
Nothing to check.

Nothing to check, claim 1: “I love it!”\
""",
                "search: a passage": """\
1 passage, the most relevant first.

faq, line 1
Employees resign in writing. E-mail counts as writing.\
""",
                "search: no passage": "No passage of the sources fits. Try other words.",
            }
        )

    async def test_say_where_a_quote_is(self, address: str) -> None:
        async with Client(address) as client:
            result = await client.call_tool(
                "check_quote", {"quote": "It does not apply during probation."}
            )
        data = result.structured_content
        span = data["spans"][0]
        assert KNOWN["handbook"][span["start"] : span["end"]] == data["quote"]
        assert (data["grade"], data["line"], data["errors"]) == ("exact", 2, [])

    async def test_judge_support_if_asked_to(self, address: str) -> None:
        answer = quoted("The notice period is one month.")
        answer["statements"][0]["text"] = "The notice period is two months."
        async with Client(address) as client:
            for support in (False, True):
                result = await client.call_tool("check", {"answer": answer, "support": support})
                assert result.structured_content["passed"] is not support
        assert "statement_contradicted" in text_of(result)

    async def test_contain_no_source_as_a_whole(self, address: str) -> None:
        rest = " ".join(f"Rule {n} is about other things." for n in range(1_000))
        sources = {"handbook": f"{KNOWN['handbook']}\n\n{rest}"}
        async with Client(address) as client:
            arguments = {"text": "The notice period is one month.", "sources": sources}
            result = await client.call_tool("audit", arguments)
        assert len(json.dumps(result.structured_content)) < len(rest) / 5


class TestSources:
    @each_row("sources", [OTHER, [{"id": "menu", "text": OTHER["menu"]}]])
    async def test_of_a_call_replace_the_known_ones(self, address: str, sources: Any) -> None:
        async with Client(address) as client:
            for quote, found in [("Lunch costs nine euros.", True), ("resign in writing", False)]:
                arguments = {"quote": quote, "sources": sources}
                result = await client.call_tool("check_quote", arguments)
                assert (not result.structured_content["errors"]) is found

    async def test_of_a_call_that_names_none_are_not_the_known_ones(self, address: str) -> None:
        async with Client(address) as client:
            arguments: dict[str, Any] = {"quote": "resign in writing", "sources": {}}
            result = await client.call_tool("check_quote", arguments)
            assert text_of(result).startswith("invalid: no sources")
            result = await client.call_tool("check_quote", {**arguments, "sources": None})
            assert not result.structured_content["errors"]

    async def test_are_never_paths(self, small: str, tmp_path: Path) -> None:
        (tmp_path / "secret.txt").write_text("The password is swordfish.")
        async with Client(small) as client:
            sources = {"secret": str(tmp_path / "secret.txt")}
            arguments = {"quote": "password is swordfish", "sources": sources}
            result = await client.call_tool("check_quote", arguments)
            assert "swordfish" not in text_of(result)
            arguments = {"query": "password", "sources": OTHER, "paths": [str(tmp_path)]}
            assert "paths: Extra inputs" in text_of(await client.call_tool("search", arguments))


BAD_CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("check_quote", {}, "no arguments"),
    ("check_quote", {"quote": "Lunch"}, "no sources"),
    ("check_quote", {"quote": " ", "sources": OTHER}, "blank"),
    ("check_quote", {"quote": "Lunch", "sources": {"menu": "…"}}, "no letters"),
    ("check_quote", {"quote": "x" * 201, "sources": OTHER}, "a long quote"),
    ("check", {"answer": "free text", "sources": OTHER}, "free text as an answer"),
    ("check", {"answer": {}, "sources": OTHER}, "empty"),
    ("audit", {"text": "x " * 150, "sources": OTHER}, "a long text"),
    ("search", {"query": "x", "k": 0, "sources": OTHER}, "no passages"),
    ("search", {"query": "x", "source_id": "faq", "sources": OTHER}, "an unknown id"),
]


class TestRejected:
    async def test_an_unknown_tool(self, address: str) -> None:
        async with Client(address) as client:
            with pytest.raises(MCPError, match="no such tool: rm; there are check_quote"):
                await client.call_tool("rm", {})

    async def test_bad_arguments(self, small: str) -> None:
        texts = {}
        async with Client(small) as client:
            for name, arguments, case in BAD_CALLS:
                result = await client.call_tool(name, arguments)
                assert result.is_error
                texts[case] = wrapped(result)
        assert texts == snapshot(
            {
                "no arguments": "invalid: quote: Field required (and 1 more)",
                "no sources": "invalid: sources: Field required",
                "blank": "invalid: quote: String should match pattern '\\S'",
                "no letters": "invalid: no sources: there is no text to check quotes against",
                "a long quote": "text_too_long: the quote has more than 200 characters",
                "free text as an answer": """\
invalid: the answer has the wrong form: the whole: Input should be a valid
dictionary or instance of Answer\
""",
                "empty": "invalid: the answer has the wrong form: statements: Field required",
                "a long text": "text_too_long: the text has more than 200 characters",
                "no passages": "invalid: k: Input should be greater than or equal to 1",
                "an unknown id": "invalid: source_id: no source has the id 'faq'; the ids are menu",
            }
        )

    async def test_a_call_that_fails(self, small: str) -> None:
        async with Client(small) as client:
            arguments = {"text": "Lunch is misconfigured.", "sources": OTHER}
            result = await client.call_tool("audit", arguments)
            assert text_of(result).startswith("internal: ")
            assert "secret" not in text_of(result)
            result = await client.call_tool("audit", {"text": "Lunch.", "sources": OTHER})
            assert not result.is_error


@pytest.mark.slow
class TestSeveralCalls:
    async def test_at_once_are_not_mixed_up(self) -> None:
        numbers = range(30)
        service = ToolService(None, limits=Limits(workers=2))
        with served(service.http_app()) as address:
            async with Client(f"{address}{PATH}") as client:
                calls = (
                    client.call_tool(
                        "check_quote",
                        {"quote": f"room {n} is", "sources": {f"s{n}": f"Look: room {n} is free."}},
                    )
                    for n in numbers
                )
                results = await asyncio.gather(*calls)
        assert [each.structured_content["quote"] for each in results] == [
            f"room {n} is" for n in numbers
        ]

    async def test_a_slow_one_does_not_block_others(self, small: str) -> None:
        async with Client(small) as client:
            arguments = {"text": "Lunch is endless.", "sources": OTHER}
            slow = asyncio.create_task(client.call_tool("audit", arguments))
            while not slow.done():
                await asyncio.wait_for(client.list_tools(cache_mode="bypass"), 1)
                await asyncio.sleep(0.1)
        assert text_of(slow.result()).startswith("too_slow")

    async def test_a_cancelled_one_frees_its_worker(self) -> None:
        service = ToolService(OTHER, stunts, limits=Limits(workers=1))
        with served(service.http_app()) as address:
            for mode in ("auto", "legacy"):
                async with Client(f"{address}{PATH}", mode=mode) as client:
                    assert not (await client.call_tool("search", {"query": "lunch"})).is_error
                    slow = client.call_tool("audit", {"text": "Lunch is endless."})
                    cancelled = asyncio.create_task(slow)
                    await asyncio.sleep(0.5)
                    cancelled.cancel()
                    # Well before the 60 seconds of the call are over.
                    async with asyncio.timeout(30):
                        result = await client.call_tool("search", {"query": "lunch"})
                    assert not result.is_error, mode

    async def test_progress_is_reported(self, address: str) -> None:
        seen: list[tuple[float, float | None]] = []

        async def on_progress(done: float, total: float | None, _: str | None) -> None:
            seen.append((done, total))

        async with Client(address) as client:
            arguments = {"text": "Notice is one month. " * 40}
            await client.call_tool("audit", arguments, progress_callback=on_progress)
        assert seen
        assert seen[-1][0] == seen[-1][1]


class TestHttp:
    def test_other_hosts_and_sites_are_rejected(self, small: str) -> None:
        reply = httpx.post(small, json={}, headers={"Host": "evil.example"})
        assert code_of(reply) == (400, "bad_host")
        reply = httpx.post(small, json={}, headers={"Sec-Fetch-Site": "cross-site"})
        assert code_of(reply) == (403, "cross_site")

    async def test_a_new_client_ends_the_session_that_is_idle_the_longest(self) -> None:
        app = ToolService(KNOWN, limits=Limits(workers=1, sessions=2)).http_app()
        text = "Notice is one month. " * 500
        parameters = {"name": "audit", "arguments": {"text": text}}
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": parameters}
        listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}
        with served(app) as address:
            async with httpx.AsyncClient(base_url=address, headers=HEADERS, timeout=60) as client:

                async def opened() -> tuple[int, dict[str, str]]:
                    reply = await client.post(PATH, content=INITIALIZE)
                    return reply.status_code, {"Mcp-Session-Id": reply.headers["Mcp-Session-Id"]}

                async def status(session: dict[str, str]) -> int:
                    return (await client.post(PATH, json=listing, headers=session)).status_code

                (_, busy), (_, first) = await opened(), await opened()
                async with client.stream("POST", PATH, json=call, headers=busy) as reply:
                    code, second = await opened()
                    assert (code, await status(first), await status(second)) == (200, 404, 200)
                    assert '"isError":false' in (await reply.aread()).decode()
                assert await status(busy) == 200
                await opened()
                assert await status(second) == 404

    def test_a_token_is_required_of_every_request(self, no_process: None) -> None:
        statuses = {
            "": 401,
            "Bearer other": 401,
            "Basic !": 401,
            "Basic eDpvdGhlcg==": 401,
            "Bearer sesame": 400,
            "bearer sesame": 400,
            "Basic eDpzZXNhbWU=": 400,
        }
        service = ToolService(KNOWN, limits=Limits(workers=1))
        with served(service.http_app(token="sesame")) as address:
            for authorization, status in statuses.items():
                named = {**HEADERS, "Authorization": authorization}
                reply = httpx.post(address + PATH, content=b"{", headers=named)
                assert reply.status_code == status, authorization

    @each_row("body", [b"{", b"[]", b'"x"', b"\xff", b'{"jsonrpc": "2.0"}'])
    def test_malformed_bodies_are_rejected(self, small: str, body: bytes) -> None:
        assert httpx.post(small, content=body, headers=HEADERS).status_code == 400


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-c", PROGRAM, "mcp", "--limit", "workers=1", *arguments]


def stdio(*arguments: str) -> Any:
    program, *rest = command(*arguments)
    environment = {**os.environ, "PYTHONPATH": PACKAGE_PATH}
    return stdio_client(StdioServerParameters(command=program, args=rest, env=environment))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two sources."""
    for name, text in KNOWN.items():
        (tmp_path / f"{name}.md").write_text(text)
    return tmp_path


@pytest.mark.slow
class TestStandardStreams:
    async def test_serve_files_named_at_the_start(self, folder: Path) -> None:
        async with Client(stdio(str(folder))) as client:
            results = await asyncio.gather(
                *(client.call_tool(name, arguments) for name, arguments, _ in CALLS)
            )
            with pytest.raises(MCPError):
                await client.call_tool("rm", {})
        assert not any(each.is_error for each in results)
        assert "handbook, line 1" in text_of(results[0])

    def test_malformed_lines_leave_it_running_and_half_a_character_is_answered(self) -> None:
        quotes = [r"Lunch \ud83d costs", r"Zebra \\ud83d", r"\ud83d\ude00 \uDE00 Lunch"]
        lines = ["not JSON", "[]", "{}", '"\ud800"', INITIALIZE]
        lines.append(json.dumps({"jsonrpc": "2.0", "method": INITIALIZED}))
        for number, quote in enumerate(quotes, start=2):
            arguments = f'{{"quote": "{quote}", "sources": {{"a": "Lunch is free."}}}}'
            params = f'{{"name": "check_quote", "arguments": {arguments}}}'
            lines.append(
                f'{{"jsonrpc": "2.0", "id": {number}, "method": "tools/call", "params": {params}}}'
            )
        written = "".join(f"{each}\n" for each in lines).encode("utf-8", "replace")
        results: dict[int, Any] = {}
        with started() as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(written)
            process.stdin.flush()
            while len(results) <= len(quotes):
                reply = json.loads(process.stdout.readline())
                if "result" in reply:
                    results[reply["id"]] = reply["result"]
            process.stdin.close()
            assert not any("result" in json.loads(line) for line in process.stdout)
            assert process.wait(60) == 0
        assert results.pop(1)["serverInfo"]["name"] == "citeguard"
        assert {number: each["structuredContent"]["quote"] for number, each in results.items()} == {
            2: "Lunch \ufffd costs",
            3: "Zebra \\ud83d",
            4: "😀 \ufffd Lunch",
        }

    @each_row(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)], ids=str)
    def test_a_signal_ends_it_at_once(self, number: signal.Signals, status: int) -> None:
        with started() as process:
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdin.write(f"{INITIALIZE}\n".encode())
            process.stdin.flush()
            assert process.stdout.readline()
            children = psutil.Process(process.pid).children()
            process.send_signal(number)  # while standard input stays open
            assert process.wait(60) == status
            assert psutil.wait_procs(children, timeout=10)[1] == []
            assert process.stdout.read() == b""
            errors = process.stderr.read().decode()
        assert errors == ("citeguard: interrupted\n" if status == 130 else "")


INITIALIZE = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
)


INITIALIZED = "notifications/initialized"


def started(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command(*arguments),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": PACKAGE_PATH},
    )


@pytest.mark.slow
def test_command_sessions_that_end_for_others_leave_nothing_and_write_nothing() -> None:
    process = started("--http", "127.0.0.1:0", "--limit", "sessions=50")
    assert process.stderr is not None
    address = process.stderr.readline().decode().partition("listening on ")[2].split()[0]

    def megabytes(sessions: int) -> float:
        for _ in range(sessions):
            assert client.post(address, content=INITIALIZE, headers=HEADERS).is_success
        return psutil.Process(process.pid).memory_info().rss / 1e6

    try:
        with httpx.Client(timeout=120) as client:
            before = megabytes(60)
            assert megabytes(150) - before <= 4
        process.terminate()
        assert process.wait(60) == 0
        assert process.stderr.read() == b""
    finally:
        process.kill()
        process.communicate()


async def test_server_serves_one_client_after_another(no_process: None) -> None:
    server = create_mcp_server(KNOWN, limits=SMALL)
    for _ in range(2):
        async with Client(server) as client:
            result = await client.call_tool("check_quote", {"quote": "x" * 30_001})
        # Over HTTP, the body of the request is too large.
        assert text_of(result) == "body_too_large: the arguments have more than 30,000 bytes"


async def test_fact_check_returns_verdicts_with_the_words_that_decide(address: str) -> None:
    text = "The bridge opened in May 1937. The bridge's span is 310 metres."
    async with Client(address) as client:
        (*_, tool) = (await client.list_tools()).tools
        assert tool.annotations is not None
        assert tool.annotations.open_world_hint
        result = await client.call_tool("fact_check", {"text": text})
    assert not result.is_error
    jsonschema.validate(result.structured_content, tool.output_schema or {})
    assert text_of(result).startswith("1 of 2 statements is supported; 1 is contradicted.")
    assert "https://example.org/bridge#:~:text=" in text_of(result)


def test_passages_have_no_control_characters() -> None:
    sources = Sources({"faq\x1b[2J": "Lunch is\u202e free.\nSo is tea."})
    text = passages_text(sources.search("lunch"), sources)
    assert text.endswith("faq\\u001b[2J, line 1\nLunch is\\u202e free.\nSo is tea.")
