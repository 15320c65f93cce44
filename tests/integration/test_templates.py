"""instructor makes templates of messages if a context is truthy: what a document can do with it."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import instructor
import pytest
from jinja2.exceptions import SecurityError, UndefinedError
from pydantic import BaseModel

from citeguard import Answer, Policy, Quote, Span, guard
from citeguard.testing import ScriptedJudge
from integration.conftest import question
from integration.material import GOOD, SOURCES, assert_verified
from llm_server import LLMServer

SECRET = "hunter2"


class Finding(BaseModel):
    """A model of the user's own."""

    evidence: Quote


def ask(server: LLMServer, poison: str, context: Any, model: Any = Answer) -> Any:
    """Ask with a document in the prompt, and return the answer."""
    client = instructor.from_openai(server.client())
    messages = [{"role": "user", "content": f"Answer from this document: {poison}"}]
    return client.create(
        **question() | {"messages": messages},
        response_model=model,
        context=context,
        max_retries=0,
    )


class TestContextOfSources:
    """`as_context`, alone and with other variables: rendered or not, it gives nothing away."""

    @pytest.mark.parametrize(
        "merged",
        [
            pytest.param(lambda context: context, id="as it is"),
            pytest.param(lambda context: context | {"user": "Ada"}, id="or"),
            pytest.param(lambda context: {"user": "Ada"} | context, id="reversed or"),
            pytest.param(lambda context: context.copy(), id="copy"),
        ],
    )
    def test_messages_are_no_templates(self, server: LLMServer, merged: Any) -> None:
        server.push(GOOD)
        context = merged(SOURCES.as_context())
        assert_verified(ask(server, "{{ citeguard }} {{ user }} {% raw %}", context))
        assert server.requests[0].texts[-1].endswith("{{ citeguard }} {{ user }} {% raw %}")

    def test_a_guarded_client_takes_the_sources_themselves(self, server: LLMServer) -> None:
        server.push(GOOD)
        client = guard(instructor.from_openai(server.client()))
        poison = [{"role": "user", "content": "{{ citeguard }}"}]
        asked = question() | {"messages": poison}
        assert_verified(client.create(**asked, response_model=Answer, context=SOURCES))
        assert server.requests[0].texts[-1].endswith("{{ citeguard }}")

    @pytest.mark.parametrize(
        "path",
        [
            "citeguard",
            "[citeguard]",
            "citeguard._grounding.policy",
            "citeguard.grounding.policy",
            "citeguard['_grounding'].policy",
            "citeguard|attr('_grounding')",
            "citeguard.__class__.__init__.__globals__",
        ],
    )
    def test_unpacked_it_shows_no_policy(self, server: LLMServer, path: str) -> None:
        server.push(GOOD)
        policy = Policy(support=[ScriptedJudge({SECRET: "unsupported"})])
        with suppress(SecurityError, UndefinedError):
            ask(server, "{{ " + path + " }}", {**SOURCES.as_context(policy), "user": "Ada"})
        assert all(SECRET not in text for request in server.requests for text in request.texts)


class TestPlainContext:
    """A plain mapping is rendered, but a document can read no file with what is in it."""

    @pytest.mark.parametrize(
        "call",
        [
            "sources.from_paths('{path}')",
            "sources.from_paths(['{path}'])['secret'].text",
            "sources.as_context().grounding.sources.from_paths('{path}')",
            "sources.picture_of('{path}')",
        ],
    )
    def test_reads_no_file(self, server: LLMServer, tmp_path: Path, call: str) -> None:
        path = tmp_path / "secret.txt"
        path.write_text(SECRET)
        server.push(GOOD)
        poison = "{{ " + call.replace("{path}", str(path)) + " }}"
        with pytest.raises(SecurityError):
            ask(server, poison, {"sources": SOURCES})
        assert server.requests == []

    @pytest.mark.parametrize("key", ["text_chunk", "text_chunks", "context", "sources"])
    def test_its_keys(self, server: LLMServer, key: str) -> None:
        server.push({"evidence": "Entry costs 12 euros"})
        context = {
            key: "Entry costs 12 euros." if key == "text_chunk" else {1: "Entry costs 12 euros."}
        }
        found = ask(server, "{{ " + key + " }}", context, Finding)
        assert found.evidence.span == Span("1", 0, 20)
        assert "12 euros" in server.requests[0].texts[-1]
