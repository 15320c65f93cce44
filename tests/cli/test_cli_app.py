"""What `citeguard` says of itself and of its commands."""

import re

import pytest
from inline_snapshot import snapshot

from citeguard.cli.running import run

COMMANDS = ["check", "filter", "evaluate"]


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
  check     Check an answer's quotes and show where they stand.
  filter    Part good samples of a file from bad ones.
  evaluate  Measure citations, and verdicts against labels.
""")

    @pytest.mark.parametrize("command", COMMANDS)
    def test_help_of_a_command_teaches(
        self, command: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run([command, "--help"]) == 0
        told = capsys.readouterr().out
        assert told.startswith(f"Usage: citeguard {command} [OPTIONS]")
        assert f"\n      citeguard {command} " in told  # an example
        assert re.search(r"\n  Exit status:\n\n +0  ", told)
        assert max(map(len, told.splitlines())) <= 80
        assert "..." not in told.replace("PATH...", "")


class TestHelp:
    def test_of_filter(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["filter", "--help"]) == 0
        assert capsys.readouterr().out == snapshot("""\
Usage: citeguard filter [OPTIONS] {SAMPLES.jsonl}

  Part samples whose quotes all stand in their sources from those with a bad
  one.

      citeguard filter samples.jsonl --kept good.jsonl --rejected bad.jsonl

      citeguard filter qa.jsonl --sources docs/*.txt --kept good.jsonl
          --answer-field response --quotes-field 'evidence[].text'

  A sample is an object with the sources that an answer was given, and the
  answer:

      {"sources": {"handbook": "Notice is one month."},
       "statements": [{"text": "It takes a month.",
                       "citations": [{"quote": "one month"}]}]}

  Samples without their own sources are checked against those of --sources.
  Without a file to write, samples are only counted. A run that was stopped
  goes on if it is started again with the same options.

  Exit status:

        0  done, however many were rejected
        1  more than --max-rejected were
        2  the filter could not run
        3  perhaps more than --max-rejected; or no samples
      130  interrupted

Arguments:
  SAMPLES.jsonl <str>  JSON lines, also as .jsonl.gz, or .parquet; - reads
                       JSON lines from standard input.  [required]

Options:
  --sources PATH...     Text or Markdown files, or JSON files of {id: text}.
                        Every path up to the next option is a source, so put
                        SAMPLES.jsonl before it; --sources=PATH takes exactly
                        one.
  --support             Judge also whether what is cited supports the
                        statements, without a model.
  --max-rejected SHARE  Exit with 1 if more than this share of the samples, 0
                        to 1, is rejected.  [0.0<=x<=1.0]
  --strict              Stop at a line that cannot be read.
  --workers N           Processes.  [default: one per core]  [x>=1]
  --json                Print JSON instead of a table.
  --quiet               Show no progress.
  --help                Show this message and exit.

Files to write:
  --kept FILE       Samples that passed, as they came.
  --rejected FILE   Samples that did not, each with its problems in the field
                    citeguard.
  --undecided FILE  With --support, samples of which it could not be told; by
                    default among the rejected ones.
  --restart         Begin anew, over the files that are there, instead of
                    going on.

Where samples keep what (a key, or a JMESPath expression):
  --sources-field EXPR      What the answer is checked against.  [default:
                            sources]
  --question-field EXPR     What was asked.  [default: question]
  --answer-field EXPR       The answer: an object, JSON in a text, or, with
                            --quotes-field, plain text.  [default: answer]
  --statements-field EXPR   Its statements, if they stand by themselves.
                            [default: statements]
  --quotes-field EXPR       The quotes, if they do not stand in citations.
  --quoted-from-field EXPR  The ids of the sources of these quotes.
""")

    def test_of_evaluate(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["evaluate", "--help"]) == 0
        assert capsys.readouterr().out == snapshot("""\
Usage: citeguard evaluate [OPTIONS] {ANSWERS.jsonl}

  Measure how good citations are, and how far citeguard's verdicts can be
  trusted.

      citeguard evaluate answers.jsonl --sources docs/*.txt

      citeguard evaluate answers.jsonl --label-field label
          --target-precision 0.95

  It tells which share of the quotes stand in their source, and which share of
  the statements are supported by what they cite: so says the verifier that
  comes with the package, without a model. With labels it tells how often that
  verdict is right; with gold citations, how far the citations are those. What
  could not be told is no part of a share, and is counted beside it. Samples
  are those of citeguard filter.

  Exit status:

        0  measured, whatever came of it
        2  it could not be measured
      130  interrupted

Arguments:
  ANSWERS.jsonl <str>  JSON lines, also as .jsonl.gz, or .parquet; - reads
                       JSON lines from standard input.  [required]

Options:
  --sources PATH...  Text or Markdown files, or JSON files of {id: text}.
                     Every path up to the next option is a source, so put
                     ANSWERS.jsonl before it; --sources=PATH takes exactly
                     one.
  --json             Print JSON instead of tables.
  --help             Show this message and exit.

To compare with (needs the extra metrics):
  --label-field EXPR    Whether a sample is supported: supported, true or 1;
                        or unsupported, contradicted, false or 0.
  --gold-field EXPR     The citations that it should have: objects with quote
                        and source_id, or texts.
  --target-precision P  Find the score from which on samples are supported
                        with this precision.
  --target-recall P     Find the score from which on they have this recall.

Where samples keep what (a key, or a JMESPath expression):
  --sources-field EXPR      What the answer is checked against.  [default:
                            sources]
  --question-field EXPR     What was asked.  [default: question]
  --answer-field EXPR       The answer: an object, JSON in a text, or, with
                            --quotes-field, plain text.  [default: answer]
  --statements-field EXPR   Its statements, if they stand by themselves.
                            [default: statements]
  --quotes-field EXPR       The quotes, if they do not stand in citations.
  --quoted-from-field EXPR  The ids of the sources of these quotes.
""")
