"""What commands are given: arguments that several have, `--sources PATH...`, and files of JSON."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Annotated, Any

import typer

from citeguard.documents.files import decode, parse_json, read_text
from citeguard.errors import CiteguardError

SOURCE_FILES = "Text, Markdown, HTML and PDF files, JSON of {id: text}, and folders of them."
"""What commands read as sources, for their help."""

Support = Annotated[
    bool,
    typer.Option(
        "--support",
        help="Judge also whether what is cited supports the statements, without a model.",
    ),
]
"""The option `--support` of commands that tell good from bad."""


def samples_argument(metavar: str) -> Any:
    """Return the argument that names samples, for `Annotated[str, ...]`.

    Args:
        metavar: What the help calls it: `"SAMPLES.jsonl"`.
    """
    return typer.Argument(
        metavar=metavar,
        help="JSON lines, also as .jsonl.gz, or .parquet; - reads JSON lines from standard input.",
    )


def sources_option(*, after: str) -> Any:
    """Return the option `--sources PATH...`, for `Annotated[list[str], ...]`.

    Typer cannot parse it: `repeat_sources` makes of it what Typer can.

    Args:
        after: The argument that comes before it, as the help names it: `"ANSWER.json"`.
    """
    return typer.Option(
        "--sources",
        metavar="PATH...",
        help=f"{SOURCE_FILES} Every path up to the next option is a source, so put {after} before "
        "it; --sources=PATH takes exactly one.",
    )


def repeat_sources(arguments: Sequence[str]) -> list[str]:
    """Put `--sources` before every path that follows it, as the parser takes one path at a time.

    The paths end at the next argument that starts with a dash. `--sources=` is followed by exactly
    one path. Which command it is does not matter.

    Raises:
        typer.BadParameter: no path follows.

    Examples:
        >>> repeat_sources(["answer.json", "--sources", "a.txt", "b.txt", "--json"])
        ['answer.json', '--sources=a.txt', '--sources=b.txt', '--json']
    """
    repeated: list[str] = []
    listing = False
    for position, argument in enumerate(arguments):
        if argument == "--":
            return [*repeated, *arguments[position:]]
        if not argument.startswith("-"):
            repeated.append(f"--sources={argument}" if listing else argument)
        elif argument == "--sources":
            listing = True
            _require_path(arguments[position + 1 :])
        else:
            listing = False
            repeated.append(argument)
    return repeated


def _require_path(arguments: Sequence[str]) -> None:
    if not arguments or arguments[0].startswith("-"):
        raise typer.BadParameter("--sources needs at least one path after it.")


def hint_at_order(error: typer.TyperException, arguments: Sequence[str]) -> str:
    """Tell somebody whose file was taken for a source where to put it, after a space.

    That is so where an argument is missing whose metavar has a suffix, as `ANSWER.json` has, and
    the last path has it, too, but is a source by `repeat_sources`. In any other case it is empty.
    """
    missing = error.param if isinstance(error, typer.BadParameter) else None
    if missing is None or missing.param_type_name != "argument":
        return ""
    wanted = missing.display_name_raw
    *_, last = ["", *(each for each in arguments if not each.startswith("-"))]
    if not PurePath(wanted).suffix or not last.lower().endswith(PurePath(wanted).suffix):
        return ""
    taken = f"--sources={last}" in repeat_sources(arguments)
    return f" {last} is taken for a source: put {wanted} before --sources." if taken else ""


def read_json(path: str, name: str) -> Any:
    """Return what a file of JSON says; `-` reads standard input.

    Args:
        path: As it was given.
        name: What it holds, for the message that the path is empty: `"the answer"`.

    Raises:
        CiteguardError: the path is empty, the file cannot be read, or is not UTF-8, or not JSON.
    """
    text = read_input(path, name)
    return parse_json(text, "standard input" if path == "-" else path)


def read_input(path: str, name: str) -> str:
    """Return the text of a file; `-` reads standard input.

    Args:
        path: As it was given.
        name: What it holds, for the message that the path is empty: `"the answer"`.

    Raises:
        CiteguardError: the path is empty, the file cannot be read, or is not UTF-8.
    """
    if not path:
        raise CiteguardError(f"the path of {name} is empty")
    if path != "-":
        return read_text(Path(path))
    if sys.stdin is None:
        raise CiteguardError("standard input is closed")
    return decode(sys.stdin.buffer.read(), "standard input")
