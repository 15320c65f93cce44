"""Misattributed quotes: true words, ascribed to a source that does not have them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from citeguard.datasets.synthesis.material import Material
from citeguard.datasets.synthesis.passages import Passage, Rewrite


def find_attributions(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield the other sources that do not have the quote; in an order that is drawn."""
    others = [each for each in material.sources.ids if each != material.source_id]
    for source_id in random.sample(others, len(others)):
        if not material.stands(passage.text, source_id):
            yield Rewrite("source", (), source_id)
