"""From a claim and what is asked about it to the claim of the report, and its sources beside it.

A `PreparedClaim` with its question becomes a `JudgedClaim`, and that an `AuditedClaim`.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from citeguard.auditing.claims.claim import Claim
from citeguard.auditing.discrepancies import (
    Quotation,
    altered_facts,
    differences,
    differing_facts,
    verdict_on_quotations,
)
from citeguard.auditing.explanations import SET_ASIDE, explanation
from citeguard.auditing.label_findings import LabelUse
from citeguard.auditing.marks import Mark
from citeguard.auditing.report import (
    BY_URGENCY,
    AuditedClaim,
    AuditedPage,
    AuditedSource,
    AuditVerdict,
    Correction,
    DifferingFact,
    Place,
)
from citeguard.documents.pdf.pictures import page_picture
from citeguard.facts import Contrast, ContrastKind
from citeguard.judges.verdicts import Evidence, SupportQuestion, Verdict
from citeguard.language.terms import terms
from citeguard.sources.collection import Source, Sources, Span
from citeguard.sources.layout import Box, Layout, Page
from citeguard.verifier.content import read
from citeguard.verifier.evidence import index_of

PARTLY_FROM = 0.35
"""The share of a claim's content words in one passage from which it is partly supported."""

_PLAIN: frozenset[ContrastKind] = frozenset(("number", "opposite", "negation", "roles"))


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
        contrasts: The differences of fact between it and the words that decide, if it may be wrong.
        facts: The same for people; for an altered quotation, what was altered.
    """

    prepared: PreparedClaim
    verdict: Verdict
    contrasts: tuple[Contrast, ...] = ()
    facts: tuple[DifferingFact, ...] = ()


def judged(prepared: PreparedClaim, verdict: Verdict) -> JudgedClaim:
    """Return a claim with a judge's verdict; a wrong quotation overrules it."""
    on_quotations = verdict_on_quotations(prepared.quotations)
    if on_quotations is not None:
        facts = altered_facts(prepared.quotations)
        return JudgedClaim(prepared=prepared, verdict=on_quotations, facts=facts)
    if verdict.outcome not in ("contradicted", "undecided") or not verdict.words:
        return JudgedClaim(prepared=prepared, verdict=verdict)
    found = differences(prepared.claim.text, verdict.words)
    return JudgedClaim(
        prepared=prepared, verdict=verdict, contrasts=found, facts=differing_facts(found)
    )


def differs_plainly(judged: JudgedClaim) -> bool:
    """Return whether a claim differs in nothing but numbers, opposites, negations and roles.

    An undecided claim of this kind is contradicted if its correction is supported. That is right
    for 50 of 55 such claims of SummEdits, but only for 21 of 36 that differ in names.
    """
    kinds = {contrast.kind for contrast in judged.contrasts}
    return bool(kinds) and kinds <= _PLAIN


def refuted(judged: JudgedClaim) -> JudgedClaim:
    """Return a claim as contradicted, since only its correction is supported."""
    return replace(judged, verdict=replace(judged.verdict, outcome="contradicted"))


def audited_claim(
    judged: JudgedClaim,
    sources: Sources,
    *,
    correction: Correction | None = None,
    better: Sequence[str] = (),
) -> AuditedClaim:
    """Return a judged claim as the report has it.

    Args:
        judged: The claim.
        sources: The sources.
        correction: Its correction, if there is one.
        better: The ids of sources that support it, although it does not cite them.
    """
    verdict, reply = concluded(judged), judged.verdict
    # No words decide that a claim is not found; the nearest ones are among the evidence.
    deciding = None if verdict == "not_found" else _deciding(reply, sources)
    return AuditedClaim(
        **_of_claim(judged.prepared),
        cited=judged.prepared.cited,
        verdict=verdict,
        confidence=confidence_in(verdict, reply.score),
        score=reply.score,
        judge=reply.judge,
        explanation=explanation(verdict, reason=reply.reason, facts=judged.facts, better=better),
        evidence=tuple(_evidence(judged.prepared, sources)),
        deciding=deciding,
        differences=judged.facts,
        correction=correction,
    )


def set_aside_claim(prepared: PreparedClaim) -> AuditedClaim:
    """Return a claim that is not checkable, as the report has it."""
    reason = prepared.claim.set_aside or "no claim"
    return AuditedClaim(
        **_of_claim(prepared),
        set_aside=reason,
        cited=prepared.cited,
        verdict="not_checkable",
        explanation=SET_ASIDE[reason],
    )


def concluded(judged: JudgedClaim) -> AuditVerdict:
    """Return the verdict for people on a judged claim."""
    outcome = judged.verdict.outcome
    if outcome != "unsupported":
        return outcome
    return "partly_supported" if _is_partly_supported(judged) else "not_found"


def _is_partly_supported(judged: JudgedClaim) -> bool:
    """Return whether the evidence says a good part of a claim, and has all of its facts.

    The "no" of a judge that gives no score is about all of the claim. A missing number or name is
    what the claim is about.
    """
    passages = tuple(each.text for each in judged.prepared.evidence)
    if judged.verdict.score is None or not passages:
        return False
    evidence = index_of(passages)
    words = read(judged.prepared.claim.text).words
    if not all(evidence.likeness(word.key) for word in words if word.kind != "word"):
        return False
    claim = {term.key for term in terms(judged.prepared.claim.text)}
    shared = max(len(claim & {term.key for term in terms(passage)}) for passage in passages)
    return bool(claim) and shared / len(claim) >= PARTLY_FROM


def confidence_in(verdict: AuditVerdict, score: float | None) -> float | None:
    """Return how sure a verdict is, 0 to 1: see `AuditedClaim.confidence`."""
    if verdict in ("undecided", "not_checkable"):
        return None
    if verdict == "supported":
        return 1.0 if score is None else score
    if verdict == "partly_supported":
        return None if score is None else 0.5 * score
    return 1.0 if score is None else 1.0 - score


def _of_claim(prepared: PreparedClaim) -> dict[str, Any]:
    claim = prepared.claim
    return {
        "number": prepared.number,
        "text": claim.text,
        "start": claim.start,
        "end": claim.end,
        "sentence_start": claim.sentence[0],
        "sentence_end": claim.sentence[1],
        "kind": claim.kind,
        "context": claim.context,
    }


def _evidence(prepared: PreparedClaim, sources: Sources) -> Iterator[Place]:
    for each in prepared.evidence:
        if (span := each.span(0, len(each.text))) is not None:
            yield _place(span, sources)


def _deciding(reply: Verdict, sources: Sources) -> Place | None:
    """Return the deciding words, if the judge says where they are, and a source has that place."""
    span = reply.span
    if span is None or span.source_id not in sources or not sources.slice(span):
        return None
    return _place(span, sources)


def _place(span: Span, sources: Sources) -> Place:
    found = sources.location_of(span)
    return Place(
        source_id=span.source_id,
        start=span.start,
        end=span.end,
        line=found.line,
        text=sources.slice(span),
        headings=found.headings,
        page=found.page,
        page_label=found.page_label,
        boxes=tuple(map(_rounded, found.boxes)),
    )


def _rounded(box: Box) -> Box:
    """Return a box in tenths of points, finer than any screen shows, and shorter to write."""
    return Box(box.page, *(round(edge, 1) for edge in (box.left, box.top, box.right, box.bottom)))


_MOST_PICTURES = 40
"""Pages that a report shows: some 4 MB of pictures, which take a second or two to draw."""

_PagesById = Collection[tuple[str, int]]
"""The ids of sources with the numbers of pages."""


def audited_sources(sources: Sources, claims: Iterable[AuditedClaim]) -> tuple[AuditedSource, ...]:
    """Return sources as the report has them, with pictures of the pages that claims rest on.

    At most 40 pages are drawn: those of the most urgent claims.

    Args:
        sources: The sources.
        claims: The report's claims.

    Raises:
        CiteguardError: a page of a PDF file cannot be drawn.
    """
    shown = frozenset(islice(_pages_by_urgency(claims), _MOST_PICTURES))
    return tuple(
        AuditedSource(
            id=each.id,
            text=each.text,
            title=each.title,
            url=each.url,
            kind=None if each.layout is None else each.layout.kind,
            headings=() if each.layout is None else each.layout.headings,
            pages=() if each.layout is None else tuple(_pages(each, each.layout, shown)),
        )
        for each in sources
    )


def _pages_by_urgency(claims: Iterable[AuditedClaim]) -> Iterable[tuple[str, int]]:
    """Return the pages with the foremost words of claims, each once, most urgent first."""
    ordered = sorted(claims, key=lambda claim: BY_URGENCY.index(claim.verdict))
    places = filter(None, (claim.foremost for claim in ordered))
    return dict.fromkeys((place.source_id, box.page) for place in places for box in place.boxes)


def _pages(source: Source, layout: Layout, shown: _PagesById) -> Iterator[AuditedPage]:
    starts: dict[int, int] = {}
    for line in layout.printed:
        starts.setdefault(line.page, line.start)
    for page in layout.pages:
        yield AuditedPage(
            number=page.number,
            label=page.label,
            width=page.width,
            height=page.height,
            start=starts.get(page.number),
            picture=_picture(layout, page) if (source.id, page.number) in shown else "",
        )


def _picture(layout: Layout, page: Page) -> str:
    drawn = None if layout.file is None else page_picture(layout.file, page.number)
    return "" if drawn is None else b64encode(drawn).decode()
