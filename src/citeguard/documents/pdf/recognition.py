"""Text recognition (OCR) of pages without a text layer, by a function of the user's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from statistics import median

import numpy as np

from citeguard.documents.pdf.characters import Characters, Font
from citeguard.documents.pdf.lines import runs
from citeguard.documents.pdf.unseen import RECOGNISED
from citeguard.errors import CiteguardError
from citeguard.sources.layout import RecognisedWord

SCALE = 300 / 72
"""Pixels per point of the picture: 300 to the inch, for which engines are made."""
MOST_PIXELS = 20_000_000
"""Of a picture; A3 at 300 to the inch has 17 million, and larger pages are drawn smaller."""
NOWHERE = Font("", bold=False, weight=0)
"""The font of text whose place on the page is not known."""
_RECOGNISED = Font("recognised", bold=False, weight=0)

# On a page drawn four times, at 50 to 66 dots an inch with noise, Tesseract 5.3 got 97 % of the
# words with a higher confidence right, and 46 % of the others; at 120 dots no word was below.
_SURE = 0.9
# In parts of the size of the type.
_CAPITAL, _SMALL_LETTER = 0.68, 0.46  # heights of letters above the baseline
_SAME_SIZE = 0.2  # lines whose sizes differ by less have one: boxes are of whole pixels
_LEADING, _LETTER = 1.2, 0.5  # of text without boxes: from line to line, and of a letter
_PLAIN_SIZE = 10.0  # points, of text without boxes
# By what reaches below the baseline, and what is low, boxes of words tell line and size.
_DESCENDING = frozenset("gjpqyQ,;()[]{}|/_$§ç")
_LOW = frozenset("acemnorsuvwxzgpqy.,:;_-–—·")


def recognised(
    found: str | Iterable[RecognisedWord], width: float, height: float, scale: float
) -> Characters | None:
    """Return the characters of a page that text recognition found; `None` for none.

    Those of words with a low confidence are in doubt, and so is all text without boxes.

    Args:
        found: What was found.
        width: The width of the page in points.
        height: Its height in points.
        scale: Pixels of the picture per point.

    Raises:
        CiteguardError: a confidence is not from 0 to 1.
    """
    lines = list(_written(found) if isinstance(found, str) else _lines(found, scale))
    usual = median([size for line, _, size in lines for _ in line] or [_PLAIN_SIZE])
    rows = [
        (ord(character), left, right, top, bottom, baseline, size, spaced, in_doubt)
        for line, baseline, size in lines
        for top, bottom in [(min(word.top for word in line), max(word.bottom for word in line))]
        for word in line
        for character, left, right, spaced in _characters(word)
        for in_doubt in [RECOGNISED * (word.confidence < _SURE)]
    ]
    if not rows:
        return None
    codes, lefts, rights, tops, bottoms, baselines, sizes, spaced, doubts = np.array(rows).T
    return Characters(
        turns=0,
        width=width,
        height=max(height, float(bottoms.max())),
        codes=codes.astype(np.uint32),
        lefts=lefts,
        rights=rights,
        tops=tops,
        bottoms=bottoms,
        baselines=baselines,
        sizes=np.where(np.abs(sizes - usual) < _SAME_SIZE * usual, usual, sizes),
        fonts=np.full(len(codes), isinstance(found, str), np.int64),
        spaced=spaced > 0,
        gapped=np.zeros(len(codes), bool),
        doubts=doubts.astype(np.uint8),
        rules=np.zeros((0, 4)),
    )


FONTS = [_RECOGNISED, NOWHERE]
"""The fonts of `recognised`."""

_Line = tuple[Sequence[RecognisedWord], float, float]  # words, their baseline, their size


def _written(text: str) -> Iterator[_Line]:
    """Yield the lines of a text as if they were printed in type of one width."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            baseline, right = number * _LEADING * _PLAIN_SIZE, len(line) * _LETTER * _PLAIN_SIZE
            word = RecognisedWord(line, 0, baseline - _PLAIN_SIZE, right, baseline)
            yield [word], baseline, _PLAIN_SIZE


def _lines(found: Iterable[RecognisedWord], scale: float) -> Iterator[_Line]:
    """Yield the words line by line, in points."""
    words: list[RecognisedWord] = []
    for each in found:
        text, left, top, right, bottom, confidence = RecognisedWord(*each)
        if not 0 <= confidence <= 1:
            raise CiteguardError(
                f"ocr must return a confidence from 0 to 1, got {confidence!r} for {text!r}"
            )
        box = (left / scale, top / scale, right / scale, bottom / scale)
        if text.strip():
            words.append(RecognisedWord(text, *box, confidence))
    yield from map(_measured, runs(words, lambda line, word: _is_beside(line[-1], word)))


def _is_beside(before: RecognisedWord, word: RecognisedWord) -> bool:
    common = min(before.bottom, word.bottom) - max(before.top, word.top)
    lower = min(before.bottom - before.top, word.bottom - word.top)
    return 2 * common > lower and word.left > before.left


def _measured(line: list[RecognisedWord]) -> _Line:
    """Return a line with its baseline and size, as far as its letters tell."""
    standing = [word.bottom for word in line if _DESCENDING.isdisjoint(word.text)]
    baseline = median(standing or [word.bottom - 0.2 * (word.bottom - word.top) for word in line])
    heights = [
        (baseline - word.top) / (_SMALL_LETTER if _LOW.issuperset(word.text) else _CAPITAL)
        for word in line
    ]
    return line, baseline, max(median(heights), 1.0)


def _characters(word: RecognisedWord) -> Iterator[tuple[str, float, float, bool]]:
    """Yield the characters of a word with their edges, and whether a space is before each."""
    # Engines give the boxes of words: the characters in one share it evenly.
    width = (word.right - word.left) / len(word.text)
    spaced = True
    for place, character in enumerate(word.text):
        if character.isprintable() and not character.isspace():
            yield character, word.left + place * width, word.left + (place + 1) * width, spaced
            spaced = False
        else:
            spaced = True
