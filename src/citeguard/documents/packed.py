"""Packed files, which are ZIP archives of parts: they must be whole, and not unpack to too much."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from citeguard.errors import InvalidSourcesError, foreign_code
from citeguard.sources.layout import Fields

# The most bytes, unpacked, of an XML part of a file, and of all parts together.
_LARGEST_PART, _LARGEST_FILE = 64_000_000, 600_000_000
_TEXTS = (".xml", ".rels", ".opf", ".html", ".htm", ".xhtml")


class ContentError(InvalidSourcesError):
    """What is wrong with the content of a file, without the file's name."""


@contextmanager
def unpacked(content: bytes, name: str, kind: str) -> Generator[ZipFile]:
    """Reject a file that unpacks to too much, and turn what its reader raises into one error.

    Raises:
        InvalidSourcesError: the file is damaged, unpacks to too much, or has entities.
    """
    with (
        foreign_code(lambda _: InvalidSourcesError(f"{name}: is damaged: no {kind}")),
        ZipFile(BytesIO(content)) as packed,
    ):
        parts = packed.infolist()
        texts = (part for part in parts if part.filename.lower().endswith(_TEXTS))
        largest = max((part.file_size for part in texts), default=0)
        if largest > _LARGEST_PART or sum(part.file_size for part in parts) > _LARGEST_FILE:
            raise InvalidSourcesError(f"{name}: unpacks to more than is read of a {kind}")
        try:
            yield packed
        except ContentError as error:
            raise InvalidSourcesError(f"{name}: {error}") from None


def fields_of(facts: Any) -> Fields:
    """Return what the core properties of an Office file say: of openpyxl, python-docx or -pptx."""
    creator = getattr(facts, "creator", None) or getattr(facts, "author", None) or ""
    abstract = getattr(facts, "description", None) or getattr(facts, "comments", None)
    return Fields(
        authors=tuple(each.strip() for each in creator.split(";") if each.strip()),
        date=None if facts.created is None else facts.created.date().isoformat(),
        abstract=abstract or None,
    )
