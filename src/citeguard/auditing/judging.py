"""The claims of a text, judged batch by batch: `Judging`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from citeguard.auditing.bench import Bench
from citeguard.auditing.citing.findings import Probe, findings_on_claim, probes
from citeguard.auditing.citing.marks import Mark
from citeguard.auditing.claims.claim import Claim
from citeguard.auditing.composing import audited_claim, set_aside_claim
from citeguard.auditing.correcting import Proposal, proposed
from citeguard.auditing.examining import Judged, Opened, differs_plainly, judged, refuted
from citeguard.auditing.quotations import quotations, verdict_on_quotations
from citeguard.auditing.results import AuditedClaim, CitationFinding, Correction
from citeguard.judges.loops import in_thread
from citeguard.judges.verdicts import SupportQuestion, Verdict

Marked = tuple[int, Claim, Sequence[Mark]]
"""A claim with its number, from 1, and its citation marks."""


@dataclass(slots=True)
class Judging:
    """The judging of the claims of one text.

    Attributes:
        text: The text.
        bench: Who judges, and what is shown of the sources.
        opened: The claims so far.
        claims: The same, as they were judged.
        findings: What is wrong with their citations.
    """

    text: str
    bench: Bench
    opened: list[Opened] = field(default_factory=list[Opened])
    claims: list[AuditedClaim] = field(default_factory=list[AuditedClaim])
    findings: list[CitationFinding] = field(default_factory=list[CitationFinding])

    async def judge(self, batch: Sequence[Marked]) -> list[AuditedClaim]:
        """Judge further claims, side by side, and return them.

        Raises:
            CiteguardError: the set-up of a judge is wrong.
        """
        opened = await in_thread(self._open, batch)
        said = await self._first_verdicts(opened)
        corrections = await self._corrections(said)
        said = [refuted(each) if each.opened.number in corrections else each for each in said]
        findings = await self._findings(said)
        better = {finding.claims[0]: finding.better for finding in findings}
        audited = {
            each.opened.number: audited_claim(
                each,
                self.bench.sources,
                correction=corrections.get(each.opened.number),
                better=better.get(each.opened.number, ()),
            )
            for each in said
        }
        claims = [audited.get(each.number) or set_aside_claim(each) for each in opened]
        self.opened.extend(opened)
        self.findings.extend(findings)
        self.claims.extend(claims)
        return claims

    def _open(self, batch: Sequence[Marked]) -> list[Opened]:
        return [self._opened(*each) for each in batch]

    def _opened(self, number: int, claim: Claim, marks: Sequence[Mark]) -> Opened:
        opened = Opened(number=number, claim=claim, marks=marks)
        if claim.set_aside is not None:
            return opened
        return Opened(
            number=number,
            claim=claim,
            marks=marks,
            quotations=quotations(claim.text, self.bench.sources, opened.cited),
            question=self.bench.question(claim, opened.cited),
        )

    async def _first_verdicts(self, opened: Iterable[Opened]) -> list[Judged]:
        asked = [(each, each.question) for each in opened if each.question is not None]
        said = await self.bench.ask([question for _, question in asked])
        return [judged(each, verdict) for (each, _), verdict in zip(asked, said, strict=True)]

    async def _corrections(self, said: Iterable[Judged]) -> dict[int, Correction]:
        """Return the corrections, by the number of their claims, that are found to be supported."""
        drafts = [(each, proposal) for each in said if (proposal := self._proposal(each))]
        verdicts = await self.bench.ask([_anew(each, draft) for each, draft in drafts])
        return {
            each.opened.number: _correction(draft, verdict)
            for (each, draft), verdict in zip(drafts, verdicts, strict=True)
            if verdict.outcome == "supported"
        }

    def _proposal(self, each: Judged) -> Proposal | None:
        doubtful = each.verdict.outcome == "undecided" and differs_plainly(each)
        if each.verdict.outcome != "contradicted" and not doubtful:
            return None
        return proposed(self.text, each.opened.claim, each.verdict.words, each.contrasts)

    async def _findings(self, said: Sequence[Judged]) -> list[CitationFinding]:
        sources = self.bench.sources
        asked = [(each, probe) for each in said for probe in probes(each, sources)]
        questions = await in_thread(self._questions, asked)
        verdicts = await self.bench.ask(questions)
        found = {probe: verdict for (_, probe), verdict in zip(asked, verdicts, strict=True)}
        return [finding for each in said for finding in findings_on_claim(each, sources, found)]

    def _questions(self, asked: Iterable[tuple[Judged, Probe]]) -> list[SupportQuestion | Verdict]:
        return [self._question(each.opened.claim, probe.source_ids) for each, probe in asked]

    def _question(self, claim: Claim, ids: Sequence[str]) -> SupportQuestion | Verdict:
        """Return what is asked about a claim and some sources, of which none may alter a quote."""
        found = quotations(claim.text, self.bench.sources, ids)
        return verdict_on_quotations(found) or self.bench.question(claim, ids)


def _anew(each: Judged, draft: Proposal) -> SupportQuestion:
    """Ask about a corrected claim by the passage that it is corrected by, and by nothing else."""
    passages = [passage for passage in each.opened.evidence if each.verdict.words in passage.text]
    return SupportQuestion(statement=draft.claim, evidence=tuple(passages[:1]))


def _correction(draft: Proposal, verdict: Verdict) -> Correction:
    return Correction(
        claim=draft.claim,
        sentence=draft.sentence,
        replacements=draft.replacements,
        score=verdict.score,
    )
