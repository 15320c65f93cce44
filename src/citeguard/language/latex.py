r"""Reads LaTeX as it is printed: "Theorem~4.2", "\emph{not}", "$x^{2} \leq 5$", "Poincar\'e"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Literal

from citeguard.language.markup import Noise, Reader, raised, replacing

# What LaTeX writes for a character. Letters may follow the Greek ones only after a brace or blank.
_CHARACTERS = {
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
        " ldots dots cdots ell hbar quad qquad item par newline noindent".split(),
        [*"εθφ×÷±∓·≤≤≥≥≠≠≈∼≡∞∂∇∑∏∫√∈∉⊂⊆∪∩∀∃¬→→←⇒⇔↔∝°°………ℓℏ", *"  \n\n\n", ""], strict=True,
    )),
    **dict(zip(
        "ss ae AE oe OE o O l L aa AA i j dh th S P euro pounds copyright textendash textemdash"
        " textquoteright textquotedblleft textquotedblright textbackslash".split(),
        "ßæÆœŒøØłŁåÅıȷðþ§¶€£©–—’“”\\", strict=True,
    )),
    **{name: name for name in "log ln exp sin cos tan max min lim sup inf det dim gcd arg".split()},
}  # fmt: skip
_NAMES = "|".join(sorted(_CHARACTERS, key=len, reverse=True))
# Commands around words that are printed. Those that strike words out are not among them.
_STYLES = (
    "text(?:bf|it|rm|sf|sc|tt|sl|up|normal|superscript|subscript)?|emph|underline|uline|math(?:rm"
    "|bf|it|sf|tt|bb|cal|frak|scr)|operatorname|boldsymbol|mbox|hbox|mathop|ensuremath|enquote"
    "|(?:sub){0,2}section|chapter|paragraph|title|caption|href\\{[^{}]{0,300}\\}"
)
_ACCENTS = dict(zip(
    "`'^\"~=.uvHtcdbkr",
    "\u0300\u0301\u0302\u0308\u0303\u0304\u0307\u0306\u030c\u030b\u0361\u0327\u0323\u0331\u0328\u030a",
    strict=True,
))  # fmt: skip

_PATTERNS = {
    # "$x^2$", but not "$5 and $6".
    "formula": r"\$(?<![\\$\w]\$)(\$?)(?=\S)([^$\n]{1,300})(?<=[^\s\\])\$\1(?![\w$])",
    "in a formula": r"\\[a-z]|[_^{=]|[<>]|(?:[+-]?\d*[a-z]['′]?|[a-z]\([a-z]\))\Z",
    "digit below": r"_(?<=[\w)\]}]_)(\d)(?!\w)",
    "command": rf"\\(?<![\w:\\]\\)(?:{_STYLES})\s?\{{|[{{}}]",
    "character": (
        rf"\\(?<![:\\]\\)(?-i:({_NAMES}))(?![a-z])(?:\{{\}})?"
        # The blank that ends the name of a letter in a word.
        r"(?:(?<=\\ss|\\ae|\\oe|\\aa)\s(?=[a-z])|(?<=\\[olij])\s(?=[a-z]))?"
    ),
    "power": r"\^(?<=[\w)\]}]\^)(?:\{\s?([-+−]?\d{1,4})\s?\}|(\d)(?![\w^]|\.\d))",
    # "2^14", "10^-4", "R^n" in plain text.
    "plain power": (
        r"\^(?:(?<=\d\^)|(?<=[)\]}]\^)|(?<![^\W_][a-z]\^)(?<=[a-z]\^))"
        r"([-+−]?\d{1,4}(?![\w^]|\.\d))"
    ),
    "letter above": r"\^(?<=[\w)\]}]\^)(?:(?-i:n)(?!\w)|\{\s?([a-z]{1,12})\s?\})",
    "root": r"\\sqrt\s?\{(\w{1,12})\}",
    "index": r"_(?<=[\w)\]}]_)\{(\w{1,12})\}",
    "fraction": r"\\[dt]?frac\s?\{([\w.]{1,12})\}\s?\{([\w.]{1,12})\}",
    "accent": (
        r"\\(?<!\\\\)(?:(?P<sign>[`'^\"~=.])|(?P<letter>(?-i:[uvHtcdbkr]))(?=\{|\s[a-z])\s?)"
        r"(?:\{\s?(?P<inside>\\[ij]|[a-z])\s?\}|(?P<base>\\[ij](?![a-z])\s?|[a-z]))"
    ),
    # What only LaTeX has; `\'e` alone may be the "'" of a string in code: "l\'eau".
    "evidence": (
        r"\\[`^\"~=][a-z{]|\\'(?:\{|\\i|[a-z](?![a-z]))|\\(?-i:[cvHu])\{[a-z]\}"
        r"|\\(?:emph|text|cite|ref|begin|section|label|item)|\$[^$\n]{0,80}\\[a-z]"
    ),
    "cite": (
        r"\\(?:[a-z]{0,5}cite[a-z]{0,8})\*?(?:\[(?:[^\[\]]{0,80})\]){0,2}\{[^{}]{1,300}\}"
        r"|\\(?:label|index|vspace|hspace)\*?\{[^{}]{0,200}\}"
    ),
    "tie": r"~(?:(?<=[^\W\d_]{3}~)|(?<=[^\W\d_]\.~))(?=[\d\\$]|[^\W\d_])",
    "space": r"\\[,;:! ](?=[\d\\%$]|[^\W\d_])",
    # The dash of a range, and the number before it.
    "range": r"--(?<=\d--)(\d{1,4})(?![\d-])",
    "number before": r"(?:\A|[^\d-])(\d{1,4})\Z",
    "note": r"\\(?:footnote|thanks|marginpar)\{|[{}]",
}  # fmt: skip


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name], re.IGNORECASE | re.MULTILINE)


def _powers(text: str) -> Iterator[Noise]:
    for match in _pattern("power").finditer(text):
        yield Noise(match.start(), match.end(), raised(match[1] or match[2]), "markup")
    for match in _pattern("plain power").finditer(text):
        yield Noise(match.start(), match.end(), raised(match[1]), "markup")
    for match in _pattern("letter above").finditer(text):
        letter = match[1] or "n"
        yield Noise(match.start(), match.end(), "ⁿ" if letter == "n" else f"^{letter}", "markup")


def _indexes(text: str) -> Iterator[Noise]:
    for match in _pattern("index").finditer(text):
        number = match[1].isdecimal()
        yield Noise(match.start(), match.end(), match[1] if number else f"_{match[1]}", "markup")


def _formulas(text: str) -> Iterator[Noise]:
    """The signs around formulas, and the digits below their letters."""
    for match in _pattern("formula").finditer(text):
        if _pattern("in a formula").search(match[2]):
            yield Noise(match.start(), match.end(1), "", "markup")
            for below in _pattern("digit below").finditer(text, match.start(2), match.end(2)):
                yield Noise(below.start(), below.end(), below[1], "markup")
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


def _notes(text: str) -> Iterator[Noise]:
    opened: list[int] = []
    for match in _pattern("note").finditer(text):
        if match[0] != "}":
            opened.append(match.start() if match[0] != "{" else -1)
        elif opened and (start := opened.pop()) >= 0:
            yield Noise(start, match.end(), "", "mark")


def _characters(text: str) -> Iterator[Noise]:
    for match in _pattern("character").finditer(text):
        yield Noise(*_braced(text, match), _CHARACTERS[match[1]], "markup")


def _braced(text: str, match: re.Match[str]) -> tuple[int, int]:
    r"""Return the interval of a match with the braces around it: "Stra{\ss}e"."""
    start, end = match.span()
    braced = text.startswith("{", start - 1) and text.startswith("}", end) and start > 0
    return (start - 1, end + 1) if braced else (start, end)


def _fractions(text: str) -> Iterator[Noise]:
    for match in _pattern("fraction").finditer(text):
        blank = " " if text[match.start() - 1 : match.start()].isdecimal() else ""
        yield Noise(match.start(), match.end(), f"{blank}{match[1]}/{match[2]}", "markup")


def _roots(text: str) -> Iterator[Noise]:
    for match in _pattern("root").finditer(text):
        yield Noise(match.start(), match.end(), f"√{match[1]}", "markup")


def _accents(text: str) -> Iterator[Noise]:
    evidence: bool | None = None
    last_quote = text.rfind('\\"')
    for match in _pattern("accent").finditer(text):
        sign = match["sign"] or match["letter"]
        base = (match["inside"] or match["base"]).strip().removeprefix("\\")
        letter = unicodedata.normalize("NFC", base + _ACCENTS[sign])
        if len(letter) > 1 or (sign == '"' and base not in "aeiouyAEIOUY"):
            continue
        start, end = _braced(text, match)
        before, after = text[start - 1 : start], text[end : end + 1]
        # A quotation of JSON: '\"a lot\"'.
        quotes = sign == '"' and not before.isalpha() and start == match.start()
        if quotes and (last_quote > start or not after.isalpha()):
            continue
        if sign == "'" and match["base"] and after.isalpha():
            if evidence is None:
                evidence = _pattern("evidence").search(text) is not None
            if not evidence:
                continue
        yield Noise(start, end, letter, "markup")


def _ties(text: str) -> Iterator[Noise]:
    evidence: bool | None = None
    for match in _pattern("tie").finditer(text):
        if text[match.end()].isalpha():
            if evidence is None:
                evidence = _pattern("evidence").search(text) is not None
            if not evidence:
                continue
        yield Noise(match.start(), match.end(), " ", "markup")


def _ranges(text: str) -> Iterator[Noise]:
    """The dash between the ends of a range: of "5--3", the second dash may be a sign."""
    for match in _pattern("range").finditer(text):
        start = match.start()
        before = _pattern("number before").search(text[max(0, start - 5) : start])
        if before and int(before[1]) < int(match[1]):
            yield Noise(start, match.start(1), "–", "markup")


def _replacing(name: str, replacement: str, kind: Literal["markup", "mark"] = "markup") -> Reader:
    return replacing(lambda: _pattern(name), replacement, kind)


# (a string that must occur for the reader to find anything, the reader)
READERS: tuple[tuple[str, Reader], ...] = (
    ("$", _formulas),
    ("\\", _accents),
    ("\\", _fractions),
    ("\\sqrt", _roots),
    ("\\", _notes),
    ("\\", _replacing("cite", "", "mark")),
    ("\\", _commands),
    ("\\", _characters),
    ("\\", _replacing("space", "\u2009")),
    ("^", _powers),
    ("_{", _indexes),
    ("~", _ties),
    ("--", _ranges),
)
