"""Audits of free text: what it claims, what its sources say of that, how far it can be trusted.

`audit` and `aaudit`, which `citeguard` has too, do all of it and return an `AuditReport`.
`LocalClaims` finds claims by rules and `LLMClaims` by a language model; whatever has the method of
`ClaimExtractor` will do. `find_marks` finds citation marks, and `trust_of` makes the score.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.auditing.citing.marks import Mark, find_marks
    from citeguard.auditing.claims.claim import Claim, ClaimExtractor, Extraction
    from citeguard.auditing.claims.llm import LLMClaims
    from citeguard.auditing.claims.local import LocalClaims
    from citeguard.auditing.places import AuditedPage, AuditedSource, Place
    from citeguard.auditing.report import AuditReport
    from citeguard.auditing.results import (
        AuditedClaim,
        AuditVerdict,
        CitationFinding,
        Correction,
        DifferingFact,
        Replacement,
        TrustScore,
        Uncovered,
    )
    from citeguard.auditing.run import aaudit, audit
    from citeguard.auditing.trust import trust_of

__all__ = [
    "AuditReport",
    "AuditVerdict",
    "AuditedClaim",
    "AuditedPage",
    "AuditedSource",
    "CitationFinding",
    "Claim",
    "ClaimExtractor",
    "Correction",
    "DifferingFact",
    "Extraction",
    "LLMClaims",
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
    "claims.claim": ["Claim", "ClaimExtractor", "Extraction"],
    "claims.llm": ["LLMClaims"],
    "claims.local": ["LocalClaims"],
    "citing.marks": ["Mark", "find_marks"],
    "places": ["AuditedPage", "AuditedSource", "Place"],
    "report": ["AuditReport"],
    "results": [
        "AuditVerdict",
        "AuditedClaim",
        "CitationFinding",
        "Correction",
        "DifferingFact",
        "Replacement",
        "TrustScore",
        "Uncovered",
    ],
    "run": ["aaudit", "audit"],
    "trust": ["trust_of"],
}
__getattr__, __dir__ = lazily(__name__, _HOMES)
