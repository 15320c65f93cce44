"""A text cut for a page: `cut` at the borders of what lies over it, and into lines with a form."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, Literal, TypeVar, cast

from citeguard.language.sentences import Interval
from citeguard.sources.layout import FileKind, Heading

Owner = TypeVar("Owner")

BLOCK = 2_000
"""The fewest characters of a block; it ends with a line."""

Form = Literal["h1", "h2", "h3", "h4", "h5", "h6", "item", "head", "rule", "row"]
"""How a line of a document is shown: as a heading, an item of a list, or a row of a table.

A `rule` is the line of dashes below the head of a Markdown table, which nobody needs to see.
"""

Tag = Literal["syntax", "strong", "code"]
"""What words of a Markdown text are: marks that are hidden, strong words, or code."""

_LONGEST_FORM = 2_000  # characters of a line that is shown in a form
_LINE = re.compile(r"[^\n]+")
_LINE_BREAKS = re.compile(r"\n*")
_ITEM = re.compile(r"[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]+\S")
_HEADING = re.compile(r"(#{1,6})[ \t]+\S")
_CELL_END = re.compile(r" \| ")
_PIPE = re.compile(r"[ \t]*(?<!\\)\|\s*")
_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\n?")
_CODE = re.compile(r"(?<!`)(`{1,3})([^`\n]+)\1(?!`)")
_STRONG = re.compile(r"(\*\*)(?=[^\s*])([^*\n]*[^\s*])\1(?!\*)")
_HASHES = re.compile(r"^#{1,6}[ \t]+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Piece(Generic[Owner]):
    """A stretch of a text, `text[start:end]`, that the same intervals cover."""

    start: int
    end: int
    over: tuple[Owner, ...]  # of these intervals, in the order of their starts
    opens: Form | None  # the form of a line that begins with it
    closes: Form | None  # the form of a line that ends with it
    separates: bool  # two cells of a row


def cut(
    text: str,
    intervals: Iterable[tuple[int, int, Owner]],
    *,
    whole: Iterable[Interval] = (),
    kind: FileKind | None = None,
    headings: Sequence[Heading] = (),
    borders: Iterable[int] = (),
) -> list[list[Piece[Owner]]]:
    """Cut a text at the borders of intervals with owners, of lines with a form, and at `borders`.

    Returned are the pieces, in blocks of some 2,000 characters, which a browser lays out one by
    one. Every character is in one of them; what of an interval is outside of the text is ignored.
    Within the `whole` intervals no block ends, and no line with a form begins or ends. The kind of
    file and its headings are as for `forms`.
    """
    whole = _merged(whole)
    lines: dict[int, tuple[int, Form]] = {
        start: (end, form)
        for start, end, form in forms(text, kind, headings)
        if _kept(start, whole) == start and _kept(end, whole) == end
    }
    closes = dict(lines.values())
    cells = {
        cell.start(): cell.end()
        for start, (end, form) in lines.items()
        if form in ("head", "row")
        for cell in (_CELL_END if kind else _PIPE).finditer(text, start, end)
    }
    starts, ends = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
    owners = sorted(intervals, key=lambda interval: interval[0])
    for number, (start, end, _) in enumerate(owners):
        if (start := max(start, 0)) < (end := min(end, len(text))):
            starts[start].append(number)
            ends[end].append(number)
    kept = _merged([*whole, *((start, end) for start, (end, _) in lines.items())])
    first = {0, *_block_starts(text, kept)}
    lists = (starts, ends, lines, closes, cells, cells.values(), borders, first, [len(text)])
    # One sweep over all borders: time grows with the text and its intervals, not with their
    # product.
    over: dict[int, Owner] = {}
    blocks: list[list[Piece[Owner]]] = []
    for low, high in pairwise(sorted({at for each in lists for at in each if at <= len(text)})):
        # What ends here goes before what begins, as intervals that only touch share no piece.
        for number in ends[low]:
            del over[number]
        over.update((number, owners[number][2]) for number in starts[low])
        if low in first:
            blocks.append([])
        opens = lines[low][1] if low in lines else None
        separates = cells.get(low) == high
        piece = Piece(low, high, tuple(over.values()), opens, closes.get(high), separates)
        blocks[-1].append(piece)
    return blocks


def _merged(intervals: Iterable[Interval]) -> list[Interval]:
    """Return the union of intervals, in order; those that only touch stay apart."""
    merged: list[Interval] = []
    for start, end in sorted(intervals):
        if merged and start < merged[-1][1]:
            start, last = merged.pop()
            end = max(end, last)
        merged.append((start, end))
    return merged


def _block_starts(text: str, kept: Sequence[Interval]) -> Iterator[int]:
    at = BLOCK
    while found := text.find("\n", at) + 1:
        if (at := _kept(found, kept)) == found:
            yield at
            at += BLOCK


def _kept(at: int, kept: Sequence[Interval]) -> int:
    """Return an offset, or the end of the interval that it is inside of."""
    index = bisect_right(kept, at, key=lambda interval: interval[0]) - 1
    return kept[index][1] if index >= 0 and kept[index][0] < at < kept[index][1] else at


def forms(
    text: str, kind: FileKind | None = None, headings: Sequence[Heading] = ()
) -> Iterator[tuple[int, int, Form]]:
    r"""Yield the lines that are shown in a form, with the line breaks after them.

    The marks of items are part of their lines. So are those of headings and tables in text that
    came from no file (`kind` is `None`), which may be Markdown. The headings of a file are given,
    and its cells are separated by " | ".

    Examples:
        >>> list(forms("# Pay\n\nIt is:\n- monthly"))
        [(0, 7, 'h1'), (14, 23, 'item')]
    """
    # A heading starts after its number.
    levels = {text.rfind("\n", 0, each.start) + 1: each.level for each in headings}
    row_end = -1
    last: tuple[int, Form] | None = None  # where the line before ended, and its form
    for line in _LINE.finditer(text):
        low, high = line.span()
        form = _form(text, low, high, kind, levels)
        if kind is None and "|" in line[0]:
            form = _form_in_table(text, low, high, last and last[0] == low - 1 and last[1]) or form
        last = (high, form) if form else None
        if form is None or high - low > _LONGEST_FORM:
            continue
        if form == "row" and row_end != low and kind == "markdown":
            form = "head"
        end = cast("re.Match[str]", _LINE_BREAKS.match(text, high)).end()
        row_end = end if form in ("head", "row") else -1
        yield low, end, form


def _form_in_table(text: str, start: int, end: int, above: Form | bool | None) -> Form | None:
    """Return the form of a line with a bar, by that of the line directly above."""
    if above in ("rule", "row"):
        return "row"
    if above == "head":
        return "rule"
    below = _RULE.match(text, end + 1)
    is_head = below is not None and "|" in below[0] and below[0].endswith("\n")
    return "head" if is_head else None


def tags(text: str) -> Iterator[tuple[int, int, Tag]]:
    """Yield where a Markdown text has marks, strong words and code, as start, end and tag.

    Examples:
        >>> list(tags("**Pay** it"))
        [(0, 2, 'syntax'), (2, 5, 'strong'), (5, 7, 'syntax')]
    """
    found: tuple[tuple[re.Pattern[str], Tag], ...] = ((_STRONG, "strong"), (_CODE, "code"))
    for pattern, tag in found:
        for match in pattern.finditer(text):
            yield match.start(), match.start(2), "syntax"
            yield *match.span(2), tag
            yield match.end(2), match.end(), "syntax"
    for match in _HASHES.finditer(text):
        yield *match.span(), "syntax"


def _form(
    text: str, start: int, end: int, kind: FileKind | None, levels: Mapping[int, int]
) -> Form | None:
    if start in levels:
        return cast("Form", f"h{levels[start]}")
    if kind is None and (match := _HEADING.match(text, start, end)):
        return cast("Form", f"h{len(match[1])}")
    if kind in ("text", "pdf"):  # their lines mean something else
        return None
    if _ITEM.match(text, start, end):
        return "item"
    return "row" if kind is not None and _CELL_END.search(text, start, end) else None
