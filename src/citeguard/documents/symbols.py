"""Characters of symbol fonts, and equations of Office, as plain text.

The tables follow the encodings that Adobe (Symbol) and the Unicode Consortium (Wingdings, in
"Wingdings and Webdings characters", L2/12-368) publish.
"""

from __future__ import annotations

from typing import Any

from citeguard.documents.document import subscript, superscript

_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_UNKNOWN = "\ufffd"

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
_FONTS = {"symbol": _SYMBOL, "symbol mt": _SYMBOL, "wingdings": _WINGDINGS}
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
    table = _FONTS.get(font.strip().lower())
    place = code - _PRIVATE if _PRIVATE <= code <= _PRIVATE + 0xFF else code
    if table is not None and _FIRST <= place <= 0xFF:
        found = table[place - _FIRST] if place - _FIRST < len(table) else _UNKNOWN
        return found.translate(_SIGNS)
    private = 0xE000 <= code <= 0xF8FF or not 0 < code < 0x110000 or 0xD800 <= code < 0xE000
    return _UNKNOWN if private else chr(code)


def as_shown(text: str, font: str) -> str:
    """Return a text as a font shows it: a symbol font shows signs in place of letters."""
    if font.strip().lower() not in _FONTS:
        return text
    return "".join(symbol(ord(character), font) for character in text)


# -- Equations


def linear(math: Any, text_of: Any) -> str:  # noqa: C901 - one case each
    """Return an equation (`m:oMath` of OMML) on one line: `a²+b²=c²`, `(a+b)/2`, `√(x+1)`.

    What is drawn above, below or beside something else keeps a sign that says so, so that a power
    is no number: `x^n`, `x_i`. Parts with no sign of their own are written one after another.

    Args:
        math: The element.
        text_of: Returns the text of a run (`m:r`), which may be hidden.
    """
    tag = math.tag
    if not isinstance(tag, str):
        return ""
    if tag == f"{_M}r":
        return text_of(math)

    def part(name: str) -> str:
        found = math.find(f"{_M}{name}")
        return "" if found is None else "".join(linear(each, text_of) for each in found).strip()

    def value(name: str, usual: str = "") -> str:
        found = math.find(f"{tag}Pr/{_M}{name}")
        return usual if found is None else found.get(f"{_M}val") or ""

    match tag.removeprefix(_M):
        case "sSup":
            return part("e") + _raised(part("sup"))
        case "sSub":
            return part("e") + _lowered(part("sub"))
        case "sSubSup":
            return part("e") + _lowered(part("sub")) + _raised(part("sup"))
        case "sPre":
            return _lowered(part("sub")) + _raised(part("sup")) + part("e")
        case "f" if value("type") == "noBar":
            return f"({part('num')} choose {part('den')})"
        case "f":
            return f"{_grouped(part('num'))}/{_grouped(part('den'))}"
        case "rad":
            degree = part("deg")
            root = {"": "√", "2": "√", "3": "∛", "4": "∜"}.get(degree)
            return f"{root or f'root{_raised(degree)}'}{_grouped(part('e'))}"
        case "nary":
            return (
                value("chr", "∫")
                + _lowered(part("sub"))
                + _raised(part("sup"))
                + _grouped(part("e"))
            )
        case "d":
            parts = ["".join(linear(each, text_of) for each in e) for e in math.findall(f"{_M}e")]
            return value("begChr", "(") + value("sepChr", "|").join(parts) + value("endChr", ")")
        case "func":
            return f"{part('fName')} {part('e')}"
        case "limLow":
            return part("e") + _lowered(part("lim"))
        case "limUpp":
            return part("e") + _raised(part("lim"))
        case "acc":
            return part("e") + value("chr", "\u0302")
        case "bar":
            return part("e") + ("\u0305" if value("pos", "bot") == "top" else "\u0332")
        case "m" | "eqArr":
            rows = math.findall(f"{_M}mr") or [math]
            cells = [
                ["".join(linear(each, text_of) for each in e) for e in row.findall(f"{_M}e")]
                for row in rows
            ]
            lines = ["; ".join(row) for row in cells]
            return f"[{' | '.join(lines)}]" if tag == f"{_M}m" else lines[0]
        case "phant" if value("show", "1") in ("0", "off", "false"):
            return ""
        case name if name.endswith("Pr"):
            return ""
        case _:
            return "".join(linear(each, text_of) for each in math)


def _grouped(text: str) -> str:
    return text if text.isalnum() or len(text) < 2 else f"({text})"


def _raised(text: str) -> str:
    plain = superscript(text)
    return plain if plain != text or not text else f"^{_grouped(text)}"


def _lowered(text: str) -> str:
    plain = subscript(text)
    return plain if plain != text or not text else f"_{_grouped(text)}"
