"""The README's commands are complete, and are the ones that continuous integration runs."""

import glob
import re
import shlex
from pathlib import Path

import pytest

from citeguard import cli

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = "\n".join(re.findall(r"^```sh\n(.*?)^```$", README, flags=re.M | re.S)).splitlines()


def code_blocks(path: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", path.read_text("utf-8"), flags=re.M | re.S)


def test_there_are_two_commands() -> None:
    main_job, tests = filter(None, COMMANDS)
    assert all(each.startswith("python3 -m venv .venv && ") for each in (main_job, tests))
    assert main_job.split(" && ")[-1].startswith(".venv/bin/citeguard check ")
    assert tests.endswith(".venv/bin/pytest")


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
    assert cli.run(expanded) == 0


def test_the_example_is_the_one_on_the_docs_first_page() -> None:
    (example,) = code_blocks(ROOT / "README.md")
    assert code_blocks(ROOT / "docs" / "index.md") == [example]


def test_the_example_is_short() -> None:
    (example,) = code_blocks(ROOT / "README.md")
    assert len(example.splitlines()) <= 20


def test_the_introduction_is_the_one_on_the_docs_first_page() -> None:
    first_page = (ROOT / "docs" / "index.md").read_text("utf-8")
    assert README.split("\n\n")[1] == first_page.split("\n\n")[1]


def test_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", README)
    assert [target for target in targets if not (ROOT / target).exists()] == []
