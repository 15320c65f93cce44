"""`citeguard data questions`: pairs that a scripted model writes, from documents to a data set."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from citeguard.cli.app import run
from cli.material import told_in_one_line, words, write
from fixture_types import Captured
from llm_server import LLMServer, Reply, Request
from pair_writer import GUIDE, PairWriter, answer, pair, statement

FEE = pair("What do visitors pay a day?", "Visitors pay 5 euros a day at the north gate.")
LUNCH = pair("What does lunch cost?", "Lunch costs 7 euros and is served from noon.")
BADGE = pair("Where is the badge issued?", "The badge is issued at the north gate.")
FALSE = pair("What does a horse pay?", "Horses pay 90 euros.")


@pytest.fixture(autouse=True)
def guide(plain_terminal: None, no_model: None) -> None:
    write("guide.md", GUIDE)


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer(PairWriter({"1 Entry": [BADGE], "2 Fees": [FEE, LUNCH, FALSE]})) as server:
        yield server


def ask(server: LLMServer, *options: str, to: str = "pairs.jsonl") -> int:
    model = ["--model", "openai/writer-1", "--base-url", server.base_url]
    return run(["data", "questions", "guide.md", "--to", to, *model, *options])


def written(path: str = "pairs.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]


def refuse(_: Request) -> Reply:
    return Reply("sk-secret is wrong", status=401)


class TestPairs:
    def test_are_written_and_counted(self, server: LLMServer, capsys: Captured) -> None:
        assert ask(server) == 0
        assert [each["question"] for each in written()] == [
            each["question"] for each in (BADGE, FEE, LUNCH)
        ]
        said = words(capsys.readouterr().out)
        assert "3 pairs kept of 4 made" in said
        assert "quote_altered 1" in said
        assert {request.body["model"] for request in server.requests} == {"writer-1"}

    def test_may_be_dense_and_long(self, server: LLMServer) -> None:
        long = answer(statement(FEE["answer"]))
        server.route = PairWriter({"2 Fees": [FEE, LUNCH]}, {FEE["question"]: long})
        assert ask(server, "--kind", "dense", "--answers", "long") == 0
        assert len(written()) == 1

    def test_go_to_standard_output(self, server: LLMServer, capsys: Captured) -> None:
        assert ask(server, to="-") == 0
        lines = capsys.readouterr().out.splitlines()
        assert [json.loads(line)["section_type"] for line in lines] == ["main"] * 3

    def test_are_reported_as_json(self, server: LLMServer, capsys: Captured) -> None:
        assert ask(server, "--json") == 0
        data = json.loads(capsys.readouterr().out)
        assert (data["kept"], data["codes"]) == (3, {"quote_altered": 1})
        assert data["dropped"][0]["sample"]["question"] == FALSE["question"]


class TestFailures:
    def test_of_some_calls_are_shown_and_end_with_three(
        self, server: LLMServer, capsys: Captured
    ) -> None:
        server.route = PairWriter({"1 Entry": [BADGE], "2 Fees": Reply("", status=503)})
        assert ask(server) == 3
        assert len(written()) == 1
        assert "1 call failed, so pairs are missing" in words(capsys.readouterr().out)

    def test_of_the_key_are_one_line(self, server: LLMServer, capsys: Captured) -> None:
        server.route = refuse
        said = told_in_one_line(capsys, ask(server))
        assert "the API key is not accepted" in said
        assert "sk-secret" not in said
