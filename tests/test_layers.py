"""Which room may import which, what importing citeguard loads, and its public names."""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path

import citeguard
import citeguard.training
from rows import each_row

PACKAGE = Path(citeguard.__file__).parent

FLOORS = """
    errors lazy language quotes sources facts documents retrieval reader judges
    validation metrics providers receipts web datasets reports auditing factcheck library bench
    testing server cli __main__ training __init__
""".split()
"""The rooms from the bottom up. A room imports from the rooms below it, and no circle within."""

DOORS = {
    # Conveniences of `Sources` that reach up, with the types in their signatures.
    ("sources.collection", "documents"),  # from_paths
    ("sources.collection", "documents.pdf.pictures"),  # picture_of
    ("sources.collection", "retrieval.search"),  # search
    ("sources.collection", "validation.context"),  # as_context
    ("sources.collection", "validation.policy"),
    # What notebooks show of them.
    ("sources.collection", "reports.cards"),
    ("sources.matches", "reports.cards"),
    ("validation.models", "reports.cards"),
    # The formats of other services, and what they return.
    ("validation.models", "providers"),
    # Records of where the quotes of an answer are.
    ("validation.models", "receipts.receipt"),
    # The formats of a `Report`, whose writers read it.
    ("reports.report", "reports.annotated"),
    ("reports.report", "reports.cards"),
    ("reports.report", "reports.junit"),
    ("reports.report", "reports.markdown"),
    ("reports.report", "reports.page"),
    ("reports.report", "reports.sarif"),
    ("reports.report", "reports.terminal"),
}
"""Imports that reach up: the module, and what it opens."""

PYDANTIC_FREE = FLOORS[: FLOORS.index("judges")]

CLIENTS = ["torch", "transformers", "onnxruntime", "tokenizers", "instructor", "openai"]


def module_name(path: Path) -> str:
    """Return the dotted name of a file below citeguard; the facade is `__init__`."""
    name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
    return name.removesuffix(".__init__")


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def imports_in(program: str, package: str) -> Iterator[str]:
    """Yield the dotted names that a program imports anywhere, also lazily, by `_HOMES` or a text.

    Args:
        program: The text of a module.
        package: The package that it is in.
    """
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            home = resolve_name("." * node.level + (node.module or ""), package)
            yield from (f"{home}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_HOMES":
            yield from (f"{package}.{home}" for home in ast.literal_eval(node.value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            root, _, name = node.value.partition(".")
            # The package that the module is in names a logger, or where data files are.
            is_around = f"{package}.".startswith(f"{node.value}.")
            if root == "citeguard" and name in MODULES and not is_around:
                yield node.value


@cache
def imported(module: str) -> list[str]:
    path = MODULES[module]
    package = ".".join(["citeguard", *path.relative_to(PACKAGE).parent.parts])
    return [*imports_in(path.read_text("utf-8"), package)]


def own_imports(module: str) -> set[str]:
    """Return the modules below citeguard that a module imports."""
    return set(own_modules(imported(module)))


def own_modules(imports: Iterable[str]) -> set[str]:
    names = (name[len("citeguard.") :] for name in imports if f"{name}.".startswith("citeguard."))
    # A name is a module itself, or belongs to the one that it is imported from.
    return {name if name in MODULES else name.rpartition(".")[0] or "__init__" for name in names}


@cache
def arrows() -> dict[str, set[str]]:
    """Return the modules that each module imports, doors left out."""
    return {
        module: own_imports(module) - {module} - {to for door, to in DOORS if door == module}
        for module in MODULES
    }


def floor_of(module: str) -> int:
    return FLOORS.index(module.partition(".")[0])


class TestLayers:
    def test_every_room_has_a_floor_of_its_own(self) -> None:
        assert sorted({module.partition(".")[0] for module in MODULES}) == sorted(FLOORS)

    def test_imports_point_downwards(self) -> None:
        upwards = [
            f"{module} -> {other}"
            for module, others in arrows().items()
            for other in others
            if floor_of(other) > floor_of(module)
        ]
        assert upwards == []

    def test_the_page_about_them_names_modules_that_exist(self) -> None:
        page = (PACKAGE.parent.parent / "docs" / "architecture.md").read_text("utf-8")
        named = re.findall(rf"`((?:{'|'.join(FLOORS)})/[a-z_/]+)`", page)
        assert len(named) > 20
        assert [each for each in named if not [*PACKAGE.glob(f"{each}*")]] == []

    def test_no_circle_of_modules(self) -> None:
        TopologicalSorter(arrows()).prepare()  # raises a CycleError that names the modules

    @each_row(
        ("program", "module"),
        [
            ("import citeguard; citeguard.audit()", "__init__"),
            ("from citeguard import audit", "__init__"),
            ("from ..judges.llm import LLMJudge", "judges.llm"),
            ("from .. import judges", "judges"),
            ("import_module('citeguard.judges.llm')", "judges.llm"),
            ("_HOMES = {'collection': ['Sources']}", "sources.collection"),
            ("logging.getLogger('citeguard.sources')", None),
        ],
    )
    def test_every_form_of_import_is_noticed(self, program: str, module: str | None) -> None:
        modules = own_modules(imports_in(program, "citeguard.sources"))
        assert modules == ({module} if module else set())

    def test_doors_are_imported_when_they_are_called(self) -> None:
        doors = sorted({door for door, _ in DOORS}, key=floor_of)  # a lower one loads no upper one
        loaded = loaded_by(*(f"import citeguard.{door}" for door in doors))
        for door, modules in zip(doors, loaded, strict=True):
            assert not {f"citeguard.{to}" for at, to in DOORS if at == door} & modules

    def test_every_door_is_used(self) -> None:
        assert [door for door in sorted(DOORS) if door[1] not in own_imports(door[0])] == []

    def test_pydantic_stays_above_the_reader(self) -> None:
        packages = {
            module: {name.partition(".")[0] for name in imported(module)} for module in MODULES
        }
        below = [module for module in MODULES if module.partition(".")[0] in PYDANTIC_FREE]
        assert [
            module for module in below if packages[module] & {"pydantic", "pydantic_core"}
        ] == []


def loaded_by(*statements: str) -> list[set[str]]:
    """Return the modules that are loaded after each of some imports in a new interpreter."""
    program = "import sys, json\nloaded = []\n"
    program += "".join(f"{each}\nloaded.append([*sys.modules])\n" for each in statements)
    done = subprocess.run(
        [sys.executable, "-c", f"{program}json.dump(loaded, sys.stdout)"],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
    )
    return [{*modules} for modules in json.loads(done.stdout)]


def test_imports_load_nothing_heavy() -> None:
    heavy = {
        "from citeguard import *": [*CLIENTS, "typer", "rich", "numpy", "lxml"],
        "import citeguard.training": [*CLIENTS, "datasets", "onnx"],
        "import citeguard.cli": [*CLIENTS, "pyarrow", "pandas", "sklearn", "ray"],
        "import citeguard.server.worker": ["fastapi", "uvicorn"],
    }
    for unwanted, modules in zip(heavy.values(), loaded_by(*heavy), strict=True):
        assert not {*unwanted} & modules


class TestPublicNames:
    @each_row("name", sorted(citeguard.__all__))
    def test_are_in_the_api_docs(self, name: str) -> None:
        page = PACKAGE.parent.parent / "docs" / "api.md"
        assert f"::: citeguard.{name}\n" in page.read_text("utf-8")

    @each_row("name", citeguard.training.__all__)
    def test_of_the_training_are_in_the_api_docs(self, name: str) -> None:
        page = PACKAGE.parent.parent / "docs" / "api.md"
        assert f"::: citeguard.training.{name}\n" in page.read_text("utf-8")
