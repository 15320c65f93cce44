"""What the readers of files produce: `Document`, the writer of its text, and its plain text.

Here is also what the readers share of knowledge about characters: superscripts and subscripts,
invisible characters, and the ideographs that are words by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from citeguard.errors import InvalidSourcesError
from citeguard.sources.layout import FileKind, Heading, Layout

_SIGNS = "0123456789+-−–=()"
SUPERSCRIPTS = str.maketrans(_SIGNS, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾")
"""The superscript of each digit and sign, for `str.translate`."""
SUBSCRIPTS = str.maketrans(_SIGNS, "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎")
"""The subscript of each digit and sign, for `str.translate`."""

_NUMBERS = re.compile(r"[0-9+−=()-]+(?:\s?,\s?[0-9]+)*")
_NOTES = re.compile(r"[0-9]{1,3}(?:\s?[,–—-]\s?[0-9]{1,3})*|[a-z]")
_RANGE = re.compile(r"[0-9]\s?[–—-]\s?[0-9]")
_INVISIBLE = str.maketrans("", "", "\xad\u200b\u2060\ufeff")  # soft hyphens, zero-width characters
_BLANK_LINES = re.compile(r"(?:[^\S\n]*\n)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The text of a file, with a map back to the file.

    Attributes:
        text: The text as a reader of the file sees it.
        layout: Where each part of the text is in the file.
        title: The title that the file gives itself.
        url: The address on the web that the file gives itself.
    """

    text: str
    layout: Layout = field(repr=False)
    title: str | None = None
    url: str | None = None


class PageLimitError(InvalidSourcesError):
    """A file has more pages than the reader may read."""


class Writer:
    """Builds a document block by block, with a blank line between blocks.

    Attributes:
        headings: The headings written so far.
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
        """Add a block, without blank lines at its start and white space at its end.

        A blank block adds nothing.

        Args:
            block: Its text.
            mark: The list mark to write before it.
            level: The level of the heading that the block is, from 1 to 6; `None` for other text.
            lines: Pairs of an offset in the block and the number of the file's line there, sorted.
            close: Write no blank line before it, as between the rows of a table.
        """
        skipped = _BLANK_LINES.match(block).end()  # pyright: ignore[reportOptionalMemberAccess]
        text = block[skipped:].rstrip()
        if not text:
            return
        self._add(("\n" if close else "\n\n") if self._parts else "")
        first = self._length
        self._add(mark)
        start = self._length
        self._add(text)
        for offset, line in lines:
            if offset < skipped + len(text):
                self._line_starts[first if offset <= skipped else start + offset - skipped] = line
        if level is not None:
            self.headings.append(Heading(text, level, start, self._length))

    def document(self, kind: FileKind, *, title: str | None, url: str | None = None) -> Document:
        """Return the document written so far."""
        lines = self._line_starts.items()
        layout = Layout(kind, self._length, headings=self.headings, line_starts=lines)
        return Document(text="".join(self._parts), layout=layout, title=title, url=url)

    def _add(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


def visible(text: str) -> str:
    r"""Return a text without invisible characters, such as soft hyphens.

    Examples:
        >>> visible("infor\xadmation")
        'information'
    """
    return text.translate(_INVISIBLE)


def superscript(text: str) -> str:
    """Return raised text as plain text that does not read as part of the word before it.

    Numbers become superscripts; a range of numbers, which marks notes, is put in brackets. Words
    stay as they are: 4th.

    Examples:
        >>> ["word" + superscript(text) for text in ("3", "-1", "1–3", "th")]
        ['word³', 'word⁻¹', 'word[1–3]', 'wordth']
    """
    if _NOTES.fullmatch(text) and _RANGE.search(text):
        return note_mark(text)
    return text.translate(SUPERSCRIPTS) if _NUMBERS.fullmatch(text) else text


def note_mark(text: str) -> str:
    """Return the mark of a note as plain text: numbers or one letter in brackets, else unchanged.

    Examples:
        >>> [note_mark(text) for text in ("12", "a", "[12]", "†")]
        ['[12]', '[a]', '[12]', '†']
    """
    return f"[{text}]" if _NOTES.fullmatch(text) else text


def subscript(text: str) -> str:
    """Return lowered text as plain text: numbers as subscripts, else unchanged.

    Examples:
        >>> [f"CO{subscript('2')}", f"x{subscript('max')}"]
        ['CO₂', 'xmax']
    """
    return text.translate(SUBSCRIPTS) if _NUMBERS.fullmatch(text) else text
