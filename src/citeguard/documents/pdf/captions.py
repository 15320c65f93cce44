"""Captions of figures and tables, by how they begin."""

from __future__ import annotations

import re

_CAPTION = re.compile(
    r"(?:fig(?:ure|\.|ura)?|tab(?:le|\.|elle|leau|ella)?|abb(?:ildung|\.)|algorithm|listing|chart"
    r"|plate|scheme|exhibit|box)\s*(?:[A-Z]?\d[\w.-]*|[IVX]+\b)",
    re.IGNORECASE,
)
_AFTER_NUMBER = re.compile(r"[.:|–—)]|\s*$|\s+[^\W\d_a-z]")


def is_caption(text: str) -> bool:
    """Tell whether a line begins as captions do; a sentence that begins with "Figure 2 shows" no.

    Examples:
        >>> is_caption("Table 2: Results"), is_caption("Table 2 shows the results")
        (True, False)
    """
    start = _CAPTION.match(text)
    if start is None:
        return False
    return start[0].endswith(".") or _AFTER_NUMBER.match(text, start.end()) is not None
