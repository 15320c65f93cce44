"""`Quote` as the field of own models, with the clients that fill them in."""

from typing import Annotated

import instructor
from pydantic import BaseModel

from citeguard import ExactQuote, FuzzyQuote, Quote, Span
from integration.conftest import Ask, question
from integration.material import SOURCES, Json
from llm_server import LLMServer


class Finding(BaseModel):
    """A model of the user's own."""

    source: str
    evidence: Annotated[Quote, FuzzyQuote(source_field="source")]
    words: list[Annotated[Quote, ExactQuote()]] = []
    aside: Quote | None = None


class Report(BaseModel):
    """One in which it is nested."""

    findings: list[Finding]


def finding(evidence: str) -> Json:
    """Return a finding as a model writes it."""
    return {"source": "trial", "evidence": evidence, "words": ["once daily"], "aside": None}


RIGHT: Json = {"findings": [finding("no deaths occurred during the study")]}
WRONG: Json = {"findings": [finding("Two deaths occurred during the study")]}


def assert_found(report: Report) -> None:
    """Assert that the quotes know where they are from."""
    (found,) = report.findings
    assert (found.evidence, found.evidence.grade) == (
        "No deaths occurred during the study",
        "normalized",
    )
    assert found.evidence.quoted_as == "no deaths occurred during the study"
    assert found.evidence.span is not None
    assert SOURCES.slice(found.evidence.span) == found.evidence
    assert found.words[0].span == Span("trial", 81, 91)
    assert found.aside is None


class TestInstructor:
    async def test_one_is_a_plain_str_until_it_is_verified(self, server: LLMServer) -> None:
        server.push(RIGHT)
        async with server.async_client() as client:
            partials = instructor.from_openai(client).create_partial(
                **question(), response_model=Report, context=SOURCES.as_context()
            )
            kinds = [type(each.findings[0].evidence) async for each in partials if each.findings]
        assert {str, Quote} <= set(kinds)
        assert kinds[-1] is Quote

    async def test_a_bad_one_is_corrected(self, ask: Ask, server: LLMServer) -> None:
        server.push(WRONG, RIGHT)
        report = await ask(response_model=Report, context=SOURCES.as_context(), max_retries=1)
        assert_found(report)
        told = server.requests[1].texts[-1]
        assert "\nfindings.0.evidence\n" in told
        assert "statement" not in told.partition("Recall")[0]
