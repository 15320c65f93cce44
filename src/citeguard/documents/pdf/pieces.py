"""Pieces of lines: characters of a page that stand side by side, with the spaces between words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from citeguard.documents.pdf.characters import Characters, Flags, Font
from citeguard.documents.pdf.frame import Floats

# All of these are parts of the size of the font.
_LEVEL = 0.12  # baselines that differ by less are one
_GAP = 0.7  # what stands so far apart may stand in two columns
_BACK = 0.5  # what steps back so far goes on elsewhere
_WORD_GAP = 0.2  # what parts words where the file has no spaces, ...
_MADE_GAP = 0.06  # ... and where PDFium takes it for a space, too
_SPACED_WORD_GAP = 0.25  # what parts words where the file has spaces
REAL_GAP = -0.05  # below it a space in the file is none to the eye
_LETTER_GAP = 0.08  # letters that stand so far apart are letterspaced

_SPACED = 0.03  # spaces for each character: a page with more has its spaces in the file
_LETTERSPACED = 0.6  # of the gaps of a piece
_FEWEST_LETTERSPACED = 4  # characters


@dataclass(slots=True, eq=False)
class Piece:
    """Characters that stand side by side on one line, and no other column between them.

    Places are in points from the upper left, for a reader to whom the piece stands upright.

    Attributes:
        text: The characters, with a space between two words.
        lefts: Where each starts.
        rights: Where each ends.
        left: Where the piece starts.
        right: Where it ends.
        top: Where it starts, from above.
        bottom: Where it ends, from above.
        baseline: Where its line runs.
        size: Of its font.
        font: How it looks.
        spaced: Whether the file has a space before it.
    """

    text: str
    lefts: Floats
    rights: Floats
    left: float
    right: float
    top: float
    bottom: float
    baseline: float
    size: float
    font: Font
    spaced: bool

    @property
    def width(self) -> float:
        """How wide it is."""
        return self.right - self.left

    @property
    def middle(self) -> float:
        """How far its middle is from above."""
        return self.baseline - 0.3 * self.size


def cut_into_pieces(characters: Characters, fonts: Sequence[Font]) -> list[Piece]:
    """Return the pieces of lines that characters make up, in the file's order."""
    gaps = _gaps(characters)
    starts = _starts(characters, gaps)
    words = _word_starts(characters, gaps, starts)
    return list(_pieces(characters, fonts, starts, words))


def _gaps(characters: Characters) -> Floats:
    """Return the gap before each character but the first, as parts of the larger size."""
    lefts, rights = characters.lefts, characters.rights
    gaps = lefts[1:] - rights[:-1]
    codes = characters.codes
    leftward = ((codes >= 0x590) & (codes < 0x900)) | ((codes >= 0xFB1D) & (codes < 0xFF00))
    if leftward.any():
        both = leftward[1:] & leftward[:-1]
        gaps = np.where(both, lefts[:-1] - rights[1:], gaps)
    return gaps / np.maximum(characters.sizes[1:], characters.sizes[:-1])


def _starts(characters: Characters, gaps: Floats) -> NDArray[np.int64]:
    sizes = characters.sizes
    tall = np.maximum(sizes[1:], sizes[:-1])
    elsewhere = (
        (np.abs(np.diff(characters.baselines)) > _LEVEL * tall) | (gaps > _GAP) | (gaps < -_BACK)
    )
    return np.concatenate(([0], np.flatnonzero(elsewhere) + 1))


def _word_starts(characters: Characters, gaps: Floats, starts: NDArray[np.int64]) -> Flags:
    """Return before which characters a space belongs."""
    gaps = np.concatenate(([np.inf], gaps))
    gaps[starts] = 0
    gaps -= _letterspacing(gaps, starts)
    in_file = characters.spaced & (gaps > REAL_GAP)
    if characters.spaced.sum() > _SPACED * len(characters):
        words = in_file | (gaps > _SPACED_WORD_GAP)
    else:
        made = characters.parted & (gaps > 0) & (gaps + _overhang(gaps) > _MADE_GAP)
        words = in_file | (gaps > _WORD_GAP) | made
    words[starts] = False
    return words


def _overhang(gaps: Floats) -> Floats:
    """Return, for each gap, how far the boxes beside it overlap those beyond: an f hangs over."""
    over = np.pad(np.maximum(-gaps, 0), 1)
    return over[:-2] + over[2:]


def _letterspacing(gaps: Floats, starts: NDArray[np.int64]) -> Floats:
    """Return, for each character, the gap that parts the letters of its piece without a reason."""
    counts = np.diff(np.append(starts, len(gaps)))
    wide = np.add.reduceat((gaps > _LETTER_GAP).astype(np.int64), starts)
    usual = np.zeros(len(starts))
    letterspaced = (wide > _LETTERSPACED * (counts - 1)) & (counts >= _FEWEST_LETTERSPACED)
    for piece in np.flatnonzero(letterspaced):
        first = starts[piece]
        usual[piece] = np.median(gaps[first + 1 : first + counts[piece]])
    return np.repeat(usual, counts)


def _pieces(
    characters: Characters, fonts: Sequence[Font], starts: NDArray[np.int64], words: Flags
) -> Iterator[Piece]:
    count = len(characters)
    places = np.arange(count) + np.cumsum(words)
    total = count + int(words.sum())
    codes = np.full(total, ord(" "), np.uint32)
    lefts, rights = np.empty(total), np.empty(total)
    codes[places], lefts[places], rights[places] = (
        characters.codes,
        characters.lefts,
        characters.rights,
    )
    after = np.flatnonzero(words)
    spaces = places[after] - 1
    edges = np.sort(np.stack((characters.rights[after - 1], characters.lefts[after])), axis=0)
    lefts[spaces], rights[spaces] = edges
    text = codes.astype("<u4").tobytes().decode("utf-32-le")
    ends = np.append(starts[1:], count)
    looks = [
        _lighter(fonts[int(first)], fonts[int(last)])
        for first, last in zip(
            characters.fonts[starts].tolist(), characters.fonts[ends - 1].tolist(), strict=True
        )
    ]
    firsts, lasts = places[starts].tolist(), (places[ends - 1] + 1).tolist()
    yield from map(
        Piece,
        [text[first:last] for first, last in zip(firsts, lasts, strict=True)],
        [lefts[first:last] for first, last in zip(firsts, lasts, strict=True)],
        [rights[first:last] for first, last in zip(firsts, lasts, strict=True)],
        np.minimum.reduceat(characters.lefts, starts).tolist(),
        np.maximum.reduceat(characters.rights, starts).tolist(),
        np.minimum.reduceat(characters.tops, starts).tolist(),
        np.maximum.reduceat(characters.bottoms, starts).tolist(),
        characters.baselines[starts].tolist(),
        characters.sizes[(starts + ends - 1) // 2].tolist(),
        looks,
        characters.spaced[starts].tolist(),
    )


def _lighter(one: Font, other: Font) -> Font:
    """Return the font that is not bold, if one is not."""
    return other if one.bold else one
