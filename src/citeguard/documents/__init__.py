"""Files as sources: text, HTML, PDF, Office files, e-books, mails and more, with a map back."""

from citeguard.documents.document import Document, PageLimitError
from citeguard.documents.loading import load_sources, read_sources
from citeguard.sources.layout import SUFFIXES, RecognisedWord

__all__ = [
    "SUFFIXES",
    "Document",
    "PageLimitError",
    "RecognisedWord",
    "load_sources",
    "read_sources",
]
