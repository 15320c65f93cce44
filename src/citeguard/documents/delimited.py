"""CSV and TSV files as sources: tables whose values keep their heads."""

from __future__ import annotations

import csv
from pathlib import PurePath

from citeguard.documents.document import Document, Writer
from citeguard.documents.files import decode
from citeguard.documents.tables import Written
from citeguard.errors import InvalidSourcesError

_SEPARATORS = ",;\t|"


def read_delimited(content: bytes, name: str) -> Document:
    r"""Return the rows of a CSV or TSV file, each as a line with its cells separated by " | ".

    Of a file whose name does not end in `.tsv` the separator is the comma, semicolon, tab or bar
    that its first line has most often. White space in cells becomes one blank, and a bar a
    slash; empty rows are omitted.

    Args:
        content: The file's content, in UTF-8.
        name: Its name or path; messages start with it.

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
    writer = Writer()
    rows = csv.reader(text.splitlines(keepends=True), delimiter=separator, strict=True)
    line = number = 1
    try:
        for cells in rows:
            # A bar in a cell would begin another one.
            row = [
                Written(" ".join(cell.replace("|", "/").split()), number, column)
                for column, cell in enumerate(cells, 1)
            ]
            writer.write_row(name, row, lines=[(0, line)])
            line, number = rows.line_num + 1, number + 1
    except csv.Error as error:
        raise InvalidSourcesError(f"{name}: not a table: {error}, line {line:,}") from error
    return writer.document("table", title=None)
