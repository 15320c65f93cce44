"""The words of a sentence, with offsets and parts of speech."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from citeguard.auditing.claims.marks import FILLER
from citeguard.auditing.claims.tags import tag_words
from citeguard.auditing.claims.units import quotations
from citeguard.language.sentences import Interval

_TITLES = "Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|Inc|Ltd|Corp|Co|No|Gen|Gov|Sen|Rep|Lt|Col|Sgt|Rev|Mt|Ft"
_WORD = re.compile(
    rf"(?:[^\W\d_]\.){{2,}}|(?:[^\W_]+-)?(?:{_TITLES})\.(?=\s)|[A-Z]\.(?=\s[A-Z])"
    r"|https?://\S+|www\.\S+"
    r"|\d+(?:[.,:/]\d+)*(?:-[^\W\d_]+)+"
    r"|\d+(?:[.,:/]\d+)*(?:st|nd|rd|th|s)?(?![^\W_])"
    rf"|[^\W_]+(?:[-‑'’/&.]{FILLER}*[^\W_]+)*"
    rf"|\.{{2,}}|[^\s{FILLER}]"
)
_CLITIC = re.compile(rf"(?i)(?<=\w)(?:n['’]{FILLER}*t|['’]{FILLER}*(?:s|re|ve|ll|d|m))\Z")
_OPENING = re.compile(r"[(\[]")
_LONGEST_BRACKET = 300


class Word(NamedTuple):
    """A word, number or sign of a sentence, or a whole quotation or bracket of it.

    Attributes:
        text: As it is written.
        key: In small letters, with straight apostrophes.
        start: Offset in the unit of its first character.
        end: Offset after its last one.
        tag: Its part of speech in Penn's tags; `"QUOTE"` of a quotation, `"BRACKET"` of a bracket.
    """

    text: str
    key: str
    start: int
    end: int
    tag: str


def read_words(plain: str) -> list[Word]:
    """Return the words of a sentence; a quotation or bracket is one, as nothing in it is split.

    Examples:
        >>> [(word.text, word.tag) for word in read_words('He said "I came" twice.')][2:4]
        [('"I came"', 'QUOTE'), ('twice', 'RB')]
    """
    spans: list[tuple[int, int, str]] = []
    position = 0
    for start, end, tag in _closed(plain):
        if start >= position:
            spans += [(low, high, "") for low, high in _cut(plain, position, start)]
            spans.append((start, end, tag))
            position = end
    spans += [(low, high, "") for low, high in _cut(plain, position, len(plain))]
    keys = [tag or _key(plain[low:high]) for low, high, tag in spans]
    tags = tag_words(keys)
    return [
        Word(plain[low:high], key.lower(), low, high, tag)
        for (low, high, _), key, tag in zip(spans, keys, tags, strict=True)
    ]


def _key(text: str) -> str:
    return text.replace("’", "'").replace(FILLER, "")


def _closed(plain: str) -> list[tuple[int, int, str]]:
    """Return the quotations and the brackets of a sentence, in order."""
    found = [(start, end, "QUOTE") for start, end in quotations(plain)]
    for opening in _OPENING.finditer(plain):
        closing = {"(": ")", "[": "]"}[opening[0]]
        end = plain.find(closing, opening.end(), opening.end() + _LONGEST_BRACKET)
        if end >= 0:
            found.append((opening.start(), end + 1, "BRACKET"))
    return sorted(found)


def _cut(plain: str, low: int, high: int) -> list[Interval]:
    spans: list[Interval] = []
    for match in _WORD.finditer(plain, low, high):
        start, end = match.span()
        clitic = _CLITIC.search(match[0])
        if clitic:
            spans += [(start, start + clitic.start()), (start + clitic.start(), end)]
        else:
            spans.append((start, end))
    return spans


def text_of(plain: str, pieces: Sequence[Interval]) -> str:
    """Return the words of some intervals of a sentence, one after the other.

    Examples:
        >>> text_of("She came , and left.", [(0, 3), (15, 19)])
        'She left'
    """
    joined = " ".join(plain[start:end] for start, end in pieces).replace(FILLER, "")
    if " | " in joined:  # the cells of a row
        first, *others = filter(None, map(str.strip, joined.split("|")))
        joined = f"{first}: {', '.join(others)}"
    return re.sub(r"\s+(?=[.,;:!?)\]%](?:\s|\Z))", "", " ".join(joined.split()))
