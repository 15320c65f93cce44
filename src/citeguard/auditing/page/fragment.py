"""A report as a notebook shows it: `as_fragment`."""

from __future__ import annotations

from citeguard.auditing import labels
from citeguard.auditing.page.display import shortened
from citeguard.auditing.page.passages import text_blocks
from citeguard.auditing.page.rendering import template
from citeguard.auditing.results import AuditResult, AuditVerdict

_LONGEST = 6_000  # characters of the text that are shown
_MOST_ROWS = 20

# Each pair brings its own ground, so that it can be read in a light and in a dark notebook.
_STYLES: dict[AuditVerdict, str] = {
    "supported": "background-color:#e4f3ea;color:#0f4a2c",
    "partly_supported": "background-color:#fdf0d3;color:#5c3700",
    "contradicted": "background-color:#fde8e5;color:#8c1d18",
    "not_found": "background-color:#f1eafb;color:#4a2a78",
    "not_checkable": "background-color:#eceae5;color:#474d54",
    "undecided": "background-color:#e4effa;color:#083f70",
}
_RULES: dict[AuditVerdict, str] = {
    "supported": "solid",
    "partly_supported": "dashed",
    "contradicted": "wavy",
    "not_found": "dotted",
    "not_checkable": "solid transparent",
    "undecided": "double",
}


def as_fragment(report: AuditResult) -> str:
    """Return the essence of a report as HTML for a notebook: without script, of bounded size.

    It has the trust score, the verdicts and how often each was given, the first 6,000 characters
    of the text with its claims marked, and a table of at most 20 claims that are not supported. It
    says how much it leaves out. All of its styles stand in its elements, as a notebook that is not
    trusted drops every other.

    Examples:
        >>> from citeguard.auditing.report import AuditReport
        >>> "No claim to check" in as_fragment(AuditReport(text="Hello!", sources=(), claims=()))
        True
    """
    rows = labels.urgent(report)
    return template("fragment.html").render(
        report=report,
        blocks=text_blocks(_beginning(report)),
        left_out=max(0, len(report.text) - _LONGEST),
        rows=rows[:_MOST_ROWS],
        more_rows=max(0, len(rows) - _MOST_ROWS),
        styles=_STYLES,
        rules=_RULES,
        labels=labels,
        shortened=shortened,
    )


def _beginning(report: AuditResult) -> AuditResult:
    claims = tuple(claim for claim in report.claims if claim.start < _LONGEST)
    beginning = {"text": report.text[:_LONGEST], "claims": claims, "findings": (), "uncovered": ()}
    return report.model_copy(update=beginning)
