"""CSV and TSV files as sources: tables whose values keep their heads."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from io import StringIO
from itertools import groupby, takewhile
from pathlib import PurePath
from typing import NamedTuple

from citeguard.documents.document import Decision, Document, Writer
from citeguard.documents.files import decode
from citeguard.documents.tables import Written
from citeguard.errors import InvalidSourcesError

_SEPARATORS = ",;\t|"


def read_delimited(content: bytes, name: str, decision: Decision | None = None) -> Document:
    r"""Return the rows of a CSV or TSV file, each as a line with its cells separated by " | ".

    Of a file whose name does not end in `.tsv` the separator is the comma, semicolon, tab or bar
    that its first line has most often. White space in cells becomes one blank, and a bar a
    slash; empty rows are omitted. A title over the table, and notes apart from it, stay text.

    Args:
        content: The file's content, in UTF-8.
        name: Its name or path; messages start with it.
        decision: What becomes of unseen text, of which these files have none.

    Raises:
        InvalidSourcesError: the rows cannot be read: a cell is too long, or has no end.
        CiteguardError: the content is not UTF-8.

    Examples:
        >>> read_delimited(b"town,people\nYork,45\n", "staff.csv").text
        'town | people\nYork | 45'
    """
    text = decode(content, name)
    first = text.partition("\n")[0]
    is_tabbed = PurePath(name).suffix.lower() == ".tsv"
    separator = "\t" if is_tabbed else max(_SEPARATORS, key=first.count)
    lines = list(StringIO(text, newline=""))  # other than `splitlines`, of cells only "\r" and "\n"
    reader = csv.reader(lines, delimiter=separator, strict=True)
    rows: list[_Row] = []
    start = 0
    try:
        for cells in reader:
            rows.append(_Row(start, reader.line_num, cells))
            start = reader.line_num
    except csv.Error as error:
        raise InvalidSourcesError(f"{name}: not a table: {error}, line {start + 1:,}") from error
    writer = Writer(decision)
    for number, (row, in_table) in enumerate(zip(rows, _in_table(rows), strict=True), 1):
        if not in_table:
            writer.write("".join(lines[row.start : row.end]), lines=[(0, row.start + 1)])
            continue
        # A bar in a cell would begin another one.
        written = [
            Written(" ".join(cell.replace("|", "/").split()), number, column)
            for column, cell in enumerate(row.cells, 1)
        ]
        writer.write_row(name, written, lines=[(0, row.start + 1)])
    return writer.document("table", title=None)


class _Row(NamedTuple):
    """A row, of the lines from `start` up to `end`; a blank line has no cells."""

    start: int
    end: int
    cells: list[str]


def _in_table(rows: Sequence[_Row]) -> list[bool]:
    """Return of each row whether it is one of the table, not a title or a note around it.

    The rows of a table have as many cells as most rows have. What stands apart from them, or as a
    line without separators over them, is text.
    """
    counts = Counter(len(row.cells) for row in rows if row.cells)
    # Where as many rows have one cell as have several, these are the table.
    width = max(counts, key=lambda width: (counts[width], width), default=0)
    found: list[bool] = []
    for _, group in groupby(rows, lambda row: bool(row.cells)):
        block = [len(row.cells) for row in group]
        titles = len(list(takewhile(lambda cells: cells == 1 < width, block)))
        in_table = width in block
        found += [in_table and place >= titles for place in range(len(block))]
    return found
