"""What is wrong with the citations of a text: unknown ids, wrong sources, parts that do not exist.

Judges decide whether a cited source supports a claim, alone or with others. So `probes` lists what
to ask them, and `findings_on_claim` and `needless` read their verdicts.

Reference: what is redundant is decided as by the citation precision of Gao et al., "Enabling Large
Language Models to Generate Text with Citations" (ALCE), EMNLP 2023.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from citeguard.auditing.conclusions import JudgedClaim, PreparedClaim
from citeguard.auditing.label_findings import Labels, LabelUse
from citeguard.auditing.marks import Mark, runs_of
from citeguard.judges.verdicts import Verdict
from citeguard.language.excerpts import shown
from citeguard.language.sentences import Interval
from citeguard.reports.report import CheckedClaim, CitationFinding
from citeguard.sources.collection import Sources
from citeguard.validation.messages import closest

_LONGEST_KEY = 80
_LONGEST_LIST = 200
_MOST_NAMED = 3  # sources in a message
_TWICE = "{} is cited twice: name it once."
_SAYS_NOTHING = "{} does not say this, and the other sources cited do."


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


def probes(judged: JudgedClaim, sources: Sources, labels: Labels) -> Iterator[Probe]:
    """Yield what to ask about the citations of a judged claim.

    If the cited sources do not support it, whether any other does; if several of them together do,
    whether each is needed; if the words that support it are in no part that it names, whether that
    part supports it, too.
    """
    number, cited = judged.prepared.number, judged.prepared.cited
    if judged.verdict.outcome == "supported":
        yield from (probe for _, probe in _in_parts(judged, labels))
        for source_id in cited if len(cited) > 1 else ():
            yield Probe(number, "alone", (source_id,))
            yield Probe(number, "without", _without(source_id, cited))
    elif cited and (others := tuple(each for each in sources.ids if each not in cited)):
        yield Probe(number, "elsewhere", others)


def findings_on_claim(
    judged: JudgedClaim, sources: Sources, labels: Labels, verdicts: Verdicts
) -> Iterator[CitationFinding]:
    """Yield the problems with the citations and labels of a claim, by the answers to its probes."""
    prepared, cited = judged.prepared, judged.prepared.cited
    others = tuple(each for each in sources.ids if each not in cited)
    elsewhere = verdicts.get(Probe(prepared.number, "elsewhere", others))
    if elsewhere is not None and elsewhere.outcome == "supported":
        better = () if elsewhere.span is None else (elsewhere.span.source_id,)
        instead = f": cite {', '.join(map(_named, better))}" if better else ""
        names = ", ".join(map(_named, cited))
        mark = next(mark for mark in prepared.marks if cited[0] in mark.cited)
        yield CitationFinding(
            problem="wrong_source",
            start=mark.start,
            end=mark.end,
            claims=(prepared.number,),
            cited=cited[0],
            better=better,
            message=f"{names} does not say this, and another source does{instead}.",
        )
    span = judged.verdict.span
    for use, probe in _in_parts(judged, labels):
        if span is not None and verdicts[probe].outcome != "supported":
            place = ", ".join(
                filter(None, (_named(span.source_id), str(sources.location_of(span))))
            )
            yield CitationFinding(
                problem="label_elsewhere",
                start=use.start,
                end=use.end,
                claims=(prepared.number,),
                cited=span.source_id,
                message=f"This part does not say it. It is in {place}.",
            )


def _in_parts(judged: JudgedClaim, labels: Labels) -> Iterator[tuple[LabelUse, Probe]]:
    """Yield the labels of parts without the words that support a claim, and what to ask."""
    span = judged.verdict.span
    for use in judged.prepared.labels:
        places = labels.places(use)
        inside = span is not None and any(
            source_id == span.source_id and start <= span.start < end
            for source_id, (start, end) in places
        )
        if places and span is not None and not inside:
            ids = tuple(dict.fromkeys(source_id for source_id, _ in places))
            yield use, Probe(judged.prepared.number, "within", ids, places)


class Needless(NamedTuple):
    """A source of a mark without which a claim is as well supported."""

    mark: Mark
    source_id: str
    number: int


def needless(judged: JudgedClaim, verdicts: Verdicts) -> Iterator[Needless]:
    """Yield the cited sources that say nothing about a claim that the others support."""
    number, cited = judged.prepared.number, judged.prepared.cited
    for source_id in cited:
        alone = verdicts.get(Probe(number, "alone", (source_id,)))
        rest = verdicts.get(Probe(number, "without", _without(source_id, cited)))
        if alone and rest and alone.outcome == "unsupported" and rest.outcome == "supported":
            for mark in judged.prepared.marks:
                if source_id in mark.cited:
                    yield Needless(mark, source_id, number)


def findings_on_marks(
    marks: Sequence[Mark],
    prepared: Sequence[PreparedClaim],
    claims: Sequence[CheckedClaim],
    spare: Iterable[Needless],
    *,
    text: str,
    sources: Sources,
) -> Iterator[CitationFinding]:
    """Yield the problems with the marks themselves, and the checkable claims without a mark.

    A source of a mark is redundant if it is needless for each claim of the mark.
    """
    claims_of: dict[Mark, list[int]] = {mark: [] for mark in marks}
    for each in prepared:
        for mark in each.marks:
            claims_of[mark].append(each.number)
    for mark in marks:
        numbers = tuple(claims_of[mark])
        yield from _unknown_in(mark, numbers, _supporting(claims, numbers), sources)
    yield from _redundant_marks(marks, claims_of, prepared, spare, text)
    for each in prepared if marks else ():
        if not each.marks and each.question:
            yield CitationFinding(
                problem="uncited",
                start=each.claim.start,
                end=each.claim.end,
                claims=(each.number,),
                message="No source is cited for this claim: cite one, or remove the claim.",
            )


def _redundant_marks(
    marks: Sequence[Mark],
    claims_of: Mapping[Mark, Sequence[int]],
    prepared: Sequence[PreparedClaim],
    spare: Iterable[Needless],
    text: str,
) -> Iterator[CitationFinding]:
    """Yield the sources that a mark names twice, or that none of its claims needs."""
    checkable = {each.number for each in prepared if each.question}
    needed: dict[tuple[Mark, str], set[int]] = {}
    for each in spare:
        of_mark = checkable.intersection(claims_of[each.mark])
        needed.setdefault((each.mark, each.source_id), of_mark).discard(each.number)
    twice = [(mark, source_id) for mark in marks for source_id in mark.repeated]
    for run in runs_of(marks, text):
        named: set[str] = set()
        for mark in run:
            twice += [(mark, source_id) for source_id in mark.cited if source_id in named]
            named.update(mark.cited)
    for mark, source_id in twice:
        yield _redundant(mark, claims_of[mark], source_id, _TWICE)
    for (mark, source_id), numbers in needed.items():
        if not numbers and (mark, source_id) not in twice:
            yield _redundant(mark, claims_of[mark], source_id, _SAYS_NOTHING)


def findings_on_labels(
    prepared: Sequence[PreparedClaim], labels: Labels, text: str
) -> Iterator[CitationFinding]:
    """Yield the labels of parts that their sources do not have."""
    claims_of: dict[LabelUse, list[int]] = {}
    for each in prepared:
        for use in each.labels:
            claims_of.setdefault(use, []).append(each.number)
    for use, numbers in claims_of.items():
        problem = labels.problem(use)
        if problem is None:
            continue
        names = ", ".join(map(_named, use.cited[:_MOST_NAMED]))
        none = f"{names} has" if len(use.cited) <= _MOST_NAMED else "The sources have"
        written = " ".join(text[use.start : use.end].split())
        elsewhere = ", ".join(map(_named, problem.elsewhere))
        yield CitationFinding(
            problem="label_elsewhere" if elsewhere else "no_such_label",
            start=use.start,
            end=use.end,
            claims=tuple(numbers),
            cited=use.cited[0],
            better=problem.elsewhere,
            message=f"{none} no “{written}”{f', but {elsewhere} does' if elsewhere else ''}.",
        )


def in_order(findings: Iterable[CitationFinding]) -> tuple[CitationFinding, ...]:
    """Return findings in the order of the text."""
    return tuple(sorted(findings, key=lambda finding: (finding.start, finding.end)))


def _without(source_id: str, cited: Sequence[str]) -> tuple[str, ...]:
    return tuple(each for each in cited if each != source_id)


def _supporting(claims: Sequence[CheckedClaim], numbers: Iterable[int]) -> tuple[str, ...]:
    """Return the sources that support some claims, if all of them are supported."""
    of_mark = [claims[number - 1] for number in numbers]
    if any(claim.verdict != "supported" for claim in of_mark):
        return ()
    places = (claim.deciding for claim in of_mark)
    return tuple(dict.fromkeys(place.source_id for place in places if place is not None))


def _unknown_in(
    mark: Mark, numbers: tuple[int, ...], supporting: Sequence[str], sources: Sources
) -> Iterator[CitationFinding]:
    better = () if mark.cited else tuple(supporting)
    for key, entry in zip(mark.unknown, mark.entries, strict=True):
        message = _unlisted(key, entry) if entry else _unknown(key, sources, better)
        instead = f" Cite {', '.join(map(_named, better))}, which says this." if better else ""
        yield CitationFinding(
            problem="unknown_id",
            start=mark.start,
            end=mark.end,
            claims=numbers,
            cited=key,
            better=better,
            message=f"{message}{instead}",
        )


def _redundant(mark: Mark, numbers: Sequence[int], source_id: str, message: str) -> CitationFinding:
    return CitationFinding(
        problem="redundant",
        start=mark.start,
        end=mark.end,
        claims=tuple(numbers),
        cited=source_id,
        message=message.format(_named(source_id)),
    )


def _unlisted(key: str, entry: str) -> str:
    words = shown(entry, _LONGEST_LIST)
    return f"{_named(key)} is listed as “{words}”, and no source is known to be that: add it."


def _unknown(key: str, sources: Sources, better: Sequence[str]) -> str:
    suggestion = None if better else closest(key, sources.ids)
    ids = shown(", ".join(sources.ids), _LONGEST_LIST)
    meant = f" Did you mean {_named(suggestion)}?" if suggestion else ""
    return f"No source is called {_named(key)}; the ids are {ids}.{meant}"


def _named(source_id: str) -> str:
    return f"“{shown(source_id, _LONGEST_KEY)}”"
