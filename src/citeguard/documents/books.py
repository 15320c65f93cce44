"""E-books as documents: `read_book`, which reads the pages of an EPUB file in their order."""

from __future__ import annotations

import posixpath
from importlib import import_module
from typing import Any
from urllib.parse import unquote

from citeguard.documents.document import Decision, Document, Writer
from citeguard.documents.html.blocks import write_page
from citeguard.documents.html.tree import decode_page
from citeguard.documents.packed import unpacked
from citeguard.errors import InvalidSourcesError
from citeguard.sources.layout import Fields

_etree: Any = import_module("lxml.etree")  # it has no types
_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"


def read_book(content: bytes, name: str, decision: Decision | None = None) -> Document:
    """Return the text of an e-book (.epub), chapter by chapter, as the book orders them.

    Each page is read as HTML is, but whole. Pages outside of the book's order, such as notes that
    only links lead to, are omitted, and so are pictures.

    Raises:
        InvalidSourcesError: the file is damaged or encrypted, or unpacks to too much.
    """
    with unpacked(content, name, "e-book (EPUB)") as packed:
        container = _parsed(packed.read(_CONTAINER))
        path = container.find(".//{*}rootfile").get("full-path")
        package = _parsed(packed.read(path))
        items = {each.get("id"): each for each in package.iterfind("{*}manifest/{*}item")}
        locked = packed.read(_ENCRYPTION) if _ENCRYPTION in packed.namelist() else b""
        writer = Writer(decision, numbered=True)
        for each in package.iterfind("{*}spine/{*}itemref"):
            href = unquote(items[each.get("idref")].get("href"))
            page = posixpath.normpath(posixpath.join(posixpath.dirname(path), href))
            if each.get("linear") == "no" or not page.lower().endswith((".xhtml", ".html", ".htm")):
                continue
            if page.encode() in locked:
                raise InvalidSourcesError(f"{name}: is encrypted")
            write_page(writer, decode_page(packed.read(page)), name, xhtml=True)
        said = {
            field: [
                text for at in package.iterfind(f"{{*}}metadata/{{*}}{field}") if (text := at.text)
            ]
            for field in ("title", "creator", "date", "description")
        }
        fields = Fields(
            authors=tuple(said["creator"]),
            date=next((text[:10] for text in said["date"]), None),
            abstract=next(iter(said["description"]), None),
        )
        return writer.document("book", title=next(iter(said["title"]), None), fields=fields)


def _parsed(content: bytes) -> Any:
    parser = _etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    return _etree.fromstring(content, parser)
