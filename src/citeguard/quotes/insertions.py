r"""What a tool inserted between the words of a text: cues, times, speakers, numbers, escapes.

A transcript has cue numbers, times and speakers in it, a deposition counts its lines; JSON dumped
twice has "\n" for its line breaks; `columns` knows what is printed beside a text. People and models
quote the words alone. So `find_readings` returns what remains, in the order of reading, once for
the whole text; a quote that is not found in the text as it is, is looked for there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from citeguard.language.abbreviations import TITLES
from citeguard.language.lexicon import union
from citeguard.language.sentences import Interval
from citeguard.language.spelling import is_english_word
from citeguard.quotes.columns import SPARSEST, find_columns, stripped
from citeguard.quotes.items import find_item_marks

# Without these there is no label, no escape, no gutter, no page.
MAY_BE_INSERTED = re.compile(
    r"[:：]|\\n|   |\f|\n[ \t]*\d{1,3}[ \t]|[.;!?][’”\"')]?\s\d{1,3}\s|[(（][^\W_]{1,5}[)）]"
)


def find_readings(text: str) -> list[list[Interval]]:
    r"""Return the intervals to read, in the order of reading, for each way to clear a text.

    An empty one is a barrier: what is behind it does not go on with what is before it.

    Examples:
        >>> find_readings("It is plain.")
        []
        >>> text = "0:01\nIt was\n0:04\nplain."
        >>> [[text[low:high] for low, high in places] for places in find_readings(text)]
        [['It was', 'plain.']]
    """
    ways = [_around(text, [*_transcript_labels(text)]), _around(text, [*_line_escapes(text)])]
    ways += [_around(text, _times(text)), _around(text, [*_line_numbers(text)])]
    ways += [_around(text, find_item_marks(text)), *find_columns(text)]
    return [places for i, places in enumerate(ways) if places and places not in ways[:i]]


def _around(text: str, omitted: Sequence[Interval]) -> list[Interval]:
    """Return what is around the intervals to leave out; nothing if there are few of them."""
    borders = [0, *(place for interval in omitted for place in interval), len(text)]
    around = zip(borders[::2], borders[1::2], strict=True)
    if len(omitted) * SPARSEST < len(text):
        return []
    return [place for each in around if (place := stripped(text, *each))]


# JSON in JSON

_LINE_ESCAPE = re.compile(r"(?<!\S)([^\s\\:]*)((?:\\[nrt])+)(?=[^\s\\]*(?!\S))")


def _line_escapes(text: str) -> Iterator[Interval]:
    r"""Yield the escapes of line breaks of a text that has them in place of line breaks.

    Not those of paths: "C:\new", "data\new\table".
    """
    if "\\n" in text and "\n" not in text:
        yield from (match.span(2) for match in _LINE_ESCAPE.finditer(text))


# Transcripts

_CLOCK = r"(?:\d{1,2}:)?\d{1,3}:\d{2}(?:[.,]\d{1,3})?"
_CUE = re.compile(
    rf"^[ \t]*(?:\d{{1,5}}[ \t]*\r?\n[ \t]*)?{_CLOCK}[ \t]*-->[ \t]*{_CLOCK}[^\n]*$", re.MULTILINE
)
_VOICE = re.compile(rf"</?[vc](?:[.\s][^<>\n]{{0,80}})?>|<{_CLOCK}>")
# "[00:12:31]", "(0:04)", "[10:31 AM]"; a time without brackets may be of a schedule.
_DATE = r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:,?[ \t]|T))"
_BRACKETED_TIME = (
    rf"[\[(]{_DATE}?"
    r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?(?:[ \t]?[AaPp]\.?[Mm]\.?)?"
    r"(?:,[ \t]*\d{1,4}[./-]\d{1,2}[./-]\d{1,4})?[\])]"
)
_TIME = re.compile(
    rf"^[ \t]*(?:{_BRACKETED_TIME}|{_DATE}?{_CLOCK}Z?(?![\d:.,]*\d))(?:[ \t]*[-–](?=\s))?", re.M
)
_SPEAKER = re.compile(
    r"[ \t]*(?:\*\*|>>[ \t]*)?(?P<name>[^\W\d_][\w.'’-]*(?:[ \t][^\s:\[\]]+){0,4})"
    r"(?:\*\*)?:(?:\*\*)?(?=\s)"
)
_LABELLED = re.compile(r"^[^:\n]{1,80}:(?=\s)", re.MULTILINE)
_LONGEST_NAME = 40
_SHORTEST_LINE = 25  # characters of most lines that a transcript counts; "2 eggs" is none
_MOST_UNNUMBERED = 4  # lines between two pages
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


def _transcript_labels(text: str) -> Iterator[Interval]:
    """Yield the cues, times and speakers of a transcript, which are no part of what is said."""
    cues = (_CUE, _VOICE) if "-->" in text else ()
    found = [match.span() for pattern in cues for match in pattern.finditer(text)]
    times = _running_times(text)
    timed = {match.end() for match in times}
    found += [match.span() for match in times]
    labels = [
        match
        for place in sorted({*timed, *(line.start() for line in _LABELLED.finditer(text))})
        if (match := _SPEAKER.match(text, place, place + 2 * _LONGEST_NAME))
    ]
    found += [match.span() for match in labels if match.start() in timed]
    found += _dialogue([match for match in labels if match.start() not in timed])
    last = 0
    for start, end in sorted(found):
        if start >= last:
            yield start, end
            last = end


def _running_times(text: str) -> list[re.Match[str]]:
    """Return the times of a recording or of messages, as no schedule has them."""
    times = [*_TIME.finditer(text)] if ":" in text and "-->" not in text else []
    return times if len(times) >= _FEWEST_TIMES and _is_running(times[0][0].strip()) else []


def _times(text: str) -> list[Interval]:
    """Return the times of a transcript or log, whose speakers or levels may be quoted."""
    return [match.span() for match in _running_times(text)]


# Numbered lines

_LINE_NUMBER = re.compile(
    r"^[ \t]*(\d{1,3})(?=[ \t]+\S)(?![ \t]+[\d$€£%.,+-])[ \t]+|^[ \t]*\d{2,5}$", re.M
)
_FEWEST_NUMBERED = 5  # lines in a row


def _line_numbers(text: str) -> Iterator[Interval]:
    """Yield the numbers at the beginnings of lines that count them, and those of pages between."""
    run: list[re.Match[str]] = []
    for match in _LINE_NUMBER.finditer(text):
        if run and not _goes_on(run, match):
            yield from _numbers_of(run)
            run = []
        if match[1] or run:
            run.append(match)
    yield from _numbers_of(run)


def _goes_on(run: Sequence[re.Match[str]], match: re.Match[str]) -> bool:
    """Return whether a line is the next one, or of the next page."""
    gap = match.string[run[-1].end() : match.start()]
    if match[1] is None or run[-1][1] is None or int(match[1]) == 1:
        return gap.count("\n") <= _MOST_UNNUMBERED
    return gap.count("\n") <= 2 and int(match[1]) == int(run[-1][1]) + 1


def _numbers_of(run: Sequence[re.Match[str]]) -> Iterator[Interval]:
    numbered = [match for match in run if match[1] is not None]
    if len(numbered) < _FEWEST_NUMBERED:
        return
    text = run[0].string
    if median(text.find("\n", m.end()) % len(text) - m.end() for m in numbered) >= _SHORTEST_LINE:
        yield from (match.span() for match in run)


def _dialogue(labels: Sequence[re.Match[str]]) -> Iterator[Interval]:
    """Yield the labels of speakers who speak twice, and those right before and after."""
    counts = Counter(match["name"] for match in labels)
    speakers = {name for name, count in counts.items() if count > 1 and is_speaker(name)}
    for i, match in enumerate(labels):
        beside = (other["name"] for other in labels[max(0, i - 1) : i + 2])
        if not speakers.isdisjoint(beside) and not _is_loaded(match["name"]):
            yield match.span()


def _is_running(first: str) -> bool:
    """Return whether the first of several times is of a recording or of messages."""
    if first[0] in "[(" or re.match(_DATE, first):
        return True
    hour = first.partition(":")[0]
    return first.count(":") > 1 or not hour.isdecimal() or int(hour) == 0


def is_speaker(name: str) -> bool:
    """Return whether a label names a speaker, and is no heading such as "Risk" or "Myth"."""
    words = [word.strip("().,").lower() for word in name.split()]
    if not words or not name[0].isupper():
        return False
    roled = words[0] in TITLES | _ROLES or words[-1] in _ROLES
    return roled or not is_english_word(words[-1].replace("’", "'"))


def _is_loaded(name: str) -> bool:
    return any(word.lower() in union("negators") | union("qualifiers") for word in name.split())
