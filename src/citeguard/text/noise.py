"""What stands in a text without being its words: entities, tags, link targets, citation marks.

`find_noise` names the places; it decides nothing. The search form leaves marks out and reads
entities as the characters they stand for; the guard sees the same places again, in the original.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Noise:
    """A half-open interval of a text that reads as `replacement`.

    `mark` is a citation or footnote mark, which a faithful quote may drop; `markup` is syntax.
    """

    start: int
    end: int
    replacement: str
    kind: Literal["markup", "mark"]


_TAGS = (
    "a|abbr|b|big|blockquote|br|center|cite|code|dd|del|div|dl|dt|em|font|h[1-6]|hr|i|img|ins|li|mark"
    "|ol|p|pre|q|s|section|small|span|strong|table|tbody|td|th|thead|tr|tt|u|ul|wbr"
)
_YEAR = r"(?:1[6-9]|20)\d\d[a-z]?"
_MONTH = r"(?:(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*|May|Spring|Summer|Autumn|Fall|Winter|In|Since)\b"
_NAME = rf"(?!{_MONTH})(?:(?:[Vv]an|[Vv]on|[Dd]e|[Dd]er|[Dd]en|[Dd]u|[Dd]i|[Dd]a|[Ll]a|[Ll]e|[Ee]l)\s)*[A-Z][\w'’-]+"
_AUTHOR = rf"{_NAME}(?:,\s{_NAME})*(?:,?\s(?:and|&(?:amp;)?)\s{_NAME}|,?\set\sal\.?)?,?\s"
_SUPERSCRIPTS = "¹²³⁰⁴⁵⁶⁷⁸⁹"
_SUPERSCRIPT_DIGITS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
TAG = re.compile(rf"</?(?:{_TAGS})(?:\s[^<>]{{0,300}})?/?>|<!--[^<>]{{0,300}}-->", re.IGNORECASE)
BLOCK_TAG = re.compile(r"</?(?:blockquote|br|d[dlt]|div|h[1-6]|hr|li|ol|p|pre|t\w+|ul)\b", re.IGNORECASE)
SUPERSCRIPT_TAG = re.compile(r"<sup>\s*\[?(\d{1,3})\]?\s*</sup>", re.IGNORECASE)
SUBSCRIPT_TAG = re.compile(r"</?su[bp]>", re.IGNORECASE)
LINK_TARGET = re.compile(
    r"\]\((?:https?:|mailto:|www\.|[#/.]|[^\s()]{1,80}[./#])(?:[^\s()]|\([^\s()]{0,80}\)){0,300}"
    r"(?:\s\"[^\"\n]{0,100}\")?\)"
)
REFERENCE_MARK = re.compile(
    r"[\[［](?:\d{1,3}(?:\s?[,;，、–—-]\s?\d{1,3}){0,9}|\^[\w-]{1,20}|(?:note|nb|n) \d{1,3}"
    r"|[^\[\]\n]{3,40} needed|edit|update|when\?|who\?|by whom\?|sic!?)[\]］](?!\d)"
    r"|(?<=[\w.,;:!?)\"'”’\]])\[[a-z]\](?!\w)|(?<=[\w.,;:!?)\"'”’\]])\^\d{1,3}\^",
    re.IGNORECASE,
)
SUPERSCRIPTS = "¹²³⁰⁴⁵⁶⁷⁸⁹"
_SUPERSCRIPT_DIGITS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
TAG = re.compile(rf"</?(?:{_TAGS})(?:\s[^<>]{{0,300}})?/?>|<!--[^<>]{{0,300}}-->", re.IGNORECASE)
BLOCK_TAG = re.compile(r"</?(?:blockquote|br|d[dlt]|div|h[1-6]|hr|li|ol|p|pre|t\w+|ul)\b", re.IGNORECASE)
SUPERSCRIPT_TAG = re.compile(r"<sup>\s*\[?(\d{1,3})\]?\s*</sup>", re.IGNORECASE)
SUBSCRIPT_TAG = re.compile(r"</?su[bp]>", re.IGNORECASE)
LINK_TARGET = re.compile(
    r"\]\((?:https?:|mailto:|www\.|[#/.]|[^\s()]{1,80}[./#])(?:[^\s()]|\([^\s()]{0,80}\)){0,300}"
    r"(?:\s\"[^\"\n]{0,100}\")?\)"
)
REFERENCE_MARK = re.compile(
    r"\[(?:\d{1,3}(?:\s?[,;–—-]\s?\d{1,3}){0,9}|\^[\w-]{1,20}|(?:note|nb|n) \d{1,3}"
    r"|[^\[\]\n]{3,40} needed|edit|update|when\?|who\?|by whom\?|sic!?)\](?!\d)"
    r"|(?<=[\w.,;:!?)\"'”’\]])\[[a-z]\](?!\w)"
)
SUPERSCRIPTS = re.compile(rf"(?P<before>[^\W\d_{_SUPERSCRIPTS}]*|[.,;:!?)\"'”’\]])(?P<raised>[{_SUPERSCRIPTS}]{{1,3}})(?!\w)")
# What a raised number after it is an exponent of; after a single letter or a digit it always is.
_RAISED_UNITS = frozenset("mm cm dm km nm um µm ft in yd mi sec min".split())
AUTHOR_YEAR_MARK = re.compile(
    rf"[(\[](?:see\s(?:also\s)?|e\.g\.,?\s|cf\.\s)?{_AUTHOR}{_YEAR}(?:[;,]\s(?:{_AUTHOR})?{_YEAR}){{0,9}}"
    r"(?:,\spp?\.\s?\d+(?:[–-]\d+)?)?[)\]]"
)
ITEM_MARK = re.compile(r"\A\s*\(?\d{1,2}[.)]\s+(?=[\"'“‘(\[]*[A-Z])")
ESCAPE = re.compile(r"\\(?=[!-/:-@\[-`{-~])")


def _mojibake_table() -> dict[str, str]:
    """UTF-8 read as Windows-1252, for the characters that prose is full of."""
    table: dict[str, str] = {}
    for char in map(chr, [*range(0xA0, 0x180), *range(0x2010, 0x2027), 0x2032, 0x20AC, 0x2122]):
        # Bytes that Windows-1252 leaves undefined come through as C1 controls.
        garbled = "".join(
            bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in char.encode()
        )
        table[garbled] = char
    for ligature in "ﬀﬁﬂﬃﬄ":
        garbled = "".join(
            bytes([b]).decode("cp1252", "ignore") or chr(b) for b in ligature.encode()
        )
        table[garbled] = ligature
    return table


MOJIBAKE = _mojibake_table()
_MOJIBAKE_PATTERN = re.compile(
    "|".join(re.escape(garbled) for garbled in sorted(MOJIBAKE, key=len, reverse=True))
)


def _markup(pattern: re.Pattern[str], read: Callable[[re.Match[str]], str | None]) -> _Finder:
    def find(text: str) -> Iterator[Noise]:
        for match in pattern.finditer(text):
            if (replacement := read(match)) is not None:
                yield Noise(match.start(), match.end(), replacement, "markup")

    return find


def _mark(pattern: re.Pattern[str]) -> _Finder:
    def find(text: str) -> Iterator[Noise]:
        for match in pattern.finditer(text):
            yield Noise(match.start(), match.end(), "", "mark")

    return find


def _unescape(match: re.Match[str]) -> str | None:
    char = html.unescape(match[0])
    return None if char == match[0] else char


_LAST_WORD = re.compile(r"(?:[^\W\d_]+|[.,;:!?)\"'”’\]])\Z")


def _is_note(before: str, raised: str) -> bool:
    """Tell whether a raised number after a word or a stop points to a note, or is an exponent."""
    if not before or (len(before) == 1 and before.isalpha()):
        return False
    return not (before.casefold() in _RAISED_UNITS and raised in "²³")


def _superscript_marks(text: str) -> Iterator[Noise]:
    for match in SUPERSCRIPTS.finditer(text):
        if _is_note(match["before"], match["raised"]):
            yield Noise(match.start("raised"), match.end("raised"), "", "mark")


def _raised_tags(text: str) -> Iterator[Noise]:
    for match in SUPERSCRIPT_TAG.finditer(text):
        raised = match[1].translate(_SUPERSCRIPT_DIGITS)
        before = _LAST_WORD.search(text, max(0, match.start() - 40), match.start())
        if before and _is_note(before[0], raised):
            yield Noise(match.start(), match.end(), "", "mark")
        else:
            yield Noise(match.start(), match.end(), raised, "markup")


_Finder = Callable[[str], Iterator[Noise]]

# (a string that must occur for the finder to find anything, the finder)
_FINDERS: tuple[tuple[str, _Finder], ...] = (
    ("&", _markup(ENTITY, _unescape)),
    ("<", _raised_tags),
    ("<", _markup(SUBSCRIPT_TAG, lambda _: "")),
    ("<", _markup(TAG, lambda m: "\n" if BLOCK_TAG.match(m[0]) else "")),
    ("](", _markup(LINK_TARGET, lambda _: "]")),
    ("[", _mark(REFERENCE_MARK)),
    ("［", _mark(REFERENCE_MARK)),
    ("^", _mark(REFERENCE_MARK)),
    ("(", _mark(AUTHOR_YEAR_MARK)),
    ("et al", _mark(AUTHOR_YEAR_MARK)),
    ("", _mark(ITEM_MARK)),
    ("\\", _markup(ESCAPE, lambda _: "")),
)
_MOJIBAKE_LEADS = ("Ã", "â", "Â", "Å", "Ä", "ï")


def find_noise(text: str) -> list[Noise]:
    """Return the noise of a text, in order, without overlaps (the earlier, longer one wins)."""
    found = [noise for trigger, find in _FINDERS if trigger in text for noise in find(text)]
    if not text.isascii():
        if any(digit in text for digit in _SUPERSCRIPTS):
            found.extend(_superscript_marks(text))
        if any(lead in text for lead in _MOJIBAKE_LEADS):
            found.extend(_markup(_MOJIBAKE_PATTERN, lambda m: MOJIBAKE[m[0]])(text))
    return _without_overlaps(found) if found else found


def _without_overlaps(found: list[Noise]) -> list[Noise]:
    kept: list[Noise] = []
    for noise in sorted(found, key=lambda n: (n.start, -n.end)):
        if not kept or noise.start >= kept[-1].end:
            kept.append(noise)
    return kept
