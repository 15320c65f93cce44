"""Which module may import which, what importing citeguard loads, and its public names."""

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import citeguard

PACKAGE = Path(citeguard.__file__).parent

FLOORS = [
    ("ground", ["text", "lazy"]),
    (
        "hold",
        [
            "sources",
            "errors",
            "verdicts",
            "fitting",
            "layout",
            "documents",
            "links",
            "retrieval",
            "embedding",
        ],
    ),
    ("find", ["matches"]),
    ("judges", ["checks"]),
    (
        "decide and pydantic",
        [
            "policy",
            "context",
            "diffs",
            "messages",
            "annotations",
            "validators",
            "evidence",
            "judged",
            "support",
            "hidden",
            "models",
            "raw",
        ],
    ),
    ("llm", ["verification", "client"]),
    ("facade", ["__init__"]),
    ("work", ["metrics", "datasets", "auditing"]),
    ("faces", ["examine", "cli", "server", "testing"]),
]
"""From the bottom up. Modules of one floor may import each other."""

FLOOR = {module: number for number, (_, modules) in enumerate(FLOORS) for module in modules}

MODULES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))

CLIENTS = ["torch", "transformers", "instructor", "openai"]


def own_module(name: str) -> str:
    """Return the module or package just below citeguard that a dotted name belongs to."""
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def imports_at_run_time(node: ast.AST) -> Iterator[str]:
    """Yield what a tree imports, except for type checkers only."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module == "citeguard":
        names = (alias.name for alias in node.names)
        yield from (f"citeguard.{name}" if name in FLOOR else "citeguard" for name in names)
    elif isinstance(node, ast.ImportFrom):
        yield str(node.module)
    for child in ast.iter_child_nodes(node):
        yield from imports_at_run_time(child)


def imported(module: str) -> set[str]:
    return set(imports_at_run_time(ast.parse((PACKAGE / module).read_text("utf-8"))))


def floor_of(module: str) -> int:
    return FLOOR[Path(module).parts[0].removesuffix(".py")]


class TestLayers:
    def test_every_module_has_a_floor(self) -> None:
        assert {Path(module).parts[0].removesuffix(".py") for module in MODULES} <= set(FLOOR)

    @pytest.mark.parametrize("module", MODULES)
    def test_imports_point_downwards(self, module: str) -> None:
        own = {own_module(name) for name in imported(module) if name.split(".")[0] == "citeguard"}
        own -= {"context"} if module == "sources.py" else set()
        assert [name for name in own if FLOOR[name] > floor_of(module)] == []

    @pytest.mark.parametrize("module", [name for name in MODULES if floor_of(name) <= 2])
    def test_pydantic_stays_above_find(self, module: str) -> None:
        packages = {name.split(".")[0] for name in imported(module)}
        assert packages.isdisjoint({"pydantic", "pydantic_core"})


def loaded_by(statement: str, candidates: list[str]) -> list[str]:
    """Run an import in a new interpreter and tell which of the candidates that loads."""
    program = f"{statement}; import sys, json; json.dump(list(sys.modules), sys.stdout)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
    )
    return sorted(set(json.loads(done.stdout)) & set(candidates))


class TestImport:
    def test_of_the_library_loads_nothing_heavy(self) -> None:
        assert loaded_by("import citeguard", [*CLIENTS, "typer", "rich", "numpy"]) == []

    def test_of_every_public_name_loads_nothing_heavy(self) -> None:
        assert loaded_by("from citeguard import *", [*CLIENTS, "typer", "rich", "numpy"]) == []

    def test_of_the_command_loads_nothing_heavy(self) -> None:
        heavy = [*CLIENTS, "pyarrow", "pandas", "sklearn", "ray"]
        assert loaded_by("import citeguard.cli", heavy) == []


class TestPublicNames:
    @pytest.mark.parametrize("name", sorted(citeguard.__all__))
    def test_are_in_the_api_docs(self, name: str) -> None:
        page = PACKAGE.parent.parent / "docs" / "api.md"
        assert f"::: citeguard.{name}\n" in page.read_text("utf-8")
