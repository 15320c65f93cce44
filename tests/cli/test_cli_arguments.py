"""Arguments: paths of sources after one option, and what is told of wrong ones."""

import io
import json
import sys
from pathlib import Path

from citeguard.cli.app import run
from citeguard.cli.arguments import repeat_sources
from cli.material import GOOD, answer, told_in_one_line, write
from fixture_types import Captured, MonkeyPatch
from rows import each_row


class TestArguments:
    def test_any_number_of_paths_in_any_number_of_options(self) -> None:
        for name in ("a.txt", "b.md", "c.txt"):
            write(name, "text")
        options = ["--sources", "a.txt", "b.md", "--sources=c.txt", "--sources", "handbook.txt"]
        assert run(["check", write("answer.json", answer(GOOD)), *options]) == 0

    def test_the_answer_may_come_from_standard_input(self, monkeypatch: MonkeyPatch) -> None:
        stdin = io.TextIOWrapper(io.BytesIO(json.dumps(answer(GOOD)).encode()))
        monkeypatch.setattr(sys, "stdin", stdin)
        assert run(["check", "--sources", "handbook.txt", "-"]) == 0

    def test_everything_after_two_dashes_is_the_answer(self) -> None:
        write("-answer.json", answer(GOOD))
        assert run(["check", "--sources", "handbook.txt", "--", "-answer.json"]) == 0


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


class TestCouldNotRun:
    def test_arguments(self, capsys: Captured) -> None:
        for arguments, told in [
            ([], "Missing command. See citeguard --help."),
            (["chek"], "No such command 'chek'"),
            (["check"], "Missing argument 'ANSWER.json'. See citeguard check --help."),
            (["check", "a.json"], "Missing option '--sources'"),
            (["check", "a.json", "--sources"], "--sources needs at least one path after it."),
            (["check", "a.json", "--sources", "--json"], "--sources needs at least one path"),
            (["check", "a.json", "--sources", "a.txt", "--jsn"], "No such option: --jsn"),
            (
                ["check", "--sources", "a.txt", "a.json"],
                "Missing argument 'ANSWER.json'. a.json was read as a source: "
                "put ANSWER.json before --sources. See citeguard check --help.",
            ),
            (["check", "--sources", "a.txt", "a.JSON", "--json"], "put ANSWER.json before"),
            (["check", "--sources", "a.txt"], "Missing argument 'ANSWER.json'. See citeguard"),
            (["check", "--sources=a.json"], "Missing argument 'ANSWER.json'. See citeguard"),
            (["check", "", "--sources", "handbook.txt"], "the path of the answer is empty"),
            (["check", "a.json", "--sources", ""], "the path of a source is empty"),
            (["check", "a.json", "--sources="], "the path of a source is empty"),
            (["check", "nope.json", "--sources", "handbook.txt"], "nope.json: no such file"),
            (["check", ".", "--sources", "handbook.txt"], ".: is a directory"),
            (["check", "a.json", "--sources", "nope.txt"], "nope.txt: no such file or directory"),
            (
                ["check", "a.json", "--sources", "empty"],
                "empty: the folder has no files that are read",
            ),
            (["check", "a.json", "--sources", "a\x1b[31m\nb.txt"], "a\\u001b[31m b.txt: no such"),
            (
                ["check", "a.json", "--sources", "handbook.txt", "handbook.txt"],
                "source id given twice: 'handbook.txt'",
            ),
        ]:
            Path("empty").mkdir(exist_ok=True)
            assert told in told_in_one_line(capsys, run(arguments))
