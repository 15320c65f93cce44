"""Titles of headings, as the text has them and as bookmarks name them."""

from __future__ import annotations

import re

Titles = dict[int, dict[str, int]]
"""For each page, the headings that the file's bookmarks name, with their levels."""


def comparable(title: str) -> str:
    """Return the letters of a heading, without its number.

    Examples:
        >>> comparable("2.1 The Ships")
        'theships'
    """
    words = re.findall(r"[^\W_]+", title.casefold())
    while words and words[0].isdecimal() and len(words) > 1:
        words.pop(0)
    return "".join(words)
