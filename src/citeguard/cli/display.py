"""How commands print: text of models and sources is shown, never obeyed."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import typer
from rich.console import Console

# Embeddings, overrides and isolates let a text show in another order than it is checked in.
_REORDERING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def plain_console() -> Console:
    """Return a console on standard output that takes no text for markup, emoji or code.

    Control characters it does print: give it what `visible` returns.
    """
    return Console(highlight=False, markup=False, emoji=False)


def print_json(data: Any) -> None:
    """Print data as indented JSON, in ASCII."""
    typer.echo(json.dumps(data, indent=2))


def visible(text: str) -> str:
    r"""Return a text on one line, with what a terminal would obey written out instead.

    Examples:
        >>> visible("red:\x1b[31m\n  next")
        'red:\\x1b[31m next'
    """
    return "".join(map(_written_out, " ".join(text.split())))


def _written_out(character: str) -> str:
    if character in _REORDERING or unicodedata.category(character) in ("Cc", "Cs"):
        return character.encode("unicode_escape").decode()
    return character
