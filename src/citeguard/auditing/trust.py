"""How far a text can be trusted: `trust_of`."""

from __future__ import annotations

from collections.abc import Sequence

from citeguard.auditing.results import AuditedClaim, AuditVerdict, TrustScore

CONTRADICTED_WEIGHT = 1.5
"""How many supported claims a contradicted one outweighs: a wrong fact does harm, a missing one
does not help."""


def trust_of(claims: Sequence[AuditedClaim]) -> TrustScore | None:
    """Return how far a text with these claims can be trusted; `None` if none can be checked.

    100 × (supported + partly supported − 1.5 × contradicted) / checked, and never below 0, where
    the first three are sums of confidences. So 100 is a text all of which its sources certainly
    say. Claims that were not found, or are undecided, count among those checked and add nothing:
    a text of which the sources say nothing has a score of 0. What is not checkable is left out.

    Examples:
        >>> trust_of([]) is None
        True
    """
    checked = [claim for claim in claims if claim.verdict != "not_checkable"]
    if not checked:
        return None
    supported = _sum(checked, "supported")
    partly = _sum(checked, "partly_supported")
    contradicted = _sum(checked, "contradicted")
    balance = (supported + partly - CONTRADICTED_WEIGHT * contradicted) / len(checked)
    return TrustScore(
        value=round(100 * min(1.0, max(0.0, balance)), 1),
        checked=len(checked),
        supported=round(supported, 3),
        partly_supported=round(partly, 3),
        contradicted=round(contradicted, 3),
        undecided=sum(claim.verdict == "undecided" for claim in checked),
    )


def _sum(claims: Sequence[AuditedClaim], verdict: AuditVerdict) -> float:
    return sum(claim.confidence or 0.0 for claim in claims if claim.verdict == verdict)
