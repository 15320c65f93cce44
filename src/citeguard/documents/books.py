"""E-books as documents: `read_book`, which reads the pages of an EPUB file in their order."""

from __future__ import annotations

import posixpath
from functools import partial
from importlib import import_module
from typing import Any
from urllib.parse import unquote, urlsplit
from zipfile import ZipFile

from citeguard.documents.document import Decision, Document, Writer
from citeguard.documents.files import unpacked
from citeguard.documents.html.blocks import write_page
from citeguard.documents.html.tree import decode_page
from citeguard.errors import InvalidSourcesError
from citeguard.sources.layout import Fields

_etree: Any = import_module("lxml.etree")  # it has no types
_PAGE = "application/xhtml+xml"
_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"


def read_book(content: bytes, name: str, decision: Decision | None = None) -> Document:
    """Return the text of an e-book (.epub), chapter by chapter, as the book orders them.

    Each page is read as HTML is, but whole, and with the style sheets of the book. Pages outside of
    the book's order, such as notes that only links lead to, are omitted, and so are pictures.

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
        read = set[str]()
        for each in package.iterfind("{*}spine/{*}itemref"):
            item = items[each.get("idref")]
            page = _path(path, item.get("href"))
            is_page = page.lower().endswith((".xhtml", ".html", ".htm"))
            is_page |= item.get("media-type") == _PAGE
            if each.get("linear") == "no" or page in read or not is_page:
                continue
            read.add(page)
            # The list may name fonts alone: then the text can be read.
            if page.encode() in locked:
                raise InvalidSourcesError(f"{name}: is encrypted")
            text = decode_page(packed.read(page))
            write_page(writer, text, name, partial(_sheet, packed, page), xhtml=True)
        said = {
            field: [
                text for at in package.iterfind(f"{{*}}metadata/{{*}}{field}") if (text := at.text)
            ]
            for field in ("title", "creator", "date", "description")
        }
        fields = Fields(
            authors=tuple(said["creator"]),
            # Of a date with a time, "2021-03-01T00:00:00Z", the day.
            date=next((text[:10] for text in said["date"]), None),
            abstract=next(iter(said["description"]), None),
        )
        return writer.document("book", title=next(iter(said["title"]), None), fields=fields)


def _path(around: str, address: str) -> str:
    """Return the path of a file in the book, given its address in another one."""
    path = unquote(urlsplit(address).path)
    return posixpath.normpath(posixpath.join(posixpath.dirname(around), path)).lstrip("/")


def _sheet(packed: ZipFile, page: str, address: str) -> str:
    path = _path(page, address)
    return decode_page(packed.read(path)) if path in packed.namelist() else ""


def _parsed(content: bytes) -> Any:
    parser = _etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    return _etree.fromstring(content, parser)
