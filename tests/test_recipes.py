"""What users put into their own repositories: a GitHub action, a pre-commit hook."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from citeguard.cli.hook import main

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "how-to" / "continuous-integration.md").read_text("utf-8")
ACTION, WORKFLOW, HOOKS = map(
    yaml.safe_load, re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)
)

TRUE = "The notice period is one month. The handbook says “employees resign in writing”.\n"
FALSE = "The notice period is two months.\n"
MISQUOTED = "It says “employees of the institute may resign by telephone at any time”.\n"
OPINION = "I love it!\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a folder with sources, as a user's repository has them."""
    (tmp_path / "sources").mkdir()
    handbook = "The notice period is one month.\n\nEmployees resign in writing.\n"
    (tmp_path / "sources" / "handbook.md").write_text(handbook, "utf-8")
    (tmp_path / "docs" / "in depth").mkdir(parents=True)
    return tmp_path


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return the variables of a shell in which `citeguard` is the package under test."""
    programs = tmp_path / "programs"
    programs.mkdir()
    command = programs / "citeguard"
    code = "from citeguard.cli import main; main()"
    command.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c '{code}' \"$@\"\n")
    command.chmod(0o755)
    return {
        "PATH": f"{programs}:/usr/bin:/bin",
        "PYTHONPATH": str(ROOT / "src"),
        "LC_ALL": "C.UTF-8",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
    }


def write(repository: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (repository / name).write_text(text, "utf-8")


@pytest.mark.slow
class TestAction:
    """The last step of the action, as GitHub runs it."""

    @pytest.mark.parametrize(
        ("texts", "status", "errors"),
        [
            ({"docs/in depth/b.cited.md": OPINION}, 0, []),
            (
                {
                    "docs/a.cited.md": TRUE,
                    "docs/b.cited.md": FALSE,
                    "docs/in depth/a.cited.md": MISQUOTED,
                },
                1,
                ["docs/b.cited.md", "docs/in depth/a.cited.md"],
            ),
            ({"docs/other.md": FALSE}, 2, []),
        ],
        ids=["good", "bad", "nothing matches"],
    )
    def test_fails_if_a_text_does(
        self,
        repository: Path,
        environment: dict[str, str],
        texts: dict[str, str],
        status: int,
        errors: list[str],
    ) -> None:
        write(repository, texts)
        given = WORKFLOW["jobs"]["citations"]["steps"][-1]["with"]
        done = run_step(ACTION["runs"]["steps"][-1], given, repository, environment)
        assert (done.returncode, done.stderr) == (status, "")
        assert re.findall(r"^::error file=(.*?)::", done.stdout, re.M) == errors
        if status < 2:
            summary = (repository / "summary.md").read_text("utf-8")
            assert sorted(re.findall(r"^# (.*)$", summary, re.M)) == sorted(texts)
            assert ("The sources do not say" in summary or "says otherwise" in summary) == status

    def test_declares_the_inputs_that_it_uses(self) -> None:
        given = WORKFLOW["jobs"]["citations"]["steps"][-1]["with"]
        used = re.findall(r"\$\{\{ inputs\.(\w+) \}\}", str(ACTION["runs"]))
        assert sorted(used) == sorted(given) == sorted(ACTION["inputs"])


def run_step(
    step: dict[str, Any], inputs: dict[str, str], folder: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run the shell of a step of a composite action, as GitHub does."""
    given = {
        name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda use: inputs[use[1]], value)
        for name, value in step["env"].items()
    }
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        env={**environment, **given},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


class TestPreCommitHook:
    """The entry of the hook, as pre-commit runs it: then its arguments, then the files."""

    @pytest.mark.slow
    def test_is_run_without_a_shell(self, repository: Path, environment: dict[str, str]) -> None:
        program, *entry = shlex.split(HOOK["entry"])
        assert program == "python"  # that of the environment which pre-commit makes
        write(repository, {"a.cited.md": OPINION, "b.cited.md": FALSE})
        command = [sys.executable, *entry, *HOOK["args"], "a.cited.md", "b.cited.md"]
        assert subprocess.run(command, cwd=repository, env=environment).returncode == 1

    @pytest.mark.parametrize(
        ("texts", "status"),
        [
            ({"a.cited.md": OPINION, "docs/in depth/b.cited.md": TRUE}, 0),
            ({"a.cited.md": FALSE, "b.cited.md": TRUE}, 1),
            ({"a.cited.md": TRUE, "b.cited.md": MISQUOTED}, 1),
        ],
        ids=["good", "the first is bad", "the last is bad"],
    )
    def test_fails_if_a_text_does(
        self, repository: Path, texts: dict[str, str], status: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(repository, texts)
        monkeypatch.chdir(repository)
        assert main([*HOOK["args"], *texts]) == status

    def test_is_the_one_of_the_docs(self) -> None:
        (used,) = HOOKS["repos"][0]["hooks"]
        assert used["id"] == HOOK["id"]
        assert len(used["args"]) == len(HOOK["args"]) == 1


(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
