"""PDF files: read as documents, and drawn as pictures of their pages."""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.documents.pdf.reading import read_pdf

__all__ = ["read_pdf"]

__getattr__, __dir__ = lazily(__name__, {"reading": ["read_pdf"]})
