"""Characters of symbol fonts, and equations of Office, as plain text.

The tables follow the encodings that Adobe (Symbol) and the Unicode Consortium (Wingdings, in
"Wingdings and Webdings characters", L2/12-368) publish.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from citeguard.language.formulas import grouped, lowered, raised, root_of

_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_UNKNOWN = "\ufffd"
_OFF = ("0", "off", "false")
_WAYS = ("H", "V", "BLTR", "TLBR")  # in which an equation is struck out

# From code 0x20 on; "?" where the font has no character, or one that Unicode has not.
_SYMBOL = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚ"
    "ΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖω"
    "ξψζ{|}∼\ufffd" + _UNKNOWN * 32 + "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄"
    "⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑" + "⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\ufffd〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭\ufffd"
)
_WINGDINGS = (
    " 🖉✂✁👓🕭🕮🕯🕿✆🖂🖃📪📫📬📭🗀🗁🗎🗏🗐🗄⏳🖮🖰🖲🖳🖴🖫🖬✇✍🖎✌🖏👍👎☜☞☜🖗🖐☺😐"
    "☹💣🕱🏳🏱✈☼🌢❄🕆✞🕈✠✡☪☯🕉☸♈♉♊♋♌♍♎♏♐♑♒♓🙰🙵⚫🔾◼🞏🞐❑❒🞟⧫◆❖🞙"
    "⌧⮹⌘🏵🏶🙶🙷"
    "\ufffd⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿🙢🙠🙡🙣🙞🙜🙝🙟∙•⬝⭘🞆🞈🞊🞋🔿▪🞎🟀🟁"
    "★🟋🟏🟓🟑⯐⌖⯎⯏⯑✪✰🕐🕑🕒🕓🕔🕕🕖🕗🕘🕙🕚🕛"
    "⮰⮱⮲⮳⮴⮵⮶⮷🙪🙫🙕🙔🙗🙖🙐🙑🙒🙓⌫⌦⮘⮚⮙⮛⮈⮊⮉⮋🡨🡪🡩🡫🡬🡭🡯🡮🡸🡺🡹🡻🡼🡽🡿🡾"
    "⇦⇨⇧⇩⬄⇳⬁⬀⬃⬂🢬🢭🗶✓🗷🗹\ufffd"
)
_FONTS = {"symbol": _SYMBOL, "wingdings": _WINGDINGS}
# Fonts of signs, by how their names begin; those without a table are not read.
_OF_SIGNS = (
    "symbol webdings wingdings zapfdingbats itczapfdingbats marlett mtextra monotypesorts"
    " bookshelfsymbol"
).split()
# Fonts of letters, whose names begin like those of signs.
_OF_WORDS = ("symbola", "symbolneu")
_SIGNS = str.maketrans("🡨🡪🡩🡫🗶🗷🗹☒", "←→↑↓✗☒☑☒")  # as more fonts have them
_FIRST, _PRIVATE = 0x20, 0xF000


def symbol(code: int, font: str) -> str:
    """Return the character that a font draws for a code; U+FFFD if nobody knows which.

    Args:
        code: The code, from 0x20 to 0xFF, also in the private use area, from U+F020 on; any other
            is that of a character of Unicode.
        font: The name of the font.

    Examples:
        >>> symbol(0xF06D, "Symbol"), symbol(0xFE, "Wingdings"), symbol(0xE001, "Own")
        ('μ', '☑', '\ufffd')
    """
    table = _table(font)
    # Office writes the codes of such fonts from U+F000 on, or as they are.
    place = code - _PRIVATE if _PRIVATE <= code <= _PRIVATE + 0xFF else code
    if table is not None and _FIRST <= place <= 0xFF:
        found = table[place - _FIRST] if place - _FIRST < len(table) else _UNKNOWN
        return found.translate(_SIGNS)
    private = 0xE000 <= code <= 0xF8FF or not 0 < code < 0x110000 or 0xD800 <= code < 0xE000
    return _UNKNOWN if private else chr(code)


def as_shown(text: str, font: str) -> str:
    """Return a text as a font shows it: a symbol font shows signs in place of letters."""
    if _table(font) is None:
        return text
    return "".join(each if each.isspace() else symbol(ord(each), font) for each in text)


@lru_cache(1_000)
def _table(font: str) -> str | None:
    """Return the signs of a font, none if they are unknown; `None` for a font of letters."""
    name = re.sub(r"\(.*|[-\s]", "", font.lower()).removesuffix("regular")
    name = "symbol" if name in ("symbolmt", "symbolps") else name
    if name in _FONTS:
        return _FONTS[name]
    return "" if name.startswith(tuple(_OF_SIGNS)) and not name.startswith(_OF_WORDS) else None


# -- Equations


def linear(math: Any, text_of: Callable[[Any], str], struck: Callable[[str], str]) -> str:  # noqa: C901 - one case each
    """Return an equation (`m:oMath` of OMML) on one line: `a²+b²=c²`, `(a+b)/2`, `√(x+1)`.

    What is drawn above, below or beside something else keeps a sign that says so, so that a power
    is no number: `x^n`, `x_i`. Parts with no sign of their own are written one after another.

    Args:
        math: The element.
        text_of: Returns the text of a run (`m:r`), which may be hidden.
        struck: Returns what becomes of a text that is struck out.
    """
    tag = math.tag
    if not isinstance(tag, str) or tag.endswith(("}del", "}moveFrom")):
        return ""
    if tag == f"{_M}r":
        return text_of(math)

    def inside(element: Any) -> str:
        return _joined((each.tag, linear(each, text_of, struck)) for each in element)

    def part(name: str) -> str:
        found = math.find(f"{_M}{name}")
        return "" if found is None else inside(found).strip()

    def value(name: str, usual: str = "") -> str:
        found = math.find(f"{tag}Pr/{_M}{name}")
        return usual if found is None else found.get(f"{_M}val") or ""

    def scripts() -> str:
        return lowered(part("sub")) + raised(part("sup"))

    match tag.removeprefix(_M):
        case "sSup":
            return grouped(part("e")) + raised(part("sup"))
        case "sSub":
            return grouped(part("e")) + lowered(part("sub"))
        case "sSubSup":
            return grouped(part("e")) + scripts()
        case "sPre":
            return scripts() + part("e")
        case "f" if value("type") == "noBar":
            return f"({part('num')} choose {part('den')})"
        case "f":
            return f"{grouped(part('num'))}/{grouped(part('den'), in_fraction=True)}"
        case "rad":
            return root_of(part("e"), part("deg"))
        case "nary":
            return f"{value('chr', '∫')}{scripts()} {grouped(part('e'))}"
        case "d":
            parts = [inside(e) for e in math.findall(f"{_M}e")]
            return value("begChr", "(") + value("sepChr", "|").join(parts) + value("endChr", ")")
        case "func":
            return f"{part('fName')} {part('e')}"
        case "limLow":
            return part("e") + lowered(part("lim"))
        case "limUpp":
            return part("e") + raised(part("lim"))
        case "acc":
            return part("e") + value("chr", "\u0302")
        case "bar":
            return part("e") + ("\u0305" if value("pos", "bot") == "top" else "\u0332")
        case "m" | "eqArr":
            rows = math.findall(f"{_M}mr") or [math]
            cells = [[inside(e) for e in row.findall(f"{_M}e")] for row in rows]
            lines = ["; ".join(row) for row in cells]
            return f"[{' | '.join(lines)}]" if tag == f"{_M}m" else lines[0]
        case "phant" if value("show", "1") in _OFF:
            return ""
        case "borderBox" if any(value(f"strike{way}", "0") not in _OFF for way in _WAYS):
            return struck(part("e"))
        case name if name.endswith("Pr"):
            return ""
        case _:
            return inside(math)


def _joined(parts: Iterable[tuple[Any, str]]) -> str:
    """Return the parts of an equation, with blanks where they would read as one number or word."""
    text, before = "", f"{_M}r"
    for tag, part in parts:
        if {tag, before} != {f"{_M}r"} and re.search(r"[0-9A-Za-z]\Z", text):
            text += " " * bool(re.match(r"[0-9]" if before == f"{_M}r" else r"[0-9A-Za-z]", part))
        text, before = text + part, tag if part else before
    return text
