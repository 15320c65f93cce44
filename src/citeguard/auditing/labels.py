"""How every output of an audit names its verdicts and places, and which of them need attention.

Icons are one column wide; a terminal that cannot encode them takes those in ASCII.

Examples:
    >>> f"{ICONS['partly_supported']} {LABELS['partly_supported']}"
    '~ Partly supported'
"""

from __future__ import annotations

from citeguard.auditing.claims.claim import SetAside
from citeguard.auditing.results import (
    AuditedClaim,
    AuditResult,
    AuditVerdict,
    CitationFinding,
    CitationProblem,
    FactKind,
    Place,
)
from citeguard.language.excerpts import shown

LABELS: dict[AuditVerdict, str] = {
    "supported": "Supported",
    "partly_supported": "Partly supported",
    "contradicted": "Contradicted",
    "not_found": "Not found",
    "not_checkable": "Not checkable",
    "undecided": "Undecided",
}

ICONS: dict[AuditVerdict, str] = {
    "supported": "✓",
    "partly_supported": "~",
    "contradicted": "✕",
    "not_found": "?",
    "not_checkable": "–",
    "undecided": "…",
}

ASCII_ICONS: dict[AuditVerdict, str] = {
    "supported": "+",
    "partly_supported": "~",
    "contradicted": "x",
    "not_found": "?",
    "not_checkable": "-",
    "undecided": ".",
}

MEANINGS: dict[AuditVerdict, str] = {
    "supported": "Its sources say so.",
    "partly_supported": "Its sources say a good part of it, and all of its numbers and names.",
    "contradicted": "Its sources say otherwise.",
    "not_found": "The sources do not say it.",
    "not_checkable": "No source could support it, or speak against it.",
    "undecided": "It could not be decided whether its sources say so.",
}

PROBLEM_LABELS: dict[CitationProblem, str] = {
    "uncited": "Uncited",
    "unknown_id": "Unknown source",
    "wrong_source": "Wrong source",
    "redundant": "Redundant citation",
}

PROBLEM_MEANINGS: dict[CitationProblem, str] = {
    "uncited": "A claim has no citation mark, in a text that has some.",
    "unknown_id": "A citation mark names no source.",
    "wrong_source": "The sources cited do not say it, and another one does.",
    "redundant": "A source is named twice in a mark, or the others support the claim without it.",
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

ATTENTION: tuple[AuditVerdict, ...] = (
    "contradicted",
    "not_found",
    "partly_supported",
    "undecided",
)
"""The verdicts that need attention, the most urgent first."""

BY_URGENCY: tuple[AuditVerdict, ...] = (*ATTENTION, "supported", "not_checkable")
"""All verdicts, the most urgent first."""

FAILING: frozenset[AuditVerdict] = frozenset({"contradicted", "not_found", "partly_supported"})
"""The verdicts that make a text fail."""

FAILING_PROBLEMS: frozenset[CitationProblem] = frozenset({"unknown_id", "wrong_source"})
"""The problems with citation marks that make a text fail; the others are only shown."""


_ID_LIMIT = 80
_PLACE_LIMIT = 240
_MOST_CLAIMS = 10


def urgent(report: AuditResult) -> list[AuditedClaim]:
    """Return the claims that need attention, the most urgent first."""
    return [claim for verdict in ATTENTION for claim in report.with_verdict(verdict)]


def source_and_place(place: Place) -> str:
    """Return on one line where words of a source are; a long id is cut, markup is not escaped.

    Examples:
        >>> source_and_place(Place(source_id="handbook", start=0, end=3, line=12, text="One"))
        'handbook, line 12'
        >>> source_and_place(Place(source_id="paper", start=0, end=3, page=4, text="One"))
        'paper, p. 4'
    """
    named = (shown(place.source_id, _ID_LIMIT), shown(place.name, _PLACE_LIMIT))
    return ", ".join(filter(None, named))


def title_of_finding(finding: CitationFinding) -> str:
    """Return the problem, and which claims have it.

    Examples:
        >>> title_of_finding(
        ...     CitationFinding(problem="uncited", start=0, end=3, claims=(2,), message="Cite it.")
        ... )
        'Uncited (claim 2)'
    """
    label, numbers = PROBLEM_LABELS[finding.problem], [*map(str, finding.claims)]
    if len(numbers) > _MOST_CLAIMS:
        numbers = [*numbers[:_MOST_CLAIMS], "…"]
    noun = "claim" if len(numbers) == 1 else "claims"
    return f"{label} ({noun} {', '.join(numbers)})" if numbers else label
