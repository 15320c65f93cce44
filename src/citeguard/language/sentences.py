"""Sentences of a text, and windows of them, as intervals."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Protocol

from citeguard.language.lexicon import ends_in_abbreviation, english
from citeguard.language.scripts import IDEOGRAPHS
from citeguard.language.spelling import is_english_word
from citeguard.language.tokens import to_word_borders

Interval = tuple[int, int]  # half-open, code points

_PARAGRAPH = re.compile(r"\S(?:(?!\n[ \t]*\n).)*", re.DOTALL)
# A sentence of a script without spaces ends at its stop, with the closing marks that follow.
_IDEOGRAPHIC_SENTENCE = re.compile(r"[^\s。！？!?][^。！？!?\n]*(?:[。！？!?]+[」』”’）】》]*)?")
# Finding sentences takes a microsecond a character, so only the near ones are found with care.
_NEAR = 300
_FAR = 4_000
# No writer's paragraph is that long. In 20 MB on one line, finding all of them took half a minute.
_MOST_ANALYZED = 1_000_000
# From each bracket, syntok looks for its end among 50 tokens: 100 kB of them took half a minute.
# Prose has one in 100 characters at most.
_MOST_BRACKETS, _PER_BRACKET = 1_000, 20
_NEARBY = 100  # characters on either side of a stop, which syntok then decides on
# A stop after a word too long for most abbreviations, before what can begin a sentence.
_CLEAR_STOP = re.compile(
    r"(?:[^\W\d_]{4}|[\d)\]%])[.!?][\"'”’)\]]*(?=\s+[\"'“‘(\[]?[^\W\d_a-z])"
    r"|[。！？]|(?=\n[ \t]*\n)"
)
_BLANK = re.compile(r"\s+")
# A stop after a sign, as in "5 €. Then", which syntok attaches to the sign.
_STOP_AFTER_SIGN = re.compile(
    r"(?:(?<=°[CFK])|(?<=[^\w\s.!?,;:]))[.!?]+[\"'”’)\]]*(?=\s+(?:[^\w\s]{1,3}\s?)?([^\W\d_]))"
)
# A stop after a decimal or an address, which syntok takes for a part of it: "$6.68. Sales rose".
_STOP_AFTER_DECIMAL = re.compile(
    r"(?<=\S\s)\S*\d[.,]\d+[%‰)\]]*[.!?][\"'”’)\]]*(?=\s+[\"'“‘(\[]?[^\W\d_])"
    r"|(?:[\w-]{2}|@\w)\.[^\W\d_]{2,10}[.!?][\"'”’)\]]*(?=\s+[\"'“‘(\[]?[^\W\d_a-z])"
)
# A stop after an abbreviation such as "U.S.", before a word that begins sentences.
_STOP_AFTER_INITIALS = re.compile(r"(?<![\w.])(?:[^\W\d_]\.){2,}[\"'”’)\]]*(?=\s+([A-Z][a-z]+)\b)")
# A stop after "a.m." or "etc.", before a word that is no name: more words with capitals are one
# ("Eastern Time"), and "The 9 a.m." is no sentence.
_STOP_AFTER_PHRASE = re.compile(
    r"(?:\b\d[\d:.]{0,4}\s?(?:[ap]\.\s?m|[AP]\.M)|\betc)\.[\"'”’)\]]*"
    r"(?=\s+[\"'“‘(\[]?([A-Z][a-z]*)\b(?![.'’]|\s+(?:[A-Z]|time\b)))"
)
# A stop before code, or a name in small letters: "`run()`", "os.path", "iPhone", "pip install";
# before the number of a clause: "4.2 Guests".
_STOP_BEFORE_CODE = re.compile(
    r"(?:[^\W\d_]{3}|[\d)\]`%])\.(?=\s+(?:`|[^\W\d_]\w*[._]\w|[^\W\d_]\w*\(|[a-z]{1,3}[A-Z]"
    r"|\d{1,3}(?:\.\d{1,3})+\.?\s+[^\W\d_a-z]))"
)
_STOP_BEFORE_SMALL = re.compile(r"(?<![\w.'’-])[a-z]{4,}\.(?=\s+[a-z])")
# The last character of some emoji, and what stands for an entity: "5 &euro;. Then".
_LAST_OF_SIGNS = "%‰CFK\ufe0f\u200d\u20e3\u2060"
_IDEOGRAPH = re.compile(f"[{IDEOGRAPHS}]")
# Shortened words of four letters and more, by their last letters.
_SHORTENED = re.compile(
    r"(?i)\b(?:dept|assn|univ|assoc|govt|approx|est|fig|figs|eqn|eqns|chap|sect|secs|vols?|incl|excl|ital"
    r"|pers|pseud|corp|bros|prof|capt|maint|misc|temp|tech|ibid|resp|ours|cont|pron|conj|prep|abbr"
    r"|inst|natl|intl|dist|bldg|tbsp|usw|bspw|evtl|ggf|inkl|exkl|vgl|zzgl|sogen|p[aá]gs?|cap[sí]?|núm)\.\Z"
)
_BEGINNINGS = frozenset(
    "the he she it we they this that these those there in on at but however and as if when while"
    " after before since during for from his her its their our your some many most all no one an"
    " what who how why although because by with to".split()
)
_IDEOGRAPHIC_PIECE = re.compile(r"[^。！？]*(?:[。！？]+[」』”’）】》]*)?")
# Share of ideographs above which a piece of text is Chinese or Japanese: a name in Chinese
# characters makes no Chinese sentence, and "AI" in a Chinese one no English one.
_MOSTLY = 0.3
# Marks of citations and closing quotation marks may follow the stop.
_STOPPED = re.compile(r"[.!…。！؟।][\"'”’»)\]】\d\[,–¹²³⁴-⁹⁰-]*\Z")


def ends_as_sentence(text: str) -> bool:
    """Return whether a text ends as a sentence does, unlike a heading, a label, a cell or a name.

    A question does not: it states nothing.

    Examples:
        >>> ends_as_sentence("Lunch is free [2]."), ends_as_sentence("The Paris Metro")
        (True, False)
    """
    return _STOPPED.search(text) is not None


def sentence_intervals(text: str) -> list[Interval]:
    """Return the half-open intervals of a text's sentences, in order and without overlap.

    A blank line always ends a sentence. Chinese and Japanese end a sentence at their stops and line
    breaks too; other scripts are cut by syntok, whose rules are for English, German and Spanish.
    One paragraph may have both. White space between sentences belongs to none.

    Examples:
        >>> text = "Dr. Lee agreed. It was late."
        >>> [text[start:end] for start, end in sentence_intervals(text)]
        ['Dr. Lee agreed.', 'It was late.']
    """
    return [
        (start + paragraph.start(), end + paragraph.start())
        for paragraph in _PARAGRAPH.finditer(text)
        for start, end in _in_paragraph(paragraph[0].rstrip())
    ]


def whole_sentences(text: str, start: int, end: int) -> Interval:
    """Return the interval of the sentences that `text[start:end]` touches; never less than that.

    A sentence that begins or ends more than 4,000 characters away, such as a table, is cut: at a
    line break if there is one, else between words.

    Examples:
        >>> text = "Dr. Lee agreed. It was late. So be it."
        >>> start, end = whole_sentences(text, 23, 27)
        >>> text[start:end]
        'It was late.'
    """
    # A sentence end may be found inside the interval by mistake; return all of it nevertheless.
    low, high = sentences_around(text, start, end, _NEAR) or (start, end)
    low, high = min(low, start), max(high, end)
    # A sentence is whole if there is something before and after it in what was searched.
    if start > _NEAR and not text[start - _NEAR : low].strip():
        low = _start_before(text, start)
    if end + _NEAR < len(text) and not text[high : end + _NEAR].strip():
        high = _end_after(text, end)
    return low, high


def _start_before(text: str, position: int) -> int:
    """Return the start of the sentence around a position: after the last clear stop before it."""
    low = max(0, position - _FAR)
    stops = [stop.end() for stop in _CLEAR_STOP.finditer(text, low, position)]
    found = next((stop for stop in reversed(stops) if _ends_sentence(text, stop)), None)
    if found is not None or low == 0:
        return position - len(text[found or 0 : position].lstrip())
    if (line := text.find("\n", low, position)) >= 0:
        return line + 1
    if blank := _BLANK.search(text, low, position):
        return blank.end()
    return to_word_borders(text, low, low)[0]


def _end_after(text: str, position: int) -> int:
    """Return the end of the sentence around a position: at the first clear stop after it."""
    high = min(len(text), position + _FAR)
    stops = (stop.end() for stop in _CLEAR_STOP.finditer(text, position, high))
    found = next((stop for stop in stops if _ends_sentence(text, stop)), None)
    if found is not None or high == len(text):
        return len(text) if found is None else found
    if (line := text.rfind("\n", position, high)) >= 0:
        return line
    if blanks := [blank.start() for blank in _BLANK.finditer(text, position, high)]:
        return blanks[-1]
    return to_word_borders(text, high, high)[1]


def _ends_sentence(text: str, stop: int) -> bool:
    """Return whether a stop ends a sentence, and no abbreviation."""
    low = max(0, stop - _NEARBY)
    ends = (end + low for _, end in sentence_intervals(text[low : stop + _NEARBY]))
    return any(abs(end - stop) <= 1 for end in ends)


def sentences_around(text: str, start: int, end: int, reach: int) -> Interval | None:
    """Return the interval of the sentences that `text[start:end]` touches, or `None`.

    Sentences that begin or end more than `reach` characters away are cut there.
    """
    low = max(0, start - reach)
    touched = [
        (first + low, last + low)
        for first, last in sentence_intervals(text[low : end + reach])
        if first + low < end and last + low > start
    ]
    return (touched[0][0], touched[-1][1]) if touched else None


def _in_paragraph(paragraph: str) -> Iterator[Interval]:
    if not _IDEOGRAPH.search(paragraph):
        yield from _spaced(paragraph, 0)
        return
    for piece in _IDEOGRAPHIC_PIECE.finditer(paragraph):
        if len(_IDEOGRAPH.findall(piece[0])) > _MOSTLY * sum(map(str.isalpha, piece[0])):
            found = _IDEOGRAPHIC_SENTENCE.finditer(paragraph, *piece.span())
            yield from (match.span() for match in found)
        elif piece[0].strip():
            yield from _spaced(piece[0], piece.start())


def _spaced(piece: str, start: int) -> Iterator[Interval]:
    """Yield the sentences of a piece of text that begins at `start`, by syntok."""
    brackets = sum(map(piece.count, "([{"))
    if len(piece) > _MOST_ANALYZED or brackets > max(_MOST_BRACKETS, len(piece) / _PER_BRACKET):
        stops = [0, *(stop.end() for stop in _CLEAR_STOP.finditer(piece)), len(piece)]
        for low, high in pairwise(stops):
            first, last = low + len(piece[low:high]) - len(piece[low:high].lstrip()), high
            if first < last:
                yield start + first, start + last
        return
    for sentence in _analyze(piece):
        first, last = sentence[0], sentence[-1]
        for low, high in _cut_at_missed_stops(piece, first.offset, last.offset + len(last.value)):
            yield start + low, start + high


def _cut_at_missed_stops(text: str, start: int, end: int) -> Iterator[Interval]:
    """Yield the parts of a sentence between stops that syntok takes for parts of words."""
    stops = sorted(
        {
            stop.end()
            for pattern in (_STOP_AFTER_DECIMAL, _STOP_BEFORE_CODE, _STOP_BEFORE_SMALL)
            for stop in pattern.finditer(text, start, end)
            if not ends_in_abbreviation(stop[0]) and _SHORTENED.search(stop[0]) is None
        }
        | {
            stop.end()
            for stop in _STOP_AFTER_INITIALS.finditer(text, start, end)
            if stop[1].lower() in _BEGINNINGS
        }
        | {
            stop.end()
            for stop in _STOP_AFTER_PHRASE.finditer(text, start, end)
            if len(text[start : min(stop.start(), start + _NEARBY)].split()) > 1
            and (stop[1] == "A" or is_english_word(stop[1].lower()))
            and stop[1].lower() not in english("names")
        }
        | {
            stop.end()
            for stop in _STOP_AFTER_SIGN.finditer(text, start, end)
            if stop[1].isupper() and stop.start() > start
            # No word ends so: "%", "€", "→", "👍".
            if (sign := text[stop.start() - 1]) in _LAST_OF_SIGNS
            or unicodedata.category(sign)[0] == "S"
        }
    )
    for stop in stops:
        blank = _BLANK.match(text, stop)
        if blank is not None and start < stop and blank.end() < end:
            yield start, stop
            start = blank.end()
    yield start, end


class _SyntokToken(Protocol):
    offset: int
    value: str


def _analyze(paragraph: str) -> Iterator[Sequence[_SyntokToken]]:
    from syntok import segmenter  # pyright: ignore[reportMissingTypeStubs]  (loaded when needed)

    analyze: Any = getattr(segmenter, "analyze")  # noqa: B009  (syntok has no types)
    for sentences in analyze(paragraph):
        yield from sentences


# Windows: overlapping runs of sentences

LONGEST = 1_000
"""Characters of the longest window: about the 256 word pieces that small encoders read."""

# Where a long text is cut, best first: after a line, a word, a punctuation mark.
_WINDOW_CUTS = (re.compile(r"\n\s*"), re.compile(r"\s+"), re.compile(r"[^\w\s](?=\w)"))
_NOT_BLANK = re.compile(r"\S")


def sentence_windows(text: str, *, size: int = 3, overlap: int = 1) -> list[Interval]:
    """Return the half-open intervals of overlapping runs of sentences, in order.

    A window has at most 1,000 characters, and fewer than `size` sentences if these would be longer.
    A longer sentence (a table, a text without stops) is cut after a line, else after a word. Every
    character that is not white space is in a window, no window begins or ends with white space, and
    none lies inside another.

    Args:
        text: Any text; one of white space alone has no windows.
        size: The most sentences of a window, from 1 on.
        overlap: How many sentences the next window repeats, from 0 to `size - 1`.

    Raises:
        ValueError: a size or an overlap is out of range.

    Examples:
        >>> text = "It rained. It was late. Nobody came. So be it."
        >>> [text[start:end] for start, end in sentence_windows(text, size=2, overlap=1)]
        ['It rained. It was late.', 'It was late. Nobody came.', 'Nobody came. So be it.']
    """
    if size < 1 or not 0 <= overlap < size:
        raise ValueError(
            f"size must be at least 1 and overlap 0 to size - 1, got size={size}, overlap={overlap}"
        )
    pieces = sentence_pieces(text)
    windows: list[Interval] = []
    first = after = 0
    while after < len(pieces):
        start, last = pieces[first][0], after
        after = _fitting(pieces, first, size)
        if after > last:  # else the window before has all of it
            windows.append((start, pieces[after - 1][1]))
            first = max(first + 1, after - overlap)
        else:
            first += 1
    return windows


def sentence_pieces(text: str) -> list[Interval]:
    """Return the half-open intervals of a text's sentences, cut where one is too long, in order.

    None is longer than 1,000 characters, and every character that is not white space is in one.

    Examples:
        >>> text = "It rained. It was late."
        >>> [text[start:end] for start, end in sentence_pieces(text)]
        ['It rained.', 'It was late.']
    """
    starts = (start for start, _ in sentence_intervals(text))
    return [
        piece
        for start, end in pairwise([0, *starts, len(text)])
        for piece in bounded(text, *stripped(text, start, end))
    ]


def stripped(text: str, start: int, end: int) -> Interval:
    """Return an interval without the white space at its ends; empty if there is nothing else."""
    part = text[start:end].lstrip()
    return end - len(part), end - len(part) + len(part.rstrip())


def bounded(text: str, start: int, end: int, *, longest: int = LONGEST) -> Iterator[Interval]:
    """Yield the parts of an interval, none longer than `longest` characters (from 1 on).

    The interval must not begin or end with white space. An empty one has no parts.
    """
    while end - start > longest:
        cut = _cut(text, start, start + longest)
        yield stripped(text, start, cut)
        after = _NOT_BLANK.search(text, cut, end)
        start = after.start() if after else end
    if start < end:
        yield start, end


def _cut(text: str, start: int, end: int) -> int:
    """Return where to cut a text: in the second half of an interval, or at its end."""
    middle = start + (end - start + 1) // 2
    for pattern in _WINDOW_CUTS:
        places = [match.end() for match in pattern.finditer(text, middle, end)]
        if places:
            return places[-1]
    while end > middle and unicodedata.category(text[end])[0] == "M":
        end -= 1
    return end


def _fitting(pieces: list[Interval], first: int, size: int) -> int:
    """Return the index after the last piece of the window that begins with the first."""
    stop = min(first + size, len(pieces))
    while stop > first + 1 and pieces[stop - 1][1] - pieces[first][0] > LONGEST:
        stop -= 1
    return stop
