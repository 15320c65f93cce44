"""What a worker process does with a request, in this process."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from citeguard.errors import UndecidedError
from citeguard.judges.judge import JudgeFailedError
from citeguard.server.jobs import Event, Job
from citeguard.server.limits import Limits
from citeguard.server.refusals import RefusedError
from citeguard.server.work import Rules, work_on
from citeguard.testing import ScriptedJudge
from citeguard.validation.policy import Policy

RULES = Rules(policy=Policy(), extractor=None, limits=Limits())
SOURCES = {"canteen": "Lunch is free for all."}
ANSWER = {"statements": [{"text": "Lunch is free.", "citations": [{"quote": "Lunch is free"}]}]}

VERIFY = {"text": "Lunch is free.", "sources": SOURCES}
CHECK = {"answer": ANSWER, "sources": SOURCES}


def told(action: Any, data: Any, rules: Rules = RULES, **facts: Any) -> list[Event]:
    body = json.dumps(data).encode()
    job = Job(
        **{"action": action, "form": "json", "page": False, **facts},
        content_type="application/json",
        body=body,
    )
    events: list[Event] = []
    work_on(job, rules, events.append)
    return events


def names(events: list[Event]) -> list[str]:
    return [event.name for event in events]


class TestVerify:
    @pytest.mark.parametrize(
        ("facts", "expected"),
        [
            ({"form": "json"}, ["sources", "progress", "report"]),
            ({"form": "html"}, ["sources", "progress", "page"]),
            ({"form": "events"}, ["sources", "claim", "progress", "report"]),
            ({"form": "events", "page": True}, ["sources", "claim", "progress", "report", "page"]),
        ],
        ids=str,
    )
    def test_tells_what_is_asked_for(self, facts: dict[str, Any], expected: list[str]) -> None:
        assert names(told("verify", VERIFY, **facts)) == expected

    def test_asks_the_judges_of_the_service(self) -> None:
        judge = ScriptedJudge(otherwise="contradicted")
        rules = replace(RULES, policy=Policy(support=[judge]))
        *_, report = told("verify", VERIFY, rules)
        assert json.loads(report.data)["claims"][0]["verdict"] == "contradicted"

    def test_refuses_what_nobody_could_read(self) -> None:
        class Silent:
            def extract(self, texts: Any) -> Any:
                raise UndecidedError("no reply can be read")

        with pytest.raises(RefusedError) as refused:
            told("verify", VERIFY, replace(RULES, extractor=Silent()))
        assert refused.value.code == "undecided"


class TestCheck:
    def test_tells_each_statement_and_the_result(self) -> None:
        events = told("check", CHECK, form="events")
        assert names(events) == ["sources", "statement", "result"]

    def test_has_statements_judged_that_the_service_has_no_judge_for(self) -> None:
        _, result = told("check", {**CHECK, "support": True})
        assert json.loads(result.data)["statements"][0]["verdict"]["judge"] == "GroundingVerifier"

    def test_asks_nobody_unless_that_is_asked_for(self) -> None:
        judge = ScriptedJudge()
        told("check", CHECK, replace(RULES, policy=Policy(support=[judge])))
        assert judge.asked == []

    def test_refuses_what_its_policy_wants_decided(self) -> None:
        judge = ScriptedJudge(otherwise=JudgeFailedError("no idea"))
        rules = replace(RULES, policy=Policy(support=[judge], undecided="raise"))
        with pytest.raises(RefusedError) as refused:
            told("check", {**CHECK, "support": True}, rules)
        assert refused.value.code == "undecided"
