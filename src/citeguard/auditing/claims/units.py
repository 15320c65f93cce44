"""The units of a text: its sentences, list items, headings, table rows and code, with offsets.

Marks and markup are blanked before anything is read, so that every offset stays what it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from citeguard.language.citations import is_figure, pattern
from citeguard.language.markup import find_noise
from citeguard.language.sentences import Interval, sentence_intervals

Form = Literal["paragraph", "item", "heading", "row", "code"]

FILLER = "\u2060"
"""Fills the rest of an entity that is longer than its character: "Korea&rsquo;s"."""

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
# A shorter line was ended by its author, and not by the width of the page.
_SHORT = 45
# Sentences are found a paragraph at a time, which must not grow with the text.
_LONGEST = 4_000

_QUOTATION = re.compile(
    r"“[^“”]{1,600}”|«[^«»]{1,600}»|「[^「」]{1,600}」|『[^『』]{1,600}』"
    r"|(?<![\w\"])\"(?=\S)[^\"\n]{1,600}\"(?!\w)"
)
_UNDER_HEADER = re.compile(r"[ \t]*\n[ \t]*\|?[ \t]*:?-{2,}[-|: \t]*(?:\n|\Z)")
# A unit begins with a word, an opening mark, a currency, or a sign before a number.
_LOOSE = re.compile(r"(?:[^\w\"'“‘«「『(\[$€£¥.−–+~<>≈±-]|_|[.−–+~<>≈±-](?!\d))*")
# The number of a step within a paragraph: "Mix it. 2. Bake it. (3) Cool it".
_NUMBERED = re.compile(r"(?:\(\d{1,2}\)|\d{1,2}[.)])\s+(?=[^\W\d_a-z])")

_LINK = re.compile(r"(!?\[)([^\[\]\n]{1,300})(\]\([^()\s]{1,500}(?:\s\"[^\"\n]{0,100}\")?\))")
# Signs of emphasis touch a word on one side; "3 * 4" and "a_b" have none.
_EMPHASIS = re.compile(
    r"\*{1,3}(?=\S)|(?<=\S)\*{1,3}|~~|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|`{1,2}"
)
_BEFORE_STOP = re.compile(r" (?=[.,;:!?](?:\s|\Z))")  # where a mark was
_SIGNS = frozenset("[(【*_`~<&\\^¹²³⁰⁴⁵⁶⁷⁸⁹")


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


class TextUnit(NamedTuple):
    """A sentence, or a heading, table row or block of code.

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


def units(text: str) -> Iterator[TextUnit]:
    r"""Yield the units of a text in order; together they hold all its letters."""
    heading = opening = ""
    header: TextUnit | None = None
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


def _in_block(text: str, block: Block) -> Iterator[TextUnit]:
    plain = text[block.start : block.end]
    if block.form == "code":
        start = block.start + len(plain) - len(plain.lstrip())
        yield TextUnit(start, block.end, text[start : block.end], "code")
        return
    plain = blanked(plain)
    spans = [(0, len(plain))] if block.form in ("heading", "row") else _sentences(plain)
    for start, end in spans:
        numbered = None if block.form == "row" else _NUMBERED.match(plain, start, end)
        start, end = _trimmed(plain, numbered.end() if numbered else start, end)
        if start < end:
            yield TextUnit(block.start + start, block.start + end, plain[start:end], block.form)


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
    """Return the half-open intervals of the quotations in a unit, their marks included."""
    return [match.span() for match in _QUOTATION.finditer(plain)]


def blocks(text: str) -> Iterator[Block]:
    r"""Yield the blocks of a text in order; together they hold all its letters."""
    for block in _joined(text, _lines(text)):
        yield from _bounded(text, block)


def _lines(text: str) -> Iterator[Block]:
    """Yield a block for each line; a blank line is an empty paragraph."""
    start, in_code = 0, False
    for line in text.splitlines(keepends=True):
        end = start + len(line.rstrip())
        fence = _FENCE.match(line) is not None
        if fence or in_code:
            yield Block(start, end, "code")
            in_code = in_code is not fence
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
    quoted = _QUOTED.match(line)
    return Block(start + (quoted.end() if quoted else 0), end, "paragraph")


def _joined(text: str, lines: Iterator[Block]) -> Iterator[Block]:
    """Join the lines of one paragraph, item or fence of code."""
    current: Block | None = None
    for line in lines:
        if current is not None and _continues(text, current, line):
            current = Block(current.start, line.end, current.form)
            continue
        if current is not None:
            yield current
        current = line if line.start < line.end else None
    if current is not None:
        yield current


def _continues(text: str, before: Block, line: Block) -> bool:
    if "code" in (before.form, line.form):
        return before.form == line.form
    if line.form != "paragraph" or line.start == line.end or before.form in ("heading", "row"):
        return False
    last = max(text.rfind("\n", before.start, before.end) + 1, before.start)
    begins_anew = not text[line.start : line.end].lstrip()[:1].islower()
    if text[before.end - 1] == ":" or (before.end - last < _SHORT and begins_anew):
        return False
    return not (text.endswith(_STOPS, before.start, before.end) and begins_anew)


def _bounded(text: str, block: Block) -> Iterator[Block]:
    """Split a very long block between words."""
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


def blanked(text: str) -> str:
    """Return a text of the same length in which citation marks and markup are blanks."""
    if _SIGNS.isdisjoint(text):
        return text
    chars = list(text)
    for noise in find_noise(text):
        if noise.kind == "mark" and is_figure(text, noise.start, noise.end):
            continue
        # The number of an item is read with the list, and an escaped sign is a sign.
        if noise.kind == "mark" or len(noise.replacement) < noise.end - noise.start:
            width = noise.end - noise.start
            replacement = (noise.replacement or " " * width)[:width].replace("\n", " ")
            chars[noise.start : noise.end] = replacement.ljust(width, FILLER)
    blanks = [span for match in _LINK.finditer(text) for span in (match.span(1), match.span(3))]
    blanks += [match.span() for match in _EMPHASIS.finditer(text)]
    marks = (match.span() for match in pattern("named").finditer(text))
    for start, end in [*blanks, *(mark for mark in marks if not is_figure(text, *mark))]:
        chars[start:end] = " " * (end - start)
    return "".join(chars)


def spoken(plain: str) -> str:
    """Return blanked words with one blank between them."""
    return _BEFORE_STOP.sub("", " ".join(plain.replace(FILLER, "").split()))


def filled_end(plain: str, end: int) -> int:
    """Return where an entity or a tag ends whose character ends at a place."""
    while plain.startswith(FILLER, end):
        end += 1
    return end
