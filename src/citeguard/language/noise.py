"""What is in a text without being its words: entities, tags, link targets, citation marks.

`find_noise` only finds the places. The search form drops marks and reads entities as the characters
they represent; the guard sees the same places again, in the original.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from citeguard.language.citations import SUPERSCRIPTS, pattern, points_to_note, word_before


@dataclass(frozen=True, slots=True)
class Noise:
    """A half-open interval of a text that reads as `replacement`.

    `mark` is a citation or footnote mark, which a faithful quote may drop; `markup` is syntax.
    """

    start: int
    end: int
    replacement: str
    kind: Literal["markup", "mark"]


_Finder = Callable[[str], Iterator[Noise]]

_SUPERSCRIPT_DIGITS = str.maketrans("0123456789-−+", f"{SUPERSCRIPTS}⁻⁻⁺")
_LOOK_BACK = 40  # characters before a mark that are looked at
_MOJIBAKE_LEADS = ("Ã", "â", "Â", "Å", "Ä", "ï")

_TAGS = (
    "a|abbr|b|big|blockquote|br|center|cite|code|dd|del|div|dl|dt|em|font|h[1-6]|hr|i|img|ins|li|mark"
    "|ol|p|pre|q|s|section|small|span|strong|table|tbody|td|th|thead|tr|tt|u|ul|wbr|article|aside"
    "|caption|dfn|figcaption|figure|footer|header|kbd|label|main|nav|ruby|r[bpt]|samp|strike|time|var"
)
_BLOCK_TAGS = "blockquote|br|d[dlt]|div|h[1-6]|hr|li|ol|p|pre|t\\w+|ul"

# What LaTeX writes for a character. Letters may follow the Greek ones only after a brace or blank.
_TEX_CHARACTERS = {
    **{name: chr(0x3B1 + i) for i, name in enumerate(
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho"
        " varsigma sigma tau upsilon phi chi psi omega".split()
    )},
    **dict(zip(
        "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega".split(), "ΓΔΘΛΞΠΣΦΨΩ", strict=True
    )),
    **dict(zip(
        "varepsilon vartheta varphi times div pm mp cdot leq le geq ge neq ne approx sim equiv"
        " infty partial nabla sum prod int sqrt in notin subset subseteq cup cap forall exists neg"
        " to rightarrow leftarrow Rightarrow Leftrightarrow leftrightarrow propto degree circ"
        " ldots dots cdots ell hbar quad qquad".split(),
        [*"εθφ×÷±∓·≤≤≥≥≠≠≈∼≡∞∂∇∑∏∫√∈∉⊂⊆∪∩∀∃¬→→←⇒⇔↔∝°°………ℓℏ", " ", " "], strict=True,
    )),
}  # fmt: skip
_TEX_NAMES = "|".join(sorted(_TEX_CHARACTERS, key=len, reverse=True))
_TEX_STYLES = (
    "text(?:bf|it|rm|sf|sc|tt|sl|up|normal|superscript|subscript)?|emph|underline|uline|math(?:rm|bf|it|sf|tt"
    "|bb|cal|frak|scr)|operatorname|boldsymbol|mbox|hbox|mathop|ensuremath|enquote"
)

_Markup = Literal[
    "entity", "tag", "block tag", "script tag", "link target", "wiki target", "item", "escape",
    "terminal", "code point",
    "formula", "in a formula", "command", "character", "power", "index", "ruled line",
]  # fmt: skip
_PATTERNS: dict[_Markup, str] = {
    "entity": r"&(?:amp;)?(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});",
    "tag": rf"</?(?:{_TAGS})(?:\s[^<>]{{0,300}})?/?>|<!--[^<>]{{0,300}}-->",
    "block tag": rf"</?(?:{_BLOCK_TAGS})\b",
    "script tag": r"</?su[bp](?:\s[^<>]{0,300})?>",
    "link target": (
        r"\]\((?:https?:|mailto:|www\.|[#/.]|[^\s()]{1,80}[./#])"
        r"(?:[^\s()]|\([^\s()]{0,80}\)){0,300}(?:\s\"[^\"\n]{0,100}\")?\)"
    ),
    "wiki target": r"\[\[[^\[\]|\n]{1,80}\||\[\[|\]\]",
    "terminal": r"\x1b\[[0-9;]{0,20}[A-Za-z]",
    "item": r"\A\s*\(?\d{1,2}[.)]\s+(?=[\"'“‘(\[]*(?-i:[A-Z]))",
    "escape": r"\\(?=[!-/:-@\[-`{-~])",
    "code point": r"(?<!\\)\\(?-i:u)[0-9a-f]{4}",
    # "$x^2$", but not "$5 and $6".
    "formula": r"\$(?<![\\$\w]\$)(\$?)(?=\S)([^$\n]{1,300})(?<=[^\s\\])\$\1(?![\w$])",
    "in a formula": r"\\[a-z]|[_^{=]|[<>]|(?:[+-]?\d*[a-z]['′]?|[a-z]\([a-z]\))\Z",
    "command": rf"(?<![\w:\\])\\(?:{_TEX_STYLES})\s?\{{|[{{}}]",
    "character": rf"(?<![:\\])\\(?-i:({_TEX_NAMES}))(?![a-z])(?:\{{\}})?",
    "power": r"(?<=[\w)\]}])\^(?:\{\s?([-+−]?\d{1,4})\s?\}|(\d)(?![\w^]|\.\d))",
    "index": r"(?<=[\w)\]}])_\{(\w{1,12})\}",
    # "+-----+----+", of a table drawn with characters.
    "ruled line": r"^[ \t]*\+(?:[-=]{2,}\+)+[ \t]*$",
}


@cache
def _pattern(name: _Markup) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name], re.IGNORECASE | re.MULTILINE)


def find_noise(text: str) -> list[Noise]:
    """Return the noise of a text, in order, without overlaps (the earlier, longer one wins).

    Examples:
        >>> [(noise.start, noise.replacement) for noise in find_noise("R&amp;D [12]")]
        [(1, '&'), (8, '')]
    """
    found: list[Noise] = []
    if _has_signs(text):
        finders = dict.fromkeys(find for trigger, find in _FINDERS if trigger in text)
        found += [noise for find in finders for noise in find(text)]
    if not text[:1].isalpha():
        found += _item_marks(text)
    if not text.isascii():
        if any(digit in text for digit in SUPERSCRIPTS):
            found.extend(_superscript_marks(text))
        if any(lead in text for lead in _MOJIBAKE_LEADS):
            found.extend(_mojibake(text))
    return without_overlaps(found) if found else found


def _has_signs(text: str) -> bool:
    """Return whether a text has a sign without which no finder finds anything."""
    # Written out, this takes a third of the time of a loop; most texts that are asked about are
    # short, and have none.
    return (
        "(" in text
        or "[" in text
        or "<" in text
        or "&" in text
        or "\\" in text
        or "^" in text
        or "$" in text
        or "_{" in text
        or "+-" in text
        or "【" in text
        or "［" in text
    )


def without_overlaps(found: list[Noise]) -> list[Noise]:
    """Return noise in order; of overlapping places the earlier, longer one."""
    kept: list[Noise] = []
    for noise in sorted(found, key=lambda n: (n.start, -n.end)):
        if not kept or noise.start >= kept[-1].end:
            kept.append(noise)
    return kept


def _markup(name: _Markup, read: Callable[[str], str]) -> _Finder:
    def find(text: str) -> Iterator[Noise]:
        for match in _pattern(name).finditer(text):
            if (replacement := read(match[0])) != match[0]:
                yield Noise(match.start(), match.end(), replacement, "markup")

    return find


def _mark(name: Literal["caret", "dagger", "editor's note"]) -> _Finder:
    def find(text: str) -> Iterator[Noise]:
        for match in pattern(name).finditer(text):
            yield Noise(match.start(), match.end(), "", "mark")

    return find


def _author_marks(text: str) -> Iterator[Noise]:
    """Authors and year in brackets; "(Paris 2024)" is no author."""
    for match in pattern("author and year").finditer(text):
        first, *rest = match[0][1:].split(maxsplit=1)
        if not (pattern("no surname").fullmatch(first) and rest[0][:1].isdigit()):
            yield Noise(match.start(), match.end(), "", "mark")


def _reference_marks(text: str) -> Iterator[Noise]:
    """Numbers in brackets, but for figures: "95% CI [12, 15]"."""
    for match in pattern("reference").finditer(text):
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
        # "[a]" is a mark behind a word; "[a]nd" is an editor's bracket.
        apart = not before or before[-1].isspace() or text[match.end() : match.end() + 1].isalnum()
        # "x[i] + 1" is an index.
        indexed = pattern("index after").match(text, match.end())
        editorial = match["letter"] and (apart or indexed)
        if not editorial and not pattern("figures before").search(before):
            yield Noise(match.start(), match.end(), "", "mark")


def _item_marks(text: str) -> Iterator[Noise]:
    """The number of a list item that the text begins with."""
    if match := _pattern("item").match(text):
        yield Noise(match.start(), match.end(), "", "mark")


def _superscript_marks(text: str) -> Iterator[Noise]:
    for match in pattern("raised").finditer(text):
        if points_to_note(word_before(text, match.start()), match[0]):
            yield Noise(match.start(), match.end(), "", "mark")


def _raised_tags(text: str) -> Iterator[Noise]:
    for match in pattern("raised tag").finditer(text):
        if points_to_note(word_before(text, match.start()), match[1]):
            yield Noise(match.start(), match.end(), "", "mark")
        else:
            raised = match[1].translate(_SUPERSCRIPT_DIGITS)
            yield Noise(match.start(), match.end(), raised, "markup")


def _powers(text: str) -> Iterator[Noise]:
    for match in _pattern("power").finditer(text):
        raised = (match[1] or match[2]).translate(_SUPERSCRIPT_DIGITS)
        yield Noise(match.start(), match.end(), raised, "markup")


def _indexes(text: str) -> Iterator[Noise]:
    for match in _pattern("index").finditer(text):
        number = match[1].isdecimal()
        yield Noise(match.start(), match.end(), match[1] if number else f"_{match[1]}", "markup")


def _formulas(text: str) -> Iterator[Noise]:
    """The signs around formulas."""
    for match in _pattern("formula").finditer(text):
        if _pattern("in a formula").search(match[2]):
            yield Noise(match.start(), match.end(1), "", "markup")
            yield Noise(match.end(2), match.end(), "", "markup")


def _commands(text: str) -> Iterator[Noise]:
    r"""The commands around words, such as "\emph{", and the braces that end them."""
    opened: list[bool] = []
    for match in _pattern("command").finditer(text):
        if match[0] == "}":
            if opened and opened.pop():
                yield Noise(match.start(), match.end(), "", "markup")
        else:
            opened.append(match[0] != "{")
            if opened[-1]:
                yield Noise(match.start(), match.end(), "", "markup")


def _characters(text: str) -> Iterator[Noise]:
    for match in _pattern("character").finditer(text):
        yield Noise(match.start(), match.end(), _TEX_CHARACTERS[match[1]], "markup")


def _code_point(escape: str) -> str:
    point = int(escape[2:], 16)
    return escape if 0xD800 <= point < 0xE000 else chr(point)


def _tag_as_text(tag: str) -> str:
    return "\n" if _pattern("block tag").match(tag) else ""


_editors_notes = _mark("editor's note")

# (a string that must occur for the finder to find anything, the finder)
_FINDERS: tuple[tuple[str, _Finder], ...] = (
    ("&", _markup("entity", lambda entity: html.unescape(html.unescape(entity)))),
    ("<", _raised_tags),
    ("<", _markup("script tag", lambda _: "")),
    ("<", _markup("tag", _tag_as_text)),
    ("](", _markup("link target", lambda _: "]")),
    ("[[", _markup("wiki target", lambda _: "")),
    ("\x1b[", _markup("terminal", lambda _: "")),
    ("[", _reference_marks),
    ("［", _reference_marks),
    ("^", _mark("caret")),
    ("【", _mark("dagger")),
    ("(", _editors_notes),
    ("[", _editors_notes),
    ("(", _author_marks),
    ("[", _author_marks),
    ("\\", _markup("escape", lambda _: "")),
    ("\\u", _markup("code point", _code_point)),
    ("$", _formulas),
    ("\\", _commands),
    ("\\", _characters),
    ("^", _powers),
    ("_{", _indexes),
    ("+-", _markup("ruled line", lambda _: "\n")),
)


def _mojibake(text: str) -> Iterator[Noise]:
    table, pattern = _mojibake_table()
    for match in pattern.finditer(text):
        yield Noise(match.start(), match.end(), table[match[0]], "markup")


@cache
def _mojibake_table() -> tuple[dict[str, str], re.Pattern[str]]:
    """UTF-8 read as Windows-1252, for the characters that prose is full of."""
    points = [
        *range(0xA0, 0x180),
        *range(0x2010, 0x2027),
        0x2032,
        0x20AC,
        0x2122,
        *range(0xFB00, 0xFB05),
    ]
    table = {_garbled(chr(point)): chr(point) for point in points}
    longest_first = sorted(table, key=len, reverse=True)
    return table, re.compile("|".join(map(re.escape, longest_first)))


def _garbled(char: str) -> str:
    # Bytes that Windows-1252 leaves undefined come through as C1 control characters.
    return "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in char.encode())
