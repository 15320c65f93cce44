"""`citeguard serve`: its options and start."""

import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from citeguard import Library
from citeguard.cli.app import run
from citeguard.cli.serve import ServiceOptions
from citeguard.server import app, running
from fixture_types import Captured, MonkeyPatch

Given = list[dict[str, Any]]


@pytest.fixture
def given(monkeypatch: MonkeyPatch) -> Given:
    """Return what services are made with, of which none is served."""
    made: Given = []
    monkeypatch.setattr(app, "create_app", lambda _, **options: made.append(options))
    monkeypatch.setattr(running, "serve", lambda *_, **__: None)
    return made


class TestServe:
    def test_names_the_extra_that_is_missing(
        self, monkeypatch: MonkeyPatch, capsys: Captured
    ) -> None:
        monkeypatch.setitem(sys.modules, "fastapi", None)
        monkeypatch.delitem(sys.modules, "citeguard.server.app", raising=False)
        assert run(["serve"]) == 2
        assert 'pip install "pydantic-citeguard[server]"' in capsys.readouterr().err

    def test_reports_a_port_in_use(self, capsys: Captured) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            assert run(["serve", "--port", str(taken.getsockname()[1])]) == 2
        assert "Address already in use" in capsys.readouterr().err

    @pytest.mark.parametrize("host", ["203.0.113.1", "0.0.0.0", "::"])
    def test_requires_a_token_when_others_can_reach_it(
        self, host: str, given: Given, monkeypatch: MonkeyPatch, capsys: Captured
    ) -> None:
        assert run(["serve", "--host", host]) == 2
        assert run(["serve", "--host", host, "--token", " "]) == 2
        assert "--token" in capsys.readouterr().err
        assert run(["serve", "--host", host, "--token", "one"]) == 0
        monkeypatch.setenv("CITEGUARD_TOKEN", "two")
        assert run(["serve", "--host", host]) == 0
        assert [each["token"] for each in given] == ["one", "two"]

    @pytest.mark.parametrize(
        "arguments",
        [
            ["--port", "70000"],
            ["--limit", "pages=0"],
            ["--limit", "pages"],
            ["--limit", "nothing=1"],
            ["--grace", "-1"],
            ["--grace", "inf"],
            ["--grace", "nan"],
            ["file"],
        ],
    )
    def test_rejects_unusable_options(self, arguments: list[str], capsys: Captured) -> None:
        assert run(["serve", *arguments]) == 2
        assert "internal error" not in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [([], (30, 60)), (["--limit", "judging_seconds=7"], (30, 7))],
        ids=str,
    )
    def test_limits_reading_and_judging(
        self, given: Given, arguments: list[str], expected: tuple[float, float]
    ) -> None:
        assert run(["serve", *arguments]) == 0
        limits = given[0]["limits"]
        assert (limits.reading_seconds, limits.judging_seconds) == expected


class TestFacts:
    """What `serve` and `mcp` do with the options that say where to look for pages."""

    @pytest.mark.parametrize("command", ["serve", "mcp"])
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["--search", "brave"], "BRAVE_API_KEY"),
            (["--search", "searxng"], "--url URL"),
            (["--folder", "nowhere"], "is not a folder"),
            (["--allow", "localhost:80"], "say where to look for pages"),
        ],
        ids=str,
    )
    def test_are_checked_at_the_start(
        self,
        command: str,
        options: list[str],
        message: str,
        monkeypatch: MonkeyPatch,
        capsys: Captured,
    ) -> None:
        monkeypatch.delenv("BRAVE_API_KEY", raising=False)
        assert run([command, *options]) == 2
        assert message in capsys.readouterr().err

    def test_are_checked_by_the_service(self, given: Given, tmp_path: Path) -> None:
        options = ["--fact-searches", "3", "--limit", "fact_seconds=20", "--limit", "fact_checks=4"]
        assert run(["serve", "--folder", str(tmp_path), *options]) == 0
        limits, budget = given[0]["limits"], given[0]["facts"]().budget
        assert (limits.fact_seconds, limits.fact_checks) == (20, 4)
        # The check ends before the service gives it up.
        assert (budget.searches, budget.pages, budget.seconds) == (3, 120, 15)


class TestHosts:
    def test_are_the_names_of_this_machine(self) -> None:
        assert ServiceOptions().hosts("::1") == ["localhost", "127.0.0.1", "[::1]", "[::1]"]

    def test_are_unlimited_when_others_can_reach_it(self) -> None:
        assert ServiceOptions(token="x").hosts("0.0.0.0") == []

    def test_include_those_that_are_allowed(self) -> None:
        service = ServiceOptions(token="x", allow_host=["Checks.Example.org"])
        assert "checks.example.org" in service.hosts("0.0.0.0")


class TestLibrary:
    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        with Library(tmp_path / "library.db") as library:
            library.add({"handbook": "Lunch is free on Fridays."})
        return tmp_path / "library.db"

    def test_is_open_while_it_is_served(
        self, given: Given, monkeypatch: MonkeyPatch, file: Path
    ) -> None:
        counts: list[int] = []

        def serve(*_: Any, **__: Any) -> None:
            counts.append(len(given[0]["library"].library))

        monkeypatch.setattr(running, "serve", serve)
        assert run(["serve", "--library", str(file)]) == 0
        assert (list(given[0]["library"].answerers), counts) == (["extractive"], [1])

    def test_is_answered_from_by_the_models_named(
        self, given: Given, monkeypatch: MonkeyPatch, file: Path
    ) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        models = ["--model", "openai/one", "--model", "openai/other"]
        assert run(["serve", "--library", str(file), *models]) == 0
        answerers = list(given[0]["library"].answerers)
        assert answerers == ["openai/one", "openai/other", "extractive"]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--library", "nowhere.db"], "nowhere.db: no such file"),
            (["--model", "openai/one"], "--model needs --library"),
            (["--model-url", "http://127.0.0.1/v1"], "--model-url needs --model"),
        ],
        ids=str,
    )
    def test_rejects_what_does_not_fit(
        self, arguments: list[str], message: str, capsys: Captured
    ) -> None:
        assert run(["serve", *arguments]) == 2
        assert message in " ".join(capsys.readouterr().err.split())

    def test_has_an_address_without_a_key(self, file: Path, capsys: Captured) -> None:
        named = ["--library", str(file), "--model", "openai/one", "--model-url", "http://a:b@c/"]
        assert run(["serve", *named]) == 2
        assert "--model-url must be an address" in capsys.readouterr().err
