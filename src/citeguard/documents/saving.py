"""Documents as bytes: `data_of_document` and `document_from`, for whatever keeps them on disk."""

from __future__ import annotations

import json
from array import array
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import asdict, astuple, fields
from typing import Any

from citeguard.documents.document import Document
from citeguard.sources.layout import (
    Cell,
    Doubt,
    Fields,
    Heading,
    Layout,
    Page,
    Part,
    PrintedLine,
    Table,
)

_HEADERS = ("row_headers", "column_headers")


def data_of_document(document: Document) -> bytes:
    """Return a document as bytes, without the PDF file that its layout may have.

    They are JSON, and the same on every machine.

    Examples:
        >>> document = Document(text="Lunch is free.", layout=Layout("text", 14), title="Lunch")
        >>> document_from(data_of_document(document), None).title
        'Lunch'
    """
    layout = document.layout
    fields: dict[str, Any] = {
        "text": document.text,
        "title": document.title,
        "kind": layout.kind,
        "headings": list(map(astuple, layout.headings)),
        "line_starts": layout.line_starts,
        "pages": list(map(astuple, layout.pages)),
        "printed": [
            (
                line.start,
                line.page,
                line.top,
                line.bottom,
                *map(_text_of, (line.lefts, line.rights)),
            )
            for line in layout.printed
        ],
    }
    if layout.doubts:
        fields["doubts"] = list(map(astuple, layout.doubts))
    if layout.left_out:
        fields["left_out"] = layout.left_out
    if layout.unread_pages:
        fields["unread_pages"] = layout.unread_pages
    if layout.tables:
        fields["tables"] = list(map(_data_of_table, layout.tables))
    if layout.parts:
        fields["parts"] = list(map(astuple, layout.parts))
    if layout.fields != Fields():
        fields["fields"] = asdict(layout.fields)
    if document.url is not None:
        fields["url"] = document.url
    return json.dumps(fields).encode()


def document_from(data: bytes, file: bytes | None) -> Document:
    """Return the document that `data_of_document` returned as bytes.

    Args:
        data: The bytes.
        file: The PDF file that it was read from; used only if it has pages.

    Raises:
        KeyError, TypeError, ValueError: The bytes are not those of a document.
    """
    fields: dict[str, Any] = json.loads(data)
    pages = [Page(*page) for page in fields["pages"]]
    layout = Layout(
        fields["kind"],
        len(fields["text"]),
        headings=[Heading(*heading) for heading in fields["headings"]],
        line_starts=[(offset, line) for offset, line in fields["line_starts"]],
        pages=pages,
        printed=[
            PrintedLine(start, page, top, bottom, _numbers(lefts), _numbers(rights))
            for start, page, top, bottom, lefts, rights in fields["printed"]
        ],
        file=file if pages else None,
        doubts=[Doubt(*doubt) for doubt in fields.get("doubts", ())],
        left_out=fields.get("left_out"),
        tables=map(_table_from, fields.get("tables", ())),
        parts=[Part(*part) for part in fields.get("parts", ())],
        fields=_fields_from(**fields.get("fields", {})),
        unread_pages=fields.get("unread_pages", ()),
    )
    return Document(
        text=fields["text"], layout=layout, title=fields["title"], url=fields.get("url")
    )


def _data_of_table(table: Table) -> dict[str, Any]:
    """Return a table as data; the names of rows and columns, which cells share, are listed once."""
    names: dict[tuple[str, ...], int] = {}
    cells: list[dict[str, Any]] = []
    for cell in table.cells:
        data = {each.name: getattr(cell, each.name) for each in fields(cell)}
        for headers in _HEADERS:
            data[headers] = names.setdefault(data[headers], len(names))
        cells.append(data)
    described = (table.start, table.end, table.name, table.caption, table.unit)
    return {
        "table": described,
        "names": list(names),
        "columns": [each.name for each in fields(Cell)],
        "cells": [list(each.values()) for each in cells],
    }


def _table_from(data: dict[str, Any]) -> Table:
    names: list[tuple[str, ...]] = [tuple(each) for each in data["names"]]
    start, end, name, caption, unit = data["table"]
    cells: list[Cell] = []
    for row in data["cells"]:
        cell: dict[str, Any] = dict(zip(data["columns"], row, strict=True))
        for headers in _HEADERS:
            cell[headers] = names[cell[headers]]
        cells.append(Cell(**cell))
    return Table(start, end, name, caption, unit, tuple(cells))


def _fields_from(authors: Sequence[str] = (), **rest: str | None) -> Fields:
    return Fields(authors=tuple(authors), **rest)


def _text_of(numbers: array[float]) -> str:
    import numpy as np

    return b64encode(np.asarray(numbers, "<f4").tobytes()).decode()


def _numbers(text: str) -> array[float]:
    import numpy as np

    return array("f", np.frombuffer(b64decode(text), "<f4").tolist())
