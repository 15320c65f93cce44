"""Which quotes are found to answer a question: on articles that the weights were not fitted to."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

from citeguard.library.relevance import LEAST, AskedQuestion

from ..tables import table
from .answerable_cases import Case, Collected, Part, clapnq, written, xquad

_THRESHOLDS = (0.35, 0.45, 0.6, 0.7)


def main(data: Path) -> int:
    """Write tables to standard output: the share of each kind of quote that seems to answer.

    Articles of XQuAD and clapnq, on which the threshold was chosen and unseen ones, and questions
    that were written by hand.
    """
    parts: tuple[Part, ...] = ("report", "unseen")
    for part in parts:
        for line in _made(part, [xquad(data, part), clapnq(data, part)]):
            sys.stdout.write(line + "\n")
    for line in _written(written(data)):
        sys.stdout.write(line + "\n")
    return 0


def score(case: Case) -> float:
    """Return how likely the quote of a case seems to answer."""
    background = [text for _, text in case.found]
    return AskedQuestion(case.question, background=background).relevance(case.quoted).score


def _made(part: str, sets: Iterable[Collected]) -> Iterator[str]:
    counts: dict[str, list[bool]] = defaultdict(list)
    for collected in sets:
        random = Random(4)
        cases = (*collected.cases(Random(1)), *collected.swapped(Random(3)))
        for case in (*cases, *collected.near_misses(random)):
            if case.quote:
                kind = f"{'answers' if case.answers else 'does not'}: {case.kind}"
                counts[kind].append(score(case) >= LEAST)
    rows = [
        (kind, len(accepted), f"{sum(accepted) / len(accepted):.1%}")
        for kind, accepted in sorted(counts.items())
    ]
    yield from table(f"Articles: {part}", ["quote", "cases", "taken for an answer"], rows)


def _written(cases: Iterable[Case]) -> Iterator[str]:
    scores: dict[str, list[float]] = defaultdict(list)
    for case in cases:
        scores[case.kind].append(score(case))
        if not case.answers:
            scores["any of these"].append(score(case))
    rows = [
        (kind, len(found), *(f"{sum(each < least for each in found)}" for least in _THRESHOLDS))
        for kind, found in sorted(scores.items(), key=lambda each: each[0] == "answered")
    ]
    columns = ["exchanged", "questions", *(f"refused below {least}" for least in _THRESHOLDS)]
    yield from table("Questions written by hand", columns, rows)
