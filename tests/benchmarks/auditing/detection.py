"""How often audits find answers with something wrong in them, and the wrong words themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from citeguard.verifier.model import Model

from ..tables import table
from .detectors import (
    OPEN,
    WRONG,
    Detector,
    Piece,
    Sentences,
    audited,
    by_scores,
    by_trust,
    by_verdicts,
    by_words,
)
from .material import Answer
from .measuring import Counts, best_border, counted, interval, overlap, percent, total

_FIGURES = ("precision", "recall", "F1", "95 %", "F2", "0.3 P + 0.7 R")
_ANSWERS = ("flagged", *_FIGURES, "balanced accuracy", "border")
_SPANS = (*_FIGURES, "spans touched", "border")


def detection_tables(name: str, answers: Sequence[Answer], held_out: Model) -> Iterator[str]:
    """Write what is found in the test half of a data set, per answer and, if marked, per character.

    Args:
        name: The data set.
        answers: All of it.
        held_out: A model that was fitted without it.
    """
    detectors = list(_detectors(answers, held_out))
    wrong = sum(answer.wrong for answer in answers if not answer.development)
    count = sum(not answer.development for answer in answers)
    title = f"{name}: answers with an error, {wrong} of {count} in the test half (percent)"
    rows = [(each.name, *_of_answers(each, answers)) for each in detectors]
    yield from table(title, ["counted as flagged", *_ANSWERS], rows)
    title = f"{name}: words with an error, by characters (percent)"
    rows = [(each.name, *_of_spans(each, answers)) for each in detectors if each.pieces]
    yield from table(title, ["counted as flagged", *_SPANS], rows)


def _detectors(answers: Sequence[Answer], held_out: Model) -> Iterator[Detector]:
    for model, of in ((held_out, ""), (None, ", shipped model (trained on these)")):
        reports = audited(answers, model=model)
        yield by_verdicts(f"audit: a wrong claim{of}", reports, WRONG)
        yield by_verdicts(f"audit: a wrong or undecided claim{of}", reports, OPEN)
        yield by_scores(f"audit: a claim with a low score{of}", reports)
        yield by_trust(f"audit: a low trust score{of}", reports)
    reports = audited(answers, model=held_out, extractor=Sentences())
    yield by_verdicts("audit by sentences: a wrong sentence", reports, WRONG)
    yield by_scores("audit by sentences: a sentence with a low score", reports)
    yield by_words("words: a sentence with a low share in the sources", answers)
    yield Detector(name="everything", scores=[0.0] * len(answers), border=1.0)


def _of_answers(detector: Detector, answers: Sequence[Answer]) -> list[str]:
    def counts(border: float, development: bool) -> list[Counts]:
        return [
            counted(answer.wrong, score < border)
            for answer, score in zip(answers, detector.scores, strict=True)
            if answer.development is development
        ]

    border = detector.border
    if border is None:
        border = best_border(detector.scores, lambda tried: total(counts(tried, True)))
    found = counts(border, False)
    flagged = sum(each.right + each.false for each in found) / len(found)
    balanced = percent(total(found).balanced)
    return [percent(flagged), *_figures(found), balanced, _written(border, detector)]


def _of_spans(detector: Detector, answers: Sequence[Answer]) -> list[str]:
    def counts(border: float, development: bool) -> list[Counts]:
        return [
            overlap(_places(answer.spans), _flagged(pieces, border))
            for answer, pieces in zip(answers, detector.pieces, strict=True)
            if answer.development is development
        ]

    border = detector.border
    if border is None:
        scores = [piece.score for pieces in detector.pieces for piece in pieces]
        border = best_border(scores, lambda tried: total(counts(tried, True)))
    touched = percent(_touched(detector, answers, border))
    return [*_figures(counts(border, False)), touched, _written(border, detector)]


def _touched(detector: Detector, answers: Sequence[Answer], border: float) -> float:
    """Return the share of marked spans, of the test half, of which a character is flagged."""
    touched = [
        not _flagged(pieces, border).isdisjoint(range(*span))
        for answer, pieces in zip(answers, detector.pieces, strict=True)
        for span in answer.spans
        if not answer.development
    ]
    return sum(touched) / max(1, len(touched))


def _figures(counts: Sequence[Counts]) -> list[str]:
    found = total(counts)
    low, high = interval(counts)
    return [
        percent(found.precision),
        percent(found.recall),
        percent(found.f()),
        f"{percent(low)}–{percent(high)}",
        percent(found.f(2)),
        percent(found.weighted),
    ]


def _flagged(pieces: Sequence[Piece], border: float) -> frozenset[int]:
    return _places([(piece.start, piece.end) for piece in pieces if piece.score < border])


def _places(intervals: Sequence[tuple[int, int]]) -> frozenset[int]:
    return frozenset(place for start, end in intervals for place in range(start, end))


def _written(border: float, detector: Detector) -> str:
    return "" if detector.border is not None else f"{border:.2f}"
