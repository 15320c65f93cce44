"""From a claim and what is asked about it to the claim of the report.

A `PreparedClaim` with its question becomes a `JudgedClaim`, and that a `CheckedClaim`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from citeguard.auditing.claims.claim import Claim
from citeguard.auditing.label_findings import LabelUse
from citeguard.auditing.marks import Mark
from citeguard.auditing.quotations import Quotation, altered_facts, verdict_on_quotations
from citeguard.facts.aligned import Difference, differences
from citeguard.judges.verdicts import Evidence, SupportQuestion, Verdict
from citeguard.reader.windows import windows
from citeguard.reports.places import place_of
from citeguard.reports.report import CheckedClaim, Correction, DifferingFact, Place
from citeguard.reports.wording import SET_ASIDE, explanation
from citeguard.sources.collection import Sources, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedClaim:
    """A claim, what it cites and quotes, and what the judges are asked about it.

    Attributes:
        number: Which claim of the text it is, from 1.
        claim: The claim.
        marks: Its citation marks.
        labels: The parts of sources that it refers to.
        quotations: Its words in quotation marks.
        question: What is asked, or the verdict where there is nothing to ask; `None` if the claim
            is not checkable.
    """

    number: int
    claim: Claim
    marks: Sequence[Mark] = ()
    labels: Sequence[LabelUse] = ()
    quotations: Sequence[Quotation] = ()
    question: SupportQuestion | Verdict | None = None

    @property
    def cited(self) -> tuple[str, ...]:
        """The ids of the sources that its marks name, each once."""
        return tuple(dict.fromkeys(cited for mark in self.marks for cited in mark.cited))

    @property
    def unread(self) -> tuple[str, ...]:
        """The addresses of the pages that its marks link to and that could not be read."""
        return tuple(dict.fromkeys(url for mark in self.marks for url in mark.unread))

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What the judges are shown."""
        return self.question.evidence if isinstance(self.question, SupportQuestion) else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedClaim:
    """A claim with its verdict.

    Attributes:
        prepared: The claim.
        verdict: The verdict.
        differences: The facts in which it differs from the nearest sentence of the evidence, if it
            may be wrong.
        facts: The same for people; for an altered quotation, what was altered.
    """

    prepared: PreparedClaim
    verdict: Verdict
    differences: tuple[Difference, ...] = ()
    facts: tuple[DifferingFact, ...] = ()


def judged(prepared: PreparedClaim, verdict: Verdict) -> JudgedClaim:
    """Return a claim with a judge's verdict; a wrong quotation overrules it."""
    on_quotations = verdict_on_quotations(prepared.quotations)
    if on_quotations is not None:
        facts = altered_facts(prepared.quotations)
        return JudgedClaim(prepared=prepared, verdict=on_quotations, facts=facts)
    if verdict.outcome not in ("contradicted", "undecided") or not prepared.evidence:
        return JudgedClaim(prepared=prepared, verdict=verdict)
    found = differences(prepared.claim.text, _nearest_sentence(prepared, verdict))
    facts = (DifferingFact(kind=e.kind, stated=e.stated, found=e.found) for e in found)
    return JudgedClaim(
        prepared=prepared, verdict=verdict, differences=found, facts=tuple(dict.fromkeys(facts))
    )


def _nearest_sentence(prepared: PreparedClaim, verdict: Verdict) -> str:
    """Return the sentence of the deciding words, or else of the evidence, nearest to a claim."""
    texts = [verdict.words] if verdict.words else [each.text for each in prepared.evidence]
    read = windows(prepared.claim.text, texts, runs=0)
    if not read:
        return ""
    best = read[-1].sentences[0]
    return texts[best.text][best.start : best.end]


def refuted(judged: JudgedClaim, corrected: Verdict) -> JudgedClaim:
    """Return a claim as contradicted by what supports it with the source's facts instead."""
    if judged.verdict.outcome == "contradicted":
        return judged
    verdict = replace(
        judged.verdict, outcome="contradicted", words=corrected.words, span=corrected.span
    )
    return replace(judged, verdict=verdict)


def checked_claim(
    judged: JudgedClaim,
    sources: Sources,
    *,
    correction: Correction | None = None,
    better: Sequence[str] = (),
) -> CheckedClaim:
    """Return a judged claim as the report has it.

    Args:
        judged: The claim.
        sources: The sources.
        correction: Its correction, if there is one.
        better: The ids of sources that support it, although it does not cite them.
    """
    reply = judged.verdict
    return CheckedClaim(
        **_of_claim(judged.prepared),
        cited=judged.prepared.cited,
        verdict=reply.outcome,
        score=reply.score,
        judge=reply.judge,
        explanation=explanation(
            reply.outcome, reason=reply.reason, facts=judged.facts, better=better
        ),
        evidence=tuple(
            place_of(span, sources)
            for each in judged.prepared.evidence
            if (span := each.span(0, len(each.text))) is not None
        ),
        # No words decide that a claim is unsupported; the nearest ones are among the evidence.
        deciding=None if reply.outcome == "unsupported" else _deciding(reply.span, sources),
        differences=judged.facts,
        correction=correction,
    )


def set_aside_claim(prepared: PreparedClaim) -> CheckedClaim:
    """Return a claim that is not checkable, as the report has it."""
    reason = prepared.claim.set_aside or "no claim"
    return CheckedClaim(
        **_of_claim(prepared),
        set_aside=reason,
        cited=prepared.cited,
        explanation=SET_ASIDE[reason],
    )


def _of_claim(prepared: PreparedClaim) -> dict[str, Any]:
    claim = prepared.claim
    return {
        "number": prepared.number,
        "text": claim.text,
        "start": claim.start,
        "end": claim.end,
        "sentence_start": claim.sentence[0],
        "sentence_end": claim.sentence[1],
        "context": claim.context,
    }


def _deciding(span: Span | None, sources: Sources) -> Place | None:
    """Return the deciding words, if the judge says where they are, and a source has that place."""
    if span is None or span.source_id not in sources or not sources.slice(span):
        return None
    return place_of(span, sources)
