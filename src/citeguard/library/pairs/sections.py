"""The sections of a document that questions are asked about: `sections_of`, `section_type`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Literal, NamedTuple, cast, get_args

from citeguard.auditing.references import find_references
from citeguard.errors import CiteguardError
from citeguard.factcheck.evidence import leads_elsewhere
from citeguard.language.citations import is_reference_heading
from citeguard.language.sentences import Interval
from citeguard.retrieval.passages import SectionPassages
from citeguard.sources.collection import Source, Sources, Span

SectionType = Literal["main", "summary", "metadata", "extra"]
"""What a section is for: content, a summary, the document itself, or supplements."""

TYPES: tuple[SectionType, ...] = get_args(SectionType)

LONGEST = 40_000
"""Characters of a section that is shown to a model in one piece; a longer one is divided."""

_LEAST_LIST = 300  # characters of a list of references that interrupts a section
_LATEST_ABSTRACT = 2  # after the text above the title, and the title
_LEAST_WORDS = 8  # below its heading; with fewer a section says nothing that could be asked
_CHUNKS = SectionPassages()
# "3", "2.1.", "IV.", "§ 4", "第3章"; a letter only with a full stop, or before an appendix.
_NUMBER = re.compile(r"(?:§\s?)?(?:[0-9]+(?:\.[0-9]+)*|[IVX]{1,5}(?=[.:)]))[.:)]?\s+|[A-Z][.:)]\s+")
_LETTERED = re.compile(r"[A-Z](?:\.[0-9]+)*[.:)]?\s+\S")
_END = re.compile(r"\s*[:：.]*\s*$")
# "Conclusions and outlook" is a conclusion, and "Discussion and conclusions" a discussion.
_AND = re.compile(r"\s*(?:[,&/;:–—(]|\s(?:and|und|et|y|e|en|och|og|i|и)\s|と|及び|与|和)\s*")


@dataclass(frozen=True, kw_only=True)
class TopSection:
    """A top-level section of a document, or a part of one that is too long or interrupted.

    Attributes:
        source: The document.
        headings: The headings above it, the highest first; empty in a document without headings.
        type: What it is for.
        start: Where it starts in the document's text, in code points.
        end: Where it ends, exclusive.
    """

    source: Source
    headings: tuple[str, ...]
    type: SectionType
    start: int
    end: int

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


class _Place(NamedTuple):
    """An interval of a document under some headings, its subsections included."""

    headings: tuple[str, ...]
    start: int
    end: int


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
        >>> for section in sections_of(read_sources(files)["faq"]):
        ...     print(section.headings, section.type)
        ('Fees',) main
        ('Hours',) main
    """
    places = list(_places(source))
    silent = sorted(_silent(source))
    types = _types([place.headings for place in places])
    return [
        TopSection(
            source=source, headings=place.headings, type=kind, start=part.start, end=part.end
        )
        for place, kind in zip(places, types, strict=True)
        for start, end in _spoken(place, silent)
        for part in _divided(source, start, end)
        if _says_something(source.text[part.start : part.end], place.headings)
    ]


def section_type(headings: Sequence[str]) -> SectionType:
    """Return what a section is for, by the last of its headings that says so; else `main`.

    Known are words such as "Abstract" and "Conclusion", "Acknowledgements" and "Funding",
    "Appendix" and "Supplementary material", in about fifteen languages, with or without a number.

    Examples:
        >>> section_type(["5 Conclusion and future work"]), section_type(["2. Methods"])
        ('summary', 'main')
        >>> section_type(["Acknowledgments"]), section_type(["Appendix A: Proofs"])
        ('metadata', 'extra')
    """
    for heading in reversed(headings):
        if (kind := _known_type(heading)) is not None:
            return kind
    return "main"


def check_types(argument: str, types: Sequence[object]) -> None:
    """Require types of sections.

    Raises:
        CiteguardError: One of them is something else.
    """
    if unknown := [each for each in types if each not in TYPES]:
        choices = ", ".join(map(repr, TYPES))
        raise CiteguardError(f"{argument} must be of {choices}, not {unknown[0]!r}")


def _places(source: Source) -> Iterator[_Place]:
    sections = () if source.layout is None else source.layout.sections
    above: tuple[str, ...] = ()
    start = 0
    end = len(source.text)
    # A title is the only heading of its level, and its sections are below it.
    while len(sections) == 1 and sections[0].sections:
        above, sections = (*above, sections[0].heading), sections[0].sections
    if not sections:
        yield _Place(above, start, end)
        return
    yield _Place(above, start, sections[0].start)
    for section in sections:
        yield _Place((*above, " ".join(section.heading.split())), section.start, section.end)


def _types(headings: Sequence[tuple[str, ...]]) -> list[SectionType]:
    """Return the types of sections, of which some follow from those around them."""
    types: list[SectionType] = [section_type(each[-1:]) for each in headings]
    names = [each[-1] if each else "" for each in headings]
    if "summary" in types[: _LATEST_ABSTRACT + 1]:
        # Title, authors and addresses are above an abstract.
        abstract = types.index("summary")
        for i in range(abstract):
            types[i] = "metadata"
    listed = next((i for i, name in enumerate(names) if is_reference_heading(name)), len(names))
    for i, name in enumerate(names):
        if i > listed and types[i] == "main" and _LETTERED.match(name):
            types[i] = "extra"  # "A. Proofs" after the references is an appendix
    return types


def _silent(source: Source) -> Iterator[Interval]:
    """Yield the parts of a document that only name works or other pages, in no order."""
    headings = () if source.layout is None else source.layout.headings
    for at, heading in enumerate(headings):
        if leads_elsewhere(heading.text):
            ends = (after.start for after in headings[at + 1 :] if after.level <= heading.level)
            yield heading.start, next(ends, len(source.text))
    # Lists under no heading that is known; a footnote does not interrupt a section.
    yield from (
        (start, end)
        for start, end in find_references(source.text).intervals
        if end - start >= _LEAST_LIST
    )


def _spoken(place: _Place, silent: Sequence[Interval]) -> Iterator[Interval]:
    """Yield the parts of a section that say something themselves."""
    start = place.start
    for low, high in silent:
        if low < place.end and start < high:
            if start < low:
                yield start, low
            start = max(start, high)
    if start < place.end:
        yield start, place.end


def _divided(source: Source, start: int, end: int) -> Iterator[Span]:
    """Yield an interval, or parts of it that are not too long, about as long as each other."""
    parts = -(-(end - start) // LONGEST)
    borders = [span.start for span in _CHUNKS.of(source) if start < span.start < end]
    low = start
    for part in range(1, parts):
        goal = start + (end - start) * part // parts
        nearest = min(borders, key=lambda border: abs(border - goal), default=low)
        if nearest > low:
            yield Span(source.id, low, nearest)
            low = nearest
    yield Span(source.id, low, end)


def _says_something(text: str, headings: Sequence[str]) -> bool:
    heading = headings[-1] if headings else ""
    words = re.findall(r"[^\W_]+", text)
    ideographs = sum("\u3040" <= character <= "\ud7ff" for character in text)
    return len(words) + ideographs // 2 - len(heading.split()) >= _LEAST_WORDS


def _known_type(heading: str) -> SectionType | None:
    bare = _END.sub("", _NUMBER.sub("", " ".join(heading.split()), count=1)).casefold()
    first = _AND.split(bare, maxsplit=1)[0].strip()
    for kind, listed in _headings_of_types().items():
        # A word with a star may have others after it.
        if {bare, first} & listed or f"{bare.split(' ', 1)[0]}*" in listed:
            return kind
    return None


@cache
def _headings_of_types() -> dict[SectionType, frozenset[str]]:
    text = files("citeguard.library.pairs").joinpath("headings.toml").read_text("utf-8")
    tables: dict[SectionType, list[str]] = cast("Any", tomllib.loads(text))
    return {
        kind: frozenset([*listed, *(each.rstrip("*") for each in listed)])
        for kind, listed in tables.items()
    }
