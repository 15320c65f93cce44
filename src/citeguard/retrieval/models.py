"""Models of sentence-transformers: recognising, naming and loading them, and reading arrays."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citeguard.errors import CiteguardError, foreign_code, optional_packages

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PACKAGE = "sentence_transformers"


def is_of_package(model: object) -> bool:
    """Return whether an object's class is of sentence-transformers or derived from one."""
    return any(base.__module__.split(".")[0] == _PACKAGE for base in type(model).__mro__)


def is_instance(model: object, class_name: str) -> bool:
    """Return whether an object is of a class of sentence-transformers; loads nothing."""
    package = sys.modules.get(_PACKAGE)
    return package is not None and isinstance(model, getattr(package, class_name))


def load(class_name: str, name: str, *, kind: str, folder: str) -> Any:
    """Load a model by its name or folder; `kind` and `folder` say in messages what was expected."""
    with optional_packages(f"an {kind}"):
        loader = getattr(import_module(_PACKAGE), class_name)

    def failure(error: Exception) -> CiteguardError:
        reason = str(error).strip().partition("\n")[0]
        return CiteguardError(
            f"the {kind} {name} cannot be loaded ({type(error).__name__}: {reason}). Give the "
            f"folder of {folder}, or the name of one on the hub; without a "
            "connection, a name works once it has been downloaded"
        )

    with foreign_code(failure):
        return loader(name)


def short_name(name: str) -> str:
    """Return the name of a model in verdicts: the last part of a folder, else the name itself."""
    is_folder = os.path.isabs(name) or Path(name).is_dir()
    return Path(name).resolve().name or name if is_folder else name


def version_of(name: str, *settings: object) -> str:
    """Return a version of a model: its name and settings, and the size and time of its files."""
    folder = Path(name)
    files = sorted(file for file in folder.rglob("*") if file.is_file()) if folder.is_dir() else []
    written = [
        (file.relative_to(folder).as_posix(), file.stat().st_size, file.stat().st_mtime_ns)
        for file in files
    ]
    return repr((name, *settings, written))


def shown(model: Any) -> str:
    """Return a model as it is written in a call: a name or folder in quotes, a function's name."""
    if is_of_package(model):  # its own `repr` has a line for each layer
        return f"{type(model).__name__}(...)"
    return repr(model) if isinstance(model, str) else str(getattr(model, "__name__", repr(model)))


def as_floats(given: Any) -> NDArray[np.float64]:
    """Return an array, a tensor or nested lists as an array of floats, NaN where it is masked."""
    import numpy as np

    masked: Any = np.ma.getmaskarray(given) if np.ma.isMaskedArray(given) else None
    array: NDArray[Any] = np.asarray(given)
    if np.iscomplexobj(array):
        raise TypeError("its numbers are complex")
    floats = array.astype(np.float64)
    if masked is not None:
        floats[masked] = np.nan
    return floats
