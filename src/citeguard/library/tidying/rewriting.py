r"""Whether a rewritten text has the words of the original; `rewrite` then builds it from them.

A language model may propose other spaces, line breaks, paragraphs and headings, join words that
were hyphenated at line ends, and omit the furniture of pages. It can propose no character: a
rewriting consists of the original's own ones, in the original's order. What the proposal has
instead is compared with them, not copied. So
no number, name, negation or quotation can change, except by where words begin and end and by what
is omitted; these are checked one by one.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

from rapidfuzz import fuzz

from citeguard.language.excerpts import excerpt
from citeguard.language.lexicon import english
from citeguard.language.scripts import is_unspaced
from citeguard.language.sentences import Interval
from citeguard.language.spelling import is_english_word
from citeguard.language.tokens import PDFIUM_HYPHENS, canonical
from citeguard.quotes.differences import Edit, compare
from citeguard.quotes.search import fold
from citeguard.quotes.spellings import loaded

Cause = Literal["words", "spacing", "order", "dissimilar"]
"""Why a rewriting is refused: words or signs differ, words are joined or split without evidence,
paragraphs change places, or too much of the text is omitted."""

_BULLETS = "•●○■□▪▫◦‣⁃∙"
_SOFT_HYPHENS = f"\u00ad{PDFIUM_HYPHENS}"  # seen at the end of a line alone
_HYPHENS = f"-‐¬{_SOFT_HYPHENS}"
_DASHES = f"{_HYPHENS}‑–−"
_MARKUP = "*_`\\"  # of Markdown, anywhere in a proposal
_LEADING = "#>-+*"  # at the beginning of a line of it
_LINE_MARK = re.compile(r"^[ \t]*([#>*+-][#>*+\- \t]*)(?=\s)", re.MULTILINE)
_HEADING = re.compile(r"^[ \t]*(?P<marks>#{1,6})[ \t]+\S[^\n]*$", re.MULTILINE)
_LONGEST_HEADING = 200  # characters; a longer line is a paragraph, whatever mark it has
_BLANK_LINE = re.compile(r"\n[ \t\r\f\v]*\n")
# A figure with its sign: "10 5" is not "105", nor "- 5" "-5", nor "0. 5" ".5".
_FIGURE = re.compile(r"(?:[-−–+]|(?<![\w)])\.)?\d(?:\S*\d)?")
_LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W_]+")
_END_WORD = re.compile(r"[^\W\d_]+\Z")
_LONGEST_WORD = 60  # characters looked back for the beginning of a word
_MOST_SHOWN, _EXCERPT = 3, 60  # differences in a reason, and characters of each side
_SHORT_LINE = re.compile(r"(?<![^\n\r\f])[^\n\r\f]{1,90}(?![^\n\r\f])")
_DIGITS = re.compile(r"\d+")
_LONGEST_HEAD = 90  # characters of a line that pages repeat
_SHORTEST_LINE = 25  # characters of a line of running text
_PAGE = 1_000  # characters between the heads of two pages, at least
_SHORTEST_HEAD = 8  # characters; "Yes" is a cell


class Piece(NamedTuple):
    """Characters of a rewriting and where they come from, as half-open intervals of both texts.

    They are the same, one by one, unless the lengths differ: then one is a ligature.
    """

    start: int
    end: int
    raw_start: int
    raw_end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewriting:
    """A paragraph, or several, rewritten.

    Attributes:
        text: The text; empty if it was furniture of a page.
        pieces: Where its characters come from, in its order; white space between words may have no
            piece.
        headings: The headings in it, with their level, start and end.
        similarity: Of the letters and signs of original and proposal, the share that they have in
            common, 0 to 1. 1 unless furniture was omitted.
    """

    text: str
    pieces: tuple[Piece, ...]
    headings: tuple[tuple[int, int, int], ...] = ()
    similarity: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a proposal is no rewriting of the original.

    Attributes:
        cause: What kind of reason it is.
        reason: The reason for a reader, on one line.
        similarity: As in `Rewriting`.
        edits: The material differences between both, as `compare` finds them; it may find none.
    """

    cause: Cause
    reason: str
    similarity: float = 0.0
    edits: tuple[Edit, ...] = ()


class RawText:
    """A text and what is known of it, for any number of rewritings of its parts.

    Args:
        text: The text.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(match[0] for match in _WORD.finditer(self.text))

    def has(self, word: str) -> bool:
        """Return whether a word is English, or is in the text with the same capitals."""
        return is_english_word(word.lower()) or word in self._words

    @cached_property
    def _lines(self) -> Mapping[str, list[int]]:
        """Where each short line is, with its figures left out unless it has nothing else."""
        places: dict[str, list[int]] = {}
        for match in _SHORT_LINE.finditer(self.text):
            places.setdefault(_running(match[0]), []).append(match.start())
        return places

    def is_running(self, low: int, high: int) -> bool:
        """Return whether a line is on other pages too, or is between the numbers of two."""
        line = _running(self.text[low:high])
        if line.isdecimal():
            others = [str(int(line) + step) for step in (-1, 1)]
        else:
            others = [line] if len(line) >= _SHORTEST_HEAD else []
        places = (place for other in others for place in self._lines.get(other, ()))
        return any(abs(place - low) >= _PAGE for place in places)


def _running(line: str) -> str:
    words = line.strip()
    return words if words.isdecimal() else _DIGITS.sub("#", words)


class _Letters(NamedTuple):
    """The characters of a text that are not blank, folded, and the offset that each comes from.

    Those that are marks of Markdown are free: the other text may lack them.
    """

    chars: str
    places: list[int]
    free: frozenset[int] = frozenset()


def rewrite(
    raw: RawText, paragraphs: Sequence[Interval], proposed: str, *, threshold: float
) -> Rewriting | Refusal:
    r"""Return some paragraphs of a text as a model proposes to write them, if it may.

    Args:
        raw: The text.
        paragraphs: The half-open intervals of the paragraphs in the text, in its order.
        proposed: What the model returned for them, as Markdown; blank to omit them.
        threshold: The least similarity, inclusive; paragraphs that are furniture alone may go.

    Examples:
        >>> raw = RawText("The re-\nsult was not\n\nsigni\ufb01cant.")
        >>> rewrite(raw, [(0, 20), (22, 33)], "The result was not significant.", threshold=1).text
        'The result was not significant.'
        >>> rewrite(raw, [(0, 20), (22, 33)], "The result was significant.", threshold=1).reason
        'negation: “” for “not”'
    """
    text, whole = raw.text, list(paragraphs)
    furniture = _furniture(raw, paragraphs, proposed)
    letters = _proposed_letters(proposed)
    if len(letters.free) == len(letters.chars):
        if _letters(text, _without(whole, furniture)).chars:
            return Refusal(cause="words", reason="the model left it out")
        return Rewriting(text="", pieces=(), similarity=0.0)
    original = len(_letters(text, whole).chars)
    refusal: Refusal | None = None
    for blocks in [whole, _without(whole, furniture)][: 1 + bool(furniture)]:
        found = _Comparison(raw, blocks, proposed, letters).result(original)
        if isinstance(found, Refusal):
            refusal = refusal or found
            continue
        likeness = found.similarity
        if likeness < threshold:
            reason = f"similarity {likeness:.2f} is below {threshold:.2f}"
            return Refusal(cause="dissimilar", reason=reason, similarity=likeness)
        if not all(_goes_on(text, one, other) for one, other in pairwise(paragraphs)):
            reason = "it joins paragraphs that are apart, and do not go on with one another"
            return Refusal(cause="order", reason=reason, similarity=likeness)
        return found
    assert refusal is not None
    return refusal


def _goes_on(text: str, one: Interval, other: Interval) -> bool:
    """Return whether a paragraph is next to another, or begins in the middle of its sentence."""
    if not text[one[1] : other[0]].strip():
        return True
    before, after = text[one[0] : one[1]].rstrip(), text[other[0] : other[1]].lstrip()
    return after[:1].islower() and (before[-1:].isalpha() or before[-1:] in (*_HYPHENS, ","))


# Which characters are compared


@cache
def _folded(char: str) -> str:
    """Return a character as it is compared; empty for one that nobody sees."""
    if char.isspace():
        return ""
    if char in _BULLETS or char in _SOFT_HYPHENS:
        return "-"
    glyphs = canonical(char)
    if not glyphs:  # a sign of a trademark or a vowel is seen, and must not be lost
        glyphs = "" if unicodedata.category(char) in ("Cf", "Cc") else char
    # Two apostrophes, or two accents, are a quotation mark in TeX and what is made of it.
    return unicodedata.normalize("NFD", glyphs).replace('"', "''")


def _letters(text: str, blocks: Iterable[Interval]) -> _Letters:
    chars: list[str] = []
    places: list[int] = []
    for low, high in blocks:
        for place in range(low, high):
            if glyphs := _folded(text[place]):
                chars.append(glyphs)
                places += [place] * len(glyphs)
    return _Letters("".join(chars), places)


def _proposed_letters(proposed: str) -> _Letters:
    letters = _letters(proposed, [(0, len(proposed))])
    leading = {
        place
        for match in _LINE_MARK.finditer(proposed)
        for place in range(*match.span(1))
        if proposed[place] in _LEADING
    }
    places = letters.places
    free = (i for i, place in enumerate(places) if place in leading or proposed[place] in _MARKUP)
    chars = "".join(
        "-" if place in leading and char in "*+" else char
        for char, place in zip(letters.chars, places, strict=True)
    )
    return _Letters(chars, places, frozenset(free))


# What may be omitted


def _furniture(raw: RawText, paragraphs: Sequence[Interval], proposed: str) -> list[Interval]:
    """Return the lines of some paragraphs that a proposal lacks, and that look like furniture.

    They must be repeated on other pages, or count them, or stand between blank lines in the middle
    of a sentence: a cell of a table is short, too, and says something.
    """
    text, kept = raw.text, fold(proposed)
    lines = [line for block in paragraphs for line in _lines(text, *block)]
    own = "".join(fold(text[start:end]) for start, end in lines)
    runs: list[list[Interval]] = []
    for start, end in lines:
        words = fold(text[start:end])
        if end - start > _LONGEST_HEAD or kept.count(words) >= own.count(words):
            continue
        if runs and not text[runs[-1][-1][1] : start].strip():
            runs[-1].append((start, end))
        else:
            runs.append([(start, end)])
    return [
        line
        for run in runs
        if all(raw.is_running(*line) for line in run) or _interrupts(text, run[0][0], run[-1][1])
        for line in run
    ]


def _interrupts(text: str, low: int, high: int) -> bool:
    """Return whether an interval stands between blank lines in the middle of a sentence."""
    before, after = text[:low].rstrip(), text[high:].lstrip()
    gaps = text[len(before) : low], text[high : len(text) - len(after)]
    goes_on = after[:1].islower() and (before[-1:].isalpha() or before[-1:] == ",")
    is_long = len(before) - before.rfind("\n") > _SHORTEST_LINE
    return goes_on and is_long and all(map(_BLANK_LINE.search, gaps))


def _without(blocks: Iterable[Interval], omitted: Sequence[Interval]) -> list[Interval]:
    """Return blocks without what is omitted, which is in order."""
    rest: list[Interval] = []
    for low, high in blocks:
        for start, end in omitted:
            if start < high and low < end:
                rest.append((low, max(low, start)))
                low = min(end, high)
        rest.append((low, high))
    return [(low, high) for low, high in rest if low < high]


def _lines(text: str, low: int, high: int) -> Iterator[Interval]:
    for match in re.finditer(r"\S[^\n\r\f]*", text[low:high]):
        yield low + match.start(), low + match.end()


# The comparison


class _Pair(NamedTuple):
    """A character of the original, and where the proposal has it; hyphens at line ends may go."""

    given: int
    place: int
    joined: bool  # whether the hyphen in front of it goes


class _Comparison:
    """A proposal beside the original, with or without the furniture of pages."""

    def __init__(
        self, raw: RawText, blocks: list[Interval], proposed: str, letters: _Letters
    ) -> None:
        self._raw, self._text, self._proposed, self._given = raw, raw.text, proposed, letters
        self._blocks = blocks
        self._own = _letters(self._text, blocks)

    def result(self, original: int) -> Rewriting | Refusal:
        """Return the rewriting, or why it is none; `original` counts the letters of all blocks."""
        pairs = self._pairs()
        if isinstance(pairs, int):
            return self._refusal(pairs)
        original -= sum(pair.joined for pair in pairs)
        likeness = 2 * len(pairs) / (original + len(pairs))
        spaced = _spaced(self._text, self._proposed, pairs)
        if (wrong := _wrong_spacing(self._raw, *spaced)) is not None:
            return Refusal(cause="spacing", reason=wrong, similarity=likeness)
        return _written(self._text, self._proposed, pairs, likeness)

    def _pairs(self) -> list[_Pair] | int:
        """Return the characters that both have, or the offset in the proposal where they differ."""
        given, own = self._given, self._own
        pairs: list[_Pair] = []
        joined = False
        i = j = 0
        while i < len(given.chars) or j < len(own.chars):
            both = i < len(given.chars) and j < len(own.chars)
            if both and (given.chars[i] == own.chars[j] or self._is_same_mark(i, j)):
                pairs.append(_Pair(given.places[i], own.places[j], joined))
                i, j, joined = i + 1, j + 1, False
            elif (use := self._hyphen(j)) is not None and pairs:
                if use == "keep":
                    pairs.append(_Pair(pairs[-1].given, own.places[j], False))
                j, joined = j + 1, use == "drop"
            elif i in given.free:
                i += 1
            else:
                return given.places[i] if i < len(given.places) else len(self._proposed)
        return pairs

    def _is_same_mark(self, i: int, j: int) -> bool:
        is_free = i in self._given.free
        return is_free and self._proposed[self._given.places[i]] == self._text[self._own.places[j]]

    def _hyphen(self, j: int) -> Literal["drop", "keep"] | None:
        """Return what becomes of a hyphen that a proposal lacks; `None` if it is none, or stays."""
        chars, places = self._own.chars, self._own.places
        if j == len(chars) or self._text[places[j]] not in _HYPHENS:
            return None
        place = places[j]
        is_soft = self._text[place] in _SOFT_HYPHENS
        if self._text[place] == "\u00ad" and not self._text[place + 1 : place + 2].isspace():
            return "drop"  # nobody sees it
        if not 0 < j < len(chars) - 1 or not (chars[j - 1].isalpha() and chars[j + 1].isalpha()):
            return None
        follows = places[j + 1]
        if follows == place + 1 or not self._text[follows].islower():
            return None
        before = _END_WORD.search(self._text, max(0, place - _LONGEST_WORD), place)
        after = _LETTERS.match(self._text, follows)
        if before is None or after is None:
            return None
        if is_soft or self._raw.has(before[0] + after[0]):
            return "drop"
        parts = before[0].lower(), after[0].lower()
        if parts[1] in english("function_words"):
            return None  # "short- and long-term"
        # Two words are rather a compound, whose hyphen may count: "two-thirds", "no-one".
        is_compound = all(map(is_english_word, parts)) or not loaded().isdisjoint(parts)
        return "keep" if is_compound else "drop"

    def _refusal(self, place: int) -> Refusal:
        """Return a refusal that names the differences, as far as they are known."""
        source = " ".join(" ".join(self._text[low:high].split()) for low, high in self._blocks)
        edits = tuple(e for e in compare(self._proposed, source, 0, len(source)) if e.material)
        shown = [_described(edit) for edit in edits[:_MOST_SHOWN]]
        if len(edits) > _MOST_SHOWN:
            shown.append(f"and {len(edits) - _MOST_SHOWN} more")
        if not edits:
            words = excerpt(self._proposed, _EXCERPT, max(0, place - 1), place + 1)
            shown.append(f"letters or signs differ at “{' '.join(words.split())}”")
        likeness = fuzz.ratio(fold(self._proposed), fold(source)) / 100
        return Refusal(cause="words", reason="; ".join(shown), similarity=likeness, edits=edits)


def _described(edit: Edit) -> str:
    sides = (excerpt(" ".join(side.split()), _EXCERPT) for side in (edit.quoted, edit.source))
    return "{}: “{}” for “{}”".format(edit.reason, *sides)


# Where words begin and end


def _wrong_spacing(raw: RawText, proposed: str, original: str) -> str | None:
    """Return which words are joined or split without evidence; `None` if none are.

    Both texts have the same characters but for white space. There is evidence if a word of the
    original is not known, and all of the proposal are.
    """
    for given, own in _respaced(proposed.split(), original.split()):
        change = f"“{' '.join(given)}” for “{' '.join(own)}”"
        sides = [" ".join(side) for side in (given, own)]
        if _FIGURE.findall(sides[0]) != _FIGURE.findall(sides[1]):
            return f"number: {change}"
        words, before = (_WORD.findall(side) for side in sides)
        if words == before or any(map(is_unspaced, sides[0])):
            continue
        if not _is_repair(raw, words, before):
            return f"words are joined or split: {change}"
    return None


def _is_repair(raw: RawText, words: Sequence[str], before: Sequence[str]) -> bool:
    """Return whether words that have the letters of others are those that were meant."""
    given, own = ([word.lower() for word in side] for side in (words, before))
    if all(map(is_english_word, own)) or not all(map(raw.has, words)):
        return False  # "every day" and "everyday" are words, and so are "not able" and "notable"
    lost, gained = ({*one} - {*other} for one, other in ((own, given), (given, own)))
    if not loaded().isdisjoint(lost):
        return False
    # In English "isnot" is "is not"; in German "nichtraucher" may be a word of its own.
    return loaded().isdisjoint(gained) or all(map(is_english_word, given))


def _respaced(one: Sequence[str], other: Sequence[str]) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the shortest runs of words that have the same characters and other white space."""
    i = j = 0
    while i < len(one):
        given, own = [one[i]], [other[j]]
        lengths = [len(one[i]), len(other[j])]
        i, j = i + 1, j + 1
        while lengths[0] != lengths[1]:
            if lengths[0] < lengths[1]:
                given.append(one[i])
                lengths[0] += len(one[i])
                i += 1
            else:
                own.append(other[j])
                lengths[1] += len(other[j])
                j += 1
        if len(given) > 1 or len(own) > 1:
            yield given, own


def _white_space(between: str) -> str:
    """Return the white space that a rewriting has in place of what is between two characters."""
    if _BLANK_LINE.search(between):
        return "\n\n"
    if "\n" in between:
        return "\n"
    return " " if any(map(str.isspace, between)) else ""


def _spaced(text: str, proposed: str, pairs: Sequence[_Pair]) -> tuple[str, str]:
    """Return the characters with the white space of the proposal, and with that of the original."""
    given, own = [text[pairs[0].place]], [text[pairs[0].place]]
    for last, pair in pairwise(pairs):
        if pair.place == last.place:
            continue
        gap = _white_space(proposed[last.given + 1 : pair.given])[:1]
        between = text[last.place + 1 : pair.place] if last.place < pair.place else "\n"
        is_torn = text[last.place] in _DASHES and text[last.place - 1 : last.place].isalnum()
        before = " " if any(map(str.isspace, between)) else ""
        if pair.joined:
            before = ""
        elif is_torn and "\n" in between:
            before = gap  # "COVID-\n19", "2010–\n2015"
        given += gap, text[pair.place]
        own += before, text[pair.place]
    return "".join(given), "".join(own)


# The text


def _written(text: str, proposed: str, pairs: Sequence[_Pair], likeness: float) -> Rewriting:
    """Return the characters of the original with the white space and headings of the proposal."""
    lines = [match for match in _HEADING.finditer(proposed) if len(match[0]) <= _LONGEST_HEADING]
    ends = [match.end() for match in lines]
    parts: list[str] = []
    pieces: list[Piece] = []
    bounds: dict[int, Interval] = {}  # of each heading
    length, last, last_line = 0, _Pair(-1, -1, joined=False), None
    for pair in pairs:
        if pair.place == last.place:
            continue  # the next letter of a ligature
        at = bisect_right(ends, pair.given)
        line = at if at < len(lines) and lines[at].start() <= pair.given else None
        gap = _white_space(proposed[last.given + 1 : pair.given])
        gap = "\n\n" if line != last_line else gap
        char = _character(text[pair.place], proposed[pair.given])
        parts += gap if parts else "", char
        start = length + len(parts[-2])
        length = start + len(char)
        pieces.append(Piece(start, length, pair.place, pair.place + 1))
        if line is not None:
            bounds[line] = bounds.get(line, (start, length))[0], length
        last, last_line = pair, line
    written = "".join(parts)
    return Rewriting(
        text=written,
        pieces=tuple(_merged(pieces, written, text)),
        headings=tuple((len(lines[line]["marks"]), *bounds[line]) for line in bounds),
        similarity=likeness,
    )


def _merged(pieces: Iterable[Piece], written: str, text: str) -> Iterator[Piece]:
    """Yield pieces, those as one between which both texts have the same white space, or none."""
    last: Piece | None = None
    for piece in pieces:
        if last is not None:
            lengths = (last.end - last.start, piece.end - piece.start)
            is_plain = lengths == (last.raw_end - last.raw_start, 1)
            if (
                is_plain
                and last.raw_end <= piece.raw_start
                and (written[last.end : piece.start] == text[last.raw_end : piece.raw_start])
            ):
                last = last._replace(end=piece.end, raw_end=piece.raw_end)
                continue
            yield last
        last = piece
    if last is not None:
        yield last


def _character(char: str, proposed: str) -> str:
    """Return a character as it is written: ligatures in letters, and hyphens that are seen."""
    if "\ufb00" <= char <= "\ufb06":
        return unicodedata.normalize("NFKC", char)
    return "-" if char in _SOFT_HYPHENS and proposed not in _SOFT_HYPHENS else char
