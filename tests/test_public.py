from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from inline_snapshot import snapshot

import citeguard

PACKAGE = Path(citeguard.__file__).parent
# Imports point upwards in this list only.
FLOORS = ["messages", "context", "validators", "policy", "models"]


def imported(module: str) -> set[str]:
    tree = ast.parse((PACKAGE / f"{module}.py").read_text(encoding="utf-8"))
    typing_only = {
        id(node)
        for test in ast.walk(tree)
        if isinstance(test, ast.If) and ast.unparse(test.test) == "TYPE_CHECKING"
        for node in ast.walk(test)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and id(node) not in typing_only:
            module = node.module or ""
            names = [alias.name for alias in node.names] if module == "citeguard" else [module]
            found |= {name.removeprefix("citeguard.") for name in names}
    return found


class TestFacade:
    def test_names(self) -> None:
        assert citeguard.__all__ == snapshot(
            [
                "Answer",
                "Citation",
                "CiteguardError",
                "Edit",
                "ExactQuote",
                "FuzzyQuote",
                "Grade",
                "InvalidSourcesError",
                "Match",
                "MissingSourcesError",
                "Policy",
                "Source",
                "Sources",
                "Span",
                "Statement",
                "UnknownSourceError",
                "locate",
                "use_sources",
            ]
        )

    def test_is_sorted_and_complete(self) -> None:
        assert list(citeguard.__all__) == sorted(citeguard.__all__)
        assert all(hasattr(citeguard, name) for name in citeguard.__all__)

    @pytest.mark.parametrize(
        "name", [n for n in citeguard.__all__ if n != "Grade"], ids=lambda name: name
    )
    def test_is_documented(self, name: str) -> None:
        assert getattr(citeguard, name).__doc__

    def test_errors_are_no_value_errors(self) -> None:
        errors = [
            value
            for name in citeguard.__all__
            if isinstance(value := getattr(citeguard, name), type)
            and issubclass(value, BaseException)
        ]
        assert len(errors) == 4
        assert all(issubclass(error, citeguard.CiteguardError) for error in errors)
        assert not any(issubclass(error, ValueError) for error in errors)

    def test_imports_nothing_heavy(self) -> None:
        heavy = [
            "instructor",
            "openai",
            "torch",
            "transformers",
            "sentence_transformers",
            "typer",
            "rich",
        ]
        code = f"import sys, citeguard; print(*(set(sys.modules) & {set(heavy)}))"
        run = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        assert run.stdout.split() == []


class TestFloors:
    @pytest.mark.parametrize("module", FLOORS)
    def test_imports_point_downwards(self, module: str) -> None:
        above = set(FLOORS[FLOORS.index(module) :])
        assert not imported(module) & above

    def test_messages_know_nothing_of_pydantic(self) -> None:
        assert not any(name.startswith("pydantic") for name in imported("messages"))
