"""A report as one self-contained HTML page: `as_html`."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from citeguard.auditing import labels
from citeguard.auditing.page.changes import changes_of
from citeguard.auditing.page.details import details_of, sureness
from citeguard.auditing.page.display import plain, shortened
from citeguard.auditing.page.listing import LISTED, pressing
from citeguard.auditing.page.passages import text_blocks
from citeguard.auditing.page.places import Shelf
from citeguard.auditing.page.sheets import sheets
from citeguard.auditing.results import AuditResult

LARGE = 100_000
"""Characters of text and sources from which a browser lays out only what is looked at."""

_OPEN_SOURCES = 6  # sources that are unfolded when the page opens, if there are no more


def as_html(report: AuditResult, *, title: str | None = None) -> str:
    r"""Return a report as one HTML page that loads nothing from outside.

    Everything of the report is escaped, and a content security policy lets only the page's own
    script run. The page can be read without that script, and printed; it then has a list of all
    claims, of at most 1,000: those to be seen to first, and how many there are besides. Characters
    that cannot be seen (controls, bidi marks, lone surrogates) are named, so that the page always
    encodes to UTF-8. Addresses of sources become links only if they are `http` or `https`.

    Args:
        report: The report.
        title: The heading of the page; "Audit report" if there is none.

    Examples:
        >>> from citeguard.auditing.report import AuditReport
        >>> page = as_html(AuditReport(text="<script>", sources=(), claims=()), title="My text")
        >>> "<title>My text</title>" in page, "&lt;script&gt;" in page
        (True, True)
    """
    shelf = Shelf(report)
    return template("page.html").render(
        report=report,
        title=title or "Audit report",
        text_blocks=text_blocks(report),
        shelf=shelf,
        sheets=list(sheets(report, shelf)),
        opened=len(shelf.sources) <= _OPEN_SOURCES,
        large=len(report.text) + sum(len(source.text) for source in report.sources) > LARGE,
        listed=pressing(report),
        most=LISTED,
        changes_of=changes_of,
        sureness=sureness,
        shortened=shortened,
        details=details_of(report, shelf),
        labels=labels,
        **_assets(),
    )


def template(name: str) -> Template:
    """Return a template of this package; what is put into it is escaped, and can be seen.

    Examples:
        >>> template("fragment.html").name
        'fragment.html'
    """
    return _environment().get_template(name)


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("citeguard.auditing.page"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalized,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _finalized(value: object) -> object:
    """Return what is put into the page, before it is escaped: characters that can be seen."""
    return value if isinstance(value, Markup | int) else plain(str(value))


@cache
def _assets() -> dict[str, Markup]:
    """Return the page's style and script, and the policy that allows them and nothing else."""
    folder = files("citeguard.auditing.page") / "templates"
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
