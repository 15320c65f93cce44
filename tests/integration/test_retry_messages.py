"""What the model is shown when its quotes are bad, word for word, in every mode of instructor."""

import textwrap

import instructor
from inline_snapshot import snapshot
from instructor import Mode

from citeguard import Answer
from integration.conftest import Ask, question
from integration.material import GOOD, SOURCES, Json, citation
from llm_server import LLMServer, Request

ALTERED: Json = {
    "statements": [
        {
            "text": "An e-mail is enough.",
            "citations": [citation("an e-mail does count as written notice", "handbook")],
        }
    ]
}


def ask_twice(server: LLMServer, mode: Mode, reply: Json) -> None:
    """Let the model answer with `reply` first, and well when it is asked again."""
    server.push(reply, GOOD)
    client = instructor.from_openai(server.client(), mode=mode)
    client.create(**question(), response_model=Answer, context=SOURCES.as_context(), max_retries=1)


def added(server: LLMServer) -> str:
    """Return what the second request says beyond the first, as a folded transcript."""
    first, second = server.requests
    said = [*zip(second.messages, second.texts, strict=True)][len(first.messages) :]
    turns = (f"[{message['role']}] {_calls(message) or text}" for message, text in said)
    return folded("\n".join(turns))


def folded(text: str) -> str:
    """Break long lines at spaces, so that a snapshot can be read; nothing else is changed."""
    fold = textwrap.TextWrapper(
        width=96,
        expand_tabs=False,
        replace_whitespace=False,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(fold.fill(line) for line in text.splitlines())


def _calls(message: Json) -> str:
    functions = [call["function"] for call in message.get("tool_calls") or []]
    return "".join(f"calls {f['name']} with {f['arguments']}" for f in functions)


def test_one_altered_quote(server: LLMServer) -> None:
    """The frame around the error is instructor's, and differs by mode; the error is ours."""
    ask_twice(server, Mode.TOOLS, ALTERED)
    assert added(server) == snapshot("""\
[assistant] calls Answer with {"statements": [{"text": "An e-mail is enough.", "citations":
[{"quote": "an e-mail does count as written notice", "source_id": "handbook"}]}]}
[tool] Validation Error found:
1 validation error for Answer
statements.0.citations.0.quote
  The quote is not what source "handbook" says (negation). It says: "Notice must be given in
writing; an e-mail does not count as written notice." Difference, [-yours-] {+source+}: an
e-mail does {+not+} count as written … Copy the source's words verbatim, and make `text` say
only what they say, or drop your claim. [type=quote_altered, input_value='an e-mail does count
as written notice', input_type=str]
Recall the function correctly, fix the errors\
""")


class TestAnswersThatMeanHarm:
    """What a model writes in a quote comes back to it as data, and not without bound."""

    async def test_a_template_in_a_quote_is_not_rendered(self, ask: Ask, server: LLMServer) -> None:
        quote = "{{ 6 * 7 }} {% raw %} {message} is what the manual says"
        server.push(_one_quote(quote), GOOD)
        await ask(response_model=Answer, context=SOURCES.as_context(), max_retries=1)
        told = server.requests[1].texts[-1]
        assert "quote_not_found" in told
        assert "42" not in told
        assert "{{ 6 * 7 }}" in told

    async def test_a_huge_quote_makes_a_short_error(self, ask: Ask, server: LLMServer) -> None:
        server.push(_one_quote("lorem ipsum " * 5000), GOOD)
        await ask(response_model=Answer, context=SOURCES.as_context(), max_retries=1)
        told = _without_arguments(server.requests[1])
        assert "1 validation error for Answer" in told
        assert len(told) < 1200


def _one_quote(quote: str) -> Json:
    return {"statements": [{"text": "So.", "citations": [citation(quote, "handbook")]}]}


def _without_arguments(request: Request) -> str:
    """Return what is said last, less the model's own arguments that RESPONSES_TOOLS repeats."""
    return request.texts[-1].split("fix the errors with")[0]
