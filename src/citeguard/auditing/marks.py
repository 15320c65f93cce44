"""The citation marks of a text: their places, the sources they name, and the claims they cite."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from citeguard.auditing.claims import Claim
from citeguard.auditing.keys import CITING, Keys, Linked, Named
from citeguard.auditing.references import find_references
from citeguard.language.citations import (
    LEAD,
    LOCATOR,
    NUMBERED_WORDS,
    SUPERSCRIPTS,
    YEAR,
    is_citing,
    is_figure,
    machine_marks,
    pattern,
    places_in_tag,
    points_to_note,
    word_before,
)
from citeguard.language.sentences import Interval
from citeguard.sources.collection import Sources


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A citation mark of a text, such as "[1, 2]".

    Attributes:
        start: Where it starts, in code points.
        end: Where it ends, exclusive. Of "Smith (2020)" only "(2020)" is the mark: the name is a
            word of the sentence.
        cited: The ids of the sources that it names, in order, each once.
        unknown: The keys in it of no source, or of several, as written.
        entries: What the list of references says of each unknown key; empty for one not listed.
        unread: The addresses of the pages that it links to and that could not be read.
    """

    start: int
    end: int
    cited: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def interval(self) -> Interval:
        """Where it is in the text."""
        return self.start, self.end


_LOOK_BACK = 40  # characters before a raised number or a figure that are looked at
_LONGEST_AUTHORS = 100  # characters before "(2020)" in which authors are looked for

_AS_DIGITS = str.maketrans(f"{SUPERSCRIPTS}⁻˒", "0123456789-,")

_AUTOLINK = re.compile(r"<(https?://[^<>\s]{1,500})>", re.IGNORECASE)
_ANCHOR = re.compile(r"<a\s[^<>]{0,2000}>", re.IGNORECASE)
_ANCHOR_END = re.compile(r"</a\s{0,3}>", re.IGNORECASE)
_LONGEST_TAG = 2_100
_LONGEST_ANCHOR = 1_000  # characters between a link's opening and its closing tag
_LINK_TARGET = re.compile(
    r"\((?P<address><[^<>\n]{0,500}>|[^\s()<>]{0,500}(?:\([^\s()]{0,100}\)[^\s()]{0,200}){0,2})"
    r"(?:\s[\"'][^\n\"']{0,200}[\"'])?\)"
)
# A fence that does not end takes the rest of the text.
_CODE = re.compile(
    r"^[ \t]*+(?P<fence>`{3,}+|~{3,}+)[^\n]*+$[\s\S]*?(?:^[ \t]*+(?P=fence)[^\n]*+$|\Z)"
    r"|(?<!`)(?P<ticks>`++)(?:(?!\n\n)[\s\S]){1,1000}?(?<!`)(?P=ticks)(?!`)",
    re.MULTILINE,
)
_TASK_BOX = re.compile(r"^[ \t]*(?:[-*+]|[0-9]{1,3}[.)])[ \t]+\[[ xX]\]", re.MULTILINE)
_DEFINITION = re.compile(r"^[ \t]{0,3}\[[^\[\]\n]{1,100}\]:", re.MULTILINE)
_NO_PROSE = (_CODE, _TASK_BOX, _DEFINITION)
_BETWEEN_MARKS = re.compile(r"[ \t,;]*(?:\n[ \t]*)?")
_LINE_HEAD = re.compile(r"[ \t]*(?:(?:[-*+•>]|#{1,6}|[0-9]{1,3}[.)])[ \t]+)*[*_\"“(]{0,3}")
# The line before ends inside a sentence, whose mark it is.
_WRAPPED = re.compile(r"[^\W_][,;\"”’)\]]*[ \t]*\n[ \t]*\Z")
_STOPPED = re.compile(r"[.!?。！？…][*_\"”’)\]]{0,5}\s{0,9}\Z")
_PARAGRAPH = re.compile(
    r"[.!?:。][*_\"”’)\]]{0,5}[ \t]{0,9}\n|\n[ \t]{0,9}(?:\n|[-*+•>#]|[0-9]{1,3}[.)])"
)
_SPEAKS = re.compile(r"\w")

# What is left of round brackets around nothing but marks: "(see [1], p. 3)".
_EMPTIED = re.compile(
    rf"[(（]\s{{0,3}}(?:{LEAD})?(?:[,;:&\s]|and\s|{LOCATOR})*+[)）]", re.IGNORECASE
)
# A link at such a place is no part of a sentence.
_BEFORE_APART = re.compile(r"(?:[.!?][\"”’)\]]{0,3}\s{1,3}|\(\s{0,3}|\)[,;]?\s{0,3})\Z")
_AFTER_APART = re.compile(r"[,;]?\s{0,3}(?:[)\[]|\n|\Z)")
_AFTER_YEAR = re.compile(rf"(?<![\d.,]){YEAR}\Z")
_AFTER_NUMBERED = re.compile(r"([^\W\d_]+)\.?\s[0-9]{1,3}\Z")  # "Table 3"


def find_marks(
    text: str,
    sources: Sources,
    *,
    cite: Mapping[str, str] | None = None,
    linked: Linked | None = None,
) -> list[Mark]:
    """Return the citation marks of a text, in order and without overlaps.

    A mark is a number, a list or a range of numbers in square brackets, `【】`, or raised; the id,
    the title or the URL of a source in square brackets, or a link there; an id, or a number after a
    word such as "source", in round ones; authors with a year, if a source's id or title begins with
    them; and the marks of assistants for programs: OpenAI's in private-use characters, whose keys
    are such as "turn0search1", and Cohere's closing tags, which count the sources from 0. `Keys`
    finds the source of a key. Keys of no source are marks where they can be nothing else: numbers,
    words beside the key of a source, keys that differ from an id only in a number, what looks like
    an id after a clause, and, where sources have such keys, authors with a year. Of a link in a
    sentence only "(…)" is the mark.

    Not marks: other links (but "[1](…)" is one), definitions of links and footnotes, lists of
    references under such a heading, task boxes, code, exponents, intervals after words such as
    "CI", numbers of four digits that are not an id, and other words in brackets. Takes time
    proportional to the text; an empty text has none.

    Args:
        text: The text.
        sources: The sources.
        cite: Keys with the ids of the sources that they name, whatever a list of references says.
        linked: What links lead to, if they were read; then each of them is a mark.

    Examples:
        >>> sources = Sources({"doc-1": "It rained.", "doc-2": "It snowed."})
        >>> [(mark.cited, mark.unknown) for mark in find_marks("Rain [1, doc-9].", sources)]
        [(('doc-1',), ('doc-9',))]
    """
    references = find_references(text)
    keys = Keys(sources, references.entries, cite, linked)
    skipped = not_prose(text, references.intervals)
    found = [
        (start, end, named)
        for find in (_in_square, _in_round, _in_other_signs, _narrative, _raised)
        for start, end, named in find(text, keys)
        if named and not skipped[start]
    ]
    found += _unmarked_links(text, linked) if linked else ()
    kept: list[tuple[int, int, list[Named]]] = []
    for each in sorted(found, key=lambda each: (each[0], -each[1])):
        if not kept or each[0] >= kept[-1][1]:
            kept.append(each)
    marks: list[Mark] = []
    for start, end, named in kept:
        ids = [each.source_id for each in named if each.source_id is not None]
        unknown = {each.key: each.entry for each in named if each.source_id is None}
        marks.append(
            Mark(
                start=start,
                end=end,
                cited=tuple(dict.fromkeys(ids)),
                unknown=tuple(unknown),
                entries=tuple(unknown.values()),
            )
        )
    return marks


_Candidates = Iterator[tuple[int, int, list[Named]]]


def _in_square(text: str, keys: Keys) -> _Candidates:
    for match in pattern("square").finditer(text):
        start, end = match.span()
        if text[start - 1 : start] == "[" and text[end : end + 1] == "]":
            start, end = start - 1, end + 1
        inside = match[1]
        is_number = not any(map(str.isalpha, inside))
        target = _LINK_TARGET.match(text, end)
        if target:
            linked = _linked(text, start, target, keys)
            if linked or not is_number or text[start - 1 : start] == "!":
                yield linked or (start, end, [])
                continue
            end = target.end()
        # An editor's bracket comes before the rest of a word: "[a]nd".
        after = text[end : end + 1]
        has_digit = any(map(str.isdecimal, inside))
        attached = after.isdecimal() or (after.isalpha() and not has_digit)
        if not (attached or (is_number and is_figure(text, start, end))):
            named = keys.in_square_brackets(inside)
            if not named and is_citing(text, start, end):
                named = keys.unknown_words(inside)
            yield start, end, named


def _linked(
    text: str, start: int, target: re.Match[str], keys: Keys
) -> tuple[int, int, list[Named]] | None:
    """Return the mark that a link to a source is, without its words where they are the text's."""
    words = text[start : target.start()].strip("[]［］")
    named, is_name = keys.at_link(words, target["address"].strip("<>"))
    if not named or text[start - 1 : start] == "!":
        return None
    end = target.end()
    if text[start - 1 : start] == "[" and text[end : end + 1] == "]":
        return start - 1, end + 1, named
    whole = is_name or _is_apart(text, start, end)
    return start if whole else target.start(), end, named


def _in_other_signs(text: str, keys: Keys) -> _Candidates:
    """Find `【】`, `<https://…>`, LaTeX commands, and what assistants write for programs."""
    for match in pattern("lenticular").finditer(text):
        number, dagger, name = match[1].partition("†")
        named = keys.in_square_brackets(name) if dagger else []
        if not any(each.source_id for each in named):
            named = keys.in_square_brackets(number)
        yield *match.span(), named or ([Named(match[1], None)] if dagger else [])
    for match in _AUTOLINK.finditer(text):
        yield *match.span(), keys.at_link(match[1], match[1])[0]
    for match in pattern("command").finditer(text):
        yield *match.span(), keys.in_command(match[1])
    for match in pattern("private use").finditer(text) if "cite" in text else ():
        places = pattern("place in a turn").findall(match[0])
        yield *match.span(), [keys.named(each) for each in dict.fromkeys(places)]
    for match in pattern("closing tag").finditer(text) if "</co" in text else ():
        yield *match.span(), [keys.in_place(place) for place in places_in_tag(match[1] or "")]


def _unmarked_links(text: str, linked: Linked) -> _Candidates:
    """Find addresses in no mark, and the ends of links in HTML."""
    for start, end, source_id in linked.places:
        named = [Named(text[start:end], source_id)]
        tag = _open_anchor(text, start)
        closing = tag and _ANCHOR_END.search(text, tag.end(), tag.end() + _LONGEST_ANCHOR)
        if tag and closing:
            apart = _is_apart(text, tag.start(), closing.end())
            start, end = tag.start() if apart else closing.start(), closing.end()
        yield start, end, named


def _open_anchor(text: str, place: int) -> re.Match[str] | None:
    """Return the opening tag of a link in HTML that is around a place."""
    low = text.rfind("<", max(0, place - _LONGEST_TAG), place)
    tag = _ANCHOR.match(text, low) if low >= 0 else None
    return tag if tag and tag.end() > place else None


def _in_round(text: str, keys: Keys) -> _Candidates:
    for match in pattern("round").finditer(text):
        is_target = text[match.start() - 1 : match.start()] == "]"
        if not (is_target and _LINK_TARGET.match(text, match.start())):
            yield *match.span(), keys.in_round_brackets(match[1])


def _narrative(text: str, keys: Keys) -> _Candidates:
    """Find the years after authors who are a part of the sentence."""
    for match in pattern("year in brackets").finditer(text):
        start, end = match.span()
        before = pattern("authors before").search(text[max(0, start - _LONGEST_AUTHORS) : start])
        if before:
            last = re.split(r"\s(?:and|&)\s", before[1])[-1]
            yield start, end, keys.dated(before[1], match[1]) or keys.dated(last, match[1])


def _raised(text: str, keys: Keys) -> _Candidates:
    for match in pattern("carets").finditer(text):
        yield *match.span(), keys.raised(match[1])
    for raised in (pattern("any raised tag"), pattern("raised list")):
        for match in raised.finditer(text):
            digits = match[1].translate(_AS_DIGITS).strip()
            listed = bool(keys.listed_numbers(digits)) and _is_no_base(text, match.start())
            is_note = len(digits) <= 3 and points_to_note(word_before(text, match.start()), digits)
            if not digits.isdecimal() or listed or is_note:
                yield *match.span(), keys.raised(digits)


def without_marks(text: str, marks: Sequence[Mark]) -> str:
    """Return a text of the same length, with blanks instead of its citation marks.

    Round brackets around nothing but marks go with them.
    """
    parts, done = list[str](), 0
    # What is for programs only cites nothing by itself, as an opening tag, and is no words either.
    tags = [tag.span() for tag in _ANCHOR.finditer(text)] if "</" in text else []
    written = [each for mark in marks for each in _with_brackets(text, mark.start, mark.end)]
    for start, end in sorted([*machine_marks(text), *tags, *written]):
        if end > done:
            start = max(start, done)
            parts += [text[done:start], " " * (end - start)]
            done = end
    blanked = "".join([*parts, text[done:]])
    starts = [mark.start for mark in marks]
    return _EMPTIED.sub(
        lambda left: (
            " " * len(left[0])
            if bisect_right(starts, left.end() - 1) > bisect_right(starts, left.start())
            else left[0]
        ),
        blanked,
    )


def _with_brackets(text: str, start: int, end: int) -> Iterator[Interval]:
    """Yield a mark, and the brackets of a link whose words belong to the text."""
    yield start, end
    if text.startswith(("(", "["), start) and text[start - 1 : start] == "]":
        opening = text.rfind("[", max(0, start - _LONGEST_ANCHOR), start)
        if opening < 0 or "]" in text[opening : start - 1]:
            return
        if text[opening + 1 : start - 1].strip().casefold() in CITING:
            yield opening, start
        else:
            yield opening, opening + 1
            yield start - 1, start


def marks_of(claims: Sequence[Claim], marks: Sequence[Mark], text: str) -> list[tuple[Mark, ...]]:
    """Return the marks that each claim of a text is cited by, one tuple for each claim, in order.

    A mark belongs to the words before it, or, at the head of a line that goes on, to those after
    it; where a paragraph begins with one, so do those between its sentences. Inside a sentence it
    belongs to the claim whose words it follows. At the end of a sentence, before or after its stop,
    or at its head, it belongs to all claims of the sentence that have no mark of their own inside,
    and to the one beside it. A mark of a sentence without claims belongs to none.

    Args:
        claims: Of the text, in any order.
        marks: Of the text, as `find_marks` returns them.
        text: The text.
    """
    grouped: dict[Interval, list[int]] = {}
    for number, claim in enumerate(claims):
        grouped.setdefault(claim.sentence, []).append(number)
    sentences = sorted(grouped)
    starts = [start for start, _ in sentences]
    own: list[list[Mark]] = [[] for _ in claims]
    at_edge: list[tuple[list[int], int, Mark]] = []

    def speaks(start: int, end: int) -> bool:
        return start < end and _SPEAKS.search(text, start, end) is not None

    for mark, place, (run_start, run_end) in _places(marks, text):
        at = bisect_right(starts, place) - 1
        if place < 0 or at < 0:
            continue
        start, end = sentences[at]
        if place >= end and (place - end > _LOOK_BACK or speaks(end, place + 1)):
            continue
        numbers = grouped[start, end]
        # The claim whose words begin last up to the place; else the first one.
        earlier = [number for number in numbers if claims[number].start <= place]
        choose, among = (max, earlier) if earlier else (min, numbers)
        beside = choose(among, key=lambda number: claims[number].start)
        if speaks(start, run_start) and speaks(run_end, end):
            own[beside].append(mark)
        else:
            at_edge.append((numbers, beside, mark))
    shared: list[list[Mark]] = [[] for _ in claims]
    for numbers, beside, mark in at_edge:
        for number in numbers:
            if number == beside or not own[number]:
                shared[number].append(mark)
    return [
        tuple(sorted([*mine, *others], key=lambda mark: mark.start))
        for mine, others in zip(own, shared, strict=True)
    ]


def _places(marks: Sequence[Mark], text: str) -> Iterator[tuple[Mark, int, Interval]]:
    """Yield each mark, the place of the character that it belongs to, and the run of its marks."""
    runs = _runs(marks, text)
    edges = [0, *(edge for run in runs for edge in (run[0].start, run[-1].end)), len(text)]
    gaps = zip(runs, edges[:-2:2], edges[3::2], strict=True)
    leads = False
    for run, low, high in gaps:
        start, end = run[0].start, run[-1].end
        gap, following = text[low:start], text[end:high]
        goes_on = _SPEAKS.search(following.partition("\n")[0]) is not None
        # At the head of a line that begins a sentence.
        line = gap.rfind("\n") + 1
        begins = (line > 0 or low == 0) and not _WRAPPED.search(gap)
        at_head = begins and _LINE_HEAD.fullmatch(gap, line) is not None
        leads = at_head or (leads and not _PARAGRAPH.search(gap))
        led = goes_on and (at_head or (leads and _STOPPED.search(gap) is not None))
        if led or not _SPEAKS.search(gap):
            first = _SPEAKS.search(following)
            place = end + first.start() if first else -1
        else:
            place = low + len(gap.rstrip()) - 1
        for mark in run:
            yield mark, place, (start, end)


def _runs(marks: Sequence[Mark], text: str) -> list[list[Mark]]:
    """Return the runs of adjacent marks."""
    runs: list[list[Mark]] = []
    for mark in marks:
        if runs and _BETWEEN_MARKS.fullmatch(text, runs[-1][-1].end, mark.start):
            runs[-1].append(mark)
        else:
            runs.append([mark])
    return runs


def not_prose(text: str, lists: Iterable[Interval]) -> bytearray:
    """Return for each character whether it is in no prose, and so in no mark.

    That is code in backticks and fences, task boxes, the names in front of definitions of links and
    footnotes, and lists of references. Takes time proportional to the text.
    """
    skipped = bytearray(len(text))
    blocks = (match.span() for block in _NO_PROSE for match in block.finditer(text))
    for start, end in chain(blocks, lists):
        skipped[start:end] = b"\1" * (end - start)
    return skipped


def _is_no_base(text: str, place: int) -> bool:
    """Return whether digits before a place are a year, or the number of a table or the like."""
    before = text[max(0, place - _LOOK_BACK) : place]
    numbered = _AFTER_NUMBERED.search(before)
    is_label = numbered is not None and numbered[1].casefold() in NUMBERED_WORDS
    return is_label or _AFTER_YEAR.search(before) is not None


def _is_apart(text: str, start: int, end: int) -> bool:
    """Return whether a link comes after a sentence, or is alone in round brackets."""
    before = text[max(0, start - _LOOK_BACK) : start]
    return bool(_BEFORE_APART.search(before) and _AFTER_APART.match(text, end))
