"""Page furniture: the heads, feet and page numbers that a PDF drops into a sentence."""

from __future__ import annotations

import re

from citeguard.text.lexicon import NEGATORS

_MOST_LINES, _MOST_CHARACTERS = 6, 90
_PAGE_NUMBER = re.compile(
    r"\W*(?:p(?:age|\.|g\.?)?|seite|第)?\s*(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:of|/|von|\|)\s*\d{1,4})?\s*(?:页|頁|ページ)?\W*",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"https?:|www\.|doi\b|arxiv|issn|isbn|©|\(c\) ?\d{4}|copyright|all rights reserved|downloaded from"
    r"|\bvol\.|\bno\. ?\d|confidential|draft|chapter \w+|section \d|printed|accessed|running head",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SMALL_WORDS = frozenset("a an and as at by for from in of on or the to with de la le von und der die et al vs".split())


def is_furniture(text: str, start: int, end: int) -> bool:
    """Tell whether `text[start:end]` is whole lines that belong to the page, not to the sentence.

    The interval reaches from the last word before to the first word after. Its lines must look
    like a page number or a heading, or stand elsewhere in the text too; running text never does.

    Example:
        >>> text = "most of\\n\\n12\\nAnnual Report\\n\\nits soldiers"
        >>> is_furniture(text, 7, 29)
        True
    """
    gap = text[start:end].replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n")
    before, _, rest = gap.partition("\n")
    inner, newline, after = rest.rpartition("\n")
    if not newline or _WORD.search(before) or _WORD.search(after):
        return False
    lines = [line.strip() for line in inner.split("\n") if line.strip()]
    if not 0 < len(lines) <= _MOST_LINES or any(len(line) > _MOST_CHARACTERS for line in lines):
        return False
    numbered = any(_PAGE_NUMBER.fullmatch(line) or _has_page_number(line) for line in lines)
    set_off = inner.startswith("\n") or inner.endswith("\n") or "\f" in text[start:end]
    return all(
        _PAGE_NUMBER.fullmatch(line)
        or _LABEL.search(line)
        or (_is_heading(line) and (numbered or set_off))
        or text.count(line) > 2
        for line in lines
    )


def _has_page_number(line: str) -> bool:
    return bool(re.match(r"\d{1,4}\b", line) or re.search(r"\b\d{1,4}$", line))


def _is_heading(line: str) -> bool:
    """A line in title case or capitals: no sentence goes through it."""
    words = _WORD.findall(line)
    if line[-1] in ".,;:?!" or any(word.casefold() in NEGATORS for word in words):
        return False
    return all(word[0].isupper() or word.casefold() in _SMALL_WORDS for word in words)
