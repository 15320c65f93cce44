"""The citation marks of a text: their places, the sources they name, and the claims they cite.

`find_marks` finds them, `marks_of` gives them to claims, and `Keys` knows which source is called
what: by number, id, title, address, or authors and year.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import NamedTuple

from citeguard.auditing.claims import Claim
from citeguard.auditing.references import Catalogue, Entry, Work, find_references, folded, work_of
from citeguard.language.citations import (
    LEAD,
    LOCATOR,
    NUMBERED_WORDS,
    SUPERSCRIPTS,
    YEAR,
    is_citing,
    is_figure,
    is_surname,
    looks_like_id,
    machine_marks,
    pattern,
    places_in_tag,
    points_to_note,
    word_before,
)
from citeguard.language.sentences import Interval
from citeguard.sources.collection import Sources
from citeguard.sources.links import address_of, is_url, page_of


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


class Named(NamedTuple):
    """A key in a citation mark, as it is written."""

    key: str
    source_id: str | None  # `None` if it names no source, or several
    entry: str = ""  # what the text's list of references says of it


class Linked(NamedTuple):
    """The ids of the sources that the links of a text lead to."""

    targets: Mapping[str, str]  # by addresses as they are written
    entries: Mapping[int, str]  # by where entries of the list of references start
    places: tuple[tuple[int, int, str], ...]  # half-open, of addresses outside of that list

    @property
    def ids(self) -> frozenset[str]:
        """The ids of all sources that links lead to."""
        return frozenset((*self.targets.values(), *self.entries.values()))


_LOOK_BACK = 40  # characters before a raised number or a figure that are looked at
_LONGEST_AUTHORS = 100  # characters before "(2020)" in which authors are looked for

_AS_DIGITS = str.maketrans(f"{SUPERSCRIPTS}⁻˒", "0123456789-,")

_AUTOLINK = re.compile(r"<(https?://[^<>\s]{1,500})>", re.IGNORECASE)
_ANCHOR = re.compile(r"<a\s[^<>]{0,2000}>", re.IGNORECASE)
_ANCHOR_END = re.compile(r"</a\s{0,3}>", re.IGNORECASE)
_LONGEST_TAG = 2_100  # characters: a little more than `_ANCHOR` takes
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
# "- [x] Book a room"
_TASK_BOX = re.compile(r"^[ \t]*(?:[-*+]|[0-9]{1,3}[.)])[ \t]+\[[ xX]\]", re.MULTILINE)
# "[1]: https://…", "[^note]: …"
_DEFINITION = re.compile(r"^[ \t]{0,3}\[[^\[\]\n]{1,100}\]:", re.MULTILINE)
_NO_PROSE = (_CODE, _TASK_BOX, _DEFINITION)
# "[1], [2]", also over a line break
_BETWEEN_MARKS = re.compile(r"[ \t,;]*(?:\n[ \t]*)?")
# What a line begins with before its first word: "  - ", "> ## ", "1. **".
_LINE_HEAD = re.compile(r"[ \t]*(?:(?:[-*+•>]|#{1,6}|[0-9]{1,3}[.)])[ \t]+)*[*_\"“(]{0,3}")
# The line before ends inside a sentence, whose mark it is.
_WRAPPED = re.compile(r"[^\W_][,;\"”’)\]]*[ \t]*\n[ \t]*\Z")
_STOPPED = re.compile(r"[.!?。！？…][*_\"”’)\]]{0,5}\s{0,9}\Z")
# A line that ends a sentence, a blank line, or the start of an item or a heading.
_PARAGRAPH = re.compile(
    r"[.!?:。][*_\"”’)\]]{0,5}[ \t]{0,9}\n|\n[ \t]{0,9}(?:\n|[-*+•>#]|[0-9]{1,3}[.)])"
)
_SPEAKS = re.compile(r"\w")

# What is left of round brackets around nothing but marks: "(see [1], p. 3)". Possessive, so that
# many brackets take linear time.
_EMPTIED = re.compile(
    rf"[(（]\s{{0,3}}(?:{LEAD})?(?:[,;:&\s]|and\s|{LOCATOR})*+[)）]", re.IGNORECASE
)
# A link at such a place is no part of a sentence.
_BEFORE_APART = re.compile(r"(?:[.!?][\"”’)\]]{0,3}\s{1,3}|\(\s{0,3}|\)[,;]?\s{0,3})\Z")
_AFTER_APART = re.compile(r"[,;]?\s{0,3}(?:[)\[]|\n|\Z)")
# A raised number behind a year is a note: "in 2019³".
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
    # Of two that overlap, the earlier one and then the longer one: "[[1]](…)" is one mark.
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
    # "![…](…)" is a picture.
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
        listed = filter(None, map(str.strip, match[1].split(",")))
        yield *match.span(), [keys.named(key) for key in listed]
    for match in pattern("private use").finditer(text) if "cite" in text else ():
        places = pattern("place in a turn").findall(match[0])
        yield *match.span(), [keys.named(each) for each in dict.fromkeys(places)]
    for match in pattern("closing tag").finditer(text) if "</co" in text else ():
        yield *match.span(), [keys.in_place(place) for place in places_in_tag(match[1] or "")]


def _unmarked_links(text: str, linked: Linked) -> _Candidates:
    """Find addresses in no mark, and the ends of links in HTML."""
    for start, end, source_id in linked.places:
        named = [Named(text[start:end], source_id)]
        low = text.rfind("<", max(0, start - _LONGEST_TAG), start)
        tag = _ANCHOR.match(text, low) if low >= 0 else None
        closing = tag and _ANCHOR_END.search(text, tag.end(), tag.end() + _LONGEST_ANCHOR)
        if tag and tag.end() > start and closing:
            apart = _is_apart(text, tag.start(), closing.end())
            start, end = tag.start() if apart else closing.start(), closing.end()
        yield start, end, named


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


# What a mark names: the keys of sources.

_NO_LINKS = Linked({}, {}, ())
_MOST_IN_RANGE = 100  # numbers in a range such as "[1-100]"
# Links that are called so are marks: "founded in 1984 [source](…)".
CITING = frozenset(("source", "sources", "link", "reference", "ref", "citation"))
_SHORTEST_WORD = 3  # an id without a digit, in round brackets: "(a)" counts something
_MOST_AUTHOR_WORDS = 6  # before the year, in an id or a title
_LONGEST_TITLE = 200  # characters of an id or a title that are searched for authors and year

_AUTHOR_AND_YEAR = re.compile(rf"[^\W\d_]{{3,}}[_-]?{YEAR}[a-z]?")
# "nakamoto2008", "vaswani2017attention"
_KEY_OF_WORK = re.compile(
    rf"@?([^\W\d_]{{2,30}})(?:etal)?[-_:.]?({YEAR})([a-z]?)(?:[-_:]?[^\W\d_]{{3,30}})?",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"[0-9]+")
_NUMBER = re.compile(r"[0-9]{1,3}")
_BETWEEN = re.compile(r"[,;，；、|]|\s(?:and|&)\s", re.IGNORECASE)
_NO_LABEL_IN_ROUND = ("note", "nb", "n ", "id", "cite")  # "(note 3)" is a note of the text itself
_SOURCE_YEAR = re.compile(rf"(?<![0-9])({YEAR})([a-z](?![^\W\d_]))?(?![0-9])")
_ONE_YEAR = re.compile(rf"({YEAR})?([a-z])?")
_INITIALS = re.compile(r"\b[^\W\d_]\.")
_TWO_LETTERS = re.compile(r"[^\W\d_]{2}|[@#]")
_FIGURE = re.compile(r"[0-9]{4}|[0-9][.,][0-9]{3}|[0-9]\.[0-9]|[%$€£¥]")
_SEPARATOR = re.compile(r"[.,;]")
_FILE_SUFFIX = re.compile(r"\.[a-z]{2,5}\Z", re.IGNORECASE)
_NOT_KEY = re.compile(r"[\s_-]+")


class Keys:
    """The keys of sources, and what the inside of a mark names by them.

    A key is the id of a source, also when it is written with other capitals, blanks, `_` or `-`, or
    with the suffix of a file, or its title. A number is the source that the text's list of
    references says it is; without a list, the source with that id; if no id is a number, the source
    in that place, from 1. Authors and year name a source whose id or title begins with them, or
    whose entry in the list does. A key that fits several sources names none.

    Keys in `cite` name these sources, whatever the list says. No number names a `linked` source by
    its place.
    """

    def __init__(
        self,
        sources: Sources,
        entries: Iterable[Entry] = (),
        cite: Mapping[str, str] | None = None,
        linked: Linked | None = None,
    ) -> None:
        self._linked = linked or _NO_LINKS
        self._ids = tuple(each for each in sources.ids if each not in self._linked.ids)
        self._known = frozenset(sources.ids)
        self._numbers = {int(each): each for each in self._ids if _is_number(each)}
        # An id takes precedence over a title, and both over the id of a file without its suffix.
        stems = _unambiguous((_fold(_FILE_SUFFIX.sub("", each)), each) for each in self._ids)
        titles = _unambiguous((_fold(each.title or ""), each.id) for each in sources)
        self._names = stems | titles | _unambiguous((_fold(each), each) for each in sources.ids)
        urls = _unambiguous((address_of(each.url or each.id), each.id) for each in sources)
        self._urls = _unambiguous((page_of(url), each) for url, each in urls.items()) | urls
        # "doc-9" is a key beside "doc-1", although no source is called so.
        self._shapes = frozenset(map(_shape, self._ids)) - {""}
        self._words = any(_WORD.fullmatch(_fold(each)) for each in self._ids)
        self._works: dict[tuple[str, str], list[tuple[Work, Named]]] = {}
        for source in sources:
            for name in dict.fromkeys((source.id, source.title or "")):
                work = _source_work(name)
                for prefix in accumulate(work.authors if work else ()):
                    self._add_work(prefix, work, Named(name, source.id))
        self._given = {_folded_key(key): source_id for key, source_id in (cite or {}).items()}
        self._entries: dict[str, Named] = {}
        self._add_list([*entries], sources)

    def in_square_brackets(self, inside: str) -> list[Named]:
        """Return the keys between `[` and `]`; none if that is not a citation."""
        inside = inside.strip()
        if found := self._by_name(inside):
            return [found]
        inside = inside.removeprefix("^")
        return self._listed(inside) or self._dated(inside)

    def unknown_words(self, inside: str) -> list[Named]:
        """Return the words between `[` and `]` as keys of no source, if each looks like an id."""
        tokens = [token.strip() for token in _BETWEEN.split(inside)]
        named = [token for token in tokens if not _is_locator(token)]
        are_ids = all(looks_like_id(token, plain=self._words) for token in named)
        return [Named(token, None) for token in named] if are_ids else []

    def listed_numbers(self, written: str) -> list[Named]:
        """Return the numbers and ranges of a list, if the list of references has all of them."""
        tokens = [token.strip() for token in _BETWEEN.split(written)]
        numbers = [each for token in tokens for each in self._numbers_in(token)]
        every = all(map(self._numbers_in, tokens))
        return numbers if every and all(each.key in self._entries for each in numbers) else []

    def in_round_brackets(self, inside: str) -> list[Named]:
        """Return the keys between `(` and `)`, where numbers need a word such as "source"."""
        inside = inside.strip()
        labelled = pattern("label").match(_without_lead(inside))
        if labelled and not labelled[0].lower().startswith(_NO_LABEL_IN_ROUND):
            named = self._listed(inside)
            # "(Source: Reuters)" credits somebody, and cites none of the sources.
            return named if any(each.source_id or _is_number(each.key) for each in named) else []
        tokens = [token.strip() for token in _BETWEEN.split(_without_lead(inside))]
        alone = [token for token in tokens if self._stands_alone(token)]
        if tokens[:1] == alone[:1] and len(alone) + sum(map(_is_locator, tokens)) == len(tokens):
            return [self.named(token) for token in alone]
        return self._dated(inside)

    def in_place(self, index: int) -> Named:
        """Return the source in a place, counted from 0, as programs count."""
        found = self._ids[index] if index < len(self._ids) else None
        return Named(str(index), found)

    def at_link(self, words: str, target: str) -> tuple[list[Named], bool]:
        """Return the source a link leads to, and whether its words are only its name."""
        found = self._by_name(target)
        if found is None or found.source_id is None:
            return [], False
        host = target.split("/")[2] if is_url(target) and "/" in target[8:] else target
        called = self._by_name(words.strip())
        name = not _WORD.search(words) or (called and called.source_id == found.source_id)
        # A year or an amount is what the text says: "founded in [1985](…)".
        is_name = bool(name) and not _FIGURE.search(words)
        is_name |= words.strip().casefold() in CITING
        return [found._replace(key=words)], is_name or _fold(words) in _fold(host)

    def raised(self, digits: str) -> list[Named]:
        """Return the keys of a raised mark: numbers and ranges, and nothing else.

        Of digits without a sign between them that are the number of no source, each is one.
        """
        only_numbers = bool(digits.strip()) and all(char in "0123456789,;-– \n" for char in digits)
        named = self._listed(digits) if only_numbers else []
        if len(named) == 1 and named[0].source_id is None and digits.isdecimal():
            singly = [self.named(digit) for digit in digits]
            return singly if all(each.source_id for each in singly) else named
        return named

    def dated(self, authors: str, years: str) -> list[Named]:
        """Return the keys of "Smith (2020)"; none unless each names a source."""
        named = [
            self._written(work)[0]._replace(key=f"{authors} {work.year}{work.letter}")
            for work in _works_of(authors, years)
        ]
        return named if all(each.source_id or each.entry for each in named) else []

    def _add_work(self, prefix: str, work: Work | None, named: Named) -> None:
        works = self._works.setdefault((prefix, work.year if work else ""), [])
        # A title that says the same as the id is one work.
        if work and all(
            (work, named.source_id) != (each, other.source_id) for each, other in works
        ):
            works.append((work, named))

    def _add_list(self, entries: list[Entry], sources: Sources) -> None:
        """Read which sources the entries of a list of references are."""
        catalogue = Catalogue(sources) if entries else None
        recognized = catalogue.sources_of(entries, self._linked.entries) if catalogue else []
        listed: dict[str, Named] = {}
        for entry, known in zip(entries, recognized, strict=True):
            work = work_of(entry)
            found = known or (self._written(work)[0].source_id if work else None)
            named = Named(entry.key, self._given.get(_folded_key(entry.key), found), entry.text)
            key = _folded_key(entry.key)
            if key and (key not in listed or listed[key].source_id is None):
                listed[key] = named
            if work and work.authors:
                self._add_work(work.authors[0], work, named)
        numbers = {key: named for key, named in listed.items() if _is_number(key)}
        # Of a list in the order of the sources, they need not all be recognized.
        in_order = all(
            each.source_id in (None, self._numbered(key)) for key, each in numbers.items()
        ) and (bool(self._numbers) or len(numbers) <= len(self._ids))
        self._entries = {
            key: each for key, each in listed.items() if each.source_id or key not in numbers
        }
        if not in_order:
            self._entries |= numbers

    def _by_name(self, key: str) -> Named | None:
        """Return the source of a key, or the entry of no source; `None` if it is neither."""
        key = key.removeprefix("^")
        found = self._given.get(_folded_key(key))
        listed = self._entries.get(_folded_key(key))
        if found is None and listed and (listed.source_id or _is_number(key)):
            return listed._replace(key=key)
        found = found or self._linked.targets.get(key) or self._source_called(key)
        if found is not None:
            return Named(key, found)
        if listed is None and (work := _KEY_OF_WORK.fullmatch(key)):
            listed = self._written(Work((folded(work[1]),), work[2], work[3]))[0]
            listed = listed if listed.source_id or listed.entry else None
        return listed and listed._replace(key=key)

    def _source_called(self, key: str) -> str | None:
        if key in self._known:
            return key
        if is_url(key):
            address = address_of(key)
            if linked := self._urls.get(address) or self._urls.get(page_of(address)):
                return linked
        forms = (key, page_of(key), _FILE_SUFFIX.sub("", page_of(key)))
        return next(filter(None, (self._names.get(_fold(form)) for form in forms)), None)

    def _numbered(self, digits: str) -> str | None:
        place = int(digits)
        if self._numbers:
            return self._numbers.get(place)
        return self._ids[place - 1] if 0 < place <= len(self._ids) else None

    def named(self, key: str) -> Named:
        """Return what a key names that is written for nothing else."""
        found = self._by_name(key)
        return found or Named(key, self._numbered(key) if _is_number(key) else None)

    def _stands_alone(self, key: str) -> bool:
        """Return whether words in round brackets are a key, without a label such as "source"."""
        if not _WORD.search(key):
            return False
        if not _DIGITS.search(key):
            known = is_url(key) or page_of(key) in self._known
            return bool(known and self._source_called(key)) and len(key) >= _SHORTEST_WORD
        return (not _is_number(key) and self._by_name(key) is not None) or _shape(
            page_of(key)
        ) in self._shapes

    def _listed(self, inside: str) -> list[Named]:
        """Read a list of keys, which may have words such as "source", pages and notes in it."""
        tokens = filter(None, map(str.strip, _BETWEEN.split(_without_lead(inside))))
        read = [(token, self._token(token)) for token in tokens]
        named = [each for _, found in read for each in found]
        others = [token for token, found in read if not (found or _is_year_or_place(token))]
        if not named or _is_locator(read[0][0]):
            return []
        # Other words may be beside keys, but "[1, 2.5]" and "[1, x]" are figures.
        known = [each for each in named if each.source_id]
        are_words = bool(known) and all(_TWO_LETTERS.match(token) for token in others)
        if others and not are_words and all(_is_number(each.key) for each in known):
            return []
        if len(named) > 1 and any(each[:2] == ("0", None) for each in named):
            return []  # "[0, 1]" is an interval
        return [
            each
            for token, found in read
            for each in found or ([] if self._is_note(token) else [Named(token, None)])
        ]

    def _is_note(self, token: str) -> bool:
        """Return whether words that are the key of no source are not meant as one."""
        if _is_year_or_place(token):
            return True
        cited = pattern("cited work").fullmatch(token)
        return any(map(str.isspace, token)) and not (cited and self._is_clear(cited))

    def _token(self, token: str) -> list[Named]:
        if found := self._by_name(token):
            return [found]
        label = pattern("label").match(token)
        key = token[label.end() if label else 0 :].lstrip(" #^@")
        if numbers := self._numbers_in(key):
            return numbers
        named = self.named(key)
        if named.source_id or _shape(page_of(key)) in self._shapes or pattern("id").fullmatch(key):
            return [named]
        certain = label is not None and label["colon"] and key and not any(map(str.isspace, key))
        return [named] if certain else []

    def _numbers_in(self, key: str) -> list[Named]:
        if _NUMBER.fullmatch(key):
            return [self.named(key)]
        if (ends := pattern("range").fullmatch(key)) is None:
            return []
        first, last = int(ends[1]), int(ends[2])
        if not first < last < first + _MOST_IN_RANGE:
            return [Named(key, None)]
        return [self.named(str(number)) for number in range(first, last + 1)]

    def _dated(self, inside: str) -> list[Named]:
        """Read authors and years; those of no source count beside one of a source."""
        named: list[Named] = []
        certain = False
        for part in pattern("works").split(inside):
            cited = pattern("cited work").fullmatch(_without_lead(part.strip()))
            if cited is None:
                return []
            found = [self._written(each) for each in _works_of(cited["authors"], cited["years"])]
            named += [each._replace(key=cited[0]) for each, _ in found]
            certain = certain or any(known for _, known in found) or self._is_clear(cited)
        return named if certain else []

    def _is_clear(self, cited: re.Match[str]) -> bool:
        """Return whether authors and year of no source are a citation all the same."""
        if not self._works or pattern("no author").match(cited["authors"]):
            return False
        names = pattern("and").split(pattern("et al").sub("", cited["authors"]))
        if not all(pattern("author").fullmatch(name.strip()) for name in names if name.strip()):
            return False
        several = len(names) > 1 or pattern("et al").search(cited["authors"])
        certain = cited["comma"] or several or is_surname(cited["authors"])
        return bool(certain)

    def _written(self, cited: Work) -> tuple[Named, bool]:
        """Return the source with these authors and year, and whether there is one, or several."""
        if found := self._given.get(_folded_key(" ".join((*cited.authors, cited.year)))):
            return Named("", found), True
        first, *others = cited.authors or ("",)
        works = self._works.get((first, cited.year), [])
        works = [pair for pair in works if cited.letter in ("", pair[0].letter)]
        # The second author of a text must be that of the source, if both name one.
        works = [
            pair
            for pair in works
            if not others
            or not (beyond := "".join(pair[0].authors)[len(first) :])
            or beyond.startswith(others[0])
        ]
        plain = [pair for pair in works if pair[0].letter == cited.letter]
        alone = [pair for pair in plain if "".join(pair[0].authors) == "".join(cited.authors)]
        for choice in (alone, plain, works):
            named = {each.source_id: each for _, each in choice}
            if len(named) == 1:
                return next(iter(named.values())), True
        return Named("", None), bool(works)


def _shape(key: str) -> str:
    """Return what keys that differ only in a number have in common; "" if it has no number."""
    if _AUTHOR_AND_YEAR.fullmatch(key) and not pattern("no author").match(key):
        return "author and year"
    folded, changed = _DIGITS.subn("0", _fold(key))
    return folded if changed and folded != "0" else ""


def _unambiguous(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, set[str]] = {}
    for key, source_id in pairs:
        found.setdefault(key, set()).add(source_id)
    return {key: next(iter(ids)) for key, ids in found.items() if key and len(ids) == 1}


def _source_work(name: str) -> Work | None:
    """Return the authors and the year that an id or a title begins with, if it does."""
    year = _SOURCE_YEAR.search(name[:_LONGEST_TITLE])
    if year is None:
        return None
    head = unicodedata.normalize(
        "NFC", _INITIALS.sub("", pattern("et al").sub("", name[: year.start()]))
    )
    words = [folded(word).removesuffix("etal") for word in _WORD.findall(head)]
    authors = tuple(word for word in words if word not in ("and", "et", "al"))
    if not 0 < len(authors) <= _MOST_AUTHOR_WORDS:
        return None
    return Work(authors, year[1], year[2] or "")


def _works_of(authors: str, years: str) -> Iterator[Work]:
    """Yield what "Smith and Lee" and "2019, 2020a, b" name together."""
    names = pattern("and").split(pattern("et al").sub("", _INITIALS.sub("", authors)))
    letters = tuple(filter(None, (folded(str(name)) for name in names)))
    year = ""
    for part in years.split(","):
        if (given := _ONE_YEAR.fullmatch(part.strip())) is not None:
            year = given[1] or year
            yield Work(letters, year, given[2] or "")


def _without_lead(inside: str) -> str:
    """Return the inside of a bracket without a "see" or the like before it."""
    lead = pattern("lead").match(inside)
    return inside[lead.end() :] if lead else inside


def _is_locator(token: str) -> bool:
    """Return whether words are a page, a chapter or the like."""
    return pattern("locator").fullmatch(token) is not None


def _is_year_or_place(token: str) -> bool:
    """Return whether a word beside keys is a year or a place in a source: "p5", "L3"."""
    return _is_locator(token) or pattern("beside").fullmatch(token) is not None


def _fold(key: str) -> str:
    """Return a key without what may be written differently: capitals, blanks and hyphens."""
    return _NOT_KEY.sub("", unicodedata.normalize("NFKC", key).casefold())


def _folded_key(key: str) -> str:
    """Return a key of a list of references as it is compared."""
    key = key.strip().removeprefix("^")
    return str(int(key)) if _is_number(key) else _fold(_SEPARATOR.sub("", key))


def _is_number(key: str) -> bool:
    """Return whether a key is a number that may be a place in a list."""
    return key.isascii() and key.isdecimal() and len(key) <= 9
