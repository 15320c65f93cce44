"""A language model as the judge of the service: the real openai client, and a scripted endpoint."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from citeguard.cli.arguments import JudgeOptions
from citeguard.server import Limits, create_app
from llm_server import LLMServer, Reply, Request
from server.serving import client_of, code_of, served, working
from server.stunts import BeyondTheReader

KEY = "sk-hunter2"
RULES = "Employees who resign must give one month of notice in writing."
HARD = "Resignations need a letter one month before."
SOURCES = {"rules": RULES}
ANSWER = {"statements": [{"text": HARD, "citations": [{"quote": RULES, "source_id": "rules"}]}]}
CHECK: dict[str, Any] = {"answer": ANSWER, "sources": SOURCES, "support": True}
REQUESTS: dict[str, dict[str, Any]] = {
    "/check": CHECK,
    "/audit": {"text": HARD, "sources": SOURCES},
}


def replying(reply: Reply) -> Callable[[Request], Reply]:
    return lambda _: reply


@pytest.fixture(scope="module")
def endpoint() -> Iterator[LLMServer]:
    with LLMServer() as server:
        yield server


@pytest.fixture(scope="module")
def judged(endpoint: LLMServer) -> Iterator[httpx.Client]:
    """Return a client of a service whose judge is at the endpoint."""
    judge = JudgeOptions(judge="openai/judge-1", base_url=endpoint.base_url)
    with pytest.MonkeyPatch.context() as patch, working(texts=True):
        patch.setenv("OPENAI_API_KEY", KEY)
        app = create_app(BeyondTheReader(judge), limits=Limits(workers=1))
        with served(app) as address, client_of(address) as client:
            yield client


@pytest.mark.parametrize("path", REQUESTS)
class TestBrokenSetUp:
    @pytest.mark.parametrize("status", [401, 404])
    def test_is_an_internal_error(
        self, endpoint: LLMServer, judged: httpx.Client, path: str, status: int
    ) -> None:
        endpoint.route = replying(Reply(f"Nobody knows {KEY}.", status=status))
        reply = judged.post(path, json=REQUESTS[path])
        assert code_of(reply) == (500, "internal")
        assert reply.json()["error"]["message"] == "internal error"

    def test_of_one_call_is_only_undecided(
        self, endpoint: LLMServer, judged: httpx.Client, path: str
    ) -> None:
        endpoint.route = replying(Reply(f"Nobody knows {KEY}.", status=503))
        reply = judged.post(path, json=REQUESTS[path])
        assert reply.status_code == 200
        assert "its endpoint answered HTTP 503" in reply.text
        assert KEY not in reply.text


@pytest.mark.parametrize("path", REQUESTS)
def test_what_a_judge_raises_is_not_for_clients(small: httpx.Client, path: str) -> None:
    request = json.loads(json.dumps(REQUESTS[path]).replace(HARD, "A letter is out of reach."))
    for accept in ("application/json", "text/html"):
        reply = small.post(path, json=request, headers={"Accept": accept})
        assert "StuntJudge: raised RuntimeError" in reply.text
        assert "db.example" not in reply.text
