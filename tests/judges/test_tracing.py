"""Judge calls as OpenTelemetry spans."""

from collections.abc import Iterator

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from citeguard import Answer, JudgeFailedError, Policy, Sources, SupportQuestion, Verdict, verify
from citeguard.testing import ScriptedJudge

SOURCES = Sources({"rules": "Notice is one month. Lunch is free."})
CITATION = {"quote": "Notice is one month", "source_id": "rules"}
ANSWER = {"statements": [{"text": "It takes a month.", "citations": [CITATION]}]}


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """What a program that traces would export."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    yield exporter
    provider.shutdown()


class Broken:
    """A judge that fails."""

    name = "broken"

    def judge(self, questions: list[SupportQuestion]) -> list[Verdict]:
        raise JudgeFailedError("no answer")


def test_a_call_is_a_span_with_its_verdicts(spans: InMemorySpanExporter) -> None:
    judge = ScriptedJudge(
        {"It takes a month.": Verdict("supported", reason="So it says.", score=0.9)}
    )
    verify(Answer, ANSWER, sources=SOURCES, policy=Policy(support=[judge], alignment=judge))
    support, alignment = spans.get_finished_spans()
    assert support.name == f"judge {judge.name}"
    assert dict(support.attributes or {}) == {
        "citeguard.judge.subject": "support",
        "citeguard.judge.questions": 1,
    }
    (event,) = support.events
    assert event.name == "gen_ai.evaluation.result"
    assert dict(event.attributes or {}) == {
        "gen_ai.evaluation.name": "citeguard.support",
        "gen_ai.evaluation.score.label": "supported",
        "gen_ai.evaluation.score.value": 0.9,
        "gen_ai.evaluation.explanation": "So it says.",
    }
    assert len(alignment.events) == 2


def test_a_failure_is_the_spans_error(spans: InMemorySpanExporter) -> None:
    policy = Policy(support=[Broken()], undecided="pass")
    verify(Answer, ANSWER, sources=SOURCES, policy=policy)
    (span,) = spans.get_finished_spans()
    assert span.status.status_code is StatusCode.ERROR
    assert "no answer" in (span.status.description or "")
