"""Page furniture: the heads, feet and page numbers that a PDF drops into a sentence."""

from __future__ import annotations

import re

from citeguard.text.lexicon import NEGATORS

_MOST_LINES, _MOST_CHARACTERS = 6, 90
_PAGE_NUMBER = re.compile(
    r"\W*(?:p(?:\s?a\s?g\s?e|\.|g\.?)?|seite|第)?\W*(?:(?:[A-Z]|\d{1,3})\s?[-–.]\s?)?(?:\d{1,4}|[ivxlc]{1,7})"
    r"(?:\s*(?:of|/|von|\|)\s*\d{1,4})?\W*(?:p\s?a\s?g\s?e|页|頁|ページ)?\W*",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"https?:|www\.|\bdoi\b|\barxiv\b|\bissn\b|\bisbn\b|©|\(c\) ?\d{4}|copyright|all rights reserved|downloaded from"
    r"|\bvol\.|\bno\. ?\d|\bconfidential\b|^draft\b|^chapter \w+|^section \d|last (?:updated|modified)|printed (?:on|from)"
    r"|accessed on|running head|this article is protected|unauthorized",
    re.IGNORECASE,
)
_WORD = re.compile(r"(?<![\w])[^\W\d_]+(?:['’.-][^\W\d_]+)*")
_SMALL_WORDS = frozenset("a an and as at by for from in of on or the to with de la le von und der die et al vs".split())
_NUMBERED_LINE = re.compile(r"\d{1,4}[\W_]*\s[\W_]*[^\W\d_].*[^\W\d_].?|.*[^\W\d_].?[\W_]*\s[\W_]*\d{1,4}")


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
    set_off = inner.startswith("\n") or inner.endswith("\n") or "\f" in text[start:end]
    numbered = any(map(_PAGE_NUMBER.fullmatch, lines))
    return all(
        _PAGE_NUMBER.fullmatch(line)
        or _LABEL.search(line)
        or (_is_heading(line) and (numbered or set_off or _stands_alone(line, text)))
        for line in lines
    )


def _stands_alone(line: str, text: str) -> bool:
    """A head that shares its line with the page number, or that other pages carry as well."""
    inline = not set(",;()").intersection(line)
    return bool(inline and _NUMBERED_LINE.fullmatch(line)) or text.count(line) > 1


def _is_heading(line: str) -> bool:
    """A line in title case or capitals: no sentence goes through it."""
    words = _WORD.findall(line)
    if (line[-1] in ".,;:?!" and not line.casefold().endswith("et al.")) or not words:
        return False
    if any(word.casefold() in NEGATORS for word in words):
        return False
    return all(word[0].isupper() or word.casefold() in _SMALL_WORDS for word in words)
