"""Typographic noise: other letters' case, spaces, glyphs and encodings of the same words."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Literal

from .cases import Candidates, Draft, Edit
from .noise import Noise

_LIGATURES = {"ffi": "ﬃ", "ffl": "ﬄ", "ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ", "st": "ﬆ"}
_SPACES = "\u00a0\u2009\u202f\u2002\u2003\u2007\u200a\u3000"
_INVISIBLE = "\u200b\u200c\u200d\ufeff\u2060\u200e\u200f"
_APOSTROPHES = "’ʼ′`´‘＇"
_BREAKS = ("-\n", "-\r\n", "- \n", "\u2010\n", "\u00ad\n", "-\n  ", "-\n\n")
_LINE_ENDS = ("\n", "\n", "\r\n", " \n", "\n    ", "\u2028", "\x0b")
_LOST_CASE = re.compile(r"\b(?:us|US|it|IT|who|WHO|aids|AIDS|may|May|polish|Polish|march|March)\b")


def matches(pattern: str, new: Callable[[re.Match[str], Random], str]) -> Candidates:
    """Make a finder of edits: each match of a pattern, replaced by what a function says."""
    compiled = re.compile(pattern)
    return lambda text, rng: [(*m.span(), new(m, rng)) for m in compiled.finditer(text)]


def substitutes(table: Mapping[str, str | Sequence[str]]) -> Candidates:
    """Make a finder of edits: each key of a table, replaced by one of its values."""
    keys = "|".join(re.escape(key) for key in sorted(table, key=len, reverse=True))
    return matches(keys, lambda m, rng: rng.choice(_as_list(table[m.group()])))


def between(pattern: str, options: Sequence[str]) -> Candidates:
    """Make a finder of insertions before each place that a pattern of no width matches."""
    return matches(pattern, lambda _, rng: rng.choice(options))


def _as_list(value: str | Sequence[str]) -> Sequence[str]:
    """Wrap one string in a list."""
    return [value] if isinstance(value, str) else value


def whole_case(change: Callable[[str], str]) -> Candidates:
    """Make a finder of one edit: every letter of the text, as a function writes it."""
    return lambda text, rng: [(0, len(text), change(text))]


def passage_case(change: Callable[[str], str]) -> Callable[[Draft], Draft]:
    """Change the letters of the passage in the source, and of nothing around it."""

    def on_source(draft: Draft) -> Draft:
        start, end = draft.hull
        return draft.edit_source([(start, end, change(draft.text[start:end]))], "source side")

    return on_source


def keeps_meaning_in_any_case(draft: Draft) -> bool:
    """Tell whether no word of the passage means another thing in other letters."""
    return not _LOST_CASE.search(draft.passage) and draft.passage.isascii()


def first_letter(text: str, rng: Random) -> list[Edit]:
    """Find the first letter, in the other case."""
    return [(0, 1, text[0].swapcase())] if text[0].isalpha() else []


def composed(form: Literal["NFC", "NFD", "NFKC", "NFKD"]) -> Candidates:
    """Make a finder of characters that another Unicode form writes differently."""

    def candidates(text: str, rng: Random) -> list[Edit]:
        return [
            (at, at + 1, unicodedata.normalize(form, char))
            for at, char in enumerate(text)
            if char.isalpha() and unicodedata.normalize(form, char) != char
        ]

    return candidates


def full_width(text: str, rng: Random) -> list[Edit]:
    """Find words and marks that can be written in full-width forms."""
    return [
        (*m.span(), "".join(chr(ord(char) + 0xFEE0) for char in m.group()))
        for m in re.finditer(r"[0-9]+|[A-Za-z]+|[,.!?;:()%]", text)
    ]


def entities(text: str, rng: Random) -> list[Edit]:
    """Find characters that HTML writes as entities, named or numbered."""
    named = {
        "&": "&amp;",
        '"': "&quot;",
        "'": "&#39;",
        "’": "&rsquo;",
        "“": "&ldquo;",
        "–": "&ndash;",
    }
    named |= {
        "”": "&rdquo;",
        "—": "&mdash;",
        "é": "&eacute;",
        "ü": "&uuml;",
        "ö": "&ouml;",
        "á": "&aacute;",
    }
    edits: list[Edit] = []
    for at, char in enumerate(text):
        if char in named or (ord(char) > 127 and char.isprintable()):
            numbered = rng.choice((f"&#{ord(char)};", f"&#x{ord(char):x};"))
            edits.append((at, at + 1, rng.choice((named.get(char, numbered), numbered))))
        elif char == " " and rng.random() < 0.15:
            edits.append((at, at + 1, "&nbsp;"))
    return edits


def unescaped(draft: Draft) -> bool:
    """Tell whether the text has no entities of its own."""
    return html.unescape(draft.text) == draft.text


def breakable(text: str, rng: Random) -> list[Edit]:
    """Find one place in each long word where a typesetter might hyphenate it at a line's end."""
    mark = rng.choice(_BREAKS)
    edits: list[Edit] = []
    for word in re.finditer(r"\b[A-Za-z][a-z]{6,}\b", text):
        places = [
            m.start() + 1
            for m in re.finditer(r"[aeiouylmnrst][bcdfgklmnprstv][aeiou]", word.group())
        ]
        places = [at for at in places if 3 <= at <= len(word.group()) - 3]
        if places:
            at = word.start() + rng.choice(places)
            edits.append((at, at, mark))
    return edits


def wrapped(text: str, rng: Random) -> list[Edit]:
    """Find the spaces at which lines of one width would be broken."""
    width, mark = rng.randint(28, 90), rng.choice(_LINE_ENDS)
    edits: list[Edit] = []
    line_start = rng.randint(-width + 1, 0)
    spaces = [m.start() for m in re.finditer(r"(?<=\S) (?=\S)", text)]
    for here, following in zip(spaces, [*spaces[1:], len(text)], strict=True):
        if following - line_start > width:
            edits.append((here, here + 1, mark))
            line_start = here
    return edits


def wrapped_at_compounds(text: str, rng: Random) -> list[Edit]:
    """Find hyphens of compounds that stand at a line's end."""
    return [(m.end(), m.end(), "\n") for m in re.finditer(r"(?<=[a-z]{3})-(?=[a-z]{3})", text)]


def gaps(text: str, rng: Random) -> list[Edit]:
    """Find spaces that layout stretches: justified lines, columns, tabs."""
    wide = ("  ", "   ", "\t", " " * rng.randint(4, 14), "\t\t")
    return [(m.start(), m.end(), rng.choice(wide)) for m in re.finditer(r"(?<=\S) (?=\S)", text)]


def quotation_marks(left: str, right: str) -> Candidates:
    """Make a finder of double quotation marks, to be written as another pair."""

    def candidates(text: str, rng: Random) -> list[Edit]:
        marks = [m.start() for m in re.finditer(r'["“”]', text)]
        return [
            (at, at + 1, left if at + 1 < len(text) and text[at + 1].isalnum() else right)
            for at in marks
        ]

    return candidates


def any_quotation_marks(text: str, rng: Random) -> list[Edit]:
    """Find double quotation marks, to be written as some other pair throughout."""
    pairs = (
        ("“", "”"),
        ("«", "»"),
        ("«\u00a0", "\u00a0»"),
        ("„", "“"),
        ("``", "''"),
        ("”", "”"),
        ("‟", "”"),
        ("'", "'"),
        ("‘", "’"),
        ("‹", "›"),
    )
    return quotation_marks(*rng.choice(pairs))(text, rng)


_INSIDE = r"(?<=[a-z]{2})(?=[a-z]{2})"
_APOSTROPHE = r"(?<=\w)['’](?=\w)"
_DASH = r"(?<=[a-z]) ?[–—] ?(?=[a-z])|(?<=[a-z]) -{1,2} (?=[a-z])|(?<=[a-z])--(?=[a-z])"

TYPOGRAPHY: dict[str, Noise] = {
    "ws_wrap": Noise(wrapped, 1.0),
    "ws_gaps": Noise(gaps, 0.3),
    "ws_lost_after_mark": Noise(
        matches(r"(?<=[a-z]{2}[,;]) (?=[a-z])", lambda m, r: ""), 0.7, inner=True
    ),
    "glyph_quotes": Noise(any_quotation_marks, 1.0, inner=True),
    "glyph_apostrophe": Noise(matches(_APOSTROPHE, lambda m, r: r.choice(_APOSTROPHES + "'")), 1.0),
    "glyph_dash": Noise(
        matches(
            _DASH, lambda m, r: r.choice((" - ", "—", " — ", "–", " – ", "--", " -- ", "―", " ‒ "))
        ),
        1.0,
    ),
    "glyph_hyphen": Noise(
        matches(r"(?<=[a-z]{2})-(?=[a-z]{2})", lambda m, r: r.choice("‐‑–﹣－")), 1.0
    ),
    "space_glyphs": Noise(matches(r"(?<=\S) (?=\S)", lambda m, r: r.choice(_SPACES)), 0.3),
    "zero_width": Noise(between(r"(?<=\w)(?=\w)|(?<= )(?=\w)", _INVISIBLE), 0.05),
    "soft_hyphen": Noise(between(_INSIDE, "\u00ad"), 0.1),
    "hyphen_break": Noise(breakable, 0.3, sides=("source",)),
    "hyphen_break_compound": Noise(wrapped_at_compounds, 1.0, sides=("source",)),
    "hyphen_break_joined": Noise(
        matches(r"(?<=\b[a-z]{3})(?=[bcdfglmnprt][a-z]{3,}\b)", lambda m, r: "- "),
        0.1,
        sides=("source",),
        most=3,
    ),
    "ligatures": Noise(substitutes(_LIGATURES), 1.0),
    "unicode_nfd": Noise(composed("NFD"), 1.0),
    "full_width": Noise(full_width, 0.3),
    "html_entities": Noise(entities, 1.0, usable=unescaped),
}
