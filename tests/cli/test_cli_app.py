"""What `citeguard` says of itself and of its commands."""

import io
import json
import re
import subprocess
import sys

import pytest
from inline_snapshot import snapshot

from citeguard.cli.app import run
from citeguard.cli.arguments import repeat_sources
from cli.material import GOOD, answer, write
from cli.test_cli_running import ENVIRONMENT
from fixture_types import Captured, MonkeyPatch
from rows import each_row

COMMANDS = ["check", "audit", "ask", "chat", "fact-check", "filter", "evaluate", "export", "serve"]
COMMANDS += ["library add", "data questions", "data synthesize", "dev bench"]


class TestApp:
    def test_version(self, capsys: Captured) -> None:
        assert run(["--version"]) == 0
        assert re.fullmatch(r"citeguard \d+\.\d+\.\d+\S*\n", capsys.readouterr().out)

    def test_help_lists_the_commands(self, capsys: Captured) -> None:
        assert run(["--help"]) == 0
        assert capsys.readouterr().out == snapshot("""\
Usage: citeguard [OPTIONS] COMMAND [ARGS]...

  Check what a language model says against the sources it was given.

Options:
  --version  Print the version.
  --help     Show this message and exit.

Commands:
  check       Check an answer's quotes and show where they are.
  audit       Check what a text says against its sources.
  ask         Answer a question from documents, with references.
  chat        Ask one question after the other about documents.
  fact-check  Check a statement or text on pages of the web.
  filter      Separate good samples of a file from bad ones.
  evaluate    Measure citations, and verdicts against labels.
  export      Write good samples for training, split by source.
  serve       Serve the checks over HTTP, with a form to try them.
  mcp         Offer the checks to language models, as tools (MCP).
  library     Manage a library: documents in one file, for ask and chat.
  receipt     Record where quotes are, and check that when sources change.
  data        Make samples to train with, or to measure with.
  dev         Look inside: a file's headings, the benchmark of quotes.
""")

    @pytest.mark.parametrize("command", COMMANDS)
    def test_help_of_a_command_teaches(self, command: str, capsys: Captured) -> None:
        assert run([*command.split(), "--help"]) == 0
        told = capsys.readouterr().out
        assert told.startswith(f"Usage: citeguard {command} [OPTIONS]")
        assert f"\n      citeguard {command} " in told  # an example
        assert re.search(r"\n  Exit status:\n\n +0  ", told)
        assert max(map(len, told.splitlines())) <= 80
        assert "..." not in re.sub(r"PATH[}\]]?\.\.\.", "", told)


class TestArguments:
    def test_any_number_of_paths_in_any_number_of_options(self) -> None:
        for name in ("a.txt", "b.md", "c.txt"):
            write(name, "text")
        options = ["--sources", "a.txt", "b.md", "--sources=c.txt", "--sources", "handbook.txt"]
        assert run(["check", write("-answer.json", answer(GOOD)), *options]) == 2
        assert run(["check", *options, "--", "-answer.json"]) == 0

    @each_row(
        ("arguments", "content"),
        [
            ("check --sources handbook.txt -", json.dumps(answer(GOOD))),
            ("ask handbook.txt -", "How long is the notice period?"),
            ("filter - --quiet --sources handbook.txt", json.dumps(answer(GOOD))),
            ("fact-check - --folder . --quiet", GOOD["quote"]),
        ],
    )
    def test_a_dash_is_standard_input(
        self,
        arguments: str,
        content: str,
        no_model: None,
        easily_sure: None,
        monkeypatch: MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
        assert run(arguments.split()) == 0


@each_row(
    "arguments",
    [
        "keep rows.jsonl --sources a.txt b.txt --out kept.jsonl",
        "keep rows.jsonl --sources a.txt --out kept.jsonl --sources b.txt",
        "keep rows.jsonl --out kept.jsonl --sources=a.txt --sources b.txt",
        "keep --out kept.jsonl --sources=a.txt rows.jsonl --sources=b.txt",
    ],
)
def test_sources_end_at_the_next_option(arguments: str) -> None:
    repeated = repeat_sources(arguments.split())
    others = ["--out", "--sources=a.txt", "--sources=b.txt", "keep", "kept.jsonl", "rows.jsonl"]
    assert sorted(repeated) == others


BASE = """
import json, sys
for name in (
    "trafilatura lxml markdown_it pypdfium2 PIL textblob nltk sklearn scipy "
    "rouge_score pyarrow pandas ray fastapi starlette uvicorn tqdm sentence_transformers torch"
).split():
    sys.modules[name] = None
from citeguard.cli.app import run
print(*(int(run(arguments.split())) for arguments in json.loads(sys.argv[1])), file=sys.stderr)
"""


def test_a_base_install_checks_and_filters_and_names_the_extra_for_the_rest() -> None:
    write("answer.json", answer(GOOD))
    write("samples.jsonl", json.dumps({**answer(GOOD), "label": 1}))
    write("a.md", "# A\n\nNotice is one month.")
    commands = [
        "--help",
        "check answer.json --sources handbook.txt",
        "filter samples.jsonl --sources handbook.txt --workers 1",
        "check answer.json --sources a.md",
        "evaluate samples.jsonl --sources handbook.txt --label-field label",
        "serve",
    ]
    done = subprocess.run(
        [sys.executable, "-c", BASE, json.dumps(commands)],
        capture_output=True,
        encoding="utf-8",
        check=True,
        env=ENVIRONMENT,
    )
    *messages, statuses = done.stderr.splitlines()
    assert statuses == "0 0 0 2 2 2"
    assert [re.findall(r"pip install .*", message) for message in messages] == [
        ['pip install "pydantic-citeguard[documents]"'],
        ['pip install "pydantic-citeguard[metrics]"'],
        ['pip install "pydantic-citeguard[server]"'],
    ]
