"""Exceptions for a wrong setup, never for wrong data; checks of arguments and optional packages.

No exception is a `ValueError`: Pydantic would swallow it, and the language model would be asked to
repair a mistake of the program.
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from traceback import format_exception
from typing import Any, cast

# The import names of each extra's own packages.
_EXTRAS = {
    "documents": (
        "cssselect2 docx lxml lxml_html_clean markdown_it mdit_py_plugins openpyxl PIL pptx"
        " pypdfium2 tinycss2 trafilatura"
    ),
    "semantic": "sentence_transformers torch transformers",
    "reader": "onnxruntime tokenizers",
    "training": "onnx",
    "metrics": "rouge_score scipy sklearn",
    "datasets": "pyarrow",
    "ray": "pandas ray",
    "server": "fastapi multipart python_multipart starlette tqdm uvicorn",
    "mcp": "anyio mcp mcp_types",
    "web": "httpcore httpx protego tld",
    "zim": "libzim",
    "postgres": "psycopg psycopg_pool",
    "qdrant": "qdrant_client",
}
_EXTRA_OF = {package: extra for extra, packages in _EXTRAS.items() for package in packages.split()}
# Names on the package index that do not follow from the import name.
_DISTRIBUTIONS = {
    "markdown_it": "markdown-it-py",
    "multipart": "python-multipart",
    "PIL": "pillow",
    "docx": "python-docx",
    "pptx": "python-pptx",
    "sklearn": "scikit-learn",
}


class CiteguardError(RuntimeError):
    """The setup is wrong; no answer can be checked until the program is changed."""


class MissingSourcesError(CiteguardError):
    """Validation found no sources: the context is missing or empty, or has the wrong keys."""


class InvalidSourcesError(CiteguardError):
    """An argument cannot be read as sources: wrong type, repeated id, or only blank text."""


class UndecidedError(CiteguardError):
    """A judge could not decide, and the policy says `undecided="raise"`."""


class UnknownSourceError(CiteguardError):
    """A call named a source id that does not exist."""


# The name and password of an address, what is named a password or a key, what an address asks with,
# and what looks like a key: letters and digits without a word in them, and what continues them, as
# in base64. Prefixes are bounded, so that it is linear.
_SECRET = re.compile(
    r"(?i)(://)[^\s'\"<>]{0,300}(?=@)"
    r"|((?:bearer|(?:key|pass|passw(?:or)?d|secret|token)['\"]?\s?[:=])\s?['\"]?)[^\s'\",;&]{4,}"
    r"|([?&][\w.~-]{1,80}=)[^\s'\"<>&#]+"
    r"|(?<![\w-])[\w-]{0,80}?(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{12,}[\w-]*(?:[.+=]+[\w-]+)*=*"
)


def without_secrets(text: str) -> str:
    """Return what an exception says without passwords and keys, which endpoints like to repeat.

    Examples:
        >>> without_secrets("cannot connect to postgresql://admin:hunter2@db/claims")
        'cannot connect to postgresql://…@db/claims'
        >>> without_secrets("Incorrect API key provided: sk-proj-Ab12cd34Ef56gh78 (gpt-5-mini)")
        'Incorrect API key provided: … (gpt-5-mini)'
        >>> without_secrets("GET https://a.org/x?page=2&sig=Zx9 failed: eyJhbGciOiJIUzI1.eyJz.c2ln")
        'GET https://a.org/x?page=…&sig=… failed: …'
    """
    return _SECRET.sub(r"\1\2\3…", text)


class _Discreet(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = without_secrets(record.getMessage()), ()
        if record.exc_info:  # for handlers of others, too, which write what they are given
            traceback = "".join(format_exception(record.exc_info[1])).rstrip()
            record.exc_info, record.exc_text = None, without_secrets(traceback)
        return True


_DISCREET, _SILENT = _Discreet(), logging.NullHandler()


def logger(name: str) -> logging.Logger:
    """Return a logger that repeats no secret; silent, unless the program that uses it listens."""
    log = logging.getLogger(name)
    log.addFilter(_DISCREET)
    log.addHandler(_SILENT)
    return log


@contextmanager
def optional_packages(purpose: str, *, extra: str | None = None) -> Generator[None]:
    """Turn a failed import in the block into a one-line error that says what to install.

    Args:
        purpose: What needs the package, such as `"this measure"`.
        extra: The extra to install, if not the first one that has the package.

    Raises:
        CiteguardError: A package is missing; the message has the command that installs it.
    """
    try:
        yield
    except ImportError as error:
        if (missing := missing_package(error, purpose, extra)) is None:
            raise
        raise missing from error


def missing_package(
    error: ImportError, purpose: str, extra: str | None = None
) -> CiteguardError | None:
    """Return an error that says how to install the package; `None` if the module is citeguard's."""
    package = (error.name or "citeguard").partition(".")[0]
    if package == "citeguard":
        return None
    named = _DISTRIBUTIONS.get(package, package.replace("_", "-"))
    extra = extra or _EXTRA_OF.get(package)
    install = f'"pydantic-citeguard[{extra}]"' if extra else named
    return CiteguardError(f"{named} is required for {purpose}: pip install {install}")


# Exceptions that show a mistake in code. Code that cannot read a reply must report that itself.
_BUGS = (
    *(TypeError, AttributeError, NameError, ImportError, SyntaxError, NotImplementedError),
    *(AssertionError, LookupError, ArithmeticError, RecursionError),
    *(StopIteration, StopAsyncIteration),
)


def mistake(owner: str, error: BaseException, *others: type[Exception]) -> CiteguardError | None:
    """Return the error of a mistake in the user's own code; `None` if it may have failed otherwise.

    The developer must see it: reported as a failure, it would be sent again and again to the
    language model, which cannot correct it. All errors of Pydantic count as mistakes.

    Args:
        owner: Whose code raised it, such as the name of a judge.
        error: What was raised.
        others: Further exceptions that only a mistake can raise there.
    """
    group: Any = error
    if isinstance(group, BaseExceptionGroup):
        # Of tasks that ended together: a mistake in each is one, and the first says which.
        found = [mistake(owner, each, *others) for each in cast("Any", group).exceptions]
        return found[0] if all(found) else None
    if isinstance(error, RuntimeError) and " raised Stop" in str(error):
        # Python makes one of a StopIteration that leaves a coroutine or a generator (PEP 479).
        error = error.__cause__ or error
    is_pydantic = any(each.__module__.startswith("pydantic") for each in type(error).__mro__)
    # Parsers of XML raise a SyntaxError of their own, because of data.
    of_data = isinstance(error, SyntaxError) and type(error).__module__ != "builtins"
    if not is_pydantic and (of_data or not isinstance(error, (*_BUGS, *others))):
        return None
    said = str(error).strip().partition("\n")[0]
    return CiteguardError(f"{owner} raised {type(error).__name__}: {said}".removesuffix(": "))


@contextmanager
def foreign_code(
    failure: Callable[[Exception], Exception] | None = None,
    *,
    owner: str | None = None,
    failures: tuple[type[Exception], ...] = (),
) -> Generator[None]:
    """Turn whatever the user's code or another package raises in the block into another exception.

    A `CiteguardError` passes as it is: it reports a wrong setup, wherever it comes from.

    Args:
        failure: Returns the exception to raise instead, given the one that was raised; `None` to
            let it pass.
        owner: The name in messages of the user's own code, such as `"the retriever"`: a mistake in
            it is raised as a `CiteguardError`. `None` for other packages.
        failures: Exceptions that are not mistakes here, although they are elsewhere.

    Raises:
        CiteguardError: A mistake in the user's code.
    """
    try:
        yield
    except CiteguardError:
        raise
    # What foreign code raises is unknown, and none of it may be taken for bad data.
    except Exception as error:
        is_failure = owner is None or isinstance(error, failures)
        found = None if is_failure else mistake(cast("str", owner), error)
        if found is None and failure is None:
            raise
        cause = error
        if isinstance(error, StopIteration):  # caused by it, contextlib would hide any RuntimeError
            cause = RuntimeError(f"raised {error!r}")
            cause.__cause__ = error
        raise found or cast("Any", failure)(error) from cause


def check_whole(argument: str, value: object, least: int) -> None:
    """Require an integer of at least `least`; `True` does not count as one.

    Raises:
        CiteguardError: The value is anything else.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise CiteguardError(f"{argument} must be an integer of at least {least}, not {value!r}")


def check_number(
    argument: str, value: object, least: float, most: float, *, above: bool = False
) -> None:
    """Require a number from `least` to `most`, both inclusive; `True` and NaN do not count.

    Args:
        argument: How the message names the argument.
        value: The value to check.
        least: The lower bound.
        most: The upper bound; infinite for none.
        above: Whether the lower bound itself is excluded.

    Raises:
        CiteguardError: The value is anything else.
    """
    number = math.nan if isinstance(value, bool) or not isinstance(value, (int, float)) else value
    if not least <= number <= most or (above and number == least):
        bounds = f"above {least}" if above else f"of at least {least}"
        if most < math.inf:
            bounds = f"above {least} and up to {most}" if above else f"from {least} to {most}"
        raise CiteguardError(f"{argument} must be a number {bounds}, not {value!r}")


def check_text(
    argument: str, value: object, *, required: bool = False, whole: bool = False
) -> None:
    """Require a string or, unless it is required, `None`; if `whole`, without lone surrogates.

    Raises:
        CiteguardError: The value is neither, or has half a character.
    """
    if not isinstance(value, str):
        if required or value is not None:
            raise CiteguardError(f"{argument}: expected a str, got {described(value)}")
    elif whole and (half := re.search("[\ud800-\udfff]", value)):
        raise CiteguardError(f"{argument}: has a lone surrogate at {half.start():,}")


def check_flag(argument: str, value: object) -> None:
    """Require `True` or `False`: "no" is truthy, and would turn on what it was to turn off.

    Raises:
        CiteguardError: The value is anything else.
    """
    if not isinstance(value, bool):
        raise CiteguardError(f"{argument} must be True or False, not {value!r}")


def check_kind(argument: str, value: object, kind: type, *, required: bool = False) -> None:
    """Require an instance of a class or protocol, not the class itself, or `None` if it may be.

    Raises:
        CiteguardError: The value is anything else.
    """
    is_kind = isinstance(value, kind) and not isinstance(value, type)
    if not is_kind and (required or value is not None):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        message = f"{argument}: expected {article} {kind.__name__}, got {described(value)}"
        raise CiteguardError(message)


def check_function(argument: str, value: object, *, required: bool = False) -> None:
    """Require a callable that is not a class or, unless it is required, `None`.

    Raises:
        CiteguardError: The value is neither.
    """
    if (required or value is not None) and (isinstance(value, type) or not callable(value)):
        raise CiteguardError(f"{argument}: expected a function, got {described(value)}")


def described(value: object) -> str:
    """Return what a value is, for errors: the name of its type."""
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return "None" if value is None else type(value).__name__
