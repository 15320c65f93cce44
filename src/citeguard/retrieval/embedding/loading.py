"""Models of sentence-transformers: told from others, named, and loaded when they are needed."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from citeguard.errors import CiteguardError, optional_packages

_PACKAGE = "sentence_transformers"


def is_of_package(model: object) -> bool:
    """Tell whether an object is of sentence-transformers, whatever it is."""
    return any(base.__module__.split(".")[0] == _PACKAGE for base in type(model).__mro__)


def is_instance(model: object, class_name: str) -> bool:
    """Tell whether an object is of one class of sentence-transformers; loads nothing."""
    package = sys.modules.get(_PACKAGE)
    return package is not None and isinstance(model, getattr(package, class_name))


def load(class_name: str, name: str, *, kind: str, folder: str) -> Any:
    """Load a model by its name or folder.

    Args:
        class_name: The class of sentence-transformers that loads it.
        name: The name on the hub, or the folder.
        kind: What it is, for a message: "embedding model".
        folder: What its folder is to hold, for a message: "a SentenceTransformer".

    Raises:
        CiteguardError: the package is missing, or the model cannot be loaded.
    """
    with optional_packages(f"an {kind}"):
        made_by = getattr(import_module(_PACKAGE), class_name)
    try:
        return made_by(name)
    # Whatever a file that is no model makes the loader stumble over, the file is to be changed.
    except Exception as error:
        told = str(error).strip().partition("\n")[0]
        raise CiteguardError(
            f"the {kind} {name} cannot be loaded ({type(error).__name__}: {told}). Give the folder "
            f"of {folder}, or the name of one that is on the hub; without a connection, a name "
            "works once it has been downloaded"
        ) from error


def short_name(name: str) -> str:
    """Return what a model is called in verdicts: of a folder the last part, else the name.

    Examples:
        >>> short_name("cross-encoder/nli-deberta-v3-small"), short_name("/srv/models/minilm/")
        ('cross-encoder/nli-deberta-v3-small', 'minilm')
    """
    is_folder = os.path.isabs(name) or Path(name).is_dir()
    return Path(name).resolve().name or name if is_folder else name


def version_of(name: str, *said: object) -> str:
    """Return a version of a model: its name, and of a folder the size and time of each file."""
    folder = Path(name)
    files = sorted(file for file in folder.rglob("*") if file.is_file()) if folder.is_dir() else []
    written = [
        (file.relative_to(folder).as_posix(), file.stat().st_size, file.stat().st_mtime_ns)
        for file in files
    ]
    return repr((name, *said, written))


def shown(model: Any) -> str:
    """Write a model as in the call that was given it: a name or folder in quotes, a function."""
    if is_of_package(model):  # its own representation has a line for each layer
        return f"{type(model).__name__}(...)"
    return repr(model) if isinstance(model, str) else str(getattr(model, "__name__", repr(model)))
