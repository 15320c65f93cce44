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
