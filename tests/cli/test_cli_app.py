"""What `citeguard` says of itself and of its commands."""

import re

import pytest
from inline_snapshot import snapshot

from citeguard.cli.running import run

COMMANDS = ["check", "audit", "outline", "filter", "evaluate", "export", "synthesize", "serve"]


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
  check       Check an answer's quotes and show where they stand.
  audit       Check what a text says against its sources.
  outline     Print the headings of a file as JSON.
  filter      Part good samples of a file from bad ones.
  evaluate    Measure citations, and verdicts against labels.
  export      Write good samples to train with, split by source.
  synthesize  Make wrong quotes of true ones, with labels.
  serve       Serve the checks over HTTP, with a form to try them.
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
        assert "..." not in re.sub(r"PATH\}?\.\.\.", "", told)


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
  --sources PATH...     Text, Markdown, HTML and PDF files, JSON of {id:
                        text}, and folders of them. Every path up to the next
                        option is a source, so put SAMPLES.jsonl before it;
                        --sources=PATH takes exactly one.
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
  --sources PATH...  Text, Markdown, HTML and PDF files, JSON of {id: text},
                     and folders of them. Every path up to the next option is
                     a source, so put ANSWERS.jsonl before it; --sources=PATH
                     takes exactly one.
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

    def test_of_export(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["export", "--help"]) == 0
        assert capsys.readouterr().out == snapshot("""\
Usage: citeguard export [OPTIONS] {SAMPLES.jsonl}

  Write good samples to train with: JSON lines for each split, and a card.

      citeguard export good.jsonl --to dataset

      citeguard export good.jsonl --to dataset --form completion --test 0.1
          --sources docs/*.txt

  Every sample is checked anew, and written with the sources' own words; one
  that fails is left out and counted. Samples are those of citeguard filter,
  with a question. Samples that share a source are in the same split, so that
  no model is tested on what it was trained on.

  Exit status:

        0  written, even if some samples were left out
        1  nothing written: no sample is good
        2  the export could not run
      130  interrupted

Arguments:
  SAMPLES.jsonl <str>  JSON lines, also as .jsonl.gz, or .parquet; - reads
                       JSON lines from standard input.  [required]

Options:
  --to FOLDER        The folder to write.  [required]
  --sources PATH...  Text, Markdown, HTML and PDF files, JSON of {id: text},
                     and folders of them. Every path up to the next option is
                     a source, so put SAMPLES.jsonl before it; --sources=PATH
                     takes exactly one.
  --support          Export only what cites something that supports it, judged
                     without a model.
  --overwrite        Replace an earlier export.
  --json             Print JSON instead of tables.
  --help             Show this message and exit.

How samples are written:
  --form FORM            chat or preference, as OpenAI reads them; completion:
                         a prompt and a completion; chosen-rejected: pairs, as
                         TRL reads them.  [default: chat]
  --prompt PROMPT        instruction: the question with its sources; simple:
                         the question alone.  [default: instruction]
  --answer ANSWER        json; text: sentences with their quotes; plain:
                         sentences alone.  [default: json, or plain with
                         --prompt simple but for pairs]
  --system TEXT          A system message of yours; an empty one for none.
  --rejected-field EXPR  Where samples keep earlier attempts, for pairs.
                         [default: rejected]

Splits:
  --validation SHARE  The share to validate with, 0 to below 1.  [default:
                      0.1]
  --test SHARE        The share to test with, likewise.  [default: 0.0]
  --seed N            Another one splits otherwise.  [default: 0]
  --group-field EXPR  What is not to be split.  [default: samples that share a
                      source]

The card:
  --title TEXT              Its heading.
  --license NAME            The licence of the data, as the hub names it: cc-
                            by-4.0.
  --filtered NAME.run.json  The record that citeguard filter left beside its
                            first file: how many samples were rejected, and
                            why.

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

    def test_of_synthesize(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["synthesize", "--help"]) == 0
        assert capsys.readouterr().out == snapshot("""\
Usage: citeguard synthesize [OPTIONS] {PATH}...

  Make labelled wrong quotes or statements from the sentences of your sources.

      citeguard synthesize handbook.txt faq.md --to made.jsonl --originals

      citeguard evaluate made.jsonl --label-field label

  Each is wrong in one known way, such as another number or a lost "not",
  which its field negative describes. They are made by rules, without a model,
  and are the same for the same seed. Use them to measure a check on your own
  documents, or to train one.

  Exit status:

        0  written
        1  nothing written: nothing could be made from these sources
        2  it could not run
      130  interrupted

Arguments:
  PATH <list[str]>  Text, Markdown, HTML and PDF files, JSON of {id: text},
                    and folders of them.  [required]

Options:
  --to FILE.jsonl    The file; - is standard output.  [required]
  --target TARGET    What is made wrong: quote or statement.  [default: quote]
  --kind KIND        How: negation, number, unit, date, entity, quantifier,
                     role_swap, stitched, misattributed, clipped or
                     fabricated; may be given several times.  [default: all]
  --count N          The most true quotes to start from.  [default: all]
                     [x>=1]
  --each N           The most wrong ones made from each.  [default: 1; x>=1]
  --originals        Also write the true ones, before those made from them.
  --without-sources  Omit the sources from the samples; pass them to other
                     commands by --sources.
  --seed N           Another seed gives other samples.  [default: 0; x>=0]
  --overwrite        Replace an existing file.
  --json             Print JSON instead of a table.
  --help             Show this message and exit.
""")
