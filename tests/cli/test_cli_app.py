"""What `citeguard` says of itself and of its commands."""

import json
import re
import subprocess
import sys

import pytest
from inline_snapshot import snapshot

from citeguard.cli.app import run
from cli.material import GOOD, answer, write
from cli.test_cli_running import ENVIRONMENT

COMMANDS = ["check", "audit", "ask", "chat", "fact-check", "filter", "evaluate", "export", "serve"]
COMMANDS += ["library add", "data questions", "data synthesize", "dev outline", "dev bench"]


class TestApp:
    def test_version(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["--version"]) == 0
        assert re.fullmatch(r"citeguard \d+\.\d+\.\d+\S*\n", capsys.readouterr().out)

    def test_help_lists_the_commands(self, capsys: pytest.CaptureFixture[str]) -> None:
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
  data        Make samples to train with, or to measure with.
  dev         Look inside: a file's headings, the benchmark of quotes.
""")

    @pytest.mark.parametrize("command", COMMANDS)
    def test_help_of_a_command_teaches(
        self, command: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run([*command.split(), "--help"]) == 0
        told = capsys.readouterr().out
        assert told.startswith(f"Usage: citeguard {command} [OPTIONS]")
        assert f"\n      citeguard {command} " in told  # an example
        assert re.search(r"\n  Exit status:\n\n +0  ", told)
        assert max(map(len, told.splitlines())) <= 80
        assert "..." not in re.sub(r"PATH[}\]]?\.\.\.", "", told)


class TestHelp:
    def test_of_filter(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["filter", "--help"]) == 0
        assert capsys.readouterr().out == snapshot("""\
Usage: citeguard filter [OPTIONS] {SAMPLES.jsonl}

  Separate samples whose quotes all appear in their sources from the others.

      citeguard filter samples.jsonl --kept good.jsonl --rejected bad.jsonl

      citeguard filter qa.jsonl --sources docs/*.txt --kept good.jsonl
          --answer-field response --quotes-field 'evidence[].text'

  A sample is an object with the answer, and the sources that it was given:

      {"sources": {"handbook": "Notice is one month."},
       "statements": [{"text": "It takes a month.",
                       "citations": [{"quote": "one month"}]}]}

  Samples without their own sources are checked against those of --sources.
  Without a file to write, samples are only counted. An interrupted run
  resumes if it is started again with the same options.

  Exit status:

        0  done, however many were rejected
        1  more than --max-rejected were rejected
        3  with the undecided ones, more than --max-rejected; or no samples
        2  it could not run
      130  interrupted

Arguments:
  SAMPLES.jsonl <str>  JSON lines, also as .jsonl.gz, or .parquet; - is
                       standard input.  [required]

Options:
  --sources PATH...     Text, Markdown, HTML, PDF, CSV, Word and PowerPoint
                        files, JSON of {id: text}, and folders of them. Every
                        path up to the next option is a source, so put
                        SAMPLES.jsonl before it; --sources=PATH takes exactly
                        one.
  --support             Also judge, with the reader, whether the cited words
                        support statements.
  --max-rejected SHARE  Exit with 1 if a larger share is rejected, 0 to 1.
                        [0.0<=x<=1.0]
  --strict              Stop at a line that cannot be read.
  --workers N           Processes.  [default: one per core]  [x>=1]
  --json                Print JSON instead of tables.
  --quiet               Show no progress.
  --help                Show this message and exit.

Fields of the samples (a key, or a JMESPath expression):
  --sources-field EXPR      What the answer is checked against.  [default:
                            sources]
  --question-field EXPR     The question.  [default: question]
  --answer-field EXPR       The answer: an object, or JSON or text.  [default:
                            answer]
  --statements-field EXPR   Its statements, without an answer.  [default:
                            statements]
  --quotes-field EXPR       The quotes, outside citations.
  --quoted-from-field EXPR  The ids of the sources of these quotes.

Files to write:
  --kept FILE       Samples that passed, unchanged.
  --rejected FILE   Samples that failed, each with its problems in the field
                    citeguard.
  --undecided FILE  Undecided samples; by default they are among the rejected
                    ones.
  --restart         Start again, and overwrite files.

A model as a judge:
  --judge MODEL      The model to ask where the reader cannot decide:
                     openai/gpt-5-mini, or any other that instructor knows
                     (its key comes from the environment); or reader:FOLDER.
                     '' for none.  [env var: CITEGUARD_JUDGE]
  --base-url URL     The address of its endpoint, if not the provider's own.
                     [env var: CITEGUARD_JUDGE_BASE_URL]
  --judge-price P    The price of a million tokens, to show a cost.  [x>=0]
  --judge-calls N    The most calls to the judge.  [x>=0]
  --judge-tokens N   Make no further call once this many tokens are used.
                     [x>=0]
  --judge-seconds N  The most seconds to wait for all judges.  [x>=0]
""")


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
        "dev outline a.md",
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
