"""Audit a text claim by claim: `audit`, `aaudit`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import replace
from functools import partial
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Any, cast

from citeguard.auditing.claims import Claim, ClaimExtractor, Extraction, LocalClaims, require_fit
from citeguard.auditing.conclusions import (
    OpenClaim,
    Probe,
    better_sources,
    findings_on_citations,
    findings_on_retractions,
    probes,
    proposed,
    quotations,
    verdict_on_quotations,
)
from citeguard.auditing.marks import Mark, find_marks, marks_of, without_marks
from citeguard.auditing.references import without_references
from citeguard.errors import (
    CiteguardError,
    InvalidSourcesError,
    check_function,
    check_kind,
    check_text,
)
from citeguard.facts.aligned import WORD_FOR_WORD, quoted
from citeguard.judges.cascade import Pending, Session, stages_of_models
from citeguard.judges.loops import in_thread, run_sync
from citeguard.judges.verdicts import JudgeFailedError, SupportQuestion, Verdict
from citeguard.language.citations import is_retracted_title
from citeguard.reports.places import checked_sources, with_places
from citeguard.reports.report import CheckedClaim, Correction, Report, Uncovered, trust_of
from citeguard.sources.collection import Source, Sources, Span, as_sources
from citeguard.sources.layout import Layout
from citeguard.validation.policy import Policy, grounded, policy_of, reader_judge
from citeguard.validation.support import (
    NOTHING_FOUND,
    found_evidence,
    question_about,
    undecided_search,
)

if TYPE_CHECKING:
    from citeguard.auditing.links import LinkChecker, Links
    from citeguard.web.works import PageFetcher

Progress = Callable[[int, int], object]
"""Called with the number of claims done, and the number of all claims."""

OnClaim = Callable[[CheckedClaim], object]
"""Called with a claim that has been judged."""

_BATCH = 64  # claims that are judged together
_FIRST_BATCH = 10  # smaller, so that the first claims are known early


def audit(
    text: str | Source,
    sources: Any = None,
    *,
    links: PageFetcher | LinkChecker | None = None,
    policy: Policy | None = None,
    extractor: ClaimExtractor | None = None,
    progress: Progress | None = None,
    on_claim: OnClaim | None = None,
    cite: Mapping[str, str] | None = None,
) -> Report:
    """Report claim by claim what the sources say about a text, and how far it can be trusted.

    Without a policy and an extractor no model is called, and the same text always gets the same
    report. A claim is judged by passages of the sources that its citation marks name; without
    marks, by the passages of all sources that fit it best. Four or more words in quotation marks
    must also appear in these sources.

    Judges are asked once about each claim and again about each correction. Where the cited sources
    do not support a claim, they are asked about the others; where it cites several, about each of
    them alone and about the rest without it. Waits for the judges: in an event loop use `aaudit`.

    With `links`, every link of the text and every DOI, arXiv number and address in its list of
    references is looked up, each once, and what was read is a source of the claims beside it. A
    claim that links to a page that could not be read is undecided, never unsupported.

    Args:
        text: The text of a language model, or of anybody; or a `Source`, such as one read from a
            file: then claims say where they are in it, by page, headings or line.
        sources: Whatever `Sources` accepts; may be omitted if links are read.
        links: What fetches pages, such as a `Fetcher`, or a `LinkChecker`, which says more.
        policy: Who judges (`support`; by default the reader), how passages are
            retrieved (`passages`, `retriever`), and what that may cost (`budget`). The rest of it
            is ignored.
        extractor: What finds the claims; by default `LocalClaims()`.
        progress: Called with the number of claims done, and the number of all claims.
        on_claim: Called with each claim as soon as it is judged, in the order of the text; an
            exception that it raises ends the audit.
        cite: Keys of citation marks, such as "17" or "nakamoto2008", with the ids of the sources
            that they name. Without it, the text's own list of references says which source a key
            names, and without a list, the ids and the order of the sources.

    Raises:
        CiteguardError: the text is not a string, or has a lone surrogate; a judge, the extractor or
            the fetcher is misconfigured; or what the extractor returns does not fit the text.
        UndecidedError: the language model that should find the claims gave no usable reply.
        InvalidSourcesError: see `Sources`; or there are neither sources nor links.
        UnknownSourceError: an id in `cite` is that of no source.

    Examples:
        >>> from citeguard import audit
        >>> report = audit("The shop opens at nine [1]. Is it?", ["The shop opens at ten."])
        >>> [claim.verdict for claim in report.claims]
        ['contradicted', None]
    """
    auditing = aaudit(
        text,
        sources,
        links=links,
        policy=policy,
        extractor=extractor,
        progress=progress,
        on_claim=on_claim,
        cite=cite,
    )
    return run_sync(auditing)


async def aaudit(
    text: str | Source,
    sources: Any = None,
    *,
    links: PageFetcher | LinkChecker | None = None,
    policy: Policy | None = None,
    extractor: ClaimExtractor | None = None,
    progress: Progress | None = None,
    on_claim: OnClaim | None = None,
    cite: Mapping[str, str] | None = None,
) -> Report:
    """Do what `audit` does, without blocking the event loop."""
    file, text = (text, text.text) if isinstance(text, Source) else (None, text)
    check_text("audit(text)", text, required=True, whole=True)
    check_function("audit(progress=...)", progress)
    check_function("audit(on_claim=...)", on_claim)
    check_kind("audit(extractor=...)", extractor, ClaimExtractor)
    check_kind("audit(cite=...)", cite, Mapping)
    everything, read = await _with_links(text, sources, links)
    given = {key: everything[source_id].id for key, source_id in (cite or {}).items()}
    linked = read and read.linked
    # In threads, as a long text takes a while and must not block the event loop.
    marks = await in_thread(partial(find_marks, cite=given, linked=linked), text, everything)
    if read is not None:
        everything, marks = read.sources(everything), [*map(read.split, marks)]
    # Only with the sources at hand can a mark be distinguished from words in brackets.
    words = without_references(without_marks(text, marks))
    extraction = await in_thread(_extracted, words, extractor or LocalClaims())
    if file is not None and file.layout is not None:
        extraction = _without_heads(extraction, file.layout)
    auditing = _Audit(text, everything, policy, marks, read)
    for batch in auditing.batches(extraction.claims):
        for claim in await auditing.judge(batch):
            if on_claim is not None:
                on_claim(claim)
        if progress is not None:
            progress(len(auditing.claims), len(extraction.claims))
    # In a thread, since pages are drawn.
    report = await in_thread(auditing.report, extraction)
    return report if file is None else with_places(report, file)


class _Audit:
    """The audit of one text: its judges, the claims so far, and the verdicts on their citations."""

    def __init__(
        self,
        text: str,
        sources: Sources,
        policy: Policy | None,
        marks: Sequence[Mark],
        links: Links | None,
    ) -> None:
        self.claims: list[CheckedClaim] = []
        self._text, self._sources, self._marks, self._links = text, sources, marks, links
        self._grounding = grounded(sources, policy)
        rules = policy_of(self._grounding)
        self._judges = rules.judges or (reader_judge(),)
        self._session = Session(rules.budget)
        self._judged: list[OpenClaim] = []
        self._verdicts: dict[Probe, Verdict] = {}

    def batches(self, claims: Sequence[Claim]) -> Iterator[list[OpenClaim]]:
        """Yield claims with their numbers, from 1, and marks, as many as are judged together."""
        owned = zip(claims, marks_of(claims, self._marks, self._text), strict=True)
        numbered = enumerate(owned, 1)
        prepared = (OpenClaim(number=n, claim=claim, marks=own) for n, (claim, own) in numbered)
        for size in chain([_FIRST_BATCH], repeat(_BATCH)):
            if not (batch := list(islice(prepared, size))):
                return
            yield batch

    async def judge(self, batch: Sequence[OpenClaim]) -> list[CheckedClaim]:
        """Judge further claims concurrently, and return them."""
        prepared = await in_thread(lambda: [self._with_question(each) for each in batch])
        asked = [(each, each.question) for each in prepared if each.question is not None]
        verdicts = await self._ask([question for _, question in asked])
        judged = [each.judged(verdict) for (each, _), verdict in zip(asked, verdicts, strict=True)]
        if self._links is not None:
            judged = [*map(self._links.settled, judged)]
        corrected = await self._corrections(judged)
        judged = [
            each.refuted(corrected[each.number][1]) if each.number in corrected else each
            for each in judged
        ]
        await self._ask_about_citations(judged)
        by_number = {each.number: each for each in judged}
        every = [by_number.get(each.number, each) for each in prepared]
        claims = [
            each.checked(
                self._sources,
                corrected.get(each.number, (None,))[0],
                better_sources(each, self._sources, self._verdicts) or (),
            )
            for each in every
        ]
        self._judged += every
        self.claims += claims
        return claims

    def report(self, extraction: Extraction) -> Report:
        """Return the report on the claims so far."""
        sources, links = self._sources, self._links
        about = self._marks, self._judged, self.claims
        findings = list(findings_on_citations(*about, self._verdicts, sources))
        if links is not None:
            wrong = (each for each in findings if each.problem == "wrong_source")
            misplaced = frozenset(number for each in wrong for number in each.claims)
            findings += links.findings(*about, misplaced)
        titled = (each.id for each in sources if is_retracted_title(each.title or ""))
        retracted = dict.fromkeys(titled, "its title says so") | (links.retracted if links else {})
        findings += findings_on_retractions(*about, retracted)
        unread = links.unread if links else ()
        checked = checked_sources(sources, self.claims)
        return Report(
            text=self._text,
            sources=tuple(each for each in checked if each.id not in unread),
            claims=tuple(self.claims),
            findings=tuple(sorted(findings, key=lambda each: (each.start, each.end))),
            links=links.audited() if links else (),
            uncovered=tuple(Uncovered(start=start, end=end) for start, end in extraction.uncovered),
            trust=trust_of(self.claims),
            models=stages_of_models(self._judges, self._session.usage),
        )

    def _with_question(self, prepared: OpenClaim) -> OpenClaim:
        claim = prepared.claim
        if claim.set_aside is not None:
            return prepared
        # A page that was not read must not make its claims unsupported.
        if self._links and (verdict := self._links.without_evidence(prepared)):
            return replace(prepared, question=verdict)
        return replace(
            prepared,
            quotations=quotations(claim.text, self._sources, prepared.cited),
            question=self._question(claim, prepared.cited),
        )

    def _question(self, claim: Claim, source_ids: Sequence[str]) -> SupportQuestion | Verdict:
        """Return the question about a claim, or the verdict where there is nothing to ask.

        Passages of the sources named are shown, or else of all.
        """
        # In whole sources: a search may not find the sentence among its passages.
        if (proof := self._proof(claim.text, source_ids or self._sources.ids)) is not None:
            return proof
        # "It has 12 rooms" is searched for with the sentence that says what has them.
        query = f"{claim.context} {claim.text}".strip()
        try:
            evidence = found_evidence(query, self._grounding, list(source_ids) or None)
        except JudgeFailedError as error:
            return undecided_search(error)
        return question_about(claim.text, evidence) if evidence else NOTHING_FOUND

    def _proof(self, claim: str, source_ids: Sequence[str]) -> Verdict | None:
        """Return that a claim is supported, if a source has it word for word: no judge is asked."""
        place = quoted(claim, [self._sources[each].prepared for each in source_ids])
        if place is None or not place.proves:
            return None
        span = Span(source_ids[place.text], place.start, place.end)
        words = self._sources.slice(span)
        return Verdict(
            "supported", reason=WORD_FOR_WORD, score=1.0, words=words, span=span, judge="verbatim"
        )

    async def _ask(self, questions: Sequence[SupportQuestion | Verdict]) -> list[Verdict]:
        """Return the verdict on each question, in order; all are judged concurrently."""
        open_questions = [each for each in questions if not isinstance(each, Verdict)]
        asked = [Pending(self._judges, each) for each in open_questions]
        verdicts = iter(await self._session.settle(asked))
        return [each if isinstance(each, Verdict) else next(verdicts) for each in questions]

    async def _corrections(
        self, judged: Iterable[OpenClaim]
    ) -> dict[int, tuple[Correction, Verdict]]:
        """Return the corrections that are supported, and by what, by the number of their claims.

        They are judged by the same evidence; of a question that has none, nothing differs.
        """
        drafts = [
            (each, draft)
            for each in judged
            if (draft := proposed(self._text, each.claim, each.differences)) is not None
            and each.may_be_refuted  # which reads the evidence once more
        ]
        verdicts = await self._ask(
            [
                SupportQuestion(statement=draft.claim, evidence=each.evidence)
                for each, draft in drafts
            ]
        )
        return {
            each.number: (draft.model_copy(update={"score": verdict.score}), verdict)
            for (each, draft), verdict in zip(drafts, verdicts, strict=True)
            if verdict.outcome == "supported"
        }

    async def _ask_about_citations(self, judged: Sequence[OpenClaim]) -> None:
        # Of what was not read as a whole, nobody can say that another source is better, or that it
        # is not needed.
        asked = [
            (each.claim, probe)
            for each in judged
            if not (self._links and self._links.unsettled(each))
            for probe in probes(each, self._sources)
        ]

        def question(claim: Claim, probe: Probe) -> SupportQuestion | Verdict:
            # These sources must also have the quotations of the claim.
            found = quotations(claim.text, self._sources, probe.source_ids)
            return verdict_on_quotations(found) or self._question(claim, probe.source_ids)

        questions = await in_thread(lambda: [question(*each) for each in asked])
        verdicts = await self._ask(questions)
        self._verdicts.update(zip((probe for _, probe in asked), verdicts, strict=True))


async def _with_links(
    text: str, sources: Any, links: PageFetcher | LinkChecker | None
) -> tuple[Sources, Links | None]:
    """Return the sources of an audit with whatever its links lead to, and the links, if read."""
    if links is None:
        return as_sources(sources), None
    # So that nobody who does not read links loads what fetches pages.
    from citeguard.auditing.links import LinkChecker, read_links

    checker = links if isinstance(links, LinkChecker) else LinkChecker(fetcher=links)
    # An empty list is no mistake beside links.
    is_given = sources is not None and not (isinstance(sources, Sized) and not len(sources))
    given = as_sources(sources) if is_given else None
    read = await read_links(text, given, checker)
    everything = [*(given or ()), *read.read, *read.placeholders]
    if not everything:
        raise InvalidSourcesError("no sources were given, and the text has no links to read")
    return Sources(everything), read


def _without_heads(extraction: Extraction, layout: Layout) -> Extraction:
    """Set aside what the file that a text was read from marks as a heading, of text or a table."""
    headings = [(heading.start, heading.end) for heading in layout.headings]

    def is_head(claim: Claim) -> bool:
        cells = layout.cells_in(claim.start, claim.end)
        within = any(start <= claim.start and claim.end <= end for start, end in headings)
        return within or (bool(cells) and all(cell.is_header for cell in cells))

    claims = (
        replace(claim, set_aside="heading") if is_head(claim) else claim
        for claim in extraction.claims
    )
    return replace(extraction, claims=tuple(claims))


def _extracted(text: str, extractor: ClaimExtractor) -> Extraction:
    extractions: Any = extractor.extract([text])
    if not (isinstance(extractions, (list, tuple)) and len(cast("list[Any]", extractions)) == 1):
        raise CiteguardError(f"{extractor!r}: expected one extraction for one text")
    [extraction] = cast("list[Extraction]", extractions)
    require_fit(extraction, text)
    return extraction
