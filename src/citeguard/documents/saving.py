"""Documents as bytes: `data_of_document` and `document_from`, for whatever keeps them on disk."""

from __future__ import annotations

import json
from array import array
from base64 import b64decode, b64encode
from dataclasses import asdict, fields
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

# As `Any`: what is read may have any types.
_KINDS: dict[str, Any] = {"headings": Heading, "pages": Page, "doubts": Doubt, "parts": Part}
_new_table: Any = Table
_new_line: Any = PrintedLine


def data_of_document(document: Document) -> bytes:
    """Return a document as bytes, without the PDF file that its layout may have.

    They are JSON, and the same on every machine.

    Examples:
        >>> document = Document(text="Lunch is free.", layout=Layout("text", 14), title="Lunch")
        >>> document_from(data_of_document(document), None).title
        'Lunch'
    """
    layout = document.layout
    data: dict[str, Any] = {
        **{name: list(map(_values, getattr(layout, name))) for name in _KINDS},
        **{"text": document.text, "title": document.title, "url": document.url},
        "kind": layout.kind,
        "line_starts": layout.line_starts,
        "left_out": layout.left_out,
        "warnings": layout.warnings,
        "fields": asdict(layout.fields),
        "tables": [
            (*_values(table)[:-1], list(map(_values, table.cells))) for table in layout.tables
        ],
        "printed": [
            (*_values(line)[:-2], _text_of(line.lefts), _text_of(line.rights))
            for line in layout.printed
        ],
    }
    return json.dumps(data).encode()


def document_from(data: bytes, file: bytes | None) -> Document:
    """Return the document that `data_of_document` returned as bytes.

    Args:
        data: The bytes.
        file: The PDF file that it was read from; used only if it has pages.

    Raises:
        KeyError, TypeError, ValueError: The bytes are not those of a document.
    """
    read: dict[str, Any] = json.loads(data)
    layout = Layout(
        read["kind"],
        len(read["text"]),
        **{name: [kind(*each) for each in read[name]] for name, kind in _KINDS.items()},
        line_starts=[(offset, line) for offset, line in read["line_starts"]],
        left_out=read["left_out"],
        warnings=read.get("warnings", ()),
        fields=Fields(**read["fields"] | {"authors": tuple(read["fields"]["authors"])}),
        tables=[_new_table(*rest, tuple(map(_cell, cells))) for *rest, cells in read["tables"]],
        printed=[
            _new_line(*rest, _numbers(lefts), _numbers(rights))
            for *rest, lefts, rights in read["printed"]
        ],
        file=file if read["pages"] else None,
    )
    return Document(text=read["text"], layout=layout, title=read["title"], url=read["url"])


def _values(each: Any) -> list[Any]:
    """Return the values of a dataclass, without copies of what is in them."""
    return [getattr(each, field.name) for field in fields(each)]


def _cell(values: list[Any]) -> Cell:
    return Cell(*values[:6], *map(tuple, values[6:8]), *values[8:])


def _text_of(numbers: array[float]) -> str:
    import numpy as np

    return b64encode(np.asarray(numbers, "<f4").tobytes()).decode()


def _numbers(text: str) -> array[float]:
    import numpy as np

    return array("f", np.frombuffer(b64decode(text), "<f4").tolist())
