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
from rows import each_row

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


def test_facts_are_checked_by_the_service(given: Given, tmp_path: Path) -> None:
    """What `serve` and `mcp` do with the options that say where to look for pages."""
    options = ["--fact-searches", "3", "--limit", "fact_seconds=20", "--limit", "fact_checks=4"]
    assert run(["serve", "--folder", str(tmp_path), *options]) == 0
    limits, budget = given[0]["limits"], given[0]["facts"]().budget
    assert (limits.fact_seconds, limits.fact_checks) == (20, 4)
    # The check ends before the service gives it up.
    assert (budget.searches, budget.pages, budget.seconds) == (3, 120, 15)


@each_row(
    ("options", "host", "allowed"),
    [
        ({}, "::1", ["localhost", "127.0.0.1", "[::1]", "[::1]"]),
        ({"token": "x"}, "0.0.0.0", []),
        (
            {"token": "x", "allow_host": ["Checks.Example.org"]},
            "0.0.0.0",
            ["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "checks.example.org"],
        ),
    ],
)
def test_host_names(options: dict[str, Any], host: str, allowed: list[str]) -> None:
    assert sorted(ServiceOptions(**options).hosts(host)) == sorted(allowed)


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

    def test_has_an_address_without_a_key(self, file: Path, capsys: Captured) -> None:
        named = ["--library", str(file), "--model", "openai/one", "--model-url", "http://a:b@c/"]
        assert run(["serve", *named]) == 2
        assert "--model-url must be an address" in capsys.readouterr().err
