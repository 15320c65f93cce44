"""The scripted server, asked by the real `openai` client."""

import asyncio
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import openai
import pytest
from pydantic import BaseModel

from llm_server import Fault, LLMServer, Reply, Request

ASK: dict[str, Any] = {"model": "scripted", "messages": [{"role": "user", "content": "How many?"}]}
ASK_RESPONSES: dict[str, Any] = {"model": "scripted", "input": "How many?"}
COUNT = {"count": 3, "of": "Äpfel"}


class Count(BaseModel):
    """What the replies of these tests hold."""

    count: int
    of: str


def chat_tool(name: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": Count.model_json_schema()}}


def responses_tool(name: str) -> dict[str, Any]:
    schema = Count.model_json_schema()
    return {"type": "function", "name": name, "parameters": schema, "strict": False}


def ask_in_vain(client: openai.OpenAI) -> None:
    """Ask, and see the connection break."""
    with pytest.raises(openai.APIError):
        client.chat.completions.create(**ASK)


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as server:
        yield server


class TestChatCompletions:
    def test_calls_the_tool_that_is_demanded(self, server: LLMServer) -> None:
        server.push(COUNT)
        choice: Any = {"type": "function", "function": {"name": "second"}}
        done = server.client().chat.completions.create(
            **ASK, tools=[chat_tool("first"), chat_tool("second")], tool_choice=choice
        )
        (call,) = done.choices[0].message.tool_calls or []
        assert call.type == "function"
        assert call.function.name == "second"
        assert json.loads(call.function.arguments) == COUNT
        assert done.choices[0].finish_reason == "tool_calls"

    @pytest.mark.parametrize("choice", ["auto", "required"])
    def test_calls_the_first_tool_when_none_is_named(self, server: LLMServer, choice: Any) -> None:
        server.push(COUNT)
        done = server.client().chat.completions.create(
            **ASK, tools=[chat_tool("first"), chat_tool("second")], tool_choice=choice
        )
        (call,) = done.choices[0].message.tool_calls or []
        assert call.type == "function"
        assert call.function.name == "first"

    def test_answers_in_json_when_a_format_is_asked_for(self, server: LLMServer) -> None:
        server.push(COUNT)
        done = server.client().chat.completions.create(
            **ASK, response_format={"type": "json_object"}
        )
        assert json.loads(done.choices[0].message.content or "") == COUNT
        assert done.choices[0].finish_reason == "stop"

    def test_fences_json_when_a_fence_is_asked_for(self, server: LLMServer) -> None:
        server.push(COUNT)
        messages: Any = [{"role": "user", "content": "Answer in a ```json codeblock."}]
        done = server.client().chat.completions.create(model="scripted", messages=messages)
        prose, fenced = (done.choices[0].message.content or "").split("```json\n")
        assert prose.startswith("Here is the answer")
        assert json.loads(fenced.split("\n```")[0]) == COUNT

    def test_sends_raw_text_as_it_stands(self, server: LLMServer) -> None:
        server.push("No {idea}.")
        done = server.client().chat.completions.create(**ASK)
        assert done.choices[0].message.content == "No {idea}."

    def test_a_scripted_shape_wins_over_the_request(self, server: LLMServer) -> None:
        server.push(Reply("I would rather not.", shape="text"))
        done = server.client().chat.completions.create(**ASK, tools=[chat_tool("first")])
        assert done.choices[0].message.content == "I would rather not."
        assert done.choices[0].message.tool_calls is None

    def test_parse_reads_the_reply(self, server: LLMServer) -> None:
        server.push(COUNT)
        done = server.client().chat.completions.parse(**ASK, response_format=Count)
        assert done.choices[0].message.parsed == Count(count=3, of="Äpfel")

    def test_usage_grows_with_prompt_and_reply(self, server: LLMServer) -> None:
        server.push("short", "long " * 400)
        create = server.client().chat.completions.create
        short, long = (create(**ASK).usage for _ in range(2))
        assert short is not None
        assert long is not None
        assert 0 < short.prompt_tokens == long.prompt_tokens
        assert (short.completion_tokens, long.completion_tokens) == (2, 500)
        assert long.total_tokens == long.prompt_tokens + long.completion_tokens

    def test_a_cut_reply_says_so(self, server: LLMServer) -> None:
        server.push(Reply(COUNT, cut_after='{"cou'))
        done = server.client().chat.completions.create(**ASK)
        assert done.choices[0].message.content == '{"cou'
        assert done.choices[0].finish_reason == "length"

    def test_a_cut_that_would_never_be_made_is_refused(self) -> None:
        with pytest.raises(ValueError, match="'four' is not in the reply"):
            Reply("one two three", cut_after="four")

    def test_a_scripted_finish_reason_is_sent(self, server: LLMServer) -> None:
        server.push(Reply("", finish_reason="content_filter"))
        done = server.client().chat.completions.create(**ASK)
        assert done.choices[0].finish_reason == "content_filter"


class TestChatCompletionsStreamed:
    def test_content_comes_in_pieces_of_the_scripted_size(self, server: LLMServer) -> None:
        server.push(Reply("one two three", chunk_size=5))
        chunks = list(server.client().chat.completions.create(**ASK, stream=True))
        pieces = [chunk.choices[0].delta.content for chunk in chunks]
        assert pieces == ["", "one t", "wo th", "ree", None]
        assert chunks[-1].choices[0].finish_reason == "stop"

    def test_tool_arguments_come_in_pieces(self, server: LLMServer) -> None:
        server.push(Reply(COUNT, chunk_size=7))
        with server.client().chat.completions.stream(**ASK, tools=[chat_tool("first")]) as stream:
            done = stream.get_final_completion()
        (call,) = done.choices[0].message.tool_calls or []
        assert call.function.name == "first"
        assert json.loads(call.function.arguments) == COUNT
        assert done.choices[0].finish_reason == "tool_calls"

    def test_usage_comes_last_when_asked_for(self, server: LLMServer) -> None:
        server.push("one two three")
        options: Any = {"include_usage": True}
        *_, last = server.client().chat.completions.create(
            **ASK, stream=True, stream_options=options
        )
        assert last.choices == []
        assert last.usage is not None
        assert last.usage.completion_tokens == 4

    def test_a_cut_stream_ends_early_and_says_so(self, server: LLMServer) -> None:
        server.push(Reply("one two three", cut_after="one two"))
        chunks = list(server.client().chat.completions.create(**ASK, stream=True))
        assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == "one two"
        assert chunks[-1].choices[0].finish_reason == "length"

    def test_a_reader_that_leaves_early_does_no_harm(self, server: LLMServer) -> None:
        server.push(Reply("x" * 200_000, chunk_size=100), "still there")
        client = server.client()
        with client.chat.completions.create(**ASK, stream=True) as stream:
            next(iter(stream))
        assert client.chat.completions.create(**ASK).choices[0].message.content == "still there"


class TestResponses:
    def test_calls_the_function(self, server: LLMServer) -> None:
        server.push(COUNT)
        choice: Any = {"type": "function", "name": "second"}
        tools: Any = [responses_tool("first"), responses_tool("second")]
        done = server.client().responses.create(**ASK_RESPONSES, tools=tools, tool_choice=choice)
        (item,) = done.output
        assert item.type == "function_call"
        assert item.name == "second"
        assert json.loads(item.arguments) == COUNT
        assert done.status == "completed"

    def test_parse_reads_the_output_text(self, server: LLMServer) -> None:
        server.push(COUNT)
        done = server.client().responses.parse(**ASK_RESPONSES, text_format=Count)
        assert done.output_parsed == Count(count=3, of="Äpfel")

    def test_a_cut_reply_is_incomplete(self, server: LLMServer) -> None:
        server.push(Reply("one two three", cut_after="one two"))
        done = server.client().responses.create(**ASK_RESPONSES)
        assert done.output_text == "one two"
        assert done.status == "incomplete"
        assert done.incomplete_details is not None
        assert done.incomplete_details.reason == "max_output_tokens"

    def test_usage_adds_up(self, server: LLMServer) -> None:
        server.push("one two three")
        usage = server.client().responses.create(**ASK_RESPONSES).usage
        assert usage is not None
        assert usage.output_tokens == 4
        assert usage.total_tokens == usage.input_tokens + usage.output_tokens

    @pytest.mark.parametrize("chunk_size", [1, 7, 1000])
    def test_a_streamed_function_call_adds_up(self, server: LLMServer, chunk_size: int) -> None:
        server.push(Reply(COUNT, chunk_size=chunk_size))
        tools: Any = [responses_tool("first")]
        with server.client().responses.stream(**ASK_RESPONSES, tools=tools) as stream:
            events = list(stream)
            (item,) = stream.get_final_response().output
        deltas = [e.delta for e in events if e.type == "response.function_call_arguments.delta"]
        assert item.type == "function_call"
        assert item.arguments == "".join(deltas)
        assert json.loads(item.arguments) == COUNT

    def test_streamed_text_adds_up(self, server: LLMServer) -> None:
        server.push(Reply(COUNT, chunk_size=7))
        with server.client().responses.stream(**ASK_RESPONSES, text_format=Count) as stream:
            events = list(stream)
            done = stream.get_final_response()
        deltas = [event.delta for event in events if event.type == "response.output_text.delta"]
        assert done.output_text == "".join(deltas)
        assert done.output_parsed == Count(count=3, of="Äpfel")
        assert [event.sequence_number for event in events] == list(range(len(events)))


class TestScript:
    def test_replies_leave_in_the_order_pushed(self, server: LLMServer) -> None:
        server.push("first", Reply("second"))
        server.push("third")
        create = server.client().chat.completions.create
        said = [create(**ASK).choices[0].message.content for _ in range(2)]
        assert said == ["first", "second"]
        assert server.pending == 1

    def test_an_exhausted_queue_says_so(self, server: LLMServer) -> None:
        server.push("the only one")
        client = server.client()
        client.chat.completions.create(**ASK)
        with pytest.raises(openai.BadRequestError, match="no reply is left for request 2"):
            client.chat.completions.create(**ASK)

    def test_an_error_status_carries_its_message(self, server: LLMServer) -> None:
        server.push(Reply("too many requests, wait a minute", status=429))
        with pytest.raises(openai.RateLimitError, match="wait a minute"):
            server.client().responses.create(**ASK_RESPONSES)
        assert len(server.requests) == 1

    def test_a_late_reply_makes_the_client_time_out(self, server: LLMServer) -> None:
        server.push(Reply("late", latency=0.5))
        with pytest.raises(openai.APITimeoutError):
            server.client(timeout=0.05).chat.completions.create(**ASK)

    def test_a_route_answers_before_the_queue(self) -> None:
        def route(request: Request) -> Reply | None:
            return Reply("yes") if request.texts == ["How many?"] else None

        with LLMServer(route) as server:
            server.push("from the queue")
            client = server.client()
            other: Any = [{"role": "user", "content": "Something else"}]
            create = client.chat.completions.create
            assert create(**ASK).choices[0].message.content == "yes"
            queued = create(model="scripted", messages=other)
            assert queued.choices[0].message.content == "from the queue"

    def test_a_failing_route_is_reported_to_the_client(self) -> None:
        def route(request: Request) -> Reply:
            raise KeyError(request.path)

        with LLMServer(route) as server, pytest.raises(openai.InternalServerError) as caught:
            server.client().chat.completions.create(**ASK)
        assert "the route raised KeyError('/v1/chat/completions')" in str(caught.value)


class TestFaults:
    """What a client meets when an endpoint fails."""

    def test_silence_lasts_until_the_client_loses_patience(self, server: LLMServer) -> None:
        server.push(Reply(fault="silence"))
        with pytest.raises(openai.APITimeoutError):
            server.client(timeout=0.1).chat.completions.create(**ASK)

    def test_a_trickle_never_makes_the_client_lose_patience(self, server: LLMServer) -> None:
        server.push(Reply(fault="trickle"))
        client = server.client(timeout=0.3)
        asked = threading.Thread(target=ask_in_vain, args=[client])
        asked.start()
        asked.join(1.0)
        still_waiting = asked.is_alive()
        server.closing.set()
        asked.join(20)
        assert still_waiting
        assert not asked.is_alive()

    def test_a_connection_closed_without_a_byte(self, server: LLMServer) -> None:
        server.push(Reply(fault="hang_up"))
        with pytest.raises(openai.APIConnectionError):
            server.client().chat.completions.create(**ASK)

    @pytest.mark.parametrize("status", [200, 500])
    def test_a_connection_closed_in_the_middle(self, server: LLMServer, status: int) -> None:
        server.push(Reply(COUNT, fault="cut", status=status))
        with pytest.raises(openai.APIConnectionError):
            server.client().chat.completions.create(**ASK)

    def test_a_stream_closed_in_the_middle(self, server: LLMServer) -> None:
        server.push(Reply("one two three", chunk_size=1, fault="cut"))
        stream = server.client().chat.completions.create(**ASK, stream=True)
        said: list[str] = []
        # By its name: the HTTP library below openai's client is no dependency of ours.
        with pytest.raises(Exception, match="closed") as caught:
            said.extend(chunk.choices[0].delta.content or "" for chunk in stream)
        assert type(caught.value).__name__ == "RemoteProtocolError"
        assert "one two three".startswith("".join(said))

    def test_headers_come_with_an_error(self, server: LLMServer) -> None:
        server.push(Reply("wait a minute", status=429, headers={"Retry-After": "60"}))
        with pytest.raises(openai.RateLimitError) as caught:
            server.client().chat.completions.create(**ASK)
        assert caught.value.response.headers["Retry-After"] == "60"

    def test_a_body_that_is_no_json(self, server: LLMServer) -> None:
        server.push(Reply(body="<html>Bad gateway</html>"))
        with pytest.raises(json.JSONDecodeError):
            server.client().chat.completions.create(**ASK)

    def test_a_body_of_another_shape(self, server: LLMServer) -> None:
        server.push(Reply(body='{"choices": []}'))
        assert server.client().chat.completions.create(**ASK).choices == []

    def test_a_body_with_an_error_status(self, server: LLMServer) -> None:
        server.push(Reply(body="Bad gateway", status=502))
        with pytest.raises(openai.InternalServerError) as caught:
            server.client().chat.completions.create(**ASK)
        assert caught.value.response.text == "Bad gateway"


class TestRecord:
    def test_keeps_body_and_path_in_order_of_arrival(self, server: LLMServer) -> None:
        server.push("one", "two")
        client = server.client()
        client.chat.completions.create(**ASK)
        client.responses.create(**ASK_RESPONSES, instructions="Be brief.")
        chat, responses = server.requests
        assert chat.path == "/v1/chat/completions"
        assert chat.body == ASK
        assert responses.path == "/v1/responses"
        assert responses.body["instructions"] == "Be brief."
        assert chat.received <= responses.received
        assert chat.texts == responses.texts == ["How many?"]

    def test_joins_the_parts_of_a_message(self, server: LLMServer) -> None:
        server.push("fine")
        parts = [{"type": "text", "text": "How "}, {"type": "text", "text": "many?"}]
        messages: Any = [{"role": "user", "content": parts}]
        server.client().chat.completions.create(model="scripted", messages=messages)
        assert server.requests[0].texts == ["How many?"]

    async def test_counts_the_most_requests_in_flight(self) -> None:
        together = threading.Barrier(5)

        def route(request: Request) -> Reply:
            together.wait(timeout=30)
            return Reply("done")

        with LLMServer(route) as server:
            async with server.async_client() as client:
                asked = [client.chat.completions.create(**ASK) for _ in range(5)]
                await asyncio.gather(*asked)
            assert server.max_in_flight == 5

    @pytest.mark.parametrize("fault", ["silence", "trickle"])
    async def test_a_request_whose_client_has_gone_is_not_in_flight(
        self, server: LLMServer, fault: Fault
    ) -> None:
        server.push(Reply(fault=fault))
        async with server.async_client() as client:
            asked = asyncio.create_task(client.chat.completions.create(**ASK))
            while not server.in_flight:
                await asyncio.sleep(0.01)
            asked.cancel()
            await asyncio.wait([asked])
            assert await asyncio.to_thread(server.settle)
        assert server.max_in_flight == 1

    def test_a_late_reply_ends_with_its_client(self, server: LLMServer) -> None:
        server.push(Reply("late", latency=60))
        with pytest.raises(openai.APITimeoutError):
            server.client(timeout=0.1).chat.completions.create(**ASK)
        assert server.settle()

    def test_says_when_it_does_not_settle(self, server: LLMServer) -> None:
        server.push(Reply(fault="silence"))
        client = server.client()
        asked = threading.Thread(target=ask_in_vain, args=[client])
        asked.start()
        while not server.in_flight:
            pass
        assert not server.settle(timeout=0.05)
        server.closing.set()
        asked.join(20)
        assert server.settle()

    def test_counts_one_in_flight_when_asked_in_turn(self, server: LLMServer) -> None:
        server.push("one", "two")
        client = server.client()
        for _ in range(2):
            client.chat.completions.create(**ASK)
        assert server.max_in_flight == 1


class TestBadRequests:
    def post(self, url: str, data: bytes) -> tuple[int, str]:
        try:
            urllib.request.urlopen(urllib.request.Request(url, data=data))
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)["error"]["message"]
        raise AssertionError("the server accepted it")

    def test_a_body_that_is_no_json(self, server: LLMServer) -> None:
        status, message = self.post(f"{server.base_url}/responses", b"{")
        assert status == 400
        assert message.startswith("LLMServer: the body is no JSON")

    def test_an_unknown_path(self, server: LLMServer) -> None:
        found = self.post(f"{server.base_url}/embeddings", b"{}")
        assert found == (404, "LLMServer: nothing at POST /v1/embeddings")

    def test_a_get_request(self, server: LLMServer) -> None:
        with pytest.raises(openai.NotFoundError, match="nothing at GET /v1/models"):
            server.client().models.list()

    def test_a_closed_server_refuses(self) -> None:
        with LLMServer() as server:
            client = server.client()
            server.refuse()
            with pytest.raises(openai.APIConnectionError):
                client.chat.completions.create(**ASK)
