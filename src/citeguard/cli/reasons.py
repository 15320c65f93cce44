"""Why samples were turned down, with an example of each reason, and which option may help."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from citeguard.cli.display import visible
from citeguard.cli.field_options import option_of
from citeguard.language.excerpts import counted_as, shown

_LONGEST_EXAMPLE = 300
_MOST_CODES = 20
_HINTS = {
    "sources_missing": "No sample has sources: name where they are with "
    f"{option_of('sources')}, or the files that all samples share with --sources.",
    "answer_missing": "No sample has an answer: name where it is with "
    f"{option_of('answer')} or {option_of('statements')}, and the quotes, if they do not stand in "
    f"citations, with {option_of('quotes')}.",
    "question_missing": f"No sample has a question: name where it is with {option_of('question')}.",
}


def show_reasons(
    console: Console, codes: Mapping[str, int], examples: Mapping[str, str], *, read: int
) -> None:
    """Print a table of the reasons, and a hint where no sample has something."""
    if codes:
        console.print(_table(codes, examples))
    if (more := len(codes) - _MOST_CODES) > 0:
        console.print(f"and {counted_as(more, 'other problem')}")
    if (hint := hint_of(codes, read=read)) is not None:
        console.print(Text(hint, "yellow"))


def reasons_data(codes: Mapping[str, int], examples: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the reasons as JSON-like data."""
    return [
        {"code": code, "samples": count, "example": examples[code]} for code, count in codes.items()
    ]


def hint_of(codes: Mapping[str, int], *, read: int) -> str | None:
    """Say which option names the field, where no sample has anything in it; else `None`."""
    hints = (hint for code, hint in _HINTS.items() if read and codes.get(code) == read)
    return next(hints, None)


def as_example(message: str) -> str:
    """Return a message on one line, bounded, with what a terminal would obey written out."""
    return visible(shown(message, _LONGEST_EXAMPLE))


def _table(codes: Mapping[str, int], examples: Mapping[str, str]) -> Table:
    table = Table(expand=True)
    table.add_column("Problem", overflow="fold")
    table.add_column("Samples", justify="right")
    table.add_column("The first message", ratio=1, overflow="fold")
    for code, count in list(codes.items())[:_MOST_CODES]:
        table.add_row(visible(code), f"{count:,}", as_example(examples[code]))
    return table
