"""Which quotes are found to answer a question: on articles that the weights were not fitted to."""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from random import Random

from citeguard.library.relevance import LEAST, AskedQuestion

from .answerable_cases import clapnq, xquad


def main(data: Path) -> int:
    """Write a table to standard output: of each kind of quote, the share that seems to answer."""
    counts: dict[str, list[bool]] = defaultdict(list)
    for collected in (xquad(data, "report"), clapnq(data, "report")):
        for case in (*collected.cases(Random(1)), *collected.swapped(Random(3))):
            if not case.quote:
                continue
            background = [text for _, text in case.found]
            asked = AskedQuestion(case.question, background=background)
            accepted = asked.relevance(case.quoted).score >= LEAST
            counts[f"{'answers' if case.answers else 'does not'}: {case.kind}"].append(accepted)
    sys.stdout.write("| quote | cases | taken for an answer |\n|---|--:|--:|\n")
    for kind, accepted in sorted(counts.items()):
        share = sum(accepted) / len(accepted)
        sys.stdout.write(f"| {kind} | {len(accepted)} | {share:.1%} |\n")
    return 0
