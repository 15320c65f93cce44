"""What stands in messages: texts of others, bounded and free of what could break it, and counts.

Control characters, the bidirectional ones among them, and lone surrogates are written as escapes.
Whatever does not fit ends in `[…]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import accumulate

LIMIT = 600
"""The most characters of a message."""

CUT = " […]"

# Also the bidirectional controls and line separators: they reorder or break a terminal's lines.
# These are texts, not compiled: only a failure needs them, and `re` keeps what it compiled.
_UNSAFE = "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
_UNSAFE_IN_JSON = f'["\\\\]|{_UNSAFE}'
_SHORT_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}

_LINE_BREAKS = {char: f"\\u{ord(char):04x}" for char in "\x85\u2028\u2029"}


def with_passage(before: str, passage: str, after: str) -> str:
    """Put a passage, as a JSON string, between two texts, cut so that all of it fits `LIMIT`."""
    return f"{before}{as_json(passage, LIMIT - len(before) - len(after) - 2)}{after}"


def as_json(text: str, limit: int) -> str:
    """Write a text as a JSON string, at most `limit` characters between the quotation marks."""
    return f'"{_fit(text, limit, _UNSAFE_IN_JSON)}"'


def escape_line_breaks(json: str) -> str:
    """Escape what JSON leaves as it is, and language models take for the end of a line."""
    for character, escape in _LINE_BREAKS.items():  # many times faster than `translate`
        json = json.replace(character, escape)
    return json


def shown(text: str, limit: int) -> str:
    """Write a text on one line, in at most `limit` characters."""
    return _fit(" ".join(text.split(maxsplit=limit)), limit, _UNSAFE)


def counted_as(number: int, noun: str) -> str:
    """Say how many there are of something: "1 quote", "2 quotes"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def as_path(location: Iterable[int | str]) -> str:
    """Write a place in an answer as Python would: "statements[0].citations[1].quote"."""
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
