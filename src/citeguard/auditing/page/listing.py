"""Which claims the list of a page has: `pressing`."""

from __future__ import annotations

from citeguard.auditing.labels import BY_URGENCY
from citeguard.auditing.results import AuditedClaim, AuditResult

LISTED = 1_000
"""Entries of each list of a page, at most: of more, no reader and no printer sees the end."""


def pressing(report: AuditResult, most: int = LISTED) -> list[AuditedClaim]:
    """Return the claims that a reader should see to first, at most so many, in their order.

    Examples:
        >>> from citeguard.auditing.report import AuditReport
        >>> pressing(AuditReport(text="", sources=(), claims=()))
        []
    """
    if len(report.claims) <= most:
        return list(report.claims)
    first = sorted(report.claims, key=lambda claim: BY_URGENCY.index(claim.verdict))
    return sorted(first[:most], key=lambda claim: claim.number)
