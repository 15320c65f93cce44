r"""Whether two texts have the same symbols between two of their words.

Symbols count by default. What is harmless is in the table below, with its context: quotation marks,
stops, bullets, emphasis and brackets around words may change; operators, prefixes of names, signs
of figures and the mark of a question may not. `tokens` yields the symbols of numbers and units,
which are aligned like words; this module compares the rest.
"""

from __future__ import annotations

import html
import re
import unicodedata
from functools import cache, lru_cache
from itertools import takewhile
from typing import NamedTuple

from citeguard.language.markup import Noise, find_noise, is_in_comment_block
from citeguard.language.number_words import MAGNITUDE_WORDS
from citeguard.language.scripts import ZERO_WIDTH
from citeguard.language.sentences import Interval, sentence_intervals
from citeguard.language.spelling import is_english_word
from citeguard.language.tokens import has_words

_REACH = 300  # characters on either side that show the context of a symbol, such as its pair
# Between words, these say nothing, whatever is on the other side.
_PLAIN = frozenset((" ", ", ", ". ", "\n", "; ", ": ", ",", " “", "” ", ' "', '" ', ""))
# "(509)", "($ 12.5)", "(5 %)"; "(2009)" may be a year.
_BRACKETED_NUMBER = re.compile(r"\((?:[$€£¥]\s?)?(?!(?:1[5-9]|20)\d\d\))\d[\d.,]*\s?%?\)")
_ITEM_WORD = re.compile(r"[^\w()]*([^\W\d_]+)")
_MEANINGFUL = re.compile(
    r"""
      \?+                                        # a question
    | §+
    | [-+*/%|^]=(?!=) | =={1,2}(?!=)           # "x += 1", "x == 1"
    | (?<![\w!)])!(?=[\w(])                      # "!b" denies; "Stop!" does not
    | (?<![\w#])\#(?=\w)
    # "~5" is about 5, "10~kg" and "Fig.~5" have a blank of LaTeX; "~~not~~" is struck out.
    | (?<!~)~{1,2}(?=[\w/(])(?!(?<=\d~)[^\W\d_]|(?<=[a-z.]~)\d) | (?<=\w)~~(?!~)
    | (?<=[a-zA-Z)\]][ ])~(?=[ ][a-zA-Z(])
    | (?<![\w|])\|(?=\w{1,12}\|(?![\w|]))         # "|V|"
    # "-rf"; no dash
    | (?<![^\s(\[{"=])(?<![\w.!?…,]")(?<![\w.!?…,]"")-{1,2}(?=[^\W\d_])
      (?![^\W\d_]+(?:[.,]?[ ][^\W\d_]+){0,8}[.,]?-{1,2}(?![\w-]))
    | (?<=[\])])[ ]*[-—][ ]*(?=\d|\w{1,40}[(\[])  # "f(x) - g(x)"
    | \\(?=\w)
    | /+ | \|\| | \{+ | \}+
    | [<>]+ | 〈(?=\d[^〉\n]*(?:\n|\Z))
    | (?<![^\s(\[“])[.,·⸱․‧˙⋅‚⁄∕⁃](?=\d)        # of a decimal or a fraction, a minus
    | (?<!\n)\+
    | _+
    | (?<=[ (,])\*{1,2}(?=\w)
    | (?P<note> (?<=[^\W_])(?:\*+(?![\w*]) | [†‡]+))
    | \((?=(?:[$€£¥]\s?)?\d)
    | \)
    """,
    re.VERBOSE,
)
_NOTE = "†"  # comes before the sign of a note
_NOTES, _DAGGERS = re.compile(rf" ?{_NOTE}\S+"), re.compile(rf" ?{_NOTE}[†‡]+")
_STOP, _PAUSE = re.compile(r"[.!]\s+"), re.compile(r"\s*[,;:–—-]+\s*")
_QUOTING = re.compile(r"[\"'“‘«„`][^\W_][^\n]*\Z")
_UNSEEN = dict.fromkeys(map(ord, ZERO_WIDTH))
_UNSAID = dict.fromkeys(map(ord, '`"'))
_EMPHASIS = dict.fromkeys(map(ord, "*_`#="))
_VERSES = re.compile(r"\n|[ \t\u3000]{4}")
_SPEAKER = re.compile(r"[.!?…]+[\"”»]?\s+[-–—―]\s?")  # another one says what follows
_ENDS_OF_SAYINGS = tuple('.!?…"')
_GUILLEMETS = {"<<": ">>", ">>": "<<", "<": ">", ">": "<"}


class Gap(NamedTuple):
    """What is between two words of a text, as a half-open interval of it in code points."""

    text: str
    start: int
    end: int

    @property
    def symbols(self) -> str:
        """The characters of the interval."""
        return self.text[self.start : self.end]


def find_change(quoted: Gap, source: Gap) -> tuple[str, str] | None:
    """Return the symbols of a quote's gap and of its source's if they differ, or `None`.

    Examples:
        >>> find_change(Gap("x << 3", 1, 5), Gap("x >> 3", 1, 5))
        ('<<', '>>')
        >>> find_change(Gap("well, then", 4, 6), Gap("well – then", 4, 7))
    """
    one, other = quoted.symbols.translate(_UNSEEN), source.symbols.translate(_UNSEEN)
    if one == other or (one.isspace() and _is_margin(source)):
        return None
    # A border of cells that the quote shows is where the source has one; an empty cell counts.
    if "|" in quoted.text and "|" in other and not ("\n" in one and "\n" in other):
        cells = [_RULE.sub("", each).count("|") for each in (one, other)]
        if cells[0] != cells[1]:
            return one.strip(), other.strip()
    # Feet are no inches, unless the sign closes a quotation.
    marks = one[:1] + other[:1]
    measures = {*marks} == {*"\"'"} and source.text[source.start - 1 : source.start].isdecimal()
    if measures and not _QUOTING.search(source.text, max(0, source.start - _REACH), source.start):
        return marks[0], marks[1]
    # An ellipsis between two lines of a dialogue omits nothing but who speaks; a hyphen may be the
    # bullet of a list.
    is_elided = ("…" in one or ".." in one) and any(dash in other for dash in "—―")
    if _SPEAKER.fullmatch(other) and (is_elided or not one.strip()):
        return one, other.strip()
    if (one in _PLAIN and other in _PLAIN) or "".join(one.split()) == "".join(other.split()):
        return None
    contexts = _context(quoted), _context(source)
    written = [_read(*context, _noise(context[0])) for context in contexts]
    if _solid(written[0]) == _solid(written[1]):
        return None
    symbols = _symbols(quoted), _symbols(source)
    # The sign of a note may not be exchanged, nor a star added, which may also be of code.
    if not all(_NOTE in side for side in symbols):
        symbols = _DAGGERS.sub("", symbols[0]).strip(), _NOTES.sub("", symbols[1]).strip()
    # A slash between verses is their line break, or the wide gap between two on a line.
    if {"/", "//"} & {*one.split(), *other.split()} and _VERSES.search(one + other):
        rest = [[sign for sign in side.split() if sign not in ("/", "//")] for side in symbols]
        return None if rest[0] == rest[1] else symbols
    return None if symbols[0] == symbols[1] else symbols


# Between two lines of a comment in a program: ";; ", "#: ", "*/ /*".
_MARGIN = re.compile(r"[ \t]*(?:\*/)?\n[ \t]*((?:[#;!/']{1,4}[:*!]?|::))[ \t]+")


def _is_margin(gap: Gap) -> bool:
    """Return whether a gap is the border of two lines that begin with the same signs."""
    margin = _MARGIN.fullmatch(gap.symbols)
    line = gap.text[gap.text.rfind("\n", 0, gap.start) + 1 : gap.start].lstrip()
    return margin is not None and line.startswith((f"{margin[1]} ", f"{margin[1]}\t"))


def _solid(symbols: str) -> str:
    """Return symbols without blanks and without marks of quotation and code."""
    return "".join(symbols.split()).translate(_UNSAID)


# Separators: what is between two sentences, clauses, cells, items or turns. An ellipsis may join
# two of them, or a citation each, but no quote runs one into the other.

_SEPARATOR = re.compile(
    r"""
      [!?;。।॥؛۔։።] | \.{2,} | (?<!\d)[.:](?=\W|\Z) | [.:](?=\s|\Z)
    | — | --+ | (?<=\s)-(?=\s)
    | (?<!\w)\( | \)(?!\w)
    """,
    re.VERBOSE,
)
_RULE = re.compile(r"\|[ \t]*:?--[-|:+ \t]*\||(?:\.[ ]?){6,}")  # of a table; leaders of dots
# Of a list; of a comment whose sentence goes on; the rule of a table.
_BULLET = re.compile(r"(?<=\n)[ \t]*(?:[-+•](?=\s)|--(?=[ \t]*\Z))|\|[-|:+\s]*\|")
# What a row, a cell or an item begins with; a blank line and a wrap are white space.
ROW = re.compile(
    r"\n[ \t]*(?:[-*+•◦▪‣·○●–—]|\(?(?:\d{1,3}|[a-z])[.)])[ \t]"
    r"|[ \t]*\|[ \t\n]*|\n?</?(?:li|td|th|tr|dd|dt)\b[^<>]*>|\"[ \t]*[,;\n][ \t]*\"",
    re.IGNORECASE,
)
_ROW_END = re.compile(rf"{ROW.pattern}|\n[ \t]*\n|\Z", re.IGNORECASE)
_FEWEST_VERSES, _LONGEST_VERSE = 3, 70  # lines of a stanza, characters of a line
_NUMBERED = re.compile(r"[A-Z] \d")  # "ABl. L 12"
_NO_LETTERS = tuple(")]}\"'`»>/")
_WIDE = " " * 3  # between columns
_FIGURES = re.compile(r"[-–−+(]?\d[\d.,%)]*[ \t]+[-–−+(]?\d")  # of a row
_NEARBY = 120  # characters on either side that show whether a stop ends a sentence


def find_splice(quoted: Gap, source: Gap, passage: Interval) -> tuple[str, str] | None:
    """Return what separates two parts of a text on one side only, or `None`.

    The other side runs one part into the other. White space by itself separates nothing, unless the
    quote also has a small letter for the capital that begins the second part. Rows and items may
    follow one another if they are whole.

    Args:
        quoted: What is between two words of the quote.
        source: What is between the same words of the source.
        passage: The interval of the source's text that the quote has.

    Examples:
        >>> text = "We recommend aspirin. For children it is dangerous."
        >>> find_splice(Gap("aspirin for children", 7, 8), Gap(text, 20, 22), (13, 34))
        ('', '.')
        >>> find_splice(Gap("Dr Lee", 2, 3), Gap("Dr. Lee", 2, 4), (0, 7))
    """
    one, other = _written(quoted), _written(source)
    if (one == other and one.strip()) or (one.isspace() and _is_margin(source)):
        return None
    same = [*takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))]
    if same and same[-1][0] in _NO_LETTERS:  # brackets, marks of quotation
        one, other = one[len(same) :], other[len(same) :]
    # A stop counts as a separator if it ends a sentence; Chinese has them without a blank.
    if not one.strip() and _ends(source, other):
        return one.strip(), other.strip()
    is_lowered = (
        quoted.text[quoted.end : quoted.end + 1].islower()
        and source.text[source.end : source.end + 1].isupper()
    )
    if not other.strip(" *_`") and _ends(quoted, one):
        # The quote may show that a line or a cell ends: "Scope: All staff", "Cost: 5, 7".
        broken = "\n" in other and not source.text[source.end : source.end + 1].islower()
        broken = broken or "\t" in other or _WIDE in other
        broken = broken or (one.strip() == ":" and bool(_FIGURES.match(source.text, source.end)))
        return None if broken else (one.strip(), other.strip())
    if is_lowered and _STOP.match(other) and _PAUSE.fullmatch(one):
        return one.strip(), other.strip()  # "It rained, he left" for two sentences
    if one.strip() or "\n" in one:
        return None
    beside = (
        source.text[max(0, source.start - 2) : source.start],
        source.text[source.end : source.end + 2],
    )
    if (
        is_lowered
        and not {"\n", "\t"}.isdisjoint(other)
        and not all(map(str.isupper, beside))  # where a capital begins nothing
        and not quoted.text[quoted.end + 1 : quoted.end + 2].isupper()
        and not _is_in_verse(source)
    ):
        # Only the capital shows where a heading or an item ends: "Fees\nMembers pay".
        return "", "¶"
    row = ROW.search(source.symbols)
    if row and row[0].strip() == "*" and is_in_comment_block(source.text, source.end):
        row = None  # a wrapped line of a comment
    is_whole = row is None or _are_whole_rows(source, passage, "\n" in row[0])
    return None if is_whole else ("", other.strip() or "¶")


def _is_in_verse(gap: Gap) -> bool:
    """Return whether a gap is between verses, each of which begins with a capital.

    Some of them end in a comma and some in a word, unlike items and headings.
    """
    low = max(gap.text.rfind("\n\n", 0, gap.start) + 2, gap.start - _REACH)
    high = gap.text.find("\n\n", gap.end, gap.end + _REACH)
    block = gap.text[low : high if high >= 0 else gap.end + _REACH]
    lines = [line.strip(" \t\"'“”„«»—–-¡¿") for line in block.splitlines() if line.strip()]
    inner = lines if low == 0 or gap.text[low - 1] == "\n" else lines[1:]  # the first may be cut
    ends = [line[-1:] for line in inner]
    return (
        len(inner) >= _FEWEST_VERSES
        and all(line[:1].isupper() and len(line) <= _LONGEST_VERSE for line in inner)
        and "," in ends
        and any(map(str.isalpha, ends))
    )


def _ends(gap: Gap, written: str) -> bool:
    """Return whether a gap has a separator; a lone stop may be that of an abbreviation."""
    goes_on = gap.text[gap.end : gap.end + 1].islower()
    written = _RULE.sub("", written)
    bare = _BULLET.sub("", written) if goes_on or "--" not in written else written
    found = {*_SEPARATOR.findall(bare)}
    if found != {"."} or gap.symbols.partition(".")[0].rstrip("* _\n")[-1:] in _NO_LETTERS:
        return bool(found)  # no abbreviation ends in a bracket
    if _NUMBERED.match(gap.text, gap.end):
        return False
    low = max(0, gap.start - _NEARBY)
    sentences = sentence_intervals(gap.text[low : gap.end + _NEARBY])
    return any(gap.start - low <= end <= gap.end - low for _, end in sentences)


def _are_whole_rows(gap: Gap, passage: Interval, is_row: bool) -> bool:
    """Return whether what a passage has on either side of a gap are whole rows, or whole cells."""
    line = max(gap.text.rfind("\n", 0, gap.start), gap.text.rfind("—", 0, gap.start)) + 1
    low = line if is_row else max(0, gap.start - _REACH)
    before = [match.end() for match in ROW.finditer(gap.text, low, gap.start)] or [low]
    # A line of cells need not begin with a border.
    begin = before[0] if is_row else max(before[-1], line if "|" in gap.symbols else 0)
    following = gap.text.find("\n", gap.end) if is_row and "|" in gap.symbols else -1
    after = _ROW_END.search(gap.text, gap.end, len(gap.text) if following < 0 else following)
    end = following if following >= 0 else after.start() if after else len(gap.text)
    starts_inside = has_words(gap.text[begin : passage[0]]) if passage[0] > begin else False
    return not (starts_inside or has_words(gap.text[passage[1] : end]))


def _context(gap: Gap) -> tuple[str, int, int]:
    """Return what is around a gap, and its interval in that; gaps nearby share their context."""
    low = max(0, gap.start - gap.start % _REACH - _REACH)
    return gap.text[low : gap.end - gap.end % _REACH + 2 * _REACH], gap.start - low, gap.end - low


def _written(gap: Gap) -> str:
    """Return a gap with its markup read and its glyphs folded, without emphasis."""
    context, start, end = _context(gap)
    return _read(context, start, end, _noise(context)).translate(_EMPHASIS)


def _symbols(gap: Gap) -> str:
    """Return the symbols of a gap that mean something, joined by spaces."""
    return _symbols_in(*_context(gap))


@lru_cache(maxsize=1_000)  # a quote is compared with several places, and these overlap
def _symbols_in(context: str, start: int, end: int) -> str:
    noise = _noise(context)
    before = _read(context, 0, start, noise)
    inside = _read(context, start, end, noise)
    text = before + inside + _read(context, end, len(context), noise)
    found = (
        (_NOTE if match["note"] else "") + match[0].strip().replace("—", "-")
        for match in _MEANINGFUL.finditer(text, len(before))
        if match.start() < len(before) + len(inside) and not _is_harmless(text, match)
    )
    return " ".join(found)


_noise = lru_cache(maxsize=8)(find_noise)


def _read(text: str, low: int, high: int, noise: list[Noise]) -> str:
    """Return a part of a text with its markup read, its marks omitted and its glyphs folded."""
    parts: list[str] = []
    for place in noise:
        if low <= place.start and place.end <= high:
            parts += (text[low : place.start], place.replacement)
            low = place.end
    return "".join(map(_fold, html.unescape("".join((*parts, text[low:high])))))


@cache
def _fold(char: str) -> str:
    if char == "—":
        return char  # never the sign of an option
    category = unicodedata.category(char)
    if category == "Pd" or char == "−":
        return "-"
    if category in ("Pi", "Pf") or char in "\"'`´‘’“”„":
        return '"'
    if category == "Cf":
        return ""
    return unicodedata.normalize("NFKC", char).replace("؟", "?")


def _is_harmless(text: str, match: re.Match[str]) -> bool:
    """Return whether a symbol is punctuation, a bullet or emphasis where it is."""
    symbol, start, end = match[0], match.start(), match.end()
    line = text[text.rfind("\n", 0, start) + 1 : start]
    if symbol in "()":
        return not _is_sign(text, start)
    if symbol in ("<", ">", "<<", ">>"):
        return _is_quotation(text, start, end, line)
    if symbol.startswith(("_", "*")):
        return _is_emphasis(text, start, end)
    if symbol == "--":  # before the name of who says it
        ends = not line.strip() or line.rstrip().endswith(_ENDS_OF_SAYINGS)
        return ends and text[end : end + 1].isupper() and text[end + 1 : end + 2].islower()
    if symbol in ("+", "//", "///", "#"):
        return not line.strip()  # a bullet, a comment, a heading
    if symbol == "|":
        return not line.strip() or line.lstrip().startswith("|")  # a table
    # A brace of LaTeX, such as that of `x_{2}`.
    nearby = text[max(0, start - 40) : start + 40]
    return symbol in "{}" and any(sign in nearby for sign in ("\\", "_{", "^{"))


def _is_sign(text: str, place: int) -> bool:
    """Return whether a bracket is one of two around a figure: "(509)" is −509; "(2009)" a year."""
    opening = place if text[place] == "(" else text.rfind("(", max(0, place - 24), place)
    match = _BRACKETED_NUMBER.match(text, opening) if opening >= 0 else None
    if match is None or place not in (match.start(), match.end() - 1):
        return False
    # "(1) first, (2) second" numbers items; "(5) million" is a number.
    is_short = match[0][1:-1].isdecimal() and len(match[0]) <= len("(12)")
    word = _ITEM_WORD.match(text, match.end()) if is_short else None
    return word is None or word[1].casefold() in MAGNITUDE_WORDS


def _is_quotation(text: str, start: int, end: int, line: str) -> bool:
    """Return whether angle brackets quote words, or begin a line that is a quotation."""
    if not line.strip("> \t") and text[start] == ">":
        return True
    opens = not text[start - 1 : start].strip('"( ') and text[end : end + 1].isalnum()
    closes = text[start - 1 : start].isalnum() or text[start - 1 : start] in tuple('.!?"')
    closes = closes and not text[end : end + 1].isalnum()
    pair = _GUILLEMETS[text[start:end]]
    if opens:
        return pair in text[end : end + _REACH]
    return closes and pair in text[max(0, start - _REACH) : start]


def _is_emphasis(text: str, start: int, end: int) -> bool:
    """Return whether a run of `_` or `*` has its pair around words, as Markdown has it."""
    marker = re.escape(text[start:end])
    before, after = text[start - 1 : start], text[end : end + 1]
    if (before.isalnum() and after.isalnum()) or not (before.strip() or after.strip()):
        return False
    borders = None
    if after.strip() and not before.isalnum():
        # An ending may follow: "**file**s", but not "x**y", a power.
        ending = r"|(?<=\w\w\*\*)(?=[^\W\d_])" if text[start:end] == "**" else ""
        closing = re.compile(rf"(?<=[^\s_*]){marker}(?:(?![\w_*]){ending})")
        if pair := closing.search(text, end, end + _REACH):
            borders = start, pair.end()
    else:
        opening = re.compile(rf"(?<![\w_*]){marker}(?=[^\s_*])")
        for pair in opening.finditer(text, max(0, start - _REACH), start):
            borders = pair.start(), end
    if borders is None:
        return False
    name = text[slice(*borders)]  # "__init__" is one in code
    is_name = name.startswith("__") and name.isidentifier()
    return not is_name or is_english_word(name.strip("_").lower())


# "§ 5", "√2", "!ready" in code, "_name", "~5"
_PREFIX = re.compile(r"(?:[§√∛¬]\s?|(?<![^\s(\[{=&|])!|(?<!\w)_+|(?<!~)~)\Z")


def prefix_before(text: str, start: int) -> str:
    """Return the symbol that belongs to the word or number at an offset; "" if there is none.

    Examples:
        >>> prefix_before("under § 5", 8), prefix_before("well, then", 6)
        ('§', '')
    """
    match = _PREFIX.search(text, max(0, start - 4), start)
    if match is None:
        return ""
    symbol = match[0].strip()
    return "" if symbol[0] == "_" and _is_emphasis(text, match.start(), start) else symbol
