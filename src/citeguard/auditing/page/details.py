"""What a page says of a claim when it is chosen: `details_of`, as data that its script reads."""

from __future__ import annotations

import json
from typing import Any

from markupsafe import Markup

from citeguard.auditing.labels import (
    FACT_LABELS,
    LABELS,
    PROBLEM_LABELS,
    SET_ASIDE_LABELS,
)
from citeguard.auditing.page.changes import changes_of
from citeguard.auditing.page.display import plain, shortened
from citeguard.auditing.page.places import PlaceView, Shelf
from citeguard.auditing.results import AuditedClaim, AuditResult, CitationFinding

_LONGEST = 4_000  # characters of a text that is explained; the whole text stands beside it

# Inside a script element only these could end it or be taken for a comment; U+2028 and U+2029
# are line breaks to old script engines.
_UNSAFE = "<>&\u2028\u2029"


def details_of(report: AuditResult, shelf: Shelf) -> Markup:
    """Return what a page's script needs to know of claims, findings and places: JSON, escaped.

    Texts are cut off after 4,000 characters. Fields that are empty are left out, and so are the
    words of places that stand in a source: the script reads them there.

    Examples:
        >>> from citeguard import AuditReport
        >>> details_of(report := AuditReport(text="", sources=(), claims=()), Shelf(report))
        Markup('{"claims":[],"findings":[],"sources":[],"places":[]}')
    """
    concerned: dict[int, list[int]] = {}
    for index, finding in enumerate(report.findings):
        for number in finding.claims:
            concerned.setdefault(number, []).append(index)
    data = {
        "claims": [
            _claim(claim, report, shelf, concerned.get(claim.number, [])) for claim in report.claims
        ],
        "findings": [_finding(finding) for finding in report.findings],
        "sources": [_filled({"name": view.name, "url": view.url}) for view in shelf.sources],
        "places": [_place(view) for view in shelf.places],
    }
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in _UNSAFE:
        written = written.replace(character, f"\\u{ord(character):04x}")
    return Markup(written)


def sureness(claim: AuditedClaim) -> str:
    """Return how sure a verdict is, in per cent; empty if that is not known.

    Examples:
        >>> from citeguard.auditing.results import AuditedClaim
        >>> sureness(AuditedClaim.model_construct(confidence=0.874))
        '87%'
    """
    return "" if claim.confidence is None else f"{100 * claim.confidence:.0f}%"


def _claim(
    claim: AuditedClaim, report: AuditResult, shelf: Shelf, findings: list[int]
) -> dict[str, Any]:
    deciding = None if claim.deciding is None else shelf[claim.deciding].number
    evidence = [shelf[place].number for place in claim.evidence]
    return _filled(
        {
            "number": claim.number,
            "verdict": claim.verdict,
            "label": LABELS[claim.verdict],
            "text": claim.text,
            "explanation": claim.explanation,
            "sure": sureness(claim),
            "aside": "" if claim.set_aside is None else SET_ASIDE_LABELS[claim.set_aside],
            "context": claim.context,
            "cited": list(claim.cited),
            "judge": claim.judge,
            "deciding": deciding,
            "evidence": [number for number in evidence if number != deciding],
            "differences": [
                [FACT_LABELS[fact.kind], fact.stated, fact.found] for fact in claim.differences
            ],
            "corrected": claim.correction.sentence if claim.correction else "",
            "changes": changes_of(report.text, claim) if claim.correction else [],
            "findings": findings,
        }
    )


def _finding(finding: CitationFinding) -> dict[str, Any]:
    return _filled({"label": PROBLEM_LABELS[finding.problem], "message": finding.message})


def _place(view: PlaceView) -> dict[str, Any]:
    return _filled(
        {
            "source": view.source or None,
            "where": view.where,
            "page": view.place.page,
            "sheets": list(view.sheets),
            "first": view.first or None,
            "last": view.last or None,
            "name": "" if view.source else view.name,
            "text": "" if view.source else view.place.text,
        }
    )


def _filled(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that are not empty, in characters that can be seen, and not endless."""
    return {name: _plain(value) for name, value in fields.items() if value not in (None, "", [])}


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return plain(shortened(value, _LONGEST))
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value
