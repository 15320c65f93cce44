"""Whether a rewritten text has the words of the original; `rewrite` then builds it from them.

A language model may propose other white space and headings, join words that were hyphenated at line
ends, and omit the furniture of pages. It can propose no character: a rewriting consists of the
original's own ones, in their order, and what the proposal has instead is compared with them, never
copied. So no number, name, negation or quotation can change, except by where words begin and end
and by what is omitted; these are checked one by one.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import accumulate, pairwise
from typing import Literal, NamedTuple

from citeguard.language.excerpts import excerpt
from citeguard.language.scripts import is_unspaced
from citeguard.language.sentences import Interval
from citeguard.language.spelling import is_english_word
from citeguard.language.tokens import PDFIUM_HYPHENS, canonical
from citeguard.quotes.differences import compare, loaded

Cause = Literal["words", "spacing", "order", "missing", "failed", "budget"]
"""Why paragraphs are kept as they were: words or signs differ or change places; words are joined or
split without evidence; the model joined paragraphs that are apart, returned nothing for them, gave
no usable reply, or was not asked since the budget was spent."""

_BULLETS = "•●○■□▪▫◦‣⁃∙"
_SOFT_HYPHENS = f"\u00ad{PDFIUM_HYPHENS}"  # visible at the end of a line only
_HYPHENS = f"-‐¬{_SOFT_HYPHENS}"
_MARKUP = "*_`\\"  # of Markdown, anywhere in a proposal
_LINE_MARK = re.compile(r"^[ \t]*([#>*+-][#>*+\- \t]*)(?=\s)", re.MULTILINE)
_HEADING = re.compile(r"^[ \t]*(#{1,6})[ \t]+\S[^\n]{0,200}$", re.MULTILINE)
_BLANK_LINE = re.compile(r"\n[ \t\r\f\v]*\n")
# A figure with its sign: "10 5" is not "105", nor "- 5" "-5", nor "0. 5" ".5".
_FIGURE = re.compile(r"(?:[-−–+]|(?<![\w)])\.)?\d(?:\S*\d)?")
_WORD = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_END_WORD = re.compile(r"[^\W\d_]+\Z")
_LINE = re.compile(r"[^\s][^\n\r\f]*")
_LONGEST_WORD = 60  # characters before a hyphen that are searched for the beginning of its word
_LONGEST_HEAD = 90  # characters of a line that pages repeat
_SHORTEST_HEAD = 8  # characters; "Yes" is a cell
_SHORTEST_LINE = 25  # characters of a line of running text
_PAGE = 1_000  # characters between the heads of two pages, at least


class Rewriting(NamedTuple):
    """A part of a text, rewritten."""

    text: str  # empty if it was furniture of a page
    origins: Sequence[int] = ()  # of its characters; -1 for white space that is not from there
    headings: Sequence[tuple[int, int, int]] = ()  # in it: number of marks, start and end


class Rejection(NamedTuple):
    """Why there is no rewriting of the original: the cause, and a reason on one line."""

    cause: Cause
    reason: str


class RawText:
    """A text with what is known of its words and lines, for any number of rewritings."""

    def __init__(self, text: str) -> None:
        self.text = text

    def has(self, word: str) -> bool:
        """Return whether a word is English, or appears in the text with the same capitals."""
        is_one = word[1:].islower() or word.isupper()  # "WithE" is no "withe"
        return (is_one and is_english_word(word.lower())) or word in self._words

    def is_running(self, low: int, high: int) -> bool:
        """Return whether a line is on other pages too, or is between the numbers of two."""
        line = _running(self.text[low:high])
        if line.isdecimal():
            others = [str(int(line) - 1), str(int(line) + 1)]
        else:
            others = [line] if len(line) >= _SHORTEST_HEAD else []
        places = (place for other in others for place in self._lines.get(other, ()))
        return any(abs(place - low) >= _PAGE for place in places)

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(_WORD.findall(self.text))

    @cached_property
    def _lines(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for match in _LINE.finditer(self.text):
            places.setdefault(_running(match[0]), []).append(match.start())
        return places


def _running(line: str) -> str:
    """Return a line as pages repeat it: with any number, unless it is a number."""
    words = line.strip()
    return words if words.isdecimal() else re.sub(r"\d+", "#", words)


def rewrite(raw: RawText, low: int, high: int, proposed: str) -> Rewriting | Rejection:
    r"""Return `raw.text[low:high]` as a model proposes to write it, if it may.

    The proposal is Markdown; a blank one omits the part.

    Examples:
        >>> raw = RawText("The re-\nsult was not\n\nsigni\ufb01cant.")
        >>> rewrite(raw, 0, 33, "The result was not significant.").text
        'The result was not significant.'
        >>> rewrite(raw, 0, 33, "The result was significant.").reason
        'negation: “” for “not”'
    """
    # Markdown that the original may lack.
    leading = {at for match in _LINE_MARK.finditer(proposed) for at in range(*match.span(1))}
    free = leading.union(at for at, char in enumerate(proposed) if char in _MARKUP)
    given = [
        _Letter("-" if at in leading and char in "*+" else char, at)
        for char, at in _letters(proposed, 0, len(proposed))
    ]
    furniture = _furniture(raw, low, high, proposed)
    own = [
        each
        for each in _letters(raw.text, low, high)
        if not any(start <= each.at < end for start, end in furniture)
    ]
    if all(each.at in free for each in given):
        return Rejection("words", "the model left it out") if own else Rewriting("")
    pairs = _aligned(raw, own, given, free, proposed)
    if isinstance(pairs, int):
        return Rejection("words", _reason(proposed, raw.text[low:high], pairs))
    wrong = _wrong_spacing(raw, *_spaced(raw.text, proposed, pairs))
    return _written(raw.text, proposed, pairs) if wrong is None else Rejection("spacing", wrong)


# Which characters are compared


class _Letter(NamedTuple):
    """A character that is not blank, folded, and the offset that it comes from."""

    char: str
    at: int


@cache
def _folded(char: str) -> str:
    """Return a character as it is compared; empty for an invisible one."""
    if char.isspace():
        return ""
    if char in _BULLETS or char in _SOFT_HYPHENS:
        return "-"
    glyphs = canonical(char)
    if not glyphs:  # a trademark sign or a vowel sign is visible, and must not be lost
        glyphs = "" if unicodedata.category(char) in ("Cf", "Cc") else char
    # Two apostrophes, or two accents, are a quotation mark in TeX.
    return unicodedata.normalize("NFD", glyphs).replace('"', "''")


def _letters(text: str, low: int, high: int) -> list[_Letter]:
    # The letters of a ligature share its place.
    return [_Letter(glyph, at) for at in range(low, high) for glyph in _folded(text[at])]


class _Pair(NamedTuple):
    """A character of the original, and where the proposal has it."""

    given: int
    place: int
    joined: bool  # whether a hyphen before it goes


def _aligned(
    raw: RawText, own: Sequence[_Letter], given: Sequence[_Letter], free: set[int], proposed: str
) -> list[_Pair] | int:
    """Return the characters that both texts have, or where in the proposal they differ."""
    pairs: list[_Pair] = []
    joined = False
    i = j = 0
    while i < len(given) or j < len(own):
        one, other = given[i] if i < len(given) else None, own[j] if j < len(own) else None
        is_free = one is not None and one.at in free
        if (
            one is not None
            and other is not None
            and (one.char == other.char or (is_free and proposed[one.at] == raw.text[other.at]))
        ):
            pairs.append(_Pair(one.at, other.at, joined))
            i, j, joined = i + 1, j + 1, False
        elif pairs and _may_go(raw, own, j):
            j, joined = j + 1, True
        elif is_free:
            i += 1
        else:
            return len(proposed) if one is None else one.at
    return pairs


def _may_go(raw: RawText, own: Sequence[_Letter], j: int) -> bool:
    """Return whether a character is a hyphen that a proposal may lack: one at the end of a line."""
    text = raw.text
    if not 0 < j < len(own) - 1 or text[own[j].at] not in _HYPHENS:
        return False
    place, follows = own[j].at, own[j + 1].at
    if text[place] == "\u00ad" and not text[place + 1].isspace():
        return True  # invisible
    before = _END_WORD.search(text, max(0, place - _LONGEST_WORD), place)
    after = _LETTERS.match(text, follows)
    if follows == place + 1 or not text[follows].islower() or before is None or after is None:
        return False
    if text[place] in _SOFT_HYPHENS or raw.has(before[0] + after[0]):
        return True
    # Two words are rather a compound, whose hyphen counts ("two-thirds", "no-one"), or one of two
    # ("short- and long-term").
    parts = before[0].lower(), after[0].lower()
    return not all(map(is_english_word, parts)) and loaded().isdisjoint(parts)


def _reason(proposed: str, original: str, place: int) -> str:
    source = " ".join(original.split())
    edits = [each for each in compare(proposed, source, 0, len(source)) if each.material]
    if not edits:
        words = excerpt(proposed, 60, max(0, place - 1), place + 1)
        return f"letters or signs differ at “{' '.join(words.split())}”"
    shown = [f"{each.reason}: “{each.quoted[:60]}” for “{each.source[:60]}”" for each in edits[:3]]
    return " ".join("; ".join(shown).split())


# What may be omitted


def _furniture(raw: RawText, low: int, high: int, proposed: str) -> list[Interval]:
    """Return the lines of a part that a proposal lacks, and that look like furniture.

    They must be repeated on other pages, or count them, or appear between blank lines in the middle
    of a sentence: a cell of a table is short, too, and says something.
    """
    text, kept, own = raw.text, _bare(proposed), _bare(raw.text[low:high])
    runs: list[list[Interval]] = []
    for match in _LINE.finditer(text, low, high):
        words = _bare(match[0])
        if len(match[0]) > _LONGEST_HEAD or kept.count(words) >= own.count(words):
            continue
        if runs and not text[runs[-1][-1][1] : match.start()].strip():
            runs[-1].append(match.span())
        else:
            runs.append([match.span()])
    return [
        line
        for run in runs
        if all(raw.is_running(*line) for line in run) or _interrupts(text, run[0][0], run[-1][1])
        for line in run
    ]


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", text).casefold()))


def _interrupts(text: str, low: int, high: int) -> bool:
    """Return whether an interval is between blank lines in the middle of a sentence."""
    before, after = text[:low].rstrip(), text[high:].lstrip()
    gaps = text[len(before) : low], text[high : len(text) - len(after)]
    goes_on = after[:1].islower() and (before[-1:].isalpha() or before[-1:] == ",")
    is_long = len(before) - before.rfind("\n") > _SHORTEST_LINE
    return goes_on and is_long and all(map(_BLANK_LINE.search, gaps))


# Where words begin and end


def _steps(text: str, proposed: str, pairs: Sequence[_Pair]) -> Iterator[tuple[_Pair, str, str]]:
    """Yield each character, the white space that is proposed before it, and what is there."""
    yield pairs[0], "", ""
    for last, pair in pairwise(pairs):
        if pair.place != last.place:  # else the next letter of a ligature
            given = proposed[last.given + 1 : pair.given]
            gap = "\n" if "\n" in given else " " if any(map(str.isspace, given)) else ""
            gap = "\n\n" if _BLANK_LINE.search(given) else gap
            yield pair, gap, text[last.place + 1 : pair.place]


def _spaced(text: str, proposed: str, pairs: Sequence[_Pair]) -> tuple[str, str]:
    """Return the characters with the white space of the proposal, and with that of the original."""
    given, own = "", ""
    for pair, gap, between in _steps(text, proposed, pairs):
        before = " " if not pair.joined and any(map(str.isspace, between)) else ""
        if "\n" in between and not pair.joined:
            last = pair.place - len(between) - 1
            if text[last] in f"{_HYPHENS}‑–−" and text[last - 1].isalnum():
                before = gap[:1]  # "COVID-\n19", "2010–\n2015"
        given += gap[:1] + text[pair.place]
        own += before + text[pair.place]
    return given, own


def _wrong_spacing(raw: RawText, proposed: str, original: str) -> str | None:
    """Return which words are joined or split without evidence; `None` if none are.

    Both texts have the same characters but for white space. There is evidence if a word of the
    original is unknown, and all of the proposal are known.
    """
    letters = "".join(original.split())
    ends = [[0, *accumulate(map(len, text.split()))] for text in (proposed, original)]
    common = sorted({*ends[0]} & {*ends[1]})
    # The shortest runs of words that begin and end together, and differ between.
    places = {bisect_left(common, end) for end in {*ends[0]} ^ {*ends[1]}}
    for low, high in ((common[at - 1], common[at]) for at in sorted(places)):
        given, own = (
            " ".join(
                letters[a:b]
                for a, b in pairwise(side[bisect_left(side, low) : bisect_right(side, high)])
            )
            for side in ends
        )
        change = f"“{given}” for “{own}”"
        if _FIGURE.findall(given) != _FIGURE.findall(own):
            return f"number: {change}"
        words, before = _WORD.findall(given), _WORD.findall(own)
        if words == before or any(map(is_unspaced, given)):
            continue
        if not _is_repair(raw, words, before):
            return f"words are joined or split: {change}"
    return None


def _is_repair(raw: RawText, words: Sequence[str], before: Sequence[str]) -> bool:
    """Return whether words that have the letters of others are those that were meant."""
    given, own = ([word.lower() for word in side] for side in (words, before))
    if all(map(is_english_word, own)) or not all(map(raw.has, words)):
        return False  # "every day" and "everyday" are words, and so are "not able" and "notable"
    if not loaded().isdisjoint({*own} - {*given}):
        return False
    # In English "isnot" is "is not"; in German "nichtraucher" may be a word of its own.
    return loaded().isdisjoint({*given} - {*own}) or all(map(is_english_word, given))


# The text


def _written(text: str, proposed: str, pairs: Sequence[_Pair]) -> Rewriting:
    """Return the characters of the original with the white space and headings of the proposal."""
    lines = list(_HEADING.finditer(proposed))
    ends = [match.end() for match in lines]
    written = ""
    origins: list[int] = []
    bounds: dict[int, Interval] = {}  # of each heading
    last_line = None
    for pair, given, between in _steps(text, proposed, pairs):
        at = bisect_right(ends, pair.given)
        line = at if at < len(lines) and lines[at].start() <= pair.given else None
        gap = "\n\n" if written and line != last_line else given
        char = text[pair.place]
        if "\ufb00" <= char <= "\ufb06":
            char = unicodedata.normalize("NFKC", char)
        elif char in _SOFT_HYPHENS and proposed[pair.given] not in _SOFT_HYPHENS:
            char = "-"
        written += gap + char
        place, is_same = pair.place, gap == between
        origins += range(place - len(gap), place) if is_same else [-1] * len(gap)
        origins += [place] * len(char)
        if line is not None:
            start = len(written) - len(char)
            bounds[line] = bounds.get(line, (start,))[0], len(written)
        last_line = line
    headings = [(len(lines[line][1]), *bounds[line]) for line in bounds]
    return Rewriting(written, origins, headings)
