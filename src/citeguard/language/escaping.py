"""Texts as Markdown shows them unchanged: `escaped`, `as_paragraph`."""

from __future__ import annotations

import re
from html import escape

from citeguard.language.excerpts import LIMIT, shown

# Markdown's signs are escaped. GitHub and GitLab look for references (@name, #1, !2) and links
# after Markdown is rendered, when no escape helps; an element around the sign does.
_SPECIAL = re.compile(
    r"""
    (?P<linking> [@#!%^~&](?=[\w"]) | \$ | :(?=//|[\w+-]+:) | (?<=www)\. | (?<=GH)-(?=\d) )
    | (?P<html> [<>&] )
    | (?P<mark> [\\`*_\[\]|~] )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_BLOCK_MARK = re.compile(r"^(\d*)([-+=#.)])")


def escaped(text: str, limit: int = LIMIT) -> str:
    r"""Return a text on one line that Markdown shows unchanged, except at the start of a line.

    Args:
        text: Any text.
        limit: The most of its characters, before they are escaped.

    Examples:
        >>> escaped("| <b> *one*\n@anna")
        '\\| &lt;b&gt; \\*one\\* <span>@</span>anna'
    """
    return _SPECIAL.sub(_escape, shown(text, limit))


def as_paragraph(text: str, limit: int = LIMIT) -> str:
    """Return an escaped text for the start of a line, where it could be a list or a heading."""
    return _BLOCK_MARK.sub(r"\1\\\2", escaped(text, limit))


def _escape(special: re.Match[str]) -> str:
    sign = special.group()
    if special["linking"]:
        return f"<span>{escape(sign)}</span>"
    return escape(sign) if special["html"] else f"\\{sign}"
