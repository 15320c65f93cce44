"""The parts of sources that a text refers to, such as "Table 3", and whether they are there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from citeguard.auditing.claims.claim import Claim
from citeguard.auditing.marks import Mark, marks_of, without_marks
from citeguard.auditing.references import find_references
from citeguard.language.labels import Label, find_labels, is_caption
from citeguard.language.sentences import Interval
from citeguard.sources.collection import Sources
from citeguard.sources.labels import Parts

# A text that speaks of itself may mean its own parts.
_ITSELF = re.compile(
    r"\b(?:we|our|us|this (?:paper|article|report|study|work|section|chapter|thesis|document)"
    r"|the (?:remainder|rest) of|below|above)\b",
    re.IGNORECASE,
)
_NEAR = re.compile(r"[\s,;.()\[\]–—-]{0,6}")


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelUse:
    """A reference to a part of a source.

    Attributes:
        start: Where it starts in the text, in code points.
        end: Where it ends, exclusive.
        label: What it names.
        cited: The ids of the sources that it may be a part of: those cited beside it; all where
            none is.
    """

    start: int
    end: int
    label: Label
    cited: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelProblem:
    """A part that is not in the sources of a label.

    Attributes:
        number: Its number.
        elsewhere: The ids of the other sources that have it.
    """

    number: str
    elsewhere: tuple[str, ...] = ()


class Labels:
    """The labels of a text that refer to sources.

    Labels of the text's own parts do not: one that it has itself, as a heading or a caption, and
    one without a citation in a text that says "we" or "this report".

    Args:
        text: The text.
        marks: Its citation marks.
        sources: The sources.
    """

    def __init__(self, text: str, marks: Sequence[Mark], sources: Sources) -> None:
        self._text, self._marks, self._sources = text, marks, sources
        self._parts = {source.id: Parts(source) for source in sources}
        lists = find_references(text).intervals
        found = find_labels(text)
        captions = {(each.kind, each.numbers) for each in found if is_caption(text, each)}
        self._found = [
            each
            for each in found
            if (each.kind, each.numbers) not in captions
            and not any(start <= each.start < end for start, end in lists)
        ]

    def of_claims(
        self, claims: Sequence[Claim], marks: Sequence[Sequence[Mark]]
    ) -> list[tuple[LabelUse, ...]]:
        """Return the labels of each claim, in order.

        Args:
            claims: The claims of the text.
            marks: The marks of each claim.
        """
        words = without_marks(self._text, self._marks)
        owned = marks_of(claims, self._found, words)
        return [
            tuple(
                LabelUse(start=label.start, end=label.end, label=label, cited=cited)
                for label in labels
                if (cited := self._cited(label, claim_marks))
            )
            for labels, claim_marks in zip(owned, marks, strict=True)
        ]

    def problem(self, use: LabelUse) -> LabelProblem | None:
        """Return what is wrong with a label, if none of its sources has the part."""
        kind = use.label.kind
        parts = [self._parts[each] for each in use.cited]
        if not all(each.knows(kind) for each in parts):
            return None
        for number in use.label.numbers:
            if not any(each.has(kind, number) for each in parts):
                others = (each for each in self._sources.ids if each not in use.cited)
                having = (each for each in others if self._parts[each].owns(kind, number))
                return LabelProblem(number=number, elsewhere=tuple(having))
        return None

    def places(self, use: LabelUse) -> tuple[tuple[str, Interval], ...]:
        """Return the places of a label in the text of its sources; empty if one is not known."""
        found: list[tuple[str, Interval]] = []
        for number in use.label.numbers:
            places = [
                (source_id, place)
                for source_id in use.cited
                for place in self._parts[source_id].places(use.label.kind, number)
            ]
            if not places:
                return ()
            found += places
        return tuple(dict.fromkeys(found))

    def _cited(self, label: Label, marks: Iterable[Mark]) -> tuple[str, ...]:
        """Return the sources of the mark around or beside a label, or else of its claim."""
        marks = list(marks)
        beside = next((mark for mark in marks if self._is_beside(label, mark)), None)
        chosen = marks if beside is None else [beside]
        if chosen:
            return tuple(dict.fromkeys(each for mark in chosen for each in mark.cited))
        return () if self._speaks_of_itself else self._sources.ids

    def _is_beside(self, label: Label, mark: Mark) -> bool:
        inside = mark.start <= label.start < mark.end
        return inside or _NEAR.fullmatch(self._text, label.end, mark.start) is not None

    @cached_property
    def _speaks_of_itself(self) -> bool:
        return _ITSELF.search(self._text) is not None
