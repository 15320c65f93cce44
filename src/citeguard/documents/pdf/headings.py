"""Headings: which paragraphs are headings, their levels, and the title of the file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile

from citeguard.documents.pdf.paragraphs import Body, Paragraph
from citeguard.documents.pdf.pdfium import Bookmarks, title_key
from citeguard.language.scripts import WIDE

# In parts of the size of the text.
_LARGER = 1.1
_MUCH_LARGER = 1.3  # what is so large needs to look like a heading in no other way
_AS_LARGE = 0.94
_AS_LARGE_IN_CAPITALS = 0.85

_LONGEST = 200  # characters
_LONGEST_BOLD = 120
_MOST_WORDS = 20
_MOST_WORDS_WITH_STOP = 8  # of a numbered one that ends with a full stop
_MOST_LINES = 4
_LOWEST = 6  # level
_STEP = 0.5  # points, to which sizes are rounded
_FEWEST_WORDS = 15  # of the paragraph that ends the front matter: a shorter one is an address
_AS_LARGE_AS_TITLE = 0.8  # of the largest type of the front matter, which a label may have

_NUMBERED = re.compile(
    r"(?:(\d{1,2}(?:\.\d{1,2}){0,4})\.?|([A-Z](?:\.\d{1,2})+)\.?|[IVX]{1,5}\.|[A-Z]\."
    r"|[B-HJ-Z]|A(?=[^a-z]*$))\s+\S"  # "A Simple Example" has no number
)
# "1 Introduction" is no part of the front matter.
_FIRST_SECTION = re.compile(r"(?:[01](?:\.\d)*\.?|I\.)\s")
_SENTENCE_END = re.compile(r"[.,;:!?]$")
_UNFINISHED = re.compile(r"[.,;]$")
# An entry of a table of contents: "Ships . . . . 12".
_LEADERS = re.compile(r"(?:\.\s?){4,}|…{2,}")
_WORD = re.compile(rf"[^\W\d_]{{3,}}|[{WIDE}]")
_HIGHEST = re.compile(
    r"abstract|summary|zusammenfassung|résumé|contents|references|bibliography|literature"
    r"|literatur|index|keywords|acknowledge?ments?",
    re.IGNORECASE,
)

_Rank = tuple[float, bool]
_Look = tuple[float, bool, str]


def mark_headings(paragraphs: Sequence[Paragraph], body: Body, bookmarks: Bookmarks) -> None:
    """Mark the paragraphs that look like headings, without their levels."""
    for paragraph in paragraphs:
        if paragraph.kind == "text" and _is_heading(paragraph, body, bookmarks):
            paragraph.kind = "heading"


def _is_heading(paragraph: Paragraph, body: Body, bookmarks: Bookmarks) -> bool:
    text = paragraph.text
    if len(paragraph.lines) > _MOST_LINES or len(text) > _LONGEST or _LEADERS.search(text):
        return False
    if not any(map(str.isalpha, text)):
        return False
    if _level_of_bookmark(paragraph, bookmarks) is not None:
        return True
    if not _WORD.search(text):
        return False
    if paragraph.size > _MUCH_LARGER * body.size:
        return not (text.endswith(".") and (len(paragraph.lines) > 2 or text[0].islower()))
    return _is_titular(text) and _stands_out(paragraph, body)


def _level_of_bookmark(paragraph: Paragraph, bookmarks: Bookmarks) -> int | None:
    on_page = bookmarks.get(paragraph.lines[0].page)
    return None if not on_page else on_page.get(title_key(paragraph.text))


def _depth(text: str) -> int | None:
    """Return how many parts follow the first one of a heading's number; `None` without a number.

    "2 Methods" has a depth of 0, and "2.1.3 Data" of 2.
    """
    numbered = _NUMBERED.match(text)
    return None if numbered is None else (numbered[1] or numbered[2] or "").count(".")


def _is_named_as_highest(text: str) -> bool:
    """Return whether a heading names a part such as the abstract, beside the highest sections."""
    return _HIGHEST.fullmatch(title_key(text)) is not None


def _is_titular(text: str) -> bool:
    """Return whether words may be a heading, rather than part of a sentence."""
    depth, words = _depth(text), len(text.split())
    goes_on = next(filter(str.isalpha, text)).islower() and not depth  # "3.1 zoo: A class"
    if goes_on or words > _MOST_WORDS:
        return False
    ends = _UNFINISHED.search(text) is not None
    return not ends or (depth is not None and words <= _MOST_WORDS_WITH_STOP)


def _stands_out(paragraph: Paragraph, body: Body) -> bool:
    """Return whether a paragraph is larger than the text, or bold, or in numbered capitals."""
    text = paragraph.text
    numbered = _depth(text) is not None
    if paragraph.size > _LARGER * body.size:
        return True
    # Headings in capitals, as "ABSTRACT", may be smaller than the text.
    if text.isupper() and (numbered or _is_named_as_highest(text)):
        return paragraph.size > _AS_LARGE_IN_CAPITALS * body.size
    if paragraph.size < _AS_LARGE * body.size or len(text) > _LONGEST_BOLD:
        return False
    ends = _SENTENCE_END.search(text) is not None and not numbered
    return not ends and not body.bold and all(line.bold for line in paragraph.lines)


def settle_headings(paragraphs: Sequence[Paragraph], bookmarks: Bookmarks) -> str | None:
    """Give each heading of a file its level, and return the file's title, or `None`.

    What only looks like a heading becomes text: authors and addresses around the title. The title
    is as high as the highest sections, which are not below it. The level follows from a number or a
    bookmark, or else from size and weight.

    Args:
        paragraphs: Those of the file in order, with possible headings marked.
        bookmarks: The headings that the file's bookmarks name.
    """
    title = _unmark_front_matter(paragraphs, bookmarks)
    headings = [found for found in paragraphs if found.kind == "heading"]
    sections = [heading for heading in headings if heading is not title]
    _set_levels(sections, bookmarks)
    path: list[int] = []  # a level is the number of headings above, and leaves out none
    for heading in sections:
        while path and path[-1] >= heading.level:
            path.pop()
        path.append(heading.level)
        heading.level = min(len(path), _LOWEST)
    if title is None:
        return None
    title.level = 1
    return title.text


def _unmark_front_matter(paragraphs: Sequence[Paragraph], bookmarks: Bookmarks) -> Paragraph | None:
    """Make text of the headings around the title, and return the title.

    Of the headings above the first text those stay that are bookmarked, and if none is numbered,
    those that look like others below.
    """
    page = paragraphs[0].lines[0].page if paragraphs else 0
    front = [
        *takewhile(
            lambda found: (
                found.lines[0].page == page
                and not (found.kind == "text" and len(found.text.split()) >= _FEWEST_WORDS)
            ),
            paragraphs,
        )
    ]
    later = [found for found in paragraphs[len(front) :] if found.kind == "heading"]
    numbered = any(_depth(found.text) is not None for found in later)
    looks = {_look(found) for found in later if not numbered}
    own = [
        found
        for found in front
        if found.kind == "heading"
        and _look(found) not in looks
        and not _FIRST_SECTION.match(found.text)
        and _level_of_bookmark(found, bookmarks) is None
        and not _is_named_as_highest(found.text)
    ]
    largest = max((heading.size for heading in own), default=0)
    large = [heading for heading in own if heading.size >= _AS_LARGE_AS_TITLE * largest]
    # "Annals" above "A History of the Harbour" may be larger, and is only a label.
    title = max(large, key=lambda heading: len(heading.text.split()), default=None)
    for heading in own:
        if heading is not title:
            heading.kind = "text"
    return title


def _set_levels(headings: Sequence[Paragraph], bookmarks: Bookmarks) -> None:
    by_look = _levels_by_look(headings, bookmarks)
    by_number = _levels_by_number(headings, by_look)
    for heading in headings:
        heading.level = by_number.get(heading, by_look[heading])


def _levels_by_number(
    headings: Sequence[Paragraph], by_look: Mapping[Paragraph, int]
) -> dict[Paragraph, int]:
    """Return the levels of numbered headings: each part of a number is a level."""
    depths = {heading: depth for heading in headings if (depth := _depth(heading.text)) is not None}
    least = min(depths.values(), default=0)
    highest = min(
        (by_look[heading] for heading, depth in depths.items() if depth == least), default=1
    )
    return {heading: highest + depth - least for heading, depth in depths.items()}


def _levels_by_look(headings: Sequence[Paragraph], bookmarks: Bookmarks) -> dict[Paragraph, int]:
    """Return the levels of headings by their bookmarks, or by their look."""
    marked = {heading: _level_of_bookmark(heading, bookmarks) for heading in headings}
    known: dict[_Rank, int] = {}
    for heading, level in marked.items():
        if level is not None:
            known.setdefault(_rank(heading), level)
    # "Its stones", without a bookmark, is below "The Wall", which has one.
    for rank in sorted({_rank(heading) for heading in headings} - known.keys()):
        above = max((level for other, level in known.items() if other < rank), default=0)
        known[rank] = above + 1
    return {heading: level or known[_rank(heading)] for heading, level in marked.items()}


def _rank(heading: Paragraph) -> _Rank:
    """Return a key that sorts the looks of headings, the highest first."""
    return -round(heading.size / _STEP) * _STEP, not heading.lines[0].bold


def _look(heading: Paragraph) -> _Look:
    return *_rank(heading), heading.lines[0].main.font.name
