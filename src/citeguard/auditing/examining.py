"""A claim on its way through an audit: `Opened` with its question, then `Judged`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from citeguard.auditing.claims.claim import Claim
from citeguard.auditing.facts import differences, differing_facts
from citeguard.auditing.marks import Mark
from citeguard.auditing.quotations import Quotation, altered_facts, verdict_on_quotations
from citeguard.auditing.report import DifferingFact
from citeguard.sources import Span
from citeguard.text.contrast import Contrast
from citeguard.verdicts import Evidence, SupportQuestion, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A claim, what it cites and quotes, and what the judges are asked about it.

    Attributes:
        number: Which claim of the text it is, from 1.
        claim: The claim.
        marks: The citation marks that are its own.
        quotations: What it has in quotation marks.
        question: What is asked, or the verdict where there is nothing to ask; `None` if it is not
            checkable.
    """

    number: int
    claim: Claim
    marks: Sequence[Mark] = ()
    quotations: Sequence[Quotation] = ()
    question: SupportQuestion | Verdict | None = None

    @property
    def cited(self) -> tuple[str, ...]:
        """The ids of the sources that its marks name, each once."""
        return tuple(dict.fromkeys(cited for mark in self.marks for cited in mark.cited))

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What the judges are shown."""
        return self.question.evidence if isinstance(self.question, SupportQuestion) else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A claim with what was said of it.

    Attributes:
        opened: The claim.
        verdict: What was said.
        contrasts: The differences of fact between it and the words that decide, if it may be wrong.
        facts: The same for people; of an altered quotation what is altered.
    """

    opened: Opened
    verdict: Verdict
    contrasts: tuple[Contrast, ...] = ()
    facts: tuple[DifferingFact, ...] = ()


def judged(opened: Opened, verdict: Verdict) -> Judged:
    """Return a claim with a judge's verdict, or with that on what it quotes, if that is worse."""
    on_quotations = verdict_on_quotations(opened.quotations)
    if on_quotations is not None:
        facts = altered_facts(opened.quotations)
        return Judged(opened=opened, verdict=on_quotations, facts=facts)
    if verdict.outcome not in ("contradicted", "undecided"):
        return Judged(opened=opened, verdict=verdict)
    found = _contrasts(opened, verdict)
    return Judged(opened=opened, verdict=verdict, contrasts=found, facts=differing_facts(found))


def _contrasts(opened: Opened, verdict: Verdict) -> tuple[Contrast, ...]:
    """Return where a claim differs from the deciding words, else from the passage around them."""
    claim = opened.claim.text
    found = differences(claim, verdict.words) if verdict.words else ()
    if found or verdict.span is None:
        return found
    around = (each.text for each in opened.evidence if _holds(each, verdict.span))
    return next((differences(claim, text) for text in around), ())


def _holds(passage: Evidence, span: Span) -> bool:
    end = passage.start + len(passage.text)
    return passage.source_id == span.source_id and passage.start <= span.start < end
