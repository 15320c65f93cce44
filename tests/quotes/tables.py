"""Tables of quotes and sources, and which of their rows are judged wrongly."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from citeguard import Match, Sources, locate

_SECTION = re.compile(r"^== ([^:\n]+): .*\n((?:(?!== ).*\n?)*)", re.M)
_CASES = dict(_SECTION.findall(Path(__file__).with_name("cases.txt").read_text("utf-8")))


def cases(name: str) -> list[tuple[str, ...]]:
    """Return the rows of a section of `cases.txt`."""
    return rows(_CASES[name])


def rows(table: str) -> list[tuple[str, ...]]:
    r"""Return the cells between the bars of each line; `\n` and other escapes are read.

    A line that begins with a bar goes on with the one before it.
    """
    lines = re.sub(r"\n\s*\|", " |", table.strip()).splitlines()
    return [tuple(_read(cell.strip()) for cell in line.split("|")) for line in lines]


def _read(cell: str) -> str:
    if "\\" not in cell:
        return cell
    return cell.encode("ascii", "backslashreplace").decode("unicode_escape")


def accepted(quote: str, text: str) -> Match | None:
    """Return where a text has a quote, or `None` if it has not, or an altered form of it."""
    match = locate(quote, Sources(text))
    return match if match is not None and match.accepted else None


def misjudged(
    *, same: Iterable[Sequence[str]] = (), changed: Iterable[Sequence[str]] = ()
) -> list[Sequence[str]]:
    """Return the pairs of a text and a quote that are judged wrongly."""
    refused = [pair for pair in same if not accepted(pair[1], pair[0])]
    return [*refused, *(pair for pair in changed if accepted(pair[1], pair[0]))]
