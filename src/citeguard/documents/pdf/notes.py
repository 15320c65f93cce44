"""Footnotes: small type at the foot of a column that begins with a mark; and their marks."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from citeguard.documents.pdf.lines import Line
from citeguard.documents.pdf.paragraphs import Paragraph

_SMALL = 0.94  # of the size of the text
_FOOT = 0.4  # of the height of the page: a note of a column that has nothing else is below

_MARK = re.compile(
    r"(?P<sign>[¹²³⁰⁴-⁹]+|[*∗†‡§¶‖#]+)\s*(?=\S)"
    r"|[\[(]?(?P<number>\d{1,3})[\])]?[.:]?\s*(?=[^\W\d_]|[\"“‘'(\[])"
    r"|(?P<letter>[a-z])(?:\)|\s)\s*(?=[A-Z\"“‘])"
)
_RAISED = re.compile(r"[¹²³⁰⁴-⁹]+")
_LIKE_EXPONENT = re.compile(  # after a word of one letter, or a number, but for powers of ten
    r"(?:(?<![^\W_])[^\W\d_¹²³⁰⁴-⁹]|(?<!\b10)(?<=\d))([¹²³⁰⁴-⁹]+)"
)
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def split_notes(
    lines: Sequence[Line], size: float, height: float, *, open_note: bool
) -> tuple[Sequence[Line], list[list[Line]]]:
    """Return the lines of a column without its footnotes, and these, each its lines.

    Args:
        lines: The lines of the column, from above.
        size: Of the font of the file's text.
        height: Of the page.
        open_note: Whether the last note before these lines may go on in them, without a mark.
    """
    first = len(lines)
    while first and lines[first - 1].size < _SMALL * size:
        first -= 1
    if not first and lines and lines[0].top < _FOOT * height:
        return lines, []
    while first < len(lines) and not (_MARK.match(lines[first].text) or open_note):
        first += 1
    return lines[:first], _parted(lines[first:])


def _parted(lines: Sequence[Line]) -> list[list[Line]]:
    notes: list[list[Line]] = []
    number: int | None = None
    for line in lines:
        mark = _MARK.match(line.text)
        found = None if mark is None or mark["number"] is None else int(mark["number"])
        follows = found is None or number is None or found == number + 1
        if not notes or (mark is not None and follows and _may_start(mark, notes)):
            notes.append([line])
            number = found
        else:
            notes[-1].append(line)
    return notes


def _may_start(mark: re.Match[str], notes: Sequence[Sequence[Line]]) -> bool:
    """Tell whether a mark is of the kind with which the notes above begin."""
    first = _MARK.match(notes[0][0].text)
    return first is None or first.lastgroup == mark.lastgroup or mark["sign"] is not None


def bracket_marks(paragraphs: Iterable[Paragraph]) -> None:
    """Write the marks of notes that follow a word of one letter, or a number, in brackets.

    Else they would be exponents: "in 1664¹" becomes "in 1664[1]".

    A raised number is such a mark if a note with it stands on its page or one beside it, and it
    is there once.
    """
    notes: dict[int, set[str]] = defaultdict(set)
    lines: list[Line] = []
    for paragraph in paragraphs:
        if paragraph.kind == "note":
            first = paragraph.lines[0]
            notes[first.page].add(_number(first.text))
        else:
            lines += paragraph.lines
    raised = Counter((line.page, number) for line in lines for number in _RAISED.findall(line.text))
    for line in lines:
        for mark in reversed([*_LIKE_EXPONENT.finditer(line.text)]):
            number = mark[1].translate(_DIGITS)
            noted = any(number in notes[page] for page in range(line.page - 1, line.page + 2))
            if noted and raised[line.page, mark[1]] == 1:
                line.write(*mark.span(1), f"[{number}]")


def _number(note: str) -> str:
    """Return the number that a note begins with; empty without one."""
    mark = _MARK.match(note)
    return "" if mark is None else (mark["number"] or mark["sign"] or "").translate(_DIGITS)
