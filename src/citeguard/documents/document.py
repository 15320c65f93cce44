"""What a reader makes of a file: `Document`."""

from __future__ import annotations

from dataclasses import dataclass, field

from citeguard.errors import InvalidSourcesError
from citeguard.sources.layout import Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A file's text, and where it stands in the file.

    Attributes:
        text: The text, without what only serves its looks.
        layout: Where each part of it stands in the file.
        title: What it calls itself.
        url: Where it says it stands on the web.
    """

    text: str
    layout: Layout = field(repr=False)
    title: str | None = None
    url: str | None = None


class PageLimitError(InvalidSourcesError):
    """A file has more pages than the reader may read."""
