"""Files as sources: text, Markdown, HTML, PDF and JSON are read, with a map back to the file."""

from citeguard.documents.document import Document, PageLimitError
from citeguard.documents.kinds import SUFFIXES
from citeguard.documents.loading import load_sources, read_sources

__all__ = ["SUFFIXES", "Document", "PageLimitError", "load_sources", "read_sources"]
