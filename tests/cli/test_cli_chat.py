"""`citeguard chat`: questions from a pipe and from a terminal, what is kept, and what is marked."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from typing import Any

import pytest
from inline_snapshot import snapshot

from citeguard import Library
from citeguard.cli.app import run
from cli.material import HANDBOOK, told_in_one_line, write
from cli.test_cli_running import ENVIRONMENT, PROGRAM
from fixture_types import Captured, MonkeyPatch
from llm_server import LLMServer
from llm_server import Reply as Said

_PATIENCE = 60  # seconds
NOTICE = "How long is the notice period?"
FOUNDER = "Who paid for the coffee?"


pytestmark = pytest.mark.usefixtures("easily_sure", "no_model")


def saying(monkeypatch: MonkeyPatch, *lines: str) -> None:
    """Let standard input be these lines."""
    text = "".join(f"{line}\n" for line in lines)
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(text.encode())))


def cited(text: str, quote: str) -> dict[str, Any]:
    citation = {"quote": quote, "source_id": "handbook"}
    return {"statements": [{"text": text, "citations": [citation]}]}


class TestPiped:
    def test_each_line_is_a_question(self, monkeypatch: MonkeyPatch, capsys: Captured) -> None:
        saying(monkeypatch, NOTICE, "", FOUNDER, "/sources", "/nothing", "/quit", NOTICE)
        assert run(["chat", "handbook.txt"]) == 0
        printed = capsys.readouterr()
        assert printed.out == snapshot("""\
? How long is the notice period?
The notice period is one month. [1]

[1] “The notice period is one month.”
    handbook, line 3

? Who paid for the coffee?
Not answered. No sentence that was found clearly answers it.
Closest passages:

[1] “Chapter 1 The notice period is one month. It does not apply during probation.”
    handbook, line 1

? /sources
handbook
? /nothing
/nothing is no command: /sources lists the documents, /quit ends.
? /quit
""")
        assert "a small reader chose" in printed.err

    def test_says_where_nothing_reads(self, monkeypatch: MonkeyPatch, capsys: Captured) -> None:
        saying(monkeypatch, "/sources")
        monkeypatch.setattr("citeguard.cli.asking.is_installed", lambda: False)
        assert run(["chat", "handbook.txt"]) == 0
        assert 'nothing reads them: pip install "pydantic-citeguard[reader]"' in (
            capsys.readouterr().err
        )

    def test_the_model_is_shown_what_was_said_before(
        self, monkeypatch: MonkeyPatch, endpoint: LLMServer
    ) -> None:
        endpoint.push(
            cited("It is one month.", "The notice period is one month."),
            cited("Not during probation.", "It does not apply during probation."),
        )
        saying(monkeypatch, NOTICE, "Does it apply during probation?")
        model = ["--model", "openai/writer-1", "--base-url", endpoint.base_url]
        assert run(["chat", "handbook.txt", *model]) == 0
        assert "It is one month. [1]" in endpoint.requests[1].texts[-1]


class TestKept:
    def test_goes_on_where_it_ended(self, monkeypatch: MonkeyPatch, capsys: Captured) -> None:
        saying(monkeypatch, NOTICE)
        assert run(["chat", "handbook.txt", "--library", "docs.db"]) == 0
        told = re.search(r"to go on: citeguard (chat .*)\n", capsys.readouterr().err)
        assert told is not None
        saying(monkeypatch, FOUNDER)
        assert run(told[1].split()) == 0
        assert capsys.readouterr().out == snapshot("""\
? How long is the notice period?
The notice period is one month. [1]

[1] “The notice period is one month.”
    handbook, line 3

? Who paid for the coffee?
Not answered. No sentence that was found clearly answers it.
Closest passages:

[1] “Chapter 1 The notice period is one month. It does not apply during probation.”
    handbook, line 1

""")
        with Library("docs.db") as library:
            [chat] = library.chats()
            assert [each.role for each in library.messages(chat.id)] == ["user", "assistant"] * 2

    def test_marks_references_that_no_longer_stand(
        self, monkeypatch: MonkeyPatch, capsys: Captured
    ) -> None:
        write("other.txt", "Lunch is free on Fridays.")
        saying(monkeypatch, NOTICE, "When is lunch free?")
        run(["chat", "handbook.txt", "other.txt", "--library", "docs.db"])
        [told] = re.findall("--chat [0-9a-f]+", capsys.readouterr().err)
        write("handbook.txt", HANDBOOK.replace("one", "two"))
        run(["library", "add", "docs.db", "handbook.txt"])
        run(["library", "remove", "docs.db", "other"])
        capsys.readouterr()
        saying(monkeypatch)
        assert run(["chat", "--library", "docs.db", *told.split()]) == 0
        printed = capsys.readouterr().out
        assert "    handbook, line 3\n    The document has changed since.\n" in printed
        assert "    other, line 1\n    The document was removed since.\n" in printed


def test_could_not_begin_without_standard_input(monkeypatch: MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert "standard input is closed" in told_in_one_line(capsys, run(["chat", "handbook.txt"]))


class Terminal:
    """The command in a terminal, as a person uses it."""

    def __init__(self, *arguments: str) -> None:
        self._ours, theirs = pty.openpty()
        # In the background of a shell, tests ignore interruptions, and so does what they start.
        heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"{heard}; {PROGRAM}", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**ENVIRONMENT, "OPENAI_API_KEY": "scripted", "TERM": "xterm"},
            start_new_session=True,
        )
        os.close(theirs)
        self.printed = ""

    def read_until(self, text: str, *, times: int = 1) -> None:
        """Read until a text was printed so often."""
        end = time.monotonic() + _PATIENCE
        while self.printed.count(text) < times:
            assert time.monotonic() < end, self.printed
            assert self._read(0.1), self.printed

    def wait(self, ready: Callable[[], bool]) -> None:
        """Wait until something is so."""
        end = time.monotonic() + _PATIENCE
        while not ready():
            assert time.monotonic() < end, self.printed
            time.sleep(0.02)

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def end(self) -> int:
        """Return the exit status, and keep what was printed last."""
        end = time.monotonic() + _PATIENCE
        while self._read(0.5):
            assert time.monotonic() < end, self.printed
        os.close(self._ours)
        return self.process.wait(_PATIENCE)

    def _read(self, seconds: float) -> bool:
        """Read what is printed within some seconds; return whether there may be more."""
        if not select.select([self._ours], [], [], seconds)[0]:
            return True
        try:
            read = os.read(self._ours, 4_096)
        except OSError:  # how a terminal ends
            return False
        self.printed += read.decode("utf-8", "replace")
        return bool(read)


def test_control_c_stops_an_answer_and_control_d_ends(endpoint: LLMServer) -> None:
    endpoint.push(
        Said(fault="silence"), cited("It is one month.", "The notice period is one month.")
    )
    model = ["--model", "openai/writer-1", "--base-url", endpoint.base_url]
    terminal = Terminal("chat", "handbook.txt", "--library", "docs.db", *model)
    terminal.read_until("? ")
    assert "1 document. Ask a question; " in terminal.printed
    terminal.type(f"{NOTICE}\n")
    terminal.wait(lambda: bool(endpoint.requests))
    terminal.interrupt()
    terminal.read_until("stopped")
    assert endpoint.settle()  # the model is no longer waited for
    terminal.type(f"{NOTICE}\n")
    terminal.read_until("It is one month. [1]")
    terminal.read_until("? ", times=3)
    terminal.type("\x04")
    assert terminal.end() == 0
    assert "citeguard: kept; to go on: citeguard chat --library docs.db" in terminal.printed
    assert "Traceback" not in terminal.printed
