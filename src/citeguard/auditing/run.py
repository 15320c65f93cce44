"""Audit a text claim by claim: `audit`, `aaudit`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice, repeat
from typing import Any, cast

from citeguard.auditing.bench import Bench
from citeguard.auditing.citing.findings import findings_on_marks, in_order
from citeguard.auditing.citing.marks import Mark, find_marks, marks_of, without_marks
from citeguard.auditing.claims.claim import ClaimExtractor, Extraction, require_fit
from citeguard.auditing.claims.local import LocalClaims
from citeguard.auditing.composing import audited_sources
from citeguard.auditing.judging import Judging, Marked
from citeguard.auditing.report import AuditReport
from citeguard.auditing.results import AuditedClaim, Uncovered
from citeguard.auditing.trust import trust_of
from citeguard.errors import CiteguardError
from citeguard.judges.loops import in_thread, run_sync
from citeguard.sources.collection import Sources
from citeguard.validation.policy import Policy

Progress = Callable[[int, int], object]
"""Is told how many claims are done, of how many."""

OnClaim = Callable[[AuditedClaim], object]
"""Is given a claim that has been judged."""

_SIDE_BY_SIDE = 64  # claims that are judged together
_FIRST = 10  # the same at the start, so that the first ones are known early
_LOCAL = LocalClaims()
_SURROGATE = re.compile("[\ud800-\udfff]")


def audit(
    text: str,
    sources: Any,
    *,
    policy: Policy | None = None,
    extractor: ClaimExtractor | None = None,
    progress: Progress | None = None,
    on_claim: OnClaim | None = None,
) -> AuditReport:
    """Tell of a text, claim by claim, whether its sources say so, and how far it can be trusted.

    Without a policy and an extractor no model is called, and the same text always gets the same
    report. A claim is judged by passages of the sources that its citation marks name; if there are
    none, by those of all sources that fit it best. Words in quotation marks, four or more, must
    stand in these sources besides.

    Judges are asked once about a claim, again about a correction, and, where the sources cited do
    not bear it out, about the others; where several are cited together, about each by itself, and
    about the rest without it. Waits for the judges: in an event loop use `aaudit`.

    Args:
        text: What a language model, or anybody, has written.
        sources: Whatever `Sources` accepts.
        policy: Who judges (`support`; the embedded verifier when it names nobody), how passages are
            retrieved (`passages`, `retriever`), and what that may cost (`budget`). The rest of it
            is not used.
        extractor: Who finds the claims; by default `LocalClaims()`.
        progress: Is called with the number of claims done, and that of all claims.
        on_claim: Is called with each claim as soon as it is judged, in the order of the text; what
            it raises ends the audit.

    Raises:
        CiteguardError: the text is no text, or has half a character (a lone surrogate); or the
            set-up of a judge or the extractor is wrong, or what it returns does not fit the text.
        UndecidedError: a language model that is to find the claims gave no reply that can be read.
        InvalidSourcesError: see `Sources`.

    Examples:
        >>> from citeguard import audit
        >>> report = audit("It opens at nine [1]. I love it!", ["The shop opens at ten."])
        >>> [claim.verdict for claim in report.claims]
        ['contradicted', 'not_checkable']
    """
    auditing = aaudit(
        text, sources, policy=policy, extractor=extractor, progress=progress, on_claim=on_claim
    )
    return run_sync(auditing)


async def aaudit(
    text: str,
    sources: Any,
    *,
    policy: Policy | None = None,
    extractor: ClaimExtractor | None = None,
    progress: Progress | None = None,
    on_claim: OnClaim | None = None,
) -> AuditReport:
    """Do what `audit` does, without blocking the event loop."""
    _require_text(text)
    if not _can_extract(extractor):
        raise CiteguardError(f"audit(extractor=...): {extractor!r} is no extractor of claims")
    prepared = sources if isinstance(sources, Sources) else Sources(sources)
    marks = await in_thread(find_marks, text, prepared)
    # Marks are no words of a claim, and only who knows the sources can tell them from words.
    words = without_marks(text, marks)
    extraction = await in_thread(_extracted, words, extractor or _LOCAL)
    judging = Judging(text, Bench(prepared, policy))
    for batch in _batches(extraction, marks, text):
        for claim in await judging.judge(batch):
            if on_claim is not None:
                on_claim(claim)
        if progress is not None:
            progress(len(judging.claims), len(extraction.claims))
    return await in_thread(_report, judging, extraction, marks)  # pages are drawn


def _require_text(text: Any) -> None:
    if not isinstance(text, str):
        raise CiteguardError(f"audit(...): the text must be a string, not {type(text).__name__}")
    if (surrogate := _SURROGATE.search(text)) is not None:
        place = surrogate.start()
        raise CiteguardError(f"audit(...): the text has half a character at {place:,}: not Unicode")


def _can_extract(extractor: Any) -> bool:
    is_one = isinstance(extractor, ClaimExtractor) and not isinstance(extractor, type)
    return extractor is None or is_one


def _extracted(text: str, extractor: ClaimExtractor) -> Extraction:
    extractions: Any = extractor.extract([text])
    if not (isinstance(extractions, (list, tuple)) and len(cast("list[Any]", extractions)) == 1):
        raise CiteguardError(f"{extractor!r}: one extraction is due for one text")
    [extraction] = cast("list[Extraction]", extractions)
    require_fit(extraction, text)
    return extraction


def _batches(
    extraction: Extraction, marks: Sequence[Mark], text: str
) -> Iterator[Sequence[Marked]]:
    owned = marks_of(extraction.claims, marks, text)
    marked = zip(range(1, len(owned) + 1), extraction.claims, owned, strict=True)
    for size in chain([_FIRST], repeat(_SIDE_BY_SIDE)):
        if not (batch := list(islice(marked, size))):
            return
        yield batch


def _report(judging: Judging, extraction: Extraction, marks: Sequence[Mark]) -> AuditReport:
    sources = judging.bench.sources
    on_marks = findings_on_marks(marks, judging.opened, sources)
    return AuditReport(
        text=judging.text,
        sources=audited_sources(sources, judging.claims),
        claims=tuple(judging.claims),
        findings=in_order([*on_marks, *judging.findings]),
        uncovered=tuple(Uncovered(start=start, end=end) for start, end in extraction.uncovered),
        trust=trust_of(judging.claims),
    )
