"""How sure the reader is that texts answer a question, and with which sentence: `how_answered`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from citeguard.language.sentences import sentence_pieces
from citeguard.reader.model import Reader, is_installed, shipped_reader
from citeguard.reader.windows import windows

_TOO_LONG = -9.0  # the logit of a pair that the reader does not read, as when it was calibrated


class Answered(NamedTuple):
    """How a text answers a question.

    Attributes:
        probability: The calibrated probability that it answers, 0 to 1.
        start: Where the sentence begins that answers best by itself, in code points.
        end: Where it ends, exclusive.
    """

    probability: float
    start: int
    end: int


def how_answered(
    question: str,
    texts: Sequence[str],
    *,
    titles: Sequence[str] = (),
    reader: Reader | None = None,
) -> list[Answered]:
    """Return how each of some texts, by itself, answers a question.

    A text without a word answers nothing: its probability is 0, its sentence empty.

    Args:
        question: The question.
        texts: The texts, of one or a few paragraphs.
        titles: What stands over each of them in its document, as `title_over` returns it.
        reader: The reader; by default the one that ships.

    Raises:
        CiteguardError: The reader cannot be loaded.
    """
    reader = shipped_reader() if reader is None else reader
    found: list[Answered] = []
    intercept, *weights = reader.settings["answers"]["weights"]
    for text, title in zip(texts, titles or [""] * len(texts), strict=True):
        measured = features(question, text, title=title, reader=reader)
        if not measured:
            found.append(Answered(0.0, 0, 0))
            continue
        odds = intercept + sum(one * other for one, other in zip(weights, measured, strict=True))
        pieces = sentence_pieces(text)
        alone = answer_logits(question, [text[start:end] for start, end in pieces], reader=reader)
        (start, end), _ = max(zip(pieces, alone, strict=True), key=lambda each: each[1])
        found.append(Answered(1 / (1 + math.exp(-max(-60.0, min(60.0, odds)))), start, end))
    return found


def features(question: str, text: str, *, title: str = "", reader: Reader) -> list[float]:
    """Return the logits that are weighed: of the best window, the stitched one, the best sentence.

    None for a text without a word.
    """
    found = windows(question, [text], titles=[title])
    read = answer_logits(question, (each.text for each in found), reader=reader)
    return [max(read), read[0], read[-1]] if read else []


def answer_logits(
    question: str, texts: Iterable[str], *, reader: Reader | None = None
) -> list[float]:
    """Return a logit for each text: the higher, the rather it answers the question by itself."""
    reader = shipped_reader() if reader is None else reader
    # As windows are written, so that a sentence that was read is not read again.
    logits = reader.answers([(question, " ".join(text.split())) for text in texts])
    return [_TOO_LONG if math.isnan(logit) else logit for logit in logits.tolist()]


def answered_from(reader: Reader | None = None) -> float:
    """Return the least probability with which a question counts as answered, inclusive."""
    reader = shipped_reader() if reader is None else reader
    return reader.settings["answers"]["thresholds"]["answered_from"]


__all__ = ["Answered", "answer_logits", "answered_from", "how_answered", "is_installed"]
