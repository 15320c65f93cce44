"""Which blocks of a page are its main text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from citeguard.documents.html.blocks import Block
from citeguard.documents.html.elements import BLOCKS, Element, tag_of
from citeguard.documents.html.furniture import Weight, is_furniture, is_label

_Kept = Callable[[Block], bool]
_Weights = Mapping[Element, Weight]

# Ideographs are words by themselves: there are no spaces between words made of them.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+")
_Trigrams = set[tuple[str, str, str]]

_SAME = 0.6  # share of a block's trigrams that show it again in what was kept
_NEARLY_ALL = 0.9  # of the letters that were kept: what holds them is where the main text is
_FEWEST_BLOCKS = 3  # in what can be an article
_LONG = 100  # letters of something that is more than a label
_FEW_LINKS = 0.3  # share of the letters


def first_reading(page: str) -> _Kept:
    """Return what tells whether `trafilatura` takes a block for main text.

    It knows a great many kinds of pages, and seldom takes furniture for text; but it leaves out
    much: captions, terms and definitions, short paragraphs, all but the first of several articles.
    """
    from trafilatura import bare_extraction  # takes a third of a second to load

    extracted: Any = bare_extraction(page, include_comments=False, include_tables=True)
    known = _trigrams("" if extracted is None else extracted.text or "")

    def is_kept(block: Block) -> bool:
        own = _trigrams(block.text)
        return bool(own) and len(own & known) >= _SAME * len(own)

    return is_kept


def main_blocks(root: Element, blocks: Sequence[Block], is_kept: _Kept) -> list[Block]:
    """Return the blocks that are main text, in order.

    These are the blocks of the region in which the first reading found its text, without the
    furniture that stands amid it; so what it left out there is in. Where it found nothing, it is
    everything but furniture; and everything where there is nothing else.

    Args:
        root: The page.
        blocks: All that it shows.
        is_kept: The first reading.
    """
    kept = {id(block) for block in blocks if is_kept(block)}
    elements = list(root.iter())
    weights = _weigh(elements, blocks, kept)
    page = weights[root]
    furniture: set[Element] = set()
    for element in elements:
        if element.getparent() in furniture or is_furniture(element, weights[element], page):
            furniture.add(element)
    left = [block for block in blocks if block.home not in furniture]
    if not page.kept:
        return left or list(blocks)
    inside = _main_elements(root, left, _weigh(elements, left, kept))
    return [block for block in left if block.home in inside and not is_label(block)] or left


def _weigh(elements: Sequence[Element], blocks: Sequence[Block], kept: set[int]) -> _Weights:
    """Return what stands in each element.

    Args:
        elements: All of a tree, in their order.
        blocks: What counts.
        kept: The `id` of those that a first reading kept.
    """
    weights = {element: Weight() for element in elements}
    for block in blocks:
        weights[block.home].add(block, kept=id(block) in kept)
    for element in reversed(elements):
        parent = element.getparent()
        if parent is not None and parent in weights:
            weights[parent].add_all(weights[element])
    return weights


def _main_elements(root: Element, blocks: Sequence[Block], weights: _Weights) -> set[Element]:
    """Return the elements of the region of the main text, and of its title above."""
    region = _widened(_innermost(root, weights), weights)
    inside = set(region.iter())
    title = next((block.home for block in blocks if block.level == 1), None)
    if title is not None and title not in inside:
        above = title if tag_of(title) == "h1" else next(title.iterancestors("h1"), title)
        around = above.getparent()
        # What stands with the title belongs to it: a lead, a date.
        inside |= set((above if around is None or region in around.iter() else around).iter())
    return inside


def _innermost(root: Element, weights: _Weights) -> Element:
    """Return the innermost element with nearly all that was kept, and several blocks."""
    region, wanted = root, _NEARLY_ALL * weights[root].kept
    while True:
        inner = next((each for each in region if weights[each].kept >= wanted), None)
        if inner is None or tag_of(inner) not in BLOCKS or weights[inner].blocks < _FEWEST_BLOCKS:
            return region
        region = inner


def _widened(region: Element, weights: _Weights) -> Element:
    """Return the outermost element that has others like the region, or what is around it, in it."""
    widest, inner = region, region
    while (outer := inner.getparent()) is not None and tag_of(outer) != "html":
        if any(each is not inner and _is_alike(each, inner, weights[each]) for each in outer):
            widest = outer
        inner = outer
    return widest


def _is_alike(element: Element, region: Element, own: Weight) -> bool:
    """Tell whether an element is of the same kind as a region, and has text of its own."""
    tag = tag_of(element)
    return (
        tag == tag_of(region)
        and own.letters >= _LONG
        and own.linked < _FEW_LINKS * own.letters
        and (
            tag in ("article", "section", "table", "tr")
            or element.get("class", "") == region.get("class", "")
        )
    )


def _trigrams(text: str) -> _Trigrams:
    words = _WORD.findall(text.lower())
    return set(zip(words, words[1:], words[2:], strict=False))
