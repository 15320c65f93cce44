"""How readers put a text together, block by block, and keep where each stands: `Writer`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from citeguard.documents.document import Document
from citeguard.sources.layout import FileKind, Heading, Layout

_BLANK_LINES = re.compile(r"(?:[^\S\n]*\n)*")


class Writer:
    """A text that grows by blocks, with a blank line between them.

    Attributes:
        headings: Those written so far.
    """

    def __init__(self) -> None:
        self.headings: list[Heading] = []
        self._parts: list[str] = []
        self._length = 0
        self._line_starts: dict[int, int] = {}

    def write(
        self,
        block: str,
        *,
        mark: str = "",
        level: int | None = None,
        lines: Iterable[tuple[int, int]] = (),
        close: bool = False,
    ) -> None:
        """Add a block without blank lines at its start, and white space at its end.

        A blank one adds nothing.

        Args:
            block: Its text.
            mark: What stands before it, where it is the item of a list.
            level: That of the heading that it is, from 1 to 6; `None` if it is none.
            lines: Pairs of a place in the block and the number of the file's line there, in order.
            close: Have no blank line before it, as between the rows of a table.
        """
        left_out = _BLANK_LINES.match(block).end()  # pyright: ignore[reportOptionalMemberAccess]
        text = block[left_out:].rstrip()
        if not text:
            return
        self._add(("\n" if close else "\n\n") if self._parts else "")
        first = self._length
        self._add(mark)
        start = self._length
        self._add(text)
        for place, line in lines:
            if place < left_out + len(text):
                self._line_starts[first if place <= left_out else start + place - left_out] = line
        if level is not None:
            self.headings.append(Heading(text, level, start, self._length))

    def document(self, kind: FileKind, *, title: str | None, url: str | None = None) -> Document:
        """Return what was written."""
        lines = self._line_starts.items()
        layout = Layout(kind, self._length, headings=self.headings, line_starts=lines)
        return Document(text="".join(self._parts), layout=layout, title=title, url=url)

    def _add(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)
