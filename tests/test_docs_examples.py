"""The Python examples of the README and of every docs page run, and print what they say."""

import asyncio
import gc
import traceback
import warnings
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from pytest_examples import CodeExample, EvalExample, find_examples

from llm_server import LLMServer

ROOT = Path(__file__).parent.parent

EXAMPLES = [*find_examples(ROOT / "README.md", ROOT / "docs")]
PAGES = {
    path.relative_to(ROOT).as_posix(): list(examples)
    for path, examples in groupby(EXAMPLES, key=lambda example: example.path)
}

# A page's examples that need a package which the tests do without are only compiled.
NOT_INSTALLED = ("langchain_openai",)


def statement(quote: str, source_id: str, text: str = "As the sources say.") -> dict[str, Any]:
    """Return a language model's statement with one citation."""
    return {"text": text, "citations": [{"quote": quote, "source_id": source_id}]}


def answer(*statements: dict[str, Any]) -> dict[str, Any]:
    """Return a language model's answer."""
    return {"statements": list(statements)}


RIGHT = answer(statement("The notice period is one month.", "handbook"))
WRONG = answer(statement("The notice period is two months.", "handbook"))
INVENTED = answer(statement("A bonus of two salaries is paid every December.", "handbook"))
PROBATION = answer(statement("It doesn't apply during probation", "handbook"))
RESIGN = answer(statement("Employees resign in writing.", "faq"))
DENIED = answer(statement("It does apply during probation", "handbook"))
TWO_MONTHS = answer(statement("The notice period is two months.", "handbook"))
BY_MAIL = statement("E-mail counts as writing.", "faq")
BY_PIGEON = statement("Carrier pigeons deliver every resignation.", "faq")

REPLIES: dict[str, list[Any]] = {
    "README.md": [WRONG, PROBATION],
    "docs/index.md": [WRONG, PROBATION],
    "docs/quickstart.md": [RESIGN],
    "docs/how-to/retries.md": [
        *(DENIED, PROBATION, DENIED, PROBATION),
        *(INVENTED, INVENTED, RESIGN, TWO_MONTHS),
    ],
    "docs/how-to/streaming.md": [
        {"tasks": [*RESIGN["statements"], BY_MAIL]},
        {"tasks": [*RESIGN["statements"], BY_PIGEON]},
        RESIGN,
    ],
    "docs/how-to/other-frameworks.md": [WRONG, RESIGN, RESIGN],
}
"""What the language model says to a page's examples, in order."""


@pytest.fixture
def language_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[LLMServer]:
    """A scripted model where the examples expect OpenAI's."""
    with LLMServer() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "scripted")
        yield server
    drop_what_examples_leave_open()


def drop_what_examples_leave_open() -> None:
    """Let go of clients and event loops here, lest Python warn of them in the middle of a test."""
    asyncio.set_event_loop(None)
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):
        gc.collect()


@pytest.mark.parametrize("page", sorted(PAGES))
def test_a_pages_examples_run_in_order(
    page: str, eval_example: EvalExample, language_model: LLMServer
) -> None:
    language_model.push(*REPLIES.get(page, []))
    eval_example.set_config(line_length=100)
    names: dict[str, Any] = {}
    for example in PAGES[page]:
        if any(f"from {package} import" in example.source for package in NOT_INSTALLED):
            compile(example.source, str(example), "exec")
        else:
            names |= run(eval_example, example, names)
    assert language_model.pending == 0


def run(eval_example: EvalExample, example: CodeExample, names: dict[str, Any]) -> dict[str, Any]:
    """Run an example with the names of those before it; `--update-examples` rewrites its output."""
    evaluate = (
        eval_example.run_print_update
        if eval_example.update_examples
        else eval_example.run_print_check
    )
    try:
        return evaluate(example, module_globals=names)
    except Exception as error:
        failure = (
            f"{example}: {''.join(traceback.format_exception_only(error.with_traceback(None)))}"
        )
    # Outside the block, without the error: pytest-examples 0.0.18 gives it a made-up traceback that
    # Python 3.11 cannot format.
    pytest.fail(failure, pytrace=False)
