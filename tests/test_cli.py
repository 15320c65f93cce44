"""The command `citeguard`: what it prints, what it exits with, and that it never fails messily."""

import errno
import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from citeguard import Policy, Span, Verdict, cli
from citeguard.checks.judge import name_of
from citeguard.testing import ScriptedJudge

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "docs" / "example"
EXAMPLE_SOURCES = sorted(map(str, EXAMPLE.glob("*.txt")))

HANDBOOK = "Chapter 1\n\nThe notice period is one month.\nIt does not apply during probation.\n"
GOOD = {"quote": "The notice period is one month.", "source_id": "handbook"}
BAD = {"quote": "Cake is served on Fridays at noon.", "source_id": "handbook"}

Write = Callable[[str, Any], str]


@pytest.fixture(autouse=True)
def plain_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("FORCE_COLOR", "NO_COLOR", "TERM", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "400")
    Path("handbook.txt").write_bytes(HANDBOOK.encode())


def answer(*citations: dict[str, Any], text: str = "As it says.") -> dict[str, Any]:
    return {"statements": [{"text": text, "citations": [citation]} for citation in citations]}


def write(name: str, content: Any) -> str:
    """Write a file, JSON when it is neither text nor bytes, and return its name."""
    if not isinstance(content, (str, bytes)):
        content = json.dumps(content)
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name


def check(content: Any, *options: str, sources: str = "handbook.txt") -> int:
    """Check an answer against the handbook."""
    return cli.run(["check", write("answer.json", content), "--sources", sources, *options])


def words(text: str) -> str:
    """Return the words of a table without its rules and line breaks."""
    return " ".join(re.sub(r"[│┃┏┓┗┛┡┩├┤└┘━─┳╇┼┴]", " ", text).split())


class TestExitStatus:
    def test_all_good(self) -> None:
        assert check(answer(GOOD)) == 0

    def test_something_failed(self) -> None:
        assert check(answer(GOOD, BAD)) == 1

    def test_a_statement_without_citations_failed(self) -> None:
        assert check({"statements": [{"text": "So.", "citations": []}]}) == 1

    def test_an_answer_without_statements_failed(self) -> None:
        assert check({"statements": []}) == 1

    def test_is_the_same_when_the_output_is_captured_in_memory(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "stdout", io.StringIO())
        assert check(answer(GOOD)) == 0

    def test_main_exits_with_it(self) -> None:
        with pytest.raises(SystemExit) as exited:
            cli.main(["check", "nope.json", "--sources", "handbook.txt"])
        assert exited.value.code == 2


class TestTable:
    def test_shows_quote_grade_and_place(self, capsys: pytest.CaptureFixture[str]) -> None:
        check(answer(GOOD))
        told = words(capsys.readouterr().out)
        assert "As it says." in told
        assert "“The notice period is one month.”" in told
        assert "exact handbook:3 (11-42)" in told
        assert told.endswith("1 statement, 1 quote: all good")

    def test_shows_every_error_and_what_is_good_beside_them(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        wrong = {"quote": GOOD["quote"], "source_id": "faq"}
        check(answer(BAD, GOOD, wrong))
        told = words(capsys.readouterr().out)
        assert "“Cake is served on Fridays at noon.” (from handbook) quote_not_found: " in told
        assert "exact handbook:3" in told
        assert "source_unknown: " in told
        assert told.endswith("3 statements, 3 quotes: 2 problems")

    def test_shows_a_statements_own_errors(self, capsys: pytest.CaptureFixture[str]) -> None:
        bare = {"text": "So.", "citations": []}
        blank = {"text": " ", "citations": [GOOD]}
        check({"statements": [bare, blank]})
        told = words(capsys.readouterr().out)
        assert "So. statement_uncited: " in told
        assert "exact handbook:3 (11-42) statement_empty: " in told

    def test_shows_an_answers_own_errors(self, capsys: pytest.CaptureFixture[str]) -> None:
        check({"statements": []})
        told = words(capsys.readouterr().out)
        assert told.startswith("answer_empty: ")
        assert told.endswith("0 statements, 0 quotes: 1 problem")

    def test_flags_a_quote_that_its_sentence_denies(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write("rumour.txt", "It is false that the notice period is one month.")
        cited = {"quote": "the notice period is one month", "source_id": "rumour"}
        assert check(answer(cited), sources="rumour.txt") == 0
        assert "its own sentence denies it" in words(capsys.readouterr().out)

    def test_shows_what_was_written_and_what_the_source_says(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write("quotes.txt", "The “notice period” is one month.")
        cited = {"quote": 'The "notice period" is one month.', "source_id": "quotes"}
        assert check(answer(cited), sources="quotes.txt") == 0
        told = words(capsys.readouterr().out)
        assert "“The “notice period” is one month.” normalized quotes:1 (0-33)" in told
        assert 'quoted as “The "notice period" is one month.”' in told

    @pytest.mark.parametrize("columns", [20, 40, 63, 64, 80, 200])
    def test_keeps_to_the_terminals_width(
        self, columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", str(columns))
        check(answer(GOOD, BAD, text="A" * 300))
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) <= columns

    def test_has_no_colour_when_piped(self, capsys: pytest.CaptureFixture[str]) -> None:
        check(answer(GOOD, BAD))
        assert "\x1b" not in capsys.readouterr().out

    def test_has_colour_on_request(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        check(answer(GOOD))
        assert "\x1b[32mexact" in capsys.readouterr().out

    def test_has_no_colour_where_none_is_wanted(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("NO_COLOR", "1")
        check(answer(GOOD, BAD))
        assert not re.search(r"\x1b\[[\d;]*3\d", capsys.readouterr().out)

    def test_takes_no_text_for_markup(self, capsys: pytest.CaptureFixture[str]) -> None:
        text = "[bold red]Notice[/] is [link=x]one[/link] month :smile: [/nothing]"
        write("markup.txt", text)
        cited = {"quote": text, "source_id": "markup"}
        assert check(answer(cited, text=text), sources="markup.txt") == 0
        assert words(capsys.readouterr().out).count(text) == 2

    @pytest.mark.parametrize(
        "control",
        ["\x1b[2J", "\x07", "\x9b31m", "\u202e", "\ud800"],
        ids=["ESC", "BEL", "CSI", "RLO", "lone surrogate"],
    )
    def test_obeys_no_control_character(
        self, control: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        cited = {"quote": f"Cake is {control} served.", "source_id": f"hand{control}book"}
        check(answer(cited, text=f"So {control} be it."))
        assert control[0] not in capsys.readouterr().out


class TestJson:
    def test_says_where_a_quote_stands(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert check(answer(GOOD), "--json") == 0
        assert json.loads(capsys.readouterr().out) == {
            "passed": True,
            "statements": [
                {
                    "text": "As it says.",
                    "citations": [
                        {
                            **GOOD,
                            "spans": [{"source_id": "handbook", "start": 11, "end": 42}],
                            "grade": "exact",
                            "quoted_as": None,
                            "denied": False,
                            "line": 3,
                            "errors": [],
                        }
                    ],
                    "errors": [],
                }
            ],
            "errors": [],
        }

    def test_says_what_is_wrong_and_where(self, capsys: pytest.CaptureFixture[str]) -> None:
        uncited = {"text": "So.", "citations": []}
        assert check({"statements": [*answer(BAD)["statements"], uncited]}, "--json") == 1
        told = json.loads(capsys.readouterr().out)
        assert told["passed"] is False
        assert told["errors"] == []
        wrong, bare = told["statements"]
        assert wrong["citations"][0]["errors"][0]["code"] == "quote_not_found"
        assert wrong["citations"][0]["errors"][0]["message"].startswith("The quote does not stand")
        assert wrong["errors"] == []
        assert [error["code"] for error in bare["errors"]] == ["statement_uncited"]

    def test_says_what_is_wrong_with_the_whole(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert check({"statements": []}, "--json") == 1
        assert [each["code"] for each in json.loads(capsys.readouterr().out)["errors"]] == [
            "answer_empty"
        ]


def stated(*texts: str) -> dict[str, Any]:
    """Make an answer whose statements all cite the same sentence."""
    return {"statements": [{"text": text, "citations": [GOOD]} for text in texts]}


SUPPORTED = "The notice period is one month."
UNRELATED = "Cake is served on Fridays at noon in the canteen."


class TestSupport:
    @pytest.fixture(autouse=True)
    def judged_by_a_script(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let what is decided be known; that the embedded verifier is asked is tested apart."""
        said = {"Perhaps.": Verdict("undecided", reason="between the thresholds", score=0.5)}
        said[SUPPORTED] = Verdict("supported", score=0.875, span=Span("handbook", 11, 42))
        judge = ScriptedJudge(said, otherwise=Verdict("unsupported", reason="No.", score=0.1))
        monkeypatch.setattr("citeguard.policy.embedded_judge", lambda: judge)

    @pytest.mark.parametrize(
        ("content", "status"),
        [
            pytest.param(stated(SUPPORTED), 0, id="supported"),
            pytest.param(stated(SUPPORTED, UNRELATED), 1, id="unsupported"),
            pytest.param(stated(SUPPORTED, "Perhaps."), 3, id="undecided"),
            pytest.param(stated(UNRELATED, "Perhaps."), 1, id="unsupported and undecided"),
            pytest.param(answer(BAD, text="Perhaps."), 1, id="misquoted"),
            pytest.param({"statements": [{"text": "x", "citations": []}]}, 1, id="uncited"),
        ],
    )
    def test_is_in_the_exit_status(self, content: Any, status: int) -> None:
        assert check(content, "--support") == status

    def test_is_not_judged_unless_asked_for(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert check(stated(UNRELATED, "Perhaps."), "--json") == 0
        told = json.loads(capsys.readouterr().out)
        assert all("verdict" not in statement for statement in told["statements"])

    def test_is_in_the_table(self, capsys: pytest.CaptureFixture[str]) -> None:
        check(stated(SUPPORTED, UNRELATED, "Perhaps."), "--support")
        told = words(capsys.readouterr().out)
        assert "supported (0.88)" in told
        assert "statement_unsupported: What is cited does not support the statement." in told
        assert "undecided: The check could not tell whether the statement holds" in told
        assert told.endswith("3 statements, 3 quotes: 1 problem, 1 undecided")

    def test_undecided_alone_is_no_problem(self, capsys: pytest.CaptureFixture[str]) -> None:
        check(stated("Perhaps."), "--support")
        assert words(capsys.readouterr().out).endswith("1 statement, 1 quote: 1 undecided")

    def test_is_in_the_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        check(stated(SUPPORTED, UNRELATED, "Perhaps."), "--support", "--json")
        told = json.loads(capsys.readouterr().out)
        assert told["passed"] is False
        assert [each["verdict"] for each in told["statements"]] == [
            {
                "outcome": "supported",
                "reason": "",
                "score": 0.875,
                "words": "",
                "span": {"source_id": "handbook", "start": 11, "end": 42},
                "judge": "",
            },
            {
                "outcome": "unsupported",
                "reason": "No.",
                "score": 0.1,
                "words": "",
                "span": None,
                "judge": "",
            },
            {
                "outcome": "undecided",
                "reason": "between the thresholds",
                "score": 0.5,
                "words": "",
                "span": None,
                "judge": "",
            },
        ]
        codes = [[error["code"] for error in each["errors"]] for each in told["statements"]]
        assert codes == [[], ["statement_unsupported"], ["undecided"]]


class TestSupportWithoutAModel:
    def test_is_judged_by_the_embedded_verifier(self, capsys: pytest.CaptureFixture[str]) -> None:
        check(stated(SUPPORTED, UNRELATED), "--support", "--json")
        supported, unrelated = json.loads(capsys.readouterr().out)["statements"]
        assert supported["verdict"]["outcome"] == "supported"
        assert supported["verdict"]["judge"] == name_of(Policy.fast().support[0])
        assert unrelated["verdict"]["outcome"] != "supported"


class TestArguments:
    def test_any_number_of_paths_in_any_number_of_options(self) -> None:
        for name in ("a.txt", "b.md", "c.txt"):
            write(name, "text")
        options = ["--sources", "a.txt", "b.md", "--sources=c.txt", "--sources", "handbook.txt"]
        assert cli.run(["check", write("answer.json", answer(GOOD)), *options]) == 0

    def test_an_equals_sign_takes_one_path(self) -> None:
        write("answer.json", answer(GOOD))
        assert cli.run(["check", "--sources=handbook.txt", "answer.json"]) == 0

    def test_the_paths_end_at_the_next_option(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert (
            cli.run(
                ["check", "--sources", "handbook.txt", "--json", write("answer.json", answer(GOOD))]
            )
            == 0
        )
        assert json.loads(capsys.readouterr().out)["passed"]

    def test_the_answer_may_come_from_standard_input(self, monkeypatch: pytest.MonkeyPatch) -> None:
        stdin = io.TextIOWrapper(io.BytesIO(json.dumps(answer(GOOD)).encode()))
        monkeypatch.setattr(sys, "stdin", stdin)
        assert cli.run(["check", "--sources", "handbook.txt", "-"]) == 0

    def test_everything_after_two_dashes_is_the_answer(self) -> None:
        write("-answer.json", answer(GOOD))
        assert cli.run(["check", "--sources", "handbook.txt", "--", "-answer.json"]) == 0

    def test_version(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert cli.run(["--version"]) == 0
        assert re.fullmatch(r"citeguard \d+\.\d+\.\d+\S*\n", capsys.readouterr().out)

    @pytest.mark.parametrize("arguments", [["--help"], ["check", "--help"]])
    def test_help(self, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        assert cli.run(arguments) == 0
        told = capsys.readouterr().out
        assert "Usage: citeguard" in told
        assert "..." not in told.replace("[ARGS]...", "").replace("PATH...", "")


def told_in_one_line(capsys: pytest.CaptureFixture[str]) -> str:
    """Return the one line on standard error; nothing may be on standard output."""
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("citeguard: ")
    assert captured.err.count("\n") == 1
    return captured.err.removeprefix("citeguard: ").rstrip("\n")


class TestCouldNotRun:
    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            ([], "Missing command. See citeguard --help."),
            (["chek"], "No such command 'chek'"),
            (["check"], "Missing argument 'ANSWER.json'. See citeguard --help."),
            (["check", "a.json"], "Missing option '--sources'"),
            (["check", "a.json", "--sources"], "--sources needs at least one path after it."),
            (["check", "a.json", "--sources", "--json"], "--sources needs at least one path"),
            (["check", "a.json", "--sources", "a.txt", "--jsn"], "No such option: --jsn"),
            (
                ["check", "--sources", "a.txt", "a.json"],
                "Missing argument 'ANSWER.json'. a.json is taken for a source: "
                "put ANSWER.json before --sources. See citeguard --help.",
            ),
            (["check", "--sources", "a.txt", "a.json", "--json"], "put ANSWER.json before"),
            (["check", "--sources", "a.txt"], "Missing argument 'ANSWER.json'. See citeguard"),
            (["check", "--sources=a.json"], "Missing argument 'ANSWER.json'. See citeguard"),
            (["check", "", "--sources", "handbook.txt"], "the path of the answer is empty"),
            (["check", "a.json", "--sources", ""], "the path of a source is empty"),
            (["check", "a.json", "--sources="], "the path of a source is empty"),
            (["check", "nope.json", "--sources", "handbook.txt"], "nope.json: no such file"),
            (["check", ".", "--sources", "handbook.txt"], ".: is a directory"),
            (["check", "a.json", "--sources", "nope.txt"], "nope.txt: no such file or directory"),
            (["check", "a.json", "--sources", "."], ".: is a directory"),
            (["check", "a.json", "--sources", "a\x1b[31m\nb.txt"], "a\\x1b[31m b.txt: no such"),
            (
                ["check", "a.json", "--sources", "handbook.txt", "handbook.txt"],
                "source id given twice: 'handbook.txt'",
            ),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, list) else "",
    )
    def test_arguments(
        self, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert cli.run(arguments) == 2
        assert told in told_in_one_line(capsys)

    @pytest.mark.parametrize(
        ("content", "told"),
        [
            pytest.param(b"\xff\xfe", "answer.json: not UTF-8", id="not UTF-8"),
            pytest.param("", "answer.json: not JSON", id="empty"),
            pytest.param("{", "answer.json: not JSON", id="not JSON"),
            pytest.param("[" * 100_000, "answer.json: not JSON", id="nested"),
            pytest.param([], "this is no answer: the whole: ", id="list"),
            pytest.param(None, "this is no answer: the whole: ", id="null"),
            pytest.param({}, "this is no answer: statements: Field required", id="no statements"),
            pytest.param(
                {"statements": "x"}, "this is no answer: statements: ", id="statements not a list"
            ),
            pytest.param(
                {"statements": [{"text": "x"}]},
                "this is no answer: statements.0.citations: Field required",
                id="no citations",
            ),
            pytest.param(
                {"statements": [{"text": 1, "citations": [{}]}]},
                "this is no answer: statements.0.text: Input should be a valid string (and 1 more)",
                id="two mistakes",
            ),
            pytest.param(
                answer(BAD, {"quote": 5}),
                "this is no answer: statements.1.citations.0.quote: ",
                id="beside a bad quote",
            ),
        ],
    )
    def test_answers(self, content: Any, told: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert check(content) == 2
        assert told in told_in_one_line(capsys)

    def test_sources_without_text(self, capsys: pytest.CaptureFixture[str]) -> None:
        write("blank.txt", " \n")
        assert check(answer(GOOD), sources="blank.txt") == 2
        assert "no sources" in told_in_one_line(capsys)

    def test_output_that_cannot_be_written(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BufferedWriter(FullDisk())))
        assert check(answer(GOOD)) == 2
        assert "No space left" in told_in_one_line(capsys)

    @pytest.mark.parametrize("name", ["stdin", "stdout"])
    def test_a_closed_stream(
        self, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, name, None)
        assert cli.run(["check", "-", "--sources", "handbook.txt"]) == 2
        stream = {"stdin": "input", "stdout": "output"}[name]
        assert told_in_one_line(capsys) == f"standard {stream} is closed"

    def test_a_line_that_cannot_be_written(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(io.BufferedWriter(FullDisk())))
        assert cli.run(["check", "nope.json", "--sources", "handbook.txt"]) == 2

    def test_a_reader_that_has_left(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stdout = io.TextIOWrapper(io.BufferedWriter(FullDisk(errno.EPIPE)))
        monkeypatch.setattr(sys, "stdout", stdout)
        assert check(answer(GOOD), "--json") == 141
        assert capsys.readouterr().err == ""

    def test_a_crash_is_named(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def crash(*_: object) -> None:
            raise LookupError("it broke\nhere")

        monkeypatch.setattr(cli, "examine", crash)
        assert check(answer(GOOD)) == 2
        told = told_in_one_line(capsys)
        assert re.fullmatch(r"internal error: LookupError: it broke here \(test_cli.py:\d+\)", told)


class FullDisk(io.RawIOBase):
    """A file that nothing can be written to."""

    def __init__(self, number: int = errno.ENOSPC) -> None:
        self.number = number

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        raise OSError(self.number, os.strerror(self.number))

    def close(self) -> None:
        """Lose what is left to write."""


# Without a buffer Python takes a write to a pipe that breaks half-way for a whole one.
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
    "PYTHONPATH": str(ROOT / "src"),
}


def run_process(arguments: list[str], **options: Any) -> "subprocess.CompletedProcess[str]":
    """Run the command in a process of its own."""
    environment = {**ENVIRONMENT, **options.pop("env", {})}
    return subprocess.run(
        [sys.executable, "-c", "from citeguard.cli import main; main()", *arguments],
        capture_output=True,
        encoding="utf-8",
        env=environment,
        check=False,
        **options,
    )


class TestProcess:
    @pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
    def test_prints_in_any_encoding(self, encoding: str) -> None:
        write("answer.json", answer({"quote": "通知期間は一ヶ月です👍", "source_id": "a"}))
        write("a.txt", "通知期間は一ヶ月です👍。")
        done = run_process(
            ["check", "answer.json", "--sources", "a.txt"],
            env={"PYTHONIOENCODING": encoding},
            errors="replace",
        )
        assert (done.returncode, done.stderr) == (0, "")

    @pytest.mark.parametrize("options", ["", "--json"])
    def test_a_reader_that_leaves_is_no_failure_of_the_answer(self, options: str) -> None:
        write("answer.json", answer(*[GOOD] * 2_000))
        done = run_in_shell(f"check answer.json {options} --sources handbook.txt | head -n 1")
        assert (done.returncode, done.stderr) == (141, "")

    def test_a_reader_that_leaves_gets_no_traceback_from_help(self) -> None:
        done = run_in_shell("check --help | true")
        assert done.returncode in (0, 141)
        assert done.stderr == ""

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            ("check answer.json --sources handbook.txt >&-", "standard output is closed"),
            ("--help >&-", "standard output is closed"),
            ("check - --sources handbook.txt <&-", "standard input is closed"),
        ],
    )
    def test_a_closed_stream(self, arguments: str, told: str) -> None:
        write("answer.json", answer(GOOD))
        done = run_in_shell(arguments)
        assert (done.returncode, done.stderr) == (2, f"citeguard: {told}\n")

    @pytest.mark.parametrize(
        "arguments", ["--sources handbook.txt 2>&-", "--sources nope.txt 2>&1 | true"]
    )
    def test_where_nothing_can_be_told_the_status_is_the_same(self, arguments: str) -> None:
        done = run_in_shell(f"check nope.json {arguments}")
        assert (done.returncode, done.stderr) == (2, "")

    @pytest.mark.parametrize("options", ["", "--json"])
    def test_a_file_that_takes_no_more(self, options: str) -> None:
        write("answer.json", answer(GOOD))
        arguments = f"check answer.json {options} --sources handbook.txt >told"
        done = run_in_shell(arguments, before="ulimit -f 0; ")
        assert done.returncode == 2
        assert done.stderr == f"citeguard: [Errno {errno.EFBIG}] {os.strerror(errno.EFBIG)}\n"
        assert Path("told").read_text() == ""


def run_in_shell(arguments: str, *, before: str = "") -> "subprocess.CompletedProcess[str]":
    """Run the command in a shell, with what stands after it; the status is the command's own."""
    program = f"{before}{shlex.quote(sys.executable)} -c 'from citeguard.cli import main; main()'"
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{program} {arguments}"],
        capture_output=True,
        encoding="utf-8",
        env=ENVIRONMENT,
        check=False,
    )


class TestShippedExample:
    """What `docs/example` promises, by the README."""

    def test_the_answer_passes_in_three_grades(self, capsys: pytest.CaptureFixture[str]) -> None:
        arguments = ["check", str(EXAMPLE / "answer.json"), "--json", "--sources"]
        assert cli.run([*arguments, *EXAMPLE_SOURCES]) == 0
        statements = json.loads(capsys.readouterr().out)["statements"]
        assert [each["citations"][0]["grade"] for each in statements] == [
            "normalized",
            "exact",
            "normalized",
            "elided",
        ]

    def test_the_answer_with_errors_fails(self, capsys: pytest.CaptureFixture[str]) -> None:
        arguments = ["check", str(EXAMPLE / "answer-with-errors.json"), "--json", "--sources"]
        assert cli.run([*arguments, *EXAMPLE_SOURCES]) == 1
        statements = json.loads(capsys.readouterr().out)["statements"]
        errors = [each["citations"][0]["errors"] for each in statements]
        assert [[error["code"] for error in each] for each in errors] == [
            [],
            ["quote_altered"],
            ["quote_altered"],
            ["quote_wrong_source"],
        ]
        assert "[-20/40-] {+20/20+}" in errors[1][0]["message"]
        assert "{+not+}" in errors[2][0]["message"]
