"""The parts of a report, made of what was found out: `audited_claim`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from citeguard.auditing.concluding import concluded, confidence_in
from citeguard.auditing.examining import Judged, Opened
from citeguard.auditing.explaining import SET_ASIDE, explanation
from citeguard.auditing.report import AuditedClaim, AuditedSource, Correction, Place
from citeguard.sources import Sources, Span
from citeguard.verdicts import Verdict


def audited_claim(
    judged: Judged,
    sources: Sources,
    *,
    correction: Correction | None = None,
    better: Sequence[str] = (),
) -> AuditedClaim:
    """Return a claim that was judged, as the report has it.

    Args:
        judged: The claim.
        sources: The sources.
        correction: Its correction, if there is one.
        better: The ids of sources that say it, although it does not cite them.
    """
    verdict, said = concluded(judged), judged.verdict
    # What is not found has no words that decide; the nearest ones are among the evidence.
    deciding = None if verdict == "not_found" else _deciding(said, sources)
    return AuditedClaim(
        **_of_claim(judged.opened),
        cited=judged.opened.cited,
        verdict=verdict,
        confidence=confidence_in(verdict, said.score),
        score=said.score,
        judge=said.judge,
        explanation=explanation(verdict, reason=said.reason, facts=judged.facts, better=better),
        evidence=tuple(_evidence(judged.opened, sources)),
        deciding=deciding,
        differences=judged.facts,
        correction=correction,
    )


def set_aside_claim(opened: Opened) -> AuditedClaim:
    """Return a claim that is not checkable, as the report has it."""
    reason = opened.claim.set_aside or "no claim"
    return AuditedClaim(
        **_of_claim(opened),
        set_aside=reason,
        cited=opened.cited,
        verdict="not_checkable",
        explanation=SET_ASIDE[reason],
    )


def audited_sources(sources: Sources) -> tuple[AuditedSource, ...]:
    """Return sources as the report has them."""
    return tuple(
        AuditedSource(id=each.id, text=each.text, title=each.title, url=each.url)
        for each in sources
    )


def _of_claim(opened: Opened) -> dict[str, Any]:
    claim = opened.claim
    return {
        "number": opened.number,
        "text": claim.text,
        "start": claim.start,
        "end": claim.end,
        "sentence_start": claim.sentence[0],
        "sentence_end": claim.sentence[1],
        "kind": claim.kind,
        "context": claim.context,
    }


def _evidence(opened: Opened, sources: Sources) -> Iterator[Place]:
    for each in opened.evidence:
        if (span := each.span(0, len(each.text))) is not None:
            yield _place(span, sources)


def _deciding(said: Verdict, sources: Sources) -> Place | None:
    """Return the words that decide, if the judge says where they stand, and they do stand there."""
    span = said.span
    if span is None or span.source_id not in sources or not sources.slice(span):
        return None
    return _place(span, sources)


def _place(span: Span, sources: Sources) -> Place:
    return Place(
        source_id=span.source_id,
        start=span.start,
        end=span.end,
        line=sources.line_of(span),
        text=sources.slice(span),
    )
