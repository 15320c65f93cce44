"""What is wrong with the citation marks of a text: uncited claims, unknown ids, wrong sources.

Whether a cited source bears a claim out, alone or beside others, is for judges to say. So there are
`probes` to ask about first, and `findings_on_claim` reads the verdicts on them.

Reference: what is redundant is decided as by the citation precision of Gao et al., "Enabling Large
Language Models to Generate Text with Citations" (ALCE), EMNLP 2023.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from citeguard.auditing.citing.marks import Mark
from citeguard.auditing.examining import Judged, Opened
from citeguard.auditing.results import CitationFinding
from citeguard.judges.verdicts import Verdict
from citeguard.language.excerpts import shown
from citeguard.language.sentences import Interval
from citeguard.sources.collection import Sources
from citeguard.validation.messages import closest

_LONGEST_KEY = 80
_LONGEST_LIST = 200


class Probe(NamedTuple):
    """A question about the citations of a claim: is it borne out by these sources by themselves?

    Attributes:
        number: The number of the claim.
        about: Whether the sources are those that are not cited (`elsewhere`), one of those cited
            (`alone`), or the others of those (`without`).
        source_ids: The sources.
    """

    number: int
    about: Literal["elsewhere", "alone", "without"]
    source_ids: tuple[str, ...]


Said = Mapping[Probe, Verdict]


def probes(judged: Judged, sources: Sources) -> Iterator[Probe]:
    """Yield what is to be asked about the citations of a claim that was judged.

    If what it cites does not bear it out, whether anything else does; if several sources together
    do, whether each is needed.
    """
    number, cited = judged.opened.number, judged.opened.cited
    if not cited:
        return
    if judged.verdict.outcome != "supported":
        if others := tuple(each for each in sources.ids if each not in cited):
            yield Probe(number, "elsewhere", others)
    elif len(cited) > 1:
        for source_id in cited:
            yield Probe(number, "alone", (source_id,))
            yield Probe(number, "without", _without(source_id, cited))


def findings_on_claim(judged: Judged, sources: Sources, said: Said) -> Iterator[CitationFinding]:
    """Yield what the verdicts on its probes show to be wrong with the citations of a claim."""
    opened, cited = judged.opened, judged.opened.cited
    others = tuple(each for each in sources.ids if each not in cited)
    elsewhere = said.get(Probe(opened.number, "elsewhere", others))
    if elsewhere is not None and elsewhere.outcome == "supported":
        yield _wrong_source(opened, elsewhere)
    for source_id in cited:
        alone = said.get(Probe(opened.number, "alone", (source_id,)))
        rest = said.get(Probe(opened.number, "without", _without(source_id, cited)))
        if alone and rest and alone.outcome == "unsupported" and rest.outcome == "supported":
            yield _redundant(opened, source_id)


def findings_on_marks(
    marks: Sequence[Mark], opened: Sequence[Opened], sources: Sources
) -> Iterator[CitationFinding]:
    """Yield what is wrong with marks as they stand there, and the checkable claims without one."""
    claims_of: dict[Mark, list[int]] = {mark: [] for mark in marks}
    for each in opened:
        for mark in each.marks:
            claims_of[mark].append(each.number)
    for mark in marks:
        yield from _findings_on_mark(mark, tuple(claims_of[mark]), sources)
    if marks:
        yield from (_uncited(each) for each in opened if not each.marks and each.question)


def in_order(findings: Iterable[CitationFinding]) -> tuple[CitationFinding, ...]:
    """Return findings in the order of the text."""
    return tuple(sorted(findings, key=lambda finding: (finding.start, finding.end)))


def _without(source_id: str, cited: Sequence[str]) -> tuple[str, ...]:
    return tuple(each for each in cited if each != source_id)


def _findings_on_mark(
    mark: Mark, claims: tuple[int, ...], sources: Sources
) -> Iterator[CitationFinding]:
    for key in mark.unknown:
        yield CitationFinding(
            problem="unknown_id",
            start=mark.start,
            end=mark.end,
            claims=claims,
            cited=key,
            message=_unknown(key, sources),
        )
    for source_id in mark.repeated:
        yield CitationFinding(
            problem="redundant",
            start=mark.start,
            end=mark.end,
            claims=claims,
            cited=source_id,
            message=f"{_named(source_id)} is cited twice: name it once.",
        )


def _unknown(key: str, sources: Sources) -> str:
    suggestion = closest(key, sources.ids)
    ids = shown(", ".join(sources.ids), _LONGEST_LIST)
    meant = f" Is {_named(suggestion)} meant?" if suggestion else ""
    return f"No source is called {_named(key)}; the ids are {ids}.{meant}"


def _wrong_source(opened: Opened, elsewhere: Verdict) -> CitationFinding:
    better = () if elsewhere.span is None else (elsewhere.span.source_id,)
    start, end = _place(opened)
    cited = ", ".join(map(_named, opened.cited))
    instead = f": cite {', '.join(map(_named, better))}" if better else ""
    return CitationFinding(
        problem="wrong_source",
        start=start,
        end=end,
        claims=(opened.number,),
        cited=opened.cited[0],
        better=better,
        message=f"{cited} does not say this, and another source does{instead}.",
    )


def _redundant(opened: Opened, source_id: str) -> CitationFinding:
    start, end = _place(opened, source_id)
    return CitationFinding(
        problem="redundant",
        start=start,
        end=end,
        claims=(opened.number,),
        cited=source_id,
        message=f"{_named(source_id)} does not say this, and the other sources cited do.",
    )


def _uncited(opened: Opened) -> CitationFinding:
    return CitationFinding(
        problem="uncited",
        start=opened.claim.start,
        end=opened.claim.end,
        claims=(opened.number,),
        message="No source is cited for this claim: cite one, or leave the claim out.",
    )


def _place(opened: Opened, source_id: str | None = None) -> Interval:
    """Return where the mark stands that names a source, or the first one that names any."""
    marks = (mark for mark in opened.marks if mark.cited and source_id in (None, *mark.cited))
    mark = next(marks)
    return mark.start, mark.end


def _named(source_id: str) -> str:
    return f"“{shown(source_id, _LONGEST_KEY)}”"
