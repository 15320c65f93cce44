"""Characters as they are meant: each once, accents on their letters, nothing that nobody sees."""

from __future__ import annotations

import unicodedata

import numpy as np

from citeguard.documents.pdf.characters import Characters

# All of these are parts of the size of the font.
_SAME_PLACE = 0.1  # what is drawn so close to the same character is drawn twice
_LEVEL = 0.12  # baselines that differ by less are one
_BESIDE = 0.5  # what is so near stands beside

_ACCENTS = dict(  # as characters of their own, and as such that combine with a letter
    zip(
        map(ord, "¨´`^ˆ~˜¯˘˙˚¸ˇ˛˝"),
        "\u0308\u0301\u0300\u0302\u0302\u0303\u0303\u0304\u0306\u0307\u030a\u0327\u030c\u0328\u030b",
        strict=True,
    )
)
_DOTLESS = {0x131: "i", 0x237: "j"}
_SOFT_HYPHEN = 0xAD
_OVERLAP = 0.5  # of its width: an accent that is so much over a letter belongs to it
_MOST_ACCENTS = 1_000  # of a page, which are looked for among all its characters


def clean(characters: Characters) -> Characters:
    """Return characters without what a reader does not see, or sees as one.

    Left out are characters outside the page, those that are drawn twice, and soft hyphens at which
    no line ends; an accent is put on its letter, and the letters of a ligature share its box.
    """
    for step in (_parted_pieces, _shown, _drawn_once, _without_soft_hyphens, _composed):
        if len(characters):
            characters = step(characters)
    return characters


def _shown(characters: Characters) -> Characters:
    """Leave out what stands outside the page."""
    middle = (characters.lefts + characters.rights) / 2
    height = (characters.tops + characters.bottoms) / 2
    inside = (middle >= 0) & (middle <= characters.width)
    inside &= (height >= 0) & (height <= characters.height)
    return characters if inside.all() else characters.where(inside)


def _parted_pieces(characters: Characters) -> Characters:
    """Give each letter that PDFium made of one ligature a part of the ligature's box."""
    lefts, rights = characters.lefts, characters.rights
    same = (lefts[1:] == lefts[:-1]) & (rights[1:] == rights[:-1])
    same &= characters.baselines[1:] == characters.baselines[:-1]
    if not same.any():
        return characters
    starts = np.flatnonzero(np.concatenate(([True], ~same)))
    counts = np.diff(np.append(starts, len(lefts)))
    order = np.arange(len(lefts)) - np.repeat(starts, counts)
    widths = (rights - lefts) / np.repeat(counts, counts)
    characters.lefts = lefts + widths * order
    characters.rights = characters.lefts + widths
    return characters


def _drawn_once(characters: Characters) -> Characters:
    """Leave out characters that are drawn a second time in the same place, to look bold."""
    tolerance = _SAME_PLACE * characters.sizes
    rows = np.rint(characters.baselines / np.maximum(np.median(characters.sizes), 1))
    order = np.lexsort((characters.lefts, rows, characters.codes))
    ahead, behind = order[1:], order[:-1]
    again = (
        (characters.codes[ahead] == characters.codes[behind])
        & (np.abs(characters.lefts[ahead] - characters.lefts[behind]) < tolerance[ahead])
        & (np.abs(characters.baselines[ahead] - characters.baselines[behind]) < tolerance[ahead])
    )
    if not again.any():
        return characters
    kept = np.ones(len(characters), bool)
    kept[np.maximum(ahead[again], behind[again])] = False
    return characters.where(kept)


def _without_soft_hyphens(characters: Characters) -> Characters:
    """Leave out the soft hyphens at which no line ends: nothing shows there."""
    soft = np.flatnonzero(characters.codes[:-1] == _SOFT_HYPHEN)
    if not len(soft):
        return characters
    apart = np.abs(characters.lefts[soft + 1] - characters.rights[soft])
    level = np.abs(characters.baselines[soft + 1] - characters.baselines[soft])
    near = (apart < _BESIDE * characters.sizes[soft]) & (level < _LEVEL * characters.sizes[soft])
    kept = np.ones(len(characters), bool)
    kept[soft[near]] = False
    characters.lefts[soft[near] + 1] = characters.lefts[soft[near]]  # no gap stays behind
    return characters.where(kept)


def _composed(characters: Characters) -> Characters:
    """Make one character of an accent and the letter that it is drawn over.

    Where there is no such character, the accent follows the letter as one that combines with it.
    """
    accents = np.flatnonzero(np.isin(characters.codes, list(_ACCENTS)))
    if not len(accents):
        return characters
    order = np.arange(len(characters), dtype=np.float64)
    for place in accents[:_MOST_ACCENTS].tolist():
        letter = _under(characters, place)
        if letter is None or np.isnan(order[letter]):
            continue
        characters.spaced[letter] |= characters.spaced[place] and letter == place + 1
        code = int(characters.codes[letter])
        accent = _ACCENTS[int(characters.codes[place])]
        composed = unicodedata.normalize("NFC", _DOTLESS.get(code, chr(code)) + accent)
        if len(composed) == 1:
            characters.codes[letter] = ord(composed)
            order[place] = np.nan
        elif chr(code).isalpha():
            _put_over(characters, place, letter, ord(accent))
            order[place] = letter + 0.5
    kept = np.flatnonzero(~np.isnan(order))
    return characters.where(kept[np.argsort(order[kept], kind="stable")])


def _put_over(characters: Characters, place: int, letter: int, accent: int) -> None:
    """Make a character an accent without width at the end of a letter."""
    for name in ("rights", "tops", "bottoms", "baselines", "sizes", "fonts"):
        places = getattr(characters, name)
        places[place] = places[letter]
    characters.lefts[place] = characters.rights[letter]
    characters.codes[place] = accent
    characters.spaced[place] = characters.parted[place] = False


def _under(characters: Characters, accent: int) -> int | None:
    """Return the place of the letter that an accent is drawn over."""
    left, right = characters.lefts[accent], characters.rights[accent]
    size = characters.sizes[accent]
    common = np.minimum(right, characters.rights) - np.maximum(left, characters.lefts)
    depth = characters.baselines - characters.baselines[accent]
    common[(depth < -_LEVEL * size) | (depth > _BESIDE * size)] = 0
    common[accent] = 0
    letter = int(np.argmax(common))
    return letter if common[letter] > _OVERLAP * (right - left) else None
