"""The shape of a case, and drafts: a source, the place of a passage in it, and a quote of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

Edit = tuple[int, int, str]
"""Replace the code points `start <= i < end` of a text with a string; an insertion has no width."""

Interval = tuple[int, int]
Candidates = Callable[[str, Random], list[Edit]]
"""Finds every place of a text where one kind of change could be made."""


@dataclass(frozen=True, slots=True)
class Place:
    """A half-open interval of one source, in code points of its original text."""

    source_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One quote, the sources it is checked against, and the right verdict.

    `expected` lists alternatives: any of them is right. Each is the places of the quote's segments,
    in order (one place unless the quote is elided). It is empty for quotes that must be refused.
    `denied` is what the match must say of its sentence, or `None` where that is not asked.
    """

    category: str
    accept: bool
    sources: dict[str, str]
    quote: str
    source_id: str | None = None
    expected: tuple[tuple[Place, ...], ...] = ()
    denied: bool | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A text, the intervals of it that are quoted (one, unless elided), and the quote's wording."""

    text: str
    spans: tuple[Interval, ...]
    quote: str
    note: str = ""
    others: tuple[Interval, ...] = field(default=())

    @property
    def hull(self) -> Interval:
        """The interval from the first quoted character to the last."""
        return self.spans[0][0], self.spans[-1][1]

    @property
    def passage(self) -> str:
        """The source's own words from the first quoted character to the last."""
        start, end = self.hull
        return self.text[start:end]

    def edit_source(self, edits: Iterable[Edit], note: str = "") -> Draft:
        """Change the source and carry the intervals along; the quote stays as it is."""
        ordered = disjoint(edits)
        return replace(
            self,
            text=apply(self.text, ordered),
            spans=tuple(_moved(span, ordered) for span in self.spans),
            others=tuple(_moved(span, ordered) for span in self.others),
            note=_joined(self.note, note),
        )

    def edit_quote(self, edits: Iterable[Edit], note: str = "") -> Draft:
        """Change the quote; the source and the intervals stay as they are."""
        return self.reworded(apply(self.quote, disjoint(edits)), note)

    def reworded(self, quote: str, note: str = "") -> Draft:
        """Give the quote another wording."""
        return replace(self, quote=quote, note=_joined(self.note, note))


def whole(text: str, start: int, end: int) -> Draft:
    """Draft a verbatim quote of one interval."""
    return Draft(text, ((start, end),), text[start:end])


def disjoint(edits: Iterable[Edit]) -> list[Edit]:
    """Sort edits by place and drop those that overlap or touch an earlier one."""
    kept: list[Edit] = []
    for edit in sorted(edits):
        if not kept or edit[0] > kept[-1][1]:
            kept.append(edit)
    return kept


def apply(text: str, edits: Sequence[Edit]) -> str:
    """Make sorted, disjoint edits in a text."""
    parts: list[str] = []
    at = 0
    for start, end, new in edits:
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])


def shifted(edits: Iterable[Edit], by: int) -> list[Edit]:
    """Move edits of a part to their place in the whole."""
    return [(start + by, end + by, new) for start, end, new in edits]


def _moved(span: Interval, edits: Sequence[Edit]) -> Interval:
    """Carry an interval through edits; what is inserted at its edges stays outside."""
    start, end = span
    grown_before = sum(len(new) - (e - s) for s, e, new in edits if e <= start)
    grown_within = sum(
        len(new) - (e - s) for s, e, new in edits if e > start and e <= end and not s == e == end
    )
    return start + grown_before, end + grown_before + grown_within


def _joined(*notes: str) -> str:
    """Join the notes that say something."""
    return "; ".join(note for note in notes if note)
