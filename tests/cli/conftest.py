"""Every test of the command runs in a directory of its own, on a wide terminal without colour."""

from pathlib import Path

import pytest

from cli.material import HANDBOOK


@pytest.fixture(autouse=True)
def plain_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("FORCE_COLOR", "NO_COLOR", "TERM", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "400")
    Path("handbook.txt").write_bytes(HANDBOOK.encode())


@pytest.fixture
def easily_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the reader be sure of what it finds rather improbable: how sure it is, is no matter."""
    monkeypatch.setattr("citeguard.library.extraction.answered_from", lambda: 0.25)
