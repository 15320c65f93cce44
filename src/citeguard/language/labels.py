"""References to the parts of a document: "Table 3", "Section 4.2", "pp. 12-14", "footnote 4".

The one home of the words for such parts, in several languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple, get_args

LabelKind = Literal["table", "figure", "section", "appendix", "page", "note"]
"""The kind of part: chapters, clauses and articles are sections, too; a note is a footnote."""


class Label(NamedTuple):
    """A reference to a part of a document.

    Attributes:
        start: Where it starts in the text, in code points.
        end: Where it ends, exclusive.
        kind: The kind of part.
        numbers: The numbers of the parts, as `number_key` writes them.
    """

    start: int
    end: int
    kind: LabelKind
    numbers: tuple[str, ...]


_WORDS: dict[LabelKind, str] = {
    "table": (
        r"tab(?:les?|\.|ellen?|leaux?|las?|ell[ae]|elas?|el(?:len)?|ell(?:en)?)|таблиц[аые]|табл\."
        r"|表"
    ),
    "figure": (
        r"fig(?:ures?|uras?|uur|uren|ur|s?\.)|abbildung(?:en)?|abb\.|рисунок|рис\.|[图圖図]"
    ),
    "section": (
        r"sections?|sect?s?\.|§{1,2}|abschnitt(?:e|en|s)?|secci[oó]n(?:es)?|sezion[ei]|seç(?:ão|ões)"
        r"|secties?|avsnitt|chapters?|chaps?\.|ch\.|kapitel[ns]?|kap\.|chapitres?|cap[ií]tulos?"
        r"|cap\.|capitol[oi]|hoofdstuk(?:ken)?|clauses?|articles?|artt?\.|artikel[ns]?"
        r"|art[ií]culos?|articol[oi]|глав[аы]|раздел[аы]?"
    ),
    "appendix": (
        r"appendi(?:x|ces)|annex(?:e?s?)|anh[aä]nge?|anexos?|allegat[oi]|bijlagen?|exhibits?|bilagor?"
        r"|приложени[ея]"
    ),
    "page": (
        r"pages?|pp?\.|pgs?\.|seiten?|(?-i:S\.)|p[aá]ginas?|p[aá]gs?\.|pagin[ae]|blz\.|sid(?:a|or|an)"
        r"|стр\.|страниц[аеы]"
    ),
    "note": (
        r"footnotes?|fn\.|endnotes?|fu(?:ß|ss)noten?|notes? de bas de page|notas? al pie"
        r"|not[ae] a pi[eè] di pagina|voetno(?:ot|ten)|fotnot(?:en)?"
    ),
}
_ROMAN = r"(?-i:[IVXL]{1,7}|[ivxl]{1,7})"
_NUMBER = rf"(?:[A-Z]{{1,2}}[.-]?)?\d{{1,4}}(?:[.-]\d{{1,3}}){{0,5}}[a-z]?|{_ROMAN}"
_NUMBERS: dict[LabelKind, str] = {
    "table": _NUMBER,
    "figure": _NUMBER,
    "section": rf"\d{{1,4}}(?:\.\d{{1,3}}){{0,5}}|{_ROMAN}|(?-i:[A-Z](?:\.\d{{1,3}}){{1,4}})",
    "appendix": r"(?-i:[A-Z])(?:[.-]?\d{1,3})?|\d{1,3}",
    "page": rf"\d{{1,4}}|{_ROMAN}",
    "note": r"\d{1,3}",
}
# The years and amounts that a number may be the beginning of.
_AFTER = r"(?![^\W⁰¹²³⁴-⁹]|%|[.,]\d)"
_AND = (
    r"\s?(?:,|;|&|[-–—]|\band\b|\bor\b|\bto\b|\bund\b|\bbis\b|\bet\b|\bà\b|\by\b|\ben\b|\be\b)\s?"
)
# A number after a comma that a noun follows counts something: "In Table 3, 48 samples".
_COUNTS = r"(?=\s[^\W\d_]{3,})(?!\s(?:and|und)\b)"
_MOST_IN_RANGE = 50
_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50}


@cache
def _pattern(kind: LabelKind) -> re.Pattern[str]:
    number = f"(?:{_NUMBERS[kind]})"
    return re.compile(
        rf"(?<![\w.-])(?<!\d[ \u00a0])(?:{_WORDS[kind]})[\s\u00a0]{{0,2}}"
        rf"(?P<numbers>{number}"
        rf"(?:{_AND}(?<![,;])(?<![,;]\s){number}|{_AND}{number}(?!{_COUNTS})(?!\d)){{0,5}})"
        rf"{_AFTER}",
        re.IGNORECASE,
    )


def find_labels(text: str) -> list[Label]:
    """Return the references to parts of documents in a text, in order.

    Examples:
        >>> [(label.kind, label.numbers) for label in find_labels("See Tables 3 and IV, pp. 8-10.")]
        [('table', ('3', '4')), ('page', ('8', '9', '10'))]
    """
    found = (label for kind in get_args(LabelKind) for label in _of_kind(text, kind))
    return sorted(found)


def _of_kind(text: str, kind: LabelKind) -> Iterator[Label]:
    for match in _pattern(kind).finditer(text):
        if numbers := tuple(_expanded(match["numbers"], kind)):
            yield Label(*match.span(), kind, numbers)


def _expanded(written: str, kind: LabelKind) -> Iterator[str]:
    """Yield the numbers of a list, and those between the ends of its ranges."""
    pieces = re.split(rf"({_AND})", written, flags=re.IGNORECASE)
    # A section such as "4-2" is one number; pages are a range.
    last: str | None = None
    ranged = False
    for place, piece in enumerate(pieces):
        if place % 2:
            ranged = piece.strip().lower() in ("-", "–", "—", "to", "bis", "à")
            continue
        key = number_key(piece)
        if ranged and last is not None and last.isdecimal() and key.isdecimal():
            first, end = int(last), int(key)
            if kind == "page" and end < first:  # "pp. 112-8"
                end = int(last[: len(last) - len(key)] + key)
            yield from map(str, range(first + 1, min(end, first + _MOST_IN_RANGE)))
            key = str(end)
        yield key
        last = key


def number_key(written: str) -> str:
    """Return the number of a part as it is compared: `3` of "III", `a.1` of "A-1".

    Examples:
        >>> number_key("IV"), number_key("A-1"), number_key("4.2")
        ('4', 'a.1', '4.2')
    """
    key = written.strip().strip(".").replace("-", ".").casefold()
    if key and all(char in _VALUES for char in key):
        values = [_VALUES[char] for char in key]
        following = [*values[1:], 0]
        return str(sum(-a if a < b else a for a, b in zip(values, following, strict=True)))
    return key


def is_caption(text: str, label: Label) -> bool:
    """Return whether a label begins a line, as a caption and a heading do.

    A line that goes on as a sentence is none: "Table 3 shows".
    """
    before = f"\n{text[max(0, label.start - 20) : label.start]}"
    if not re.search(r"\n[ \t>*_#|]*\Z", before):
        return False
    after = text[label.end : label.end + 20]
    return re.match(r"[*_]{0,3}(?:\s*[.:|)—–-]|\s*\n|\s*\Z|\s+[^\W\d_a-zß-ÿ])", after) is not None
