"""An answer whose citations are parts of its text: `Draft`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from citeguard.language.citations import machine_marks
from citeguard.language.sentences import Interval
from citeguard.providers.answer_text import AnswerText
from citeguard.providers.documents import Documents
from citeguard.providers.findings import FindingKind, ImportFinding
from citeguard.providers.imported import ImportedAnswer
from citeguard.providers.offsets import Positions, Unit, prove, prove_by_words
from citeguard.providers.proving import (
    Cited,
    Problem,
    imported,
    offset_message,
    quoted,
    unread,
    verbatim_places,
)
from citeguard.providers.reply import Node


class Draft:
    """The citations of an answer in parts, whose text is not yet without its marks.

    Args:
        texts: The texts of the parts.
        between: What is between two of them.
    """

    def __init__(self, texts: Sequence[str], *, between: str = "") -> None:
        self.texts = texts
        self.starts: list[int] = []
        self.raw = ""
        for text in texts:
            self.raw += between if self.raw else ""
            self.starts.append(len(self.raw))
            self.raw += text
        self.positions = [Positions(text) for text in texts]
        self._whole = Positions(self.raw)
        self._marks = machine_marks(self.raw)
        # Each with what it cites of the raw text, and whether that is a mark.
        self._cited: list[tuple[Cited, Interval | None, bool]] = []
        self._findings: list[ImportFinding] = []

    def segment(
        self, part: int, start: int, end: int | None, own: str | None, unit: Unit
    ) -> tuple[Interval | None, tuple[Problem, ...]]:
        """Return the interval of the raw text that offsets of a part mean, and the problems.

        `own` is the provider's own text of the interval, `None` if it does not repeat it, and
        `unit` what it documents.
        """
        if end is None:
            if not own:
                return None, (("location_missing", "The reply does not say which part is cited."),)
            end = start + len(own)
        numbers = sorted(range(len(self.texts)), key=lambda number: number != part)
        places = [(number, self.positions[number], self.starts[number]) for number in numbers]
        if len(self.texts) > 1:
            places.append((-1, self._whole, 0))
        for number, positions, base in places:
            if own:
                proof = prove(positions, start, end, own, declared=unit)
            else:
                proof = prove_by_words(positions, start, end, declared=unit)
            if proof is not None:
                problems: tuple[Problem, ...] = tuple(
                    (kind, offset_message(kind, start, end, unit)) for kind in proof.kinds
                )
                if number != part:
                    said = f"{start} to {end} does not count in part {part}, but elsewhere."
                    problems = (("wrong_part", said), *problems)
                return (proof.interval[0] + base, proof.interval[1] + base), problems
        return self._relocated(start, end, own)

    def _relocated(
        self, start: int, end: int, own: str | None
    ) -> tuple[Interval | None, tuple[Problem, ...]]:
        """Look for a provider's own text that is not where it says."""
        if not own:
            return None, (("offset_wrong", f"{start} to {end} is outside the answer."),)
        places = [*verbatim_places(own, self.raw)]
        if not places:
            said = f"The answer does not have {quoted(own)}, neither at {start} nor elsewhere."
            return None, (("offset_wrong", said),)
        said = f"The answer has {quoted(own)}, but not at {start} to {end}."
        problems: list[Problem] = [("offset_wrong", said)]
        if len(places) > 1:
            problems.append(("ambiguous", f"The answer has {quoted(own)} {len(places)} times."))
        near = min(places, key=lambda place: abs(place - start))
        return (near, near + len(own)), tuple(problems)

    def cite(self, cited: Cited, where: Interval | None, *, is_mark: bool = False) -> None:
        """Add a citation of an interval of the raw text, or of the sentence before a mark there."""
        if is_mark and where is not None:
            self._marks.append(where)
        self._cited.append((cited, where, is_mark))

    def is_marked(self, position: int) -> bool:
        """Return whether a position of the raw text is in a mark."""
        return any(start <= position < end for start, end in self._marks)

    def leave_marks(self, kind: FindingKind, message: str) -> None:
        """Report the marks that no citation is about."""
        about = [where for _, where, _ in self._cited if where is not None]
        for start, end in machine_marks(self.raw):
            if not any(low < end and high > start for low, high in about):
                shown = self.raw[start:end].encode("unicode_escape").decode()
                self._findings.append(
                    ImportFinding(kind=kind, path="text", message=message.format(shown))
                )

    def answer(self, documents: Documents, reply: Node) -> ImportedAnswer:
        """Return the answer, with a finding for each list of citations that nobody has read."""
        self._findings += unread(reply)
        text = AnswerText(self.raw, self._marks)
        cited: list[Cited] = []
        for each, where, is_mark in self._cited:
            segment = None if where is None else text.interval(*where)
            if where is not None and is_mark:
                segment = text.sentence_before(where[0])
            cited.append(replace(each, segment=segment))
        return imported(documents, text, cited, self._findings)
