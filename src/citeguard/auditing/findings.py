"""What is wrong with the citation marks of a text: uncited claims, unknown ids, wrong sources.

Judges decide whether a cited source supports a claim, alone or with others. So `probes` lists what
to ask them, and `findings_on_claim` reads their verdicts.

Reference: what is redundant is decided as by the citation precision of Gao et al., "Enabling Large
Language Models to Generate Text with Citations" (ALCE), EMNLP 2023.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from citeguard.auditing.conclusions import JudgedClaim, PreparedClaim
from citeguard.auditing.marks import Mark
from citeguard.auditing.report import CitationFinding, CitationProblem
from citeguard.judges.verdicts import Verdict
from citeguard.language.excerpts import shown
from citeguard.sources.collection import Sources
from citeguard.validation.messages import closest

_LONGEST_KEY = 80
_LONGEST_LIST = 200


class Probe(NamedTuple):
    """A question about the citations of a claim: do these sources alone support it?

    Attributes:
        number: The number of the claim.
        about: Whether the sources are all that are not cited (`elsewhere`), one cited source
            (`alone`), or the other cited sources (`without`).
        source_ids: The sources.
    """

    number: int
    about: Literal["elsewhere", "alone", "without"]
    source_ids: tuple[str, ...]


Verdicts = Mapping[Probe, Verdict]


def probes(judged: JudgedClaim, sources: Sources) -> Iterator[Probe]:
    """Yield what to ask about the citations of a judged claim.

    If the cited sources do not support it, whether any other does; if several of them together do,
    whether each is needed.
    """
    number, cited = judged.prepared.number, judged.prepared.cited
    if not cited:
        return
    if judged.verdict.outcome != "supported":
        if others := tuple(each for each in sources.ids if each not in cited):
            yield Probe(number, "elsewhere", others)
    elif len(cited) > 1:
        for source_id in cited:
            yield Probe(number, "alone", (source_id,))
            yield Probe(number, "without", _without(source_id, cited))


def findings_on_claim(
    judged: JudgedClaim, sources: Sources, verdicts: Verdicts
) -> Iterator[CitationFinding]:
    """Yield the problems with the citations of a claim, by the verdicts on its probes."""
    prepared, cited = judged.prepared, judged.prepared.cited
    others = tuple(each for each in sources.ids if each not in cited)
    elsewhere = verdicts.get(Probe(prepared.number, "elsewhere", others))
    if elsewhere is not None and elsewhere.outcome == "supported":
        better = () if elsewhere.span is None else (elsewhere.span.source_id,)
        instead = f": cite {', '.join(map(_named, better))}" if better else ""
        names = ", ".join(map(_named, cited))
        message = f"{names} does not say this, and another source does{instead}."
        yield _on_mark_of(prepared, "wrong_source", cited[0], message, better)
    for source_id in cited:
        alone = verdicts.get(Probe(prepared.number, "alone", (source_id,)))
        rest = verdicts.get(Probe(prepared.number, "without", _without(source_id, cited)))
        if alone and rest and alone.outcome == "unsupported" and rest.outcome == "supported":
            message = f"{_named(source_id)} does not say this, and the other sources cited do."
            yield _on_mark_of(prepared, "redundant", source_id, message)


def _on_mark_of(
    prepared: PreparedClaim,
    problem: CitationProblem,
    source_id: str,
    message: str,
    better: tuple[str, ...] = (),
) -> CitationFinding:
    """Return a problem at the first mark of a claim that names a source."""
    mark = next(mark for mark in prepared.marks if source_id in mark.cited)
    return CitationFinding(
        problem=problem,
        start=mark.start,
        end=mark.end,
        claims=(prepared.number,),
        cited=source_id,
        better=better,
        message=message,
    )


def findings_on_marks(
    marks: Sequence[Mark], prepared: Sequence[PreparedClaim], sources: Sources
) -> Iterator[CitationFinding]:
    """Yield the problems with the marks themselves, and the checkable claims without a mark."""
    claims_of: dict[Mark, list[int]] = {mark: [] for mark in marks}
    for each in prepared:
        for mark in each.marks:
            claims_of[mark].append(each.number)
    for mark in marks:
        yield from _findings_on_mark(mark, tuple(claims_of[mark]), sources)
    for each in prepared if marks else ():
        if not each.marks and each.question:
            yield CitationFinding(
                problem="uncited",
                start=each.claim.start,
                end=each.claim.end,
                claims=(each.number,),
                message="No source is cited for this claim: cite one, or remove the claim.",
            )


def in_order(findings: Iterable[CitationFinding]) -> tuple[CitationFinding, ...]:
    """Return findings in the order of the text."""
    return tuple(sorted(findings, key=lambda finding: (finding.start, finding.end)))


def _without(source_id: str, cited: Sequence[str]) -> tuple[str, ...]:
    return tuple(each for each in cited if each != source_id)


def _findings_on_mark(
    mark: Mark, claims: tuple[int, ...], sources: Sources
) -> Iterator[CitationFinding]:
    for key, entry in zip(mark.unknown, mark.entries, strict=True):
        yield CitationFinding(
            problem="unknown_id",
            start=mark.start,
            end=mark.end,
            claims=claims,
            cited=key,
            message=_unlisted(key, entry) if entry else _unknown(key, sources),
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


def _unlisted(key: str, entry: str) -> str:
    words = shown(entry, _LONGEST_LIST)
    return f"{_named(key)} is listed as “{words}”, and no source is known to be that: add it."


def _unknown(key: str, sources: Sources) -> str:
    suggestion = closest(key, sources.ids)
    ids = shown(", ".join(sources.ids), _LONGEST_LIST)
    meant = f" Did you mean {_named(suggestion)}?" if suggestion else ""
    return f"No source is called {_named(key)}; the ids are {ids}.{meant}"


def _named(source_id: str) -> str:
    return f"“{shown(source_id, _LONGEST_KEY)}”"
