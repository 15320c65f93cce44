"""Modules are not imported for tests that they do not have, or that do not run."""

import re
from pathlib import Path

import pytest


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave modules without doctests out: pytest would import all that they import, as PyTorch.

    So it would those of tests that are all deselected, which need packages that others do without.
    """
    if collection_path.suffix != ".py":
        return None
    text = collection_path.read_text("utf-8")
    if collection_path.name.startswith("test_"):
        mark = re.search(r"^pytestmark = pytest\.mark\.(\w+)$", text, re.MULTILINE)
        return True if mark and f"not {mark[1]}" in config.option.markexpr else None
    return None if ">>>" in text else True
