"""A claim on its way through an audit: `PreparedClaim` with its question, then `JudgedClaim`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from citeguard.auditing.citing.marks import Mark
from citeguard.auditing.claims.claim import Claim
from citeguard.auditing.differences import differences, differing_facts
from citeguard.auditing.quotations import Quotation, altered_facts, verdict_on_quotations
from citeguard.auditing.results import DifferingFact
from citeguard.facts import Contrast, ContrastKind
from citeguard.judges.verdicts import Evidence, SupportQuestion, Verdict

_PLAIN: frozenset[ContrastKind] = frozenset(("number", "opposite", "negation"))


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedClaim:
    """A claim, what it cites and quotes, and what the judges are asked about it.

    Attributes:
        number: Which claim of the text it is, from 1.
        claim: The claim.
        marks: Its citation marks.
        quotations: Its words in quotation marks.
        question: What is asked, or the verdict where there is nothing to ask; `None` if the claim
            is not checkable.
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
    """Return whether a claim differs in nothing but numbers, opposites and negations.

    An undecided claim of this kind is contradicted if its correction is supported. That is right
    for 50 of 55 such claims of SummEdits, but only for 21 of 36 that differ in names.
    """
    kinds = {contrast.kind for contrast in judged.contrasts}
    return bool(kinds) and kinds <= _PLAIN


def refuted(judged: JudgedClaim) -> JudgedClaim:
    """Return a claim as contradicted, since only its correction is supported."""
    return replace(judged, verdict=replace(judged.verdict, outcome="contradicted"))
