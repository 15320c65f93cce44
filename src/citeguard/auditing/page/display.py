"""Text of a report as it may stand in a page: `visible` and `plain`."""

from __future__ import annotations

import re
from itertools import groupby

from markupsafe import Markup, escape

# What has no glyph of its own and may reorder, hide or break what stands around it: controls
# (but tab and line breaks), the bidi controls of UAX #9, line and paragraph separators, lone
# surrogates (no UTF-8) and tag characters, with which text is hidden in text.
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
    r"\ud800-\udfff\U000e0000-\U000e007f]+"
)


def visible(text: str) -> Markup:
    r"""Return text as HTML, escaped, in which characters that cannot be seen are named.

    Line breaks are kept as they are; a carriage return before one is dropped.

    Examples:
        >>> print(visible("1 < 2"), visible("\u202e"))
        1 &lt; 2 <span class="unseen">⟨U+202E⟩</span>
    """
    escaped = escape(text.replace("\r", ""))
    if _UNSEEN.search(escaped) is None:
        return escaped
    return Markup(_UNSEEN.sub(lambda run: f'<span class="unseen">{_names(run[0])}</span>', escaped))


def plain(text: str) -> str:
    r"""Return text, not escaped, in which characters that cannot be seen are named.

    Its lines end in line feeds, and it always encodes to UTF-8.

    Examples:
        >>> plain("\ud800 and \x00\x00")
        '⟨U+D800⟩ and ⟨U+0000 ×2⟩'
    """
    return _UNSEEN.sub(lambda run: _names(run[0]), with_line_feeds(text).replace("\r", ""))


def with_line_feeds(text: str) -> str:
    r"""Return text of the same length in which a carriage return stands only before a line feed.

    Examples:
        >>> with_line_feeds("one\rtwo\r\nthree")
        'one\ntwo\r\nthree'
    """
    return re.sub(r"\r(?!\n)", "\n", text) if "\r" in text else text


def shortened(text: str, most: int) -> str:
    """Return text of at most so many characters; one that is cut ends in an ellipsis.

    Examples:
        >>> shortened("The notice period", 10)
        'The notic…'
    """
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _names(run: str) -> str:
    groups = ((character, len(list(group))) for character, group in groupby(run))
    return "".join(
        f"⟨U+{ord(character):04X}{f' ×{count}' if count > 1 else ''}⟩"
        for character, count in groups
    )
