r"""What a page, a player or a tool prints between the words of a text, and a quote of it omits.

`find_furniture` finds the heads, feet and numbers of pages between two lines of a sentence.
`find_readings` returns what remains of a whole text without the times and speakers of a transcript,
or column by column where `pdftotext -layout` printed columns and side notes on one line. A quote
that is not found in the text as it is, is looked for there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from citeguard.language.lexicon import TITLES, english, find_language, union
from citeguard.language.number_words import (
    CURRENCIES,
    MAGNITUDE_WORDS,
    PERCENT,
    PERCENT_PHRASES,
    UNIT_WORDS,
)
from citeguard.language.sentences import Interval, stripped
from citeguard.language.spelling import is_english_word
from citeguard.quotes.search import fold

# Page furniture: running heads, feet and page numbers that a page break puts into a sentence.

_MOST_PAGES = 3  # between two page breaks in one quote
_PAGES = 20_000  # characters on either side in which a running head is repeated: some pages
_MOST_LINES, _MOST_CHARACTERS = 6, 90  # of one page break, and of a line of it
_ROMAN = r"x{0,3}(?:ix|iv|v?i{1,3}|v|x)"
# "12", "Page 3 of 7", "p. iv", "A-12", "– 1999 –", "第 3 頁"; "1999" may be a year of the text.
_PAGE_NUMBER = re.compile(
    rf"\W*(?:p(?:\s?a\s?g\s?e|\.|g\.?)?|seite|第)?\W*(?:(?:[A-Z]|\d{{1,2}})\s?[-–.]\s?)?"
    rf"(?:\d{{1,3}}|(?<=[-–—]\s)\d{{4}}(?=\s[-–—])|{_ROMAN})(?:\s*(?:of|/|von|\|)\s*\d{{1,4}})?\W*(?:p\s?a\s?g\s?e|[页頁])?\W*",
    re.IGNORECASE,
)
# Lines that publishers print on every page, by how they begin.
_LABEL = re.compile(
    r"\W*(?:(?:doi|arxiv|issn|isbn)\b.{0,60}|(?:©|\(c\)|copyright\b).{0,80}"
    r"|.{0,60}\ball rights reserved|downloaded from\b.{0,80}"
    r"|(?:[A-Z ]+\|)?[\d/.,:\s]*(?:https?://|www\.)\S+(?:\s[\w,/ ]{0,30}\d)?"
    r"|(?:last (?:updated|modified)|printed (?:on|from)|accessed on)\b.{0,40}\d.{0,10}"
    r"|(?:chapter|section) [\divxlc.]{1,6}\b.{0,60}|this article is protected by copyright.{0,40}"
    r"|(?:strictly )?(?:confidential|draft)(?:\W+(?:do not|not for) \w+)?)\W*",
    re.IGNORECASE,
)
_LINE = re.compile(r"[^\n\r\f]+")
# In the middle of a passage; no blank line, so that the search for it stays linear.
BETWEEN_LINES = re.compile(r"[\n\r\f][^\S\n\r\f]*[^\s][^\n\r\f]*[\n\r\f]")
_WORD = re.compile(r"(?<![\w])[^\W\d_]+(?:['’.-][^\W\d_]+)*")
_SMALL_WORDS = frozenset(
    "a an and as at by for from in of on or the to with de la le von und der die et al v vs".split()
)
_ARTICLES = frozenset(["a", "an", "the", "der", "die", "la", "le"])
_MOSTLY = 0.75  # of a heading's words, save for names such as "lme4", begin with capitals
# "12 Annual Report", "Annual Report | 12"
_NUMBERED_LINE = re.compile(r"\d{1,4}[\W_]*\s[\W_]*[^\W\d_].*|.*\w.?[\W_]*\s[\W_]*\d{1,4}")
_FIGURE = re.compile(r"[\s\d.,%€$£+-]*\d[\s\d.,%€$£+-]*")


_UNSPACED_UNITS = "元円圓圆年月日人名个個件次回台册本万億亿兆千百度時时分秒岁歳歲倍割"
_PERCENT_STARTS = PERCENT.union(phrase[0] for phrase in PERCENT_PHRASES)


def find_furniture(text: str, start: int, end: int, quoted: str = "") -> list[Interval]:
    r"""Return the intervals of `text[start:end]` that are whole lines of the page, not of its text.

    A line counts as furniture if it looks like a page number, a publisher's label, or a heading
    that other pages repeat or that has a page number beside it. A line that says something never
    does: one with a negation or qualifier, a sentence, what ends in a colon. The first and the last
    line of the interval are never furniture, nor are lines whose words the search form `quoted`
    contains.

    Examples:
        >>> text = "most of the\n\n12\nAnnual Report\n\nsoldiers"
        >>> [text[low:high] for low, high in find_furniture(text, 0, len(text))]
        ['12\nAnnual Report']
    """
    lines = [match.span() for match in _LINE.finditer(text, start, end) if match[0].strip()]
    breaks: list[Interval] = []
    first = 1
    while first < len(lines) - 1:
        for count in range(min(_MOST_LINES, len(lines) - 1 - first), 0, -1):
            if _are_furniture(text, lines[first - 1 : first + count + 1], quoted):
                breaks.append((lines[first][0], lines[first + count - 1][1]))
                first += count - 1
                break
        first += 1
    # Page numbers follow one another; numbers of the text do not.
    plain = (text[low:high].strip() for low, high in breaks)
    pages = [int(line) for line in plain if line.isdecimal()]
    is_ascending = all(one < other <= one + _MOST_PAGES for one, other in pairwise(pages))
    margins = _margins(text, lines, quoted) if "   " in text[start:end] else []
    kept = breaks if is_ascending else []
    within = [each for each in margins if not any(a <= each[0] < b for a, b in kept)]
    return sorted([*kept, *within])


_MARGIN = 40  # characters of a title in the margin, at most
_PAGE_APART = 1_000  # characters between two pages; cells of a table are repeated nearer


def _margins(text: str, lines: Sequence[Interval], quoted: str) -> list[Interval]:
    """Return what wide gaps set off at the ends of lines, and page after page repeats there."""
    margins: list[Interval] = []
    for low, high in lines:
        parts = _GAP.split(text[low:high].strip())
        if len(parts) < 2:
            continue
        first = text[low - 1 : low] or "\n"  # "\f" where a page begins
        for part, before, after in ((parts[-1], "   ", "\n"), (parts[0], first, "   ")):
            is_short = len(part) <= _MARGIN and fold(part) not in quoted
            if is_short and _is_on_other_pages(text, f"{before}{part}{after}", low):
                start = text.rfind(part, low, high) if before == "   " else text.find(part, low)
                margins.append((start, start + len(part)))
                if len(parts) == 2 and any(map(_PAGE_NUMBER.fullmatch, parts)):
                    margins[-1] = low, high
    return margins


_GAP = re.compile(r"[ \t]{3,}")


def _is_on_other_pages(text: str, words: str, place: int) -> bool:
    """Return whether words are repeated, and nowhere within what is printed on the same page."""
    low, high = max(0, place - _PAGES), place + _PAGES
    near = text.count(words, max(0, place - _PAGE_APART), place + _PAGE_APART)
    return near == 1 and text.count(words, low, high) > 1


def _are_furniture(text: str, lines: list[Interval], quoted: str) -> bool:
    """Return whether the lines between the first and the last are page furniture."""
    inner = [text[low:high].replace("\u00ad", "").strip() for low, high in lines[1:-1]]
    is_number = [_PAGE_NUMBER.fullmatch(line) is not None for line in inner]
    for line, number in zip(inner, is_number, strict=True):
        if len(line) > _MOST_CHARACTERS or (not number and fold(line) in quoted):
            return False
    # A number on a line of its own may count what the next line begins with.
    after = text[lines[-1][0] : lines[-1][1]].strip()
    counted = _WORD.match(after)
    is_counted = after[0] in "%‰°" or (counted is not None and _is_measure(counted[0]))
    if len(inner) == 1 and inner[0].isdigit() and is_counted:
        return False
    # A heading alone may belong to the text; a page number or a new page shows that it does not.
    gaps = text[lines[0][1] : lines[1][0]] + text[lines[-2][1] : lines[-1][0]]
    paged = "\f" in gaps or any(is_number)
    paged = paged or any(map(_LABEL.fullmatch, inner))
    nearby = text[max(0, lines[0][0] - _PAGES) : lines[-1][1] + _PAGES]
    return all(
        number
        or _LABEL.fullmatch(line)
        or (_is_heading(line) and (paged or _is_running_head(line, nearby)))
        for line, number in zip(inner, is_number, strict=True)
    )


def _is_measure(word: str) -> bool:
    """Return whether a word may count the number before it."""
    word = word.casefold()
    tables = UNIT_WORDS, MAGNITUDE_WORDS, CURRENCIES, _PERCENT_STARTS, union("magnitudes")
    # Words of two letters, such as "in" and "am", are seldom units.
    return word[0] in _UNSPACED_UNITS or (len(word) > 2 and any(word in table for table in tables))


def _is_running_head(line: str, nearby: str) -> bool:
    """Return whether a heading has the page number on its line, or is repeated on other pages."""
    inline = not set(",;()").intersection(line) and len(_WORD.findall(line)) > 1
    cells = re.split(r"\s{2,}|\t", line)
    is_row = sum(map(bool, map(_FIGURE.fullmatch, cells))) > 1
    numbered = inline and _NUMBERED_LINE.fullmatch(line) and not is_row
    return bool(numbered) or nearby.count(f"\n{line}\n") > 1


def _is_heading(line: str) -> bool:
    """Return whether a line is in title case or capitals, so that it is not part of a sentence."""
    words = _WORD.findall(line)
    ends = line.rstrip(" ,")[-1:] in tuple(".,;:?!") and not line.lower().endswith("et al.")
    if (ends and not line.isupper()) or not words:
        return False
    says = union("negators").union(union("qualifiers"), union("hedges"))
    if any(word.casefold() in says for word in words):
        return False
    if words[0].casefold() in _SMALL_WORDS - _ARTICLES:
        return False
    others = [word for word in words if word.casefold() not in _SMALL_WORDS]
    return sum(word[0].isupper() for word in others) >= _MOSTLY * len(others)


# Readings

# Without these there is no label, no escape, no gutter, no page.
MAY_BE_INSERTED = re.compile(r"[:：]|   |\f")


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
    ways = [
        _around(text, [*_transcript_labels(text)], least=len(text) // SPARSEST),
        # Of a log, whose speakers or levels may be quoted.
        _around(
            text, [match.span() for match in _running_times(text)], least=len(text) // SPARSEST
        ),
        find_columns(text),
    ]
    return [places for i, places in enumerate(ways) if places and places not in ways[:i]]


def _around(text: str, omitted: Sequence[Interval], *, least: int = 0) -> list[Interval]:
    """Return what is around the intervals to leave out; nothing if there are not enough of them."""
    if len(omitted) <= least:
        return []
    borders = [0, *(place for interval in omitted for place in interval), len(text)]
    around = zip(borders[::2], borders[1::2], strict=True)
    return [stripped(text, low, high) for low, high in around if text[low:high].strip()]


# Transcripts

_CLOCK = r"(?:\d{1,2}:)?\d{1,3}:\d{2}(?:[.,]\d{1,3})?"
# "12\n00:00:01.000 --> 00:00:04.000 align:start"
CUE = re.compile(
    rf"^[ \t]*(?:\d{{1,5}}[ \t]*\r?\n[ \t]*)?{_CLOCK}[ \t]*-->[ \t]*{_CLOCK}[^\n]*$", re.MULTILINE
)
# "<v Anna>", "</v>", "<c.yellow>", "<00:00:02.500>"
VOICE = re.compile(rf"</?[vc](?:\.[^<>\s]{{0,80}})?(?:\s(?P<name>[^<>\n]{{0,80}}))?>|<{_CLOCK}>")
# "[00:12:31]", "(0:04)", "[10:31 AM]"; a time without brackets may be of a schedule.
_DATE = r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:,?[ \t]|T))"
_BRACKETED_TIME = (
    rf"[\[(]{_DATE}?"
    r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?(?:[ \t]?[AaPp]\.?[Mm]\.?)?"
    r"(?:,[ \t]*\d{1,4}[./-]\d{1,2}[./-]\d{1,4})?[\])]"
)
_TIME = re.compile(
    rf"^[ \t]*(?:{_BRACKETED_TIME}|{_DATE}?{_CLOCK}Z?(?![\d:.,]*\d)"
    r"(?:[ \t\u202f]?[AaPp][Mm](?=\s))?)(?:[ \t]*[-–](?=\s))?",
    re.M,
)
# "Anna:", ">> Dr. Lee:", "**Anna**:", "<anna>", "+49 151 2345678:"
_SPEAKER = re.compile(
    r"[ \t]*<[\w-]{1,30}>(?=\s)"
    r"|[ \t]*(?:\*\*|>>[ \t]*)?"
    r"(?P<name>[^\W\d_][\w.'’-]*(?:[ \t][^\s:\[\]]+){0,4}|\+\d[\d -]{6,20}\d)"
    r"(?:\*\*)?:(?:\*\*)?(?=\s)"
)
LABELLED = re.compile(rf"^(?:{_SPEAKER.pattern})", re.MULTILINE)
_PARAGRAPH = re.compile(r"(?:\A|(?<=\n\n))(?=\S)")
_STOPS = '.!?…"”’)。！？'
_LONGEST_NAME = 40  # characters
CHANGES = (">>", "- ", "– ")
"""What a line of captions begins with that another one says, who is not named."""
_FEWEST_SPEAKERS = 2  # one name with a colon is a label: "Note:"
_MOST_WORDS = 3  # of a name that is not repeated
_FEWEST_TIMES = 2  # a single one may be when something happened
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
    cues = (CUE, VOICE) if "-->" in text else ()
    found = [match.span() for pattern in cues for match in pattern.finditer(text)]
    times = _running_times(text)
    found += [match.span() for match in times]
    for match in times:
        if speaker := _SPEAKER.match(text, match.end(), match.end() + 2 * _LONGEST_NAME):
            found.append(speaker.span())
    last = 0
    for start, end in sorted(found):
        if start >= last:
            yield start, end
            last = end


def _running_times(text: str) -> list[re.Match[str]]:
    """Return the times of a recording or of messages, as no schedule has them."""
    times = [*_TIME.finditer(text)] if ":" in text and "-->" not in text else []
    return times if len(times) >= _FEWEST_TIMES and _is_running(times[0][0].strip()) else []


def _is_running(first: str) -> bool:
    """Return whether the first of several times is of a recording or of messages."""
    if first[0] in "[(" or re.match(_DATE, first):
        return True
    hour = first.partition(":")[0]
    return first.count(":") > 1 or not hour.isdecimal() or int(hour) == 0


class Turn(NamedTuple):
    """What one speaker says in a transcript or a chat, up to where the next turn starts."""

    start: int  # of what names the speaker
    speaker: str | None
    time: str | None  # as it is written


def find_turns(text: str) -> list[Turn]:
    r"""Return the turns of a text that is a transcript or a chat; of any other text, nothing.

    Examples:
        >>> chat = "[2024-05-17 09:03] anna: It ships.\n[2024-05-17 09:04] ben: I doubt it.\n"
        >>> [(turn.speaker, turn.time) for turn in find_turns(chat)]
        [('anna', '2024-05-17 09:03'), ('ben', '2024-05-17 09:04')]
    """
    times = _running_times(text)
    if not times:
        labels = [*LABELLED.finditer(text)]
        speakers = speakers_among(map(name_in, labels))
        labels = [label for label in labels if name_in(label) in speakers]
        is_transcript = len(speakers) >= _FEWEST_SPEAKERS and _are_turns(text, labels)
        return [Turn(each.start(), name_in(each), None) for each in labels if is_transcript]
    after = [_SPEAKER.match(text, each.end(), each.end() + 2 * _LONGEST_NAME) for each in times]
    names = Counter(name_in(label) for label in after if label)
    if names.total() * 2 < len(times):
        return []
    turns: list[Turn] = []
    for time, label in zip(times, after, strict=True):
        name = name_in(label) if label else ""
        if not name or (len(name.split()) > _MOST_WORDS and names[name] == 1):
            # A message of the program, such as "Ann changed the subject to:", or within a turn.
            is_message = not turns or re.search(_DATE, time[0]) is not None
            name = None if is_message else turns[-1].speaker
        said = " ".join(time[0].split()).strip("[]() –-")
        turns.append(Turn(time.start(), name, said))
    return turns


def may_begin_turn(text: str, start: int, end: int) -> bool:
    """Return whether a line that begins in an interval begins with a time, or as with a speaker."""
    if text.find(":", start, end) < 0 and text.find("<", start, end) < 0:  # both have one
        return False
    return any(each.search(text, start, end) is not None for each in (_TIME, LABELLED))


def names_speaker(text: str, start: int, end: int) -> bool:
    """Return whether an interval has what names a speaker, where a line begins or behind a time."""
    times = [each.end() for each in _TIME.finditer(text, start, end)]
    is_named = any(_SPEAKER.match(text, place, end) for place in times)
    is_voiced = any(each["name"] for each in VOICE.finditer(text, start, end))
    return is_named or is_voiced or LABELLED.search(text, start, end) is not None


def speakers_among(labels: Iterable[str]) -> frozenset[str]:
    """Return which of the labels in a transcript name speakers, and do not belong to the words."""
    counts = Counter(labels)
    known = {n for n, count in counts.items() if count > 1 or is_speaker(n) or n.isupper()}
    if len(known) >= _FEWEST_SPEAKERS:  # who speaks once only
        known |= {n for n in counts if n[0].isupper() and len(n.split()) <= _MOST_WORDS}
    return frozenset(known)


def _are_turns(text: str, labels: Sequence[re.Match[str]]) -> bool:
    """Return whether labels are those of turns: people take turns, in whole sentences, throughout.

    So most names come back, most labels have a sentence behind them, unlike "Tel: 12", and most
    paragraphs begin with one, or most lines.
    """
    starts = [label.start() for label in labels]
    said = [text[a.end() : end] for a, end in zip(labels, [*starts[1:], len(text)], strict=True)]
    whole = sum(len(each.split()) > 1 and each.rstrip()[-1] in _STOPS for each in said)
    again = sum(count for count in Counter(map(name_in, labels)).values() if count > 1)
    paragraphs = {match.start() for match in _PARAGRAPH.finditer(text)}
    lines = sum(not line.isspace() for line in text.splitlines())
    is_throughout = len(starts) * 2 >= lines or (
        len(paragraphs) * 2 >= len(starts) >= 4 * len(paragraphs.difference(starts))
    )
    return is_throughout and min(whole, again) * 3 >= 2 * len(said)


def name_in(label: re.Match[str]) -> str:
    """Return the name in a match of `LABELLED`."""
    return label["name"] or label[0].strip(" \t<>")


def is_speaker(name: str) -> bool:
    """Return whether a label names a speaker, and is no heading such as "Risk" or "Myth"."""
    words = [word.strip("().,").lower() for word in name.split()]
    if not words or not name[0].isupper():
        return False
    roled = words[0] in TITLES | _ROLES or words[-1] in _ROLES
    return roled or not is_english_word(words[-1].replace("’", "'"))


# Speech

_WORDS = r"[^\W\d_]+(?:['’][^\W\d_]+)?"
# Sounds that are a word of no language; "um" and "er" are words of some.
_SOUNDS, _ENGLISH_SOUNDS = "uh+|uhm+|h+m+|mhm+|äh+m?|öh+m?|euh+|ehm+", "um+|er+m?"
_PAUSED = r"(?:[,…–—-]|\.{2,3}){0,3}"


def find_speech(text: str) -> list[Interval]:
    """Return what is around what a speaker does not mean to say, and around a transcript's labels.

    These are sounds of hesitation, words said twice in a row, and starts that a dash breaks off.

    Examples:
        >>> text = "It was, uh, the the best- the best year."
        >>> " ".join(text[low:high] for low, high in find_speech(text))
        'It was, the best year.'
    """
    labels = [*_transcript_labels(text)]
    ends = [-1]
    omitted: list[Interval] = []
    hesitation = _hesitation(find_language(text, 0, len(text)))
    found = (
        match.span()
        for match in hesitation.finditer(text)
        if (match["said"] or "").lower() not in english("repeatable")  # "had had"
    )
    for start, end in sorted([*labels, *found]):
        if start >= ends[-1]:
            omitted.append((start, end))
            ends.append(end)
    return _around(text, omitted)


@cache
def _hesitation(language: str) -> re.Pattern[str]:
    sounds = f"{_SOUNDS}|{_ENGLISH_SOUNDS}" if language in ("en", "") else _SOUNDS
    return re.compile(
        rf"""(?<!\w)(?:
          (?:{sounds})(?!\w){_PAUSED}
        | (?P<part>[^\W\d_]{{1,20}})[–—-]{{1,2}}(?=\s{{1,3}}(?P=part)\w)       # "prob- problem"
        | (?P<said>{_WORDS}(?:\s{{1,3}}{_WORDS}){{0,3}})(?!\w){_PAUSED}
          \s{{1,3}}(?=(?P=said)(?!\w))
        | (?P<first>{_WORDS})(?:\s{{1,3}}{_WORDS}){{1,3}}(?:[-–]|\s?(?:--|—))
          \s{{0,3}}(?=(?P=first)(?!\w))                             # "we had-- we have"
        )""",
        re.IGNORECASE | re.VERBOSE,
    )


# Columns

# Characters for each interval: a text with fewer is prose, and an index of what remains of it costs
# as much again as that of the text.
SPARSEST = 2_000

_WIDEST = 400  # columns of a printed line; one with more is a paragraph
_CONTEXT = 5  # lines on either side that show whether there is a gutter
_FEWEST_LINES = 4  # of these with text beside it, but not across it
_FEWEST_BOTH = 3  # of these with text on both sides of a gap that goes on straight
_WIDE = 3  # blanks of a gutter that few lines need to have text on both sides of, such as notes
# Blanks of a narrower one, over all lines: those between words meet by chance in up to 6 lines.
_FEWEST_BLANKS = 10
_MOST_COLUMNS = 4  # of a page; what is beside more of them is read with the last
_NARROWEST = 8  # columns between two gutters: notes may be narrow
_SHORTEST_PROSE = 20  # characters of a line
_MOST_CROSSING = 8  # one line in so many may cross a gutter of its page
_TEXT = re.compile(r"\S+")


class _Line:
    """A line, as a half-open interval of the text."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.start, self.end = start, end
        self._words = text[start:end]
        self.has_gap = "   " in self._words and "   " in self._words.rstrip()

    @cached_property
    def wide_gaps(self) -> int:
        """The columns at which a wide gap between words begins or goes on, as bits."""
        if not self.has_gap:
            return 0
        lead = _lowest(self.bits)
        blank = ~(self.bits >> lead) & _mask(0, self.bits.bit_length() - lead)
        return (blank & blank >> 1 & blank >> 2) << lead

    @cached_property
    def bits(self) -> int:
        """The columns that have text, as bits."""
        if len(self._words) > _WIDEST:
            return _mask(0, _WIDEST)
        bits = 0
        for match in _TEXT.finditer(self._words):
            bits |= _mask(*match.span())
        return bits


@dataclass(slots=True)
class _Column:
    """The lines of a column, with a barrier between two of which none is above the other."""

    lines: list[Interval]
    last: Interval = (0, _WIDEST)

    def add(self, place: Interval, origin: int) -> None:
        low, high = place[0] - origin, place[1] - origin
        if not (low < self.last[1] and self.last[0] < high):
            self.lines.append((place[0], place[0]))
        self.last = low, high
        self.lines.append(place)


def find_columns(text: str) -> list[Interval]:
    """Return the lines of each column of a text, those of one page below another; or none.

    Several lines one below another that are blank in one column have a gutter there. Blanks between
    the words of a text are not aligned.
    """
    if "   " not in text:
        return []
    ordered: list[Interval] = []
    beside: list[Interval] = []  # of no running text, behind all of it: it interrupts no sentence
    pages = list(_pages(text))
    cut = [_cut(page) for page in pages]
    split = sum(len(parts) > 1 for page in cut for parts in page)
    if not split or split * SPARSEST < len(text):
        return []
    for page, parts_of in zip(pages, cut, strict=True):
        columns = [_Column([]) for _ in range(_MOST_COLUMNS)]
        for line, parts in zip(page, parts_of, strict=True):
            for k, part in parts:
                low, high = (min(line.start + place, line.end) for place in part)
                if text[low:high].strip():
                    column = columns[min(k, _MOST_COLUMNS - 1)]
                    column.add(stripped(text, low, high), line.start)
        for column in columns:
            lines = column.lines
            # Most lines of prose are long, unlike those of notes and of the columns of a table.
            lengths = [end - start for start, end in lines if start < end]
            if lines and median(lengths) >= _SHORTEST_PROSE:
                ordered += lines
            elif lines:
                beside += [(lines[0][0], lines[0][0]), *lines]
    return [*ordered, *beside]


def _cut(page: Sequence[_Line]) -> list[list[tuple[int, Interval]]]:
    """Return the parts of each line between the gutters around it."""
    is_near = bytearray(len(page) + 1)  # lines near enough to a wide gap that there may be a gutter
    for i, line in enumerate(page):
        if line.has_gap:
            low, high = max(0, i - 4 * _CONTEXT), min(len(page), i + 4 * _CONTEXT)
            is_near[low:high] = b"\1" * (high - low)
    parts: list[list[tuple[int, Interval]]] = []
    gutters: list[Interval] = []
    for i, line in enumerate(page):
        if not is_near[i]:
            parts.append([(0, (0, max(0, line.end - line.start)))])
            continue
        if not (i % _CONTEXT and is_near[i - 1]):
            first = i - i % _CONTEXT
            context = page[max(0, first - 3 * _CONTEXT) : first + 4 * _CONTEXT]
            has_gap = any(each.has_gap for each in context)
            gutters = _gutters(context, max(1, len(context) // _MOST_CROSSING)) if has_gap else []
        parts.append(_parts(line, gutters or _own_gutters(page, i)))
    return parts


def _own_gutters(page: Sequence[_Line], i: int) -> list[Interval]:
    """Return the wide gaps of a line that go on straight in the lines above and below it."""
    gutters: list[Interval] = []
    for low, high in _runs(page[i].wide_gaps):
        high, both = high + _WIDE - 1, 1
        for lines in (page[i + 1 : i + 4 * _CONTEXT], page[max(0, i - 4 * _CONTEXT) : i][::-1]):
            for line in lines:
                blanks = _runs(~line.bits & _mask(low, high))
                start, end = max(blanks, key=lambda run: run[1] - run[0], default=(0, 0))
                if end - start < _WIDE:
                    break
                low, high = start, end
                both += line.bits >> high != 0 and line.bits & _mask(0, low) != 0
        if both >= _FEWEST_BOTH:
            gutters.append((low, high))
    return gutters


def _pages(text: str) -> Iterator[list[_Line]]:
    """Yield the lines of each page that are not blank."""
    page: list[_Line] = []
    for match in re.compile(r"[^\n\f]+|\f").finditer(text):
        if match[0] == "\f":
            yield page
            page = []
        elif match[0].strip():
            page.append(_Line(text, *match.span()))
    yield page


def _mask(start: int, end: int) -> int:
    return (1 << end) - (1 << start)


def _gutters(context: Sequence[_Line], most: int) -> list[Interval]:
    """Return the gutters of some lines, as half-open intervals of columns, in order.

    A few lines may have text across a gutter, such as a heading.
    """
    taken = [0] * (most + 1)  # the columns that one line has text in, two, and so on
    for line in context:
        bits = line.bits
        for level in range(most + 1):
            taken[level], bits = taken[level] | bits, taken[level] & bits
    gutters: list[Interval] = []
    for level in taken:
        for low, high in _blank_runs(level):
            apart = all(
                low >= end + _NARROWEST or start >= high + _NARROWEST for start, end in gutters
            )
            if apart and _is_gutter(low, high, context):
                gutters.append((low, high))
    return sorted(gutters)


def _blank_runs(bits: int) -> Iterator[Interval]:
    """Yield the runs of columns without text, but for that after the last text."""
    column, length = 0, bits.bit_length()
    while column < length:
        column += _lowest(~(bits >> column))
        width = _lowest(bits >> column) if bits >> column else 0
        if width:
            yield column, column + width
        column += max(1, width)


def _runs(bits: int) -> Iterator[Interval]:
    """Yield the runs of columns with text."""
    column = 0
    while bits >> column:
        column += _lowest(bits >> column)
        width = _lowest(~(bits >> column))
        yield column, column + width
        column += width


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


def _is_gutter(start: int, end: int, context: Sequence[_Line]) -> bool:
    beside = [line.bits for line in context if not line.bits & _mask(start, end)]
    left = [bits & _mask(0, start) != 0 for bits in beside]
    right = [bits >> end != 0 for bits in beside]
    both = sum(map(bool.__and__, left, right))
    if len(beside) < _FEWEST_LINES or not any(left) or not any(right):
        return False
    # The blank behind the bullets of a list is no gutter.
    is_margin = start < _NARROWEST
    return end - start >= _WIDE or (not is_margin and both * (end - start) >= _FEWEST_BLANKS)


def _parts(line: _Line, gutters: Sequence[Interval]) -> list[tuple[int, Interval]]:
    """Return the parts of a line between the gutters that it has no text in, and their columns."""
    parts: list[tuple[int, Interval]] = []
    column = start = 0
    for i, (low, high) in enumerate(gutters, 1):
        if not line.bits & _mask(low, high):
            parts.append((column, (start, low)))
            column, start = i, high
    return [*parts, (column, (start, max(start, line.end - line.start)))]
