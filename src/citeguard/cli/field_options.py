"""Where samples keep what: the options that every command on samples has, read into `Fields`."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, Signature
from typing import IO, Annotated, Any

import typer

from citeguard.datasets.fields import Fields
from citeguard.errors import CiteguardError
from citeguard.sources.collection import Sources

_GROUP = "Where samples keep what (a key, or a JMESPath expression)"
_HELP = {
    "sources": "What the answer is checked against.  [default: sources]",
    "question": "What was asked.  [default: question]",
    "answer": "The answer: an object, JSON in a text, or, with --quotes-field, plain text.  "
    "[default: answer]",
    "statements": "Its statements, if they stand by themselves.  [default: statements]",
    "quotes": "The quotes, if they do not stand in citations.",
    "quoted_from": "The ids of the sources of these quotes.",
}


def with_fields(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options of `Fields` in place of its argument `fields`."""
    signature = inspect.signature(command, eval_str=True)
    others = [each for each in signature.parameters.values() if each.name != "fields"]

    @wraps(command)
    def called(**given: Any) -> int:
        named = {name: given.pop(_parameter(name)) for name in _HELP}
        return command(fields=_fields(named), **given)

    options = [_option(name, told) for name, told in _HELP.items()]
    called.__signature__ = Signature([*others, *options])  # pyright: ignore[reportAttributeAccessIssue]
    return called


def option_of(name: str) -> str:
    """Return the option of a field: `--sources-field`."""
    return f"--{name.replace('_', '-')}-field"


def samples_of(given: str) -> str | IO[bytes]:
    """Return the path of the samples; `-` is standard input.

    Raises:
        CiteguardError: the path is empty, or standard input is closed.
    """
    if not given:
        raise CiteguardError("the path of the samples is empty")
    if given != "-":
        return given
    if sys.stdin is None:
        raise CiteguardError("standard input is closed")
    return sys.stdin.buffer


def shared_sources(paths: list[str] | None) -> Sources | None:
    """Return the sources that all samples share, if any are named.

    Raises:
        CiteguardError: a file cannot be read as sources.
    """
    return Sources.from_paths(paths) if paths else None


def _fields(named: Mapping[str, str | None]) -> Fields:
    try:
        return Fields(**{name: value for name, value in named.items() if value is not None})
    except CiteguardError as error:
        called = r"Fields\((\w+)=(.*)\)(?= is no| must be| names)"
        told = re.sub(called, lambda each: f"{option_of(each[1])} {each[2]}", str(error))
        raise CiteguardError(told) from error


def _parameter(name: str) -> str:
    return f"{name}_field"


def _option(name: str, told: str) -> Parameter:
    option: Any = typer.Option(
        option_of(name),
        metavar="EXPR",
        help=told,
        rich_help_panel=_GROUP,
        show_default=False,
    )
    return Parameter(
        _parameter(name),
        Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[str | None, option],
    )
