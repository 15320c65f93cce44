"""`citeguard data fine-tune`: jobs that start, succeed and fail."""

import json
from pathlib import Path

import pytest

from citeguard.cli.app import run
from citeguard.datasets import export_samples
from cli.material import told_in_one_line, words
from export_material import samples
from fine_tuning_server import FineTuningServer
from fixture_types import Captured, MonkeyPatch


@pytest.fixture(autouse=True)
def dataset(plain_terminal: None, monkeypatch: MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "scripted")
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    export_samples(samples(30), Path("set"))


TRAIN = ["data", "fine-tune", "set/train.jsonl", "--model", "small"]
BOTH = [*TRAIN, "--validation", "set/validation.jsonl"]


def tune(server: FineTuningServer, *options: str) -> int:
    return run([*BOTH, "--base-url", server.base_url, *options])


class TestJobs:
    def test_are_waited_for(self, capsys: Captured) -> None:
        with FineTuningServer() as server:
            assert tune(server, "--wait") == 0
        said = words(capsys.readouterr().out)
        assert "Step 1/2" in said
        assert "The new model: ft:small" in said

    def test_that_fail_end_with_one(self, capsys: Captured) -> None:
        with FineTuningServer(
            states=["queued", "failed"], error={"message": "Bad rows."}
        ) as server:
            assert tune(server, "--wait") == 1
        assert "Bad rows." in words(capsys.readouterr().out)

    def test_are_shown_as_json(self, capsys: Captured) -> None:
        with FineTuningServer() as server:
            assert tune(server, "--wait", "--json") == 0
        assert json.loads(capsys.readouterr().out)["model"] == "ft:small:"

    def test_that_are_refused_are_one_line(self, capsys: Captured) -> None:
        refused = {"POST /fine_tuning/jobs": [(400, {"message": "no such model"})]}
        with FineTuningServer(failures=refused) as server:
            assert tune(server, "--json") == 2
        assert "HTTP 400: no such model" in told_in_one_line(capsys)


def test_needs_a_key(capsys: Captured, monkeypatch: MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    assert "OPENAI_API_KEY" in told_in_one_line(capsys, run(TRAIN))
