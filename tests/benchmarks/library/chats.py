"""How many questions are answered at once, with a model that takes 200 ms or 2 s.

The service, the model and the clients are a process each, on loopback. A client asks one question
after the other, in a chat that is kept. The ideal rate is that of clients who wait for nothing but
the model. Without service and client, `Chat.aask` is called by one program, whose answerer sleeps
and then quotes.
"""

import asyncio
import json
import multiprocessing
import time
from collections.abc import Awaitable, Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from citeguard import Answer, Library, averify
from citeguard.library.answering import Tell, default_policy
from citeguard.library.reply import Asked

from ..tables import table

LATENCIES = {"model, 200 ms": 0.2, "model, 2 s": 2.0}  # seconds
LOADS = (1, 10, 50)  # clients at once
_SECONDS = 12.0  # that each load is measured
_TURNS = 4  # of a chat
_DOCUMENTS = 20
_QUESTION = "How long is the notice period of a {role}?"
_QUOTE = "The notice period of a {role} is {number} weeks to the end of a month."
_ROLES = (
    *("baker", "carpenter", "driver", "electrician", "fisher", "gardener", "hunter", "jeweller"),
    *("librarian", "miller", "nurse", "optician", "painter", "roofer", "sailor", "tailor"),
    *("usher", "vet", "weaver", "writer"),
)
_BLOCK = "The {role} keeps a diary of what was done on each day, and shows it when asked. "


def lines(_: Path) -> Iterator[str]:
    """Measure, and write a table."""
    columns = ("answers", "clients at once", "replies/s", "of the ideal")
    yield from table("Conversations", columns, _rows())


def _rows() -> Iterator[Sequence[object]]:
    with TemporaryDirectory() as folder:
        _write_documents(Path(folder))
        with _process(_model) as model, _process(_service, folder, model) as service:
            for name in LATENCIES:
                for load in LOADS:
                    yield _served(name, load, [service])
            with _process(_service, folder, model) as other:
                for name in LATENCIES:
                    yield _served(name, LOADS[-1], [service, other])
        with Library(Path(folder) / "library.db") as library:
            for load in LOADS:
                yield _row("no service, 200 ms", load, 0.2, lambda _: _by_library(library))


Ask = Callable[[str], Awaitable[bool]]
"""Asks a question, and returns whether it was answered."""


def _served(name: str, load: int, ports: list[int]) -> Sequence[object]:
    services = f", {len(ports)} processes" if len(ports) > 1 else ""
    client = lambda number: _by_service(name, ports[number % len(ports)])  # noqa: E731
    return _row(f"{name}{services}", load, LATENCIES[name], client)


def _row(
    name: str, load: int, latency: float, client: Callable[[int], Awaitable[Ask]]
) -> Sequence[object]:
    """Let so many clients ask for a while, and return a row of the table."""
    outcomes, seconds = asyncio.run(_outcomes(load, client))
    rate = len(outcomes) / seconds
    wrong = f" ({outcomes.count(False)} wrong)" if False in outcomes else ""
    return [f"{name}{wrong}", load, f"{rate:.1f}", f"{rate * latency / load:.0%}"]


async def _outcomes(load: int, client: Callable[[int], Awaitable[Ask]]) -> tuple[list[bool], float]:
    outcomes: list[bool] = []

    async def run(number: int, ask: Ask, stop: float) -> None:
        for turn in count(number):
            if time.perf_counter() >= stop:
                return
            outcomes.append(await ask(_QUESTION.format(role=_ROLES[turn % len(_ROLES)])))

    start = 0.0
    for seconds in (1, _SECONDS):  # the first ones warm up
        clients = [await client(number) for number in range(load)]
        outcomes.clear()
        start = time.perf_counter()
        await asyncio.gather(*(run(*each, start + seconds) for each in enumerate(clients)))
    return outcomes, time.perf_counter() - start


async def _by_service(model: str, port: int) -> Ask:
    """Ask a service over one connection, in chats of a few turns."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    turns, chat = count(1), dict[str, Any]()

    async def ask(question: str) -> bool:
        nonlocal chat
        reply = await _posted(reader, writer, "/ask", {"question": question, "model": model} | chat)
        goes_on = next(turns) % _TURNS and "chat_id" in reply  # an error has none
        chat = {"chat_id": reply["chat_id"]} if goes_on else {}
        return reply.get("outcome") == "answered"

    return ask


async def _by_library(library: Library) -> Ask:
    """Ask `Chat.aask` itself, with an answerer that calls nobody."""
    turns, chat = count(1), library.chat()

    async def ask(question: str) -> bool:
        nonlocal chat
        reply = await chat.aask(question, answerer=_Sleeping())
        chat = chat if next(turns) % _TURNS else library.chat()
        return reply.outcome == "answered"

    return ask


class _Sleeping:
    """An `Answerer` that knows the right quote, after 200 ms."""

    async def answer(self, asked: Asked, _: Tell | None = None, /) -> Answer:
        await asyncio.sleep(0.2)
        data = {**_answer(asked.question), "question": asked.question}
        return await averify(Answer, data, sources=asked.sources, policy=default_policy(asked))


async def _posted(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, data: Any
) -> dict[str, Any]:
    """Send a request, and return its reply; a client of little cost, on a machine of few cores."""
    body = json.dumps(data).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body)
    return json.loads((await _message(reader))[1])


async def _message(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """Return the head and the body of a request or reply that states its length."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
    return head, await reader.readexactly(int(length or 0))


@contextmanager
def _process(target: Any, *arguments: Any) -> Generator[int]:
    """Run a function in a process; return the port that it listens on."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=target, args=(there, *arguments), daemon=False)
    process.start()
    try:
        yield here.recv()
    finally:
        process.terminate()
        process.join()


def _model(ready: Connection) -> None:
    """Serve chat completions: the quote for the role that the question names, after 200 ms."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while not reader.at_eof():
            try:
                _, body = await _message(reader)
            except asyncio.IncompleteReadError:
                break
            request = json.loads(body)
            await asyncio.sleep(LATENCIES[request["model"]])
            reply = json.dumps(_completion(request)).encode()
            head = (
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(reply)}\r\n\r\n"
            )
            writer.write(head.encode() + reply)
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        ready.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


def _completion(request: dict[str, Any]) -> dict[str, Any]:
    asked = "".join(str(each["content"]) for each in request["messages"])
    answer = _answer(asked.partition('"question":')[2].partition("?")[0])
    name = request["tools"][0]["function"]["name"]
    call = {
        "id": "call",
        "type": "function",
        "function": {"name": name, "arguments": json.dumps(answer)},
    }
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    return {
        "id": "completion",
        "object": "chat.completion",
        "created": 0,
        "model": request["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def _answer(question: str) -> dict[str, Any]:
    role = next(each for each in _ROLES if f" {each}" in question)
    quote = _quote(role)
    citation = {"quote": quote, "source_id": f"staff-{_ROLES.index(role)}"}
    return {"statements": [{"text": quote, "citations": [citation]}], "unanswerable": None}


def _quote(role: str) -> str:
    return _QUOTE.format(role=role, number=3 + _ROLES.index(role))


def _write_documents(folder: Path) -> None:
    (folder / "documents").mkdir()
    for number, role in enumerate(_ROLES[:_DOCUMENTS]):
        around = _BLOCK.format(role=role) * 40
        file = folder / "documents" / f"staff-{number}.txt"
        file.write_text(f"{around}\n\n{_quote(role)}\n\n{around}", "utf-8")


def _service(ready: Connection, folder: str, model: int) -> None:
    """Serve a library, which another process may serve, too."""
    import openai

    from citeguard.library import LLMAnswerer
    from citeguard.server import Chatting, Limits, create_app
    from citeguard.server.running import serve

    client = openai.AsyncOpenAI(api_key="none", base_url=f"http://127.0.0.1:{model}/v1")
    answerers = {name: LLMAnswerer(client, model=name) for name in LATENCIES}
    with Library(Path(folder) / "library.db") as library:
        library.add(Path(folder) / "documents")
        chatting = Chatting(library=library, answerers=answerers)
        app = create_app(limits=Limits(workers=1), library=chatting)
        serve(app, "127.0.0.1", 0, grace=1, on_ready=lambda url: ready.send(int(url[-5:])))
