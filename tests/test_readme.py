"""The README's commands are complete, and are the ones that continuous integration runs."""

import glob
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from citeguard.cli.app import run
from rows import each_row

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = "\n".join(re.findall(r"^```sh\n(.*?)^```$", README, flags=re.M | re.S)).splitlines()


def code_blocks(path: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", path.read_text("utf-8"), flags=re.M | re.S)


def test_there_are_two_commands() -> None:
    main_job, tests = filter(None, COMMANDS)
    assert all(each.startswith("python3 -m venv .venv && ") for each in (main_job, tests))
    assert main_job.split(" && ")[-1].startswith(".venv/bin/citeguard check ")
    assert tests.endswith(".venv/bin/pytest -n logical")


def test_ci_takes_the_commands_from_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert "README.md" in script
    assert 'bash -c "${commands[0]}"' in script
    assert 'bash -c "${commands[1]}"' in script


def test_the_main_job_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    _, *arguments = shlex.split(COMMANDS[0].split(" && ")[-1])
    expanded = [
        path for argument in arguments for path in sorted(glob.glob(argument)) or [argument]
    ]
    assert run(expanded) == 0


def test_the_examples_are_those_on_the_docs_first_page() -> None:
    examples = code_blocks(ROOT / "README.md")
    assert len(examples) == 6
    assert code_blocks(ROOT / "docs" / "index.md") == examples[:1]


def test_the_examples_are_short() -> None:
    assert all(len(example.splitlines()) <= 20 for example in code_blocks(ROOT / "README.md"))


def test_the_introduction_is_the_one_on_the_docs_first_page() -> None:
    first_page = (ROOT / "docs" / "index.md").read_text("utf-8")
    assert README.split("\n\n")[1] == first_page.split("\n\n")[1]


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@each_row("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)", page.read_text("utf-8"))
    for path, anchor in links:
        target = page.resolve().parent / path if path else page
        assert target.exists(), path
        assert not anchor or anchor in anchors(target), f"{path}#{anchor}"


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as Python-Markdown makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), flags=re.M)
    return {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", each)).lower() for each in headings}


def test_the_docs_navigation_has_every_page() -> None:
    navigation = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))["project"]["nav"]
    pages = (path.relative_to(ROOT / "docs").as_posix() for path in PAGES[1:])
    assert set(listed(navigation)) == {page for page in pages if not page.startswith("example/")}


def listed(navigation: list[Any]) -> Iterator[str]:
    """Yield the pages of a navigation, however deep."""
    for entry in navigation:
        for value in entry.values():
            yield from [value] if isinstance(value, str) else listed(value)
