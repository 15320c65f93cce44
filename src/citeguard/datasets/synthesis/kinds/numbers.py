"""Numbers: another count, share, sum or rank."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from citeguard.datasets.synthesis.kinds.figures import find_figures, other_values, written
from citeguard.datasets.synthesis.material import Material
from citeguard.datasets.synthesis.passages import Passage, Rewrite


def find_numbers(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield for each number a plausible one that no source has; in an order that is drawn."""
    figures = list(find_figures(passage))
    if not material.document.passage.is_english:
        figures = [figure for figure in figures if figure.style == "digits"]
    random.shuffle(figures)
    for figure in figures:
        word = passage.words[figure.place]
        for value in other_values(passage, figure, material.numbers, random):
            words = written(value, figure.style, word.text)
            yield Rewrite(figure.style, (passage.edit(figure.place, figure.place, words),))
            break
