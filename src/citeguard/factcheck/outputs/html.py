"""A fact check as one HTML page: `as_html`."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from citeguard.factcheck.outputs import wording
from citeguard.factcheck.report import FactReport
from citeguard.reports.views import plain, shortened

_PACKAGE = "citeguard.factcheck.outputs"


def as_html(report: FactReport, *, title: str | None = None) -> str:
    """Return a fact check as one HTML page that loads nothing, and has no script.

    Everything in it is escaped, and a content security policy lets nothing run. Characters that
    cannot be seen are named, so that the page always encodes to UTF-8. Addresses become links only
    if they are `http` or `https`; those of passages lead to the words, which browsers highlight.

    Args:
        report: The report.
        title: The heading of the page.

    Examples:
        >>> page = as_html(FactReport(text="", checks=()), title="<Rain>")
        >>> "<title>&lt;Rain&gt;</title>" in page, "Nothing to check" in page
        (True, True)
    """
    style = _style()
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )
    return _template().render(
        report=report,
        title=title or "Fact check",
        style=style,
        policy=Markup(policy),
        wording=wording,
        shortened=shortened,
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader(_PACKAGE),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalized,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html")


def _finalized(value: object) -> object:
    """Return a value for the page, before it is escaped, with visible characters only."""
    return value if isinstance(value, Markup | int) else plain(str(value))


@cache
def _style() -> Markup:
    return Markup((files(_PACKAGE) / "templates" / "page.css").read_text("utf-8"))
