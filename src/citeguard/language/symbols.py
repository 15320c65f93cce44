"""Which symbols carry meaning between the characters around them, as a table of patterns.

The patterns read classes of characters, which `tokens` explains: "d" is a digit, "w" a letter, "c"
a letter of a script without spaces, " " and "t" are spaces.
"""

from __future__ import annotations

import re
from functools import cache

_ANY = ("", "")
# Between numbers, single letters or brackets: "a / b", not "and/or"; emphasis may stand between.
_TERMS = (r"(?:d|\)|(?<!w)w)[*_`]*[ t\n]*\Z", r"[ t\n]*[*_`]*(?:d|\(|w(?!w))")
_NUMBERS = (r"d[ t\n]*\Z", r"[ t\n]*d")
_SIGN = (r"(?:^|[^wdc)\]-])\Z", r"[$.]*d")
_COMPARED = (
    r"[dw)%][ t]*\Z",
    r"[ t\n]*[dwc.-]",
)  # not at the start of a line: Markdown's quotation
_OPENING = (r"^[ t]*\Z", r"[ t]*d")

# What must stand before and after a symbol for it to mean something; one pair is enough.
_MEANINGFUL: dict[str, tuple[tuple[str, str], ...]] = {
    "-": (_NUMBERS, _SIGN, (r"(?:^|[^w])w\Z", r"w(?!w)")),
    "—": (_NUMBERS,),
    ":": ((r"d\Z", r"d"),),
    "/": (_TERMS,),
    "*": (
        (r"(?:d|\)|(?<!w)w)\Z", r"(?:d|\(|w(?!w))"),
        (r"(?:d|\)|(?<!w)w)[ t]\Z", r"[ t](?:d|\(|w(?!w))"),
    ),
    "_": ((r"[dw]\Z", r"[dw]"),),
    "@": ((r"[dw]\Z", r"[dw]"),),
    "!": (("", "="),),
    "^": ((r"[dw)]\Z", r"[dw(-]"),),
    "=": ((r"(?:^|[^=])\Z", r"(?!=)"),),
    "+": (("", "d"), (r"[dw+]\Z", ""), _TERMS),
    "<": (_COMPARED, _OPENING),
    ">": (_COMPARED, _OPENING),
    "#": ((r"w\Z", r"(?!w)"),),
    "′": (("", r"(?!w)"),),
    "~": ((r"(?:^|[^~])\Z", r"(?!~)[ t]?d"),),
}


def symbol_key(symbol: str, before: str, after: str) -> str:
    """Return a symbol, its dashes made one, or "" where it means nothing.

    Args:
        symbol: the symbol itself.
        before: the classes of some characters before it.
        after: the classes of some characters after it.

    Examples:
        >>> symbol_key("—", "wwd", "dd"), symbol_key("/", "www", "ww")
        ('-', '')
    """
    for behind, ahead in _patterns(symbol):
        if behind.search(before) and ahead.match(after):
            return "-" if symbol == "—" else symbol
    return ""


@cache
def _patterns(symbol: str) -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    pairs = _MEANINGFUL.get(symbol, (_ANY,))
    return [(re.compile(before), re.compile(after)) for before, after in pairs]
