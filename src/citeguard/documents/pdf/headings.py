"""Headings: which paragraphs are, by how they look and what they say."""

from __future__ import annotations

import re
from collections.abc import Sequence

from citeguard.documents.pdf.furniture import Body
from citeguard.documents.pdf.paragraphs import Paragraph
from citeguard.documents.pdf.titles import Titles, comparable

_LARGER = 1.1  # than the text
_MUCH_LARGER = 1.3  # than the text: what is so large needs to look like a heading in no other way
_AS_LARGE = 0.94
_AS_LARGE_IN_CAPITALS = 0.85
_LONGEST = 200  # characters
_MOST_WORDS = 20
_MOST_WORDS_WITH_STOP = 8  # of a numbered one that ends with a full stop
_MOST_LINES = 4
_LONGEST_BOLD = 120

_NUMBERED = re.compile(
    r"(?:(\d{1,2}(?:\.\d{1,2}){0,4})\.?|([A-Z](?:\.\d{1,2})+)\.?|[IVX]{1,5}\.|[A-Z]\."
    r"|[B-HJ-Z]|A(?=[^a-z]*$))\s+\S"  # "A Simple Example" has no number
)
_SENTENCE_END = re.compile(r"[.,;:!?]$")
_UNFINISHED = re.compile(r"[.,;]$")
_QUOTED = re.compile(r"[“\"„«].*[”\"“»]\W*", re.DOTALL)  # in large type amid the text
_LEADERS = re.compile(r"(?:\.\s?){4,}|…{2,}")
_WORD = re.compile(r"[^\W\d_]{3,}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_FORMULA = re.compile(r"[=←→≤≥∑∏∫∂√]|\(\d{1,3}\)$|[\uf8e5-\uf8ff\ufffd]")
_HIGHEST = re.compile(
    r"abstract|summary|zusammenfassung|résumé|contents|references|bibliography|literature"
    r"|literatur|index|keywords|acknowledge?ments?",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\S@\S")


def mark_headings(paragraphs: Sequence[Paragraph], body: Body, titles: Titles) -> None:
    """Mark the paragraphs that are headings as such, without their levels.

    Args:
        paragraphs: In order.
        body: How the text of the file looks.
        titles: For each page, the headings that the file's bookmarks name, with their levels.
    """
    for paragraph in paragraphs:
        if paragraph.kind == "text" and _is_heading(paragraph, body, titles):
            paragraph.kind = "heading"


def level_of_bookmark(paragraph: Paragraph, titles: Titles) -> int | None:
    """Return the level of the bookmark that names a paragraph."""
    on_page = titles.get(paragraph.lines[0].page)
    return None if not on_page else on_page.get(comparable(paragraph.text))


def depth_of_number(text: str) -> int | None:
    """Return how many parts the number of a heading has after its first; `None` without one.

    Examples:
        >>> [depth_of_number(text) for text in ("2 Methods", "2.1.3 Data", "A.1 Proofs", "Data")]
        [0, 2, 1, None]
    """
    numbered = _NUMBERED.match(text)
    if numbered is None:
        return None
    return (numbered[1] or numbered[2] or "").count(".")


def is_named_as_highest(text: str) -> bool:
    """Tell whether a heading names a part of a work that stands beside its highest sections.

    Examples:
        >>> is_named_as_highest("ABSTRACT"), is_named_as_highest("Methods")
        (True, False)
    """
    return _HIGHEST.fullmatch(comparable(text)) is not None


def _is_heading(paragraph: Paragraph, body: Body, titles: Titles) -> bool:
    text = paragraph.text
    if len(paragraph.lines) > _MOST_LINES or len(text) > _LONGEST or _LEADERS.search(text):
        return False
    if not any(map(str.isalpha, text)) or _QUOTED.fullmatch(text):
        return False
    if level_of_bookmark(paragraph, titles) is not None:
        return True
    if any(len(line.gaps) > 1 for line in paragraph.lines):  # a row of a table
        return False
    if not _WORD.search(text) or _FORMULA.search(text) or _ADDRESS.search(text):
        return False
    if paragraph.size > _MUCH_LARGER * body.size:
        return not (text.endswith(".") and (len(paragraph.lines) > 2 or text[0].islower()))
    return _is_titular(text) and _stands_out(paragraph, body)


def _is_titular(text: str) -> bool:
    """Tell whether words may be a heading, and are no part of a sentence."""
    depth, words = depth_of_number(text), len(text.split())
    goes_on = next(filter(str.isalpha, text)).islower() and not depth  # "3.1 zoo: A class"
    if goes_on or words > _MOST_WORDS:
        return False
    ends = _UNFINISHED.search(text) is not None
    return not ends or (depth is not None and words <= _MOST_WORDS_WITH_STOP)


def _stands_out(paragraph: Paragraph, body: Body) -> bool:
    """Tell whether a paragraph is larger than the text, or bold, or numbered in capitals."""
    text = paragraph.text
    numbered = depth_of_number(text) is not None
    if paragraph.size > _LARGER * body.size:
        return True
    if text.isupper() and (numbered or is_named_as_highest(text)):
        return paragraph.size > _AS_LARGE_IN_CAPITALS * body.size
    if paragraph.size < _AS_LARGE * body.size or len(text) > _LONGEST_BOLD:
        return False
    ends = _SENTENCE_END.search(text) is not None and not numbered
    return not ends and not body.bold and all(line.bold for line in paragraph.lines)
