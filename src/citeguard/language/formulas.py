r"""Formulas on one line: how the readers of files write them, and LaTeX read as the same.

That form has `a²`, `x_i`, `∑_(i=1)^n`, `√(x+1)` and `(a+b)/c`, with brackets around what is more
than one number, sign or name. `find_signs` reads LaTeX and Unicode's small letters as this form, no
brackets where they say nothing, and signs where they make another value: a formula is one text,
whoever wrote it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import NamedTuple

_SIGNS = "0123456789+-−–=()"
SUPERSCRIPTS = str.maketrans(_SIGNS, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾")
"""The superscript of each digit and sign, for `str.translate`."""
SUBSCRIPTS = str.maketrans(_SIGNS, "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎")
"""The subscript of each digit and sign, for `str.translate`."""
_NUMBERS = re.compile(r"[0-9+−=()-]+(?:\s?,\s?[0-9]+)*")
# "12", "1–3", "4,7", "a"
_NOTES = re.compile(r"[0-9]{1,3}(?:\s?[,–—-]\s?[0-9]{1,3})*|[a-z]")
_RANGE = re.compile(r"[0-9]\s?[–—-]\s?[0-9]")


def superscript(text: str) -> str:
    """Return raised text as plain text that does not read as part of the word before it.

    Numbers become superscripts; a range of numbers, which marks notes, is put in brackets. Words
    stay as they are: 4th.

    Examples:
        >>> ["word" + superscript(text) for text in ("3", "-1", "1–3", "th")]
        ['word³', 'word⁻¹', 'word[1–3]', 'wordth']
    """
    if _NOTES.fullmatch(text) and _RANGE.search(text):
        return note_mark(text)
    return raised_digits(text) if _NUMBERS.fullmatch(text) else text


def raised_digits(text: str) -> str:
    """Return a text with its digits and signs as superscripts."""
    return text.translate(SUPERSCRIPTS)


def note_mark(text: str) -> str:
    """Return the mark of a note as plain text: numbers or one letter in brackets, else unchanged.

    Examples:
        >>> [note_mark(text) for text in ("12", "a", "[12]", "†")]
        ['[12]', '[a]', '[12]', '†']
    """
    return f"[{text}]" if _NOTES.fullmatch(text) else text


def subscript(text: str) -> str:
    """Return lowered text as plain text: numbers as subscripts, else unchanged.

    Examples:
        >>> [f"CO{subscript('2')}", f"x{subscript('max')}"]
        ['CO₂', 'xmax']
    """
    return text.translate(SUBSCRIPTS) if _NUMBERS.fullmatch(text) else text


def grouped(text: str, *, in_fraction: bool = False) -> str:
    """Return a part of a formula in brackets, unless it is one number, sign or name."""
    is_one = text.isalnum() and not (in_fraction and text[:1].isdigit() and not text.isdigit())
    return text if is_one or len(text) < 2 or re.fullmatch(r"\d+\.\d+", text) else f"({text})"


def raised(text: str) -> str:
    """Return an exponent: `²`, `^n`, `^(n+1)`."""
    plain = superscript(text)
    return plain if plain != text or not text else f"^{grouped(text)}"


def lowered(text: str) -> str:
    """Return an index: `₂`, `_i`."""
    plain = subscript(text)
    return plain if plain != text or not text else f"_{grouped(text)}"


def root_of(text: str, degree: str = "") -> str:
    """Return a root on one line: `√16`, `∛(x+1)`, `root⁵x`."""
    sign = {"": "√", "2": "√", "3": "∛", "4": "∜"}.get(degree)
    return f"{sign or f'root{raised(degree)}'}{grouped(text, in_fraction=True)}"


# -- Reading


class Sign(NamedTuple):
    """A half-open interval of a text that reads as `shown`."""

    start: int
    end: int
    shown: str


_FRACTIONS = frozenset("frac dfrac tfrac cfrac binom".split())
_ACCENTS = {
    **dict.fromkeys(("bar", "overline"), "\u0304"),
    **{"hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303"},
    **{"dot": "\u0307", "ddot": "\u0308", "vec": "\u20d7", "underline": "\u0332"},
}
_LOOKS = "text mathrm mathbf mathit mathsf mathcal mathbb boldsymbol operatorname"
ARGUMENTS = frozenset((*_FRACTIONS, *_ACCENTS, *_LOOKS.split(), "sqrt"))
"""The commands of LaTeX whose arguments `find_signs` reads."""
_SYMBOLS = {
    **dict(
        zip(
            "times pm mp cdot cdots ldots dots div ast circ leq le geq ge neq ne approx sim simeq"
            " cong equiv propto ll gg in notin subset subseteq cup cap emptyset forall exists to"
            " rightarrow leftarrow Rightarrow Leftarrow leftrightarrow Leftrightarrow mapsto sum"
            " prod int oint partial nabla infty prime perp parallel mid lvert rvert langle rangle"
            " ell hbar".split(),
            "×±∓·⋯……÷∗∘≤≤≥≥≠≠≈∼≃≅≡∝≪≫∈∉⊂⊆∪∩∅∀∃→→←⇒⇐↔⇔↦ΣΠ∫∮∂∇∞′⊥∥|||⟨⟩ℓℏ",
            strict=True,
        )
    ),
    **{name: name for name in "log ln exp sin cos tan lim max min det arg".split()},
    **{"O": "Ø", "o": "ø", "top": "T", **dict.fromkeys(("displaystyle", "limits"), "")},
    **dict.fromkeys(("quad", "qquad", ""), " "),
}
_LIFTED = {"∘": "°", "′": "′"}  # signs that LaTeX raises: "90^\circ"
LOWERED_LETTERS = "ₐₑₒₓₔₕₖₗₘₙₚₛₜᵢⱼ"
"""Small letters of Unicode that are lowered."""
_OF_NOTES = "ᵃᵇᶜᵈᵉᶠᵍʰʲˡᵒʳˢᵘᵛʷ"  # they may mark notes, outside of formulas
RAISED_LETTERS = f"ⁿⁱᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴾᴿᵀᵁᵂᵏᵐᵖᵗˣʸᶻᵅᵝᵞᵟ{_OF_NOTES}"
"""Letters of Unicode that are raised."""
ONE_LETTER = r"(?<![^\WΑ-Ωα-ω])(?<!\\)[^\W\d_]"
"""Matches a letter that is a whole name, before its index."""
_GREEK = (
    "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau"
    "|upsilon|phi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Phi|Psi|Omega"
)
SPELLED = (
    rf"(?<![\w\\])(?:(?:{_GREEK})(?=_[^\W_]{{1,3}}(?!\w))|(?:{_GREEK}|sum|prod|int)(?=_[{{(]))"
)
"""Matches the name of a Greek letter or large sign that has an index, as plain text has it."""
INDEX = rf"(?<={ONE_LETTER})_(?:({_GREEK})(?!\w)|(?!\d+(?!\w))(?=[^\W_]{{1,3}}(?!\w)|∞))"
"""Matches the mark of a short index of one letter, and an index that is a name."""
_BASE = re.compile(rf"(?:{ONE_LETTER}|\\([a-zA-Z]+))\Z")
# Without such a sign nearby, "a_b" is a name in code.
_OF_FORMULA = re.compile(r"[\\=+−<>≤≥≈≠∼~^*/×·∈∑∏∫√∂∇α-ω]")
_NEAR = 12  # characters from an index to a sign of its formula
_LONGEST_NAME = 20  # characters of a command
# Characters of an argument, and arguments within each other; both bound the time that braces take.
_LONGEST, _DEEPEST = 300, 8
# "\left(", "\bigr)", "\alpha ", "\,x"
_COMMAND = re.compile(
    r"\\(?:(?:left|right|[bB]ig{1,2}[lr]?)(?:\.|(?=[ ]?[(\[|)\]\\<>/]))"
    r"|([a-zA-Z]+)(?:[ ](?=\S))?|[,;:!](?=\S))"
)
_DEGREE = re.compile(r"\[(\d)\]")  # "\sqrt[3]{x}"
_START = re.compile(r"\\[a-zA-Z,;:!]|(?<=[\w)}\]∑∏∫])[_^][{\\]")
_BRACE = re.compile(r"\\.|([{}])", re.DOTALL)
_LINEAR = re.compile(
    # Small letters of Unicode, the stroke of an average.
    rf"(?P<low>[₀-₉]*(?:,?[ᵢⱼₐ-ₜ][₀-₎ᵢⱼₐ-ₜ]*)+)|(?<=[\w)])(?P<high>⁻?[{RAISED_LETTERS}][⁰-⁾²³¹{RAISED_LETTERS}]*)"
    r"|(?P<stroke>\u0305)"
)
_OPENING, _CLOSING = "⎛⎞"  # what brackets that make a value read as
AT_BRACKET = r"[-−–·×*/√∛^_] ?\(|\) ?[/^²³⁰-⁹]|\)\}\{|(?<![^\W\d])\([^()\n]{1,20}/"
"""Matches a bracket that may make another value, or may say nothing."""
_BRACKETS = re.compile(r"[()]|\n\s*\n")
_NAME = re.compile(r"\\[a-zA-Z]+[ ]?")
# A word of prose, or a sign that no formula has.
_NO_FORMULA = re.compile(r"[^\W\d_]{5}|[;:?\"“”§%$€]")
_INNER, _SOLID = re.compile(r"[(⎛][^()⎛⎞]*[)⎞]"), "□"  # a whole in brackets, and what it is here
# "2.5", "n", "√x₁", "f□" for "f(x+1)"
_FACTOR = re.compile(rf"[√∂∇]?(?:[\d.]+|[^\W\d_]{{1,4}}[\d₀-₉]*(?:[_^][^\W_]+)?{_SOLID}?|{_SOLID})")
_ADDS = re.compile(r"[-+−–±=<>≤≥/]")
# What makes a bracket count: "3·(a+b)", "1/(a+b)", "√(a+b)", "x^(a+b)".
_BEFORE = re.compile(r"(?P<times>[-−–·×*])[ ]?\Z|(?P<over>/)[ ]?\Z|(?P<of>[√∛^_])\Z")
# What is before brackets around a fraction that say nothing, and what is not behind them.
_BEFORE_FACTOR = re.compile(r"(?:^|[=≈≡<>≤≥+−–)-]|(?<!\*)[·×*])[ ]{0,2}\Z")
_BINDS = re.compile(r"[ ]?(?:\*\*|[√\[\\⁄∕÷:!%])")
_LONGEST_OVER = 20  # characters of its upper part
_BEHIND = re.compile(r"\)(?:(?P<under>[ ]?/|\}\{)|\^(?!\W)|[²³⁰-⁹])")
_POWER = re.compile(r"[²³¹⁰-⁻ⁿ]+")
_GOES_ON = re.compile(r"[\w)\]}√^/]\Z")  # before what is no start of a fraction


def _brackets(text: str) -> Iterator[Sign]:
    """Yield the brackets of formulas that say nothing, and those that make another value."""
    opened: list[int] = []
    if not re.search(AT_BRACKET, text):
        return
    for match in _BRACKETS.finditer(text):
        end = match.start()
        if match[0] == "(":
            opened.append(end)
        elif match[0] != ")":
            opened.clear()
        elif opened and end - (start := opened.pop()) <= _LONGEST:
            yield from _pair(text, start, end)


def _pair(text: str, start: int, end: int) -> Iterator[Sign]:
    inside = _NAME.sub("", text[start + 1 : end])
    if _NO_FORMULA.search(inside):
        return
    before = _BEFORE.search(text, max(0, start - 2), start)
    behind = _BEHIND.match(text, end)
    kind = before.lastgroup if before else ""
    under = behind is not None and behind["under"] is not None
    if behind is None and kind in ("", "times") and _is_factor(text, start, end, inside):
        apart = " " * (text[end + 1 : end + 2].isalnum() or text[end + 1 : end + 2] == "(")
        yield from (Sign(start, start + 1, ""), Sign(end, end + 1, apart))
        return
    if not (before or behind):
        return
    is_name = kind == "of" and text[start - 1] in "^_" and inside.isalpha() and len(inside) > 1
    if is_name or _is_bare(text[start - 1 : start], inside, over=under, under=kind == "over"):
        signs = "", ""
    elif kind in ("over", "of") or _ADDS.search(_solid(inside), 1):  # not "(≥ 3)"
        signs = _OPENING, _CLOSING
    else:
        return
    yield Sign(start, start + 1, signs[0])
    power = _POWER.match(text, end + 1) if signs[1] else None
    yield Sign(end, power.end() if power else end + 1, signs[1] + (power[0] if power else ""))


def _is_bare(before: str, part: str, *, over: bool, under: bool) -> bool:
    """Return whether a part of a fraction needs no brackets, behind what is before it."""
    part = _solid(part)
    if under or before[-1:] == "√":
        return not over and _FACTOR.fullmatch(part) is not None
    return over and not _GOES_ON.search(before[-1:]) and not _ADDS.search(part)


def _is_factor(text: str, start: int, end: int, inside: str) -> bool:
    """Return whether a part in brackets is a fraction that what is behind it is multiplied with.

    Behind a figure, a name or another operator, the brackets make another value: "2(1/2)".
    """
    over, slash, under = _solid(inside).partition("/")
    return (
        bool(over.strip() and slash and under)
        and len(over) <= _LONGEST_OVER
        and not _ADDS.search(over + under)
        and _BEFORE_FACTOR.search(text, max(0, start - 4), start) is not None
        and not _BINDS.match(text, end + 1)
    )


def _solid(part: str) -> str:
    """Return a part of a formula with one sign for what is in brackets."""
    while (shorter := _INNER.sub(_SOLID, part)) != part:
        part = shorter
    return part


def named(name: str) -> str | None:
    """Return the sign or Greek letter of a name, as LaTeX has it."""
    return _SYMBOLS.get(name) or _greek_letter(name)


def formula_parts(text: str, *parts: tuple[int, int]) -> list[str]:
    r"""Return intervals of a text as formulas are read.

    Examples:
        >>> formula_parts(r"E=1-\frac{C_{out}}{C_{in}} \le \sqrt{n}", (0, 4), (4, 40))
        ['E=1-', 'Cout/Cin ≤√n']
    """
    signs = sorted(find_signs(text))
    return [
        _shown(text, start, end, [s for s in signs if start <= s.start and s.end <= end])
        for start, end in parts
    ]


def find_signs(text: str) -> Iterator[Sign]:
    r"""Yield what of a text reads as the form on one line (see the module); places may overlap."""
    latex, end = _Latex(text), 0
    for match in _START.finditer(text):
        if match.start() >= end:
            signs, end = latex.term(match.start(), _DEEPEST)
            yield from signs
    yield from _brackets(text)
    for match in _LINEAR.finditer(text):
        if match["stroke"]:
            yield Sign(*match.span(), _ACCENTS["bar"])
        elif match[0][0] not in _OF_NOTES or _is_exponent(text, *match.span()):
            write = raised if match["high"] else _index_at(text, match.start())
            after = text[match.end() : match.end() + 1]
            apart = " " * (match["low"] is not None and after.isalpha() and after == _plain(after))
            yield Sign(*match.span(), _signed(write(_plain(match[0]))) + apart)


def _is_exponent(text: str, start: int, end: int) -> bool:
    """Return whether raised letters are none of a note, which a word has."""
    has_base = text[start - 1] == ")" or _BASE.search(text, max(0, start - _LONGEST_NAME), start)
    return bool(has_base) and is_in_formula(text, start, end)


def is_in_formula(text: str, start: int, end: int) -> bool:
    """Return whether a sign or Greek letter of a formula is near an index."""
    return _OF_FORMULA.search(text, max(0, start - _NEAR), end + _NEAR) is not None


def _index_at(text: str, at: int) -> Callable[[str], str]:
    """Return how an index at a place is read: without a mark behind one letter, if it is short."""
    base = _BASE.search(text, max(0, at - _LONGEST_NAME), at)
    is_letter = base is not None and (not base[1] or _greek_letter(base[1]) is not None)
    return _bare_index if is_letter and is_in_formula(text, at, at + 1) else lowered


def _bare_index(text: str) -> str:
    is_short = text.isalnum() and len(text) <= 3
    return text if is_short and not text.isdecimal() else lowered(text)


def _plain(script: str) -> str:
    return unicodedata.normalize("NFKC", script).replace("ɑ", "α")


def _signed(brackets: str) -> str:
    return brackets.replace("(", _OPENING).replace(")", _CLOSING)


class _Argument(NamedTuple):
    """What a command is about: where it is, what of it is inside its braces, and its signs."""

    start: int
    end: int
    low: int
    high: int
    signs: list[Sign]
    shown: str

    def between(self, start: int, before: str, after: str) -> list[Sign]:
        """Return its signs, with others from `start` to it, and behind it; a brace is the last."""
        if self.high == self.end:  # without braces
            return [Sign(start, self.end, before + self.shown + after)]
        brace = self.low - 1
        first = [Sign(start, brace, before[:-1])] if start < brace else []
        opening = Sign(brace, self.low, before[-1:] if first else before)
        return [*first, opening, *self.signs, Sign(self.high, self.end, after)]

    def written(self, start: int, whole: str) -> list[Sign]:
        """Return the signs that make it this whole, from `start` on."""
        before, inner, after = whole.partition(self.shown)
        if not inner:
            return [Sign(start, self.end, whole)]
        return self.between(start, _signed(before), _signed(after))


class _Latex:
    """A text with formulas of LaTeX, and where each of its braces is closed."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._closings: dict[int, int] = {}
        opened: list[int] = []
        for match in _BRACE.finditer(text):
            if match[1] == "{":
                opened.append(match.start())
            elif match[1] and opened and match.start() - opened[-1] < _LONGEST:
                self._closings[opened.pop()] = match.start()

    def term(self, at: int, depth: int) -> tuple[list[Sign], int]:
        """Return what a term at a place reads as, and where it ends."""
        sign = self._text[at]
        if sign in "_^" and (script := self._argument(at + 1, depth)):
            is_bare = script.end == at + 2 and not script.shown.isdecimal()
            if is_bare and (sign == "^" or self._text[script.end : script.end + 1].isalnum()):
                return [], script.end  # as others write it too
            write = raised if sign == "^" else _index_at(self._text, at)
            shown = _LIFTED.get(script.shown) or write(script.shown)
            is_name = script.shown[:1].isalpha() and script.end < len(self._text)
            apart = " " * (is_name and self._text[script.end].isalnum())
            return script.written(at, shown + apart), script.end
        if sign == "{" and (group := self._argument(at, depth)):
            return group.between(at, "", ""), group.end
        command = _COMMAND.match(self._text, at)
        if command is None:
            return [], at + 1 + (sign == "\\")
        name, end = command[1], command.end()
        if name is None:
            return [Sign(at, end, "" if end - at > 2 else " ")], end
        if name in ARGUMENTS:
            return self._applied(name, at, end, depth)
        shown = _SYMBOLS.get(name) if name in _SYMBOLS else _greek_letter(name)
        if shown is None or self._text[end : end + 1] == "{":
            return [], end
        signs = [Sign(at, end, shown)]
        while shown and end < len(self._text) and self._text[end] in "_^":  # limits
            found, end = self.term(end, depth)
            signs += found
        return signs, end

    def _applied(self, name: str, at: int, end: int, depth: int) -> tuple[list[Sign], int]:
        degree = _DEGREE.match(self._text, end) if name == "sqrt" else None
        one = self._argument(degree.end() if degree else end, depth)
        if one is None:
            return [], end
        if name == "sqrt":
            return one.written(at, root_of(one.shown, degree[1] if degree else "")), one.end
        other = self._argument(one.end, depth) if name in _FRACTIONS else None
        if other is None:
            return one.between(at, "", _ACCENTS.get(name, "")), one.end
        if name == "binom":
            signs = [*one.between(at, "(", ""), *other.between(one.end, " choose ", ")")]
            return signs, other.end
        over, under = one.shown, other.shown
        if not _is_bare(self._text[:at], over, over=True, under=False):
            over = grouped(over)
        if not _is_bare("/", under, over=False, under=True):
            under = grouped(under, in_fraction=True)
        return [*one.written(at, f"{over}/"), *other.written(one.end, under)], other.end

    def _argument(self, at: int, depth: int) -> _Argument | None:
        text = self._text
        at += text[at : at + 1] == " "
        if at == len(text) or not depth:
            return None
        signs: list[Sign] = []
        low = place = at
        if text[at] == "{":
            if at not in self._closings:
                return None
            low, high = at + 1, self._closings[at]
            place = low
            while place < high:
                found, place = self.term(place, depth - 1)
                signs += found
            end = high + 1
        else:
            signs, high = self.term(at, depth - 1)
            end = high
        return _Argument(at, end, low, high, signs, _shown(text, low, high, signs).strip())


def _shown(text: str, low: int, high: int, signs: list[Sign]) -> str:
    parts: list[str] = []
    for sign in signs:
        parts += (text[low : sign.start], sign.shown)
        low = sign.end
    return "".join((*parts, text[low:high]))


def _greek_letter(name: str) -> str | None:
    name = name.removeprefix("var")
    size = "SMALL" if name.islower() else "CAPITAL"
    try:
        return unicodedata.lookup(f"GREEK {size} LETTER {name.upper().replace('BD', 'D')}")
    except KeyError:
        return None
