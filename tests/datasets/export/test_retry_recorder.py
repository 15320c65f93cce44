"""The recorder, with the real instructor client and a server that speaks OpenAI's protocols."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import instructor
import pytest
from anthropic.types import Message, TextBlock, ToolUseBlock
from instructor import Mode
from instructor.core.exceptions import InstructorRetryException

from citeguard import Answer, Policy, Source, Sources, guard
from citeguard.datasets import RetryRecorder, export_samples
from citeguard.testing import ScriptedJudge
from export_material import WRONG, answer, document, lines
from llm_server import LLMServer

QUESTION = "What do visitors of building 7 pay?"
SOURCES = Sources([Source("rules", document(7), title="Rules")])
MODES = [Mode.TOOLS, Mode.JSON, Mode.JSON_SCHEMA, Mode.MD_JSON, Mode.RESPONSES_TOOLS]


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as server:
        yield server


def ask(client: Any, policy: Policy | None = None, retries: int = 2) -> Any:
    return client.create(
        model="scripted",
        response_model=Answer,
        messages=[{"role": "user", "content": SOURCES.as_prompt(QUESTION)}],
        context=SOURCES.as_context(policy),
        max_retries=retries,
    )


class TestRecording:
    @pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
    def test_a_retry_becomes_a_pair(self, mode: Mode, server: LLMServer, tmp_path: Path) -> None:
        server.push(WRONG, answer(7))
        client = instructor.from_openai(server.client(), mode=mode)
        recorder = RetryRecorder(client)
        with recorder.asking(QUESTION, SOURCES):
            ask(client)
        [sample] = json.loads(json.dumps(recorder.samples))
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
            recorder = RetryRecorder(client)
            with recorder.asking(QUESTION, SOURCES):
                await asyncio.gather(*(ask(client) for _ in range(3)))
        assert [len(each["rejected"]) for each in recorder.samples] == [1, 1, 1]
        assert [json.loads(each["answer"]) for each in recorder.samples] == [answer(7)] * 3

    def test_a_guarded_client_records_what_judges_reject(
        self, server: LLMServer, tmp_path: Path
    ) -> None:
        first = json.loads(json.dumps(answer(7)).replace("They pay", "All pay"))
        server.push(first, answer(7))
        policy = Policy(support=[ScriptedJudge({"All pay 7 euros.": "unsupported"})])
        client = guard(instructor.from_openai(server.client()))
        recorder = RetryRecorder(client)
        with recorder.asking(QUESTION, SOURCES):
            ask(client, policy)
        summary = export_samples(
            recorder.samples, tmp_path / "out", form="chosen-rejected", policy=policy
        )
        assert summary.exported == 1

    def test_a_call_that_never_succeeds_has_no_answer(
        self, server: LLMServer, tmp_path: Path
    ) -> None:
        server.push(WRONG, WRONG, answer(7))
        client = instructor.from_openai(server.client())
        recorder = RetryRecorder(client)
        with recorder.asking(QUESTION, SOURCES):
            with pytest.raises(InstructorRetryException):
                ask(client, retries=1)
            ask(client)
        failed, succeeded = recorder.samples
        assert (failed["answer"], len(failed["rejected"])) == (None, 2)
        assert (json.loads(succeeded["answer"]), succeeded["rejected"]) == (answer(7), [])

    def test_what_a_judge_that_is_down_left_open_is_no_answer(self, server: LLMServer) -> None:
        server.push(answer(7))
        policy = Policy(support=[ScriptedJudge(otherwise="undecided")], undecided="raise")
        client = instructor.from_openai(server.client())
        recorder = RetryRecorder(client)
        with recorder.asking(QUESTION, SOURCES), pytest.raises(InstructorRetryException):
            ask(client, policy)
        assert recorder.samples == []

    def test_nothing_is_recorded_outside_a_block_or_after_closing(self, server: LLMServer) -> None:
        server.push(answer(7), answer(7))
        client = instructor.from_openai(server.client())
        recorder = RetryRecorder(client)
        ask(client)
        recorder.close()
        with recorder.asking(QUESTION, SOURCES):
            ask(client)
        assert recorder.samples == []

    def test_a_reply_of_unknown_format_is_a_warning(self, server: LLMServer) -> None:
        recorder = RetryRecorder(client := instructor.from_openai(server.client()))
        with (
            recorder.asking(QUESTION, SOURCES),
            pytest.warns(UserWarning, match="cannot read a reply of type str"),
        ):
            client.hooks.emit_completion_response("words")
        assert recorder.samples == []


class TestMessagesOfAnthropic:
    @pytest.mark.parametrize(
        ("blocks", "said"),
        [
            (
                [
                    TextBlock(type="text", text="Well."),
                    ToolUseBlock(type="tool_use", id="1", name="Answer", input={"statements": []}),
                ],
                '{"statements": []}',
            ),
            ([TextBlock(type="text", text='{"statements": []}')], '{"statements": []}'),
        ],
        ids=["tool", "text"],
    )
    def test_are_read(
        self, blocks: list[TextBlock | ToolUseBlock], said: str, server: LLMServer
    ) -> None:
        client = instructor.from_openai(server.client())
        recorder = RetryRecorder(client)
        message = Message.model_construct(id="1", role="assistant", content=blocks)
        with recorder.asking(QUESTION, SOURCES):
            client.hooks.emit_completion_response(message)
        assert recorder.samples[0]["answer"] == said
