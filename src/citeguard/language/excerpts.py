"""Excerpts of texts, counts and locations for messages.

Excerpts are bounded: one that is cut ends in `[…]`. Control characters, the bidirectional ones
among them, and lone surrogates are written as escapes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import accumulate

LIMIT = 600
"""The maximum length of a message, in characters."""

CUT = " […]"

# Bidirectional controls and line separators reorder or break a terminal's lines.
# Not compiled here: only failures need them, and `re` caches what it has compiled.
_UNSAFE = "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
_UNSAFE_IN_JSON = f'["\\\\]|{_UNSAFE}'
_SHORT_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}

_LINE_BREAKS = {char: f"\\u{ord(char):04x}" for char in "\x85\u2028\u2029"}


def with_passage(before: str, passage: str, after: str) -> str:
    """Return a passage as a JSON string between two texts, cut so that the whole fits `LIMIT`.

    A stop with which the second text begins is omitted if the passage ends with one.
    """
    shown = as_json(passage, LIMIT - len(before) - len(after) - 2)
    ended = shown[:-1].rstrip().endswith((".", "!", "?", "…", "。"))
    return f"{before}{shown}{after.removeprefix('.') if ended else after}"


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
