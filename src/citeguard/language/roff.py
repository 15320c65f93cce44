r"""Reads roff, the source of manual pages, as printed: "\fBls\fR", "\(em", ".BR mount (8)"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from citeguard.language.citations import compiled
from citeguard.language.markup import Noise

_CHARACTERS = dict(zip(
    (
        "em en hy bu co rg tm lq rq Lq Rq oq cq aq Aq dq ha ti rs sl mu +- <= >= != == ~~ ~= de sc"
        " ps -> <- eu Po ss ae AE oe OE /o /O -D Sd TP Tp sq ci *a *b *m if"
    ).split(),
    "—–‐•©®™“”“”‘’''\"^~\\/×±≤≥≠≡≈≅°§¶→←€£ßæÆœŒøØÐðÞþ□○αβμ∞",
    strict=True,
))  # fmt: skip
_ACCENTS = dict(zip("`'^:~,ov", "\u0300\u0301\u0302\u0308\u0303\u0327\u030a\u030c", strict=True))
_FONT = r"\\f(?:(?-i:[BIRPCSHLW1-4])|\((?-i:C[A-Z])|\[(?-i:[A-Z]{0,3})\])"
_NAMED = r"\\\*?(?:\((?P<two>[^\s\\]{2})|\[(?P<name>[^\s\\\[\]]{1,8})\])"
_ESCAPE = (
    rf"{_FONT}|{_NAMED}|\\s(?:[-+]?\d|\[[-+]?\d\])|\\(?P<blank>[ ~0])|\\(?P<empty>[&|^%:/,c)])"
    r"|\\(?P<backslash>e)(?![a-z])|\\\"[^\n]*"
)
# What only roff has: `\&` alone is an ampersand elsewhere.
_EVIDENCE = (
    r"\\f(?-i:[RP]|\(C[A-Z])|\\f\[\]|\\&(?:[.']|(?<=\.\\&))"
    r"|\\[(\[](?-i:em|en|lq|rq|bu|oq|cq|aq|hy)(?!\\\))"
)
_MACRO = r"^\.(?:(?-i:SH|TP|PP|IP|RS|RE|TH|Sh|Pp|It)\b|\\\")"
# Requests whose line is not printed, and those whose arguments are. In prose ".de" is a domain.
_SILENT = "TH|TP|TQ|PP|P|LP|HP|RS|RE|PD|IX|DT|Dd|Dt|Os|Bl|Bd"
_SPACING = "ad|br|fi|hy|in|na|ne|nf|nh|sp|ti"
_PRINTED = (
    "B|I|R|BR|BI|IR|IB|RB|RI|SM|SB|SH|SS|IP|UR|UE|MT|ME|SY|YS|OP|EX|EE|Nm|Nd|Sh|Ss|Pp|El|Ed|It|Fl"
    "|Ar|Cm|Op|Xr|Dq|Sq|Em|Sy|Pa|Ev|Dv|Va|Li|Ql|Fn|Ic"
)
_REQUEST = (
    rf"^\.(?-i:(?:{_SILENT})(?=[ \t]|$)[^\n]*|(?:{_SPACING})(?=[ \t]*$|[ \t]+[-+]?\d)[^\n]*"
    rf"|\\\"[^\n]*|(?:{_PRINTED})(?:[ \t]+|$))"
)
_INDENT = r"^\.IP[ \t][^\n]{0,200}?([ \t]\d{1,3})[ \t]*$"


def escapes(text: str) -> Iterator[Noise]:
    """Fonts, sizes and characters in a text that is roff."""
    if not compiled(_EVIDENCE).search(text) and not (
        "\n." in text and compiled(_MACRO).search(text)
    ):
        return
    for match in compiled(_ESCAPE).finditer(text):
        read = _read(match)
        if read is not None:
            yield Noise(match.start(), match.end(), read, "markup")


def _read(escape: re.Match[str]) -> str | None:
    """Return what an escape is printed as; `None` if it is unknown."""
    if escape["blank"]:
        return "\u00a0"
    if escape["backslash"]:
        return "\\"
    name = escape["two"] or escape["name"]
    if name is None:
        return ""
    if compiled(r"u[0-9a-f]{4}").fullmatch(name):
        return chr(int(name[1:], 16))
    if name in _CHARACTERS:
        return _CHARACTERS[name]
    letter = unicodedata.normalize("NFC", name[1:] + _ACCENTS.get(name[0], "  "))
    return letter if len(letter) == 1 else None


def requests(text: str) -> Iterator[Noise]:
    """Requests at the start of a line, with the arguments that are not printed."""
    for match in compiled(_REQUEST).finditer(text):
        yield Noise(match.start(), match.end(), "\n", "markup")
    for match in compiled(_INDENT).finditer(text):
        yield Noise(match.start(1), match.end(1), "", "markup")
