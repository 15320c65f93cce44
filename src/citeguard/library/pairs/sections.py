"""The sections of a document that questions are asked about: `sections_of`, `section_type`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

from citeguard.auditing.references import find_references
from citeguard.errors import CiteguardError
from citeguard.factcheck.evidence import leads_elsewhere
from citeguard.language.citations import is_reference_heading
from citeguard.language.sentences import Interval
from citeguard.retrieval.passages import SectionPassages
from citeguard.sources.collection import Source, Sources

SectionType = Literal["main", "summary", "metadata", "extra"]
"""What a section is for: content, a summary, the document itself, or supplements."""

TYPES: tuple[SectionType, ...] = get_args(SectionType)

LONGEST = 40_000
"""Characters of a section that is shown to a model in one piece; a longer one is divided."""

_LEAST_LIST = 300  # characters of a list of references that interrupts a section
_LATEST_ABSTRACT = 2  # after the text above the title, and the title
_LEAST_WORDS = 8  # below its heading; with fewer a section says nothing that could be asked
_CHUNKS = SectionPassages()
# Headings in lower case, without numbers; a star after a word: others may follow it. What is not
# listed is main content, and a user's own table goes before (`section_types`).
_HEADINGS: dict[SectionType, str] = {
    "summary": """
        abstract, summary, executive summary, conclusion, conclusions, concluding remarks,
        key points, key findings, highlights, in brief, tl;dr, synopsis, takeaways,
        zusammenfassung, kurzfassung, fazit, schluss, schlussfolgerung, schlussfolgerungen,
        résumé, synthèse, resumen, conclusión, conclusiones, 摘要, 结论
    """,
    "metadata": """
        acknowledgement, acknowledgements, acknowledgment, acknowledgments, author, authors,
        about the author, about the authors, author information, author contributions,
        affiliations, contributors, funding, funding information, funding statement,
        financial support, conflict of interest, conflicts of interest, competing interest,
        competing interests, declaration of competing interest, declarations, disclosure,
        disclosures, data availability, data availability statement, code availability,
        ethics statement, ethics approval, ethical approval, consent for publication, keywords,
        key words, index terms, ccs concepts, copyright, license, licence, correspondence, contact,
        article history, contents, table of contents, list of figures, list of tables, dedication,
        danksagung, autor, autoren, förderung, interessenkonflikt, interessenkonflikte,
        schlüsselwörter, inhalt, inhaltsverzeichnis, impressum, remerciements, auteurs, financement,
        mots-clés, table des matières, agradecimientos, autores, financiación, palabras clave,
        índice, 致谢, 关键词, 目录
    """,
    "extra": """
        appendix*, appendices, supplement*, supplementary*, supplemental*, annex*,
        supporting information, footnotes, endnotes, glossary, abbreviations,
        list of abbreviations, nomenclature, anhang*, anlage*, glossar, abkürzungen,
        abkürzungsverzeichnis, annexe*, glossaire, apéndice*, anexo*, glosario, 附录*
    """,
}
_LISTED: dict[SectionType, list[str]] = {
    kind: [*map(str.strip, names.split(","))] for kind, names in _HEADINGS.items()
}
# "3", "2.1.", "IV.", "§ 4"; a letter only with a full stop, or before an appendix.
_NUMBER = re.compile(r"(?:§\s?)?(?:[0-9]+(?:\.[0-9]+)*|[IVX]{1,5}(?=[.:)]))[.:)]?\s+|[A-Z][.:)]\s+")
_LETTERED = re.compile(r"[A-Z](?:\.[0-9]+)*[.:)]?\s+\S")
# "Conclusions and outlook" is a conclusion, and "Discussion and conclusions" a discussion.
_AND = re.compile(r"\s*(?:[,&/;:–—(]|\s(?:and|und|et|y)\s|与|和)\s*")


@dataclass(frozen=True, kw_only=True)
class TopSection:
    """A top-level section of a document, or a part of one that is too long or interrupted."""

    source: Source
    headings: tuple[str, ...]  # above it, the highest first; empty in a document without any
    type: SectionType
    start: int  # in the document's text, in code points
    end: int  # exclusive

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
    def named(self) -> dict[str, Any]:
        """The id of the document, and the headings, by which it is named."""
        return {"source_id": self.source.id, "headings": self.headings}

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
        >>> for section in sections_of(read_sources(files)["faq"]):
        ...     print(section.headings, section.type)
        ('Fees',) main
        ('Hours',) main
    """
    places = list(_places(source))
    silent = sorted(_silent(source))
    return [
        TopSection(source=source, headings=headings, type=kind, start=low, end=high)
        for (headings, start, end), kind in zip(places, _types(places), strict=True)
        for spoken in _spoken(start, end, silent)
        for low, high in _divided(source, *spoken)
        if _says_something(source.text[low:high], headings)
    ]


def section_type(headings: Sequence[str]) -> SectionType:
    """Return what a section is for, by the last of its headings that says so; else `main`.

    Known are words such as "Abstract" and "Conclusion", "Acknowledgements" and "Funding",
    "Appendix" and "Supplementary material", in English, German, French, Spanish and Chinese, with
    or without a number.

    Examples:
        >>> section_type(["5 Conclusion and future work"]), section_type(["2. Methods"])
        ('summary', 'main')
    """
    for heading in reversed(headings):
        bare = _NUMBER.sub("", " ".join(heading.split()), count=1).casefold().rstrip(" :：.")
        names = {bare, _AND.split(bare, maxsplit=1)[0].strip(), f"{bare.split(' ', 1)[0]}*"}
        for kind, listed in _LISTED.items():
            if not names.isdisjoint(listed):
                return kind
    return "main"


def check_types(argument: str, types: Sequence[object]) -> None:
    """Require types of sections; the error names the argument."""
    if unknown := [each for each in types if each not in TYPES]:
        choices = ", ".join(map(repr, TYPES))
        raise CiteguardError(f"{argument} must be of {choices}, not {unknown[0]!r}")


_Place = tuple[tuple[str, ...], int, int]  # headings, and an interval with its subsections


def _places(source: Source) -> Iterator[_Place]:
    sections = () if source.layout is None else source.layout.sections
    above: tuple[str, ...] = ()
    # A title is the only heading of its level, and its sections are below it.
    while len(sections) == 1 and sections[0].sections:
        above, sections = (*above, sections[0].heading), sections[0].sections
    yield above, 0, sections[0].start if sections else len(source.text)
    for section in sections:
        yield (*above, " ".join(section.heading.split())), section.start, section.end


def _types(places: Sequence[_Place]) -> list[SectionType]:
    """Return the types of sections, of which some follow from those around them."""
    names = ["".join(headings[-1:]) for headings, _, _ in places]
    types: list[SectionType] = [section_type([name]) for name in names]
    if "summary" in types[: _LATEST_ABSTRACT + 1]:
        # Title, authors and addresses are above an abstract.
        above = types.index("summary")
        types = ["metadata" if at < above else kind for at, kind in enumerate(types)]
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
    for start, end in find_references(source.text).intervals:
        if end - start >= _LEAST_LIST:
            yield start, end


def _spoken(start: int, end: int, silent: Sequence[Interval]) -> Iterator[Interval]:
    """Yield the parts of an interval that say something themselves."""
    for low, high in silent:
        if low < end and start < high:
            if start < low:
                yield start, low
            start = max(start, high)
    if start < end:
        yield start, end


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
