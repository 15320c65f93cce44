"""What judges say, put as verdicts for people: `concluded`."""

from __future__ import annotations

from citeguard.auditing.examining import Judged
from citeguard.auditing.quotations import JUDGE
from citeguard.auditing.report import AuditVerdict
from citeguard.text.contrast.pair import Pair
from citeguard.text.reading.words import read

PARTLY_FROM = 0.35
"""The share of a claim's content words in one passage from which it is partly supported."""


def concluded(judged: Judged) -> AuditVerdict:
    """Return the verdict for people on a claim that was judged."""
    outcome = judged.verdict.outcome
    if outcome != "unsupported":
        return outcome
    said = judged.verdict.judge != JUDGE and share_said(judged) >= PARTLY_FROM
    return "partly_supported" if said else "not_found"


def share_said(judged: Judged) -> float:
    """Return the largest share of a claim's content words that one passage has, 0 to 1."""
    claim = read(judged.opened.claim.text)
    shares = (Pair(claim, read(each.text)).coverage for each in judged.opened.evidence)
    return max(shares, default=0.0)


def confidence_in(verdict: AuditVerdict, score: float | None) -> float | None:
    """Return how sure a verdict is, 0 to 1: see `AuditedClaim.confidence`."""
    if verdict in ("undecided", "not_checkable"):
        return None
    if verdict == "supported":
        return 1.0 if score is None else score
    if verdict == "partly_supported":
        return 0.5 * (0.5 if score is None else score)
    return 1.0 if score is None else 1.0 - score
