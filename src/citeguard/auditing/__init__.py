"""Audits of free text: what it claims, what the sources say, and how far it can be trusted.

`audit` and `aaudit`, which `citeguard` also exports, return an `AuditReport`. `LocalClaims` finds
claims by rules and `LLMClaims` by a language model; any `ClaimExtractor` can replace them.
`find_marks` finds citation marks, and `trust_of` computes the trust score. A `LinkChecker` says how
the links of a text are read.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.auditing.claims.claim import Claim, ClaimExtractor, Extraction
    from citeguard.auditing.claims.llm import LLMClaims
    from citeguard.auditing.claims.local import LocalClaims
    from citeguard.auditing.links import LinkChecker
    from citeguard.auditing.marks import Mark, find_marks
    from citeguard.auditing.report import (
        AuditedClaim,
        AuditedLink,
        AuditedPage,
        AuditedSource,
        AuditReport,
        AuditVerdict,
        CitationFinding,
        Correction,
        DifferingFact,
        Place,
        Replacement,
        TrustScore,
        Uncovered,
        trust_of,
    )
    from citeguard.auditing.run import aaudit, audit

__all__ = [
    "AuditReport",
    "AuditVerdict",
    "AuditedClaim",
    "AuditedLink",
    "AuditedPage",
    "AuditedSource",
    "CitationFinding",
    "Claim",
    "ClaimExtractor",
    "Correction",
    "DifferingFact",
    "Extraction",
    "LLMClaims",
    "LinkChecker",
    "LocalClaims",
    "Mark",
    "Place",
    "Replacement",
    "TrustScore",
    "Uncovered",
    "aaudit",
    "audit",
    "find_marks",
    "trust_of",
]

_HOMES = {
    "claims.claim": "Claim ClaimExtractor Extraction",
    "claims.llm": "LLMClaims",
    "claims.local": "LocalClaims",
    "links": "LinkChecker",
    "marks": "Mark find_marks",
    "report": "AuditReport AuditVerdict AuditedClaim AuditedLink AuditedPage AuditedSource "
    "CitationFinding Correction DifferingFact Place Replacement TrustScore Uncovered trust_of",
    "run": "aaudit audit",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)
