"""A language model as a judge: the commands, the real openai client, and a scripted endpoint."""

import json
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from citeguard.cli.app import run
from citeguard.cli.arguments import JudgeOptions, judge_of
from citeguard.judges.reader import ReaderJudge
from citeguard.reports.report import Report
from cli.material import told_in_one_line, words, write
from fixture_types import Captured, MonkeyPatch
from integration.judge_material import JudgingModel, statements_asked
from llm_server import LLMServer, Reply, Request
from tiny_entailment import save_model

KEY = "sk-hunter2"
RULES = (
    "Employees who resign must give one month of notice in writing. "
    "Everyone must badge in at the door."
)
PLAIN = "Everyone must badge in at the door."
"""What the rules say word for word, so that the reader supports it."""
HARD = "Resignations need a letter one month before."
"""What they do not say word for word, so that the reader of these tests cannot decide it."""
NO_MODEL = Reply(f"There is no such model for {KEY}.", status=404)


def statement(text: str, quote: str) -> dict[str, Any]:
    return {"text": text, "citations": [{"quote": quote, "source_id": "rules"}]}


ANSWER = {"statements": [statement(PLAIN, PLAIN), statement(HARD, RULES.split(". ")[0])]}


def replying(reply: Reply) -> Callable[[Request], Reply]:
    return lambda _: reply


@pytest.fixture(autouse=True)
def files(monkeypatch: MonkeyPatch) -> None:
    for name in ("CITEGUARD_JUDGE", "CITEGUARD_JUDGE_BASE_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    write("rules.txt", RULES)
    write("text.md", f"{PLAIN} {HARD}")
    write("answer.json", ANSWER)
    write("samples.jsonl", json.dumps({**ANSWER, "sources": {"rules": RULES}}))
    judge_of.cache_clear()
    # Whatever its weights are: it decides what is verbatim, and nothing that is read.
    unsure = ReaderJudge(supported_from=1, contradicted_from=1, unsupported_below=0)
    # A module that is first imported under the patch would keep it after the test.
    for module in ("factcheck.checking", "datasets.evaluation", "auditing.run"):
        import_module(f"citeguard.{module}")
    monkeypatch.setattr("citeguard.validation.policy.reader_judge", lambda: unsure)


@pytest.fixture
def endpoint() -> Iterator[LLMServer]:
    with LLMServer(JudgingModel()) as server:
        yield server


def judge(endpoint: LLMServer, *options: str) -> list[str]:
    return ["--judge", "openai/judge-1", "--base-url", endpoint.base_url, *options]


AUDIT = ["audit", "text.md", "--sources", "rules.txt", "--quiet"]
CHECK = ["check", "answer.json", "--sources", "rules.txt"]
FILTER = ["filter", "samples.jsonl", "--quiet"]
EVALUATE = ["evaluate", "samples.jsonl"]


class TestCascade:
    @pytest.mark.parametrize("command", [AUDIT, CHECK], ids=["audit", "check"])
    def test_asks_about_what_the_reader_leaves_undecided(
        self, endpoint: LLMServer, command: list[str], capsys: Captured
    ) -> None:
        assert run([*command, *judge(endpoint)]) == 0
        assert [text.rstrip(".") for text in statements_asked(endpoint)] == [HARD.rstrip(".")]
        assert endpoint.requests[0].body["model"] == "judge-1"
        assert "judge-1: asked about 1, decided 1; 1 call, " in capsys.readouterr().out

    def test_of_audits_is_in_every_report(self, endpoint: LLMServer, capsys: Captured) -> None:
        outputs = ["--html", "r.html", "--markdown", "r.md", "--json", "r.json"]
        assert run([*AUDIT, *judge(endpoint, "--judge-price", "2"), *outputs]) == 0
        report = Report.model_validate_json(Path("r.json").read_text())
        [stage] = report.models
        assert (stage.judge, stage.asked, stage.calls) == ("judge-1", 1, 1)
        assert stage.tokens > 0
        assert stage.cost == pytest.approx(stage.tokens * 2 / 1e6)
        assert f"{stage.tokens:,} tokens, cost {stage.cost:.4f}" in capsys.readouterr().out
        assert f"Judge {stage}" in Path("r.html").read_text()
        assert "Judge judge-1: asked about 1, decided 1" in Path("r.md").read_text()

    def test_of_a_model_of_ones_own(self, endpoint: LLMServer, capsys: Captured) -> None:
        command = [*CHECK, "--model", "citeguard:Answer", "--json", *judge(endpoint)]
        assert run(command) == 0
        [model] = json.loads(capsys.readouterr().out)["models"]
        assert (model["judge"], model["decided"]) == ("judge-1", 1)

    def test_of_an_evaluation(self, endpoint: LLMServer, capsys: Captured) -> None:
        assert run([*EVALUATE, *judge(endpoint)]) == 0
        printed = words(capsys.readouterr().out)
        assert "1 sample: 1 would be kept" in printed
        assert "judge-1: asked about" in printed


@pytest.mark.parametrize("command", [AUDIT, CHECK, EVALUATE], ids=["audit", "check", "evaluate"])
def test_budget_leaves_undecided_what_it_does_not_pay_for(
    endpoint: LLMServer, command: list[str], capsys: Captured
) -> None:
    status = run([*command, *judge(endpoint, "--judge-calls", "0")])
    assert status == (0 if command is EVALUATE else 3)
    assert endpoint.requests == []
    assert "ndecided" in capsys.readouterr().out


def test_an_empty_option_asks_no_judge(endpoint: LLMServer, monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setenv("CITEGUARD_JUDGE", "openai/judge-1")
    monkeypatch.setenv("CITEGUARD_JUDGE_BASE_URL", endpoint.base_url)
    assert run([*AUDIT, "--judge", ""]) == 3
    assert endpoint.requests == []


class TestErrors:
    @pytest.mark.parametrize(
        ("command", "reply", "reason"),
        [
            (AUDIT, NO_MODEL, "HTTP 404, there is no such model"),
            (CHECK, Reply(f"Wrong: {KEY}.", status=401), "HTTP 401, the API key is not accepted"),
            (FILTER, NO_MODEL, "HTTP 404"),
            (EVALUATE, NO_MODEL, "HTTP 404"),
        ],
        ids=["audit", "check", "filter", "evaluate"],
    )
    def test_of_the_set_up_stop_the_command(
        self, endpoint: LLMServer, command: list[str], reply: Reply, reason: str, capfd: Captured
    ) -> None:
        endpoint.route = replying(reply)
        assert run([*command, *judge(endpoint)]) == 2
        assert reason in (told := told_in_one_line(capfd))
        assert KEY not in told

    def test_of_one_call_leave_the_claim_undecided(
        self, endpoint: LLMServer, capfd: Captured
    ) -> None:
        endpoint.route = replying(Reply(f"Wrong: {KEY}.", status=400))
        assert run([*AUDIT, *judge(endpoint), "--json", "-"]) == 3
        printed = capfd.readouterr()
        assert "its endpoint answered HTTP 400" in printed.out
        assert KEY not in printed.out + printed.err

    def test_name_the_key_that_is_missing(
        self, endpoint: LLMServer, monkeypatch: MonkeyPatch, capsys: Captured
    ) -> None:
        monkeypatch.delenv("OPENAI_API_KEY")
        told = told_in_one_line(capsys, run([*AUDIT, *judge(endpoint)]))
        assert told == ("--judge openai/judge-1 needs a key in the environment: set OPENAI_API_KEY")


def test_options_can_be_shown(endpoint: LLMServer) -> None:
    options = JudgeOptions(judge="openai/judge-1", base_url=endpoint.base_url)
    assert KEY not in f"{options!r} {options()!r} {options().support[1]!r}"


@pytest.mark.torch
def test_entailment_decides_what_the_reader_cannot(capsys: Captured) -> None:
    save_model(Path("whole"), ["entailment", "neutral", "contradiction"])
    assert run([*FILTER, "--judge", "reader:whole"]) == 0
    assert "1 rejected" in (printed := words(capsys.readouterr().out))
    assert ", 0 undecided" in printed


class TestFactcheck:
    @pytest.fixture(autouse=True)
    def pages(self) -> None:
        Path("pages").mkdir()
        write("pages/rules.txt", RULES)

    def test_asks_about_what_the_reader_leaves_undecided(
        self, endpoint: LLMServer, capsys: Captured
    ) -> None:
        given = ["fact-check", f"{PLAIN} {HARD}", "--folder", "pages", "--quiet", "--json", "-"]
        assert run([*given, *judge(endpoint)]) == 0
        report = json.loads(capsys.readouterr().out)
        assert [claim["judge"] for claim in report["claims"]] == ["reader", "judge-1"]
        assert report["spent"]["calls"] == 1

    def test_can_write_the_queries(self, capsys: Captured) -> None:
        judging = JudgingModel()

        def reply(request: Request) -> Reply | None:
            if request.tool != "QueriesReply":
                return judging(request)
            return Reply({"checkable": True, "queries": ["notice of employees who resign"]})

        with LLMServer(reply) as server:
            given = ["fact-check", HARD, "--folder", "pages", "--write-queries", "--json", "-"]
            assert run([*given, *judge(server)]) == 0
        queries = [each["query"] for each in json.loads(capsys.readouterr().out)["searches"]]
        assert "notice of employees who resign" in queries
