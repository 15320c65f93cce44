"""Fine-tuning jobs: files that are checked first, endpoints that refuse, and jobs that fail."""

import json
from pathlib import Path
from typing import Any

import pytest

from citeguard import CiteguardError
from citeguard.library.fine_tuning import start_fine_tuning, wait_for_fine_tuning
from fine_tuning_server import FineTuningServer
from rows import each_row

CHAT = {
    "messages": [
        {"role": "user", "content": "How long is the notice period?"},
        {"role": "assistant", "content": "It is one month."},
    ]
}
PREFERENCE = {
    "input": {"messages": CHAT["messages"][:1]},
    "preferred_output": CHAT["messages"][1:],
    "non_preferred_output": [{"role": "assistant", "content": "It is two months."}],
}


def written(path: Path, *lines: Any, count: int = 10) -> Path:
    """Write samples as lines, the first one so often that there are enough."""
    listed = [*lines[:1] * (count - len(lines) + 1), *lines[1:]]
    texts = (each if isinstance(each, str) else json.dumps(each) for each in listed)
    path.write_text("\n".join(texts) + "\n", "utf-8")
    return path


@pytest.fixture
def train(tmp_path: Path) -> Path:
    return written(tmp_path / "train.jsonl", CHAT)


@pytest.fixture
def validation(tmp_path: Path) -> Path:
    return written(tmp_path / "validation.jsonl", CHAT, count=3)


class TestStart:
    def test_uploads_and_starts(self, train: Path, validation: Path) -> None:
        with FineTuningServer() as server:
            job = start_fine_tuning(
                server.client(), train, validation, model="small", suffix="paper"
            )
        assert (job.status, job.training_file, job.validation_file) == (
            "queued",
            "file-1",
            "file-2",
        )
        assert server.files["file-1"] == train.read_bytes()
        assert server.files["file-2"] == validation.read_bytes()
        [asked] = server.jobs
        assert asked["suffix"] == "paper"
        assert asked["method"] == {
            "type": "supervised",
            "supervised": {"hyperparameters": {"n_epochs": 3, "batch_size": 1}},
        }

    def test_prefers_by_dpo(self, tmp_path: Path) -> None:
        path = written(tmp_path / "train.jsonl", PREFERENCE)
        with FineTuningServer() as server:
            start_fine_tuning(server.client(), path, model="small", epochs=1, seed=7)
        assert server.jobs[0]["method"]["type"] == "dpo"
        assert server.jobs[0]["seed"] == 7
        assert "validation_file" not in server.jobs[0]

    def test_uploads_nothing_if_a_file_is_empty(self, train: Path, tmp_path: Path) -> None:
        empty = tmp_path / "empty.jsonl"
        empty.write_text("\n")
        with (
            FineTuningServer() as server,
            pytest.raises(CiteguardError, match="has no samples"),
        ):
            start_fine_tuning(server.client(), train, empty, model="small")
        assert not server.asked

    @each_row(
        "failures, message",
        [
            (
                {"POST /files": [(413, {"message": "The file is too large."})]},
                "was not uploaded: the endpoint answered HTTP 413: The file is too large",
            ),
            (
                {
                    "POST /fine_tuning/jobs": [
                        (400, {"message": "has bad rows", "param": "validation_file"})
                    ]
                },
                "was not started: the endpoint answered HTTP 400: has bad rows",
            ),
            (
                {"POST /fine_tuning/jobs": [(429, {"message": "Too many jobs."})]},
                "the job was not started: the endpoint answered HTTP 429: Too many jobs",
            ),
            (
                {"POST /files": [(401, {"message": "Incorrect API key provided: sk-123"})]},
                r"HTTP 401$",
            ),
        ],
    )
    def test_leaves_no_file_behind_if_it_is_refused(
        self, train: Path, validation: Path, failures: Any, message: str
    ) -> None:
        with FineTuningServer(failures=failures) as server:
            with pytest.raises(CiteguardError, match=message):
                start_fine_tuning(server.client(), train, validation, model="small")
            assert not server.files

    def test_needs_an_endpoint(self, train: Path) -> None:
        with FineTuningServer() as server:
            client = server.client()
        with (
            client.copy() as gone,
            pytest.raises(CiteguardError, match="Connection error"),
        ):
            start_fine_tuning(gone, train, model="small")


class TestWait:
    def test_reports_each_event_once(self, train: Path) -> None:
        told: list[str] = []
        with FineTuningServer() as server:
            client = server.client()
            job = start_fine_tuning(client, train, model="small", suffix="paper")
            done = wait_for_fine_tuning(
                client, job.id, poll=0, on_event=lambda event: told.append(event.message)
            )
        assert (done.status, done.fine_tuned_model, done.trained_tokens) == (
            "succeeded",
            "ft:small:paper",
            1234,
        )
        assert told == ["Job started", "Step 1/2", "Step 2/2"]

    def test_raises_at_once_if_there_is_no_such_job(self) -> None:
        gone = {"GET /fine_tuning/jobs/*": [(404, {"message": "No such job."})]}
        with (
            FineTuningServer(failures=gone) as server,
            pytest.raises(CiteguardError, match="HTTP 404: No such job"),
        ):
            wait_for_fine_tuning(server.client(), "job-9", poll=0)

    def test_ends_in_time(self, train: Path) -> None:
        with FineTuningServer(states=["running"]) as server:
            client = server.client()
            job = start_fine_tuning(client, train, model="small")
            state = wait_for_fine_tuning(client, job.id, poll=0.01, timeout=0.03)
        assert state.status == "running"
