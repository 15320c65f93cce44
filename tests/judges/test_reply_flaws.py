"""What is wrong with a reply of the protocols that the scripted server does not make ambiguous."""

from typing import Any

import pytest

from citeguard.judges.replies import flaw_of

OFFERED = {"tools": [{"type": "function", "name": "judge"}]}
CALL = {"type": "function_call", "name": "judge", "arguments": '{"a": 1}'}
USE = {"type": "tool_use", "name": "judge", "input": {}}
PART = {"function_call": {"name": "judge", "args": {}}}
FILTERED = "its reply was stopped by a content filter"


def candidate(*parts: dict[str, Any], ended: str = "STOP") -> dict[str, Any]:
    return {"content": {"parts": [*parts]}, "finish_reason": ended}


@pytest.mark.parametrize(
    ("response", "request_", "flaw"),
    [
        ({"output": [CALL]}, OFFERED, None),
        ({"output": [CALL, CALL]}, OFFERED, "its reply has 2 tool calls"),
        (
            {"output": [{**CALL, "arguments": '{"a": 1, "a": 2}'}]},
            OFFERED,
            "its reply repeats the key 'a'",
        ),
        ({"output": [], "incomplete_details": {"reason": "content_filter"}}, OFFERED, FILTERED),
        (
            {"output": [{"type": "message", "content": [{"text": '{"a": 1} {"a": 2}'}]}]},
            {},
            "its reply has 2 objects in place of one",
        ),
        ({"content": [{"type": "text", "text": "So:"}, USE], "stop_reason": "tool_use"}, {}, None),
        ({"content": [USE, USE]}, OFFERED, "its reply has 2 tool calls"),
        (
            {"content": [{**USE, "name": "erase"}]},
            OFFERED,
            "its reply calls a tool that it was not offered",
        ),
        ({"content": [], "stop_reason": "refusal"}, OFFERED, FILTERED),
        ({"candidates": [candidate(PART)]}, {"config": {}}, None),
        ({"candidates": [candidate(PART, PART)]}, {"config": {}}, "its reply has 2 tool calls"),
        ({"candidates": [candidate()] * 2}, {"config": {}}, "its reply has 2 choices"),
        ({"candidates": [candidate(ended="SAFETY")]}, {"config": {}}, FILTERED),
        ({"choices": [{"message": {"refusal": "I would rather not."}}]}, {}, FILTERED),
    ],
    ids=str,
)
def test_is_found(response: dict[str, Any], request_: dict[str, Any], flaw: str | None) -> None:
    assert flaw_of(response, request_, is_parsed=True) == flaw


def test_is_not_searched_in_text_that_cannot_be_parsed() -> None:
    choice = {"message": {"content": 'A {brace} and {"a": 1} and {"b": 2}'}}
    assert flaw_of({"choices": [choice]}, {}, is_parsed=False) is None
