"""What stands in a text without being its words: entities, tags, link targets, citation marks.

`find_noise` names the places; it decides nothing. The search form leaves marks out and reads
entities as the characters they stand for; the guard sees the same places again, in the original.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
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


_Finder = Callable[[str], Iterator[Noise]]

_SUPERSCRIPTS = "¹²³⁰⁴⁵⁶⁷⁸⁹"
_LETTERS = rf"[^\W\d_{_SUPERSCRIPTS}]+"
_SUPERSCRIPT_DIGITS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
# What a raised 2 or 3 after it is an exponent of; after a single letter or a digit it always is.
_RAISED_UNITS = frozenset(
    (
        "mm cm dm km nm um µm ft in yd mi sec min metre metres meter meters foot feet inch inches"
        " yard yards mile miles kilometre kilometres kilometer kilometers centimetre centimetres"
        " centimeter centimeters acre sin cos tan log chi sigma"
    ).split()
)
_SHORT_WORDS = frozenset(
    ("of in to is it on by as at be or an he we us up no so do go if my me").split()
)
_LOOK_BACK = 40  # characters before a raised number in which its word is looked for
_MOJIBAKE_LEADS = ("Ã", "â", "Â", "Å", "Ä", "ï")

_TAGS = (
    "a|abbr|b|big|blockquote|br|center|cite|code|dd|del|div|dl|dt|em|font|h[1-6]|hr|i|img|ins|li|mark"
    "|ol|p|pre|q|s|section|small|span|strong|table|tbody|td|th|thead|tr|tt|u|ul|wbr|article|aside"
    "|caption|dfn|figcaption|figure|footer|header|kbd|label|main|nav|ruby|r[bpt]|samp|strike|time|var"
)
_BLOCK_TAGS = "blockquote|br|d[dlt]|div|h[1-6]|hr|li|ol|p|pre|t\\w+|ul"

# "(Smith et al., 2019)", "[van Dijk and Lee, 1984, p. 5]"; but not "(June 1968)".
_YEAR = r"(?:(?:1[6-9]|20)\d\d(?:[a-z](?:,\s?[a-z])*)?|in press|n\.d\.)"
_NO_NAME = (
    r"(?!(?:(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*|May|Spring|Summer|Autumn|Fall"
    r"|Winter|In|Since)\b)"
)
_PARTICLE = r"(?:[Vv]an|[Vv]on|[Dd]e|[Dd]er|[Dd]en|[Dd]u|[Dd]i|[Dd]a|[Ll]a|[Ll]e|[Ee]l)"
_NAME = rf"{_NO_NAME}(?:{_PARTICLE}\s)*[A-ZÀ-ÖØ-ÞĀ-Ž][\w'’-]+(?:\s[A-Z][\w'’-]+){{0,3}}"
_AUTHORS = rf"{_NAME}(?:,\s{_NAME})*(?:,?\s(?:and|&(?:amp;)?)\s{_NAME}|,?\set\sal\.?)?,?\s"

_Pattern = Literal[
    "entity", "tag", "block tag", "raised tag", "script tag", "link target", "mark", "caret mark",
    "source mark", "emphasis note", "figures before",
    "author and year", "item", "escape", "raised", "last word",
]  # fmt: skip
_PATTERNS: dict[_Pattern, str] = {
    "entity": r"&(?:amp;)?(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});",
    "tag": rf"</?(?:{_TAGS})(?:\s[^<>]{{0,300}})?/?>|<!--[^<>]{{0,300}}-->",
    "block tag": rf"</?(?:{_BLOCK_TAGS})\b",
    "raised tag": r"<sup>\s*\[?(\d{1,3})\]?\s*</sup>",
    "script tag": r"</?su[bp](?:\s[^<>]{0,300})?>",
    "link target": (
        r"\]\((?:https?:|mailto:|www\.|[#/.]|[^\s()]{1,80}[./#])"
        r"(?:[^\s()]|\([^\s()]{0,80}\)){0,300}(?:\s\"[^\"\n]{0,100}\")?\)"
    ),
    "mark": (
        r"[\[［](?:\d{1,3}(?:\s{0,3}[,;，、–—-]\s{0,3}\d{1,3}){0,9}"
        r"|\^[\w-]{1,20}|(?:note|nb|n) \d{1,3}|[^\[\]\n]{3,40} needed|edit|update|when\?|who\?"
        r"|by whom\?|sic!?|(?P<letter>[a-z]))[\]］](?!\d)"
    ),
    "caret mark": r"\^\d{1,3}\^",
    "source mark": r"【[^【】\n]{1,40}†[^【】\n]{0,40}】",
    "emphasis note": r"\((?:emphasis|italics) (?:added|mine|in original|supplied)\)",
    # After these words, bracketed numbers are figures: "95% CI [12, 15]", "a mean of [45]".
    "figures before": (
        r"\b(?:CI|interval|range|mean|median|average|between|scores? of|mean of|age of)\s\Z"
    ),
    "author and year": (
        rf"[(\[](?-i:(?:see\s(?:also\s)?|e\.g\.,?\s|cf\.\s)?{_AUTHORS}{_YEAR}"
        rf"(?:[;,]\s(?:{_AUTHORS})?{_YEAR}){{0,9}})(?:[,:]\s?(?:pp?\.\s?)?\d+(?:[–-]\d+)?)?[)\]]"
    ),
    "item": r"\A\s*\(?\d{1,2}[.)]\s+(?=[\"'“‘(\[]*(?-i:[A-Z]))",
    "escape": r"\\(?=[!-/:-@\[-`{-~])",
    "raised": rf"[{_SUPERSCRIPTS}]{{1,3}}(?!\w)",
    "last word": rf"(?:{_LETTERS}(?:['’]{_LETTERS})*|[.,;:!?)\"'”’\]])\Z",
}


@cache
def _pattern(name: _Pattern) -> re.Pattern[str]:
    # Compiled when first met: together they would take a tenth of a second of every import.
    return re.compile(_PATTERNS[name], re.IGNORECASE)


def find_noise(text: str) -> list[Noise]:
    """Return the noise of a text, in order, without overlaps (the earlier, longer one wins).

    Examples:
        >>> [(noise.start, noise.replacement) for noise in find_noise("R&amp;D [12]")]
        [(1, '&'), (8, '')]
    """
    found: list[Noise] = []
    if _has_signs(text):
        found += [noise for trigger, find in _FINDERS if trigger in text for noise in find(text)]
    if not text[:1].isalpha():
        found += _item_marks(text)
    if not text.isascii():
        if any(digit in text for digit in _SUPERSCRIPTS):
            found.extend(_superscript_marks(text))
        if any(lead in text for lead in _MOJIBAKE_LEADS):
            found.extend(_mojibake(text))
    return _without_overlaps(found) if found else found


def _has_signs(text: str) -> bool:
    """Tell whether a text has a sign without which none of the finders finds anything."""
    # Written out, this takes a third of the time of a loop; most texts that are asked about are
    # short, and have none.
    return (
        "(" in text
        or "[" in text
        or "<" in text
        or "&" in text
        or "\\" in text
        or "^" in text
        or "†" in text
        or "［" in text
    )


def _without_overlaps(found: list[Noise]) -> list[Noise]:
    kept: list[Noise] = []
    for noise in sorted(found, key=lambda n: (n.start, -n.end)):
        if not kept or noise.start >= kept[-1].end:
            kept.append(noise)
    return kept


def _markup(name: _Pattern, read: Callable[[str], str]) -> _Finder:
    def find(text: str) -> Iterator[Noise]:
        for match in _pattern(name).finditer(text):
            if (replacement := read(match[0])) != match[0]:
                yield Noise(match.start(), match.end(), replacement, "markup")

    return find


def _mark(name: _Pattern) -> _Finder:
    def find(text: str) -> Iterator[Noise]:
        for match in _pattern(name).finditer(text):
            yield Noise(match.start(), match.end(), "", "mark")

    return find


def _reference_marks(text: str) -> Iterator[Noise]:
    """Numbers in brackets, but for figures: "95% CI [12, 15]"."""
    for match in _pattern("mark").finditer(text):
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
        # "[a]" is a mark behind a word; "[a]nd" is an editor's bracket.
        apart = not before or before[-1].isspace() or text[match.end() : match.end() + 1].isalnum()
        editorial = match["letter"] and apart
        if not editorial and not _pattern("figures before").search(before):
            yield Noise(match.start(), match.end(), "", "mark")


def _item_marks(text: str) -> Iterator[Noise]:
    """The number of a list item that the text begins with."""
    if match := _pattern("item").match(text):
        yield Noise(match.start(), match.end(), "", "mark")


def _superscript_marks(text: str) -> Iterator[Noise]:
    for match in _pattern("raised").finditer(text):
        if _is_note(_word_before(text, match.start()), match[0]):
            yield Noise(match.start(), match.end(), "", "mark")


def _raised_tags(text: str) -> Iterator[Noise]:
    for match in _pattern("raised tag").finditer(text):
        raised = match[1].translate(_SUPERSCRIPT_DIGITS)
        if _is_note(_word_before(text, match.start()), raised):
            yield Noise(match.start(), match.end(), "", "mark")
        else:
            yield Noise(match.start(), match.end(), raised, "markup")


def _word_before(text: str, place: int) -> str:
    """Return the letters, or the one stop, that a place follows at once."""
    match = _pattern("last word").search(text, max(0, place - _LOOK_BACK), place)
    return match[0] if match else ""


def _is_note(before: str, raised: str) -> bool:
    """Tell whether a raised number after a word or a stop points to a note, or is an exponent."""
    if not before or (before.isalpha() and len(before) < 3 and not _is_short_word(before)):
        return False
    return not (before.casefold() in _RAISED_UNITS and raised in "²³")


def _is_short_word(letters: str) -> bool:
    """Tell whether one or two letters are a word, not the symbol of a quantity ("x", "πr")."""
    return letters.casefold() in _SHORT_WORDS or letters >= "\u3040"


def _tag_as_text(tag: str) -> str:
    return "\n" if _pattern("block tag").match(tag) else ""


# (a string that must occur for the finder to find anything, the finder)
_FINDERS: tuple[tuple[str, _Finder], ...] = (
    ("&", _markup("entity", lambda entity: html.unescape(html.unescape(entity)))),
    ("<", _raised_tags),
    ("<", _markup("script tag", lambda _: "")),
    ("<", _markup("tag", _tag_as_text)),
    ("](", _markup("link target", lambda _: "]")),
    ("[", _reference_marks),
    ("［", _reference_marks),
    ("^", _mark("caret mark")),
    ("†", _mark("source mark")),
    (" added)", _mark("emphasis note")),
    (" mine)", _mark("emphasis note")),
    (" original)", _mark("emphasis note")),
    (" supplied)", _mark("emphasis note")),
    ("(", _mark("author and year")),
    ("[", _mark("author and year")),
    ("\\", _markup("escape", lambda _: "")),
)


def _mojibake(text: str) -> Iterator[Noise]:
    table, pattern = _mojibake_table()
    for match in pattern.finditer(text):
        yield Noise(match.start(), match.end(), table[match[0]], "markup")


@cache
def _mojibake_table() -> tuple[dict[str, str], re.Pattern[str]]:
    """UTF-8 read as Windows-1252, for the characters that prose is full of."""
    points = [
        *range(0xA0, 0x180),
        *range(0x2010, 0x2027),
        0x2032,
        0x20AC,
        0x2122,
        *range(0xFB00, 0xFB05),
    ]
    table = {_garbled(chr(point)): chr(point) for point in points}
    longest_first = sorted(table, key=len, reverse=True)
    return table, re.compile("|".join(map(re.escape, longest_first)))


def _garbled(char: str) -> str:
    # Bytes that Windows-1252 leaves undefined come through as C1 control characters.
    return "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in char.encode())
