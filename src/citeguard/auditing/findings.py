"""What is wrong with the citations of a text: unknown ids, wrong sources, parts that do not exist.

Judges decide whether a cited source supports a claim, alone or with others. So `probes` lists what
to ask them, and `findings_on_citations` reads their verdicts.

Reference: what is redundant is decided as by the citation precision of Gao et al., "Enabling Large
Language Models to Generate Text with Citations" (ALCE), EMNLP 2023.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from citeguard.auditing.claims import Claim
from citeguard.auditing.conclusions import LabelUse, OpenClaim
from citeguard.auditing.marks import Mark, Placed, marks_of, runs_of, without_marks
from citeguard.auditing.references import find_references
from citeguard.judges.verdicts import Verdict
from citeguard.language.excerpts import shown
from citeguard.language.labels import Label, find_labels, is_caption
from citeguard.language.sentences import Interval
from citeguard.reports.report import CheckedClaim, CitationFinding, CitationProblem
from citeguard.sources.collection import Sources
from citeguard.sources.labels import Parts
from citeguard.validation.messages import closest

_LONGEST_KEY = 80
_LONGEST_LIST = 200
_MOST_NAMED = 3  # sources in a message


class Probe(NamedTuple):
    """A question about the citations of a claim: do these sources alone support it?

    Attributes:
        number: The number of the claim.
        about: Whether the sources are all that are not cited (`elsewhere`), one cited source
            (`alone`), or the other cited sources (`without`); or parts of a cited one (`within`).
        source_ids: The sources.
        places: The half-open intervals of these sources that are shown; empty for all of them.
    """

    number: int
    about: Literal["elsewhere", "alone", "without", "within"]
    source_ids: tuple[str, ...]
    places: tuple[tuple[str, Interval], ...] = ()


Verdicts = Mapping[Probe, Verdict]


def probes(judged: OpenClaim, sources: Sources, labels: Labels) -> Iterator[Probe]:
    """Yield what to ask about the citations of a judged claim.

    If the cited sources do not support it, whether any other does; if several of them together do,
    whether each is needed; if the words that support it are in no part that it names, whether that
    part supports it, too.
    """
    number, cited = judged.number, judged.cited
    if judged.verdict and judged.verdict.outcome == "supported":
        yield from (probe for _, probe in _in_parts(judged, labels))
        for source_id in cited if len(cited) > 1 else ():
            yield Probe(number, "alone", (source_id,))
            yield Probe(number, "without", _without(source_id, cited))
    elif cited and (others := _without(cited, sources.ids)):
        yield Probe(number, "elsewhere", others)


def better_sources(
    judged: OpenClaim, sources: Sources, verdicts: Verdicts
) -> tuple[str, ...] | None:
    """Return the source that supports a claim and is not cited; `None` if there is none.

    Empty if the judge does not say which one it is.
    """
    probe = Probe(judged.number, "elsewhere", _without(judged.cited, sources.ids))
    found = verdicts.get(probe)
    if found is None or found.outcome != "supported":
        return None
    return () if found.span is None else (found.span.source_id,)


def findings_on_citations(
    marks: Sequence[Mark],
    judged: Sequence[OpenClaim],
    claims: Sequence[CheckedClaim],
    verdicts: Verdicts,
    labels: Labels,
    *,
    text: str,
    sources: Sources,
) -> Iterator[CitationFinding]:
    """Yield the problems with the marks and labels of a text, and the claims without a mark.

    Args:
        marks: The marks of the text.
        judged: The claims with their marks.
        claims: The same, as the report has them.
        verdicts: The answers to their probes.
        labels: The labels of the text.
        text: The text.
        sources: The sources.
    """
    numbers: dict[Placed, list[int]] = {mark: [] for mark in marks}
    for each in judged:
        for place in (*each.marks, *each.labels):
            numbers.setdefault(place, []).append(each.number)
    for mark in marks:
        of_mark = [claims[number - 1] for number in numbers[mark]]
        deciding = [claim.deciding for claim in of_mark if claim.verdict == "supported"]
        all_supported = len(deciding) == len(of_mark) and not mark.cited
        better = tuple(dict.fromkeys(each.source_id for each in deciding if each))
        better = better if all_supported else ()
        for key, entry in zip(mark.unknown, mark.entries, strict=True):
            message = _unknown(key, entry, sources, better)
            yield finding("unknown_id", mark, numbers[mark], message, cited=key, better=better)
    for mark, source_id, message in _redundant(marks, judged, verdicts, numbers, text):
        message = message.format(_named(source_id))
        yield finding("redundant", mark, numbers[mark], message, cited=source_id)
    for each in judged:
        yield from _on_claim(each, sources, labels, verdicts)
        if marks and not each.marks and each.question:
            message = "No source is cited for this claim: cite one, or remove the claim."
            yield finding("uncited", each.claim, [each.number], message)
    yield from _on_labels(judged, labels, numbers, text)


def finding(
    problem: CitationProblem,
    place: Placed,
    claims: Iterable[int],
    message: str,
    *,
    cited: str = "",
    better: tuple[str, ...] = (),
) -> CitationFinding:
    """Return a finding on what is at a place of the text: see `CitationFinding`."""
    return CitationFinding(
        problem=problem,
        start=place.start,
        end=place.end,
        claims=tuple(claims),
        cited=cited,
        better=better,
        message=message,
    )


def _on_labels(
    judged: Iterable[OpenClaim], labels: Labels, numbers: Mapping[Placed, Sequence[int]], text: str
) -> Iterator[CitationFinding]:
    """Yield the labels of parts that their sources do not have."""
    for use in dict.fromkeys(use for each in judged for use in each.labels):
        if (having := labels.missing(use)) is not None:
            names = ", ".join(map(_named, use.cited[:_MOST_NAMED]))
            none = f"{names} has" if len(use.cited) <= _MOST_NAMED else "The sources have"
            written = " ".join(text[use.start : use.end].split())
            problem, instead = "no_such_label", ""
            if having:
                problem, instead = "label_elsewhere", f", but {', '.join(map(_named, having))} does"
            message = f"{none} no “{written}”{instead}."
            yield finding(problem, use, numbers[use], message, cited=use.cited[0], better=having)


def _on_claim(
    judged: OpenClaim, sources: Sources, labels: Labels, verdicts: Verdicts
) -> Iterator[CitationFinding]:
    """Yield whether another source says a claim, or another part of a source that it cites."""
    cited, number = judged.cited, judged.number
    better = better_sources(judged, sources, verdicts)
    if better is not None:
        instead = f": cite {', '.join(map(_named, better))}" if better else ""
        names = ", ".join(map(_named, cited))
        mark = next(mark for mark in judged.marks if cited[0] in mark.cited)
        message = f"{names} does not say this, and another source does{instead}."
        yield finding("wrong_source", mark, [number], message, cited=cited[0], better=better)
    span = judged.verdict.span if judged.verdict else None
    for use, probe in _in_parts(judged, labels):
        found = verdicts.get(probe)
        if span is not None and found is not None and found.outcome != "supported":
            parts = _named(span.source_id), str(sources.location_of(span))
            message = f"This part does not say it. It is in {', '.join(filter(None, parts))}."
            yield finding("label_elsewhere", use, [number], message, cited=span.source_id)


def _in_parts(judged: OpenClaim, labels: Labels) -> Iterator[tuple[LabelUse, Probe]]:
    """Yield the labels of parts without the words that support a claim, and what to ask."""
    span = judged.verdict.span if judged.verdict else None
    if span is None:
        return
    for use in judged.labels:
        places = labels.places(use)
        inside = any(
            source_id == span.source_id and start <= span.start < end
            for source_id, (start, end) in places
        )
        if places and not inside:
            ids = tuple(dict.fromkeys(source_id for source_id, _ in places))
            yield use, Probe(judged.number, "within", ids, places)


def _redundant(
    marks: Sequence[Mark],
    judged: Sequence[OpenClaim],
    verdicts: Verdicts,
    numbers: Mapping[Placed, Sequence[int]],
    text: str,
) -> Iterator[tuple[Mark, str, str]]:
    """Yield the sources that a mark names twice, or that none of its claims needs, and why."""
    twice = [(mark, source_id) for mark in marks for source_id in mark.repeated]
    for run in runs_of(marks, text):
        named: set[str] = set()
        for mark in run:
            twice += [(mark, source_id) for source_id in mark.cited if source_id in named]
            named.update(mark.cited)
    for mark, source_id in twice:
        yield mark, source_id, "{} is cited twice: name it once."
    needed: dict[tuple[Mark, str], set[int]] = {}
    checkable = {each.number for each in judged if each.question}
    for each in judged:
        for source_id in each.cited:
            alone = verdicts.get(Probe(each.number, "alone", (source_id,)))
            rest = verdicts.get(Probe(each.number, "without", _without(source_id, each.cited)))
            if alone and rest and (alone.outcome, rest.outcome) == ("unsupported", "supported"):
                for mark in (mark for mark in each.marks if source_id in mark.cited):
                    of_mark = checkable.intersection(numbers[mark])
                    needed.setdefault((mark, source_id), of_mark).discard(each.number)
    for (mark, source_id), by in needed.items():
        if not by and (mark, source_id) not in twice:
            yield mark, source_id, "{} does not say this, and the other sources cited do."


def _without(cited: str | Sequence[str], ids: Sequence[str]) -> tuple[str, ...]:
    """Return ids but for one, or for several."""
    gone = (cited,) if isinstance(cited, str) else cited
    return tuple(each for each in ids if each not in gone)


def _unknown(key: str, entry: str, sources: Sources, better: Sequence[str]) -> str:
    instead = f" Cite {', '.join(map(_named, better))}, which says this." if better else ""
    if entry:
        words = shown(entry, _LONGEST_LIST)
        listed = f"{_named(key)} is listed as “{words}”, and no source is known to be that: add it."
        return f"{listed}{instead}"
    suggestion = None if better else closest(key, sources.ids)
    meant = f" Did you mean {_named(suggestion)}?" if suggestion else ""
    ids = shown(", ".join(sources.ids), _LONGEST_LIST)
    return f"No source is called {_named(key)}; the ids are {ids}.{meant}{instead}"


def _named(source_id: str) -> str:
    return f"“{shown(source_id, _LONGEST_KEY)}”"


# -- Labels, such as "Table 3"

# A text that speaks of itself may mean its own parts.
_ITSELF = re.compile(
    r"\b(?:we|our|us|this (?:paper|article|report|study|work|section|chapter|thesis|document)"
    r"|the (?:remainder|rest) of|below|above)\b",
    re.IGNORECASE,
)
_NEAR = re.compile(r"[\s,;.()\[\]–—-]{0,6}")


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
        self._known: dict[str, Parts] = {}
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
        owned = marks_of(claims, self._found, without_marks(self._text, self._marks))
        return [
            tuple(
                LabelUse(start=label.start, end=label.end, label=label, cited=cited)
                for label in labels
                if (cited := self._cited(label, claim_marks))
            )
            for labels, claim_marks in zip(owned, marks, strict=True)
        ]

    def missing(self, use: LabelUse) -> tuple[str, ...] | None:
        """Return the other sources that have a part, if none of its sources has it; else `None`."""
        kind = use.label.kind
        parts = [*map(self._parts, use.cited)]
        if not all(each.knows(kind) for each in parts):
            return None
        for number in use.label.numbers:
            if not any(each.has(kind, number) for each in parts):
                others = _without(use.cited, self._sources.ids)
                return tuple(each for each in others if self._parts(each).owns(kind, number))
        return None

    def places(self, use: LabelUse) -> tuple[tuple[str, Interval], ...]:
        """Return the places of a label in the text of its sources; empty if one is not known."""
        found: list[tuple[str, Interval]] = []
        for number in use.label.numbers:
            places = [
                (source_id, place)
                for source_id in use.cited
                for place in self._parts(source_id).places(use.label.kind, number)
            ]
            if not places:
                return ()
            found += places
        return tuple(dict.fromkeys(found))

    def _parts(self, source_id: str) -> Parts:
        if source_id not in self._known:
            self._known[source_id] = Parts(self._sources[source_id])
        return self._known[source_id]

    def _cited(self, label: Label, marks: Sequence[Mark]) -> tuple[str, ...]:
        """Return the sources of the mark around or beside a label, or else of its claim."""
        beside = (
            mark
            for mark in marks
            if mark.start <= label.start < mark.end
            or _NEAR.fullmatch(self._text, label.end, mark.start)
        )
        nearest = next(beside, None)
        chosen = marks if nearest is None else [nearest]
        if chosen:
            return tuple(dict.fromkeys(each for mark in chosen for each in mark.cited))
        return () if self._speaks_of_itself else self._sources.ids

    @cached_property
    def _speaks_of_itself(self) -> bool:
        return _ITSELF.search(self._text) is not None
