"""The parts of a source that a text can refer to: tables, sections, pages, footnotes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from citeguard.language.labels import Label, LabelKind, find_labels, is_caption, number_key
from citeguard.sources.collection import Source

Interval = tuple[int, int]

_NUMBERED = re.compile(
    r"[ \t#*]*(?:(?:section|chapter|article|clause|part|kapitel|abschnitt|artikel|chapitre|article"
    r"|cap[ií]tulo|art[ií]culo|§)\s*)?"
    r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,5}|[IVX]{1,5}|[A-Z](?:\.\d{1,3}){1,4})(?:[.):]|\b)"
    r"[ \t]*(?P<words>[^\n]*)",
    re.IGNORECASE,
)
_LONGEST_HEADING = 90  # characters of a line in a text without a layout that may be a heading
_NOTE = re.compile(r"\[\^(\d{1,3})\]|<sup>\[?(\d{1,3})\]?</sup>|([⁰¹²³⁴-⁹]{1,3})")
_AS_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


class Parts:
    """The numbered parts of a source.

    Args:
        source: The source.
    """

    def __init__(self, source: Source) -> None:
        self.source = source

    def knows(self, kind: LabelKind) -> bool:
        """Return whether a part of this kind that is not found does not exist.

        Pages are known only of a PDF file, sections where there are headings, and footnotes where
        there are any.
        """
        layout = self.source.layout
        if kind == "page":
            return layout is not None and bool(layout.pages)
        if kind == "section":
            return bool(self._sections) or (layout is not None and bool(layout.headings))
        if kind == "note":
            return bool(self._notes)
        of_kind = any(each == kind for each, _ in self._mentioned)
        return kind != "appendix" or of_kind or (layout is not None and bool(layout.headings))

    def has(self, kind: LabelKind, number: str) -> bool:
        """Return whether the source has a part, or at least names it.

        It has Figure 2a if it has Figure 2, and Tables 3-5 if it has 3 and 5.
        """
        if kind == "page":
            return number in self._pages
        if kind == "note" and number in self._notes:
            return True
        if kind == "section" and number in self._sections:
            return True
        whole = number.rstrip("abcdefghij")
        ends = number.split(".") if kind in ("table", "figure") else [number]
        return (kind, whole) in self._mentioned or all((kind, e) in self._mentioned for e in ends)

    def owns(self, kind: LabelKind, number: str) -> bool:
        """Return whether a table, a figure or a section with this number is in the source."""
        return number in self._sections if kind == "section" else (kind, number) in self._captions

    def places(self, kind: LabelKind, number: str) -> tuple[Interval, ...]:
        """Return where a section or a page is in the text; empty if that is not known."""
        if kind == "page":
            return self._pages.get(number, ())
        return self._sections.get(number, ()) if kind == "section" else ()

    @cached_property
    def _labels(self) -> list[Label]:
        return find_labels(self.source.text)

    @cached_property
    def _mentioned(self) -> frozenset[tuple[LabelKind, str]]:
        return frozenset((each.kind, number) for each in self._labels for number in each.numbers)

    @cached_property
    def _captions(self) -> frozenset[tuple[LabelKind, str]]:
        text = self.source.text
        captions = (each for each in self._labels if is_caption(text, each))
        return frozenset((each.kind, each.numbers[0]) for each in captions)

    @cached_property
    def _notes(self) -> frozenset[str]:
        found = (next(filter(None, match.groups())) for match in _NOTE.finditer(self.source.text))
        named = {number for kind, number in self._mentioned if kind == "note"}
        return frozenset({*(each.translate(_AS_DIGITS) for each in found), *named})

    @cached_property
    def _sections(self) -> dict[str, tuple[Interval, ...]]:
        """The numbered headings with what is below them, headings below them included."""
        headings = list(self._headings())
        found: dict[str, tuple[Interval, ...]] = {}
        for at, (start, number) in enumerate(headings):
            later = (
                place for place, other in headings[at + 1 :] if not other.startswith(f"{number}.")
            )
            interval = start, next(later, len(self.source.text))
            found[number] = (*found.get(number, ()), interval)
        return found

    def _headings(self) -> Iterator[tuple[int, str]]:
        layout, text = self.source.layout, self.source.text
        if layout is not None and layout.headings:
            for heading in layout.headings:
                if numbered := _NUMBERED.match(heading.text):
                    yield heading.start, number_key(numbered["number"])
            return
        before, start = "", 0
        for line in text.splitlines(keepends=True):
            numbered = None if before else _NUMBERED.match(line.rstrip())
            words = numbered["words"] if numbered and len(line) <= _LONGEST_HEADING else ""
            if numbered and words[:1].isupper() and words[-1] not in ".;,:!?":
                yield start, number_key(numbered["number"])
            before, start = line.strip(), start + len(line)

    @cached_property
    def _pages(self) -> dict[str, tuple[Interval, ...]]:
        layout = self.source.layout
        if layout is None or not layout.pages:
            return {}
        lines: dict[int, list[Interval]] = {page.number: [] for page in layout.pages}
        for line in layout.printed:
            lines[line.page].append((line.start, line.end))
        found: dict[str, tuple[Interval, ...]] = {}
        for page in layout.pages:
            printed = lines[page.number]
            place = ((printed[0][0], printed[-1][1]),) if printed else ()
            for name in dict.fromkeys((number_key(page.label), str(page.number))):
                found[name] = (*found.get(name, ()), *place)
        return found
