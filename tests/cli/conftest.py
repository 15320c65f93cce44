"""Every test of the command runs in a directory of its own, on a wide terminal without colour."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from typer.main import get_command

from cli.material import HANDBOOK
from llm_server import LLMServer

KEY = "sk-hunter2"


@pytest.fixture(scope="session", autouse=True)
def built_once() -> Iterator[None]:
    """Build the command once: that takes most of a run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("citeguard.cli.app.get_command", cache(get_command))
        yield


@pytest.fixture(autouse=True)
def plain_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("FORCE_COLOR", "NO_COLOR", "TERM", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "400")
    Path("handbook.txt").write_bytes(HANDBOOK.encode())


@pytest.fixture
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Name no language model in the environment, but a key."""
    for name in ("CITEGUARD_MODEL", "CITEGUARD_BASE_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.fixture
def endpoint() -> Iterator[LLMServer]:
    """Return a scripted endpoint of language models."""
    with LLMServer() as server:
        yield server


@pytest.fixture
def easily_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the reader be sure of what it finds rather improbable: how sure it is, is no matter."""
    monkeypatch.setattr("citeguard.library.extraction.answered_from", lambda: 0.25)
