"""Running the command: statuses, streams that fail, interruption; it never fails messily."""

import errno
import io
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from citeguard import cli
from cli.material import GOOD, answer, check, told_in_one_line, write
from fixture_types import Captured, MonkeyPatch
from rows import each_row

ROOT = Path(__file__).parent.parent.parent


def test_main_exits_with_the_status() -> None:
    with pytest.raises(SystemExit) as exited:
        cli.main(["check", "nope.json", "--sources", "handbook.txt"])
    assert exited.value.code == 2


class TestCouldNotRun:
    def test_output_that_cannot_be_written(
        self, capsys: Captured, monkeypatch: MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BufferedWriter(FullDisk())))
        assert "No space left" in told_in_one_line(capsys, check(answer(GOOD)))

    def test_a_crash_is_named(self, capsys: Captured, monkeypatch: MonkeyPatch) -> None:
        def crash(*_: object) -> None:
            raise LookupError("it broke\nhere")

        monkeypatch.setattr("citeguard.cli.check.examine", crash)
        told = told_in_one_line(capsys, check(answer(GOOD)))
        place = r"\(test_cli_running.py:\d+\)"
        assert re.fullmatch(rf"internal error: LookupError: it broke here {place}", told)


class TestInterrupted:
    """By Ctrl-C, after some output."""

    @pytest.fixture(autouse=True)
    def in_the_middle(self, monkeypatch: MonkeyPatch) -> None:
        def interrupt(*_: object) -> None:
            sys.stdout.write("the first half\n")
            raise KeyboardInterrupt

        monkeypatch.setattr("citeguard.cli.check.examine", interrupt)

    def test_is_told_in_one_line_after_what_was_printed(self, capsys: Captured) -> None:
        assert check(answer(GOOD)) == 130
        assert capsys.readouterr() == ("the first half\n", "citeguard: interrupted\n")


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


PROGRAM = "from citeguard.cli import main; main()"
# Without a buffer Python takes a write to a pipe that breaks half-way for a whole one.
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
    "PYTHONPATH": str(ROOT / "src"),
}


def run_process(arguments: list[str], **options: Any) -> "subprocess.CompletedProcess[str]":
    """Run the command in a process of its own."""
    environment = {**ENVIRONMENT, **options.pop("env", {})}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        capture_output=True,
        encoding="utf-8",
        env=environment,
        check=False,
        **options,
    )


class TestProcess:
    def test_prints_in_any_encoding(self) -> None:
        write("answer.json", answer({"quote": "通知期間は一ヶ月です👍", "source_id": "a"}))
        write("a.txt", "通知期間は一ヶ月です👍。")
        done = run_process(
            ["check", "answer.json", "--sources", "a.txt"],
            env={"PYTHONIOENCODING": "ascii"},
            errors="replace",
        )
        assert (done.returncode, done.stderr) == (0, "")

    def test_a_reader_that_leaves_is_no_failure_of_the_answer(self) -> None:
        write("answer.json", answer(*[GOOD] * 800))
        done = run_in_shell("check answer.json --sources handbook.txt | head -n 1")
        assert (done.returncode, done.stderr) == (141, "")

    @each_row(
        ("arguments", "told"),
        [
            ("--help >&-", "standard output is closed"),
            ("check - --sources handbook.txt <&-", "standard input is closed"),
        ],
    )
    def test_a_closed_stream(self, arguments: str, told: str) -> None:
        write("answer.json", answer(GOOD))
        done = run_in_shell(arguments)
        assert (done.returncode, done.stderr) == (2, f"citeguard: {told}\n")

    @each_row("arguments", ["--sources handbook.txt 2>&-", "--sources nope.txt 2>&1 | true"])
    def test_where_nothing_can_be_told_the_status_is_the_same(self, arguments: str) -> None:
        done = run_in_shell(f"check nope.json {arguments}")
        assert (done.returncode, done.stderr) == (2, "")

    def test_an_interruption(self) -> None:
        os.mkfifo("answer.json")
        program = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
        command = [sys.executable, "-c", f"{program}; {PROGRAM}", "check", "answer.json"]
        running = subprocess.Popen(
            [*command, "--sources", "handbook.txt"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=ENVIRONMENT,
        )
        with open("answer.json", "w"):  # waits until the command opens it to read
            running.send_signal(signal.SIGINT)
            assert running.communicate() == ("", "citeguard: interrupted\n")
        assert running.returncode == 130


def run_in_shell(arguments: str, *, before: str = "") -> "subprocess.CompletedProcess[str]":
    """Run the command in a shell, with what stands after it; the status is the command's own."""
    program = f"{before}{shlex.quote(sys.executable)} -c '{PROGRAM}'"
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{program} {arguments}"],
        capture_output=True,
        encoding="utf-8",
        env=ENVIRONMENT,
        check=False,
    )
