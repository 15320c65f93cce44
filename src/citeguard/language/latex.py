r"""Reads LaTeX and Texinfo as printed: "\emph{not}", "$x^{2} \leq 5$", "Poincar\'e", "@code{x}"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from citeguard.language.citations import compiled, raised
from citeguard.language.markup import Kind, Noise, Reader, replacing
from citeguard.language.scripts import HANGUL, IDEOGRAPHS

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
_TEXINFO = (
    "code|command|samp|var|file|option|env|kbd|key|dfn|cite|emph|strong|asis|acronym|abbr|email"
    "|url|uref|p?x?ref|math|verb|dmn|sc|[birtw]"
)
_TEXINFO_LINE = (
    r"@(?<![^\n]@)(?:itemx?|noindent|table|(?:sub){0,2}(?:section|chapter|heading)"
    r"|(?:end|c)\b[^\n]*)\b"
)
_ACCENTS = dict(zip(
    "`'^\"~=.uvHtcdbkr",
    "\u0300\u0301\u0302\u0308\u0303\u0304\u0307\u0306\u030c\u030b\u0361\u0327\u0323\u0331\u0328\u030a",
    strict=True,
))  # fmt: skip

# What only LaTeX has; `\'e` alone may be the "'" of a string in code: "l\'eau".
_EVIDENCE = (
    r"\\[`^\"~=][a-z{]|\\'(?:\{|\\i|[a-z](?![a-z]))|\\(?-i:[cvHu])\{[a-z]\}"
    r"|\\(?:emph|text|cite|ref|begin|section|label|item)|\$[^$\n]{0,80}\\[a-z]"
)
# "$x^2$", but not "$5 and $6".
_FORMULA = r"\$(?<![\\$\w]\$)(\$?)(?=\S)([^$\n]{1,300})(?<=[^\s\\])\$\1(?![\w$])"
_IN_FORMULA = r"\\[a-z]|[_^{=]|[<>]|[+-]?\d*[a-z]['′]?\Z"
# Letters one by one, with figures and operators; figures alone, where another formula shows it.
_TERMS = r"(?=[^a-z]*[a-z])(?:[a-z](?![^\W_])|[\d\s,.;:/()\[\]'′*+−-])+"
_FIGURE = r"[+−-]?\d[\d.,{}]*(?:\\?%)?"
_END = r"\d{1,4}(?:[.,]\d{1,3})?"  # of a range
_ACCENT = (
    r"\\(?<!\\\\)(?:(?P<sign>[`'^\"~=.])|(?P<letter>(?-i:[uvHtcdbkr]))(?=\{|\s[a-z])\s?)"
    r"(?:\{\s?(?P<inside>\\[ij]|[a-z])\s?\}|(?P<base>\\[ij](?![a-z])\s?|[a-z]))"
)
_CHARACTER = (
    rf"\\(?<![:\\]\\)(?-i:({_NAMES}))(?![a-z])(?:\{{\}})?"
    # The blank that ends the name of a letter in a word.
    r"(?:(?<=\\ss|\\ae|\\oe|\\aa)\s(?=[a-z])|(?<=\\[olij])\s(?=[a-z]))?"
)
# A word or figure, the tie, another word. A range ("10~20", "월~금") is none, nor is a formula of
# statistics ("X~N(0,1)", "lm(y~x)"), a call of a destructor ("a.~B()") or a backup ("a.~1~").
_LETTER = rf"[^\W\d_{IDEOGRAPHS}{HANGUL}]"
_TIE = (
    rf"~(?:(?<={_LETTER}{{2}}~)|(?<={_LETTER}~)(?<![^\s~(]{_LETTER}~)|(?<={_LETTER}\.~)"
    r"|(?<=\d~)(?!\d)|(?<=[)\]}$]~))"
    rf"(?=[\d\\$(°%‰µ§]|{_LETTER})(?!{_LETTER}+\(|\d+~(?!\w))(?<!~~)"
)
# These are ties in any text: before figures and formulas, behind an abbreviation.
_SURE_TIE = (
    rf"~(?:(?:(?<={_LETTER}{{3}}~)|(?<={_LETTER}\.~))(?=[\d\\$])|(?<={_LETTER}~)(?=[\\$]))"
    r"(?!\d+~(?!\w))"
)
_CALL, _LONGEST_CALL = r"\w\([^()\s]*\Z", 40
# What only LaTeX has: "Fig.~3", "et~al.", "5~kg".
_EVIDENT_TIE = (
    rf"~(?:(?<={_LETTER}\.~)(?<!\w\.{_LETTER}\.~)(?:\d(?!\d*~)|{_LETTER}(?!\w*\())|(?<=\bet~)al\b"
    r"|(?<=\d~)(?:°|[µ%]|(?:[kmcµ]?[glmVWJs]|[kMG]?Hz|[kMG]B)\b))"
)


def _is_latex(text: str) -> bool:
    return compiled(_EVIDENCE).search(text) is not None


def _formulas(text: str) -> Iterator[Noise]:
    """The signs around formulas, and the digits below their letters."""
    pairs = [*compiled(_FORMULA).finditer(text)]
    have_terms = [
        bool(compiled(_IN_FORMULA).search(match[2]) or compiled(_TERMS).fullmatch(match[2]))
        for match in pairs
    ]
    is_latex = any(have_terms)
    for match, has_terms in zip(pairs, have_terms, strict=True):
        if has_terms or (is_latex and compiled(_FIGURE).fullmatch(match[2])):
            yield Noise(match.start(), match.end(1), "", "markup")
            for below in compiled(r"_(?<=[\w)\]}]_)(\d)(?!\w)").finditer(text, *match.span(2)):
                yield Noise(below.start(), below.end(), below[1], "markup")
            yield Noise(match.end(2), match.end(), "", "markup")


def _braced(command: str, kind: Kind) -> Reader:
    r"""Return a reader of commands, such as "\emph{": a mark with what is in its braces."""

    def reader(text: str) -> Iterator[Noise]:
        if not compiled(command).search(text):
            return
        opened: list[int | None] = []
        for match in compiled(rf"{command}|\{{|\}}").finditer(text):
            if match[0] != "}":
                opened.append(match.start() if match[0] != "{" else None)
                if kind == "markup" and match[0] != "{":
                    yield Noise(match.start(), match.end(), "", kind)
            elif opened and (start := opened.pop()) is not None:
                yield Noise(start if kind == "mark" else match.start(), match.end(), "", kind)

    return reader


def _characters(text: str) -> Iterator[Noise]:
    for match in compiled(_CHARACTER).finditer(text):
        yield Noise(*_with_braces(match), _CHARACTERS[match[1]], "markup")


def _with_braces(match: re.Match[str]) -> tuple[int, int]:
    r"""Return the interval of a match with the braces around it: "Stra{\ss}e"."""
    text, (start, end) = match.string, match.span()
    braced = text.startswith("{", start - 1) and text.startswith("}", end) and start > 0
    return (start - 1, end + 1) if braced else (start, end)


def _accents(text: str) -> Iterator[Noise]:
    is_latex: bool | None = None  # until an accent needs to know
    last_quote = text.rfind('\\"')
    for match in compiled(_ACCENT).finditer(text):
        sign = match["sign"] or match["letter"]
        base = (match["inside"] or match["base"]).strip().removeprefix("\\")
        letter = unicodedata.normalize("NFC", base + _ACCENTS[sign])
        if len(letter) > 1 or (sign == '"' and base not in "aeiouyAEIOUY"):
            continue
        start, end = _with_braces(match)
        before, after = text[start - 1 : start], text[end : end + 1]
        # A quotation of JSON: '\"a lot\"'.
        quotes = sign == '"' and not before.isalpha() and start == match.start()
        if quotes and (last_quote > start or not after.isalpha()):
            continue
        if sign == "'" and match["base"] and after.isalpha():
            is_latex = _is_latex(text) if is_latex is None else is_latex
            if not is_latex:
                continue
        yield Noise(start, end, letter, "markup")


def _ties(text: str) -> Iterator[Noise]:
    is_latex = compiled(_EVIDENT_TIE).search(text) or _is_latex(text)
    for match in compiled(_TIE if is_latex else _SURE_TIE).finditer(text):
        start = match.start()
        if not compiled(_CALL).search(text, max(0, start - _LONGEST_CALL), start):
            yield Noise(start, start + 1, " ", "markup")


def _ranges(text: str) -> Iterator[Noise]:
    """The dash between the ends of a range: of "5--3", the second dash may be a sign."""
    for match in compiled(rf"--(?:(?<=\d--)|(?<=\d\$--))\$?({_END})(?![\d-])").finditer(text):
        start = match.start()
        before = compiled(rf"(?:\A|[^\d.,-])({_END})\$?\Z").search(text[max(0, start - 10) : start])
        ends = [float(end[1].replace(",", ".")) for end in (before, match) if end]
        if len(ends) == 2 and ends[0] < ends[1]:
            yield Noise(start, start + 2, "–", "markup")


def _raised_letter(match: re.Match[str]) -> str:
    letter = match[1] or "n"
    return "ⁿ" if letter == "n" else f"^{letter}"


def _texinfo_character(match: re.Match[str]) -> str:
    return {"dots": "…", "copyright": "©", "minus": "−"}.get(match["name"], match[0][1:])


def _fraction(match: re.Match[str]) -> str:
    blank = " " if match.string[match.start() - 1 : match.start()].isdecimal() else ""
    return f"{blank}{match[1]}/{match[2]}"


READERS: tuple[tuple[str | tuple[str, ...], Reader], ...] = (
    ("$", _formulas),
    ("\\", _accents),
    ("\\", replacing(r"\\[dt]?frac\s?\{([\w.]{1,12})\}\s?\{([\w.]{1,12})\}", _fraction)),
    ("\\", replacing(r"\\sqrt\s?\{(\w{1,12})\}", lambda match: f"√{match[1]}")),
    ("\\", _braced(r"\\(?:footnote|thanks|marginpar)\{", "mark")),
    (
        "\\",
        replacing(
            r"\\(?:[a-z]{0,5}cite[a-z]{0,8})\*?(?:\[(?:[^\[\]]{0,80})\]){0,2}\{[^{}]{1,300}\}"
            r"|\\(?:label|index|vspace|hspace|(?:page|eq|auto|name|v|c)?ref)\*?\{[^{}]{0,200}\}",
            kind="mark",
        ),
    ),
    ("\\", _braced(rf"\\(?<![\w:\\]\\)(?:{_STYLES})\s?\{{", "markup")),
    ("\\", _characters),
    ("\\", replacing(r"\\[,;:! ](?=[\d\\%$]|[^\W\d_])", "\u2009")),
    (
        "^",
        replacing(
            r"\^(?<=[\w)\]}]\^)(?:\{\s?([-+−]?\d{1,4})\s?\}|(\d)(?![\w^]|\.\d))",
            lambda match: raised(match[1] or match[2]),
        ),
    ),
    # "2^14", "10^-4", "R^n" in plain text.
    (
        "^",
        replacing(
            r"\^(?:(?<=\d\^)|(?<=[)\]}]\^)|(?<![^\W_][a-z]\^)(?<=[a-z]\^))"
            r"([-+−]?\d{1,4}(?![\w^]|\.\d))",
            lambda match: raised(match[1]),
        ),
    ),
    (
        "^",
        replacing(r"\^(?<=[\w)\]}]\^)(?:(?-i:n)(?!\w)|\{\s?([a-z]{1,12})\s?\})", _raised_letter),
    ),
    (
        "_",
        replacing(
            r"_(?<=[\w)\]}]_)\{(\w{1,12})\}",
            lambda match: match[1] if match[1].isdecimal() else f"_{match[1]}",
        ),
    ),
    ("{", replacing(r"\{(?<=\d\{)([.,])\}(?=\d)", lambda match: match[1])),
    ("~", _ties),
    ("@", _braced(rf"@(?:{_TEXINFO})\{{", "markup")),
    (("@footnote{",), _braced(r"@footnote\{", "mark")),
    ("@", replacing(r"@(?:(?P<name>dots|copyright|minus)\{\}|[@{}])", _texinfo_character)),
    ("@", replacing(_TEXINFO_LINE, "\n")),
    (("--",), _ranges),
)
