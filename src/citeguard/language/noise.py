"""What is in a text without being its words: markup, escapes, garbled bytes, citation marks.

`find_noise` only finds the places. The search form drops marks and reads entities as the characters
they represent; the guard sees the same places again, in the original.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from citeguard.language import latex, markup
from citeguard.language.citations import SUPERSCRIPTS, pattern, points_to_note, word_before
from citeguard.language.encodings import garbled_utf8
from citeguard.language.markup import Noise, Reader

_LOOK_BACK = 40  # characters before a mark that are looked at
_CONTEXT = 300  # characters on either side of an interval that show what its signs belong to
# A point in the middle is that of a decimal in a text that has some in brackets, as "%" or under
# one: "0·3"; elsewhere it may multiply. "º" is typed for "°".
_DECIMAL_POINT = re.compile(r"(?<=\d)[·‧∙](?=\d)(?!10(?:[\^⁰¹²³⁴⁵⁶⁷⁸⁹⁻]|\s?\*\*))")
_DECIMAL_POINTS = re.compile(r"(?<!\d)0[·‧∙]\d|\d[·‧∙]\d{1,3}(?:\s?%|[)\]]|[–-]\d{1,3}[·‧∙]\d)")
_DEGREE = re.compile(r"º(?=\s?[CF](?!\w))")
# "the *412 court": the page of a reporter; not "*412 words*", which is emphasis.
_STAR_PAGE = re.compile(
    r"\*(?<=[\w.,;:?!”’\")]\s\*)\d{2,4}\s(?=[^\W\d_]|[“\"(])(?![^*\n]{0,200}[^*\s]\*)"
)
_ITEM = re.compile(r"\A\s*\(?\d{1,2}[.)]\s+[\"'“‘(\[]*(?P<first>[^\W\d_])")


def find_noise(text: str) -> list[Noise]:
    """Return the noise of a text, in order, without overlaps (the earlier, longer one wins).

    Examples:
        >>> [(noise.start, noise.replacement) for noise in find_noise("R&amp;D [12]")]
        [(1, '&'), (8, '')]
    """
    found: list[Noise] = []
    if _has_signs(text):
        # One character is found thirty times as fast as two.
        signs = (
            finds
            for sign, finds in _READERS
            if sign[0] in text and sign[-1] in text and sign in text
        )
        readers = {find: None for finds in signs for find in finds}
        found += [noise for find in readers for noise in find(text)]
    if not text[:1].isalpha():
        found += _item_marks(text)
    if " *" in text or "\n*" in text:
        found += [Noise(*m.span(), "", "mark") for m in _STAR_PAGE.finditer(text)]
    if not text.isascii():
        if any(digit in text for digit in SUPERSCRIPTS):
            found.extend(_superscript_marks(text))
            found.extend(_sentence_numbers(text))
        if ("·" in text or "∙" in text or "‧" in text) and _DECIMAL_POINTS.search(text):
            found += [Noise(*m.span(), ".", "markup") for m in _DECIMAL_POINT.finditer(text)]
        if "º" in text:
            found += [Noise(*m.span(), "°", "markup") for m in _DEGREE.finditer(text)]
        found.extend(garbled_utf8(text))
        found.extend(_circled_numbers(text))
        if "เเ" in text:  # two letters that look like the one
            found += [Noise(*each.span(), "แ", "markup") for each in re.finditer("เเ", text)]
    return without_overlaps(found) if found else found


def noise_between(text: str, start: int, end: int) -> list[Noise]:
    """Return the noise of `text[start:end]`, with its offsets there, as what is around it shows."""
    inside = text[start:end]
    if not _has_syntax(inside):
        return find_noise(inside)
    low = max(0, start - _CONTEXT)
    around = [
        replace(noise, start=noise.start + low - start, end=noise.end + low - start)
        for noise in find_noise(text[low : end + _CONTEXT])
    ]
    items = [] if inside[:1].isalpha() else [*_item_marks(inside)]
    return without_overlaps([*items, *_cut_to(around, end - start)])


def _cut_to(around: list[Noise], length: int) -> Iterator[Noise]:
    """Yield the noise of a text's first characters; what is half in it, if it reads as words."""
    for noise in around:
        if noise.start >= 0 and noise.end <= length:
            yield noise
        elif noise.start < length and noise.end > 0 and any(map(str.isalnum, noise.replacement)):
            yield replace(noise, start=max(0, noise.start), end=min(length, noise.end))


def read(text: str) -> str:
    """Return a text with its markup read and its marks omitted."""
    parts: list[str] = []
    position = 0
    for noise in find_noise(text):
        parts += (text[position : noise.start], noise.replacement)
        position = noise.end
    return "".join((*parts, text[position:]))


def _has_signs(text: str) -> bool:
    """Return whether a text has a sign without which no reader finds anything."""
    # Written out, this takes a third of the time of a loop; most texts that are asked about are
    # short, and have none.
    return (
        "(" in text
        or "[" in text
        or "&" in text
        or "+-" in text
        or "--" in text
        or "【" in text
        or "［" in text
        or "《" in text
        or "（" in text
        or _has_syntax(text)
    )


def _has_syntax(text: str) -> bool:
    """Return whether a text has a sign whose meaning depends on what is farther away."""
    return (
        "<" in text
        or "\\" in text
        or "^" in text
        or "$" in text
        or "=" in text
        or "{" in text
        or "}" in text
        or "~" in text
        or "`" in text
        or "\x1b" in text
    )


def without_overlaps(found: list[Noise]) -> list[Noise]:
    """Return noise in order; of overlapping places the earlier, longer one."""
    kept: list[Noise] = []
    for noise in sorted(found, key=lambda n: (n.start, -n.end)):
        if not kept or noise.start >= kept[-1].end:
            kept.append(noise)
    return kept


def _mark(name: Literal["caret", "dagger", "editor's note", "stage direction"]) -> Reader:
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
    if (match := _ITEM.match(text)) and not match["first"].islower():
        yield Noise(match.start(), len(match[0][:-1].rstrip("\"'“‘([")), "", "mark")


def _superscript_marks(text: str) -> Iterator[Noise]:
    for match in pattern("raised").finditer(text):
        if points_to_note(word_before(text, match.start()), match[0]):
            yield Noise(match.start(), match.end(), "", "mark")


# The rare character comes first: so the pattern is looked for many times as fast.
_CIRCLED = re.compile(r"[\u2460-\u2487\u3220-\u3229](?<![^\s：；。，、:;.,].)\s?(?=[^\W\d])")


def _circled_numbers(text: str) -> Iterator[Noise]:
    """Numbers in circles or brackets before the items of a list."""
    for match in _CIRCLED.finditer(text):
        yield Noise(match.start(), match.end(), "", "mark")


_SENTENCE_NUMBER = re.compile(rf"(?<!\S)[{SUPERSCRIPTS}]{{1,2}}(?=[^\W\d_]{{3,}}|§)")


def _sentence_numbers(text: str) -> Iterator[Noise]:
    """Raised numbers before the sentences of a law; an isotope has one or two letters: "³He"."""
    for match in _SENTENCE_NUMBER.finditer(text):
        if text[: match.start()].rstrip()[-1:] in ("", *".;:)"):
            yield Noise(match.start(), match.end(), "", "mark")


def _by_sign(*readers: tuple[str, Reader]) -> tuple[tuple[str, tuple[Reader, ...]], ...]:
    signs = dict.fromkeys(sign for sign, _ in readers)
    return tuple((sign, tuple(find for other, find in readers if other == sign)) for sign in signs)


_editors_notes = _mark("editor's note")
_stage_directions = _mark("stage direction")

# (a string that must occur for the readers to find anything, the readers)
_READERS = _by_sign(
    *markup.READERS,
    *latex.READERS,
    ("[", _reference_marks),
    ("［", _reference_marks),
    ("^", _mark("caret")),
    ("【", _mark("dagger")),
    ("(", _editors_notes),
    ("[", _editors_notes),
    ("(", _stage_directions),
    ("[", _stage_directions),
    ("(", _author_marks),
    ("[", _author_marks),
)
