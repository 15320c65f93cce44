"""Audits of free text: what it claims, what the sources say, and how far it can be trusted.

`audit` and `aaudit`, which `citeguard` also exports, return a `Report`.
`LocalClaims` finds claims by structure, `LLMClaims` by a language model; any `ClaimExtractor` can
replace them. `find_marks` finds citation marks. A `LinkChecker` says how links of a text are read.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.auditing.claims import Claim, ClaimExtractor, Extraction, LocalClaims
    from citeguard.auditing.links import LinkChecker
    from citeguard.auditing.llm_claims import LLMClaims
    from citeguard.auditing.marks import Mark, find_marks
    from citeguard.auditing.run import aaudit, audit

__all__ = [
    "Claim",
    "ClaimExtractor",
    "Extraction",
    "LLMClaims",
    "LinkChecker",
    "LocalClaims",
    "Mark",
    "aaudit",
    "audit",
    "find_marks",
]

_HOMES = {
    "claims": "Claim ClaimExtractor Extraction LocalClaims",
    "links": "LinkChecker",
    "llm_claims": "LLMClaims",
    "marks": "Mark find_marks",
    "run": "aaudit audit",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)
