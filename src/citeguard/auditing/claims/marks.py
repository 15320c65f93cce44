"""What stands in a text without being said: citation marks, Markdown signs, link targets.

They are blanked out before anything is read, so that every offset stays what it was.
"""

from __future__ import annotations

import re

from citeguard.auditing.citing.asides import is_figure
from citeguard.language.noise import find_noise

_NUMBERS = r"\d{1,4}(?:\s{0,2}(?:[,;–-]|and|&)\s{0,2}\d{1,4}){0,9}"
_SOURCES = r"(?:passages?|sources?|documents?|docs?|ref(?:erence)?s?|contexts?|citations?|chunks?)"
# "[1, 2]", "[doc-3]", "(Passage 1)", "(Sources 1 and 2)", "【3†source】".
_CITATION = re.compile(
    rf"\[\s?(?:{_NUMBERS}|\^[\w-]{{1,20}}|{_SOURCES}[\s:_.#-]{{0,2}}(?:{_NUMBERS}|[\w.-]{{1,20}})"
    rf"|[a-z]{{1,8}}[-_:]?\d{{1,4}})\s?\](?!\()"
    rf"|\((?:(?:see|from|per|as\sper)\s)?{_SOURCES}\s?[:#]?\s?{_NUMBERS}"
    rf"(?:\s?(?:[,;]|and|&)\s?{_SOURCES}\s?[:#]?\s?{_NUMBERS}){{0,5}}\)"
    r"|【[^【】\n]{1,40}】"
    # After a blank, raised figures are no exponent.
    r"|(?<=\s)<sup>\s{0,3}\[?\d{1,3}\]?\s{0,3}</sup>",
    re.IGNORECASE,
)
_LINK = re.compile(r"(!?\[)([^\[\]\n]{1,300})(\]\([^()\s]{1,500}(?:\s\"[^\"\n]{0,100}\")?\))")
# Signs of emphasis touch a word on one side; "3 * 4" and "a_b" have none.
_EMPHASIS = re.compile(
    r"\*{1,3}(?=\S)|(?<=\S)\*{1,3}|~~|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|`{1,2}"
)
FILLER = "\u2060"
"""Stands in the place of what an entity is longer than its character: "Korea&rsquo;s"."""

_BEFORE_STOP = re.compile(r" (?=[.,;:!?](?:\s|\Z))")  # a mark stood there
_SIGNS = frozenset("[(【*_`~<&\\^¹²³⁰⁴⁵⁶⁷⁸⁹")


def without_marks(text: str) -> str:
    """Return a text of the same length in which marks and markup are blanks.

    Examples:
        >>> without_marks("**Rain** fell [1].")
        '  Rain   fell    .'
    """
    if _SIGNS.isdisjoint(text):
        return text
    chars = list(text)
    for noise in find_noise(text):
        if noise.kind == "mark" and is_figure(text, noise.start, noise.end):
            continue
        # What an item begins with is read with the list, and an escaped sign is a sign.
        if noise.kind == "mark" or len(noise.replacement) < noise.end - noise.start:
            width = noise.end - noise.start
            chars[noise.start : noise.end] = _padded(noise.replacement or " " * width, width)
    for match in _LINK.finditer(text):
        _blank(chars, *match.span(1))
        _blank(chars, *match.span(3))
    for match in _CITATION.finditer(text):
        if not is_figure(text, *match.span()):
            _blank(chars, *match.span())
    for match in _EMPHASIS.finditer(text):
        _blank(chars, *match.span())
    return "".join(chars)


def spoken(plain: str) -> str:
    """Return the words of what has no marks any more, with one blank between them."""
    return _BEFORE_STOP.sub("", " ".join(plain.replace(FILLER, "").split()))


def filled_end(plain: str, end: int) -> int:
    """Return where an entity or a tag ends whose character ends at a place."""
    while plain.startswith(FILLER, end):
        end += 1
    return end


def _padded(replacement: str, width: int) -> str:
    return replacement[:width].replace("\n", " ").ljust(width, FILLER)


def _blank(chars: list[str], start: int, end: int) -> None:
    chars[start:end] = " " * (end - start)
