"""The units of a text: its sentences, list items, headings, table rows and code, with offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from citeguard.auditing.claims.blocks import Block, Form, blocks
from citeguard.auditing.claims.marks import filled_end, spoken, without_marks
from citeguard.language.sentences import Interval, sentence_intervals

_QUOTATION = re.compile(
    r"“[^“”]{1,600}”|«[^«»]{1,600}»|「[^「」]{1,600}」|『[^『』]{1,600}』"
    r"|(?<![\w\"])\"(?=\S)[^\"\n]{1,600}\"(?!\w)"
)
_UNDER_HEADER = re.compile(r"[ \t]*\n[ \t]*\|?[ \t]*:?-{2,}[-|: \t]*(?:\n|\Z)")
# What a unit may begin with: a word, an opening mark, a currency, a sign before a number.
_LOOSE = re.compile(r"(?:[^\w\"'“‘«「『(\[$€£¥.−–+~<>≈±-]|_|[.−–+~<>≈±-](?!\d))*")

# The number of a step that stands within a paragraph: "Mix it. 2. Bake it. (3) Cool it".
_NUMBERED = re.compile(r"(?:\(\d{1,2}\)|\d{1,2}[.)])\s+(?=[^\W\d_a-z])")


class Unit(NamedTuple):
    """A sentence, or what stands in the place of one.

    Attributes:
        start: Where it starts in the text, in code points.
        end: Where it ends, exclusive.
        plain: Its words with marks and markup blanked, as long as it is.
        form: What block it is of; a sentence of a list item is an `item`.
        lead: The words that introduce it: the line before a list, or the heading over it.
    """

    start: int
    end: int
    plain: str
    form: Form
    lead: str = ""


def units(text: str) -> Iterator[Unit]:
    r"""Yield the units of a text in order; together they hold all its letters.

    Examples:
        >>> [(unit.plain, unit.form) for unit in units("- Rain [1]. It fell.\n- Snow")]
        [('Rain    .', 'item'), ('It fell.', 'item'), ('Snow', 'item')]
    """
    heading = opening = ""
    header: Unit | None = None
    for block in blocks(text):
        for unit in _in_block(text, block):
            if block.form == "item":
                lead = opening or heading
            elif block.form == "row":
                lead = header.plain if header else ""
            else:
                lead = heading
            found = unit._replace(lead=spoken(lead))
            if block.form == "row":
                if _UNDER_HEADER.match(text, block.end):
                    header = found = found._replace(form="heading")
                yield found
                continue
            yield found
            header = None
            if block.form == "heading":
                heading, opening = unit.plain.strip(" :"), ""
            elif block.form == "paragraph":
                opening = unit.plain.rstrip(": \t") if unit.plain.rstrip().endswith(":") else ""


def _in_block(text: str, block: Block) -> Iterator[Unit]:
    plain = text[block.start : block.end]
    if block.form == "code":
        start = block.start + len(plain) - len(plain.lstrip())
        yield Unit(start, block.end, text[start : block.end], "code")
        return
    plain = without_marks(plain)
    spans = [(0, len(plain))] if block.form in ("heading", "row") else _sentences(plain)
    for start, end in spans:
        numbered = None if block.form == "row" else _NUMBERED.match(plain, start, end)
        start, end = _trimmed(plain, numbered.end() if numbered else start, end)
        if start < end:
            yield Unit(block.start + start, block.start + end, plain[start:end], block.form)


def _trimmed(plain: str, start: int, end: int) -> Interval:
    loose = _LOOSE.match(plain, start, end)
    start = loose.end() if loose else start
    kept = plain[start:end].rstrip(" \t\r\n|")
    return start, filled_end(plain, start + len(kept)) if kept else start


def _sentences(plain: str) -> list[Interval]:
    """Return the sentences of a block, none of which begins or ends inside a quotation."""
    quoted = quotations(plain)
    found: list[Interval] = []
    number = 0
    for start, end in sentence_intervals(plain):
        while number < len(quoted) and quoted[number][1] <= start:
            number += 1
        inside = number < len(quoted) and quoted[number][0] < start
        if found and (inside or not any(map(str.isalnum, plain[start:end]))):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def quotations(plain: str) -> list[Interval]:
    """Return where the quotations of a unit stand, their marks included."""
    return [match.span() for match in _QUOTATION.finditer(plain)]
