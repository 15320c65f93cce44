"""What counts the items of a list, which a quote of the items may omit.

A number or letter before an item counts it if it begins a line, or is in brackets behind a stop or
comma, and if the item before or after it has the next one of its series: "(a) ...; (b) ...".
"""

from __future__ import annotations

import re
from functools import cache

_ROWS = (
    "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx",
    *map(" ".join, ("abcdefghijklmnopqrstuvwxyz", "абвгдежзиклмн", "абвгґдеєжзиі", "αβγδεζηθικ")),
    *map(
        " ".join,
        ("أبجدهوزحطي", "कखगघङच", "กขคงจฉช", "가나다라마바사아자차", "一二三四五六七八九十"),
    ),
)
_LONGEST = 5  # letters or digits
_NEAR, _FAR = 3_000, 20_000  # characters between two items, and from the first to the last
_ROMAN = 0
_MARKED = rf"(?P<opening>[(（]?)(?P<mark>[^\W_]{{1,{_LONGEST}}})"
_BEHIND = r"\s*(?:[-–—]\s)?"
# "2. Weltkrieg" and "B - " in a line may be words of a sentence.
_LINE_ITEM = re.compile(
    rf"^(?P<item>[ \t]*{_MARKED}"
    rf"(?P<closing>[)）]|[.]-|[.](?=\s)|°(?=\s)|、|(?=\s[-–—]\s)){_BEHIND})",
    re.MULTILINE,
)
# The stop comes first: so the pattern is looked for many times as fast.
_INNER_ITEM = re.compile(
    r"[.:;,!?।؛،：；。，](?:(?<=[.:;,!?।؛،])\s|(?<=[：；。，]))"
    rf"(?P<item>{_MARKED}(?P<closing>[)）]){_BEHIND})"
)
# "2. " after a stop; the number of a section: "7.4.3 Guards".
_ALONE = re.compile(
    r"(?:[.:;!?。।]\s*|\n)\n[( \t]*(\d{1,2})[.)][ \t]"
    r"|\n[ \t]*(\d{1,2}(?:\.\d{1,2}){2,4})[ \t]+[A-Z][a-z]"
)
# The number of a verse, alone before a sentence: "3 And God said".
_VERSE = re.compile(
    r"(?:^|(?<=[.:;!?]\s)|(?<=[.:;!?][’”\"')]\s))(?P<item>[ \t]*(?P<mark>\d{1,3})\s(?:¶\s)?)"
    r"(?=[“‘\"'(]?(?P<first>[^\W\d_]))",
    re.MULTILINE,
)
_FEWEST_VERSES, _SHORTEST_VERSE = 3, 20  # in a row; characters
_BESIDE = 40  # characters read on either side of an item
_BRACKETS = (")", "）")
_STOPS = ".:;,"  # also of nothing, before the first line
_AFTER_MARK = re.compile(r"[)）.°、]|\s[-–—]\s")


@cache
def _places() -> dict[str, frozenset[tuple[int, int]]]:
    """Return the rows that a letter or numeral is in, with its place in each."""
    places: dict[str, set[tuple[int, int]]] = {}
    for row, marks in enumerate(_ROWS):
        for i, mark in enumerate(marks.split(), start=1):
            places.setdefault(mark, set()).add((row, i))
    return {mark: frozenset(found) for mark, found in places.items()}


def _ordinals(mark: str) -> frozenset[tuple[int, int]]:
    if mark.isdecimal():
        return frozenset(((-1, int(mark)),))
    return _places().get(mark.lower(), frozenset())


def find_item_marks(text: str) -> list[tuple[int, int]]:
    """Return the intervals, in code points, of what counts the items of the lists of a text.

    Only of lists of two items and more; without brackets, from the first on.

    Examples:
        >>> text = "Wanted: (a) a pen; (b) a book."
        >>> [text[low:high] for low, high in find_item_marks(text)]
        ['(a) ', '(b) ']
    """
    last: dict[tuple[str, str, bool, int, int], tuple[int, int]] = {}
    found: set[tuple[int, int]] = set()
    items = (*_LINE_ITEM.finditer(text), *_INNER_ITEM.finditer(text))
    for match in sorted(items, key=lambda match: match.start("item")):
        mark, closing, span = match["mark"], match["closing"], match.span("item")
        # "2° of frost" begins a line of a sentence or table, but "2° the heirs;" follows a stop.
        if closing == "°" and text[: span[0]].rstrip()[-1:] not in _STOPS:
            continue
        for row, place in _ordinals(mark):
            if _may_be_text(mark, closing, row):
                continue
            kind = match["opening"], closing, mark.isupper(), row
            before = last.get((*kind, place - 1))
            if before and span[0] - before[1] < _NEAR:
                found |= {before, span}
            if before or place == 1 or closing in _BRACKETS:
                last[(*kind, place)] = span
    return sorted(found) or _verse_numbers(text)


def _verse_numbers(text: str) -> list[tuple[int, int]]:
    """Return the intervals of the numbers of verses: some that follow each other, before sentences.

    One of them alone may be a count: "3 Men were hurt."
    """
    found: list[tuple[int, int]] = []
    run: list[re.Match[str]] = []
    for match in _VERSE.finditer(text):
        if match["first"].islower():
            continue
        far = run and match.start() - run[-1].end() >= _SHORTEST_VERSE
        if run and not (far and int(match["mark"]) == int(run[-1]["mark"]) + 1):
            run = []
        run.append(match)
        if len(run) == _FEWEST_VERSES:
            found += [each.span("item") for each in run]
        elif len(run) > _FEWEST_VERSES:
            found.append(match.span("item"))
    return found


def _may_be_text(mark: str, closing: str, row: int) -> bool:
    """Return whether a mark may be an initial ("B. Jones") or an amount ("2 - Ajax")."""
    if closing == ".":
        return mark.isupper() and row != _ROMAN
    return not closing and mark.isdecimal()


def is_item(text: str, start: int, end: int) -> bool:
    """Return whether `text[start:end]` is the number of an item or section that begins a line."""
    found = _ALONE.finditer(text, max(0, start - _BESIDE), end + _BESIDE)
    return any(match.span(match.lastindex or 0) == (start, end) for match in found)


def is_in_list(text: str, start: int, end: int) -> bool:
    """Return whether `text[start:end]` counts an item of a list."""
    if end - start > _LONGEST or not _AFTER_MARK.match(text, end):
        return False
    low = max(0, start - _FAR)
    marks = find_item_marks(text[low : end + _NEAR])
    return any(first <= start - low and end - low <= last for first, last in marks)
