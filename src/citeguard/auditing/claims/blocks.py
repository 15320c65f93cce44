"""The blocks of a text: paragraphs, list items, headings, table rows and code, by its lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

Form = Literal["paragraph", "item", "heading", "row", "code"]

_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+")
_BOLD_HEADING = re.compile(r"\s*(\*\*|__)(?:(?!\1)[^\n.!?])+(?:\1:?|:\1)\s*")
_ITEM = re.compile(
    r"[ \t]*(?:>[ \t]?)*"
    r"(?:[-*+•◦▪‣●○►·–—][ \t]+|\(?\d{1,3}[.)][ \t]+|\(?[a-z][.)][ \t]+|\[[ xX]\][ \t]+)+"
)
_QUOTED = re.compile(r"[ \t]*(?:>[ \t]?)+")
_ROW = re.compile(r"\s*\|.*\||[^|\n]*\|[^|\n]*\|")
_RULE = re.compile(r"[\s|:=+*_~-]+")
_STOPS = tuple(".!?:;…。！？”\"'’)]")
# A line that ends sooner than this ends on purpose, and not where the page did.
_SHORT = 45
# Sentences are found a paragraph at a time, which must not grow with the text.
_LONGEST = 4_000


class Block(NamedTuple):
    """A part of a text that no sentence crosses.

    Attributes:
        start: Where its words start, after its bullet or number.
        end: Where it ends, exclusive.
        form: What it is.
    """

    start: int
    end: int
    form: Form


def blocks(text: str) -> Iterator[Block]:
    r"""Yield the blocks of a text in order; together they hold all its letters.

    Examples:
        >>> [block.form for block in blocks("# Rain\n\nIt fell:\n- here\n- there")]
        ['heading', 'paragraph', 'item', 'item']
    """
    for block in _joined(text, _lines(text)):
        yield from _bounded(text, block)


def _lines(text: str) -> Iterator[Block]:
    """Yield a block for each line; a blank line is an empty paragraph."""
    start, in_code = 0, False
    for line in text.splitlines(keepends=True):
        end = start + len(line.rstrip())
        if _FENCE.match(line):
            in_code = not in_code
            yield Block(start, end, "code")
        elif in_code:
            yield Block(start, end, "code")
        else:
            yield _line(line.rstrip(), start)
        start += len(line)


def _line(line: str, start: int) -> Block:
    end = start + len(line)
    if not line or _RULE.fullmatch(line):
        return Block(end, end, "paragraph")
    if heading := _HEADING.match(line):
        return Block(start + heading.end(), end, "heading")
    if _BOLD_HEADING.fullmatch(line):
        return Block(start, end, "heading")
    if _ROW.match(line):
        return Block(start, end, "row")
    if item := _ITEM.match(line):
        return Block(start + item.end(), end, "item")
    if quoted := _QUOTED.match(line):
        return Block(start + quoted.end(), end, "paragraph")
    return Block(start, end, "paragraph")


def _joined(text: str, lines: Iterator[Block]) -> Iterator[Block]:
    """Join the lines of one paragraph, item or fence of code."""
    open_: Block | None = None
    for line in lines:
        if open_ is not None and _goes_on(text, open_, line):
            open_ = Block(open_.start, line.end, open_.form)
            continue
        if open_ is not None:
            yield open_
        open_ = line if line.start < line.end else None
    if open_ is not None:
        yield open_


def _goes_on(text: str, before: Block, line: Block) -> bool:
    if "code" in (before.form, line.form):
        return before.form == line.form
    if line.form != "paragraph" or line.start == line.end or before.form in ("heading", "row"):
        return False
    last = max(text.rfind("\n", before.start, before.end) + 1, before.start)
    if text[before.end - 1] == ":" or (before.end - last < _SHORT and _begins_anew(text, line)):
        return False
    return not (text.endswith(_STOPS, before.start, before.end) and _begins_anew(text, line))


def _begins_anew(text: str, line: Block) -> bool:
    first = text[line.start : line.end].lstrip()[:1]
    return not first.islower()


def _bounded(text: str, block: Block) -> Iterator[Block]:
    """Cut a block that never ends, between words."""
    start = block.start
    while block.end - start > _LONGEST and block.form != "code":
        cut = text.rfind(" ", start + 1, start + _LONGEST) + 1 or start + _LONGEST
        for stop in (". ", "。", "\n"):
            if (found := text.rfind(stop, start + _LONGEST // 2, start + _LONGEST)) >= 0:
                cut = found + len(stop)
                break
        yield Block(start, cut, block.form)
        start = cut
    yield Block(start, block.end, block.form)
