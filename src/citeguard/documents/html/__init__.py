"""HTML files: the main text of a page, without what stands around it."""

from citeguard.documents.html.reader import read_html

__all__ = ["read_html"]
