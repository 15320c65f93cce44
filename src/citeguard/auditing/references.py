"""The list of references in a text, and which of the sources each of its entries is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from citeguard.language.citations import YEAR, is_reference_heading
from citeguard.language.sentences import Interval
from citeguard.sources.collection import Source, Sources
from citeguard.sources.links import address_of, page_of


class Entry(NamedTuple):
    """An entry of a list of references."""

    key: str  # what marks call it: "3" or "nakamoto2008"; empty in a list without keys
    text: str  # its words, without the key
    start: int  # of its line in the text
    end: int


class References(NamedTuple):
    """The entries of all lists of references in a text, and where these are, headings included."""

    entries: tuple[Entry, ...]
    intervals: tuple[Interval, ...]


class _Line(NamedTuple):
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


_LONGEST_ENTRY = 2_000  # characters; what goes on longer is read, and not kept
_LOOK_AHEAD = 50  # lines in which a blank one shows that entries are paragraphs
_LONGEST_TITLE = 12  # words of an entry that is nothing but a title

# "## Results", "== Results ==" of a wiki, "**Results**"
_HEADING = re.compile(
    r"[ \t]*(?:#{1,6}[ \t]|={2,6}[^=\n]+={2,6}[ \t]*$|(\*\*|__)[^\n]+\1:?[ \t]*$)"
)
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
# "[1]", "[[2]]", "[^smith]"; "[1](…)" is a link.
_BRACKETED = r"\[{1,2}\^?(?P<key>[^\[\]\n]{1,60})\]{1,2}(?!\()"
# "[1] ", "1. ", "(2) ", "³ ", "- [4]: ", "1. ^ a b "
_LABEL = re.compile(
    r"[ \t]*(?:[-*+•][ \t]+)?(?:"
    + _BRACKETED
    + r"|\(?(?P<number>[0-9]{1,3})[.)]|(?P<raised>[⁰¹²³⁴-⁹]{1,3})|\^)"
    # The signs by which a wiki leads back to the marks.
    r"[ \t]*:?[ \t]*(?:[\^↑](?:[ \t]*[a-z]\b)*[ \t]*)?(?=\S)"
)
# "[^1]: Smith, J."
_DEFINITION = re.compile(r"[ \t]{0,3}\[\^?(?P<key>[^\[\]\n]{1,100})\]:[ \t]*(?=\S)")
# "**Sources:** [1] the report; [2] the study"
_IN_LINE = re.compile(
    r"[*_]{0,2}(?P<heading>[^\W\d_][^\W\d_ ]*(?: [^\W\d_]+)?)[*_]{0,2}[:：][*_]{0,2}\s"
)
_BRACKETS = frozenset("[⁰¹²³⁴⁵⁶⁷⁸⁹")
_CITED = re.compile(r"\[([^\[\]\n]{1,60})\]|([⁰¹²³⁴-⁹]{1,3})")
_BULLET = re.compile(r"[ \t]*[-*+•][ \t]+")
_INK = re.compile(r"[^\n]")
_INDENT = re.compile(r"[ \t]+")
_AS_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")

_IDENTIFIER = re.compile(
    r"\b10\.[0-9]{4,9}/(?!arxiv)[^\s\"<>]+|(?<![0-9])(?<![0-9]\.)[0-9]{4}\.[0-9]{4,5}(?![0-9])",
    re.IGNORECASE,
)  # a DOI, or a number of arXiv, also as that is written in a DOI
_WEB = re.compile(r"(?:https?://|www\.)[^\s<>\"|]+", re.IGNORECASE)
_UPPER = r"[^\W\d_a-z]"
_FAMILY = rf"{_UPPER}[\w'’-]+"
# "van der", "de la"
_PARTICLES = r"(?:(?:[Vv][ao]n|[Dd](?:e[rn]?|[aiu])|[Ll][ae])\s){0,2}"
_FIRST_AUTHOR = re.compile(
    # "Burger, J. M.", "Starr, Kevin"; "Ridker PM"; "A. Vaswani"; "Ashish Vaswani, Noam Shazeer".
    rf"({_PARTICLES}{_FAMILY}),\s(?={_UPPER}[\w-]*[.,&\s(])"
    rf"|({_PARTICLES}{_FAMILY})\s(?={_UPPER}{{1,3}}[.,])"
    rf"|(?:{_UPPER}\.[\s-]?){{1,4}}({_FAMILY}(?:\s{_FAMILY})?)"
    rf"|{_FAMILY}(?:\s{_UPPER}\.)?\s({_FAMILY})"
    rf"(?=,\s{_FAMILY}\s{_UPPER}|\sand\s|\.\s|\set\sal)"
)
# "Smith", "Berners-Lee"
_SURNAME = re.compile(r"[^\W\d_a-z][^\W\d_]+(?:['’-][^\W\d_]+)*")
# Not what a sign joins to something before it: the "2004" of "1999-2004", "4/2015", "12:2015".
_YEAR = re.compile(rf"(?<![0-9–/:-])({YEAR})([a-z])?(?![0-9\w])")
_DATED = re.compile(rf"\(({YEAR})([a-z])?[,)]")  # "(2019)", "(2019b, May)"
# Of what has neither author and year nor an address, only a title has no stop at its end.
_SENTENCE_END = re.compile(r"[.!?]\Z")


def find_references(text: str) -> References:
    """Return the lists of references in a text.

    A list is what looks like one under a heading such as "References" or "Literatur", the
    definitions of footnotes, and, at the end of the text, lines that begin with keys which the text
    cites. Takes time proportional to the text.
    """
    lines = list(_lines(text))
    last = _last_block(lines)
    entries: list[Entry] = []
    intervals: list[Interval] = []
    at = 0
    while at < len(lines):
        found, after = _list_at(lines, at)
        if at == last and not found:
            found, after = _labelled(lines, at, _LABEL)
            found = found if _are_cited(found, text[: lines[at].start]) else []
        if found:
            entries += found
            intervals.append((lines[at].start, found[-1].end))
        at = after if found else at + 1
    return References(tuple(entries), tuple(intervals))


def without_references(text: str) -> str:
    """Return a text of the same length, with blanks instead of its lists of references."""
    parts, done = list[str](), 0
    for start, end in find_references(text).intervals:
        parts += [text[done:start], _INK.sub(" ", text[start:end])]
        done = end
    return "".join([*parts, text[done:]])


def _lines(text: str) -> Iterator[_Line]:
    start, in_code = 0, False
    for line in text.splitlines(keepends=True):
        fence = _FENCE.match(line) is not None
        in_code = in_code is not fence
        yield _Line(start, "" if fence or in_code else line.rstrip())
        start += len(line)


def _list_at(lines: Sequence[_Line], at: int) -> tuple[list[Entry], int]:
    """Return the entries of a list that begins with a line, and the number of the line after it."""
    line = lines[at].text
    if is_reference_heading(line):
        return _under_heading(lines, at + 1)
    inline = _IN_LINE.match(line)
    if inline and is_reference_heading(inline["heading"]):
        return _in_line(lines[at], inline.end()), at + 1
    return _labelled(lines, at, _DEFINITION) if _DEFINITION.match(line) else ([], at + 1)


def _last_block(lines: Sequence[_Line]) -> int | None:
    """Return the line from which on all paragraphs begin with keys, if it is not the first one."""
    first: int | None = None
    for at in range(len(lines) - 1, 0, -1):
        if not lines[at].text or any(map(str.isalnum, lines[at - 1].text)):
            continue
        if not _LABEL.match(lines[at].text) or lines[at].text.lstrip()[0] not in _BRACKETS:
            break
        first = at
    return first


def _are_cited(entries: Sequence[Entry], before: str) -> bool:
    """Return whether keyed lines are references, and not sentences with their marks in front."""
    keys = [each.key for each in entries]
    cited = {
        _written(key)
        for match in _CITED.finditer(before)
        for key in re.split(r"[\s,;^–-]+", match[1] or match[2])
    }
    distinct = len({*keys}) == len(keys)
    return distinct and not cited.isdisjoint(keys) and all(map(_is_reference, entries))


def _under_heading(lines: Sequence[_Line], at: int) -> tuple[list[Entry], int]:
    while at < len(lines) and not lines[at].text:
        at += 1
    if at == len(lines) or _HEADING.match(lines[at].text):
        return [], at
    for opening in (_LABEL, _BULLET):
        if opening.match(lines[at].text):
            found, after = _labelled(lines, at, opening)
            return (
                (found, after) if opening is _LABEL or all(map(_is_reference, found)) else ([], at)
            )
    return _unlabelled(lines, at)


def _labelled(lines: Sequence[_Line], at: int, opening: re.Pattern[str]) -> tuple[list[Entry], int]:
    """Read entries each of which begins with a label; a blank line before other words ends them."""
    found: list[Entry] = []
    blank = False
    while at < len(lines):
        line = lines[at]
        label = opening.match(line.text)
        if label:
            groups = label.groupdict()
            key = groups.get("key") or groups.get("number") or groups.get("raised") or ""
            found.append(_entry(_written(key), line, label.end()))
        elif not line.text:
            blank = True
            at += 1
            continue
        elif (
            _HEADING.match(line.text)
            or (blank and not _INDENT.match(line.text))
            or is_reference_heading(line.text)
            or (opening is _DEFINITION and not _INDENT.match(line.text))
        ):
            break
        else:
            found[-1] = _joined(found[-1], line)
        blank = False
        at += 1
    return found, at


def _unlabelled(lines: Sequence[_Line], at: int) -> tuple[list[Entry], int]:
    """Read entries without labels: paragraphs, or lines whose continuations are indented."""
    near = [line.text for line in lines[at : at + _LOOK_AHEAD]]
    spaced = "" in near[:-1] and any(near[near.index("") :])
    found: list[Entry] = []
    while at < len(lines) and not _HEADING.match(lines[at].text):
        line, previous = lines[at], lines[at - 1].text
        if line.text and found and previous and (spaced or _INDENT.match(line.text)):
            found[-1] = _joined(found[-1], line)
        elif line.text:
            if found and not _is_reference(found[-1]):
                break
            found.append(_entry("", line, 0))
        at += 1
    if found and not _is_reference(found[-1]):
        found.pop()
    # The line after the last entry: that of a sentence after the list is read again.
    while found and lines[at - 1].start >= found[-1].end:
        at -= 1
    return found, at


def _in_line(line: _Line, at: int) -> list[Entry]:
    """Read "Sources: [1] the report; [2] the study"."""
    marks = [*re.finditer(_BRACKETED, line.text[at:])]
    if not marks or marks[0].start():
        return []
    ends = [*(each.start() for each in marks[1:]), len(line.text) - at]
    return [
        Entry(
            _written(mark["key"]),
            line.text[at + mark.end() : at + end].strip(" ,;:"),
            line.start + at + mark.start(),
            line.start + at + end,
        )
        for mark, end in zip(marks, ends, strict=True)
    ]


def _written(key: str) -> str:
    return key.strip().translate(_AS_DIGITS)


def _entry(key: str, line: _Line, after: int) -> Entry:
    return Entry(key, " ".join(line.text[after:].split()), line.start, line.end)


def _joined(entry: Entry, line: _Line) -> Entry:
    text = f"{entry.text} {line.text.strip()}" if len(entry.text) < _LONGEST_ENTRY else entry.text
    return entry._replace(text=text, end=line.end)


def _is_reference(entry: Entry) -> bool:
    """Return whether words are those of a reference, and not a sentence."""
    text = entry.text.lstrip("*_\"“'‘<")
    if _IDENTIFIER.search(text) or _WEB.search(text):
        return True
    if _FIRST_AUTHOR.match(text) and _YEAR.search(text):
        return True
    if _DATED.search(text) and text[:1].isupper() and "," in text:
        return True
    return not _SENTENCE_END.search(text) and len(text.split()) <= _LONGEST_TITLE


# Which source an entry is.


class Work(NamedTuple):
    """Authors and year: of a source, of an entry, or of a text that cites it."""

    authors: tuple[str, ...]  # folded; of a source they are its words, of a text its names
    year: str
    letter: str  # after the year


def work_of(entry: Entry) -> Work | None:
    """Return the authors and the year of an entry, if it begins with authors and has a year."""
    first = _FIRST_AUTHOR.match(entry.text)
    year = _DATED.search(entry.text) or next(iter(reversed([*_YEAR.finditer(entry.text)])), None)
    if first is None or year is None:
        return None
    lead = _family_of(first)
    # The others begin after the first one's name, and end before the year or the title.
    rest = re.split(r"\(|\.\s(?=[^\W\d_a-z][\w'’-]+\s)|[\"“:]", entry.text[first.end() :])[0]
    others = [match[0] for match in _SURNAME.finditer(rest) if len(match[0]) > 1]
    authors = (folded(lead), *map(folded, others))
    return Work(authors, year[1], year[2] or "")


def _family_of(author: re.Match[str]) -> str:
    return author[author.lastindex or 0]


def folded(word: str) -> str:
    """Return the letters of a word, without accents and capitals."""
    letters = unicodedata.normalize("NFKD", word.casefold())
    return "".join(char for char in letters if char.isalpha())


_HEAD = 1_500  # characters of a source in which its title, authors and identifier are
_MOST_TITLE_LINES = 3  # of a head; one of them, or two together, may be the title
_SHORTEST_TITLE = 4  # letters; a shorter one may be a number, or an initial
_FEWEST_OF_HEAD = 3  # words of a title that was only read from the beginning of a text
_FILE_SUFFIX = re.compile(r"\.(?:pdf|html?|xhtml|txt|text|md|markdown|docx?|json)\Z", re.IGNORECASE)
_WORDS = re.compile(r"[^\W_]+")
# What may be before the title of a work in an entry.
_BEFORE_TITLE = re.compile(r"(?:\A|[.,:;?!)\]–—-]|\bin)[\s\"“”'‘*_«„<\[(]*\Z")
_AFTER_TITLE = re.compile(r"[.?!:](?=\s|\Z)|[.?!,]?[\"“”«»„*]|\s[–—-]\s|\s*\Z")


class Catalogue:
    """The sources by what a list of references calls them.

    An entry is the source whose address, DOI or arXiv number it has; else the one whose title it
    has, or whose text begins with a title that it has and names its author. It is none if several
    sources fit as well.
    """

    def __init__(self, sources: Sources) -> None:
        self._named = [_named(source) for source in sources]

    def sources_of(
        self, entries: Iterable[Entry], linked: Mapping[int, str] | None = None
    ) -> list[str | None]:
        """Return the id of the source that each entry is, or `None`; `linked` ones are known."""
        known = linked or {}
        return [known.get(entry.start) or self._source_of(entry) for entry in entries]

    def _source_of(self, entry: Entry) -> str | None:
        identifiers = _identifiers(entry.text)
        by_identifier = {each.id for each in self._named if identifiers & each.identifiers}
        if len(by_identifier) == 1:
            return by_identifier.pop()
        read = _Reading(entry)
        sizes = {each.id: read.likeness(each) for each in self._named}
        best = max(sizes.values(), default=(0, 0))
        chosen = [source_id for source_id, size in sizes.items() if size == best]
        return chosen[0] if best > (0, 0) and len(chosen) == 1 else None


class _Named(NamedTuple):
    """What a source is called."""

    id: str
    identifiers: frozenset[str]
    names: tuple[tuple[str, ...], ...]
    title_lines: tuple[tuple[str, ...], ...]
    head: frozenset[str]


def _named(source: Source) -> _Named:
    head = source.text[:_HEAD]
    given = " ".join([source.id, source.title or "", source.url or ""])
    identifiers = _identifiers(given)
    # A head with several identifiers also has those of works that it cites.
    own = {*map(_trimmed, _IDENTIFIER.findall(head))}
    if len(own) == 1:
        identifiers |= own
    printed = [line for line in head.splitlines() if words_of(line)][:_MOST_TITLE_LINES]
    lines = [words_of(line) for line in printed]
    names = (words_of(_FILE_SUFFIX.sub("", source.id)), words_of(source.title or ""))
    return _Named(
        source.id,
        frozenset(identifiers),
        tuple(dict.fromkeys(filter(None, names))),
        # A title may be broken over lines.
        (*lines, *(first + second for first, second in pairwise(lines))),
        frozenset(words_of(head)),
    )


class _Reading:
    """The words of an entry, and at which of them a title may begin and end."""

    def __init__(self, entry: Entry) -> None:
        text = _WEB.sub(" ", entry.text)
        matches = [*_WORDS.finditer(text)]
        self._words = tuple(_plain(match[0]) for match in matches)
        places = [match.span() for match in matches]
        self._begins = [
            _BEFORE_TITLE.search(text, max(0, start - 6), start) is not None for start, _ in places
        ]
        self._ends = [_AFTER_TITLE.match(text, end) is not None for _, end in places]
        author = _FIRST_AUTHOR.match(entry.text.lstrip("*_"))
        self._author = words_of(_family_of(author)) if author else ()

    def likeness(self, source: _Named) -> tuple[int, int]:
        """Return the number of words of a title in common, and whether it was given as a title."""
        sizes = [(0, 0), *((len(name), 1) for name in source.names if self._has(name, 2))]
        if all(word in source.head for word in self._author):
            # With the author's name beside it, a shorter title is no coincidence.
            fewest = 2 if self._author else _FEWEST_OF_HEAD
            sizes += ((len(line), 0) for line in source.title_lines if self._has(line, fewest))
        return max(sizes)

    def _has(self, title: tuple[str, ...], fewest: int) -> bool:
        """Return whether a title begins in the entry, and ends there if it has fewer words."""
        short = len(title) < fewest
        if short and len("".join(title)) < _SHORTEST_TITLE:
            return False
        ends = [at + len(title) for at, begins in enumerate(self._begins) if begins]
        return any(
            self._words[end - len(title) : end] == title and (self._ends[end - 1] or not short)
            for end in ends
        )


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text as titles are compared: without capitals, accents and signs."""
    return tuple(map(_plain, _WORDS.findall(text)))


def _plain(word: str) -> str:
    letters = unicodedata.normalize("NFKD", word.casefold())
    return "".join(char for char in letters if char.isalnum())


def _identifiers(text: str) -> frozenset[str]:
    """Return the addresses, DOIs and arXiv numbers in a text, as they are compared."""
    addresses = (page_of(address_of(_trimmed(url))) for url in _WEB.findall(text))
    works = map(_trimmed, _IDENTIFIER.findall(text))
    return frozenset(filter(None, (*addresses, *works)))


def _trimmed(identifier: str) -> str:
    return identifier.rstrip(".,;:)]}>'\"").casefold()
