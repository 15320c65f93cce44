"""Harmless noise of Chinese, Japanese, German and Arabic typography."""

from __future__ import annotations

import re
from random import Random

from .noise import Noise
from .typography import composed, matches, substitutes

_CJK = r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]"
_FULL_DIGITS = str.maketrans("0123456789", "０１２３４５６７８９")
_CJK_MARKS = {
    "，": (",", ", "),
    "。": (".", "｡"),
    "：": (":", ": "),
    "；": (";", "; "),
    "？": ("?",),
    "！": ("!",),
    "（": ("(", " ("),
    "）": (")", ") "),
    "、": ("､",),
    "“": ("「", "『", '"'),
    "”": ("」", "』", '"'),
    "「": ("“", "『", '"', "｢"),
    "」": ("”", "』", '"', "｣"),
    "《": ("〈", "<"),
    "》": ("〉", ">"),
}
_HARAKAT = "\u064e\u064f\u0650\u0651\u0652"
_ARABIC_MARKS = {"،": ",", "؟": "?", "؛": ";", "«": ("“", '"', "„"), "»": ("”", '"', "“")}


def _cjk_fixed_pairs(m: re.Match[str], rng: Random) -> str:
    return rng.choice(_CJK_MARKS[m.group()])


def _page_breaks(*breaks: str) -> Noise:
    """Make a noise that breaks a page between two characters."""
    place = f"(?<={_CJK}{{2}})(?={_CJK}{{2}})"
    return Noise(
        matches(place, lambda m, r: r.choice(breaks)), 0, sides=("source",), inner=True, most=1
    )


CJK_NOISES: dict[str, Noise] = {
    "spaces": Noise(
        matches(f"(?<={_CJK})(?={_CJK})", lambda m, r: r.choice((" ", " ", "\u3000", "\u2009"))),
        0.2,
    ),
    "lines": Noise(
        matches(
            f"(?<={_CJK})(?={_CJK})", lambda m, r: r.choice(("\n", "\n", "\r\n", "\n\u3000\u3000"))
        ),
        0.06,
    ),
    "marks": Noise(matches("[" + "".join(_CJK_MARKS) + "]", _cjk_fixed_pairs), 1.0, inner=True),
    "digits": Noise(matches(r"\d+", lambda m, r: m.group().translate(_FULL_DIGITS)), 1.0),
    "page": _page_breaks(
        "\n\n12\n\n", "\n- 7 -\n", "\n\f", "\n45\n", "\n－ 12 －\n", "\n\n3/20\n\n"
    ),
    "latin_gap": Noise(
        matches(f"(?<={_CJK})(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?={_CJK})", lambda m, r: " "), 1.0
    ),
    "citation": Noise(
        matches(
            f"(?<={_CJK})(?=[，、])", lambda m, r: r.choice(("[1]", "[12]", "［3］", "[2,3]", "²"))
        ),
        0.2,
        inner=True,
    ),
}
GERMAN_NOISES: dict[str, Noise] = {
    "quotes": Noise(
        matches(
            "[„“»«]",
            lambda m, r: {
                "„": r.choice('»"“'),
                "“": r.choice('«"”'),
                "»": r.choice('„"'),
                "«": r.choice('“"'),
            }[m.group()],
        ),
        1.0,
        inner=True,
    ),
    "nfd": Noise(composed("NFD"), 1.0),
    "hyphenation": Noise(
        matches(
            r"(?<=\b[A-Za-zäöü]{4})(?=[bdfgklmnrst][a-zäöü]{3,}\b)",
            lambda m, r: r.choice(("-\n", "\u00ad", "-\n  ")),
        ),
        0.3,
        sides=("source",),
    ),
    "upper": Noise(lambda t, r: [(0, len(t), t.upper())], 1.0, sides=("quote",)),
    "wrap": Noise(matches(r"(?<=\w) (?=\w)", lambda m, r: r.choice(("\n", "\u00a0", " \n"))), 0.2),
    "entities": Noise(
        substitutes({"ä": "&auml;", "ö": "&ouml;", "ü": "&uuml;", "ß": "&szlig;", "–": "&ndash;"}),
        1.0,
        sides=("source",),
    ),
}
ARABIC_NOISES: dict[str, Noise] = {
    "harakat": Noise(
        matches(r"(?<=[\u0628-\u064a])(?=[\u0628-\u064a])", lambda m, r: r.choice(_HARAKAT)), 0.3
    ),
    "tatweel": Noise(
        matches(
            r"(?<=[بتثجحخسشصضطظعغفقكلمنهي])(?=[\u0628-\u064a])", lambda m, r: "ـ" * r.randint(1, 3)
        ),
        0.1,
    ),
    "marks": Noise(substitutes(_ARABIC_MARKS), 1.0, inner=True),
    "direction": Noise(
        matches(r"(?<= )(?=[\u0628-\u064a])", lambda m, r: r.choice("\u200f\u200e\u202b\u061c")),
        0.3,
    ),
    "wrap": Noise(matches(r"(?<=\S) (?=\S)", lambda m, r: r.choice(("\n", "  ", "\u00a0"))), 0.3),
    "presentation": Noise(substitutes({"لا": "ﻻ", "الله": "ﷲ"}), 1.0),
}
