"""The outline of a file: its title, and how high each of its headings is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise, takewhile

from citeguard.documents.pdf.headings import depth_of_number, is_named_as_highest, level_of_bookmark
from citeguard.documents.pdf.paragraphs import Paragraph
from citeguard.documents.pdf.titles import Titles

_LOWEST = 6  # level
_STEP = 0.5  # points, to which sizes are rounded
_FEWEST_WORDS = 15  # of a paragraph with which the text begins: a shorter one is an address
_AS_LARGE = 0.8  # of the largest type of the front matter: a title may have less than a label has
_FEWEST_SECTIONS = 2  # of a file whose title is no section

_FIRST_SECTION = re.compile(r"(?:[01](?:\.\d)*\.?|I\.)\s")
_FIRST_NUMBER = re.compile(r"\d+")
_SUBSET = re.compile(r"^[A-Z]{6}\+")  # before a font's name: which part of it the file has
_Rank = tuple[float, bool]
_Look = tuple[float, bool, str]


def settle_headings(paragraphs: Sequence[Paragraph], titles: Titles) -> str | None:
    """Give each heading of a file its level, and return the file's title if it has one.

    What only looks like a heading stays none: authors and addresses around the title, and the
    entries of a table of contents. The title is as high as the highest sections, which are not in
    it. A number tells the level, and so does a bookmark; else the size and the weight do.
    Headings that look like a numbered or a bookmarked one are as high as it is.

    Args:
        paragraphs: Of the file, in order; those that may be headings are marked as such.
        titles: For each page, the headings that the file's bookmarks name, with their levels.
    """
    _unmark_contents(paragraphs)
    title = _unmark_front_matter(paragraphs, titles)
    headings = [found for found in paragraphs if found.kind == "heading"]
    sections = [heading for heading in headings if heading is not title]
    if title is not None and len(sections) < _FEWEST_SECTIONS:
        sections = headings
    _set_levels(sections, titles)
    for heading, after in reversed([*pairwise(paragraphs)]):
        if heading.kind == after.kind == "heading":  # "Chapter 2" above "The Ships"
            heading.level = min(heading.level, after.level)
    _close_gaps(sections)
    if title is None:
        return None
    title.level = 1
    return title.text


def _unmark_contents(paragraphs: Sequence[Paragraph]) -> None:
    """Let numbered headings that follow each other, and come again, be no headings."""
    left = Counter(map(_entry, paragraphs))
    for entries, run in groupby(paragraphs, key=lambda found: _entry(found) != ""):
        entry_run = list(run)
        left.subtract(map(_entry, entry_run))
        if entries and len(entry_run) > 1:
            for found in entry_run:
                found.kind = "text" if left[_entry(found)] else "heading"


def _entry(paragraph: Paragraph) -> str:
    """Return what a numbered heading says; empty of what is none."""
    numbered = paragraph.kind == "heading" and depth_of_number(paragraph.text) is not None
    return paragraph.text.casefold() if numbered else ""


def _unmark_front_matter(paragraphs: Sequence[Paragraph], titles: Titles) -> Paragraph | None:
    """Let what stands around the title be no heading, and return the title.

    Of the headings above the first text those stay that are bookmarked, or the first of the
    numbered ones; and where none is numbered, those that look like others below, and one in bold
    type right above the text: "Overview".
    """
    front = _front_matter(paragraphs)
    later = [found for found in paragraphs[len(front) :] if found.kind == "heading"]
    numbered = any(depth_of_number(found.text) is not None for found in later)
    looks = {_look(found) for found in later if not numbered}
    own = [
        found
        for found in front
        if found.kind == "heading" and not _is_section(found, looks, titles)
    ]
    title = _title(own)
    for heading in own:
        headed = heading is front[-1] and heading.lines[0].bold and not numbered
        if heading is not title and not headed:
            heading.kind = "text"
    return title


def _front_matter(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """Return what stands on the first page above its text."""
    page = paragraphs[0].lines[0].page if paragraphs else 0
    return [
        *takewhile(lambda found: found.lines[0].page == page and not _is_text(found), paragraphs)
    ]


def _is_text(paragraph: Paragraph) -> bool:
    return paragraph.kind == "text" and len(paragraph.text.split()) >= _FEWEST_WORDS


def _is_section(heading: Paragraph, looks: set[_Look], titles: Titles) -> bool:
    return (
        _look(heading) in looks
        or _FIRST_SECTION.match(heading.text) is not None
        or level_of_bookmark(heading, titles) is not None
        or is_named_as_highest(heading.text)
    )


def _title(headings: Sequence[Paragraph]) -> Paragraph | None:
    """Return the heading with the most words of those in the largest type."""
    largest = max((heading.size for heading in headings), default=0)
    large = [heading for heading in headings if heading.size >= _AS_LARGE * largest]
    return max(large, key=lambda heading: len(heading.text.split()), default=None)


def _set_levels(headings: Sequence[Paragraph], titles: Titles) -> None:
    by_look = _by_look(headings, titles)
    numbered = _by_number(headings, by_look)
    looks: dict[_Look, int] = {}
    for heading, level in numbered.items():
        look = _look(heading)
        looks[look] = min(level, looks.get(look, level))
    depths = (depth_of_number(heading.text) or 0 for heading in numbered)
    highest = max(min(numbered.values(), default=1) - min(depths, default=0), 1)
    for heading in headings:
        if heading in numbered:
            heading.level = numbered[heading]
        elif level_of_bookmark(heading, titles) is not None:
            heading.level = by_look[heading]
        elif numbered and is_named_as_highest(heading.text):
            heading.level = highest
        else:
            heading.level = looks.get(_look(heading), by_look[heading])


def _by_number(
    headings: Sequence[Paragraph], by_look: Mapping[Paragraph, int]
) -> dict[Paragraph, int]:
    """Return the levels of numbered headings: each part of a number is a level.

    A single number that counts on from no heading of the highest look may be that of an item.
    """
    depths = {
        heading: depth
        for heading in headings
        if (depth := depth_of_number(heading.text)) is not None
    }
    if not depths:
        return {}
    least = min(depths.values())
    highest = min(by_look[heading] for heading, depth in depths.items() if depth == least)
    levels: dict[Paragraph, int] = {}
    last = 0
    for heading, depth in depths.items():
        number = _first_number(heading)
        if depth > least:
            levels[heading] = highest + depth - least
        elif by_look[heading] == highest or number == last + 1:
            levels[heading] = highest
            last = number
    return levels


def _by_look(headings: Sequence[Paragraph], titles: Titles) -> dict[Paragraph, int]:
    """Return the levels of headings by their bookmarks, or by how they look.

    Among numbered headings, one of a look of its own that has no number is as high as those of
    the next lower look.
    """
    marked = {heading: level_of_bookmark(heading, titles) for heading in headings}
    known: dict[_Rank, int] = {}
    for heading, level in marked.items():
        if level is not None:
            known.setdefault(_rank(heading), level)
    numbered = {_rank(found) for found in headings if depth_of_number(found.text) is not None}
    counts = Counter(map(_rank, headings))
    unknown = sorted(counts.keys() - known.keys())
    single = [rank for rank in unknown if numbered and rank not in numbered and counts[rank] == 1]
    for rank in unknown:
        if rank not in single:
            above = max((level for other, level in known.items() if other < rank), default=0)
            known[rank] = above + 1
    lowest = max(known.values(), default=1)
    known |= {
        rank: min((level for other, level in known.items() if other > rank), default=lowest)
        for rank in single
    }
    return {heading: level or known[_rank(heading)] for heading, level in marked.items()}


def _close_gaps(headings: Sequence[Paragraph]) -> None:
    """Let the level of a heading be the number of headings that it is in, and one more."""
    path: list[int] = []
    for heading in headings:
        while path and path[-1] >= heading.level:
            path.pop()
        path.append(heading.level)
        heading.level = min(len(path), _LOWEST)


def _first_number(heading: Paragraph) -> int:
    found = _FIRST_NUMBER.match(heading.text)
    return 0 if found is None else int(found[0])


def _rank(heading: Paragraph) -> _Rank:
    """Return how a heading looks, the highest first."""
    return -round(heading.size / _STEP) * _STEP, not heading.lines[0].bold


def _look(heading: Paragraph) -> _Look:
    return *_rank(heading), _SUBSET.sub("", heading.lines[0].main.font.name)
