"""Calls with retries, recorded with the real instructor client over OpenAI's protocols."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import instructor
import pytest
from instructor import Mode
from instructor.core.exceptions import InstructorRetryException

from citeguard import Answer, CiteguardError, Source, Sources
from citeguard.datasets import export_samples, recording
from export_material import WRONG, answer, document, lines
from llm_server import LLMServer

QUESTION = "What do visitors of building 7 pay?"
SOURCES = Sources([Source("rules", document(7), title="Rules")])
MODES = [Mode.TOOLS, Mode.JSON, Mode.JSON_SCHEMA, Mode.MD_JSON, Mode.RESPONSES_TOOLS]


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as server:
        yield server


def ask(client: Any, retries: int = 2) -> Any:
    return client.create(
        model="scripted",
        response_model=Answer,
        messages=[{"role": "user", "content": SOURCES.as_prompt(QUESTION)}],
        context=SOURCES.as_context(),
        max_retries=retries,
    )


class TestRecording:
    @pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
    def test_a_retry_becomes_a_pair(self, mode: Mode, server: LLMServer, tmp_path: Path) -> None:
        server.push(WRONG, answer(7), answer(8))
        client = instructor.from_openai(server.client(), mode=mode)
        with recording(client, QUESTION, SOURCES) as sample:
            ask(client)
        with pytest.raises(InstructorRetryException):
            ask(client, retries=0)  # after the block, nothing is recorded
        assert sample["sources"] == [{"id": "rules", "text": document(7), "title": "Rules"}]
        export_samples([sample], tmp_path / "out", form="preference")
        [line] = lines(tmp_path / "out" / "train.jsonl")
        assert line["input"]["messages"][1]["content"] == SOURCES.as_prompt(QUESTION)
        assert json.loads(line["preferred_output"][0]["content"]) == answer(7)
        assert json.loads(line["non_preferred_output"][0]["content"]) == WRONG

    async def test_calls_at_the_same_time_keep_their_own_attempts(self, server: LLMServer) -> None:
        server.push(WRONG, WRONG, WRONG, answer(7), answer(7), answer(7))
        async with server.async_client() as openai_client:
            client = instructor.from_openai(openai_client)

            async def recorded() -> dict[str, Any]:
                with recording(client, QUESTION, SOURCES) as sample:
                    await ask(client)
                return sample

            samples = await asyncio.gather(*(recorded() for _ in range(3)))
        assert [len(each["rejected"]) for each in samples] == [1, 1, 1]
        assert [json.loads(each["answer"]) for each in samples] == [answer(7)] * 3

    def test_a_call_that_never_succeeds_has_no_answer(self, server: LLMServer) -> None:
        server.push(WRONG, WRONG)
        client = instructor.from_openai(server.client())
        with (
            recording(client, QUESTION, SOURCES) as sample,
            pytest.raises(InstructorRetryException),
        ):
            ask(client, retries=1)
        assert (sample["answer"], len(sample["rejected"])) == (None, 2)

    def test_anything_but_an_instructor_client_is_an_error(self, server: LLMServer) -> None:
        with (
            pytest.raises(CiteguardError, match="only an instructor client"),
            recording(server.client(), QUESTION, SOURCES),
        ):
            pass
