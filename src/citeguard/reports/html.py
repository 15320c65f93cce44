"""HTML that loads nothing from outside: texts that are safe in it, templates, digests for a policy.

The pages of reports and those of the service share the layout and `base.css`.
"""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import groupby
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

_OWN = "citeguard.reports"
_BROKEN_FROM = 60  # characters; shorter lines, as of a poem or an address, are meant

# Characters without a glyph that may reorder, hide or break the text around them: controls
# (but tab and line breaks), the bidi controls of UAX #9, line and paragraph separators, lone
# surrogates (no UTF-8) and tag characters, with which text is hidden in text.
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
    r"\ud800-\udfff\U000e0000-\U000e007f]+"
)


def visible(text: str) -> Markup:
    """Return text as HTML, escaped, in which characters that cannot be seen are named.

    Line breaks are kept as they are; a carriage return before one is dropped.
    """
    escaped = escape(text.replace("\r", ""))
    if _UNSEEN.search(escaped) is None:
        return escaped
    return Markup(_UNSEEN.sub(lambda run: f'<span class="unseen">{_names(run[0])}</span>', escaped))


def plain(text: str) -> str:
    """Return text, not escaped, in which characters that cannot be seen are named.

    Its lines end in line feeds, and it always encodes to UTF-8.
    """
    return _UNSEEN.sub(lambda run: _names(run[0]), with_line_feeds(text).replace("\r", ""))


def with_line_feeds(text: str) -> str:
    """Return text of the same length in which each carriage return is before a line feed."""
    return re.sub(r"\r(?!\n)", "\n", text) if "\r" in text else text


def filled(text: str) -> str:
    """Return text of the same length in which lines that an editor has broken are one line.

    Headings, rows of tables and items of lists stay as they are.
    """
    broken = rf"(?m)^(?![ \t]*#)([^\n|]{{{_BROKEN_FROM},}})\n(?=[^\W\d_]|[\[(“\"])"
    return re.sub(broken, r"\1 ", text)


def rendered(name: str, package: str = _OWN, **values: Any) -> str:
    """Return a template of a package, filled in; values are escaped and visible."""
    return _environment(package).get_template(name).render(values)


@cache
def asset(name: str, package: str = _OWN) -> Markup:
    """Return a style or a script that lies beside the templates of a package."""
    return Markup((files(package) / "templates" / name).read_text("utf-8"))


def digest(inline: str) -> str:
    """Return what a content security policy calls an inline style or script."""
    return f"'sha256-{b64encode(sha256(inline.encode()).digest()).decode()}'"


@cache
def _environment(package: str) -> Environment:
    return Environment(
        loader=ChoiceLoader([PackageLoader(each) for each in dict.fromkeys((package, _OWN))]),
        autoescape=True,
        # By default a misspelt name in a template would show nothing.
        undefined=StrictUndefined,
        finalize=_finalized,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _finalized(value: object) -> object:
    return value if isinstance(value, Markup | int) else plain(str(value))


def _names(run: str) -> str:
    groups = ((character, len(list(group))) for character, group in groupby(run))
    return "".join(
        f"⟨U+{ord(character):04X}{f' ×{count}' if count > 1 else ''}⟩"
        for character, count in groups
    )
