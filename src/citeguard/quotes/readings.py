r"""Readings of a text without what a tool put between its words.

`pdftotext -layout` prints side notes and the next column on the lines of a sentence; a transcript
has cue numbers, times and speakers in it; JSON dumped twice has "\n" for its line breaks. People
and models quote the words alone. So `find_readings` returns what to omit, once for the whole text;
a quote is looked for in each reading when it is not found in the text as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from citeguard.language.lexicon import NEGATORS, QUALIFIERS
from citeguard.language.spelling import is_english_word

Interval = tuple[int, int]  # half-open; of code points


def find_readings(text: str) -> list[list[Interval]]:
    r"""Return the readings of a text, each as the intervals that it omits, in order.

    Examples:
        >>> find_readings("It is plain.")
        []
        >>> text = "0:01\nIt was\n0:04\nplain."
        >>> [[text[low:high] for low, high in reading] for reading in find_readings(text)]
        [['0:01', '0:04']]
    """
    readings = [[*_transcript_labels(text)], [*_line_escapes(text)], *_columns(text)]
    return [reading for i, reading in enumerate(readings) if reading and reading not in readings[:i]]


# JSON in JSON

_LINE_ESCAPE = re.compile(r"(?<!\\)(?:\\[nrt])+")


def _line_escapes(text: str) -> Iterator[Interval]:
    """Yield the escapes of line breaks of a text that has them in place of line breaks."""
    if "\\n" in text and "\n" not in text:
        yield from (match.span() for match in _LINE_ESCAPE.finditer(text))


# Transcripts

_CLOCK = r"(?:\d{1,2}:)?\d{1,3}:\d{2}(?:[.,]\d{1,3})?"
_CUE = re.compile(
    rf"^[ \t]*(?:\d{{1,5}}[ \t]*\r?\n[ \t]*)?{_CLOCK}[ \t]*-->[ \t]*{_CLOCK}[^\n]*$", re.MULTILINE
)
_VOICE = re.compile(rf"</?[vc](?:[.\s][^<>\n]{{0,80}})?>|<{_CLOCK}>")
# "[00:12:31]", "(0:04)", "[10:31 AM]"; a time without brackets may be of a schedule.
_BRACKETED_TIME = r"[\[(]\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?(?:[ \t]?[AaPp]\.?[Mm]\.?)?[\])]"
_TIME = re.compile(rf"^[ \t]*(?:{_BRACKETED_TIME}|{_CLOCK}(?![\d:.,]*\d))(?:[ \t]*[-–](?=\s))?", re.M)
_SPEAKER = re.compile(
    r"[ \t]*(?:\*\*|>>[ \t]*)?(?P<name>[^\W\d_][\w.'’-]*(?:[ \t][\w.'’()-]+){0,4})(?:\*\*)?:(?:\*\*)?(?=\s)"
)
_LINE_START = re.compile(r"^(?=[^\n])", re.MULTILINE)
_LONGEST_NAME = 40
_FEWEST_TIMES = 2
_ROLES = frozenset(
    (
        "a agent analyst answer assistant attorney audience caller chair chairman chairperson"
        " chairwoman clerk client counsel court customer doctor employee guest host interviewee"
        " interviewer judge justice man moderator narrator officer operator participant patient"
        " panelist president prosecutor q question questioner reporter speaker student teacher"
        " therapist user witness woman"
    ).split()
)
_TITLES = frozenset("mr mrs ms dr prof sir dame lord lady judge justice senator".split())


def _transcript_labels(text: str) -> Iterator[Interval]:
    """Yield the cues, times and speakers of a transcript, which are no part of what is said."""
    if "-->" in text:
        found = [match.span() for pattern in (_CUE, _VOICE) for match in pattern.finditer(text)]
    elif ":" in text:
        found = []
    else:
        return
    times = [match for match in _TIME.finditer(text) if not _is_cue(match, found)]
    if len(times) < _FEWEST_TIMES or not _is_running(times):
        times = []
    timed = {match.end() for match in times}
    found += [match.span() for match in times]
    labels = [
        match
        for place in sorted({*timed, *(start.start() for start in _LINE_START.finditer(text))})
        if (match := _SPEAKER.match(text, place, place + 2 * _LONGEST_NAME))
    ]
    names = {match["name"] for match in labels}
    is_dialogue = len(labels) > 1 and any(map(_is_surely_speaker, names))
    is_dialogue = is_dialogue and not any(map(_is_loaded, names))
    found += [match.span() for match in labels if match.start() in timed or is_dialogue]
    last = 0
    for start, end in sorted(found):
        if start >= last:
            yield start, end
            last = end


def _is_cue(match: re.Match[str], cues: Sequence[Interval]) -> bool:
    line = match.string.find("\n", match.start())
    return bool(cues) and "-->" in match.string[match.start() : line if line >= 0 else None]


def _is_running(times: Sequence[re.Match[str]]) -> bool:
    """Return whether times are of a recording or of messages, and not of a schedule."""
    first = times[0][0].strip()
    return first[0] in "[(" or first.count(":") > 1 or int(first.partition(":")[0]) == 0


def _is_surely_speaker(name: str) -> bool:
    """Return whether a label names a speaker, and is no heading such as "Risk" or "Myth"."""
    words = [word.strip("().,").lower() for word in name.split()]
    if not words or not name[0].isupper():
        return False
    roled = words[0] in _TITLES | _ROLES or words[-1] in _ROLES
    return roled or not is_english_word(words[-1].replace("’", "'"))


def _is_loaded(name: str) -> bool:
    return any(word.lower() in NEGATORS | QUALIFIERS for word in name.split())


# Columns

_WIDE_GAP = re.compile(r"(?<=\S) {3,}(?=\S)")
_WIDEST = 400  # columns of a printed line
_CONTEXT = 5  # lines on either side that show whether there is a gutter
_FEWEST_LINES = 4  # of these with text beside it
_MOST_CROSSING = 1  # of these with text across it, such as a heading


class _Line(NamedTuple):
    """A line, as a half-open interval of the text, and the columns that have text, as bits."""

    start: int
    end: int
    columns: int


def _columns(text: str) -> list[list[Interval]]:
    """Return what is beside the left column, the right one, and that of the running text."""
    if "   " not in text or not _WIDE_GAP.search(text):
        return []
    left: list[Interval] = []
    right: list[Interval] = []
    body: list[Interval] = []
    for page in _pages(text):
        for i, line in enumerate(page):
            context = page[max(0, i - _CONTEXT) : i + _CONTEXT + 1]
            segments = _segments(text, line, context)
            if len(segments) < 2:
                continue
            left.append((segments[0][1], line.end))
            right.append((line.start, segments[-1][0]))
            widest = max(segments, key=lambda place: _coverage(place, line, context))
            body += ((line.start, widest[0]), (widest[1], line.end))
    body = [(low, high) for low, high in body if low < high]
    return [left, right, body]


def _pages(text: str) -> Iterator[list[_Line]]:
    """Yield the lines of each page that are not blank."""
    page: list[_Line] = []
    for match in re.compile(r"[^\n\f]+|\f").finditer(text):
        if match[0] == "\f":
            yield page
            page = []
        elif match[0].strip() and len(match[0]) <= _WIDEST:
            page.append(_Line(*match.span(), _bits(match[0].rstrip())))
    yield page


def _bits(line: str) -> int:
    """Return the columns that have text, as bits; single blanks between words count as text."""
    bits = 0
    for match in re.compile(r"\S+(?: {1,2}\S+)*").finditer(line):
        bits |= (1 << match.end()) - (1 << match.start())
    return bits


def _segments(text: str, line: _Line, context: Sequence[_Line]) -> list[Interval]:
    """Return the parts of a line between the gutters."""
    start = line.end - len(text[line.start : line.end].lstrip())
    segments: list[Interval] = []
    for gap in _WIDE_GAP.finditer(text, line.start, line.end):
        columns = range(gap.start() - line.start, gap.end() - line.start)
        if any(_is_gutter(column, context) for column in columns):
            segments.append((start, gap.start()))
            start = gap.end()
    return [*segments, (start, line.end)]


def _is_gutter(column: int, context: Sequence[_Line]) -> bool:
    """Return whether the lines have no text in a column, and enough have some beside it."""
    crossing = sum(line.columns >> column & 1 for line in context)
    return crossing <= _MOST_CROSSING and len(context) - crossing >= _FEWEST_LINES


def _coverage(part: Interval, line: _Line, context: Sequence[_Line]) -> tuple[float, int]:
    """Return how many lines have text in the columns of a part, on average, and its length."""
    low, high = (place - line.start for place in part)
    mask = (1 << high) - (1 << low)
    covered = sum((other.columns & mask).bit_count() for other in context)
    return covered / max(1, high - low), high - low
