"""Questions that the sources leave open: a model may say so, and gains nothing by inventing."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import instructor
import pytest
from instructor.core.exceptions import InstructorRetryException

from citeguard import Answer, LLMJudge, Policy, guard
from integration.judge_material import aligned, read_data
from integration.material import HANDBOOK, SOURCES, TRIAL
from integration.open_questions import ANSWERED, OPEN, Inventor, sources_answer
from llm_server import LLMServer, Reply, Request

QUESTIONS = [each[0] for each in OPEN]


def ask(
    questions: Iterable[str], model: Inventor, policy: Policy | None = None, retries: int = 1
) -> list[Answer | None]:
    """Return the answers to questions; `None` for one that ends in an error."""
    with LLMServer(model) as server:
        client = guard(instructor.from_openai(server.client()))
        return [_ask(client, question, policy, retries) for question in questions]


def _ask(client: Any, question: str, policy: Policy | None, retries: int) -> Answer | None:
    try:
        return client.create(
            model="scripted",
            messages=[{"role": "user", "content": SOURCES.as_prompt(question)}],
            response_model=Answer,
            context=SOURCES.as_context(policy, question=question),
            max_retries=retries,
        )
    except InstructorRetryException:
        return None


def ends(answers: list[Answer | None]) -> Counter[str]:
    """Count the answers that leave the question open, state something, or are an error."""
    return Counter(
        "error" if each is None else "stated" if each.statements else "open" for each in answers
    )


class TestInventedQuotes:
    """What is invented comes with a quote that is invented, too."""

    def test_all_are_left_open(self) -> None:
        answers = ask(QUESTIONS, Inventor())
        assert ends(answers) == {"open": len(OPEN)}
        assert all(each and each.unanswerable for each in answers)

    @pytest.mark.parametrize("invalid", ["fail", "salvage"])
    def test_a_stubborn_model_ends_in_an_error(self, invalid: Literal["fail", "salvage"]) -> None:
        answers = ask(QUESTIONS, Inventor(stubborn=True), Policy(invalid=invalid))
        assert ends(answers) == {"error": len(OPEN)}

    def test_questions_that_are_answered_are_not_affected(self) -> None:
        answers = ask(ANSWERED, Inventor(), retries=0)
        assert ends(answers) == {"stated": len(ANSWERED)}
        assert all(each and each.unanswerable is None for each in answers)


class TestMisusedQuotes:
    """What is invented comes with words of the source that say something else."""

    def test_the_embedded_verifier_lets_none_pass(self) -> None:
        model, policy = Inventor(misuses=True, stubborn=True), Policy.fast()
        assert ends(ask(QUESTIONS, model, policy, retries=0)) == {"error": len(OPEN)}


class TestJudgeOfTheWhole:
    """The judge of the alignment objects to a question that is left open without need."""

    @pytest.fixture
    def endpoint(self) -> Iterator[LLMServer]:
        """A judge's model that knows which questions the sources answer."""

        def align(request: Request) -> Reply | None:
            if (data := read_data(request)) is None:
                return None
            verdicts = [
                {"id": each["id"], "words": each["evidence"][0]["text"], "verdict": "supported"}
                for each in data["statements"]
            ]
            said = {"answered": sources_answer(data), "reason": "So it is."}
            return Reply({**said, "verdicts": verdicts})

        with LLMServer(align) as server:
            yield server

    @pytest.fixture
    def policy(self, endpoint: LLMServer) -> Policy:
        """A policy with a judge of the whole."""
        return Policy(alignment=LLMJudge(endpoint.client(), model="judge-1"))

    def test_all_are_left_open(self, policy: Policy) -> None:
        answers = ask(QUESTIONS, Inventor(), policy)
        assert ends(answers) == {"open": len(OPEN)}
        assert all(each and each.alignment and each.alignment.answer.decided for each in answers)

    def test_a_model_that_gives_up_too_early_must_answer(self, policy: Policy) -> None:
        assert ends(ask(ANSWERED, Inventor(lazy=True), policy)) == {"stated": len(ANSWERED)}

    def test_the_judge_sees_the_reason_and_short_sources_whole(
        self, endpoint: LLMServer, policy: Policy
    ) -> None:
        question = "What does the laptop cost?"
        ask([question], Inventor(), policy)
        data = aligned(endpoint)[-1]
        assert data["unanswerable"] == f"The sources do not say: {question}"
        assert [passage["text"] for passage in data["passages"]] == [HANDBOOK, TRIAL]
