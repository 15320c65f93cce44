"""Entities: another name of the same type, from the same document."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from citeguard.datasets.synthesis.entities import Entity, find_entities, places, suits_pronouns
from citeguard.datasets.synthesis.material import Material
from citeguard.datasets.synthesis.passages import Edit, Passage, Rewrite

_MOST_TRIED = 4  # other names of one
_NATION_LIKE = ("country", "nation", "continent", "state", "city")
_WITH_THE = (
    " States",
    " Kingdom",
    " Republic",
    " Union",
    " Emirates",
    "Netherlands",
    "Philippines",
)


def find_names(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield exchanges of a name for another of its type; in an order that is drawn."""
    own = find_entities(passage, material.document.known)
    random.shuffle(own)
    placed = sum(word.text in places() for word in passage.words) > 1
    for entity in own:
        # What is said of two places is often known: "Siberia is a part of Russia".
        if entity.type in _NATION_LIKE and (
            placed or ", including" in passage.text or _is_owner(passage, entity)
        ):
            continue
        others = _others(passage, entity, own, material.document.entities)
        random.shuffle(others)
        for other in others[:_MOST_TRIED]:
            yield Rewrite(entity.type, (replaced(passage, entity, other.text),))


def _is_owner(passage: Passage, entity: Entity) -> bool:
    own = passage.key(entity.last).endswith("'s")
    return own or passage.key(entity.last + 1) in ("'", "’")


def replaced(passage: Passage, entity: Entity, name: str) -> Edit:
    """Put another name in the place of one, wherever its "'s" is."""
    start = passage.words[entity.first].start
    return Edit(start, start + len(entity.text), name)


def _others(
    passage: Passage, entity: Entity, own: list[Entity], all_of_them: list[Entity]
) -> list[Entity]:
    """Return names of the same type that share no word with any name of the text, each once."""
    present = frozenset[str]().union(*(each.words for each in own)) | passage.keys
    found = {
        other.text: other
        for other in all_of_them
        if other.type == entity.type
        and (other.article == entity.article or entity.type in _NATION_LIKE)
        and other.text.endswith(_WITH_THE) == entity.text.endswith(_WITH_THE)
        and other.words.isdisjoint(present)
        and suits_pronouns(passage, other)
    }
    if not suits_pronouns(passage, entity):
        return []
    return [found[name] for name in sorted(found)]
