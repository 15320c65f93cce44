"""The parts of a report, made of what was found out: `audited_claim`."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from citeguard.auditing.concluding import concluded, confidence_in
from citeguard.auditing.examining import Judged, Opened
from citeguard.auditing.explaining import SET_ASIDE, explanation
from citeguard.auditing.labels import BY_URGENCY
from citeguard.auditing.places import AuditedPage, AuditedSource, Place
from citeguard.auditing.results import AuditedClaim, Correction
from citeguard.documents.pdf.pictures import page_picture
from citeguard.judges.verdicts import Verdict
from citeguard.sources.collection import Source, Sources, Span
from citeguard.sources.layout import Box, Layout, Page

_MOST_PICTURES = 40
"""Pages that a report shows: some 4 MB of pictures, and a second or two of drawing."""

_PagesById = Collection[tuple[str, int]]
"""The ids of sources with the numbers of pages."""


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


def audited_sources(sources: Sources, claims: Iterable[AuditedClaim]) -> tuple[AuditedSource, ...]:
    """Return sources as the report has them, with pictures of the pages that claims rest on.

    At most 40 pages are drawn: those of the claims that should be seen to first.

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
            pages=() if each.layout is None else tuple(_pages(each, each.layout, shown)),
        )
        for each in sources
    )


def _pages_by_urgency(claims: Iterable[AuditedClaim]) -> Iterable[tuple[str, int]]:
    """Return the pages with the foremost words of claims, each once, the most urgent first."""
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
