"""The flow of the text: paragraphs that go on in the next column, or on the next page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from citeguard.documents.pdf.hyphens import HYPHENS
from citeguard.documents.pdf.paragraphs import Kind, Paragraph, same_size
from citeguard.language.sentences import sentence_intervals

_PAGES = 2  # over which a paragraph may be interrupted by figures
_FEWEST_LINES = 2  # of a paragraph in larger type that may go on


class Flow:
    """Puts the paragraphs of one column after another, and joins what is one.

    What interrupts a paragraph at the end of a page or a column, a footnote, a figure's caption or
    a table, is put after it.
    """

    def __init__(self, size: float) -> None:
        self.paragraphs: list[Paragraph] = []
        self._size = size
        self._open: dict[Kind, Paragraph] = {}

    @property
    def has_open_note(self) -> bool:
        """Whether the last note may go on."""
        note = self._open.get("note")
        return note is not None and not note.is_finished

    def add(self, column: Sequence[Paragraph]) -> None:
        """Add the paragraphs of the next column."""
        rest = list(column)
        for kind in ("text", "note"):
            self._go_on(rest, kind)
        self.paragraphs += rest
        for paragraph in rest:
            if self._may_go_on(paragraph):
                self._open[paragraph.kind] = paragraph

    def _may_go_on(self, paragraph: Paragraph) -> bool:
        if paragraph.kind == "text":
            usual = same_size(paragraph.size, self._size)
            return usual or self._is_broken_off(paragraph) or "text" not in self._open
        return paragraph.kind == "note"

    def _is_broken_off(self, paragraph: Paragraph) -> bool:
        """Tell whether a paragraph in larger type than most of the file's ends amid a sentence."""
        long = len(paragraph.lines) >= _FEWEST_LINES and paragraph.size > self._size
        return long and paragraph.is_full and not paragraph.is_finished

    def _go_on(self, column: list[Paragraph], kind: Kind) -> None:
        """Join what is open with the first paragraph of a column that may continue it."""
        opened = self._open.get(kind)
        if opened is None:
            return
        following = _first_of(kind, opened.size, column)
        if following is None:
            if column and column[-1].lines[-1].page - opened.lines[-1].page >= _PAGES:
                del self._open[kind]
        elif _continues(opened, following, headed=_is_headed(following, column)):
            opened.lines += following.lines
            opened.column = following.column
            column.remove(following)
        else:
            del self._open[kind]


def _first_of(kind: Kind, size: float, column: Iterable[Paragraph]) -> Paragraph | None:
    alike = (found for found in column if found.kind == kind and same_size(found.size, size))
    return next(alike, None)


def _is_headed(paragraph: Paragraph, column: Sequence[Paragraph]) -> bool:
    """Tell whether a heading, or what looks like one, stands above a paragraph of a column."""
    above = column[: column.index(paragraph)]
    return any(found.kind == "heading" for found in above)


def _continues(opened: Paragraph, following: Paragraph, *, headed: bool) -> bool:
    last, first = opened.lines[-1].text, following.lines[0].text
    if last.endswith(tuple(HYPHENS)):
        return True
    if first[:1].islower():
        return not opened.is_finished or (opened.is_full and not headed)
    if headed or not opened.is_full or following.is_indented:
        return False
    return not opened.is_finished or not (following.is_item or _ends_sentence(opened, last, first))


def _ends_sentence(opened: Paragraph, last: str, first: str) -> bool:
    """Tell whether a full stop ends a sentence and its paragraph, and not an abbreviation.

    A justified line that reaches the edge of its column is seldom the last of its paragraph.
    """
    if opened.ends_justified:
        return False
    return any(end == len(last) for _, end in sentence_intervals(f"{last} {first}"))
