"""A report as a self-contained HTML page, and as a notebook shows it: `as_html`, `as_fragment`."""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Literal

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from citeguard.language.citations import ReadableText
from citeguard.reports import wording
from citeguard.reports.report import (
    BY_URGENCY,
    FAILING_PROBLEMS,
    CheckedClaim,
    CitationFinding,
    Report,
    Shown,
)
from citeguard.reports.views import (
    PlaceView,
    SourceViews,
    plain,
    sheets,
    shortened,
    text_blocks,
)
from citeguard.reports.wording import (
    FACT_LABELS,
    PROBLEM_LABELS,
    SET_ASIDE_LABELS,
    label_of,
    words_of_finding,
)

LARGE = 100_000
"""Characters of text and sources from which a browser lays out only what is in view."""

_OPEN_SOURCES = 6  # sources that are unfolded when the page opens, if there are no more


def as_html(report: Report, *, title: str | None = None) -> str:
    r"""Return a report as one HTML page that loads nothing from outside.

    Everything of the report is escaped, and a content security policy lets only the page's own
    script run. The page can be read without that script, and printed; it then has a list of all
    claims, at most 1,000: the most urgent ones, and how many more there are. Characters
    that cannot be seen (controls, bidi marks, lone surrogates) are named, so that the page always
    encodes to UTF-8. Addresses of sources become links only if they are `http` or `https`.

    Args:
        report: The report.
        title: The heading of the page; by default it names the sources.

    Examples:
        >>> from citeguard.reports.report import Report
        >>> page = as_html(Report(text="<script>", sources=(), claims=()), title="My text")
        >>> "<title>My text</title>" in page, "&lt;script&gt;" in page
        (True, True)
    """
    views = SourceViews(report)
    return _template("page.html").render(
        report=report,
        text=(text := ReadableText(report.text)),
        title=title or _title(report),
        text_blocks=text_blocks(report),
        views=views,
        sheets=list(sheets(report, views)),
        opened=len(views.sources) <= _OPEN_SOURCES,
        large=len(report.text) + sum(len(source.text) for source in report.sources) > LARGE,
        listed=most_urgent(report),
        others=others(report, text),
        findings_of=findings_of(report),
        most=LISTED,
        changes_of=changes_of,
        shortened=shortened,
        details=details_of(report, views),
        wording=wording,
        **_assets(),
    )


def _title(report: Report) -> str:
    return wording.title_of("Text", [each.title or each.id for each in report.sources])


@cache
def _template(name: str) -> Template:
    """Return a template of this package; values in it are escaped and visible."""
    environment = Environment(
        loader=PackageLoader("citeguard.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalized,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)


def _finalized(value: object) -> object:
    """Return a value for the page, before it is escaped, with visible characters only."""
    return value if isinstance(value, Markup | int) else plain(str(value))


@cache
def _assets() -> dict[str, Markup]:
    """Return the page's style and script, and the policy that allows them and nothing else."""
    folder = files("citeguard.reports") / "templates"
    style = (folder / "page.css").read_text("utf-8")
    script = (folder / "page.js").read_text("utf-8")
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )
    return {"style": Markup(style), "script": Markup(script), "policy": Markup(policy)}


def _digest(inline: str) -> str:
    return f"sha256-{b64encode(sha256(inline.encode()).digest()).decode()}"


_LONGEST_FRAGMENT = 6_000  # characters of the text that are shown
_MOST_ROWS = 20

# Each has its own background, to be readable in a light and in a dark notebook.
_STYLES: dict[Shown, str] = {
    "supported": "background-color:#e4f3ea;color:#0f4a2c",
    "contradicted": "background-color:#fde8e5;color:#8c1d18",
    "unsupported": "background-color:#f1eafb;color:#4a2a78",
    "set_aside": "background-color:#eceae5;color:#474d54",
    "undecided": "background-color:#e4effa;color:#083f70",
}
_RULES: dict[Shown, str] = {
    "supported": "solid",
    "contradicted": "wavy",
    "unsupported": "dotted",
    "set_aside": "solid transparent",
    "undecided": "double",
}


def as_fragment(report: Report) -> str:
    """Return a short report as HTML for a notebook: without script, of bounded size.

    It has the trust score and how it is made, the number of claims by verdict, the first 6,000
    characters of the text with its claims marked, and a table of at most 20 claims that are not
    supported. It says how much it omits. All styles are inline, since a notebook that is not
    trusted drops any others.

    Examples:
        >>> from citeguard.reports.report import Report
        >>> report = Report(text="Hello!", sources=(), claims=())
        >>> "Nothing to check" in as_fragment(report)
        True
    """
    rows = report.urgent
    return _template("fragment.html").render(
        report=report,
        text=ReadableText(report.text[:_LONGEST_FRAGMENT]),
        blocks=text_blocks(_beginning(report)),
        left_out=max(0, len(report.text) - _LONGEST_FRAGMENT),
        rows=rows[:_MOST_ROWS],
        more_rows=max(0, len(rows) - _MOST_ROWS),
        styles=_STYLES,
        rules=_RULES,
        wording=wording,
        shortened=shortened,
    )


def _beginning(report: Report) -> Report:
    claims = tuple(claim for claim in report.claims if claim.start < _LONGEST_FRAGMENT)
    text = report.text[:_LONGEST_FRAGMENT]
    return Report(text=text, sources=(), claims=claims)


LISTED = 1_000
"""The most entries in each list of a page; nobody reads or prints more."""


def most_urgent(report: Report, most: int = LISTED) -> list[CheckedClaim]:
    """Return the claims, the most urgent first, at most so many."""
    in_order = sorted(report.claims, key=lambda claim: BY_URGENCY.index(claim.shown))
    return in_order[:most]


def findings_of(report: Report) -> dict[int, list[CitationFinding]]:
    """Return the problems with citations of each claim, by its number."""
    found: dict[int, list[CitationFinding]] = {}
    for finding in report.findings:
        for number in finding.claims:
            found.setdefault(number, []).append(finding)
    return found


Other = tuple[str, str, str, str]
"""What a list has besides claims: the id of its words in the page, a label, a message, words."""


def others(report: Report, text: ReadableText) -> list[Other]:
    """Return the marks with a problem that belong to no claim, and the sentences without one."""
    return [
        *(
            (
                f"f{number}",
                PROBLEM_LABELS[each.problem],
                each.message,
                words_of_finding(each, text),
            )
            for number, each in enumerate(report.findings, 1)
            if not each.claims
        ),
        *(
            (f"u{each.start}", "Not examined", _NOT_EXAMINED, text[each.start : each.end])
            for each in report.uncovered
        ),
    ]


_NOT_EXAMINED = "No claim was found in this sentence, so nothing in it was checked."


def problems(report: Report) -> list[int]:
    """Return the numbers of the claims to look at, the most urgent first.

    They are those that need attention, and then those with an unknown or wrong source.
    """
    wrong = (
        number
        for finding in report.findings
        if finding.problem in FAILING_PROBLEMS
        for number in finding.claims
    )
    return list(dict.fromkeys([*(claim.number for claim in report.urgent), *wrong]))


_LONGEST = 4_000  # characters of a text in an explanation; the whole text is beside it

# Inside a script element only these could end it or open a comment; old script engines take U+2028
# and U+2029 for line breaks.
_UNSAFE = "<>&\u2028\u2029"


def details_of(report: Report, views: SourceViews) -> Markup:
    """Return the data on claims, findings and places for the page's script: JSON, escaped.

    Texts are cut off after 4,000 characters. Empty fields are omitted, and so are the words of
    places in a source of the report: the script reads them there.
    """
    text = ReadableText(report.text)
    concerned: dict[int, list[int]] = {}
    for index, finding in enumerate(report.findings):
        for number in finding.claims:
            concerned.setdefault(number, []).append(index)
    data = {
        "problems": problems(report),
        "claims": [
            _claim(claim, text, views, concerned.get(claim.number, [])) for claim in report.claims
        ],
        "findings": [
            _filled({"label": PROBLEM_LABELS[finding.problem], "message": finding.message})
            for finding in report.findings
        ],
        "sources": [_filled({"name": view.name, "url": view.url}) for view in views.sources],
        "places": [_place(view) for view in views.places],
    }
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in _UNSAFE:
        written = written.replace(character, f"\\u{ord(character):04x}")
    return Markup(written)


def _claim(
    claim: CheckedClaim, text: ReadableText, views: SourceViews, findings: list[int]
) -> dict[str, Any]:
    decisive = [views[place].number for place in claim.decisive]
    evidence = [views[place].number for place in claim.evidence]
    return _filled(
        {
            "number": claim.number,
            "verdict": claim.shown,
            "label": label_of(claim),
            "text": claim.text,
            "explanation": claim.explanation,
            "aside": "" if claim.set_aside is None else SET_ASIDE_LABELS[claim.set_aside],
            "context": claim.context,
            "cited": list(claim.cited),
            "judge": claim.judge,
            "deciding": decisive,
            "evidence": [number for number in evidence if number not in decisive],
            "differences": [
                [FACT_LABELS[fact.kind], fact.stated, fact.found] for fact in claim.differences
            ],
            "corrected": claim.correction.sentence if claim.correction else "",
            "changes": changes_of(text, claim) if claim.correction else [],
            "findings": findings,
        }
    )


def _place(view: PlaceView) -> dict[str, Any]:
    return _filled(
        {
            "source": view.source or None,
            "says": view.place.outcome if view.place.outcome == "contradicted" else "",
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
    """Return the fields that are not empty, visible and of bounded length."""
    return {name: _plain(value) for name, value in fields.items() if value not in (None, "", [])}


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return plain(shortened(value, _LONGEST))
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value


Change = tuple[Literal["kept", "removed", "added"], str]
"""Words of a corrected sentence."""


def changes_of(text: str | ReadableText, claim: CheckedClaim) -> list[Change]:
    """Return the sentence of a claim with its correction, as words kept, removed and added."""
    replacements = claim.correction.replacements if claim.correction else ()
    at = min([claim.sentence_start, *(swap.start for swap in replacements)])
    changes: list[Change] = []
    for swap in replacements:
        changes.append(("kept", text[at : swap.start]))
        changes.append(("removed", text[swap.start : swap.end]))
        changes.append(("added", swap.text))
        at = swap.end
    changes.append(("kept", text[at : claim.sentence_end]))
    return [change for change in changes if change[1]]
