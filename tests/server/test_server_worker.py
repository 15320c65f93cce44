"""What a worker process does with a request, in this process."""

import json
from dataclasses import replace
from typing import Any

import pytest

from citeguard.errors import UndecidedError
from citeguard.judges.verdicts import JudgeFailedError
from citeguard.server.errors import ServiceError
from citeguard.server.limits import Limits
from citeguard.server.worker import Event, Job, Rules, work_on
from citeguard.testing import ScriptedJudge
from citeguard.validation.policy import Policy

RULES = Rules(policy=Policy(), extractor=None, limits=Limits())
SOURCES = {"canteen": "Lunch is free for all."}
ANSWER = {"statements": [{"text": "Lunch is free.", "citations": [{"quote": "Lunch is free"}]}]}

AUDIT = {"text": "Lunch is free.", "sources": SOURCES}
CHECK = {"answer": ANSWER, "sources": SOURCES}


def events_of(action: Any, data: Any, rules: Rules = RULES, **options: Any) -> list[Event]:
    body = json.dumps(data).encode()
    job = Job(
        **{"action": action, "reply_format": "json", "page": False, **options},
        content_type="application/json",
        body=body,
    )
    events: list[Event] = []
    work_on(job, rules, events.append)
    return events


class TestVerify:
    def test_asks_the_judges_of_the_service(self) -> None:
        judge = ScriptedJudge(otherwise="contradicted")
        rules = replace(RULES, policy=Policy(support=[judge]))
        *_, report = events_of("audit", AUDIT, rules)
        assert json.loads(report.data)["claims"][0]["verdict"] == "contradicted"

    def test_rejects_a_text_whose_claims_are_undecided(self) -> None:
        class Silent:
            def extract(self, texts: Any) -> Any:
                raise UndecidedError("no reply can be read")

        with pytest.raises(ServiceError) as raised:
            events_of("audit", AUDIT, replace(RULES, extractor=Silent()))
        assert raised.value.code == "undecided"


class TestCheck:
    def test_uses_the_reader_if_the_policy_has_no_judge(self) -> None:
        _, result = events_of("check", {**CHECK, "support": True})
        assert json.loads(result.data)["statements"][0]["verdict"]["judge"] == "reader"

    def test_rejects_what_is_undecided_if_the_policy_raises(self) -> None:
        judge = ScriptedJudge(otherwise=JudgeFailedError("no idea"))
        rules = replace(RULES, policy=Policy(support=[judge], undecided="raise"))
        with pytest.raises(ServiceError) as raised:
            events_of("check", {**CHECK, "support": True}, rules)
        assert raised.value.code == "undecided"
