"""Fabricated sentences: of the document's own words, and nowhere in it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from citeguard.datasets.synthesis.kinds.dates import find_dates
from citeguard.datasets.synthesis.kinds.names import find_names
from citeguard.datasets.synthesis.kinds.numbers import find_numbers
from citeguard.datasets.synthesis.kinds.units import find_units
from citeguard.datasets.synthesis.material import Material
from citeguard.datasets.synthesis.passages import Edit, Passage, Rewrite, rewritten

_LEAST, _MOST = 7, 45  # words of a template
_MOST_TEMPLATES = 12
_FEWEST_CHANGES = 2
_SLOTS = (find_names, find_numbers, find_dates, find_units)


def find_fabrications(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield sentences made of others of the source: several of their facts changed at once."""
    for template in _templates(passage, material, random):
        text = _refilled(template, material, random)
        if text is not None:
            yield Rewrite("refilled", (Edit(0, len(passage.text), text),))


def _templates(passage: Passage, material: Material, random: Random) -> list[Passage]:
    found = [
        each
        for each in material.document.sentences
        if _LEAST <= len(each.words) <= _MOST
        and each.text not in passage.text
        and each.text.endswith((".", ".”", '."'))
    ]
    return random.sample(found, min(len(found), _MOST_TEMPLATES))


def _refilled(template: Passage, material: Material, random: Random) -> str | None:
    """Return a sentence with two or more of its facts changed; `None` if it has not as many."""
    edits: list[Edit] = []
    for find in _SLOTS:
        for way in find(template, material, random):
            if all(_are_apart(edit, other) for edit in way.edits for other in edits):
                edits.extend(way.edits)
                break
    return rewritten(template.text, edits)[0] if len(edits) >= _FEWEST_CHANGES else None


def _are_apart(one: Edit, other: Edit) -> bool:
    return one.end < other.start or other.end < one.start
