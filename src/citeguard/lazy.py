"""`lazily`: public names that are imported from their modules on first use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from citeguard.errors import optional_packages


def lazily(
    package: str, homes: Mapping[str, str], *, extra: str | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return a package's `__getattr__` and `__dir__`, which import its public names on first use.

    Args:
        package: The package's `__name__`.
        homes: The public names of each module, separated by spaces.
        extra: The extra that all of them need, if they need one.

    The import raises a `CiteguardError` that says what to install if a package is missing.
    """
    module_of = {name: module for module, names in homes.items() for name in names.split()}

    def load(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        with optional_packages(f"{package}.{name}", extra=extra):
            value = getattr(import_module(f"{package}.{module_of[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        special = (name for name in vars(sys.modules[package]) if name.startswith("__"))
        return sorted({*special, *module_of})

    return load, names
