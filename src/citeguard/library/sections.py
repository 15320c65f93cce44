"""The sections of a document that questions are asked about: `sections_of`, `section_type`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from citeguard.auditing.references import find_references
from citeguard.factcheck.evidence import sections_elsewhere, without
from citeguard.language.sentences import Interval
from citeguard.retrieval.passages import SectionPassages
from citeguard.sources.collection import Source, Sources

SectionType = Literal["main", "summary", "metadata", "extra"]
"""What a section is for: content, a summary, the document itself, or supplements."""

LONGEST = 40_000
"""Characters of a section that is shown to a model in one piece; a longer one is divided."""

_LEAST_LIST = 300  # characters of a list of references that interrupts a section
_LEAST_WORDS = 8  # below its heading; with fewer a section says nothing that could be asked
_CHUNKS = SectionPassages()
# What headings begin with, in lower case and without their numbers; others are of main content.
_TYPES: dict[SectionType, str] = {
    "summary": "abstract, summary, executive summary, conclusion, conclusions, highlights",
    "metadata": "acknowledgement, acknowledgements, acknowledgment, acknowledgments, author, "
    "authors, affiliations, funding, conflict of interest, conflicts of interest, competing "
    "interests, declarations, data availability, ethics statement, keywords, copyright, contents",
    "extra": "appendix, appendices, supplement, supplementary, supplemental, annex, glossary, "
    "abbreviations",
}
_NUMBER = re.compile(r"[\W\d]*(?:[a-z]{1,4}[.:)]\s+)?")


@dataclass(frozen=True, kw_only=True)
class TopSection:
    """A top-level section of a document, or a part of one that is too long or interrupted."""

    source: Source
    headings: tuple[str, ...]  # above it, the highest first; empty in a document without any
    start: int  # in the document's text, in code points
    end: int  # exclusive

    @property
    def type(self) -> SectionType:
        """What it is for."""
        return section_type(self.headings)

    @property
    def text(self) -> str:
        """Its text, the heading included."""
        return self.source.text[self.start : self.end]

    @property
    def chunks(self) -> int:
        """How many passages it has, as `SectionPassages()` cuts them; at least 1."""
        within = [span for span in _CHUNKS.of(self.source) if self.start <= span.start < self.end]
        return max(1, len(within))

    @property
    def data(self) -> dict[str, Any]:
        """What a model is shown of it."""
        title = self.source.title
        headings = [each for each in self.headings if each != title]
        named = {} if title is None else {"title": title}
        return {"source_id": self.source.id, **named, "headings": headings, "text": self.text}

    @cached_property
    def sources(self) -> Sources:
        """The section as sources, with blanks before it, so that its places are the document's."""
        text = " " * self.start + self.text
        return Sources([Source(self.source.id, text, title=self.source.title, url=self.source.url)])


def sections_of(source: Source) -> list[TopSection]:
    r"""Return the sections of a document that questions can be asked about, in order.

    These are the highest sections of its `layout`, with their subsections; if only one heading is
    the highest, as a title is, those below it. Text before the first heading is a section, too. A
    document without headings is one section.

    Lists of references, what is under headings such as "See also", and sections of less than eight
    words are left out. A section of more than 40,000 characters is divided between passages.

    Examples:
        >>> from citeguard.documents import read_sources
        >>> body = b"Visitors wear a badge and pay 5 euros a day at the gate."
        >>> files = [("faq.md", b"# Fees\n\n" + body + b"\n\n# Hours\n\n" + body)]
        >>> [section.headings for section in sections_of(read_sources(files)["faq"])]
        [('Fees',), ('Hours',)]
    """
    lists = find_references(source.text).intervals  # under whatever heading; no footnotes
    silent = sorted(
        [*sections_elsewhere(source), *(e for e in lists if e[1] - e[0] >= _LEAST_LIST)]
    )
    return [
        TopSection(source=source, headings=headings, start=low, end=high)
        for headings, start, end in _places(source)
        for spoken in without((start, end), silent)
        for low, high in _divided(source, *spoken)
        if _says_something(source.text[low:high], headings)
    ]


def section_type(headings: Sequence[str]) -> SectionType:
    """Return what a section is for, by the last of its headings that says so; else `main`.

    Examples:
        >>> section_type(["5 Conclusion and future work"]), section_type(["2. Methods"])
        ('summary', 'main')
    """
    for heading in reversed(headings):
        said = _NUMBER.sub("", heading.lower(), count=1).rstrip(" :.") + " "
        for kind, names in _TYPES.items():
            if said.startswith(tuple(f"{name} " for name in names.split(", "))):
                return kind
    return "main"


def _places(source: Source) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Yield the headings above each section, and where it starts and ends."""
    sections = () if source.layout is None else source.layout.sections
    above: tuple[str, ...] = ()
    # A title is the only heading of its level, and its sections are below it.
    while len(sections) == 1 and sections[0].sections:
        above, sections = (*above, sections[0].heading), sections[0].sections
    yield above, 0, sections[0].start if sections else len(source.text)
    for section in sections:
        yield (*above, " ".join(section.heading.split())), section.start, section.end


def _divided(source: Source, start: int, end: int) -> Iterator[Interval]:
    """Yield an interval, or parts of it that are not too long, about as long as each other."""
    parts = -(-(end - start) // LONGEST)
    borders = [span.start for span in _CHUNKS.of(source) if start < span.start < end]
    low = start
    for part in range(1, parts):
        goal = start + (end - start) * part // parts
        nearest = min(borders, key=lambda border: abs(border - goal), default=low)
        if nearest > low:
            yield low, nearest
            low = nearest
    yield low, end


def _says_something(text: str, headings: Sequence[str]) -> bool:
    words = len(re.findall(r"[^\W_]+", text)) - len("".join(headings[-1:]).split())
    ideographs = sum("\u3040" <= character <= "\ud7ff" for character in text)
    return words + ideographs // 2 >= _LEAST_WORDS
