"""A scripted server on the loopback for OpenAI's files and fine-tuning jobs."""

import json
import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Self

from openai import DefaultHttpxClient, OpenAI

from page_server import Asked, PageServer, reply

Json = dict[str, Any]


@dataclass
class FineTuningServer:
    """Takes files, starts jobs, and lets each run through the states that a test gives.

    Args:
        states: The states of a job, one for each time it is looked at; the last one stays.
        events: The messages that it reports, one more each time.
        error: The error of a job that failed.
        failures: Replies that replace the usual ones, by method and path, in order: a status with
            an error object. The id of a job or file in the path is `*`.

    Attributes:
        files: The files that are there, by id.
        jobs: The requests that started jobs.
        asked: Methods and paths, in order.
    """

    states: list[str] = field(default_factory=lambda: ["queued", "running", "succeeded"])
    events: list[str] = field(default_factory=lambda: ["Job started", "Step 1/2", "Step 2/2"])
    error: Json | None = None
    failures: dict[str, list[tuple[int, Json]]] = field(
        default_factory=dict[str, list[tuple[int, dict[str, Any]]]]
    )

    def __post_init__(self) -> None:
        """Listen on a free port."""
        self.files: dict[str, bytes] = {}
        self.jobs: list[Json] = []
        self.asked: list[str] = []
        self._looks: defaultdict[str, int] = defaultdict(int)
        self._server = PageServer(otherwise=self._answer)
        self._clients: list[OpenAI] = []

    def __enter__(self) -> Self:
        """Return the server, which is listening already."""
        return self

    def __exit__(self, *error: Any) -> None:
        """Stop listening."""
        for client in self._clients:
            client.close()
        self._server.__exit__(*error)

    @property
    def base_url(self) -> str:
        return self._server.url("/v1")

    def client(self, **options: Any) -> OpenAI:
        """Return a real client that talks to this server."""
        given: Json = {
            "base_url": self.base_url,
            "api_key": "scripted",
            "max_retries": 0,
            **options,
        }
        client = OpenAI(**given, http_client=DefaultHttpxClient(verify=False))
        self._clients.append(client)
        return client

    def _answer(self, asked: Asked) -> bytes:
        path = asked.path.partition("?")[0].removeprefix("/v1")
        kind = asked.headers.get("content-type", "")
        status, body = self._reply(asked.method, path, asked.body, kind)
        return reply(json.dumps(body), status, "application/json", Connection="close")

    def _reply(self, method: str, path: str, body: bytes, kind: str) -> tuple[int, Json]:
        route = re.sub(r"/(file|job)-\d+", "/*", f"{method} {path}")
        self.asked.append(route)
        if waiting := self.failures.get(route):
            status, error = waiting.pop(0)
            return status, {"error": {"type": "error", "param": None, "code": None, **error}}
        match route:
            case "POST /files":
                name = f"file-{len(self.files) + 1}"
                self.files[name] = _uploaded(body, kind)
                facts = {"bytes": len(body), "created_at": 0, "filename": "samples.jsonl"}
                state = {"purpose": "fine-tune", "status": "processed"}
                return 200, {"id": name, "object": "file", **facts, **state}
            case "DELETE /files/*":
                name = path.rpartition("/")[2]
                del self.files[name]
                return 200, {"id": name, "object": "file", "deleted": True}
            case "POST /fine_tuning/jobs":
                self.jobs.append(json.loads(body))
                return 200, self._job(f"job-{len(self.jobs)}", self.states[0])
            case "GET /fine_tuning/jobs/*":
                name = path.rpartition("/")[2]
                look = self._looks[name]
                self._looks[name] += 1
                return 200, self._job(name, self.states[min(look, len(self.states) - 1)])
            case "GET /fine_tuning/jobs/*/events":
                seen = self.events[: self._looks[path.split("/")[3]]]
                return 200, {
                    "object": "list",
                    "data": [*map(_event, seen)][::-1],
                    "has_more": False,
                }
            case _:
                return 404, {"error": {"message": f"nothing at {route}"}}

    def _job(self, name: str, status: str) -> Json:
        request = self.jobs[int(name.removeprefix("job-")) - 1]
        done = status == "succeeded"
        return {
            "id": name,
            "object": "fine_tuning.job",
            "created_at": 0,
            "status": status,
            "model": request["model"],
            "fine_tuned_model": f"ft:{request['model']}:{request.get('suffix', '')}"
            if done
            else None,
            "trained_tokens": 1_234 if done else None,
            "training_file": request["training_file"],
            "validation_file": request.get("validation_file"),
            "error": self.error if status == "failed" else None,
            "hyperparameters": {},
            "organization_id": "scripted",
            "result_files": [],
            "seed": 0,
            "finished_at": None,
        }


def _event(message: str) -> Json:
    facts = {"id": f"event-{message}", "created_at": 0, "level": "info"}
    return {"object": "fine_tuning.job.event", "message": message, **facts}


def _uploaded(body: bytes, kind: str) -> bytes:
    """Return the file of a form."""
    boundary = kind.partition("boundary=")[2].encode()
    for part in body.split(b"--" + boundary):
        head, _, content = part.partition(b"\r\n\r\n")
        if b'name="file"' in head:
            return content.removesuffix(b"\r\n")
    return b""
