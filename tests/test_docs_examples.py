"""The examples of the README and of every docs page run, and print what they say.

That is every Python example, and every console example that uses the files in docs/example.
`--update-examples` rewrites what they print.
"""

import ast
import asyncio
import gc
import glob
import html
import io
import json
import os
import re
import runpy
import shlex
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import cache
from itertools import groupby
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from pytest_examples import CodeExample, EvalExample, find_examples
from rich.text import Text

import citeguard
import scripted_web
from citeguard.cli.app import run as citeguard_command
from citeguard.server.errors import STATUSES
from llm_server import LLMServer, Reply, Request
from pair_writer import PairWriter, pair
from rows import each_row
from web.wiki import SmallWiki

ROOT = Path(__file__).parent.parent
PACKAGE = Path(citeguard.__file__).parent

EXAMPLES = [*find_examples(ROOT / "README.md", ROOT / "docs")]
PAGES = {
    path.relative_to(ROOT).as_posix(): list(examples)
    for path, examples in groupby(EXAMPLES, key=lambda example: example.path)
}

# A page's examples that need a package which the tests do without are only compiled. Ray's run in
# datasets/test_ray.py, on a cluster.
NOT_HERE = re.compile(
    "^(from|import) (anthropic|langchain_openai|pyspark|pytesseract|ray)\\b", re.M
)

TORCH = {"docs/how-to/cascade.md", "docs/how-to/retrieval.md"}
"""Pages whose examples load PyTorch."""


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
ONE_MONTH, SAYS_TWO_MONTHS = (
    answer(statement("The notice period is one month.", "handbook", text))
    for text in ("The notice period is one month.", "The notice period is two months.")
)
SAYS_BOTH_TWO = answer(
    statement("The notice period is two months.", "handbook", "The notice period is two months.")
)
BY_MAIL = statement("E-mail counts as writing.", "faq")
SAYS_BY_TEXT_MESSAGE, SAYS_BY_MAIL = (
    answer(statement("E-mail counts as writing.", "faq", f"You can resign by {way}."))
    for way in ("text message", "e-mail")
)
PARTLY_RIGHT = answer(
    *SAYS_BY_MAIL["statements"],
    statement("A bonus of two salaries is paid every December.", "handbook", "There is a bonus."),
)

CLAIMS = {
    "claims": [
        {"quote": words, "text": said, "set_aside": aside}
        for words, said, aside in [
            ("Acme was founded in 1985", "Acme was founded in 1985.", None),
            ("employs about 2,500 people", "Acme employs about 2,500 people.", None),
            (
                "Beta Labs makes batteries for submarines",
                "Beta Labs makes batteries for submarines.",
                None,
            ),
            ("Acme has an office on the moon.", "Acme has an office on the moon.", None),
            ("I think that is a great company!", "Acme is a great company.", "opinion"),
        ]
    ]
}

REPLIES: dict[str, list[Any]] = {
    "README.md": [WRONG, PROBATION, SAYS_TWO_MONTHS, ONE_MONTH],
    "docs/index.md": [WRONG, PROBATION],
    "docs/quickstart.md": [RESIGN],
    "docs/how-to/ask-your-documents.md": [
        *(SAYS_BOTH_TWO, DENIED, DENIED, SAYS_BOTH_TWO),
    ],
    "docs/how-to/audit.md": [CLAIMS],
    "docs/how-to/export.md": [DENIED, PROBATION],
    "docs/how-to/judges.md": [SAYS_TWO_MONTHS, ONE_MONTH],
    "docs/how-to/retries.md": [
        *(DENIED, PROBATION, DENIED, PROBATION),
        *(INVENTED, INVENTED, PARTLY_RIGHT, PARTLY_RIGHT, RESIGN, TWO_MONTHS),
        {"tasks": [*RESIGN["statements"], BY_MAIL]},
        *(RESIGN, RESIGN),
    ],
    "docs/how-to/documents.md": [
        {
            "paragraphs": [
                {
                    "numbers": [1, 2, 3, 4],
                    "text": "The trial was not statistically significant: 31 of 200 older patients "
                    "improved.",
                },
                {"numbers": [5], "text": "The dose was 25 mg."},
            ]
        }
    ],
    "docs/how-to/other-frameworks.md": [
        *(WRONG, RESIGN),
        *(SAYS_BY_TEXT_MESSAGE, SAYS_BY_MAIL, RESIGN),
    ],
}
"""What the language model says to a page's examples, in order."""

PAPER_PAIRS = {
    "ABSTRACT": [
        pair(
            "How fast is minimap2 compared with short-read mappers?",
            "It is 3–4 times as fast as mainstream short-read mappers at comparable accuracy.",
            "It is 3–4 times as fast as mainstream short-read mappers at comparable accuracy",
        ),
    ],
    "1 INTRODUCTION": [
        pair(
            "How much faster than BWA-MEM was approximate mapping?",
            "Approximate mapping was 50 times faster than BWA-MEM.",
            "achieving approximate mapping 50 times faster than BWA-MEM (Li, 2016)",
        ),
        pair(
            "How long are the reads of SMRT sequencing?",
            "They are over 20kbp in length.",
            "produce reads over 20kbp in length at an error rate ∼15%",
        ),
        pair("What is minimap2?", "Minimap2 is."),
    ],
    "3 RESULTS": [
        pair(
            "How much memory did minimap2 consume at the peak?",
            "Minimap2 consumed 6.8GB memory at the peak.",
            "Minimap2 consumed 6.8GB memory at the peak, more than BWA-MEM (5.4GB)",
        ),
        pair(
            "Under which license is minimap2 distributed?",
            "Minimap2 is not distributed under the MIT license.",
            "It is distributed under the MIT license, free to both commercial and academic uses.",
        ),
        pair(
            "How much memory did Minimap2 consume at the peak?",
            "Minimap2 consumed 6.8GB memory at the peak.",
            "Minimap2 consumed 6.8GB memory at the peak",
        ),
        pair(
            "Who described a fast gapped-read alignment with Bowtie 2?",
            "Langmead and Salzberg described it.",
            "Fast gapped-read alignment with Bowtie 2.",
        ),
    ],
    "4 DISCUSSIONS": [
        pair(
            "What does minimap2 use to index reference k-mers?",
            "Minimap2 indexes reference k-mers with a hash table.",
            "Minimap2 indexes reference k-mers with a hash table instead.",
        ),
    ],
}
"""What the language model asks about the minimap2 paper, with some mistakes."""

LONG_ANSWERS = {
    **{asked["question"]: answer() for listed in PAPER_PAIRS.values() for asked in listed},
    "How much faster than BWA-MEM was approximate mapping?": answer(
        statement(
            "achieving approximate mapping 50 times faster than BWA-MEM (Li, 2016)",
            "minimap2",
            "Approximate mapping was 50 times faster than BWA-MEM.",
        ),
        statement(
            "Most of them were five times as slow as mainstream short-read aligners",
            "minimap2",
            "Most long-read aligners were five times as slow as mainstream short-read aligners.",
        ),
    ),
    **{
        asked["question"]: answer(statement(asked["quotes"][0], "minimap2", asked["answer"]))
        for heading in ("3 RESULTS", "4 DISCUSSIONS")
        for asked in PAPER_PAIRS[heading]
    },
}

ROUTES: dict[str, Callable[[Request], Reply | None]] = {
    "docs/how-to/question-answer-pairs.md": PairWriter(PAPER_PAIRS, LONG_ANSWERS),
}
"""The language models of pages whose calls come in no order."""

JUDGED = {
    "The notice period is two months.": {
        "verdict": "contradicted",
        "reason": "The evidence says one month, not two.",
    },
    "You can resign by text message.": {
        "verdict": "unsupported",
        "reason": "The evidence speaks of e-mail and of no other message.",
    },
}
"""What the language model says as a judge of a statement; it supports all others."""

OFF_THE_POINT = ["You have to resign in writing."]
"""The statements with which a question stays unanswered."""


@pytest.fixture
def language_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[LLMServer]:
    """A scripted model where the examples expect OpenAI's."""
    gc.freeze()  # so that the collection below looks only at what the page's examples make
    with LLMServer(judgement) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "scripted")
        yield server
    drop_what_examples_leave_open()


def judgement(request: Request) -> Reply | None:
    """Reply to a judge's request; every other one is left to the queue."""
    if request.tool not in ("SupportReply", "AlignmentReply"):
        return None
    data = json.loads("\n".join(request.texts[-1].splitlines()[1:-1]))
    cases = data.get("cases") or data["statements"]
    answered = [case["statement"] for case in cases] != OFF_THE_POINT
    reason = "The question is answered." if answered else "Nothing is said about how long it is."
    verdicts = [verdict(case) for case in cases if case["evidence"]]
    return Reply({"reason": reason, "answered": answered, "verdicts": verdicts})


def verdict(case: dict[str, Any]) -> dict[str, Any]:
    """Return the language model's verdict on one case of a judge's prompt."""
    supported = {"verdict": "supported", "reason": "The evidence says so."}
    said = JUDGED.get(case["statement"], supported)
    return {"id": case["id"], "words": case["evidence"][0]["text"], **said}


def drop_what_examples_leave_open() -> None:
    """Let go of clients and event loops here, lest Python warn of them in the middle of a test."""
    asyncio.set_event_loop(None)
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):
        gc.collect()


@pytest.fixture(autouse=True)
def quick_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give pytest-examples bare frames: to look for their source took half of these tests."""
    quick = SimpleNamespace(stack=lambda: [*bare_frames(sys._getframe(1))])
    monkeypatch.setattr("pytest_examples.run_code.inspect", quick)


def bare_frames(frame: FrameType) -> Iterator[SimpleNamespace]:
    for each, _ in traceback.walk_stack(frame):
        yield SimpleNamespace(frame=each, filename=each.f_code.co_filename)


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=[pytest.mark.torch] * (page in TORCH)) for page in sorted(PAGES)],
)
def test_a_pages_examples_run_in_order(
    page: str,
    eval_example: EvalExample,
    language_model: LLMServer,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    if page == "docs/how-to/audit.md":
        scripted_web.install(monkeypatch)
    if page == "docs/how-to/search-providers.md":
        SmallWiki().write_zim(tmp_path / "wikipedia.zim")
        (tmp_path / "docs").symlink_to(ROOT / "docs")
        monkeypatch.chdir(tmp_path)
    language_model.push(*REPLIES.get(page, []))
    language_model.route = ROUTES.get(page, language_model.route)
    eval_example.set_config(line_length=100)
    names: dict[str, Any] = {}
    for example in PAGES[page]:
        if NOT_HERE.search(example.source):
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


CONSOLE = re.compile(r"^```console\n(\$ .*?docs/example.*?)^```$", re.M | re.S)
CONSOLE_PAGES = [
    path.relative_to(ROOT).as_posix()
    for path in sorted(ROOT.joinpath("docs").rglob("*.md"))
    if CONSOLE.search(path.read_text("utf-8"))
]


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """An environment in which `citeguard` is the package under test, on a terminal of one width."""
    command = tmp_path / "citeguard"
    code = "from citeguard.cli import main; main()"
    command.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c '{code}' \"$@\"\n")
    command.chmod(0o755)
    python_path = os.pathsep.join(filter(None, sys.path))
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    return {"PATH": path, "PYTHONPATH": python_path, "COLUMNS": "88", "LC_ALL": "C.UTF-8"}


@pytest.mark.parametrize("page", CONSOLE_PAGES)
def test_a_pages_console_examples_run(
    page: str, shell: dict[str, str], eval_example: EvalExample, language_model: LLMServer
) -> None:
    written = (ROOT / page).read_text("utf-8")
    printed = CONSOLE.sub(
        lambda block: f"```console\n{transcript(block.group(1), shell)}```", written
    )
    if eval_example.update_examples:
        (ROOT / page).write_text(printed, "utf-8")
    assert printed == written or eval_example.update_examples


COMMAND = re.compile(r"^\$ .*\n(?:> .*\n)*", re.M)
FOR_A_SHELL = re.compile(r"[|<>;&$`]")


def transcript(session: str, shell: dict[str, str]) -> str:
    """Run the commands of a console example, and write what each prints under it."""
    written, status = "", 0
    for command in COMMAND.findall(session):
        bare = re.sub("^[$>] ", "", command, flags=re.M)
        alone = bare.startswith("citeguard ") and not FOR_A_SHELL.search(bare)
        status, printed = run_alone(bare, shell) if alone else run_in_shell(bare, shell, status)
        written += command + printed
    return written


def run_alone(command: str, shell: dict[str, str]) -> tuple[int, str]:
    """Run the command in this process: to start another one takes a second or two."""
    arguments = [
        path
        for argument in shlex.split(command.replace("\\\n", ""))[1:]
        for path in sorted(glob.glob(argument, root_dir=ROOT)) or [argument]
    ]
    printed = io.StringIO()
    with (
        chdir(ROOT),
        patch.dict(os.environ, {"COLUMNS": shell["COLUMNS"]}),
        redirect_stdout(printed),
        redirect_stderr(printed),
    ):
        status = citeguard_command(arguments)
    return status, printed.getvalue()


def run_in_shell(command: str, shell: dict[str, str], status: int) -> tuple[int, str]:
    """Run a command in a shell where the last one ended with this status."""
    done = subprocess.run(
        ["bash", "-c", f"(exit {status})\n{command}"],
        cwd=ROOT,
        env=shell,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    return done.returncode, done.stdout


ERRORS = (ROOT / "docs" / "errors.md").read_text("utf-8").partition("## The data is wrong")[2]
SECTIONS = dict(re.findall(r"^### ([a-z_]+)$\n(.*?)(?=^##)", ERRORS, flags=re.M | re.S))


class TestErrorCodes:
    def test_every_code_has_a_section_and_every_section_a_code(self) -> None:
        assert set(SECTIONS) == codes_in_the_package()

    def test_are_all_found(self) -> None:
        assert {"quote_empty", "quote_too_short", "quote_clipped"} <= codes_in_the_package()

    @each_row("code", SECTIONS)
    def test_has_an_example_that_prints_it(self, code: str) -> None:
        printed = re.findall(r'^"""\n(\w+) at ', SECTIONS[code], flags=re.M)
        assert printed
        assert set(printed) == {code}


def test_names_that_pages_import_are_on_the_api_page() -> None:
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    imported = {
        f"{node.module}.{name.name}"
        for example in EXAMPLES
        for node in ast.walk(ast.parse(example.source))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("citeguard")
        for name in node.names
    }
    listed = {name.rpartition(".")[2] for name in re.findall(r"^::: (\S+)$", page, re.M)}
    assert {name for name in imported if name.rpartition(".")[2] not in listed} == set()


def test_every_error_of_the_service_is_on_its_page() -> None:
    page = (ROOT / "docs" / "how-to" / "serve.md").read_text("utf-8")
    assert [code for code in STATUSES if f"`{code}`" not in page] == []


@pytest.mark.slow
@pytest.mark.parametrize("picture", sorted((ROOT / "docs/pictures").glob("*.svg")), ids=str)
def test_pictures_of_commands_say_what_these_print(picture: Path) -> None:
    """`python docs/pictures/make.py` makes them anew."""
    maker = runpy.run_path(str(picture.with_name("make.py")))
    shown = re.findall(r"<text[^>]+>(.*?)</text>", picture.read_text("utf-8"))
    printed = Text.from_ansi(maker["printed"](*maker["COMMANDS"][picture.stem])).plain
    assert _words(html.unescape("".join(shown))) == _words(printed)


def _words(text: str) -> str:
    """Return a text without blanks, and without how sure the reader is: processors round apart."""
    return re.sub(r"\d+%(?=sure)", "", "".join(text.split()))


@pytest.mark.slow
def test_the_sample_report_is_what_the_command_writes(tmp_path: Path) -> None:
    """It may be older than a change of styles; `python docs/pictures/make.py` makes it anew."""
    maker = runpy.run_path(str(ROOT / "docs/pictures/make.py"))
    written = tmp_path / "report.html"
    maker["printed"](f"{maker['COMMANDS']['audit'][0]} --html {written}")
    kept, today = (
        re.sub(
            r"(?s)<style>.*?</style>|<script>.*?</script>|sha256-[^']+| on \d+ \w+ \d{4}|\d+% sure",
            "",
            page,
        )
        for page in (file.read_text("utf-8") for file in (maker["FOLDER"] / written.name, written))
    )
    assert kept == today


@cache
def codes_in_the_package() -> set[str]:
    """Read the codes off the calls that make errors, and off what `code` is set to for them.

    Only modules that make such errors are read: elsewhere a `code` is a search service's, or the
    status of a request.
    """
    programs = (path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    return {
        text.value
        for module in (ast.parse(each) for each in programs if "custom_error" in each)
        if any(is_custom_error(node) for node in ast.walk(module))
        for node in ast.walk(module)
        for code in code_expressions(node)
        for text in ast.walk(code)
        if isinstance(text, ast.Constant) and isinstance(text.value, str)
    }


def is_custom_error(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="custom_error")):
            return True
        case _:
            return False


def code_expressions(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Call(func=ast.Name(id="custom_error"), args=[code, *_]):
            yield code
        case ast.AnnAssign(target=ast.Name(id="VERDICT_CODES"), value=ast.Dict(values=codes)):
            yield from codes
        case ast.Assign(targets=[ast.Name(id="code")], value=code):
            yield code
        case ast.Assign(
            targets=[ast.Tuple(elts=[ast.Name(id="code"), *_])], value=ast.Tuple(elts=[code, *_])
        ):
            yield code
        case _:
            pass
