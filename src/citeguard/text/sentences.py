"""Sentences of a text, with their offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

Interval = tuple[int, int]  # half-open, code points

_PARAGRAPH = re.compile(r"\S(?:(?!\n[ \t]*\n).)*", re.DOTALL)
# A sentence of a script without spaces ends at its stop, with the closing marks that follow.
_IDEOGRAPHIC_SENTENCE = re.compile(r"[^\s。！？!?][^。！？!?\n]*(?:[。！？!?]+[」』”’）】》]*)?")
# Near first, because to find sentences takes a microsecond a character.
_REACHES = (300, 1_000)
_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


def sentence_intervals(text: str) -> list[Interval]:
    """Return the half-open intervals of a text's sentences, in order and without overlap.

    A blank line always ends a sentence; a line break alone does not, but in Chinese and Japanese,
    which are cut at their stops. Scripts with spaces are cut by syntok, whose rules are for
    English, German and Spanish. White space between sentences belongs to none.

    Examples:
        >>> text = "Dr. Lee agreed. It was late."
        >>> [text[start:end] for start, end in sentence_intervals(text)]
        ['Dr. Lee agreed.', 'It was late.']
    """
    return [
        (start + paragraph.start(), end + paragraph.start())
        for paragraph in _PARAGRAPH.finditer(text)
        for start, end in _in_paragraph(paragraph[0].rstrip())
    ]


def whole_sentences(text: str, start: int, end: int) -> Interval:
    """Return the interval of the sentences that `text[start:end]` touches, which it is always in.

    A sentence that begins or ends more than 1,000 characters away is cut there.

    Examples:
        >>> text = "Dr. Lee agreed. It was late. So be it."
        >>> start, end = whole_sentences(text, 23, 27)
        >>> text[start:end]
        'It was late.'
    """
    low, high = start, end
    for reach in _REACHES:
        # The end of a sentence may be told wrongly; never lose a part of the interval by that.
        low, high = sentences_around(text, start, end, reach) or (start, end)
        low, high = min(low, start), max(high, end)
        # Whole, if something stands before and after it in what was looked at.
        before, after = text[max(0, start - reach) : low], text[high : end + reach]
        if (start <= reach or before.strip()) and (end + reach >= len(text) or after.strip()):
            break
    return low, high


def sentences_around(text: str, start: int, end: int, reach: int) -> Interval | None:
    """Return the interval of the sentences that `text[start:end]` touches; `None` if of none.

    Sentences that begin or end more than `reach` characters away are cut there.
    """
    low = max(0, start - reach)
    touched = [
        (first + low, last + low)
        for first, last in sentence_intervals(text[low : end + reach])
        if first + low < end and last + low > start
    ]
    return (touched[0][0], touched[-1][1]) if touched else None


def _in_paragraph(paragraph: str) -> Iterator[Interval]:
    if _IDEOGRAPH.search(paragraph):
        yield from (match.span() for match in _IDEOGRAPHIC_SENTENCE.finditer(paragraph))
        return
    for sentence in _analyze(paragraph):
        first, last = sentence[0], sentence[-1]
        yield first.offset, last.offset + len(last.value)


class _SyntokToken(Protocol):
    offset: int
    value: str


def _analyze(paragraph: str) -> Iterator[Sequence[_SyntokToken]]:
    from syntok import segmenter  # pyright: ignore[reportMissingTypeStubs]  (loaded when needed)

    analyze: Any = getattr(segmenter, "analyze")  # noqa: B009  (syntok has no types)
    for sentences in analyze(paragraph):
        yield from sentences
