"""Text files: read as they stand."""

from __future__ import annotations

from citeguard.documents.document import Document
from citeguard.documents.files import decode
from citeguard.sources.layout import Layout


def read_text_file(content: bytes, name: str) -> Document:
    """Return a text file's text, line ends included; only a byte-order mark is left out.

    Raises:
        CiteguardError: it is not UTF-8; the message starts with `name`.
    """
    text = decode(content, name)
    return Document(text=text, layout=Layout("text", len(text)))
