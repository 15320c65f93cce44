"""An answer's good and bad quotes, and how tests run the command and read what it prints."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from citeguard.cli.app import run

HANDBOOK = "Chapter 1\n\nThe notice period is one month.\nIt does not apply during probation.\n"
GOOD = {"quote": "The notice period is one month.", "source_id": "handbook"}
BAD = {"quote": "Cake is served on Fridays at noon.", "source_id": "handbook"}


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
    return run(["check", write("answer.json", content), "--sources", sources, *options])


def words(text: str) -> str:
    """Return the words of a table without its rules and line breaks."""
    return " ".join(re.sub(r"[│┃┏┓┗┛┡┩├┤└┘━─┳╇┼┴]", " ", text).split())


def told_in_one_line(capsys: pytest.CaptureFixture[str], status: int = 2) -> str:
    """Return the one line on standard error of a command that could not run.

    Nothing may be on standard output.
    """
    assert status == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("citeguard: ")
    assert captured.err.count("\n") == 1
    return captured.err.removeprefix("citeguard: ").rstrip("\n")
