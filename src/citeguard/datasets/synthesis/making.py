"""Wrong texts from true ones: `negatives` of one, `synthesize` of many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any

from citeguard.datasets.synthesis.kinds.attribution import find_attributions
from citeguard.datasets.synthesis.kinds.cuts import find_cuts
from citeguard.datasets.synthesis.kinds.dates import find_dates
from citeguard.datasets.synthesis.kinds.fabrication import find_fabrications
from citeguard.datasets.synthesis.kinds.joins import find_joins
from citeguard.datasets.synthesis.kinds.names import find_names
from citeguard.datasets.synthesis.kinds.negation import find_negations
from citeguard.datasets.synthesis.kinds.numbers import find_numbers
from citeguard.datasets.synthesis.kinds.quantifiers import find_quantifiers
from citeguard.datasets.synthesis.kinds.roles import find_roles
from citeguard.datasets.synthesis.kinds.units import find_units
from citeguard.datasets.synthesis.material import Material, letters_of
from citeguard.datasets.synthesis.negative import (
    KINDS,
    QUOTE_ONLY,
    Kind,
    Negative,
    Target,
)
from citeguard.datasets.synthesis.passages import Passage, Rewrite, rewritten
from citeguard.errors import CiteguardError, check_whole
from citeguard.sources.collection import Sources

Find = Callable[[Passage, Material, Random], Iterator[Rewrite]]

_FIND: dict[Kind, Find] = {
    "negation": find_negations,
    "number": find_numbers,
    "unit": find_units,
    "date": find_dates,
    "entity": find_names,
    "quantifier": find_quantifiers,
    "role_swap": find_roles,
    "stitched": find_joins,
    "misattributed": find_attributions,
    "clipped": find_cuts,
    "fabricated": find_fabrications,
}
_ENGLISH_ONLY: frozenset[Kind] = frozenset(
    ("negation", "unit", "entity", "quantifier", "role_swap", "fabricated")
)
_RESAID: frozenset[Kind] = frozenset(("entity", "date", "unit", "fabricated"))
"""Kinds whose new words may make what another sentence of the sources says."""
_IN_PLACE: frozenset[Kind] = frozenset(("clipped", "misattributed"))
"""Kinds whose words do stand in a source, or may."""

# How seldom a kind can be made, as measured on sentences of encyclopaedias: seldom ones go first.
_WEIGHTS: dict[Kind, float] = {
    "negation": 5.0, "number": 3.0, "unit": 9.0, "date": 3.0, "entity": 6.0, "quantifier": 6.0,
    "role_swap": 15.0, "stitched": 1.0, "misattributed": 1.0, "clipped": 7.0, "fabricated": 2.5,
}  # fmt: skip

_LONGEST = 5_000  # characters of a quote or statement

Item = tuple[str, str, Any]
"""A true text, the id of its source, and its sources: whatever `Sources` accepts."""


def negatives(
    text: str,
    sources: Any,
    *,
    source_id: str,
    kinds: Sequence[Kind] = KINDS,
    seed: int = 0,
    target: Target = "quote",
) -> list[Negative]:
    """Return wrong texts made from a true one, one of each kind that is possible.

    What comes of one kind depends on the text, the sources and the seed, not on the other kinds. No
    wrong quote stands in a source but for those that are clipped or misattributed, and a new name,
    number or date is not one with which another sentence of the sources says the same. Whether the
    true text is true is not checked. Of a text of more than 5,000 characters nothing is made. No
    model is called.

    Texts are made wrong by rules of English. Of sources in other languages there are only the kinds
    `number`, `date`, `stitched`, `misattributed` and `clipped`, and fewer of these.

    Args:
        text: A quote that stands in the source, or a statement that it supports.
        sources: Whatever `Sources` accepts; several, if quotes are to be misattributed.
        source_id: The source that the text is from.
        kinds: The kinds wanted, in the order of the result.
        seed: Another one gives other texts.
        target: Whether the text is a `quote` or a `statement`. A statement is never `stitched`,
            `misattributed` or `clipped`.

    Raises:
        CiteguardError: a kind or target that does not exist, or a seed that is no whole number.
        UnknownSourceError: no source has the id.

    Examples:
        >>> rules = "Visitors must wear a badge. The notice period is 3 months. It is paid."
        >>> quote = "The notice period is 3 months."
        >>> for each in negatives(quote, rules, source_id="1", kinds=["negation", "unit"]):
        ...     print(each.kind, "|", each.text)
        negation | The notice period is not 3 months.
        unit | The notice period is 3 years.
    """
    check_choices(kinds, seed, target)
    given = sources if isinstance(sources, Sources) else Sources(sources)
    making = _Making(text, Material(given, source_id, target), seed)
    ways = (making.one(kind) for kind in dict.fromkeys(kinds))
    return [made for made in ways if made is not None]


def synthesize(
    items: Iterable[Item],
    *,
    kinds: Sequence[Kind] = KINDS,
    seed: int = 0,
    each: int = 1,
    target: Target = "quote",
) -> Iterator[Negative]:
    """Yield wrong texts made from many true ones, in their order.

    Of the kinds that a text allows, some are drawn, the seldom ones more often, so that all kinds
    come about as often as they can. What comes of an item depends on that item and the seed, not on
    the items before it. Items are read one at a time.

    Args:
        items: True texts, each with the id of its source, and its sources: whatever `Sources`
            accepts. Give `Sources` that many items share as one object, and one after the other.
        kinds: The kinds wanted.
        seed: Another one gives other texts.
        each: The most texts made of an item.
        target: Whether the texts are quotes or statements.

    Raises:
        CiteguardError: a kind or target that does not exist, or a seed or number that is none.
        UnknownSourceError: no source has the id of an item.

    Examples:
        >>> handbook = {"handbook": "The notice period is 3 months. Lunch is free."}
        >>> items = [("The notice period is 3 months.", "handbook", handbook)]
        >>> [made.text for made in synthesize(items, kinds=["number"])]
        ['The notice period is 4 months.']
    """
    check_choices(kinds, seed, target)
    check_whole("synthesize(each=...)", each, 1)
    return _synthesized(items, tuple(kinds), seed, each, target)


def _synthesized(
    items: Iterable[Item],
    kinds: tuple[Kind, ...],
    seed: int,
    each: int,
    target: Target,
) -> Iterator[Negative]:
    for text, source_id, sources in items:
        given = sources if isinstance(sources, Sources) else Sources(sources)
        making = _Making(text, Material(given, source_id, target), seed)
        made = (making.one(kind) for kind in making.drawn(kinds))
        left = each
        for negative in made:
            if negative is not None:
                yield negative
                left -= 1
            if left == 0:
                break


class _Making:
    """A true text, and what can be made of it."""

    def __init__(self, text: str, material: Material, seed: int) -> None:
        self._passage = Passage(text)
        self._material = material
        self._seed = seed

    def drawn(self, kinds: Sequence[Kind]) -> list[Kind]:
        """Return the kinds in an order that is drawn, the seldom ones likely first."""
        drawn: dict[Kind, float] = {
            kind: self._random(f"order\0{kind}").random() for kind in KINDS if kind in kinds
        }
        return sorted(drawn, key=lambda kind: -(drawn[kind] ** (1 / _WEIGHTS[kind])))

    def one(self, kind: Kind) -> Negative | None:
        """Return a wrong text of a kind; `None` if there is none."""
        if not 0 < len(self._passage.text) <= _LONGEST or not self._allows(kind):
            return None
        ways = _FIND[kind](self._passage, self._material, self._random(kind))
        made = (self._negative(kind, way) for way in ways)
        return next((each for each in made if each is not None), None)

    def _allows(self, kind: Kind) -> bool:
        if self._material.target == "statement" and kind in QUOTE_ONLY:
            return False
        return kind not in _ENGLISH_ONLY or self._material.document.passage.is_english

    def _negative(self, kind: Kind, way: Rewrite) -> Negative | None:
        text, changes = rewritten(self._passage.text, way.edits)
        made = Negative(
            kind=kind,
            variant=way.variant,
            target=self._material.target,
            text=text,
            source_id=way.source_id or self._material.source_id,
            original=self._passage.text,
            original_source_id=self._material.source_id,
            changes=changes,
        )
        return made if self._is_wrong(made) else None

    def _is_wrong(self, made: Negative) -> bool:
        """Tell whether a text is not true after all."""
        if made.kind in _IN_PLACE:
            return True
        # A currency's sign is no letter: "€5" stands where "$5" does.
        changed = letters_of(made.text) != letters_of(made.original)
        if made.text == made.original or (changed and self._material.stands(made.text)):
            return False
        new = " ".join(change.text for change in made.changes)
        return made.kind not in _RESAID or not self._material.says(made.text, new)

    def _random(self, purpose: str) -> Random:
        # A string seeds alike in every process; the hash of a string does not.
        return Random(f"{self._seed}\0{purpose}\0{self._material.source_id}\0{self._passage.text}")


def check_choices(kinds: Sequence[Kind], seed: int, target: object) -> None:
    """Refuse kinds, seeds and targets that do not exist.

    Raises:
        CiteguardError: one of them does not.
    """
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown or isinstance(kinds, str):
        raise CiteguardError(f"kinds must be of {', '.join(KINDS)}, not {kinds!r}")
    if target not in ("quote", "statement"):
        raise CiteguardError(f'target must be "quote" or "statement", not {target!r}')
    check_whole("seed", seed, 0)
