"""Tables of quotes and sources, and which of their rows are judged wrongly."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from citeguard import Match, Sources, locate

_SECTION = re.compile(r"^== ([^:\n]+): .*\n((?:(?!== ).*\n?)*)", re.M)


def cases(section: str, room: str = "quotes") -> list[tuple[str, ...]]:
    """Return the rows of a section of the labelled cases of a room, its `cases.txt`."""
    return rows(_sections(room)[section])


@cache
def _sections(room: str) -> dict[str, str]:
    file = Path(__file__).parent.parent / room / "cases.txt"
    return dict(_SECTION.findall(file.read_text("utf-8")))


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
