"""The scripted language model in a process of its own, so that it stalls no measured loop.

    python -m benchmarks.judges.served GENERATING JUDGING

The arguments are the seconds that a generation and a judge's call take. It writes its address, and
then, for every line that it reads, what has been asked of it since the last one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from openai import AsyncOpenAI, DefaultAsyncHttpxClient, DefaultHttpxClient, OpenAI

from llm_server import LLMServer, Reply, Request

from . import answers

Kind = Literal["generation", "support", "alignment", "validation"]

_KINDS: dict[str, Kind] = {
    "SupportReply": "support",
    "AlignmentReply": "alignment",
    "Validation": "validation",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request as the language model got it.

    Attributes:
        kind: What was asked for; all but a generation is asked by a judge.
        statements: The statements to be judged.
        received: Reading of the monotonic clock, which all processes share.
    """

    kind: Kind
    statements: list[str]
    received: float


@contextmanager
def served(
    *, generating: float, judging: float
) -> Generator[tuple[str, Callable[[], list[Asked]]]]:
    """Run a scripted language model; yield its address, and what returns what it was asked since.

    Args:
        generating: Seconds that a generation takes.
        judging: Seconds that a call of a judge takes.
    """
    tests = Path(__file__).parents[2]
    path = os.pathsep.join([str(tests), str(tests.parent / "src")])
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.judges.served", str(generating), str(judging)],
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    told, asking = process.stdout, process.stdin

    def asked() -> list[Asked]:
        asking.write("\n")
        asking.flush()
        return [Asked(**each) for each in json.loads(told.readline())]

    try:
        yield told.readline().strip(), asked
    finally:
        process.communicate()


def client(base_url: str) -> OpenAI:
    """Return a client that retries nothing by itself."""
    # Plain HTTP needs no certificates, and to load them takes a client 30 ms.
    transport = DefaultHttpxClient(verify=False)
    return OpenAI(base_url=base_url, api_key="scripted", max_retries=0, http_client=transport)


def async_client(base_url: str) -> AsyncOpenAI:
    """Return the asynchronous twin of `client`."""
    transport = DefaultAsyncHttpxClient(verify=False)
    return AsyncOpenAI(base_url=base_url, api_key="scripted", max_retries=0, http_client=transport)


class _Script:
    """Says what the answers' script says, and remembers what it was asked."""

    def __init__(self, generating: float, judging: float) -> None:
        self._generating = generating
        self._judging = judging
        self._asked: list[Asked] = []
        self._lock = threading.Lock()

    def __call__(self, request: Request) -> Reply:
        """Answer a request, in its time."""
        kind = _KINDS.get(request.tool or "", "generation")
        again = any(message["role"] == "tool" for message in request.messages)
        statements, payload = _said(kind, request, 2 if again else 1)
        with self._lock:
            self._asked.append(Asked(kind=kind, statements=statements, received=request.received))
        time.sleep(self._generating if kind == "generation" else self._judging)
        return Reply(payload)

    def forget(self) -> list[dict[str, Any]]:
        """Return what was asked, and begin anew."""
        with self._lock:
            told, self._asked = self._asked, []
        return [asdict(each) for each in told]


def _said(kind: Kind, request: Request, attempt: int) -> tuple[list[str], dict[str, Any]]:
    """Return the statements that a request is about, and the reply to it."""
    if kind == "generation":
        asked = next(text for text in request.texts if "report" in text)
        return [], answers.answer_to(asked, attempt=attempt)
    if kind == "validation":
        statement = request.texts[-1].partition("Statement: ")[2].partition("\n")[0]
        return [statement], {"is_valid": not answers.is_wrong(statement)}
    data = json.loads(request.texts[-1].partition("\n")[2].rpartition("\n")[0])
    cases = data.get("cases") or data["statements"]
    replies = {"verdicts": [_verdict(case) for case in cases]}
    if kind == "alignment":
        replies |= {"reason": "Every plant is there.", "answered": True}
    return [case["statement"] for case in cases], replies


def _verdict(case: dict[str, Any]) -> dict[str, str]:
    outcome = "contradicted" if answers.is_wrong(case["statement"]) else "supported"
    words = case["evidence"][0]["text"].partition(" and ")[0]
    return {"id": case["id"], "reason": "So it says.", "verdict": outcome, "words": words}


def _main() -> None:
    script = _Script(*map(float, sys.argv[1:]))
    with LLMServer(script) as server:
        sys.stdout.write(f"{server.base_url}\n")
        sys.stdout.flush()
        for _ in sys.stdin:
            told = script.forget()
            server.requests.clear()
            sys.stdout.write(f"{json.dumps(told)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    _main()
