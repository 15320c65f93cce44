"""The exceptions that mean "the set-up is wrong", never "the data is wrong", and what raises them.

None of them is a `ValueError`: Pydantic would swallow it, and the language model would be asked to
repair a mistake of the program. Beside them, checks of arguments and of optional packages.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from contextlib import contextmanager

_EXTRAS = {
    "documents": "lxml lxml_html_clean markdown_it mdit_py_plugins PIL pypdfium2 trafilatura",
    "audit": "jinja2 markupsafe",
    "semantic": "sentence_transformers torch transformers",
    "metrics": "rouge_score scipy sklearn",
    "datasets": "pyarrow",
    "ray": "pandas ray",
    "server": "fastapi multipart python_multipart starlette tqdm uvicorn",
}
"""The packages, by their import names, that each extra installs for citeguard itself."""
_EXTRA_OF = {package: extra for extra, packages in _EXTRAS.items() for package in packages.split()}
_DISTRIBUTIONS = {
    "markdown_it": "markdown-it-py",
    "multipart": "python-multipart",
    "PIL": "pillow",
    "sklearn": "scikit-learn",
}
"""The packages that pip knows by another name."""


class CiteguardError(RuntimeError):
    """The set-up is wrong; no answer can be checked until the program is changed."""


class MissingSourcesError(CiteguardError):
    """Validation found no sources: the context is missing, empty or keyed wrongly."""


class InvalidSourcesError(CiteguardError):
    """An argument cannot be read as sources: a wrong type, a repeated id, or only blank text."""


class UndecidedError(CiteguardError):
    """A judge could not tell, and the policy says `undecided="raise"`."""


class UnknownSourceError(CiteguardError):
    """A call named a source id that is not among the sources."""


@contextmanager
def optional_packages(purpose: str) -> Generator[None]:
    """Turn an import that fails in the block into one line that says what to install.

    Args:
        purpose: What the package is needed for: `"this measure"`.

    Raises:
        CiteguardError: a package is missing; the message has the command that installs it.

    Examples:
        >>> with optional_packages("this measure"):  # doctest: +ELLIPSIS
        ...     raise ImportError(name="sklearn.metrics")
        Traceback (most recent call last):
        citeguard.errors.CiteguardError: scikit-learn is required for this measure: pip install ...
    """
    try:
        yield
    except ImportError as error:
        if (missing := missing_package(error, purpose)) is None:
            raise
        raise missing from error


def missing_package(error: ImportError, purpose: str) -> CiteguardError | None:
    """Return an error that says how to install what was not found; `None` if it is citeguard's."""
    package = (error.name or "citeguard").partition(".")[0]
    if package == "citeguard":
        return None
    named = _DISTRIBUTIONS.get(package, package.replace("_", "-"))
    extra = _EXTRA_OF.get(package)
    install = f'"pydantic-citeguard[{extra}]"' if extra else named
    return CiteguardError(f"{named} is required for {purpose}: pip install {install}")


def check_whole(argument: str, value: object, least: int) -> None:
    """Require a whole number from `least` on; `True` is not one.

    Raises:
        CiteguardError: it is not one.

    Examples:
        >>> check_whole("Windows(size=...)", 0, 1)
        Traceback (most recent call last):
        citeguard.errors.CiteguardError: Windows(size=...) must be a whole number from 1 on, not 0
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise CiteguardError(f"{argument} must be a whole number from {least} on, not {value!r}")


def check_number(
    argument: str, value: object, least: float, most: float, *, above: bool = False
) -> None:
    """Require a number from `least`, or `above` it, to `most`; neither `True` nor NaN is one.

    Raises:
        CiteguardError: it is not one.
    """
    number = math.nan if isinstance(value, bool) or not isinstance(value, (int, float)) else value
    if not least <= number <= most or (above and number == least):
        bounds = f"above {least} and up to {most}" if above else f"from {least} to {most}"
        raise CiteguardError(f"{argument} must be a number {bounds}, not {value!r}")


def check_text(argument: str, value: object) -> None:
    """Require a text or `None`.

    Raises:
        CiteguardError: it is neither.
    """
    if value is not None and not isinstance(value, str):
        raise CiteguardError(f"{argument} must be a text, not {value!r}")
