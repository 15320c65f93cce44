"""Excerpts of texts, counts and locations for messages; texts as Markdown shows them unchanged.

Excerpts are bounded: one that is cut ends in `[…]`. Control characters, the bidirectional ones
among them, and lone surrogates are written as escapes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape as escape_html
from itertools import accumulate

from citeguard.language.sentences import sentence_intervals
from citeguard.language.tokens import to_word_borders

LIMIT = 600
"""The maximum length of a message, in characters."""

CUT = " […]"
STOPS = (".", "!", "?", "…", "。", "！", "？", "।", "؟", "۔")
"""What ends a sentence, so that no stop is written after it."""

# Bidirectional controls and line separators reorder or break a terminal's lines.
# Not compiled here: only failures need them, and `re` caches what it has compiled.
_UNSAFE = "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
_UNSAFE_IN_JSON = f'["\\\\]|{_UNSAFE}'
_SHORT_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}

_LINE_BREAKS = {char: f"\\u{ord(char):04x}" for char in "\x85\u2028\u2029"}


def with_passage(before: str, passage: str, after: str, start: int = 0, end: int = 0) -> str:
    """Return a passage as a JSON string between two texts, cut so that the whole fits `LIMIT`.

    It is cut by `excerpt`, which keeps `passage[start:end]`. A stop with which the second text
    begins is omitted if the passage ends with one.
    """
    shown = as_excerpt(passage, LIMIT - len(before) - len(after) - 2, start, end)
    ended = shown[:-1].rstrip().endswith(STOPS)
    return f"{before}{shown}{after.removeprefix('.') if ended else after}"


def as_excerpt(text: str, limit: int, start: int = 0, end: int = 0) -> str:
    """Return the `excerpt` of a text as a JSON string."""
    return as_json(excerpt(text, limit, start, end), limit)


def excerpt(text: str, limit: int, start: int = 0, end: int = 0) -> str:
    """Return a part of a text that shows `text[start:end]`, or as much of it as there is room for.

    It is cut between sentences where whole ones fit, else between words, and has `[…]` where
    something is cut. Offsets are half-open, in code points.

    Args:
        text: The text.
        limit: The most characters of the part, written as JSON.
        start: Where the words begin that must be seen.
        end: Where they end.

    Examples:
        >>> excerpt("It rained. Nobody came. The hall was empty.", 25, 11, 17)
        '[…] Nobody came. […]'
    """
    if _room(text, 0, len(text), limit) >= 0:
        return text
    start = min(start, len(text) - 1)
    end = min(max(end, start + 1), len(text))
    base, stop = max(0, start - LIMIT), start + 2 * LIMIT  # nothing farther off could be shown
    whole = [(base + low, base + high) for low, high in sentence_intervals(text[base:stop])]
    lows = [low for low, _ in whole if low > base or base == 0]
    highs = [high for _, high in whole if high < stop]
    low = max((place for place in lows if place <= start), default=0)
    high = min((place for place in highs if place >= end), default=len(text))
    if _room(text, low, high, limit) < 0:  # the sentences do not fit: cut between words
        if _room(text, low, min(end, start + limit // 3), limit) < 0:
            low = to_word_borders(text, max(0, start - limit // 3), start)[0]
        high = _cut_behind(text, low, limit)
        high = max((place for place in highs if end <= place <= high), default=high)
    after = (place for place in highs if place > high and _room(text, low, place, limit) >= 0)
    high = max(after, default=high)
    before = (place for place in lows if place < low and _room(text, place, high, limit) >= 0)
    low = min(before, default=low)
    if _room(text, low, high, limit) > limit // 2:  # the next sentence is long
        high = _cut_behind(text, low, limit)
    head, tail = "[…] " if text[:low].strip() else "", CUT if text[high:].strip() else ""
    return f"{head}{without_halves(text, low, high).strip()}{tail}"


def without_halves(text: str, start: int, end: int) -> str:
    """Return `text[start:end]` without marks of emphasis and code whose pairs are outside of it.

    Examples:
        >>> without_halves("**Note. Do not run `x`.** Then", 8, 30)
        'Do not run `x`. Then'
    """
    opened: dict[str, re.Match[str]] = {}
    kept = [*text[start:end]]
    for mark in re.compile(r"\*\*|`+").finditer(text, max(0, start - LIMIT), end + LIMIT):
        before, after = text[mark.start() - 1 : mark.start()], text[mark.end() : mark.end() + 1]
        if mark[0] in opened and before.strip() and not after.isalnum():
            pair = opened.pop(mark[0]), mark
            inside = [each for each in pair if start <= each.start() and each.end() <= end]
            for each in inside if len(inside) == 1 else ():
                kept[each.start() - start : each.end() - start] = [""] * len(each[0])
        elif after.strip() and not before.isalnum():
            opened[mark[0]] = mark
    return "".join(kept)


def _room(text: str, low: int, high: int, limit: int) -> int:
    """Return how many characters of a limit `text[low:high]` leaves; negative if it is too long."""
    cuts = (low > 0) + (high < len(text))
    if high - low > limit:
        return limit - (high - low)
    return limit - cuts * len(CUT) - len(re.sub(_UNSAFE_IN_JSON, _escape, text[low:high]))


def _cut_behind(text: str, low: int, limit: int) -> int:
    """Return where to cut a text that begins at `low`: between words, within a limit."""
    high = min(len(text), low + limit)
    while high > low and (room := _room(text, low, high, limit)) < 0:
        high += min(-1, room // 6)  # an escape has six characters at most
    blank = max(text.rfind(blank, low, high) for blank in " \n")
    borders = blank, to_word_borders(text, high, high)[0]
    return next((border for border in borders if border > (low + high) // 2), high)


def as_json(text: str, limit: int) -> str:
    """Return a text as a JSON string with at most `limit` characters between its quotes."""
    return f'"{_fit(text, limit, _UNSAFE_IN_JSON)}"'


def escape_line_breaks(json: str) -> str:
    """Return JSON with the line breaks escaped that JSON allows and language models see as such."""
    for character, escape in _LINE_BREAKS.items():  # many times faster than `translate`
        json = json.replace(character, escape)
    return json


def shown(text: str, limit: int) -> str:
    """Return a text on one line, in at most `limit` characters."""
    return _fit(" ".join(text.split(maxsplit=limit)), limit, _UNSAFE)


def in_lines(text: str) -> str:
    """Return a text in its lines, with control characters written out."""
    spaced = re.sub(r"[^\S\n]", " ", text)
    return "\n".join(re.sub(_UNSAFE, _escape, line) for line in spaced.split("\n"))


def shortened(text: str, most: int) -> str:
    """Return a text of at most so many characters, as it is; one that is cut ends in "…"."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def counted_as(number: int, noun: str) -> str:
    """Return a number with its noun: "1 quote", "2 quotes"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def as_path(location: Iterable[int | str]) -> str:
    """Return a location as Python writes it: "statements[0].citations[1].quote"."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    return "".join(steps).removeprefix(".")


def _fit(text: str, limit: int, unsafe: str) -> str:
    whole = re.sub(unsafe, _escape, text[: limit + 1])
    if len(whole) <= limit:
        return whole
    if whole == text[: limit + 1]:
        return text[: limit - len(CUT)] + CUT
    # Character by character, so that no escape is cut in two.
    escaped = [re.sub(unsafe, _escape, character) for character in text[:limit]]
    ends = accumulate(map(len, escaped))
    room = limit - len(CUT)
    return "".join(part for part, end in zip(escaped, ends, strict=True) if end <= room) + CUT


def _escape(unsafe: re.Match[str]) -> str:
    character = unsafe.group()
    return _SHORT_ESCAPES.get(character) or f"\\u{ord(character):04x}"


# Markdown

# GitHub and GitLab look for references (@name, #1, !2) and links after Markdown is rendered, when
# no escape helps; an element around the sign does.
_SPECIAL = re.compile(
    r"""
    (?P<linking> [@#!%^~&](?=[\w"]) | \$ | :(?=//|[\w+-]+:) | (?<=www)\. | (?<=GH)-(?=\d) )
    | (?P<html> [<>&] )
    | (?P<mark> [\\`*_\[\]|~] )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_BLOCK_MARK = re.compile(r"^(\d*)([-+=#.)])")


def escaped(text: str, limit: int = LIMIT) -> str:
    r"""Return a text on one line that Markdown shows unchanged, except at the start of a line.

    Args:
        text: Any text.
        limit: The most of its characters, before they are escaped.

    Examples:
        >>> escaped("| <b> *one*\n@anna")
        '\\| &lt;b&gt; \\*one\\* <span>@</span>anna'
    """
    return _SPECIAL.sub(_escape_for_markdown, shown(text, limit))


def as_paragraph(text: str, limit: int = LIMIT) -> str:
    """Return an escaped text for the start of a line, where it could be a list or a heading."""
    return _BLOCK_MARK.sub(r"\1\\\2", escaped(text, limit))


def _escape_for_markdown(special: re.Match[str]) -> str:
    sign = special.group()
    if special["linking"]:
        return f"<span>{escape_html(sign)}</span>"
    return escape_html(sign) if special["html"] else f"\\{sign}"
