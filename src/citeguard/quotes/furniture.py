"""Page furniture: the running heads, feet and page numbers that a PDF puts into a sentence.

A quote that runs across a page break omits these lines, which does not change the meaning. A line
counts as furniture if it looks like a page number, a heading or a publisher's label, or if other
pages repeat it; running text never does.
"""

from __future__ import annotations

import re
from itertools import pairwise

from citeguard.language.lexicon import NEGATORS, QUALIFIERS
from citeguard.language.quantities import MAGNITUDE_WORDS, UNIT_WORDS
from citeguard.language.scripts import IDEOGRAPHS
from citeguard.quotes.canonical import fold

_MOST_PAGES = 3  # between two page breaks in one quote
_PAGES = 20_000  # characters on either side in which a running head is repeated: some pages
_MOST_LINES, _MOST_CHARACTERS = 6, 90  # of one page break, and of a line of it
_ROMAN = r"x{0,3}(?:ix|iv|v?i{1,3}|v|x)"
_PAGE_NUMBER = re.compile(
    rf"\W*(?:p(?:\s?a\s?g\s?e|\.|g\.?)?|seite|第)?\W*(?:(?:[A-Z]|\d{{1,2}})\s?[-–.]\s?)?(?:\d{{1,3}}|{_ROMAN})"
    r"(?:\s*(?:of|/|von|\|)\s*\d{1,4})?\W*(?:p\s?a\s?g\s?e|[页頁]|ページ)?(?:\s*共\s*\d{1,4}\s*[页頁])?\W*",
    re.IGNORECASE,
)
# Lines that publishers print on every page, by how they begin.
_LABEL = re.compile(
    r"\W*(?:(?:doi|arxiv|issn|isbn)\b.{0,60}|(?:©|\(c\)|copyright\b).{0,80}"
    r"|.{0,60}\ball rights reserved|downloaded from\b.{0,80}"
    r"|(?:last (?:updated|modified)|printed (?:on|from)|accessed on)\b.{0,40}\d.{0,10}"
    r"|(?:chapter|section) [\divxlc.]{1,6}\b.{0,60}|this article is protected by copyright.{0,40}"
    r"|(?:strictly )?(?:confidential|draft)(?:\W+(?:do not|not for) \w+)?)\W*",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")
_ISSUE = re.compile(r"\b(?:vol|no)\. ?\d+", re.IGNORECASE)
_ABBREVIATED = re.compile(r"(?:\bet al|\b[A-Z])\.$", re.IGNORECASE)
_LINE = re.compile(r"[^\n\r\f]+")
BETWEEN_LINES = re.compile(r"[\n\r\f]\s*[^\s][^\n\r\f]*[\n\r\f]")  # in the middle of a passage
_WORD = re.compile(r"(?<![\w])[^\W\d_]+(?:['’.-][^\W\d_]+)*")
_SMALL_WORDS = frozenset(
    ("a an and as at by for from in of on or the to with de la le von und der die et al vs").split()
)
_LONGEST_CHAPTER = 24  # characters
_CHAPTER = re.compile(
    rf"(?=.*[{IDEOGRAPHS}])(?:第?\d{{1,4}}\b|第?\d{{1,4}}[章節节編编部]).*|[^。、，,.!?]*\s\d{{1,4}}"
)
_LOADED, _COUNTED = NEGATORS | QUALIFIERS, UNIT_WORDS | MAGNITUDE_WORDS
_ARTICLES = frozenset(["a", "an", "the", "der", "die", "la", "le"])
_NUMBERED_LINE = re.compile(r"\d{1,4}[\W_]*\s[\W_]*[^\W\d_].*|.*\w.?[\W_]*\s[\W_]*\d{1,4}")


def find_furniture(text: str, start: int, end: int, quoted: str = "") -> list[tuple[int, int]]:
    r"""Return the intervals of `text[start:end]` that are whole lines of the page, not of its text.

    The first and the last line of the interval are never furniture, nor are lines whose words the
    search form `quoted` contains.

    Examples:
        >>> text = "most of the\n\n12\nAnnual Report\n\nsoldiers"
        >>> [text[low:high] for low, high in find_furniture(text, 0, len(text))]
        ['12\nAnnual Report']
    """
    lines = [match.span() for match in _LINE.finditer(text, start, end) if match[0].strip()]
    breaks: list[tuple[int, int]] = []
    first = 1
    while first < len(lines) - 1:
        for count in range(min(_MOST_LINES, len(lines) - 1 - first), 0, -1):
            if _are_furniture(text, lines[first - 1 : first + count + 1], quoted):
                breaks.append((lines[first][0], lines[first + count - 1][1]))
                first += count - 1
                break
        first += 1
    # Page numbers follow one another; numbers of the text do not.
    plain = (_plain(text[low:high]) for low, high in breaks)
    pages = [int(line) for line in plain if line.isdecimal()]
    is_ascending = all(one < other <= one + _MOST_PAGES for one, other in pairwise(pages))
    return breaks if is_ascending else []


def _are_furniture(text: str, lines: list[tuple[int, int]], quoted: str) -> bool:
    """Return whether the lines between the first and the last are page furniture."""
    inner = [_plain(text[low:high]) for low, high in lines[1:-1]]
    if any(len(line) > _MOST_CHARACTERS or _is_quoted(line, quoted) for line in inner):
        return False
    gaps = text[lines[0][1] : lines[1][0]], text[lines[-2][1] : lines[-1][0]]
    set_off = any(gap.count("\n") > 1 or "\f" in gap for gap in gaps)
    # A heading alone may belong to the text; a page number or a new page shows that it does not.
    paged = any(map(_PAGE_NUMBER.fullmatch, inner)) or any("\f" in gap for gap in gaps)
    if _is_counted(inner, text[lines[-1][0] : lines[-1][1]]):
        return False
    nearby = text[max(0, lines[0][0] - _PAGES) : lines[-1][1] + _PAGES]
    return all(
        _PAGE_NUMBER.fullmatch(line)
        or _LABEL.fullmatch(line)
        or _is_address(line)
        or (_is_heading(line) and (paged or _is_running_head(line, nearby)))
        or (set_off and _is_chapter(line))
        for line in inner
    )


def _is_counted(lines: list[str], after: str) -> bool:
    """Return whether a number on a line of its own counts what the next line begins with."""
    word = _WORD.match(after.strip())
    # Words of two letters, such as "in" and "am", are seldom units.
    unit = word is not None and len(word[0]) > 2 and word[0].casefold() in _COUNTED
    return (unit or after.lstrip()[:1] in tuple("%°")) and len(lines) == 1 and lines[0].isdigit()


def _is_quoted(line: str, quoted: str) -> bool:
    return not _PAGE_NUMBER.fullmatch(line) and fold(line) in quoted


def _plain(line: str) -> str:
    return line.replace("\u00ad", "").strip()


def _is_address(line: str) -> bool:
    """Return whether a line is a web address, with a date, page or name beside it at most."""
    beside, addresses = _ADDRESS.subn(" ", line)
    return bool(addresses) and all(word[0].isupper() for word in _WORD.findall(beside))


def _is_running_head(line: str, nearby: str) -> bool:
    """Return whether a heading has the page number on its line, or is repeated on other pages."""
    inline = not set(",;()").intersection(line) and len(_WORD.findall(line)) > 1
    numbered = inline and _NUMBERED_LINE.fullmatch(line)
    return bool(numbered or _ISSUE.search(line)) or nearby.count(f"\n{line}\n") > 1


def _is_chapter(line: str) -> bool:
    """Return whether a line of a script without capitals is short, numbered and unpunctuated."""
    return len(line) <= _LONGEST_CHAPTER and bool(_CHAPTER.fullmatch(line))


def _is_heading(line: str) -> bool:
    """Return whether a line is in title case or capitals, so that it is not part of a sentence."""
    line = _ISSUE.sub("", line)
    words = _WORD.findall(line)
    if (line.rstrip(" ,")[-1:] in tuple(".,;:?!") and not _ABBREVIATED.search(line)) or not words:
        return False
    if any(word.casefold() in _LOADED for word in words):
        return False
    if words[0].casefold() in _SMALL_WORDS - _ARTICLES:
        return False
    return all(word[0].isupper() or word.casefold() in _SMALL_WORDS for word in words)
