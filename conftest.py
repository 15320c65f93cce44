"""Modules without doctests are not searched for them."""

from pathlib import Path


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave them out: pytest would import all that their packages export, as PyTorch."""
    if collection_path.suffix != ".py" or collection_path.name.startswith("test_"):
        return None
    return None if ">>>" in collection_path.read_text("utf-8") else True
