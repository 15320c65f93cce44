"""Where one section of a source ends and the next begins: borders that no passage crosses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from citeguard.language.sentences import Interval
from citeguard.language.windows import LONGEST, stripped
from citeguard.sources.collection import Source
from citeguard.sources.layout import Heading

# What stands on either side of so many blanks does not belong together; and no passage that is
# shown to a judge shall consist of them.
_GAP = re.compile(rf"(?<!\s)\s{{{LONGEST},}}")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")


class SectionText(NamedTuple):
    """What stands under a heading, up to the next one.

    Headings between which nothing stands belong to the text below them together.

    Attributes:
        start: Where the heading starts; where the text does if it has none.
        body: Where the heading ends.
        end: Where the text ends, exclusive.
    """

    start: int
    body: int
    end: int


def sections_of(source: Source) -> list[SectionText]:
    """Return the text of a source section by section, in order; blanks at their ends left out.

    Every character that is not blank is in one of them. A source without a layout, or without
    headings, is one section. So is what comes before and after 1,000 blanks or more.
    """
    headings = () if source.layout is None else source.layout.headings
    return list(_sections(source.text, headings))


def paragraphs_of(text: str, section: SectionText) -> Iterator[Interval]:
    """Yield the paragraphs of a section, which blank lines part; its heading is with the first."""
    start = section.start
    for line in _BLANK_LINE.finditer(text, section.body, section.end):
        if text[max(start, section.body) : line.start()].strip():
            yield stripped(text, start, line.start())
            start = line.end()
    yield start, section.end


def _sections(text: str, headings: Sequence[Heading]) -> Iterator[SectionText]:
    start = body = 0
    for heading in headings:
        border = _border(text, body, heading)
        if text[body:border].strip():
            yield from _parted(text, start, body, border)
            start = border
        body = heading.end
    yield from _parted(text, start, body, len(text))


def _border(text: str, after: int, heading: Heading) -> int:
    """Return where the line of a heading starts, with its number or mark; or the heading itself."""
    line = text.rfind("\n", after, heading.start) + 1 or after
    begins = not any(map(str.isalpha, text[line : heading.start]))
    return line if begins else heading.start


def _parted(text: str, start: int, body: int, end: int) -> Iterator[SectionText]:
    """Yield a section, or its parts where there are wide gaps in it; none of a blank one."""
    gaps = [gap.span() for gap in _GAP.finditer(text, start, end)]
    for stop, after in [*gaps, (end, end)]:
        low, high = stripped(text, start, stop)
        if low < high:
            yield SectionText(low, min(max(body, low), high), high)
        start = after
