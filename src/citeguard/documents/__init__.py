"""Files as sources: text, Markdown, HTML, PDF, Word, PowerPoint, CSV and JSON, with a map back."""

from citeguard.documents.document import Document, PageLimitError
from citeguard.documents.loading import load_sources, read_sources
from citeguard.sources.layout import SUFFIXES

__all__ = ["SUFFIXES", "Document", "PageLimitError", "load_sources", "read_sources"]
