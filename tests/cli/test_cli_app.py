"""What `citeguard` says of itself and of its commands."""

import re

import pytest

from citeguard.cli.running import run


class TestApp:
    def test_version(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["--version"]) == 0
        assert re.fullmatch(r"citeguard \d+\.\d+\.\d+\S*\n", capsys.readouterr().out)

    @pytest.mark.parametrize("arguments", [["--help"], ["check", "--help"]])
    def test_help(self, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        assert run(arguments) == 0
        told = capsys.readouterr().out
        assert "Usage: citeguard" in told
        assert "..." not in told.replace("[ARGS]...", "").replace("PATH...", "")
