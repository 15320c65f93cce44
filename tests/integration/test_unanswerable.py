"""Questions that the sources leave open: a model may say so, and gains nothing by inventing."""

from typing import Literal

import instructor
import pytest
from instructor.core.exceptions import InstructorRetryException

from citeguard import Answer, LLMJudge, Policy, guard
from integration.judge_material import JudgingModel, aligned
from integration.material import HANDBOOK, SOURCES, TRIAL, Json, citation
from llm_server import LLMServer

QUESTION = "What does the laptop cost?"
OPEN: Json = {"statements": [], "unanswerable": f"The sources do not say: {QUESTION}"}


def answered(text: str, source_id: str, quote: str) -> Json:
    """Return an answer of one statement."""
    return {"statements": [{"text": text, "citations": [citation(quote, source_id)]}]}


INVENTED = answered("The laptop costs 900 euros.", "handbook", "The laptop costs 900 euros.")


MISUSED = [
    ("The bonus is two salaries.", "handbook", "final salary"),
    ("The laptop costs 900 euros.", "handbook", "their laptop"),
    ("Employees may work abroad for 20 days.", "handbook", "25 days"),
    ("Norvia makes veltamor.", "trial", "veltamor or a placebo"),
    ("The trial was double-blind.", "trial", "We assigned 412 adults"),
    ("Children may take 10 mg of veltamor.", "trial", "20 mg"),
]


def ask(server: LLMServer, policy: Policy | None = None, retries: int = 1) -> Answer:
    return guard(instructor.from_openai(server.client())).create(
        model="scripted",
        messages=[{"role": "user", "content": SOURCES.as_prompt(QUESTION)}],
        response_model=Answer,
        context=SOURCES.as_context(policy, question=QUESTION),
        max_retries=retries,
    )


class TestInventions:
    def test_end_in_an_open_question(self, server: LLMServer) -> None:
        server.push(INVENTED, OPEN)
        found = ask(server)
        assert (found.statements, found.unanswerable) == ([], OPEN["unanswerable"])
        assert "quote_not_found" in server.requests[1].texts[-1]

    @pytest.mark.parametrize("invalid", ["fail", "salvage"])
    def test_of_a_stubborn_model_end_in_an_error(
        self, server: LLMServer, invalid: Literal["fail", "salvage"]
    ) -> None:
        server.push(INVENTED, INVENTED)
        with pytest.raises(InstructorRetryException, match="quote_not_found"):
            ask(server, Policy(invalid=invalid))

    @pytest.mark.parametrize("misused", MISUSED, ids=lambda each: each[0])
    def test_with_words_of_the_source_do_not_pass_the_reader(
        self, server: LLMServer, misused: tuple[str, str, str]
    ) -> None:
        server.push(answered(*misused))
        with pytest.raises(InstructorRetryException):
            ask(server, Policy.fast(), retries=0)


@pytest.mark.parametrize("rightly", [True, False])
def test_judge_of_the_whole_sees_the_reason_and_short_sources_whole(
    server: LLMServer, rightly: bool
) -> None:
    """The judge of the alignment objects to a question that is left open without need."""
    with LLMServer(JudgingModel(answered=rightly)) as endpoint:
        server.push(OPEN)
        policy = Policy(alignment=LLMJudge(endpoint.client(), model="judge-1"))
        if rightly:
            found = ask(server, policy, retries=0)
            assert found.alignment is not None
            assert found.alignment.answer.decided
        else:
            with pytest.raises(InstructorRetryException, match="answer_misaligned"):
                ask(server, policy, retries=0)
        data = aligned(endpoint)[-1]
    assert data["unanswerable"] == OPEN["unanswerable"]
    assert [passage["text"] for passage in data["passages"]] == [HANDBOOK, TRIAL]
