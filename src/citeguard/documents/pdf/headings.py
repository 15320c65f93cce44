"""Headings: which paragraphs are, and how high."""

from __future__ import annotations

import re
from collections.abc import Sequence

from citeguard.documents.pdf.furniture import Body
from citeguard.documents.pdf.paragraphs import Paragraph, comparable

_LARGER = 1.1  # than the text
_AS_LARGE = 0.94
_LONGEST = 200  # characters
_MOST_LINES = 4
_LONGEST_BOLD = 120
_LOWEST = 6  # level
_STEP = 0.5  # points, to which sizes are rounded

_NUMBERED = re.compile(
    r"(?:(\d{1,2}(?:\.\d{1,2}){0,4})\.?|[A-Z](?:\.\d{1,2})*\.?|[IVX]{1,5}\.)\s+\S"
)
_SENTENCE_END = re.compile(r"[.,;:!?]$")
_QUOTED = re.compile(r"[“\"„«].*[”\"“»]\W*", re.DOTALL)  # in large type amid the text
_LEADERS = re.compile(r"(?:\.\s?){4,}|…{2,}")


def mark_headings(
    paragraphs: Sequence[Paragraph], body: Body, titles: dict[int, dict[str, int]]
) -> None:
    """Mark the paragraphs that are headings as such, without their levels.

    Args:
        paragraphs: In order.
        body: How the text of the file looks.
        titles: For each page, the headings that the file's bookmarks name, with their levels.
    """
    for paragraph in paragraphs:
        if paragraph.kind == "text" and _is_heading(paragraph, body, titles):
            paragraph.kind = "heading"


def _is_heading(paragraph: Paragraph, body: Body, titles: dict[int, dict[str, int]]) -> bool:
    text = paragraph.text
    if len(paragraph.lines) > _MOST_LINES or len(text) > _LONGEST or _LEADERS.search(text):
        return False
    if not any(map(str.isalpha, text)) or _QUOTED.fullmatch(text):
        return False
    if _bookmarked(paragraph, titles) is not None:
        return True
    if any(len(line.gaps) > 1 for line in paragraph.lines):  # a row of a table
        return False
    if paragraph.size > _LARGER * body.size:
        return not (text.endswith(".") and len(paragraph.lines) > 2)
    if paragraph.size < _AS_LARGE * body.size:
        return False
    bold = all(line.bold for line in paragraph.lines) and not body.bold
    return bold and len(text) <= _LONGEST_BOLD and _is_titular(text)


def _is_titular(text: str) -> bool:
    return _SENTENCE_END.search(text) is None or _NUMBERED.match(text) is not None


def set_levels(headings: Sequence[Paragraph], titles: dict[int, dict[str, int]]) -> None:
    """Give each heading its level: that of its bookmark, or by its size, weight and number.

    Headings that look like a bookmarked one are as high as it is.
    """
    known: dict[tuple[float, bool, int], int] = {}
    for heading in headings:
        level = _bookmarked(heading, titles)
        if level is not None:
            known.setdefault(_style(heading), level)
    styles = sorted({_style(heading) for heading in headings} - set(known))
    if not known:
        known = {style: rank for rank, style in enumerate(styles, start=1)}
    else:
        for style in styles:
            known[style] = _level_beside(style, known)
    for heading in headings:
        level = _bookmarked(heading, titles)
        heading.level = min(level or known[_style(heading)], _LOWEST)


def _level_beside(style: tuple[float, bool, int], known: dict[tuple[float, bool, int], int]) -> int:
    """Return the level below that of the next higher style which has one."""
    higher = [level for other, level in known.items() if other < style]
    return max(higher) + 1 if higher else 1


def _style(heading: Paragraph) -> tuple[float, bool, int]:
    """Return how a heading looks, the highest first."""
    numbered = _NUMBERED.match(heading.text)
    depth = 0 if numbered is None or numbered[1] is None else numbered[1].count(".")
    size = round(heading.size / _STEP) * _STEP
    return -size, not heading.lines[0].bold, depth


def _bookmarked(paragraph: Paragraph, titles: dict[int, dict[str, int]]) -> int | None:
    on_page = titles.get(paragraph.lines[0].page)
    return None if not on_page else on_page.get(comparable(paragraph.text))
