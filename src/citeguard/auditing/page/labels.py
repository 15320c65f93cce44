"""What a report calls things, in words for everybody."""

from __future__ import annotations

from citeguard.auditing.claims.claim import SetAside
from citeguard.auditing.report import AuditVerdict, CitationProblem, FactKind

VERDICT_LABELS: dict[AuditVerdict, str] = {
    "supported": "Supported",
    "partly_supported": "Partly supported",
    "contradicted": "Contradicted",
    "not_found": "Not found",
    "not_checkable": "Not checkable",
    "undecided": "Undecided",
}

VERDICT_MEANINGS: dict[AuditVerdict, str] = {
    "supported": "The sources say so.",
    "partly_supported": "The sources say a part of it, and nothing against the rest.",
    "contradicted": "The sources say otherwise.",
    "not_found": "The sources do not say it.",
    "not_checkable": "It states nothing that a source could confirm.",
    "undecided": "Nobody could tell.",
}

VERDICT_ICONS: dict[AuditVerdict, str] = {
    "supported": "✓",
    "partly_supported": "~",
    "contradicted": "✕",
    "not_found": "?",
    "not_checkable": "–",
    "undecided": "…",
}

MOST_PRESSING: tuple[AuditVerdict, ...] = (
    "contradicted",
    "not_found",
    "partly_supported",
    "undecided",
    "supported",
    "not_checkable",
)
"""The verdicts in the order in which a reader should see to them."""

PROBLEM_LABELS: dict[CitationProblem, str] = {
    "uncited": "No citation",
    "unknown_id": "Unknown source",
    "wrong_source": "Wrong source",
    "redundant": "Redundant citation",
}

FACT_LABELS: dict[FactKind, str] = {
    "number": "Number",
    "date": "Date",
    "name": "Name",
    "negation": "Negation",
    "word": "Word",
    "quantity": "Quantity",
    "certainty": "Certainty",
}

SET_ASIDE_LABELS: dict[SetAside, str] = {
    "opinion": "an opinion",
    "question": "a question",
    "instruction": "an instruction",
    "greeting": "a greeting",
    "heading": "a heading",
    "code": "code",
    "no claim": "no claim",
}
