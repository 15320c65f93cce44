"""What is in a text without being its words: markup, escapes and citation marks.

`find_noise` finds the places and what a reader sees there. Each syntax is a reader of its own. It
is asked only if the text has a sign without which it finds nothing. The search form drops marks
and reads entities as the characters they represent; the guard sees the same places again, in the
original.
"""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from citeguard.language.citations import (
    PATTERNS,
    SUPERSCRIPTS,
    compiled,
    pattern,
    points_to_note,
    word_before,
)
from citeguard.language.formulas import (
    ARGUMENTS,
    AT_BRACKET,
    INDEX,
    LOWERED_LETTERS,
    RAISED_LETTERS,
    SPELLED,
    find_signs,
    is_in_formula,
    lowered,
    named,
    raised_digits,
)
from citeguard.language.lexicon import union
from citeguard.language.number_words import parse_symbol
from citeguard.language.scripts import ZERO_WIDTH

Kind = Literal["markup", "mark"]
_LONGEST_BRACKETS = 300  # characters in brackets of prose
_LONGEST_UNIT = 5  # letters
_UNSEEN = re.compile(f"[{ZERO_WIDTH}]")
_LOOK_BACK = 40  # characters before a mark that are looked at
_CONTEXT = 300  # characters on either side of an interval that show what its signs belong to


@dataclass(frozen=True, slots=True)
class Noise:
    """A half-open interval of a text that reads as `replacement`.

    `mark` is a citation, a footnote or a reading, which a faithful quote may drop; `markup` is
    syntax.
    """

    start: int
    end: int
    replacement: str
    kind: Kind


Reader = Callable[[str], Iterator[Noise]]
Read = str | Callable[[re.Match[str]], str | None]
"""What a reader sees in place of a match; `None` if it is none."""


def replacing(pattern: str, read: Read, kind: Kind) -> Reader:
    """Return a reader of what matches a pattern."""

    def reader(text: str) -> Iterator[Noise]:
        for match in compiled(pattern).finditer(text):
            seen = read if isinstance(read, str) else read(match)
            if seen is not None:
                yield Noise(match.start(), match.end(), seen, kind)

    return reader


def find_noise(text: str) -> list[Noise]:
    """Return the noise of a text, in order, without overlaps (the earlier, longer one wins).

    Examples:
        >>> [(noise.start, noise.replacement) for noise in find_noise("R&amp;D [12]")]
        [(1, '&'), (8, '')]
    """
    if not _UNSEEN.search(text):
        found = _found(text)
    else:  # a mark is one also with a zero-width space in it
        seen = [place for place, char in enumerate(text) if char not in ZERO_WIDTH]
        starts = [*seen, len(text)]
        found = [
            replace(noise, start=starts[noise.start], end=seen[noise.end - 1] + 1)
            for noise in _found("".join(text[place] for place in seen))
            if noise.start < noise.end
        ]
    return without_overlaps(found) if found else found


def _found(text: str) -> list[Noise]:
    """Return the noise of a text as its characters stand there; places may overlap."""
    found: list[Noise] = []
    if signs := _SIGN.findall(text):
        rows = (row for char in dict.fromkeys(signs) for row in _READERS[char])
        readers = dict.fromkeys(reader for sign, reader in rows if sign in text)
        found += [noise for reader in readers for noise in reader(text)]
    if not text[:1].isalpha():
        found += _item_marks(text)
    return found


def noise_between(text: str, start: int, end: int) -> list[Noise]:
    """Return the noise of `text[start:end]`, with its offsets there, as what is around it shows."""
    inside = text[start:end]
    if not _FAR_SIGN.search(inside):
        return find_noise(inside)
    low = max(0, start - _CONTEXT)
    around = [
        replace(noise, start=noise.start + low - start, end=noise.end + low - start)
        for noise in find_noise(text[low : end + _CONTEXT])
    ]
    items = [] if inside[:1].isalpha() else [*_item_marks(inside)]
    return without_overlaps([*items, *_cut_to(around, end - start)])


def _cut_to(around: list[Noise], length: int) -> Iterator[Noise]:
    """Yield the noise of a text's first characters; what is half in it, if it reads as words."""
    for noise in around:
        if noise.start >= 0 and noise.end <= length:
            yield noise
        elif noise.start < length and noise.end > 0 and any(map(str.isalnum, noise.replacement)):
            yield replace(noise, start=max(0, noise.start), end=min(length, noise.end))


def read(text: str) -> str:
    """Return a text with its markup read and its marks omitted."""
    return read_between(text, 0, len(text))


def read_between(text: str, start: int, end: int) -> str:
    """Return `text[start:end]` with its markup read and its marks omitted."""
    parts: list[str] = []
    position = start
    for noise in noise_between(text, start, end):
        parts += (text[position : start + noise.start], noise.replacement)
        position = start + noise.end
    return "".join((*parts, text[position:end]))


def without_overlaps(found: list[Noise]) -> list[Noise]:
    """Return noise in order; of overlapping places the earlier, longer one."""
    kept: list[Noise] = []
    for noise in sorted(found, key=lambda n: (n.start, -n.end)):
        if not kept or noise.start >= kept[-1].end:
            kept.append(noise)
    return kept


# HTML and XML

# Names whose tags are markup even without a pair, as HTML has them. Not "del", "s" and "strike":
# what they strike out is not what the text says.
_HTML = frozenset(
    (
        "a abbr b big blockquote br center cite code dd div dl dt em font h1 h2 h3 h4 h5 h6 hr i"
        " img ins li mark ol p pre q section small span strong table tbody td th thead tr tt u ul"
        " wbr article aside caption dfn figcaption figure footer header kbd label main nav ruby rb"
        " rtc samp sub sup time var html head body nowiki poem"
    ).split()
)
_STRUCK = frozenset("del s strike".split())
_BREAKS = frozenset(
    (
        "blockquote br dd div dl dt h1 h2 h3 h4 h5 h6 hr lb li ol p pb pre table tbody td th thead"
        " tr ul"
    ).split()
)
_VALUE = r"(?:\"[^\"<]{0,300}\"|'[^'<]{0,300}'|[^\s\"'<>=`]{1,300})"
_FLAGS = "checked|compact|controls|disabled|hidden|nowrap|open|reversed"
_ATTRIBUTES = rf"(?P<attributes>(?:\s+(?:[a-z_:][\w:.-]{{0,60}}\s?=\s?{_VALUE}|{_FLAGS})){{0,40}})"
_TAG = rf"<(?P<end>/)?(?P<name>[a-z][\w:.-]{{0,40}}){_ATTRIBUTES}\s{{0,80}}(?P<alone>/)?>"
# <p hidden>, <font size="0">, style="display: none", style="text-decoration: line-through"
_UNSHOWN = (
    rf"(?:\s+[a-z_:][\w:.-]{{0,60}}\s?=\s?{_VALUE}|\s+(?!hidden)[a-z]+(?=\s|$)){{0,40}}?"
    r"\s+(?:hidden(?=[\s=]|$)|size\s?=\s?[\"']?0(?![\w.])|style\s?=\s?[\"'][^\"'<]{0,300}?"
    r"(?:display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0(?![\d.])"
    r"|text-decoration(?:-line)?\s?:[^\"';<]{0,60}line-through))"
)
_UNSHOWN_ARGUMENTS = (  # of LaTeX, or struck out
    "begin|bibliography|cite[a-z]{0,8}|end|footnote|include|index|input|label|phantom"
    f"|[a-z]{{0,4}}ref|x?cancel|[sx]out|st|{'|'.join(ARGUMENTS)}"
)


def _pairs(row: str) -> dict[str, str]:
    return {name: sign for name, _, sign in (pair.partition("/") for pair in row.split())}


_UNITS = _pairs(  # of siunitx: "\\SI{4.2}{\\milli\\kelvin}"
    "nano/n micro/µ milli/m centi/c kilo/k mega/M giga/G metre/m meter/m gram/g second/s ampere/A"
    " kelvin/K mole/mol hertz/Hz newton/N pascal/Pa joule/J watt/W coulomb/C volt/V ohm/Ω tesla/T"
    " electronvolt/eV litre/L liter/L minute/min hour/h percent/% celsius/°C degreeCelsius/°C"
    " degree/° per// squared/² square/² cubed/³"
)
_ACCENTS = {'"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303"}
_MOST_LINES, _MOST_INDENT = 200, 60  # of a comment in a program
# "~~not~~"
_STRUCK_MARKDOWN = r"(?<![~\w\\])~~(?=[^\s~])(?:[^~\n]|\n(?![ \t]*\n)){1,2000}(?<=\S)~~(?![~\w])"
# A "ref" is a note in a wiki; elsewhere it has a target, and its words are read.
_HIDDEN = (
    r"<(?P<end>/)?(?P<name>script|style|rt|rp|ref(?=\s*/?>|\s+(?:name|group)\b))"
    r"\b(?:[^<>]{0,300}?)(?P<alone>/)?>"
)


def _entity(match: re.Match[str]) -> str | None:
    char = html.unescape(html.unescape(match[0]))
    return char if char != match[0] else None


def _tags(text: str) -> Iterator[Noise]:
    """Tags of any vocabulary by their form: "<file>" is a tag only if it has a pair."""
    closed = {name.lower() for name in compiled(r"</([a-z][\w:.-]{0,40})").findall(text)}
    for match in compiled(_TAG).finditer(text):
        name, (start, end) = match["name"].lower(), match.span()
        if name in _STRUCK:
            continue
        is_formed = (
            match["end"] or match["attributes"] or (match["alone"] and match["name"][0].islower())
        )
        if is_formed or name in _HTML or name in closed:
            # Between elements, as in a list or a row, there is a border of words.
            between = (
                name not in _HTML
                and text[end : end + 1] == "<"
                and text[end + 1 : end + 2].isalpha()
            )
            yield Noise(start, end, "\n" if between or name in _BREAKS else "", "markup")


def _raised_tags(text: str) -> Iterator[Noise]:
    for match in pattern("raised tag").finditer(text):
        referring = "[" in match[0] or match[0].count("<") > 2
        before = word_before(text, match.start())
        if referring or (match[1].isdigit() and points_to_note(before, match[1])):
            yield Noise(match.start(), match.end(), "", "mark")
        else:
            yield Noise(match.start(), match.end(), raised_digits(match[1]), "markup")


def _is_power(match: re.Match[str]) -> str | None:
    """Exponents of units, typed on the line: "5 cm-1"."""
    before = match.string[max(0, match.start() - _LONGEST_UNIT) : match.start()]
    unit = re.split(r"[\W\d_]", before)[-1]
    if before.removesuffix(unit).endswith(("_(", "^(")):  # "p_(k−1)"
        return None
    return raised_digits(match[0]) if unit in ("min", "yr", "d") or parse_symbol(unit) else None


def _is_reference_link(match: re.Match[str]) -> str | None:
    """The label of a link: "[`Path`][pathlib.Path]", but not the second index of "x[i][j]"."""
    text, label = match.string, match[1]
    opening = text.rfind("[", max(0, match.start() - _LONGEST_BRACKETS), match.start())
    if (
        opening < 0
        or text[opening - 1 : opening].isalnum()
        or text[opening - 1 : opening] in ("]", ")", "_")
    ):
        return None
    is_slug = not label or (len(label) > 1 and compiled(r"[\w./:-]+").fullmatch(label))
    return "]" if is_slug or f"\n[{label}]:" in text else None


def _is_named_link(match: re.Match[str]) -> str | None:
    """The target of a link that its label names: "[LICENSE](LICENSE)"."""
    opening = match.string.rfind("[", max(0, match.start() - _LONGEST_BRACKETS), match.start())
    label = match.string[opening + 1 : match.start()]
    return "]" if opening >= 0 and label.strip("`*_ ") == match[1] else None


def _addresses(text: str) -> Iterator[Noise]:
    """The brackets of an address that Markdown makes a link of: "<https://example.org>"."""
    for match in compiled(r"<(?:https?://[^\s<>]{1,300}|[\w.+-]{1,60}@[\w.-]{1,60})>").finditer(
        text
    ):
        for place in (match.start(), match.end() - 1):
            yield Noise(place, place + 1, "", "markup")


def _hidden_elements(text: str) -> Iterator[Noise]:
    """Elements whose content is not read in the text: scripts, notes of a wiki, readings."""
    opened: dict[str, int] = {}
    for match in compiled(_HIDDEN).finditer(text):
        name = match["name"].lower()
        kind = "markup" if name in ("script", "style") else "mark"
        if match["alone"]:
            yield Noise(match.start(), match.end(), "", kind)
        elif not match["end"]:
            opened[name] = match.start()
        elif name in opened:
            yield Noise(opened.pop(name), match.end(), "", kind)


def _latex(text: str) -> Iterator[Noise]:
    """Commands of LaTeX around what they show, the entries of an index, the signs of formulas."""
    for match in compiled(
        rf"\\(?:(?!(?:{_UNSHOWN_ARGUMENTS})\b)[a-zA-Z]{{2,12}}\{{(?=\W*\w\w[^{{}}]{{0,300}}(\}})(?!\{{))"
        r"|verb(?P<bar>[^\w\s*])(?=[^\n]{1,80}?((?P=bar)))|index\{[^{}\n]{1,100}\}(?:%\s*)?)"
        r"|\$(?<![\w$\\]\$)(?=(?!\s)(?:(?![\d{])[^$\n]{1,80}|[^$\n]{1,150}[_^\\][^$\n]{1,150}"
        r"|(?=[^$\n]{1,80}\b[a-z]\b)(?:(?![a-zA-Z]{2})[^$/\n]){1,80}(?<=[\w)]))"  # "$1-p$"
        r"(?<![\s\\])(\$)(?![\w$]))"
    ).finditer(text):
        yield Noise(*match.span(), "", "markup")
        if place := max(*map(match.start, (1, 3, 4)), 0):
            yield Noise(place, place + 1, "", "markup")
    for match in compiled(
        r"\\(?:SI|qty|num|si|unit)(?:\[[^\]\n]{0,80}\])?\{([^{}]{1,40})\}(?:\{([^{}]{1,80})\})?"
    ).finditer(text):
        names = (match[2] or "").replace("\\", " ").split()
        unit = "".join(_UNITS.get(name, name) for name in names)
        yield Noise(match.start(), match.start(1), "", "markup")
        yield Noise(match.end(1), match.end(), f" {unit}".rstrip(), "markup")
    for match in compiled(
        r"(?<![\w\\$])\$(?![\s$])(?=[^$\n]{0,80}[\\^])([^$\n]{1,80})(?<![\s\\])\$(?!\$)"
    ).finditer(text):
        yield Noise(match.start(), match.start() + 1, "", "markup")
        yield Noise(match.end() - 1, match.end(), "", "markup")
        for part in compiled(r"_(\d)|\^(\d)(?=\w)").finditer(text, *match.span(1)):
            shown = lowered(part[1]) if part[1] else raised_digits(part[2])
            yield Noise(*part.span(), shown, "markup")
    for match in compiled(
        r"(\$\$|\\\[)(?=[^$\]]{0,300}?(?:[_^=]|\\[a-zA-Z])[^$\]]{0,300}?(\$\$|\\\]))"
    ).finditer(text):
        yield from (Noise(*match.span(group), "", "markup") for group in (1, 2))
    for sign in find_signs(text):
        yield Noise(*sign, "markup")


def _accented(match: re.Match[str]) -> str:
    """Return a letter with the accent that LaTeX writes before it."""
    return (match[2] or match[3]) + _ACCENTS[match["accent"]]


def _targets(text: str) -> Iterator[Noise]:
    """Targets of reStructuredText: "`page <https://a.org>`_", ":term:`word <other>`"."""
    for match in compiled(r"(:[a-z]+:)?`[^`<>]{1,200}(\s<[^<>`]{1,300}>)`(_?)").finditer(text):
        if match[1] or match[3]:
            yield Noise(*match.span(2), "", "markup")


def _is_lowered(match: re.Match[str]) -> str | None:
    """The mark of an index in a formula; elsewhere it may be of a name in code."""
    in_formula = is_in_formula(match.string, *match.span())
    if match[1]:  # "c_gamma"
        return ("" if in_formula else "_") + (named(match[1]) or "")
    return "" if in_formula else None


def _script(match: re.Match[str]) -> str:
    return match[2] if match[1] == "b" else raised_digits(match[2])


def _comments(text: str) -> Iterator[Noise]:
    start = text.find("<!--")
    while start >= 0 and (end := text.find("-->", start)) >= 0:
        yield Noise(start, end + 3, "", "markup")
        start = text.find("<!--", end)


def is_in_comment_block(text: str, place: int) -> bool:
    r"""Return whether a line is one of a comment in a program whose lines begin with stars.

    Examples:
        >>> text = "/**\n * All values\n * are positive.\n */"
        >>> is_in_comment_block(text, text.index("are")), is_in_comment_block(" * are", 3)
        (True, False)
    """
    for _ in range(_MOST_LINES):
        start = text.rfind("\n", 0, place) + 1
        line = text[start : start + _MOST_INDENT].lstrip(" \t")
        if not line.startswith("*"):
            return line.startswith("/*")
        if not start:
            return False
        place = start - 1
    return False


def reordered_parts(text: str) -> Iterator[tuple[int, int]]:
    r"""Yield where a line is shown in another order than it is written, to its end.

    From an override on, or from where a line without letters from right to left says it has some.

    Examples:
        >>> [*reordered_parts("It is \u202etseb\u202c.")], [*reordered_parts("\u200fשלום\u200e")]
        ([(6, 13)], [])
    """
    for line in compiled(r"(?m)^.*[\u202b\u202d\u202e\u2067].*").finditer(text):
        strong = compiled(r"[\u05be-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]").search(line[0])
        signs = r"[\u202d\u202e]" if strong else r"[\u202b\u202d\u202e\u2067]"
        if start := compiled(signs).search(line[0]):
            yield line.start() + start.start(), line.end()


def unseen_parts(text: str) -> list[tuple[int, int]]:
    """Return where a text's own markup hides or strikes out words, in order; nothing in code.

    Examples:
        >>> unseen_parts("We met <del>in May</del>."), unseen_parts("Use `<del>a</del>`.")
        ([(7, 24)], [])
    """
    found = [*compiled(_STRUCK_MARKDOWN).finditer(text)] if "~~" in text else []
    if "\\" in text:
        found += compiled(r"\\(?:[sx]out|st)\{[^{}]{1,300}\}").finditer(text)
    parts = [match.span() for match in found]
    if "<" in text:
        parts += [(noise.start, noise.end) for noise in _comments(text)]
        opened: dict[str, tuple[int, int]] = {}  # where, and how deep within elements of that name
        for match in compiled(_TAG).finditer(text):
            name = match["name"].lower()
            if name in opened and not match["alone"]:
                start, depth = opened.pop(name)
                depth += -1 if match["end"] else 1
                if depth:
                    opened[name] = start, depth
                else:
                    parts.append((start, match.end()))
            elif not (match["end"] or match["alone"]) and (
                name in (*_STRUCK, "template") or compiled(_UNSHOWN).match(match["attributes"])
            ):
                opened[name] = match.start(), 1
    if not parts:
        return []
    spans = [
        match.span() for match in compiled(r"(?s)```.*?(?:```|\Z)|`[^`]{1,300}`").finditer(text)
    ]
    return sorted(
        (start, end)
        for start, end in parts
        if text[start - 1 : start] not in ("'", '"', "`", "\\")
        and not ((place := bisect_left(spans, (start, 0))) and start < spans[place - 1][1])
    )


def _spacing_accents(text: str) -> Iterator[Noise]:
    """Accents of their own before their letters, as TeX draws them: "r´esum´e", "o`u"."""
    for match in compiled(r"([´`ˆ¨˜])([^\W\d_])|(˛)([eE])|([aA])˛").finditer(text):
        sign, base = match[1] or "˛", match[2] or match[4] or match[5]
        accent = "\u0301\u0300\u0302\u0308\u0303\u0328"["´`ˆ¨˜˛".index(sign)]
        letter = unicodedata.normalize("NFC", base.replace("ı", "i") + accent)
        if len(letter) == 1:
            yield Noise(*match.span(), letter, "markup")


def _json_blanks(text: str) -> Iterator[Noise]:
    """The escaped line breaks and tabs of a JSON string, in a text that shows that it is JSON."""
    if compiled(r"\"\s?:\s?\"|\\\"").search(text):
        pattern = r"\\(?<!\\\\)(?-i:(?<!:\\)[nrt]|[nr](?=\"))"
        yield from replacing(pattern, " ", "markup")(text)


# Citation marks


def _is_bracketed_mark(match: re.Match[str]) -> str | None:
    words = (match["cited"] or "").split(maxsplit=1)
    first = words[0].lower().rstrip(",") if words else ""
    if any(first in union(table) for table in ("negators", "hedges", "restrictions", "conditions")):
        return None
    # "(Paris 2024)" is no author.
    is_place = (
        len(words) > 1 and words[1][0].isdigit() and pattern("no surname").fullmatch(words[0])
    )
    return None if is_place else ""


def _is_reading(match: re.Match[str]) -> str | None:
    turning = union("negators_after") | union("qualifiers")
    return None if match[0][1:-1].endswith(tuple(turning)) else ""


def _is_reference(match: re.Match[str]) -> str | None:
    """Numbers in brackets, but for figures: "95% CI [12, 15]"."""
    text = match.string
    before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    # "[a]" is a mark behind a word; "[a]nd" is an editor's bracket.
    unquoted = before.rstrip("\"'“‘„«")
    apart = not unquoted or unquoted[-1].isspace() or text[match.end() : match.end() + 1].isalnum()
    editorial = match["letter"] and (apart or _is_index(match))
    return None if editorial or pattern("figures before").search(before) else ""


def _is_index(match: re.Match[str]) -> bool:
    """Return whether a letter in brackets is an index: "x[i] + 1", "f(x[i])", "(wax[a])" not."""
    text = match.string
    after = pattern("index after").match(text, match.end())
    if after is None or after[0].strip() != ")":
        return after is not None
    opening = text.rfind("(", max(0, match.start() - _LONGEST_BRACKETS), match.start())
    return opening > 0 and not text[opening - 1].isspace()  # the brackets of a call


def _item_marks(text: str) -> Iterator[Noise]:
    """The number of a list item that the text begins with."""
    if (match := _ITEM.match(text)) and not match["first"].islower():
        yield Noise(match.start(), len(match[0][:-1].rstrip("\"'“‘([")), "", "mark")


# "1. The", "(12) "The"; "2. the" may be the rest of a sentence that ends in a number
_ITEM = re.compile(r"\A\s*\(?\d{1,2}[.)]\s+[\"'“‘(\[]*(?P<first>[^\W\d_])")


def _is_raised_mark(match: re.Match[str]) -> str | None:
    before = word_before(match.string, match.start())
    return "" if points_to_note(before, match[0]) else None


# Signs of which one must occur for a pattern to match, the pattern, and what a reader sees instead.
# A rare character comes first in these patterns: so they are looked for many times as fast.
_MARKUP: tuple[tuple[Sequence[str], str, Read], ...] = (
    ("&", r"&(?:amp;)?(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});", _entity),
    ("<", r"<!doctype\b[^<>]{0,300}>|<\?xml\b[^<>]{0,300}\?>|<!\[CDATA\[|\]\]>", ""),
    # Links, a letter that is shown as code, code blocks and escapes of Markdown.
    (
        "]",
        r"\]\((?:https?:|mailto:|www\.|[#/.]|[^\s()]{1,80}[./#])"
        r"(?:[^\s()]|\([^\s()]{0,80}\)){0,300}(?:\s\"[^\"\n]{0,100}\")?\)",
        "]",
    ),
    ("]", r"\]\[([^\[\]\n]{0,80})\](?![\[(])", _is_reference_link),
    ("]", r"\]\(([^\s()]{1,80})\)", _is_named_link),
    ("`", r"`(\w{1,20})`(?=\w)", lambda match: match[1]),
    # What reStructuredText and Python-Markdown say of code: ":py:class:`Path`", which is shown
    # without its modules if it has a tilde, "`#!sh ls`".
    ("`", r":(?:[a-z]+:){1,2}(?=`)(?:`~(?:\w+\.)*(?=\w))?|#!(?<=`#!)[a-z]{1,12} ", ""),
    # "[3]_", ":sup:`18`\\ O"; in tables, rules.
    (("`_", "]_"), r"_(?<=[\]`]_)_?(?!\w)", ""),
    ("`", r"(?:\\ )?:su([bp]):`([-+−\w]{1,5})`(?:\\ )?", _script),
    (("===",), r"^[ \t]*={3,}(?:[ \t]+={3,})+[ \t]*$", "\n"),
    (("```", "~~~"), r"^[ \t]*(?:`{3,}|~{3,})[ \t]*(?:\{?[\w+#.-]{1,20}\}?)?[ \t]*$", "\n"),
    ("\\", r"\\(?<=[^\W\d_]\\)(?P<accent>[\"'`^~])(?:\{\\?([a-z])\}|(?<![`'])([a-z]))", _accented),
    (("\\-",), r"\\-(?<=[^\W\d_]\\-)(?=[^\W\d_])", ""),
    (("\\,", "\\ "), r"\\[, ](?<=[\w.}$]\\[, ])(?=[\w\\$])", " "),
    ("\\", r"\\(?=[!-/:-@\[-`{-~])", ""),
    # Ligatures in the encoding of TeX's fonts, which some tools leave as control characters.
    (
        "\x1b\x1c\x1d\x1e\x1f",
        r"[\x1b-\x1f](?!\[)(?:(?<=[^\W\d_].)|(?=[^\W\d_]))",
        lambda match: ("ff", "fi", "fl", "ffi", "ffl")[ord(match[0]) - 0x1B],
    ),
    # Links of wikis: "[[Danube|the Danube]]".
    (("[[",), r"\[\[[^\[\]|\n]{1,80}\||\[\[|\]\]", ""),
    # Exponents as they are typed, and the boxes of lists of tasks.
    (
        "^",
        r"\^(?<=[\w)\]}\u0300-\u036f]\^)(?:\{([-+−]?\d{1,3})\}|\(([-−]\d{1,3})\)|([-+−]?\d{1,3})(?![\w^]))",
        lambda match: raised_digits(match[match.lastindex or 0]),
    ),
    # The index of one letter, which others write without a mark: "w_ij", "wij"; large signs that
    # are Greek letters.
    ("_", INDEX, _is_lowered),
    ("_", r"(?<=[α-ωΔΣΩ])_(?=\d(?!\w))", ""),
    ("∗", "∗", "*"),
    ("<>", r"[<>][ ]?or[ ]?=", lambda match: "≤≥"[match[0][0] == ">"]),
    # "Xᵀ", "X^⊤" and "X⊤"; "x^′".
    ("^⊤", r"(?<=[\w)\]}\u0300-\u036f])\^?⊤", "^T"),
    ("^", r"\^(?=′)", ""),
    ("_", SPELLED, lambda match: named(match[0])),
    ("∑∏", "[∑∏]", lambda match: "ΣΠ"[match[0] == "∏"]),
    ("∆", r"∆(?=[a-zA-Z])", "Δ"),
    # The Cyrillic letter for the one that looks like it.
    ("°", r"°[ \u00a0]?С(?!\w)", "°C"),
    ("-−", r"[-−][1-4](?![\w.,:%^-])", _is_power),
    ("[", r"(?<![\w\])])\[[ x]\](?=\s+(?:[^\W\d_]|\Z))", lambda match: "☐☑"[match[0][1] != " "]),
)
_MARKS: tuple[tuple[Sequence[str], str, Read], ...] = (
    ("!", r"!\[[^\[\]\n]{0,100}\]\([^()\s]{1,300}\)", ""),
    # Kanji and their reading, as Aozora Bunko writes it; numbers of verses in the Quran.
    ("（", r"（(?<=[\u3400-\u9fff々]（)[\u3041-\u30ff]{3,20}）", _is_reading),
    ("《", r"《(?<=[\u3400-\u9fff々〆ヶ]《)[\u3041-\u30ff]{1,40}》", _is_reading),
    ("\ufd3e\ufd3f", r"[\ufd3e\ufd3f]\s?\d{1,3}\s?[\ufd3e\ufd3f]", ""),
    # The address of a link that has lost its markup.
    (("(http",), r"\(https?:(?:[^\s()]|(?<=[-/])\s{1,3}(?=[^\s()])){1,300}\)", ""),
    ("[［", PATTERNS["reference"], _is_reference),
    ("^", PATTERNS["caret"], ""),
    ("【", PATTERNS["dagger"], ""),
    ("\ue200", PATTERNS["private use"], ""),
    (("<co",), PATTERNS["opening tag"], ""),
    (("</co",), PATTERNS["closing tag"], ""),
    ("([", PATTERNS["bracketed"], _is_bracketed_mark),
    (SUPERSCRIPTS, PATTERNS["raised"], _is_raised_mark),
)
_PARSED: tuple[tuple[Sequence[str], Reader], ...] = (
    *(("<", reader) for reader in (_raised_tags, _tags, _hidden_elements, _comments)),
    (("<http", "@"), _addresses),
    ("`", _targets),
    ((*"$\\(\u0305", "_{", "^{", *LOWERED_LETTERS, *RAISED_LETTERS), _latex),
    (("\\n", "\\r", "\\t"), _json_blanks),
    ("´ˆ¨˜˛", _spacing_accents),
)
_READERS: defaultdict[str, list[tuple[str, Reader]]] = defaultdict(list)
for _signs, _reader in (
    *_PARSED,
    *((signs, replacing(form, read, "markup")) for signs, form, read in _MARKUP),
    *((signs, replacing(form, read, "mark")) for signs, form, read in _MARKS),
):
    for _sign in _signs:
        _READERS[_sign[0]].append((_sign, _reader))

_SIGN = re.compile(f"[{re.escape(''.join(_READERS))}]")
# Signs whose meaning depends on what is farther away.
_FAR_SIGN = re.compile(rf"[<\\^`{{}}]|{AT_BRACKET}|\[[a-zA-Z]{{1,10}}[\]=]")
