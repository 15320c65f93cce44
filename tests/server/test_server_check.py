"""`POST /check`: an answer with citations."""

import json
from typing import Any

import httpx

from citeguard import Sources
from citeguard.validation.examine import as_data, examine
from citeguard.validation.policy import Policy
from rows import each_row
from server.serving import STREAM, code_of, events_of

SOURCES = {"hours": "The shop opens at ten.", "canteen": "Lunch is free for all."}


def answer(*quotes: str) -> dict[str, Any]:
    statements = [{"text": quote, "citations": [{"quote": quote}]} for quote in quotes]
    return {"statements": statements}


def as_json(data: Any) -> Any:
    return json.loads(json.dumps(data))


ANSWER = answer("Lunch is free", "The shop opens at nine")


class TestCheck:
    @each_row("support", [False, True])
    def test_replies_like_the_command(self, client: httpx.Client, support: bool) -> None:
        request = {"answer": ANSWER, "sources": SOURCES, "support": support}
        reply = client.post("/check", json=request)
        sources = Sources(SOURCES)
        policy = Policy.fast() if support else None
        assert reply.status_code == 200
        assert reply.json() == as_json(as_data(examine(ANSWER, sources, policy), sources))

    def test_takes_a_form_with_files(self, client: httpx.Client) -> None:
        reply = client.post(
            "/check",
            data={"answer": json.dumps(ANSWER), "support": "true"},
            files={"files": ("canteen.txt", b"Lunch is free for all.")},
        )
        first, second = reply.json()["statements"]
        assert first["citations"][0]["spans"][0]["source_id"] == "canteen"
        assert second["citations"][0]["errors"][0]["code"] == "quote_not_found"

    def test_sends_each_statement(self, client: httpx.Client) -> None:
        request = {"answer": ANSWER, "sources": SOURCES}
        reply = client.post("/check", json=request, headers=STREAM)
        events = list(events_of(reply.text.splitlines()))
        assert [name for name, _ in events] == ["sources", "statement", "statement", "result"]
        assert [data for name, data in events if name == "statement"] == events[-1][1]["statements"]

    @each_row(
        "wrong", [None, [], "text", {}, {"statements": [{"text": 1}]}, {"statements": [{}, {}]}]
    )
    def test_rejects_what_is_not_an_answer(self, client: httpx.Client, wrong: Any) -> None:
        reply = client.post("/check", json={"answer": wrong, "sources": SOURCES})
        assert code_of(reply) == (422, "invalid")

    def test_accepts_or_rejects_any_nesting(self, client: httpx.Client) -> None:
        for depth in range(970, 1_000):  # Python's own limit is somewhere here
            nested = "[" * depth + "]" * depth
            body = f'{{"answer": {{"statements": [], "more": {nested}}}, "sources": {{"a": "b"}}}}'
            headers = {"Content-Type": "application/json"}
            assert client.post("/check", content=body, headers=headers).status_code < 500
