"""How well evidence supports a statement: as well as it supports the weakest sentence."""

from __future__ import annotations

from dataclasses import dataclass

from citeguard.facts import Contrast, contrasts
from citeguard.language.windows import sentence_windows
from citeguard.verifier.differences import CLAIMS_MORE, is_conflict
from citeguard.verifier.evidence import EvidenceIndex
from citeguard.verifier.features import Measured, Misplaced, Rarity, measure
from citeguard.verifier.model import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredClaim:
    """A sentence of a statement, and the probability, 0 to 1, that the evidence supports it."""

    measured: Measured
    score: float

    @property
    def conflicts(self) -> tuple[Contrast, ...]:
        """The contrasts whose two sides cannot both be true."""
        return tuple(each for each in self.measured.contrasts if is_conflict(each))

    @property
    def misplaced(self) -> Misplaced | None:
        """The first value of the claim that the evidence has for something else."""
        return next(iter(self.measured.misplaced), None)

    def is_contradicted_by(self, words: str) -> bool:
        """Return whether the claim conflicts with `words` themselves, not only their context."""
        return bool(self.conflicts) and any(map(is_conflict, contrasts(self.measured.claim, words)))

    @property
    def differences(self) -> tuple[Contrast, ...]:
        """The contrasts that a reader should see before a statement passes, conflicts first."""
        claims_more = (each for each in self.measured.contrasts if each.kind in CLAIMS_MORE)
        return (*self.conflicts, *claims_more)


def weakest_claim(statement: str, evidence: EvidenceIndex, model: Model) -> ScoredClaim | None:
    """Return the sentence with the lowest score, or `None` if no sentence has content words."""
    scored = [
        ScoredClaim(measured=measured, score=model.score(measured.features))
        for measured in measured_claims(statement, evidence, model.rarity_of)
    ]
    return min(scored, key=lambda claim: claim.score, default=None)


def measured_claims(statement: str, evidence: EvidenceIndex, rarity: Rarity) -> list[Measured]:
    """Measure the sentences of a statement, each once, except those without content words."""
    windows = sentence_windows(statement, size=1, overlap=0)
    claims = dict.fromkeys(statement[start:end] for start, end in windows)
    measured = (measure(claim, evidence, rarity) for claim in claims)
    return [each for each in measured if each is not None]
