"""How much stands in the elements of a page: `weigh`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

from citeguard.documents.html.blocks import Block
from citeguard.documents.html.elements import Element
from citeguard.documents.html.names import is_called_apart

_COOKIES = re.compile(r"\bcookies?\b", re.IGNORECASE)
_DOING = re.compile(
    r"\b(?:use[sd]?|using|accept\w*|agree|consent|manage|reject|settings|preferences|policy"
    r"|verwende\w*|nutze\w*|akzeptier\w*|zustimm\w*|utilis\w+|usamos|utilizamos|aceptar)\b",
    re.IGNORECASE,
)
_FORMULA = re.compile(
    r"\A(?:©|\(c\)|copyright\b)|\ball rights reserved\b|\A(?:privacy|terms)\b.{0,20}\Z"
    r"|\bour newsletter\b|\Ashare (?:this|on)\b|\A(?:follow|like|find) us on\b"
    r"|\Aleave a (?:comment|reply)\b",
    re.IGNORECASE,
)
_LONGEST_FORMULA = 400  # characters
_SENTENCE = re.compile(r"(?:(?:\S++\s++){3}+.*[.!?…]|.*。)[\"'”’»)\[\]\d\s⁰-⁹¹²³]*\Z", re.DOTALL)


@dataclass(slots=True)
class Weight:
    """How much stands in an element: blocks, and their letters and digits.

    Attributes:
        blocks: How many blocks.
        letters: Their letters and digits.
        linked: Those of links.
        kept: Those that a first reading took for main text.
        formal: Those of formulas, such as notices about cookies.
        stated: Those of blocks that end as sentences do, apart from formulas and from what is in
            elements called furniture.
        titles: How many of the blocks are headings of level 1.
        opening: The place of the first block among all, and its text where it is a heading.
    """

    blocks: int = 0
    letters: int = 0
    linked: int = 0
    kept: int = 0
    formal: int = 0
    stated: int = 0
    titles: int = 0
    opening: tuple[float, str] = (inf, "")

    @property
    def heading(self) -> str:
        """The heading that the element begins with; empty without one."""
        return self.opening[1]

    def add(self, block: Block, place: int, *, kept: bool) -> None:
        """Add a block, which is at this place among all of the page."""
        letters = sum(map(str.isalnum, block.text))
        formal = is_formula(block.text)
        self.blocks += 1
        self.letters += letters
        self.linked += min(block.linked, letters)
        self.kept += letters if kept and not formal else 0
        self.formal += letters if formal else 0
        self.stated += letters if is_sentence(block.text) and not formal else 0
        self.titles += block.level == 1
        self.opening = min(self.opening, (place, "" if block.level is None else block.text))

    def add_all(self, inside: Weight, *, stated: bool) -> None:
        """Add what stands in an element inside."""
        self.blocks += inside.blocks
        self.letters += inside.letters
        self.linked += inside.linked
        self.kept += inside.kept
        self.formal += inside.formal
        self.stated += inside.stated if stated else 0
        self.titles += inside.titles
        self.opening = min(self.opening, inside.opening)


Weights = dict[Element, Weight]


def weigh(
    elements: Sequence[Element], blocks: Sequence[Block], is_kept: Callable[[Block], bool]
) -> Weights:
    """Return what stands in each element of a tree.

    Args:
        elements: All of them, in their order.
        blocks: What they show.
        is_kept: Whether a first reading took a block for main text.
    """
    weights = {element: Weight() for element in elements}
    for place, block in enumerate(blocks):
        weights[block.home].add(block, place, kept=is_kept(block))
    for element in reversed(elements):
        parent = element.getparent()
        if parent is not None and parent in weights:
            own = weights[element]
            stated = bool(own.stated) and not is_called_apart(element, own.heading)
            weights[parent].add_all(own, stated=stated)
    return weights


def is_formula(text: str) -> bool:
    """Tell whether a text is a phrase that pages have around their text: on cookies, on rights."""
    if len(text) > _LONGEST_FORMULA:
        return False
    if _COOKIES.search(text) and _DOING.search(text):
        return True
    return _FORMULA.search(text) is not None


def is_sentence(text: str) -> bool:
    """Tell whether a text has four words or more, and ends as a sentence does."""
    return _SENTENCE.match(text) is not None
