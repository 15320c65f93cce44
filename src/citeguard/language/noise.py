"""What is in a text without being its words: markup, escapes, garbled bytes, citation marks.

`find_noise` only finds the places. The search form drops marks and reads entities as the characters
they represent; the guard sees the same places again, in the original.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from citeguard.language import markup
from citeguard.language.citations import (
    PATTERNS,
    SUPERSCRIPTS,
    compiled,
    pattern,
    points_to_note,
    word_before,
)
from citeguard.language.markup import Noise, Reader, replacing
from citeguard.language.scripts import ZERO_WIDTH

_LONGEST_BRACKETS = 300  # characters in brackets of prose
_UNSEEN = re.compile(f"[{ZERO_WIDTH}]")
_LOOK_BACK = 40  # characters before a mark that are looked at
_CONTEXT = 300  # characters on either side of an interval that show what its signs belong to


def find_noise(text: str) -> list[Noise]:
    """Return the noise of a text, in order, without overlaps (the earlier, longer one wins).

    Examples:
        >>> [(noise.start, noise.replacement) for noise in find_noise("R&amp;D [12]")]
        [(1, '&'), (8, '')]
    """
    if not _UNSEEN.search(text):
        found = _found(text)
    else:  # a mark is one also with a zero-width space in it
        seen = [place for place, char in enumerate(text) if not _UNSEEN.match(char)]
        starts = [*seen, len(text)]
        found = [
            replace(noise, start=starts[noise.start], end=seen[noise.end - 1] + 1)
            for noise in _found("".join(text[place] for place in seen))
            if noise.start < noise.end
        ]
    return without_overlaps(found) if found else found


def _found(text: str) -> list[Noise]:
    """Return the noise of a text as its characters stand there; places may overlap."""
    found: list[Noise] = []
    if signs := _SIGN.findall(text):
        rows = (row for char in dict.fromkeys(signs) for row in _READERS[char])
        readers = dict.fromkeys(reader for sign, reader in rows if sign in text)
        found += [noise for reader in readers for noise in reader(text)]
    if not text[:1].isalpha():
        found += _item_marks(text)
    if not text.isascii():
        found += [noise for reader in _READERS_BEYOND_ASCII for noise in reader(text)]
    return found


def noise_between(text: str, start: int, end: int) -> list[Noise]:
    """Return the noise of `text[start:end]`, with its offsets there, as what is around it shows."""
    inside = text[start:end]
    if not _FAR_SIGN.search(inside):
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
    return read_between(text, 0, len(text))


def read_between(text: str, start: int, end: int) -> str:
    """Return `text[start:end]` with its markup read and its marks omitted."""
    parts: list[str] = []
    position = start
    for noise in noise_between(text, start, end):
        parts += (text[position : start + noise.start], noise.replacement)
        position = start + noise.end
    return "".join((*parts, text[position:end]))


def without_overlaps(found: list[Noise]) -> list[Noise]:
    """Return noise in order; of overlapping places the earlier, longer one."""
    kept: list[Noise] = []
    for noise in sorted(found, key=lambda n: (n.start, -n.end)):
        if not kept or noise.start >= kept[-1].end:
            kept.append(noise)
    return kept


def _is_bracketed_mark(match: re.Match[str]) -> str | None:
    words = (match["cited"] or "").split(maxsplit=1)
    # "(Paris 2024)" is no author.
    is_place = (
        len(words) > 1 and words[1][0].isdigit() and pattern("no surname").fullmatch(words[0])
    )
    return None if is_place else ""


def _is_reference(match: re.Match[str]) -> str | None:
    """Numbers in brackets, but for figures: "95% CI [12, 15]"."""
    text = match.string
    before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    # "[a]" is a mark behind a word; "[a]nd" is an editor's bracket.
    unquoted = before.rstrip("\"'“‘„«")
    apart = not unquoted or unquoted[-1].isspace() or text[match.end() : match.end() + 1].isalnum()
    editorial = match["letter"] and (apart or _is_index(match))
    return None if editorial or pattern("figures before").search(before) else ""


def _is_index(match: re.Match[str]) -> bool:
    """Return whether a letter in brackets is an index: "x[i] + 1", "f(x[i])", "(wax[a])" not."""
    text = match.string
    after = pattern("index after").match(text, match.end())
    if after is None or after[0].strip() != ")":
        return after is not None
    opening = text.rfind("(", max(0, match.start() - _LONGEST_BRACKETS), match.start())
    return opening > 0 and not text[opening - 1].isspace()  # the brackets of a call


def _item_marks(text: str) -> Iterator[Noise]:
    """The number of a list item that the text begins with."""
    if (match := _ITEM.match(text)) and not match["first"].islower():
        yield Noise(match.start(), len(match[0][:-1].rstrip("\"'“‘([")), "", "mark")


_ITEM = re.compile(r"\A\s*\(?\d{1,2}[.)]\s+[\"'“‘(\[]*(?P<first>[^\W\d_])")


def _is_raised_mark(match: re.Match[str]) -> str | None:
    before = word_before(match.string, match.start())
    return "" if points_to_note(before, match[0]) else None


def _is_sentence_number(match: re.Match[str]) -> str | None:
    """Raised numbers before the sentences of a law; an isotope has one or two letters: "³He"."""
    before = match.string[max(0, match.start() - _LOOK_BACK) : match.start()]
    return "" if before.rstrip()[-1:] in ("", *".;:)") else None


def _hanja(match: re.Match[str]) -> str | None:
    """The ideographs in brackets behind a Korean word, one for each syllable."""
    start = match.start()
    word = compiled(r"[\uac00-\ud7a3]{2,10}\Z").search(match.string, max(0, start - 10), start)
    return "" if word and len(word[0]) >= len(match[1]) else None


# A zero that is typed for the sign of an abbreviation: "ई०पू०", "डॉ0".
_HINDI = r"[\u0900-\u0963\u0971-\u097f]"
_LONGEST_ABBREVIATED = 5  # letters and vowel signs


def _abbreviation_sign(match: re.Match[str]) -> str | None:
    start = match.start()
    letters = compiled(rf"{_HINDI}+\Z").search(match.string, max(0, start - _LOOK_BACK), start)
    return "॰" if letters and len(letters[0]) <= _LONGEST_ABBREVIATED else None


# A point in the middle is that of a decimal in a text that has some in brackets, as "%" or under
# one: "0·3"; elsewhere it may multiply.
_POINT = "[·‧∙]"
_DECIMALS = rf"{_POINT}(?:(?<=(?<!\d)0.)\d|(?<=\d.)\d{{1,3}}(?:\s?%|[)\]]|[–-]\d{{1,3}}{_POINT}\d))"


def _decimal_points(text: str) -> Iterator[Noise]:
    if compiled(_DECIMALS).search(text):
        yield from _MIDDLE_POINTS(text)


_MIDDLE_POINTS = replacing(rf"{_POINT}(?<=\d.)(?=\d)(?!10(?:[\^{SUPERSCRIPTS}⁻]|\s?\*\*))", ".")
# A rare character comes first in these patterns: so they are looked for many times as fast.
_READERS: defaultdict[str, list[tuple[str, Reader]]] = defaultdict(list)
for _signs, _reader in (
    *markup.READERS,
    ("[［", replacing(PATTERNS["reference"], _is_reference, "mark")),
    ("^", replacing(PATTERNS["caret"], kind="mark")),
    ("【", replacing(PATTERNS["dagger"], kind="mark")),
    ("\ue200", replacing(PATTERNS["private use"], kind="mark")),
    (("<co",), replacing(PATTERNS["opening tag"], kind="mark")),
    (("</co",), replacing(PATTERNS["closing tag"], kind="mark")),
    ("([", replacing(PATTERNS["bracketed"], _is_bracketed_mark, "mark")),
    (SUPERSCRIPTS, replacing(PATTERNS["raised"], _is_raised_mark, "mark")),
    (
        SUPERSCRIPTS,
        replacing(
            rf"[{SUPERSCRIPTS}](?<!\S.)[{SUPERSCRIPTS}]?(?=[^\W\d_]{{3,}}|§)",
            _is_sentence_number,
            "mark",
        ),
    ),
    # "the *412 court": the page of a reporter; not "*412 words*", which is emphasis.
    (
        "*",
        replacing(
            r"\*(?<=[\w.,;:?!”’\")]\s\*)\d{2,4}\s(?=[^\W\d_]|[“\"(])(?![^*\n]{0,200}[^*\s]\*)",
            kind="mark",
        ),
    ),
    ("·‧∙", _decimal_points),
    ("º", replacing(r"º(?=\s?(?-i:[CF])(?!\w))", "°")),  # typed for "°"
    ("เ", replacing("เเ", "แ")),  # two letters that look like the one
):
    for _sign in _signs:
        _READERS[_sign[0]].append((_sign, _reader))

_READERS_BEYOND_ASCII: tuple[Reader, ...] = (
    replacing(r"[（(](?<=[\uac00-\ud7a3]{2}.)([\u3400-\u9fff]{2,10})[）)]", _hanja, "mark"),
    # Numbers of verses: "﴿٢﴾".
    replacing(r"[\ufd3e\ufd3f]\s?\d{1,3}\s?[\ufd3e\ufd3f]", kind="mark"),
    replacing(rf"[0०](?<={_HINDI}.)(?!\d)", _abbreviation_sign),
    # Numbers in circles before items.
    replacing(r"[\u2460-\u2487\u3220-\u3229](?<![^\s：；。，、:;.,].)\s?(?=[^\W\d])", kind="mark"),
)
_SIGN = re.compile(f"[{re.escape(''.join(_READERS))}]")
# Signs whose meaning depends on what is farther away.
_FAR_SIGN = re.compile(r"[<\\^$={}~`\x1b]|\[[a-zA-Z]{1,10}[\]=]")
