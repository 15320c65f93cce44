"""What is no citation: code and lists of references, figures, exponents; and words beside keys."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from citeguard.language.noise import find_noise
from citeguard.language.sentences import Interval

_LONGEST_CODE = 1_000  # characters of code between backticks
_LOOK_BACK = 40  # characters before a raised number or a figure that are looked at

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n]*$", re.MULTILINE)
_TICKS = re.compile(r"`+")
_TASK_BOX = re.compile(r"^[ \t]*(?:[-*+]|[0-9]{1,3}[.)])[ \t]+\[[ xX]\]", re.MULTILINE)
_DEFINITION = re.compile(r"^[ \t]{0,3}\[[^\[\]\n]{1,100}\]:", re.MULTILINE)
_REFERENCE_LIST = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]*)?[*_]{0,3}(?:references|sources|bibliography|citations|works cited"
    r"|footnotes)[*_:]{0,5}[ \t]*\n"
    r"(?:[ \t]*(?:[-*+•][ \t]+)?[\[^¹²³⁴⁵⁶⁷⁸⁹][^\n]*(?:\n|\Z)|[ \t]*\n)+",
    re.IGNORECASE | re.MULTILINE,
)
LEAD = r"(?:see(?:\salso)?|e\.g\.,?|cf\.?|per|from)\s{1,3}"
_LEAD = re.compile(LEAD, re.IGNORECASE)
LOCATOR = (
    r"(?:(?:pp?|pages?|ch|chap|chapter|sec|section|fig|figure|tab|table|par|para|lines?|vol|no)\b"
    r"\.?|§{1,2}|¶)\s{0,3}[0-9IVXivx][\w.–-]{0,20}"
)
_LOCATOR = re.compile(LOCATOR, re.IGNORECASE)
# Numbers in brackets after these words are figures: "95% CI [12, 15]".
_FIGURES_BEFORE = re.compile(
    r"(?:\b(?:CIs?|IQR|SD|SE|intervals?|range|mean|median|average|between|within|scores?|ages?"
    r"|values?|vector|coordinates?|array)(?:\s(?:of|was|were|is|from))?[,:]?|[=∈±]|\\in)\s{0,3}\Z",
    re.IGNORECASE,
)
_CODE_AFTER = re.compile(r"\s?=[^=>]|\.[a-z_]|\s?[+-]=")
# With a blank before it, a raised number after a year or a share points to a note.
URL = re.compile(r"\s{0,3}(?:https?://(?:www\.)?|www\.)", re.IGNORECASE)
_TRACKING = re.compile(r"[?&]utm_[^&#]*")
_FRAGMENT = re.compile(r"(?<=.)#[^#\s,;|]*\Z")
NO_AUTHOR = re.compile(
    r"(?:(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)[a-z]*|may|spring|summer|autumn|fall"
    r"|winter|in|since|from|until|before|after|by|version)(?![^\W\d_])",
    re.IGNORECASE,
)
_SURNAME = re.compile(
    r"(?:(?:van|von|de|der|den|du|di|da|la|le|el)\s){0,3}[^\W\d_a-z](?=[\w'’-]*[a-zß-ÿ])[\w'’-]+"
)
# What stands before a year at least as often as an author does: hosts, events, models.
_NO_SURNAME = re.compile(
    r"Paris|London|Tokyo|Beijing|Rio|Athens|Sydney|Atlanta|Berlin|Rome|Madrid|Vienna|Geneva|Glasgow"
    r"|Milan|Dubai|Davos|China|Japan|India|France|Germany|Italy|Spain|Russia|Brazil|Mexico|Canada"
    r"|Olympics|Euro|Expo|Covid|Brexit|Windows|Office|Census|Budget|Agenda|Horizon|Edition|Act|Model"
)
_BESIDE = re.compile(
    r"(?:1[6-9]|20)[0-9]{2}|(?:pp?|l|ch|sec|fig)\.?[0-9]+(?:[–-]\w+)?", re.IGNORECASE
)
_TWO_LETTERS = re.compile(r"[^\W\d_]{2}|[@#]")
_NOT_KEY = re.compile(r"[\s_-]+")
# Around and between the marks in round brackets that hold nothing else: "(see [1], p. 3)".
_OPENS = re.compile(rf"(?<!\])[(（]\s{{0,3}}(?:{LEAD})?\Z", re.IGNORECASE)
_BETWEEN = re.compile(rf"(?:,\s{{0,3}}{LOCATOR})?(?:[,;&\s]|and\s){{0,5}}", re.IGNORECASE)
_CLOSES = re.compile(rf"(?:[,:]?\s{{0,3}}{LOCATOR})?\s{{0,3}}[)）]", re.IGNORECASE)
# A link that stands there is no part of a sentence.
_BEFORE_APART = re.compile(r"(?:[.!?][\"”’)\]]{0,3}\s{1,3}|\(\s{0,3}|\)[,;]?\s{0,3})\Z")
_AFTER_APART = re.compile(r"[,;]?\s{0,3}(?:[)\[]|\n|\Z)")
_NO_BASE = re.compile(r"(?:[0-9]{3}|%)\Z")


class Intervals:
    """Intervals of a text, of which any may overlap.

    Examples:
        >>> Intervals([(2, 4)]).has(3), Intervals([(2, 4)]).has(4)
        (True, False)
    """

    def __init__(self, intervals: Iterable[Interval]) -> None:
        ordered = sorted(intervals)
        self._starts = [start for start, _ in ordered]
        self._ends = list(accumulate((end for _, end in ordered), max))

    def has(self, place: int) -> bool:
        """Tell whether one of them has a place in it."""
        before = bisect_right(self._starts, place)
        return before > 0 and place < self._ends[before - 1]


def not_prose(text: str) -> Iterator[Interval]:
    """Yield what is no prose, as half-open intervals in no order; they may overlap.

    That is code in backticks and fences, task boxes, the names in front of definitions of links and
    footnotes, and the lines of a list of references under such a heading. Takes time proportional
    to the text.

    Examples:
        >>> list(not_prose("See `a[0]`."))
        [(4, 10)]
    """
    fences = list(_fenced(text))
    yield from fences
    yield from _inline_code(text, Intervals(fences))
    for pattern in (_TASK_BOX, _DEFINITION, _REFERENCE_LIST):
        yield from (match.span() for match in pattern.finditer(text))


def _fenced(text: str) -> Iterator[Interval]:
    """Yield the blocks of code; one that does not end takes the rest of the text."""
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence[1][0] == opened[1][0] and len(fence[1]) >= len(opened[1]):
            yield opened.start(), fence.end()
            opened = None
    if opened is not None:
        yield opened.start(), len(text)


def _inline_code(text: str, fenced: Intervals) -> Iterator[Interval]:
    """Yield what stands between as many backticks and as many again."""
    following: dict[int, re.Match[str]] = {}
    closing: list[tuple[re.Match[str], re.Match[str] | None]] = []
    for ticks in reversed([each for each in _TICKS.finditer(text) if not fenced.has(each.start())]):
        closing.append((ticks, following.get(len(ticks[0]))))
        following[len(ticks[0])] = ticks
    done = 0
    for opening, end in reversed(closing):
        near = end is not None and end.end() - opening.start() <= _LONGEST_CODE
        if end is None or not near or opening.start() < done:
            continue
        if "\n\n" not in text[opening.start() : end.end()]:
            yield opening.start(), end.end()
            done = end.end()


def is_attached(text: str, end: int, inside: str) -> bool:
    """Tell whether a bracket is an editor's, before the rest of a word: "[a]nd"."""
    after = text[end : end + 1]
    return after.isdecimal() or (after.isalpha() and not any(map(str.isdecimal, inside)))


def is_figure(text: str, start: int, end: int) -> bool:
    """Tell whether numbers in brackets are an interval, or the index of an array."""
    before = text[max(0, start - _LOOK_BACK) : start]
    if _FIGURES_BEFORE.search(before):
        return True
    attached = before[-1:].isalnum() or before[-1:] == "_"
    return attached and (text[start + 1 : end - 1] == "0" or bool(_CODE_AFTER.match(text, end)))


def is_note(text: str, start: int, end: int, digits: str) -> bool:
    """Tell whether a raised number points to a note, as the matcher of quotes knows it.

    A blank may stand before it where the number is no exponent and no part of the word after it.
    """
    before = text[max(0, start - _LOOK_BACK) : start]
    word = before.rstrip(" \t")
    if word != before:
        if end < len(text) and (text[end].isalnum() or text[end] == "_"):
            return False
        if _NO_BASE.search(word) or (digits == "1" and word[-1:].isdecimal()):
            return True
    seen = f"{word}<sup>{digits}</sup>"
    return any(noise.kind == "mark" and noise.end == len(seen) for noise in find_noise(seen))


def without_lead(inside: str) -> str:
    """Return the inside of a bracket without a "see" or the like before it."""
    lead = _LEAD.match(inside)
    return inside[lead.end() :] if lead else inside


def is_locator(token: str) -> bool:
    """Tell whether words are a page, a chapter or the like."""
    return _LOCATOR.fullmatch(token) is not None


def is_apart(text: str, start: int, end: int) -> bool:
    """Tell whether a link stands after a sentence, or alone in round brackets."""
    before = text[max(0, start - _LOOK_BACK) : start]
    return bool(_BEFORE_APART.search(before) and _AFTER_APART.match(text, end))


def grouped(text: str, marks: Sequence[Interval]) -> Iterator[tuple[slice, Interval]]:
    """Yield marks together that stand in round brackets with no words of the text, others singly.

    Each comes with the interval that it takes: with these brackets, if there are any.
    """
    ends = [0, *(end for _, end in marks)]
    starts = [*(start for start, _ in marks), len(text)]
    at = 0
    while at < len(marks):
        interval, last = marks[at], at
        if opening := _OPENS.search(text[max(ends[at], starts[at] - _LOOK_BACK) : starts[at]]):
            while last + 1 < len(marks) and _BETWEEN.fullmatch(
                text, ends[last + 1], starts[last + 1]
            ):
                last += 1
            closing = _CLOSES.match(text, ends[last + 1], starts[last + 1])
            if closing:
                interval = starts[at] - len(opening[0]), closing.end()
            else:
                last = at
        yield slice(at, last + 1), interval
        at = last + 1


def is_surname(name: str) -> bool:
    """Tell whether a word before a year is likely to be an author's name."""
    return _SURNAME.fullmatch(name) is not None and not _NO_SURNAME.fullmatch(name)


def page_of(key: str) -> str:
    """Return an address or an id without the fragment, as "docs/b.md" of "docs/b.md#L3"."""
    return _FRAGMENT.sub("", key)


def address_of(url: str) -> str:
    """Return what tells one address from others; of what is no URL, nothing."""
    kept, sign, fragment = _TRACKING.sub("", url.strip()).partition("#")
    return URL.sub("", kept.casefold()).rstrip("/") + sign + fragment if URL.match(url) else ""


def is_year_or_place(token: str) -> bool:
    """Tell whether a word beside keys is a year, or a place in what they name: "p5", "L3"."""
    return is_locator(token) or _BESIDE.fullmatch(token) is not None


def begins_as_word(token: str) -> bool:
    """Tell whether something begins as a word or a key does, not as a figure or a variable."""
    return _TWO_LETTERS.match(token) is not None


def fold(key: str) -> str:
    """Return a key without what may be written differently: capitals, blanks and hyphens."""
    return _NOT_KEY.sub("", unicodedata.normalize("NFKC", key).casefold())


def plain(word: str) -> str:
    """Return the letters of a word, without accents and capitals."""
    letters = unicodedata.normalize("NFKD", word.casefold())
    return "".join(char for char in letters if char.isalpha())


def is_number(key: str) -> bool:
    """Tell whether a key is a number that may be a place in a list."""
    return key.isascii() and key.isdecimal() and len(key) <= 9


def is_number_list(text: str) -> bool:
    """Tell whether a text has nothing but numbers and signs between them."""
    return bool(text.strip()) and all(char in "0123456789,;-– \n" for char in text)
